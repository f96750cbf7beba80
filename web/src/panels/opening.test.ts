import { expect, test } from "vitest";

import { opening } from "./opening";
import type { RoundPlan } from "./panel";
import { readTimeControl, timeControlFigures } from "./timecontrol";

test("what is taken back of a round that was opened brings back the rounds that left the wall with it", () => {
  const known = [round(1, "open"), round(2, "prepared"), round(3, "closed")];
  expect(opening([{ round: known[1]!, control: { base_s: 5400, increment_s: 30 } }], known)).toEqual({
    orders: [{ command: "open_round", event: "eve", round: 2, time_control: { base_s: 5400, increment_s: 30 } }],
    back: [
      { command: "close_round", event: "eve", round: 2 },
      { command: "open_round", event: "eve", round: 1 },
    ],
  });
});

test("a round that was open before is not closed when what opened it once more is taken back", () => {
  const known = [round(1, "open")];
  expect(opening([{ round: known[0]! }], known).back).toEqual([{ command: "open_round", event: "eve", round: 1 }]);
});

test.each([
  ["90+30", 5400, 30],
  [" 90 + 30 ", 5400, 30],
  ["90", 5400, 0],
  ["90 min", 5400, 0],
  ["90 Minuten + 30 s", 5400, 30],
  ["3'+2''", 180, 2],
  ["15’ + 10”", 900, 10],
])("%s is a time control", (text, base_s, increment_s) => expect(readTimeControl(text)).toEqual({ base_s, increment_s }));

test.each(["90:30", "90/40+30", "1:30+30", "-5", "0", "90+", "+30", "90 30", "blitz"])("%s may mean anything, and is asked for again", (text) => {
  expect(readTimeControl(text)).toBe("unclear");
});

test("nothing is no time control, and one is told as it is written", () => {
  expect(readTimeControl("  ")).toBeUndefined();
  for (const text of ["90+30", "5"]) expect(timeControlFigures(readTimeControl(text) as never)).toBe(text);
});

function round(number: number, stage: RoundPlan["stage"]): RoundPlan {
  return { event: "eve", round: number, stage, delay: {} as RoundPlan["delay"], on_air: "all" };
}
