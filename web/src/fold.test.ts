import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

import { expect, test } from "vitest";

import { newTable, plies, settledPlies, takeChange, takeSnapshot } from "./fold";
import samples from "./samples.json";
import type { Change, Table } from "./vocabulary";

const ID = "open/3/12";
const CASES = resolve(import.meta.dirname, "../../protocol/tests/fold_v2");

test.each(readdirSync(CASES))("%s: the same changes give the tables the daemon's own fold gives", (name) => {
  const { before, changes, after } = JSON.parse(readFileSync(resolve(CASES, name), "utf8")) as { before: Table[]; changes: Change[]; after: Table[] };
  const hall = takeSnapshot(before);
  for (const change of changes) takeChange(hall, change);
  expect([...hall.values()].map(whole)).toEqual(after.map(whole));
});

/** Left out on the wire means false, none or nothing. */
function whole(table: Table): Table {
  return { held: false, attended: false, adjourned: false, provisional: 0, differs: [], alerts: [], ...table };
}

test("moves are counted from the ply they begin with, and those that are only seen apart", () => {
  const table = { ...newTable(ID), ply: 8, san: ["Nf6", "d4"], provisional: 1 };
  expect([plies(table), settledPlies(table), plies(newTable(ID))]).toEqual([9, 8, 0]);
});

test("a member nobody knows yet changes nothing else", () => {
  const hall = takeSnapshot([newTable(ID)]);
  takeChange(hall, { table: ID, earthquake: 7 } as Change);
  expect(hall.get(ID)).toMatchObject(newTable(ID));
});

test("a change without a table belongs to the stream's own", () => {
  const hall = takeSnapshot([]);
  expect(takeChange(hall, { held: true }, ID)).toBe(ID);
  expect(takeChange(hall, { held: true })).toBeUndefined();
});

test("a snapshot is not changed by what comes after it", () => {
  const table = newTable(ID);
  takeChange(takeSnapshot([table]), { table: ID, held: true, ply: 1, san: ["e4"] });
  expect(table).toEqual(newTable(ID));
});

test("a table that is gone is gone, and rounds are told whole", () => {
  const hall = takeSnapshot([newTable(ID)], [{ event: "open", round: 2, stage: "open" }]);
  takeChange(hall, { rounds: [{ event: "open", round: 3, stage: "open" }] });
  takeChange(hall, { table: ID, gone: true });
  expect([hall.size, hall.rounds]).toEqual([0, [{ event: "open", round: 3, stage: "open" }]]);
});

test("the samples on the feed's page follow one on the other", () => {
  const [snapshot, ...later] = samples.second.map(({ json }) => json as unknown as { snapshot: { tables: Table[] }; changes?: Change[] });
  const hall = takeSnapshot(snapshot!.snapshot.tables);
  const lengths = later.map(({ changes = [] }) => {
    for (const change of changes) expect(takeChange(hall, change, ID)).toBe(ID);
    return plies(hall.get(ID)!);
  });
  expect(lengths).toEqual([3, 4, 2, 2]);
});
