// What a change does to the picture of the hall. Pure: the same snapshot and changes give the same picture everywhere.

import type { Change, Table } from "./vocabulary";

export type Hall = Map<string, Table>;

export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

export function takeSnapshot(tables: Table[]): Hall {
  return new Map(tables.map((table) => [table.table, table]));
}

/**
 * Changes `hall`, and says which table is another one now.
 *
 * `own` is the table of a stream about a single one: its changes need not name it.
 */
export function takeChange(hall: Hall, change: Change, own?: string): string | undefined {
  const id = change.table ?? own;
  if (id === undefined) return undefined;
  hall.set(id, changed(hall.get(id) ?? newTable(id), change));
  return id;
}

export function newTable(table: string): Table {
  return {
    table,
    game: 0,
    state: "waiting",
    start: START,
    line: [],
    final: 0,
    placement: placementOf(START),
    turn: "white",
    result: "*",
  };
}

function changed(table: Table, change: Change): Table {
  switch (change.event) {
    case "seen": {
      const { last: _last, ...rest } = table;
      const { line, final, placement, turn, check = false } = change;
      return { ...rest, line, final, placement, turn, check, ...(change.last === undefined ? {} : { last: change.last }) };
    }
    case "held":
      return { ...table, held: change.held };
    case "clock": {
      const { white_ms, black_ms, running, t: at } = change;
      return { ...table, clock: { white_ms, black_ms, running, at } };
    }
    case "link":
      return { ...table, link: change.state };
    case "started": {
      const { last: _last, ...rest } = table;
      const begun = { game: change.game, start: change.fen, line: [], final: 0, result: "*" as const, check: false };
      return { ...rest, ...begun, placement: placementOf(change.fen), turn: turnOf(change.fen) };
    }
    case "paired": {
      const { time_control: _before, ...rest } = table;
      const { white, black } = change;
      return { ...rest, white, black, ...(change.time_control ? { time_control: change.time_control } : {}) };
    }
    case "state":
      return { ...table, state: change.state };
    case "result":
      return { ...table, result: change.result };
    case "final":
    case "corrected":
      // The record. What the board shows is said by `seen`, which comes with every change of the line.
      return table;
    default:
      return table;
  }
}

function placementOf(fen: string): string {
  return fen.split(" ")[0] ?? "";
}

function turnOf(fen: string): "white" | "black" {
  return fen.split(" ")[1] === "b" ? "black" : "white";
}
