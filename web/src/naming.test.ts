import { expect, test } from "vitest";

import { eventTitle, Names, roundOf } from "./naming";
import type { Round } from "./vocabulary";

const round = (event: string, title?: string, number = 1): Round => ({ event, round: number, stage: "open", ...(title === undefined ? {} : { title }) });
const called = (tables: string[], ...rounds: Round[]) => {
  const names = new Names(tables, rounds);
  return tables.map((table) => [names.short(table), names.long(table)]);
};

test("tables of one round are called by their numbers", () => {
  expect(called(["open/1/1", "open/1/2"], round("open", "Spring Open"))).toEqual([["1", "Table 1"], ["2", "Table 2"]]);
});

test("tables of two rounds have the round before them", () => {
  expect(called(["open/1/1", "open/2/1"])).toEqual([["1.1", "Table 1 · Round 1"], ["2.1", "Table 1 · Round 2"]]);
});

test("tables of two events are told apart by where their titles differ", () => {
  expect(called(["a/1/1", "b/1/1"], round("a", "Spring Open A"), round("b", "Spring Open B"))).toEqual([["A 1", "Table 1 · Spring Open A"], ["B 1", "Table 1 · Spring Open B"]]);
  expect(called(["open-2026/1/1", "women-2026/3/1"])).toEqual([["O 1", "Table 1 · Open 2026"], ["W 1", "Table 1 · Women 2026"]]);
  expect(called(["open/1/1", "opera/1/1", "open/2/1"]).map(([short]) => short)).toEqual(["Open 1.1", "Oper 1.1", "Open 2.1"]);
  expect(called(["group-1/1/7", "group-2/1/7"]).map(([short]) => short)).toEqual(["G1 7", "G2 7"]);
  expect(called(["2026-11-27/1/1", "open-2026/1/1"]).map(([short]) => short)).toEqual(["N 1", "O 1"]);
  expect(called(["open/1/1", "open-b/1/1"]).map(([short]) => short)).toEqual(["Open 1", "Open b 1"]);
});

test("events with the same title are told apart by their names in addresses, and others are called as they are", () => {
  const rounds = [round("open-a", "Spring Open"), round("open-b", "Spring Open"), round("girls", "Girls Cup"), round("open-a", "Spring Open", 2)];
  expect(["open-a", "open-b", "girls"].map((event) => eventTitle(event, rounds))).toEqual(["Spring Open (open-a)", "Spring Open (open-b)", "Girls Cup"]);
  expect(roundOf("open-b/1/7", rounds)).toBe("Round 1 · Spring Open (open-b)");
  expect(called(["open-a/1/1", "open-b/1/1"], ...rounds)).toEqual([["Open-a 1", "Table 1 · Spring Open (open-a)"], ["Open-b 1", "Table 1 · Spring Open (open-b)"]]);
});

test("a round is called before its event, by its title once that is known", () => {
  expect(roundOf("spring-open/3/7", [])).toBe("Round 3 · Spring open");
  expect(roundOf("spring-open/3/7", [round("spring-open", "XXI. Spring Open", 3)])).toBe("Round 3 · XXI. Spring Open");
});
