// From the decision of the core to the painted row on the arbiter's console: `make bench-console`. The daemon says when it
// decided, on the clock of its messages; the page that clock is read on is the console itself.

import { afterAll, beforeAll, expect, test } from "vitest";

import { PLAYERS } from "../../dev/games";
import { Browser } from "../browser";
import { House } from "../daemon";
import { figure } from "./figure";

const BOARDS = 8;
const ALERTS = 200;
const TABLET = { width: 1180, height: 820 };

/** What happens in the page that is measured. */
interface Watch {
  /** How far the daemon's clock is ahead of the page's: a message is late by its time on the way, never early. */
  ahead: number;
  /** When alerts were decided that have not been painted yet. */
  decided: number[];
  /** How long each took, in milliseconds. */
  took: number[];
  /** The last one, by the time at which it was decided. */
  last: number;
}

let browser: Browser;
beforeAll(async () => void (browser = await Browser.launch()));
afterAll(() => browser.close());

test("from the decision to the painted row", async () => {
  const house = await House.box(BOARDS);
  try {
    await house.pair("Spring Open", PLAYERS.slice(0, 2 * BOARDS).map(([name]) => name));
    const tables = await house.until((all) => all.filter(({ table, state }) => table.startsWith("spring-open/1/") && state === "playing").length === BOARDS);
    const page = await browser.open(`${house.address}/#token=${house.token}`, { ...TABLET, still: true });
    // Whoever leaves before being signed in is not let in at the console.
    await page.waitForURL(/operate/);
    await page.addInitScript(watch);
    await page.goto(`${house.address}/console`);
    await page.locator("#tables button").nth(BOARDS - 1).waitFor();
    const watched = () => page.evaluate(() => (globalThis as unknown as { watch: Watch }).watch);
    for (let count = 0; count < ALERTS; count += 1) {
      const { table } = tables[count % BOARDS]!;
      await house.order({ command: "report", table, kind: "touch_out_of_turn", side: "white" });
      await expect.poll(async () => (await watched()).took.length, { timeout: 5_000, interval: 10 }).toBe(count + 1);
      await house.order({ command: "dismiss", table, kind: "touch_out_of_turn", at: (await watched()).last });
    }
    const all = (await watched()).took.sort((a, b) => a - b);
    const share = (part: number) => all[Math.min(all.length - 1, Math.floor(all.length * part))]!;
    figure("decision to painted row, half of them", share(0.5), "ms", { most: 100 });
    figure("decision to painted row, 99 of 100", share(0.99), "ms", { most: 100 });
    await page.close();
  } finally {
    await house.close();
  }
});

/** Runs in the page, before anything of it: listens beside the page's own client, and looks at what is painted. */
function watch(): void {
  const watch: Watch = { ahead: -Infinity, decided: [], took: [], last: 0 };
  Object.assign(globalThis, { watch });
  const known = new Set<string>();
  const Plain = globalThis.WebSocket;
  globalThis.WebSocket = class extends Plain {
    constructor(address: string | URL) {
      super(address);
      this.addEventListener("message", ({ data }) => {
        const { now, changes = [] } = JSON.parse(data as string);
        watch.ahead = Math.max(watch.ahead, now - performance.now());
        for (const { table, alerts = [] } of changes) {
          for (const { at, stage } of alerts) {
            if (stage !== "open" || known.has(`${table}@${at}`)) continue;
            known.add(`${table}@${at}`);
            watch.decided.push((watch.last = at));
          }
        }
      });
    }
  };
  const shown = new Set<Element>();
  new MutationObserver(() => {
    const fresh = [...document.querySelectorAll("#cards .matter.open")].filter((row) => !shown.has(row));
    if (fresh.length === 0 || watch.decided.length === 0) return;
    fresh.forEach((row) => shown.add(row));
    const decided = watch.decided.splice(0);
    // A task that is put behind the next frame's callbacks begins when that frame is painted.
    requestAnimationFrame(() => setTimeout(() => watch.took.push(...decided.map((at) => performance.now() + watch.ahead - at))));
  }).observe(document, { childList: true, subtree: true });
}
