// What a machine can check of WCAG AA.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { Page } from "playwright-core";

import { LAPTOP } from "./browser";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Both colours and both sizes: what a window shows as it usually is, and at twice of that. */
const LOOKS = [
  ["dark", "100 %", LAPTOP],
  ["light", "200 %", { width: LAPTOP.width / 2, height: LAPTOP.height / 2 }],
] as const;

/** Every rule that is broken in dark or light, at 100 or 200 %; the page is left as it was. */
export async function brokenInAnyLook(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  const found: string[] = [];
  for (const [theme, name, size] of LOOKS) {
    await page.setViewportSize(size);
    await page.evaluate((name) => (document.documentElement.dataset["theme"] = name), theme);
    // What watches its own size has seen the new one a frame later, and is drawn by then.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    found.push(...(await brokenRules(page)).map((rule) => `${theme}, ${name}: ${rule}`));
  }
  await page.evaluate(() => delete document.documentElement.dataset["theme"]);
  if (before !== null) await page.setViewportSize(before);
  return found;
}

/** Every rule that is broken, with its place. */
export async function brokenRules(page: Page): Promise<string[]> {
  if (await page.evaluate(() => !("axe" in globalThis))) await page.evaluate(AXE);
  return page.evaluate(async () => {
    const axe = (globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } }).axe;
    const { violations } = await axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target} ${node.failureSummary}`));
  });
}

interface Violation {
  id: string;
  nodes: { target: string; failureSummary: string }[];
}
