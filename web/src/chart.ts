// How long each move took: a bar a move, White's up and Black's down.

import { digits } from "./clock";
import { written } from "./notation";
import { say } from "./say";
import { moveNumber } from "./words";

const SPACE = "http://www.w3.org/2000/svg";
/** Half of its height; White's half is the upper one. */
const HALF = 50;
/** A bar that took no time is still there to be pressed. */
const LEAST = 2;

export interface Times {
  first: number;
  line: string[];
  spent: (number | undefined)[];
  ply: number;
}

export class Chart {
  private drawn = "";

  constructor(
    private readonly place: HTMLElement,
    go: (ply: number) => void,
  ) {
    place.addEventListener("click", ({ target }) => {
      const ply = target instanceof SVGElement && target.dataset["ply"];
      if (ply) go(Number(ply));
    });
  }

  show(times: Times): void {
    const { spent, line, first, ply } = times;
    this.place.hidden = !spent.some((time) => time !== undefined && time > 0);
    const wanted = JSON.stringify(times);
    if (this.place.hidden || wanted === this.drawn) return;
    this.drawn = wanted;
    const most = Math.max(...spent.map((time) => time ?? 0));
    const svg = document.createElementNS(SPACE, "svg");
    svg.setAttribute("viewBox", `0 0 ${Math.max(line.length, 40)} ${2 * HALF}`);
    svg.setAttribute("preserveAspectRatio", "none");
    for (const [index, san] of line.entries()) {
      const time = spent[index];
      if (time === undefined) continue;
      const isWhite = (first + index) % 2 === 0;
      const height = Math.max(LEAST, (HALF * time) / most);
      const bar = rectangle(index + 0.1, isWhite ? HALF - height : HALF, 0.8, height);
      bar.setAttribute("class", `${isWhite ? "white" : "black"}${index === ply - 1 ? " latest" : ""}`);
      // The whole column can be pressed, and says what it stands for.
      const column = rectangle(index, 0, 1, 2 * HALF);
      column.setAttribute("class", "column");
      column.dataset["ply"] = String(index + 1);
      const title = document.createElementNS(SPACE, "title");
      title.textContent = say.took(`${moveNumber(first + index)} ${written(san)}`, digits(time));
      column.append(title);
      svg.append(bar, column);
    }
    this.place.replaceChildren(svg);
  }
}

function rectangle(x: number, y: number, width: number, height: number): SVGRectElement {
  const made = document.createElementNS(SPACE, "rect");
  for (const [name, value] of Object.entries({ x, y, width, height })) made.setAttribute(name, String(value));
  return made;
}
