// The operator's page: one panel at a time, each its own file in `panels/`. This file opens the door, hears the hall, shows
// the panel that is asked for and says what came of what was done.

import "./style.css";
import "./paper.css";
import "./doors.css";
import "./staff.css";
import "./operate.css";

import { ask, signIn, type Answer } from "./ask";
import { Deeds } from "./deeds";
import { announce, byId, element, icon, setText } from "./dom";
import { browserWorld, Feed } from "./feed";
import { recall, remember } from "./memory";
import { eventTitle, Names } from "./naming";
import { showNotice, showStale } from "./notice";
import { PANELS } from "./panels/list";
import { nameOf, type Deed, type Desk, type Panel, type RoundPlan } from "./panels/panel";
import { locale, say, speak } from "./say";
import { offerTheme } from "./theme";
import type { Change } from "./vocabulary";
import { isDay } from "./words";

/** Rounds change when somebody orders it; here, or at another screen. */
const ROUNDS_MS = 3_000;
const ROUND = "operate:round";

speak();
document.title = `${say.operate} · Escaque`;
byId("home").append(icon("back"));
offerTheme();

const feed = new Feed(browserWorld(), { stale: showStale, notice: showNotice, picture: (_hall, _tables, changes) => hear(changes) });

let rounds: RoundPlan[] = [];
let timer: number | undefined;
let isDue = false;
const shown = new Map<string, Shown>();
/** The rows of what was done, so that the keyboard stays on one while others come and go. */
const rows = new Map<Deed, HTMLElement>();
const deeds = new Deeds({
  order: (order) => ask("/command", order),
  tell(answer, canTakeBack) {
    tell(answer);
    byId("undo").hidden = !canTakeBack;
  },
  async changed() {
    listDeeds();
    await lookAtRounds();
    await look();
  },
});

interface Shown {
  root: HTMLElement;
  paint(state: never): void;
}

const desk: Desk = {
  get hall() {
    return feed.hall;
  },
  get rounds() {
    return rounds;
  },
  get round() {
    return rounds.find((round) => nameOf(round) === choice().value);
  },
  now: () => feed.now.there(),
  give: (deed) => deeds.give(deed),
  did: ({ words, back }) => deeds.note({ words, orders: [], ...(back ? { back } : {}) }),
  tell,
  announce: (words) => announce(byId("said"), words),
  again: () => void look(),
};

addEventListener("hashchange", () => {
  byId("done").hidden = true;
  void enter();
});
document.addEventListener("keydown", key);
choice().addEventListener("change", () => {
  remember(ROUND, choice().value);
  void look();
});
byId("undo").addEventListener("click", () => void deeds.takeBack());
void enter();

/** Whoever is no operator is told how to become one. */
async function enter(): Promise<void> {
  const signed = await signIn();
  // Whoever went on before would leave without the cookie, and be a stranger there.
  for (const link of document.querySelectorAll<HTMLElement>(".bar a[hidden]")) link.hidden = false;
  const answer = "refused" in signed ? signed : await ask<{ rounds: RoundPlan[] }>("/rounds");
  const isIn = "done" in answer;
  if (!byId("inside").hidden && isIn) return open();
  byId("inside").hidden = !isIn;
  byId("outside").hidden = isIn;
  if (!isIn) return setText(byId("why"), `${answer.refused} ${say.operatorHelp}`);
  feed.start();
  await lookAtRounds();
  setInterval(() => void lookAtRounds(), ROUNDS_MS);
  open();
}

function choice(): HTMLSelectElement {
  return byId("round") as HTMLSelectElement;
}

/** A round that was opened is the one that is worked with, unless somebody chooses another. */
async function lookAtRounds(): Promise<void> {
  const answer = await ask<{ rounds: RoundPlan[] }>("/rounds");
  if ("refused" in answer) return;
  if (byId("told").textContent === say.noAnswer) byId("done").hidden = true;
  const opened = answer.done.rounds.filter((round) => round.stage === "open" && !rounds.some((known) => nameOf(known) === nameOf(round) && known.stage === "open"));
  const isFirst = rounds.length === 0;
  rounds = answer.done.rounds;
  const options = rounds.map((round) => new Option(roundWords(round), nameOf(round)));
  const select = choice();
  const isSame = options.length === select.options.length && options.every(({ value, text }, index) => select.options[index]!.value === value && select.options[index]!.text === text);
  select.hidden = rounds.length === 0;
  if (isSame) return;
  const chosen = isFirst ? [recall(ROUND)] : [opened.at(-1), select.value];
  const wanted = [...chosen, rounds.findLast(({ stage, event }) => stage === "open" && !isDay(event)), rounds.findLast(({ stage }) => stage === "open"), rounds.at(-1)];
  const names = wanted.map((one) => (typeof one === "object" && one !== null ? nameOf(one) : one));
  select.replaceChildren(...options);
  select.value = names.find((name) => options.some(({ value }) => value === name)) ?? "";
}

