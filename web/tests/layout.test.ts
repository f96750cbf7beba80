// What fits where, and whether it can be read.

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { serve } from "../dev/server";
import { brokenRules } from "./axe";
import { Browser, HD, PHONE, UHD, type View } from "./browser";
import { evening } from "./evening";

const FAR = 0.03;

let browser: Browser;
beforeAll(async () => void (browser = await Browser.launch()));
afterAll(() => browser.close());

describe.each([1, 8, 12, 24, 40])("a wall of %i", (count) => {
  test.each([HD, UHD])("fills $width x $height without scrolling, nothing cut off", async (view) => {
    await open(count, "/", view, async (page) => {
      const found = await page.evaluate(() => {
        const root = document.documentElement;
        const tiles = [...document.querySelectorAll(".tile:not([hidden])")];
        const cut = (tile: Element) => tile.scrollHeight > tile.clientHeight + 1 || tile.scrollWidth > tile.clientWidth + 1;
        const clocks = [...document.querySelectorAll<HTMLElement>(".clock")].filter((clock) => clock.offsetWidth > 0);
        return {
          scrolls: root.scrollHeight > innerHeight || root.scrollWidth > innerWidth,
          cut: tiles.filter(cut).map((tile) => tile.getAttribute("data-table")),
          clocksCut: clocks.filter((clock) => clock.scrollWidth > clock.clientWidth + 1).length,
          smallest: Math.min(...[...document.querySelectorAll(".name")].map((name) => parseFloat(getComputedStyle(name).fontSize))),
        };
      });
      expect(found).toMatchObject({ scrolls: false, cut: [], clocksCut: 0 });
      expect(found.smallest).toBeGreaterThanOrEqual(13);
    });
  });
});

test.each([
  [1, HD, "/"],
  [8, HD, "/"],
  [12, HD, "/"],
  [14, HD, "/"],
  [40, HD, "/"],
  [8, PHONE, "/"],
  [8, PHONE, "/table"],
] as const)("digits of running clocks among %i tables on %o at %s stand 3 %% of its height", async (count, view, path) => {
  await open(count, path, view, async (page) => {
    const heights = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>(".running .clock")].filter((clock) => clock.offsetWidth > 0).map((clock) => {
        const style = getComputedStyle(clock);
        const pen = document.createElement("canvas").getContext("2d")!;
        pen.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
        return pen.measureText("0").actualBoundingBoxAscent;
      }),
    );
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(view.height * FAR);
  });
});

test.each(["/", "/table", "/feed"])("%s does not scroll sideways on a phone", async (path) => {
  await open(8, path, PHONE, async (page) => {
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
  });
});

describe.each(["dark", "light"] as const)("in %s", (scheme) => {
  test.each([
    ["/", HD],
    ["/", PHONE],
    ["/table", HD],
    ["/table", PHONE],
    ["/feed", HD],
  ] as const)("%s breaks no rule of WCAG AA that a machine can check", async (path, view) => {
    await open(8, path, { ...view, scheme }, async (page) => {
      expect(await brokenRules(page)).toEqual([]);
    });
  });
});

type Look = (page: Awaited<ReturnType<Browser["open"]>>) => Promise<void>;

async function open(count: number, path: string, view: View, look: Look): Promise<void> {
  const hall = evening(count);
  const server = await serve(hall);
  const page = await browser.open(server.address + (path === "/table" ? `/table/${hall.id(1)}` : path), { ...view, still: true });
  try {
    await page.locator(".clock:not(:empty), .frames li").first().waitFor();
    await look(page);
  } finally {
    await page.close();
    await server.close();
  }
}
