"""The library's face: pieces and moves as values, boards and texts with mistakes."""

from __future__ import annotations

import ast
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import alfil

SAMPLES = [
    ("betza", "FyafsF"),
    ("betza", "KNADcaKmcabK"),
    ("betza", "fmWfceFifmnD"),
    ("betza", "v[F?R]"),
    ("betza", "(az)3F"),
    ("hasinu", "1×4dD &t n4dO"),
    ("hasinu", "atmove(1, m(2×1dN)) & royal() & promote(//reach rank eight, n8d)"),
    ("hasinu", r"\mQ & group(i, c)(n8d)"),
]


@pytest.mark.parametrize(("notation", "text"), SAMPLES)
def test_pieces_are_values(notation: str, text: str) -> None:
    piece = alfil.read(text, notation=notation)
    again = alfil.read(text, notation=notation)
    assert piece == again
    assert hash(piece) == hash(again)
    copy = pickle.loads(pickle.dumps(piece))
    assert copy == piece
    assert copy.text == text
    assert alfil.moves(copy, radius=3) == alfil.moves(piece, radius=3)
    assert (piece.notation, piece.text) == (notation, text)
    with pytest.raises(AttributeError):
        piece.tree = again.tree  # type: ignore[misc]


def test_moves_are_values() -> None:
    found = alfil.moves("KNADcaKmcabK", radius=2, enemies={(1, 1)})
    assert pickle.loads(pickle.dumps(found)) == found
    assert sorted(found) == sorted(found, key=lambda move: (move.to, move.captures))
    assert not any(one < other for one, other in zip(found, found, strict=True))
    assert {move for move in found if move.is_stationary} == {
        alfil.PieceMove((0, 0)),
        alfil.PieceMove((0, 0), captures=((1, 1),)),
    }


def test_what_a_move_tells() -> None:
    (jump,) = alfil.moves("frcafmF", radius=3, enemies={(1, 1)})
    assert jump == alfil.PieceMove((2, 2), captures=((1, 1),))
    (eaten,) = alfil.moves("fdW", radius=2, friends={(0, 1)})
    assert eaten == alfil.PieceMove((0, 1), captures=((0, 1),), own_captures=((0, 1),))
    (hop,) = alfil.moves("fgR", radius=3, friends={(0, 2)})
    assert hop == alfil.PieceMove((0, 3), hurdles=((0, 2),))
    (double,) = alfil.moves("ifmnD", radius=3, unmoved=True)
    first = (("move", 1, 0), ("trail", 0, 0))
    assert double == alfil.PieceMove((0, 2), trail=((0, 1),), guard=first)
    (taken,) = alfil.moves("frceF", radius=2, en_passant={(1, 1): (1, 0)}, enemies={(1, 0)})
    assert taken == alfil.PieceMove((1, 1), captures=((1, 0),))
    castles = alfil.moves(
        "isO2", files=8, ranks=8, at="e1", unmoved_friends={"a1", "h1"}, unmoved=True
    )
    assert {(move.to, move.partner) for move in castles} == {
        ((2, 0), ((3, 0), (1, 0))),
        ((-2, 0), ((-4, 0), (-1, 0))),
    }


def test_captures_come_in_order() -> None:
    found = alfil.moves("fcafcafmW", radius=4, enemies={(0, 1), (0, 2)})
    assert found == (alfil.PieceMove((0, 3), captures=((0, 1), (0, 2))),)


def test_two_ways_to_one_capture_are_one_move() -> None:
    enemies = {(0, 1), (1, 1), (0, 2)}
    found = alfil.moves("cacafmW", radius=4, enemies=enemies)
    assert len({(move.to, frozenset(move.captures)) for move in found}) == len(found)


def test_wrapped_boards_need_a_board() -> None:
    """A cylinder rook on the left edge comes round the other side, but not to where it began."""
    found = alfil.destinations("soR")
    assert {dx for dx, _ in found} == set(range(-7, 8)) - {0}
    real = alfil.moves("soR", files=5, ranks=3, at="a2", friends={(2, 0)})
    assert {move.to for move in real} == {(1, 0), (4, 0), (3, 0)}
    both = alfil.moves("ooF", files=3, ranks=3, at="a1")
    assert {move.to for move in both} == {(1, 1), (1, 2), (2, 1), (2, 2)}


