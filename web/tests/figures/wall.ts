// What a wall costs a browser, for whoever makes a release: `make bench-wall`. Figures, each beside its limit; forty tables
// of the daemon for what is sent, forty and twenty-four of a hall that plays for what is done with it.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { resolve } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { GAMES, PLAYERS } from "../../dev/games";
import { FakeHall } from "../../dev/hall";
import { serve } from "../../dev/server";
import { START } from "../../src/fold";
import { Replay } from "../../src/replay";
import { Browser, HD, type Opened } from "../browser";
import { House } from "../daemon";
import { figure } from "./figure";

const TABLES = 40;
const MOVES_A_SECOND = 24;
/** Of a table that is played at: one move in so many seconds, both players together. A blitz hall is no faster. */
const REAL_PACE_S = 5;
const TABLES_AT_REAL_PACE = 24;
const WATCHED_MS = 8_000;
/** The bare wall and ours take turns, so that what else the machine does meets both. */
const ROUNDS = 3;

let browser: Browser;
beforeAll(async () => void (browser = await Browser.launch()));
afterAll(() => browser.close());

test("what forty tables send", async () => {
  const house = await House.box(0);
  const names = Array.from({ length: 2 * TABLES }, (_, at) => `${PLAYERS[at % PLAYERS.length]![0]} ${at + 1}`);
  await house.pair("Spring Open", names);
  const page = await browser.open("about:blank");
  const sent = await page.context().newCDPSession(page);
  const sizes = new Map<string, number>();
  const addresses = new Map<string, string>();
  await sent.send("Network.enable");
  sent.on("Network.responseReceived", ({ requestId, response }) => addresses.set(requestId, response.url));
  sent.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  let frames = 0;
  sent.on("Network.webSocketFrameReceived", ({ response }) => (frames += Buffer.byteLength(response.payloadData)));
  await page.goto(house.address);
  await page.locator(".tile").nth(TABLES - 1).waitFor({ state: "attached" });
  await page.waitForLoadState("networkidle");
  const isMan = (id: string) => /\/(white|black)-\w+-/.test(addresses.get(id) ?? "");
  const files = [...sizes].filter(([id]) => !isMan(id)).reduce((sum, [, size]) => sum + size, 0);
  await page.close();
  await house.close();
  figure("a wall of 40 tables, sent beside the men", (files + frames) / 1024, "KB", { most: 120 });
  expect(addresses.size).toBeGreaterThan(3);
});

test("what forty tables and 24 moves a second do", async () => {
  const hall = new FakeHall(TABLES);
  const server = await serve(hall);
  const bare = await serveBare(hall);
  const stop = play(hall, MOVES_A_SECOND);
  const frames: [number, number][] = [];
  let longest = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await watched(server.address);
    const side = await ours.locator(".tile .board").first().evaluate((board) => board.clientWidth);
    const [mine, tasks] = await framesOf(ours);
    await ours.close();
    const theirs = await watched(`${bare.address}?board=${side}`);
    const [other] = await framesOf(theirs);
    await theirs.close();
    frames.push([mine, other]);
    longest = Math.max(longest, ...tasks);
  }
  const forced = await forcedLayouts(server.address);
  stop();
  await bare.close();
  await server.close();
  const [mine, other] = [0, 1].map((at) => frames.reduce((sum, pair) => sum + pair[at]!, 0) / ROUNDS) as [number, number];
  figure("frames a second beside a bare wall", mine / other, `(${mine.toFixed(1)} and ${other.toFixed(1)})`, { least: 0.9 });
  figure("the longest task", longest, "ms", { most: 50 });
  figure("forced layouts a move", forced, "", { most: 0 });
});

test("what 24 tables at real pace take of a core", async () => {
  const hall = new FakeHall(TABLES_AT_REAL_PACE);
  const server = await serve(hall);
  const bare = await serveBare(hall);
  const stop = play(hall, TABLES_AT_REAL_PACE / REAL_PACE_S);
  const work = { ours: 0, bare: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const ours = await watched(server.address);
    const side = await ours.locator(".tile .board").first().evaluate((board) => board.clientWidth);
    work.ours += await workOf(ours);
    work.bare += await workOf(await watched(`${bare.address}?board=${side}`));
  }
  stop();
  await bare.close();
  await server.close();
  const share = (seconds: number) => (seconds * 100_000) / (ROUNDS * WATCHED_MS);
  figure("a tab with 24 tables at real pace", share(work.ours), "% of a core", { most: 15 });
  figure("its work beside a bare wall's", work.ours / work.bare, `(${share(work.bare).toFixed(1)} %)`, { most: 0.6 });
});

