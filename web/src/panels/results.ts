// Results and corrections of the chosen round: a table is tapped, then what it came to, or what was wrong in its record.

import { linesOf, type Order } from "../answers";
import { element } from "../dom";
import { readGames } from "../games";
import { Names } from "../naming";
import { say } from "../say";
import { meant, RARE_SCORES, scoreIn, USUAL_SCORES } from "../scores";
import { isDone, parts, pairName, resultFigures, standing } from "../words";
import type { Hall } from "../fold";
import type { Score, Table } from "../vocabulary";
import { button, nameOf, type Deed, type Desk, type Panel } from "./panel";

export const results: Panel<Hall> = {
  name: "results",
  title: say.results,
  source: "feed",
  actions: [],
  draw(place, desk) {
    const view = new Results(place, desk);
    return () => view.show();
  },
};

class Results {
  private readonly list = element("ol", "result-list");
  /** Moves that are being written stay in it, whatever comes in meanwhile. */
  private readonly input = element("input");
  private readonly sum = element("p", "sum");
  /** The table whose answers are offered. */
  private chosen: string | undefined;
  /** Its moves as they are in the record, and the one that is put right. */
  private line: string[] = [];
  private ply: number | undefined;
  private drawn = "";

  constructor(
    place: HTMLElement,
    private readonly desk: Desk,
  ) {
    this.input.autocomplete = "off";
    this.input.dataset["key"] = "written";
    place.append(this.sum, this.list);
  }

  show(): void {
    const { round, hall } = this.desk;
    const tables = [...hall.values()].filter(({ table }) => round !== undefined && table.startsWith(`${nameOf(round)}/`));
    tables.sort((a, b) => parts(a.table).number - parts(b.table).number);
    const told = tables.map((one) => [one.table, one.white, one.black, standing(one), one.state, one.alerts, one.table === this.chosen && [one.san, one.ply], one.held]);
    const drawn = JSON.stringify([told, this.chosen, this.ply, this.line]);
    if (drawn === this.drawn) return;
    const focused = (document.activeElement as HTMLElement | null)?.dataset["key"];
    this.drawn = drawn;
    this.sum.textContent = tables.length === 0 ? say.noOpenTables : say.tally(tables.length, tables.filter(isDone).length);
    this.list.replaceChildren(...tables.map((table) => this.row(table)));
    // What was tapped may be gone with what came of it: the keyboard stays at the table.
    const still = (key: string) => this.list.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    if (focused !== undefined) (still(focused) ?? this.list.querySelector<HTMLElement>(".chosen > button"))?.focus();
  }

  private row(table: Table): HTMLElement {
    const isChosen = table.table === this.chosen;
    const { number } = parts(table.table);
    const names = pairName(table.white, table.black);
    const head = button("", () => this.choose(isChosen ? undefined : table.table), "result-row");
    head.append(element("b", "", String(number)), element("span", "who", names), element("span", "score", resultFigures(standing(table))));
    head.dataset["key"] = `table-${number}`;
    head.setAttribute("aria-expanded", String(isChosen));
    return element("li", isChosen ? "chosen" : "", head, ...(isChosen ? [this.answers(table)] : []));
  }

  private choose(table: string | undefined): void {
    [this.chosen, this.line] = [table, []];
    this.write(undefined);
    if (table !== undefined) void this.read(table);
  }

  private async read(table: string): Promise<void> {
    const answer = await fetch(`/pgn/${table}`).catch(() => undefined);
    const game = answer?.ok ? readGames(await answer.text()).at(-1) : undefined;
    if (this.chosen !== table) return;
    this.line = game?.line ?? [];
    this.show();
  }

  private answers(table: Table): HTMLElement {
    const usual = USUAL_SCORES.map((score) => this.result(table, resultFigures(score), score, "button main"));
    const rare = RARE_SCORES.map((score) => this.result(table, resultFigures(score), score, "button"));
    const open = !isDone(table) ? [] : [this.result(table, say.noResult, "*", "button")];
    const group = (className: string, ...children: HTMLElement[]) => element("div", `answers ${className}`, ...children);
    return element("div", "result-answers", group("usual", ...usual), group("", ...rare, ...open), group("", ...this.corrections(table)), this.moves(table));
  }

  private result(table: Table, words: string, score: Score, className: string): HTMLButtonElement {
    return this.deed(table, words, className, () => {
      const before = meant(this.desk.hall.get(table.table) ?? table);
      const give = (result: Score): Order => ({ table: `${table.table}/${before.game}`, command: "result", result });
      const since = (did: Order[], back: Order[]) => this.since(table.table, before.game, [...did, ...back]);
      return { words: `${this.name(table.table)}: ${words}`, orders: [give(score)], back: [give(before.score)], since };
    });
  }

