// The feed's client: connects, keeps the picture of the hall right, and says when it can't.
//
// It needs `fold.ts`, `clock.ts`, `vocabulary.ts` and `staff.ts` beside it and nothing else: copy the five.

import { Now } from "./clock";
import { Hall, takeChange, takeSnapshot } from "./fold";
import type { Change, Message, Trouble } from "./vocabulary";

/** The daemon speaks at least every 5 s; with this much silence something is wrong, and we say so. */
export const STALE_MS = 8_000;

/** First pause before connecting again, and the longest: a restarted daemon is on the screens again within 3 s. */
export const FIRST_PAUSE_MS = 250;
export const LONGEST_PAUSE_MS = 2_000;

/** How long to wait after so many failures before this one; half of it random, so that screens don't come all at once. */
export function pauseAfter(failures: number, random: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures) * (0.5 + random / 2);
}

export interface Listener {
  /** The picture has changed: at these tables, or everywhere after a snapshot. */
  picture(hall: Hall, tables: Iterable<string>, changes: Change[]): void;
  /** What is shown is what was last heard, at this time, and may be wrong by now; or is right again. */
  stale(stale: boolean, heardAt?: number): void;
  /** What everybody should know of the record, in English and without words; empty while all is well. */
  notice?(words: string, troubles: Trouble[]): void;
  /** Every frame as it came, for pages that show frames. */
  frame?(text: string): void;
}

/** What a client needs from the world; tests bring their own. */
export interface World {
  /** Is the daemon there? Asked before a second attempt. */
  knock(): Promise<boolean>;
  open(): Socket;
  later(ms: number, what: () => void): number;
  never(timer: number): void;
  random(): number;
  /** What the clock on the wall says here, in milliseconds since 1970. */
  time(): number;
}

export interface Socket {
  onmessage: ((event: { data: string }) => void) | null;
  onclose: (() => void) | null;
  close(): void;
}

/**
 * One stream: the whole hall, or one table.
 *
 * `start` once, and `stop` once nobody looks. Between them `hall` is the picture, `now.there()` the daemon's time, and the listener hears what changes.
 */
export class Feed {
  hall = new Hall();
  isStale = true;

  private socket: Socket | undefined;
  /** The number of the frame before; none before a connection's snapshot. */
  private seq: number | undefined;
  private failures = 0;
  /** When the last frame came. */
  private heardAt: number | undefined;
  private staleTimer: number | undefined;
  private patience: number | undefined;
  private isOver = false;

  constructor(
    private readonly world: World,
    private readonly listener: Listener,
    private readonly own?: string,
    readonly now = new Now(),
  ) {}

  start(): void {
    this.listener.stale(true);
    this.connect();
  }

  /** Hears nothing any more. */
  stop(): void {
    this.isOver = true;
    for (const timer of [this.patience, this.staleTimer]) if (timer !== undefined) this.world.never(timer);
    const last = this.socket;
    this.socket = undefined;
    last?.close();
  }

  private connect(): void {
    // A pause may have been running when nobody listened any more.
    if (this.isOver) return;
    const socket = this.world.open();
    this.socket = socket;
    this.seq = undefined;
    socket.onmessage = (event) => socket === this.socket && this.hear(event.data);
    socket.onclose = () => socket === this.socket && this.again();
    this.expectFrame(false);
  }

  private hear(text: string): void {
    const message = read(text);
    if (message === undefined) return this.again();
    this.listener.frame?.(text);
    if ("snapshot" in message) {
      this.now.forget();
      this.hall = takeSnapshot(message.snapshot.tables, message.snapshot.rounds);
    } else if (this.seq === undefined || message.seq !== this.seq + ("changes" in message ? 1 : 0)) {
      return this.again(); // Something was missed. There is no backlog: a new connection brings a snapshot.
    }
    this.seq = message.seq;
    this.failures = 0;
    this.now.heard(message.now);
    this.heardAt = this.world.time();
    this.expectFrame(true);
    this.setStale(false);
    this.listener.notice?.(message.notice ?? "", message.troubles ?? []);
    if ("snapshot" in message) this.listener.picture(this.hall, this.hall.keys(), []);
    if ("changes" in message) this.take(message.changes);
  }

  private take(changes: Change[]): void {
    const touched = new Set<string>();
    for (const change of changes) {
      const table = takeChange(this.hall, change, this.own);
      if (table !== undefined) touched.add(table);
    }
    this.listener.picture(this.hall, touched, changes);
  }

  /** Both wait for the next frame; only a frame puts the notice off, and a fresh connection gets its own patience. */
  private expectFrame(heard: boolean): void {
    this.patience = this.restart(this.patience, () => this.again());
    if (heard) this.staleTimer = this.restart(this.staleTimer, () => this.setStale(true));
  }

  private restart(timer: number | undefined, what: () => void): number {
    if (timer !== undefined) this.world.never(timer);
    return this.world.later(STALE_MS, what);
  }

  /** Drops the connection and makes another after a pause. */
  private again(): void {
    if (this.patience !== undefined) this.world.never(this.patience);
    const old = this.socket;
    this.socket = undefined;
    old?.close();
    this.world.later(pauseAfter(this.failures, this.world.random()), () => void this.knockAndConnect());
    this.failures += 1;
  }

  /**
   * Plain HTTP asks whether a WebSocket is worth it: Chromium delays them after some failures, up to 5 s each, and would
   * still do so when the daemon is back. Forty attempts at nothing took it 53 s.
   */
  private async knockAndConnect(): Promise<void> {
    if (await this.world.knock()) this.connect();
    else this.again();
  }

  private setStale(stale: boolean): void {
    if (stale === this.isStale) return;
    this.isStale = stale;
    this.listener.stale(stale, this.heardAt);
  }
}

/** Something between the daemon and us may speak for itself: a proxy's page is no frame. */
function read(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}

/** How long a knock may take. A daemon that is alive answers in milliseconds. */
const KNOCK_MS = 2_000;

/** Where the feed is heard: of the whole hall, or of one table behind it. */
export const PATH = "/feed/v2";

/** The world of a browser, at the server this page came from. */
export function browserWorld(table?: string): World {
  const own = table === undefined ? "" : `/${encodeURIComponent(table).replaceAll("%2F", "/")}`;
  const address = new URL(PATH + own, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  return {
    knock: () =>
      fetch("/snapshot", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(KNOCK_MS) }).then(
        () => true, // Any answer means somebody is there.
        () => false,
      ),
    open: () => new WebSocket(address) as Socket,
    later: (ms, what) => window.setTimeout(what, ms),
    never: (timer) => window.clearTimeout(timer),
    random: Math.random,
    time: Date.now,
  };
}
