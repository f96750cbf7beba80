// The page that lies beside LiveChess's files, on a server that knows nothing but files.

import { createServer, type Server } from "node:http";
import { readFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { extname, resolve } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { brokenRules } from "./axe";
import { Browser, PHONE, SOON } from "./browser";

const PAGE = resolve(import.meta.dirname, "../../src/press/page");
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

const player = (lname: string, fname: string) => ({ fname, mname: null, lname, title: null, federation: null, gender: null, fideid: null });
const game = (table: number, moves: string, result = "*") =>
  `[ePGN "0.1;Escaque/0.1.0"]\n[Event "Open"]\n[Site "Wien"]\n[Date "2026.11.22"]\n[Round "2.${table}"]\n[White "White, ${table}"]\n[Black "Black, ${table}"]\n[Result "${result}"]\n[BlackTitle "GM"]\n[GameId "open/2/${table}"]\n\n${moves} ${result}\n`;

let browser: Browser;
let server: Server;
let address: string;
const files: Record<string, string> = {
  "/tournament.json": JSON.stringify({ name: "Open", rounds: [{ count: 2, live: 0 }, { count: 3, live: 2 }] }),
  "/round-2/index.json": JSON.stringify({ pairings: [1, 2, 3].map((table) => ({ white: player("White", `${table}`), black: player("Black", `${table}`), result: table === 3 ? "1/2-1/2" : "*", live: table !== 3 })) }),
  "/round-2/games.pgn": [game(1, "1. e4 {[%clk 01:29:30]} e5 {[%clk\n01:29:10]} {[%emt 00:00:20]} 2. Nf3"), game(3, "1. d4 d5", "1/2-1/2")].join("\n"),
};

beforeAll(async () => {
  browser = await Browser.launch();
  server = createServer((request, answer) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    const own = { "/": "index.html" }[path] ?? path.replace(/^\/assets\//u, "");
    const told = files[path];
    if (told !== undefined) return void answer.end(told);
    readFile(resolve(PAGE, own)).then(
      (bytes) => answer.setHeader("Content-Type", TYPES[extname(own)] ?? "text/plain").end(bytes),
      () => answer.writeHead(404).end(),
    );
  });
  await new Promise<void>((open) => server.listen(0, "127.0.0.1", open));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  server.close();
  await browser.close();
});

test("boards, names, clocks and results are shown as the files have them, and follow them", async () => {
  const page = await browser.open(address, { ...PHONE, scheme: "light" });
  await page.locator("article").nth(1).waitFor();
  const [first, second] = [page.locator("article").nth(0), page.locator("article").nth(1)];
  expect(await page.locator("h1").textContent()).toBe("Open");
  expect(await first.locator(".player").allTextContents()).toEqual(["GM Black, 11:29:10", "White, 11:29:30"]);
  expect(await first.locator(".last").textContent()).toContain("2. Nf3");
  const men = first.locator(".board");
  expect(await men.getAttribute("aria-label")).toContain("white knight f3");
  expect(await second.locator("strong").textContent()).toBe("½-½");
  expect(await brokenRules(page)).toEqual([]);
  // Nothing of it is wider than a telephone.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  files["/round-2/games.pgn"] += `\n${game(2, "1. c4")}`;
  await page.evaluate(() => dispatchEvent(new HashChangeEvent("hashchange")));
  await vi.waitFor(async () => expect(await page.locator("article").count()).toBe(3), SOON);
  expect(page.complaints).toEqual([]);
  await page.close();
});
