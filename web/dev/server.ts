// Serves the built pages as the daemon does, security policy included, with a fake hall behind them.

import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, resolve } from "node:path";

import type { FakeHall } from "./hall.ts";
import { pageOf } from "./plugin.ts";

const DIST = resolve(import.meta.dirname, "../dist");
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export interface FakeServer {
  address: string;
  port: number;
  close(): Promise<void>;
}

/** `build` is what the pages are marked with, as each build of the daemon marks its own. */
export async function serve(hall: FakeHall, port = 0, build = "this build"): Promise<FakeServer> {
  const server = createServer((request, response) => {
    if (hall.answer(request, response)) return;
    const file = resolve(DIST, `.${pageOf(new URL(request.url ?? "/", "http://hall").pathname)}`);
    if (!file.startsWith(DIST) || !existsSync(file)) {
      response.statusCode = 404;
      return void response.end();
    }
    response.setHeader("etag", JSON.stringify(build));
    response.setHeader("content-security-policy", "default-src 'self'");
    response.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
    response.end(readFileSync(file));
  });
  server.on("upgrade", (request, socket, head) => hall.upgrade(request, socket, head) || socket.destroy());
  await listen(server, port);
  const at = (server.address() as AddressInfo).port;
  const close = async () => {
    hall.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { address: `http://127.0.0.1:${at}`, port: at, close };
}

async function listen(server: Server, port: number): Promise<void> {
  await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
}
