import { expect, test } from "vitest";

import { settledPlies, takeStaffChange, takeStaffSnapshot, type StaffTable } from "./staff";

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const table: StaffTable = { table: "open/1/3", game: 1, state: "playing", ply: 1, san: ["e4"], placement: START, turn: "black", result: "*" };

test("a move is its ply, its word and its squares", () => {
  const hall = takeStaffSnapshot([table]);
  takeStaffChange(hall, { table: "open/1/3", ply: 2, san: ["Nf6"], squares: "g8-f6n", turn: "white", provisional: 1 });
  const after = hall.get("open/1/3")!;
  expect(after).toMatchObject({ san: ["e4", "Nf6"], placement: "rnbqkb1r/pppppppp/5n2/8/8/8/PPPPPPPP/RNBQKBNR", turn: "white" });
  expect(settledPlies(after)).toBe(1);
});

test("where the moves before are not known, the line begins with what is new", () => {
  const hall = takeStaffSnapshot([table]);
  takeStaffChange(hall, { table: "open/1/3", ply: 8, san: ["Nf6"] });
  expect(settledPlies(hall.get("open/1/3")!)).toBe(8);
});

test("null takes a member away, and a clock keeps what is not told", () => {
  const clock = { white_ms: 1, black_ms: 2, running: "white", at: 3 } as const;
  const hall = takeStaffSnapshot([{ ...table, clock, proposal: { result: "1-0" } }]);
  takeStaffChange(hall, { table: "open/1/3", proposal: null, clock: { black_ms: 9, running: null, at: 4 } });
  expect(hall.get("open/1/3")!.clock).toEqual({ white_ms: 1, black_ms: 9, running: null, at: 4 });
  expect(hall.get("open/1/3")).not.toHaveProperty("proposal");
});

test("a table that is gone is gone, and rounds are told whole", () => {
  const hall = takeStaffSnapshot([table]);
  takeStaffChange(hall, { rounds: [{ event: "open", round: 1, stage: "open" }] });
  takeStaffChange(hall, { table: "open/1/3", gone: true });
  expect([hall.size, hall.rounds.length]).toEqual([0, 1]);
});
