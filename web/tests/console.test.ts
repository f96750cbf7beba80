// The arbiter's console in a real browser: against the real daemon with virtual boards, and against a hall that calls.

import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { FakeHall } from "../dev/hall";
import { serve, type FakeServer } from "../dev/server";
import { brokenInAnyLook } from "./axe";
import { Browser, HD, menOn, PHONE, SOON, type Opened, type View } from "./browser";
import { House } from "./daemon";
import { call, evening } from "./evening";
import type { Matter } from "../src/staff";

const TABLET: View = { width: 1180, height: 820 };

let browser: Browser;
let house: House | undefined;
let server: FakeServer | undefined;
let pages: Opened[] = [];

beforeAll(async () => void (browser = await Browser.launch()));
afterAll(() => browser.close());
afterEach(async () => {
  const complaints = pages.flatMap((page) => page.complaints);
  for (const page of pages) await page.close();
  await house?.close();
  await server?.close();
  [pages, house, server] = [[], undefined, undefined];
  expect(complaints.filter((words) => !/400 \(Bad Request\)|409 \(Conflict\)|ERR_CONNECTION/.test(words))).toEqual([]);
});

test("three tables call within ten seconds, and each is settled in three taps with its article in sight", async () => {
  house = await House.serve(3, { 2: ["--time-control", "6+0"] });
  const [first, second, third] = house.boards;
  first!.type("move e2e4", "move e7e5");
  third!.type("move g1f3", "move g8f6", "move f3g1", "move f6g8", "move g1f3", "move g8f6", "move f3g1", "move f6g8");
  await house.until(([one, , three]) => one?.final === 2 && three?.final === 8);
  const page = await console();
  second!.type("move e2e4");
  first!.type("lift g1", "place g3 N", "press");
  await house.order({ table: house.table(3), command: "claim", side: "white", claim: "threefold" });

  const [illegal, flag, claim] = [1, 2, 3].map((number) => card(page, number));
  await sees(illegal!, "Illegal move completed · White", "Articles 7.5.1, 7.5.5", "g1 to g3");
  await sees(claim!, "Claim is right · White", "Article 9.5.2");
  await sees(flag!, "Flag has fallen · Black", "Articles 6.8, 6.9");

  await illegal!.getByRole("button", { name: "Restore the position, +2:00 Black" }).click();
  await page.locator("#done").filter({ hasText: /Table 1\. Done.*\. Set the clocks: White \d/ }).waitFor();
  first!.type("lift g3", "place g1 N", "move g1f3");
  await flag!.getByRole("button", { name: "Confirm 1–0" }).click();
  await claim!.getByRole("button", { name: "Look" }).click();
  const occurrences = page.locator(".times button");
  await vi.waitFor(async () => expect(await occurrences.allTextContents()).toEqual(["the start", "2… Ng8", "4… Ng8"]), SOON);
  await page.locator("#detail .card").getByRole("button", { name: "Confirm ½–½" }).click();
  const tables = await house.until(([one, two, three]) => one?.line.length === 3 && two?.result === "1-0" && three?.result === "1/2-1/2");
  expect(tables[0]!.line).toEqual(["e4", "e5", "Nf3"]);
  await settlesADispute(page);
}, 120_000);

/** What happened at the first table is looked at again: each square, the alert, the order and who gave it. */
async function settlesADispute(page: Opened): Promise<void> {
  await page.getByRole("button", { name: "Back to the list" }).click();
  await page.locator("#tables button").first().click();
  await page.locator("summary").filter({ hasText: "Timeline" }).click();
  await page.locator(".line").filter({ hasText: "seen: Nf3" }).waitFor(SOON);
  await page.getByLabel("What is listed").selectOption("every square");
  const lines = page.locator(".line");
  await page.getByLabel("Timeline", { exact: true }).focus();
  await page.keyboard.press("Home");
  // From line to line, as somebody reads it.
  const seen = new Set<string>();
  for (let size = -1; size < seen.size; await lines.last().click()) {
    size = seen.size;
    for (const line of await lines.locator("span").allTextContents()) seen.add(line);
  }
  const all = [...seen].join("\n");
  for (const words of ["square g1 of the board: empty", "Illegal move completed · White", "order: position restored (operator, operator.token)"]) expect(all).toContain(words);
  await lines.first().click();
  await page.getByLabel("Speed").press("5");
  expect(await page.getByLabel("Speed").inputValue(), "a digit is the list's there").toBe("5");
  await page.getByLabel("Speed").selectOption("1×");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  // A line of moves of both, to play through.
  await page.locator("summary").filter({ hasText: "Who can still mate?" }).click();
  const mate = page.locator("section").filter({ hasText: "White can mate, by these moves of both" }).last();
  await mate.getByRole("button").last().filter({ hasText: "#" }).click();
  expect(await brokenInAnyLook(page)).toEqual([]);
}

