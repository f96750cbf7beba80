// What is printed, as Chromium prints it: on A4, whole, and nothing cut off at the edge.

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";

import { Browser } from "./browser";
import { House } from "./daemon";

/** What is left of 210 mm between the margins, and of 297 on a sheet that lies, in the browser's pixels. */
const STANDING = { width: 688, height: 1000 };
const LYING = { width: 1032, height: 700 };

let house: House;
let browser: Browser;

beforeAll(async () => {
  [house, browser] = await Promise.all([House.serve(1), Browser.launch()]);
  const players = Array.from({ length: 120 }, (_, at) => `Featherstonehaugh-Vasconcelos ${at + 1}, Maximiliane Rosalinde`);
  await house.pair("Spring Open", players);
  for (const [number, score] of [[2, "1-0"], [3, "-/+"], [4, "1/2-1/2"]] as const) {
    await house.order({ table: `spring-open/1/${number}`, command: "result", result: score });
  }
  house.boards[0]!.type("move e2e4", "move e7e5", "move g1f3");
  await house.until((tables) => tables.some(({ final }) => final === 3));
  await house.order({ table: "spring-open/1/1", command: "adjourn" });
});

afterAll(async () => {
  await browser.close();
  await house.close();
});

test.each([
  ["report/spring-open/1", STANDING, 5, "Featherstonehaugh-Vasconcelos 119"],
  ["sheet/spring-open/1", STANDING, 1, "Nf3"],
  ["clocks/spring-open/1", LYING, 3, "Featherstonehaugh-Vasconcelos 119"],
  ["envelope/spring-open/1/1", STANDING, 1, "Sealed by"],
])("/%s is printed whole on A4", async (path, sheet, most, said) => {
  const page = await opened(path);
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
  const [width, height] = sheet === LYING ? [842, 595] : [595, 842];
  const boxes = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, ...size]) => size.map(Number));
  expect(boxes.length).toBeGreaterThan(0);
  expect(boxes.length).toBeLessThanOrEqual(most);
  for (const [wide, high] of boxes) expect([Math.round(wide!), Math.round(high!)]).toEqual([width, height]);
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize(sheet);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(sheet.width);
  expect(await page.locator("body").innerText()).toContain(said);
  await page.close();
});

/** A paper, as the operator's browser has it. */
async function opened(path: string): Promise<Page> {
  const page = await browser.open(`${house.address}/feed`);
  await page.setExtraHTTPHeaders({ authorization: `Bearer ${house.token}` });
  await page.goto(`${house.address}/${path}`);
  return page;
}
