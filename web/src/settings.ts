// The wall's settings: a dialog over a choice, with everything it says in the address of the view, too.

import { ORDERS, pick, readTables, USUAL, writeTables, type Choice, type Order } from "./choice";
import { copy } from "./copy";
import { byId, element, icon } from "./dom";
import { choose, notation, type Notation } from "./notation";
import { remember } from "./memory";
import { LANGUAGE_NAMES, language, say } from "./say";
import { addressOf } from "./screen";
import { chosenTheme, paint, THEMES, type Theme } from "./theme";
import { parts } from "./words";
import type { Hall } from "./fold";

const AT_ONCE = [0, 1, 2, 4, 6, 8, 12, 16, 20, 24, 30, 40, 60];
const EVERY = [0, 6, 12, 20, 30, 60];

export class Settings {
  private readonly dialog = byId("settings") as HTMLDialogElement;
  private readonly chosen = byId("chosen") as HTMLInputElement;

  constructor(
    private choice: Choice,
    private readonly hall: () => Hall,
    private readonly changed: (choice: Choice) => void,
  ) {
    byId("choose").append(icon("choose"));
    byId("choose").addEventListener("click", () => this.open());
    this.chosen.addEventListener("input", () => this.change({ tables: readTables(this.chosen.value) }));
    select("order", [...ORDERS], (order) => ({ table: say.byTable, running: say.runningFirst, rating: say.byRating })[order as Order]);
    select("at-once", AT_ONCE.map(String), (count) => (count === "0" ? say.asManyAsFit : count));
    select("every", EVERY.map(String), (seconds) => (seconds === "0" ? say.never : say.seconds(Number(seconds))));
    select("notation", ["letters", "figurines"], (how) => say[how as Notation]);
    select("colours", ["", ...THEMES], (theme) => (theme === "" ? say.asSystem : say[theme as Theme]));
    select("lang", Object.keys(LANGUAGE_NAMES), (tag) => LANGUAGE_NAMES[tag as keyof typeof LANGUAGE_NAMES]);
    listen("order", (order) => this.change({ order: order as Order }));
    listen("at-once", (count) => this.change({ atOnce: Number(count) }));
    listen("every", (seconds) => this.change({ seconds: Number(seconds) }));
    listen("colours", (theme) => paint(THEMES.find((known) => known === theme)));
    listen("notation", (how) => {
      choose(how as Notation);
      this.change({});
    });
    listen("lang", (tag) => {
      remember("lang", tag);
      const address = new URL(location.href);
      address.searchParams.delete("lang");
      location.replace(address);
    });
    byId("copy").addEventListener("click", () => void copy(byId("view-address") as HTMLInputElement, byId("copy")));
  }

  /** All tables, however they were chosen. */
  clear(): void {
    this.change({ tables: [] });
  }

  private open(): void {
    this.chosen.value = writeTables(this.choice.tables);
    this.fill();
    this.dialog.showModal();
  }

  private change(change: Partial<Choice>): void {
    this.choice = { ...this.choice, ...change };
    this.changed(this.choice);
    this.fill();
  }

  private fill(): void {
    const { tables, order, atOnce, seconds } = this.choice;
    const values = { order, "at-once": atOnce, every: seconds, notation: notation(), colours: chosenTheme() ?? "", lang: language };
    for (const [id, value] of Object.entries(values)) choosable(id, String(value));
    (byId("view-address") as HTMLInputElement).value = addressOf(this.choice);
    const all = pick(this.hall().values(), USUAL).map(({ table }) => parts(table).number);
    byId("numbers").replaceChildren(...[...new Set(all)].map((number) => this.toggle(number, tables.includes(number))));
  }

  private toggle(number: number, isChosen: boolean): HTMLElement {
    const button = element("button", "number", String(number));
    button.type = "button";
    button.setAttribute("aria-pressed", String(isChosen));
    button.addEventListener("click", () => {
      const others = this.choice.tables.filter((other) => other !== number);
      this.change({ tables: isChosen ? others : [...others, number] });
      this.chosen.value = writeTables(this.choice.tables);
      // The buttons are made anew; the keyboard stays where it was.
      byId("numbers").querySelectorAll("button").forEach((next) => next.textContent === String(number) && next.focus());
    });
    return button;
  }
}

function select(id: string, values: string[], name: (value: string) => string): void {
  byId(id).replaceChildren(...values.map((value) => new Option(name(value), value)));
}

function listen(id: string, heard: (value: string) => void): void {
  byId(id).addEventListener("change", () => heard((byId(id) as HTMLSelectElement).value));
}

/** An address may say what no list has. */
function choosable(id: string, value: string): void {
  const list = byId(id) as HTMLSelectElement;
  if (![...list.options].some((option) => option.value === value)) list.append(new Option(value, value));
  list.value = value;
}
