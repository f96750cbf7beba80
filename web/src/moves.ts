// The score sheet: two columns, the provisional tail marked, the end in view.

import { element, setText } from "./dom";
import { firstPly } from "./words";
import type { Table } from "./vocabulary";

/** So near the end counts as reading along; whoever has scrolled up is left alone. */
const NEAR_END_PX = 80;

export class Moves {
  private along = true;

  private readonly list: HTMLElement;

  constructor(private readonly view: HTMLElement) {
    this.list = view.querySelector("ol")!;
    view.addEventListener("scroll", () => {
      this.along = view.scrollHeight - view.scrollTop - view.clientHeight < NEAR_END_PX;
    });
    new ResizeObserver(() => this.follow()).observe(view);
  }

  show(table: Table): void {
    const first = firstPly(table.start);
    const rows = table.line.length === 0 ? 0 : Math.floor((first + table.line.length - 1) / 2) - Math.floor(first / 2) + 1;
    while (this.list.children.length > rows) this.list.lastElementChild?.remove();
    while (this.list.children.length < rows) this.list.append(row());
    for (let index = 0; index < rows * 2; index += 1) this.cell(table, index, first);
    this.follow();
  }

  private follow(): void {
    if (this.along) this.view.scrollTop = this.view.scrollHeight;
  }

  private cell(table: Table, index: number, first: number): void {
    const line = this.list.children[Math.floor(index / 2)]!;
    const cell = line.children[1 + (index % 2)]!;
    const at = index - (first % 2);
    const san = table.line[at];
    setText(line.children[0]!, `${Math.floor(first / 2) + Math.floor(index / 2) + 1}.`);
    setText(cell, san ?? (at < 0 ? "…" : ""));
    cell.classList.toggle("provisional", san !== undefined && at >= table.final);
    cell.classList.toggle("latest", at === table.line.length - 1);
  }
}

function row(): HTMLElement {
  return element("li", "", element("span", "count"), element("span", "san"), element("span", "san"));
}
