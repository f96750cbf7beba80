// What somebody hears who does not see the page: what has come since, and answers to what was asked. Pure; the words of
// moves and squares come from the daemon, from the grammar that speaks to blind players.

import { digits, remaining } from "./clock";
import { language, say } from "./say";
import { resultWords } from "./words";
import type { Clock, Score, Side } from "./vocabulary";

/** A game in words, as `/words/…` gives it. */
export interface Told {
  language: string;
  /** Which game of its table. */
  game: number;
  white: string;
  black: string;
  result: Score;
  plies: Ply[];
  /** From a8, row by row. */
  squares: Square[];
  turn: Side;
  number: number;
  /** The players whom the arbiter allows to ask where men stand. */
  readings: Side[];
}

export interface Ply {
  number: number;
  side: Side;
  speech: string;
  display: string;
  braille: string;
}

export interface Square {
  square: string;
  name: string;
  man: string;
  piece: string;
  short: string;
}

export type Written = "speech" | "display" | "braille";

/** Words, and the language they are in: moves and men are told in the one that was chosen, all else in the page's. */
export interface Saying {
  words: string;
  language: string;
  isMove?: boolean;
}

const ours = (words: string): Saying => ({ words, language });

/** More moves than these at once are more than anybody listens to. */
const MOST_MOVES = 3;

/** What is to be said after `before` has become `now`: the opponent's moves to a player, all of them to a spectator. */
export function news(before: Told | undefined, now: Told, listener: Side | undefined, written: Written): Saying[] {
  if (before === undefined) return [];
  const move = (words: string): Saying => ({ words, language: now.language, isMove: true });
  const isOther = before.game !== now.game;
  const known = isOther ? [] : before.plies;
  let same = 0;
  while (same < known.length && known[same]?.speech === now.plies[same]?.speech) same += 1;
  const said = isOther ? [ours(say.gameBegins)] : same < known.length ? [ours(say.takenBack)] : [];
  for (const ply of now.plies.slice(same)) {
    if (listener === undefined) said.push(move(`${numbered(ply)} ${ply[written]}`));
    else if (ply.side !== listener) said.push(move(ply[written]));
  }
  // Who was told a result is told that it holds no more.
  if (now.result !== (isOther ? "*" : before.result)) said.push(ours(resultWords(now.result)));
  return said;
}

/**
 * What is said at once of all that waits. A page that was cut off comes back with half a game: a spectator is told how much
 * was played, and the last of it. A player needs every move.
 */
export function gist(waiting: Saying[], listener: Side | undefined): Saying[] {
  const moves = waiting.filter(({ isMove }) => isMove);
  if (listener !== undefined || moves.length <= MOST_MOVES) return waiting;
  return [ours(say.playedMeanwhile(moves.length)), ...waiting.filter((one) => !one.isMove || one === moves.at(-1))];
}

/** What was said last, and when. */
export interface Lately {
  said: Saying[];
  at: number;
}

/** So long after it was said anybody has heard it begin. */
const HEARD_MS = 1_500;
/** More than these are not said again. */
const MOST_AGAIN = 3;

/**
 * What stands in the region of an opponent's moves after `now`, with `fresh` to be said: a new text there cuts the one before
 * off, so what has hardly been heard is said again with it.
 */
export function withLately(lately: Lately, fresh: Saying[], now: number): Lately {
  const again = now - lately.at < HEARD_MS ? lately.said.slice(-MOST_AGAIN) : [];
  return { said: [...again, ...fresh], at: now };
}

/** `23.` before a move of White, `23…` before one of Black. */
export function numbered({ number, side }: Ply): string {
  return `${number}${side === "white" ? "." : "…"}`;
}

/** Whether this listener may be told where men stand: who plays, only if the arbiter allows it. */
export function mayRead(told: Told | undefined, listener: Side | undefined): boolean {
  return listener === undefined || (told?.readings.includes(listener) ?? false);
}

export interface Asked {
  told: Told;
  listener: Side | undefined;
  clock: Clock | undefined;
  now: number;
  written: Written;
}

/** The answer to a typed command. */
export function answer(command: string, asked: Asked): Saying {
  const [letter = "", of = ""] = command.trim().split(/\s+/);
  const { told, listener, clock, now } = asked;
  const mine = listener ?? told.turn;
  switch (letter.toLowerCase()) {
    case "l":
      return lastMove(asked);
    case "c":
      return ours(clock === undefined ? say.noClockHere : `${left(clock, "white", now)}. ${left(clock, "black", now)}`);
    case "m":
      return ours(clock === undefined ? say.noClockHere : left(clock, mine, now));
    case "o":
      return ours(clock === undefined ? say.noClockHere : left(clock, mine === "white" ? "black" : "white", now));
    case "n":
      return ours(say.moveNumberIs(told.number, say[told.turn]));
    case "p":
      return mayRead(told, listener) ? menOf(told, of, listener) : ours(say.readingsOff);
    case "s":
      return mayRead(told, listener) ? line(told, of) : ours(say.readingsOff);
    case "?":
      return ours(say.helpWords);
    default:
      return ours(say.unknownCommand);
  }
}

function left(clock: Clock, side: Side, now: number): string {
  // Tenths would be old before they are spoken.
  return `${say[side]} ${digits(remaining(clock, side, now)).replace(/\.\d$/, "")}`;
}

export function lastMove({ told, listener, written }: Pick<Asked, "told" | "listener" | "written">): Saying {
  const ply = told.plies.findLast(({ side }) => side !== listener);
  return ply === undefined ? ours(say.noMoveYet) : { words: `${numbered(ply)} ${ply[written]}`, language: told.language };
}

function menOf(told: Told, letter: string, listener: Side | undefined): Saying {
  const wanted = letter.toLowerCase();
  if (!/^[kqrbnp]$/.test(wanted)) return ours(say.unknownCommand);
  const isMeant = ({ piece }: Square) => piece.toLowerCase() === wanted && (listener === undefined || (piece === wanted) === (listener === "black"));
  return named(told, isMeant);
}

function line(told: Told, of: string): Saying {
  const wanted = of.toLowerCase();
  if (!/^[a-h1-8]$/.test(wanted)) return ours(say.unknownCommand);
  return named(told, ({ square, piece }) => piece !== "" && square.includes(wanted));
}

function named({ squares, language }: Told, isMeant: (square: Square) => boolean): Saying {
  const found = squares.filter(isMeant);
  return found.length === 0 ? ours(say.nothingThere) : { words: found.map(({ man, name }) => `${man} ${name}`).join(", "), language };
}
