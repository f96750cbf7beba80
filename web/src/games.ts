// The games of a table as its PGN has them: moves, and what the clocks showed.

import { parseComment, parsePgn } from "chessops/pgn";

import { START } from "./fold";
import type { GameResult, Player, Score, TimeControl } from "./vocabulary";

export interface Game {
  white: Player;
  black: Player;
  result: GameResult;
  score?: Score;
  start: string;
  line: string[];
  /** What the mover's clock showed after each move, in milliseconds. */
  clocks: (number | undefined)[];
  control?: TimeControl;
}

const FORFEITS: Record<GameResult, Score> = { "1-0": "+/-", "0-1": "-/+", "1/2-1/2": "1/2-1/2", "*": "-/-" };

export function readGames(pgn: string): Game[] {
  return parsePgn(pgn).map(({ headers, moves }) => {
    const played = [...moves.mainline()];
    const result = (headers.get("Result") ?? "*") as GameResult;
    const control = /^(\d+)\+(\d+)$/.exec(headers.get("TimeControl") ?? "");
    return {
      white: player(headers, "White"),
      black: player(headers, "Black"),
      result,
      // The standard's word for a game to which somebody did not come.
      ...(headers.get("Termination") === "abandoned" ? { score: FORFEITS[result] } : {}),
      start: headers.get("FEN") ?? START,
      line: played.map(({ san }) => san),
      clocks: played.map(({ comments }) => {
        const seconds = comments?.map((comment) => parseComment(comment).clock).find((clock) => clock !== undefined);
        return seconds === undefined ? undefined : seconds * 1000;
      }),
      ...(control ? { control: { base_s: Number(control[1]), increment_s: Number(control[2]) } } : {}),
    };
  });
}

function player(headers: Map<string, string>, side: "White" | "Black"): Player {
  const [name, title, rating] = [headers.get(side), headers.get(`${side}Title`), Number(headers.get(`${side}Elo`))];
  return { name: name === undefined || name === "?" ? "" : name, ...(title ? { title } : {}), ...(rating ? { rating } : {}) };
}

/** How long each move took, from what the mover's clock showed before and after it. */
export function spent(clocks: (number | undefined)[], control?: TimeControl): (number | undefined)[] {
  const added = (control?.increment_s ?? 0) * 1000;
  return clocks.map((after, ply) => {
    // The clock is set before the first move; whether the increment is in it differs, and a move can't take less than none.
    const before = ply < 2 ? control && control.base_s * 1000 : clocks[ply - 2];
    if (after === undefined || before === undefined) return undefined;
    return Math.max(0, before + (ply < 2 ? Math.max(0, after - before) : added) - after);
  });
}
