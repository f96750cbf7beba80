// One table's page: the game as it goes, every position before, and the games before it.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { GAMES } from "../dev/games";
import { FakeHall } from "../dev/hall";
import { serve, type FakeServer } from "../dev/server";
import { brokenInAnyLook, brokenRules } from "./axe";
import { Browser, HD, LYING, menOn, PHONE, SOON, type Opened, type View } from "./browser";
import { evening } from "./evening";

let browser: Browser;
let hall: FakeHall;
let server: FakeServer;
let page: Opened;

beforeAll(async () => void (browser = await Browser.launch()));
afterAll(() => browser.close());
beforeEach(async () => {
  hall = evening(4);
  server = await serve(hall);
});
afterEach(async () => {
  expect(page.complaints.filter((words) => !words.includes("404"))).toEqual([]);
  await page.evaluate(() => localStorage.clear());
  await page.close();
  await server.close();
});

test("a long game is opened at its newest move, and stays there as it goes on", async () => {
  hall.seen(hall.id(1), GAMES[1]!.slice(0, 40));
  await open(1);
  await vi.waitFor(async () => expect(await inView()).toBe(GAMES[1]![39]), SOON);
  hall.seen(hall.id(1), GAMES[1]!.slice(0, 41));
  await vi.waitFor(async () => expect(await inView()).toBe(GAMES[1]![40]), SOON);
});

test("keys, wheel, finger and buttons walk through the game, and one step leads back to it", async () => {
  hall.seen(hall.id(1), ["e4", "e5", "Nf3", "Nc6"]);
  await open(1);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await sees("e5", { g1: "white knight", e5: "black pawn" });
  expect(await page.locator("#said").textContent()).toBe("1… e5");
  hall.seen(hall.id(1), ["e4", "e5", "Nf3", "Nc6", "Bb5"]);
  await vi.waitFor(async () => expect(await page.locator("#moves .san:not(:empty)").count()).toBe(5), SOON);
  await sees("e5", { g1: "white knight" });
  await page.locator("#board").hover();
  await page.mouse.wheel(0, 100);
  await sees("Nf3", { f3: "white knight" });
  await swipe(-120);
  await sees("Nc6", { c6: "black knight" });
  await page.locator("#moves .san").first().click();
  await sees("e4", { e4: "white pawn", e7: "black pawn" });
  await page.keyboard.press("Home");
  await sees(undefined, { e2: "white pawn" });
  await page.locator("#live").click();
  await sees("Bb5", { b5: "white bishop" });
  expect(await page.locator("#live").isVisible()).toBe(false);
});

test("what was taken, what each move took and what the clocks showed is there", async () => {
  hall = new FakeHall(1);
  await server.close();
  server = await serve(hall);
  const id = hall.id(1);
  hall.clock(id, 5_430_000, 5_400_000, "black");
  hall.seen(id, ["e4"]);
  hall.clock(id, 5_430_000, 5_070_000, "white");
  hall.seen(id, ["e4", "d5"]);
  await open(1);
  hall.clock(id, 5_060_000, 5_070_000, "black");
  hall.seen(id, ["e4", "d5", "exd5"]);
  await page.locator('.captured[aria-label="White has taken: pawn"]').waitFor();
  await vi.waitFor(async () => expect(await page.locator("#chart title").allTextContents()).toEqual(["1. e4: 0:00", "1… d5: 5:30", "2. exd5: 6:40"]), SOON);
  await page.locator("#back-one").click();
  expect(await page.locator(".white .clock").textContent()).toBe("1:30:30");
  await page.locator('#chart [data-ply="1"]').click();
  await sees("e4", { e4: "white pawn" });
});

test("games before are a choice away, with their moves and their result", async () => {
  const id = hall.id(4); // Over.
  hall.start(id, 2);
  hall.seen(id, ["d4"]);
  await open(4);
  await vi.waitFor(async () => expect(await page.locator("#games option").allTextContents()).toEqual(["Game 1 · 1–0", "Game 2"]), SOON);
  await page.locator("#games").selectOption("1");
  await vi.waitFor(async () => expect([await page.locator("#result").textContent(), await inView()]).toEqual(["1–0", "Bxe7#"]), SOON);
  await page.locator("#games").selectOption("2");
  await sees("d4", { d4: "white pawn" });
  // What PGN has no word for is there all the same.
  hall.end(id, "*", "0-0");
  hall.start(id, 3);
  hall.seen(id, ["c4"]);
  await vi.waitFor(async () => expect(await page.locator("#games option").allTextContents()).toEqual(["Game 1 · 1–0", "Game 2 · 0–0", "Game 3"]), SOON);
  await page.locator("#games").selectOption("2");
  await page.locator("#result").filter({ hasText: "0–0" }).waitFor(SOON);
});

