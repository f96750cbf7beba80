// By how much spectators are behind on purpose, and at which tables where not all have the same. Pure.

import { writeTables } from "./choice";
import { eventTitle } from "./naming";
import { language, say } from "./say";
import { parts } from "./words";
import type { Delay, Round, Table } from "./vocabulary";

/** One sentence or two for all tables, or for each delay the tables that have it; those with none are not named. */
export function behind(tables: Table[], rounds: Round[]): string {
  const groups = new Map<string, Table[]>();
  for (const table of tables) {
    const key = `${table.delay?.seconds ?? 0} ${table.delay?.plies ?? 0}`;
    groups.set(key, [...(groups.get(key) ?? []), table]);
  }
  const late = [...groups.values()].map((those) => ({ those, words: wordsOf(those[0]!.delay) })).filter(({ words }) => words !== "");
  if (groups.size < 2) return late[0]?.words ?? "";
  return late.map(({ those, words }) => `${namesOf(those, tables, rounds)}: ${words}`).join(" ");
}

function wordsOf({ seconds, plies = 0 }: Delay = { seconds: 0 }): string {
  const words = [seconds > 0 ? say.secondsLate(span(seconds)) : "", plies > 0 ? say.pliesLate(plies) : ""];
  return words.filter((word) => word !== "").join(" ");
}

/** An event by its name where all its tables are meant and others are there; tables by their numbers. */
function namesOf(those: Table[], all: Table[], rounds: Round[]): string {
  const at = all.map(({ table }) => parts(table));
  const [events, isOfRounds] = [new Set(at.map(({ event }) => event)), new Set(at.map(({ event, round }) => `${event}/${round}`))];
  const meant = those.map(({ table }) => parts(table));
  const names = [...new Set(meant.map(({ event }) => event))].flatMap((event) => {
    const here = meant.filter((one) => one.event === event);
    const title = events.size > 1 ? [eventTitle(event, rounds)] : [];
    if (title.length > 0 && here.length === at.filter((one) => one.event === event).length) return title;
    return [...new Set(here.map(({ round }) => round))].map((round) => {
      const numbers = here.filter((one) => one.round === round).map(({ number }) => number).sort((a, b) => a - b);
      const tables = numbers.length === 1 ? say.table(numbers[0]!) : `${say.tables} ${writeTables(numbers).replaceAll("-", "–").replaceAll(",", ", ")}`;
      return [...title, ...(isOfRounds.size > events.size ? [say.round(round)] : []), tables].join(" · ");
    });
  });
  return names.join("; ");
}

/** Minutes where they come out even. */
function span(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, "minute"] : [seconds, "second"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}
