// The built pages in a real browser, against the real daemon and virtual boards: from a hand to a screen.

import { text } from "node:stream/consumers";

import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { digits } from "../src/clock";
import { brokenInAnyLook } from "./axe";
import { Browser, HD, menOn, PHONE, SOON, type Opened, type View } from "./browser";
import { House } from "./daemon";

let browser: Browser;
let house: House;
let pages: Opened[] = [];

beforeAll(async () => void (browser = await Browser.launch()));
afterAll(() => browser.close());

afterEach(async () => {
  const complaints = pages.flatMap((page) => page.complaints.filter((words) => !words.includes("ERR_CONNECTION")));
  for (const page of pages) await page.close();
  pages = [];
  await house?.close(); // None where the first one could not be opened.
  expect(complaints).toEqual([]);
});

test("a move is provisional on wall and table until the clock is pressed, and its clock is there", async () => {
  house = await House.serve(2);
  const [board] = house.boards;
  const [wall, table] = [await open("/"), await open(tablePath(1))];
  board!.type("move e2e4");
  await seesMoves(table, ["e4"], []);

  board!.type("lift e7", "place e5 p");
  await seesMoves(table, ["e4"], ["e5"]);
  await vi.waitFor(async () => {
    expect(await wall.locator(`${tile(1)} .san.provisional`).textContent()).toBe("e5");
    expect((await menOn(wall, tile(1)))["e5"]).toBe("black pawn");
    expect(await wall.locator(`${tile(1)} .provisional cg-board .last-move`).count()).toBe(2);
  }, SOON);
  expect(await table.locator("#tail").isVisible()).toBe(true);

  board!.type("press");
  await seesMoves(table, ["e4", "e5"], []);
  const [{ clock } = {}] = await house.until(([first]) => first?.clock?.running === "white");
  await vi.waitFor(async () => {
    expect(await wall.locator(`${tile(1)} .provisional`).count()).toBe(0);
    for (const [page, where] of [[wall, tile(1)], [table, ".side"]] as const) {
      expect(await page.locator(`${where} .black .clock`).textContent()).toBe(digits(clock!.black_ms));
      expect(await page.locator(`${where} .running .name`).textContent()).toBe("White");
    }
  }, SOON);
  expect(await wall.locator(`${tile(2)} .san`).textContent()).toBe("");
});

test("pages are right again by themselves after kill -9, with the same record", async () => {
  house = await House.serve(1);
  const [wall, table] = [await open("/"), await open(tablePath(1))];
  await house.order({ table: house.table(1), command: "pair", white: { name: "Okafor, Ada" }, black: { name: "Lindqvist, Jonas" } });
  house.boards[0]!.type("move e2e4", "move c7c5");
  await seesMoves(table, ["e4", "c5"], []);

  await house.kill();
  for (const page of [wall, table]) {
    await vi.waitFor(async () => expect(await page.locator("#notice").textContent()).toContain("No contact"), SOON);
  }
  await house.start();
  await vi.waitFor(async () => {
    for (const page of [wall, table]) expect(await page.locator("#notice").textContent()).toBe("");
  }, SOON);
  expect(await movesOf(table)).toEqual({ final: ["e4", "c5"], provisional: [] });
  expect(await wall.locator(`${tile(1)} .white .name`).textContent()).toBe("Okafor, Ada");
  await vi.waitFor(async () => expect((await menOn(wall, tile(1)))["c5"]).toBe("black pawn"), SOON);

  await house.until(([first]) => first?.link === "up");
  house.boards[0]!.type("move g1f3");
  await seesMoves(table, ["e4", "c5", "Nf3"], []);
});

test("an unplugged board is shown as such, and what was played in the meantime is there after it", async () => {
  house = await House.serve(1);
  const [wall, table] = [await open("/"), await open(tablePath(1))];
  house.boards[0]!.type("move e2e4");
  await seesMoves(table, ["e4"], []);
  house.boards[0]!.type("unplug 6");
  await says(wall, 1, "No contact with the board");
  await vi.waitFor(async () => expect(await table.locator("#state").textContent()).toBe("No contact with the board"), SOON);
  house.boards[0]!.type("move e7e5");
  await vi.waitFor(async () => expect(await wall.locator(`${tile(1)} .state`).textContent()).toBe("White to move"), SOON);
  await seesMoves(table, ["e4", "e5"], []);
});

