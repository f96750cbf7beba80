import { beforeEach, expect, test } from "vitest";

import type { Order } from "./answers";
import type { Answer } from "./ask";
import { Deeds } from "./deeds";
import type { Deed } from "./panels/panel";

const REFUSED = "The daemon does not answer.";

let deeds: Deeds;
let given: string[];
let told: Answer<string>[];
let isDeaf: boolean;

beforeEach(() => {
  [given, told, isDeaf] = [[], [], false];
  deeds = new Deeds({
    async order({ command }) {
      if (isDeaf) return { refused: REFUSED };
      given.push(command);
      return { done: {} };
    },
    tell: (answer) => void told.push(answer),
    changed: async () => {},
  });
});

test("what is taken back leaves the list, by the key too, and is not taken back twice", async () => {
  const [four, one] = [deed("4"), deed("1")];
  await deeds.give(four);
  await deeds.takeBack();
  await deeds.give(one);
  expect(words()).toEqual(["1", "taken back: 4"]);
  await deeds.takeBack(four);
  expect(given).toEqual(["do 4", "undo 4", "do 1"]);
  await deeds.takeBack();
  expect(given.at(-1)).toBe("undo 1");
});

test("a deed that could not be taken back is still there to be taken back", async () => {
  await deeds.give(deed("4"));
  isDeaf = true;
  await deeds.takeBack(deeds.list[0]);
  expect(told.at(-1)).toEqual({ refused: REFUSED });
  expect(words()).toEqual(["4"]);
  isDeaf = false;
  await deeds.takeBack();
  expect(given).toEqual(["do 4", "undo 4"]);
});

test("a button pressed twice takes back once; what was taken back is done again by taking that back", async () => {
  const four = deed("4");
  await deeds.give(four);
  await Promise.all([deeds.takeBack(four), deeds.takeBack(four)]);
  expect(given).toEqual(["do 4", "undo 4"]);
  await deeds.takeBack();
  expect(given).toEqual(["do 4", "undo 4", "do 4"]);
  expect(words()).toEqual(["taken back: taken back: 4"]);
});

test("what is taken back while it is still on its way is the last that was ordered, and one that was changed since stays", async () => {
  void deeds.give(deed("4"));
  await deeds.takeBack();
  expect(given).toEqual(["do 4", "undo 4"]);
  await deeds.give({ ...deed("1"), since: () => "somebody else has changed it" });
  await deeds.takeBack();
  expect(told.at(-1)).toEqual({ refused: "somebody else has changed it" });
  expect(words()[0]).toBe("1");
});

test("the last twenty are kept", async () => {
  for (let number = 1; number <= 25; number += 1) await deeds.give(deed(String(number)));
  expect([deeds.list.length, words()[0], words().at(-1)]).toEqual([20, "25", "6"]);
});

function deed(words: string): Deed {
  const order = (what: string): Order => ({ command: `${what} ${words}` });
  return { words, orders: [order("do")], back: [order("undo")] };
}

function words(): string[] {
  return deeds.list.map(({ words }) => words);
}