test("what one arbiter acknowledges is acknowledged for the other, and after the daemon's restart", async () => {
  house = await House.serve(1);
  const [one, two] = [await console(), await console(PHONE)];
  house.boards[0]!.type("move e2e4", "move e7e5", "lift g1", "place g3 N", "press");
  for (const page of [one, two]) await sees(card(page, 1), "Illegal move completed · White");
  await card(one, 1).getByRole("button", { name: "On my way" }).click();
  await sees(card(two, 1), "somebody is on the way");
  expect(await card(two, 1).getByRole("button", { name: "On my way" }).count()).toBe(0);
  await house.kill();
  await house.start();
  await two.reload();
  await sees(card(two, 1), "somebody is on the way", "Illegal move completed · White");
  await card(two, 1).getByRole("button", { name: "Nothing to do" }).click();
  await card(two, 1).getByRole("button", { name: "A misreading of the board" }).click();
  // Nothing waits there any more: who looks at the table sees how it was settled, and by which words.
  await card(one, 1).waitFor({ state: "detached", ...SOON });
  await one.locator("#tables button").first().click();
  await sees(one.locator("#detail .card"), "settled: nothing to do, A misreading of the board");
});

test("what came of an alert goes with it, and comes back with the result that had decided it", async () => {
  house = await House.serve(2);
  const page = await console();
  for (const number of [1, 2]) {
    house.boards[number - 1]!.type("move e2e4", "move e7e5");
    await house.order({ table: house.table(number), command: "illegal_moves", white: 1, black: 0 });
    house.boards[number - 1]!.type("lift g1", "place g3 N", "press");
  }
  const [none, taken] = [card(page, 1), card(page, 2)];
  await sees(none, "Illegal move completed · White", "Too many illegal moves · White", "0–1, second illegal move");
  await none.locator(".matter").filter({ hasText: "Illegal move completed" }).getByRole("button", { name: "Nothing to do" }).click();
  await none.getByRole("button", { name: "A misreading of the board" }).click();
  await none.waitFor({ state: "detached", ...SOON });
  expect((await house.tables())[0]).toMatchObject({ state: "playing", result: "*" });

  await taken.getByRole("button", { name: "Confirm 0–1" }).click();
  await taken.waitFor({ state: "detached", ...SOON });
  await page.locator("#tables button").nth(1).click();
  await page.locator("#detail summary").getByText("Result", { exact: true }).click();
  await page.locator("#detail").getByRole("button", { name: "Take the result back" }).click();
  await sees(page.locator("#detail .card"), "Illegal move completed · White", "Too many illegal moves · White", "0–1, second illegal move");
  // Spectators hear that the game is on, and not that it waits for the arbiter.
  await house.until(([, two]) => two?.state === "playing" && two.result === "*");
});

