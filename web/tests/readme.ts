// The README's picture, taken from the demo in its middlegame: `make screenshots`.

import { resolve } from "node:path";

import { expect, test } from "vitest";

import { Browser } from "./browser";
import { House } from "./daemon";

const PICTURE = resolve(import.meta.dirname, "../../docs/wall.png");
/** People see it at 900 pixels or so: sharp on a good screen, and light enough for a bad line. */
const SIZE = { width: 1600, height: 900 };
const LIGHT_ENOUGH = 300 * 1024;
/** From here on the boards look less like an opening book; some moves later the first games are over. */
const MIDDLEGAME = 9;

test("the picture of the wall", async () => {
  const browser = await Browser.launch();
  const house = await House.demo("--boards", "8", "--speed", "8");
  try {
    // Still: a man half way between two squares looks like a mistake in a picture.
    const page = await browser.open(house.address, { ...SIZE, still: true });
    const isPicturesque = (move: number) => {
      const tiles = [...document.querySelectorAll<HTMLElement>(".tile")];
      const isOn = (tile: HTMLElement) =>
        tile.dataset["mood"] === "playing" && parseInt(tile.querySelector(".count")?.textContent ?? "") >= move;
      return tiles.length === 8 && tiles.every(isOn) && document.querySelectorAll(".tile .san.provisional").length >= 2;
    };
    await page.waitForFunction(isPicturesque, MIDDLEGAME, { timeout: 500_000, polling: 100 });
    const picture = await page.screenshot({ path: PICTURE });
    expect(picture.length).toBeLessThan(LIGHT_ENOUGH);
    expect(page.complaints).toEqual([]);
  } finally {
    await house.close();
    await browser.close();
  }
});
