// How a move is written for people: with the letters of their language, or with figurines.

import { recall, remember } from "./memory";
import { say } from "./say";

export type Notation = "letters" | "figurines";

const FIGURINES: Record<string, string> = { K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘" };

let chosen: Notation | undefined;

/** As the address says, as it was chosen here before, or with letters. */
export function notation(): Notation {
  const asked = typeof location === "undefined" ? undefined : new URLSearchParams(location.search).get("notation");
  chosen ??= (asked ?? recall("notation")) === "figurines" ? "figurines" : "letters";
  return chosen;
}

export function choose(next: Notation): void {
  chosen = next;
  remember("notation", next);
}

/** `Nf3` as `Sf3` or `♘f3`. Squares and castling are alike everywhere. */
export function written(san: string, how = notation(), letters: Record<string, string> = say.manLetters): string {
  const names = how === "figurines" ? FIGURINES : letters;
  return san.replaceAll(/[KQRBN]/g, (letter) => names[letter] ?? letter);
}
