// One table, full screen: the game as it goes, every position before, and the games before it.

import "./style.css";
import "./table.css";

import { placeOf, type Place } from "./address";
import { Archive } from "./archive";
import { Board } from "./board";
import { Captured } from "./captured";
import { Chart } from "./chart";
import { byId, icon, setText } from "./dom";
import { Face } from "./face";
import { browserWorld, Feed } from "./feed";
import { newTable, settledPlies, START } from "./fold";
import { spent } from "./games";
import { Moves } from "./moves";
import { roundOf } from "./naming";
import { choose, notation, written } from "./notation";
import { showDelay, showNotice, showStale } from "./notice";
import { Replay } from "./replay";
import { say, speak } from "./say";
import { offerSharing } from "./sharing";
import { Speech } from "./speech";
import { offerTheme } from "./theme";
import { everyTick } from "./ticker";
import { Walk } from "./walk";
import { firstPly, isCheck, isDone, isProvisional, moveNumber, parts, pairName, positionWords, resultFigures, resultWords, scoreOf, standing, stateOf } from "./words";
import type { Side, Table } from "./vocabulary";

const place: Place | undefined = placeOf(location.pathname);
const id = place?.table ?? "";
const asked = new URLSearchParams(location.search);

speak();
offerTheme();

const board = new Board(byId("board"), true);
const faces = { white: new Face("white"), black: new Face("black") };
const captured = { white: new Captured("white"), black: new Captured("black") };
const speech = new Speech(byId("said"));
const replay = new Replay();
const walk = new Walk(walked);
const moves = new Moves(byId("moves"), (ply) => walk.to(ply));
const chart = new Chart(byId("chart"), (ply) => walk.to(ply));
const archive = new Archive(`/pgn/${id}`, refresh);
/** A game that is looked at whatever is played by now, counted from 1; an address names it at its end, or behind `?game=`. */
let named: number | undefined = place?.game ?? (Number(asked.get("game")) || undefined);
let below: Side = asked.get("below") === "black" ? "black" : "white";
/** A link may lead to a position: until the game is that long, the newest is shown. */
let linked: number | undefined = Number(location.hash.slice(1)) || undefined;

/** What was told last, for telling what is new. */
let before: Table | undefined;

const feed = new Feed(
  browserWorld(id),
  {
    stale: showStale,
    notice: showNotice,
    picture(hall, _tables, changes) {
      const table = hall.get(id);
      setText(byId("round"), roundOf(id, hall.rounds));
      if (changes.length === 0) archive.read();
      else if (table !== undefined) {
        const news = { before, table, isCorrected: changes.some(({ corrected }) => corrected) };
        archive.hear(news);
        if (named === undefined || named === table.game) speech.hear(news);
      }
      before = table;
      if (table !== undefined) showDelay([table]);
      refresh();
    },
  },
  id,
);

if (place === undefined) lead();
else {
  dress();
  everyTick(tick);
  feed.start();
}

/** No table could have this address: nothing is waited for. */
function lead(): void {
  setText(byId("heading"), "Escaque");
  byId("back").append(icon("back"));
  for (const name of ["flip", "figurines", "share"]) byId(name).hidden = true;
  nothingHere(true);
}

function nothingHere(isUnknown: boolean): void {
  byId("unknown").hidden = !isUnknown;
  byId("seat").hidden = isUnknown;
  document.body.classList.toggle("nothing", isUnknown);
}

function dress(): void {
  const { number } = parts(id);
  setText(byId("heading"), say.table(number));
  setText(byId("round"), roundOf(id, []));
  document.title = `${say.table(number)} · Escaque`;
  byId("back").append(icon("back"));
  byId("flip").append(icon("flip"));
  byId("flip").addEventListener("click", () => seat(below === "white" ? "black" : "white"));
  byId("games").addEventListener("change", () => look(Number((byId("games") as HTMLSelectElement).value)));
  byId("figurines").addEventListener("click", () => {
    choose(notation() === "letters" ? "figurines" : "letters");
    refresh();
  });
  for (const side of ["white", "black"] as const) faces[side].root.querySelector(".who")!.after(captured[side].root);
  offerSharing(() => ({ link: link(), fen: position()?.fen ?? "", pgn: `${location.origin}/pgn/${id}`, file: `${id.replaceAll("/", "-")}.pgn` }));
  walk.listen(byId("board"));
  seat(below);
}

/** `below` sits at the lower edge of the board, and so does their clock. */
function seat(side: Side): void {
  below = side;
  board.turnTo(below);
  byId("upper").replaceChildren(faces[below === "white" ? "black" : "white"].root);
  byId("lower").replaceChildren(faces[below].root);
}

/** The game that is looked at: the one that is on, or an earlier one. */
function shown(): Table | undefined {
  const live = feed.hall.get(id);
  const number = named ?? (live === undefined ? archive.games.length : undefined);
  const game = number === undefined ? undefined : archive.games[number - 1];
  if (number === undefined || number === live?.game) return live;
  if (game === undefined) return live;
  const { white, black, start, line } = game;
  return { ...newTable(id), game: number, state: "ended", white, black, ...given(number), start, san: line };
}