test("the board stands beside the record, and squares are told until they are right again", async () => {
  house = await House.serve(1);
  const page = await console();
  house.boards[0]!.type("move e2e4", "move e7e5", "lift g1", "place g3 N", "lift b1", "place c4 N", "press");
  await sees(card(page, 1), "Table 1");
  await card(page, 1).getByRole("button", { name: "Look" }).click();
  const differs = (words: string) => page.locator(".differs").filter({ hasText: words }).waitFor();
  await differs("Differs on b1, g1, g3, c4");
  house.boards[0]!.type("lift c4", "place b1 N");
  await differs("Differs on g1, g3");
  expect(await page.locator(".wrong-square").count()).toBe(2);
  house.boards[0]!.type("lift g3", "place g1 N");
  await differs("The board is as the record.");
  // What was meant for another table is taken back, and only where there is something to take back.
  await page.locator("#detail summary").getByText("Result", { exact: true }).click();
  const taken = page.locator("#detail").getByRole("button", { name: "Take the result back" });
  expect(await taken.isVisible()).toBe(false);
  await page.locator("#detail").getByRole("button", { name: "½–0", exact: true }).click();
  await taken.click();
  await taken.waitFor({ state: "hidden", ...SOON });
  expect((await house.tables())[0]?.result).toBe("*");
  // Somebody else closes the round: the table stays at its address, and so do its buttons.
  await house.order({ command: "close_round", event: "open", round: 1 });
  await differs("This table has left the wall");
  await page.locator("#detail").getByRole("button", { name: "1–0", exact: true }).click();
  await page.locator("#done").filter({ hasText: "Table 1. Done: 1–0" }).waitFor(SOON);
  expect(await (await fetch(`${house.address}/pgn/${house.table(1)}`)).text()).toContain('[Result "1-0"]');
});

test("what is refused is said in the reader's language", async () => {
  house = await House.serve(1);
  house.boards[0]!.type("move e2e4");
  await house.until(([one]) => one?.line.length === 1);
  const page = await console();
  for (const [lang, claims, flag, words] of [
    ["de", "Ein Spieler beantragt", "Weiß: Blättchen", "Die Uhr zeigt kein solches Blättchen."],
    ["es", "Un jugador reclama", "Blancas: bandera", "El reloj no muestra esa bandera."],
  ] as const) {
    await page.goto(`${house.address}/console?lang=${lang}`);
    await page.locator("#tables button").first().click();
    await page.locator("#detail summary").getByText(claims, { exact: true }).waitFor();
    await page.locator("#detail").getByRole("button", { name: flag, exact: true }).click();
    await page.locator("#done.refused").filter({ hasText: words }).waitFor(SOON);
  }
});

test("in the record is what is final, and what is only seen stands on the board alone", async () => {
  const [hall, page] = await fake();
  const id = hall.id(1);
  hall.tell(id, { board: null, differs: null });
  hall.seen(id, ["e4", "e5", "Nf3"], 2);
  await page.locator("#tables button").first().click();
  const [record, board] = [0, 1].map((at) => `#detail > .pair figure:nth-of-type(${at + 1})`);
  const knight = async (where: string) => Object.entries(await menOn(page, where)).find(([square]) => square === "g1" || square === "f3")?.join(" ");
  await vi.waitFor(async () => expect([await knight(record!), await knight(board!)]).toEqual(["g1 white knight", "f3 white knight"]), SOON);
  await page.locator(".differs").filter({ hasText: "On the board, and not in the record yet: Nf3" }).waitFor();
  hall.seen(id, ["e4", "e5", "Nf3"]);
  await vi.waitFor(async () => expect(await knight(record!)).toBe("f3 white knight"), SOON);
  await page.locator(".differs").filter({ hasText: "The board is as the record." }).waitFor();
  // Another game begins: nothing of the last one is in its record.
  hall.start(id, 2);
  hall.seen(id, ["Nf3"], 0);
  await vi.waitFor(async () => expect([await knight(record!), await knight(board!)]).toEqual(["g1 white knight", "f3 white knight"]), SOON);
});

test("of two boards that differ both are drawn, each with whose it is and its wrong squares", async () => {
  house = await House.serve(1);
  const table = house.table(1);
  await house.bring(table, ["--no-clock", "--turned"]);
  await house.order({ table, command: "blind", players: "black", white_board: "20001" });
  const [whites, blacks] = house.boards;
  whites!.type("lift e2", "place e4 P");
  await house.until(([one]) => one?.line.length === 1);
  whites!.type("press white");
  blacks!.type("lift e2", "place e3 P");
  const page = await console();
  await sees(card(page, 1), "The two boards differ");
  await card(page, 1).getByRole("button", { name: "Look" }).click();
  await page.locator(".differs").filter({ hasText: "Differs on e4, e3" }).waitFor();
  expect(await page.locator("#detail > .pair figcaption").allTextContents()).toEqual(["White, 20001", "Black, 20002"]);
  expect(await page.locator("#detail .wrong-square").count()).toBe(4);
  const men = await Promise.all([0, 1].map((at) => menOn(page, `#detail > .pair figure:nth-of-type(${at + 1})`)));
  expect(men.map((men) => [men["e4"], men["e3"]])).toEqual([["white pawn", undefined], [undefined, "white pawn"]]);
  blacks!.type("lift e3", "place e4 P", "lift e7", "place e5 p");
  await page.locator("#detail > .pair figcaption").filter({ hasText: "In the record" }).waitFor();
});

