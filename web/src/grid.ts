// The board as a table that is walked with keys: every square says its name and who stands there.

import { element } from "./dom";
import type { Square, Told } from "./aloud";

/** Filled, for both colours: outlines alone are lost on a white square. The pawn is told not to be an emoji. */
const FIGURES: Record<string, string> = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟\ufe0e" };

export class Grid {
  private readonly cells: HTMLElement[] = [];
  private squares: Square[] = [];
  private at = 0;

  /** `command` is asked what other keys mean, while the board has the focus. */
  constructor(
    private readonly root: HTMLElement,
    private readonly command: (letter: string) => void,
  ) {
    const files = element("tr", "", element("td"), ...[..."abcdefgh"].map((file) => header(file, "col")));
    const rows = Array.from({ length: 8 }, (_, down) => element("tr", "", header(String(8 - down), "row"), ...this.row(down)));
    root.append(element("thead", "", files), element("tbody", "", ...rows));
    root.addEventListener("keydown", (event) => this.key(event));
    this.cells[0]!.tabIndex = 0;
  }

  show({ squares, language }: Told): void {
    this.squares = squares;
    this.root.lang = language;
    squares.forEach(({ name, man, piece }, index) => {
      const cell = this.cells[index]!;
      const words = man === "" ? name : `${name}, ${man}`;
      if (cell.dataset["words"] === words) return;
      cell.dataset["words"] = words;
      const figure = element("span", /[A-Z]/.test(piece) ? "bright" : "", FIGURES[piece.toLowerCase()] ?? "");
      figure.ariaHidden = "true";
      cell.replaceChildren(figure, element("span", "unseen", words));
    });
  }

  private row(down: number): HTMLElement[] {
    return Array.from({ length: 8 }, (_, across) => {
      const cell = element("td", (down + across) % 2 === 0 ? "light" : "dark");
      cell.setAttribute("role", "gridcell");
      cell.tabIndex = -1;
      const index = this.cells.push(cell) - 1;
      cell.addEventListener("click", () => this.to(index));
      return cell;
    });
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -8, ArrowDown: 8 }[event.key];
    const letter = event.key.toLowerCase();
    if (step !== undefined) this.step(step);
    else if (/^[kqrbnp]$/.test(letter)) this.next(letter, event.shiftKey);
    else if (/^[lcmo?#]$/.test(letter)) this.command(letter === "#" ? "n" : letter);
    else return;
    event.preventDefault();
  }

  private step(step: number): void {
    const isOverTheEdge = Math.abs(step) === 1 && Math.floor((this.at + step) / 8) !== Math.floor(this.at / 8);
    const next = this.at + step;
    if (!isOverTheEdge && next >= 0 && next < 64) this.to(next);
  }

  /** To the next man of this kind, in whichever colour; round the board. */
  private next(letter: string, isBack: boolean): void {
    for (let count = 1; count <= 64; count += 1) {
      const index = (this.at + (isBack ? 64 - count : count)) % 64;
      if (this.squares[index]?.piece.toLowerCase() === letter) return this.to(index);
    }
  }

  private to(index: number): void {
    this.cells[this.at]!.tabIndex = -1;
    this.at = index;
    this.cells[index]!.tabIndex = 0;
    this.cells[index]!.focus();
  }
}

function header(text: string, scope: "col" | "row"): HTMLElement {
  const cell = element("th", "", text);
  cell.scope = scope;
  return cell;
}
