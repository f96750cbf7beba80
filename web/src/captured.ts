// The men a side has taken, small, and by how much it is ahead.

import { element } from "./dom";
import { balance, taken } from "./material";
import { say } from "./say";
import type { Side } from "./vocabulary";

const ROLES: Record<string, string> = { p: "pawn", n: "knight", b: "bishop", r: "rook", q: "queen" };

export class Captured {
  readonly root = element("span", "captured cg-wrap");
  private shown = "";

  constructor(private readonly side: Side) {}

  show(start: string, placement: string): void {
    const men = taken(start, placement, this.side);
    const ahead = balance(placement) * (this.side === "white" ? 1 : -1);
    const wanted = `${men.join("")}${ahead}`;
    if (wanted === this.shown) return;
    this.shown = wanted;
    const theirs = this.side === "white" ? "black" : "white";
    const pieces = men.map((man) => element("piece" as "span", `${ROLES[man]} ${theirs}`));
    this.root.replaceChildren(...pieces, ...(ahead > 0 ? [element("span", "ahead", `+${ahead}`)] : []));
    const names = men.map((man) => say.men[man as keyof typeof say.men]).join(", ");
    this.root.setAttribute("role", "img");
    this.root.setAttribute("aria-label", say.captured(say[this.side], names || "–"));
  }
}
