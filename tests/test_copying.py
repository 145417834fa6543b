"""What pickle and copy make of every public object that holds more than values."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import TypeVar

import pytest

import alfil
from alfil import Opponent

T = TypeVar("T")
ENDING = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"


def pickled(value: T, protocol: int | None = None) -> T:
    return pickle.loads(pickle.dumps(value, protocol))  # type: ignore[no-any-return]  # our own


def pickled_as_text(value: T) -> T:
    return pickled(value, 0)


WAYS = [pickled, pickled_as_text, copy.copy, copy.deepcopy]


@pytest.fixture(scope="module")
def table() -> alfil.Tablebase:
    return alfil.Tablebase.make(alfil.load("chess").variant, ["KQK"])


@pytest.mark.parametrize("way", WAYS)
def test_a_tablebase_knows_the_same(
    table: alfil.Tablebase, way: Callable[[alfil.Tablebase], alfil.Tablebase]
) -> None:
    other = way(table)
    game = alfil.load("chess").game(ENDING)
    assert other.probe(game) == table.probe(game) == other.probe(game)
    assert other.names == table.names
    assert other.tally("KQK") == table.tally("KQK")


@pytest.mark.parametrize("way", WAYS)
def test_an_opponent_chooses_the_same(
    table: alfil.Tablebase, way: Callable[[Opponent], Opponent]
) -> None:
    game = alfil.load("chess").game()
    opponent = Opponent(game.variant, nodes=500, seed=4, tablebase=table, keep_hash=True)
    opponent.depth = 3
    other = way(opponent)
    assert other.choose(game) == opponent.choose(game)
    assert (other.depth, other.nodes, other.seed, other.keep_hash) == (3, 500, 4, True)
    assert other.analyse(alfil.load("chess").game(ENDING)).mate == 11


@pytest.mark.parametrize("way", WAYS)
def test_many_games_at_once_say_what_to_do_instead(way: Callable[[object], object]) -> None:
    pytest.importorskip("numpy", reason="an extra")
    with pytest.raises(TypeError, match="make another one where it is needed"):
        way(alfil.learning.make("dobutsu", 2))


@pytest.mark.parametrize("way", WAYS)
def test_the_others_are_what_they_were(way: Callable[[object], object]) -> None:
    game = alfil.load("minishogi").game()
    game.push("1e1c")
    for value in (
        alfil.read("FyafsF"),
        alfil.read("FyafsF").meaning,
        alfil.compile("N"),
        alfil.load("minishogi").variant,
        alfil.load("minishogi")["K"],
        game.legal_moves[0],
    ):
        assert way(value) == value
    other = way(game)
    assert isinstance(other, alfil.Game)
    assert other.position_text() == game.position_text()
    assert str(way(alfil.draw("N"))) == str(alfil.draw("N"))
    assert str(way(alfil.load("minishogi"))) == str(alfil.load("minishogi"))


@pytest.mark.parametrize("way", WAYS)
def test_a_game_with_captures_of_one_text_by_several_paths(way: Callable[[object], object]) -> None:
    """Such moves are written anew for each list, and are found in it by identity."""
    library = alfil.loads(
        "board 5x7\n"
        'piece K "king" betza=RN royal\npiece M "lion" betza=Q3DNAmcabKcaK\n'
        'piece R "rook" betza=Q2\npiece D "dog" betza=FvWsD\npiece N "cannon" betza=mQcpQ\n'
        "setup\n| M R D R . |\n| . . D . D |\n| N K M . . |\n"
    )
    game = library.game()
    for text in [
        "1f2g",
        "3a5a",
        "5g5b",
        "4c5d",
        "3e3d",
        "1a1b",
        "3d3e",
        "3c5c",
        "3g2f",
        "2a4b",
        "5e4cx5d",
    ]:
        game.push(text)
    other = way(game)
    assert isinstance(other, alfil.Game)
    assert other.position_text() == game.position_text()
    assert other.moves == game.moves
