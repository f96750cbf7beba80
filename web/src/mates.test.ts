import { expect, test } from "vitest";

import { stepsOf } from "./mates";

test("a line is walked move by move, and ends with the mate", () => {
  const steps = stepsOf("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", ["f7g7"]);
  expect(steps).toEqual([{ san: "Qg7#", placement: "7k/6Q1/6K1/8/8/8/8/8", turn: "black", check: true, last: "f7g7" }]);
});

test("what can't be followed ends it, and what is no position has no line", () => {
  expect(stepsOf("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", ["f7g7", "h8g8"])).toHaveLength(1);
  expect(stepsOf("nothing", ["e2e4"])).toEqual([]);
});