test("a game is taken elsewhere: a link to a position, its FEN, the PGN", async () => {
  hall.seen(hall.id(1), ["e4", "e5", "Nf3"]);
  await open(1);
  await page.keyboard.press("ArrowLeft");
  await page.locator("#flip").click();
  await page.locator("#share").click();
  const value = (id: string) => page.locator(id).inputValue();
  expect(await value("#share-fen")).toBe("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
  expect(await value("#share-pgn")).toBe(`${server.address}/pgn/${hall.id(1)}`);
  const link = await value("#share-link");
  expect(link).toBe(`${server.address}/table/${hall.id(1)}?below=black#2`);
  await page.locator('[data-copies="share-fen"]').click();
  await page.locator('[data-copies="share-fen"]').filter({ hasText: "Copied" }).waitFor();
  expect(await brokenRules(page)).toEqual([]);
  await page.goto("about:blank");
  await page.goto(link);
  await sees("e5", {});
  expect(await page.locator(".cg-wrap.orientation-black").count()).toBe(1);
});

test("figurines or letters, remembered", async () => {
  hall.seen(hall.id(1), ["Nf3"]);
  await open(1);
  await page.locator("#figurines").click();
  await vi.waitFor(async () => expect(await page.locator("#moves .latest").textContent()).toBe("♘f3"), SOON);
  await page.reload();
  await vi.waitFor(async () => expect(await page.locator("#moves .latest").textContent()).toBe("♘f3"), SOON);
});

test("clocks are there with the position, and not only when they next count on", async () => {
  hall.clock(hall.id(1), 65_000, 60_000, null);
  await open(1);
  await page.addInitScript(() => Object.assign(window, { setInterval: () => 0 }));
  await page.reload();
  await vi.waitFor(async () => expect(await page.locator(".clock").allTextContents()).toEqual(["1:00", "1:05"]), SOON);
});

test("a long title hides no round, not on a telephone either", async () => {
  await server.close();
  hall = new FakeHall(1, "xxi-open-internacional-ciudad-de-sevilla-memorial-capablanca", 7);
  server = await serve(hall);
  hall.seen(hall.id(1), ["e4"]);
  await open(1, PHONE);
  const round = page.locator("#round");
  expect(await round.textContent()).toBe("Round 7 · Xxi open internacional ciudad de sevilla memorial capablanca");
  const { width, end } = await round.evaluate((line) => {
    const range = document.createRange();
    range.setStart(line.firstChild!, 0);
    range.setEnd(line.firstChild!, "Round 7".length);
    return { width: range.getBoundingClientRect().right, end: line.getBoundingClientRect().right };
  });
  expect(width).toBeLessThan(end);
});

test("a game has an address of its own, and the one that is on is followed there", async () => {
  const id = hall.id(4); // Over.
  hall.start(id, 2);
  hall.seen(id, ["d4"]);
  page = await browser.open(`${server.address}/table/${id}/1`, { ...HD, still: true });
  await vi.waitFor(async () => expect([await page.locator("#result").textContent(), await inView()]).toEqual(["1–0", "Bxe7#"]), SOON);
  await page.locator("#share").click();
  expect(await page.locator("#share-link").inputValue()).toBe(`${server.address}/table/${id}/1`);
  await page.close();
  page = await browser.open(`${server.address}/table/${id}/2`, { ...HD, still: true });
  await sees("d4", { d4: "white pawn" });
  hall.seen(id, ["d4", "d5"]);
  await sees("d5", { d5: "black pawn" });
});

test.each(["/table", "/table/spring-open-2026/3", "/table/spring-open-2026/3/x"])("%s names no table, and leads to the wall", async (path) => {
  page = await browser.open(`${server.address}${path}`, HD);
  await page.locator("#unknown").filter({ hasText: "There is no such table" }).waitFor();
  expect(await page.locator("#notice").textContent()).toBe("");
  expect(await page.locator("#unknown a").getAttribute("href")).toBe("/");
  expect(await brokenInAnyLook(page)).toEqual([]);
});

test("a table that is not there is said, on a page that leads on", async () => {
  page = await browser.open(`${server.address}/table/spring-open-2026/3/77`, HD);
  await page.locator("#unknown").filter({ hasText: "There is no such table" }).waitFor();
  expect(await page.locator("#board").isVisible()).toBe(false);
  expect(await brokenInAnyLook(page)).toEqual([]);
});

test.each([HD, PHONE, LYING, { width: 640, height: 400 }])("at $width x $height board, moves and controls are there and nothing is cut off", async (view) => {
  await open(1, view);
  const cut = () => page.evaluate(() => {
    const wide = document.documentElement.scrollWidth > innerWidth;
    const seen = [...document.querySelectorAll<HTMLElement>("#board, .clock, .steps .button:not([hidden]), .moves")];
    const outside = seen.filter((part) => part.getBoundingClientRect().right > innerWidth + 1 || part.offsetWidth === 0 || part.offsetHeight < 20);
    return { wide, outside: outside.map((part) => part.id || part.className) };
  });
  await vi.waitFor(async () => expect(await cut()).toEqual({ wide: false, outside: [] }), SOON);
});

test("the move that is looked at is marked where colours are forced", async () => {
  hall.seen(hall.id(1), ["e4", "e5"], 2);
  await open(1);
  await page.emulateMedia({ forcedColors: "active" });
  const ground = (where: string) => page.locator(where).evaluate((one) => getComputedStyle(one).backgroundColor);
  expect(await ground("#moves .latest")).not.toBe(await ground("#moves .san:not(.latest)"));
  await page.emulateMedia({ forcedColors: "none" });
});

// What 400 % leave of a screen, and small telephones held sideways.
test.each([[480, 270], [533, 300], [568, 320], [384, 216], [320, 256], [640, 270]])("at %i x %i the page is scrolled, and its board is as large as the screen allows", async (width, height) => {
  await open(1, { width, height });
  const found = await page.evaluate(() => {
    const box = (one: string) => document.querySelector(one)!.getBoundingClientRect();
    const apart = (one: DOMRect, other: DOMRect) => one.right <= other.left + 1 || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
    const steps = [...document.querySelectorAll<HTMLElement>(".steps .button:not([hidden])")].map((step) => step.getBoundingClientRect());
    const bottom = document.documentElement.scrollHeight - scrollY;
    return {
      board: box("#board").width,
      clocksApart: ["#upper", "#lower"].every((seat) => apart(box(`${seat} .who`), box(`${seat} .clock`))),
      steps: steps.filter(({ left, right, bottom: end, height }) => left >= 0 && right <= innerWidth && end <= bottom && height >= 20).length,
      isWide: document.documentElement.scrollWidth > innerWidth,
    };
  });
  expect(found.board).toBeGreaterThanOrEqual(Math.min(200, height - 24));
  expect(found).toMatchObject({ clocksApart: true, steps: 4, isWide: false });
  expect(await page.evaluate(() => getComputedStyle(document.body).overflowY), "what is below is reached").toBe("visible");
});

async function open(number: number, view: View = HD): Promise<void> {
  page = await browser.open(`${server.address}/table/${hall.id(number)}`, { ...view, still: true });
  await page.locator("#moves .latest").waitFor();
}

/** The move that is marked in the score sheet, if it is in sight there. */
function inView(): Promise<string | undefined> {
  return page.locator("#moves").evaluate((view) => {
    const [outer, latest] = [view.getBoundingClientRect(), view.querySelector(".latest")];
    const inner = latest?.getBoundingClientRect();
    return inner && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1 ? latest!.textContent! : undefined;
  });
}

async function sees(move: string | undefined, men: Record<string, string>): Promise<void> {
  await vi.waitFor(async () => {
    if (move === undefined) expect(await page.locator("#moves .latest").count()).toBe(0);
    else expect(await inView()).toBe(move);
    expect(await menOn(page, "#board")).toMatchObject(men);
  }, SOON);
}

async function swipe(right: number): Promise<void> {
  await page.locator("#board").evaluate((board, by) => {
    const at = (clientX: number) => ({ clientX, clientY: 300, pointerType: "touch", bubbles: true });
    board.dispatchEvent(new PointerEvent("pointerdown", at(300)));
    board.dispatchEvent(new PointerEvent("pointerup", at(300 + by)));
  }, right);
}
