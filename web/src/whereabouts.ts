// Where somebody was on a page that is scrolled, for when they come back to it in the same window. Its tables come after the
// page itself, so a browser that returns finds it too short for the place it remembers.

const name = (): string => `at ${location.pathname}${location.search}`;

/** Remembers the place whenever the page is left or put aside. */
export function keepPlace(): void {
  history.scrollRestoration = "manual";
  const keep = () => write(String(Math.round(scrollY)));
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && keep());
}

/** Back there, unless somebody has gone elsewhere meanwhile. */
export function returnToPlace(): void {
  const at = Number(read());
  if (at > 0 && scrollY === 0) scrollTo(0, at);
}

/** A private window may refuse, as in `memory.ts`; then a page begins at its top. */
function read(): string | null {
  try {
    return sessionStorage.getItem(name());
  } catch {
    return null;
  }
}

function write(value: string): void {
  try {
    sessionStorage.setItem(name(), value);
  } catch {
    // See above.
  }
}
