// What this browser remembers between two visits, or a window while it is there. A private window may refuse; then a choice
// lasts as long as its page.

/** Where it is kept. Even to name that may be refused. */
type Keeper = () => Storage;
const browser: Keeper = () => localStorage;

export function recall(name: string, keeper = browser): string | undefined {
  try {
    return keeper().getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Forgets it where there is nothing to remember. */
export function remember(name: string, value: string | undefined, keeper = browser): void {
  try {
    if (value === undefined) keeper().removeItem(name);
    else keeper().setItem(name, value);
  } catch {
    // See above.
  }
}
