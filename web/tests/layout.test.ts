// What fits where, and whether it can be read.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

import type { FakeHall } from "../dev/hall";
import { serve, type FakeServer } from "../dev/server";
import { brokenRules } from "./axe";
import { Browser, HD, LAPTOP, LYING, PHONE, SOON, UHD, type Opened, type View } from "./browser";
import { call, evening } from "./evening";

/** A screen that stands upright. */
const UPRIGHT: View = { width: 1080, height: 1920 };
/** A laptop's window at four times its usual size. */
const NARROW: View = { width: 320, height: 640 };
/** What a window of these sizes shows at twice its usual size. */
const TWICE = [HD, LAPTOP].map(({ width, height }) => ({ width: width / 2, height: height / 2 }));

let browser: Browser;
let hall: FakeHall;
let server: FakeServer;
let page: Opened | undefined;

beforeAll(async () => void (browser = await Browser.launch()));
afterAll(() => browser.close());
afterEach(async () => {
  await page?.close();
  page = undefined;
  await server.close();
});

describe.each([1, 8, 12, 24, 60])("a wall of %i", (count) => {
  beforeEach(() => begin(count));

  test("fills every screen, nothing cut off, and the board is the tile", async () => {
    page = await open("/", HD);
    for (const view of [HD, UHD, UPRIGHT, LAPTOP, LYING, PHONE, ...TWICE]) {
      await page.setViewportSize(view);
      await page.waitForFunction(() => document.querySelector(".wall")!.clientWidth === innerWidth);
      const found = await page.evaluate(async () => {
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        const root = document.documentElement;
        const tiles = [...document.querySelectorAll<HTMLElement>(".tile:not([hidden])")];
        const within = (inner: DOMRect, outer: DOMRect) =>
          inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
        const parts = (tile: Element) => [...tile.querySelectorAll<HTMLElement>(".clock, .score, .board, .number, .who")].filter((part) => part.offsetWidth > 0);
        const cut = (tile: Element) => parts(tile).some((part) => !within(part.getBoundingClientRect(), tile.getBoundingClientRect()));
        const side = (tile: HTMLElement) => tile.querySelector(".board")!.clientWidth / Math.min(tile.clientWidth, tile.clientHeight);
        const overlap = tiles.some((tile, at) => tiles.slice(at + 1).some((next) => {
          const [a, b] = [tile.getBoundingClientRect(), next.getBoundingClientRect()];
          return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        }));
        const clocks = [...document.querySelectorAll<HTMLElement>(".clock")].filter((clock) => clock.offsetWidth > 0);
        return {
          inHand: document.body.classList.contains("in-hand"),
          wide: root.scrollWidth > innerWidth,
          high: root.scrollHeight > innerHeight,
          shown: tiles.length > 0,
          overlap,
          cut: tiles.filter(cut).map((tile) => tile.dataset["table"]),
          clocksCut: clocks.filter((clock) => clock.scrollWidth > clock.clientWidth + 1).length,
          text: Math.min(...tiles.map((tile) => parseFloat(getComputedStyle(tile.querySelector(".name")!).fontSize))),
          name: Math.min(Infinity, ...tiles.flatMap((tile) => [...tile.querySelectorAll<HTMLElement>(".name")].filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.clientWidth))),
          side: Math.min(...tiles.map(side)),
          paged: tiles.length < document.querySelectorAll(".tile").length,
          pager: document.querySelector<HTMLElement>("#later")!.offsetWidth,
          event: document.querySelector<HTMLElement>("#event")!.offsetWidth,
        };
      });
      const named = `${view.width} x ${view.height}`;
      expect(found, named).toMatchObject({ wide: false, shown: true, overlap: false, cut: [], clocksCut: 0 });
      expect(found.event, `the event's name at ${named}`).toBeGreaterThan(90);
      expect(found.high && !found.inHand, named).toBe(false);
      expect(found.text, named).toBeGreaterThanOrEqual(13);
      expect(found.name, `a name that is cut off at ${named} is more than its first letter`).toBeGreaterThanOrEqual(36);
      if (count >= 12) expect(found.side, named).toBeGreaterThanOrEqual(0.75);
      expect(found.paged, `pages at ${named} have a control`).toBe(found.pager > 0);
    }
    expect(page.complaints).toEqual([]);
  });
});

describe("with eight tables", () => {
  beforeEach(async () => {
    await begin(8);
    call(hall);
  });

  test.each(["/", "/table", "/feed", "/console"])("%s does not scroll sideways on a phone, nor on the narrowest screen", async (path) => {
    page = await open(path, PHONE);
    const wide = () => page!.evaluate(() => document.documentElement.scrollWidth);
    for (const view of [PHONE, NARROW]) {
      await page.setViewportSize(view);
      await vi.waitFor(async () => expect(await wide()).toBeLessThanOrEqual(view.width), SOON);
    }
  });

  test.each([["en"], ["de"], ["es"]])("a table with several games has room on the narrowest screen, every control of it, in %s", async (lang) => {
    hall.end(hall.id(1), "1/2-1/2");
    hall.start(hall.id(1), 2);
    page = await open(`/table/${hall.id(1)}?lang=${lang}`, NARROW);
    await page.locator("#games").waitFor();
    const cut = () =>
      page!.evaluate(() => [
        ...(document.documentElement.scrollWidth > innerWidth ? ["the page"] : []),
        ...[...document.querySelectorAll<HTMLElement>(".bar :is(a, button, select)")].filter((one) => one.getBoundingClientRect().right > innerWidth).map(({ id }) => id),
      ]);
    await vi.waitFor(async () => expect(await cut()).toEqual([]), SOON);
  });

  const LOOKS = [["dark", HD], ["dark", PHONE], ["light", HD], ["light", TWICE[1]!], ["contrast", LAPTOP]] as const;

  test.each(["/", "/table", "/feed", "/console"])("%s breaks no rule of WCAG AA that a machine can check, in any colours and at twice the size", async (path) => {
    page = await open(path, HD);
    for (const [theme, view] of LOOKS) {
      await page.evaluate((name) => (document.documentElement.dataset["theme"] = name), theme);
      await page.setViewportSize(view);
      // Tiles find their places a moment after the window has another size.
      await vi.waitFor(async () => expect(await brokenRules(page!), `${theme} at ${view.width}`).toEqual([]), SOON);
    }
  });
});

async function begin(count: number): Promise<void> {
  hall = evening(count);
  server = await serve(hall);
}

async function open(path: string, view: View): Promise<Opened> {
  const opened = await browser.open(server.address + (path === "/table" ? `/table/${hall.id(1)}` : path), { ...view, still: true });
  await opened.locator(".clock:not(:empty), .frames li").first().waitFor();
  return opened;
}
