// How many boards go side by side, so that all fit and every board is as big as it can be.

export interface Arrangement {
  columns: number;
  rows: number;
  /** Names and clocks beside the board, or above and below it. */
  shape: "beside" | "stacked";
  board: number;
  /** Size of a name, of a clock. */
  text: number;
  digits: number;
}

/** Up to so many tables the clocks are read from the back of the hall. */
const FAR_TABLES = 12;

/** The font size whose digits are 3 % of the screen: they stand 0.7 em high in the system fonts we know. */
const FAR_DIGITS = 0.03 / 0.7;

/** Nothing on a wall is smaller than this share of the screen's height, or than this many pixels. */
const NEAR_TEXT = 0.0145;
const LEAST_TEXT = 13;

/** Below this width a page is held in a hand: one column, and it scrolls. */
export const HAND_WIDTH = 700;

const GAP = 0.011;

/** The best way to put `tables` on a wall of `width` x `height` pixels, on a screen `screen` pixels high. */
export function arrange(tables: number, width: number, height: number, screen: number): Arrangement {
  const gap = screen * GAP;
  let best: Arrangement | undefined;
  for (let columns = 1; columns <= Math.max(1, tables); columns += 1) {
    const rows = Math.ceil(tables / columns) || 1;
    const cell = { width: (width - gap * (columns + 1)) / columns, height: (height - gap * (rows + 1)) / rows };
    for (const shape of ["beside", "stacked"] as const) {
      const found = { columns, rows, ...fill(shape, cell, tables, screen) };
      if (best === undefined || score(found) > score(best)) best = found;
    }
  }
  return best!;
}

function fill(shape: Arrangement["shape"], cell: { width: number; height: number }, tables: number, screen: number) {
  const far = tables <= FAR_TABLES ? screen * FAR_DIGITS : screen * 0.021;
  const text = Math.max(LEAST_TEXT, screen * NEAR_TEXT, Math.min(cell.width, cell.height) * 0.045);
  if (shape === "stacked") {
    const digits = Math.max(far, text * 1.35);
    // Two rows of name and clock, one line of state above them, and the tile's own padding.
    const board = Math.min(cell.width - text, cell.height - 2 * digits * 1.3 - text * 2.6);
    return { shape, board, text, digits };
  }
  const digits = Math.max(far, Math.min(cell.height * 0.13, cell.width * 0.07));
  // The digits of 1:23:45 with the room around them.
  const board = Math.min(cell.height - text, cell.width - text * 2 - Math.max(digits * 4.4, text * 10));
  return { shape, board, text, digits };
}

/** A bigger board wins; of equal ones the one with bigger digits. */
function score(arrangement: Arrangement): number {
  return arrangement.board * 1000 + arrangement.digits;
}
