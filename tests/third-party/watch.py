"""Watches games on the virtual board with pyserial and python-chess. See README.md."""

import io
import subprocess
import sys
import tempfile
import time

import chess
import chess.pgn
import serial

GAMES = 3
PIECES = ".PRNBKQprnbkq"


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        games = folder + "/games.pgn"
        with open(games, "w") as file:
            file.write(GAME_TEXT)
        command = [program, "board", "--games", games, "--profile", "perfect", "--speed", "50"]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as board:
            device = board.stdout.readline().strip()
            placements, dump = watch(device)
            printed = board.stdout.read()
    played = list(iter(lambda source=io.StringIO(printed): chess.pgn.read_game(source), None))
    assert len(played) == GAMES, f"{len(played)} games were printed instead of {GAMES}"
    seen = iter(placements)
    plies = 0
    for game in played:
        assert not game.errors, game.errors
        for node in game.mainline():
            wanted = node.board().board_fen()
            assert any(placement == wanted for placement in seen), f"{wanted} was never on the board ({node})"
            plies += 1
    assert dump == played[0].board().board_fen(), f"the first dump is {dump}"
    print(f"{len(played)} games, {plies} moves: every position was on the board in its order ({len(placements)} updates)")


def watch(device):
    """All placements a listener goes through, and the first dump."""
    squares, placements, dump = [0] * 64, [], None
    with serial.Serial(device, 9600, timeout=0.2) as port:
        port.reset_input_buffer()
        for command in b"\x40", b"\x4d", b"\x42", b"\x4b":
            port.write(command)
            time.sleep(0.15)
        try:
            while True:
                kind, payload = message(port)
                if kind == 0x86:
                    squares = list(payload)
                    dump = dump or placement(squares)
                elif kind == 0x8E:
                    squares[payload[0]] = payload[1]
                    placements.append(placement(squares))
        except (serial.SerialException, OSError):
            return placements, dump  # The games are over and the device is gone.


def message(port):
    kind = exactly(port, 1)[0]
    assert kind & 0x80, f"{kind:02x} begins no message"
    high, low = exactly(port, 2)
    return kind, exactly(port, high * 128 + low - 3)


def exactly(port, count):
    data = b""
    while len(data) < count:
        data += port.read(count - len(data))
    return data


def placement(squares):
    rows = ["".join(PIECES[code] for code in squares[at : at + 8]) for at in range(0, 64, 8)]
    board = chess.Board(None)
    for rank, row in enumerate(rows):
        for file, letter in enumerate(row):
            if letter != ".":
                board.set_piece_at(chess.square(file, 7 - rank), chess.Piece.from_symbol(letter))
    return board.board_fen()


# Castling each way, en passant, a promotion, two mates.
GAME_TEXT = """
[Event "castling each way"]

1. e4 e5 2. Nf3 Nc6 3. Bc4 d6 4. O-O Bg4 5. d3 Qd7 6. Nc3 O-O-O 1/2-1/2

[Event "en passant"]

1. e4 d5 2. e5 f5 3. exf6 gxf6 4. Qh5# 1-0

[Event "promotion"]
[SetUp "1"]
[FEN "7k/P5pp/8/8/8/8/6PP/7K w - - 0 1"]

1. a8=Q# 1-0
"""

if __name__ == "__main__":
    main(sys.argv[1])
