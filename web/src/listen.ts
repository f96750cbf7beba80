// One table for those who hear the page or feel it: nothing moves, nothing is written over, and what is said is said once.

import "./style.css";
import "./listen.css";

import { placeOf, type Place } from "./address";
import { answer, gist, lastMove, mayRead, news, numbered, withLately, type Lately, type Saying, type Told, type Written } from "./aloud";
import { declared, stoodStill, type Standing } from "./beside";
import { digits, remaining } from "./clock";
import { byId, element, icon, setText } from "./dom";
import { browserWorld, Feed } from "./feed";
import { Grid } from "./grid";
import { recall, remember } from "./memory";
import { Names, roundOf } from "./naming";
import { showDelay, showNotice, showStale, showUnread } from "./notice";
import { Reading } from "./reading";
import { language, LANGUAGE_NAMES, say, speak } from "./say";
import { offerTheme } from "./theme";
import { apart, parts, scoreOf, stateOf } from "./words";
import type { Change, Side } from "./vocabulary";

const place: Place | undefined = placeOf(location.pathname);
const id = place?.table ?? "";
const isList = /^\/listen\/?$/.test(location.pathname);
/** Spectators get one message in so much time. */
const BETWEEN_MS = 2_000;
/** How long the game in words may be on its way. A daemon that is alive answers in milliseconds. */
const PATIENCE_MS = 4_000;
/** Clocks are read again for the eye; nobody hears them by themselves. */
const LOOK_MS = 1_000;

const SPOKEN = { "fide-de": LANGUAGE_NAMES.de, en: LANGUAGE_NAMES.en, es: LANGUAGE_NAMES.es } as const;

let told: Told | undefined;
/** In which words that is. */
let toldIn = "";
let waiting: Saying[] = [];
let lately: Lately = { said: [], at: -Infinity };
/** It has been heard how everything stands, and may have been missed since what no picture shows. */
let wasHeard = false;
/** The tables that can be chosen, each with its place in the list. */
const offered = new Map<string, HTMLElement>();
/** What went on when it was looked at last. */
let standing: Standing | undefined;
let next = 0;

speak();
offerTheme();
byId("back").append(icon("back"));
const grid = id === "" ? undefined : new Grid(byId("board"), (letter) => reply(letter));
const world = browserWorld(id === "" ? undefined : id);
const reading = new Reading(world, read, showUnread);
const feed = new Feed(world, {
  stale: showStale,
  notice: showNotice,
  picture(hall, _tables, changes) {
    if (id === "") return offer([...hall.keys()], new Names(hall.keys(), hall.rounds));
    const table = hall.get(id);
    setText(byId("round"), roundOf(id, hall.rounds));
    if (table !== undefined) showDelay([table]);
    if (changes.length === 0 || changes.some(saysMore)) reading.want();
    // An offer is in no picture: whoever was cut off when it was made has to ask.
    if (changes.length === 0 && wasHeard && listener() !== undefined) tell([{ words: say.heardAgain, language }]);
    wasHeard = true;
    tell(changes.flatMap(({ told = [] }) => told).flatMap(({ order }) => (order === undefined ? [] : declared(order, listener()))));
    write();
  },
}, id === "" ? undefined : id);

if (id !== "") dress();
else {
  // Whoever names no table chooses one; what can be no table's name is waited for in vain.
  byId(isList ? "tables" : "unknown").hidden = false;
  byId("seat").hidden = true;
  setText(byId("heading"), say.listen);
  document.title = `${say.listen} · Escaque`;
}
if (id !== "" || isList) feed.start();
setInterval(write, LOOK_MS);

