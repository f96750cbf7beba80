// What a change does to the picture of the hall. Pure: the same snapshot and changes give the same picture everywhere,
// in the daemon too: `protocol/tests/fold` holds both to it.

import type { Change, Round, Table } from "./vocabulary";

/** The tables on the wall, by their addresses. */
export class Hall extends Map<string, Table> {
  /** Those that have left it and stay at their addresses. */
  readonly away = new Map<string, Table>();
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
  if (change.event === "round") return takeRound(hall, change.round);
  const id = change.table ?? own;
  if (id === undefined) return undefined;
  if (change.event === "shown") {
    if (own === undefined) move(hall, id, change.shown);
    return id;
  }
  const place = hall.away.has(id) ? hall.away : hall;
  place.set(id, changed(place.get(id) ?? newTable(id), change));
  return id;
}

function takeRound(hall: Hall, round: Round): undefined {
  hall.rounds = hall.rounds.filter((known) => known.event !== round.event || known.round !== round.round);
  if (round.stage === "open") hall.rounds.push(round);
}

function move(hall: Hall, id: string, shown: boolean): void {
  const [from, to] = shown ? [hall.away, hall] : [hall, hall.away];
  if (!to.has(id)) to.set(id, from.get(id) ?? newTable(id));
  from.delete(id);
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
    case "attended":
      return { ...table, attended: change.attended };
    case "link":
      return { ...table, link: change.state };
    case "started": {
      // Players, cable and clock stay.
      const { last: _last, ...rest } = table;
      const { game, fen: start } = change;
      const fresh = { state: "playing", final: 0, result: "*", check: false, held: false } as const;
      return { ...rest, ...fresh, game, start, line: [], placement: placementOf(start), turn: turnOf(start) };
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
    // What the board shows is said by `seen`, line and position together. The record moves no more than the mark up to
    // which the line is final.
    case "final":
      return { ...table, final: Math.max(table.final, Math.min(table.line.length, change.ply)) };
    case "corrected":
      return { ...table, final: Math.min(table.final, Math.max(0, change.from_ply - 1) + change.new.length) };
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
