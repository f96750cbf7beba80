// Dark, light or high contrast: as the system says, until somebody chooses. `early.js` reads it back before the first paint.

import { byId, icon } from "./dom";
import { remember } from "./memory";
import { say } from "./say";

export const THEMES = ["dark", "light", "contrast"] as const;
export type Theme = (typeof THEMES)[number];

export function offerTheme(): void {
  const button = byId("theme");
  button.append(icon("theme"));
  const name = () => button.setAttribute("aria-label", (button.title = `${say.colours}: ${say[shown()]}`));
  button.addEventListener("click", () => {
    paint(THEMES[(THEMES.indexOf(shown()) + 1) % THEMES.length]!);
    name();
  });
  name();
}

/** Remembered from here on; `undefined` is as the system says. */
export function paint(theme: Theme | undefined): void {
  if (theme === undefined) delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  remember("theme", theme);
}

export function chosenTheme(): Theme | undefined {
  return THEMES.find((theme) => theme === document.documentElement.dataset["theme"]);
}

function shown(): Theme {
  return chosenTheme() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
}
