// A table that needs the arbiter: what it has raised, what is proposed, and the answers, each of them one tap.

import { acknowledgement, answersTo, dismissal, timesAfter, type Order, type Times } from "./answers";
import { digits, remaining } from "./clock";
import { element, setText } from "./dom";
import { say } from "./say";
import { evidenceOf, proposalOf, titleOf } from "./told";
import { gravestFirst, isOverdue, rankOf, waiting } from "./urgency";
import { playerName, resultFigures, standing } from "./words";
import type { Matter } from "./staff";
import type { Table } from "./vocabulary";

/** Gives orders for a table, and says what came of them: whether they were carried out. */
export type Give = (table: string, words: string, orders: Order[]) => Promise<boolean>;

export class Card {
  readonly root = element("article", "card");
  private readonly clocks = { white: element("span", "clock"), black: element("span", "clock") };
  private readonly ages = new Map<Matter, HTMLElement>();
  private readonly set = element("p", "evidence");
  private drawn = "";
  private table: Table | undefined;
  private name = "";
  /** The alert of which it is being said why there is nothing to do. */
  private dismissing: string | undefined;
  /** Where that is said: what is being written in it stays, whatever comes in meanwhile. */
  private why: HTMLElement | undefined;

  constructor(
    private readonly id: string,
    private readonly give: Give,
    private readonly look: ((id: string) => void) | undefined,
    private readonly now: () => number,
  ) {
    this.root.dataset["table"] = id;
    this.root.tabIndex = -1;
  }

  /** Draws it anew where something is another: what is being tapped must not change under a finger. */
  show(table: Table, name: string): void {
    this.table = table;
    this.name = name;
    this.root.dataset["rank"] = rankOf(table);
    const { alerts, proposal, state, white, black, attended, adjourned, adjourned_ms } = table;
    const drawn = JSON.stringify([alerts, proposal, state, white, black, standing(table), attended, adjourned, adjourned_ms, name, this.dismissing]);
    if (drawn !== this.drawn) this.draw(table);
    this.drawn = drawn;
    this.tick(table, this.now());
  }

  private tick(table: Table, now: number): void {
    setText(this.set, setWords(table, now));
    for (const side of ["white", "black"] as const) setText(this.clocks[side], table.clock ? digits(remaining(table.clock, side, now)) : "");
    let overdue = false;
    for (const [matter, place] of this.ages) {
      const late = isOverdue(matter, now);
      overdue ||= late;
      setText(place, late ? say.nobodyComes(Math.floor((now - matter.at) / 1000)) : say.ago(age(now - matter.at)));
    }
    this.root.classList.toggle("overdue", overdue);
  }

  private draw(table: Table): void {
    const held = this.root.contains(document.activeElement) ? (document.activeElement as HTMLElement) : undefined;
    this.ages.clear();
    const open = gravestFirst(waiting(table));
    const list = element("ul", "matters", ...open.map((matter) => this.matter(matter)));
    const settled = (table.alerts ?? []).filter(({ stage }) => stage === "settled").slice(-2);
    const past = element("ul", "settled", ...settled.map((matter) => this.settled(matter)));
    this.root.replaceChildren(this.head(table), ...adjournment(table), list, ...this.proposed(table), this.answers(table), past);
    // What was asked for may be gone with its answer: the keyboard stays at the table.
    if (held === undefined || held === document.activeElement) return;
    const same = this.root.querySelector<HTMLElement>(`[data-key="${held.dataset["key"]}"]`);
    (held.isConnected ? held : (same ?? this.root)).focus();
  }

  private head(table: Table): HTMLElement {
    const player = (side: "white" | "black") => {
      const man = element("span", `man ${side}`);
      man.setAttribute("aria-hidden", "true");
      const name = Object.assign(element("span", "name", playerName(table[side], side)), { dir: "auto" });
      return element("span", "player", man, name, this.clocks[side]);
    };
    const title = element("h3", "", this.name);
    const result = resultFigures(standing(table));
    if (result !== "") title.append(element("span", "score", result));
    if (table.adjourned) title.append(element("span", "there", say.gameAdjourned));
    if (table.attended) title.append(element("span", "there", say.arbiterThere));
    return element("header", "head", title, player("white"), player("black"));
  }

