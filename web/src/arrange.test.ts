import { describe, expect, test } from "vitest";

import { arrange, HAND_WIDTH, LEAST_BOARD, tablesAtOnce } from "./arrange";

const BAR = 0.06;

describe.each([[1920, 1080], [3840, 2160], [1280, 800], [844, 390], [1080, 1920]])("on %i x %i", (width, height) => {
  const room = [width, height * (1 - BAR), height] as const;
  const page = (tables: number) => arrange(tablesAtOnce(tables, ...room), ...room);

  test.each([1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 30, 40, 60, 100, 200])("%i tables fit the wall, or its pages", (tables) => {
    const count = tablesAtOnce(tables, ...room);
    const found = page(tables);
    expect(found.columns * found.rows).toBeGreaterThanOrEqual(count);
    expect(found.columns * found.width).toBeLessThanOrEqual(room[0]);
    expect(found.rows * found.height).toBeLessThanOrEqual(room[1]);
    expect(found.board).toBeGreaterThanOrEqual(LEAST_BOARD);
    expect(found.text).toBeGreaterThanOrEqual(13);
    expect(found.board / Math.min(found.width, found.height), "the board is the tile").toBeGreaterThanOrEqual(0.75);
  });

  test("fewer tables have boards that are no smaller", () => {
    const boards = [1, 4, 8, 20].map((tables) => page(tables).board);
    expect(boards).toEqual([...boards].sort((a, b) => b - a));
  });
});

test("a screen of the hall shows sixty boards at once, and two hundred on three pages", () => {
  const pages = (tables: number) => Math.ceil(tables / tablesAtOnce(tables, 1920, 1014, 1080));
  expect([8, 24, 60, 200].map(pages)).toEqual([1, 1, 1, 3]);
});

test("clocks on a wall of eight are read from the back of the hall", () => {
  expect(arrange(8, 1920, 1014, 1080).digits).toBeGreaterThanOrEqual(1080 * 0.024);
});

test("a telephone on its side is a small wall, and one that stands is held in a hand", () => {
  expect(844).toBeGreaterThanOrEqual(HAND_WIDTH);
  expect(390).toBeLessThan(HAND_WIDTH);
});
