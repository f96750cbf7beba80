"""Compares what the laws crate counts in games with what python-chess says, position by position.

The games: those of a PGN file, and as many shuffling games as asked for, in which men go to and fro, moves are taken
back, and the counters start near their limits. The same dice every time.
"""

import random
import subprocess
import sys

import chess
import chess.pgn

STARTS = [
    chess.STARTING_FEN,
    # Both sides may castle; rooks and kings that move lose the right.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    # Captures en passant that are legal, and one that is pinned.
    "4k3/2p1p3/8/1P1P4/3p1p2/8/2P1P3/4K3 w - - 0 1",
    "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
    "4k1n1/8/8/8/4p3/8/3P4/4R1KN w - - 0 1",
    # Near fifty and seventy-five moves.
    "8/8/3k4/8/8/3K4/R6P/8 w - - 90 120",
    "8/5q2/3k4/8/8/3K4/R7/8 b - - 139 170",
]


def main():
    program, pgn, shuffles = sys.argv[1], sys.argv[2], int(sys.argv[3])
    games = list(from_pgn(pgn))
    played = len(games)
    games += [shuffled(random.Random(seed)) for seed in range(shuffles)]
    text = "".join(f"{mode};{fen};{' '.join(steps)}\n" for mode, fen, steps in games)
    ours = subprocess.run([program], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    positions, seen = 0, {}
    for mode, fen, steps in games:
        for at, theirs in enumerate(opinions(mode, fen, steps)):
            mine = ours[positions].split(" ")
            positions += 1
            for letter in mine[3]:
                seen[letter] = seen.get(letter, 0) + 1
            if not agree(mine, theirs):
                print(f"after {at} of {' '.join(steps)}\nfrom {fen}: we say {mine}, python-chess {theirs}")
                sys.exit(1)
    if positions != len(ours):
        sys.exit(f"{len(ours)} positions are ours, {positions} theirs")
    print(f"{played} games and {shuffles} shuffling games, {positions} positions: the same")
    print("what held, and how often: " + ", ".join(f"{letter} {seen[letter]}" for letter in sorted(seen)))


def from_pgn(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        while game := chess.pgn.read_game(file):
            yield "standard", game.board().fen(), [move.uci() for move in game.mainline_moves()]


def shuffled(dice):
    """A game that goes back where it came from more often than not."""
    is_960 = dice.random() < 0.3
    if is_960:
        board = chess.Board.from_chess960_pos(dice.randrange(960))
    else:
        board = chess.Board(dice.choice(STARTS))
    mode, fen = ("chess960" if is_960 else "standard"), board.fen()
    steps = []
    for _ in range(dice.randrange(20, 160)):
        moves = list(board.legal_moves)
        if not moves:
            break
        if len(board.move_stack) > 6 and dice.random() < 0.04:
            back = dice.randrange(1, 6)
            for _ in range(back):
                board.pop()
            steps.append(f"-{back}")
            continue
        home = [move for move in moves if is_way_back(board, move)]
        quiet = [move for move in moves if not board.is_zeroing(move)]
        weight = dice.random()
        move = dice.choice(home if home and weight < 0.75 else quiet if quiet and weight < 0.95 else moves)
        steps.append(board.uci(move, chess960=is_960))
        board.push(move)
    return mode, fen, steps


def is_way_back(board, move):
    """Whether the move takes back the one its player made before."""
    if len(board.move_stack) < 2:
        return False
    before = board.move_stack[-2]
    return (move.from_square, move.to_square) == (before.to_square, before.from_square)


def opinions(mode, fen, steps):
    board = chess.Board(fen, chess960=mode == "chess960")
    keys = [key(board)]
    yield opinion(board, keys)
    for step in steps:
        if step.startswith("-"):
            for _ in range(int(step[1:])):
                board.pop()
                keys.pop()
        else:
            board.push_uci(step)
            keys.append(key(board))
        yield opinion(board, keys)


def opinion(board, keys):
    """What python-chess says; the 2014 fivefold, which it does not know, is counted along the list of positions."""
    running = 1
    while len(keys) > 4 * running and keys[-1 - 4 * running] == keys[-1]:
        running += 1
    mated = board.is_checkmate()
    # The library leaves a position without moves to its own ending; there nobody has the move to claim.
    moves = any(board.legal_moves)
    fivefold = board.is_fivefold_repetition() and not mated
    return {
        "times": sum(1 for earlier in keys if earlier == keys[-1]),
        "running": running,
        "quiet": board.halfmove_clock,
        "f": running >= 5 and not mated,
        "F": fivefold,
        "S": board.is_seventyfive_moves() and not fivefold if moves else None,
        "t": board.is_repetition(3),
        "T": board.can_claim_threefold_repetition() if moves else None,
        "m": board.halfmove_clock >= 100,
        "M": board.can_claim_fifty_moves() if moves else None,
    }


def key(board):
    return board._transposition_key()


def agree(mine, theirs):
    times, running, quiet, letters = mine
    if (int(times), int(running), int(quiet)) != (theirs["times"], theirs["running"], theirs["quiet"]):
        return False
    return all(theirs[letter] in (None, letter in letters) for letter in "fFStTmM")


main()
