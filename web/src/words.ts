// What is shown, in words: states, results, names, and a position for those who hear the page.

import type { GameResult, Player, Side, Table } from "./vocabulary";

export type Mood = "lost" | "checking" | "arbiter" | "ended" | "waiting" | "playing";

/** What one line about a table says, the most urgent first. */
export function stateOf(table: Table): { mood: Mood; words: string } {
  // Boards are packed up once the game is over: what counts then is the result.
  if (table.result !== "*") return { mood: "ended", words: resultWords(table.result) };
  if (table.state === "ended") return { mood: "ended", words: "Game over" };
  if (table.link === "down") return { mood: "lost", words: "No contact with the board" };
  if (table.held) return { mood: "checking", words: "Checking position" };
  if (table.state === "awaiting_arbiter") return { mood: "arbiter", words: "Arbiter decides" };
  if (table.state === "waiting") return { mood: "waiting", words: "Not started" };
  const turn = table.turn === "white" ? "White" : "Black";
  return { mood: "playing", words: table.check ? `Check · ${turn} to move` : `${turn} to move` };
}

export function resultWords(result: GameResult): string {
  return { "1-0": "White won", "0-1": "Black won", "1/2-1/2": "Draw", "*": "Game on" }[result];
}

/** With a real dash and a real half, as it is printed. */
export function resultFigures(result: GameResult): string {
  return { "1-0": "1–0", "0-1": "0–1", "1/2-1/2": "½–½", "*": "" }[result];
}

export function playerName(player: Player | undefined, side: Side): string {
  return player?.name ?? (side === "white" ? "White" : "Black");
}

export function isProvisional(table: Table): boolean {
  return table.line.length > table.final;
}

/** `spring-open_2026` is a folder's name; people read `Spring open 2026`. A round of the day is named after its day. */
export function eventName(event: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(event)) return dayName(event);
  const words = event.replaceAll(/[-_]+/g, " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function dayName(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return date.toLocaleDateString("en-GB", { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" });
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

/** `12.` before a move of White, `12…` before one of Black. */
export function moveNumber(ply: number): string {
  return `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? "." : "…"}`;
}

const MEN: Record<string, string> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

/** `White: king g1, rook a1, … Black: …`, the big men first. */
export function positionWords(placement: string): string {
  const found: Record<Side, string[]> = { white: [], black: [] };
  for (const letter of "kqrbnp") {
    for (const side of ["white", "black"] as const) {
      const wanted = side === "white" ? letter.toUpperCase() : letter;
      for (const square of squaresOf(placement, wanted)) found[side].push(`${MEN[letter]} ${square}`);
    }
  }
  return `White: ${found.white.join(", ")}. Black: ${found.black.join(", ")}.`;
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
