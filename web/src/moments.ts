// A table's timeline: what stood on the board and in the record at each moment, and what happened there, in words. Pure.

import { digits } from "./clock";
import { say } from "./say";
import { evidenceOf, titleOf } from "./told";
import { resultFigures } from "./words";
import type { Alert } from "./staff";
import type { Clock, Score, Side } from "./vocabulary";

/** One moment, as `/timeline` tells it. */
export interface Moment {
  t: number;
  square?: [string, string];
  board?: string;
  shown?: { placement: string; plies: number; settled: number; san?: string };
  clock?: Clock;
  order?: { command: string; [field: string]: unknown };
  by?: string;
  told?: Told[];
}

export interface Told {
  event: string;
  kind?: string;
  [field: string]: unknown;
}

/** How everything stood after a moment. */
export interface Standing {
  /** Absent while no board has told of a man on it, as where a game is kept by hand. */
  board?: string;
  placement: string;
  clock?: Clock;
  plies: number;
}

const NOBODY = "8/8/8/8/8/8/8/8";
const EMPTY: Standing = { placement: NOBODY, plies: 0 };

/** What stood after each moment. */
export function standings(moments: Moment[]): Standing[] {
  let now = EMPTY;
  return moments.map(({ board, shown, clock }) => {
    const isTold = board !== undefined && (board !== NOBODY || now.board !== undefined);
    now = { ...now, ...(isTold ? { board } : {}), ...(shown === undefined ? {} : { placement: shown.placement, plies: shown.plies }), ...(clock === undefined ? {} : { clock }) };
    return now;
  });
}

/** How much a moment says: all of them, hands aside, or only what the record and the arbiter know of. */
export const DEPTHS = ["all", "hands", "record"] as const;
export type Depth = (typeof DEPTHS)[number];

export function depthOf(moment: Moment): Depth {
  const { order, told = [], clock, shown } = moment;
  if (order !== undefined || told.some(({ event }) => !["touch", "held", "board", "instants"].includes(event))) return "record";
  if (told.length > 0 || clock !== undefined || shown !== undefined) return "hands";
  return "all";
}

/** What happened, in words; one line for each thing. */
export function wordsOf(moment: Moment): string[] {
  const { square, shown, clock, order, by, told = [] } = moment;
  return [
    ...(order === undefined ? [] : [`${say.ordered}: ${say.orders[order.command] ?? order.command}${by ? ` (${by})` : ""}`]),
    ...told.flatMap((one) => toldWords(one) ?? []),
    ...(shown?.san === undefined ? [] : [shown.settled < shown.plies ? `${say.seenMove}: ${shown.san}` : shown.san]),
    ...(clock === undefined ? [] : [`${say.faces}: ${digits(clock.white_ms)} – ${digits(clock.black_ms)}`]),
    ...(square === undefined ? [] : [squareWords(square)]),
  ];
}

function squareWords([square, letter]: [string, string]): string {
  const man = letter === "." ? say.emptySquare : letter === "?" ? say.someMan : manWords(letter);
  return `${say.squareSays(square)}: ${man}`;
}

function manWords(letter: string): string {
  const name = say.men[letter.toLowerCase() as keyof typeof say.men] ?? letter;
  return `${letter === letter.toUpperCase() ? say.white : say.black} ${name}`;
}

/** What is only bookkeeping has no words. */
function toldWords(told: Told): string | undefined {
  switch (told.event) {
    case "touch":
      return say.touched(manWords(String(told["piece"])), String(told["sq"]), (Number(told["held_ms"]) / 1000).toFixed(1));
    case "alert": {
      const alert = told as unknown as Alert;
      return [titleOf(alert), evidenceOf(alert)].filter(Boolean).join(", ");
    }
    case "final":
      return `${say.finalMove}: ${told["san"]}`;
    case "corrected":
      return `${say.corrected((told["new"] as string[] | undefined)?.join(" ") || say.takenBack)}`;
    case "link":
      return told["state"] === "up" ? say.alerts["link_restored"] : say.noContactWithBoard;
    case "held":
      return told["held"] === true ? say.checkingPosition : undefined;
    case "result":
      return `${say.gives}: ${resultFigures((told["score"] ?? told["result"]) as Score) || say.noResult}`;
    case "started":
      return say.gameNumber(Number(told["game"]));
    default:
      return undefined;
  }
}

/** The moment before or after which there is something of this depth. */
export function next(moments: Moment[], at: number, step: 1 | -1, depth: Depth): number {
  const deep = DEPTHS.indexOf(depth);
  for (let index = at + step; index >= 0 && index < moments.length; index += step) {
    if (DEPTHS.indexOf(depthOf(moments[index]!)) >= deep) return index;
  }
  return at;
}

/** The last moment at a time. */
export function indexAt(moments: Moment[], t: number): number {
  const after = moments.findIndex((moment) => moment.t > t);
  return after === -1 ? moments.length - 1 : Math.max(0, after - 1);
}

/** Squares on which two placements differ. */
export function differing(one: string, other: string): string[] {
  const [a, b] = [one, other].map((placement) => placement.split("/").flatMap((row) => row.replace(/\d/g, (count) => "-".repeat(Number(count))).split("")));
  return a!.flatMap((man, index) => (man === b![index] ? [] : [`${"abcdefgh"[index % 8]}${8 - Math.floor(index / 8)}`]));
}

/** Whose clock counts, at a moment in which its table was still at it. */
export function counted({ clock }: Standing, t: number): Record<Side, number> | undefined {
  if (clock === undefined) return undefined;
  const spent = (side: Side) => (clock.running === side ? Math.max(0, t - clock.at) : 0);
  return { white: Math.max(0, clock.white_ms - spent("white")), black: Math.max(0, clock.black_ms - spent("black")) };
}