def test_half_board_range() -> None:
    for rank, reached in ((1, {(0, 1), (0, 2), (0, 3)}), (2, {(0, 1), (0, 2)}), (5, {(0, 1)})):
        found = alfil.moves("fmW*", files=8, ranks=8, at=f"a{rank}")
        assert {move.to for move in found} == reached
    trails = {move.to: move.trail for move in alfil.moves("fmW*", files=8, ranks=8, at="a2")}
    assert trails == {(0, 1): (), (0, 2): ((0, 1),)}


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"radius": 40}, "board-size"),
        ({"files": 0, "ranks": 8, "at": "a1"}, "board-size"),
        ({"files": 37, "ranks": 8, "at": "a1"}, "board-size"),
        ({"files": 8, "ranks": 8}, "board-incomplete"),
        ({"files": 8, "ranks": 8, "at": "i1"}, "off-board"),
        ({"files": 8, "ranks": 8, "at": "e55"}, "off-board"),
        ({"files": 8, "ranks": 8, "at": "nowhere"}, "square-name"),
        ({"files": 8, "ranks": 8, "at": (8, 0)}, "off-board"),
        ({"enemies": {(0, 0)}}, "square-taken"),
        ({"enemies": {(0, 1)}, "friends": {(0, 1)}}, "square-taken"),
        ({"enemies": {(9, 9)}}, "off-board"),
        ({"en_passant": {(1, 1): (1, 0)}}, "no-victim"),
    ],
)
def test_boards_that_do_not_fit(arguments: dict[str, object], kind: str) -> None:
    with pytest.raises(alfil.BoardError) as caught:
        alfil.moves("K", **arguments)  # type: ignore[arg-type]
    assert caught.value.kind == kind
    assert str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ({"enemies": {"e4"}}, "give files, ranks and the square of the piece, or an offset"),
        ({"enemies": {(1, 1, 1)}}, "give dx and dy, as in (0, 2)"),
        (
            {"files": 8, "ranks": 8, "at": "nowhere"},
            "a letter and a number, as in e5, or as in 5e in shogi",
        ),
        ({"files": 8, "ranks": 8, "at": (1, 1, 1)}, "give file and rank, or a name as in e5"),
    ],
)
def test_what_a_square_is_called_is_told(arguments: dict[str, object], hint: str) -> None:
    with pytest.raises(alfil.BoardError) as caught:
        alfil.moves("K", **arguments)  # type: ignore[arg-type]
    assert (caught.value.kind, caught.value.hint) == ("square-name", hint)


def test_range_to_the_middle_needs_a_square() -> None:
    with pytest.raises(alfil.BoardError) as caught:
        alfil.moves("fmW*")
    assert caught.value.kind == "needs-board"
    assert "files, ranks and the square" in caught.value.hint


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"notation": "bezta"}, "unknown-notation"),
        ({"notation": "clasic"}, "unknown-notation"),
        ({"notation": "hasinu", "dialect": "clasic"}, "unknown-dialect"),
    ],
)
def test_names_nobody_knows(arguments: dict[str, str], kind: str) -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.read("W", **arguments)
    assert caught.value.kind == kind
    assert "did you mean" in caught.value.hint
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.read("W", "xboard", dialect="classic")
    assert caught.value.kind == "not-embedded"
    assert "notation classic" in caught.value.hint


def test_nothing_depends_on_hash_order() -> None:
    program = (
        "import alfil;"
        "p=[alfil.read(t) for t in ('KNADcaKmcabK','[F?R]fmWfceFifmnD','qNzB','RasRmpafK')];"
        "print([repr(x.meaning) for x in p], [alfil.compile(x).to_json() for x in p],"
        " [sorted(alfil.moves(x, enemies={(1,1)})) for x in p])"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "77")
    }
    assert [len(run) > 1000 for run in runs] == [True]


