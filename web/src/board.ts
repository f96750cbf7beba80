// One board on a screen: shows a position, never takes a move.

import "chessground/assets/chessground.cburnett.css";

import { Chessground } from "chessground";
import type { Api } from "chessground/api";
import type { Key } from "chessground/types";

import { Slides } from "./slide";
import type { Side } from "./vocabulary";

export interface Shown {
  placement: string;
  turn: Side;
  check?: boolean;
  last?: string;
}

export class Board {
  private readonly ground: Api;
  private readonly slides: Slides;

  constructor(
    private readonly place: HTMLElement,
    coordinates = false,
  ) {
    this.ground = Chessground(place, {
      viewOnly: true,
      coordinates,
      disableContextMenu: false,
      drawable: { enabled: false, visible: false },
      animation: { enabled: false },
    });
    this.slides = new Slides(this.ground);
  }

  show({ placement, turn, check, last }: Shown, isProvisional: boolean): void {
    this.place.classList.toggle("provisional", isProvisional);
    const position = { fen: placement, turnColor: turn, lastMove: squares(last), check: check ? turn : false };
    this.slides.around(() => this.ground.set(position));
  }

  /** Who sits at the lower edge. */
  turnTo(side: Side): void {
    this.ground.set({ orientation: side });
  }
}

function squares(uci: string | undefined): Key[] {
  return uci === undefined ? [] : [uci.slice(0, 2) as Key, uci.slice(2, 4) as Key];
}
