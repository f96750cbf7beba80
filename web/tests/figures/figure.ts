// A figure beside its limit: written down for whoever makes the release (`tests/run/figures`), and red where it does not hold.

import { appendFileSync } from "node:fs";

import { expect } from "vitest";

const SHEET = process.env["FIGURES"] ?? "/dev/stdout";

export function figure(name: string, value: number, unit: string, limit: { most?: number; least?: number }): void {
  const { most = Infinity, least = -Infinity } = limit;
  const words = limit.most === undefined ? `at least ${least}` : `at most ${most}`;
  const rounded = Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(1);
  appendFileSync(SHEET, `${name.padEnd(44)} ${rounded} ${unit}`.trimEnd() + ` (${words})\n`);
  expect.soft(value, name).toBeLessThanOrEqual(most);
  expect.soft(value, name).toBeGreaterThanOrEqual(least);
}
