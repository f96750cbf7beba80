// The page that is heard: the real daemon's words, live regions as a screen reader hears them, and keys alone.

import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { brokenInAnyLook, brokenRules } from "./axe";
import { Browser, HD, PHONE, SOON, type Opened, type View } from "./browser";
import { House } from "./daemon";

let browser: Browser;
let house: House;
let page: Opened;
const table = "open/1/1";

beforeAll(async () => {
  browser = await Browser.launch();
  house = await House.serve(0);
  await house.order({ command: "open_round", event: "open", round: 1, date: "2026.11.20" });
  await house.order({ command: "assign", table, board: "30001" });
});
afterAll(async () => {
  await house.close();
  await browser.close();
});
afterEach(async () => {
  expect(page.complaints).toEqual([]);
  await page.evaluate(() => localStorage.clear());
  await page.close();
});

test("moves are announced once and in order, politely to a spectator, and nothing that stood there before", async () => {
  await begin("e4", "e5");
  await open();
  expect(await heard()).toEqual([]);
  await play("Nf3");
  await vi.waitFor(async () => expect(await heard()).toEqual(["said polite: 2. Springer Gustav eins, Felix drei"]), SOON);
  await play("Nc6", "Bb5");
  const both = "said polite: 2… Springer Bella acht, Cesar sechs. 3. Läufer Felix eins, Bella fünf";
  await vi.waitFor(async () => expect((await heard()).at(-1)).toBe(both), SOON);
  await house.order({ table, command: "undo", plies: 1 });
  await vi.waitFor(async () => expect((await heard()).at(-1)).toBe("said polite: moves taken back"), SOON);
  expect(await heard()).toHaveLength(3);
  const roles = await page.locator("#moves").evaluate((log) => [log.role, log.ariaLive]);
  expect(roles).toEqual(["log", "off"]);
  await house.order({ table, command: "result", result: "0-0" });
  await vi.waitFor(async () => expect((await heard()).at(-1)).toBe("said polite: Both lost"), SOON);
});

test("a player hears the opponent's moves at once and the own ones not, and may not read the board", async () => {
  await begin("e4");
  await open("?side=black");
  await play("e5");
  await play("Nf3");
  await vi.waitFor(async () => expect(await heard()).toEqual(["said assertive: Springer Gustav eins, Felix drei"]), SOON);
  expect(await page.locator("#board").isVisible()).toBe(false);
  await type("p n");
  await vi.waitFor(async () => expect((await heard()).at(-1)).toBe("answer polite: Where men stand is read out when the arbiter allows it."), SOON);
  await house.order({ table, command: "voice", side: "black", earphone: { readings: true } });
  await play("Nc6");
  await page.locator("#board").waitFor();
  await type("p n");
  await vi.waitFor(async () => expect((await heard()).at(-1)).toBe("answer polite: Springer Schwarz Gustav acht, Springer Schwarz Cesar sechs"), SOON);
  await house.order({ table, command: "voice", side: "black" });
});

test("what comes at once after an offer does not take its place", async () => {
  await begin("e4");
  await open("?side=white");
  await house.order({ table, command: "draw_offer", side: "black" });
  await play("e5");
  await vi.waitFor(async () => expect((await heard()).at(-1)).toMatch(/offers a draw\. .*Eva fünf$/), SOON);
});

test("whoever is among the tables to choose from stays there while the games go on", async () => {
  await begin("e4");
  page = await browser.open(`${house.address}/listen`, { ...HD, still: true });
  const link = page.locator(`#table-links a[href="/listen/${table}"]`);
  await link.focus();
  await play("e5", "Nf3", "Nc6");
  await house.order({ command: "open_round", event: "aside", round: 1, date: "2026.11.20" });
  await house.order({ table: "aside/1/1", command: "pair", white: { name: "Alonso, Rosa" }, black: { name: "Barre, Jean" } });
  await page.locator('#table-links a[href="/listen/aside/1/1"]').waitFor(SOON);
  expect(await link.evaluate((one) => one === document.activeElement)).toBe(true);
  expect(await page.title()).toContain("Escaque");
});