test("a position nobody can explain is said to be checked, and the board on the screen keeps to the record", async () => {
  house = await House.serve(1);
  const wall = await open("/");
  house.boards[0]!.type("lift d1", "place d5 Q");
  await says(wall, 1, "Checking position");
  const men = await menOn(wall, tile(1));
  expect([men["d1"], men["d5"]]).toEqual(["white queen", undefined]);
  house.boards[0]!.type("lift d5", "place d1 Q");
  await says(wall, 1, "White to move");
});

test("a result that the operator gives is on the wall, at the table and in the game the table's page offers", async () => {
  house = await House.serve(1);
  const [wall, table] = [await open("/"), await open(tablePath(1))];
  house.boards[0]!.type("move e2e4", "move e7e5", "move g1f3");
  await seesMoves(table, ["e4", "e5", "Nf3"], []);
  await house.order({ table: house.table(1), command: "result", result: "1-0" });
  await says(wall, 1, "White won");
  expect(await wall.locator(`${tile(1)} .score`).allTextContents()).toEqual(["0", "1"]);
  await vi.waitFor(async () => expect(await table.locator("#result").textContent()).toBe("1–0"), SOON);

  await table.locator("#share").click();
  const [file] = await Promise.all([table.waitForEvent("download"), table.locator("#pgn").click()]);
  expect(file.suggestedFilename()).toBe(`${house.table(1).replaceAll("/", "-")}.pgn`);
  const pgn = await text(await file.createReadStream());
  expect(pgn).toContain('[Result "1-0"]');
  expect(pgn).toMatch(/Nf3\s+\{ ?\[%clk \d+:\d\d:\d\d\]/);
  expect(pgn.replaceAll(/\{[^}]*\}/g, "").replaceAll(/\s+/g, " ")).toMatch(/1\. ?e4 (1\.\.\. ?)?e5 2\. ?Nf3 1-0 $/);
});

test("the feed's page shows this daemon's frames, links its schema, and its client gets the moves", async () => {
  house = await House.serve(1);
  const page = await open("/feed");
  await page.locator(".frames li").filter({ hasText: '"snapshot"' }).waitFor();

  // As somebody would try it: copied from the page into the browser's own console.
  const logged: string[] = [];
  page.on("console", async (message) => logged.push(JSON.stringify(await message.args()[0]?.jsonValue())));
  await page.evaluate((await page.locator("#code").textContent())!.replace("export function", "function"));
  house.boards[0]!.type("move e2e4");
  await vi.waitFor(() => expect(logged.at(-1)).toMatch(/"san":\["e4"\](?!.*"provisional":1)/), SOON);
  await page.locator(".frames li").filter({ hasText: '"last": "e2e4"' }).waitFor();

  const schema = await page.request.get(house.address + (await page.locator('a[href="/feed/schema.json"]').getAttribute("href")));
  expect(await schema.json()).toMatchObject({ title: "Message" });
});

test("the operator's address signs in and leads to doors and passes, and its token is sent once and kept nowhere", async () => {
  house = await House.serve(1);
  const { token } = house;
  const sent: string[] = [];
  const page = await open("/");
  page.on("request", (request) => sent.push(`${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ""}`));
  await page.route("/enter", async (route) => {
    expect(await page.getByRole("link", { name: "Doors" }).count(), "nobody leaves before the cookie is there").toBe(0);
    await route.continue();
  });
  await page.goto(`${house.address}/#token=${token}`);
  await page.locator(".board-row").first().waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).hash).toBe("/operate");
  await page.getByRole("link", { name: "Doors" }).click();
  await page.locator("#doors tr").filter({ hasText: "/feed/ws" }).first().waitFor();
  expect(sent.filter((what) => what.includes(token))).toHaveLength(1);
  expect(await page.evaluate(() => document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain("escaque");

  await page.fill("#name", "Screen at the door");
  await page.getByRole("button", { name: "Make a code" }).click();
  const code = await page.locator("#invited .code").textContent();
  expect(code).toMatch(/^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/);
  await page.locator("#passes tr").filter({ hasText: "Screen at the door" }).filter({ hasText: "code good until" }).waitFor();

  // Somebody else's device: another browser, with cookies of its own.
  const device = await Browser.launch();
  try {
    const phone = await device.open(`${house.address}/join#${code}`, PHONE);
    await phone.locator(`${tile(1)} .clock`).first().waitFor();
    await page.reload();
    await page.locator("#passes tr").filter({ hasText: "Screen at the door" }).filter({ hasText: /, \d\d:\d\d/ }).waitFor();
    const revoke = page.getByRole("button", { name: "of Screen at the door" });
    await page.route("**/revoke", (route) => route.fulfill({ status: 409, json: { refused: "Not now." } }), { times: 1 });
    const listed = page.waitForResponse("**/doors.json");
    await revoke.click();
    await listed;
    await page.locator("#listeners div").first().waitFor();
    expect(await page.locator("#answer").textContent(), "it outlives the list that is fetched then").toBe("Not now.");
    page.complaints.length = 0; // Being refused is what was tried.
    await revoke.press("Enter");
    await page.locator("#passes tr").filter({ hasText: "Screen at the door" }).waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.id), "the keyboard is still in the panel").toBe("name");
  } finally {
    await device.close();
  }
});

