"""Pieces that areas of a board bound: what is drawn of them is what the game lets them do."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

import alfil
from alfil.diagrams.picture import Picture
from alfil.diagrams.subjects import Asks, Ends, Marks
from alfil.game.variant import Variant
from alfil.library.areas import is_bounded
from alfil.library.library import games
from alfil.library.pictures import bounded_diagram
from alfil.play.game import Game
from alfil.squares import Square
from inside import run

# Cannons need another piece to leap over, and castling needs a partner.
HELPED = Asks.HURDLE | Asks.LOCUST


def bounded_pieces() -> Iterator[tuple[str, str]]:
    for name in games():
        library = alfil.load(name)
        for entry in library.pieces:
            if is_bounded(library, entry):
                yield name, entry.code


@cache
def without_royals(name: str) -> Variant:
    """The game with boards on which a piece may stand alone."""
    variant = alfil.load(name).variant
    kinds = tuple(replace(kind, royal=False) for kind in variant.kinds)
    rules = replace(variant.rules, facing="allowed", extinction=None)
    return replace(variant, kinds=kinds, rules=rules)


def played(name: str, code: str, at: Square, enemy: Square | None = None) -> set[Square]:
    """Where the game lets a piece go, or what it lets it capture where there is an enemy."""
    variant = without_royals(name)
    rows = [[""] * variant.files for _ in range(variant.ranks)]
    rows[at[1]][at[0]] = variant.kind(code).letter
    if enemy:
        free = (each for each in variant.kinds if each.drop_in is None and 1 in each.sides)
        victim = next(each for each in free if not (each.within or each.outside or each.promotes))
        rows[enemy[1]][enemy[0]] = victim.letter.lower()
    text = "/".join("".join(each or "1" for each in row) for row in reversed(rows))
    moves = [each for each in Game(variant, f"{text} w - 1").legal_moves if each.origin == at]
    return {each.target for each in moves if bool(each.captures) == bool(enemy)}


def marked(marks: Marks, at: Square, ends: int, *, begun: bool) -> set[Square]:
    """Where a picture says that a piece may go or capture without others' help.

    What it may do at its first move only is left out where it has not ``begun``.
    """
    return {
        (at[0] + x, at[1] + y)
        for (x, y), mark in marks.squares.items()
        if any(
            way.ends & ends and not way.asks & HELPED and (begun or not way.guard)
            for way in mark.ways
        )
    }


def looked_at(name: str, code: str) -> list[Square]:
    """The squares a piece begins on, and those it comes to from there."""
    begun = [at for at, side, kind in alfil.load(name).setup if (kind, side) == (code, 0)]
    return sorted({*begun, *(to for at in begun for to in played(name, code, at))})


@pytest.mark.parametrize(("name", "code"), [*bounded_pieces()])
def test_marks_are_the_moves_of_the_game(name: str, code: str) -> None:
    library = alfil.load(name)
    for at in looked_at(name, code):
        begun = any(each.square == at and each.code == code for each in library.setup)
        marks = bounded_diagram(library, library[code], at).marks
        assert marked(marks, at, Ends.MOVE, begun=begun) == played(name, code, at), at
        board = {(x, y) for x in range(library.files) for y in range(library.ranks)} - {at}
        taken = {square for square in board if played(name, code, at, square)}
        assert marked(marks, at, Ends.CAPTURE, begun=begun) == taken, at


def rows_of(capsys: pytest.CaptureFixture[str], *call: str) -> dict[str, str]:
    assert run([*call]) == 0
    lines = map(str.split, capsys.readouterr().out.replace("♚", " ").splitlines())
    return {words[0]: "".join(words[1:]) for words in lines if len(words) == 10}


@pytest.mark.parametrize("command", ["show", "diagram"])
def test_the_picture_is_of_the_board_of_the_game(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    general = rows_of(capsys, command, "xiangqi:G")
    assert (len(general), general["1"], general["2"]) == (10, "···●@●···", "····●····")
    elephant = rows_of(capsys, command, "xiangqi:E", "--board", "9x10", "--at", "c5")
    assert (elephant["7"], elephant["6"], elephant["3"]) == ("·········", "·········", "●···●····")
    assert rows_of(capsys, command, "janggi:K")["3"] == "···●●●···"
    # On another board there is no palace.
    elsewhere = rows_of(capsys, command, "xiangqi:G", "--board", "9x9", "--at", "d1")
    assert elsewhere["1"] == "··●@●····"


@pytest.mark.parametrize(("name", "code", "edges"), [("xiangqi", "G", 9), ("xiangqi", "E", 9)])
def test_the_region_is_outlined(name: str, code: str, edges: int) -> None:
    library = alfil.load(name)
    svg = Picture(bounded_diagram(library, library[code])).svg()
    (path,) = (part for part in svg.split("<path ") if part.startswith("data-region="))
    assert path.partition("/>")[0].count("M") == edges
    assert "Outlined" not in alfil.draw("W").svg()
