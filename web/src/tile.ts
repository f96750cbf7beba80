// One table on the wall.

import { Board } from "./board";
import { element, icon, setText } from "./dom";
import { Face } from "./face";
import { firstPly, isProvisional, moveNumber, parts, playerName, resultFigures, stateOf, type Mood } from "./words";
import type { Table } from "./vocabulary";

/** What is said on the board itself, too. */
const PLATED: ReadonlySet<Mood> = new Set(["lost", "checking", "arbiter"]);

export class Tile {
  readonly root = element("article", "tile");
  private readonly link = element("a", "way-in");
  private readonly state = element("span", "state");
  private readonly count = element("span", "count");
  private readonly san = element("span", "san");
  private readonly last = element("span", "last", this.count, this.san);
  private readonly plate = element("span", "plate");
  private readonly black = new Face("black");
  private readonly white = new Face("white");
  private readonly board: Board;
  private readonly number = element("span");
  private mood: Mood | undefined;

  constructor(private readonly id: string) {
    const { number } = parts(id);
    const label = element("span", "number", element("span", "word", "Table "), this.number);
    const squares = element("div", "board");
    this.link.href = `/table/${id}`;
    this.root.setAttribute("aria-label", `Table ${number}`);
    this.root.dataset["table"] = id;
    this.plate.setAttribute("aria-hidden", "true"); // The line of state says the same.
    const surface = element("div", "surface", squares, this.plate);
    this.root.append(element("div", "head", label, this.last, this.state), this.black.root, surface, this.white.root, this.link);
    this.board = new Board(squares);
  }

  show(table: Table): void {
    this.board.show(table);
    this.black.show(table);
    this.white.show(table);
    this.say(table);
    const ply = table.line.length - 1;
    setText(this.count, ply < 0 ? "" : `${moveNumber(firstPly(table.start) + ply)} `);
    setText(this.san, table.line[ply] ?? "");
    this.san.classList.toggle("provisional", isProvisional(table));
    const { number } = parts(table.table);
    const names = `${playerName(table.white, "white")} – ${playerName(table.black, "black")}`;
    this.link.setAttribute("aria-label", `Table ${number}: ${names}. ${stateOf(table).words}`);
  }

  /** Its number; with the round before it where several are on. */
  name(withRound: boolean): void {
    const { round, number } = parts(this.id);
    setText(this.number, withRound ? `${round}.${number}` : String(number));
  }

  tick(table: Table, now: number): void {
    this.black.tick(table, now);
    this.white.tick(table, now);
  }

  private say(table: Table): void {
    const { mood, words } = stateOf(table);
    this.root.dataset["mood"] = mood;
    if (this.mood !== mood || this.state.lastChild?.textContent !== words) {
      this.state.replaceChildren(icon(mood), element("span", "", words));
      this.mood = mood;
    }
    const plate = mood === "ended" ? resultFigures(table.result) : PLATED.has(mood) ? words : "";
    if (this.plate.textContent === plate) return;
    this.plate.replaceChildren(...(PLATED.has(mood) ? [icon(mood)] : []), plate);
  }
}
