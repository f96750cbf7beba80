// The games of one table, with what the clocks showed: from its PGN, and from what happens after it was read.

import { settledPlies, START } from "./fold";
import { readGames, type Game } from "./games";
import { firstPly, scoreOf } from "./words";
import type { News } from "./news";

/** Several things happen at once at the end of a game; one look is enough for all of them. */
const SOON_MS = 300;

export class Archive {
  games: Game[] = [];
  /** Whether it was read at all. */
  isRead = false;
  private timer: number | undefined;
  /** What was told of the game that is on: a PGN that was asked for before a move can come after it. */
  private told: { game: number; clocks: (number | undefined)[] } = { game: 0, clocks: [] };

  constructor(
    private readonly address: string,
    private readonly changed: () => void,
  ) {}

  /** Reads it soon: after a start, a new game, a correction. */
  read(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.fetch(), SOON_MS);
  }

  /** What the mover's clock shows when a move becomes final is its time. Whatever else changes a game has to be read. */
  hear({ before, table, isCorrected }: News): void {
    const isNew = this.told.game !== table.game;
    if (isNew) this.told = { game: table.game, clocks: [] };
    if (isNew || isCorrected || before === undefined || scoreOf(before) !== scoreOf(table)) this.read();
    if (isCorrected) this.told.clocks = [];
    const [settled, first] = [settledPlies(table), firstPly(table.start ?? START)];
    const mover = (first + settled) % 2 === 1 ? "white" : "black";
    const isPressed = table.clock !== undefined && table.clock.running !== mover;
    if (isPressed && before?.game === table.game && settled > settledPlies(before)) this.told.clocks[settled - 1] = table.clock![`${mover}_ms`];
  }

  /** What the clocks showed in the how-many-eth game. One that has just begun is in no PGN yet. */
  clocksOf(game: number): (number | undefined)[] {
    const read = this.games[game - 1]?.clocks ?? [];
    const told = this.told.game === game ? this.told.clocks : [];
    return Array.from({ length: Math.max(read.length, told.length) }, (_none, ply) => read[ply] ?? told[ply]);
  }

  private async fetch(): Promise<void> {
    const answer = await fetch(this.address).catch(() => undefined);
    if (answer === undefined || answer.status >= 500) return; // The feed says that the daemon is not there, and reads again.
    this.games = answer.ok ? readGames(await answer.text()) : [];
    this.isRead = true;
    this.changed();
  }
}
