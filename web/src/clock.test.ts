import { expect, test } from "vitest";

import { digits, Now, remaining, showsTenths } from "./clock";

const clock = { white_ms: 60_000, black_ms: 90_000, running: "white" as const, at: 1_000 };

test("the running side counts down and the other stands", () => {
  expect(remaining(clock, "white", 11_000)).toBe(50_000);
  expect(remaining(clock, "black", 11_000)).toBe(90_000);
});

test("a clock stops at nothing, and never runs before it was pressed", () => {
  expect(remaining(clock, "white", 99_000)).toBe(0);
  expect(remaining(clock, "white", 400)).toBe(60_000);
});

test("a stopped clock stands", () => {
  expect(remaining({ ...clock, running: null }, "white", 99_000)).toBe(60_000);
});

test("digits are rounded down, with tenths in the last ten seconds", () => {
  expect(digits(5_400_000)).toBe("1:30:00");
  expect(digits(3_599_999)).toBe("59:59");
  expect(digits(61_000)).toBe("1:01");
  expect(digits(10_000)).toBe("0:10");
  expect(digits(9_999)).toBe("0:09.9");
  expect(digits(0)).toBe("0:00");
});

test("tenths are shown by the clock that runs, in its last ten seconds", () => {
  expect(showsTenths(clock, 50_999)).toBe(false);
  expect(showsTenths(clock, 51_001)).toBe(true);
  expect(showsTenths({ ...clock, running: null, white_ms: 5_000 }, 51_001)).toBe(false);
  expect(showsTenths(undefined, 51_001)).toBe(false);
});

test("a late message does not turn the clocks back", () => {
  let here = 0;
  const now = new Now(() => here);
  now.heard(10_000);
  here = 1_000;
  now.heard(10_700); // 300 ms on the way.
  expect(now.there()).toBeGreaterThanOrEqual(10_990);
});
