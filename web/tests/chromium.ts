// Debian's Chromium, started once for all test files: each of them gets a context of its own.

import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export default async function launch(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    headless: true,
    args: FLAGS,
  });
  project.provide("browser", server.wsEndpoint());
  return () => server.close();
}

declare module "vitest" {
  export interface ProvidedContext {
    /** Where the browser that all files share is reached. */
    browser: string;
  }
}
