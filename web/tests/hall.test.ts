// The built pages in a real browser, against a hall that does what it is told.

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";

import { FakeHall } from "../dev/hall";
import { serve, type FakeServer } from "../dev/server";
import { brokenInAnyLook } from "./axe";
import { Browser, HD, menOn, SOON, type Opened } from "./browser";

let browser: Browser;
let hall: FakeHall;
let server: FakeServer;
let page: Opened;

beforeAll(async () => void (browser = await Browser.launch()));
afterAll(() => browser.close());

beforeEach(async () => {
  hall = new FakeHall(4);
  server = await serve(hall);
});

afterEach(async () => {
  await page.close();
  await server.close();
});

test("a move appears on the wall with its clock, provisional first and final then", async () => {
  await openWall();
  hall.seen(hall.id(2), ["e4"], 0);
  await vi.waitFor(async () => {
    expect(await page.locator(`${tile(2)} .san`).textContent()).toBe("e4");
    expect(await pieceAt(2, "e4")).toBe("white pawn");
    expect(await page.locator(`${tile(2)} .provisional cg-board .last-move`).count()).toBe(2);
  }, SOON);
  hall.clock(hall.id(2), 5_431_900, 5_400_000, "black");
  hall.seen(hall.id(2), ["e4"]);
  await vi.waitFor(async () => {
    expect(await page.locator(`${tile(2)} .provisional`).count()).toBe(0);
    expect(await page.locator(`${tile(2)} .white .clock`).textContent()).toBe("1:30:31");
    expect(await page.locator(`${tile(2)} .running.to-move .name`).textContent()).toBe(await blackName(2));
  }, SOON);
  expect(page.complaints).toEqual([]);
});

test("a running clock counts on by itself and moves nothing around it", async () => {
  await openWall();
  hall.clock(hall.id(1), 65_000, 60_000, "white");
  await vi.waitFor(async () => expect(await page.locator(`${tile(1)} .white .clock`).textContent()).toBe("1:03"), SOON);
  expect(await page.locator(`${tile(1)} .black .clock`).textContent()).toBe("1:00");
  const shift = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((entry) => (sum += (entry as unknown as { value: number }).value))).observe({ type: "layout-shift" });
        setTimeout(() => done(sum), 2_200);
      }),
  );
  expect(shift).toBe(0);
});

test("a board out of contact is said in words", async () => {
  await openWall();
  hall.link(hall.id(3), "down");
  await says(3, "No contact with the board");
  hall.link(hall.id(3), "up");
  await says(3, "White to move");
});

test("a position being checked is said in words", async () => {
  await openWall();
  hall.hold(hall.id(3), true);
  await says(3, "Checking position");
  hall.hold(hall.id(3), false);
  await says(3, "White to move");
});

test("a result stands once, beside the players, and does not hide the last position", async () => {
  await openWall();
  hall.end(hall.id(1), "1-0");
  await says(1, "White won");
  expect(await page.locator(`${tile(1)} .score`).allTextContents()).toEqual(["0", "1"]);
  expect(await page.locator(`${tile(1)} :is(.clock, .plate, .state):visible`).count()).toBe(0);
});

test("a forfeit and a score that PGN has no word for stand as they were entered, on the wall and at the table", async () => {
  await openWall();
  hall.end(hall.id(1), "0-1", "-/+");
  hall.end(hall.id(2), "*", "0-1/2");
  await says(1, "Black won by forfeit");
  await says(2, "Half a point for Black");
  const scores = (number: number) => page.locator(`${tile(number)} .score:visible`).allTextContents();
  expect([await scores(1), await scores(2)]).toEqual([["+", "−"], ["½", "0"]]);
  expect(await page.locator("#tally").textContent()).toBe("4 tables · 2 ended");
  await page.goto(`${server.address}/table/${hall.id(2)}`);
  await page.locator("#result").filter({ hasText: "0–½" }).waitFor(SOON);
  expect(await page.locator("#state").textContent()).toBe("Half a point for Black");
});

test("silence is said, the clocks stop pretending, and it can be read on every page", async () => {
  await openWall();
  hall.clock(hall.id(1), 900_000, 900_000, "white");
  const others = await Promise.all([`/table/${hall.id(1)}`, "/console"].map((path) => browser.open(server.address + path)));
  await Promise.all(others.map((other) => other.locator("html.known").waitFor()));
  hall.mute();
  for (const one of [...others, page]) {
    await vi.waitFor(async () => expect(await one.locator("#notice").textContent()).toContain("No contact with the hall"), SOON);
    expect(await brokenInAnyLook(one)).toEqual([]);
    if (one !== page) await one.close();
  }
  const before = await page.locator(`${tile(1)} .white .clock`).textContent();
  await page.waitForTimeout(1_500);
  expect(await page.locator(`${tile(1)} .white .clock`).textContent()).toBe(before);
}, 120_000);

