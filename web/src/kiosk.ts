// A screen nobody attends to (`/?kiosk`): no controls, no pointer, never asleep, and never older than its daemon.

/** Whether this screen is one. */
export const isKiosk = typeof location !== "undefined" && new URLSearchParams(location.search).has("kiosk");

export function beKiosk(): void {
  document.body.classList.add("kiosk");
  void stayAwake();
  document.addEventListener("visibilitychange", () => void stayAwake());
}

/** Browsers grant it on pages that came over TLS or from this machine; elsewhere the screen's own settings count. */
async function stayAwake(): Promise<void> {
  if (document.visibilityState === "visible") await navigator.wakeLock?.request("screen").catch(() => undefined);
}

/**
 * A daemon that was started anew may have other pages, with other words for the same things. Asked once for each run: the
 * page is loaded again only if it is another one, so a daemon that comes and goes does not make the screen flicker.
 */
export class OwnPage {
  private mark: Promise<string | null> | undefined;

  async check(): Promise<void> {
    const asked = fetch(location.pathname, { method: "HEAD", cache: "no-store" }).then(
      (answer) => (answer.ok ? answer.headers.get("etag") : null),
      () => null,
    );
    const [before, after] = await Promise.all([this.mark, asked]);
    if (before && after && before !== after) location.reload();
    else if (after) this.mark = asked;
  }
}