  private matter(matter: Matter): HTMLElement {
    const { alert, stage, game } = matter;
    const age = element("span", "age");
    this.ages.set(matter, age);
    const facts = [
      game === undefined ? "" : element("span", "stage", say.ofGame(game)),
      alert.article === undefined ? "" : element("span", "article-of", say.article(alert.article)),
      stage === "acknowledged" ? element("span", "stage", say.acknowledged) : "",
      alert.unconfirmed ? element("span", "stage", say.unconfirmed) : "",
      age,
    ].filter((one) => one !== "");
    const name = nameOf(matter);
    const nothing = this.button(`dismiss-${name}`, say.nothingToDo, () => this.dismiss(this.dismissing === name ? undefined : name), "small");
    nothing.setAttribute("aria-expanded", String(this.dismissing === name));
    nothing.setAttribute("aria-label", `${say.nothingToDo}: ${titleOf(alert)}`);
    const evidence = evidenceOf(alert);
    const item = element("li", `matter ${alert.severity} ${stage}`, element("h4", "", titleOf(alert)), element("p", "facts", ...facts));
    if (evidence !== "") item.append(element("p", "evidence", evidence));
    item.append(nothing);
    if (this.dismissing === name) item.append((this.why ??= this.whyNot(matter)));
    return item;
  }

  private settled({ alert, by }: Matter): HTMLElement {
    const what = by === undefined ? say.settled : say.settledBy([say.orders[by.command] ?? by.command, by.note].filter(Boolean).join(", "));
    return element("li", "", `${titleOf(alert)} · ${what}`);
  }

  private proposed({ proposal }: Table): HTMLElement[] {
    if (proposal === undefined) return [];
    const words = proposalOf(proposal);
    return [...(words === "" ? [] : [element("p", "proposal", element("strong", "", `${say.proposal}: `), words)]), this.set];
  }

  private answers(table: Table): HTMLElement {
    const place = element("div", "answers");
    answersTo(table, undefined).forEach(({ key, words }, index) => {
      place.append(this.button(key, words, () => this.answer(key), index === 0 ? "main" : ""));
    });
    if (waiting(table).some(({ stage }) => stage === "open")) {
      // What has come up since the card was drawn has not been seen.
      place.append(this.button("acknowledge", say.onMyWay, () => this.give(this.id, say.onMyWay, [acknowledgement(table)])));
    }
    if (this.look !== undefined) place.append(this.button("look", say.look, () => this.look?.(this.id), "quiet-button"));
    return place;
  }

  /** What an order needs to know is read when the finger comes, not when the card was drawn. */
  private answer(key: string): void {
    if (this.table === undefined) return;
    const answer = answersTo(this.table, timesOf(this.table, this.now())).find((one) => one.key === key);
    if (answer !== undefined) this.give(this.id, answer.words, answer.orders);
  }

  private dismiss(name: string | undefined): void {
    this.dismissing = name;
    this.why = undefined;
    this.drawn = "";
    this.root.dispatchEvent(new CustomEvent("again", { bubbles: true }));
  }

  private whyNot(matter: Matter): HTMLElement {
    const because = (note: string) => {
      this.dismiss(undefined);
      this.give(this.id, say.nothingToDo, [dismissal(matter, note)]);
    };
    const form = element("form", "why");
    const other = element("input");
    other.setAttribute("aria-label", say.otherReason);
    other.placeholder = say.otherReason;
    other.maxLength = 120;
    form.setAttribute("aria-label", say.whyNothing);
    form.append(...say.reasonsNothing.map((reason, index) => this.button(`why-${index}`, reason, () => because(reason), "small")), other);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (other.value.trim() !== "") because(other.value.trim());
    });
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      this.dismiss(undefined);
      this.root.querySelector<HTMLElement>(`[data-key="dismiss-${nameOf(matter)}"]`)?.focus();
    });
    return form;
  }

  private button(key: string, words: string, does: () => void, className = ""): HTMLButtonElement {
    const made = element("button", `button ${className}`.trim(), words);
    made.type = "button";
    made.dataset["key"] = key;
    made.addEventListener("click", does);
    return made;
  }
}

/** By its kind and its time, as the daemon knows it. */
function nameOf({ at, alert }: Matter): string {
  return `${alert.kind}@${at}`;
}

/** Minutes and seconds, without the tenths a clock shows. */
function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** What both clocks have to be set to, where that is proposed. */
function setWords(table: Table, now: number): string {
  const { bonus_s: bonus, charge_s: charge, clocks_ms: clocks } = table.proposal ?? {};
  if (bonus === undefined && charge === undefined && clocks === undefined) return "";
  const times = timesAfter(clocks ?? timesOf(table, now), bonus, charge);
  return times === undefined ? "" : say.setClocks(digits(times.white), digits(times.black));
}

/** What the clocks showed: before the envelope is opened they are set to it again. */
function adjournment({ adjourned, adjourned_ms: times }: Table): HTMLElement[] {
  if (!adjourned) return [];
  const words = times == null ? say.adjournedUnknown : say.adjournedWith(digits(times.white), digits(times.black));
  return [element("p", "evidence", words)];
}

/** What the clocks show at a moment; nothing where nobody hears them. */
function timesOf({ clock }: Table, now: number): Times | undefined {
  return clock && { white: remaining(clock, "white", now), black: remaining(clock, "black", now) };
}
