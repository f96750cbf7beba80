// Rounds: pairings from a file that is dropped, or typed or pasted, looked at before they are taken in; rounds opened and
// closed.

import type { Order } from "../answers";
import { ask, unrecorded } from "../ask";
import { element } from "../dom";
import { recall, remember } from "../memory";
import { eventTitle } from "../naming";
import { say } from "../say";
import { isDone } from "../words";
import { opening, order } from "./opening";
import { numberFrom1 } from "./seat";
import { readTimeControl, timeControlFigures } from "./timecontrol";
import type { TimeControl } from "../vocabulary";
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
  private readonly choose = element("input");
  private readonly text = element("textarea");
  private readonly event = element("input");
  private readonly number = element("input");
  private readonly time = element("input");
  private readonly letters = element("select");
  private readonly lettersField = field(say.pairingsLetters, this.letters);
  private readonly preview = element("ul", "preview");
  private readonly said = element("ul", "said");
  private readonly take: HTMLButtonElement[];
  /** What stood in it when it was chosen: what was looked at is what is taken in, whatever is written there since. */
  private file: { name: string; content: Blob } | undefined;
  /** The file that is being read. */
  private reading: File | undefined;
  /** How often something was looked at: of two answers that cross only the later one counts. */
  private looks = 0;
  /** The daemon was not there when it was asked. */
  private isUnanswered = false;
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
    const { choose } = this;
    choose.type = "file";
    // Pairing programs write the same name each round, and a browser says nothing of a file that is in the field already.
    choose.addEventListener("click", () => (choose.value = ""));
    choose.addEventListener("change", () => void this.put(choose.files?.[0]));
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
      choose.value = "";
      void this.put(event.dataTransfer?.files[0]);
    });
    return drop;
  }

  show(programme: Programme): void {
    this.programme = programme;
    if (this.isUnanswered) void this.look();
    const { hall } = this.desk;
    const tallies = programme.rounds.map((round) => {
      const tables = [...hall.values()].filter(({ table }) => table.startsWith(`${nameOf(round)}/`));
      // The feed has open rounds alone: of any other nobody here knows what has ended.
      if (tables.length > 0) return say.tally(tables.length, tables.filter(isDone).length);
      return round.pairings?.length ? say.tablesOf(round.pairings.length) : "";
    });
    const drawn = JSON.stringify([programme, tallies, programme.rounds.map(saidControl)]);
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
    const control = saidControl(round);
    const opens = control === undefined ? "" : say.opensWith(timeControlFigures(control));
    const facts = element("span", "facts", [say.stages[round.stage], tally, opens].filter(Boolean).join(" · "));
    return element("li", round.stage, element("span", "", element("b", "", name), facts), turn);
  }

  /** Opened or closed. Opening one may send others off the wall: taking it back brings them back. */
  private async turn(round: RoundPlan): Promise<void> {
    if (round.stage !== "open") return this.openAll([{ round, control: saidControl(round) }], this.programme.rounds);
    const words = `${say.closeRound}: ${say.round(round.round)}`;
    const said = await this.desk.give({ words, orders: [order("close_round", round)], back: [order("open_round", round)] });
    if (said !== undefined) this.tellAbout(said);
  }

  /** What the daemon says of a round that was opened: boards that are missing, games that run elsewhere. */
  private tellAbout(said: string[]): void {
    const items = said.filter((sentence) => !/^\S+\/\d+\/\d+: |^table /.test(sentence)).map((sentence) => element("li", "", sentence));
    this.said.replaceChildren(...items);
  }

  private async put(file: File | undefined): Promise<void> {
    if (file === undefined) return;
    [this.reading, this.file] = [file, undefined];
    this.letters.value = "";
    this.text.value = "";
    const content = await file.arrayBuffer().catch(() => undefined);
    if (this.reading !== file) return;
    if (content === undefined) return this.refuse(say.fileUnreadable(file.name));
    this.file = { name: file.name, content: new Blob([content]) };
    void this.look();
  }

  private typed(isText: boolean): void {
    if (isText) this.putAway();
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.look(), PAUSE_MS);
  }

  private putAway(): void {
    [this.reading, this.file] = [undefined, undefined];
    this.choose.value = "";
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
    return this.file?.content ?? (this.text.value.trim() === "" ? undefined : new Blob([this.text.value]));
  }

  /** What would change. Nothing is changed. */
  private async look(): Promise<void> {
    const mine = (this.looks += 1);
    this.isUnanswered = false;
    const body = this.body();
    if (body === undefined) return this.offer([]);
    const round = this.number.value.trim();
    if (round !== "" && numberFrom1(round) === undefined) return this.refuse(say.roundExpected(round));
    const answer = await ask<{ said?: string[] }>(this.address(false), body);
    if (mine !== this.looks) return;
    if ("refused" in answer) return this.refuse(answer.refused);
    const { said = [] } = answer.done;
    this.offer(said, ...(said.length === 0 ? [element("li", "", say.nothingChanges)] : []));
  }

  private refuse(sentence: string): void {
    this.isUnanswered = sentence === say.noAnswer;
    this.offer([], element("li", "refused", sentence));
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
    const control = readTimeControl(this.time.value);
    if (control === "unclear") {
      this.time.focus();
      return this.desk.tell({ refused: say.timeControlExpected(this.time.value.trim()) });
    }
    this.looks += 1;
    const before = this.programme.rounds;
    const answer = await ask<{ said?: string[] }>(this.address(true), body);
    if ("refused" in answer) return this.refuse(answer.refused);
    const after = await ask<Programme>("/rounds");
    const known = "done" in after ? after.done.rounds : before;
    const changed = known.filter((round) => isOther(round, before));
    if (control !== undefined && !andOpen) for (const round of changed) if (round.stage === "prepared") sayControl(round, control);
    const back = changed.map((round) => asBefore(round, before));
    await this.desk.did({ words: say.pairingsTaken(changed.map(({ round }) => say.round(round)).join(", ")), ...(back.length > 0 ? { back } : {}) });
    const late = unrecorded(answer);
    if (late !== undefined) this.desk.tell({ refused: late });
    this.putAway();
    this.text.value = "";
    this.offer([]);
    if (!andOpen) return;
    const rounds = changed.length > 0 ? changed : named(answer.done.said ?? [], known);
    await this.openAll(rounds.map((round) => ({ round, control: control ?? saidControl(round) })), known);
  }

  private async openAll(which: { round: RoundPlan; control: TimeControl | undefined }[], known: RoundPlan[]): Promise<void> {
    if (which.length === 0) return;
    const words = `${say.openRound}: ${which.map(({ round }) => say.round(round.round)).join(", ")}`;
    const said = await this.desk.give({ words, ...opening(which, known) });
    if (said === undefined) return;
    for (const { round } of which) sayControl(round, undefined);
    this.tellAbout(said);
  }
}

/** A round has its time control from the order that opens it: until then what was said with its pairings is kept here. */
function sayControl(round: RoundPlan, control: TimeControl | undefined): void {
  remember(`operate:time:${nameOf(round)}`, control && timeControlFigures(control));
}

function saidControl(round: RoundPlan): TimeControl | undefined {
  const said = round.stage === "prepared" ? readTimeControl(recall(`operate:time:${nameOf(round)}`) ?? "") : undefined;
  return said === "unclear" ? undefined : said;
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
