// Debian's Chromium, in a profile of its own that goes when the test does.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { chromium, type BrowserContext, type Page } from "playwright-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export interface View {
  width: number;
  height: number;
  scheme?: "dark" | "light";
  still?: boolean;
}

export const HD: View = { width: 1920, height: 1080 };
export const PHONE: View = { width: 390, height: 844 };
export const UHD: View = { width: 3840, height: 2160 };

export class Browser {
  private constructor(
    private readonly context: BrowserContext,
    private readonly profile: string,
  ) {}

  static async launch(): Promise<Browser> {
    const profile = mkdtempSync(join(tmpdir(), "pages-"));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      headless: true,
      args: FLAGS,
      viewport: null,
    });
    return new Browser(context, profile);
  }

  /** A page of this size. What it complains about in its console fails the test that asks `complaints`. */
  async open(address: string, view: View = HD): Promise<Page & { complaints: string[] }> {
    const page = Object.assign(await this.context.newPage(), { complaints: [] as string[] });
    page.on("console", (message) => message.type() === "error" && page.complaints.push(message.text()));
    page.on("pageerror", (error) => page.complaints.push(String(error)));
    await page.setViewportSize(view);
    await page.emulateMedia({ colorScheme: view.scheme ?? "dark", reducedMotion: view.still ? "reduce" : "no-preference" });
    await page.goto(address);
    return page;
  }

  async close(): Promise<void> {
    await this.context.close();
    rmSync(this.profile, { recursive: true, force: true });
  }
}
