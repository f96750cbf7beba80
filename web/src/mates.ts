// Who can still mate in a position: the line of moves, to play through, or the proof that there is none.

import { Chess } from "chessops/chess";
import { makeFen, parseFen } from "chessops/fen";
import { makeSanAndPlay } from "chessops/san";
import { parseUci } from "chessops/util";

import { ask } from "./ask";
import { element, setText } from "./dom";
import { written } from "./notation";
import { say } from "./say";
import type { Shown } from "./board";
import type { Side } from "./vocabulary";

interface Found {
  can_mate: boolean | null;
  line?: string[];
  proof?: { says: string };
}

/** A move of a line, and what stands after it. */
interface Step extends Shown {
  san: string;
}

export class Mates {
  readonly root = element("details", "past");
  private readonly body = element("div");
  private asked = "";

  /** `position` is the one that is asked about; `show` is called with each that is looked at, and with nothing in the end. */
  constructor(
    private readonly position: () => string | undefined,
    private readonly show: (shown: Shown | undefined) => void,
  ) {
    this.root.append(element("summary", "", say.whoCanMate), this.body);
    this.body.setAttribute("aria-live", "polite");
    this.root.addEventListener("toggle", () => (this.root.open ? void this.read() : this.close()));
  }

  close(): void {
    this.root.open = false;
    this.asked = "";
    this.show(undefined);
  }

  private async read(): Promise<void> {
    const fen = this.position();
    if (fen === undefined || fen === this.asked) return;
    this.asked = fen;
    setText(this.body, say.mateSearched);
    const answer = await ask<Record<Side, Found>>(`/mates?fen=${encodeURIComponent(fen)}`);
    if (fen !== this.asked) return;
    if ("refused" in answer) return setText(this.body, answer.refused);
    this.body.replaceChildren(...(["white", "black"] as const).map((side) => this.side(fen, side, answer.done[side])));
  }

  private side(fen: string, side: Side, { can_mate: can, line = [], proof }: Found): HTMLElement {
    const words = can === null ? say.mateOpen(say[side]) : can ? say.sideCanMate(say[side]) : say.sideCannotMate(say[side], proof?.says ?? "");
    const moves = stepsOf(fen, line).map((step, index, all) => this.move(step, index, all.length));
    return element("section", "", element("p", "", words), element("div", "times", ...moves));
  }

  private move(step: Step, index: number, count: number): HTMLElement {
    const button = element("button", "button", `${index + 1}/${count} ${written(step.san)}`);
    button.type = "button";
    button.addEventListener("click", () => {
      const isShown = button.ariaPressed === "true";
      this.body.querySelectorAll("button").forEach((one) => (one.ariaPressed = "false"));
      button.ariaPressed = String(!isShown);
      this.show(isShown ? undefined : step);
    });
    button.ariaPressed = "false";
    return button;
  }
}

/** The moves of a line as people write them, each with what stands after it; as far as it can be followed. */
export function stepsOf(fen: string, line: string[]): Step[] {
  const read = parseFen(fen).chain((setup) => Chess.fromSetup(setup));
  if (read.isErr) return [];
  const position = read.value;
  const steps: Step[] = [];
  for (const uci of line) {
    const move = parseUci(uci);
    if (move === undefined || !position.isLegal(move)) break;
    const san = makeSanAndPlay(position, move);
    steps.push({ san, placement: makeFen(position.toSetup()).split(" ")[0]!, turn: position.turn, check: position.isCheck(), last: uci });
  }
  return steps;
}
