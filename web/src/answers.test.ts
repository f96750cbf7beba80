import { expect, test } from "vitest";

import { acknowledgement, answersTo, dismissal, heldBack, timesAfter } from "./answers";
import type { Matter, Proposal } from "./staff";
import { evidenceOf } from "./told";
import type { Table } from "./vocabulary";

const table = (proposal?: Proposal, ...alerts: Matter[]): Table => ({
  table: "open/1/7", game: 1, state: "awaiting_arbiter", ply: 9, san: ["Nf3"], placement: "8/8/8/8/8/8/8/8", turn: "black", rest: "- - 0 1", result: "*", alerts, ...(proposal ? { proposal } : {}),
});
const alert = (at: number, more: Partial<Matter["alert"]> = {}): Matter => ({ at, stage: "open", alert: { kind: "ambiguous", severity: "minor", side: null, ...more } });

test("an illegal move is restored and penalised with the times computed, in one tap", () => {
  const [first] = answersTo(table({ action: "restore_and_penalise", bonus_s: { black: 120 } }), { white: 600_450, black: 300_000 });
  expect(first).toEqual({
    key: "restore-penalise",
    words: "Restore the position, +2:00 Black",
    orders: [
      { command: "penalty", side: "white", penalty: "opponent_time", seconds: 120 },
      { command: "adjust_times", white_ms: 600_000, black_ms: 420_000 },
      { command: "restore", to: 9 },
    ],
  });
});

test("a result is confirmed, or the game goes on", () => {
  expect(answersTo(table({ result: "0-1", reason: "time" }), undefined).map(({ words, orders }) => [words, orders[0]!.command])).toEqual([
    ["Confirm 0–1", "confirm"],
    ["Play on", "reject"],
  ]);
});

test("what is offered for an earlier game is confirmed or left, and the game that is on is not asked", () => {
  const offered = { ...table({ result: "1-0", reason: "time", game: 1 }), game: 2, state: "playing", differs: ["g1"] } as Table;
  const found = answersTo(offered, undefined);
  expect(found.map(({ words, orders }) => [words, orders[0]!.command])).toEqual([["Confirm 1–0", "confirm"], ["No result", "reject"]]);
  expect(heldBack(offered, found[1]!.orders)).toEqual([]);
  expect(answersTo({ ...offered, state: "awaiting_arbiter" }, undefined).map(({ key }) => key)).toEqual(["confirm", "reject", "resume"]);
});

test("a wrong claim costs the claimant in the old editions, and gives the opponent in the new", () => {
  const [charged] = answersTo(table({ action: "penalise_wrong_claim", charge_s: { white: 300 } }), { white: 200_000, black: 5_000 });
  expect(charged!.orders.slice(0, 2)).toEqual([
    { command: "penalty", side: "white", penalty: "own_time", seconds: 300 },
    { command: "adjust_times", white_ms: 0, black_ms: 5_000 },
  ]);
});

test("clocks that nobody can hear are not set", () => {
  expect(answersTo(table({ action: "penalise", bonus_s: { white: 60 } }), undefined)[0]!.orders.map(({ command }) => command)).toEqual(["penalty", "confirm"]);
  expect(timesAfter(undefined)).toBeUndefined();
});

test("each line that explains the board can be chosen, and a stopped game goes on", () => {
  const found = answersTo(table(undefined, alert(3, { alternatives: [["Nf3"], ["Nf6", "Ng8"]] })), undefined);
  expect(found.map(({ orders }) => orders[0])).toEqual([{ command: "choose", alternative: 1 }, { command: "choose", alternative: 2 }, { command: "resume" }]);
});

test("of many lines the likeliest are offered, and where the others are entered is said", () => {
  const many = alert(3, { alternatives: Array.from({ length: 45 }, (_, at) => [`N${at}`]) });
  expect(answersTo({ ...table(undefined, many), state: "playing" }, undefined).map(({ words }) => words)).toEqual(Array.from({ length: 9 }, (_, at) => `It was N${at}`));
  expect(evidenceOf(many.alert)).toBe("36 more; if it was none of these, enter the moves under Moves by hand.");
  expect(evidenceOf({ kind: "resync", severity: "minor", side: null, plies: 0 })).toContain("where the record lacks some, enter them");
  expect(evidenceOf({ kind: "claim_not_confirmed", severity: "major", side: "white", occurrences: [0, 4] })).toBe("The position has stood 2 times.");
  expect(evidenceOf({ kind: "claim_not_confirmed", severity: "major", side: "white", claim: "fifty", occurrences: [0, 4] })).toBe("50 moves; the position has stood 2 times.");
  expect(evidenceOf({ kind: "claim_verified", severity: "major", side: "white", occurrences: [100] })).toBe("");
});

test("what is acknowledged is what was on the page, and what is dismissed is one alert", () => {
  expect(acknowledgement(table(undefined, alert(3), alert(8)))).toEqual({ command: "acknowledge", until: 8 });
  expect(dismissal(alert(3), "seen")).toEqual({ command: "dismiss", kind: "ambiguous", at: 3, note: "seen" });
});

test("while squares differ a game that would go on is held back, and one that is restored or ends is not", () => {
  const differs = ["g1", "g3"];
  const held = (proposal: Proposal | undefined, command: string) => heldBack({ ...table(proposal), differs }, [{ command }]);
  expect(held(undefined, "resume")).toEqual(differs);
  expect(held({ action: "penalise" }, "confirm")).toEqual(differs);
  expect(held({ result: "1-0" }, "reject")).toEqual(differs);
  expect(heldBack(undefined, [{ command: "resume" }]), "it has left the wall").toEqual([]);
  expect([held({ result: "1-0" }, "confirm"), held({ action: "restore" }, "restore"), heldBack(table(), [{ command: "resume" }])]).toEqual([[], [], []]);
});
