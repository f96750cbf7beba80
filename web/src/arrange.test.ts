import { expect, test } from "vitest";

import { arrange } from "./arrange";

const HEIGHT = 1080;
const BAR = 66;

test.each([1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 30, 40])("%i tables fit the wall", (tables) => {
  const { columns, rows, board, text } = arrange(tables, 1920, HEIGHT - BAR, HEIGHT);
  expect(columns * rows).toBeGreaterThanOrEqual(tables);
  expect(columns * board).toBeLessThan(1920);
  expect(rows * board).toBeLessThan(HEIGHT - BAR);
  expect(board).toBeGreaterThan(100);
  expect(text).toBeGreaterThanOrEqual(15);
});

test("fewer tables have bigger boards", () => {
  const boards = [1, 4, 8, 24, 40].map((tables) => arrange(tables, 1920, HEIGHT - BAR, HEIGHT).board);
  expect(boards).toEqual([...boards].sort((a, b) => b - a));
});

test("up to twelve tables have clocks for the back of the hall", () => {
  for (let tables = 1; tables <= 12; tables += 1) {
    expect(arrange(tables, 1920, HEIGHT - BAR, HEIGHT).digits * 0.7).toBeGreaterThanOrEqual(HEIGHT * 0.03 - 0.001);
  }
});
