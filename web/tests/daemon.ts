// The real daemon, and virtual boards on pseudo-terminals, as processes of their own in a folder that goes when the test
// does. Everything listens on this machine only.

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import type { Clock, GameResult, Link, Player, State } from "../src/vocabulary";

/** A table as `GET /snapshot` has it, in the words of version 1. */
interface Table {
  table: string;
  state: State;
  white?: Player;
  line: string[];
  final: number;
  clock?: Clock;
  link?: Link;
  result: GameResult;
}

/**
 * A daemon that is not up by then will not be. A debug build under load takes two seconds; a machine that others use too
 * may let it wait for many more, and that is not what a test is about.
 */
const PATIENCE_MS = 60_000;

/** What a daemon says once it listens. */
const LISTENING = /wall +http:\/\/127\.0\.0\.1:(\d+)\/\n/;

/** The round the boards of `serve` play in, in addresses. */
const EVENT = "open";

/** A house with a daemon and as many boards as a test wants, all gone after `close`. */
export class House {
  readonly folder = mkdtempSync(join(tmpdir(), "escaque-pages-"));
  readonly boards: VirtualBoard[] = [];
  private daemon: Program | undefined;
  /** What stands in its configuration. */
  private config = "";
  /** Whichever is free when the daemon first starts, and the same from then on. */
  private port = 0;

  private constructor() {}

  /**
   * `serve` with so many boards, their games begun. `how` says more of the board of a number, `config` what stands in the
   * configuration of a house with this folder.
   */
  static async serve(count: number, how: Record<number, string[]> = {}, config: (folder: string) => string = () => ""): Promise<House> {
    return House.open(async (house) => {
      house.config = config(house.folder);
      await house.start();
      await house.order({ command: "open_round", event: EVENT, round: 1, date: "2026.11.20" });
      for (let number = 1; number <= count; number += 1) {
        await house.bring(house.table(number), how[number]);
      }
      await house.until((tables) => tables.filter(({ state }) => state === "playing").length === count);
    });
  }

  /** `serve` with so many boards that nobody has given a table. */
  static async box(count: number): Promise<House> {
    return House.open(async (house) => {
      await house.start();
      const serial = (number: number) => String(30_000 + number);
      const links = Array.from({ length: count }, (_, at) => [join(house.folder, `board-${at + 1}`), serial(at + 1)] as const);
      house.boards.push(...(await Promise.all(links.map(([link, serial]) => VirtualBoard.putUp(link, serial)))));
    });
  }

  /** Puts one more board up at a table. Boards nobody assigned sit down in the order in which they answer. */
  async bring(table: string, how?: string[]): Promise<void> {
    const number = this.boards.length + 1;
    const serial = String(20_000 + number);
    await this.order({ table, command: "assign", board: serial });
    this.boards.push(await VirtualBoard.putUp(join(this.folder, `board-${number}`), serial, how));
  }

  /** Takes the pairings of the first round of an event in, and opens it. */
  async pair(title: string, players: string[]): Promise<void> {
    const games = players.flatMap((white, at) => (at % 2 === 0 ? [`[Event "${title}"]\n[Round "1.${at / 2 + 1}"]\n[White "${white}"]\n[Black "${players[at + 1]}"]\n\n*\n`] : []));
    const headers = { authorization: `Bearer ${this.token}` };
    const answer = await fetch(`${this.address}/pairings?take=true`, { method: "POST", headers, body: games.join("\n") });
    if (!answer.ok) throw new Error(await answer.text());
    await this.order({ command: "open_round", event: title.toLowerCase().replaceAll(" ", "-"), round: 1, time_control: { base_s: 5400, increment_s: 30 } });
  }

  /** The board that sits at this table. */
  async boardAt(table: string): Promise<VirtualBoard> {
    const headers = { authorization: `Bearer ${this.token}` };
    const answer = await fetch(`${this.address}/boards`, { headers });
    const { boards } = (await answer.json()) as { boards: { board: string; at?: string }[] };
    const found = boards.find(({ at }) => at === table);
    if (found === undefined) throw new Error(`no board is at ${table}`);
    return this.boards[Number(found.board) % 1_000 - 1]!;
  }

  /** `demo`: the daemon brings its own boards. */
  static async demo(...args: string[]): Promise<House> {
    return House.open(async (house) => {
      await house.run(["demo", "--listen", house.host, "--state", house.state, ...args]);
    });
  }

  /**
   * A house that can't be furnished is left as it was found. A second one is tried: on a machine that others use too a
   * connection may be cut before it is answered, and no test is about that. What the first daemon had to say is said, as
   * a house that is often not to be had is a fault of ours.
   */
  private static async open(furnish: (house: House) => Promise<void>): Promise<House> {
    return House.furnished(furnish).catch((error: unknown) => {
      console.warn("A house was not to be had, another one is tried:", error);
      return House.furnished(furnish);
    });
  }

