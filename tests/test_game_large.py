"""Games with pieces of several squares: what the engine says of them is what the slow rules say.

Those take the moves of such pieces from alfil's tables of one position, which `test_bodies`
compares with boards that are looked at square by square.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

import alfil
from agreeing import walk
from alfil import Game
from games import as_key, kind
from inside import Variant
from strategies import NIGHTLY
from test_game_bodies import FIELDS, RULES

FILES = sorted((Path(__file__).parent / "large").glob("*.pieces"))
GAMES, PLIES, EVERY, FEW = (30, 100, 1, 150) if NIGHTLY else (1, 13, 6, 12)
# How pieces move that take up several squares or one, in Betza.
MOVES = ("R", "B", "K", "N", "mRcpR", "fmWfceFifmnD", "mQ", "mKcaibR", "mcabK", "pQ", "KNAD", "dK")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_engine_plays_games_of_large_pieces(path: Path) -> None:
    for seed in range(GAMES):
        walk(alfil.load(path).game(), random.Random(seed), PLIES, EVERY, FEW)


def drawn(seed: int) -> Variant:
    """A game of pieces of several squares, with rules that few games have, drawn by lot."""
    draw = random.Random(seed)
    sizes = {code: (draw.randint(1, 2), draw.randint(1, 2)) for code in "KRBP"}
    kinds = []
    for code, size in sizes.items():
        betza = "K" if code == "K" else draw.choice(MOVES)
        field = draw.choice(FIELDS).replace("R,Q", "Q")
        move = rf"hasinu:sz({size[0]},{size[1]}) & \{betza}"
        kinds.append(f"{kind(code, move)} {'royal' if code == 'K' else field}")
    kinds.append(kind("Q", draw.choice(MOVES)))
    rules = {name: to for each in draw.sample(RULES, 2) for name, to in each.items()}
    if draw.random() < 0.5:
        rules |= {"captured": "to-hand", "drops": "yes"} if "drops" not in rules else {}
    lines = [f"rule {as_key(name)} = {value}" for name, value in rules.items()]
    text = [
        *('game "large"', "board 7x8", "region far ranks=7-8", "region near ranks=1-5", *lines),
        *(*kinds, "setup", *rows(draw, {**sizes, "Q": (1, 1)})),
    ]
    if draw.random() < 0.5:
        text += ["hand R*1 P*1"]
    return alfil.loads("\n".join(text)).variant


def rows(draw: random.Random, sizes: dict[str, tuple[int, int]]) -> list[str]:
    """Three ranks with each of some pieces, and more as far as there is room."""
    files, board = 7, {(x, y): "." for x in range(7) for y in range(3)}
    for code in [*sizes, *draw.choices([*sizes][1:], k=8)]:
        wide, high = sizes[code]
        at = draw.randrange(files - wide + 1), draw.randrange(3 - high + 1)
        cells = [(at[0] + x, at[1] + y) for x in range(wide) for y in range(high)]
        if all(board[cell] == "." for cell in cells):
            board |= dict.fromkeys(cells, "_") | {at: code}
    return [f"| {' '.join(board[x, y] for x in range(files))} |" for y in (2, 1, 0)]


def test_the_engine_plays_large_pieces_by_rules_drawn_by_lot() -> None:
    told: Counter[str] = Counter()
    for seed in range(3000 if NIGHTLY else 4):
        try:
            game = Game(drawn(seed))
        except alfil.AlfilError as error:
            told[error.kind] += 1
            continue
        told[""] += 1
        walk(game, random.Random(seed), 17 if NIGHTLY else 12, EVERY, FEW)
    assert told[""] > sum(told.values()) / 2, told


def test_no_explosion_makes_room_for_a_piece_that_promotes_to_a_large_one() -> None:
    game = alfil.loads(
        """
board 3x4
zone  promotion ranks=2
rule  explosion = captures
piece K "king"  betza=K
piece T "tower" hasinu="sz(1,2) & 1×8d"
piece R "rook"  betza=R promotes=T
setup first
| . R . |
setup second
| . K . |
"""
    ).game()
    text = game.position_text()
    assert "2d2b+" not in map(str, game.legal_moves)
    assert game.position_text() == text


def test_a_large_piece_captured_by_way_of_either_of_its_squares_is_one_move() -> None:
    game = alfil.loads(
        """
board 4x4
piece K "king"    betza=K royal
piece C "catcher" betza=caK
piece T "tower"   hasinu="sz(1,2) & 1×8d"
setup first
| C . . . |
| . . . K |
setup second
| . . . _ |
| K . . T |
"""
    ).game("k3/2c_/3T/K3 w")
    moves = [str(move) for move in game.legal_moves]
    assert len(set(moves)) == len(moves)
