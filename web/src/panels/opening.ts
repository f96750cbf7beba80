// Opening rounds, and what takes it back: rounds that left the wall with it are there again. Pure.

import type { Order } from "../answers";
import type { TimeControl } from "../vocabulary";
import { nameOf, type Deed, type RoundPlan } from "./panel";

/** Each round to be opened, with its time control where one was said; `known` are all rounds as they are before. */
export function opening(rounds: readonly { round: RoundPlan; control?: TimeControl | undefined }[], known: RoundPlan[]): Pick<Deed, "orders" | "back"> {
  const wasOpen = known.filter(({ stage }) => stage === "open");
  const isNew = ({ round }: { round: RoundPlan }) => !wasOpen.some((open) => nameOf(open) === nameOf(round));
  const orders = rounds.map(({ round, control }) => order("open_round", round, control));
  const back = [...rounds.filter(isNew).map(({ round }) => order("close_round", round)), ...wasOpen.map((open) => order("open_round", open))];
  return { orders, back };
}

export function order(command: "open_round" | "close_round", { event, round }: RoundPlan, control?: TimeControl): Order {
  return { command, event, round, ...(control ? { time_control: control } : {}) };
}
