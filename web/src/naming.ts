// What rounds are called, and tables where several are shown together. Pure.

import { roundName } from "./say";
import { eventName, parts } from "./words";
import type { Round } from "./vocabulary";

/**
 * The round of a table and its event, which has a title once the round is known. The round comes first: where there is no
 * room for a long title, it is what must be read.
 */
export function roundOf(id: string, rounds: Round[]): string {
  const { event, round } = parts(id);
  const known = rounds.find((other) => other.event === event && other.round === round);
  return `${roundName(known ?? { round })} · ${known?.title || eventName(event)}`;
}