function dress(): void {
  const { number } = parts(id);
  setText(byId("heading"), say.listenTo(number));
  setText(byId("round"), roundOf(id, []));
  document.title = `${say.listenTo(number)} · Escaque`;
  choices("side", { "": say.spectator, ...say.playingSide }, new URLSearchParams(location.search).get("side") ?? "");
  choices("language", SPOKEN, "fide-de");
  choices("files", { anna: say.annaNames, international: say.radioNames }, "anna");
  choices("style", { full: say.fullMoves, short: say.shortMoves }, "full");
  choices("written", { speech: say.asSpoken, display: say.asShown, braille: say.asBraille }, "speech");
  for (const name of ["big", "aloud"]) {
    const box = byId(name) as HTMLInputElement;
    box.checked = name === "big" && recall("listen-big") === "1";
    box.addEventListener("change", () => {
      if (name === "big") remember("listen-big", box.checked ? "1" : undefined);
      settle();
    });
  }
  byId("asking").addEventListener("submit", (event) => {
    event.preventDefault();
    const field = byId("command") as HTMLInputElement;
    reply(field.value);
    field.select();
  });
  settle();
}

/** Clocks alone change no word of the game. */
function saysMore(change: Change): boolean {
  return Object.keys(change).some((member) => !["table", "clock"].includes(member));
}

/** A list of what can be chosen; what was chosen here before counts, unless the address says something. */
function choices(name: string, values: Record<string, string>, usual: string): void {
  const list = byId(name) as HTMLSelectElement;
  list.replaceChildren(...Object.entries(values).map(([value, words]) => new Option(words, value)));
  const known = name === "side" ? usual : (recall(`listen-${name}`) ?? usual);
  list.value = known in values ? known : usual;
  list.addEventListener("change", () => {
    if (name !== "side") remember(`listen-${name}`, list.value);
    settle();
    reading.want();
  });
}

function chosen(name: string): string {
  return (byId(name) as HTMLSelectElement).value;
}

function listener(): Side | undefined {
  const side = chosen("side");
  return side === "" ? undefined : (side as Side);
}

function written(): Written {
  return chosen("written") as Written;
}

/** What follows from the settings. A player hears the opponent's move at once; a spectator is not interrupted. */
function settle(): void {
  byId("said").setAttribute("aria-live", listener() === undefined ? "polite" : "assertive");
  document.body.classList.toggle("big", (byId("big") as HTMLInputElement).checked);
  const query = manner();
  for (const kind of ["text", "brf", "pgn"]) {
    const link = byId(kind) as HTMLAnchorElement;
    link.href = kind === "pgn" ? `/pgn/${id}` : `/words/${id}.${kind === "text" ? "txt" : kind}?${query}`;
    link.download = `${id.replaceAll("/", "-")}.${kind === "text" ? "txt" : kind}`;
  }
}

/** In which words the game is asked for. */
function manner(): string {
  return `language=${chosen("language")}&files=${chosen("files")}&style=${chosen("style")}`;
}

/** Asks for the game in words, and says whether there was an answer; that there are no words of it is one. */
async function read(): Promise<boolean> {
  const wanted = manner();
  const [status, now] = await fetch(`/words/${id}.json?${wanted}`, { signal: AbortSignal.timeout(PATIENCE_MS) })
    .then(async (response) => [response.status, response.ok ? ((await response.json()) as Told) : undefined] as const)
    .catch(() => [0, undefined] as const);
  if (now === undefined && status !== 404) return false;
  const table = feed.hall.get(id);
  const isUnknown = now === undefined && table === undefined;
  byId("unknown").hidden = !isUnknown;
  byId("seat").hidden = isUnknown;
  // A game that is over is nothing to listen to; its own page has its moves in words.
  if (told === undefined && place?.game !== undefined && ![now?.game, table?.game].includes(place.game)) location.replace(`/table/${id}/${place.game}`);
  // In words that nobody wants any more it would be taken for other moves; it was asked for again when they were chosen.
  if (now === undefined || wanted !== manner()) return true;
  // As it was entered: the words have results as PGN has them. They may be of the next game already, which has none.
  const isSame = table !== undefined && table.result === now.result;
  hear(isSame ? { ...now, result: scoreOf(table) } : now, wanted);
  return true;
}

function hear(now: Told, words: string): void {
  // What was told in other words is not told again in these.
  const before = told === undefined || toldIn === words ? told : { ...told, plies: now.plies.slice(0, told.plies.length) };
  const said = news(before, now, listener(), written());
  [told, toldIn] = [now, words];
  show(now);
  tell(said);
}

function tell(said: Saying[]): void {
  waiting.push(...said);
  if (said.length > 0) announce();
}