test("a game without a board is kept by hand: begun, by taps, by what is written in the event's letters, and what is refused is said", async () => {
  house = await House.box(0);
  await house.pair("Spring Open", ["Okafor, Ada", "Lindqvist, Jonas"]);
  await house.order({ command: "event", event: "spring-open", notation: "german" });
  const page = await console();
  await page.locator("#tables button").click();
  await page.locator(".differs").filter({ hasText: "There is no board at this table." }).waitFor();
  await page.locator("#detail summary").filter({ hasText: "Moves by hand" }).click();
  await page.getByRole("button", { name: "Begin a game" }).click();
  await page.locator("#done").filter({ hasText: "Done: Begin a game" }).waitFor();
  const played = async () => (await house!.tables())[0]!.line.join(" ");
  await moves(page, "e2", "e4");
  await vi.waitFor(async () => expect(await played()).toBe("e4"), SOON);
  await page.locator(".by-hand square.last-move").nth(1).waitFor();
  // What nobody may play is not taken up.
  await moves(page, "e7", "e4");
  await moves(page, "f7", "f5");
  await vi.waitFor(async () => expect(await played()).toBe("e4 f5"), SOON);

  await page.locator("summary").filter({ hasText: "Timeline" }).click();
  await page.locator(".line").filter({ hasText: "order: insert" }).first().waitFor(SOON);
  expect(await page.locator(".timeline figcaption:visible").allTextContents(), "there is no board to show").toEqual(["In the record"]);
  await page.locator("summary").filter({ hasText: "Timeline" }).click();

  const line = page.getByLabel("Moves by hand");
  await line.fill("2. exf5 Sh6 3. Dh5");
  await page.keyboard.press("Enter");
  await vi.waitFor(async () => expect(await played()).toBe("e4 f5 exf5 Nh6 Qh5+"), SOON);
  expect(await line.inputValue()).toBe("");
  await line.fill("Lb4");
  await page.keyboard.press("Enter");
  await page.locator("#done.refused").filter({ hasText: "Lb4 is no legal move for Black at move 3" }).waitFor();
  expect(await line.inputValue()).toBe("Lb4");

  await house.order({ table: "spring-open/1/1", command: "set_position", fen: "7k/P7/8/8/8/8/8/K7 w - - 0 40" });
  await page.locator(".by-hand piece.rook").first().waitFor({ state: "detached" });
  await moves(page, "a7", "a8");
  await page.getByRole("button", { name: "rook", exact: true }).click();
  await page.locator("#done").filter({ hasText: "Done: Moves by hand: a8=R+" }).waitFor();
  // Where R is a king what is tapped is still a rook, and who castles takes the rook along.
  await house.order({ command: "event", event: "spring-open", notation: "spanish" });
  await house.order({ table: "spring-open/1/1", command: "set_position", fen: "4k3/8/8/8/8/8/8/R3K2R w K - 0 40" });
  await page.locator(".by-hand piece.rook").nth(1).waitFor();
  await moves(page, "a1", "d1");
  await page.locator("#done").filter({ hasText: "Done: Moves by hand: Rd1" }).waitFor();
  await moves(page, "e8", "e7");
  await moves(page, "e1", "g1");
  await vi.waitFor(async () => expect(await played()).toBe("Rd1 Ke7 O-O"), SOON);
  expect(await brokenInAnyLook(page)).toEqual([]);
  page.complaints.length = 0; // Being refused is what was tried.
});

/** Taps a man of the board on which moves are made, once it may be moved there, and then a square. */
async function moves(page: Opened, from: string, to: string): Promise<void> {
  const board = page.locator(".by-hand cg-board");
  const tap = async (square: string) => {
    const side = (await board.boundingBox())!.width / 8;
    await board.click({ position: { x: (square.charCodeAt(0) - 97 + 0.5) * side, y: (8.5 - Number(square[1])) * side } });
  };
  const drawn = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))));
  const marked = page.locator(".by-hand square.move-dest");
  await vi.waitFor(async () => expect(await marked.count()).toBe(0), SOON);
  await vi.waitFor(async () => {
    await tap(from);
    await drawn();
    expect(await marked.count()).toBeGreaterThan(0);
  }, SOON);
  await tap(to);
}

