import { expect, test } from "vitest";

import { inWords } from "./ask";

test("what is refused is said in the page's own words, and what it has none for as the daemon says it", () => {
  expect(inWords({ kind: "fewer_moves", moves: 1 })).toBe("The record has 1 half-move.");
  expect(inWords({ kind: "illegal_move", text: "Ke3", side: "white", number: 2 })).toBe("Ke3 is no legal move for White at move 2.");
  expect(inWords({ kind: "several_moves", text: "Nd2", moves: ["Nbd2", "Nfd2"] })).toBe('"Nd2" may be Nbd2, Nfd2: say which.');
  expect(inWords({ kind: "board_differs", squares: ["g1", "f3"] })).toContain("(g1, f3)");
  expect(inWords({ kind: "no_event", event: "opne", known: ["open", "youth"] })).toBe("There is no event opne. Known are: open, youth.");
  expect(inWords({ kind: "no_event", event: "opne", known: [] })).toBe("There is no event opne. None is known yet.");
  expect(inWords({ kind: "other_rounds", round: 3, rounds: [1, 2] })).toContain("round 1, 2, and not round 3");
  expect(inWords({ kind: "unreadable_lines", lines: [2, 3] }, "line 2: …")).toBe("line 2: …");
  expect(inWords({ kind: "something_newer" })).toBeUndefined();
  expect(inWords(undefined)).toBeUndefined();
});
