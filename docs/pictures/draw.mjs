// Draws the pictures of docs/hand.md: `node docs/pictures/draw.mjs`. No dependencies.
//
// A picture is a row of frames; a frame is a part of a board with men, marks and an arrow, and two lines below it.
// The men are simple shapes of our own, so that they look the same in every browser and without any font.

import { writeFileSync } from "node:fs";

const SQUARE = 44;
const MARGIN = 22;
const TEXT = "font-family='system-ui, -apple-system, \"Segoe UI\", Helvetica, Arial, sans-serif'";
const INK = "#1f2933";

// Each man stands in a box of 44 by 44.
const SHAPES = {
  p: "<circle cx='22' cy='14' r='6'/><path d='M18 20h8l3 12H15z'/>",
  r: "<path d='M13 8h5v4h2V8h4v4h2V8h5v9H13z'/><path d='M15 17h14l2 15H13z'/>",
  n: "<path d='M14 32c0-8 7-9 8-14l-7 3-4-3 9-10 2-4 2 4c6 3 8 8 8 24z'/>",
  b: "<circle cx='22' cy='6.5' r='2.5'/><path d='M22 9c6 5 7 9 4 14h-8c-3-5-2-9 4-14z'/><path d='M18 23h8l4 9H14z'/>",
  q: "<path d='M10 11l6 6 2-9 4 8 4-8 2 9 6-6-4 21H14z'/>",
  k: "<path d='M20.5 3h3v3h3v3h-3v4h-3V9h-3V6h3z'/><path d='M22 18c4-8 13-5 11 2l-4 12H15l-4-12c-2-7 7-10 11-2z'/>",
};
const FOOT = "<path d='M11 32h22v5H11z'/>";

const MARKS = {
  seen: "fill='#f0b548' fill-opacity='.25' stroke='#7a4600' stroke-width='3' stroke-dasharray='6 4'",
  final: "fill='#f0b548' fill-opacity='.75' stroke='#7a4600' stroke-width='3'",
  differs: "fill='#c42814' fill-opacity='.22' stroke='#c42814' stroke-width='3'",
};

const place = (frame, square) => ({
  x: (square.charCodeAt(0) - frame.files.charCodeAt(0)) * SQUARE,
  y: (Number(frame.ranks[1]) - Number(square[1])) * SQUARE,
});

function man(frame, letter, square, air) {
  const { x, y } = place(frame, square);
  const light = letter === letter.toUpperCase();
  const paint = light ? "fill='#fff' stroke='#222'" : "fill='#333' stroke='#000'";
  const shape = SHAPES[letter.toLowerCase()] + FOOT;
  const hand = air ? " opacity='.45'" : "";
  const lift = air
    ? `<g fill='none' stroke='#1a5fb4' stroke-width='2.5'><circle cx='${x + 22}' cy='${y + 22}' r='19' stroke-dasharray='3 4'/>` +
      `<path d='M${x + 35} ${y + 14}v-9m-4 4l4-4 4 4'/></g>`
    : "";
  return `<g transform='translate(${x} ${y})' ${paint} stroke-width='1.6' stroke-linejoin='round'${hand}>${shape}</g>${lift}`;
}

function mark(frame, kind, square) {
  const { x, y } = place(frame, square);
  const cross = kind === "differs" ? `<path d='M${x + 4} ${y + 12}v-8h8m-8 0l8 8' stroke='#c42814' stroke-width='2.5' fill='none'/>` : "";
  return `<rect x='${x + 2}' y='${y + 2}' width='${SQUARE - 4}' height='${SQUARE - 4}' ${MARKS[kind]}/>${cross}`;
}

