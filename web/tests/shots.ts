// Pictures of every page for people to look at: `SHOTS=folder npm run shots`.

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { serve, type FakeServer } from "../dev/server";
import { Browser, HD, LAPTOP, LYING, PHONE, type View } from "./browser";
import { call, evening } from "./evening";

const FOLDER = process.env["SHOTS"] ?? "dist/shots";
const ONLY = process.env["ONLY"] ?? "";
const SIZES: Record<string, View> = { hd: HD, laptop: LAPTOP, phone: PHONE, lying: LYING };

let browser: Browser;
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  browser = await Browser.launch();
});
afterAll(() => browser.close());

test("pictures", async () => {
  for (const count of [1, 8, 24, 60]) {
    const hall = evening(count);
    const server = await serve(hall);
    for (const [size, view] of Object.entries(SIZES)) {
      for (const scheme of ["dark", "light"] as const) {
        await picture(server, "/", { ...view, scheme }, `wall-${count}-${size}-${scheme}`);
        if (count === 8) {
          await picture(server, `/table/${hall.id(1)}`, { ...view, scheme }, `table-${size}-${scheme}`);
          await picture(server, `/table/${hall.id(4)}`, { ...view, scheme }, `table-ended-${size}-${scheme}`);
          await picture(server, "/feed", { ...view, scheme }, `feed-${size}-${scheme}`);
          await picture(server, "/feed#rules", { ...view, scheme }, `feed-rules-${size}-${scheme}`);
          call(hall);
          await picture(server, "/console", { ...view, scheme }, `console-${size}-${scheme}`);
          await picture(server, "/console#open", { ...view, scheme }, `console-open-${size}-${scheme}`);
          await picture(server, "/feed#changes", { ...view, scheme }, `feed-changes-${size}-${scheme}`);
        }
      }
    }
    await server.close();
  }
});

async function picture(server: FakeServer, path: string, view: View, name: string): Promise<void> {
  if (ONLY && !new RegExp(ONLY).test(name)) return;
  const page = await browser.open(server.address + path, view);
  await page.waitForFunction(() => document.querySelector(".clock:not(:empty), .frames li") !== null);
  if (path === "/console#open") await page.locator(".card").first().getByRole("button", { name: "Look" }).click();
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(FOLDER, `${name}.png`) });
  expect(page.complaints).toEqual([]);
  await page.close();
}
