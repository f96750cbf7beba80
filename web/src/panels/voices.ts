// Voices: which blind players are told moves aloud, what they heard last, what is in the way, and the alphabet to each.

import type { Order } from "../answers";
import { element, setText } from "../dom";
import { say } from "../say";
import { parts } from "../words";
import type { Side } from "../vocabulary";
import { nameOf, type Desk, type Panel } from "./panel";
import { numberFrom1 } from "./seat";

/** What `/voices` answers with. */
export interface Voices {
  voices: Voice[];
}

interface Voice {
  table: string;
  side: Side;
  earphone: Earphone;
  waiting: number;
  speaking: string | null;
  last: string | null;
  silent: boolean;
  trouble: string | null;
  keypad: string | null;
}

interface Earphone {
  language: string;
  device?: string;
  readings?: boolean;
}

export const voices: Panel<Voices> = {
  name: "voices",
  title: say.voices,
  source: { path: "/voices", everyMs: 1_000 },
  actions: [],
  draw(place, desk) {
    const list = element("ul", "voices");
    const none = element("p", "hint", say.noVoices);
    let told: Voice[] = [];
    place.append(none, list, form(desk, (table) => told.filter((voice) => voice.table === table).map((voice) => voice.side)));
    const rows = new Map<string, Row>();
    return (state) => {
      told = state.voices;
      none.hidden = state.voices.length > 0;
      const shown = state.voices.map((voice) => {
        const name = `${voice.table} ${voice.side}`;
        const row = rows.get(name) ?? new Row(voice, desk);
        rows.set(name, row);
        row.show(voice);
        return row.root;
      });
      // Rows stay where they are, so that the keyboard does.
      if (shown.some((row, index) => list.children[index] !== row) || list.children.length !== shown.length) list.replaceChildren(...shown);
    };
  },
};

class Row {
  readonly root: HTMLElement;
  private readonly how = element("span", "how");
  private readonly state = element("span", "state");
  private earphone: Earphone = { language: "fide-de" };

  constructor(
    { table, side }: Voice,
    private readonly desk: Desk,
  ) {
    const who = `${say.table(parts(table).number)} · ${say[side]}`;
    const order = (order: Order): Order => ({ table, side, ...order });
    const test = button(say.tryNow, `${say.tryNow}: ${who}`, () => void desk.give({ words: say.triedVoice(who), orders: [order({ command: "ask", request: "test" })] }));
    const readings = button(say.allowReadings, `${say.allowReadings}: ${who}`, () => this.change(order, who, { ...this.earphone, readings: !this.earphone.readings }));
    const off = button(say.takeVoice, `${say.takeVoice}: ${who}`, () => void this.desk.give({ words: say.voiceTaken(who), orders: [order({ command: "voice" })], back: [order({ command: "voice", earphone: this.earphone })] }));
    this.root = element("li", "voice", element("b", "", who), this.how, this.state, test, readings, off);
    this.readings = readings;
  }

  private readonly readings: HTMLButtonElement;

  show({ earphone, silent, trouble, speaking, last, waiting, keypad }: Voice): void {
    this.earphone = earphone;
    this.readings.ariaPressed = String(earphone.readings === true);
    setText(this.how, `${earphone.device ?? say.usualDevice} · ${earphone.language}`);
    const words = silent ? say.notHeard(trouble ?? "") : speaking !== null ? say.speakingNow(speaking, waiting) : last !== null ? say.spokenLast(last) : say.nothingSpoken;
    setText(this.state, keypad === null ? words : `${words} · ${keypad}`);
    this.root.classList.toggle("troubled", silent || keypad !== null);
  }

  private change(order: (order: Order) => Order, who: string, earphone: Earphone): void {
    const words = earphone.readings ? say.readingsAllowed(who) : say.readingsForbidden(who);
    void this.desk.give({ words, orders: [order({ command: "voice", earphone })], back: [order({ command: "voice", earphone: this.earphone })] });
  }
}

/** A player gets an earphone: which table, who, in which words, at which device. The player is blind from then on. */
function form(desk: Desk, listeners: (table: string) => Side[]): HTMLElement {
  const table = element("input");
  table.inputMode = "numeric";
  table.autocomplete = "off";
  const side = choice({ black: say.black, white: say.white });
  const language = choice({ "fide-de": "Deutsch", en: "English", es: "Español" });
  const device = element("input");
  device.placeholder = "plughw:1";
  const give = element("button", "button", say.giveVoice);
  const made = element("form", "give-voice", field(say.tableWord, table), field(say.player, side), field(say.spokenIn, language), field(say.device, device), give);
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    const { round } = desk;
    const number = numberFrom1(table.value);
    if (number === undefined) return desk.tell({ refused: say.tableExpected(table.value.trim()) });
    if (round === undefined) return;
    const id = `${nameOf(round)}/${number}`;
    const earphone = { language: language.value, ...(device.value.trim() === "" ? {} : { device: device.value.trim() }) };
    const who = `${say.table(number)} · ${say[side.value as Side]}`;
    const order: Order = { table: id, command: "voice", side: side.value };
    const other = listeners(id).find((one) => one !== side.value);
    const blind = (players: string): Order => ({ table: id, command: "blind", players });
    const orders = [blind(other === undefined ? side.value : "both"), { ...order, earphone }];
    void desk.give({ words: say.voiceGiven(who), orders, back: [order, blind(other ?? "none")] });
  });
  return made;
}

function field(words: string, input: HTMLElement): HTMLElement {
  return element("label", "", element("span", "", words), input);
}

function choice(values: Record<string, string>): HTMLSelectElement {
  const list = element("select");
  list.append(...Object.entries(values).map(([value, words]) => new Option(words, value)));
  return list;
}

function button(words: string, label: string, does: () => void): HTMLButtonElement {
  const made = element("button", "button", words);
  made.type = "button";
  made.setAttribute("aria-label", label);
  made.addEventListener("click", does);
  return made;
}
