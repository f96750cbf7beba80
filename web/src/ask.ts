// Asking the daemon for something: JSON there, JSON back, and every refusal is a sentence.

import { say } from "./say";

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
    const { error, refused } = said as { error?: string; refused?: string };
    return { refused: error ?? refused ?? say.noAnswer };
  } catch {
    return { refused: say.noAnswer };
  }
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
