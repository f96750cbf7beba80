// The feed's words, as `protocol/src/feed` writes them. Only what screens hear is spelled out.

export type Side = "white" | "black";
export type State = "waiting" | "playing" | "awaiting_arbiter" | "ended";
export type GameResult = "*" | "1-0" | "0-1" | "1/2-1/2";
export type Link = "up" | "down";

export interface Player {
  name: string;
  title?: string;
  rating?: number;
  federation?: string;
  team?: string;
}

/** A round that is open. */
export interface Round {
  event: string;
  round: number;
  stage: "prepared" | "open" | "closed";
  title?: string;
  site?: string;
  date?: string;
  /** The start position its games begin from, where somebody has said one. */
  chess960?: number;
  byes?: { player: Player; kind: "allocated" | "full" | "half" | "zero" }[];
}

export interface TimeControl {
  base_s: number;
  increment_s: number;
}

/** What a clock showed, and when, on the clock of the messages. */
export interface Clock {
  white_ms: number;
  black_ms: number;
  running: Side | null;
  at: number;
}

export interface Table {
  table: string;
  game: number;
  state: State;
  white?: Player;
  black?: Player;
  time_control?: TimeControl;
  start: string;
  line: string[];
  final: number;
  placement: string;
  turn: Side;
  last?: string;
  check?: boolean;
  clock?: Clock;
  held?: boolean;
  link?: Link;
  result: GameResult;
  delay?: Delay;
  /** An arbiter has acknowledged, and both clocks stand. */
  attended?: boolean;
}

/** How far spectators are behind. */
export interface Delay {
  seconds: number;
  plies?: number;
}

/** One thing that happened at one table. Kinds a page does not know are skipped, so that old pages survive new ones. */
export type Change = { table?: string; t: number } & (
  | { event: "seen"; line: string[]; final: number; placement: string; turn: Side; last?: string; check?: boolean }
  | { event: "held"; held: boolean }
  | { event: "attended"; attended: boolean }
  | { event: "clock"; white_ms: number; black_ms: number; running: Side | null }
  | { event: "link"; board: string; state: Link }
  | { event: "started"; game: number; fen: string; variant: string }
  | { event: "paired"; white: Player; black: Player; time_control?: TimeControl }
  | { event: "final"; ply: number; san: string; uci: string; fen: string; clock_ms?: number; inferred?: boolean }
  | { event: "corrected"; from_ply: number; old: string[]; new: string[]; reason: string }
  | { event: "state"; state: State }
  | { event: "result"; result: GameResult; reason: string }
  | { event: "shown"; shown: boolean }
  | { event: "round"; round: Round }
);

interface Header {
  v: number;
  run: string;
  seq: number;
  now: number;
  notice?: string;
}

export type Message =
  | (Header & { snapshot: { tables: Table[]; rounds?: Round[] } })
  | (Header & { changes: Change[] })
  | (Header & { beat: null });