function arrow(frame, [from, to]) {
  const [a, b] = [place(frame, from), place(frame, to)].map(({ x, y }) => ({ x: x + 22, y: y + 22 }));
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const tip = { x: b.x - dx * 14, y: b.y - dy * 14 };
  const neck = { x: tip.x - dx * 9, y: tip.y - dy * 9 };
  const line = `<path d='M${a.x} ${a.y}L${neck.x} ${neck.y}' stroke='#1a5fb4' stroke-width='4'/>`;
  const head = `<path d='M${tip.x} ${tip.y}L${neck.x - dy * 6} ${neck.y + dx * 6}L${neck.x + dy * 6} ${neck.y - dx * 6}z' fill='#1a5fb4'/>`;
  return `<g opacity='.8'>${line}${head}</g>`;
}

function board(frame) {
  const files = frame.files.charCodeAt(1) - frame.files.charCodeAt(0) + 1;
  const [low, high] = [...frame.ranks].map(Number);
  const out = [];
  for (let rank = high; rank >= low; rank -= 1) {
    for (let at = 0; at < files; at += 1) {
      const square = String.fromCharCode(frame.files.charCodeAt(0) + at) + rank;
      const { x, y } = place(frame, square);
      const dark = (square.charCodeAt(0) + rank) % 2 === 0;
      out.push(`<rect x='${x}' y='${y}' width='${SQUARE}' height='${SQUARE}' fill='${dark ? "#c9a982" : "#f1e4cf"}'/>`);
      if (rank === low) out.push(label(x + 22, (high - low + 1) * SQUARE + 13, square[0], 11));
      if (at === 0) out.push(label(-9, y + 26, square[1], 11));
    }
  }
  for (const [kind, squares] of Object.entries(frame.marks ?? {})) out.push(...squares.map((square) => mark(frame, kind, square)));
  out.push(...frame.men.map((text) => man(frame, text[0], text.slice(1), false)));
  out.push(...(frame.air ?? []).map((text) => man(frame, text[0], text.slice(1), true)));
  out.push(...(frame.arrows ?? []).map((pair) => arrow(frame, pair.split("-"))));
  return { svg: out.join(""), width: files * SQUARE, height: (high - low + 1) * SQUARE };
}

function label(x, y, text, size, weight = 400) {
  return `<text x='${x}' y='${y}' text-anchor='middle' font-size='${size}' font-weight='${weight}' fill='${INK}' ${TEXT}>${text}</text>`;
}

function draw(name, title, frames) {
  let x = MARGIN + 8;
  let height = 0;
  const parts = [];
  for (const frame of frames) {
    const drawn = board(frame);
    // A frame is at least as wide as its words.
    const words = Math.max(...frame.says.map((line, at) => line.length * (at === 0 ? 7.6 : 6.7)));
    const width = Math.max(drawn.width, words);
    const middle = x + width / 2;
    const below = MARGIN + drawn.height;
    parts.push(`<g transform='translate(${middle - drawn.width / 2} ${MARGIN})'>${drawn.svg}</g>`);
    parts.push(label(middle, below + 36, frame.says[0], 14, 700), label(middle, below + 55, frame.says[1] ?? "", 13));
    x += width + MARGIN + 8;
    height = Math.max(height, below + 68);
  }
  // A light card of its own reads on a dark page as on a light one.
  const card = `<rect x='.5' y='.5' width='${x - 1}' height='${height - 1}' rx='8' fill='#fbfaf7' stroke='#b9b3a6'/>`;
  const head = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${x} ${height}' width='${x}' height='${height}' role='img'><title>${title}</title>`;
  writeFileSync(new URL(`${name}.svg`, import.meta.url), `${head}\n${card}\n${parts.join("\n")}\n</svg>\n`);
}

const near = { files: "dg", ranks: "25" };
const pawns = ["Pd2", "Pf2", "Pg2"];
draw("words", "Four boards: a move that is seen, one that is final, a board that is held, a move that was corrected", [
  { ...near, men: ["Pe4", ...pawns], marks: { seen: ["e2", "e4"] }, says: ["seen", "shown, may change"] },
  { ...near, men: ["Pe4", ...pawns], marks: { final: ["e2", "e4"] }, says: ["final", "in the record"] },
  { ...near, men: ["Pe5", ...pawns], marks: { differs: ["e2", "e5"] }, says: ["held", "e2 and e5 differ"] },
  { files: "eh", ranks: "14", men: ["Rf1", "Kg1", "Pf2", "Pg2", "Ph2"], marks: { final: ["e1", "f1", "g1", "h1"] }, says: ["corrected", "Rf1 → O-O"] },
]);

