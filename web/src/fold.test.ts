import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";

import { expect, test } from "vitest";

import { newTable, START, takeChange, takeSnapshot } from "./fold";
import samples from "./samples.json";
import type { Change, Table } from "./vocabulary";

const ID = "open/3/12";
const CASES = resolve(import.meta.dirname, "../../protocol/tests/fold");

test.each(readdirSync(CASES))("%s: the same events give the tables the daemon's own fold gives", (name) => {
  const { events, tables } = JSON.parse(readFileSync(resolve(CASES, name), "utf8")) as { events: Change[]; tables: Table[] };
  const hall = takeSnapshot([]);
  for (const change of events) takeChange(hall, change);
  // Left out on the wire means false.
  const whole = (table: Table) => ({ check: false, held: false, attended: false, ...table });
  expect(Object.fromEntries([...hall].map(([id, table]) => [id, whole(table)]))).toEqual(
    Object.fromEntries(tables.map((table) => [table.table, whole(table)])),
  );
});

test("what is seen replaces the line, and a last move that is gone is unmarked", () => {
  const after = fold(
    { t: 1, event: "seen", line: ["e4"], final: 0, placement: "a", turn: "black", last: "e2e4", check: true },
    { t: 2, event: "seen", line: [], final: 0, placement: "b", turn: "white" },
  );
  expect(after).toMatchObject({ line: [], placement: "b", turn: "white", check: false });
  expect(after).not.toHaveProperty("last");
});

test("a clock is kept with its time", () => {
  const after = fold({ t: 77, event: "clock", white_ms: 1, black_ms: 2, running: "black" });
  expect(after.clock).toEqual({ white_ms: 1, black_ms: 2, running: "black", at: 77 });
});

test("a new game clears the old one and keeps the players", () => {
  const [white, black] = [{ name: "Okafor, Ada" }, { name: "Lindqvist, Jonas" }];
  const after = fold(
    { t: 1, event: "paired", white, black },
    { t: 2, event: "seen", line: ["e4"], final: 1, placement: "a", turn: "black", last: "e2e4" },
    { t: 3, event: "result", result: "1-0", reason: "arbiter" },
    { t: 4, event: "started", game: 2, fen: "4k3/8/8/8/8/8/8/4K3 b - - 0 1", variant: "standard" },
  );
  expect(after).toMatchObject({ game: 2, line: [], final: 0, result: "*", turn: "black", white, black });
  expect(after.placement).toBe("4k3/8/8/8/8/8/8/4K3");
  expect(after).not.toHaveProperty("last");
});

test("held, link, state and result are what the last word on them was", () => {
  const after = fold(
    { t: 1, event: "held", held: true },
    { t: 2, event: "held", held: false },
    { t: 3, event: "link", board: "30417", state: "down" },
    { t: 4, event: "state", state: "awaiting_arbiter" },
    { t: 5, event: "result", result: "1/2-1/2", reason: "arbiter" },
  );
  expect(after).toMatchObject({ held: false, link: "down", state: "awaiting_arbiter", result: "1/2-1/2" });
});

test("a kind nobody knows yet changes nothing", () => {
  const unknown = { t: 1, event: "earthquake", line: ["x"] } as unknown as Change;
  expect(fold(unknown)).toEqual(newTable(ID));
});

test("a table that was not in the snapshot appears", () => {
  const hall = takeSnapshot([]);
  expect(takeChange(hall, { table: ID, t: 1, event: "held", held: true })).toBe(ID);
  expect(hall.get(ID)?.held).toBe(true);
});

test("a change without a table belongs to the stream's own", () => {
  const hall = takeSnapshot([]);
  expect(takeChange(hall, { t: 1, event: "held", held: true }, ID)).toBe(ID);
  expect(takeChange(hall, { t: 1, event: "held", held: true })).toBeUndefined();
});

test("a snapshot is not changed by what comes after it", () => {
  const table = newTable(ID);
  takeChange(takeSnapshot([table]), { table: ID, t: 1, event: "held", held: true });
  expect(table.held).toBeUndefined();
});

test("every sample on the feed's page is a frame the fold understands", () => {
  const [snapshot, changes] = samples.bodies as unknown as [
    { json: { snapshot: { tables: Table[] } } },
    { json: { changes: Change[] } },
  ];
  const hall = takeSnapshot(snapshot.json.snapshot.tables);
  for (const change of changes.json.changes) expect(takeChange(hall, change)).toBe(ID);
  expect(hall.get(ID)).toMatchObject({ start: START, final: 3, clock: { running: "black" } });
  for (const { name, json } of samples.events) {
    expect(json.event).toBe(name);
    expect(takeChange(hall, json as unknown as Change)).toBe(ID);
  }
});

function fold(...changes: Change[]): Table {
  const hall = takeSnapshot([newTable(ID)]);
  for (const change of changes) takeChange(hall, { ...change, table: ID });
  return hall.get(ID)!;
}

test("a table that leaves the wall stays as it is, hears on, and comes back", () => {
  const hall = takeSnapshot([]);
  const tell = (change: Change) => takeChange(hall, change);
  tell({ t: 1, event: "paired", table: ID, white: { name: "A" }, black: { name: "B" } });
  tell({ t: 2, event: "shown", table: ID, shown: false });
  tell({ t: 3, event: "result", table: ID, result: "1-0", reason: "arbiter" });
  expect(hall.size).toBe(0);
  tell({ t: 4, event: "shown", table: ID, shown: true });
  expect(hall.get(ID)).toMatchObject({ white: { name: "A" }, result: "1-0" });
});

test("the rounds that are open are kept, and a closed one is not", () => {
  const hall = takeSnapshot([], [{ event: "open", round: 2, stage: "open" }]);
  takeChange(hall, { t: 1, event: "round", round: { event: "open", round: 3, stage: "open", title: "Spring Open" } });
  takeChange(hall, { t: 2, event: "round", round: { event: "open", round: 2, stage: "closed" } });
  expect(hall.rounds).toEqual([{ event: "open", round: 3, stage: "open", title: "Spring Open" }]);
});
