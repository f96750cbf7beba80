// What a panel of the operator's page is, and what it may lean on.

import type { Order } from "../answers";
import type { Answer } from "../ask";
import type { Player, Round } from "../vocabulary";
import type { StaffHall } from "../staff";

/** One panel: its own file in this folder, and a row in `list.ts`. `S` is what its address answers with. */
export interface Panel<S> {
  /** In the address of the page, behind `#`. */
  name: string;
  title: string;
  /** Where its state comes from, and how often it is asked for while the panel is in sight. */
  source: { path: string; everyMs: number };
  /** What can be done for all of it, as buttons at its head; one of them may be that it is tried now. */
  actions: Action[];
  /** Builds it into `place`, once. What is given back draws each state that comes, and draws only what is another. */
  draw(place: HTMLElement, desk: Desk): (state: S) => void;
}

/** A button of a panel. What came of it is said at the foot of the page. */
export interface Action {
  words: string;
  does(desk: Desk): Promise<Answer<unknown>>;
}

/** What the page lends its panels. */
export interface Desk {
  /** The tables of the rounds that are open, as arbiter and operator hear of them. */
  readonly hall: StaffHall;
  /** All rounds, those that nobody sees yet included. */
  readonly rounds: RoundPlan[];
  /** The one that is chosen at the top of the page. */
  readonly round: RoundPlan | undefined;
  /** The time on the clock of the messages. */
  now(): number;
  /** Gives orders, one after the other, says what came of them and offers to take them back. */
  give(deed: Deed): Promise<boolean>;
  /** Says something at the foot of the page. */
  tell(answer: Answer<string>): void;
  /** Says something to those who do not see the page. */
  announce(words: string): void;
  /** Asks for the state again at once. */
  again(): void;
}

/** Something that is ordered, and what takes it back. */
export interface Deed {
  words: string;
  orders: Order[];
  back?: Order[];
}

/** A round as `/rounds` tells it. */
export interface RoundPlan extends Round {
  pairings?: { table: number; white: Player; black: Player }[];
  places?: { table: number; board: string }[];
}

/** `open/3`. */
export function nameOf({ event, round }: RoundPlan): string {
  return `${event}/${round}`;
}
