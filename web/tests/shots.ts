// Pictures of every page for people to look at: `SHOTS=folder npm run shots`.

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { PLAYERS } from "../dev/games";
import { serve, type FakeServer } from "../dev/server";
import { Browser, HD, LAPTOP, LYING, PHONE, type View } from "./browser";
import { House } from "./daemon";
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

/** The operator's page has boards to look after, so it is shown with some. */
test("pictures of the operator's page", async () => {
  if (ONLY && !/operate/.test(ONLY)) return;
  const house = await House.box(8);
  try {
    await house.pair("Spring Open", PLAYERS.map(([name]) => name));
    await house.until((tables) => tables.filter(({ table, link }) => table.startsWith("spring-open/1/") && link === "up").length === 8);
    house.boards[2]!.type("unplug 600");
    house.boards[4]!.type("lift g1", "place g3 N");
    for (const number of [0, 1, 5]) house.boards[number]!.type("move e2e4", "move e7e5", "move g1f3");
    const table = (await house.until((tables) => tables.filter(({ final }) => final === 3).length === 3)).find(({ final }) => final === 3)!;
    await house.order({ table: table.table, command: "result", result: "1/2-1/2" });
    for (const [size, view] of Object.entries(SIZES)) {
      for (const scheme of ["dark", "light"] as const) {
        const page = await browser.open(`${house.address}/#token=${house.token}`, { ...view, scheme });
        await page.locator(".board-row").nth(7).waitFor();
        for (const panel of ["boards", "rounds", "results", "air", "invitations"]) {
          await page.evaluate((name) => (location.hash = name), panel);
          if (panel === "boards") house.boards[6]!.type("lift e1", "lift e8");
          if (panel === "rounds") await page.getByLabel("Typed or pasted").fill("1  Okafor, Ada – Lindqvist, Jonas\n2  Polgár, Judit – Carlsen, Magnus");
          if (panel === "rounds") await page.getByLabel("Event", { exact: true }).fill("spring-open");
          if (panel === "rounds") await page.locator(".fields").getByLabel("Round").fill("2");
          if (panel === "results") await page.locator(".result-row").first().click();
          if (panel === "invitations") await page.getByRole("button", { name: "Make a code" }).click();
          await page.waitForTimeout(1_300);
          await page.screenshot({ path: join(FOLDER, `operate-${panel}-${size}-${scheme}.png`) });
          if (panel === "boards") house.boards[6]!.type("place e8 k", "place e1 K");
        }
        await page.close();
      }
    }
  } finally {
    await house.close();
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
