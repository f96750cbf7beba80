// The feed's words for the staff alone: what waits for somebody, and what is offered to decide.

import type { GameResult, Side } from "./vocabulary";

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
  claim?: string;
  occurrences?: number[];
  alternatives?: string[][];
  boards?: BoardShown[];
}

/** One of the two boards of a game: as it stands, and the game as it has shown it. */
export interface BoardShown {
  board: string;
  side?: Side;
  placement: string;
  moves: { san: string; at?: number }[];
}

/** One alert and what became of it. */
export interface Matter {
  at: number;
  stage: "open" | "acknowledged" | "settled";
  /** Where it is about an earlier game of the table. */
  game?: number;
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
  /** Where it is about an earlier game of the table. */
  game?: number;
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
