// The feed, documented by itself: its own frames live, samples, and a client to copy.

import "./style.css";
import "./paper.css";

import { client, NODE_20 } from "./client";
import { byId, element, icon, setText } from "./dom";
import { browserWorld, Feed, PATH } from "./feed";
import { showNotice, showStale } from "./notice";
import { pretty } from "./pretty";
import samples from "./samples.json";
import { offerTheme } from "./theme";
import type { Hall } from "./fold";

/** Enough to see the rhythm; older frames leave the page. */
const KEPT_FRAMES = 12;

/** A table, where the hall has none yet. */
const SOMEWHERE = "open/3/12";

let heard = 0;

byId("back").append(icon("back"));
byId("bodies").append(...samples.second.map(sample));
byId("first").append(...samples.bodies.map(sample), ...samples.events.map(sample));
byId("all-orders").append(...samples.orders.map(sample));
setText(byId("code"), client(socketAddress()));
setText(byId("node"), NODE_20);
setText(byId("shell"), shell(SOMEWHERE));
offerTheme();
new Feed(browserWorld(), { picture, stale: showStale, notice: showNotice, frame }).start();

/** The examples are about a table of this hall, so that they can be copied as they stand. */
function picture(hall: Hall): void {
  const [first] = [...hall.keys()];
  setText(byId("shell"), shell(first ?? SOMEWHERE));
}

function sample({ name, says, needs, json }: { name: string; says: string; needs?: string; json: unknown }): HTMLElement {
  const code = element("pre", "", pretty(json));
  code.tabIndex = 0;
  code.setAttribute("aria-label", `Sample of ${name}`);
  const words = element("div", "says", element("h3", "", name), element("p", "", ...withCode(says)));
  if (needs) words.append(element("p", "needs", "It needs ", ...withCode(needs), "."));
  return element("section", "sample", words, code);
}

/** What stands between back quotes is code. */
function withCode(text: string): (Node | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? element("code", "", part) : part));
}

function frame(text: string): void {
  heard += 1;
  setText(byId("count"), String(heard));
  const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
  const code = element("pre", "", pretty(JSON.parse(text)));
  const line = element("li", "", element("span", "time", time), code);
  const list = byId("frames");
  list.prepend(line);
  while (list.children.length > KEPT_FRAMES) list.lastElementChild?.remove();
}

function socketAddress(): string {
  return `${location.origin.replace("http", "ws")}${PATH}`;
}

function shell(table: string): string {
  const here = location.origin;
  return `# How everything stands
curl -s ${here}/snapshot

# One game as PGN
curl -s ${here}/pgn/${table}

# Name the players of a table. The token stands in STATE/operator.token
curl -s ${here}/command \\
  -H "Authorization: Bearer $(cat STATE/operator.token)" \\
  -H "Content-Type: application/json" \\
  -d '{"table": "${table}", "command": "pair", "white": {"name": "Okafor, Ada"}, "black": {"name": "Lindqvist, Jonas"}}'
`;
}
