// The line that says a picture may be old, until the feed is heard again; or what the daemon says of its record, and by
// how much it is behind on purpose.

import { behind } from "./behind";
import { byId, element, setText } from "./dom";
import { language, say } from "./say";
import type { Round, Table, Trouble } from "./vocabulary";
import { eventName } from "./words";

const page = () => document.documentElement.classList;

/** What the daemon said last of its record, and of a delay; and that moves it has told are not to be had. */
let said: { words: string; language: string } = { words: "", language };
let delay = "";
let unread = "";

/** The daemon says it in English, with the hall's time. What the staff is told beyond that nobody has translated. */
export function showNotice(words: string, troubles: Trouble[]): void {
  const ours = troubles.map(troubleWords);
  const isKnown = ours.length > 0 && ours.every((one) => one !== undefined);
  said = isKnown ? { words: ours.join(" "), language } : { words, language: "en" };
  write();
}

/** Nothing where the daemon is newer than this page and knows more. */
function troubleWords(trouble: Trouble): string | undefined {
  switch (trouble.kind) {
    case "not_recorded":
      return say.notRecorded(clock(trouble.since));
    case "hall_damaged":
      return say.hallDamaged;
    case "round_damaged":
      return say.roundDamaged(eventName(trouble.event), trouble.round);
    case "fallen_behind":
      return say.fallenBehind;
    default:
      return undefined;
  }
}

export function showStale(stale: boolean, heardAt?: number): void {
  page().toggle("stale", stale);
  if (!stale) page().add("known");
  if (stale) setText(byId("notice"), heardAt === undefined ? say.waitingForHall : say.noContactWithHall(clock(heardAt)));
  else write();
}

/** The time of the day where this is read. */
function clock(at: number): string {
  return new Date(at).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", second: "2-digit", hour12: false });
}

/** The feed is heard, and the moves in words are not. */
export function showUnread(isUnread: boolean): void {
  unread = isUnread ? say.movesUnread : "";
  write();
}

/** By how much these tables are behind. */
export function showDelay(tables: Iterable<Table>, rounds: Round[] = []): void {
  delay = behind([...tables], rounds);
  write();
}

function write(): void {
  if (page().contains("stale")) return;
  const ours = (words: string) => ({ words, language });
  const parts = [ours(unread), said, ours(delay)].filter(({ words }) => words !== "");
  const place = byId("notice");
  // It is announced when it changes, and not with each frame.
  if (place.textContent === parts.map(({ words }) => words).join(" ")) return;
  const spoken = parts.map(({ words, language }) => Object.assign(element("span", "", words), { lang: language }));
  place.replaceChildren(...spoken.flatMap((one, index) => (index === 0 ? [one] : [" ", one])));
}
