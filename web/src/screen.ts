// Where a wall keeps what it shows: in its address, or under the name the address gives this screen.

import { readChoice, writeChoice, USUAL, type Choice } from "./choice";
import { recall, remember } from "./memory";

const MINE = ["tables", "order", "boards", "every"];

/** What the address says, on top of what the screen of this name showed last. */
export function open(): Choice {
  const address = new URLSearchParams(location.search);
  const name = screenName();
  const before = name === undefined ? USUAL : readChoice(new URLSearchParams(recall(name) ?? ""));
  return readChoice(address, before);
}

export function keep(choice: Choice): void {
  const name = screenName();
  const address = new URL(location.href);
  MINE.forEach((word) => address.searchParams.delete(word));
  if (name === undefined) Object.entries(writeChoice(choice)).forEach(([word, value]) => address.searchParams.set(word, value));
  else remember(name, new URLSearchParams(writeChoice(choice)).toString());
  history.replaceState(null, "", address);
}

/** The whole view as an address, for another screen that does not know this one's name. */
export function addressOf(choice: Choice): string {
  const address = new URL(location.href);
  for (const word of [...MINE, "screen"]) address.searchParams.delete(word);
  Object.entries(writeChoice(choice)).forEach(([word, value]) => address.searchParams.set(word, value));
  return address.href.replaceAll("%2C", ",");
}

function screenName(): string | undefined {
  const name = new URLSearchParams(location.search).get("screen");
  return name === null || name === "" ? undefined : `screen:${name}`;
}
