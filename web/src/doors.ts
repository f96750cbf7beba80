// Who may come in: invitations, passes, listeners and the table of doors, for the operator.

import "./style.css";
import "./paper.css";
import "./doors.css";

import { ask, takeFragment } from "./ask";
import { byId, element, icon, setText } from "./dom";
import { offerTheme } from "./theme";

type Pass = { pass: number; role: string; name: string; entered: boolean; until?: number };
type Door = { door: string; listeners: string[]; whom: string; when: string; carries: string };
type Listener = { option: string; addresses: string[]; fingerprint: string | null };
type Listing = { listeners: Listener[]; passes: Pass[]; doors: Door[] };
type Invited = { code: string; minutes: number; addresses: string[]; fingerprint: string | null; picture: string | null };

const HELP = "Open the operator's address that the daemon printed at its start, or ask for a code and open /join.";

byId("back").append(icon("back"));
offerTheme();
byId("invite").addEventListener("submit", (event) => {
  event.preventDefault();
  void invite();
});
byId("leave").addEventListener("click", () => void leave());
addEventListener("hashchange", () => void open());
void open();

/** The token of the printed address is sent once, in a body, and never kept: a cookie takes its place. */
async function open(): Promise<void> {
  const [word, token] = takeFragment().split("=");
  if (word === "token" && token) {
    const answer = await ask("/enter", { token });
    if ("refused" in answer) return setText(byId("answer"), answer.refused);
  }
  await list();
}

async function list(): Promise<void> {
  const answer = await ask<Listing>("/doors.json");
  const isIn = "done" in answer;
  byId("inside").hidden = byId("leave").hidden = !isIn;
  setText(byId("answer"), isIn ? "" : `${answer.refused} ${HELP}`);
  if (!isIn) return;
  const { passes, listeners, doors } = answer.done;
  byId("passes").replaceChildren(...rows(["Pass", "As", "Name", "Since", ""], passes.map(passRow)));
  byId("listeners").replaceChildren(...listeners.map(listenerRow));
  const cells = doors.map((door) => [door.door, door.listeners.join(" ") || "this machine", door.whom, door.when, door.carries]);
  byId("doors").replaceChildren(...rows(["Door", "Listeners", "For", "When", "Carries"], cells));
}

function passRow({ pass, role, name, entered, until }: Pass): (string | Node)[] {
  const button = element("button", "button", "Take back");
  button.type = "button";
  button.setAttribute("aria-label", `Take pass ${pass} of ${name} back`);
  button.addEventListener("click", () => void revoke(pass));
  const waits = until === undefined ? "" : new Date(until).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return [String(pass), role, name, entered ? "came in" : `code good until ${waits}`, button];
}

function listenerRow({ option, addresses, fingerprint }: Listener): HTMLElement {
  const told = addresses.map((address) => element("div", "", address));
  const proof = fingerprint === null ? [] : [element("div", "", `SHA-256 ${fingerprint}`)];
  return element("div", "", element("dt", "", element("code", "", option)), element("dd", "", ...told, ...proof));
}

function rows(head: string[], body: (string | Node)[][]): HTMLElement[] {
  const line = (cells: (string | Node)[], kind: "th" | "td") => element("tr", "", ...cells.map((cell) => element(kind, "", cell)));
  const empty = element("tr", "", element("td", "", "None."));
  return [element("thead", "", line(head, "th")), element("tbody", "", ...(body.length ? body.map((cells) => line(cells, "td")) : [empty]))];
}

async function invite(): Promise<void> {
  const value = (id: string) => (byId(id) as HTMLInputElement | HTMLSelectElement).value;
  const answer = await ask<Invited>("/invite", { role: value("role"), name: value("name") });
  if ("refused" in answer) return setText(byId("answer"), answer.refused);
  show(answer.done);
  await list();
}

function show({ code, minutes, addresses, fingerprint, picture }: Invited): void {
  const words = element("div", "", element("p", "code", code));
  words.append(element("p", "", `Opens once, in the next ${minutes} minutes. Scan the picture, or open one of these and type the code:`));
  words.append(element("ul", "", ...addresses.map((address) => element("li", "", address.split("#")[0] ?? ""))));
  if (fingerprint !== null) words.append(element("p", "", `The browser will warn of the certificate. It is the right one if its SHA-256 is ${fingerprint}`));
  const shown = byId("invited");
  shown.replaceChildren();
  if (picture !== null) {
    const image = element("img");
    image.alt = "The first address as a picture for telephones";
    image.src = `data:image/svg+xml,${encodeURIComponent(picture)}`;
    shown.append(image);
  }
  shown.append(words);
  shown.hidden = false;
}

async function revoke(pass: number): Promise<void> {
  const answer = await ask("/revoke", { pass });
  if ("refused" in answer) setText(byId("answer"), answer.refused);
  await list();
}

async function leave(): Promise<void> {
  await ask("/leave", {});
  byId("invited").hidden = true;
  await list();
}
