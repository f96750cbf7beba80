// Where somebody was on a page that is scrolled, for when they come back to it in the same window. Its tables come after the
// page itself, so a browser that returns finds it too short for the place it remembers.

import { recall, remember } from "./memory";

const ofWindow = () => sessionStorage;
const name = (): string => `at ${location.pathname}${location.search}`;

/** Remembers the place whenever the page is left or put aside. */
export function keepPlace(): void {
  history.scrollRestoration = "manual";
  const keep = () => remember(name(), String(Math.round(scrollY)), ofWindow);
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && keep());
}

/** Back there, unless somebody has gone elsewhere meanwhile. */
export function returnToPlace(): void {
  const at = Number(recall(name(), ofWindow));
  if (at > 0 && scrollY === 0) scrollTo(0, at);
}
