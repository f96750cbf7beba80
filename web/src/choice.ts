// What a wall shows: which tables, in which order, how many at once, and how pages turn. Pure; the address writes it down.

import { isDone, parts } from "./words";
import type { Table } from "./vocabulary";

export const ORDERS = ["table", "running", "rating"] as const;
export type Order = (typeof ORDERS)[number];

export interface Choice {
  /** The numbers of the chosen tables, in the order they are shown; none chosen means all. */
  tables: number[];
  order: Order;
  /** Boards on one page; 0 is as many as fit. */
  atOnce: number;
  /** How long a page stands; 0 is for ever. */
  seconds: number;
}

/** Long enough to look at twenty boards. */
export const USUAL: Choice = { tables: [], order: "table", atOnce: 0, seconds: 12 };

/** A hall has no more; a slip of the finger shall not make a list of a million. */
const MOST_TABLES = 999;

export function readChoice(address: URLSearchParams, before: Choice = USUAL): Choice {
  const count = (name: string, usual: number) => {
    const said = address.get(name);
    return said !== null && /^\d{1,4}$/.test(said) ? Number(said) : usual;
  };
  const tables = address.get("tables");
  return {
    tables: tables === null ? before.tables : readTables(tables),
    order: ORDERS.find((order) => order === address.get("order")) ?? before.order,
    atOnce: count("boards", before.atOnce),
    seconds: count("every", before.seconds),
  };
}

/** Only what differs from the usual. */
export function writeChoice({ tables, order, atOnce, seconds }: Choice): Record<string, string> {
  return {
    ...(tables.length > 0 ? { tables: writeTables(tables) } : {}),
    ...(order !== USUAL.order ? { order } : {}),
    ...(atOnce !== USUAL.atOnce ? { boards: String(atOnce) } : {}),
    ...(seconds !== USUAL.seconds ? { every: String(seconds) } : {}),
  };
}

/** `1-8, 12` in whatever way people write it. What is no number is passed over. */
export function readTables(text: string): number[] {
  const found = new Set<number>();
  for (const [, first, last] of text.matchAll(/(\d+)(?:\s*[-–]\s*(\d+))?/g)) {
    const [from, to] = [Number(first), Math.min(Number(last ?? first), MOST_TABLES)];
    for (let table = from; table <= to; table += 1) if (table > 0) found.add(table);
  }
  return [...found];
}

export function writeTables(tables: number[]): string {
  const runs: [number, number][] = [];
  for (const table of tables) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === table - 1) run[1] = table;
    else runs.push([table, table]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(",");
}

/** The tables to show, in order. */
export function pick(tables: Iterable<Table>, { tables: chosen, order }: Choice): Table[] {
  const place = new Map(chosen.map((number, index) => [number, index]));
  const shown = [...tables].filter(({ table }) => chosen.length === 0 || place.has(parts(table).number));
  const rank = (table: Table) => {
    if (order === "running") return isDone(table) ? 1 : 0;
    return order === "rating" ? -ratingOf(table) : 0;
  };
  const wish = ({ table }: Table) => place.get(parts(table).number) ?? 0;
  return shown.sort((a, b) => rank(a) - rank(b) || wish(a) - wish(b) || byNumber(a.table, b.table));
}

function ratingOf({ white, black }: Table): number {
  return (white?.rating ?? 0) + (black?.rating ?? 0);
}

function byNumber(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)];
  return left.event.localeCompare(right.event) || left.round - right.round || left.number - right.number;
}
