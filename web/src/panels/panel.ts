// What a panel of the operator's page is, and what it may lean on.

import { element } from "../dom";
import type { Order } from "../answers";
import type { Answer } from "../ask";
import type { Delay, Player, Round } from "../vocabulary";
import type { Hall } from "../fold";

/** One panel: its own file in this folder, and a row in `list.ts`. `S` is what its address answers with. */
export interface Panel<S> {
  /** In the address of the page, behind `#`. */
  name: string;
  title: string;
  /** Where its state comes from: an address, asked so often while the panel is in sight; or the feed, as it comes. */
  source: { path: string; everyMs: number } | "feed";
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
  readonly hall: Hall;
  /** All rounds, those that nobody sees yet included. */
  readonly rounds: RoundPlan[];
  /** The one that is chosen at the top of the page. */
  readonly round: RoundPlan | undefined;
  /** The time on the clock of the messages. */
  now(): number;
  /**
   * Gives orders, one after the other, says what came of them and offers to take them back. What the daemon said of them;
   * nothing where one was refused.
   */
  give(deed: Deed): Promise<string[] | undefined>;
  /** The same for what was done by another address than that of orders. */
  did(deed: Omit<Deed, "orders">): Promise<void>;
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
  /** Why what these orders did can't be taken back, as a sentence: something else was made of it since. */
  since?(orders: Order[], back: Order[]): string | undefined;
}

/** What `/rounds` answers. */
export interface Programme {
  rounds: RoundPlan[];
  withheld?: string[];
}

/** A round as `/rounds` tells it. */
export interface RoundPlan extends Round {
  pairings?: { table: number; white: Player; black: Player }[];
  places?: { table: number; board: string }[];
  delay: Delay;
  on_air: OnAir;
}

/** Which tables spectators are shown. */
export type OnAir = "all" | "none" | { first: number } | { list: number[] };

/** `open/3`. */
export function nameOf({ event, round }: RoundPlan): string {
  return `${event}/${round}`;
}

/** A button that does something. */
export function button(words: string, does: () => void, className = "button"): HTMLButtonElement {
  const made = element("button", className, words);
  made.type = "button";
  made.addEventListener("click", does);
  return made;
}

/** A field and its name. */
export function field(name: string, input: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, className = "field"): HTMLElement {
  return element("label", className, element("span", "", name), input);
}
