// The client's promises: nothing missed goes unnoticed, and nothing old looks new.

import { beforeEach, expect, test } from "vitest";

import { Now } from "./clock";
import { Feed, LONGEST_PAUSE_MS, STALE_MS, type Socket, type World } from "./feed";
import { newTable } from "./fold";

const ID = "open/1/3";

let world: TestWorld;
let feed: Feed;

beforeEach(() => {
  world = new TestWorld();
  feed = new Feed(world, world, undefined, new Now(() => world.now));
  feed.start();
});

test("a snapshot is the picture and ends the stale notice", () => {
  expect(world.notices).toEqual([true]);
  world.snapshot("a", 7);
  expect(feed.hall.get(ID)?.san).toEqual([]);
  expect(world.notices).toEqual([true, false]);
});

test("changes in order change the picture", () => {
  world.snapshot("a", 7);
  world.changes(8, ["e4"]);
  world.changes(9, ["e4", "e5"]);
  expect(feed.hall.get(ID)?.san).toEqual(["e4", "e5"]);
  expect(world.connections).toBe(1);
});

test("a gap brings a new connection and the picture stays until its snapshot", async () => {
  world.snapshot("a", 7);
  world.changes(8, ["e4"]);
  world.changes(10, ["e4", "e5", "Nf3"]);
  expect(feed.hall.get(ID)?.san).toEqual(["e4"]);
  await world.pass(LONGEST_PAUSE_MS);
  expect(world.connections).toBe(2);
});

test("a beat that counts further than we do is a gap", async () => {
  world.snapshot("a", 7);
  world.say({ seq: 8, beat: null });
  await world.pass(LONGEST_PAUSE_MS);
  expect(world.connections).toBe(2);
});

test("changes before a snapshot are not believed", async () => {
  world.changes(1, ["e4"]);
  expect(feed.hall.size).toBe(0);
  await world.pass(LONGEST_PAUSE_MS);
  expect(world.connections).toBe(2);
});

test("what is no frame brings a new connection", async () => {
  world.snapshot("a", 7);
  world.hear("<html>a proxy's excuse</html>");
  await world.pass(LONGEST_PAUSE_MS);
  expect(world.connections).toBe(2);
});

test("silence is said after 8 seconds, not before, and beats end it", async () => {
  world.snapshot("a", 7);
  await world.pass(STALE_MS - 1);
  world.say({ seq: 7, beat: null });
  await world.pass(STALE_MS - 1);
  expect(feed.isStale).toBe(false);
  const heardAt = world.now - (STALE_MS - 1);
  await world.pass(1);
  expect(feed.isStale).toBe(true);
  expect(world.notices).toEqual([true, false, true]);
  expect(world.heardAt, "and from when the picture is").toBe(heardAt);
});

test("a connection that says nothing does not put the notice off", async () => {
  world.snapshot("a", 7);
  await world.pass(5_000);
  world.drop();
  await world.pass(STALE_MS - 5_000);
  expect(feed.isStale).toBe(true);
  expect(world.connections).toBe(2);
  await world.pass(STALE_MS + LONGEST_PAUSE_MS);
  expect(world.connections).toBe(3);
});

test("a daemon that is back is heard within the longest pause, however long it was gone", async () => {
  world.snapshot("a", 7);
  world.there = false;
  world.drop();
  await world.pass(300_000);
  expect(world.connections).toBe(1);
  world.there = true;
  await world.pass(LONGEST_PAUSE_MS);
  expect(world.connections).toBe(2);
});

test("a day without the daemon leaves a page as it was, and one attempt waiting", async () => {
  world.snapshot("a", 7);
  world.there = false;
  world.drop();
  await world.pass(24 * 60 * 60 * 1_000);
  expect(world.waiting).toBeLessThanOrEqual(2);
  expect(feed.hall.get(ID)).toBeDefined();
  world.there = true;
  await world.pass(LONGEST_PAUSE_MS);
  world.snapshot("b", 1);
  expect(feed.isStale).toBe(false);
});

test("an old connection says nothing any more", async () => {
  world.snapshot("a", 7);
  const old = world.socket!;
  world.drop();
  await world.pass(LONGEST_PAUSE_MS);
  world.snapshot("b", 1);
  old.onclose?.();
  old.onmessage?.({ data: JSON.stringify({ seq: 8, now: 0, beat: null }) });
  await world.pass(LONGEST_PAUSE_MS);
  expect(world.connections).toBe(2);
});

/** A daemon and a browser in one: time passes when told. */
class TestWorld implements World {
  now = 1_000;
  there = true;
  connections = 0;
  notices: boolean[] = [];
  socket: Socket | undefined;
  private timers = new Map<number, { at: number; what: () => void }>();
  private timer = 0;

  knock = () => Promise.resolve(this.there);
  random = () => 1;
  picture = () => {};
  time = () => this.now;
  heardAt: number | undefined;

  stale = (stale: boolean, heardAt?: number) => {
    this.notices.push(stale);
    this.heardAt = heardAt;
  };

  open(): Socket {
    this.connections += 1;
    this.socket = { onmessage: null, onclose: null, close() {} };
    return this.socket;
  }

  later(ms: number, what: () => void): number {
    this.timers.set((this.timer += 1), { at: this.now + ms, what });
    return this.timer;
  }

  get waiting(): number {
    return this.timers.size;
  }

  never(timer: number): void {
    this.timers.delete(timer);
  }

  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    for (;;) {
      const due = [...this.timers].sort(([, a], [, b]) => a.at - b.at)[0];
      if (due === undefined || due[1].at > end) break;
      this.timers.delete(due[0]);
      this.now = due[1].at;
      due[1].what();
      await Promise.resolve();
      await Promise.resolve();
    }
    this.now = end;
  }

  drop(): void {
    this.socket?.onclose?.();
  }

  hear(data: string): void {
    this.socket?.onmessage?.({ data });
  }

  say(frame: object): void {
    this.hear(JSON.stringify({ now: this.now, ...frame }));
  }

  snapshot(run: string, seq: number): void {
    this.say({ seq, snapshot: { v: 2, run, tables: [newTable(ID)] } });
  }

  changes(seq: number, san: string[]): void {
    this.say({ seq, changes: [{ table: ID, ply: 1, san }] });
  }
}
