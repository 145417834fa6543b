"""The smallest position that tells two pieces apart, and that there is none smaller."""

from __future__ import annotations

import itertools
import pickle
import random
from collections.abc import Iterator
from functools import cache
from xml.etree import ElementTree

import pytest

import alfil
from alfil.tables.board_context import BoardContext
from inside import moves_in_context
from judging import CASE_TEXTS, KINDS, Square, check, effects, piece, readable
from strategies import NIGHTLY

PAIRS = 600 if NIGHTLY else 40
# Both pieces; which has the move; files and ranks; the other pieces; where the move ends.
SMALLEST = [
    ("W", "F", "first", (1, 2), {}, (0, 1)),
    ("N", "Z", "first", (2, 3), {}, (1, 2)),
    ("R", "R20", "first", (1, 22), {}, (0, 21)),
    ("afsK", "N", "second", (2, 3), {"enemies": ((0, 1), (1, 1))}, (1, 2)),
    ("nN", "N", "second", (2, 3), {"enemies": ((0, 1),)}, (1, 2)),
    ("mW", "W", "second", (1, 2), {"enemies": ((0, 1),)}, (0, 1)),
    ("cabW", "", "first", (1, 2), {"enemies": ((0, 1),)}, (0, 0)),
    ("cabW", "caW", "first", (1, 2), {"enemies": ((0, 1),)}, (0, 0)),
    ("kQ", "cQ", "second", (1, 2), {"enemies": ((0, 1),)}, (0, 1)),
    ("kW", "mkW", "second", (1, 2), {}, (0, 1)),
    ("dW", "mdW", "second", (1, 2), {}, (0, 1)),
    ("gQ", "pQ", "second", (1, 4), {"enemies": ((0, 1),)}, (0, 3)),
    ("ceF", "cF", "first", (2, 2), {"en_passant": ((1, 1),)}, (1, 1)),
    ("O2", "", "first", (4, 1), {"unmoved_friends": ((3, 0),)}, (2, 0)),
    ("O2", "O3", "first", (4, 1), {"unmoved_friends": ((3, 0),)}, (2, 0)),
    ("DO2", "D", "first", (4, 1), {"unmoved_friends": ((3, 0),)}, (2, 0)),
    ("O2", "rO2", "first", (4, 1), {"unmoved_friends": ((-3, 0),)}, (-2, 0)),
    ("oR", "R", "first", (3, 1), {"enemies": ((1, 0),)}, (2, 0)),
    ("ooR", "oR", "first", (1, 3), {"enemies": ((0, 1),)}, (0, 2)),
    # Whoever comes home finds it empty, whatever else might stand on another square there.
    ("[oW-bmpoW-fsF][oW-bcoW-fW]", "", "first", (2, 2), {}, (1, 1)),
    ("fmR*", "fmR", "second", (1, 3), {}, (0, 2)),
    ("H:rpg(n4dO)", "R", "first", (1, 3), {"enemies": ((0, 1),)}, (0, 2)),
    ("H:n(1×8d)", "Q", "first", (2, 3), {}, (1, 2)),
    ("H:n(1×4dO)", "RasR", "first", (2, 3), {"enemies": ((0, 1),)}, (0, 2)),
]


@pytest.mark.parametrize(("left", "right", "only", "size", "others", "to"), SMALLEST)
def test_smallest(
    left: str,
    right: str,
    only: str,
    size: Square,
    others: dict[str, tuple[Square, ...]],
    to: Square,
) -> None:
    found = alfil.difference(piece(left), piece(right))
    assert found
    assert found.move
    assert found.move
    shown = {kind: getattr(found, kind) for kind in KINDS if getattr(found, kind)}
    assert (found.only, (found.files, found.ranks)) == (only, size)
    assert (shown, found.move.to) == (others, to)


TIMED = [
    ("iW", "W", None),
    ("KiD", "K", 0),
    ("H:atmove(2,n4dO)", "H:atmove(1,n4dO)", 0),
    ("H:1×8d & ataction(2,n4dO)", "K", 1),
    ("H:ataction(2,n4dO)", "H:ataction(3,n4dO)", 1),
    ("H:ataction(2,n4dO)", "H:ataction(2,n4dO) & atmove(2,n8d)", 1),
    ("H:ataction(2,n4dO)", "H:ataction(2,n4dO) & ataction(6,n8d)", 5),
]


@pytest.mark.parametrize(("left", "right", "moves_made"), TIMED)
def test_what_the_piece_has_done_before_is_part_of_the_position(
    left: str, right: str, moves_made: int | None
) -> None:
    found = alfil.difference(piece(left), piece(right))
    assert found
    assert found.move
    assert found.moves_made == moves_made
    check(found, piece(left), piece(right))


def test_facts_differ_where_the_moves_do_not() -> None:
    king = piece("H:royal() & 1×8d")
    expected = alfil.Witness("first", fact=("royal", ("all",)))
    assert alfil.difference(king, "K") == expected
    assert alfil.difference("K", king) == alfil.Witness("second", fact=("royal", ("all",)))
    assert alfil.difference(king, "K", facts=False) is None
    found = alfil.difference(king, "W")
    assert found
    assert found.move


def scenes(files: int, ranks: int, number: int, kinds: str) -> Iterator[BoardContext]:
    """All positions on boards of one size with so many other pieces of some kinds.

    The kinds are e, o, k, r as in the case files, and p for a square of en passant.
    """
    squares = [(x, y) for x in range(files) for y in range(ranks)]
    for at in squares:
        others = [square for square in squares if square != at]
        for places in itertools.combinations(others, number):
            for standing in itertools.product(kinds, repeat=number):
                by = dict(zip(places, standing, strict=True))
                for made, third in ((None, False), (0, False), (0, True), (1, False)):
                    yield scene(files, ranks, at, by, made, third=third)


