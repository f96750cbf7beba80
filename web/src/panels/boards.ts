// Boards: where each is plugged in, how good it is, and at which table it stands; a board that is pointed out by lifting
// both its kings lights up.

import type { Order } from "../answers";
import { element, putInOrder, setText } from "../dom";
import { say } from "../say";
import { parts, pairName } from "../words";
import { qualityWords, since, troublesOf, type BoardState, type Fleet, type Trouble } from "./fleet";
import { nameOf, type Desk, type Panel } from "./panel";
import { numberFrom1, seatOf } from "./seat";

export const boards: Panel<Fleet> = {
  name: "boards",
  title: say.boards,
  source: { path: "/boards", everyMs: 1_000 },
  actions: [
    {
      words: say.lookNow,
      async does(desk) {
        desk.again();
        return { done: undefined };
      },
    },
  ],
  draw(place, desk) {
    const view = new Boards(place, desk);
    return (fleet) => view.show(fleet);
  },
};

class Boards {
  private readonly sum = element("p", "sum");
  private readonly list = element("ol", "boards");
  private readonly targets = element("ol", "targets");
  private readonly ports = element("ul", "ports");
  private readonly rows = new Map<string, Row>();
  private fleet: Fleet = { now: 0, boards: [] };
  /** The board that is being carried: by a mouse, or by a tap that waits for a second one at a table. */
  private carried: string | undefined;
  private drawn = "";

  constructor(
    place: HTMLElement,
    private readonly desk: Desk,
  ) {
    const hint = element("p", "hint", say.boardsHint);
    const tables = element("section", "", element("h3", "", say.tables), this.targets);
    place.append(this.sum, element("div", "halves", element("section", "", hint, this.list, this.ports), tables));
    place.addEventListener("keydown", ({ key }) => key === "Escape" && this.carried !== undefined && this.carry(undefined));
  }

  show(fleet: Fleet): void {
    this.fleet = fleet;
    const silent = fleet.boards.filter(({ port }) => port === undefined).length;
    setText(this.sum, fleet.boards.length === 0 ? say.noBoards : say.boardsHeard(fleet.boards.length - silent, fleet.boards.length));
    const sorted = [...fleet.boards].sort((a, b) => order(a) - order(b) || a.board.localeCompare(b.board, "en", { numeric: true }));
    const rows = sorted.map((board) => {
      const row = this.row(board.board);
      row.show(board, fleet.now, this.carried === board.board);
      return row.root;
    });
    putInOrder(this.list, rows);
    this.ports.replaceChildren(...(fleet.ports ?? []).map(({ port, trouble }) => element("li", "", element("code", "", port), ` ${trouble}`)));
    this.showTables();
  }

  private row(board: string): Row {
    const row = this.rows.get(board) ?? new Row(board, this.desk, {
      carry: (carried) => this.carry(carried),
      put: (table) => void this.put(board, table),
    });
    this.rows.set(board, row);
    return row;
  }

  private carry(board: string | undefined): void {
    this.carried = board;
    this.show(this.fleet);
  }

  /** The tables of the chosen round: each takes a board that is dropped on it, or put there by a tap. */
  private showTables(): void {
    const { round } = this.desk;
    const numbers = new Set((round?.pairings ?? []).map(({ table }) => table));
    for (const { at } of this.fleet.boards) if (round && at?.startsWith(`${nameOf(round)}/`)) numbers.add(parts(at).number);
    const tables = [...numbers].sort((a, b) => a - b).map((number) => {
      const id = `${nameOf(round!)}/${number}`;
      const pairing = round!.pairings?.find(({ table }) => table === number);
      const sitting = this.fleet.boards.filter(({ at }) => at === id);
      return { id, number, words: pairing ? pairName(pairing.white, pairing.black) : "", sitting };
    });
    const drawn = JSON.stringify([tables.map(({ id, words, sitting }) => [id, words, sitting.map(({ board, port }) => [board, port])]), this.carried]);
    if (drawn === this.drawn) return;
    const focused = (document.activeElement as HTMLElement | null)?.dataset["table"];
    this.drawn = drawn;
    this.targets.replaceChildren(...tables.map((table) => this.target(table)));
    this.targets.querySelector<HTMLElement>(`[data-table="${focused}"]`)?.focus();
  }

  private target({ id, number, words, sitting }: { id: string; number: number; words: string; sitting: BoardState[] }): HTMLElement {
    const seats = sitting.map(({ board, port }) => element("span", port === undefined ? "seat silent" : "seat", board));
    const button = element("button", "target", element("b", "", String(number)), element("span", "who", words), ...(seats.length ? seats : [element("span", "seat none", say.noBoard)]));
    button.type = "button";
    button.dataset["table"] = id;
    if (this.carried !== undefined) button.setAttribute("aria-label", say.putHere(this.carried, number));
    button.addEventListener("click", () => this.carried !== undefined && void this.put(this.carried, id));
    button.addEventListener("dragover", (event) => this.carried !== undefined && event.preventDefault());
    button.addEventListener("drop", (event) => {
      event.preventDefault();
      if (this.carried !== undefined) void this.put(this.carried, id);
    });
    return element("li", this.carried === undefined ? "" : "open", button);
  }

