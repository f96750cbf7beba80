import { expect, test } from "vitest";

import { counted, depthOf, differing, indexAt, next, standings, wordsOf, type Moment } from "./moments";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";

const GAME: Moment[] = [
  { t: 0, board: START, shown: { placement: START, plies: 0, settled: 0 }, told: [{ event: "started", game: 1 }] },
  { t: 1_000, square: ["e2", "."], board: "rnbqkbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKBNR" },
  { t: 1_400, square: ["e4", "P"], board: E4, shown: { placement: E4, plies: 1, settled: 0, san: "e4" } },
  { t: 2_000, clock: { white_ms: 60_000, black_ms: 60_000, running: "black", at: 2_000 }, told: [{ event: "final", ply: 1, san: "e4" }] },
  { t: 9_000, order: { command: "resume" }, by: "arbiter, Anna" },
];

test("what stood after each moment is what was said of it last", () => {
  const stood = standings(GAME);
  expect(stood.map(({ board, placement }) => board === placement)).toEqual([true, false, true, true, true]);
  expect(differing(stood[1]!.placement, stood[1]!.board!)).toEqual(["e2"]);
  expect(stood.at(-1)).toMatchObject({ plies: 1, placement: E4 });
});

test("until a board has told what stands on it none is said to stand there, as where a game is kept by hand", () => {
  const byHand: Moment = { t: 0, board: "8/8/8/8/8/8/8/8", shown: { placement: START, plies: 0, settled: 0 }, told: [{ event: "started", game: 1 }] };
  expect(standings([byHand, ...GAME]).map(({ board }) => board !== undefined)).toEqual([false, true, true, true, true, true]);
});

test("squares are named on which two boards do not have the same", () => {
  expect(differing(START, START)).toEqual([]);
  expect(differing("8/8/8/8/4P3/8/8/4K3", "8/8/8/8/8/4P3/8/4K3")).toEqual(["e4", "e3"]);
});

test("clocks count on from what they showed", () => {
  const last = standings(GAME).at(-1)!;
  expect(counted(last, 5_000)).toEqual({ white: 60_000, black: 57_000 });
  expect(counted(standings(GAME)[0]!, 5_000)).toBeUndefined();
});

test("every moment says what happened, and who ordered it", () => {
  expect(GAME.map(wordsOf)).toEqual([["Game 1"], ["square e2 of the board: empty"], ["seen: e4", "square e4 of the board: White pawn"], ["final: e4", "clock: 1:00 – 1:00"], ["order: the game goes on (arbiter, Anna)"]]);
});

test("from one moment to the next only as deep as is asked", () => {
  expect(GAME.map(depthOf)).toEqual(["record", "all", "hands", "record", "record"]);
  expect([next(GAME, 0, 1, "all"), next(GAME, 0, 1, "hands"), next(GAME, 0, 1, "record"), next(GAME, 4, 1, "all")]).toEqual([1, 2, 3, 4]);
  expect([indexAt(GAME, 1_399), indexAt(GAME, 1_400), indexAt(GAME, 99_999)]).toEqual([1, 2, 4]);
});
