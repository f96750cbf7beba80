// The positions of a game, move by move. The feed tells the newest; those before it follow from the moves.

import { Chess } from "chessops/chess";
import { makeFen, parseFen } from "chessops/fen";
import { parseSan } from "chessops/san";
import { makeUci } from "chessops/util";

import type { Side } from "./vocabulary";

export interface Position {
  placement: string;
  turn: Side;
  check: boolean;
  last?: string;
  fen: string;
}

/**
 * The positions of a line as far as it can be followed, the one it begins with included: a move that stands in the record
 * without being legal ends it.
 */
export class Replay {
  private start = "";
  private line: string[] = [];
  private played: Chess[] = [];
  positions: Position[] = [];

  /** Moves that are known already are not played again. */
  follow(start: string, line: string[]): void {
    let kept = 0;
    if (start === this.start) while (kept < line.length && kept < this.line.length && line[kept] === this.line[kept]) kept += 1;
    else this.begin(start);
    this.start = start;
    this.line = line;
    this.cut(kept);
    for (const san of line.slice(this.positions.length - 1)) if (!this.play(san)) break;
  }

  private begin(start: string): void {
    // An arbiter may have set up what no game leads to: it is shown, and can't be followed.
    const read = parseFen(start).chain((setup) => Chess.fromSetup(setup));
    this.played = read.isOk ? [read.value] : [];
    this.positions = [read.isOk ? shown(read.value) : asWritten(start)];
  }

  private cut(plies: number): void {
    this.played.length = Math.min(this.played.length, plies + 1);
    this.positions.length = Math.max(1, this.played.length);
  }

  private play(san: string): boolean {
    const position = this.played.at(-1)?.clone();
    if (position === undefined) return false;
    const move = parseSan(position, san);
    if (move === undefined) return false;
    position.play(move);
    this.played.push(position);
    this.positions.push({ ...shown(position), last: makeUci(move) });
    return true;
  }
}

function shown(position: Chess): Position {
  const fen = makeFen(position.toSetup());
  return { placement: fen.split(" ")[0]!, turn: position.turn, check: position.isCheck(), fen };
}

function asWritten(fen: string): Position {
  const [placement = "", turn] = fen.split(" ");
  return { placement, turn: turn === "b" ? "black" : "white", check: false, fen };
}
