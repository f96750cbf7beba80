// A hall that is not there: speaks the feed so that pages can be made and tested without boards or daemon.

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

import { Chess } from "chessops/chess";
import { makeFen } from "chessops/fen";
import { makeSanAndPlay, parseSan } from "chessops/san";
import { makeUci } from "chessops/util";
import { WebSocketServer, type WebSocket } from "ws";

import { Hall, newTable, plies, settledPlies, START, takeChange } from "../src/fold.ts";
import type { Change, GameResult, Link, Message, Player, Score, Side, Table } from "../src/vocabulary.ts";
import { GAMES, PLAYERS } from "./games.ts";

/** The daemon promises one at least every five seconds. */
const BEAT_MS = 2_000;

/** A change without its table. */
type What = Omit<Change, "table">;

export class FakeHall {
  readonly tables = new Hall();
  private readonly run = randomUUID().slice(0, 8);
  private readonly streams: Stream[] = [];
  /** Orders that were given, as they came. */
  readonly orders: Record<string, unknown>[] = [];
  /** What every order is answered with while the disk does not take it. */
  unrecorded: string | undefined;
  private readonly sockets = new WebSocketServer({ noServer: true });
  private readonly beat = setInterval(() => this.streams.forEach((stream) => stream.say({ beat: null })), BEAT_MS);
  private readonly born = performance.now() - 5_000_000;
  private silent = false;
  /** What every frame says of the record. */
  warning: Pick<Message, "notice" | "troubles"> = {};
  /** What clocks showed after each final move of the game that is on, and the games before it as PGN. */
  private readonly clocks = new Map<string, number[]>();
  private readonly played = new Map<string, string[]>();

  constructor(count: number, event = "spring-open-2026", round = 3) {
    for (let number = 1; number <= count; number += 1) {
      const id = `${event}/${round}/${number}`;
      const [white, black] = [player(number * 2), player(number * 2 + 1)];
      this.tables.set(id, { ...newTable(id), start: START, game: 1, state: "playing", link: "up", white, black });
      this.clock(id, 5_400_000, 5_400_000, null);
    }
  }

  id(number: number): string {
    return [...this.tables.keys()][number - 1]!;
  }

  now(): number {
    return Math.round(performance.now() - this.born);
  }

  /** Shows a line of which the first moves are final. */
  seen(id: string, line: string[], final = line.length): void {
    const position = Chess.default();
    let last: string | undefined;
    for (const san of line) {
      const move = parseSan(position, san);
      if (move === undefined) throw new Error(`${san} is no move in ${makeFen(position.toSetup())}`);
      last = makeUci(move);
      makeSanAndPlay(position, move);
    }
    const [placement = "", , ...rest] = makeFen(position.toSetup()).split(" ");
    const before = this.tables.get(id)!;
    const kept = before.san.findIndex((san, ply) => san !== line[ply]);
    const from = kept < 0 ? Math.min(before.san.length, line.length) : kept;
    this.press(id, line, final, position.turn);
    this.tell(id, {
      ply: from + 1,
      san: line.slice(from),
      provisional: line.length - final,
      placement,
      turn: position.turn,
      rest: rest.join(" "),
      last: last ?? null,
      ...(from < settledPlies(before) ? { corrected: true } : {}),
    });
  }

  /** What the clock of whoever has just made a final move shows goes into the PGN. */
  private press(id: string, line: string[], final: number, turn: Side): void {
    const { clock, san } = this.tables.get(id)!;
    if (clock === undefined || final < line.length || line.length <= san.length - 1) return;
    const clocks = this.clocks.get(id) ?? [];
    clocks[final - 1] = turn === "white" ? clock.black_ms : clock.white_ms;
    this.clocks.set(id, clocks);
  }

  clock(id: string, white_ms: number, black_ms: number, running: Side | null): void {
    this.tell(id, { clock: { white_ms, black_ms, running, at: this.now() } });
  }

  link(id: string, link: Link): void {
    this.tell(id, { link });
  }