const corner = { files: "eh", ranks: "12" };
const shield = ["Pf2", "Pg2", "Ph2"];
draw("rook-first", "Castling with the rook first, in five steps", [
  { ...corner, men: ["Ke1", ...shield], air: ["Rh1"], says: ["1 rook lifted", "seen: nothing"] },
  { ...corner, men: ["Ke1", "Rf1", ...shield], arrows: ["h1-f1"], marks: { seen: ["h1", "f1"] }, says: ["2 rook lands", "seen: Rf1"] },
  { ...corner, men: ["Rf1", ...shield], air: ["Ke1"], marks: { seen: ["h1", "f1"] }, says: ["3 king lifted", "seen: Rf1 still"] },
  { ...corner, men: ["Rf1", "Kg1", ...shield], arrows: ["e1-g1"], marks: { seen: ["e1", "g1", "f1", "h1"] }, says: ["4 king lands", "seen: O-O"] },
  { ...corner, men: ["Rf1", "Kg1", ...shield], marks: { final: ["e1", "g1", "f1", "h1"] }, says: ["5 press", "final: O-O"] },
]);

const file = { files: "ac", ranks: "14" };
draw("slide", "A rook slides from a1 over a2 to a3: every stop is a legal move, and only the last one is played", [
  { ...file, men: ["Ra2", "Kc1"], arrows: ["a1-a2"], marks: { seen: ["a1", "a2"] }, says: ["it stops on a2", "seen: Ra2"] },
  { ...file, men: ["Ra3", "Kc1"], arrows: ["a1-a3"], marks: { seen: ["a1", "a3"] }, says: ["it goes on to a3", "seen: Ra3"] },
  { ...file, men: ["Ra3", "Kc1"], marks: { final: ["a1", "a3"] }, says: ["press", "final: Ra3"] },
]);

const middle = { files: "df", ranks: "47" };
draw("overlap", "Black lifts the queen's pawn before White has put the capturing pawn down; both plies are found", [
  { ...middle, men: ["pd5", "pe6"], air: ["Pe4"], says: ["White lifts e4", "seen: nothing"] },
  { ...middle, men: ["pd5"], air: ["Pe4", "pe6"], says: ["Black lifts e6", "seen: nothing"] },
  { ...middle, men: ["Pd5"], air: ["pe6"], arrows: ["e4-d5"], marks: { seen: ["e4", "d5"] }, says: ["White lands", "seen: exd5"] },
  { ...middle, men: ["pd5"], arrows: ["e6-d5"], marks: { seen: ["e6", "d5"] }, says: ["Black lands on top", "seen: exd5 exd5"] },
]);

const beside = { files: "ce", ranks: "36" };
draw("beside", "A queen stands half on d4: the board reads d5 first and d4 once somebody puts her right", [
  { ...beside, men: ["Qd5"], marks: { final: ["d3", "d5"] }, says: ["read as d5 at the press", "final: Qd5"] },
  { ...beside, men: ["Qd4"], arrows: ["d5-d4"], marks: { final: ["d3", "d4"] }, says: ["put right within 4 s", "corrected: Qd4"] },
]);

// The edges of a game are no boards: boxes in a grid, and arrows that say what leads from one to the other.
const BOX = { width: 164, height: 48 };
const centre = ([column, row]) => ({ x: 110 + column * 300, y: 52 + row * 128 });

