// The line that says a picture may be old. It stays until the feed is heard again.

import { byId, setText } from "./dom";
import { language, say } from "./say";

const page = () => document.documentElement.classList;

export function showStale(stale: boolean): void {
  page().toggle("stale", stale);
  const time = new Date().toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
  const words = page().contains("known") ? say.noContactWithHall(time) : say.waitingForHall;
  setText(byId("notice"), stale ? words : "");
  if (!stale) page().add("known");
}
