// Rounds: pairings from a file that is dropped, or typed or pasted, looked at before they are taken in; rounds opened and
// closed.

import type { Order } from "../answers";
import { ask, unrecorded } from "../ask";
import { element } from "../dom";
import { eventTitle } from "../naming";
import { say } from "../say";
import { isOver } from "../words";
import { button, field, nameOf, type Desk, type Panel, type Programme, type RoundPlan } from "./panel";

/** While somebody types, the daemon is asked this long after the last letter. */
const PAUSE_MS = 250;

export const rounds: Panel<Programme> = {
  name: "rounds",
  title: say.roundsTitle,
  source: { path: "/rounds", everyMs: 3_000 },
  actions: [],
  draw(place, desk) {
    const view = new Rounds(place, desk);
    return (programme) => view.show(programme);
  },
};

class Rounds {
  private readonly list = element("ol", "round-list");
  private readonly text = element("textarea");
  private readonly event = element("input");
  private readonly number = element("input");
  private readonly time = element("input");
  private readonly letters = element("select");
  private readonly lettersField = field(say.pairingsLetters, this.letters);
  private readonly preview = element("ul", "preview");
  private readonly said = element("ul", "said");
  private readonly take: HTMLButtonElement[];
  private file: File | undefined;
  private programme: Programme = { rounds: [] };
  private timer: number | undefined;
  private drawn = "";

  constructor(
    place: HTMLElement,
    private readonly desk: Desk,
  ) {
    this.take = [button(say.takeInAndOpen, () => void this.takeIn(true), "button main"), button(say.takeIn, () => void this.takeIn(false))];
    this.preview.setAttribute("aria-live", "polite");
    this.said.setAttribute("aria-live", "polite");
    place.append(element("div", "halves", this.form(), element("section", "", element("h3", "", say.roundsTitle), this.said, this.list)));
    this.offer([]);
  }

