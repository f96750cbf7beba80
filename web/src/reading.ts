// Reads something until it is had: once more for whatever changes meanwhile, and again after a pause where no answer came.
// A blind player's move hangs on it, so nothing here is given up.

import { pauseAfter, type World } from "./feed";

/** One failure is put right before anybody would have heard of it; of two in a row the reader is told. */
const TOLD_AFTER = 2;

type State =
  | { is: "resting" }
  /** An answer is on its way; it may be older than what has changed since. */
  | { is: "asking"; isOld: boolean }
  | { is: "waiting"; timer: number };

/**
 * `want` whenever what was read may be old. One question is on its way at a time.
 *
 * `ask` says whether there was an answer, and has to come to an end: who waits for ever hears nothing more.
 */
export class Reading {
  private state: State = { is: "resting" };
  private failures = 0;

  constructor(
    private readonly world: Pick<World, "later" | "never" | "random">,
    private readonly ask: () => Promise<boolean>,
    private readonly missing: (isMissing: boolean) => void,
  ) {}

  want(): void {
    if (this.state.is === "asking") this.state.isOld = true;
    else void this.read();
  }

  private async read(): Promise<void> {
    if (this.state.is === "waiting") this.world.never(this.state.timer);
    const asking = { is: "asking" as const, isOld: false };
    this.state = asking;
    const isAnswered = await this.ask();
    this.failures = isAnswered ? 0 : this.failures + 1;
    this.missing(this.failures >= TOLD_AFTER);
    if (!isAnswered) return this.wait();
    this.state = { is: "resting" };
    if (asking.isOld) await this.read();
  }

  private wait(): void {
    const timer = this.world.later(pauseAfter(this.failures - 1, this.world.random()), () => void this.read());
    this.state = { is: "waiting", timer };
  }
}
