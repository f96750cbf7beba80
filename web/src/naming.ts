// What rounds are called, and tables where several are shown together. Pure.

import { roundName, say } from "./say";
import { eventName, parts } from "./words";
import type { Round } from "./vocabulary";

/**
 * The round of a table and its event, which has a title once the round is known. The round comes first: where there is no
 * room for a long title, it is what must be read.
 */
export function roundOf(id: string, rounds: Round[]): string {
  const { event, round } = parts(id);
  const known = rounds.find((other) => other.event === event && other.round === round);
  return `${roundName(known ?? { round })} · ${eventTitle(event, rounds)}`;
}

/** What an event is called among others: by its name in addresses too where another one has the same title. */
export function eventTitle(event: string, rounds: readonly Pick<Round, "event" | "title">[]): string {
  const told = (event: string) => rounds.find((round) => round.event === event)?.title || eventName(event);
  const isShared = rounds.some((other) => other.event !== event && told(other.event) === told(event));
  return isShared ? `${told(event)} (${event})` : told(event);
}

/**
 * What tables are called where several are shown: by their numbers, and by their round or event too where those of more than
 * one are.
 */
export class Names {
  /** As few letters as tell each event from the others; none where there is only one. */
  private readonly signs = new Map<string, string>();
  private readonly titles = new Map<string, string>();
  private readonly isOfRounds: boolean;

  constructor(tables: Iterable<string>, rounds: Round[]) {
    const shown = [...tables].map(parts);
    for (const { event } of shown) this.titles.set(event, eventTitle(event, rounds));
    this.isOfRounds = new Set(shown.map(({ event, round }) => `${event}/${round}`)).size > this.titles.size;
    if (this.titles.size < 2) return;
    const events = [...this.titles.keys()];
    for (const [index, sign] of signs([...this.titles.values()]).entries()) this.signs.set(events[index]!, sign);
  }

  /** `7`, `2.7`, `B 7`. */
  short(table: string): string {
    const { event, round, number } = parts(table);
    const sign = this.signs.get(event);
    return `${sign === undefined ? "" : `${sign} `}${this.isOfRounds ? `${round}.` : ""}${number}`;
  }

  /** `Table 7`, `Table 7 · Round 2`, `Table 7 · Open B`. */
  long(table: string): string {
    const { event, round, number } = parts(table);
    return [say.table(number), ...(this.isOfRounds ? [say.round(round)] : []), ...(this.signs.has(event) ? [this.titles.get(event)!] : [])].join(" · ");
  }
}

/** Titles often begin or end alike, `Open A` and `Open B`: what counts is where they differ. */
function signs(titles: string[]): string[] {
  const words = titles.map((title) => title.split(/\s+/));
  const isAlike = (at: number) => words.every((one) => one.length > 1 && one.at(at) === words[0]!.at(at));
  while (isAlike(0)) for (const one of words) one.shift();
  while (isAlike(-1)) for (const one of words) one.pop();
  // A number before a table's own would be taken for a round.
  const told = words.map((one) => one.join(" ").replace(/^\P{L}+(?=\p{L})/u, ""));
  return told.map((title, index) => {
    const others = told.filter((_other, at) => at !== index);
    let letters = 1;
    while (letters < title.length && others.some((other) => other.startsWith(title.slice(0, letters).trimEnd()))) letters += 1;
    const sign = title.slice(0, letters);
    return /\p{L}/u.test(sign) ? sign.charAt(0).toUpperCase() + sign.slice(1) : `${titles[index]!.charAt(0)}${sign}`;
  });
}
