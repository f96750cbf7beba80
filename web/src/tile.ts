// One table on the wall.

import { Board } from "./board";
import { element, icon, setText } from "./dom";
import { Face } from "./face";
import { written } from "./notation";
import type { Names } from "./naming";
import { isCheck, isProvisional, moveNumber, nextPly, pairName, stateOf, type Mood } from "./words";
import type { Side, Table } from "./vocabulary";

/** What is on the board must not be taken for the game then: that is said on the board itself, too. */
const PLATED: ReadonlySet<Mood> = new Set(["lost", "checking"]);

export class Tile {
  readonly root = element("article", "tile");
  private readonly link = element("a", "way-in");
  private readonly state = element("span", "state");
  private readonly count = element("span", "count");
  private readonly san = element("span", "san");
  private readonly plate = element("span", "plate");
  private readonly black = new Face("black");
  private readonly white = new Face("white");
  private readonly board: Board;
  private readonly number = element("span", "number");
  private said = "";
  private called = "";

  constructor(private readonly id: string) {
    const squares = element("div", "board");
    this.link.href = `/table/${id}`;
    this.root.dataset["table"] = id;
    this.plate.setAttribute("aria-hidden", "true"); // The line of state says the same.
    const surface = element("div", "surface", squares, this.plate);
    const last = element("span", "last", this.count, this.san);
    this.root.append(this.number, this.black.root, surface, this.white.root, last, this.state, this.link);
    this.board = new Board(squares);
  }

  show(table: Table, now: number): void {
    this.board.show({ ...table, check: isCheck(table) }, isProvisional(table));
    this.black.show(table);
    this.white.show(table);
    const san = table.san.at(-1);
    setText(this.count, san === undefined ? "" : `${moveNumber(nextPly(table) - 1)} `);
    setText(this.san, written(san ?? ""));
    this.san.style.setProperty("--letters", String(san?.length ?? 0));
    this.san.classList.toggle("provisional", isProvisional(table));
    this.tick(table, now);
  }

  /** What it is called among those that are shown. */
  name(names: Names): void {
    this.called = names.long(this.id);
    this.root.setAttribute("aria-label", this.called);
    this.number.replaceChildren(element("span", "short", names.short(this.id)), element("span", "long", this.called));
  }

  /** Who sits at the lower edge. */
  turnTo(side: Side): void {
    this.board.turnTo(side);
    this.root.dataset["below"] = side;
  }

  tick(table: Table, now: number): void {
    this.black.tick(table, now);
    this.white.tick(table, now);
    const { mood, words } = stateOf(table, now);
    const names = pairName(table.white, table.black);
    const said = `${this.called}: ${names}. ${words}`;
    if (this.said === said) return;
    this.said = said;
    this.link.setAttribute("aria-label", said);
    this.root.dataset["mood"] = mood;
    this.state.replaceChildren(icon(mood), element("span", "", words));
    this.plate.replaceChildren(...(PLATED.has(mood) ? [icon(mood), words] : []));
  }
}
