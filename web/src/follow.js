// Follows a hall: calls `show(tables)`, a Map from "open/3/12" to the table, whenever something changes.
export function follow(address, show, failures = 0) {
  const socket = new WebSocket(address);
  let tables, seq, timer;
  const listen = () => (clearTimeout(timer), (timer = setTimeout(again, 8000)));
  const again = () => {
    socket.onmessage = socket.onclose = null;
    clearTimeout(timer);
    socket.close();
    const pause = Math.min(2000, 250 * 2 ** failures) * (0.5 + Math.random() / 2);
    setTimeout(() => follow(address, show, failures + 1), pause);
  };
  socket.onclose = again;
  socket.onerror = () => {}; // It closes next. Node's ws throws an error nobody listens to.
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.snapshot) tables = new Map(message.snapshot.tables.map((table) => [table.table, table]));
    else if (message.seq !== seq + (message.changes ? 1 : 0)) return again();
    seq = message.seq;
    failures = 0;
    listen();
    for (const change of message.changes ?? []) if (!change.rounds) take(tables, change);
    show(tables);
  };
  listen();
}

// Each member of a change replaces the member of the same name, and `null` takes it away; three go their own ways.
function take(tables, { table: id = [...tables.keys()][0], gone, ply, san = [], squares, clock, corrected, told, ...members }) {
  if (gone) return tables.delete(id);
  const table = tables.get(id) ?? { table: id, ply: 1, san: [] };
  tables.set(id, table);
  for (const [name, value] of Object.entries(members)) value === null ? delete table[name] : (table[name] = value);
  if (ply !== undefined) {
    // The wall tells the last move of a line. Where those before are not known, the line begins with what is new.
    if (ply < table.ply || ply > table.ply + table.san.length) table.ply = ply;
    table.san = [...table.san.slice(0, ply - table.ply), ...san];
  }
  if (squares) table.placement = put(table.placement, squares);
  if (clock !== undefined) table.clock = clock === null ? undefined : { ...table.clock, ...clock };
}

// "g1-f3N" empties g1 and puts a white knight on f3.
function put(placement, squares) {
  const board = placement.replace(/\d/g, (count) => "-".repeat(count)).split("/").map((row) => [...row]);
  for (const [, file, rank, man] of squares.matchAll(/([a-h])([1-8])(.)/g)) board[8 - rank]["abcdefgh".indexOf(file)] = man;
  return board.map((row) => row.join("").replace(/-+/g, (run) => run.length)).join("/");
}
