// Who may come in: invitations, passes, listeners and the table of doors, for the operator.

import "./style.css";
import "./paper.css";
import "./staff.css";
import "./doors.css";

import { ask, signIn } from "./ask";
import { byId, element, icon, setText } from "./dom";
import { Inviting, rows, type Listener, type Listing } from "./inviting";
import { say, speak } from "./say";
import { offerTheme } from "./theme";

speak();
document.title = `${say.doors} · Escaque`;
byId("back").append(icon("back"));
offerTheme();
const inviting = new Inviting(byId("inviting"), () => void list(), (answer) => setText(byId("answer"), "refused" in answer ? answer.refused : answer.done));
byId("leave").addEventListener("click", () => void leave());
addEventListener("hashchange", () => void open());
void open();

async function open(): Promise<void> {
  const answer = await signIn();
  setText(byId("answer"), "refused" in answer ? answer.refused : "");
  if (!("refused" in answer)) await list();
}

async function list(): Promise<void> {
  const answer = await ask<Listing>("/doors.json");
  const isIn = "done" in answer;
  byId("inside").hidden = byId("leave").hidden = byId("operate").hidden = !isIn;
  // What came of an order stays, though the list is another one for it.
  if (!isIn) return setText(byId("answer"), `${answer.refused} ${say.operatorHelp}`);
  const { passes, listeners, doors } = answer.done;
  inviting.show(passes);
  byId("listeners").replaceChildren(...listeners.map(listenerRow));
  const cells = doors.map((door) => [door.door, door.listeners.join(" ") || say.thisMachine, door.whom, door.when, door.carries]);
  byId("doors").replaceChildren(...rows([say.door, say.listeners, say.whom, say.when, say.carries], cells));
}

function listenerRow({ option, addresses, fingerprint }: Listener): HTMLElement {
  const told = addresses.map((address) => element("div", "", address));
  const proof = fingerprint === null ? [] : [element("div", "", `SHA-256 ${fingerprint}`)];
  return element("div", "", element("dt", "", element("code", "", option)), element("dd", "", ...told, ...proof));
}

async function leave(): Promise<void> {
  await ask("/leave", {});
  inviting.hide();
  await list();
}
