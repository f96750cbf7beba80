// Letting somebody in: a code as letters and as a picture, and the passes that were given, each of which can be taken back.

import { ask, unrecorded, type Answer } from "./ask";
import { element } from "./dom";
import { locale, say } from "./say";

export type Pass = { pass: number; role: string; name: string; entered: boolean; since?: number; until?: number };
export type Listener = { option: string; addresses: string[]; fingerprint: string | null };
export type Door = { door: string; listeners: string[]; whom: string; when: string; carries: string };
export type Listing = { listeners: Listener[]; passes: Pass[]; doors: Door[] };
type Invited = { code: string; minutes: number; addresses: string[]; fingerprint: string | null; picture: string | null };

export class Inviting {
  private readonly role = element("select");
  private readonly name = element("input");
  private readonly invited = element("section", "invited");
  private readonly passes = element("table");
  private drawn = "";

  /** `changed` is called where the list is another one, `tell` with what could not be done. */
  constructor(
    place: HTMLElement,
    private readonly changed: () => void,
    private readonly tell: (answer: Answer<string>) => void,
  ) {
    this.role.append(...Object.entries(say.roles).map(([role, name]) => new Option(name, role)));
    [this.role.id, this.name.id, this.invited.id, this.passes.id] = ["role", "name", "invited", "passes"];
    Object.assign(this.name, { placeholder: say.nameHint, maxLength: 60, autocomplete: "off" });
    this.invited.ariaLive = "polite";
    this.invited.hidden = true;
    const label = (words: string, of: HTMLElement) => Object.assign(element("label", "", words), { htmlFor: of.id });
    const form = element("form", "ask", label(say.asRole, this.role), this.role, label(say.name, this.name), this.name, element("button", "button", say.makeCode));
    form.setAttribute("aria-label", say.letIn);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.invite();
    });
    place.append(element("h2", "", say.letIn), form, this.invited, element("h2", "", say.passes), element("div", "wide", this.passes));
  }

  show(passes: Pass[]): void {
    const drawn = JSON.stringify(passes);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const held = this.passes.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset["pass"] : undefined;
    this.passes.replaceChildren(...rows([say.aPass, say.asRole, say.name, say.since, ""], passes.map((pass) => this.row(pass))));
    // The pass that was taken back is gone, and no other one is to be taken back by the same key.
    if (held !== undefined) (this.passes.querySelector<HTMLElement>(`[data-pass="${held}"]`) ?? this.name).focus();
  }

  /** What was shown of a code is nobody's business any more. */
  hide(): void {
    this.invited.hidden = true;
  }

  private row({ pass, role, name, entered, since, until }: Pass): (string | Node)[] {
    const button = element("button", "button", say.takeBack);
    button.type = "button";
    button.dataset["pass"] = String(pass);
    button.setAttribute("aria-label", say.takePassBack(pass, name));
    button.addEventListener("click", () => void this.revoke(pass));
    const waits = until === undefined ? "" : new Date(until).toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
    // Passes of an older build came in nobody knows when.
    const came = since === undefined ? say.cameIn : new Date(since).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
    return [String(pass), say.roles[role as keyof typeof say.roles] ?? role, name, entered ? came : say.codeGoodUntil(waits), button];
  }

  private async invite(): Promise<void> {
    const answer = await ask<Invited>("/invite", { role: this.role.value, name: this.name.value });
    if ("refused" in answer) return this.tell(answer);
    this.present(answer.done);
    this.tellLate(answer);
    this.changed();
  }

  private present({ code, minutes, addresses, fingerprint, picture }: Invited): void {
    const words = element("div", "", element("p", "code", code));
    words.append(element("p", "", say.opensOnce(minutes)));
    words.append(element("ul", "", ...addresses.map((address) => element("li", "", address.split("#")[0] ?? ""))));
    if (fingerprint !== null) words.append(element("p", "", say.certificate(fingerprint)));
    this.invited.replaceChildren();
    if (picture !== null) {
      const image = element("img");
      image.alt = say.addressPicture;
      image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
      this.invited.append(image);
    }
    this.invited.append(words);
    this.invited.hidden = false;
  }

  private async revoke(pass: number): Promise<void> {
    const answer = await ask("/revoke", { pass });
    if ("refused" in answer) this.tell(answer);
    else this.tellLate(answer);
    this.changed();
  }

  private tellLate(answer: { done: unknown }): void {
    const late = unrecorded(answer);
    if (late !== undefined) this.tell({ refused: late });
  }
}

export function rows(head: string[], body: (string | Node)[][]): HTMLElement[] {
  const line = (cells: (string | Node)[], kind: "th" | "td") => element("tr", "", ...cells.map((cell, at) => labelled(element(kind, "", cell), head[at])));
  const empty = element("tr", "", element("td", "", say.none));
  return [element("thead", "", line(head, "th")), element("tbody", "", ...(body.length ? body.map((cells) => line(cells, "td")) : [empty]))];
}

/** A telephone has no room for a line of headings: there each cell says its own. */
function labelled(cell: HTMLElement, words = ""): HTMLElement {
  if (words !== "") cell.dataset["label"] = words;
  return cell;
}
