// In which language the page speaks, and its words: one file a language in `lang/`.

import type { Words } from "./lang/en";
import { recall } from "./memory";

/** Each is fetched only by those who speak it. */
export const LANGUAGES = {
  en: async () => (await import("./lang/en")).en,
  de: async () => (await import("./lang/de")).de,
  es: async () => (await import("./lang/es")).es,
} satisfies Record<string, () => Promise<Words>>;
export type Language = keyof typeof LANGUAGES;

/** What each language is called by those who speak it. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", de: "Deutsch", es: "Español" };

export const language: Language = chosen();
/** How days and times are written: those who read English here are in Europe more often than not. */
export const locale = language === "en" ? "en-GB" : language;
export const say: Words = await LANGUAGES[language]();

/** The address, then what was chosen here before, then what the browser asks for. */
function chosen(): Language {
  if (typeof document === "undefined") return "en"; // Tests run without a page, on machines of any language.
  const wanted = [new URLSearchParams(location.search).get("lang"), recall("lang"), ...navigator.languages];
  const known = wanted.map((tag) => tag?.slice(0, 2)).find((tag) => tag !== undefined && tag in LANGUAGES);
  return (known as Language | undefined) ?? "en";
}

/** What a round is called, and from where its games begin where that is not the usual position. */
export function roundName({ round, chess960 }: { round: number; chess960?: number }): string {
  return chess960 === undefined || chess960 === 518 ? say.round(round) : `${say.round(round)} · Chess960 ${chess960}`;
}

/** A word that needs nothing filled in. */
export type Plain = { [Key in keyof Words]: Words[Key] extends string ? Key : never }[keyof Words];

/**
 * Puts the words where the page was written without: `data-say` names the text of an element, `data-label` its name for
 * those who do not see it.
 */
export function speak(): void {
  document.documentElement.lang = language;
  for (const place of document.querySelectorAll<HTMLElement>("[data-say]")) place.textContent = say[place.dataset["say"] as Plain];
  for (const place of document.querySelectorAll<HTMLElement>("[data-label]")) {
    place.setAttribute("aria-label", say[place.dataset["label"] as Plain]);
    if (place instanceof HTMLButtonElement || place instanceof HTMLAnchorElement) place.title = say[place.dataset["label"] as Plain];
  }
}
