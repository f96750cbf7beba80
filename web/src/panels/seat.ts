// Where a board stands, seen from the round that is chosen, and which of its tables somebody means who writes a number. Pure.

import { roundOf } from "../naming";
import { parts } from "../words";
import { nameOf, type RoundPlan } from "./panel";

/** Tables and rounds are numbered so far. */
const LAST = 65_535;

/** The number, or nothing where it is none that a table or a round can have. */
export function numberFrom1(text: string): number | undefined {
  const number = /^\d{1,5}$/.test(text.trim()) ? Number(text) : 0;
  return number >= 1 && number <= LAST ? number : undefined;
}

/** The number of its table where it stands in that round. Where it stands in another one, which: its number would mislead. */
export function seatOf(at: string | undefined, round: RoundPlan | undefined, rounds: RoundPlan[]): { number: string; elsewhere: string } {
  if (at === undefined) return { number: "", elsewhere: "" };
  const number = String(parts(at).number);
  const isHere = round !== undefined && at.startsWith(`${nameOf(round)}/`);
  return isHere ? { number, elsewhere: "" } : { number: "", elsewhere: `${number} · ${roundOf(at, rounds)}` };
}
