"""Games end where the slow rules end them: by the engine's word after every move.

What is chased, and which material is dead, the slow rules do not know: see test_chasing.py and
test_material.py.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import alfil
import slow_engine
from agreeing import position_of
from alfil import Game, Opponent
from games import KING, game, kind
from strategies import NIGHTLY

VARIANTS = Path(__file__).parent / "variants"
# What few games end by, and many by all others.
GAMES = [
    *("makruk", "xiangqi", "antichess", "three_check", "king_of_the_hill", "dobutsu"),
    *("racing_kings", "atomic", "extinction"),
    *(str(VARIANTS / f"{name}.pieces") for name in ("breakthrough", "shatar", "shatranj")),
]
EVERY = [*alfil.games(), *map(str, sorted(VARIANTS.glob("*.pieces")))]
UNKNOWN = {"insufficient-material", "perpetual-chase"}
SEEDS, PLIES = (4, 200) if NIGHTLY else (1, 24)


@pytest.mark.parametrize("name", EVERY if NIGHTLY else GAMES)
def test_games_end_as_by_the_slow_rules(name: str) -> None:
    library = alfil.load(name)
    if library.variant.rules.draw_odds.how != "none":
        pytest.skip("the slow rules give no odds")
    for seed in range(SEEDS):
        draw = random.Random(f"{name} {seed}")
        played = library.game()
        line = slow_engine.Line(position_of(played), (0, 0), 0)
        eager = draw.random()
        while True:
            end, slow = told(played), line.result()
            if end and end[1] in UNKNOWN:
                break
            assert end == slow, played.position_text()
            if end or len(played.moves) == PLIES:
                break
            move = chosen(played, draw, eager)
            line.push(played._engine_move(move))
            played.push(move)


def chosen(played: Game, draw: random.Random, eager: float) -> alfil.Move:
    """A legal move, a capture or one to and fro rather than others."""
    moves = played.legal_moves
    captures = [each for each in moves if each.captures]
    before = played.moves[-2] if len(played.moves) > 1 else None
    back = [m for m in moves if before and (m.origin, m.target) == (before.target, before.origin)]
    if back and draw.random() < (1 - eager) / 2:
        return draw.choice(back)
    return draw.choice(captures if captures and draw.random() < eager else moves)


def told(played: Game) -> tuple[int | None, str] | None:
    """How a game has ended, with the winner as a number."""
    end = played.outcome()
    sides = ("b", "w") if played.variant.rules.first == "black" else ("w", "b")
    return end and (None if end.winner is None else sides.index(end.winner), end.reason)


def test_all_royals_attacked_at_once_are_mated() -> None:
    """No piece attacks all of them, so none is asked whether its mates count."""
    kinds = [KING, kind("R", "R", mates="drawn"), kind("Q", "Q")]
    spartan = game("K R Q K", kinds, first="white", royal_lost="all", duple_check="yes")
    assert Game(spartan, "k2k/4/1QQ1/RK1R b").outcome() == alfil.Outcome("w", "mate")


def test_the_search_counts_moves() -> None:
    """With the last move of the count only a capture does not draw."""
    library = alfil.load("chess")
    played = library.game("7k/8/8/8/8/1p6/8/KR6 w - - 99 90")
    assert str(Opponent(library.variant, depth=2, seed=1).choose(played)) == "b1b3"
    drawn = library.game("7k/8/8/8/8/8/8/KR6 w - - 99 90")
    assert Opponent(library.variant, depth=2).analyse(drawn).score == 0
