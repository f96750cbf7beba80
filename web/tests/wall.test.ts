// What a wall shows, and how people and addresses choose it.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { FakeHall } from "../dev/hall";
import { serve, type FakeServer } from "../dev/server";
import { newTable, START } from "../src/fold";
import { Browser, HD, LYING, menOn, PHONE, SOON, type Opened, type View } from "./browser";
import { brokenInAnyLook, brokenRules } from "./axe";

let browser: Browser;
let hall: FakeHall;
let server: FakeServer;
let page: Opened;

beforeAll(async () => void (browser = await Browser.launch()));
afterAll(() => browser.close());
beforeEach(async () => {
  hall = new FakeHall(12);
  server = await serve(hall);
});
afterEach(async () => {
  expect(page.complaints).toEqual([]);
  await page.evaluate(() => localStorage.clear());
  await page.close();
  await server.close();
});

test("an address chooses tables, their order and how many at once", async () => {
  await open("/?tables=12,3-5&boards=2&every=0");
  await vi.waitFor(async () => expect(await shown()).toEqual([12, 3]), SOON);
  await page.locator("#later").click();
  await vi.waitFor(async () => expect(await shown()).toEqual([4, 5]), SOON);
  expect(await page.locator("#pages").textContent()).toBe("2 of 2");
  expect(await page.locator("#pause").isVisible()).toBe(false);
});

test("pages turn by themselves, stand still when told so, and turn by keys", async () => {
  await open("/?boards=8&every=1");
  await vi.waitFor(async () => expect((await shown())[0]).toBe(9), SOON);
  await page.locator("#pause").click();
  const stood = await shown();
  await page.waitForTimeout(1_300);
  expect(await shown()).toEqual(stood);
  await page.locator("#pause").evaluate((button) => (button as HTMLElement).blur());
  await page.keyboard.press("ArrowLeft");
  await vi.waitFor(async () => expect((await shown())[0]).toBe(stood[0] === 1 ? 9 : 1), SOON);
});

test("a telephone on its side has a control for its pages", async () => {
  await open("/", LYING);
  const before = await shown();
  await page.locator("#later").click();
  await vi.waitFor(async () => expect(await shown()).not.toEqual(before), SOON);
});

test("on a telephone the place on the wall is there again, by Back, by the link and after a reload", async () => {
  await open("/", PHONE);
  const isThere = () => vi.waitFor(async () => expect(await page.evaluate(() => scrollY)).toBe(2_000), SOON);
  const look = async () => {
    await page.evaluate(() => document.querySelector<HTMLElement>("[data-table$='/5'] a")!.click());
    await page.waitForURL("**/table/**");
  };
  await page.evaluate(() => scrollTo(0, 2_000));
  await look();
  await page.goBack();
  await isThere();
  await look();
  await page.locator("#back").click();
  await isThere();
  await page.reload();
  await isThere();
});

test("what colours alone tell apart is told apart where colours are forced", async () => {
  await open("/");
  await page.emulateMedia({ forcedColors: "active" });
  const ground = (where: string) => page.locator(where).first().evaluate((one) => getComputedStyle(one).backgroundColor);
  expect([await ground(".man.white"), await ground(".man.black")]).toEqual(["rgb(255, 255, 255)", "rgb(0, 0, 0)"]);
  expect(await ground(".key.final")).not.toBe(await ground("body"));
  await page.emulateMedia({ forcedColors: "none" });
});

