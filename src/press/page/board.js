// The games of an event beside this page, as its files have them: boards, clocks, results.

import { replay } from "./moves.js";

const EVERY_MS = 5_000;
const MEN = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const NAMES = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

const byId = (id) => document.getElementById(id);
const cards = new Map();

function element(name, className = "", text = "") {
  const made = document.createElement(name);
  if (className !== "") made.className = className;
  made.textContent = text;
  return made;
}

/** A file, asked anew each time; nothing where there is none. */
async function file(path) {
  const answer = await fetch(path, { cache: "no-cache" });
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.text();
}

/** The games of a PGN file: tags, moves and the times that stand behind them. */
function games(text) {
  const found = [];
  for (const part of text.split(/^(?=\[ePGN )/mu)) {
    const tags = Object.fromEntries([...part.matchAll(/^\[(\w+) "((?:[^"\\]|\\.)*)"\]/gmu)].map(([, name, value]) => [name, value.replace(/\\(.)/gu, "$1")]));
    if (tags.Round === undefined) continue;
    const body = part.replace(/^\[.*\]$/gmu, "");
    const clocks = [];
    const words = body.replace(/\{([^}]*)\}/gu, (_, said) => ` @${/\[%clk\s+([\d:]+)\]/u.exec(said)?.[1] ?? ""} `);
    const moves = [];
    for (const word of words.split(/\s+/u)) {
      if (/^@\d/u.test(word)) clocks[moves.length - 1] = word.slice(1).replace(/^(?:00:)?0?/u, "");
      else if (/^(?:O-O|[KQRBNa-h])/u.test(word)) moves.push(word);
    }
    found.push({ tags, moves, clocks, table: Number(tags.Round.split(".")[1] ?? 0) });
  }
  return found;
}

function card(table) {
  const known = cards.get(table);
  if (known !== undefined) return known;
  const root = element("article");
  const line = () => {
    const made = element("p", "player");
    const [name, clock] = [element("span"), element("span", "clock")];
    made.append(name, clock);
    return { made, name, clock };
  };
  const [black, white] = [line(), line()];
  const board = element("div", "board");
  board.setAttribute("role", "img");
  const squares = Array.from({ length: 64 }, () => element("span"));
  board.append(...squares);
  const last = element("p", "last");
  const [move, result] = [element("span"), element("strong")];
  last.append(move, result);
  root.append(black.made, board, white.made, last);
  const made = { root, black, white, board, squares, move, result, drawn: "" };
  cards.set(table, made);
  return made;
}

function draw(game, result) {
  const drawn = JSON.stringify([game, result]);
  const made = card(game.table);
  if (made.drawn === drawn) return made.root;
  made.drawn = drawn;
  const { men, moved } = replay(game.tags.FEN, game.moves);
  const first = game.tags.FEN?.split(" ")[1] === "b" ? 1 : 0;
  const clock = (side) => game.clocks.findLast((time, at) => time !== undefined && (at + first) % 2 === side) ?? "";
  for (const [side, colour, line] of [[0, "White", made.white], [1, "Black", made.black]]) {
    line.name.textContent = [game.tags[`${colour}Title`], game.tags[colour]].filter(Boolean).join(" ");
    line.clock.textContent = clock(side);
  }
  const stands = [];
  made.squares.forEach((square, at) => {
    const rank = 7 - (at >> 3);
    const index = rank * 8 + (at & 7);
    const man = men[index];
    square.className = [(rank + (at & 7)) % 2 === 0 ? "dark" : "", moved.includes(index) ? "moved" : "", man !== undefined && man === man.toUpperCase() ? "white" : ""].filter(Boolean).join(" ");
    square.textContent = man === undefined ? "" : `${MEN[man.toLowerCase()]}\uFE0E`;
    if (man !== undefined) stands.push(`${man === man.toUpperCase() ? "white" : "black"} ${NAMES[man.toLowerCase()]} ${"abcdefgh"[at & 7]}${rank + 1}`);
  });
  made.board.setAttribute("aria-label", stands.join(", "));
  const plies = game.moves.length + first;
  made.move.textContent = game.moves.length === 0 ? `${game.table}` : `${game.table} · ${Math.ceil(plies / 2)}${plies % 2 === 1 ? "." : "…"} ${game.moves.at(-1)}`;
  made.result.textContent = result === "*" ? "" : result.replaceAll("1/2", "½");
  return made.root;
}

/** The round in the address, or the last that has boards. */
function chosen(rounds) {
  const asked = Number(location.hash.slice(1));
  return rounds[asked - 1] === undefined ? rounds.findLastIndex(({ count }) => count > 0) + 1 : asked;
}

async function look() {
  const tournament = JSON.parse((await file("tournament.json")) ?? '{"rounds":[]}');
  const { name = "", rounds } = tournament;
  const round = chosen(rounds);
  document.title = name;
  byId("event").textContent = name;
  byId("rounds").replaceChildren(
    ...rounds.flatMap(({ count }, at) => {
      if (count === 0) return [];
      const link = element("a", "", `${at + 1}`);
      link.href = `#${at + 1}`;
      if (at + 1 === round) link.setAttribute("aria-current", "page");
      return [link];
    }),
  );
  const [index, text] = await Promise.all([file(`round-${round}/index.json`), file(`round-${round}/games.pgn`)]);
  const pairings = JSON.parse(index ?? '{"pairings":[]}').pairings;
  const shown = new Map(games(text ?? "").filter(({ tags }) => tags.Round.split(".").length < 4).map((game) => [game.table, game]));
  const tables = [...shown.values()].sort((one, other) => one.table - other.table);
  byId("games").replaceChildren(...tables.map((game) => draw(game, pairings[game.table - 1]?.result ?? game.tags.Result)));
}

let waiting;
async function goOn() {
  clearTimeout(waiting);
  try {
    await look();
    byId("trouble").textContent = "";
  } catch (error) {
    byId("trouble").textContent = `${error.message}`;
  }
  waiting = setTimeout(goOn, EVERY_MS);
}

addEventListener("hashchange", () => {
  cards.clear();
  void goOn();
});
void goOn();
