// Boards as `/boards` tells them, and what there is to say of each. Pure.

import { say } from "../say";
import type { Hall } from "../fold";
import { waiting } from "../urgency";
import type { RoundPlan } from "./panel";

export interface Fleet {
  now: number;
  boards: BoardState[];
  ports?: { port: string; trouble: string }[];
}

export interface BoardState {
  board: string;
  port?: string;
  at?: string;
  heard_at: number;
  heard: "link" | "gone" | "square" | "board" | "clock";
  clock: "none" | "good" | "low";
  is_lifted?: boolean;
  quality: Quality;
}

export interface Quality {
  flickers: number;
  lost: number;
  nonsense: number;
  breaks: number;
  games: number;
  corrections: number;
}

/** What somebody should see to at a board, the worst first. */
export type Trouble = "silent" | "elsewhere" | "dead" | "battery" | "differs" | "worn";

/** More men than this that flickered in a game, and the board wants looking at. */
const MANY_FLICKERS = 10;

export function troublesOf(board: BoardState, hall: Hall, round: RoundPlan | undefined): Trouble[] {
  const found: Trouble[] = [];
  if (board.port === undefined) found.push("silent");
  const own = ownTable(board, round);
  if (own !== undefined && board.at !== own) found.push("elsewhere");
  if (deadSquares(board, hall).length > 0) found.push("dead");
  if (board.clock === "low") found.push("battery");
  if (tableOf(board, hall)?.differs?.length) found.push("differs");
  if (board.quality.flickers >= MANY_FLICKERS * Math.max(1, board.quality.games)) found.push("worn");
  return found;
}

/** The table the event lists it at, where it lists it. */
export function ownTable({ board }: BoardState, round: RoundPlan | undefined): string | undefined {
  const place = round?.places?.find((place) => place.board === board);
  return place && `${round!.event}/${round!.round}/${place.table}`;
}

/** Squares of which the table has said that they do not sense, or that one of them does not; each once. */
export function deadSquares(board: BoardState, hall: Hall): string[] {
  const table = tableOf(board, hall);
  const faulty = table === undefined ? [] : waiting(table).filter(({ alert }) => alert.kind === "square_faulty");
  const named = faulty.flatMap(({ alert: { evidence } }) => [evidence?.square ?? [], evidence?.squares ?? []].flat());
  return [...new Set(named)];
}

function tableOf(board: BoardState, hall: Hall) {
  return board.at === undefined ? undefined : hall.get(board.at);
}

/** What is to be said of how good it is; nothing where nothing is wrong. */
export function qualityWords(board: BoardState, hall: Hall): string {
  const { flickers, lost, nonsense, breaks, games, corrections } = board.quality;
  const dead = deadSquares(board, hall);
  const said = [
    dead.length > 0 && say.deadSquares(dead.join(", ")),
    flickers > 0 && say.flickers(flickers),
    corrections > 0 && say.correctionsPerGame((corrections / Math.max(1, games)).toFixed(1)),
    breaks > 0 && say.breaks(breaks),
    lost > 0 && say.lostSquares(lost),
    nonsense > 0 && say.nonsense(nonsense),
  ];
  return said.filter((one) => typeof one === "string").join(" · ");
}

/** How long ago something was heard. */
export function since(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3600)} h`;
}
