// How many boards go side by side, so that all fit and every board is as big as it can be.

export interface Arrangement {
  columns: number;
  rows: number;
  /**
   * Where names and clocks go. `beside`: at the board's right. `stacked`: a row above the board and one below it.
   * `tall`: two rows above and two below, for tiles too narrow to have a name and a clock in one row.
   */
  shape: "beside" | "stacked" | "tall";
  board: number;
  /** Size of a name, of a clock. */
  text: number;
  digits: number;
}

/**
 * Clocks are read from the back of the hall: the font size whose digits are 3 % of the screen. They stand 0.7 em high in
 * the system fonts we know.
 */
const FAR_DIGITS = 0.03 / 0.7;

/** Nothing on a wall is smaller than this share of the screen's height, or than this many pixels. */
const NEAR_TEXT = 0.014;
const LEAST_TEXT = 13;

/** Below this width a page is held in a hand: one column, and it scrolls. So does a window with no room for a board. */
export const HAND_WIDTH = 700;
export const LEAST_BOARD = 104;

/** Boards this much smaller than the biggest possible are a good price for a wall without holes. */
const WORTH = 0.95;

/** The room between tiles, a share of the screen's height; `--gap` in wall.css is the same. */
const GAP = 0.011;

// How wide and high things are, in units of their own font size. The style sheet says the same.
const LINE = 1.35;
const CLOCK_LINE = 1.3;
const PADDING = 1;
const CLOCK_WIDTH = 4.6; // 1:23:45 in the widest system font we know.
const NAME_WIDTH = 11;

/** The best way to put `tables` on a wall of `width` x `height` pixels, on a screen `screen` pixels high. */
export function arrange(tables: number, width: number, height: number, screen: number): Arrangement {
  const gap = screen * GAP;
  const found: Arrangement[] = [];
  for (let columns = 1; columns <= Math.max(1, tables); columns += 1) {
    const rows = Math.ceil(tables / columns) || 1;
    const cell = { width: (width - gap * (columns + 1)) / columns, height: (height - gap * rows) / rows };
    for (const fill of [beside, stacked, tall]) found.push({ columns, rows, ...fill(cell, screen) });
  }
  const biggest = Math.max(...found.map(({ board }) => board));
  const good = found.filter(({ board }) => board >= biggest * (biggest > 0 ? WORTH : 1));
  const holes = ({ columns, rows }: Arrangement) => columns * rows - tables;
  return good.reduce((best, next) => {
    const better = holes(next) - holes(best) || best.board - next.board;
    return better < 0 ? next : best;
  });
}

/** How many tables go on one page of the wall, so that clocks are read and boards are made out; pages are alike full. */
export function tablesAtOnce(tables: number, width: number, height: number, screen: number): number {
  let fit = Math.max(1, tables);
  while (fit > 1 && arrange(fit, width, height, screen).board < LEAST_BOARD) fit -= 1;
  return Math.ceil(tables / Math.ceil(tables / fit)) || 1;
}

interface Cell {
  width: number;
  height: number;
}

function beside(cell: Cell, screen: number) {
  const text = textFor(cell, screen);
  const digits = Math.max(screen * FAR_DIGITS, Math.min(cell.height * 0.15, cell.width * 0.08));
  const across = cell.width - text * (PADDING + 1) - Math.max(digits * CLOCK_WIDTH, text * NAME_WIDTH);
  const board = Math.min(cell.height - text * PADDING, across);
  const needed = 2 * (digits * CLOCK_LINE + text * LINE) + text * 5;
  return { shape: "beside" as const, board: needed > cell.height ? 0 : board, text, digits };
}

function stacked(cell: Cell, screen: number) {
  const text = textFor(cell, screen);
  const digits = Math.max(screen * FAR_DIGITS, text * 1.35);
  const board = Math.min(cell.width - text * PADDING, cell.height - 2 * digits * CLOCK_LINE - text * (LINE + PADDING));
  const needed = digits * CLOCK_WIDTH + text * (NAME_WIDTH + PADDING);
  return { shape: "stacked" as const, board: needed > cell.width ? 0 : board, text, digits };
}

function tall(cell: Cell, screen: number) {
  const text = textFor(cell, screen, 0.056);
  const digits = Math.max(screen * FAR_DIGITS, text * 1.35);
  const above = digits * CLOCK_LINE + text * LINE;
  const board = Math.min(cell.width - text * PADDING, cell.height - 2 * above - text * PADDING);
  return { shape: "tall" as const, board: digits * CLOCK_WIDTH > cell.width ? 0 : board, text, digits };
}

function textFor(cell: Cell, screen: number, share = 0.045): number {
  return Math.max(LEAST_TEXT, screen * NEAR_TEXT, Math.min(cell.width, cell.height) * share);
}
