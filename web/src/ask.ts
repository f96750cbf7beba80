// Asking the daemon for something: JSON there, JSON back, and every refusal is a sentence.

import { written } from "./notation";
import { say } from "./say";
import type { Side } from "./vocabulary";

/** Why something was not done, in the daemon's word for it and with what belongs to that. */
interface Because {
  kind: string;
  text?: string;
  side?: Side;
  number?: number;
  moves?: number | string[];
  squares?: string[];
  event?: string;
  known?: string[];
  round?: number;
  rounds?: number[];
  lines?: number[];
  table?: string;
}

/** What came back, or the sentence that says why nothing did. */
export type Answer<T> = { done: T } | { refused: string };

/** A file is sent as it is. */
export async function ask<T>(path: string, body?: unknown): Promise<Answer<T>> {
  const isFile = body instanceof Blob;
  const headers = { accept: "application/json", "content-type": isFile ? "text/plain" : "application/json" };
  const posted = body === undefined ? {} : { method: "POST", body: isFile ? body : JSON.stringify(body) };
  try {
    const response = await fetch(path, { headers, ...posted });
    const said = response.status === 204 ? {} : await response.json();
    if (response.ok) return { done: said as T };
    // A door says what is wrong with what it was told, the hall why it does not do it.
    const { error, refused, because } = said as { error?: string; refused?: string; because?: Because };
    const sentence = error ?? refused;
    return { refused: inWords(because, sentence) ?? sentence ?? say.noAnswer };
  } catch {
    return { refused: say.noAnswer };
  }
}

/** In the reader's language, with the daemon's own sentence where that says more; nothing of what this page has no word for. */
export function inWords(because: Because | undefined, sentence = ""): string | undefined {
  if (because === undefined) return undefined;
  const { kind, text = "", side = "white", number = 0, moves = 0, squares = [], event = "", known = [], round = 0, rounds = [], lines = [], table = "" } = because;
  const several = Array.isArray(moves) ? moves.map((san) => written(san)).join(", ") : moves;
  const list = (all: (string | number)[]) => all.join(", ");
  return say.refusals[kind]?.({ text, side: say[side], number, moves: several, squares: list(squares), event, known: list(known), round, rounds: list(rounds), lines: list(lines), table, sentence });
}

/** The sentence that says that what was ordered is done and not on disk yet. */
export function unrecorded({ done }: { done: unknown }): string | undefined {
  return (done as { unrecorded?: string }).unrecorded;
}

/** What stands behind the `#` of the address, which is never sent by itself. It goes from the address at once. */
export function takeFragment(): string {
  const said = location.hash.slice(1);
  if (said) history.replaceState(null, "", location.pathname);
  return said;
}

/** The token of the printed address is sent once, in a body, and never kept: a cookie takes its place. */
export async function signIn(): Promise<Answer<unknown>> {
  if (!location.hash.startsWith("#token=")) return { done: undefined };
  return ask("/enter", { token: takeFragment().slice("token=".length) });
}
