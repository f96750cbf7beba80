// Taking a game or a position elsewhere: addresses to copy, and the game as a file.

import { copy } from "./copy";
import { byId, icon } from "./dom";

export interface Shared {
  link: string;
  fen: string;
  pgn: string;
  file: string;
}

export function offerSharing(what: () => Shared): void {
  const dialog = byId("sharing") as HTMLDialogElement;
  byId("share").append(icon("share"));
  byId("share").addEventListener("click", () => {
    const { link, fen, pgn, file } = what();
    for (const [id, value] of [["share-link", link], ["share-fen", fen], ["share-pgn", pgn]] as const) (byId(id) as HTMLInputElement).value = value;
    byId("pgn").setAttribute("href", pgn);
    byId("pgn").setAttribute("download", file);
    dialog.showModal();
  });
  for (const button of dialog.querySelectorAll<HTMLElement>("[data-copies]")) {
    button.addEventListener("click", () => void copy(byId(button.dataset["copies"]!) as HTMLInputElement, button));
  }
}
