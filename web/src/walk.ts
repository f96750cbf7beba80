// Where in a game the reader is: at its newest move and going along with it, or at one they went back to.

import { byId, icon } from "./dom";

/** So far a finger goes for one move, and so much a wheel turns. */
const SWIPE_PX = 40;
const WHEEL_PX = 60;

export class Walk {
  /** The ply the reader went back to; absent while they go along. */
  private at: number | undefined;
  private length = 0;

  /** `walked` is told whenever the reader goes somewhere. */
  constructor(private readonly walked: () => void) {
    for (const [id, shape, step] of [
      ["first", "start", () => this.to(0)],
      ["back-one", "back", () => this.to(this.ply - 1)],
      ["on-one", "forth", () => this.to(this.ply + 1)],
      ["newest", "end", () => this.along()],
    ] as const) {
      byId(id).append(icon(shape));
      byId(id).addEventListener("click", step);
    }
    byId("live").addEventListener("click", () => this.along());
    addEventListener("keydown", (event) => this.key(event));
  }

  get ply(): number {
    return Math.min(this.at ?? this.length, this.length);
  }

  get isAlong(): boolean {
    return this.at === undefined;
  }

  /** The game has so many moves; there is another one where it is shorter than where the reader is. */
  reach(length: number): void {
    this.length = length;
    if (this.at !== undefined && this.at > length) this.at = length;
  }

  to(ply: number): void {
    this.at = ply >= this.length ? undefined : Math.max(0, ply);
    this.walked();
  }

  along(): void {
    this.at = undefined;
    this.walked();
  }

  /** A wheel over the board and a finger on it go through the moves, too. */
  listen(board: HTMLElement): void {
    let turned = 0;
    board.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
        if (Math.abs(turned) < WHEEL_PX) return;
        this.to(this.ply + Math.sign(turned));
        turned = 0;
      },
      { passive: false },
    );
    let from = { x: 0, y: 0 };
    board.addEventListener("pointerdown", ({ clientX: x, clientY: y }) => (from = { x, y }));
    board.addEventListener("pointerup", ({ clientX: x, clientY: y, pointerType }) => {
      const [right, down] = [x - from.x, y - from.y];
      if (pointerType === "mouse" || Math.abs(right) < Math.max(SWIPE_PX, 2 * Math.abs(down))) return;
      this.to(this.ply - Math.sign(right));
    });
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target instanceof Element && event.target.closest("dialog, input, select")) return;
    if (event.key === "ArrowLeft") this.to(this.ply - 1);
    else if (event.key === "ArrowRight") this.to(this.ply + 1);
    else if (event.key === "Home") this.to(0);
    else if (event.key === "End") this.along();
    else return;
    event.preventDefault();
  }
}
