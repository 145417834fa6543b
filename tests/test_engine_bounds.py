"""The engine keeps to its room and to the work it is given, whatever game it plays."""

from __future__ import annotations

import threading
import time

import pytest

import alfil
from alfil import Opponent
from alfil.game import engine_structs  # no game anybody plays is so large that its lists are full
from effort import calls

DROPPING = """game "Dropping"
board {size}x{size}
rule first = white
rule drops = yes
rule drops-first = yes
rule self-check = {check}
piece K "king" betza=K royal
piece X "piece" betza={move} drop-mate=barred
hand X*{held}
setup mirrored
| {row} |
"""


def dropping(size: int, move: str, held: int, check: str = "allowed") -> alfil.Game:
    """A game in which drops that may not mate come before all else."""
    row = " ".join("K" if at == size // 2 else "." for at in range(size))
    text = DROPPING.format(size=size, move=move, held=held, row=row, check=check)
    return alfil.loads(text).game()


@pytest.mark.parametrize("check", ["allowed", "barred"])
@pytest.mark.parametrize(
    ("size", "move", "held"),
    [(24, "W", 200), (5, "Q", 4), (5, "Q", 20), (8, "QN", 30), (4, "K", 9)],
)
def test_drops_that_may_not_mate_are_tried_so_deep_only(
    size: int, move: str, held: int, check: str
) -> None:
    game, refused = dropping(size, move, held, check), "too-much-work"
    for _ in range(3):
        try:
            moves = game.legal_moves
        except alfil.BoardError as error:
            refused, moves = error.kind, ()
        assert all(move.is_drop for move in moves)
        if not moves:
            break
        game.push(moves[len(moves) // 2])
    assert refused == "too-much-work"


def test_a_drop_mates_where_all_answers_would_mate_themselves() -> None:
    """One that a drop answers does not, whether that is legal or not is asked of it in turn."""
    game = dropping(5, "Q", 4)
    legal = {str(move) for move in game.legal_moves}
    free = alfil.loads(
        DROPPING.format(size=5, move="Q", held=4, row=". . K . .", check="allowed").replace(
            " drop-mate=barred", ""
        )
    ).game()
    assert legal <= {str(move) for move in free.legal_moves}
    assert legal


WALLED = """game "Walled"
board {files}x{ranks}
rule first = white
rule wall = {wall}
piece K "king" betza=K royal
piece Q "queen" betza=Q
piece P "pawn" betza=fmWfcF
setup mirrored
| {pawns} |
| {back} |
"""


def walled(files: int, ranks: int, wall: str, queens: int) -> alfil.Library:
    """A game in which each move builds a wall, with pawns on the second rank."""
    row = ["Q"] * queens + ["."] * (files - queens)
    row[files // 2] = "K"
    pawns, back = " ".join("P" * files), " ".join(row)
    text = WALLED.format(files=files, ranks=ranks, wall=wall, pawns=pawns, back=back)
    return alfil.loads(text)


def test_a_list_has_room_for_so_many_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_structs, "MAX_LISTED_MOVES", 500)
    with pytest.raises(alfil.BoardError) as caught:
        assert walled(12, 13, "anywhere", 4).game().legal_moves
    assert caught.value.kind == "too-much-work"


def test_a_small_list_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {str(move) for move in walled(7, 7, "duck", 2).game().legal_moves}
    monkeypatch.setattr(engine_structs, "MAX_LISTED_MOVES", len(whole) + 1)
    assert {str(move) for move in walled(7, 7, "duck", 2).game().legal_moves} == whole


@pytest.mark.parametrize(("files", "ranks", "wall"), [(10, 10, "anywhere"), (11, 9, "duck")])
def test_a_search_among_many_walls_keeps_to_its_positions(
    files: int, ranks: int, wall: str
) -> None:
    library = walled(files, ranks, wall, 4)
    game = library.game()
    found = Opponent(library.variant, nodes=10).analyse(game)
    assert found.nodes < 3000
    game.push(found.move)


def test_a_search_with_little_room_looks_less_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("alfil.play.opponent_search.LISTED", 1)
    library = alfil.load("chess")
    game = library.game()
    found = Opponent(library.variant, depth=5, nodes=3000).analyse(game)
    game.push(found.move)


def test_a_search_ends_soon_after_it_was_stopped() -> None:
    library = walled(10, 10, "anywhere", 4)
    game, stop = library.game(), threading.Event()
    opponent = Opponent(library.variant, depth=40, nodes=10**11)
    threading.Timer(0.2, stop.set).start()
    begun = time.monotonic()
    found = opponent.analyse(game, None, stop.is_set)
    # Only a search that nobody stops takes as long.
    assert time.monotonic() - begun < 60
    game.push(found.move)


def test_a_move_is_not_made_where_there_is_no_room_for_it() -> None:
    """What asks for more says so, and the position stays as it was."""
    game = alfil.load("chess").game()
    played = game._game_position  # no answer shows it: there is always more room
    before = game.position_text()
    played.state.struct["most_undone"] = 0
    with pytest.raises(alfil.BoardError) as caught:
        game.push("e2e4")
    assert caught.value.kind == "too-much-work"
    played.state._set_capacities()
    played.state.struct["unmade"] = 0
    assert alfil.load("chess").game(before).position_text() == before


@pytest.mark.parametrize("betza", ["Q0cabQ", "KcaaaK", "KcacacaK", "KaaaaK"])
def test_a_large_board_full_of_pieces_of_many_ways_is_little_work(betza: str) -> None:
    """Ways that would be laid out for each of them are followed instead."""
    rows = ["Q" * 36] * 17 + ["K" + "Q" * 35]
    text = f'board 36x36\npiece K "king" betza=K royal\npiece Q "piece" betza={betza}\n'
    text += "setup mirrored\n" + "".join(f"| {' '.join(row)} |\n" for row in rows)
    game = alfil.loads(text).game()
    assert calls(lambda: game.legal_moves) < 1_200_000


def test_moves_that_are_made_to_be_rated_are_work() -> None:
    """Where pieces burn others, what a move gains is known when it is made: 300 for 70 moves."""
    game = alfil.load("tenjiku").game()
    found = Opponent(game.variant, depth=1, nodes=150_000).analyse(game)
    assert found.nodes > 4 * len(game.legal_moves)