test("whoever is no arbiter is told whom to ask, on a page that leads on", async () => {
  house = await House.serve(1);
  const page = await browser.open(`${house.address}/console`, { ...TABLET, still: true });
  pages.push(page);
  await page.locator("#outside").filter({ hasText: "The console is for the arbiter" }).waitFor();
  expect(await page.locator("#inside").isVisible()).toBe(false);
  expect(await brokenInAnyLook(page)).toEqual([]);
  page.complaints.length = 0; // Being refused is what was tried.
});

test("by the keyboard alone: from table to table, on the way, answered", async () => {
  const [hall, page] = await fake();
  await page.keyboard.press("j");
  await vi.waitFor(async () => expect(await page.locator(".card:focus h3").textContent()).toContain("Table 2"), SOON);
  await page.keyboard.press("a");
  await page.keyboard.press("1");
  await vi.waitFor(() => expect(hall.orders.map(({ command }) => command)).toEqual([undefined, "acknowledge", "confirm"]), SOON);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.locator("#detail h2").waitFor();
  expect(await brokenInAnyLook(page)).toEqual([]);
  await page.keyboard.press("Escape");
  expect(await page.locator("#detail").isVisible()).toBe(false);
});

test("where the keyboard is and what is being written stay, whatever comes in meanwhile", async () => {
  const [hall, page] = await fake();
  const [first] = hall.tables.get(hall.id(1))!.alerts!;
  const touched: Matter = { at: hall.now(), stage: "open", alert: { kind: "touch_move_suspect", severity: "minor", side: "black" } };
  const flag: Matter = { at: hall.now(), stage: "open", alert: { kind: "flag_fall", severity: "critical", side: "black" } };
  await card(page, 1).getByRole("button", { name: "Nothing to do" }).click();
  await card(page, 1).getByLabel("Another reason").focus();
  await page.keyboard.press("Escape");
  await card(page, 1).getByLabel("Another reason").waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Nothing to do");
  await page.keyboard.press("Enter");
  await card(page, 1).getByLabel("Another reason").fill("A telephone rang");
  hall.tell(hall.id(1), { alerts: [touched, first!, flag] });
  await vi.waitFor(async () => expect(await card(page, 1).locator("h4").allTextContents()).toEqual(["Flag has fallen · Black", "Illegal move completed · White", "Touched one man, moved another · Black"]), SOON);
  expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).value)).toBe("A telephone rang");
  // It is now before another table, and so elsewhere on the page.
  expect(await page.locator("#cards h3").first().textContent()).toBe("Table 2");
  hall.tell(hall.id(2), { alerts: [], proposal: null, state: "playing" });
  await vi.waitFor(async () => expect(await page.locator("#cards h3").first().textContent()).toBe("Table 1"), SOON);
  await page.keyboard.press("Enter");
  await vi.waitFor(() => expect(hall.orders.at(-1)).toMatchObject({ command: "dismiss", note: "A telephone rang" }), SOON);

  await card(page, 3).getByRole("button", { name: "Look" }).click();
  await page.locator(".times button").nth(1).click();
  for (const left of [900_000, 899_000]) hall.clock(hall.id(3), left, 900_000, "white");
  await page.locator("#detail .card .clock").filter({ hasText: "14:5" }).waitFor(SOON);
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-pressed"))).toBe("true");
  await page.getByLabel("Move written for a draw claim").focus();
  await page.keyboard.press("Escape");
  expect(await page.locator("#detail").isVisible()).toBe(false);

  // Its answer takes the card away.
  await card(page, 3).getByRole("button", { name: "Confirm ½–½" }).focus();
  hall.tell(hall.id(3), { alerts: [], proposal: null, state: "playing" });
  await card(page, 3).waitFor({ state: "detached" });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/^3 /);
});

