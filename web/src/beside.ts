// What somebody who sits at the board hears and sees there beside moves and results: offers, clocks that are set, a game that
// stands still. Pure; a blind player is told it in words.

import type { Saying } from "./aloud";
import { digits } from "./clock";
import { language, say } from "./say";
import type { Mood } from "./words";
import type { Declared, Side } from "./vocabulary";

const ours = (words: string): Saying => ({ words, language });

/** An offer, its answer and a penalty are between the players and the arbiter; a spectator hears of clocks alone. */
export function declared(order: Declared, listener: Side | undefined): Saying[] {
  const { command, side, white_ms: white, black_ms: black } = order;
  if (command === "adjust_times" && white !== undefined && black !== undefined) return [ours(say.clocksSet), ...clocks({ white, black }, listener)];
  if (side === undefined || listener === undefined) return [];
  if (command === "penalty") return order.penalty === "own_time" || order.penalty === "opponent_time" ? [ours(say.timePenalty)] : [];
  if (command === "draw_offer") return [ours(say.offersDraw(say[side]))];
  if (command === "draw_accept") return [ours(say.acceptsDraw(say[side]))];
  return command === "draw_decline" ? [ours(say.declinesDraw(say[side]))] : [];
}

/** The listener's own first, as the earphone has it. */
function clocks(left: Record<Side, number>, listener: Side | undefined): Saying[] {
  const sides: Side[] = listener === "black" ? ["black", "white"] : ["white", "black"];
  return sides.map((side) => ours(`${say[side]} ${digits(left[side]).replace(/\.\d$/, "")}`));
}

/** What goes on at a table, as the eye is told. */
export interface Standing {
  mood: Mood;
  words: string;
}

/** A game that stands still is said when it comes to, and when it goes on. That it is over its result says. */
export function stoodStill(before: Standing | undefined, now: Standing): Saying[] {
  if (before === undefined || now.mood === "ended") return [];
  const said: Saying[] = [];
  if (before.mood === "lost" && now.mood !== "lost") said.push(ours(say.alerts["link_restored"]!));
  if (stands(now)) return before.words === now.words ? said : [...said, ours(now.words)];
  if (before.mood === "stopped" && now.mood !== "waiting") said.push(ours(say.resumeGame));
  return said;
}

function stands({ mood }: Standing): boolean {
  return mood === "lost" || mood === "stopped";
}
