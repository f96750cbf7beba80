// What is shown, in words: states, results, names, and a position for those who hear the page.

import { plies } from "./fold";
import { locale, say } from "./say";
import type { Player, Score, Side, Table } from "./vocabulary";

export type Mood = "lost" | "checking" | "stopped" | "ended" | "waiting" | "playing";

/** Between two presses both clocks may stand for a moment; so long, and somebody has stopped them. */
const STANDS_MS = 3_000;

/** What one line about a table says, the most urgent first, at a time of the messages' own clock. */
export function stateOf(table: Table, now: number): { mood: Mood; words: string } {
  // Boards are packed up once the game is over: what counts then is the result.
  if (isDone(table)) return { mood: "ended", words: resultWords(standing(table)) };
  if (table.state === "ended") return { mood: "ended", words: say.gameOver };
  // Its men are put away, and perhaps its board.
  if (table.adjourned) return { mood: "stopped", words: say.gameAdjourned };
  if (table.link === "down") return { mood: "lost", words: say.noContactWithBoard };
  if (table.held) return { mood: "checking", words: say.checkingPosition };
  if (table.state === "waiting") return { mood: "waiting", words: say.notStarted };
  if (isStopped(table, now)) return { mood: "stopped", words: table.attended ? say.arbiterThere : say.gameStopped };
  const side = table.turn === "white" ? say.white : say.black;
  return { mood: "playing", words: isCheck(table) ? say.checkToMove(side) : say.toMove(side) };
}

/**
 * Both clocks stand in a game that has begun. That an arbiter was called is nobody's business, and says nothing about who
 * is at the table: whoever looks sees that the game is stopped, and no more.
 */
function isStopped(table: Table, now: number): boolean {
  const { clock } = table;
  return clock !== undefined && clock.running === null && plies(table) > 0 && now - clock.at >= STANDS_MS;
}

/** As its move says. */
export function isCheck({ san }: Table): boolean {
  return /[+#]$/.test(san.at(-1) ?? "");
}

/** What was entered: a forfeit's result is that of a game that was played, and of two zeros there is none. */
export function scoreOf({ result, score }: Pick<Table, "result" | "score">): Score {
  return score ?? result;
}

/** Both have their score. */
export function isOver(table: Pick<Table, "result" | "score">): boolean {
  return scoreOf(table) !== "*";
}

/** The score that stands at a table: men that are only put up again leave it what it was. */
export function standing(table: Table): Score {
  const last = table.earlier?.at(-1);
  return last !== undefined && !isOver(table) && plies(table) === 0 ? scoreOf(last) : scoreOf(table);
}

/** A score stands at it. */
export function isDone(table: Table): boolean {
  return standing(table) !== "*";
}

export function resultWords(score: Score): string {
  return say.scores[score];
}

/** With a real dash and a real half, as it is printed. */
export function resultFigures(score: Score): string {
  return FIGURES[score];
}

const FIGURES: Record<Score, string> = { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "+/-": "+/−", "-/+": "−/+", "-/-": "−/−", "0-0": "0–0", "1/2-0": "½–0", "0-1/2": "0–½", "*": "" };

export function playerName(player: Player | undefined, side: Side): string {
  return player?.name ?? say[side];
}

/** Who plays whom, White first for the eye too: two names that are read from the right would change places around the dash. */
export function pairName(white: Player | undefined, black: Player | undefined): string {
  return `${apart(playerName(white, "white"))} – ${apart(playerName(black, "black"))}`;
}

/** A name that is read from the right, kept by itself in a line that is not. Others stay as they are, letter for letter. */
export function apart(name: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(name) ? `\u2068${name}\u2069` : name;
}

/** `Nakagawa, Yui` as what must be read and what may be left out where there is no room: together they are the name. */
export function nameParts(name: string): [family: string, given: string] {
  const comma = name.indexOf(",");
  return comma <= 0 ? [name, ""] : [name.slice(0, comma), name.slice(comma)];
}

export function isProvisional(table: Table): boolean {
  return (table.provisional ?? 0) > 0;
}

/** `spring-open_2026` is a folder's name; people read `Spring open 2026`. A round of the day is named after its day. */
export function eventName(event: string): string {
  if (isDay(event)) return dayName(event);
  const words = event.replaceAll(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Nobody has named it: its boards came before any round. */
export function isDay(event: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(event);
}

function dayName(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return date.toLocaleDateString(locale, { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" });
}

export function parts(table: string): { event: string; round: number; number: number } {
  const [event = "", round = "", number = ""] = table.split("/");
  return { event, round: Number(round), number: Number(number) };
}

/** Where a game's first move stands in a score sheet: ply 0 is White's first move, unless the game began with Black. */
export function firstPly(start: string): number {
  const [, turn, , , , move] = start.split(" ");
  return (Math.max(1, Number(move) || 1) - 1) * 2 + (turn === "b" ? 1 : 0);
}

/** The same of the move that comes next, which the wall knows too. */
export function nextPly({ placement, turn, rest }: Table): number {
  return firstPly(`${placement} ${turn[0]} ${rest}`);
}

/** `12.` before a move of White, `12…` before one of Black. */
export function moveNumber(ply: number): string {
  return `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? "." : "…"}`;
}

/** The big ones first. */
export const MEN = ["k", "q", "r", "b", "n", "p"] as const;

/** `White: king g1, rook a1, … Black: …`. */
export function positionWords(placement: string): string {
  const found: Record<Side, string[]> = { white: [], black: [] };
  for (const letter of MEN) {
    for (const side of ["white", "black"] as const) {
      const wanted = side === "white" ? letter.toUpperCase() : letter;
      for (const square of squaresOf(placement, wanted)) found[side].push(`${say.men[letter]} ${square}`);
    }
  }
  return `${say.white}: ${found.white.join(", ")}. ${say.black}: ${found.black.join(", ")}.`;
}

function squaresOf(placement: string, wanted: string): string[] {
  const squares: string[] = [];
  placement.split("/").forEach((rank, down) => {
    let file = 0;
    for (const letter of rank) {
      if (letter === wanted) squares.push(`${"abcdefgh"[file]}${8 - down}`);
      file += /\d/.test(letter) ? Number(letter) : 1;
    }
  });
  return squares;
}
