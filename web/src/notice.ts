// The line that says a picture may be old, until the feed is heard again; or what the daemon says of its record.

import { byId, setText } from "./dom";
import { language, say } from "./say";

const page = () => document.documentElement.classList;

/** What the daemon said last of its record. */
let said = "";

export function showNotice(words: string): void {
  said = words;
  if (!page().contains("stale")) setText(byId("notice"), said);
}

export function showStale(stale: boolean): void {
  page().toggle("stale", stale);
  const time = new Date().toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
  const words = page().contains("known") ? say.noContactWithHall(time) : say.waitingForHall;
  setText(byId("notice"), stale ? words : said);
  if (!stale) page().add("known");
}
