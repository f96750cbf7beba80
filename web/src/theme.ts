// Dark or light: as the system says, until somebody presses the button. `early.js` reads it back before the first paint.

import { byId, icon } from "./dom";

export function offerTheme(): void {
  const button = byId("theme");
  button.append(icon("theme"));
  button.addEventListener("click", () => {
    const root = document.documentElement;
    const next = isDark(root) ? "light" : "dark";
    root.dataset["theme"] = next;
    try {
      localStorage.setItem("theme", next);
    } catch {
      // A private window may refuse; the choice then lasts as long as the page.
    }
  });
}

function isDark(root: HTMLElement): boolean {
  const chosen = root.dataset["theme"];
  return chosen === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
}