  private form(): HTMLElement {
    const choose = element("input");
    choose.type = "file";
    choose.addEventListener("change", () => this.put(choose.files?.[0]));
    for (const [value, name] of Object.entries(say.lettersOf)) {
      const option = element("option", "", name);
      option.value = value;
      this.letters.append(option);
    }
    this.letters.addEventListener("change", () => void this.look());
    this.text.rows = 7;
    this.text.placeholder = say.pairingsHint;
    for (const input of [this.text, this.event, this.number]) input.addEventListener("input", () => this.typed(input === this.text));
    Object.assign(this.number, { inputMode: "numeric", autocomplete: "off" });
    Object.assign(this.event, { autocomplete: "off", placeholder: say.fromTheFile });
    this.number.placeholder = say.fromTheFile;
    this.time.placeholder = "90+30";
    const drop = element("section", "drop", element("h3", "", say.pairings), element("p", "hint", say.dropPairings), field(say.pairingsFile, choose), this.lettersField, field(say.pairingsText, this.text));
    drop.append(element("div", "fields", field(say.theEvent, this.event), field(say.theRound, this.number), field(say.timeControl, this.time)), this.preview, element("div", "answers", ...this.take));
    drop.addEventListener("dragover", (event) => event.preventDefault());
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      this.put(event.dataTransfer?.files[0]);
    });
    return drop;
  }

  show(programme: Programme): void {
    this.programme = programme;
    const { hall } = this.desk;
    const tallies = programme.rounds.map((round) => {
      const tables = [...hall.values()].filter(({ table }) => table.startsWith(`${nameOf(round)}/`));
      // The feed has open rounds alone: of any other nobody here knows what has ended.
      if (tables.length > 0) return say.tally(tables.length, tables.filter(isOver).length);
      return round.pairings?.length ? say.tablesOf(round.pairings.length) : "";
    });
    const drawn = JSON.stringify([programme, tallies]);
    if (drawn === this.drawn) return;
    const focused = (document.activeElement as HTMLElement | null)?.dataset["round"];
    this.drawn = drawn;
    this.list.replaceChildren(...programme.rounds.map((round, index) => this.row(round, tallies[index]!)).reverse());
    this.list.querySelector<HTMLElement>(`[data-round="${focused}"]`)?.focus();
  }

  private row(round: RoundPlan, tally: string): HTMLElement {
    const isOpen = round.stage === "open";
    const name = `${eventTitle(round.event, this.programme.rounds)} · ${say.round(round.round)}`;
    const turn = button(isOpen ? say.closeRound : say.openRound, () => void this.turn(round));
    turn.dataset["round"] = nameOf(round);
    turn.setAttribute("aria-label", `${isOpen ? say.closeRound : say.openRound}: ${name}`);
    const facts = element("span", "facts", [say.stages[round.stage], tally].filter(Boolean).join(" · "));
    return element("li", round.stage, element("span", "", element("b", "", name), facts), turn);
  }

  /** Opened or closed. Opening one may send others off the wall: taking it back brings them back. */
  private async turn(round: RoundPlan): Promise<void> {
    const key = { event: round.event, round: round.round };
    const isOpen = round.stage === "open";
    const others = this.programme.rounds.filter((other) => other.stage === "open" && nameOf(other) !== nameOf(round));
    const open: Order = { command: "open_round", ...key };
    const close: Order = { command: "close_round", ...key };
    const words = `${isOpen ? say.closeRound : say.openRound}: ${say.round(round.round)}`;
    const back = isOpen ? [open] : [close, ...others.map((other) => ({ command: "open_round", event: other.event, round: other.round }))];
    const said = await this.desk.give({ words, orders: [isOpen ? close : open], back });
    if (said !== undefined) this.tellAbout(said);
  }

  /** What the daemon says of a round that was opened: boards that are missing, games that run elsewhere. */
  private tellAbout(said: string[]): void {
    const items = said.filter((sentence) => !/^\S+\/\d+\/\d+: |^table /.test(sentence)).map((sentence) => element("li", "", sentence));
    this.said.replaceChildren(...items);
  }

  private put(file: File | undefined): void {
    if (file === undefined) return;
    this.file = file;
    this.letters.value = "";
    this.text.value = "";
    void this.look();
  }

  private typed(isText: boolean): void {
    if (isText) this.file = undefined;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.look(), PAUSE_MS);
  }

  private address(take: boolean): string {
    const asked = new URLSearchParams();
    if (this.event.value.trim()) asked.set("event", this.event.value.trim());
    if (this.number.value.trim()) asked.set("round", this.number.value.trim());
    // What is typed here is in letters that are known.
    if (this.file !== undefined && this.letters.value !== "") asked.set("letters", this.letters.value);
    if (take) asked.set("take", "true");
    return `/pairings?${asked}`;
  }

  private body(): Blob | undefined {
    return this.file ?? (this.text.value.trim() === "" ? undefined : new Blob([this.text.value]));
  }

  /** What would change. Nothing is changed. */
  private async look(): Promise<void> {
    const body = this.body();
    if (body === undefined) return this.offer([]);
    const answer = await ask<{ said?: string[] }>(this.address(false), body);
    if ("refused" in answer) return this.offer([], element("li", "refused", answer.refused));
    const { said = [] } = answer.done;
    this.offer(said, ...(said.length === 0 ? [element("li", "", say.nothingChanges)] : []));
  }

  /** What is said besides can't be taken in. */
  private offer(said: string[], ...besides: HTMLElement[]): void {
    this.lettersField.hidden = this.file === undefined;
    const name = this.file === undefined ? [] : [element("li", "name", this.file.name)];
    this.preview.replaceChildren(...name, ...said.map((one) => element("li", "", one)), ...besides);
    for (const one of this.take) one.disabled = said.length === 0;
  }

  private async takeIn(andOpen: boolean): Promise<void> {
    clearTimeout(this.timer);
    const body = this.body();
    if (body === undefined) return;
    const before = this.programme.rounds;
    const answer = await ask<{ said?: string[] }>(this.address(true), body);
    if ("refused" in answer) return this.offer([], element("li", "refused", answer.refused));
    const after = await ask<Programme>("/rounds");
    const changed = "done" in after ? after.done.rounds.filter((round) => isOther(round, before)) : [];
    await this.desk.did({ words: say.pairingsTaken(changed.map(({ round }) => say.round(round)).join(", ")), back: changed.map((round) => asBefore(round, before)) });
    const late = unrecorded(answer);
    if (late !== undefined) this.desk.tell({ refused: late });
    this.file = undefined;
    this.text.value = "";
    this.offer([]);
    if (andOpen) await this.openAll(changed.length > 0 ? changed : named(answer.done.said ?? [], before));
  }

  private async openAll(which: RoundPlan[]): Promise<void> {
    const control = timeControl(this.time.value);
    const order = ({ event, round }: RoundPlan): Order => ({ command: "open_round", event, round, ...(control ? { time_control: control } : {}) });
    const close = ({ event, round }: RoundPlan): Order => ({ command: "close_round", event, round });
    const words = `${say.openRound}: ${which.map(({ round }) => say.round(round)).join(", ")}`;
    const said = which.length === 0 ? [] : await this.desk.give({ words, orders: which.map(order), back: which.map(close) });
    if (said !== undefined) this.tellAbout(said);
  }
}

/** The rounds a list names that had nothing to change. */
function named(said: string[], rounds: RoundPlan[]): RoundPlan[] {
  return rounds.filter(({ event, round }) => said.some((sentence) => sentence.includes(`${round} of ${event}`)));
}

function isOther(round: RoundPlan, before: RoundPlan[]): boolean {
  const known = before.find((one) => nameOf(one) === nameOf(round));
  const told = ({ pairings, byes }: RoundPlan) => JSON.stringify([pairings, byes]);
  return known === undefined || told(known) !== told(round);
}

/** What makes a round as it was before. */
function asBefore({ event, round }: RoundPlan, before: RoundPlan[]): Order {
  const known = before.find((one) => one.event === event && one.round === round);
  if (known === undefined) return { command: "remove", event, round };
  const { pairings = [], byes = [] } = known;
  return { command: "pairings", event, round, pairings, byes };
}

/** `90+30`: minutes, and seconds for each move. */
function timeControl(text: string): { base_s: number; increment_s: number } | undefined {
  const [, minutes, seconds = "0"] = /^\s*(\d+)\s*(?:\+\s*(\d+))?\s*$/.exec(text) ?? [];
  return minutes === undefined ? undefined : { base_s: Number(minutes) * 60, increment_s: Number(seconds) };
}
