// What a change does to the picture of the hall. Pure: the same snapshot and changes give the same picture everywhere,
// in the daemon too: `protocol/tests/fold_v2` holds both to it.

import type { Change, Round, Table } from "./vocabulary";

/** The tables on the wall, by their addresses. */
export class Hall extends Map<string, Table> {
  /** The rounds that are open. */
  rounds: Round[] = [];
}

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export function takeSnapshot(tables: Table[], rounds: Round[] = []): Hall {
  const hall = new Hall(tables.map((table) => [table.table, table]));
  hall.rounds = rounds;
  return hall;
}

/**
 * Changes `hall`, and says which table is another one now.
 *
 * `own` is the table of a stream about a single one: its changes need not name it.
 */
export function takeChange(hall: Hall, change: Change, own?: string): string | undefined {
  if (change.rounds) {
    hall.rounds = change.rounds;
    return undefined;
  }
  const id = change.table ?? own;
  if (id === undefined) return undefined;
  if (change.gone) hall.delete(id);
  else hall.set(id, changed(hall.get(id) ?? newTable(id), change));
  return id;
}

/** A table before its first game. */
export function newTable(table: string): Table {
  const [placement = "", , ...rest] = START.split(" ");
  return { table, game: 0, state: "waiting", ply: 1, san: [], placement, turn: "white", rest: rest.join(" "), result: "*" };
}

/** These are told in a way of their own. */
const OWN_WAY = new Set(["table", "ply", "san", "squares", "clock", "corrected", "told"]);

function changed(before: Table, change: Change): Table {
  const table: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change)) {
    if (OWN_WAY.has(name)) continue;
    if (value === null) delete table[name];
    else table[name] = value;
  }
  const after = table as unknown as Table;
  if (change.ply != null) takeLine(after, change.ply, change.san ?? []);
  if (change.squares !== undefined) after.placement = placed(after.placement, change.squares);
  if (change.clock === null) delete after.clock;
  else if (change.clock !== undefined) after.clock = { ...(before.clock ?? { white_ms: 0, black_ms: 0 }), ...change.clock };
  return after;
}

/** Where the moves before are not known, the line begins with what is new. */
function takeLine(table: Table, ply: number, san: string[]): void {
  const isJoined = ply >= table.ply && ply <= table.ply + table.san.length;
  table.san = isJoined ? [...table.san.slice(0, ply - table.ply), ...san] : san;
  if (!isJoined) table.ply = ply;
}

/** `g1-f3N` empties g1 and puts a white knight on f3. */
function placed(placement: string, squares: string): string {
  const rows = placement.split("/").map((row) => row.replace(/\d/g, (count) => "-".repeat(Number(count))).split(""));
  for (const [, file, rank, man] of squares.matchAll(/([a-h])([1-8])(.)/g)) rows[8 - Number(rank)]![file!.charCodeAt(0) - 97] = man!;
  return rows.map((row) => row.join("").replace(/-+/g, (run) => String(run.length))).join("/");
}

/** How many moves the game has, and how many of them are in the record. */
export function plies({ ply, san }: Table): number {
  return ply - 1 + san.length;
}

export function settledPlies(table: Table): number {
  return plies(table) - (table.provisional ?? 0);
}
