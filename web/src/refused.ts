// A page that is shown in place of one that is not there, or not for whoever asks. The daemon fills in why.

import "./style.css";

import { byId, setText } from "./dom";
import { say, speak } from "./say";
import { offerTheme } from "./theme";

const NOT_FOUND = 404;
/** From here on it is the daemon's turn to do something, and not the reader's. */
const LATER = 429;

const status = Number(byId("title").dataset["status"]);

speak();
offerTheme();
setText(byId("title"), status === NOT_FOUND ? say.nothingHere : status >= LATER ? say.notNow : say.shut);
document.title = `${byId("title").textContent} · Escaque`;
