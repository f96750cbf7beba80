// A time control as people write it. Pure.

import type { TimeControl } from "../vocabulary";

const MINUTES = "(?:min(?:\\.|utes|uten|utos)?|['’′])?";
const SECONDS = "(?:s(?:\\.|ec\\.?|ek\\.?|eg\\.?)?|''|[\"”″])?";
const WRITTEN = new RegExp(`^(\\d{1,4})\\s*${MINUTES}\\s*(?:\\+\\s*(\\d{1,4})\\s*${SECONDS})?$`, "i");

/** `90+30`: minutes, and seconds for each move. Nothing where nothing is written; what might mean something else is unclear. */
export function readTimeControl(text: string): TimeControl | "unclear" | undefined {
  const written = text.trim();
  if (written === "") return undefined;
  const [, minutes, seconds = "0"] = WRITTEN.exec(written) ?? [];
  if (minutes === undefined || Number(minutes) + Number(seconds) === 0) return "unclear";
  return { base_s: Number(minutes) * 60, increment_s: Number(seconds) };
}

/** As it is written in the field. */
export function timeControlFigures({ base_s: base, increment_s: increment }: TimeControl): string {
  return increment === 0 ? `${base / 60}` : `${base / 60}+${increment}`;
}
