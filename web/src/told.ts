// What an alert and a proposal say, in words: what, whose, where, and what was seen. Pure.

import { MOST_LINES, secondsWords } from "./answers";
import { digits } from "./clock";
import { say } from "./say";
import { resultFigures } from "./words";
import type { Alert, BoardShown, Evidence, Proposal } from "./staff";

export function titleOf({ kind, side }: Alert): string {
  const words = say.alerts[kind] ?? kind;
  return side === null ? words : `${words} · ${say.about(say[side])}`;
}

/** What was seen, and what follows for whoever decides. */
export function evidenceOf(alert: Alert): string {
  const { kind, boards = [], count, reason, detail, evidence = {}, plies, occurrences = [], signalled, completed_moves: made, claim, opponent_can_mate: can, mate_search: search } = alert;
  const others = (alert.alternatives?.length ?? 0) - MOST_LINES;
  const found = [
    claim !== undefined && (say.claimKinds[claim] ?? claim),
    ...squaresOf(alert.kind, evidence),
    reason && say.reasons[reason],
    detail && say.details[detail],
    count !== undefined && say.countOf(count),
    plies !== undefined && pliesOf(kind, plies),
    // Once it has stood wherever it stands, and of another claim that says nothing.
    occurrences.length > 1 && say.stoodTimes(occurrences.length),
    others > 0 && say.otherLines(others),
    ...boards.map(shownBy),
    signalled && resultFigures(signalled),
    made !== undefined && say.completedMoves(made),
    can !== undefined && (can ? say.canMate : say.cannotMate),
    search === "pending" && say.mateSearched,
    search === "undecided" && say.mateUndecided,
  ];
  const words = found.filter((one) => typeof one === "string" && one !== "").join("; ");
  // A square has a small letter wherever it stands.
  const first = /^[a-h][1-8]/.test(words) ? words.charAt(0) : words.charAt(0).toUpperCase();
  return words === "" ? "" : `${first}${words.slice(1)}.`;
}

/** What a number of plies means with an alert: of a silence none are those that nobody could work out. */
function pliesOf(kind: string, plies: number): string {
  if (kind === "boards_differ") return plies > 0 ? say.sameUpTo(numbered(plies)) : "";
  return kind === "resync" && plies === 0 ? say.movesMissing : say.takenBackMoves(plies);
}

/** Whose board, and the game as it has shown it. */
function shownBy({ board, side, moves }: BoardShown): string {
  const line = moves.map(({ san }, index) => (index % 2 === 0 ? `${numbered(index + 1)} ${san}` : san)).join(" ");
  return `${side === undefined ? "" : `${say[side]}, `}${board}: ${line}`;
}

/** `3.` for the fifth ply of a game from its beginning, `3…` for the sixth. */
function numbered(ply: number): string {
  return `${Math.ceil(ply / 2)}${ply % 2 === 1 ? "." : "…"}`;
}

function squaresOf(kind: string, { square, own, enemy, first, dwell_ms: dwell, expected, found, shown_ms: shown, counted_ms: counted, squares = [] }: Evidence): string[] {
  const words: string[] = [];
  if (kind === "illegal_move_completed" && squares.length === 2) words.push(say.fromTo(squares[0]!, squares[1]!));
  else if (first !== undefined && dwell !== undefined) words.push(say.restedOn(first, (dwell / 1000).toFixed(1)));
  else {
    const all = [...new Set([square, own, enemy, ...squares].filter((one) => one !== undefined))];
    if (all.length > 0) words.push(say.onSquares(all.join(", ")));
  }
  if (expected !== undefined || found !== undefined) words.push(say.expectedFound(man(expected), man(found)));
  if (shown !== undefined && counted !== undefined) words.push(say.clockShows(digits(shown), digits(counted)));
  return words;
}

/** `N` is the white knight; nothing is an empty square. */
function man(letter: string | undefined): string {
  if (letter === undefined) return say.emptySquare;
  const name = say.men[letter.toLowerCase() as keyof typeof say.men] ?? letter;
  return `${letter === letter.toUpperCase() ? say.white : say.black} ${name}`;
}

export function proposalOf(proposal: Proposal): string {
  const { game, result, reason = "", mate_search: search, void: after = [], touch_move: bound, must_move: must, bonus_s: bonus, charge_s: charge } = proposal;
  const found = [
    game !== undefined && say.ofGame(game),
    result !== undefined && `${resultFigures(result)}, ${say.resultReasons[reason] ?? reason}`,
    secondsWords(bonus, charge),
    (bound?.must_move ?? must) && say.mustMove((bound?.must_move ?? must)!),
    bound?.must_take && say.mustTake(bound.must_take),
    after.length > 0 && say.voidMoves(after.join(" ")),
    search === "pending" && say.mateSearched,
    search === "undecided" && say.mateUndecided,
  ];
  return found.filter((one) => typeof one === "string" && one !== "").join("; ");
}
