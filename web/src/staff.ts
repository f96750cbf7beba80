// Version 2 of the feed as the staff hears it, as `protocol/src/feed/v2` writes it, and what a change does to a table.
// Pure, as `fold.ts` is for version 1.

import type { Clock, GameResult, Link, Player, Round, Side, State, TimeControl } from "./vocabulary";

export type Severity = "trace" | "info" | "minor" | "major" | "critical";

/** What was seen: each kind of alert has its own few of these. */
export interface Evidence {
  square?: string;
  own?: string;
  enemy?: string;
  first?: string;
  dwell_ms?: number;
  expected?: string;
  found?: string;
  shown_ms?: number;
  counted_ms?: number;
  squares?: string[];
}

export interface Alert {
  kind: string;
  severity: Severity;
  side: Side | null;
  article?: string;
  unconfirmed?: boolean;
  plies?: number;
  signalled?: GameResult;
  count?: number;
  reason?: string;
  detail?: string;
  evidence?: Evidence;
  opponent_can_mate?: boolean;
  mate_search?: "pending" | "undecided";
  completed_moves?: number;
  occurrences?: number[];
  alternatives?: string[][];
}

/** One alert and what became of it. */
export interface Matter {
  at: number;
  stage: "open" | "acknowledged" | "settled";
  by?: { command: string; note?: string };
  alert: Alert;
}

export interface Seconds {
  white?: number;
  black?: number;
}

export interface Proposal {
  result?: GameResult;
  reason?: string;
  mate_search?: "pending" | "undecided";
  ends_at_ply?: number;
  void?: string[];
  action?: string;
  bonus_s?: Seconds;
  charge_s?: Seconds;
  must_move?: string;
  touch_move?: { must_move: string | null; must_take?: string };
  restore?: string;
  squares?: string[];
  clocks_ms?: { white: number; black: number };
  clocks_1993_ms?: { white: number; black: number };
}

export interface StaffTable {
  table: string;
  game: number;
  state: State;
  white?: Player;
  black?: Player;
  time_control?: TimeControl;
  ply: number;
  san: string[];
  provisional?: number;
  placement: string;
  turn: Side;
  last?: string;
  check?: boolean;
  clock?: Clock;
  held?: boolean;
  link?: Link;
  result: GameResult;
  alerts?: Matter[];
  proposal?: Proposal;
  board?: string;
  differs?: string[];
  attended?: boolean;
}

/** `null` takes a member away; a clock that is read tells only what is new. */
type Member<T> = T | null;
export type StaffChange = { [Name in keyof Omit<StaffTable, "clock">]?: Member<StaffTable[Name]> } & {
  clock?: Member<Partial<Clock> & Pick<Clock, "running" | "at">>;
  squares?: string;
  gone?: boolean;
  rounds?: Round[];
};

export type StaffMessage = { seq: number; now: number; notice?: string } & (
  | { snapshot: { v: number; run: string; rounds?: Round[]; tables: StaffTable[] } }
  | { changes: StaffChange[] }
  | { beat: null }
);

export class StaffHall extends Map<string, StaffTable> {
  rounds: Round[] = [];
}

export function takeStaffSnapshot(tables: StaffTable[], rounds: Round[] = []): StaffHall {
  const hall = new StaffHall(tables.map((table) => [table.table, table]));
  hall.rounds = rounds;
  return hall;
}

/** Changes `hall`, and says which table is another one now. */
export function takeStaffChange(hall: StaffHall, change: StaffChange, own?: string): string | undefined {
  if (change.rounds) {
    hall.rounds = change.rounds;
    return undefined;
  }
  const id = change.table ?? own;
  if (id === undefined) return undefined;
  if (change.gone) hall.delete(id);
  else hall.set(id, changed(hall.get(id) ?? EMPTY(id), change));
  return id;
}

const EMPTY = (table: string): StaffTable => ({ table, game: 0, state: "waiting", ply: 1, san: [], placement: "8/8/8/8/8/8/8/8", turn: "white", result: "*" });

/** These are told in a way of their own. */
const OWN_WAY = new Set(["table", "gone", "rounds", "ply", "san", "squares", "clock", "corrected", "told", "start"]);

function changed(before: StaffTable, change: StaffChange): StaffTable {
  const table: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(change)) {
    if (OWN_WAY.has(name)) continue;
    if (value === null) delete table[name];
    else table[name] = value;
  }
  const after = table as unknown as StaffTable;
  if (change.ply != null) takeLine(after, change.ply, change.san ?? []);
  if (change.squares !== undefined) after.placement = placed(after.placement, change.squares);
  if (change.clock === null) delete after.clock;
  else if (change.clock !== undefined) after.clock = { ...(before.clock ?? { white_ms: 0, black_ms: 0 }), ...change.clock };
  return after;
}

/** Where the moves before are not known, the line begins with what is new. */
function takeLine(table: StaffTable, ply: number, san: string[]): void {
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

/** How many moves of the game are in the record. */
export function settledPlies({ ply, san, provisional = 0 }: StaffTable): number {
  return ply - 1 + san.length - provisional;
}
