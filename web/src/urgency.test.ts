import { expect, test } from "vitest";

import type { Matter, Severity } from "./staff";
import type { Table } from "./vocabulary";
import { byUrgency, isOverdue, OVERDUE_MS, rankOf, reaches } from "./urgency";

const table = (number: number, ...alerts: Matter[]): Table => ({
  table: `open/1/${number}`, game: 1, state: "playing", ply: 1, san: [], placement: "8/8/8/8/8/8/8/8", turn: "white", rest: "- - 0 1", result: "*", alerts,
});
const matter = (severity: Severity, at: number, stage: Matter["stage"] = "open"): Matter => ({ at, stage, alert: { kind: "flag_fall", severity, side: "white" } });

test("what may end a game comes first, then what is older, then the number", () => {
  const tables = [table(1), table(2, matter("major", 5)), table(3, matter("critical", 9)), table(4, matter("major", 3)), table(5, matter("minor", 1))];
  expect(byUrgency(tables, 10).map(({ table }) => table)).toEqual([3, 4, 2, 5, 1].map((number) => `open/1/${number}`));
});

test("a small thing from before puts no table in front of one that has waited longer with a grave one", () => {
  const tables = [table(1, matter("minor", 1), matter("critical", 9)), table(2, matter("critical", 5)), table(3, matter("major", 2, "acknowledged"), matter("critical", 7))];
  expect(byUrgency(tables, 10).map(({ table }) => table)).toEqual([2, 3, 1].map((number) => `open/1/${number}`));
});

test("what somebody is on the way to comes after what nobody has seen", () => {
  expect([rankOf(table(1, matter("critical", 1, "acknowledged"))), rankOf(table(1, matter("critical", 1, "settled")))]).toEqual(["coming", "calm"]);
});

test("of calm tables those come first where time is short", () => {
  const short = { ...table(9), clock: { white_ms: 60_000, black_ms: 1, running: "white", at: 0 } } as const;
  expect(byUrgency([table(1), short], 0).map(({ table }) => table)).toEqual(["open/1/9", "open/1/1"]);
});

test("a critical alert is overdue after half a minute, once acknowledged no more", () => {
  expect([OVERDUE_MS - 1, OVERDUE_MS].map((now) => isOverdue(matter("critical", 0), now))).toEqual([false, true]);
  expect([isOverdue(matter("critical", 0, "acknowledged"), OVERDUE_MS), isOverdue(matter("major", 0), OVERDUE_MS)]).toEqual([false, false]);
});

test("other tables reach an arbiter only with what nobody goes to", () => {
  const seen = [table(3), table(30), table(31, matter("major", 0)), table(32, matter("major", 0, "acknowledged"))];
  expect(seen.filter((one) => reaches(one, [1, 2, 3], OVERDUE_MS)).map(({ table }) => table)).toEqual(["open/1/3", "open/1/31"]);
  expect(reaches(table(30), [], 0)).toBe(true);
});
