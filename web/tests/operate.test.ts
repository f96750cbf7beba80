// The operator's page in a real browser, against the real daemon with virtual boards. One house for all of it: what a test
// changes, the next one finds.

import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { brokenRules } from "./axe";
import { Browser, HD, LAPTOP, PHONE, SOON, type View } from "./browser";
import { House } from "./daemon";

type Opened = Awaited<ReturnType<Browser["open"]>>;

let browser: Browser;
let house: House;
let page: Opened;

beforeAll(async () => {
  browser = await Browser.launch();
  house = await House.serve(3);
  page = await operator();
});
afterAll(async () => {
  await browser.close();
  await house?.close();
});
afterEach(() => expect(page.complaints.splice(0).filter((words) => !/409|400|ERR_CONNECTION/.test(words))).toEqual([]));

test("boards are listed with port and contact, and the one whose kings are lifted lights up", async () => {
  await sees(row("20002"), "board-2 · ");
  expect(await page.locator(".board-row.lifted").count()).toBe(0);
  house.boards[1]!.type("lift e1", "lift e8");
  await page.locator(".board-row.lifted").filter({ hasText: "20002" }).waitFor(SOON);
  expect(await page.locator("#said").textContent()).toBe("This is board 20002, at table 2.");
  expect(await brokenRules(page)).toEqual([]);
  house.boards[1]!.type("place e8 k", "place e1 K");
});

test("a board is put at a table by its number, by two taps and by dragging, and each is taken back", async () => {
  const at = (number: number) => page.locator(`.target[data-table="${house.table(number)}"]`);
  await row("20001").getByLabel("Table of board 20001").fill("2");
  await page.keyboard.press("Enter");
  await sees(at(2), "20001");
  await sees(at(1), "20002");
  await page.locator("#told").filter({ hasText: "boards 20001 and 20002 have changed places" }).waitFor();
  await page.locator("#undo").click();
  await sees(at(1), "20001");

  await row("20003").locator(".grip").click();
  await page.getByRole("button", { name: "Put board 20003 on table 1" }).click();
  await sees(at(1), "20003");
  await page.locator(".bar h1").click();
  await page.keyboard.press("u");
  await sees(at(3), "20003");

  await row("20002").dragTo(at(3));
  await sees(at(3), "20002");
  await sees(at(2), "20003");
  await page.keyboard.press("u");
  await sees(at(2), "20002");
});

test("what is refused is said, and nothing is offered to be taken back", async () => {
  await row("20001").getByLabel("Table of board 20001").fill("0");
  await page.keyboard.press("Enter");
  await page.locator("#done.refused").filter({ hasText: "TABLE" }).waitFor();
  expect(await page.locator("#undo").isVisible()).toBe(false);
});

test("a board that is pulled out is told with its time, and is there again by itself", async () => {
  house.boards[2]!.type("unplug 2");
  await sees(row("20003"), "not heard for");
  await sees(row("20003"), "no contact");
  await page.locator(".sum").filter({ hasText: "All 3 boards are heard." }).waitFor(SOON);
  await sees(row("20003"), "lost 1 time");
});

test("whoever is no operator is told how to become one, on a page that leads on", async () => {
  const stranger = await Browser.launch();
  const shut = await stranger.open(`${house.address}/operate`, LAPTOP);
  await shut.locator("#outside").filter({ hasText: "This page is for the operator" }).waitFor();
  expect(await brokenRules(shut)).toEqual([]);
  expect(await shut.locator("#inside").isVisible()).toBe(false);
  await stranger.close();
});

test("no rule of WCAG AA that a machine can check is broken, in any colours and at twice the size", async () => {
  for (const [theme, view] of LOOKS) {
    await page.evaluate((name) => (document.documentElement.dataset["theme"] = name), theme);
    await page.setViewportSize(view);
    expect(await brokenRules(page), `${theme} at ${view.width}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${theme} at ${view.width}`).toBeLessThanOrEqual(view.width);
  }
});

const LOOKS: [string, View][] = [
  ["dark", HD],
  ["light", PHONE],
  ["contrast", LAPTOP],
  ["light", { width: LAPTOP.width / 2, height: LAPTOP.height / 2 }],
];

async function operator(): Promise<Opened> {
  const page = await browser.open(`${house.address}/#token=${house.token}`, { ...LAPTOP, still: true });
  await page.locator(".board-row").nth(2).waitFor();
  return page;
}

function row(board: string) {
  return page.locator(".board-row").filter({ hasText: board });
}

async function sees(place: ReturnType<Opened["locator"]>, words: string): Promise<void> {
  await vi.waitFor(async () => expect(await place.textContent()).toContain(words), SOON);
}