test("on a telephone the doors are read without moving them sideways, and a code is a picture that fits", async () => {
  // Its certificate has a fingerprint of 95 letters.
  house = await House.serve(0, {}, () => 'lan = "127.0.0.1:0"\n');
  const device = await Browser.launch();
  try {
    for (const scheme of ["dark", "light"] as const) {
      const page = await device.open(`${house.address}/doors#token=${house.token}`, { ...PHONE, scheme });
      await page.locator("#doors tr").nth(1).waitFor();
      await page.fill("#name", "Screen at the door of the small hall");
      await page.getByRole("button", { name: "Make a code" }).click();
      const picture = await page.locator("#invited img").boundingBox();
      expect(picture!.width, scheme).toBeGreaterThanOrEqual(200);
      const wide = await page.evaluate(() => {
        const scrolled = [document.documentElement, ...document.querySelectorAll(".wide")];
        return scrolled.filter((place) => place.scrollWidth > place.clientWidth).map((place) => `${place.tagName} ${place.scrollWidth}`);
      });
      expect(wide, scheme).toEqual([]);
      expect(await brokenInAnyLook(page)).toEqual([]);
      await page.close();
    }
  } finally {
    await device.close();
  }
});

test("what is not there is a page that leads on, and a position is a picture without a browser", async () => {
  house = await House.serve(1);
  house.boards[0]!.type("move e2e4");
  await house.until(([first]) => first?.line.length === 1);
  const page = await browser.open(`${house.address}/nothing/<b>`);
  await page.locator("h2").filter({ hasText: "There is nothing here" }).waitFor();
  expect(await brokenInAnyLook(page)).toEqual([]);
  for (const path of ["/join", "/doors", "/listen"]) {
    await page.goto(house.address + path);
    expect(await brokenInAnyLook(page), path).toEqual([]);
  }
  await page.goto(`${house.address}/nothing/<b>`);
  await page.getByRole("link", { name: "To the wall" }).click();
  await page.locator(tile(1)).waitFor();

  const picture = await page.request.get(`${house.address}/svg/${house.table(1)}.svg`);
  expect(picture.headers()["content-type"]).toBe("image/svg+xml");
  expect((await picture.text()).match(/<use /g)).toHaveLength(32);
  const [width, height] = await page.evaluate(async (address) => {
    const image = Object.assign(new Image(), { src: address });
    await image.decode();
    return [image.width, image.height];
  }, `/svg/${house.table(1)}.svg`);
  expect([width, height]).toEqual([360, 360]);
  expect((await page.request.get(`${house.address}/svg/open/1/77.svg`)).status()).toBe(404);
  await page.close();
});

/** A page on which something of the hall is shown already. */
async function open(path: string, view: View = HD): Promise<Opened> {
  const page = await browser.open(house.address + path, view);
  pages.push(page);
  await page.locator(".clock:not(:empty), .frames li").first().waitFor();
  return page;
}

function tablePath(number: number): string {
  return `/table/${house.table(number)}`;
}

function tile(number: number): string {
  return `[data-table$="/${number}"]`;
}

async function says(page: Opened, number: number, words: string): Promise<void> {
  await vi.waitFor(async () => expect(await page.locator(`${tile(number)} .state`).textContent()).toBe(words), SOON);
}

async function seesMoves(page: Opened, final: string[], provisional: string[]): Promise<void> {
  await vi.waitFor(async () => expect(await movesOf(page)).toEqual({ final, provisional }), SOON);
}

async function movesOf(page: Opened) {
  const moves = (which: string) => page.locator(`#moves .san${which}:not(:empty)`).allTextContents();
  return { final: await moves(":not(.provisional)"), provisional: await moves(".provisional") };
}
