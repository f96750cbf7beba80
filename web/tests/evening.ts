// A hall in the middle of a round, with something of everything that can happen at a table.

import { GAMES } from "../dev/games";
import { FakeHall } from "../dev/hall";
import type { Alert, Matter } from "../src/staff";

export function evening(count: number): FakeHall {
  const hall = new FakeHall(count);
  for (let number = 1; number <= count; number += 1) {
    const id = hall.id(number);
    const game = GAMES[(number - 1) % GAMES.length]!;
    const ended = number % 8 === 4 || number % 13 === 11;
    const plies = ended ? game.length : 9 + ((number * 7) % (game.length - 12));
    const turn = plies % 2 === 0 ? "white" : "black";
    const short = number % 7 === 5;
    think(hall, id, game.slice(0, ended ? plies : plies - 1));
    hall.clock(id, short ? 141_000 : 5_000_000 - number * 71_300, short ? 38_400 : 3_400_000 - number * 53_900, turn);
    hall.seen(id, game.slice(0, plies), number % 4 === 1 ? plies - 1 : plies);
    if (ended) hall.end(id, number % 13 === 11 ? "1/2-1/2" : "1-0");
    if (number % 10 === 3) hall.clock(id, 2_400_000, 2_200_000, null);
    if (number % 9 === 6) hall.link(id, "down");
    if (number % 9 === 7) hall.hold(id, true);
  }
  return hall;
}

/** The moves before the last, each with its time: some are known by heart, some take a quarter of an hour. */
function think(hall: FakeHall, id: string, line: string[]): void {
  const left = { white: 5_400_000, black: 5_400_000 };
  for (let ply = 1; ply <= line.length; ply += 1) {
    const side = ply % 2 === 1 ? "white" : "black";
    left[side] -= ((ply * 7919) % 97) * ((ply * 104_729) % 31) * 150;
    hall.clock(id, left.white, left.black, side);
    hall.seen(id, line.slice(0, ply));
  }
}

/** Four tables call the arbiter, each for another reason. */
export function call(hall: FakeHall): void {
  const matter = (ago: number, alert: Partial<Alert>, stage: Matter["stage"] = "open"): Matter => ({
    at: hall.now() - ago,
    stage,
    alert: { kind: "flag_fall", severity: "critical", side: "white", ...alert },
  });
  hall.tell(hall.id(1), {
    state: "awaiting_arbiter",
    alerts: [matter(9_000, { kind: "illegal_move_completed", severity: "major", article: "7.5.5", count: 1, reason: "not_a_legal_move", evidence: { squares: ["g1", "g3"] } })],
    proposal: { action: "restore_and_penalise", bonus_s: { black: 120 }, touch_move: { must_move: "g1" } },
    board: "rnbqkbnr/pppp1ppp/8/4p3/4P3/6N1/PPPP1PPP/RNBQKB1R",
    differs: ["g1", "g3"],
  });
  hall.tell(hall.id(2), {
    state: "awaiting_arbiter",
    alerts: [matter(41_000, { article: "6.9", completed_moves: 39, opponent_can_mate: true })],
    proposal: { result: "0-1", reason: "time" },
  });
  hall.tell(hall.id(3), {
    state: "awaiting_arbiter",
    alerts: [matter(4_000, { kind: "claim_verified", severity: "major", article: "9.2", occurrences: [2, 6, 8] })],
    proposal: { result: "1/2-1/2", reason: "threefold_claim" },
  });
  hall.tell(hall.id(5), {
    alerts: [
      matter(70_000, { kind: "touch_move_suspect", severity: "major", article: "4.3.1", evidence: { square: "d1" } }, "acknowledged"),
      { ...matter(200_000, { kind: "takeback", severity: "minor", side: null, plies: 2 }, "settled"), by: { command: "dismiss", note: "The players agree" } },
    ],
  });
}
