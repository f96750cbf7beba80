// One board on a screen: shows a table's visible line, never takes a move.

import "chessground/assets/chessground.cburnett.css";

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { Key } from "chessground/types";

import { isProvisional } from "./words";
import type { Side, Table } from "./vocabulary";

export class Board {
  private readonly ground: Api;

  constructor(private readonly place: HTMLElement) {
    this.ground = Chessground(place, {
      viewOnly: true,
      coordinates: false,
      disableContextMenu: false,
      drawable: { enabled: false, visible: false },
      animation: { enabled: !matchMedia("(prefers-reduced-motion: reduce)").matches, duration: 180 },
    });
  }

  show(table: Table): void {
    this.place.classList.toggle("provisional", isProvisional(table));
    this.ground.set({
      fen: table.placement,
      turnColor: table.turn,
      lastMove: squares(table.last),
      check: table.check ? table.turn : false,
    });
  }

  /** Who sits at the lower edge. */
  turnTo(side: Side): void {
    this.ground.set({ orientation: side });
  }
}

function squares(uci: string | undefined): Key[] {
  return uci === undefined ? [] : [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];
}
