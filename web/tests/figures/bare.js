// Hears the feed as the wall does, and hands every position to chessground.
import { Chessground } from "/chessground/dist/chessground.js";

const side = new URLSearchParams(location.search).get("board");
document.body.style.setProperty("--board", `${side}px`);

const boards = new Map();
const show = ({ table, placement, last }) =>
  boards.get(table).set({ fen: placement, lastMove: last ? [last.slice(0, 2), last.slice(2, 4)] : [] });

new WebSocket(`ws://${location.host}/feed/v2`).onmessage = ({ data }) => {
  const { snapshot, changes = [] } = JSON.parse(data);
  for (const table of snapshot?.tables ?? []) {
    const place = document.createElement("div");
    place.className = "board";
    document.body.append(place);
    boards.set(table.table, Chessground(place, { viewOnly: true, coordinates: false, drawable: { enabled: false, visible: false }, animation: { duration: 120 } }));
    show(table);
  }
  for (const change of changes) if (change.placement) show(change);
};
