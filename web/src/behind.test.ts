// A delay is said of the tables it holds for, and of no others.

import { expect, test } from "vitest";

import { behind } from "./behind";
import { newTable } from "./fold";
import type { Delay, Table } from "./vocabulary";

const table = (id: string, delay?: Delay): Table => ({ ...newTable(id), ...(delay === undefined ? {} : { delay }) });
const quarter: Delay = { seconds: 900 };

test("where all tables have the same it is said once", () => {
  expect(behind([], [])).toBe("");
  expect(behind([table("open/1/1")], [])).toBe("");
  expect(behind([table("open/1/1", quarter), table("open/1/2", quarter)], [])).toBe("Shown 15 minutes after it happens.");
  expect(behind([table("open/1/1", { seconds: 45, plies: 2 })], [])).toBe("Shown 45 seconds after it happens. The last 2 moves of each game are not shown yet.");
});

test("what is ordered for one event is said of that event", () => {
  const tables = [table("open/1/1"), table("open/1/2"), table("next/1/1", quarter), table("next/1/2", quarter)];
  expect(behind(tables, [])).toBe("Next: Shown 15 minutes after it happens.");
  expect(behind(tables, [{ event: "next", round: 1, stage: "open", title: "Next Generation" }])).toBe("Next Generation: Shown 15 minutes after it happens.");
});

test("what is ordered for some tables is said of those, whichever round they are of", () => {
  const late = (...ids: string[]) => ids.map((id) => table(id, quarter));
  expect(behind([table("open/1/1"), ...late("open/1/2")], [])).toBe("Table 2: Shown 15 minutes after it happens.");
  expect(behind([table("open/1/1"), ...late("open/1/4", "open/1/2", "open/1/3", "open/1/7")], [])).toBe("Tables 2–4, 7: Shown 15 minutes after it happens.");
  expect(behind([table("next/1/1"), table("open/1/1"), table("open/2/1"), ...late("open/2/2")], [])).toBe("Open · Round 2 · Table 2: Shown 15 minutes after it happens.");
  const both = [table("open/1/1", { seconds: 0, plies: 1 }), table("next/1/1", quarter)];
  expect(behind(both, [])).toBe("Open: The last move of each game is not shown yet. Next: Shown 15 minutes after it happens.");
});
