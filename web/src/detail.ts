// One table looked at: the board beside the record, where a claimed position stood, and every order there is for a game.

import type { Order } from "./answers";
import { Board, type Shown } from "./board";
import { ByHand } from "./byhand";
import type { Give } from "./card";
import { element, setText } from "./dom";
import { browserWorld, Feed } from "./feed";
import { settledPlies, START } from "./fold";
import { Mates } from "./mates";
import { differing } from "./moments";
import { written } from "./notation";
import { Replay } from "./replay";
import { say } from "./say";
import { meant, RARE_SCORES, USUAL_SCORES } from "./scores";
import { Timeline } from "./timeline";
import { waiting } from "./urgency";
import type { BoardShown } from "./staff";
import { firstPly, isCheck, moveNumber, positionWords, resultFigures } from "./words";
import type { Score, Side, Table } from "./vocabulary";

const SIDES = ["white", "black"] as const;

/** What is written over a board, what stands on it, and its wrong squares. */
type Standing = [string, Shown, string[]];

export class Detail {
  private readonly title = element("h2");
  private readonly differs = element("p", "differs");
  private readonly times = element("div", "times");
  private readonly record = element("div", "board");
  private readonly board = element("div", "board");
  private readonly boards: [Board, Board];
  private readonly captions = [element("figcaption"), element("figcaption")] as const;
  private readonly words = [element("p", "unseen"), element("p", "unseen")] as const;
  private readonly replay = new Replay();
  /** The game from its beginning, while it is looked at: the hall tells the last moves alone. */
  private game: Feed | undefined;
  private heard = "";
  private line: string[] = [];
  /** So many moves at its end are on the board, and not in the record. */
  private unsettled: string[] = [];
  private readonly past = element("details", "past");
  private readonly timeline = new Timeline(mark);
  private readonly mates = new Mates(
    () => this.replay.positions.at(-1)?.fen,
    (shown) => this.imagine(shown),
  );
  private readonly taken = this.order(say.takeResultBack, () => [{ command: "result", result: "*" }]);
  private readonly byHand = new ByHand((words, orders) => this.id !== undefined && this.give(this.id, words, orders));
  private table: Table | undefined;
  /** A position of a line that nobody has played. */
  private imagined: Shown | undefined;
  private drawn = "";
  /** The buttons for where a claimed position stood, and what they are for: the keyboard stays on one while clocks run. */
  private stoods: HTMLElement[] = [];
  private stoodAfter = "";
  id: string | undefined;
  /** An earlier position that is looked at, by its ply. */
  private ply: number | undefined;

  constructor(
    private readonly root: HTMLElement,
    private readonly give: Give,
    back: () => void,
    private readonly now: () => number,
  ) {
    const close = element("button", "button", say.backToList);
    close.type = "button";
    close.addEventListener("click", back);
    const figures = [this.record, this.board].map((place, at) => element("figure", "", this.captions[at]!, place, this.words[at]!));
    const pair = element("div", "pair", ...figures);
    this.past.append(element("summary", "", say.timeline), this.timeline.root);
    this.past.addEventListener("toggle", () => (this.past.open ? this.readPast() : this.timeline.stop()));
    root.replaceChildren(element("div", "head", close, this.title), this.differs, pair, this.times, this.past, this.mates.root, this.further());
    this.boards = [new Board(this.record, true), new Board(this.board, true)];
    root.tabIndex = -1;
  }

  open(table: Table, name: string): void {
    if (this.id !== table.table) {
      this.past.open = false;
      this.mates.close();
      this.ply = undefined;
      this.line = [];
      this.unsettled = [];
    }
    this.id = table.table;
    this.drawn = "";
    this.root.hidden = false;
    this.show(table, name);
    this.listen(table.table);
  }

  close(): void {
    this.past.open = false;
    this.game?.stop();
    this.id = undefined;
    this.root.hidden = true;
  }

