// Who may come in: invitations, passes, listeners and the table of doors, for the operator.

import "./style.css";
import "./paper.css";
import "./staff.css";
import "./doors.css";

import { ask, signIn } from "./ask";
import { byId, element, icon, setText } from "./dom";
import { language, say, speak } from "./say";
import { offerTheme } from "./theme";

type Pass = { pass: number; role: string; name: string; entered: boolean; until?: number };
type Door = { door: string; listeners: string[]; whom: string; when: string; carries: string };
type Listener = { option: string; addresses: string[]; fingerprint: string | null };
type Listing = { listeners: Listener[]; passes: Pass[]; doors: Door[] };
type Invited = { code: string; minutes: number; addresses: string[]; fingerprint: string | null; picture: string | null };

speak();
document.title = `${say.doors} · Escaque`;
(byId("name") as HTMLInputElement).placeholder = say.nameHint;
byId("role").append(...Object.entries(say.roles).map(([role, name]) => new Option(name, role)));
byId("back").append(icon("back"));
offerTheme();
byId("invite").addEventListener("submit", (event) => {
  event.preventDefault();
  void invite();
});
byId("leave").addEventListener("click", () => void leave());
addEventListener("hashchange", () => void open());
void open();

async function open(): Promise<void> {
  const answer = await signIn();
  if ("refused" in answer) return setText(byId("answer"), answer.refused);
  await list();
}

async function list(): Promise<void> {
  const answer = await ask<Listing>("/doors.json");
  const isIn = "done" in answer;
  byId("inside").hidden = byId("leave").hidden = byId("operate").hidden = !isIn;
  setText(byId("answer"), isIn ? "" : `${answer.refused} ${say.operatorHelp}`);
  if (!isIn) return;
  const { passes, listeners, doors } = answer.done;
  byId("passes").replaceChildren(...rows([say.aPass, say.asRole, say.name, say.since, ""], passes.map(passRow)));
  byId("listeners").replaceChildren(...listeners.map(listenerRow));
  const cells = doors.map((door) => [door.door, door.listeners.join(" ") || say.thisMachine, door.whom, door.when, door.carries]);
  byId("doors").replaceChildren(...rows([say.door, say.listeners, say.whom, say.when, say.carries], cells));
}

function passRow({ pass, role, name, entered, until }: Pass): (string | Node)[] {
  const button = element("button", "button", say.takeBack);
  button.type = "button";
  button.setAttribute("aria-label", say.takePassBack(pass, name));
  button.addEventListener("click", () => void revoke(pass));
  const waits = until === undefined ? "" : new Date(until).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit" });
  return [String(pass), say.roles[role as keyof typeof say.roles] ?? role, name, entered ? say.cameIn : say.codeGoodUntil(waits), button];
}

function listenerRow({ option, addresses, fingerprint }: Listener): HTMLElement {
  const told = addresses.map((address) => element("div", "", address));
  const proof = fingerprint === null ? [] : [element("div", "", `SHA-256 ${fingerprint}`)];
  return element("div", "", element("dt", "", element("code", "", option)), element("dd", "", ...told, ...proof));
}

function rows(head: string[], body: (string | Node)[][]): HTMLElement[] {
  const line = (cells: (string | Node)[], kind: "th" | "td") => element("tr", "", ...cells.map((cell) => element(kind, "", cell)));
  const empty = element("tr", "", element("td", "", say.none));
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
  words.append(element("p", "", say.opensOnce(minutes)));
  words.append(element("ul", "", ...addresses.map((address) => element("li", "", address.split("#")[0] ?? ""))));
  if (fingerprint !== null) words.append(element("p", "", say.certificate(fingerprint)));
  const shown = byId("invited");
  shown.replaceChildren();
  if (picture !== null) {
    const image = element("img");
    image.alt = say.addressPicture;
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
