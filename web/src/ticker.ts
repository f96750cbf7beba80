// One timer for every clock on a page.

/** Tenths are shown below ten seconds; nobody reads more than ten figures a second. */
const TICK_MS = 100;

/** Calls `tick` while the page is visible, with the picture's own frame rate as the limit. */
export function everyTick(tick: () => void): void {
  setInterval(() => {
    if (document.visibilityState === "visible") requestAnimationFrame(tick);
  }, TICK_MS);
}