test("every order there is, given by the keyboard alone, and a game goes on over a board that differs only knowingly", async () => {
  const [hall, page] = await fake();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.locator("#detail h2").filter({ hasText: "Table 1" }).waitFor();
  const tried = new Set<string>();
  for (let control = await tab(page); control !== undefined; control = await tab(page)) {
    const before = hall.orders.length;
    if (tried.has(`${control.kind} ${control.name}`)) continue;
    tried.add(`${control.kind} ${control.name}`);
    if (control.name === "Move written for a draw claim") await page.keyboard.type("Nf3");
    if (control.kind === "order" || control.kind === "words") {
      if (control.kind === "words") await page.keyboard.type("Nf3");
      await page.keyboard.press("Enter");
      if (control.name === "The game goes on") {
        await page.locator("#done.refused").filter({ hasText: "Table 1. Differs on g1, g3. Put the men right first" }).waitFor();
        expect(hall.orders.length).toBe(before);
        await page.keyboard.press("Enter");
      }
      await vi.waitFor(() => expect(hall.orders.length, control!.name).toBeGreaterThan(before), SOON);
    } else if (control.kind === "shut") await page.keyboard.press("Enter");
  }
  expect(hall.orders).toContainEqual(expect.objectContaining({ command: "claim", side: "white", claim: "threefold", intended: "Nf3" }));
  const given = new Set(hall.orders.map(({ command }) => command));
  for (const command of ["acknowledge", "adjourn", "adjust_times", "claim", "dismiss", "draw_accept", "draw_offer", "insert", "open_sealed", "penalty", "resign", "restore", "result", "resume", "stop", "undo"]) {
    expect([...given]).toContain(command);
  }
}, 120_000);

test("an adjourned game keeps what its clocks showed, in sight of whoever sets them again and on its envelope", async () => {
  house = await House.serve(1, { 1: ["--time-control", "5400+0"] });
  house.boards[0]!.type("move e2e4", "move e7e5");
  await house.until(([one]) => one?.final === 2);
  const page = await console();
  await house.order({ table: house.table(1), command: "adjourn" });
  await sees(card(page, 1), "Game adjourned", "At the adjournment White had 1:29:");
  await house.order({ table: house.table(1), command: "adjust_times", white_ms: 5_000_000, black_ms: 4_000_000 });
  await sees(card(page, 1), "White had 1:23:20, Black 1:06:40: set the clocks to that");
  const envelope = await page.request.get(`${house.address}/envelope/${house.table(1)}`);
  expect(await envelope.text()).toMatch(/White has left.*1:23:20.*\n.*Black has left.*1:06:40/);
});

test("what is done and not recorded yet is said so, and what belongs to it is ordered too", async () => {
  const [hall, page] = await fake();
  hall.unrecorded = "It is done, but can't be recorded at the moment.";
  await card(page, 1).getByRole("button", { name: "Restore the position, +2:00 Black" }).click();
  await page.locator("#done.refused").filter({ hasText: "It is done, but can't be recorded" }).waitFor(SOON);
  expect(hall.orders.map(({ command }) => command).slice(-3)).toEqual(["penalty", "adjust_times", "restore"]);
});

/** The next control within the table that is looked at, and what it is; nothing behind the last. */
async function tab(page: Opened): Promise<{ kind: "order" | "words" | "shut" | "other"; name: string } | undefined> {
  await page.keyboard.press("Tab");
  return page.evaluate(() => {
    const at = document.activeElement!;
    if (at.closest("#detail") === null) return undefined;
    const { left, top, width, height } = at.getBoundingClientRect();
    const seen = document.elementFromPoint(left + width / 2, top + height / 2);
    if (seen === null || !(at.contains(seen) || seen.contains(at))) throw new Error(`${at.textContent} is hidden by ${seen?.id}`);
    const name = at.textContent || at.getAttribute("aria-label") || "";
    if (at.matches("summary")) return { kind: at.closest(".further > :not([open])") ? "shut" : "other", name };
    if (at.matches("[aria-expanded=false]")) return { kind: "shut", name };
    if (at.matches(".why input")) return { kind: "words", name };
    return { kind: at.matches(".answers .button[type=button], .matter .button") ? "order" : "other", name };
  });
}

