// Pages of a wall with more tables than are shown at once: turned by themselves, by a click or by a key.

import { byId, icon, setText } from "./dom";
import { say } from "./say";

export class Pager {
  private from = 0;
  private count = 1;
  private total = 0;
  private seconds = 0;
  private paused = false;
  private timer: number | undefined;

  /** `turned` is told what to show; `isLooked` whether somebody is busy with the page, which then stands. */
  constructor(
    private readonly turned: (from: number, to: number) => void,
    private readonly isLooked: () => boolean,
  ) {
    byId("earlier").append(icon("back"));
    byId("later").append(icon("forth"));
    byId("earlier").addEventListener("click", () => this.turn(-1));
    byId("later").addEventListener("click", () => this.turn(1));
    byId("pause").addEventListener("click", () => this.pause(!this.paused));
    addEventListener("keydown", (event) => this.key(event));
    this.pause(false);
  }

  /** So many tables, so many of them at once; pages stand for so long. */
  lay(total: number, count: number, seconds: number): void {
    [this.total, this.count] = [total, Math.max(1, count)];
    this.from -= this.from % this.count;
    if (this.from >= total) this.from = 0;
    if (seconds !== this.seconds) {
      this.seconds = seconds;
      this.wind();
    }
    this.show();
  }

  /** Which tables are shown, from 1; none where all are. */
  get range(): [number, number] | undefined {
    return this.count < this.total ? [this.from + 1, Math.min(this.from + this.count, this.total)] : undefined;
  }

  private turn(by: number): void {
    const pages = Math.ceil(this.total / this.count) || 1;
    const page = (Math.floor(this.from / this.count) + by + pages) % pages;
    this.from = page * this.count;
    this.show();
    this.wind();
  }

  private pause(paused: boolean): void {
    this.paused = paused;
    const button = byId("pause");
    button.replaceChildren(icon(paused ? "playing" : "stopped"));
    button.setAttribute("aria-label", (button.title = paused ? say.goOn : say.pause));
  }

  private wind(): void {
    clearInterval(this.timer);
    if (this.seconds === 0) return;
    this.timer = window.setInterval(() => {
      if (!this.paused && this.range !== undefined && !this.isLooked()) this.turn(1);
    }, this.seconds * 1000);
  }

  private key(event: KeyboardEvent): void {
    if (this.range === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest("dialog, button, input, select")) return;
    if (event.key === "ArrowRight" || event.key === "PageDown") this.turn(1);
    else if (event.key === "ArrowLeft" || event.key === "PageUp") this.turn(-1);
    else if (event.key === " ") this.pause(!this.paused);
    else return;
    event.preventDefault();
  }

  private show(): void {
    byId("pager").hidden = this.range === undefined;
    byId("pause").hidden = this.seconds === 0;
    setText(byId("pages"), say.pageOf(Math.floor(this.from / this.count) + 1, Math.ceil(this.total / this.count)));
    this.turned(this.from, this.from + this.count);
  }
}
