// The arbiter's console: tables in the order in which they need somebody, and what can be done about each.

import "./style.css";
import "./staff.css";
import "./console.css";

import { Alarm } from "./alarm";
import { heldBack, type Order } from "./answers";
import { ask, unrecorded } from "./ask";
import { Card } from "./card";
import { readTables } from "./choice";
import { digits } from "./clock";
import { Detail } from "./detail";
import { announce, byId, element, icon, putInOrder, setText } from "./dom";
import { browserWorld, Feed } from "./feed";
import { recall, remember } from "./memory";
import { eventTitle, Names } from "./naming";
import { showNotice, showStale } from "./notice";
import { roundName, say, speak } from "./say";
import { titleOf } from "./told";
import { offerTheme } from "./theme";
import { byUrgency, gravestFirst, isOverdue, rankOf, reaches, waiting } from "./urgency";
import { pairName } from "./words";
import type { Matter } from "./staff";
import type { Table } from "./vocabulary";

/** Ages are told in seconds. */
const TICK_MS = 500;
const MINE = "console:tables";
/** A screen reader says some fifteen letters a second. */
const LETTER_MS = 65;
/** More than these at once are more than anybody listens to: the list has them in their order. */
const MOST_CALLS = 5;

speak();
document.title = `${say.console} · Escaque`;
byId("home").append(icon("back"));
offerTheme();

const mine = byId("mine") as HTMLInputElement;
mine.placeholder = say.myTablesHint;
mine.value = new URLSearchParams(location.search).get("tables") ?? recall(MINE) ?? "";
mine.addEventListener("input", () => {
  remember(MINE, mine.value);
  refresh();
});

const alarm = new Alarm();
const cards = new Map<string, Card>();
const rows = new Map<string, HTMLButtonElement>();
const detail = new Detail(byId("detail"), give, back, now);
/** The card in the detail view: the same answers beside the boards. */
let opened: Card | undefined;
/** What was held back last, and is given if it is ordered again. */
let warned = "";
/** How many orders were asked for. */
let given = 0;
/** What has rung already, and what was said. */
const [rung, said] = [new Set<string>(), new Set<string>()];
let known = false;
/** Whoever listens has heard what was said last by then, as the page's own time counts. */
let heardAt = 0;

const feed = new Feed(browserWorld(), {
  stale: showStale,
  notice: showNotice,
  picture(_hall, _tables, changes) {
    if (changes.length === 0) {
      detail.close();
      document.body.classList.remove("looking");
    }
    if (byId("done").textContent?.trim() === say.noAnswer) tell("", false);
    tellNews();
    refresh();
  },
});

document.addEventListener("again", refresh);
document.addEventListener("keydown", key);
setInterval(tick, TICK_MS);
void enter();

function tick(): void {
  if (feed.isStale) return;
  sayNews();
  refresh();
}

/** Whoever may give no orders is told whom to ask. */
async function enter(): Promise<void> {
  const answer = await fetch("/command", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }).catch(() => undefined);
  const isStaff = answer !== undefined && ![401, 403, 404].includes(answer.status);
  byId("inside").hidden = !isStaff;
  byId("outside").hidden = isStaff;
  if (isStaff) feed.start();
}

/** What each table of the hall is called, and one that has left it. */
function names(...besides: string[]): Names {
  return new Names([...feed.hall.keys(), ...besides], feed.hall.rounds);
}

function now(): number {
  return feed.now.there();
}

/** What has come up since is rung, and said. What was there when the page was opened is only shown. */
function tellNews(): void {
  const news = fresh(rung);
  if (!known) fresh(said);
  else for (const { alert } of news) if (alert.severity !== "minor") alarm.ring(alert.severity === "critical" ? "critical" : "other");
  known = true;
  sayNews();
}

/** What is open and not among those `seen` yet, the gravest first: from now on it is. */
function fresh(seen: Set<string>): (Matter & { table: Table })[] {
  const all = byUrgency(feed.hall.values(), now()).flatMap((table) => waiting(table).map((matter) => ({ ...matter, table })));
  return gravestFirst(all).filter(({ table, alert, at, stage }) => {
    const name = `${table.table} ${alert.kind} ${at}`;
    if (seen.has(name) || stage !== "open") return false;
    seen.add(name);
    return reaches(table, readTables(mine.value), now());
  });
}

/** What comes up while something is being said waits, and is said in one go: the last would be all that is heard. */
function sayNews(): void {
  if (!known || performance.now() < heardAt) return;
  const called = names();
  const calls = fresh(said).map(({ table, alert }) => `${called.long(table.table)}: ${titleOf(alert)}`);
  if (calls.length === 0) return;
  const more = calls.length - MOST_CALLS;
  const words = [...calls.slice(0, MOST_CALLS), ...(more > 0 ? [say.moreCalls(more)] : [])].join(". ");
  heardAt = performance.now() + words.length * LETTER_MS;
  announce(byId("said"), words);
}