function box({ at, says }) {
  const { x, y } = centre(at);
  const frame = `<rect x='${x - BOX.width / 2}' y='${y - BOX.height / 2}' width='${BOX.width}' height='${BOX.height}' rx='8' fill='#f1e4cf' stroke='#7a4600' stroke-width='2'/>`;
  return frame + label(x, y - 3, says[0], 14, 700) + label(x, y + 14, says[1], 12);
}

// From border to border, a little to the right of the way so that two arrows between the same boxes do not meet.
function way({ from, to, says, left }) {
  const [a, b] = [centre(from), centre(to)];
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [dx, dy] = [(b.x - a.x) / length, (b.y - a.y) / length];
  const inside = Math.min(BOX.width / 2 / Math.abs(dx || 1e-9), BOX.height / 2 / Math.abs(dy || 1e-9));
  const [sx, sy] = [-dy * 9, dx * 9];
  const tail = { x: a.x + dx * inside + sx, y: a.y + dy * inside + sy };
  const neck = { x: b.x - dx * (inside + 9) + sx, y: b.y - dy * (inside + 9) + sy };
  const line = `<path d='M${tail.x} ${tail.y}L${neck.x} ${neck.y}' stroke='#1a5fb4' stroke-width='2.5'/>`;
  const head = `<path d='M${neck.x + dx * 9} ${neck.y + dy * 9}L${neck.x - dy * 6} ${neck.y + dx * 6}L${neck.x + dy * 6} ${neck.y - dx * 6}z' fill='#1a5fb4'/>`;
  // Words stand on the side to which the arrow is moved, or on the other one.
  const side = left ? -1 : 1;
  const middle = { x: (tail.x + neck.x) / 2 + side * sx * 5.2, y: (tail.y + neck.y) / 2 + side * sy * 2.1 };
  const top = middle.y + 4 - (says.length - 1) * 7;
  return line + head + says.map((words, at) => label(middle.x, top + at * 14, words, 11)).join("");
}

function drawStates(name, title, boxes, ways, { width, height }) {
  const card = `<rect x='.5' y='.5' width='${width - 1}' height='${height - 1}' rx='8' fill='#fbfaf7' stroke='#b9b3a6'/>`;
  const head = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${width} ${height}' width='${width}' height='${height}' role='img'><title>${title}</title>`;
  const parts = [...ways.map(way), ...boxes.map(box)];
  writeFileSync(new URL(`${name}.svg`, import.meta.url), `${head}\n${card}\n${parts.join("\n")}\n</svg>\n`);
}

const [none, on, resting, assumed, closed, over] = [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1]];
const [next, home] = [[1, 2], [2, 2]];
drawStates("edges", "The edges of a game: what leads from none to one that is on, rests, is closed, is over, and to the next", [
  { at: none, says: ["no game", "nothing was played"] },
  { at: on, says: ["on", "what is played counts"] },
  { at: resting, says: ["resting", "both clocks stand"] },
  { at: assumed, says: ["on, as assumed", "read off the board"] },
  { at: closed, says: ["closed", "the arbiter decides"] },
  { at: over, says: ["over", "it has its result"] },
  { at: next, says: ["on", "the next game"] },
  { at: home, says: ["men at home", "an array, if only shortly"] },
], [
  { from: none, to: on, says: ["array for 2 s,", "or an order"] },
  { from: none, to: assumed, says: ["another", "position"] },
  { from: assumed, to: on, says: ["first", "final move"] },
  { from: on, to: resting, says: ["clock stopped"] },
  { from: resting, to: on, says: ["pressed again"] },
  { from: on, to: closed, says: ["kings, flag,", "claim"] },
  { from: closed, to: on, says: ["resumed"] },
  { from: resting, to: closed, says: ["the same"], left: true },
  { from: closed, to: over, says: ["confirmed"], left: true },
  { from: resting, to: over, says: ["result", "given"] },
  { from: over, to: home, says: ["men are", "put up"] },
  { from: home, to: next, says: ["2 s, or a first move"] },
], { width: 820, height: 370 });