CLASSES = {"e": 2, "k": 4, "o": 8, "r": 8}


def scene(
    files: int, ranks: int, at: Square, by: dict[Square, str], made: int | None, *, third: bool
) -> BoardContext:
    return BoardContext(
        files,
        ranks,
        at,
        {square: CLASSES[kind] for square, kind in by.items() if kind != "p"},
        [square for square, kind in by.items() if kind == "r"],
        {square: square for square, kind in by.items() if kind == "p"},
        made,
        third,
    )


def assert_smallest(found: alfil.Witness, left: str, right: str, kinds: str) -> None:
    """No position with fewer squares, or as many squares and fewer pieces, tells them apart."""
    assert found.move
    area = found.files * found.ranks
    pieces = sum(len(getattr(found, kind)) for kind in KINDS)
    for size in range(1, area + 1):
        for files in (files for files in range(1, size + 1) if size % files == 0):
            most = min(pieces - 1 if size == area else size, size - 1)
            for number in range(most + 1):
                board = (files, size // files, number, kinds)
                one, other = moves_everywhere(left, *board), moves_everywhere(right, *board)
                if one != other:
                    places = zip(scenes(*board), one, other, strict=True)
                    raise AssertionError(left, right, next(p for p in places if p[1] != p[2]))


@cache
def moves_everywhere(
    text: str, files: int, ranks: int, number: int, kinds: str
) -> tuple[frozenset[object], ...]:
    """The moves of a piece in each of the `scenes`."""
    meaning = piece(text).meaning
    return tuple(
        ALIKE.setdefault(found, found)
        for found in (
            effects(moves_in_context(meaning, at)) for at in scenes(files, ranks, number, kinds)
        )
    )


ALIKE: dict[frozenset[object], frozenset[object]] = {}  # moves that are equal are kept once


EXHAUSTIVE = [pair for pair in SMALLEST if pair[3][0] * pair[3][1] <= 6] + [
    ("fmWfcFifmnD", "fmWfcFifmR2", "", (1, 3), {}, (0, 2)),
    ("fmWfceF", "fmWfcF", "", (2, 2), {}, (0, 2)),
    ("isO2", "O2", "", (4, 1), {}, (0, 2)),
    ("iisW", "sW", "", (4, 1), {}, (0, 2)),
    ("mcabF", "mF", "", (4, 1), {}, (0, 2)),
    ("D", "nD", "", (1, 3), {}, (0, 2)),
    ("D", "pafW", "", (1, 3), {}, (0, 2)),
    ("gafW", "pafW", "", (1, 3), {}, (0, 2)),
    ("H:j(n4dO,1)", "H:j(n4dO,2)", "", (1, 4), {}, (0, 2)),
    ("H:rpg(n4dO,G)", "H:rpg(n4dO)", "", (1, 3), {}, (0, 2)),
    ("H:rpg(n4dO,G)", "R", "", (1, 3), {}, (0, 2)),
    ("fmR*", "fmW", "", (1, 3), {}, (0, 2)),
]


@pytest.mark.parametrize(("left", "right"), [pair[:2] for pair in EXHAUSTIVE])
def test_no_smaller_position_tells_them_apart(left: str, right: str) -> None:
    found = alfil.difference(piece(left), piece(right))
    assert found
    assert found.move
    area = found.files * found.ranks
    assert_smallest(found, left, right, "eokrp" if area <= 4 else "eo")


def test_no_smaller_position_tells_pairs_of_cases_apart() -> None:
    """Pairs of pieces that reach at most three squares, all smaller positions of some kinds."""
    small = [
        text
        for text in CASE_TEXTS
        if readable(text)
        and max((max(map(abs, to)) for to in alfil.destinations(piece(text), 5)), default=0) <= 3
    ]
    pairs = random.Random(5).sample(list(itertools.combinations(small, 2)), PAIRS)
    tried = 0
    for left, right in pairs:
        found = alfil.difference(piece(left), piece(right))
        if found is None or found.move is None:
            continue
        if found.files * found.ranks <= 6:
            tried += 1
            assert_smallest(found, left, right, "eo")
    assert tried > PAIRS * 5 / 6


def test_a_position_on_a_board_too_large_to_try_all_is_confirmed_all_the_same() -> None:
    """A leap over eight ranks, and castling beside it."""
    found = alfil.difference("O2(1,9)", "O2(2,9)")
    assert found
    assert found.move
    assert (found.files, found.ranks) == (2, 10)
    check(found, piece("O2(1,9)"), piece("O2(2,9)"))


def test_what_cannot_be_decided_is_an_error() -> None:
    with pytest.raises(alfil.MeaningError) as caught:
        alfil.difference("cabW", "caobW")
    assert caught.value.kind == "undecided"


def test_notebooks_show_what_tells_two_pieces_apart() -> None:
    found = alfil.difference("afsK", "N")
    assert found is not None
    drawn = found._repr_svg_()
    assert drawn is not None
    root = ElementTree.fromstring(drawn)
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "Only N has a move here"
    king = alfil.difference("K", alfil.read("royal() & 1×8d", "hasinu"))
    assert king is not None
    assert king._repr_svg_() is None
    compared = alfil.check_for("afsW", "fairy-stockfish")._repr_svg_()
    assert compared is not None
    assert ElementTree.fromstring(compared).tag.endswith("svg")
    assert pickle.loads(pickle.dumps(found)) == found
