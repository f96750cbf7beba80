import { expect, test } from "vitest";

import { newTable, START } from "./fold";
import { eventName, firstPly, moveNumber, isOver, nameParts, nextPly, pairName, positionWords, resultFigures, scoreOf, standing, stateOf } from "./words";
import type { Table } from "./vocabulary";

const table = { ...newTable("open/1/3"), state: "playing" as const };

test("the most urgent state is the one that is said", () => {
  expect(stateOf({ ...table, link: "down", held: true }, 0).words).toBe("No contact with the board");
  expect(stateOf({ ...table, held: true }, 0).words).toBe("Checking position");
  expect(stateOf({ ...table, turn: "black", san: ["Qh5+"] }, 0).words).toBe("Check · Black to move");
});

test("a game whose clocks both stand is stopped, once they have stood and a move was made", () => {
  const clock = { white_ms: 60_000, black_ms: 60_000, running: null, at: 10_000 };
  const stopped = { ...table, san: ["e4"], clock };
  expect(stateOf(stopped, 12_000).mood).toBe("playing");
  expect(stateOf(stopped, 13_000)).toEqual({ mood: "stopped", words: "Game stopped" });
  expect(stateOf({ ...stopped, san: [] }, 99_000).mood).toBe("playing");
  expect(stateOf({ ...stopped, clock: { ...clock, running: "white" } }, 99_000).mood).toBe("playing");
});

test("an adjourned game says so, whatever its clocks and its board do meanwhile", () => {
  const adjourned = { ...table, san: ["e4"], adjourned: true };
  expect(stateOf({ ...adjourned, link: "down", held: true }, 0)).toEqual({ mood: "stopped", words: "Game adjourned" });
  expect(stateOf({ ...adjourned, state: "awaiting_arbiter" }, 99_000).words).toBe("Game adjourned");
  expect(stateOf({ ...adjourned, state: "ended", result: "1-0" }, 0).words).toBe("White won");
});

test("an arbiter is at the table once one has acknowledged and both clocks stand, and not before", () => {
  const clock = { white_ms: 60_000, black_ms: 60_000, running: null, at: 10_000 };
  const stopped = { ...table, san: ["e4"], clock, attended: true };
  expect(stateOf(stopped, 13_000).words).toBe("Arbiter at the table");
  expect(stateOf({ ...stopped, clock: { ...clock, running: "white" } }, 13_000).words).toBe("White to move");
});

test("that the arbiter was called is not said: the game goes on while a clock runs", () => {
  expect(stateOf({ ...table, state: "awaiting_arbiter" }, 0).words).toBe("White to move");
});

test("a board that is packed up after the game does not hide the result", () => {
  expect(stateOf({ ...table, link: "down", result: "0-1" }, 0).words).toBe("Black won");
});

test("what was entered is said, also where the result does not say it", () => {
  const told = (more: Pick<Table, "result" | "score">) => [isOver(more), resultFigures(scoreOf(more)), stateOf({ ...table, ...more }, 0).words];
  expect(told({ result: "1-0" })).toEqual([true, "1–0", "White won"]);
  expect(told({ result: "0-1", score: "-/+" })).toEqual([true, "−/+", "Black won by forfeit"]);
  expect(told({ result: "*", score: "0-0" })).toEqual([true, "0–0", "Both lost"]);
  expect(told({ result: "*", score: "1/2-0" })).toEqual([true, "½–0", "Half a point for White"]);
  expect(told({ result: "*" })).toEqual([false, "", "White to move"]);
});

test("moves are numbered from where the game began", () => {
  expect(firstPly(START)).toBe(0);
  expect(moveNumber(firstPly("8/8/8/8/8/8/8/8 b - - 3 17"))).toBe("17…");
  expect(moveNumber(nextPly({ ...table, turn: "black", rest: "- - 3 17" }) - 1)).toBe("17.");
});

test("a position is read square by square, kings first", () => {
  expect(positionWords("4k3/8/8/8/8/8/P7/4K2R")).toBe("White: king e1, rook h1, pawn a2. Black: king e8.");
});

test("an event's folder name reads as a name", () => {
  expect(eventName("spring-open_2026")).toBe("Spring open 2026");
});

test("a round of the day is named after its day", () => {
  expect(eventName("2026-11-20")).toBe("20 November 2026");
  expect(eventName("2026-99-99")).toBe("2026-99-99");
});

test.for([
  ["Nakagawa, Yui", "Nakagawa"],
  ["Prince, A, Jr", "Prince"],
  ["Magnus Carlsen", "Magnus Carlsen"],
  [", Yui", ", Yui"],
])("of %s no less than %s is read, and both parts are all of it", ([name, least]) => {
  const parts = nameParts(name!);
  expect(parts[0]).toBe(least);
  expect(parts.join("")).toBe(name);
});

test("of two names that are read from the right White's is the first all the same, and other names have nothing added", () => {
  const [white, black] = [{ name: "בן-דוד, יוסי" }, { name: "محمد، عبد الله" }];
  expect(pairName(white, black)).toBe("\u2068בן-דוד, יוסי\u2069 – \u2068محمد، عبد الله\u2069");
  expect(pairName({ name: "Ünal, Öykü" }, undefined)).toBe("Ünal, Öykü – Black");
});

test("men that are only put up again leave the result of the game that was played", () => {
  const again = { ...table, game: 2, earlier: [{ game: 1, result: "1-0" as const }] };
  expect([standing(again), stateOf(again, 0).words]).toEqual(["1-0", "White won"]);
  expect(stateOf({ ...again, san: ["e4"], turn: "black" }, 0).words).toBe("Black to move");
  expect(standing({ ...again, result: "0-1" })).toBe("0-1");
  expect(stateOf({ ...again, earlier: [{ game: 1, result: "*" }] }, 0).words).toBe("White to move");
});