  private static async furnished(furnish: (house: House) => Promise<void>): Promise<House> {
    const house = new House();
    try {
      await furnish(house);
      return house;
    } catch (error) {
      const said = house.daemon?.testimony;
      await house.close();
      throw new Error(`the house could not be furnished; of the daemon: ${said}`, { cause: error });
    }
  }

  /** Starts the daemon, or starts it again where it was. */
  async start(): Promise<void> {
    const args = ["serve", "--listen", this.host, "--livechess", "off", "--state", this.state, "--port", join(this.folder, "board-*")];
    const file = join(this.folder, "escaque.toml");
    writeFileSync(file, this.config);
    await this.run([...args, "--config", file]);
  }

  private async run(args: string[]): Promise<void> {
    this.daemon = await Program.run(args, LISTENING);
    this.port = Number(LISTENING.exec(this.daemon.said)![1]);
  }

  /** What a power cut does: no good-bye, nothing written down in a hurry. */
  kill(): Promise<void> {
    return this.daemon!.end("SIGKILL");
  }

  async close(): Promise<void> {
    await this.daemon?.end("SIGTERM");
    await Promise.all(this.boards.map((board) => board.program.end("SIGTERM")));
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The table of the board of this number. */
  table(number: number): string {
    return `${EVENT}/1/${number}`;
  }

  get address(): string {
    return `http://${this.host}`;
  }

  get token(): string {
    return readFileSync(join(this.state, "operator.token"), "utf8").trim();
  }

  async tables(): Promise<Table[]> {
    const answer = await fetch(`${this.address}/snapshot`);
    return ((await answer.json()) as { tables: Table[] }).tables;
  }

  /** Waits until the hall is as wanted, and gives its tables. */
  async until(isSo: (tables: Table[]) => boolean, patience = PATIENCE_MS): Promise<Table[]> {
    const end = Date.now() + patience;
    for (;;) {
      const tables = await this.tables();
      if (isSo(tables)) return tables;
      if (Date.now() > end) throw new Error(`the hall never became as awaited: ${JSON.stringify(tables)}\n${this.daemon?.testimony}`);
      await new Promise((go) => setTimeout(go, 50));
    }
  }

  /** Gives an order, as a program of the operator would. */
  async order(order: object): Promise<void> {
    const headers = { "content-type": "application/json", authorization: `Bearer ${this.token}` };
    const answer = await fetch(`${this.address}/command`, { method: "POST", headers, body: JSON.stringify(order) });
    const said = await answer.text();
    if (!answer.ok) throw new Error(said);
    // An order counts, though the disk is slow to take it down.
    if (answer.status === 202) console.warn("The disk was slow:", said);
  }

  private get host(): string {
    return `127.0.0.1:${this.port}`;
  }

  private get state(): string {
    return join(this.folder, "state");
  }
}

/** A board that does what is typed. */
export class VirtualBoard {
  private constructor(readonly program: Program) {}

  static async putUp(link: string, serial: string, how: string[] = []): Promise<VirtualBoard> {
    // Both links are there once the second is named.
    return new VirtualBoard(await Program.run(["board", "--link", link, "--serial", serial, ...how], /->/));
  }

  /** As `escaque board` understands it: `move e2e4`, `unplug 5`. */
  type(...lines: string[]): void {
    for (const line of lines) this.program.type(line);
  }
}

class Program {
  said = "";

  private constructor(private readonly process: ChildProcess) {
    for (const out of [process.stdout!, process.stderr!]) out.on("data", (text) => (this.said += text));
  }

  /** Runs the daemon's program until it has said `words`. */
  static async run(args: string[], words: RegExp): Promise<Program> {
    const program = new Program(spawn(binary(), args, { stdio: ["pipe", "pipe", "pipe"] }));
    const end = Date.now() + PATIENCE_MS;
    while (!words.test(program.said)) {
      if (program.isOver || Date.now() > end) {
        const { testimony } = program;
        await program.end("SIGKILL");
        throw new Error(`escaque ${args.join(" ")} never said ${words}, but ${testimony}`);
      }
      await new Promise((go) => setTimeout(go, 10));
    }
    return program;
  }

  type(line: string): void {
    this.process.stdin!.write(`${line}\n`);
  }

  async end(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (this.isOver) return;
    const over = once(this.process, "exit");
    this.process.kill(signal);
    await over;
  }

  /** What it said so far, and whether it is still there. */
  get testimony(): string {
    const { exitCode, signalCode } = this.process;
    return `${this.isOver ? `it ended with ${exitCode ?? signalCode}` : "it runs"}, and said: ${this.said}`;
  }

  private get isOver(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }
}

function binary(): string {
  const target = resolve(import.meta.dirname, "../../target");
  const named = process.env["ESCAQUE"];
  const found = [...(named ? [named] : []), join(target, "release/escaque"), join(target, "debug/escaque")].find(existsSync);
  if (found === undefined) throw new Error("there is no daemon to test the pages with: type make build, or set ESCAQUE");
  return found;
}