  hold(id: string, held: boolean): void {
    this.tell(id, { held });
  }

  end(id: string, result: GameResult, score?: Score): void {
    const { white_ms = 0, black_ms = 0 } = this.tables.get(id)!.clock ?? {};
    this.clock(id, white_ms, black_ms, null);
    this.tell(id, { state: "ended", result, score: score ?? null });
  }

  /** Another game begins. */
  start(id: string, game: number): void {
    this.played.set(id, [...(this.played.get(id) ?? []), this.game(id)]);
    this.clocks.delete(id);
    const { placement, turn, rest } = newTable(id);
    const { game: before, result, score, earlier = [] } = this.tables.get(id)!;
    const fresh = { ply: 1, san: [], provisional: 0, placement, turn, rest, last: null, held: false };
    this.tell(id, { game, state: "playing", result: "*", score: null, earlier: [...earlier, { game: before, result, ...(score === undefined ? {} : { score }) }], ...fresh });
  }

  /** Says what is different at a table, what waits for the arbiter there included: this hall keeps nothing from anybody. */
  tell(id: string, change: What): void {
    takeChange(this.tables, { table: id, ...change });
    for (const stream of this.streams) if (stream.hears(id)) stream.change(id, change);
  }

  /** The game that is on as PGN. */
  private game(id: string): string {
    const table = this.tables.get(id)!;
    const { white, black, result, san: line } = table;
    const tags = { White: white?.name ?? "?", Black: black?.name ?? "?", Result: result, TimeControl: "5400+30" };
    const clock = (ply: number) => {
      const ms = this.clocks.get(id)?.[ply];
      return ms === undefined ? "" : ` {[%clk ${new Date(ms).toISOString().slice(11, 19)}]}`;
    };
    const moves = line.slice(0, settledPlies(table)).map((san, ply) => `${Math.floor(ply / 2) + 1}${ply % 2 === 0 ? "." : "..."} ${san}${clock(ply)}`);
    const head = Object.entries(tags).map(([name, value]) => `[${name} "${value}"]\n`);
    return `${head.join("")}\n${[...moves, result].join(" ")}\n\n`;
  }

  /** Connected and mute: what a page sees when the machine hangs. */
  mute(): void {
    this.silent = true;
  }

  /** Leaves a number out, as a page that missed a frame would see it. */
  skip(): void {
    for (const stream of this.streams) stream.seq += 1;
  }

  /** Answers what is the daemon's to answer; false for everything else. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const path = new URL(request.url ?? "/", "http://hall").pathname;
    if (path === "/command") {
      request.on("data", (body) => this.orders.push(JSON.parse(String(body))));
      request.on("end", () => {
        response.statusCode = this.unrecorded === undefined ? 200 : 202;
        response.setHeader("content-type", "application/json").end(JSON.stringify({ unrecorded: this.unrecorded }));
      });
      return true;
    }
    if (path === "/snapshot") {
      response.end(); // Pages knock here and read nothing.
      return true;
    }
    if (!path.startsWith("/pgn/")) return false;
    const id = path.slice("/pgn/".length);
    const isKnown = this.tables.has(id);
    response.statusCode = isKnown ? 200 : 404;
    response.setHeader("content-type", "application/x-chess-pgn");
    response.end(isKnown ? [...(this.played.get(id) ?? []), this.game(id)].join("") : "");
    return true;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const url = new URL(request.url ?? "/", "http://hall");
    if (!/^\/feed\/v2(\/|$)/.test(url.pathname)) return false;
    const own = decodeURIComponent(url.pathname.replace(/^\/feed\/v2\/?/, ""));
    this.sockets.handleUpgrade(request, socket, head, (client) => this.stream(own === "" ? undefined : own).join(client));
    return true;
  }

  close(): void {
    clearInterval(this.beat);
    for (const client of this.sockets.clients) client.terminate();
  }

  snapshot(tables: Table[]) {
    return { snapshot: { v: 2, run: this.run, tables } };
  }

  isSilent(): boolean {
    return this.silent;
  }

  private stream(own: string | undefined): Stream {
    const found = this.streams.find((stream) => stream.own === own) ?? new Stream(this, own);
    if (!this.streams.includes(found)) this.streams.push(found);
    return found;
  }
}

/** The whole hall or one table, with its own numbers. */
class Stream {
  seq = 0;
  private readonly clients = new Set<WebSocket>();

