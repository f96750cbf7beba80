// Coming in by a code: typed, or in the address of a picture that was scanned.

import "./style.css";
import "./paper.css";
import "./doors.css";

import { ask, takeFragment } from "./ask";
import { byId, setText } from "./dom";
import { say, speak } from "./say";
import { offerTheme } from "./theme";

const code = byId("code") as HTMLInputElement;

speak();
offerTheme();
document.title = `${say.comeIn} · Escaque`;
byId("join").addEventListener("submit", (event) => {
  event.preventDefault();
  void enter();
});
code.value = takeFragment();
if (code.value) void enter();

async function enter(): Promise<void> {
  const answer = await ask<{ role: string }>("/enter", { code: code.value });
  if ("refused" in answer) return setText(byId("answer"), answer.refused);
  location.replace({ operator: "/doors", arbiter: "/console" }[answer.done.role] ?? "/");
}
