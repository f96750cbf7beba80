// A player's line beside a board: name, title, rating, federation and team, clock, and the score when the game is over.

import { digits, remaining } from "./clock";
import { element, setText } from "./dom";
import { isDone, nameParts, playerName, resultFigures, standing } from "./words";
import type { Side, Table } from "./vocabulary";

/** A reading under this is shown as urgent, in weight and not only in colour. */
const SHORT_OF_TIME_MS = 60_000;

export class Face {
  readonly root: HTMLElement;
  private readonly title = element("abbr", "title");
  private readonly family = element("span", "family");
  private readonly given = element("span", "given");
  private readonly rating = element("span", "rating");
  private readonly federation = element("span", "federation");
  private readonly team = element("span", "team");
  private readonly clock = element("span", "clock");
  private readonly score = element("span", "score");

  constructor(private readonly side: Side) {
    const man = element("span", `man ${side}`);
    man.setAttribute("aria-hidden", "true");
    const name = element("span", "name", this.family, this.given);
    // A name that is read from the right loses its end there where it is too long, not its beginning.
    name.dir = "auto";
    const who = element("span", "who", man, this.title, name, this.rating, this.federation, this.team);
    this.root = element("div", `face ${side}`, who, this.clock, this.score);
  }

  show(table: Table): void {
    const player = table[this.side];
    const [family, given] = nameParts(playerName(player, this.side));
    setText(this.family, family);
    setText(this.given, given);
    setText(this.title, player?.title ?? "");
    setText(this.rating, player?.rating === undefined ? "" : String(player.rating));
    setText(this.federation, player?.federation ?? "");
    setText(this.team, player?.team ?? "");
    setText(this.score, share(table, this.side));
    this.root.classList.toggle("to-move", table.turn === this.side && table.state === "playing" && !isDone(table));
    this.root.classList.toggle("running", table.clock?.running === this.side && !isDone(table));
    this.root.classList.toggle("over", isDone(table));
  }

  /** Called at every tick: touches the page only where a digit changes. */
  tick(table: Table, now: number): void {
    const left = table.clock && remaining(table.clock, this.side, now);
    this.read(left);
    this.root.classList.toggle("short", left !== undefined && left < SHORT_OF_TIME_MS && table.clock?.running === this.side);
  }

  /** What the clock shows, or showed. */
  read(left: number | undefined): void {
    setText(this.clock, left === undefined ? "" : digits(left));
  }
}

/** What one player has of the score. */
function share(table: Table, side: Side): string {
  const [white = "", black = ""] = resultFigures(standing(table)).split(/[–/]/);
  return side === "white" ? white : black;
}