test("what is chosen by hand is in the address, and under the screen's name where it has one", async () => {
  await open("/?screen=entrance");
  await page.locator("#choose").click();
  await page.locator("#numbers button").filter({ hasText: /^7$/ }).click();
  await page.locator("#chosen").press("End");
  await page.locator("#chosen").pressSequentially(", 2");
  await vi.waitFor(async () => expect(await shown()).toEqual([7, 2]), SOON);
  await page.locator("#order").selectOption("running");
  expect(await page.locator("#view-address").inputValue()).toBe(`${server.address}/?tables=7,2&order=running`);
  expect(await brokenRules(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.goto(`${server.address}/?screen=entrance`);
  await vi.waitFor(async () => expect(await shown()).toEqual([7, 2]), SOON);
  expect(new URL(page.url()).search).toBe("?screen=entrance");
});

test.for([
  { still: false, slid: ["white king", "white rook"] },
  { still: true, slid: [] },
])("men slide to their squares, and not for those who want stillness: $still", async ({ still, slid }) => {
  const castled = ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O"];
  hall.seen(hall.id(1), castled.slice(0, -1));
  await open("/?tables=1", { ...HD, still });
  await vi.waitFor(async () => expect(await menOn(page, ".tile")).toMatchObject({ e1: "white king" }), SOON);
  await page.evaluate(watchSlides);
  hall.seen(hall.id(1), castled);
  await vi.waitFor(async () => expect(await menOn(page, ".tile")).toMatchObject({ g1: "white king", f1: "white rook" }), SOON);
  await vi.waitFor(async () => expect(await page.locator("piece.anim").count()).toBe(0), SOON);
  expect(await page.evaluate(() => (globalThis as unknown as { slid: string[] }).slid.sort())).toEqual(slid);
});

test("running games first, as soon as one is over", async () => {
  await open("/?order=running");
  hall.end(hall.id(1), "1-0");
  await vi.waitFor(async () => expect((await shown()).slice(-1)).toEqual([1]), SOON);
});

test("tables that are not there are said, with a way to all the others", async () => {
  await open("/?tables=77");
  await page.locator("#why").filter({ hasText: "None of the chosen tables is in a round that is open: 77." }).waitFor();
  await page.locator("#everything").click();
  await vi.waitFor(async () => expect((await shown()).length).toBe(12), SOON);
});

test("tables of two events are told apart, for those who see the wall and those who hear it", async () => {
  for (const event of ["spring-blitz", "spring-open-2026"]) {
    const id = `${event}/2/1`;
    hall.tables.set(id, { ...newTable(id), start: START, white: { name: "Okafor, Ada" }, black: { name: "Lindqvist, Jonas" } });
  }
  await open("/?tables=1");
  const called = () => page.locator(".tile").evaluateAll((tiles) => tiles.map((tile) => [tile.querySelector(".number .short")!.textContent, tile.getAttribute("aria-label"), tile.querySelector(".way-in")!.getAttribute("aria-label")!.split(":")[0]]));
  await vi.waitFor(async () => expect(await called()).toEqual([
    ["B 2.1", "Table 1 · Round 2 · Spring blitz", "Table 1 · Round 2 · Spring blitz"],
    ["O 2.1", "Table 1 · Round 2 · Spring open 2026", "Table 1 · Round 2 · Spring open 2026"],
    ["O 3.1", "Table 1 · Round 3 · Spring open 2026", "Table 1 · Round 3 · Spring open 2026"],
  ]), SOON);
});

test("an empty wall speaks to those who came to see", async () => {
  await server.close();
  hall = new FakeHall(0);
  server = await serve(hall);
  page = await browser.open(server.address);
  await page.locator("#why").filter({ hasText: "The boards will appear here when the round begins." }).waitFor();
  expect(await page.locator("#everything").isVisible()).toBe(false);
  expect(await brokenInAnyLook(page)).toEqual([]);
});

test("both clocks standing is a stopped game, in words and on both clocks", async () => {
  await open("/?tables=1-2");
  hall.seen(hall.id(1), ["e4"]);
  hall.clock(hall.id(1), 60_000, 60_000, null);
  await vi.waitFor(async () => expect(await page.locator(".tile .state").first().textContent()).toBe("Game stopped"), SOON);
  // The words stand beside the position and hide no man of it.
  for (const view of [HD, PHONE]) {
    await page.setViewportSize(view);
    await page.locator(".tile .state:visible").first().waitFor();
    const covered = () =>
      page.evaluate(() => {
        const tile = document.querySelector("[data-mood=stopped]")!;
        const board = tile.querySelector(".board")!.getBoundingClientRect();
        const over = [...tile.querySelectorAll(".state, .plate")].map((words) => words.getBoundingClientRect());
        return over.some(({ width, height, left, right, top, bottom }) => width * height > 0 && left < board.right - 1 && right > board.left + 1 && top < board.bottom - 1 && bottom > board.top + 1);
      });
    await vi.waitFor(async () => expect(await covered()).toBe(false), SOON);
  }
});

test.each([
  ["de", "Runde 3", "Tisch 1: Okafor, Ada – Lindqvist, Jonas. Schwarz am Zug", "1. Sf3"],
  ["es", "Ronda 3", "Mesa 1: Okafor, Ada – Lindqvist, Jonas. Juegan negras", "1. Cf3"],
])("in %s all of it is", async (lang, round, label, move) => {
  hall.tell(hall.id(1), { white: { name: "Okafor, Ada" }, black: { name: "Lindqvist, Jonas" } });
  hall.clock(hall.id(1), 5_400_000, 5_400_000, "black");
  hall.seen(hall.id(1), ["Nf3"]);
  await open(`/?lang=${lang}&tables=1`);
  await vi.waitFor(async () => expect(await page.locator(".way-in").getAttribute("aria-label")).toBe(label), SOON);
  expect(await page.locator("#round").textContent()).toBe(round);
  expect(await page.locator(".last").textContent()).toBe(move);
  expect(await page.locator("html").getAttribute("lang")).toBe(lang);
});

test.for([
  { count: 12, view: { width: 1366, height: 768 } },
  { count: 3, view: HD },
  { count: 16, view: { width: 1080, height: 1920 } },
])("a last move is read whole beside clocks that show hours: $count tables at $view.width x $view.height", async ({ count, view }) => {
  await server.close();
  server = await serve((hall = new FakeHall(count)));
  const lines = [["f3", "e5", "g4", "Qh4#"], ["e4", "e5", "Nf3", "Nc6", "Bc4", "Bc5", "O-O"], ["e4"]];
  for (let number = 1; number <= count; number += 1) {
    const line = lines[number % 3]!;
    hall.seen(hall.id(number), line, number % 2 === 0 ? line.length - 1 : line.length);
  }
  await open("/", view);
  expect(await page.locator("#tables").getAttribute("data-shape")).toBe("tall");
  const found = await page.locator(".tile .last").evaluateAll((all) =>
    all.map((last) => {
      const [place, san, count] = [last, ...["san", "count"].map((name) => last.querySelector(`.${name}`)!)].map((one) => one.getBoundingClientRect()) as [DOMRect, DOMRect, DOMRect];
      const sign = last.querySelector(".san")!;
      return {
        whole: san.right <= place.right + 1 && san.top >= place.top - 1 && sign.scrollWidth <= sign.clientWidth,
        // Beside the move, or out of sight.
        number: count.top >= place.bottom - 1 || (count.right <= san.left + 1 && count.left >= place.left),
      };
    }),
  );
  expect(found).toEqual(Array.from({ length: count }, () => ({ whole: true, number: true })));
});

test("a wall is light: 120 KB at most beside the men", async () => {
  const sizes: number[] = [];
  page = await browser.open("about:blank");
  page.on("response", async (answer) => {
    if (!/(white|black)-\w+-/.test(answer.url())) sizes.push((await answer.body().catch(() => Buffer.of())).length);
  });
  await page.goto(server.address);
  await page.locator(".tile .clock").first().waitFor();
  await page.waitForLoadState("networkidle");
  expect(sizes.length).toBeGreaterThan(3);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(120 * 1024);
});

test("a screen nobody attends to has no controls, and takes its daemon's new pages by itself", async () => {
  await open("/?kiosk");
  expect(await page.locator(".bar button:visible").count()).toBe(0);
  let isLoaded = false;
  page.on("load", () => (isLoaded = true));
  const { port } = server;
  await server.close();
  server = await serve((hall = new FakeHall(3)), port, "another build");
  await vi.waitFor(() => expect(isLoaded).toBe(true), SOON);
  await page.locator(".tile .clock").first().waitFor();
});

async function open(path: string, view: View = HD): Promise<void> {
  page = await browser.open(server.address + path, { still: true, ...view });
  await page.locator("html.known").waitFor();
}

/** The numbers of the tables that are seen, in order. */
function shown(): Promise<number[]> {
  return page.locator(".tile:not([hidden])").evaluateAll((tiles) => tiles.map((tile) => Number((tile as HTMLElement).dataset["table"]!.split("/").at(-1))));
}

/** Runs in the page: who is moved by the browser itself. */
function watchSlides(): void {
  const slid: string[] = [];
  Object.assign(globalThis, { slid });
  const plain = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    slid.push(this.className.replace(" anim", ""));
    return plain.apply(this, how);
  };
}