@pytest.mark.parametrize(
    ("enemy", "captures"), [("e4", [((0, 2),)]), ("e5", []), ("e6", [])], ids=str
)
def test_a_rifle_shoots_no_farther_than_its_range(
    enemy: str, captures: list[tuple[tuple[int, int], ...]]
) -> None:
    rifle = alfil.read(r"i(\fR*)", notation="hasinu")
    assert alfil.same(rifle, alfil.read(str(rifle), notation="hasinu"))
    found = alfil.moves(rifle, files=8, ranks=8, at="e2", enemies={enemy})
    assert [move.captures for move in found] == captures
    assert not any(move.trail for move in found)


def test_a_piece_of_a_library_is_a_piece_everywhere() -> None:
    entry, piece = alfil.find("griffon"), alfil.find("griffon").piece
    assert alfil.moves(entry) == alfil.moves(piece)
    assert alfil.destinations(entry, 3) == alfil.destinations(piece, 3)
    assert alfil.same(entry, "FyafsF")
    assert alfil.contains(entry, "F")
    assert alfil.difference("FyafsF", entry) is None
    assert alfil.draw(entry).svg() == alfil.draw(piece).svg() == entry._repr_svg_()
    assert alfil.describe(entry) == alfil.describe(piece)
    assert alfil.write(entry, "hasinu") == "1×4dD &t n4dO"
    assert alfil.translate(entry, write="hasinu").text == "1×4dD &t n4dO"
    assert alfil.compile(entry).to_json() == alfil.compile(piece).to_json()
    assert alfil.check_for(entry, "xboard") == alfil.check_for(piece, "xboard")
    assert alfil.identify(entry).same == alfil.identify(piece).same


@pytest.mark.parametrize("wrong", [None, 3, b"N", object()])
def test_what_is_no_piece_is_a_type_error(wrong: object) -> None:
    with pytest.raises(
        TypeError, match="a piece is a text, a Piece, a piece of a library or a Movement"
    ):
        alfil.moves(wrong)  # type: ignore[arg-type]


def test_type_checkers_see_the_public_names() -> None:
    stub = Path(alfil.__file__).with_suffix(".pyi")
    seen = [
        alias.asname
        for node in ast.parse(stub.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    assert [name for name in seen if name != "compile"] == alfil.__all__  # which is Python's own
    assert len(seen) == len(set(seen))
    assert all(getattr(alfil, name).__doc__ for name in seen)


def test_a_repr_fits_a_line_whatever_was_read() -> None:
    long = alfil.read("W" + "F" * 3000)
    assert repr(alfil.read("KNAD")) == "<Piece betza: KNAD>"
    library = alfil.load("hand_shogi")
    assert repr(library) == "<Library hand_shogi: 12 pieces>"
    assert repr(library["SH"]) == "<Entry SH (shogun): Q2>"
    for value in (long, library["N"], library.game(), alfil.difference("K", "WF"), library):
        assert "\n" not in repr(value)
        assert len(repr(value)) <= 100


@pytest.mark.parametrize(
    "name",
    [
        *("Ħasínū", "ħasínū", "Hasinu", "HHasihnuu", "RLUWDCP", "rluwdcp", "Reluwadecap"),
        *("a Rather Long and Unwieldy Way of Describing Chess Pieces", "Long and Long Notation"),
        *("long-and-long-notation", "RLUWDCP notation", "Laȝoħasínū", "Peraño Xasinu"),
        *("Bikrta Hasinû", "Ħasi\u0301nu\u0304"),
    ],
)
def test_the_page_has_many_names_for_its_notation(name: str) -> None:
    assert alfil.read("n4dO", name).meaning == alfil.read("n4dO", "hasinu").meaning
    assert alfil.write("R", name) == "n4dO"
    assert alfil.translate("n4dO", read=name, write="betza").text == "R"
    if " " not in name and name.isascii():
        library = alfil.loads(f'piece R "rook" {name}="n4dO"')
        assert library["R"].piece.notation == "hasinu"
        assert (
            alfil.loads('piece R "rook" betza=W', {"R": f"{name}:n4dO"})["R"].piece.text == "n4dO"
        )