  /** A board goes to a table. One that stands there alone takes its place: two boards are exchanged in one go. */
  private async put(board: string, table: string): Promise<void> {
    const from = this.fleet.boards.find((one) => one.board === board)?.at;
    const there = this.fleet.boards.filter(({ at }) => at === table).map((one) => one.board);
    const isExchange = there.length === 1 && from !== undefined && sameRound(from, table);
    this.carried = undefined;
    if (from === table) return this.show(this.fleet);
    const orders = [assign(board, table), ...(isExchange ? [assign(there[0]!, from)] : [])];
    const back = from === undefined ? undefined : [assign(board, from), ...(isExchange ? [assign(there[0]!, table)] : [])];
    const words = isExchange ? say.boardsExchanged(board, there[0]!) : say.boardPut(board, parts(table).number);
    await this.desk.give({ words, orders, ...(back ? { back } : {}) });
    this.show(this.fleet);
  }
}

interface Hand {
  carry(board: string | undefined): void;
  put(table: string): void;
}

class Row {
  readonly root = element("li", "board-row");
  private readonly grip = element("button", "grip");
  private readonly table = element("input");
  /** Its place in another round than the chosen one, whose numbers the field is for. */
  private readonly elsewhere = element("span", "elsewhere");
  private readonly contact = element("span", "contact");
  private readonly clock = element("span", "battery");
  private readonly quality = element("span", "quality");
  private readonly troubles = element("span", "troubles");
  private wasLifted = false;

  constructor(
    private readonly board: string,
    private readonly desk: Desk,
    hand: Hand,
  ) {
    this.grip.type = "button";
    this.grip.textContent = board;
    this.grip.title = say.carryBoard;
    this.grip.addEventListener("click", () => hand.carry(this.grip.ariaPressed === "true" ? undefined : board));
    this.root.draggable = true;
    this.root.addEventListener("dragstart", (event) => {
      event.dataTransfer?.setData("text/plain", board);
      hand.carry(board);
    });
    this.root.addEventListener("dragend", () => hand.carry(undefined));
    this.table.inputMode = "numeric";
    this.table.autocomplete = "off";
    this.table.setAttribute("aria-label", say.tableOfBoard(board));
    const form = element("form", "place", element("span", "", say.table("")), this.table);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { round } = desk;
      const number = numberFrom1(this.table.value);
      this.table.select();
      if (number === undefined) return desk.tell({ refused: say.tableExpected(this.table.value.trim()) });
      if (round !== undefined) hand.put(`${nameOf(round)}/${number}`);
    });
    this.root.append(this.grip, form, this.elsewhere, this.contact, this.clock, this.quality, this.troubles);
  }

  show(state: BoardState, now: number, isCarried: boolean): void {
    const { desk } = this;
    this.grip.ariaPressed = String(isCarried);
    const { number, elsewhere } = seatOf(state.at, desk.round, desk.rounds);
    if (document.activeElement !== this.table) this.table.value = number;
    setText(this.elsewhere, elsewhere && say.table(elsewhere));
    setText(this.contact, contactWords(state, now));
    this.contact.title = state.port ?? "";
    setText(this.clock, state.clock === "none" ? "" : say.batteries[state.clock]);
    setText(this.quality, qualityWords(state, desk.hall));
    const troubles = troublesOf(state, desk.hall, desk.round);
    setText(this.troubles, troubles.map((trouble: Trouble) => say.boardTroubles[trouble]).join(" · "));
    this.root.classList.toggle("silent", state.port === undefined);
    this.root.classList.toggle("troubled", troubles.length > 0);
    this.root.classList.toggle("lifted", state.is_lifted === true);
    // Kings that go up where moves were made show a result, or are put back for the next game.
    const isPlayedAt = state.at !== undefined && (desk.hall.get(state.at)?.san.length ?? 0) > 0;
    if (state.is_lifted && !this.wasLifted && !isPlayedAt) this.pointOut(number || elsewhere);
    this.wasLifted = state.is_lifted === true;
  }

  private pointOut(table: string): void {
    this.root.scrollIntoView({ block: "nearest" });
    this.desk.announce(say.thisIsBoard(this.board, table));
    this.desk.tell({ done: say.thisIsBoard(this.board, table) });
  }
}

function contactWords({ port, heard, heard_at }: BoardState, now: number): string {
  const ago = since(now - heard_at);
  return port === undefined ? say.silentFor(ago) : say.heardAgo(port.slice(port.lastIndexOf("/") + 1), say.heardWhat[heard], ago);
}

function assign(board: string, table: string): Order {
  return { table, command: "assign", board };
}

function order({ at }: BoardState): number {
  return at === undefined ? Infinity : parts(at).number;
}

function sameRound(one: string, other: string): boolean {
  return one.slice(0, one.lastIndexOf("/")) === other.slice(0, other.lastIndexOf("/"));
}
