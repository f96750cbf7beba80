// How many boards go side by side, so that all fit and every board is as big as it can be. The board is the tile: names
// and clocks get what it leaves them.

export interface Arrangement {
  columns: number;
  rows: number;
  /**
   * Where names and clocks go. `row`: name and clock in one line above the board and in one below it. `tall`: in lines of
   * their own. `beside`: at the board's right.
   */
  shape: "row" | "tall" | "beside";
  board: number;
  /** How wide and high a tile is. */
  width: number;
  height: number;
  /** Size of a name, of a clock. */
  text: number;
  digits: number;
  /** How well names and clocks are read. */
  legible: number;
}

/** Nothing on a wall is smaller than this share of the screen's height, or than this many pixels. */
const NEAR_TEXT = 0.012;
const LEAST_TEXT = 13;

/** Below this width a page is held in a hand: one column, and it scrolls. So does a window with no room for a board. */
export const HAND_WIDTH = 600;
/** Below it men are hard to tell apart from two metres; pages turn instead. */
export const LEAST_BOARD = 104;

/** A tile is a board before it is anything else. */
const BOARD_SHARE = 0.75;

/** Boards this much smaller than the biggest possible are a good price for a wall without holes. */
const WORTH = 0.96;

/** The room between tiles, a share of the screen's height. */
const GAP = 0.009;

/** A line above and one below a board, each this share of its cell: what clocks need to be read from the back of a hall. */
const LINE_SHARE = 0.075;

// How wide and high things are, in units of their own font size. The style sheet says the same.
const LINE = 1.25;
const CLOCK_WIDTH = 4.25; // 1:23:45 in the widest system font we know.
const NUMBER_WIDTH = 1.8;
const NAME_WIDTH = 5;
const WHOLE_NAME = 9;
/** A number, the last move and what goes on, one below the other at a board's side. */
const BETWEEN = 5;
/** Around a board and its lines, in pixels, both sides together. */
const PAD = 6;
/** Squares have whole pixels. */
const GRAIN = 8;
/** A clock is so much larger than the name beside it. */
const DIGITS_TO_TEXT = 1.25;

/** The best way to put `tables` on a wall of `width` x `height` pixels, on a screen `screen` pixels high. */
export function arrange(tables: number, width: number, height: number, screen: number): Arrangement {
  const gap = screen * GAP;
  const least = Math.max(LEAST_TEXT, screen * NEAR_TEXT);
  const found: Arrangement[] = [];
  for (let columns = 1; columns <= Math.max(1, tables); columns += 1) {
    const rows = Math.ceil(tables / columns) || 1;
    const cell = { width: width / columns - gap, height: height / rows - gap };
    for (const fill of [row, tall, beside]) found.push({ columns, rows, ...fill(cell, least) });
  }
  const biggest = Math.max(...found.map(({ board }) => board));
  const good = found.filter(({ board }) => board >= biggest * (biggest > 0 ? WORTH : 1));
  const holes = ({ columns, rows }: Arrangement) => columns * rows - tables;
  return good.reduce((best, next) => {
    const better = holes(next) - holes(best) || best.board * best.legible - next.board * next.legible;
    return better < 0 ? next : best;
  });
}

/** How many tables go on one page of the wall, so that boards are made out; pages are alike full. */
export function tablesAtOnce(tables: number, width: number, height: number, screen: number): number {
  let fit = Math.max(1, Math.min(tables, Math.floor((width * height) / LEAST_BOARD ** 2)));
  while (fit > 1 && arrange(fit, width, height, screen).board < LEAST_BOARD) fit -= 1;
  return Math.ceil(tables / Math.ceil(tables / fit)) || 1;
}

interface Cell {
  width: number;
  height: number;
}

type Filled = Omit<Arrangement, "columns" | "rows">;

/** Name and clock share a line. Its tile is wider than the board where they need the room. */
function row(cell: Cell, least: number): Filled {
  const line = Math.max(least * LINE, cell.height * LINE_SHARE);
  const board = whole(Math.min(cell.width - PAD, cell.height - 2 * line - PAD));
  // What the board leaves above and below goes to the lines, as far as they are wide enough.
  const high = Math.max(line, (cell.height - board - PAD) / 2) / LINE;
  const names = NUMBER_WIDTH + NAME_WIDTH;
  const needed = least * (names + CLOCK_WIDTH);
  const wished = Math.min(cell.width - PAD, needed + least * (WHOLE_NAME - NAME_WIDTH));
  const wide = Math.max(board, needed, board + PAD + 2 * line <= board / BOARD_SHARE ? wished : 0);
  const text = Math.max(least, Math.min(high / DIGITS_TO_TEXT, wide / (names + CLOCK_WIDTH * DIGITS_TO_TEXT)));
  const digits = Math.max(least, Math.min(high, text * DIGITS_TO_TEXT, (wide - text * names) / CLOCK_WIDTH));
  const fits = wide <= cell.width - PAD;
  const height = board + PAD + 2 * Math.max(text, digits) * LINE;
  return filled("row", fits ? board : 0, text, digits, wide - digits * CLOCK_WIDTH, wide + PAD, height);
}

/** Two lines above the board and two below. */
function tall(cell: Cell, least: number): Filled {
  const small = textFor(cell, least);
  const board = whole(Math.min(cell.width - PAD, cell.height - 2 * small * (1 + DIGITS_TO_TEXT) * LINE - PAD));
  const high = (cell.height - board - PAD) / 2 / LINE;
  const text = Math.max(small, Math.min(high / (1 + DIGITS_TO_TEXT), board * 0.1));
  const digits = Math.max(small, Math.min(high - text, board / (CLOCK_WIDTH + NUMBER_WIDTH), text * 2.2));
  const fits = board >= digits * (CLOCK_WIDTH + NUMBER_WIDTH);
  return filled("tall", fits ? board : 0, text, digits, board, board + PAD, board + PAD + 2 * (text + digits) * LINE);
}

/** For cells wider than high: a column at the board's right. */
function beside(cell: Cell, least: number): Filled {
  const text = textFor(cell, least);
  const column = text * (NAME_WIDTH + CLOCK_WIDTH) + PAD;
  const board = whole(Math.min(cell.height - PAD, cell.width - PAD - column));
  const room = Math.min(cell.width - PAD - board - text, board * 0.9);
  const digits = Math.max(least, Math.min(room / CLOCK_WIDTH, board * 0.14));
  const fits = board >= 2 * (digits + text) * LINE + text * BETWEEN && room >= digits * CLOCK_WIDTH;
  return filled("beside", fits ? board : 0, text, digits, room, board + PAD + text + room, board + PAD);
}

/** What stands on a line of its own can be as large as it should be. */
function textFor(cell: Cell, least: number): number {
  return Math.max(least, Math.min(cell.width, cell.height) * 0.042);
}

function whole(board: number): number {
  return Math.floor(board / GRAIN) * GRAIN;
}

/** `line` is what a name has of its line, its table's number included. */
function filled(shape: Arrangement["shape"], board: number, text: number, digits: number, line: number, width: number, height: number): Filled {
  const isBoard = board >= BOARD_SHARE * Math.min(width, height);
  const legible = digits + text * Math.min(1, (line / text - NUMBER_WIDTH) / WHOLE_NAME);
  return { shape, board: isBoard ? Math.max(0, board) : 0, text, digits, legible, width, height };
}
