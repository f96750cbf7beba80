// Which results there are to give, and to which game of a table one goes. Pure.

import { settledPlies } from "./fold";
import { isOver, scoreOf } from "./words";
import type { Score, Table } from "./vocabulary";

/** As most games end. */
export const USUAL_SCORES: Score[] = ["1-0", "1/2-1/2", "0-1"];
/** As few do. */
export const RARE_SCORES: Score[] = ["+/-", "-/+", "-/-", "0-0", "1/2-0", "0-1/2"];

/** The game a result is given to, and what it has: men that are only put up again have begun none. */
export function meant(table: Table): { game: number; score: Score } {
  const last = table.earlier?.at(-1);
  const isBegun = settledPlies(table) > 0 || isOver(table);
  if (last !== undefined && !isBegun) return { game: last.game, score: scoreOf(last) };
  // A pairing that nobody has begun takes its result as its first game.
  return { game: Math.max(table.game, 1), score: scoreOf(table) };
}

/** What a game of the table has; nothing where it is not known here. */
export function scoreIn(table: Table, game: number): Score | undefined {
  const found = game >= table.game ? table : table.earlier?.find((earlier) => earlier.game === game);
  return found && scoreOf(found);
}
