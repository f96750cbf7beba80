// The games of one table, with what the clocks showed: from its PGN, and from what happens after it was read.

import { readGames, type Game } from "./games";
import type { Change } from "./vocabulary";

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

  /** A move's clock is told with the move. Whatever else changes a game has to be read. */
  hear(change: Change, game: number): void {
    if (this.told.game !== game) this.told = { game, clocks: [] };
    if (change.event === "final" && change.clock_ms !== undefined) this.told.clocks[change.ply - 1] = change.clock_ms;
    if (change.event === "corrected") this.told.clocks.splice(change.from_ply - 1);
    if (change.event === "started" || change.event === "corrected" || change.event === "result") this.read();
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
