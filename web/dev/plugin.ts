// `npm run dev`: the pages with a hall of eight tables that play by themselves.

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

/** Which file stands behind an address of the daemon. */
export function pageOf(address: string): string {
  if (address.startsWith("/table/")) return "/table.html";
  if (/^\/overlay(\/|$)/.test(address)) return "/overlay.html";
  if (/^\/listen(\/|$)/.test(address)) return "/listen.html";
  if (/^\/(feed|console)\/?$/.test(address)) return `/${address.split("/")[1]}.html`;
  return address === "/" ? "/index.html" : address;
}