test.each(["refused", "hanging"])("a move whose words are %s is announced when they can be read, and until then that is said", async (how) => {
  await begin("e4");
  await open("?side=black");
  let isBroken = true;
  await page.route("**/words/**", async (route) => {
    if (!isBroken) await route.continue();
    else if (how === "refused") await route.fulfill({ status: 429, body: "There are too many screens at this address." });
  });
  await play("e5", "Nf3");
  await page.locator("#notice").filter({ hasText: "The last moves cannot be read at the moment" }).waitFor(SOON);
  expect(await heard()).toEqual([]);
  isBroken = false;
  await vi.waitFor(async () => expect(await heard()).toEqual(["said assertive: Springer Gustav eins, Felix drei"]), SOON);
  expect(await page.locator("#notice").textContent()).toBe("");
  expect(await page.locator("#moves li").count()).toBe(3);
  // That there was no answer is what the page was told.
  page.complaints.splice(0);
});

test("keys alone: from heading to board, from man to man, and answers that can be asked for twice", async () => {
  await begin("e4", "e5");
  await open();
  await page.locator("#moves li").nth(1).waitFor();
  await page.locator("#command").focus();
  await type("l");
  await type("l");
  await vi.waitFor(async () => expect(await heard()).toEqual(["answer polite: 1… Bauer Eva sieben, Eva fünf", "answer polite: 1… Bauer Eva sieben, Eva fünf"]), SOON);
  await page.locator("#moves").focus();
  await page.keyboard.press("Tab");
  expect(await focused()).toBe("Anna acht, Turm Schwarz");
  expect(await page.evaluate(() => document.querySelector<HTMLElement>("#board")!.lang)).toBe("de");
  await page.keyboard.press("ArrowRight");
  expect(await focused()).toBe("Bella acht, Springer Schwarz");
  await page.keyboard.press("n");
  expect(await focused()).toBe("Gustav acht, Springer Schwarz");
  await page.keyboard.press("Shift+N");
  expect(await focused()).toBe("Bella acht, Springer Schwarz");
  await page.keyboard.press("ArrowUp");
  expect(await focused(), "the board has an edge").toBe("Bella acht, Springer Schwarz");
  await page.keyboard.press("l");
  await vi.waitFor(async () => expect(await heard()).toHaveLength(3), SOON);
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.id), "one stop, and on").toBe("side");
});

// What a screen reader walks through, in words: read the golden aloud, from the top, before you change it.
test.each([
  ["a spectator", ""],
  ["a player", "?side=black"],
])("the tree that a screen reader walks through for %s", async (who, query) => {
  await begin("e4");
  await open(query);
  await page.locator("#moves li").first().waitFor();
  const tree = await page.locator("body").ariaSnapshot();
  await expect(`${tree}\n`).toMatchFileSnapshot(`goldens/listen-${who.split(" ")[1]}.yaml`);
});

test("words are in the language they say they are in, for a screen reader and for the browser's own voice", async () => {
  await begin("e4", "e5");
  await open();
  await page.evaluate(() => {
    const spoken: string[] = ((globalThis as unknown as { spoken: string[] }).spoken = []);
    speechSynthesis.speak = ({ lang, text }) => void spoken.push(`${lang} ${text}`);
  });
  await page.locator("#aloud").check();
  for (const [command, words] of [
    ["l", "de 1… Bauer Eva sieben, Eva fünf"],
    ["p k", "de König Schwarz Eva acht, König Weiß Eva eins"],
    ["s 5", "de Bauer Schwarz Eva fünf"],
    ["s 3", "en nothing"],
    ["c", "en No clock."],
    ["n", "en Move 2, White"],
    ["zz", "en Unknown. ? tells what there is."],
  ]) {
    await type(command!);
    expect(await inLanguages("#answer")).toEqual([words]);
  }
  await play("Nf3");
  await vi.waitFor(async () => expect(await inLanguages("#said")).toEqual(["de 2. Springer Gustav eins, Felix drei"]), SOON);
  await house.order({ table, command: "undo", plies: 1 });
  await vi.waitFor(async () => expect(await inLanguages("#said")).toEqual(["en moves taken back"]), SOON);
  const spoken = await page.evaluate(() => (globalThis as unknown as { spoken: string[] }).spoken);
  expect(spoken.filter((words) => !words.startsWith("en"))).toHaveLength(4);
  expect(spoken.slice(-2)).toEqual(["de 2. Springer Gustav eins, Felix drei", "en moves taken back"]);
  await house.order({ table, command: "new_game" });
  await page.locator("#last[lang=en]").filter({ hasText: "No move yet." }).waitFor(SOON);
  await vi.waitFor(async () => expect(await inLanguages("#said")).toEqual(["en A new game begins"]), SOON);
});

