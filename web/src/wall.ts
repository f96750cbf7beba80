// The wall: every table of the hall on one screen.

import "./style.css";
import "./wall.css";

import { arrange, HAND_WIDTH, LEAST_BOARD, tablesAtOnce } from "./arrange";
import { pick, type Choice } from "./choice";
import { showsTenths } from "./clock";
import { byId, setText } from "./dom";
import { browserWorld, Feed } from "./feed";
import { beKiosk, isKiosk, OwnPage } from "./kiosk";
import { eventTitle, Names } from "./naming";
import { showDelay, showNotice, showStale } from "./notice";
import { Pager } from "./pager";
import { roundName, say, speak } from "./say";
import { keep, open } from "./screen";
import { Settings } from "./settings";
import { offerTheme } from "./theme";
import { everyTick } from "./ticker";
import { Tile } from "./tile";
import { keepPlace, returnToPlace } from "./whereabouts";
import { isDay, isDone, parts } from "./words";
import type { Hall } from "./fold";

speak();
offerTheme();

const place = byId("tables");
const tiles = new Map<string, Tile>();
const ownPage = new OwnPage();
let choice = open();
/** Who has a tile, in order, and what each is called. */
let seated = "";
let isBack = false;

const pager = new Pager(show, () => !isKiosk && place.matches(":hover, :focus-within"));

const feed = new Feed(browserWorld(), {
  stale: showStale,
  notice: showNotice,
  picture(hall, touched, changes) {
    const isNew = changes.length === 0;
    if (isNew && isKiosk) void ownPage.check();
    const tables = [...touched]; // It can be gone through only once.
    const moved = tables.some((id) => tiles.has(id) !== hall.has(id));
    const isRenamed = changes.some(({ rounds }) => rounds !== undefined);
    if (isNew || moved || isRenamed || choice.order !== "table") seat(hall);
    const now = feed.now.there();
    for (const id of tables) {
      const table = hall.get(id);
      if (table !== undefined) tiles.get(id)?.show(table, now);
    }
    late(hall);
    title(hall);
    if (!isBack && tiles.size > 0) returnToPlace();
    isBack ||= tiles.size > 0;
  },
});

const settings = new Settings(choice, () => feed.hall, change);

if (isKiosk) beKiosk();
else keepPlace();
byId("everything").addEventListener("click", () => settings.clear());
new ResizeObserver(lay).observe(place);
everyTick(tick, isCalm);
feed.start();

function change(next: Choice): void {
  choice = next;
  keep(choice);
  seat(feed.hall);
  lay();
  const now = feed.now.there();
  for (const [id, tile] of tiles) tile.show(feed.hall.get(id)!, now);
  late(feed.hall);
}

/** Of the tables that are chosen: how far others are behind is no matter here. */
function late(hall: Hall): void {
  showDelay([...hall.values()].filter(({ table }) => tiles.has(table)), hall.rounds);
}

/** Every table that is chosen has its tile, in the order that is chosen, and nothing else has. */
function seat(hall: Hall): void {
  const tables = pick(hall.values(), choice).map(({ table }) => table);
  // Where everybody sits already, nothing is laid out again: moves come many a second.
  const names = new Names(tables, hall.rounds);
  const wanted = tables.map((id) => `${id} ${names.long(id)}`).join();
  if (tables.length > 0 && wanted === seated) return;
  seated = wanted;
  for (const [id, tile] of tiles) {
    if (tables.includes(id)) continue;
    tile.root.remove();
    tiles.delete(id);
  }
  for (const [index, id] of tables.entries()) {
    const tile = tiles.get(id) ?? new Tile(id);
    tiles.set(id, tile);
    tile.name(names);
    // What stands right is left alone: moving a tile would take the keyboard's focus from it.
    if (place.children[index] !== tile.root) place.insertBefore(tile.root, place.children[index] ?? null);
  }
  lay();
  title(hall);
}

/** Sizes are worked out here once; the style sheet only uses them. */
function lay(): void {
  const bar = document.querySelector<HTMLElement>(".bar")!.offsetHeight + byId("notice").offsetHeight;
  const room = [innerWidth, innerHeight - bar, innerHeight] as const;
  const count = choice.atOnce > 0 ? Math.min(choice.atOnce, tiles.size) : tablesAtOnce(tiles.size, ...room);
  const best = arrange(count, ...room);
  const inHand = innerWidth < HAND_WIDTH || (tiles.size > 0 && choice.atOnce === 0 && best.board < LEAST_BOARD);
  document.body.classList.toggle("in-hand", inHand);
  place.dataset["shape"] = inHand ? "row" : best.shape;
  const size = (name: string, value: string) =>
    inHand ? place.style.removeProperty(name) : place.style.setProperty(name, value);
  size("--columns", String(best.columns));
  size("--rows", String(best.rows));
  size("--board", `${best.board}px`);
  size("--tile", `${Math.floor(best.width)}px`);
  size("--text", `${best.text}px`);
  size("--digits", `${best.digits}px`);
  pager.lay(tiles.size, inHand ? tiles.size : count, choice.seconds);
}

function show(from: number, to: number): void {
  for (const [index, tile] of [...place.children].entries()) (tile as HTMLElement).hidden = index < from || index >= to;
  title(feed.hall);
}

function title(hall: Hall): void {
  const tables = [...hall.values()].filter(({ table }) => tiles.has(table));
  const shown = tables.length > 0 ? tables : [...hall.values()];
  empty(hall);
  const ofTables = shown.map(({ table }) => parts(table));
  const named = [...hall.rounds, ...ofTables].filter(({ event }) => !isDay(event));
  const rounds = new Set(named.map(({ event, round }) => `${event}/${round}`));
  // A round of the day has no name of its own: its boards are simply there.
  const name = [...new Set(named.map(({ event }) => eventTitle(event, hall.rounds)))].join(" · ") || "Escaque";
  setText(byId("event"), name);
  setText(byId("round"), named[0] === undefined ? "" : rounds.size > 1 ? say.rounds(rounds.size) : roundName(named[0]));
  const byes = hall.rounds.flatMap(({ byes = [] }) => byes.map(({ player }) => player.name));
  setText(byId("byes"), byes.length === 0 ? "" : say.byes(byes.join(" · ")));
  const ended = tables.filter((table) => isDone(table) || table.state === "ended").length;
  const tally = pager.range === undefined ? say.tally(tables.length, ended) : say.tallyOnPage(...pager.range, tables.length, ended);
  setText(byId("tally"), tables.length === 0 ? "" : tally);
  document.title = name === "Escaque" ? name : `${name} · Escaque`;
}

/** Nothing to see is said to those who came to see, not to those who could do something about it. */
function empty(hall: Hall): void {
  byId("empty").hidden = tiles.size > 0 || feed.isStale;
  byId("everything").hidden = hall.size === 0;
  setText(byId("why"), hall.size === 0 ? say.emptyWall : say.emptyChoice(choice.tables.join(", ")));
}

function tick(): void {
  if (feed.isStale) return; // A clock that counts on while nothing is heard would look alive.
  const now = feed.now.there();
  for (const [id, tile] of tiles) {
    const table = feed.hall.get(id);
    if (table) tile.tick(table, now);
  }
}

function isCalm(): boolean {
  const now = feed.now.there();
  return ![...tiles.keys()].some((id) => showsTenths(feed.hall.get(id)?.clock, now));
}
