// Men that slide from square to square. The browser's compositor moves them, so that a page is painted once before and once
// after and not at each frame: of a wall of 24 boards, frames that are painted were the larger half of all its work.

import type { Api } from "chessground/api";
import type { PieceNode } from "chessground/types";

/** Long enough to see who moved. */
const SLIDE: KeyframeAnimationOptions = { duration: 120, easing: "ease-in-out" };

export class Slides {
  private readonly isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  /** Where the men stand that are drawn, while a frame is awaited that draws them elsewhere. */
  private before: Map<PieceNode, string> | undefined;

  constructor(private readonly ground: Api) {}

  /** `change` gives chessground another position: what it draws elsewhere in its next frame slides there. */
  around(change: () => void): void {
    if (this.isStill || this.before !== undefined) return change();
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
      man.animate([{ transform: from }, { transform: to }], SLIDE).onfinish = () => man.classList.remove("anim");
    }
    this.before = undefined;
  }

  private men(): PieceNode[] {
    return [...this.ground.state.dom.elements.board.querySelectorAll<PieceNode>("piece")];
  }
}
