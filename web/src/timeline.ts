// All that happened at a table, to scrub through and to play again at any speed: board and record side by side at each
// moment, and what happened around it.

import { ask } from "./ask";
import { Board } from "./board";
import { digits } from "./clock";
import { element, setText } from "./dom";
import { counted, DEPTHS, depthOf, differing, indexAt, next, standings, wordsOf, type Depth, type Moment, type Standing } from "./moments";
import { language, say } from "./say";

const SPEEDS = [1, 2, 5, 20, 60];
/** So often the picture is drawn anew while it plays. */
const FRAME_MS = 100;
/** Nobody waits longer for something to happen. */
const LONGEST_MS = 3_000;
/** What happens is not read more often than this. */
const AGAIN_MS = 1_000;
/** So many lines are shown around a moment. */
const BEFORE = 6;
const AFTER = 6;

export class Timeline {
  readonly root = element("section", "timeline");
  private readonly slider = element("input");
  private readonly play = element("button", "button");
  private readonly speed = element("select");
  private readonly depth = element("select");
  private readonly when = element("p", "when");
  private readonly lines = element("ol", "lines");
  private readonly places = [element("div", "board"), element("div", "board")] as const;
  private readonly boards: [Board, Board];
  private moments: Moment[] = [];
  private standings: Standing[] = [];
  private at = 0;
  /** The time that is played, on the clock of the messages; absent while it stands. */
  private playing: number | undefined;
  private timer: number | undefined;
  private waits: number | undefined;
  private table = "";
  /** The clock of the messages and the one on the wall, at one moment. */
  private wall = { t: 0, ms: 0 };

  constructor(private readonly mark: (board: HTMLElement, squares: string[]) => void) {
    this.slider.type = "range";
    this.slider.min = "0";
    this.slider.setAttribute("aria-label", say.timeline);
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.speed.append(...SPEEDS.map((speed) => new Option(`${speed}×`, String(speed))));
    this.speed.setAttribute("aria-label", say.speed);
    this.depth.append(...DEPTHS.map((depth) => new Option(say.depths[depth], depth)));
    this.depth.value = "hands";
    this.depth.setAttribute("aria-label", say.depth);
    this.depth.addEventListener("change", () => this.show());
    this.play.type = "button";
    this.play.addEventListener("click", () => (this.playing === undefined ? this.start() : this.stop()));
    const figure = (caption: string, place: HTMLElement) => element("figure", "", element("figcaption", "", caption), place);
    const steps = element("div", "answers", this.step("‹", say.momentBefore, -1), this.play, this.step("›", say.momentAfter, 1), this.speed, this.depth);
    this.root.append(this.when, this.slider, steps, element("div", "pair", figure(say.recordIs, this.places[0]), figure(say.boardIs, this.places[1])), this.lines);
    this.boards = [new Board(this.places[0], true), new Board(this.places[1], true)];
    this.stop();
  }

  /** Reads what happened at a table until now. */
  async open(table: string, now: number): Promise<void> {
    this.stop();
    this.table = table;
    this.wall = { t: now, ms: Date.now() };
    const answer = await ask<{ moments: Moment[] }>(`/timeline/${table}`);
    if (this.table !== table) return;
    if ("refused" in answer) return setText(this.when, answer.refused);
    this.moments = answer.done.moments;
    this.standings = standings(this.moments);
    this.slider.max = String(Math.max(0, this.moments.length - 1));
    this.go(this.moments.length - 1);
  }

  /** Something has happened since: whoever looks at the last moment goes along. */
  follow(now: number): void {
    const isAlong = this.playing === undefined && this.at === this.moments.length - 1;
    if (!isAlong || this.waits !== undefined) return;
    this.waits = window.setTimeout(() => {
      this.waits = undefined;
      void this.open(this.table, now);
    }, AGAIN_MS);
  }

  private step(sign: string, name: string, by: 1 | -1): HTMLElement {
    const button = element("button", "button", sign);
    button.type = "button";
    button.setAttribute("aria-label", name);
    button.addEventListener("click", () => {
      this.stop();
      this.go(next(this.moments, this.at, by, this.depth.value as Depth));
    });
    return button;
  }

  private start(): void {
    if (this.at >= this.moments.length - 1) this.at = 0;
    this.playing = this.moments[this.at]?.t;
    setText(this.play, say.stopPlaying);
    this.timer = window.setInterval(() => this.tick(), FRAME_MS);
    this.show();
  }

  stop(): void {
    this.playing = undefined;
    clearInterval(this.timer);
    setText(this.play, say.playAgain);
  }

  private tick(): void {
    const ahead = this.moments[this.at + 1];
    if (this.playing === undefined || ahead === undefined) return this.stop();
    this.playing += FRAME_MS * Number(this.speed.value);
    this.playing = Math.max(this.playing, ahead.t - LONGEST_MS * Number(this.speed.value));
    this.at = Math.max(this.at, indexAt(this.moments, this.playing));
    this.show();
  }

  private go(index: number): void {
    this.at = Math.max(0, Math.min(index, this.moments.length - 1));
    if (this.playing !== undefined) this.playing = this.moments[this.at]?.t;
    this.show();
  }

  private show(): void {
    const [moment, standing] = [this.moments[this.at], this.standings[this.at]];
    if (moment === undefined || standing === undefined) return setText(this.when, say.nothingHappened);
    this.slider.value = String(this.at);
    const t = this.playing ?? moment.t;
    const clocks = counted(standing, t);
    const faces = clocks === undefined ? "" : ` · ${say.white} ${digits(clocks.white)} · ${say.black} ${digits(clocks.black)}`;
    setText(this.when, `${this.time(t)}${faces}`);
    this.slider.setAttribute("aria-valuetext", `${this.time(moment.t)} ${wordsOf(moment).join(", ")}`);
    this.boards[0].show({ placement: standing.placement, turn: "white" }, false);
    const { board } = standing;
    this.places[1].parentElement!.hidden = board === undefined;
    if (board !== undefined) {
      this.boards[1].show({ placement: board, turn: "white" }, false);
      this.mark(this.places[1], differing(standing.placement, board));
    }
    this.list();
  }

  /** What happened around this moment; each line leads there. */
  private list(): void {
    const depth = DEPTHS.indexOf(this.depth.value as Depth);
    const said = this.moments.flatMap((moment, index) => (DEPTHS.indexOf(depthOf(moment)) >= depth ? [{ moment, index, words: wordsOf(moment) }] : []));
    const worth = said.filter(({ words }) => words.length > 0);
    const here = worth.findLastIndex(({ index }) => index <= this.at);
    const around = worth.slice(Math.max(0, here - BEFORE), here + 1 + AFTER);
    this.lines.replaceChildren(...around.map(({ moment, index, words }) => this.line(moment, index, words, worth[here]?.index === index)));
  }

  private line(moment: Moment, index: number, words: string[], isHere: boolean): HTMLElement {
    const button = element("button", "line", element("time", "", this.time(moment.t)), element("span", "", words.join(" · ")));
    button.type = "button";
    if (isHere) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => {
      this.stop();
      this.go(index);
    });
    return element("li", "", button);
  }

  private time(t: number): string {
    const date = new Date(this.wall.ms - (this.wall.t - t));
    return date.toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 1, hour12: false });
  }
}
