// Moves as they are written, played on a board: as much of the rules as tells which man is meant.

const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const DIAGONAL = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
const STRAIGHT = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const JUMPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];
const WAYS = { B: DIAGONAL, R: STRAIGHT, Q: [...DIAGONAL, ...STRAIGHT], K: [...DIAGONAL, ...STRAIGHT], N: JUMPS };

/** What stands where after these moves, and the squares of the last one. A move that can't be followed ends it. */
export function replay(fen = START, moves) {
  const [placement, turn] = fen.split(" ");
  let men = read(placement);
  let white = turn !== "b";
  let moved = [];
  for (const san of moves) {
    const played = play(men, white, san);
    if (played === undefined) break;
    ({ men, moved } = played);
    white = !white;
  }
  return { men, moved };
}

function read(placement) {
  const men = new Array(64);
  placement.split("/").forEach((row, at) => {
    let file = 0;
    for (const c of row) {
      if (c >= "1" && c <= "8") file += Number(c);
      else men[(7 - at) * 8 + file++] = c;
    }
  });
  return men;
}

function play(men, white, san) {
  const own = (letter) => (white ? letter : letter.toLowerCase());
  const castling = /^O-O(-O)?/u.exec(san);
  if (castling !== null) return castle(men, white, own, castling[1] === undefined);
  const [, letter = "P", file, rank, , to, promoted] = /^([KQRBN])?([a-h])?([1-8])?(x)?([a-h][1-8])(?:=([QRBN]))?/u.exec(san) ?? [];
  if (to === undefined) return undefined;
  const target = squareOf(to);
  // Of a pawn the file is written where it takes.
  const column = file ?? (letter === "P" ? to[0] : undefined);
  const fits = (from) => men[from] === own(letter) && (column === undefined || "abcdefgh"[from & 7] === column) && (rank === undefined || (from >> 3) + 1 === Number(rank));
  for (let from = 0; from < 64; from++) {
    if (!fits(from) || !reaches(men, from, target, letter, white)) continue;
    const after = men.slice();
    delete after[from];
    // A pawn that takes where nobody stands takes the one that has just gone by.
    if (letter === "P" && (from & 7) !== (target & 7) && men[target] === undefined) delete after[(from & 56) | (target & 7)];
    after[target] = own(promoted ?? letter);
    if (!isInCheck(after, white)) return { men: after, moved: [from, target] };
  }
  return undefined;
}

/** Kings and rooks of Chess960 stand anywhere: the outermost rook on that side is meant. */
function castle(men, white, own, isShort) {
  const home = white ? 0 : 56;
  const row = [0, 1, 2, 3, 4, 5, 6, 7];
  const king = row.find((file) => men[home + file] === own("K"));
  const rooks = row.filter((file) => men[home + file] === own("R") && (isShort ? file > king : file < king));
  const rook = isShort ? rooks.at(-1) : rooks[0];
  if (king === undefined || rook === undefined) return undefined;
  const after = men.slice();
  delete after[home + king];
  delete after[home + rook];
  after[home + (isShort ? 6 : 2)] = own("K");
  after[home + (isShort ? 5 : 3)] = own("R");
  return { men: after, moved: [home + king, home + (isShort ? 6 : 2)] };
}

function reaches(men, from, to, letter, white) {
  const [dx, dy] = [(to & 7) - (from & 7), (to >> 3) - (from >> 3)];
  if (letter === "P") {
    const step = white ? 1 : -1;
    const ahead = from + 8 * step;
    if (dx !== 0) return Math.abs(dx) === 1 && dy === step;
    if (men[to] !== undefined) return false;
    return dy === step || (dy === 2 * step && men[ahead] === undefined && from >> 3 === (white ? 1 : 6));
  }
  if (letter === "N" || letter === "K") return WAYS[letter].some(([x, y]) => x === dx && y === dy);
  return WAYS[letter].some(([x, y]) => {
    for (let n = 1; n < 8; n++) {
      if (x * n === dx && y * n === dy) return true;
      const [file, rank] = [(from & 7) + x * n, (from >> 3) + y * n];
      if (file < 0 || file > 7 || rank < 0 || rank > 7 || men[rank * 8 + file] !== undefined) return false;
    }
    return false;
  });
}

function isInCheck(men, white) {
  const king = men.indexOf(white ? "K" : "k");
  if (king < 0) return false;
  return men.some((man, from) => {
    if (man === undefined || (man === man.toUpperCase()) === white) return false;
    const letter = man.toUpperCase();
    // A pawn takes aslant only.
    return (letter !== "P" || (from & 7) !== (king & 7)) && reaches(men, from, king, letter, !white);
  });
}

function squareOf(name) {
  return (Number(name[1]) - 1) * 8 + "abcdefgh".indexOf(name[0]);
}
