// The line that says a picture may be old. It stays until the feed is heard again.

import { byId, setText } from "./dom";

export function showStale(stale: boolean): void {
  document.documentElement.classList.toggle("stale", stale);
  const time = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
  const known = document.documentElement.classList.contains("known");
  const words = known
    ? `No contact with the hall. Shown as last heard before ${time}; trying again by itself.`
    : "Waiting for the hall. Is the daemon running?";
  setText(byId("notice"), stale ? words : "");
  if (!stale) document.documentElement.classList.add("known");
}
