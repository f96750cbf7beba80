// Boards over somebody else's picture.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import type { FakeHall } from "../dev/hall";
import { serve, type FakeServer } from "../dev/server";
import { brokenRules } from "./axe";
import { Browser, HD, menOn, SOON, type Opened, type View } from "./browser";
import { evening } from "./evening";

let browser: Browser;
let hall: FakeHall;
let server: FakeServer;
let page: Opened;

beforeAll(async () => void (browser = await Browser.launch()));
afterAll(() => browser.close());
beforeEach(async () => {
  hall = evening(8);
  server = await serve(hall);
});
afterEach(async () => {
  expect(page.complaints).toEqual([]);
  await page.close();
  await server.close();
});

test("one board has the size it was asked for, and nothing behind it", async () => {
  await open(`/overlay/${hall.id(2)}?board=480&show=board,names,clocks&below=black`);
  const board = await page.locator(".board").boundingBox();
  expect([board?.width, board?.height]).toEqual([480, 480]);
  expect(await page.locator(".title:visible, .rating:visible, .number:visible, a:visible, button:visible").count()).toBe(0);
  expect(await page.locator(".name:visible").count()).toBe(2);
  await page.locator(".cg-wrap.orientation-black").waitFor();
  // Squares are named as if White sat below, so this is d1.
  await vi.waitFor(async () => expect((await menOn(page, ".surface"))["e8"]).toBe("white queen"), SOON);
  expect(await brokenRules(page)).toEqual([]);
  const seen = await page.screenshot({ omitBackground: true, clip: { x: 1_800, y: 900, width: 1, height: 1 } });
  const clear = await page.evaluate(async (base64) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]));
    const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d")!;
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, 1, 1).data[3];
  }, seen.toString("base64"));
  expect(clear).toBe(0);
});

test("without a size both players are in the picture, however low that is", async () => {
  await open(`/overlay/${hall.id(2)}`, { width: 1280, height: 720 });
  const board = async () => (await page.locator(".board").boundingBox())!.width;
  const lower = () => page.locator(".face.white").evaluate((line) => line.getBoundingClientRect().bottom);
  await vi.waitFor(async () => expect(await lower()).toBeLessThanOrEqual(720), SOON);
  expect(await board()).toBeGreaterThanOrEqual(580);
  await page.setViewportSize(HD);
  await vi.waitFor(async () => expect(await board()).toBe(640), SOON);
  await page.setViewportSize({ width: 800, height: 450 });
  await vi.waitFor(async () => expect(await lower()).toBeLessThanOrEqual(450), SOON);
});

test("names at a board's side have room, and a ground to be read on", async () => {
  await open(`/overlay/${hall.id(2)}?shape=beside&board=480&show=board,names,titles,ratings,clocks,numbers,last`, { width: 1280, height: 720 });
  const whole = await page.locator(".name").evaluateAll((names) => names.map((name) => name.scrollWidth <= name.clientWidth && name.getBoundingClientRect().right <= innerWidth));
  expect(whole).toEqual([true, true]);
  expect(await page.locator(".rating:visible").count()).toBe(2);
  const grounds = await page.locator(".face, .number, .last, .state").evaluateAll((lines) => lines.map((line) => getComputedStyle(line).backgroundColor));
  expect(grounds).not.toContain("rgba(0, 0, 0, 0)");
});

test("the last move has a line under the board, alone or with everything else", async () => {
  hall.seen(hall.id(2), ["e4", "c5", "Nf3"]);
  for (const show of ["last", "board,names,titles,ratings,clocks,numbers,last"]) {
    for (const shape of ["row", "beside"]) {
      await open(`/overlay/${hall.id(2)}?shape=${shape}&board=480&show=${show}`, { width: 1280, height: 720 }, ".last");
      const last = page.locator(".last");
      await vi.waitFor(async () => expect(await last.textContent()).toBe("2. Nf3"), SOON);
      const place = (await last.boundingBox())!;
      expect(place.width).toBeGreaterThan(20);
      expect(place.y + place.height).toBeLessThanOrEqual(720);
      const others = await page.locator(".surface, .face").evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()).filter(({ height }) => height > 0).map(({ top, bottom, left, right }) => ({ top, bottom, left, right })));
      for (const { top, bottom, left, right } of others) expect(place.y >= bottom - 1 || place.y + place.height <= top + 1 || place.x >= right - 1 || place.x + place.width <= left + 1).toBe(true);
      await page.close();
    }
  }
  await open(`/overlay/${hall.id(2)}?board=480`);
  expect(await page.locator(".last:visible").count()).toBe(0);
});

test("an address no table could have says so, and how one is written", async () => {
  for (const path of ["%E0%A4%A", "nothing", "a%2Fb/1/2"]) {
    await open(`/overlay/${path}`, { width: 390, height: 844 }, ".lost-way");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await page.locator("main").innerText()).toContain("/overlay/EVENT/ROUND/TABLE");
    expect(await brokenRules(page)).toEqual([]);
    await page.close();
  }
  await open("/overlay?tables=1");
});

test("several boards stand side by side, or only their clocks", async () => {
  await open("/overlay?tables=5,1-3&columns=4&board=320");
  const lefts = () => page.locator(".tile").evaluateAll((tiles) => tiles.map((tile) => [(tile as HTMLElement).dataset["table"]!.split("/")[2], tile.getBoundingClientRect().top]));
  await vi.waitFor(async () => expect(await lefts()).toEqual([["5", 0], ["1", 0], ["2", 0], ["3", 0]]), SOON);
  await page.close();
  await open("/overlay?tables=1&show=names,clocks");
  expect(await page.locator(".surface:visible").count()).toBe(0);
  expect(await page.locator(".clock:visible").count()).toBe(2);
});

test("a table that is taken away is gone, and those that stay are not touched, whatever happens at others", async () => {
  await open("/overlay?tables=1-2&columns=2&board=320");
  await page.evaluate(() => new MutationObserver((found) => (document.title = `${found.length} touches`)).observe(document.querySelector("#tables")!, { childList: true }));
  hall.seen(hall.id(5), ["d4", "d5", "c4"]);
  hall.seen(hall.id(1), ["e4", "c5"]);
  await vi.waitFor(async () => expect((await menOn(page, `[data-table="${hall.id(1)}"] .surface`))["c5"]).toBe("black pawn"), SOON);
  expect(await page.title()).not.toContain("touches");
  hall.tell(hall.id(2), { gone: true });
  hall.seen(hall.id(1), ["e4", "c5", "Nf3"]);
  await vi.waitFor(async () => expect((await menOn(page, ".surface"))["f3"]).toBe("white knight"), SOON);
  expect(await page.locator(".tile").count()).toBe(1);
});

async function open(path: string, view: View = HD, sign = ".tile .clock"): Promise<void> {
  page = await browser.open(server.address + path, { ...view, still: true });
  await page.locator(sign).first().waitFor();
}