/** One message for all that waits: a player at once, a spectator not too often. */
function announce(): void {
  const wait = listener() === undefined ? Math.max(0, next - performance.now()) : 0;
  setTimeout(() => {
    if (waiting.length === 0) return;
    const now = performance.now();
    next = now + BETWEEN_MS;
    const sayings = gist(waiting, listener());
    waiting = [];
    lately = withLately(lately, sayings, now);
    put(byId("said"), lately.said);
    aloud(sayings);
  }, wait);
}

/** Each in its language: a screen reader takes the voice that goes with it. */
function put(region: HTMLElement, sayings: Saying[]): void {
  const before = region.textContent;
  const spoken = sayings.map(({ words, language }) => Object.assign(element("span", "", words), { lang: language }));
  region.replaceChildren(...spoken.flatMap((one, index) => (index === 0 ? [one] : [". ", one])));
  // The same words twice are not announced twice, unless something differs.
  if (region.textContent === before) region.append("\u00a0");
}

/** The browser's own voice, which only speaks where somebody wants it to. */
function aloud(sayings: Saying[]): void {
  if (!(byId("aloud") as HTMLInputElement).checked || !("speechSynthesis" in window)) return;
  for (const { words, language } of sayings) {
    const speech = new SpeechSynthesisUtterance(words);
    speech.lang = language;
    speech.rate = Number((byId("rate") as HTMLInputElement).value);
    speechSynthesis.speak(speech);
  }
}

function reply(command: string): void {
  if (told === undefined) return;
  const clock = feed.hall.get(id)?.clock;
  const sayings = [answer(command, { told, listener: listener(), clock, now: feed.now.there(), written: written() })];
  put(byId("answer"), sayings);
  aloud(sayings);
}

function show(now: Told): void {
  const name = (player: string, side: Side) => apart(player === "" || player === "?" ? say[side] : player);
  setText(byId("players"), `${name(now.white, "white")} – ${name(now.black, "black")}`);
  const last = lastMove({ told: now, listener: undefined, written: written() });
  setText(byId("last"), last.words);
  byId("last").lang = last.language;
  byId("moves").lang = now.language;
  const list = byId("moves").firstElementChild!;
  const rows = list.children;
  now.plies.forEach((ply, index) => {
    const words = `${numbered(ply)} ${ply[written()]}`;
    if (rows[index] === undefined) list.append(element("li", "", words));
    else setText(rows[index], words);
  });
  while (rows.length > now.plies.length) rows[rows.length - 1]!.remove();
  const reads = mayRead(now, listener());
  byId("board").hidden = !reads;
  byId("readings").hidden = reads;
  if (reads) grid?.show(now);
}

/** What stands there for the eye. Of it a game that stands still, or goes on again, is announced. */
function write(): void {
  const table = id === "" ? undefined : feed.hall.get(id);
  if (table === undefined) return;
  const now = stateOf(table, feed.now.there());
  setText(byId("state"), now.words);
  if (!feed.isStale) {
    tell(stoodStill(standing, now));
    standing = now;
  }
  const { clock } = table;
  const left = (side: Side) => `${say[side]} ${digits(remaining(clock!, side, feed.now.there())).replace(/\.\d$/, "")}`;
  setText(byId("clocks"), clock === undefined ? say.noClockHere : `${left("white")} · ${left("black")}`);
}

/** Whoever is on the way through the tables stays where they are: only what differs is touched. */
function offer(tables: string[], names: Names): void {
  for (const [table, item] of offered) {
    if (tables.includes(table)) continue;
    item.remove();
    offered.delete(table);
  }
  const list = byId("table-links");
  tables.forEach((table, index) => {
    const item = offered.get(table) ?? itemOf(table);
    setText(item.firstElementChild!, names.long(table));
    if (list.children[index] !== item) list.insertBefore(item, list.children[index] ?? null);
  });
  byId("none").hidden = tables.length > 0;
}

function itemOf(table: string): HTMLElement {
  const link = element("a");
  link.href = `/listen/${table}`;
  const item = element("li", "", link);
  offered.set(table, item);
  return item;
}
