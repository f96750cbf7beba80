// Targets: who is told the games on air, how far each has them, what is in the way, and a try at once.

import type { Order } from "../answers";
import { ask } from "../ask";
import { element, setText } from "../dom";
import { say } from "../say";
import { since } from "./fleet";
import { button, type Desk, type Panel } from "./panel";

/** What `/air.json` answers. */
interface Targets {
  targets: Standing[];
}

interface Standing {
  name: string;
  kind: string;
  address: string;
  live: boolean;
  state: "idle" | "told" | "telling" | "failing";
  sent?: Said;
  error?: Said;
  again_ms?: number;
  rounds: RoundStanding[];
}

interface Said {
  at_ms: number;
  text: string;
}

interface RoundStanding {
  event: string;
  round: number;
  games: number;
  told: number;
  remarks: string[];
}

interface Finding {
  in_order: boolean;
  sentence: string;
}

export const targets: Panel<Targets> = {
  name: "broadcasts",
  title: say.targets,
  source: { path: "/air.json", everyMs: 2_000 },
  actions: [],
  draw(place, desk) {
    const view = new List(place, desk);
    return (state) => view.show(state);
  },
};

class List {
  private readonly none = element("p", "hint", say.noTargets);
  private readonly list = element("ol", "targets-told");
  private readonly rows = new Map<string, Row>();

  constructor(
    place: HTMLElement,
    private readonly desk: Desk,
  ) {
    place.append(this.none, this.list);
  }

  show({ targets }: Targets): void {
    this.none.hidden = targets.length > 0;
    for (const target of targets) {
      const row = this.rows.get(target.name) ?? new Row(target, this.desk);
      if (!this.rows.has(target.name)) this.list.append(row.root);
      this.rows.set(target.name, row);
      row.show(target);
    }
  }
}

class Row {
  readonly root = element("li", "told-row");
  private readonly state = element("span", "state");
  private readonly sent = element("span", "sent");
  private readonly error = element("p", "trouble");
  private readonly rounds = element("ul", "remarks");
  private readonly findings = element("ul", "findings");
  private readonly where = element("p", "hint");
  private readonly delay = button("", () => void this.tellLive());
  private live = false;
  private drawn = "";

  constructor(
    private readonly target: Standing,
    private readonly desk: Desk,
  ) {
    const { name } = target;
    const title = element("h3", "", name);
    const deeds = element("div", "answers", button(say.tryNow, () => void this.tryNow(name)), button(say.checkTarget, () => void this.check(name)), this.delay);
    for (const one of deeds.children) one.setAttribute("aria-label", `${one.textContent}: ${name}`);
    this.root.append(element("header", "", title, this.state, this.sent), this.where, this.error, this.rounds, deeds, this.findings);
  }

  show({ state, sent, error, again_ms, rounds, live }: Standing): void {
    const { name, kind, address } = this.target;
    this.live = live;
    setText(this.where, `${kind} · ${address}${live ? ` · ${say.toldLive}` : ""}`);
    setText(this.delay, live ? say.tellDelayed : say.tellLive);
    this.delay.setAttribute("aria-label", `${this.delay.textContent}: ${name}`);
    setText(this.state, say.targetStates[state]);
    setText(this.sent, sent === undefined ? "" : say.sentAgo(sent.text, ago(sent.at_ms)));
    const again = again_ms === undefined ? "" : ` ${say.triedAgainIn(Math.max(0, Math.ceil((again_ms - Date.now()) / 1_000)))}`;
    const isFailing = state === "failing";
    setText(this.error, error === undefined ? "" : isFailing ? `${error.text}.${again}` : say.lastTrouble(error.text, ago(error.at_ms)));
    this.error.classList.toggle("past", !isFailing);
    this.root.classList.toggle("troubled", isFailing);
    const shown = rounds.filter(({ games, remarks }) => games > 0 || remarks.length > 0);
    const drawn = JSON.stringify(shown);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.rounds.replaceChildren(...shown.map(({ event, round, games, told, remarks }) => element("li", "", say.gamesTold(`${event} ${round}`, told, games), element("ul", "", ...remarks.map((remark) => element("li", "", remark))))));
  }

  private async tryNow(target: string): Promise<void> {
    const answer = await ask("/air", { target, ask: "try" });
    this.desk.tell("done" in answer ? { done: say.tryingNow(target) } : answer);
    this.desk.again();
  }

  private async tellLive(): Promise<void> {
    const { name } = this.target;
    const order = (live: boolean): Order => ({ command: "tell_live", target: name, live });
    const { live } = this;
    await this.desk.give({ words: `${live ? say.tellDelayed : say.tellLive}: ${name}`, orders: [order(!live)], back: [order(live)] });
    this.desk.again();
  }

  private async check(target: string): Promise<void> {
    setText(this.findings, say.checking);
    const answer = await ask<{ findings: Finding[] }>("/air", { target, ask: "check" });
    if ("refused" in answer) {
      setText(this.findings, "");
      return this.desk.tell(answer);
    }
    const { findings } = answer.done;
    this.findings.replaceChildren(...findings.map(({ in_order, sentence }) => element("li", in_order ? "good" : "bad", `${in_order ? say.inOrder : say.notInOrder}: ${sentence}`)));
    this.desk.announce(findings.every(({ in_order }) => in_order) ? say.wouldWork(target) : say.wouldNotWork(target));
  }
}

function ago(at: number): string {
  return since(Math.max(0, Date.now() - at));
}