/** Seconds of a processor that this page takes while it is watched, and no other is open. */
async function workOf(page: Opened): Promise<number> {
  const before = await browser.workOfPages();
  await page.waitForTimeout(WATCHED_MS);
  const after = await browser.workOfPages();
  await page.close();
  return after - before;
}

/** A page that has shown its boards and has come to rest. */
async function watched(address: string): Promise<Opened> {
  const page = await browser.open(address, HD);
  await page.locator("cg-board piece").first().waitFor();
  await page.waitForTimeout(1_000);
  return page;
}

/** Frames a second, and every task that took longer than the browser thinks it should. */
function framesOf(page: Opened): Promise<[number, number[]]> {
  return page.evaluate(
    (span) =>
      new Promise<[number, number[]]>((done) => {
        const tasks: number[] = [];
        new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: "longtask" });
        const began = performance.now();
        let frames = 0;
        const frame = (now: number) => {
          frames += 1;
          if (now - began < span) requestAnimationFrame(frame);
          else done([(frames * 1000) / (now - began), tasks]);
        };
        requestAnimationFrame(frame);
      }),
    WATCHED_MS,
  );
}

/** Layouts that a script had to wait for, a move. */
async function forcedLayouts(address: string): Promise<number> {
  const page = await watched(address);
  const events = await browser.trace(page, WATCHED_MS, ["devtools.timeline", "disabled-by-default-devtools.timeline.stack"]);
  await page.close();
  const layouts = events.filter(({ name }) => name === "Layout");
  expect(layouts.length, "layouts are traced at all").toBeGreaterThan(0);
  return layouts.filter(({ args }) => (args?.beginData?.stackTrace?.length ?? 0) > 0).length / ((WATCHED_MS / 1000) * MOVES_A_SECOND);
}

/** So many moves a second, one table after the other, each game again when it is over. */
function play(hall: FakeHall, aSecond: number): () => void {
  const replay = new Replay();
  const scripts = GAMES.map((game) => {
    replay.follow(START, game);
    return replay.positions.map(({ placement, turn, fen, last }, ply) => ({
      ply: Math.max(1, ply),
      san: game.slice(Math.max(0, ply - 1), ply),
      placement,
      turn,
      rest: fen.split(" ").slice(2).join(" "),
      last: last ?? null,
      clock: { white_ms: 5_400_000 - ply * 9_000, black_ms: 5_400_000 - ply * 8_000, running: turn, at: 0 },
    }));
  });
  let move = 0;
  const timer = setInterval(() => {
    const table = move % hall.tables.size;
    const script = scripts[table % scripts.length]!;
    const change = script[Math.floor(move / hall.tables.size) % script.length]!;
    hall.tell(hall.id(table + 1), { ...change, clock: { ...change.clock, at: hall.now() } });
    move += 1;
  }, 1000 / aSecond);
  return () => clearInterval(timer);
}

/** The same hall on a page with nothing but boards. */
async function serveBare(hall: FakeHall): Promise<{ address: string; close(): Promise<void> }> {
  const chessground = resolve(import.meta.dirname, "../../node_modules/chessground");
  const types: Record<string, string> = { html: "text/html", js: "text/javascript", css: "text/css" };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://bare");
    const file = pathname.startsWith("/chessground/")
      ? resolve(chessground, pathname.slice("/chessground/".length))
      : resolve(import.meta.dirname, pathname === "/bare.js" ? "bare.js" : "bare.html");
    response.setHeader("content-type", types[file.split(".").at(-1)!] ?? "text/plain");
    response.end(readFileSync(file));
  });
  server.on("upgrade", (request, socket, head) => hall.upgrade(request, socket, head));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  const close = async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { address: `http://127.0.0.1:${typeof address === "object" ? address!.port : 0}/`, close };
}