  constructor(
    private readonly hall: FakeHall,
    readonly own: string | undefined,
  ) {}

  hears(id: string): boolean {
    return this.own === undefined || this.own === id;
  }

  private snapshot() {
    const tables = [...this.hall.tables.values()].filter(({ table }) => this.hears(table));
    return { seq: this.seq, now: this.hall.now(), ...this.hall.warning, ...this.hall.snapshot(tables.map((table) => this.cut(table))) };
  }

  /** The wall has the last move of each line. */
  private cut(table: Table): Table {
    if (this.own !== undefined) return table;
    const { start: _start, ...rest } = table;
    return { ...rest, ply: Math.max(1, plies(table)), san: table.san.slice(-1) };
  }

  change(id: string, change: What): void {
    const table = this.hall.tables.get(id);
    if (table === undefined || this.own !== undefined || !change.san) return this.say({ changes: [this.own === undefined ? { table: id, ...change } : change] });
    const { ply, san } = this.cut(table);
    this.say({ changes: [{ table: id, ...change, ply, san }] });
  }

  join(client: WebSocket): void {
    client.on("close", () => this.clients.delete(client));
    client.on("error", () => client.terminate());
    this.clients.add(client);
    if (!this.hall.isSilent()) client.send(JSON.stringify(this.snapshot()));
  }

  say(body: { changes: Change[] } | { beat: null }): void {
    if ("changes" in body) this.seq += 1;
    const frame = JSON.stringify({ seq: this.seq, now: this.hall.now(), ...this.hall.warning, ...body });
    if (!this.hall.isSilent()) this.clients.forEach((client) => client.send(frame));
  }
}

function player(number: number): Player {
  const [name, title, rating] = PLAYERS[number % PLAYERS.length]!;
  return { name, rating, ...(title ? { title } : {}) };
}

/** Lets every table of `hall` play by itself, with the small troubles of a real evening. */
export function playByItself(hall: FakeHall, pace = 1): () => void {
  let stopped = false;
  const pause = (ms: number) => new Promise((go) => setTimeout(go, ms * pace));
  const play = async (id: string, game: string[]) => {
    let left = { white: 5_400_000, black: 5_400_000 };
    for (let ply = 0; !stopped; ply += 1) {
      if (ply === game.length) {
        hall.end(id, ply % 2 === 1 ? "1-0" : "0-1");
        await pause(12_000);
        hall.start(id, hall.tables.get(id)!.game + 1);
        [ply, left] = [-1, { white: 5_400_000, black: 5_400_000 }];
        continue;
      }
      const side = ply % 2 === 0 ? "white" : "black";
      hall.clock(id, left.white, left.black, side);
      const thought = 2_000 + Math.random() * 9_000;
      await pause(thought);
      if (Math.random() < 0.06) await trouble(hall, id, pause);
      hall.seen(id, game.slice(0, ply + 1), ply);
      await pause(1_400);
      left[side] += 30_000 - (thought + 1_400) * pace;
      hall.clock(id, left.white, left.black, side === "white" ? "black" : "white");
      hall.seen(id, game.slice(0, ply + 1));
    }
  };
  [...hall.tables.keys()].forEach((id, index) => void play(id, GAMES[index % GAMES.length]!));
  return () => (stopped = true);
}

async function trouble(hall: FakeHall, id: string, pause: (ms: number) => Promise<unknown>): Promise<void> {
  const lost = Math.random() < 0.4;
  if (lost) hall.link(id, "down");
  else hall.hold(id, true);
  await pause(5_000);
  if (lost) hall.link(id, "up");
  else hall.hold(id, false);
}