  show(table: Table, name: string): void {
    this.table = table;
    setText(this.title, name);
    this.byHand.show(table);
    this.taken.hidden = meant(table).score === "*";
    const drawn = JSON.stringify([table, this.ply, this.line.length, this.imagined]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const earlier = this.ply === undefined ? undefined : this.replay.positions[this.ply];
    const looked = this.imagined ?? earlier;
    // They are as they stood when that was said: once the one that is followed stands otherwise they are past.
    const stands = table.board ?? table.placement;
    const pairs = waiting(table).map(({ alert }) => alert.boards ?? []).filter((boards) => boards.length === 2);
    const two = pairs.find((boards) => boards.some(({ placement }) => placement === stands));
    if (two !== undefined && looked === undefined) this.showTwo(two as [BoardShown, BoardShown]);
    else this.showRecord(table, looked);
    this.stood(table);
    if (this.past.open) this.timeline.follow(this.now());
  }

  /** The table has left the wall: what was last heard of it stands, and can be given a result still. */
  leave(): void {
    this.drawn = "";
    setText(this.differs, say.leftTheWall);
    this.differs.classList.add("wrong");
  }

  private showRecord(table: Table, looked: Shown | undefined): void {
    const { placement, turn, board = placement, differs = [], link } = table;
    this.pair([say.recordIs, looked ?? this.recorded(table), []], [say.boardIs, { placement: board, turn }, differs]);
    this.board.parentElement!.hidden = link === undefined;
    setText(this.differs, link === undefined ? say.noBoardHere : differs.length > 0 ? say.differsOn(differs.join(", ")) : this.asRecorded());
    this.differs.classList.toggle("wrong", differs.length > 0);
  }

  /**
   * Where the record ends: what everybody is shown may be some moves further. Where a move stands in the record that cannot
   * be followed that is all there is.
   */
  private recorded(table: Table): Shown {
    const isFollowed = this.unsettled.length > 0 && this.replay.positions.length === this.line.length + 1;
    return isFollowed ? this.replay.positions.at(-1)! : { ...table, check: isCheck(table) };
  }

  private asRecorded(): string {
    return this.unsettled.length === 0 ? say.boardIsRight : say.notYetRecorded(this.unsettled.map((san) => written(san)).join(" "));
  }

  /** Each player has a board, and they differ: both as they stood when that was said. */
  private showTwo([one, other]: [BoardShown, BoardShown]): void {
    const squares = differing(one.placement, other.placement);
    this.board.parentElement!.hidden = false;
    const standing = ({ board, side, placement }: BoardShown): Standing => [
      `${side === undefined ? "" : `${say[side]}, `}${board}`,
      { placement, turn: "white" },
      squares,
    ];
    this.pair(standing(one), standing(other));
    setText(this.differs, say.differsOn(squares.join(", ")));
    this.differs.classList.add("wrong");
  }

  private pair(...standing: [Standing, Standing]): void {
    standing.forEach(([caption, shown, squares], at) => {
      setText(this.captions[at]!, caption);
      this.boards[at]!.show(shown, false);
      mark(at === 0 ? this.record : this.board, squares);
      setText(this.words[at]!, positionWords(shown.placement));
    });
  }

  /** Where a claimed position stood, each to be looked at. */
  private stood(table: Table): void {
    const plies = waiting(table).flatMap(({ alert }) => alert.occurrences ?? []);
    const first = firstPly(this.replay.positions[0]?.fen ?? "");
    const name = (ply: number) => {
      const san = this.line[ply - 1];
      if (ply === 0) return say.startPosition;
      return `${moveNumber(first + ply - 1)}${san === undefined ? "" : ` ${written(san)}`}`;
    };
    const stood = JSON.stringify([plies, first, this.line]);
    const press = () => this.stoods.forEach((button, at) => button.setAttribute("aria-pressed", String(this.ply === plies[at])));
    if (stood === this.stoodAfter) return press();
    this.stoodAfter = stood;
    this.stoods = plies.map((ply) => {
      const button = element("button", "button", name(ply));
      button.type = "button";
      button.addEventListener("click", () => {
        this.ply = this.ply === ply ? undefined : ply;
        if (this.table !== undefined) this.show(this.table, this.title.textContent);
      });
      return button;
    });
    press();
    this.times.replaceChildren(...(plies.length === 0 ? [] : [element("span", "", say.stoodAfter), ...this.stoods]));
  }

  private imagine(shown: Shown | undefined): void {
    this.imagined = shown;
    this.root.dispatchEvent(new CustomEvent("again", { bubbles: true }));
  }

  private readPast(): void {
    if (this.id !== undefined) void this.timeline.open(this.id, this.now());
  }

  private listen(id: string): void {
    this.game?.stop();
    this.heard = "";
    const follow = (table: Table | undefined) => {
      if (table === undefined || this.id !== id) return;
      const [settled, start] = [settledPlies(table), table.start ?? START];
      const heard = JSON.stringify([start, table.san, settled]);
      if (heard === this.heard) return;
      this.heard = heard;
      this.line = table.san.slice(0, settled);
      this.unsettled = table.san.slice(settled);
      this.replay.follow(start, this.line);
      this.drawn = "";
      this.root.dispatchEvent(new CustomEvent("again", { bubbles: true }));
    };
    this.game = new Feed(browserWorld(id), { stale() {}, picture: (hall) => follow(hall.get(id)) }, id);
    this.game.start();
  }

  /** What no alert has asked for. */
  private further(): HTMLElement {
    const each = (make: (side: Side) => HTMLElement[]) => SIDES.flatMap(make);
    // A draw may be claimed with a move that is only written down (9.2, 9.3).
    const intended = element("input");
    intended.setAttribute("aria-label", say.intendedMove);
    intended.placeholder = say.intendedMove;
    intended.autocomplete = "off";
    const claim = (side: Side, kind: string): Order => {
      const move = isDrawn(kind) ? intended.value.trim() : "";
      return { command: "claim", side, claim: kind, ...(move !== "" && { intended: move }) };
    };
    const claims = each((side) =>
      Object.entries(say.claimKinds).map(([kind, words]) => this.order(`${say[side]}: ${words}`, () => [claim(side, kind)], () => { intended.value = ""; })),
    );
    const said = each((side) => [
      this.order(say.resigns(say[side]), () => [{ command: "resign", side }]),
      this.order(say.offersDraw(say[side]), () => [{ command: "draw_offer", side }]),
      this.order(say.acceptsDraw(say[side]), () => [{ command: "draw_accept", side }]),
    ]);
    const game = [
      this.order(say.stopGame, () => [{ command: "stop" }]),
      this.order(say.resumeGame, () => [{ command: "resume" }]),
      this.order(say.adjournGame, () => [{ command: "adjourn" }]),
      this.order(say.takeBackOne, () => [{ command: "undo", plies: 1 }]),
      ...each((side) => [this.order(say.warn(say[side]), () => [{ command: "penalty", side, penalty: "warning" }])]),
      ...each((side) => [this.order(say.loses(say[side]), () => [{ command: "penalty", side, penalty: "loss" }])]),
    ];
    const given = (results: Score[]) => results.map((result) => this.order(resultFigures(result), () => [{ command: "result", result }]));
    const hand = this.written(say.movesByHand, say.movesByHandHint, say.enterMoves, (text) => ({ command: "insert", moves: text.split(/\s+/) }));
    const sealed = this.written(say.sealedMove, "", say.openSealed, (text) => ({ command: "open_sealed", text }));
    const group = (name: string, parts: HTMLElement[]) => element("details", "", element("summary", "", name), element("div", "answers", ...parts));
    const results = group(say.gives, given(USUAL_SCORES));
    results.append(element("div", "answers rare", ...given(RARE_SCORES)), element("div", "answers", this.taken));
    const kept = group(say.movesByHand, [this.byHand.root, hand, sealed]);
    kept.addEventListener("toggle", () => this.table !== undefined && this.byHand.show(this.table));
    return element(
      "div",
      "further",
      Object.assign(group(say.claims, [intended, ...claims]), { open: true }),
      results,
      group(say.playersSay, said),
      group(say.theGame, game),
      kept,
    );
  }

  private order(words: string, orders: () => Order[], done: () => void = () => {}): HTMLElement {
    const button = element("button", "button", words);
    button.type = "button";
    button.addEventListener("click", () => this.id !== undefined && void this.give(this.id, words, orders()).then((isDone) => isDone && done()));
    return button;
  }

  private written(name: string, hint: string, verb: string, order: (text: string) => Order): HTMLElement {
    const input = element("input");
    input.setAttribute("aria-label", name);
    input.placeholder = hint || name;
    input.autocomplete = "off";
    const button = element("button", "button", verb);
    const form = element("form", "why", input, button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = input.value.trim();
      if (text === "" || this.id === undefined) return;
      input.value = "";
      void this.give(this.id, `${name}: ${text}`, [order(text)]).then((isDone) => {
        // What was refused is mended, not written again.
        if (!isDone && input.value === "") input.value = text;
      });
    });
    return form;
  }
}

/** A claim of a draw by what stands on the board, or will stand there. */
function isDrawn(claim: string): boolean {
  return claim === "threefold" || claim === "fifty";
}

/** Squares that differ are marked on the board itself, by a frame and not by colour alone. */
function mark(board: HTMLElement, squares: string[]): void {
  const place = board.querySelector("cg-container") ?? board;
  place.querySelectorAll(".wrong-square").forEach((old) => old.remove());
  for (const square of squares) {
    const frame = element("i", "wrong-square");
    frame.style.setProperty("--file", String(square.charCodeAt(0) - 97));
    frame.style.setProperty("--down", String(8 - Number(square[1])));
    place.append(frame);
  }
}

