"""Reads thousands of games that the record has written with python-chess, pgn-extract and pgn-reader, and compares moves,
clocks, results and tags with what was played. Usage: games.py FOLDER READER, where many_games has put games.pgn and
truth.jsonl into the folder, and the reader is read_games."""

import json
import pathlib
import re
import subprocess
import sys

import chess.pgn

PLAYER = ["", "Title", "Elo", "FideId", "Team", "Fed"]
SIDES = [side + tag for side in ("White", "Black") for tag in PLAYER]
TAGS = ["Event", "Site", "Date", "Round", "Board", "Result", "TimeControl", *SIDES]
# A tag as the standard writes it: quotes and backslashes have a backslash before them.
TAG = re.compile(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]$')


def main(folder, reader):
    truth = [json.loads(line) for line in (folder / "truth.jsonl").read_text(encoding="utf-8").splitlines()]
    games = folder / "games.pgn"
    differences = by_python_chess(games, truth) + by_pgn_extract(games, truth) + by_pgn_reader(games, truth, reader)
    for difference in differences[:20]:
        print(difference[:300])
    print(f"{len(truth)} games, each read by three programs: {len(differences)} differences")
    return 1 if differences else 0


def by_python_chess(path, truth):
    differences = []
    with open(path, encoding="utf-8") as games:
        for number, played in enumerate(truth, 1):
            game = chess.pgn.read_game(games)
            if game is None:
                return differences + [f"python-chess: game {number} is missing"]
            # It hands tags out as they stand in the file.
            found = {tag: plain(game.headers.get(tag, "")) for tag in TAGS}
            found["moves"] = [node.move.uci() for node in game.mainline()]
            found["clocks"] = [None if node.clock() is None else int(node.clock()) for node in game.mainline()]
            differences += [f"python-chess: game {number}: {error}" for error in game.errors]
            differences += compare("python-chess", number, found, played, TAGS + ["moves", "clocks"])
        if chess.pgn.read_game(games) is not None:
            differences.append("python-chess: there is a game too many")
    return differences


def by_pgn_extract(path, truth):
    """It writes the moves as programs do, one game after the other, with the tags as they stood."""
    told = subprocess.run(["pgn-extract", "-Wuci", "-w100000", str(path)], capture_output=True, check=False)
    complaints = [line for line in told.stderr.decode().splitlines() if "rror" in line or "arning" in line]
    # Results are thrown by dice, and now and then one is given to a mated king.
    complaints = [line for line in complaints if "is inconsistent with" not in line]
    differences = [f"pgn-extract: {line}" for line in complaints]
    games, tags = [], {}
    for line in told.stdout.decode("utf-8").splitlines():
        tag = TAG.match(line)
        if tag:
            tags[tag[1]] = plain(tag[2])
        elif line.strip():
            words = re.sub(r"\{[^}]*\}", " ", line).split()
            # What a pawn becomes it writes in capitals.
            games.append({**tags, "moves": [word.lower() for word in words[:-1]], "Result": words[-1]})
            tags = {}
    if len(games) != len(truth):
        differences.append(f"pgn-extract: {len(games)} games of {len(truth)}")
    for number, (found, played) in enumerate(zip(games, truth), 1):
        differences += compare("pgn-extract", number, found, played, TAGS + ["moves"])
    return differences


def by_pgn_reader(path, truth, reader):
    told = subprocess.run([reader, str(path)], capture_output=True, check=True)
    games = [json.loads(line) for line in told.stdout.decode("utf-8").splitlines()]
    differences = [] if len(games) == len(truth) else [f"pgn-reader: {len(games)} games of {len(truth)}"]
    for number, (found, played) in enumerate(zip(games, truth), 1):
        found.update({tag: plain(found.get(tag, "")) for tag in TAGS})
        differences += compare("pgn-reader", number, found, played, TAGS + ["moves", "clocks"])
    return differences


def plain(value):
    """A value of a tag without the backslashes before quotes and backslashes."""
    return re.sub(r"\\(.)", r"\1", value)


def compare(who, number, found, played, members):
    told = [(member, found.get(member, ""), played[member]) for member in members]
    return [f"{who}: game {number}: {member} is {mine!r}, not {theirs!r}" for member, mine, theirs in told if mine != theirs]


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2]))
