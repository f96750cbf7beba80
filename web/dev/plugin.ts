// `npm run dev`: the pages with a hall of eight tables that play by themselves.

import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import type { Plugin } from "vite";

import { FakeHall, playByItself } from "./hall.ts";

const TABLES = Number(process.env["TABLES"] ?? 8);

export function fakeHall(): Plugin {
  return {
    name: "fake-hall",
    apply: "serve",
    configureServer(server) {
      if (process.env["VITEST"]) return;
      const hall = new FakeHall(TABLES);
      playByItself(hall);
      server.httpServer?.on("upgrade", (request, socket, head) => hall.upgrade(request, socket, head));
      server.httpServer?.on("close", () => hall.close());
      server.middlewares.use((request, response, next) => {
        if (hall.answer(request, response)) return;
        request.url = pageOf(request.url ?? "/");
        next();
      });
    },
  };
}

/** Every page is a file beside this folder. */
export const PAGES = readdirSync(resolve(import.meta.dirname, "..")).filter((file) => file.endsWith(".html"));

/** Which file stands behind an address of the daemon. */
export function pageOf(address: string): string {
  const page = `${address.split(/[/?]/)[1] || "index"}.html`;
  return PAGES.includes(page) ? `/${page}` : address;
}
