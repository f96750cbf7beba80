import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

import { fakeHall, PAGES } from "./dev/plugin.ts";
import { piecesAsFiles } from "./pieces.ts";

/** Tests that look at pages have one browser between them, and time enough on a machine that others use too. */
const shown = { globalSetup: ["tests/chromium.ts"], hookTimeout: 90_000 };

export default defineConfig({
  plugins: [piecesAsFiles(), fakeHall()],
  server: { host: "127.0.0.1" },
  build: {
    // The pages run under `default-src 'self'`: nothing may become a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: PAGES.map((page) => resolve(import.meta.dirname, page)) },
  },
  test: {
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts"] } },
      // Most of what a page does is waited for: three files at a time keep two cores busy.
      { test: { ...shown, name: "browser", include: ["tests/**/*.test.ts"], testTimeout: 90_000, maxWorkers: 3, sequence: { groupOrder: 1 } } },
      // One after the other, with nothing beside them: they keep time.
      { test: { ...shown, name: "figures", include: ["tests/figures/{wall,console}.ts"], testTimeout: 300_000, maxWorkers: 1 } },
      { test: { ...shown, name: "readme", include: ["tests/readme.ts"], testTimeout: 600_000 } },
      { test: { ...shown, name: "shots", include: ["tests/shots.ts"], testTimeout: 600_000 } },
    ],
  },
});
