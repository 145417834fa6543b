"""Squares of shogi and chess as cells and back, on boards of many sizes."""

from __future__ import annotations

from collections.abc import Callable

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

import alfil
from alfil.locations import (
    HAND,
    Cell,
    Label,
    LocationError,
    from_chess,
    from_shogi,
    parse_cell,
    to_chess,
    to_shogi,
)
from games import KING, game
from gathering import every_row

LETTERS = "abcdefghijklmnopqrstuvwxyz"

# A shogi board as it is printed: the first line is rank a, the first column the highest file.
SHOGI = [[f"{9 - column}{LETTERS[line]}" for column in range(9)] for line in range(9)]


def test_every_square_of_shogi() -> None:
    for y, line in enumerate(reversed(SHOGI)):
        for x, name in enumerate(line):
            assert from_shogi(name) == Cell((x, y))
            assert to_shogi(Cell((x, y))) == name
            assert to_shogi(from_shogi(name)) == name


@pytest.mark.parametrize(
    ("shogi", "cell"),
    [
        *(("5e", "e5"), ("9a", "a9"), ("1a", "i9"), ("9i", "a1"), ("1i", "i1"), ("6e", "d5")),
        *(("7c", "c7"), ("5c", "e7")),
    ],
)
def test_squares_of_shogi_by_name(shogi: str, cell: str) -> None:
    assert str(from_shogi(shogi)) == cell
    assert to_shogi(parse_cell(cell)) == shogi
    assert from_shogi(Label(shogi).text) == parse_cell(cell)


def test_minishogi() -> None:
    assert str(from_shogi("5e", files=5, ranks=5)) == "a1"
    assert str(from_shogi("1a", files=5, ranks=5)) == "e5"
    assert to_shogi(Cell((0, 0)), 5, 5) == "5e"


def test_every_square_of_chess() -> None:
    for number, name in enumerate(chess.SQUARE_NAMES):
        cell = from_chess(name)
        x, y = cell.indices
        assert (x, y) == (chess.square_file(number), chess.square_rank(number))
        assert x + 8 * y == number
        assert to_chess(cell) == name
    assert from_chess("e4") == Cell((4, 3))


@pytest.mark.parametrize(("files", "ranks"), [(1, 1), (5, 6), (12, 12), (25, 25), (36, 36)])
def test_every_square_of_shogi_on_other_boards(files: int, ranks: int) -> None:
    names = [*LETTERS, *("a" + letter for letter in LETTERS)]
    for x in range(files):
        for y in range(ranks):
            name = f"{files - x}{names[ranks - 1 - y]}"
            assert to_shogi(Cell((x, y)), files, ranks) == name
            assert from_shogi(name, files, ranks) == Cell((x, y))


@pytest.mark.parametrize(("files", "ranks"), [(1, 1), (9, 10), (12, 8), (26, 26), (36, 36)])
def test_every_square_of_chess_on_other_boards(files: int, ranks: int) -> None:
    names = [*LETTERS, *("a" + letter for letter in LETTERS)]
    for x in range(files):
        for y in range(ranks):
            name = f"{names[x]}{y + 1}"
            assert to_chess(Cell((x, y)), files, ranks) == name
            assert from_chess(name, files, ranks) == Cell((x, y))
            if x in {0, files - 1} or y in {0, ranks - 1}:  # every letter and every number
                board = {"files": files, "ranks": ranks}
                assert alfil.moves("R", at=name, **board) == alfil.moves("R", at=(x, y), **board)


@pytest.mark.parametrize(("files", "ranks"), [(9, 10), (26, 26), (36, 36)])
def test_games_name_every_square(files: int, ranks: int) -> None:
    board = alfil.Game(game("K" + " ." * (files - 1), [KING], ranks=ranks, first="white"))
    names = [*LETTERS, *("a" + letter for letter in LETTERS)]
    squares = [(x, y) for x in range(files) for y in range(ranks)]
    assert [board.square_name((x, y)) for x, y in squares] == [
        f"{names[x]}{y + 1}" for x, y in squares
    ]


