// What a screen reader hears by itself: final moves, corrections and the result. Clocks are never announced.

import { settledPlies, START } from "./fold";
import { written } from "./notation";
import { say } from "./say";
import { firstPly, moveNumber, resultWords, scoreOf } from "./words";
import type { News } from "./news";

/** Spectators get one message in so much time; the newest wins. */
const BETWEEN_MS = 2_000;

export class Speech {
  private next = 0;
  private waiting: number | undefined;
  private before = "";

  constructor(private readonly region: HTMLElement) {}

  hear(news: News): void {
    const words = wordsFor(news);
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

/** The last thing that happened is what is said: a move that ends the game is followed by its result. */
function wordsFor({ before, table, isCorrected }: News): string | undefined {
  if (before === undefined || before.game !== table.game) return undefined;
  if (scoreOf(before) !== scoreOf(table)) return resultWords(scoreOf(table));
  const settled = settledPlies(table);
  if (isCorrected) {
    const line = table.san.slice(0, settled);
    const kept = line.findIndex((san, ply) => san !== before.san[ply]);
    return say.corrected(kept < 0 ? say.takenBack : line.slice(kept).map((san) => written(san)).join(" "));
  }
  if (settled <= settledPlies(before)) return undefined;
  return `${moveNumber(firstPly(table.start ?? START) + settled - 1)} ${written(table.san[settled - 1]!)}`;
}
