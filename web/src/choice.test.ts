import { expect, test } from "vitest";

import { pick, readChoice, readTables, USUAL, writeChoice } from "./choice";
import { newTable } from "./fold";

const table = (number: number, more = {}) => ({ ...newTable(`open/1/${number}`), ...more });
const shown = (choice: Partial<typeof USUAL>, tables = [10, 2, 1, 3].map((number) => table(number))) =>
  pick(tables, { ...USUAL, ...choice }).map((one) => Number(one.table.split("/")[2]));

test("tables are written as people write them", () => {
  expect(readTables("1-3, 12")).toEqual([1, 2, 3, 12]);
  expect(readTables("5,3,5")).toEqual([5, 3]);
  expect(readTables("all, 0, x")).toEqual([]);
  expect(readTables("990-99999999").at(-1)).toBe(999);
});

test("the address says what the wall shows, and says it again the same way", () => {
  const choice = { tables: [4, 1, 2, 3], order: "running", atOnce: 8, seconds: 0 } as const;
  const written = new URLSearchParams(writeChoice({ ...choice, tables: [...choice.tables] }));
  expect(written.toString()).toBe("tables=4%2C1-3&order=running&boards=8&every=0");
  expect(readChoice(written)).toEqual(choice);
  expect(writeChoice(USUAL)).toEqual({});
  expect(readChoice(new URLSearchParams("order=upwards&boards=-3&every=soon"))).toEqual(USUAL);
});

test("tables come by number, or as they were chosen", () => {
  expect(shown({})).toEqual([1, 2, 3, 10]);
  expect(shown({ tables: [10, 2, 77] })).toEqual([10, 2]);
});

test("a game whose score is no ordinary result is over too", () => {
  expect(shown({ order: "running" }, [table(1, { score: "0-0" }), table(2)])).toEqual([2, 1]);
});

test("running games come first, or strong ones", () => {
  const player = (rating: number) => ({ name: "x", rating });
  const tables = [table(1, { result: "1-0" }), table(2, { white: player(2400), black: player(2500) }), table(3, { white: player(2700) })];
  expect(shown({ order: "running" }, tables)).toEqual([2, 3, 1]);
  expect(shown({ order: "rating" }, tables)).toEqual([2, 3, 1]);
});
