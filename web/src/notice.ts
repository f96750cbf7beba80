// The line that says a picture may be old, until the feed is heard again; or what the daemon says of its record, and by
// how much it is behind on purpose.

import { byId, setText } from "./dom";
import { language, say } from "./say";
import type { Table } from "./vocabulary";

const page = () => document.documentElement.classList;

/** What the daemon said last of its record, and of a delay; and that moves it has told are not to be had. */
let said = "";
let delay = "";
let unread = "";

export function showNotice(words: string): void {
  said = words;
  write();
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

/** By how much these tables are behind; the furthest counts. */
export function showDelay(tables: Iterable<Table>): void {
  const delays = [...tables].flatMap((table) => table.delay ?? []);
  const [seconds, plies] = [Math.max(0, ...delays.map((one) => one.seconds)), Math.max(0, ...delays.map((one) => one.plies ?? 0))];
  const words = [seconds > 0 ? say.secondsLate(span(seconds)) : "", plies > 0 ? say.pliesLate(plies) : ""];
  delay = words.filter((word) => word !== "").join(" ");
  write();
}

function write(): void {
  if (!page().contains("stale")) setText(byId("notice"), [unread, said, delay].filter((words) => words !== "").join(" "));
}

/** Minutes where they come out even. */
function span(seconds: number): string {
  const [count, unit] = seconds % 60 === 0 ? [seconds / 60, "minute"] : [seconds, "second"];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}
