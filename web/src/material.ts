// What each side has taken, as far as the board tells: men that were there at the start and are not any more.

import type { Side } from "./vocabulary";

/** The small ones first, as they are put beside a board. */
const ORDER = ["p", "n", "b", "r", "q"] as const;
const VALUES: Record<string, number> = { p: 1, n: 3, b: 3, r: 5, q: 9 };

/** The letters of the men `by` has taken. A man that was promoted counts as the pawn it was. */
export function taken(start: string, placement: string, by: Side): string[] {
  const theirs = by === "white" ? "black" : "white";
  const missing = Object.fromEntries(ORDER.map((man) => [man, count(start, man, theirs) - count(placement, man, theirs)]));
  for (const man of ORDER.slice(1)) {
    // More of them than there were: so many pawns are standing here under another name.
    missing["p"]! += Math.min(0, missing[man]!);
  }
  return ORDER.flatMap((man) => Array<string>(Math.max(0, missing[man]!)).fill(man));
}

/** By how much White's men are worth more. */
export function balance(placement: string): number {
  return ORDER.reduce((sum, man) => sum + VALUES[man]! * (count(placement, man, "white") - count(placement, man, "black")), 0);
}

function count(placement: string, man: string, side: Side): number {
  const letter = side === "white" ? man.toUpperCase() : man;
  return [...(placement.split(" ")[0] ?? "")].filter((found) => found === letter).length;
}