Call = Callable[[], object]
SHOGI_FAULTS: list[tuple[Call, str, tuple[int, int]]] = [
    (lambda: from_shogi(""), "empty", (0, 0)),
    (lambda: from_shogi("05e"), "leading-zero", (0, 1)),
    (lambda: from_shogi("0e"), "leading-zero", (0, 1)),
    (lambda: from_shogi("e5"), "character", (0, 1)),
    (lambda: from_shogi("*"), "character", (0, 1)),
    (lambda: from_shogi("5E"), "character", (1, 2)),
    (lambda: from_shogi("55"), "character", (2, 3)),
    (lambda: from_shogi("5"), "character", (1, 2)),
    (lambda: from_shogi("100a"), "character", (2, 3)),
    (lambda: from_shogi("5ee"), "character", (2, 3)),
    (lambda: from_shogi("5e\n"), "character", (2, 3)),
    (lambda: from_shogi(" 5e"), "character", (0, 1)),
    (lambda: from_shogi("\uff15e"), "character", (0, 1)),
    (lambda: from_shogi("5\u4e94"), "character", (1, 2)),
    (lambda: from_shogi("\u0665e"), "character", (0, 1)),
    (lambda: from_shogi("10a"), "range", (0, 2)),
    (lambda: from_shogi("5j"), "range", (1, 2)),
    (lambda: from_shogi("6a", 5, 5), "range", (0, 1)),
    (lambda: from_shogi("1a", 9, 703), "range", (0, 2)),
    (lambda: from_shogi("1aj", 9, 35), "range", (1, 3)),
    (lambda: from_shogi("1aja", 36, 36), "character", (3, 4)),
    (lambda: from_shogi("1a", 100, 9), "range", (0, 2)),
    (lambda: from_shogi("1a", 0, 9), "range", (0, 2)),
    (lambda: to_shogi(Cell((9, 0))), "range", (0, 1)),
    (lambda: to_shogi(Cell((0, 9))), "range", (1, 3)),
    (lambda: to_shogi(Cell((0, 0)), 9, 703), "range", (0, 2)),
    (lambda: to_shogi(Cell((0,))), "dimensions", (1, 2)),
    (lambda: to_shogi(Cell((0, 0, 0))), "dimensions", (2, 3)),
]
CHESS_FAULTS: list[tuple[Call, str, tuple[int, int]]] = [
    (lambda: from_chess(""), "empty", (0, 0)),
    (lambda: from_chess("E4"), "start", (0, 1)),
    (lambda: from_chess("*"), "start", (0, 1)),
    (lambda: from_chess("e04"), "leading-zero", (1, 2)),
    (lambda: from_chess("e4\n"), "character", (2, 3)),
    (lambda: from_chess("e"), "dimensions", (1, 2)),
    (lambda: from_chess("e4A"), "dimensions", (2, 3)),
    (lambda: from_chess("i1"), "range", (0, 1)),
    (lambda: from_chess("a9"), "range", (1, 2)),
    (lambda: from_chess("aa1"), "range", (0, 2)),
    (lambda: from_chess("a10"), "range", (1, 3)),
    (lambda: from_chess("aj37", 36, 36), "range", (2, 4)),
    (lambda: from_chess("ak36", 36, 36), "range", (0, 2)),
    (lambda: from_chess("a1", 8, -1), "range", (0, 2)),
    (lambda: to_chess(Cell((8, 0))), "range", (0, 1)),
    (lambda: to_chess(Cell((0, 8))), "range", (1, 2)),
    (lambda: to_chess(Cell((0, 0, 0, 0))), "dimensions", (2, 4)),
]


@every_row("call, kind, span", SHOGI_FAULTS + CHESS_FAULTS)
def test_faults(call: Call, kind: str, span: tuple[int, int]) -> None:
    with pytest.raises(LocationError) as caught:
        call()
    assert (caught.value.kind, caught.value.spans) == (kind, (span,))


@pytest.mark.parametrize("given", [HAND, Label("e4"), "e4", (4, 3), None])
def test_only_cells_have_squares(given: Cell) -> None:
    for call in (to_shogi, to_chess):
        with pytest.raises(TypeError, match="a square is a Cell, not"):
            call(given)


@pytest.mark.parametrize("given", [b"5e", None, 55, Cell((4, 4)), HAND])
def test_only_strings_name_squares(given: str) -> None:
    for call in (from_shogi, from_chess):
        with pytest.raises(TypeError, match="a location is a str, not"):
            call(given)


@pytest.mark.parametrize("size", [9.0, "9", None, True])
def test_sizes_are_integers(size: int) -> None:
    calls: list[Call] = [
        *(lambda: from_shogi("1a", size), lambda: from_chess("a1", 9, size)),
        *(lambda: to_shogi(Cell((0, 0)), 9, size), lambda: to_chess(Cell((0, 0)), size)),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="files and ranks are int"):
            call()


def test_large_texts_are_refused_without_arithmetic() -> None:
    for text in ("a" * 1_000_000 + "1", "a1" + "A" * 1_000_000):
        with pytest.raises(LocationError):
            from_chess(text)
    with pytest.raises(LocationError):
        from_shogi("1" * 1_000_000)


@given(st.text("0123456789abijz*A \n\uff15", max_size=5) | st.text(max_size=4))
def test_texts_are_squares_or_errors(text: str) -> None:
    """A text that is taken is the name of its cell again."""
    for there, back in ((from_shogi, to_shogi), (from_chess, to_chess)):
        try:
            cell = there(text, 12, 20)
        except LocationError:
            continue
        assert back(cell, 12, 20) == text
