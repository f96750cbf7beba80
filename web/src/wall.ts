// The wall: every table of the hall on one screen.

import "./style.css";
import "./wall.css";

import { arrange, HAND_WIDTH, LEAST_BOARD, tablesAtOnce } from "./arrange";
import { byId, setText } from "./dom";
import { browserWorld, Feed } from "./feed";
import { showStale } from "./notice";
import { offerTheme } from "./theme";
import { everyTick } from "./ticker";
import { Tile } from "./tile";
import { eventName, parts } from "./words";
import type { Hall } from "./fold";

/** How long a page of a wall with many tables stands. */
const PAGE_MS = 12_000;

const place = byId("tables");
const tiles = new Map<string, Tile>();

/** Where the page begins that is shown, and how many tables it has. */
let shown = { from: 0, count: 1 };

const feed = new Feed(browserWorld(), {
  stale: showStale,
  picture(hall, tables, changes) {
    if (changes.length === 0 || [...tables].some((id) => !tiles.has(id))) seat(hall);
    for (const id of tables) tiles.get(id)?.show(hall.get(id)!);
    title(hall);
    tick();
  },
});

offerTheme();
new ResizeObserver(lay).observe(place);
everyTick(tick);
feed.start();
setInterval(turn, PAGE_MS);

/** Every table has its tile, in the hall's order, and nothing else has. */
function seat(hall: Hall): void {
  for (const [id, tile] of tiles) {
    if (hall.has(id)) continue;
    tile.root.remove();
    tiles.delete(id);
  }
  const severalRounds = new Set([...hall.keys()].map((id) => id.slice(0, id.lastIndexOf("/")))).size > 1;
  for (const [index, id] of [...hall.keys()].sort(inOrder).entries()) {
    const tile = tiles.get(id) ?? new Tile(id);
    tiles.set(id, tile);
    tile.name(severalRounds);
    // What stands right is left alone: moving a tile would take the keyboard's focus from it.
    if (place.children[index] !== tile.root) place.insertBefore(tile.root, place.children[index] ?? null);
  }
  lay();
}

function inOrder(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)];
  return left.event.localeCompare(right.event) || left.round - right.round || left.number - right.number;
}

/** Sizes are worked out here once; the style sheet only uses them. */
function lay(): void {
  const bar = document.querySelector(".bar")!.clientHeight + byId("notice").offsetHeight;
  const room = [innerWidth, innerHeight - bar, innerHeight] as const;
  const count = tablesAtOnce(tiles.size, ...room);
  const best = arrange(count, ...room);
  const inHand = innerWidth < HAND_WIDTH || (tiles.size > 0 && best.board < LEAST_BOARD);
  shown = { from: shown.from - (shown.from % count), count: inHand ? Math.max(1, tiles.size) : count };
  showPage();
  document.body.classList.toggle("in-hand", inHand);
  place.dataset["shape"] = inHand ? "stacked" : best.shape;
  const size = (name: string, value: string) =>
    inHand ? place.style.removeProperty(name) : place.style.setProperty(name, value);
  size("--columns", String(best.columns));
  size("--rows", String(best.rows));
  size("--board", `${Math.floor(best.board / 8) * 8}px`);
  size("--text", `${best.text}px`);
  size("--digits", `${best.digits}px`);
}

/** The next page of a wall with more tables than can be read at once. Nobody's tile goes away under the pointer. */
function turn(): void {
  if (place.matches(":hover, :focus-within")) return;
  shown.from += shown.count;
  showPage();
  title(feed.hall);
}

function showPage(): void {
  if (shown.from >= tiles.size) shown.from = 0;
  for (const [index, tile] of [...place.children].entries()) {
    (tile as HTMLElement).hidden = index < shown.from || index >= shown.from + shown.count;
  }
}

/** Which tables are shown, where they are not all. */
function pageName(): string {
  if (shown.count >= tiles.size) return "";
  const last = Math.min(shown.from + shown.count, tiles.size);
  return `${shown.from + 1}–${last} of `;
}

function title(hall: Hall): void {
  const tables = [...hall.values()];
  const rounds = [...new Set(tables.map(({ table }) => `${parts(table).event}/${parts(table).round}`))];
  const [first] = tables;
  byId("empty").hidden = first !== undefined;
  if (first === undefined) {
    setText(byId("event"), "Escaque");
    setText(byId("round"), "");
    return setText(byId("tally"), "");
  }
  const { event, round } = parts(first.table);
  setText(byId("event"), eventName(event));
  setText(byId("round"), rounds.length === 1 ? `Round ${round}` : `${rounds.length} rounds`);
  const ended = tables.filter(({ result }) => result !== "*").length;
  setText(byId("tally"), `${pageName()}${tables.length} ${tables.length === 1 ? "table" : "tables"} · ${ended} ended`);
  document.title = `${eventName(event)} · Escaque`;
}

function tick(): void {
  if (feed.isStale) return; // A clock that counts on while nothing is heard would look alive.
  const now = feed.now.there();
  for (const [id, tile] of tiles) {
    const table = feed.hall.get(id);
    if (table) tile.tick(table, now);
  }
}