test("what nobody acknowledges for half a minute is marked, and reaches arbiters of other tables", async () => {
  const [, page] = await fake("?tables=7-8");
  await vi.waitFor(async () => expect(await page.locator("#cards h3").allTextContents()).toEqual(["Table 2"]), SOON);
  await page.locator(".card.overdue").filter({ hasText: "nobody comes, for" }).waitFor();
  await page.locator("#mine").fill("");
  await vi.waitFor(async () => expect(await page.locator("#cards h3").allTextContents()).toEqual(["Table 2", "Table 1", "Table 3", "Table 5"]), SOON);
});

test("what comes up at once is said in one go, and the same again once more", async () => {
  const [hall, page] = await fake();
  const raise = (...kinds: string[]) => {
    const before = hall.tables.get(hall.id(7))!.alerts ?? [];
    const at = hall.now() + before.length;
    hall.tell(hall.id(7), { alerts: [...before, ...kinds.map((kind, more): Matter => ({ at: at + more, stage: "open", alert: { kind, severity: kind === "flag_fall" ? "critical" : "minor", side: "white" } }))] });
  };
  const said = () => page.locator("#said").textContent();
  raise("takeback", "flag_fall");
  await vi.waitFor(async () => expect(await said()).toBe("Table 7: Flag has fallen · White. Table 7: Moves were taken back · White"), SOON);
  raise("takeback");
  await vi.waitFor(async () => expect(await said()).toBe("Table 7: Moves were taken back · White"), SOON);
  raise("takeback");
  await vi.waitFor(async () => expect(await said()).toBe("Table 7: Moves were taken back · White\u00a0"), SOON);
});

test("sixty tables that call within a moment are said in a few words, the gravest by name, and stand in that order", async () => {
  const hall = evening(60);
  server = await serve(hall);
  const page = await browser.open(`${server.address}/console`, { ...HD, still: true });
  pages.push(page);
  await page.locator("#tables button").first().waitFor();
  const spoken: string[] = [];
  await page.exposeFunction("hear", (words: string) => void spoken.push(words));
  await page.evaluate(() => {
    const said = document.getElementById("said")!;
    new MutationObserver(() => (window as unknown as { hear: (words: string) => void }).hear(said.textContent)).observe(said, { childList: true });
  });
  const now = hall.now();
  for (let number = 1; number <= 60; number += 1) {
    const matters = (number % 20 === 0 ? ["flag_fall", "takeback"] : ["takeback"]).map((kind): Matter => ({ at: now - number, stage: "open", alert: { kind, severity: kind === "flag_fall" ? "critical" : "minor", side: null } }));
    hall.tell(hall.id(number), { alerts: matters });
  }
  await vi.waitFor(() => expect(spoken.at(-1)).toMatch(/Flag has fallen.*and \d+ more$/), SOON);
  expect(spoken.length, "a machine that is busy may bring them in three goes").toBeLessThan(4);
  for (const words of spoken) expect(words.match(/Table/g)?.length).toBeLessThan(6);
  await vi.waitFor(async () => expect((await page.locator("#cards h3").allTextContents()).slice(0, 4).map((title) => title.match(/\d\d/)?.[0])).toEqual(["60", "40", "20", "59"]), SOON);
}, 120_000);

test("sound is on after one tap", async () => {
  const [, page] = await fake();
  await page.locator("#sound").click();
  await page.locator("#sound[aria-pressed=true]").filter({ hasText: "Sound is on" }).waitFor();
});

/** The console of somebody who has come in. */
async function console(view = TABLET): Promise<Opened> {
  const page = await browser.open(`${house!.address}/#token=${house!.token}`, { ...view, still: true });
  pages.push(page);
  await page.getByRole("link", { name: "Arbiter" }).click();
  await page.locator("#tables button").first().waitFor();
  return page;
}

async function fake(asked = ""): Promise<[FakeHall, Opened]> {
  const hall = evening(8);
  call(hall);
  server = await serve(hall);
  const page = await browser.open(`${server.address}/console${asked}`, { ...HD, still: true });
  pages.push(page);
  await page.locator(".card").first().waitFor();
  return [hall, page];
}

function card(page: Opened, number: number) {
  return page.locator(`#cards .card[data-table$="/${number}"]`);
}

async function sees(card: ReturnType<Opened["locator"]>, ...words: string[]): Promise<void> {
  for (const one of words) await card.filter({ hasText: one }).waitFor(SOON);
}