/** A long title is cut off at its end: what tells rounds apart comes before it. */
function roundWords({ event, round, stage }: RoundPlan): string {
  return `${say.round(round)} · ${say.stages[stage]} · ${eventTitle(event, rounds)}`;
}

/** Shows the panel the address names, or the first. */
function open(): void {
  const panel = current();
  for (const [name, { root }] of shown) root.hidden = name !== panel.name;
  if (!shown.has(panel.name)) build(panel);
  const tabs = byId("tabs");
  if (tabs.childElementCount === 0) tabs.append(...PANELS.map(tab));
  PANELS.forEach((one, index) => (tabs.children[index]!.ariaCurrent = one === panel ? "page" : null));
  void look();
}

function current(): Panel<never> {
  return PANELS.find(({ name }) => location.hash === `#${name}`) ?? PANELS[0]!;
}

function tab(panel: Panel<never>, index: number): HTMLElement {
  const link = element("a", "tab", panel.title);
  link.href = `#${panel.name}`;
  if (index < 9) link.setAttribute("aria-keyshortcuts", String(index + 1));
  return link;
}

function build(panel: Panel<never>): void {
  const buttons = panel.actions.map(({ words, does }) => {
    const button = element("button", "button", words);
    button.type = "button";
    button.addEventListener("click", async () => {
      const answer = await does(desk);
      if ("refused" in answer) tell(answer);
    });
    return button;
  });
  const body = element("div", "body");
  const root = element("section", `panel ${panel.name}`, element("header", "head", element("h2", "", panel.title), ...buttons), body);
  root.tabIndex = -1;
  byId("panels").append(root);
  shown.set(panel.name, { root, paint: panel.draw(body, desk) });
}

/** Asks for the state of the panel that is in sight, and again after a while. */
async function look(): Promise<void> {
  clearTimeout(timer);
  const panel = current();
  if (panel.source === "feed") return heard();
  const answer = document.hidden ? undefined : await ask<never>(panel.source.path);
  if (panel !== current()) return;
  if (answer !== undefined && "done" in answer) shown.get(panel.name)?.paint(answer.done);
  clearTimeout(timer);
  timer = window.setTimeout(() => void look(), panel.source.everyMs);
}

/** What is for the operator alone is in no picture: it is said once, at the foot of the page. */
function hear(changes: Change[]): void {
  for (const { table, told } of changes) {
    if (table != null && told != null && told.some(({ kind }) => kind === "clock_silent")) tell({ done: `${new Names(feed.hall.keys(), feed.hall.rounds).long(table)}: ${say.alerts["clock_silent"]}` });
  }
  heard();
}

/** The feed has said something: a panel that hangs on it is drawn once before the next picture, however much it was. */
function heard(): void {
  if (current().source !== "feed" || isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    const panel = current();
    if (panel.source === "feed") shown.get(panel.name)?.paint(feed.hall as never);
  });
}

function tell(answer: Answer<string>): void {
  const isRefused = "refused" in answer;
  byId("done").hidden = false;
  byId("done").classList.toggle("refused", isRefused);
  setText(byId("told"), isRefused ? answer.refused : answer.done);
  byId("undo").hidden = true;
}

/** The newest first, each with what takes it back. */
function listDeeds(): void {
  const { list } = deeds;
  byId("no-deeds").hidden = list.length > 0;
  for (const [deed, row] of rows) {
    if (list.includes(deed)) continue;
    row.remove();
    rows.delete(deed);
  }
  for (const deed of list.filter((deed) => !rows.has(deed)).reverse()) {
    rows.set(deed, deedRow(deed));
    byId("deeds").prepend(rows.get(deed)!);
  }
}

function deedRow(deed: Deed): HTMLElement {
  const time = new Date().toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
  const row = element("li", "", element("time", "", time), ` ${deed.words} `);
  if (deed.back === undefined) return row;
  const button = element("button", "button", say.takeBackDeed);
  button.type = "button";
  button.setAttribute("aria-label", `${say.takeBackDeed}: ${deed.words}`);
  button.addEventListener("click", () => void deeds.takeBack(deed));
  row.append(button);
  return row;
}

function key(event: KeyboardEvent): void {
  const isTyping = event.target instanceof Element && event.target.closest("input, select, textarea") !== null;
  if (event.ctrlKey || event.altKey || event.metaKey || isTyping || byId("inside").hidden) return;
  const panel = /^[1-9]$/.test(event.key) ? PANELS[Number(event.key) - 1] : undefined;
  if (panel !== undefined) location.hash = panel.name;
  else if (event.key === "u") void deeds.takeBack();
  else return;
  event.preventDefault();
}
