// Pictures of every page for people to look at: `SHOTS=folder npm run shots`.

import { mkdirSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { FakeHall } from "../dev/hall";
import { serve, type FakeServer } from "../dev/server";
import { GAMES } from "../dev/games";
import { Browser, HD, PHONE, UHD, type View } from "./browser";

const FOLDER = process.env["SHOTS"] ?? "dist/shots";
const ONLY = process.env["ONLY"] ?? "";
const SIZES: Record<string, View> = { hd: HD, phone: PHONE, uhd: UHD };

let browser: Browser;
beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  browser = await Browser.launch();
});
afterAll(() => browser.close());

test("pictures", async () => {
  for (const count of [1, 8, 12, 40]) {
    const hall = evening(count);
    const server = await serve(hall);
    for (const [size, view] of Object.entries(SIZES)) {
      for (const scheme of ["dark", "light"] as const) {
        await picture(server, "/", { ...view, scheme }, `wall-${count}-${size}-${scheme}`);
        if (count === 8) {
          await picture(server, `/table/${hall.id(1)}`, { ...view, scheme }, `table-${size}-${scheme}`);
          await picture(server, `/table/${hall.id(4)}`, { ...view, scheme }, `table-ended-${size}-${scheme}`);
          await picture(server, "/feed", { ...view, scheme }, `feed-${size}-${scheme}`, true);
        }
      }
    }
    await server.close();
  }
});

async function picture(server: FakeServer, path: string, view: View, name: string, whole = false): Promise<void> {
  if (ONLY && !new RegExp(ONLY).test(name)) return;
  const page = await browser.open(server.address + path, view);
  await page.waitForFunction(() => document.querySelector(".clock:not(:empty), .frames li") !== null);
  await page.waitForTimeout(400);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: whole });
  expect(page.complaints).toEqual([]);
  await page.close();
}

/** Something of everything that can happen at a table. */
export function evening(count: number): FakeHall {
  const hall = new FakeHall(count);
  for (let number = 1; number <= count; number += 1) {
    const id = hall.id(number);
    const game = GAMES[(number - 1) % GAMES.length]!;
    const ended = number % 8 === 4 || number % 13 === 11;
    const plies = ended ? game.length : 9 + ((number * 7) % (game.length - 12));
    const turn = plies % 2 === 0 ? "white" : "black";
    const short = number % 7 === 5;
    hall.clock(id, short ? 41_000 : 5_000_000 - number * 71_300, short ? 9_400_000 : 3_400_000 - number * 53_900, turn);
    hall.seen(id, game.slice(0, plies), number % 4 === 1 ? plies - 1 : plies);
    if (ended) hall.end(id, number % 13 === 11 ? "1/2-1/2" : "1-0");
    if (number % 9 === 6) hall.link(id, "down");
    if (number % 9 === 7) hall.hold(id, true);
  }
  return hall;
}
