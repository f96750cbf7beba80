// Follows a hall: calls `show(tables)`, a Map from "open/3/12" to the table, whenever something changes.
export function follow(address, show, failures = 0) {
  const socket = new WebSocket(address);
  let tables, run, seq, timer;
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
    else if (message.run !== run || message.seq !== seq + (message.changes ? 1 : 0)) return again();
    ({ run, seq } = message);
    failures = 0;
    listen();
    for (const { table: id, event, t, ...change } of message.changes ?? []) {
      if (!tables.has(id)) tables.set(id, { table: id, line: [], final: 0, result: "*" });
      const table = tables.get(id);
      if (event === "seen") Object.assign(table, { last: undefined, check: false }, change);
      if (event === "final") table.final = Math.max(table.final, Math.min(change.ply, table.line.length));
      if (event === "started") Object.assign(table, { game: change.game, start: change.fen, held: false, result: "*" });
      if (event === "clock") table.clock = { ...change, at: t };
      if (event === "link") table.link = change.state;
      if (["paired", "held", "state", "result"].includes(event)) Object.assign(table, change);
    }
    show(tables);
  };
  listen();
}
