// The score sheet: two columns, the provisional tail marked, the move that is shown in view.

import { element, setText } from "./dom";
import { written } from "./notation";

export interface Sheet {
  /** Where its first move stands in a score sheet: see `firstPly`. */
  first: number;
  line: string[];
  final: number;
  /** So many moves have been made in the position that is shown. */
  ply: number;
}

export class Moves {
  private readonly list: HTMLElement;
  private sheet: Sheet | undefined;

  constructor(
    private readonly view: HTMLElement,
    go: (ply: number) => void,
  ) {
    this.list = view.querySelector("ol")!;
    this.list.addEventListener("click", ({ target }) => {
      const ply = target instanceof HTMLElement && target.dataset["ply"];
      if (ply) go(Number(ply));
    });
    // The list is scrolled when its size is known, which is later than its first moves.
    new ResizeObserver(() => this.follow()).observe(view);
  }

  show(sheet: Sheet): void {
    const { first, line } = (this.sheet = sheet);
    const rows = line.length === 0 ? 0 : Math.floor((first + line.length - 1) / 2) - Math.floor(first / 2) + 1;
    while (this.list.children.length > rows) this.list.lastElementChild?.remove();
    while (this.list.children.length < rows) this.list.append(row());
    for (let index = 0; index < rows * 2; index += 1) this.cell(sheet, index);
    this.follow();
  }

  private follow(): void {
    const latest = this.list.querySelector<HTMLElement>(".latest");
    if (latest === null) return void (this.view.scrollTop = 0);
    const { offsetTop, offsetHeight } = latest.parentElement!;
    const isEnd = this.sheet !== undefined && this.sheet.ply === this.sheet.line.length;
    if (isEnd) this.view.scrollTop = this.view.scrollHeight;
    else this.view.scrollTop = offsetTop - this.view.clientHeight / 2 + offsetHeight / 2;
  }

  private cell({ first, line, final, ply }: Sheet, index: number): void {
    const row = this.list.children[Math.floor(index / 2)]!;
    const cell = row.children[1 + (index % 2)] as HTMLElement;
    const at = index - (first % 2);
    const san = line[at];
    setText(row.children[0]!, `${Math.floor(first / 2) + Math.floor(index / 2) + 1}.`);
    setText(cell, san === undefined ? (at < 0 ? "…" : "") : written(san));
    cell.dataset["ply"] = san === undefined ? "" : String(at + 1);
    cell.classList.toggle("provisional", san !== undefined && at >= final);
    cell.classList.toggle("latest", at === ply - 1);
    if (at === ply - 1) cell.setAttribute("aria-current", "true");
    else cell.removeAttribute("aria-current");
  }
}

function row(): HTMLElement {
  return element("li", "", element("span", "count"), element("span", "san"), element("span", "san"));
}