function refresh(): void {
  const { hall } = feed;
  const called = names();
  const seen = byUrgency(hall.values(), now()).filter((table) => reaches(table, readTables(mine.value), now()));
  const needy = seen.filter((table) => rankOf(table) !== "calm");
  byId("nothing").hidden = needy.length > 0;
  const here = document.activeElement?.closest<HTMLElement>("#cards .card") ?? undefined;
  putInOrder(byId("cards"), needy.map((table) => shownCard(table, called).root));
  for (const id of cards.keys()) if (!needy.some(({ table }) => table === id)) cards.delete(id);
  putInOrder(byId("tables"), [...hall.values()].filter((table) => seen.includes(table)).map((table) => row(table, called).parentElement!));
  // The last answer has taken the card away: the keyboard stays at the table, where a key answers nothing.
  if (here?.isConnected === false) rows.get(here.dataset["table"]!)?.focus();
  setText(byId("round"), hall.rounds.map((round) => `${roundName(round)} · ${eventTitle(round.event, hall.rounds)}`).join(", "));
  if (detail.id === undefined) return;
  const table = hall.get(detail.id);
  if (table === undefined) return detail.leave();
  detail.show(table, called.long(table.table));
  opened?.show(table, called.long(table.table));
}

function shownCard(table: Table, called: Names): Card {
  const card = cards.get(table.table) ?? new Card(table.table, give, look, now);
  cards.set(table.table, card);
  card.show(table, called.long(table.table));
  return card;
}

function row(table: Table, called: Names): HTMLButtonElement {
  const known = rows.get(table.table);
  const button = known ?? element("button", "button");
  if (known === undefined) {
    button.type = "button";
    button.addEventListener("click", () => look(table.table));
    rows.set(table.table, button);
    element("li", "", button);
  }
  const players = pairName(table.white, table.black);
  const overdue = waiting(table).some((matter) => isOverdue(matter, now()));
  button.dataset["rank"] = rankOf(table);
  button.classList.toggle("overdue", overdue);
  const number = called.short(table.table);
  const words = `${number} ${players}`;
  if (button.textContent !== words) button.replaceChildren(element("b", "", number), ` ${players}`);
  return button;
}

function look(id: string): void {
  const table = feed.hall.get(id);
  if (table === undefined) return;
  opened = new Card(id, give, undefined, now);
  detail.open(table, names().long(id));
  const place = byId("detail");
  place.querySelector(".card")?.remove();
  place.querySelector(".head")!.after(opened.root);
  document.body.classList.add("looking");
  refresh();
  scrollTo(0, 0);
  place.focus({ preventScroll: true });
}

function back(): void {
  const id = detail.id;
  detail.close();
  document.body.classList.remove("looking");
  if (id !== undefined) (cards.get(id)?.root ?? rows.get(id))?.focus();
}

/** One after the other; what is refused stops those after it, and is said. */
async function give(table: string, words: string, orders: Order[]): Promise<boolean> {
  const mine = (given += 1);
  const name = names(table).long(table);
  const squares = heldBack(feed.hall.get(table), orders).join(", ");
  const meant = `${table} ${words} ${squares}`;
  if (squares !== "" && warned !== meant) {
    warned = meant;
    tell(`${name}. ${say.differsOn(squares)}. ${say.againAllTheSame}`, true);
    return false;
  }
  warned = "";
  let late: string | undefined;
  for (const order of orders) {
    const answer = await ask("/command", { table, ...order });
    if ("refused" in answer) {
      tell(answer.refused, true);
      return false;
    }
    late ??= unrecorded(answer);
  }
  // What was asked for since has its own answer, or has it already.
  if (mine === given) tell(`${name}. ${late ?? say.done([words, ...clocksOf(orders)].join(". "))}`, late !== undefined);
  return true;
}

/** What is still to be set on the clock itself, once the card that has said so is gone. */
function clocksOf(orders: Order[]): string[] {
  const set = orders.filter(({ command }) => command === "adjust_times");
  return set.map(({ white_ms: white, black_ms: black }) => say.setClocks(digits(Number(white)), digits(Number(black))));
}

function tell(words: string, isRefused: boolean): void {
  byId("done").classList.toggle("refused", isRefused);
  announce(byId("done"), words);
}

function key(event: KeyboardEvent): void {
  // A key that is held down answers once.
  if (event.repeat && /^[a1-9]$/.test(event.key)) return;
  const isTyping = event.key !== "Escape" && event.target instanceof Element && event.target.closest("input, select, textarea") !== null;
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || isTyping) return;
  const all = [...document.querySelectorAll<HTMLElement>("#cards .card")];
  const here = document.activeElement?.closest<HTMLElement>(".card") ?? undefined;
  const at = here === undefined ? -1 : all.indexOf(here);
  if (event.key === "Escape" && detail.id !== undefined) back();
  else if (event.key === "j") all[Math.min(at + 1, all.length - 1)]?.focus();
  else if (event.key === "k") all[Math.max(at - 1, 0)]?.focus();
  else if (event.key === "a") here?.querySelector<HTMLElement>('[data-key="acknowledge"]')?.click();
  else if (/^[1-9]$/.test(event.key)) here?.querySelectorAll<HTMLElement>(".answers > .button")[Number(event.key) - 1]?.click();
  else if (event.key === "Enter" && here === document.activeElement) look(here!.dataset["table"]!);
  else return;
  event.preventDefault();
}
