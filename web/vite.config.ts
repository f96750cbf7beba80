import { resolve } from "node:path";
import { defineConfig } from "vitest/config";

import { fakeHall } from "./dev/plugin.ts";
import { piecesAsFiles } from "./pieces.ts";

const page = (name: string) => resolve(import.meta.dirname, name);

export default defineConfig({
  plugins: [piecesAsFiles(), fakeHall()],
  server: { host: "127.0.0.1" },
  build: {
    // The pages run under `default-src 'self'`: nothing may become a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: ["index", "table", "overlay", "feed", "join", "doors", "refused"].map((name) => page(`${name}.html`)) },
  },
  test: {
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts"] } },
      { test: { name: "browser", include: ["tests/**/*.test.ts"], testTimeout: 40_000, hookTimeout: 40_000, fileParallelism: false } },
      { test: { name: "readme", include: ["tests/readme.ts"], testTimeout: 600_000 } },
      { test: { name: "shots", include: ["tests/shots.ts"], testTimeout: 600_000, hookTimeout: 40_000 } },
    ],
  },
});
