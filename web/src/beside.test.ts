// What is heard at a board beside the moves: who hears it, in which order, and nothing twice.

import { expect, test } from "vitest";

import { declared, stoodStill, type Standing } from "./beside";

const words = (sayings: { words: string }[]) => sayings.map(({ words }) => words);

test("both players are told of an offer and its answer, and a spectator is not", () => {
  const heard = (command: string, side: "white" | "black", listener?: "white" | "black") => words(declared({ command, side }, listener));
  expect(heard("draw_offer", "white", "black")).toEqual(["White offers a draw"]);
  expect(heard("draw_offer", "white", "white")).toEqual(["White offers a draw"]);
  expect(heard("draw_decline", "black", "black")).toEqual(["Black declines the draw"]);
  expect(heard("draw_accept", "white", "black")).toEqual(["White accepts the draw"]);
  expect(heard("draw_offer", "white")).toEqual([]);
  expect(heard("resign", "white", "black")).toEqual([]);
});

test("both players are told of a penalty of time, as the earphone tells it, and of no other", () => {
  const heard = (penalty: string, listener?: "white" | "black") => words(declared({ command: "penalty", side: "white", penalty }, listener));
  expect([heard("opponent_time", "white"), heard("own_time", "black")]).toEqual([["Time penalty"], ["Time penalty"]]);
  expect([heard("opponent_time"), heard("warning", "white")]).toEqual([[], []]);
});

test("clocks that are set are told to everybody, the listener's own first", () => {
  const set = { command: "adjust_times", white_ms: 3_600_000, black_ms: 65_400 };
  expect(words(declared(set, undefined))).toEqual(["Clocks set", "White 1:00:00", "Black 1:05"]);
  expect(words(declared(set, "black"))).toEqual(["Clocks set", "Black 1:05", "White 1:00:00"]);
});

test("a game that stands still is said once, and that it goes on", () => {
  const at = (mood: Standing["mood"], words: string): Standing => ({ mood, words });
  const [playing, stopped, lost] = [at("playing", "White to move"), at("stopped", "Game stopped"), at("lost", "No contact with the board")];
  const heard = (before: Standing | undefined, now: Standing) => words(stoodStill(before, now));
  expect(heard(undefined, stopped)).toEqual([]);
  expect(heard(playing, at("playing", "Black to move"))).toEqual([]);
  expect(heard(playing, stopped)).toEqual(["Game stopped"]);
  expect(heard(stopped, stopped)).toEqual([]);
  expect(heard(stopped, at("stopped", "Game adjourned"))).toEqual(["Game adjourned"]);
  expect(heard(stopped, playing)).toEqual(["The game goes on"]);
  expect(heard(playing, lost)).toEqual(["No contact with the board"]);
  expect(heard(lost, playing)).toEqual(["Board heard again"]);
  expect(heard(lost, stopped)).toEqual(["Board heard again", "Game stopped"]);
  expect(heard(stopped, at("ended", "Draw"))).toEqual([]);
});
