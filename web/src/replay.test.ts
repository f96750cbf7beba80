import { expect, test } from "vitest";

import { START } from "./fold";
import { readGames, spent } from "./games";
import { balance, taken } from "./material";
import { Replay } from "./replay";

const PGN = `[White "Okafor, Ada"]
[WhiteTitle "WGM"]
[WhiteElo "2341"]
[Black "?"]
[Result "1-0"]
[TimeControl "5400+30"]

1. e4 {[%clk 1:30:25]} 1... e5 {[%clk 1:30:00]} 2. Nf3 {[%clk 1:28:55]} 1-0

[White "A"]
[Black "B"]
[Result "*"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]

1... Kd7 *
`;

test("a game to which somebody did not come is no game that was won", () => {
  const score = (result: string, termination = "abandoned") => readGames(`[Result "${result}"]\n[Termination "${termination}"]\n\n${result}\n`)[0]!.score;
  expect([score("1-0"), score("0-1"), score("*"), score("1-0", "time forfeit")]).toEqual(["+/-", "-/+", "-/-", undefined]);
});

test("a line is followed move by move, and only what is new is played", () => {
  const replay = new Replay();
  replay.follow(START, ["e4", "e5"]);
  const [, first] = replay.positions;
  replay.follow(START, ["e4", "c5", "Nf3"]);
  expect(replay.positions[1]).toBe(first);
  expect(replay.positions.map(({ last }) => last)).toEqual([undefined, "e2e4", "c7c5", "g1f3"]);
  expect(replay.positions.at(-1)).toMatchObject({ turn: "black", check: false, placement: "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R" });
  replay.follow("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", ["Kd7"]);
  expect(replay.positions).toHaveLength(2);
});

test("a move that stands without being legal ends what can be followed", () => {
  const replay = new Replay();
  replay.follow(START, ["e4", "e2e5", "Nf3"]);
  expect(replay.positions).toHaveLength(2);
});

test("a table's games are read with their clocks", () => {
  const [first, second] = readGames(PGN);
  expect(first).toMatchObject({ white: { name: "Okafor, Ada", title: "WGM", rating: 2341 }, black: { name: "" }, result: "1-0", line: ["e4", "e5", "Nf3"] });
  expect(first?.clocks).toEqual([5_425_000, 5_400_000, 5_335_000]);
  expect(second).toMatchObject({ start: "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", line: ["Kd7"], clocks: [undefined] });
});

test("a move takes what its clock lost, and what it was given", () => {
  const { clocks, control } = readGames(PGN)[0]!;
  expect(spent(clocks, control)).toEqual([0, 0, 120_000]);
  expect(spent([undefined, 5_000, 4_000, undefined], { base_s: 6, increment_s: 0 })).toEqual([undefined, 1_000, undefined, undefined]);
});

test("what is missing was taken, and a second queen is a pawn", () => {
  const placement = "rnbqkbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKB1R";
  expect([taken(START, placement, "white"), taken(START, placement, "black")]).toEqual([["p"], ["p", "n"]]);
  expect(taken(START, "4k3/8/8/8/8/8/8/QQ2K3", "black")).toEqual(["p", "p", "p", "p", "p", "p", "p", "n", "n", "b", "b", "r", "r"]);
  expect(balance(placement)).toBe(-3);
});
