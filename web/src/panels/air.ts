// What spectators are shown of the chosen round's event: how late, which tables, and whom they never see.

import type { Order } from "../answers";
import { readTables, writeTables } from "../choice";
import { element, setText } from "../dom";
import { eventTitle } from "../naming";
import { say } from "../say";
import { button, field, type Desk, type OnAir, type Panel, type Programme, type RoundPlan } from "./panel";

/** Minutes that are usual. */
const MINUTES = [0, 1, 5, 15, 30];

export const air: Panel<Programme> = {
  name: "air",
  title: say.onAir,
  source: { path: "/rounds", everyMs: 3_000 },
  actions: [],
  draw(place, desk) {
    const view = new Shown(place, desk);
    return (programme) => view.show(programme);
  },
};

class Shown {
  private readonly sum = element("p", "sum");
  private readonly minutes = element("input");
  private readonly plies = element("input");
  private readonly tables = element("input");
  private readonly player = element("input");
  private readonly withheld = element("ul", "withheld");
  private readonly usual: HTMLElement;
  private programme: Programme = { rounds: [] };
  private drawn = "";

  constructor(
    place: HTMLElement,
    private readonly desk: Desk,
  ) {
    for (const input of [this.minutes, this.plies]) input.inputMode = "numeric";
    for (const input of [this.minutes, this.plies, this.tables, this.player]) input.autocomplete = "off";
    this.tables.placeholder = "1-10, 14";
    this.usual = element("div", "answers", ...MINUTES.map((minutes) => button(minutes === 0 ? say.noDelay : say.minutes(minutes), () => void this.delay(minutes * 60, this.round?.delay.plies ?? 0))));
    const delay = this.form(say.change, () => this.delay(Math.round(Number(this.minutes.value.replace(",", ".")) * 60), Number(this.plies.value)), field(say.delayMinutes, this.minutes), field(say.delayPlies, this.plies));
    const tables = this.form(say.change, () => this.air(listed(this.tables.value)), field(say.theseTables, this.tables));
    const all = element("div", "answers", button(say.allTablesOnAir, () => void this.air("all")), button(say.nothingOnAir, () => void this.air("none")));
    const player = this.form(say.withhold, () => this.withhold(this.player.value.trim(), true), field(say.withheldPlayer, this.player));
    const section = (title: string, ...children: HTMLElement[]) => element("section", "", element("h3", "", title), ...children);
    place.append(this.sum, element("div", "halves", section(say.delay, this.usual, delay), section(say.tables, all, tables), section(say.withheld, this.withheld, player)));
  }

  private get round(): RoundPlan | undefined {
    const { round } = this.desk;
    return this.programme.rounds.find(({ event }) => event === round?.event) ?? round;
  }

  show(programme: Programme): void {
    this.programme = programme;
    const { round } = this;
    const drawn = JSON.stringify([round, programme.withheld]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    if (round === undefined) return setText(this.sum, say.noRounds);
    const { seconds, plies = 0 } = round.delay;
    setText(this.sum, `${eventTitle(round.event, programme.rounds)}: ${tablesWords(round.on_air)}, ${delayWords(seconds, plies)}`);
    const fill = (input: HTMLInputElement, value: string) => document.activeElement !== input && (input.value = value);
    fill(this.minutes, String(seconds / 60));
    fill(this.plies, String(plies));
    fill(this.tables, typeof round.on_air === "object" ? tablesOf(round.on_air) : "");
    const names = programme.withheld ?? [];
    this.withheld.replaceChildren(...names.map((name) => element("li", "", element("span", "", name), button(say.showAgain, () => void this.withhold(name, false)))));
    this.withheld.hidden = names.length === 0;
  }

  private async delay(seconds: number, plies: number): Promise<void> {
    const { round } = this;
    if (round === undefined || !(seconds >= 0) || !(plies >= 0)) return;
    const order = (seconds: number, plies: number): Order => ({ command: "delay", event: round.event, seconds, plies });
    await this.desk.give({ words: delayWords(seconds, plies), orders: [order(seconds, plies)], back: [order(round.delay.seconds, round.delay.plies ?? 0)] });
  }

  private async air(tables: OnAir): Promise<void> {
    const { round } = this;
    if (round === undefined) return;
    const order = (tables: OnAir): Order => ({ command: "on_air", event: round.event, tables });
    await this.desk.give({ words: tablesWords(tables), orders: [order(tables)], back: [order(round.on_air)] });
  }

  private async withhold(player: string, withheld: boolean): Promise<void> {
    if (player === "") return;
    const order = (withheld: boolean): Order => ({ command: "withhold", player, withheld });
    await this.desk.give({ words: `${withheld ? say.withhold : say.showAgain}: ${player}`, orders: [order(withheld)], back: [order(!withheld)] });
    this.player.value = "";
  }

  private form(verb: string, does: () => Promise<void>, ...fields: HTMLElement[]): HTMLElement {
    const form = element("form", "fields", ...fields, element("button", "button", verb));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void does();
    });
    return form;
  }
}

function listed(text: string): OnAir {
  const list = readTables(text);
  return list.length === 0 ? "none" : { list };
}

function tablesOf(tables: { first: number } | { list: number[] }): string {
  return "first" in tables ? `1-${tables.first}` : writeTables(tables.list);
}

function tablesWords(tables: OnAir): string {
  if (tables === "all") return say.allTablesOnAir;
  if (tables === "none") return say.nothingOnAir;
  return say.tablesOnAir(tablesOf(tables));
}

function delayWords(seconds: number, plies: number): string {
  const said = [seconds > 0 ? say.minutesLate(seconds / 60) : "", plies > 0 ? say.movesLate(plies) : ""].filter(Boolean);
  return said.length === 0 ? say.noDelay : said.join(", ");
}
