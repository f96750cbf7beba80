// The demo in a real browser: what a newcomer sees first.

import { afterAll, beforeAll, expect, test } from "vitest";

import { brokenRules } from "./axe";
import { Browser, HD, PHONE, type View } from "./browser";
import { House } from "./daemon";

const PAGES = ["/", "/table/rehearsal/1/5", "/feed"];
const LOOKS: View[] = [{ ...HD, scheme: "dark" }, { ...PHONE, scheme: "light" }];

let browser: Browser;
let house: House;

beforeAll(async () => {
  browser = await Browser.launch();
  house = await House.demo("--boards", "8");
});
afterAll(async () => {
  await browser.close();
  await house?.close(); // None where it could not be opened.
});

// Pages are looked through by axe while eight games are played.
test("has eight tables with names, and no page of it complains, scrolls sideways or breaks a rule of WCAG AA", { timeout: 120_000 }, async () => {
  await house.until((tables) => tables.filter(({ white, line }) => white?.name && line.length > 1).length === 8);
  for (const path of PAGES) {
    for (const look of LOOKS) {
      const name = `${path} at ${look.width} in ${look.scheme}`;
      const page = await browser.open(house.address + path, { ...look, still: true });
      await page.locator(".clock:not(:empty), .frames li").first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(look.width);
      expect(await brokenRules(page), name).toEqual([]);
      expect(page.complaints, name).toEqual([]);
      if (path === "/") {
        expect(await page.locator(".tile").count()).toBe(8);
        const names = await page.locator(".tile .name").allTextContents();
        expect(names.filter((who) => ["", "White", "Black"].includes(who))).toEqual([]);
      }
      await page.close();
    }
  }
});
