import { expect, test } from "vitest";

import { de } from "./lang/de";
import { written } from "./notation";

test("men have the letters of the language or are drawn, and all else stays", () => {
  expect(["Nf3", "exd8=Q+", "O-O-O", "R1xb4#", "e4"].map((san) => written(san, "letters", de.manLetters))).toEqual(["Sf3", "exd8=D+", "O-O-O", "T1xb4#", "e4"]);
  expect(written("Qh4+", "figurines")).toBe("♕h4+");
});