test("other words, other names, a large board, and what can be kept", async () => {
  await begin("e4", "e5", "Nf3");
  await open();
  // An answer is still on its way when the next words are chosen.
  await page.route("**/words/**", async (route) => {
    await new Promise((go) => setTimeout(go, 300));
    await route.continue();
  });
  await page.locator("#language").selectOption("es");
  await page.locator("#files").selectOption("international");
  await vi.waitFor(async () => expect(await page.locator("#last").textContent()).toBe("2. caballo golf uno, foxtrot tres"), SOON);
  await page.locator("#written").selectOption("braille");
  await vi.waitFor(async () => expect(await page.locator("#last").textContent()).toBe("2. Cg1f3"), SOON);
  expect(await heard(), "settings announce nothing").toEqual([]);
  await page.locator("#big").check();
  const man = await page.locator("#board [role=gridcell]").first().evaluate((cell) => cell.getBoundingClientRect().height / innerHeight);
  expect(man).toBeGreaterThanOrEqual(0.149);
  const kept = (name: string) => page.evaluate(async (name) => (await fetch(document.querySelector<HTMLAnchorElement>(`#${name}`)!.href)).text(), name);
  expect(await kept("text")).toContain("2 caballo g1 f3");
  expect(await kept("brf")).toMatch(/^[\x0c\r\n -_]*$/);
});