test("what is wrong with the record is said in the reader's language and time, and what only the staff is told as it came", async () => {
  const since = Date.UTC(2026, 10, 20, 3, 44, 55);
  hall.warning = {
    notice: "Nothing is being recorded since 17:00:00. Part of the record of round 3 of club-open was damaged: its games may lack moves.",
    troubles: [{ kind: "not_recorded", since }, { kind: "round_damaged", event: "club-open", round: 3 }],
  };
  page = await browser.open(`${server.address}/?lang=es`);
  const [words, time] = await page.evaluate(async (since) => {
    const notice = document.querySelector("#notice")!;
    while (notice.textContent === "" || document.documentElement.matches(".stale")) await new Promise((go) => setTimeout(go, 20));
    return [notice.firstElementChild!.textContent, new Date(since).toLocaleTimeString("es", { hour12: false, hour: "2-digit", minute: "2-digit", second: "2-digit" })];
  }, since);
  expect(words).toBe(`No se registra nada desde las ${time}. Parte del registro de la ronda 3 de Club open está dañada: a sus partidas pueden faltarles jugadas.`);
  expect(await page.locator("#notice [lang=es]").count()).toBe(1);
  hall.warning = { notice: "/a/file is damaged." };
  await page.locator("#notice [lang=en]").filter({ hasText: "/a/file is damaged." }).waitFor(SOON);
  hall.warning = {};
  await page.locator("#notice").and(page.locator(":empty")).waitFor({ ...SOON, state: "attached" });
});

test("pages are right again by themselves after a restart", async () => {
  await openWall();
  await restart();
  await vi.waitFor(async () => expect(await page.locator(".tile").count()).toBe(6), SOON);
});

test("pages are right again by themselves after an outage that was noticed", async () => {
  await openWall();
  await restart(async () => void (await page.locator("#notice").filter({ hasText: "No contact with the hall" }).waitFor(SOON)));
  await vi.waitFor(async () => {
    expect(await page.locator(".tile").count()).toBe(6);
    expect(await page.locator("#notice").textContent()).toBe("");
  }, SOON);
});

test("a missed frame heals by itself", async () => {
  await openWall();
  hall.skip();
  hall.seen(hall.id(1), ["d4"]);
  await vi.waitFor(async () => expect(await pieceAt(1, "d4")).toBe("white pawn"), SOON);
});

test("a table's page shows moves, says the final ones, and turns its board", async () => {
  page = await browser.open(`${server.address}/table/${hall.id(2)}`);
  await page.locator("#state").filter({ hasText: "White to move" }).waitFor();
  hall.seen(hall.id(2), ["e4", "e5", "Nf3"], 2);
  await vi.waitFor(async () => expect(await page.locator(".moves .provisional").textContent()).toBe("Nf3"), SOON);
  expect(await page.locator("#tail").isVisible()).toBe(true);
  expect(await page.locator("#said").textContent()).toBe("1… e5");
  hall.seen(hall.id(2), ["e4", "e5", "Nf3"]);
  await vi.waitFor(async () => expect(await page.locator("#said").textContent()).toBe("2. Nf3"), SOON);
  await page.locator("#flip").press("Enter");
  await page.locator("#lower .face.black").waitFor();
  await page.locator(".cg-wrap.orientation-black").waitFor();
  expect(page.complaints).toEqual([]);
});

test("names are text, whatever they say", async () => {
  hall.tell(hall.id(1), { white: { name: "<img src=x onerror=alert(1)>" }, black: { name: "</script>" } });
  await openWall();
  expect(await page.locator(`${tile(1)} .white .name`).textContent()).toBe("<img src=x onerror=alert(1)>");
  expect(await page.locator(`${tile(1)} img`).count()).toBe(0);
});

test("the feed's page shows this hall's own frames and the client that is tested", async () => {
  page = await browser.open(`${server.address}/feed`);
  await page.locator(".frames li").first().waitFor();
  hall.hold(hall.id(1), true);
  // Wherever it stands by now: the next beat may have come before it is looked for.
  await page.locator(".frames li").filter({ hasText: '"held": true' }).first().waitFor();
  expect(await page.locator("#code").textContent()).toContain("export function follow");
  expect(page.complaints).toEqual([]);
});

test("a chosen theme is remembered and there before the first paint", async () => {
  page = await browser.open(server.address, { ...HD, scheme: "dark" });
  await page.locator("#theme").click();
  await page.reload();
  expect(await page.evaluate(() => document.documentElement.dataset["theme"])).toBe("light");
  await page.evaluate(() => localStorage.clear());
});

async function openWall(): Promise<void> {
  page = await browser.open(server.address);
  await page.locator(".tile .clock").first().waitFor();
}

/** The hall goes, something is waited for, and another is there. */
async function restart(gone = () => Promise.resolve()): Promise<void> {
  const { port } = server;
  await server.close();
  await gone();
  hall = new FakeHall(6);
  server = await serve(hall, port);
}

function tile(number: number): string {
  return `[data-table="${hall.id(number)}"]`;
}

function blackName(number: number): Promise<string | null> {
  return page.locator(`${tile(number)} .black .name`).textContent();
}

async function says(number: number, words: string): Promise<void> {
  await vi.waitFor(async () => expect(await page.locator(`${tile(number)} .state`).textContent()).toBe(words), SOON);
}

/** What stands on a square, read from where it is drawn. */
function pieceAt(number: number, square: string): Promise<string | undefined> {
  return menOn(page, tile(number)).then((men) => men[square]);
}
