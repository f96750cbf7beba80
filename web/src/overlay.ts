// Boards for somebody else's picture: nothing behind them, and put together by the address. See README.md.

import "./style.css";
import "./wall.css";
import "./overlay.css";

import { placeOf } from "./address";
import { pick, readChoice } from "./choice";
import { byId, element } from "./dom";
import { browserWorld, Feed } from "./feed";
import { Names } from "./naming";
import { say, speak } from "./say";
import { everyTick } from "./ticker";
import { Tile } from "./tile";
import type { Hall } from "./fold";

const PARTS = ["board", "names", "titles", "ratings", "clocks", "numbers", "last"] as const;
const USUAL = ["board", "names", "titles", "clocks"];
/** A board that fills a third of a usual picture, where the picture is as high. */
const USUAL_BOARD = 640;
/** Smaller than that it is no board any more, and a picture that low shows part of it. */
const LEAST_BOARD = 160;
const MOST = 4_000;

const asked = new URLSearchParams(location.search);
/** Without one the tables are named behind the question mark. */
const own = placeOf(location.pathname)?.table;
const place = byId("tables");
const choice = readChoice(asked);
const tiles = new Map<string, Tile>();
let seated = "";
let board = USUAL_BOARD;

const feed = new Feed(
  browserWorld(own),
  {
    // A picture that may be old says so on the board itself: there is no line above it.
    stale: (stale) => document.documentElement.classList.toggle("stale", stale),
    picture(hall, touched, changes) {
      const tables = [...touched]; // It can be gone through only once.
      const moved = tables.some((id) => tiles.has(id) !== hall.has(id));
      if (changes.length === 0 || moved || choice.order !== "table") seat(hall);
      for (const id of tables) {
        const table = hall.get(id);
        if (table !== undefined) tiles.get(id)?.show(table, feed.now.there());
      }
      fit();
    },
  },
  own,
);

dress();
if (own === undefined && !/^\/overlay\/?$/.test(location.pathname)) lead();
else {
  addEventListener("resize", () => {
    size(number("board", USUAL_BOARD));
    fit();
  });
  everyTick(tick);
  feed.start();
}

/** No table could have this address: whoever has put it into a picture sees that, and how one is written. */
function lead(): void {
  place.replaceChildren(element("p", "lost-way", `${say.unknownTable}: ${location.pathname}`, element("br"), say.overlayAddresses));
}

function dress(): void {
  speak();
  const shown = asked.get("show")?.split(",") ?? USUAL;
  for (const part of PARTS) document.body.classList.toggle(`without-${part}`, !shown.includes(part));
  place.dataset["shape"] = asked.get("shape") === "beside" ? "beside" : "row";
  place.style.setProperty("--columns", String(number("columns", 1)));
  size(number("board", USUAL_BOARD));
}

function size(wanted: number): void {
  board = Math.floor(wanted / 8) * 8;
  const text = number("text", Math.round(board / 22));
  place.style.setProperty("--board", `${board}px`);
  place.style.setProperty("--text", `${text}px`);
  place.style.setProperty("--digits", `${Math.round(text * 1.25)}px`);
  place.style.setProperty("--tile", place.dataset["shape"] === "row" ? `${board}px` : "max-content");
}

/** A size that nobody asked for leaves both players in the picture. What stands around a board grows with it or not at all. */
function fit(): void {
  const tile = place.firstElementChild;
  if (tile === null || asked.has("board")) return;
  const over = tile.getBoundingClientRect().bottom - innerHeight;
  if (over > 0) size(Math.max(LEAST_BOARD, board - over));
}

function number(name: string, usual: number): number {
  const said = Number(asked.get(name));
  return said > 0 && said <= MOST ? said : usual;
}

/** Every table that is chosen has its tile, and nothing else has. Where all sit already, nothing is touched. */
function seat(hall: Hall): void {
  const wanted = pick(hall.values(), choice).map(({ table }) => table);
  const names = new Names(wanted, hall.rounds);
  const called = wanted.map((id) => `${id} ${names.long(id)}`).join();
  if (called === seated) return;
  seated = called;
  for (const id of tiles.keys()) if (!wanted.includes(id)) tiles.delete(id);
  for (const id of wanted) {
    const tile = tiles.get(id) ?? new Tile(id);
    tile.name(names);
    tile.turnTo(asked.get("below") === "black" ? "black" : "white");
    if (!tiles.has(id)) tile.show(hall.get(id)!, feed.now.there());
    tiles.set(id, tile);
  }
  place.replaceChildren(...wanted.map((id) => tiles.get(id)!.root));
}

function tick(): void {
  if (feed.isStale) return;
  for (const [id, tile] of tiles) {
    const table = feed.hall.get(id);
    if (table) tile.tick(table, feed.now.there());
  }
}
