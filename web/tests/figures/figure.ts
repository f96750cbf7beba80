// A figure beside its limit: printed for whoever makes the release, and red where it does not hold.

import { writeSync } from "node:fs";

import { expect } from "vitest";

const STDOUT = 1;

export function figure(name: string, value: number, unit: string, limit: { most?: number; least?: number }): void {
  const { most = Infinity, least = -Infinity } = limit;
  const words = limit.most === undefined ? `at least ${least}` : `at most ${most}`;
  const rounded = Math.abs(value) < 10 ? value.toFixed(2) : value.toFixed(1);
  writeSync(STDOUT, `${name.padEnd(44)} ${rounded} ${unit}`.trimEnd() + ` (${words})\n`);
  expect.soft(value, name).toBeLessThanOrEqual(most);
  expect.soft(value, name).toBeGreaterThanOrEqual(least);
}
