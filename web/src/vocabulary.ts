// The feed's words, version 2, as `protocol/src/feed/v2` writes them; those for the staff alone are in `staff.ts`.

import type { Matter, Proposal } from "./staff";

export type Side = "white" | "black";
export type State = "waiting" | "playing" | "awaiting_arbiter" | "ended";
export type GameResult = "*" | "1-0" | "0-1" | "1/2-1/2";
/** What both score, as orders write it. */
export type Score = GameResult | "+/-" | "-/+" | "-/-" | "0-0" | "1/2-0" | "0-1/2";
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

/** How far spectators are behind. */
export interface Delay {
  seconds: number;
  plies?: number;
}

export interface Table {
  table: string;
  game: number;
  state: State;
  white?: Player;
  black?: Player;
  time_control?: TimeControl;
  /** The position the game started from; the wall does without. */
  start?: string;
  /** The moves from `ply` on: on a table's page all of them, on the wall the last. */
  ply: number;
  san: string[];
  /** So many moves at the end may still be replaced. */
  provisional?: number;
  /** With the turn and the rest it is the FEN of the position after the line. */
  placement: string;
  turn: Side;
  rest: string;
  last?: string;
  clock?: Clock;
  held?: boolean;
  link?: Link;
  result: GameResult;
  /** Where the result alone does not say it. */
  score?: Score;
  delay?: Delay;
  /** The games before this one. */
  earlier?: { game: number; result: GameResult; score?: Score }[];
  /** For the staff only, as are the three below it. */
  alerts?: Matter[];
  proposal?: Proposal;
  board?: string;
  differs?: string[];
  /** An arbiter has acknowledged, and both clocks stand. */
  attended?: boolean;
  /** It goes on when the envelope is opened. */
  adjourned?: boolean;
  /** What both clocks showed when it was, where that is known. */
  adjourned_ms?: { white: number; black: number };
}

/** What was said aloud at the board and noted; there are more kinds of it. */
export interface Declared {
  command: string;
  side?: Side;
  white_ms?: number;
  black_ms?: number;
  penalty?: string;
}

/** `null` takes a member away; a clock that is read tells only what is new. */
type Member<T> = T | null;

/** What is different. Members a page does not know are kept and never looked at, so that old pages survive new ones. */
export type Change = { [Name in keyof Omit<Table, "clock">]?: Member<Table[Name]> } & {
  clock?: Member<Partial<Clock> & Pick<Clock, "running" | "at">>;
  squares?: string;
  corrected?: boolean;
  /** What has happened and no picture shows. */
  told?: { at: number; event: string; kind?: string; order?: Declared }[];
  gone?: boolean;
  rounds?: Round[];
};

/** What is wrong with the record, for pages to say in their own words and their reader's time. */
export type Trouble =
  | { kind: "not_recorded"; since: number }
  | { kind: "hall_damaged" }
  | { kind: "round_damaged"; event: string; round: number }
  | { kind: "fallen_behind" };

export type Message = { seq: number; now: number; notice?: string; troubles?: Trouble[] } & (
  | { snapshot: { v: number; run: string; rounds?: Round[]; tables: Table[] } }
  | { changes: Change[] }
  | { beat: null }
);
