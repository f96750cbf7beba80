// What a blind player is told hangs on one answer: none is given up, and none is asked for twice at once.

import { beforeEach, expect, test } from "vitest";

import { FIRST_PAUSE_MS, LONGEST_PAUSE_MS } from "./feed";
import { Reading } from "./reading";

let daemon: TestDaemon;
let reading: Reading;

beforeEach(() => {
  daemon = new TestDaemon();
  reading = new Reading(daemon, () => daemon.ask(), (isMissing) => daemon.missing.push(isMissing));
});

test("what has changed is read once, and once more for what changes meanwhile, however often", async () => {
  reading.want();
  reading.want();
  reading.want();
  expect(daemon.asked).toBe(1);
  await daemon.answer(true);
  expect(daemon.asked).toBe(2);
  await daemon.answer(true);
  expect(daemon.asked).toBe(2);
  expect(daemon.missing).toEqual([false, false]);
});

test("no answer is asked for again by itself until it comes, and from the second on that is said", async () => {
  reading.want();
  for (const pause of [1, 2, 4, 8, 8].map((times) => times * FIRST_PAUSE_MS)) {
    await daemon.answer(false);
    expect(daemon.pause).toBe(Math.min(pause, LONGEST_PAUSE_MS));
    daemon.pass();
  }
  await daemon.answer(true);
  expect(daemon.asked).toBe(6);
  expect(daemon.missing).toEqual([false, true, true, true, true, false]);
  expect(daemon.pause, "and nothing waits any more").toBeUndefined();
});

test("what changes while nothing answers is asked for at once, in place of what waits", async () => {
  reading.want();
  await daemon.answer(false);
  reading.want();
  expect(daemon.asked).toBe(2);
  expect(daemon.pause).toBeUndefined();
  await daemon.answer(true);
  expect(daemon.asked).toBe(2);
});

/** Answers when it is told, and keeps the one timer there may be. */
class TestDaemon {
  asked = 0;
  missing: boolean[] = [];
  pause: number | undefined;
  private due: () => void = () => {};
  private reply: (isAnswered: boolean) => void = () => {};

  random = () => 1;

  ask(): Promise<boolean> {
    this.asked += 1;
    return new Promise((reply) => (this.reply = reply));
  }

  async answer(isAnswered: boolean): Promise<void> {
    this.reply(isAnswered);
    await Promise.resolve();
    await Promise.resolve();
  }

  later(ms: number, what: () => void): number {
    expect(this.pause, "one timer at a time").toBeUndefined();
    [this.pause, this.due] = [ms, what];
    return 1;
  }

  never(): void {
    this.pause = undefined;
  }

  pass(): void {
    this.pause = undefined;
    this.due();
  }
}
