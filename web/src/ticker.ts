// One timer for every clock on a page.

/** Where tenths are shown: nobody reads more than ten figures a second. */
const TENTH_MS = 100;
/**
 * Where none are: so much a second may be late on a screen without an eye seeing it, and clocks that were pressed at any
 * moment change together, so that a wall of them is painted four times a second and not at each of its clocks' own seconds.
 */
const CALM_MS = 250;

/** Calls `tick` while the page is visible; `isCalm` says that no clock on it shows tenths. */
export function everyTick(tick: () => void, isCalm = () => false): void {
  const beat = () => {
    if (document.visibilityState === "visible") tick();
    setTimeout(beat, isCalm() ? CALM_MS : TENTH_MS);
  };
  setTimeout(beat, TENTH_MS);
}