/** What a game came to: its PGN has no word for some scores, so the feed is asked first. */
function given(number: number): Pick<Table, "result" | "score"> {
  const live = feed.hall.get(id);
  const told = live?.game === number ? live : live?.earlier?.find(({ game }) => game === number);
  const { result, score } = told ?? archive.games[number - 1] ?? newTable(id);
  return { result, ...(score === undefined ? {} : { score }) };
}

function look(game: number): void {
  named = game === feed.hall.get(id)?.game ? undefined : game;
  walk.along();
}

function refresh(): void {
  const table = shown();
  const isUnknown = table === undefined && archive.isRead && !feed.isStale;
  nothingHere(isUnknown);
  if (table === undefined) return;
  replay.follow(startOf(table), table.san);
  walk.reach(table.san.length);
  if (linked !== undefined && linked < table.san.length) {
    const ply = linked;
    linked = undefined;
    return walk.to(ply);
  }
  show(table);
  list();
  tick();
}

/** The reader went somewhere: what they came to is shown, and said. */
function walked(): void {
  refresh();
  const table = shown();
  const san = table?.san[walk.ply - 1];
  if (table !== undefined && san !== undefined) speech.answer(`${moveNumber(firstPly(startOf(table)) + walk.ply - 1)} ${written(san)}`);
}

function startOf(table: Table): string {
  return table.start ?? START;
}

/** The newest position is told whole; those before it follow from the moves, as far as they can be followed. */
function position() {
  const table = shown();
  const known = replay.positions[walk.ply];
  if (table === undefined || !walk.isAlong || table.state === "ended" || known?.placement === table.placement) return known;
  const { placement, turn, rest, last } = table;
  return { placement, turn, check: isCheck(table), fen: `${placement} ${turn[0]} ${rest}`, ...(last === undefined ? {} : { last }) };
}

function show(table: Table): void {
  const now = position() ?? replay.positions.at(-1)!;
  const { ply, isAlong } = walk;
  board.show(now, ply > settledPlies(table));
  byId("board").setAttribute("aria-label", say.boardNow(positionWords(now.placement)));
  for (const side of ["white", "black"] as const) {
    faces[side].show(table);
    captured[side].show(startOf(table), now.placement);
  }
  const { mood, words } = stateOf(table, feed.now.there());
  document.body.dataset["mood"] = isAlong || mood === "ended" ? mood : "walking";
  const state = byId("state");
  if (state.textContent !== words) state.replaceChildren(icon(mood), words);
  setText(byId("result"), resultFigures(standing(table)));
  if (isDone(table)) byId("result").setAttribute("aria-label", resultWords(standing(table)));
  byId("tail").hidden = !isProvisional(table);
  byId("live").hidden = isAlong;
  byId("figurines").setAttribute("aria-pressed", String(notation() === "figurines"));
  for (const id of ["first", "back-one"]) (byId(id) as HTMLButtonElement).disabled = ply === 0;
  for (const id of ["on-one", "newest"]) (byId(id) as HTMLButtonElement).disabled = ply === table.san.length;
  const first = firstPly(startOf(table));
  moves.show({ first, line: table.san, final: settledPlies(table), ply });
  chart.show({ first, line: table.san, spent: spent(archive.clocksOf(table.game), control(table)), ply });
  document.title = `${pairName(table.white, table.black)} · Escaque`;
}

function control(table: Table) {
  return table.time_control ?? archive.games[table.game - 1]?.control;
}

/** All games of the table, where there is more than one. */
function list(): void {
  const live = feed.hall.get(id)?.game ?? 0;
  const count = Math.max(archive.games.length, live);
  const choice = byId("games") as HTMLSelectElement;
  choice.hidden = count < 2;
  const name = (number: number) => {
    const result = resultFigures(scoreOf(given(number)));
    return `${say.gameNumber(number)}${result && ` · ${result}`}`;
  };
  const names = Array.from({ length: count }, (_none, index) => name(index + 1));
  if (names.join() !== [...choice.options].map(({ text }) => text).join()) {
    choice.replaceChildren(...names.map((text, index) => new Option(text, String(index + 1))));
  }
  choice.value = String(shown()?.game ?? live);
}

/** To what is shown here, from anywhere. */
function link(): string {
  const address = new URL(`/table/${id}${named === undefined ? "" : `/${named}`}`, location.origin);
  if (below === "black") address.searchParams.set("below", "black");
  if (!walk.isAlong) address.hash = String(walk.ply);
  return address.href;
}

function tick(): void {
  const [table, live] = [shown(), feed.hall.get(id)];
  if (table === undefined) return;
  if (table === live && walk.isAlong) {
    if (feed.isStale) return;
    const now = feed.now.there();
    faces.white.tick(table, now);
    faces.black.tick(table, now);
    const { mood } = stateOf(table, now);
    if (document.body.dataset["mood"] !== mood) show(table);
    return;
  }
  const clocks = archive.clocksOf(table.game);
  const first = firstPly(startOf(table)) % 2;
  for (const side of ["white", "black"] as const) faces[side].read(clockAt(clocks, walk.ply, (first === 0) === (side === "white")));
}

/** What a clock showed after so many moves: what its owner's last press left on it. */
function clockAt(clocks: (number | undefined)[], ply: number, isFirst: boolean): number | undefined {
  const last = ply - 1 - ((ply - 1) % 2 === (isFirst ? 0 : 1) ? 0 : 1);
  return clocks[last];
}
