// A game that is kept by hand, at a table without a board or with a dead one: a man is tapped and then its square. Whoever
// would rather write has a line for it beside the board.

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { Key } from "chessground/types";
import { Chess, normalizeMove } from "chessops/chess";
import { chessgroundDests } from "chessops/compat";
import { parseFen } from "chessops/fen";
import { makeSan } from "chessops/san";
import { makeUci, parseSquare } from "chessops/util";
import type { NormalMove, Role } from "chessops/types";

import type { Order } from "./answers";
import { element } from "./dom";
import { written } from "./notation";
import { say } from "./say";
import type { Table } from "./vocabulary";

const PROMOTIONS: Role[] = ["queen", "rook", "bishop", "knight"];
const PROMOTION_NAMES: Record<string, string> = { queen: "q", rook: "r", bishop: "b", knight: "n" };

export class ByHand {
  readonly root = element("div", "by-hand");
  private readonly place = element("div", "board");
  private readonly becomes = element("div", "answers");
  private readonly begin = element("button", "button", say.beginGame);
  private ground: Api | undefined;
  private position: Chess | undefined;
  private table: Table | undefined;
  private drawn = "";

  constructor(private readonly give: (words: string, orders: Order[]) => void) {
    this.becomes.setAttribute("role", "group");
    this.becomes.setAttribute("aria-label", say.promotesTo);
    this.begin.type = "button";
    this.begin.addEventListener("click", () => this.give(say.beginGame, [{ command: "new_game" }]));
    this.root.append(element("p", "evidence", say.byHandHint), this.place, this.becomes, this.begin);
  }

  /** The table as it is now. A board that nobody sees is not drawn: it would have no size. */
  show(table: Table): void {
    this.table = table;
    if (this.root.offsetParent === null) return;
    const { placement, turn, rest, state, provisional, game } = table;
    const drawn = JSON.stringify([table.table, placement, turn, rest, state, provisional, game]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.becomes.replaceChildren();
    this.begin.hidden = state === "playing" || state === "awaiting_arbiter";
    const isOn = this.begin.hidden && unfinished(table) !== undefined;
    const read = parseFen(`${placement} ${turn[0]} ${rest}`).chain((setup) => Chess.fromSetup(setup));
    this.position = isOn && read.isOk ? read.value : undefined;
    this.draw();
  }

  /** As the record stands, whatever was carried about on it. */
  private draw(): void {
    const { placement, turn, last } = this.table!;
    this.ground ??= Chessground(this.place, {
      coordinates: true,
      animation: { enabled: false },
      drawable: { enabled: false, visible: false },
      premovable: { enabled: false },
      highlight: { lastMove: true, check: true },
      movable: { free: false, events: { after: (from, to) => this.take(from, to) } },
    });
    this.ground.set({
      fen: placement,
      turnColor: turn,
      lastMove: last === undefined ? [] : [last.slice(0, 2) as Key, last.slice(2, 4) as Key],
      check: this.position?.isCheck() ?? false,
      movable: { color: turn, dests: this.position === undefined ? new Map() : chessgroundDests(this.position) },
    });
  }

  private take(from: Key, to: Key): void {
    const position = this.position;
    const [leaves, reaches] = [parseSquare(from), parseSquare(to)];
    if (position === undefined || leaves === undefined || reaches === undefined) return;
    const isPromotion = position.board.getRole(leaves) === "pawn" && (reaches >> 3 === 7 || reaches >> 3 === 0);
    if (!isPromotion) return this.enter(position, { from: leaves, to: reaches });
    this.becomes.replaceChildren(
      ...PROMOTIONS.map((promotion) => {
        const button = element("button", "button", (say.men as Record<string, string>)[PROMOTION_NAMES[promotion]!]!);
        button.type = "button";
        button.addEventListener("click", () => this.enter(position, { from: leaves, to: reaches, promotion }));
        return button;
      }),
    );
    this.becomes.querySelector("button")?.focus();
  }

  /**
   * What stands on the board and is not in the record yet comes before it. It is told by its squares, which are the same at
   * every event; the board goes on with the record.
   */
  private enter(position: Chess, move: NormalMove): void {
    const before = unfinished(this.table!) ?? [];
    const words = [...before, makeSan(position, move)].map((san) => written(san)).join(" ");
    this.becomes.replaceChildren();
    this.draw();
    this.give(`${say.movesByHand}: ${words}`, [{ command: "insert", moves: [...before, makeUci(normalizeMove(position, move))] }]);
  }
}

/** The moves at the end that are only seen; nothing where they are not all known here. */
function unfinished({ provisional = 0, san }: Table): string[] | undefined {
  return provisional <= san.length ? san.slice(san.length - provisional) : undefined;
}