test("no rule is broken that a machine can check, in dark or light, at 100 or 200 %, nor in high contrast, and a telephone has room for it", async () => {
  await begin("e4", "e5");
  await open("", PHONE);
  await page.locator("#moves li").first().waitFor();
  await type("l");
  expect(await brokenInAnyLook(page)).toEqual([]);
  await page.evaluate(() => (document.documentElement.dataset["theme"] = "contrast"));
  expect(await brokenRules(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(PHONE.width);
});

test("a table that is not there is said, and the round is called as its event calls itself", async () => {
  page = await browser.open(`${house.address}/listen/open/1/77`, HD);
  await page.locator("#unknown").filter({ hasText: "There is no such table" }).waitFor();
  expect(await page.locator("#seat").isVisible()).toBe(false);
  expect(await brokenInAnyLook(page)).toEqual([]);
  await house.order({ command: "open_round", event: "open", round: 1, title: "Open d'Été" });
  await page.locator("#round").filter({ hasText: "Open d'Été" }).waitFor(SOON);
  // That there are no words of it is what the page was told.
  page.complaints.splice(0);
});

test("the address of one game is followed while that is on, and leads to its own page when it is over", async () => {
  await begin("e4");
  await begin("d4");
  const { game: games } = (await (await fetch(`${house.address}/words/${table}.json`)).json()) as { game: number };
  page = await browser.open(`${house.address}/listen/${table}/${games}?side=black`, HD);
  await page.locator("#last:not(:empty)").waitFor();
  expect(await page.locator("#notice").textContent()).toBe("");
  await page.close();
  page = await browser.open(`${house.address}/listen/${table}/${games - 1}`, HD);
  await page.waitForURL(`**/table/${table}/${games - 1}`);
});

test("an address that names no table is said, and none is waited for", async () => {
  page = await browser.open(`${house.address}/listen/open/1/x`, HD);
  await page.locator("#unknown").filter({ hasText: "There is no such table" }).waitFor();
  expect(await page.locator("#notice").textContent()).toBe("");
  expect(await brokenRules(page)).toEqual([]);
});

test.each(["/", `/table/${table}`, `/listen/${table}`])("where no script runs %s says so, and where the games are as text", async (path) => {
  await begin("e4");
  page = await browser.open("about:blank");
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setScriptExecutionDisabled", { value: true });
  await page.goto(`${house.address}${path}`);
  await page.locator(".plain").first().filter({ hasText: "needs JavaScript" }).waitFor();
  expect(await page.locator(".plain").count()).toBe(3);
  for (const text of ["/pgn", `/words/${table}.txt`]) expect(await (await fetch(`${house.address}${text}`)).text()).toContain("e4");
  await session.send("Emulation.setScriptExecutionDisabled", { value: false });
});

// The last, as the table has a clock from then on.
test("a player hears what is said at the board beside the moves, clocks that are set, and that the game is stopped", async () => {
  await begin("e4");
  await open("?side=black");
  const said = async (order: object, ...words: string[]) => {
    await house.order({ table, ...order });
    // What was said just before may be said again with it.
    await vi.waitFor(async () => expect((await heard()).at(-1)).toMatch(new RegExp(`(: |\\. )${words.join(". ")}$`)), SOON);
  };
  await said({ command: "draw_offer", side: "white" }, "White offers a draw");
  await said({ command: "draw_decline", side: "black" }, "Black declines the draw");
  await said({ command: "draw_offer", side: "black" }, "Black offers a draw");
  await said({ command: "penalty", side: "white", penalty: "opponent_time", seconds: 120, note: "as before" }, "Time penalty");
  await said({ command: "draw_accept", side: "white" }, "White accepts the draw");
  await said({ command: "reject" }, "White accepts the draw");
  await said({ command: "adjust_times", white_ms: 600_000, black_ms: 540_000 }, "Clocks set", "Black 9:00", "White 10:00");
  await vi.waitFor(async () => expect((await heard()).at(-1)).toMatch(/(: |\. )Game stopped$/), SOON);
  expect(await heard()).toHaveLength(7);
});

test("a player who was cut off is told that an offer may have been missed, and a spectator is not", async () => {
  await begin("e4");
  for (const [query, isTold] of [["?side=black", true], ["", false]] as const) {
    await open(query);
    await house.kill();
    await house.start();
    await page.locator("html:not(.stale)").waitFor();
    await play("e5");
    await vi.waitFor(async () => expect((await page.locator("#moves li").count())).toBe(2), SOON);
    await vi.waitFor(async () => expect((await heard()).some((said) => said.includes("Connected again"))).toBe(isTold), SOON);
    await house.order({ table, command: "undo", plies: 1 });
    page.complaints.splice(0);
    if (isTold) await page.close();
  }
});

async function begin(...moves: string[]): Promise<void> {
  await house.order({ table, command: "new_game" });
  await play(...moves);
}

async function play(...moves: string[]): Promise<void> {
  await house.order({ table, command: "insert", moves });
}

/** Opens the page, and listens to its live regions as a screen reader does: before anything is said in them. */
async function open(query = "", view: View = HD): Promise<void> {
  page = await browser.open(`${house.address}/listen/${table}${query}`, { ...view, still: true });
  await page.evaluate(() => {
    const heard: string[] = ((globalThis as unknown as { heard: string[] }).heard = []);
    for (const region of document.querySelectorAll("#said, #answer")) {
      new MutationObserver(() => heard.push(`${region.id} ${region.ariaLive}: ${region.textContent!.replaceAll("\u00a0", "")}`)).observe(region, { childList: true, characterData: true, subtree: true });
    }
  });
  await page.locator("#last:not(:empty)").waitFor();
}

function heard(): Promise<string[]> {
  return page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
}

/** What a region says, each with the language a screen reader takes it for. */
function inLanguages(region: string): Promise<string[]> {
  return page.locator(region).evaluate((region) => {
    const parts = region.children.length > 0 ? [...region.children] : [region];
    return parts.map((part) => `${part.closest<HTMLElement>("[lang]")!.lang} ${part.textContent}`);
  });
}

async function type(command: string): Promise<void> {
  await page.locator("#command").fill(command);
  await page.locator("#command").press("Enter");
}

function focused(): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.querySelector(".unseen")?.textContent ?? undefined);
}
