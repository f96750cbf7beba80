import { expect, test } from "vitest";

import type { RoundPlan } from "./panel";
import { numberFrom1, seatOf } from "./seat";

test.each([["7", 7], [" 12 ", 12], ["65535", 65_535]])("%s is a table's number", (text, number) => expect(numberFrom1(text)).toBe(number));

test.each(["", "abc", "-1", "1.5", "0", "65536", "99999", "1e3"])('"%s" is none', (text) => expect(numberFrom1(text)).toBeUndefined());

test("a number is told of a table of the chosen round alone, of any other its round and event too", () => {
  const [rr, nine] = [round("rr", 9), round("nine", 1)];
  expect(seatOf("rr/9/2", rr, [rr, nine])).toEqual({ number: "2", elsewhere: "" });
  expect(seatOf("nine/1/2", rr, [rr, nine])).toEqual({ number: "", elsewhere: "2 · Round 1 · Nine" });
  expect(seatOf("rr/8/2", rr, [rr, nine])).toEqual({ number: "", elsewhere: "2 · Round 8 · Rr" });
  expect(seatOf(undefined, rr, [rr, nine])).toEqual({ number: "", elsewhere: "" });
});

function round(event: string, number: number): RoundPlan {
  return { event, round: number, stage: "open", delay: {} as RoundPlan["delay"], on_air: "all" };
}
