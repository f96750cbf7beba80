// The client the feed's page offers to copy, as text that runs where it is put.

import follow from "./follow.js?raw";

/** What Node before 22 needs in front: it has no WebSocket of its own. */
export const NODE_20 = 'import { WebSocket } from "ws";\nglobalThis.WebSocket = WebSocket;\n';

/** A whole program that prints all tables of the hall at this address whenever something changes. */
export function client(address: string): string {
  return `${follow}\nfollow("${address}", (tables) => console.log([...tables.values()]));\n`;
}
