// One table, full screen.

import "./style.css";
import "./table.css";

import { Board } from "./board";
import { byId, icon, setText } from "./dom";
import { Face } from "./face";
import { browserWorld, Feed } from "./feed";
import { Moves } from "./moves";
import { showStale } from "./notice";
import { Speech } from "./speech";
import { offerTheme } from "./theme";
import { everyTick } from "./ticker";
import { eventName, isProvisional, parts, playerName, positionWords, resultFigures, resultWords, stateOf } from "./words";
import type { Table } from "./vocabulary";

const id = decodeURIComponent(location.pathname.replace(/^\/table\//, "").replace(/\/$/, ""));
const board = new Board(byId("board"));
const faces = { white: new Face("white"), black: new Face("black") };
const moves = new Moves(byId("moves"));
const speech = new Speech(byId("said"));

const feed = new Feed(
  browserWorld(id),
  {
    stale: showStale,
    picture(hall, _tables, changes) {
      const table = hall.get(id);
      if (table === undefined) return setText(byId("state"), "There is no such table in a round that is open.");
      show(table);
      for (const change of changes) speech.hear(change, table);
      tick();
    },
  },
  id,
);

dress();
offerTheme();
everyTick(tick);
feed.start();

function dress(): void {
  const { event, round, number } = parts(id);
  setText(byId("heading"), `Table ${number}`);
  setText(byId("round"), `${eventName(event)} · Round ${round}`);
  byId("back").append(icon("back"));
  byId("pgn").prepend(icon("file"));
  byId("pgn").setAttribute("href", `/pgn/${id}`);
  byId("pgn").setAttribute("download", `${id.replaceAll("/", "-")}.pgn`);
  byId("flip").append(icon("flip"));
  let below: "white" | "black" = "white";
  seat(below);
  byId("flip").addEventListener("click", () => seat((below = below === "white" ? "black" : "white")));
}

/** `below` sits at the lower edge of the board, and so does their clock. */
function seat(below: "white" | "black"): void {
  board.turnTo(below);
  byId("upper").replaceChildren(faces[below === "white" ? "black" : "white"].root);
  byId("lower").replaceChildren(faces[below].root);
}

function show(table: Table): void {
  board.show(table);
  faces.white.show(table);
  faces.black.show(table);
  const { mood, words } = stateOf(table, feed.now.there());
  const state = byId("state");
  document.body.dataset["mood"] = mood;
  if (state.textContent !== words) state.replaceChildren(icon(mood), words);
  setText(byId("result"), resultFigures(table.result));
  if (table.result !== "*") byId("result").setAttribute("aria-label", resultWords(table.result));
  byId("tail").hidden = !isProvisional(table);
  moves.show(table);
  byId("board").setAttribute("aria-label", `Board. ${positionWords(table.placement)}`);
  document.title = `${playerName(table.white, "white")} – ${playerName(table.black, "black")} · Escaque`;
}

function tick(): void {
  const table = feed.hall.get(id);
  if (table === undefined || feed.isStale) return;
  faces.white.tick(table, feed.now.there());
  faces.black.tick(table, feed.now.there());
}
