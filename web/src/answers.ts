// What an arbiter can answer to what a table has raised: each answer is one tap, and the orders it stands for. Pure; where
// the Laws leave something to the arbiter nothing is marked as the right answer.

import { digits } from "./clock";
import { settledPlies } from "./fold";
import { say } from "./say";
import { waiting } from "./urgency";
import { resultFigures } from "./words";
import type { Matter, Proposal, Seconds } from "./staff";
import type { Side, Table } from "./vocabulary";

export interface Order {
  command: string;
  [field: string]: unknown;
}

export interface Answer {
  /** Names it in the page, so that the keyboard stays on it while the page changes around it. */
  key: string;
  words: string;
  orders: Order[];
}

/** So many lines that explain the board are offered, the likeliest first: as many as there are keys to choose one by. */
export const MOST_LINES = 9;

const other = (side: Side): Side => (side === "white" ? "black" : "white");

/** Everything that can be answered in one tap, the usual first. `now` is the time of the clocks. */
export function answersTo(table: Table, times: Times | undefined): Answer[] {
  const { proposal } = table;
  const found: Answer[] = [];
  if (proposal?.result !== undefined) {
    const figures = resultFigures(proposal.result);
    found.push({ key: "confirm", words: say.confirmResult(figures), orders: [{ command: "confirm" }] });
    const reject = proposal.game === undefined ? say.playOn : say.noResult;
    found.push({ key: "reject", words: reject, orders: [{ command: "reject" }] });
  } else if (proposal?.action !== undefined) {
    found.push(...byAction(table, proposal, times));
  }
  found.push(...linesOf(table).map((line, index) => ({ key: `choose-${index}`, words: say.itWas(line), orders: [{ command: "choose", alternative: index + 1 }] })));
  // What is proposed for an earlier game says nothing of the one that is on.
  const goesOn = proposal?.game === undefined && found.some(({ orders }) => orders.some(({ command }) => ["reject", "resume", "restore", "confirm"].includes(command)));
  if (!goesOn && table.state === "awaiting_arbiter") found.push({ key: "resume", words: say.resumeGame, orders: [{ command: "resume" }] });
  return found;
}

/** What may have been played while nothing was heard. */
export function linesOf(table: Table): string[] {
  return waiting(table).flatMap(({ alert }) => alert.alternatives ?? []).slice(0, MOST_LINES).map((line) => line.join(" "));
}

export interface Times {
  white: number;
  black: number;
}

function byAction(table: Table, proposal: Proposal, now: Times | undefined): Answer[] {
  const { action = "", bonus_s: bonus, charge_s: charge } = proposal;
  const times = timesAfter(proposal.clocks_ms ?? now, bonus, charge);
  const clocks: Order[] = times === undefined ? [] : [{ command: "adjust_times", white_ms: times.white, black_ms: times.black }];
  const penalty = penaltyOf(bonus, charge);
  const priced = (words: string) => [words, secondsWords(bonus, charge)].filter(Boolean).join(", ");
  const restore: Order = { command: "restore", to: settledPlies(table) };
  const on: Order = { command: "confirm" };
  switch (action) {
    case "restore_and_penalise":
      return [
        { key: "restore-penalise", words: priced(say.restore), orders: [...penalty, ...clocks, restore] },
        { key: "restore", words: say.restoreOnly, orders: [restore] },
      ];
    case "restore":
      return [{ key: "restore", words: say.restore, orders: [restore] }];
    case "replace_by_queen_and_penalise":
      return [
        { key: "queen", words: priced(say.replaceByQueen), orders: [...penalty, ...clocks, on] },
        { key: "resume", words: say.resumeGame, orders: [{ command: "resume" }] },
      ];
    case "penalise":
    case "penalise_wrong_claim":
      return [
        { key: "penalise", words: priced(say.penalise), orders: [...penalty, ...clocks, on] },
        { key: "resume", words: say.withoutPenalty, orders: [{ command: "resume" }] },
      ];
    case "new_game":
    case "new_game_correct_colours":
      return [
        { key: "new-game", words: say.newGame, orders: [{ command: "new_game" }] },
        { key: "resume", words: say.resumeGame, orders: [{ command: "resume" }] },
      ];
    default:
      return [{ key: "on", words: say.resumeGame, orders: [on] }];
  }
}

/**
 * The squares that hold these orders back: a game does not go on by a slip of the finger while the board is not as the
 * record. Whoever means it all the same says so again, as a square may read wrong for good.
 */
export function heldBack(table: Table | undefined, orders: Order[]): string[] {
  // Of a table that has left the wall nothing more is heard: nothing is known to differ there.
  const { differs = [], proposal } = table ?? {};
  const isResult = proposal?.result !== undefined;
  const goesOn = ({ command }: Order) => ["resume", "reject"].includes(command) || (command === "confirm" && !isResult);
  return proposal?.game === undefined && orders.some(goesOn) ? differs : [];
}

/** What both clocks have to be set to. */
export function timesAfter(times: Times | undefined, bonus: Seconds = {}, charge: Seconds = {}): Times | undefined {
  if (times === undefined) return undefined;
  const left = (side: Side) => Math.max(0, Math.floor(times[side] / 1000) * 1000 + ((bonus[side] ?? 0) - (charge[side] ?? 0)) * 1000);
  return { white: left("white"), black: left("black") };
}

function penaltyOf(bonus: Seconds = {}, charge: Seconds = {}): Order[] {
  return (["white", "black"] as const).flatMap((side) => {
    const given: Order[] = bonus[side] ? [{ command: "penalty", side: other(side), penalty: "opponent_time", seconds: bonus[side] }] : [];
    return charge[side] ? [...given, { command: "penalty", side, penalty: "own_time", seconds: charge[side] }] : given;
  });
}

/** `+2:00 Black`. */
export function secondsWords(bonus: Seconds = {}, charge: Seconds = {}): string {
  const one = (sign: string, side: Side, seconds: number | undefined) => (seconds ? [`${sign}${digits(seconds * 1000)} ${say[side]}`] : []);
  return (["white", "black"] as const).flatMap((side) => [...one("+", side, bonus[side]), ...one("−", side, charge[side])]).join(", ");
}

/** That there is nothing to do about one alert, and why. */
export function dismissal({ at, alert }: Matter, note: string): Order {
  return { command: "dismiss", kind: alert.kind, at, ...(note === "" ? {} : { note }) };
}

/** Everything the table has raised so far has been seen. What came since the page was drawn has not. */
export function acknowledgement(table: Table): Order {
  return { command: "acknowledge", until: Math.max(0, ...waiting(table).map(({ at }) => at)) };
}
