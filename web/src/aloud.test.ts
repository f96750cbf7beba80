// What a listener is told: what has come, what holds no more, and nothing twice.

import { expect, test } from "vitest";

import { gist, news, withLately, type Told } from "./aloud";

const told = (game: number, moves: string[], result: Told["result"] = "*"): Told => ({
  language: "de",
  game,
  white: "A",
  black: "B",
  result,
  plies: moves.map((speech, ply) => ({ number: Math.floor(ply / 2) + 1, side: ply % 2 === 0 ? "white" : "black", speech, display: "", braille: "" })),
  squares: [],
  turn: "white",
  number: 1,
  readings: [],
});

const heard = (before: Told | undefined, now: Told, listener?: "white" | "black") => news(before, now, listener, "speech").map(({ words }) => words);

test("a player is told the opponent's moves and a spectator all of them, none twice", () => {
  const [before, now] = [told(1, ["e4"]), told(1, ["e4", "e5", "Nf3"])];
  expect(heard(before, now)).toEqual(["1… e5", "2. Nf3"]);
  expect(heard(before, now, "white")).toEqual(["e5"]);
  expect(heard(now, now)).toEqual([]);
  expect(heard(undefined, now)).toEqual([]);
});

test("what was taken back is told, and what stands in its place", () => {
  expect(heard(told(1, ["e4", "e5"]), told(1, ["e4", "c5"]))).toEqual(["moves taken back", "1… c5"]);
});

test("the next game begins and takes no move of the one before back, nor its result", () => {
  const before = told(1, ["e4", "e5"], "1-0");
  expect(heard(before, told(2, []), "white")).toEqual(["A new game begins"]);
  expect(heard(before, told(2, ["e4", "c5"], "0-1"))).toEqual(["A new game begins", "1. e4", "1… c5", "Black won"]);
});

test("a result is told, and that it holds no more", () => {
  const [before, now] = [told(1, ["e4"]), told(1, ["e4"], "1-0")];
  expect(heard(before, now)).toEqual(["White won"]);
  expect(heard(now, before)).toEqual(["Game on"]);
});

test("who was cut off is told how much was played and the last of it, and a player every move", () => {
  const line = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];
  const waiting = (moves: number, listener?: "white") => gist(news(told(1, []), told(1, line.slice(0, moves), "1/2-1/2"), listener, "speech"), listener);
  expect(waiting(3).map(({ words }) => words)).toEqual(["1. e4", "1… e5", "2. Nf3", "Draw"]);
  expect(waiting(6).map(({ words, language }) => `${language} ${words}`)).toEqual(["en 6 half-moves meanwhile", "de 3… a6", "en Draw"]);
  expect(waiting(6, "white").map(({ words }) => words)).toEqual(["e5", "Nc6", "a6", "Draw"]);
});

test("what comes right after an announcement does not cut it off: both are said", () => {
  const say = (words: string) => ({ words, language: "en" });
  const first = withLately({ said: [], at: -Infinity }, [say("a draw is offered")], 10_000);
  const second = withLately(first, [say("e4")], 10_010);
  expect(second.said.map(({ words }) => words)).toEqual(["a draw is offered", "e4"]);
  expect(withLately(second, [say("e5")], 11_600).said.map(({ words }) => words)).toEqual(["e5"]);
  const many = ["1", "2", "3", "4", "5"].reduce((lately, words, index) => withLately(lately, [say(words)], 20_000 + index), second);
  expect(many.said.map(({ words }) => words)).toEqual(["2", "3", "4", "5"]);
});
