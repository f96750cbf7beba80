// Men that slide from square to square. The browser's compositor moves them, so that a page is painted once before and once
// after and not at each frame: of a wall of 24 boards, frames that are painted were the larger half of all its work.

import type { Api } from "chessground/api";
import type { PieceNode } from "chessground/types";

/** Long enough to see who moved. */
const SLIDE_MS = 120;
/** When a man has surely come to rest: the compositor may begin a frame or two late. */
const REST_MS = SLIDE_MS + 40;
/**
 * An animation that is about to end is looked at with each frame by the thread that paints, for half of so short a slide.
 * So it goes on, at rest, and is called off.
 */
const NO_END_MS = 10_000;
/** With more boards on a page men jump: nobody follows so many, and the slides were a third of all such a wall's work. */
const MOST_BOARDS = 16;

export class Slides {
  private readonly isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  private readonly boards = document.getElementsByTagName("cg-board");
  /** Where the men stand that are drawn, while a frame is awaited that draws them elsewhere. */
  private before: Map<PieceNode, string> | undefined;

  constructor(private readonly ground: Api) {}

  /** `change` gives chessground another position: what it draws elsewhere in its next frame slides there. */
  around(change: () => void): void {
    if (this.isStill || this.boards.length > MOST_BOARDS || this.before !== undefined) return change();
    this.before = new Map(this.men().map((man) => [man, man.style.transform]));
    change();
    requestAnimationFrame(() => this.slide());
  }

  /** Chessground has asked for this frame before us, and has drawn. */
  private slide(): void {
    for (const man of this.men()) {
      const [from, to] = [this.before?.get(man), man.style.transform];
      if (from === undefined || from === to) continue;
      man.classList.add("anim"); // Above all others, or these would need layers too.
      const steps = [{ transform: from, easing: "ease-in-out" }, { transform: to, offset: SLIDE_MS / NO_END_MS }, { transform: to }];
      const slide = man.animate(steps, NO_END_MS);
      setTimeout(() => {
        slide.cancel();
        man.classList.remove("anim");
      }, REST_MS);
    }
    this.before = undefined;
  }

  private men(): PieceNode[] {
    return [...this.ground.state.dom.elements.board.querySelectorAll<PieceNode>("piece")];
  }
}