  /** A result that somebody else has given since is not ours to take back. Where what was before stands, nothing is undone. */
  private since(id: string, game: number, known: Order[]): string | undefined {
    const table = this.desk.hall.get(id);
    const now = table === undefined ? undefined : scoreIn(table, game);
    return now === undefined || known.some(({ result }) => result === now) ? undefined : say.resultSince(this.name(id), resultFigures(now));
  }

  private name(id: string): string {
    return new Names(this.desk.hall.keys(), this.desk.hall.rounds).long(id);
  }

  private corrections(table: Table): HTMLElement[] {
    const last = table.san.at(-1);
    const choices = linesOf(table).map((line, index) =>
      this.deed(table, say.itWas(line), "button main", () => ({
        words: say.itWas(line),
        orders: [{ command: "choose", alternative: index + 1 }],
        back: [{ command: "undo", plies: line.split(" ").length }],
      })),
    );
    const undo = this.deed(table, say.takeBackOne, "button", () => ({
      words: `${say.takeBackOne}: ${last}`,
      orders: [{ command: "undo", plies: 1 }],
      back: [{ command: "insert", moves: [last!] }],
    }));
    const turn = this.deed(table, say.boardIsTurned, "button", () => ({ words: say.boardIsTurned, orders: [{ command: "turn_board" }], back: [{ command: "turn_board" }] }));
    const unwaited = this.deed(table, say.clockNotAwaited, "button", () => ({
      words: say.clockNotAwaited,
      orders: [{ command: "clock_tells", tells: false }],
      back: [{ command: "clock_tells", tells: true }],
    }));
    const fresh = this.deed(table, say.newGame, "button", () => ({ words: say.newGame, orders: [{ command: "new_game" }] }));
    return [...choices, ...(last === undefined ? [] : [undo]), turn, unwaited, fresh];
  }

  private deed(table: Table, words: string, className: string, what: () => Deed): HTMLButtonElement {
    const made = button(words, () => {
      const deed = what();
      const at = (list: Order[]) => list.map((order) => ({ table: table.table, ...order }));
      void this.desk.give({ ...deed, orders: at(deed.orders), ...(deed.back ? { back: at(deed.back) } : {}) }).then(() => this.read(table.table));
    }, className);
    made.dataset["key"] = `${table.table} ${words}`;
    return made;
  }

  /** A move that was another is tapped, and what it was is written; what is missing at the end is written as well. */
  private moves(table: Table): HTMLElement {
    const plies = this.line.map((san, index) => {
      const made = button(`${index % 2 === 0 ? `${index / 2 + 1}. ` : ""}${san}`, () => {
        this.write(this.ply === index + 1 ? undefined : index + 1);
      }, "ply");
      made.dataset["key"] = `ply-${index + 1}`;
      made.setAttribute("aria-pressed", String(this.ply === index + 1));
      return made;
    });
    return element("div", "record", element("div", "plies", ...plies), this.written(table));
  }

  /** From here on moves are written at the end, or another one for a ply. */
  private write(ply: number | undefined): void {
    this.ply = ply;
    this.input.value = "";
    this.show();
  }

  private written(table: Table): HTMLElement {
    const { ply, input } = this;
    input.setAttribute("aria-label", ply === undefined ? say.movesByHand : say.moveWas(this.line[ply - 1] ?? ""));
    input.placeholder = ply === undefined ? say.movesByHandHint : (this.line[ply - 1] ?? "");
    const form = element("form", "why", input, Object.assign(element("button", "button", ply === undefined ? say.enterMoves : say.replaceMove)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const moves = input.value.trim().split(/\s+/).filter((one) => one !== "");
      if (moves.length > 0) void this.enter(table.table, moves, ply);
    });
    return form;
  }

  private async enter(table: string, moves: string[], ply: number | undefined): Promise<void> {
    const before = ply === undefined ? undefined : this.line[ply - 1];
    const replace = (move: string): Order => ({ table, command: "replace", ply, move });
    const said =
      before === undefined
        ? await this.desk.give({ words: `${say.movesByHand}: ${moves.join(" ")}`, orders: [{ table, command: "insert", moves }], back: [{ table, command: "undo", plies: moves.length }] })
        : await this.desk.give({ words: `${before} → ${moves[0]}`, orders: [replace(moves[0]!)], back: [replace(before)] });
    if (said === undefined) return;
    if (this.chosen === table) this.write(undefined);
    await this.read(table);
  }
}
