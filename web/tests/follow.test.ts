// The client the feed's page offers to copy, as it stands there, against the fake hall.

import { spawn } from "node:child_process";

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { WebSocket } from "ws";

import { FakeHall } from "../dev/hall";
import { serve, type FakeServer } from "../dev/server";
import { client, NODE_20 } from "../src/client";
import { follow } from "../src/follow.js";
import type { Table } from "../src/vocabulary";

const EVENTUALLY = { timeout: 5_000, interval: 20 };

let hall: FakeHall;
let server: FakeServer;
let tables: Map<string, Table>;

beforeEach(async () => {
  vi.stubGlobal("WebSocket", WebSocket);
  hall = new FakeHall(2);
  server = await serve(hall);
  follow(`ws://127.0.0.1:${server.port}/feed/v2`, (now) => (tables = now));
  await vi.waitFor(() => expect(tables?.size).toBe(2), EVENTUALLY);
});

afterEach(() => server.close());

test("the copied client follows a game", async () => {
  hall.seen(hall.id(1), ["e4", "e5"], 1);
  await vi.waitFor(() => expect(tables.get(hall.id(1))).toMatchObject({ san: ["e5"], ply: 2, provisional: 1, placement: "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR" }), EVENTUALLY);
});

test("the copied client follows one table with its whole line, square by square", async () => {
  const id = hall.id(1);
  follow(`ws://127.0.0.1:${server.port}/feed/v2/${id}`, (now) => (tables = now));
  hall.seen(id, ["e4", "e5"], 1);
  await vi.waitFor(() => expect(tables.get(id)?.san).toEqual(["e4", "e5"]), EVENTUALLY);
  hall.tell(id, { squares: "g1-f3N", ply: 2, san: ["Nf3"], provisional: 0 });
  await vi.waitFor(() => expect(tables.get(id)).toMatchObject({ san: ["e4", "Nf3"], placement: "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R" }), EVENTUALLY);
});

test("the copied client knows a table that came later, and a new game from the old one", async () => {
  const [late, id] = ["spring-open-2026/3/9", hall.id(1)];
  hall.end(id, "1-0");
  hall.start(id, 2);
  hall.tell(late, { link: "up" });
  await vi.waitFor(() => expect(tables.get(late)?.link).toBe("up"), EVENTUALLY);
  expect(tables.get(id)).toMatchObject({ game: 2, result: "*" });
});

test("the copied client heals after a gap", async () => {
  hall.skip();
  hall.seen(hall.id(2), ["d4"]);
  await vi.waitFor(() => expect(tables.get(hall.id(2))?.san).toEqual(["d4"]), EVENTUALLY);
});

test("the copied client heals after a restart", async () => {
  await server.close();
  hall = new FakeHall(3);
  server = await serve(hall, server.port);
  await vi.waitFor(() => expect(tables.size).toBe(3), EVENTUALLY);
});

test("the page's whole program runs in Node as it stands there, with the lines for Node 20 in front", async () => {
  const program = NODE_20 + client(`ws://127.0.0.1:${server.port}/feed/v2`);
  const node = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    let printed = "";
    node.stdout.on("data", (chunk) => (printed += chunk));
    await vi.waitFor(() => expect(printed).toContain(`table: '${hall.id(1)}'`), EVENTUALLY);
    hall.seen(hall.id(1), ["e4"]);
    await vi.waitFor(() => expect(printed).toContain("san: [ 'e4' ]"), EVENTUALLY);
  } finally {
    node.kill();
  }
});
