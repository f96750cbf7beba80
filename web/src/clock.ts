// Clocks are sent when they are pressed and count on here by themselves.

import type { Clock, Side } from "./vocabulary";

/** Below this the tenths matter more than calm, and a minute's digits leave room for them. */
const SHOW_TENTHS_MS = 10_000;

/** What the clock of `side` shows at `now`, a time of the messages' own clock. */
export function remaining(clock: Clock, side: Side, now: number): number {
  const left = side === "white" ? clock.white_ms : clock.black_ms;
  if (clock.running !== side) return left;
  return Math.max(0, left - Math.max(0, now - clock.at));
}

/** Whether the clock that runs is read in tenths at `now`. */
export function showsTenths(clock: Clock | undefined, now: number): boolean {
  return clock?.running != null && remaining(clock, clock.running, now) < SHOW_TENTHS_MS;
}

/** `1:23:45`, `12:34`, `0:09.3`. Rounded down, as chess clocks do: 0:00 means the time is over. */
export function digits(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number) => String(n).padStart(2, "0");
  if (h > 0) return `${h}:${two(m)}:${two(s)}`;
  if (ms > 0 && ms < SHOW_TENTHS_MS) return `0:${two(s)}.${Math.floor(ms / 100) % 10}`;
  return `${m}:${two(s)}`;
}

/**
 * Two clocks that nobody set to the same time: the daemon's, in every message, and this page's.
 *
 * A message is late by its time on the way, never early, so the largest difference seen is the truest.
 */
export class Now {
  private ahead = -Infinity;

  constructor(private readonly here: () => number = () => performance.now()) {}

  /** A message says it is `now` over there. */
  heard(now: number): void {
    this.ahead = Math.max(now - this.here(), this.ahead - DRIFT_MS);
  }

  /** Another run of the daemon counts from another moment. */
  forget(): void {
    this.ahead = -Infinity;
  }

  there(): number {
    return this.here() + this.ahead;
  }
}

/** How much of the best difference is given up a message: follows two crystals that drift apart, and no eye sees it. */
const DRIFT_MS = 1;
