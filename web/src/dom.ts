// Elements without markup: what comes from outside is only ever text.

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** Sets text only where it changes, so that nothing is laid out or announced twice. */
export function setText(node: Node, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** Says something in a live region: the same words twice are not announced twice, unless something differs. */
export function announce(region: Node, words: string): void {
  region.textContent = region.textContent === words ? `${words}\u00a0` : words;
}

/**
 * Puts nodes in this order, and leaves alone what stands right: a finger or the keyboard may be on it. What has to go
 * elsewhere takes the keyboard along.
 */
export function putInOrder(place: HTMLElement, wanted: HTMLElement[]): void {
  const held = place.contains(document.activeElement) ? (document.activeElement as HTMLElement) : undefined;
  for (const old of [...place.children]) if (!wanted.includes(old as HTMLElement)) old.remove();
  wanted.forEach((node, index) => {
    if (place.children[index] !== node) place.insertBefore(node, place.children[index] ?? null);
  });
  if (held !== document.activeElement) held?.focus({ preventScroll: true });
}

/** The element a page was written with. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

const SHAPES = {
  lost: "M4 4l16 16M9 7V4m6 3V4M8 8.5V12a4 4 0 0 0 5.6 3.7M16 12V8h-4.5M12 16v4",
  checking: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zm5 12l4.5 4.5",
  stopped: "M9 5v14M15 5v14",
  ended: "M6 21V4m0 0h12l-2.5 4L18 12H6",
  waiting: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zm0 4v4.5l3 2",
  playing: "M8 5l10 7-10 7z",
  flip: "M7 4v15m0 0l-3.5-3.5M7 19l3.5-3.5M17 20V5m0 0l-3.5 3.5M17 5l3.5 3.5",
  theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  back: "M15 5l-7 7 7 7",
  forth: "M9 5l7 7-7 7",
  start: "M18 5l-7 7 7 7M6 5v14",
  end: "M6 5l7 7-7 7M18 5v14",
  choose: "M4 7h9m5 0h2M4 17h2m5 0h9M13 7a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0zM6 17a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0z",
  share: "M12 4v11M12 4L8 8m4-4l4 4M5 13v6h14v-6",
  file: "M12 4v11m0 0l-4.5-4.5M12 15l4.5-4.5M5 20h14",
};

export type Icon = keyof typeof SHAPES;

/** A line drawing in the colour of the text around it. */
export function icon(name: Icon): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("class", `icon icon-${name}`);
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}
