// The page beside LiveChess's files follows moves by itself: here every step of hers is compared with chessops.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { castlingSide, Chess } from "chessops/chess";
import { makeBoardFen, makeFen, parseFen } from "chessops/fen";
import { makeSan } from "chessops/san";
import type { Move } from "chessops/types";
import { expect, test } from "vitest";

/** What the page is written in is no part of the others, and has no types. */
const PAGE = pathToFileURL(resolve(import.meta.dirname, "../../src/press/page/moves.js")).href;
const { replay } = (await import(/* @vite-ignore */ PAGE)) as { replay: (fen: string | undefined, moves: string[]) => { men: (string | undefined)[]; moved: number[] } };

const STARTS = [undefined, "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", "r3k2r/1P4P1/8/2pP4/8/8/1p4p1/R3K2R w KQkq c6 0 9", "4k3/8/8/1r2N3/8/8/1N6/1K3N2 w - - 0 1"];

test.each(STARTS)("a game from %s stands as chessops has it after each move", (start) => {
  const dice = rolled(7);
  for (let game = 0; game < 8; game++) {
    const position = start === undefined ? Chess.default() : Chess.fromSetup(parseFen(start).unwrap()).unwrap();
    const moves: string[] = [];
    for (let ply = 0; ply < 60; ply++) {
      const legal = all(position);
      if (legal.length === 0) break;
      const castling = legal.filter((move) => castlingSide(position, move) !== undefined);
      const move = (castling.length > 0 ? castling : legal)[dice(castling.length > 0 ? castling.length : legal.length)]!;
      moves.push(makeSan(position, move));
      position.play(move);
      expect(placement(replay(start, moves).men), `${moves.join(" ")}: ${makeFen(position.toSetup())}`).toBe(makeBoardFen(position.board));
    }
  }
});

function all(position: Chess): Move[] {
  const moves: Move[] = [];
  for (const [from, targets] of position.allDests()) {
    for (const to of targets) {
      const isPromotion = position.board.getRole(from) === "pawn" && (to < 8 || to >= 56);
      if (isPromotion) for (const promotion of ["queen", "knight"] as const) moves.push({ from, to, promotion });
      else moves.push({ from, to });
    }
  }
  return moves;
}

function placement(men: (string | undefined)[]): string {
  const row = (rank: number) => Array.from({ length: 8 }, (_, file) => men[rank * 8 + file] ?? "1").join("");
  const rows = [7, 6, 5, 4, 3, 2, 1, 0].map(row).join("/");
  return rows.replace(/1+/gu, (empty) => `${empty.length}`);
}

/** The same dice each time. */
function rolled(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * sides);
  };
}
