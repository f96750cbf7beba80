// Somebody at a browser: cookies and memory of their own, and pages of any size.

import { chromium, type Browser as Chromium, type BrowserContext, type Page } from "playwright-core";
import { inject } from "vitest";

/** A page, and what it complained about in its console. */
export type Opened = Page & { complaints: string[] };

/** One thing that a browser did. */
export interface Traced {
  name: string;
  args?: { beginData?: { stackTrace?: unknown[] } };
}

export interface View {
  width: number;
  height: number;
  scheme?: "dark" | "light";
  still?: boolean;
}

export const HD: View = { width: 1920, height: 1080 };
export const LAPTOP: View = { width: 1280, height: 800 };
export const PHONE: View = { width: 390, height: 844 };
/** The same telephone on its side. */
export const LYING: View = { width: 844, height: 390 };
export const UHD: View = { width: 3840, height: 2160 };

export class Browser {
  private constructor(
    private readonly chromium: Chromium,
    private readonly context: BrowserContext,
  ) {}

  static async launch(): Promise<Browser> {
    const connected = await chromium.connect(inject("browser"));
    return new Browser(connected, await connected.newContext({ viewport: null, locale: "en-GB" }));
  }

  /** A page of this size. What it complains about in its console fails the test that asks `complaints`. */
  async open(address: string, view: View = HD): Promise<Opened> {
    const page = Object.assign(await this.context.newPage(), { complaints: [] as string[] });
    page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
    page.on("pageerror", (error) => page.complaints.push(String(error)));
    await page.setViewportSize(view);
    await page.emulateMedia({ colorScheme: view.scheme ?? "dark", reducedMotion: view.still ? "reduce" : "no-preference" });
    await page.goto(address);
    return page;
  }

  /** Seconds of a processor that pages have taken, all together. */
  async workOfPages(): Promise<number> {
    const session = await this.chromium.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    await session.detach();
    return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  }

  /** What the browser does in a page for so long. */
  async trace(page: Page, ms: number, categories: string[]): Promise<Traced[]> {
    await this.chromium.startTracing(page, { categories });
    await page.waitForTimeout(ms);
    const trace = await this.chromium.stopTracing();
    return (JSON.parse(trace.toString()) as { traceEvents: Traced[] }).traceEvents;
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.chromium.close();
  }
}

/** For what comes by itself, as soon as the machine gets to it. */
export const SOON = { timeout: 30_000, interval: 20 };

/** What stands where on the board inside `where`, read from where it is drawn. */
export function menOn(page: Page, where: string): Promise<Record<string, string>> {
  return page.locator(`${where} cg-board`).evaluate((board) => {
    const side = board.getBoundingClientRect().width / 8;
    const men: Record<string, string> = {};
    for (const man of board.querySelectorAll("piece:not(.fading)")) {
      const { x, y } = man.getBoundingClientRect();
      const at = board.getBoundingClientRect();
      men[`${"abcdefgh"[Math.round((x - at.x) / side)]}${8 - Math.round((y - at.y) / side)}`] = man.className.replace(" anim", "");
    }
    return men;
  });
}
