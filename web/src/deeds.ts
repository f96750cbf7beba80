// What was done at this screen, the newest last, and taking it back: orders are given one after the other, and a deed is
// only gone from here once the daemon has done what takes it back.

import type { Order } from "./answers";
import { unrecorded, type Answer } from "./ask";
import { say } from "./say";
import type { Deed } from "./panels/panel";

/** So many deeds can be taken back. */
const DEEDS = 20;

/** What carrying deeds out takes. */
export interface Hands {
  order(order: Order): Promise<Answer<{ said?: string[] }>>;
  /** Says what came of something, and offers to take the last deed back where it can be. */
  tell(answer: Answer<string>, canTakeBack: boolean): void;
  /** Other deeds are listed now, and the hall is another. */
  changed(): Promise<void>;
}

export class Deeds {
  private done: Deed[] = [];
  /** What is on its way. */
  private busy: Promise<unknown> = Promise.resolve();

  constructor(private readonly hands: Hands) {}

  /** All that can be named still, the newest first. */
  get list(): Deed[] {
    return [...this.done].reverse();
  }

  give(deed: Deed): Promise<string[] | undefined> {
    const given = this.carryOut(deed);
    this.busy = Promise.allSettled([this.busy, given]);
    return given;
  }

  /** It is done: that is said, and can be taken back. */
  async note(deed: Deed): Promise<void> {
    this.done = [...this.done, deed].slice(-DEEDS);
    this.hands.tell({ done: say.done(deed.words) }, deed.back !== undefined);
    await this.hands.changed();
  }

  /**
   * Takes a deed back, or the last one. What was done last is what was ordered last, also while the daemon has not
   * answered; what somebody has taken back meanwhile is not taken back twice.
   */
  takeBack(which?: Deed): Promise<void> {
    const taken = this.busy.then(() => this.undo(which ?? this.done.at(-1)));
    this.busy = Promise.allSettled([taken]);
    return taken;
  }

  private async undo(deed: Deed | undefined): Promise<void> {
    if (deed?.back === undefined || !this.done.includes(deed)) return;
    const since = deed.since?.(deed.orders, deed.back);
    if (since !== undefined) return this.hands.tell({ refused: since }, false);
    const again = deed.orders.length > 0 ? { back: deed.orders } : {};
    await this.carryOut({ words: say.undone(deed.words), orders: deed.back, ...again, ...(deed.since ? { since: deed.since } : {}) }, deed);
  }

  /** Gives the orders of a deed; `undone` is the one that it takes back. */
  private async carryOut(deed: Deed, undone?: Deed): Promise<string[] | undefined> {
    const said: string[] = [];
    let late: string | undefined;
    for (const order of deed.orders) {
      const answer = await this.hands.order(order);
      if ("refused" in answer) {
        this.hands.tell(answer, false);
        return undefined;
      }
      said.push(...(answer.done.said ?? []));
      late ??= unrecorded(answer);
    }
    this.done = this.done.filter((one) => one !== undone);
    await this.note(deed);
    if (late !== undefined) this.hands.tell({ refused: late }, false);
    return said;
  }
}
