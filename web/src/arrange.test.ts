import { expect, test } from "vitest";

import { arrange, LEAST_BOARD, tablesAtOnce } from "./arrange";

const HEIGHT = 1080;
const BAR = 66;

test.each([1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 30, 40])("%i tables fit the wall, or its pages", (tables) => {
  const count = tablesAtOnce(tables, 1920, HEIGHT - BAR, HEIGHT);
  const { columns, rows, board, text, digits } = arrange(count, 1920, HEIGHT - BAR, HEIGHT);
  expect(columns * rows).toBeGreaterThanOrEqual(count);
  expect(columns * board).toBeLessThan(1920);
  expect(rows * board).toBeLessThan(HEIGHT - BAR);
  expect(board).toBeGreaterThanOrEqual(LEAST_BOARD);
  expect(text).toBeGreaterThanOrEqual(15);
  expect(digits * 0.7, "read from the back of the hall").toBeGreaterThanOrEqual(HEIGHT * 0.03 - 0.001);
});

test("up to twenty tables are seen at once, and pages are alike full", () => {
  const atOnce = (tables: number) => tablesAtOnce(tables, 1920, HEIGHT - BAR, HEIGHT);
  expect([12, 20].map(atOnce)).toEqual([12, 20]);
  expect(atOnce(40)).toBe(20);
});

test("fewer tables have bigger boards", () => {
  const boards = [1, 4, 8, 20].map((tables) => arrange(tables, 1920, HEIGHT - BAR, HEIGHT).board);
  expect(boards).toEqual([...boards].sort((a, b) => b - a));
});
