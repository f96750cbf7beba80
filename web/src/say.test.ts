import { expect, test } from "vitest";

import type { Words } from "./lang/en";
import { LANGUAGES as LOADED, type Language } from "./say";

const LANGUAGES = Object.fromEntries(await Promise.all(Object.entries(LOADED).map(async ([name, load]) => [name, await load()]))) as Record<Language, Words>;
const { en, ...others } = LANGUAGES;

/** What is rightly the same in two languages. */
const ALIKE = new Set(["name", "code", "seconds", "took", "minutes", "pairingsHint", "manLetters.K", "manLetters.R", "manLetters.Q", "manLetters.B"]);

test.each(Object.keys(others) as (keyof typeof others)[])("%s lacks no word, and has translated each", (language) => {
  const [ours, theirs] = [words("en"), words(language)];
  expect(Object.keys(theirs)).toEqual(Object.keys(ours));
  const empty = Object.entries(theirs).filter(([, word]) => word.trim() === "");
  const same = Object.entries(theirs).filter(([name, word]) => word === ours[name] && !ALIKE.has(name));
  expect([empty, same]).toEqual([[], []]);
});

test("what is filled in is said, in every language", () => {
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    const silent = Object.entries(LANGUAGES[language]).filter(([, word]) => typeof word === "function" && !filled(word).includes("7"));
    expect(silent.map(([name]) => `${language}: ${name}`)).toEqual([]);
  }
});

test("one of something is not said as many are, in any language", () => {
  const counted = ["tablesOf", "takenBackMoves", "completedMoves", "pliesLate", "movesLate"] as const;
  for (const [language, words] of Object.entries(LANGUAGES)) {
    const alike = counted.filter((name) => words[name](1).replace("1", "2") === words[name](2));
    expect(alike, language).toEqual([]);
  }
});

/** What may be filled in where something was refused. */
const SAID = { text: "7", side: "7", moves: "7", number: 7, squares: "7" };

/** Every word by its name, with something filled in where something is wanted. */
function words(language: Language): Record<string, string> {
  return Object.fromEntries(
    Object.entries(LANGUAGES[language]).flatMap(([name, word]) => {
      if (typeof word === "string") return [[name, word]];
      if (typeof word === "function") return [[name, filled(word)]];
      return Object.entries(word).map(([inner, text]) => [`${name}.${inner}`, typeof text === "function" ? text(SAID) : text]);
    }),
  ) as Record<string, string>;
}

function filled(word: Function): string {
  return String((word as (...given: string[]) => string)(...Array<string>(word.length).fill("7")));
}
