// Who needs the arbiter now: which tables come first, and which alerts reach an arbiter of other tables. Pure.

import { remaining } from "./clock";
import { isOver, parts } from "./words";
import type { Matter, Severity } from "./staff";
import type { Table } from "./vocabulary";

/** A critical alert that nobody has acknowledged for so long is everybody's, and the operator's too. */
export const OVERDUE_MS = 30_000;
/** With less than this on a running clock somebody should stand near the table. */
const SHORT_MS = 5 * 60_000;

export type Rank = "critical" | "major" | "minor" | "coming" | "calm";
const GRAVEST: Severity[] = ["critical", "major", "minor", "info", "trace"];
const RANKS: Rank[] = ["critical", "major", "minor", "coming", "calm"];

/** Alerts that still wait for somebody. */
export function waiting({ alerts = [] }: Table): Matter[] {
  return alerts.filter(({ stage }) => stage !== "settled");
}

/** What may end the game before what can wait; of the same weight what is older. */
export function gravestFirst<M extends Matter>(matters: M[]): M[] {
  const weight = ({ alert }: M) => GRAVEST.indexOf(alert.severity);
  return [...matters].sort((a, b) => weight(a) - weight(b));
}

export function isOverdue({ stage, at, alert }: Matter, now: number): boolean {
  return stage === "open" && alert.severity === "critical" && now - at >= OVERDUE_MS;
}

/** How much a table needs somebody. What an arbiter is on the way to comes after what nobody has seen. */
export function rankOf(table: Table): Rank {
  const open = waiting(table).filter(({ stage }) => stage === "open");
  for (const rank of ["critical", "major"] as const) if (open.some(({ alert }) => alert.severity === rank)) return rank;
  if (table.state === "awaiting_arbiter" || waiting(table).some(({ stage }) => stage === "acknowledged")) return "coming";
  if (open.length > 0 || table.proposal?.result !== undefined) return "minor";
  return "calm";
}

/** Since when a table has needed somebody as much as it does: a small thing from before does not put it in front of others. */
function neededSince(table: Table): number {
  const rank = rankOf(table);
  const matters = waiting(table);
  const gravest = matters.filter(({ stage, alert }) => stage === "open" && alert.severity === rank);
  return Math.min(...(gravest.length > 0 ? gravest : matters).map(({ at }) => at), Infinity);
}

/** The tables in the order in which they need somebody. */
export function byUrgency(tables: Iterable<Table>, now: number): Table[] {
  const key = (table: Table) => {
    const left = table.clock?.running && !isOver(table) ? remaining(table.clock, table.clock.running, now) : Infinity;
    return [RANKS.indexOf(rankOf(table)), neededSince(table), left < SHORT_MS ? left : Infinity, parts(table.table).number] as const;
  };
  return [...tables]
    .map((table) => ({ table, key: key(table) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ table }) => table);
}

/** Infinity is no less than infinity, and their difference no number. */
function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, left] of a.entries()) if (left !== b[index]) return left < b[index]! ? -1 : 1;
  return 0;
}

/** Whether a table is shown to an arbiter of `mine`: their own, and any other with something nobody goes to. */
export function reaches(table: Table, mine: number[], now: number): boolean {
  if (mine.length === 0 || mine.includes(parts(table.table).number)) return true;
  const nobody = waiting(table).filter(({ stage, at, alert }) => stage === "open" && alert.severity !== "minor" && now - at >= OVERDUE_MS);
  return nobody.length > 0;
}
