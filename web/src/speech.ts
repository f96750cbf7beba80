// What a screen reader hears by itself: final moves, corrections and the result. Clocks are never announced.

import { written } from "./notation";
import { say } from "./say";
import { firstPly, moveNumber, resultWords } from "./words";
import type { Change, Table } from "./vocabulary";

/** Spectators get one message in so much time; the newest wins. */
const BETWEEN_MS = 2_000;

export class Speech {
  private next = 0;
  private waiting: number | undefined;
  private before = "";

  constructor(private readonly region: HTMLElement) {}

  hear(change: Change, table: Table): void {
    const words = wordsFor(change, table);
    if (words === undefined) return;
    clearTimeout(this.waiting);
    const now = performance.now();
    this.waiting = window.setTimeout(() => this.say(words), Math.max(0, this.next - now));
  }

  /** At once: somebody asked for it. */
  answer(words: string): void {
    clearTimeout(this.waiting);
    this.say(words);
  }

  private say(words: string): void {
    this.next = performance.now() + BETWEEN_MS;
    // The same words twice are not announced twice, unless something differs.
    this.before = this.before === words ? `${words}\u00a0` : words;
    this.region.textContent = this.before;
  }
}

function wordsFor(change: Change, table: Table): string | undefined {
  switch (change.event) {
    case "final":
      return `${moveNumber(firstPly(table.start) + change.ply - 1)} ${written(change.san)}`;
    case "corrected":
      return say.corrected(change.new.length > 0 ? change.new.map((san) => written(san)).join(" ") : say.takenBack);
    case "result":
      return resultWords(change.result);
    case "seen":
    case "held":
    case "attended":
    case "clock":
    case "link":
    case "started":
    case "paired":
    case "state":
      return undefined;
    default:
      return undefined;
  }
}
