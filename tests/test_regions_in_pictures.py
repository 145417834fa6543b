"""Pieces that areas of a board bound: what is drawn of them is what the game lets them do."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

import alfil
from alfil.diagrams.diagram_model import Diagram, EndFlags, Marks, PathConditionFlags
from alfil.game.variant import Variant
from alfil.library.library import games
from alfil.library.piece_file import Entry
from alfil.play.game import Game
from alfil.site.piece_requests import answer
from alfil.squares import Square
from inside import run

# Cannons need another piece to leap over, and castling needs a partner.
HELPED = PathConditionFlags.HURDLE | PathConditionFlags.LOCUST


def drawn(piece: Entry, **given: Any) -> Diagram:  # noqa: ANN401 - what `draw` is called with
    subject = alfil.draw(piece, **given).subject
    assert isinstance(subject, Diagram)
    return subject


def bounded_pieces() -> Iterator[tuple[str, str]]:
    for name in games():
        library = alfil.load(name)
        for entry in library.pieces:
            if entry.within or entry.outside or entry.further:
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
            way.ends & ends and not way.conditions & HELPED and (begun or not way.guard)
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
        board = {"files": library.files, "ranks": library.ranks, "at": at}
        marks = drawn(library[code], **board).marks
        assert marked(marks, at, EndFlags.MOVE, begun=begun) == played(name, code, at), at
        board = {(x, y) for x in range(library.files) for y in range(library.ranks)} - {at}
        taken = {square for square in board if played(name, code, at, square)}
        assert marked(marks, at, EndFlags.CAPTURE, begun=begun) == taken, at


def rows_of(capsys: pytest.CaptureFixture[str], *call: str) -> dict[str, str]:
    assert run([*call]) == 0
    lines = map(str.split, capsys.readouterr().out.replace("♚", " ").splitlines())
    return {
        words[0]: "".join(words[1:]) for words in lines if len(words) == 10 and words[0].isdigit()
    }


@pytest.mark.parametrize("command", ["show", "diagram"])
def test_the_picture_is_of_the_board_of_the_game(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    general = rows_of(capsys, command, "xiangqi:G")
    assert (len(general), general["1"], general["2"]) == (10, "···●@●···", "···:●:···")
    elephant = rows_of(capsys, command, "xiangqi:E", "--board", "9x10", "--at", "c5")
    assert (elephant["7"], elephant["6"], elephant["3"]) == ("·········", "·········", "●:::●::::")
    assert rows_of(capsys, command, "janggi:K")["3"] == "···●●●···"
    # On another board there is no palace.
    elsewhere = rows_of(capsys, command, "xiangqi:G", "--board", "9x9", "--at", "d1")
    assert elsewhere["1"] == "··●@●····"


@pytest.mark.parametrize(("name", "code", "edges"), [("xiangqi", "G", 9), ("xiangqi", "E", 9)])
def test_the_region_is_outlined(name: str, code: str, edges: int) -> None:
    library = alfil.load(name)
    svg = alfil.draw(library[code]).svg()
    (path,) = (part for part in svg.split("<path ") if part.startswith("data-region="))
    assert path.partition("/>")[0].count("M") == edges
    assert "data-region" not in alfil.draw("W").svg()


ZONES = """
game "Zones"
board 12x12
rule first = black
zone promotion ranks=3
region river ranks=6-7
piece K "king" betza=K royal within=1-3
piece F "ferry" betza=R outside=river
piece H "heron" betza=BN
moves H at=promotion unchecked betza=R
moves H in=river betza=A
setup
| . . . . . K . . F . H . |
"""
FORMATS = ("text", "ascii", "svg", "html", "wikitext", "json")
UNBOUNDED = "This shows its moves as if no area bounded it."


def outlines(svg: str) -> list[str]:
    return re.findall(r'data-region="([^"]*)"', svg)


def test_what_stands_there_does_not_undo_the_bounds() -> None:
    elephant = alfil.find("xiangqi:E")
    for given in ({"unmoved": False}, {"enemies": {"e4"}}, {"friends": {"d2"}}):
        marks = drawn(elephant, at="c5", **given).marks
        ends = {(2 + x, 4 + y) for (x, y), mark in marks.squares.items() if mark.ways}
        assert ends == {(0, 2), (4, 2)}, given
        assert [each.name for each in marks.regions] == ["home"]
    stopped = drawn(elephant, at="c5", enemies={"d4"}).marks
    assert [at for at, mark in stopped.squares.items() if mark.ways] == [(-2, -2)]


def test_options_of_a_position_keep_a_piece_in_its_bounds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for option in (["--enemy", "e9"], ["--own", "e9"], ["--moved"]):
        rows = rows_of(capsys, "diagram", "xiangqi:G", *option)
        assert (rows["1"], rows["2"]) == ("···○@○···", "···:○:···"), option
    assert run(["moves", "xiangqi:E", "--board", "9x10", "--at", "c5"]) == 0
    assert capsys.readouterr().out.split() == ["a3", "e3"]


@pytest.mark.parametrize("form", FORMATS)
def test_a_picture_without_the_areas_says_so(form: str) -> None:
    elephant = alfil.find("xiangqi:E")
    for given in ({"radius": 3}, {"files": 9, "ranks": 9, "at": "c5"}):
        told = alfil.draw(elephant, **given).render(form).decode()  # type: ignore[arg-type]
        assert UNBOUNDED in " ".join(told.split()), given
        legend = alfil.draw(elephant, **given).render(form, sentence=False)  # type: ignore[arg-type]
        assert form == "svg" or UNBOUNDED in " ".join(legend.decode().split()), given
    told = alfil.draw(elephant).render(form).decode()
    assert UNBOUNDED not in " ".join(told.split())


def test_show_with_a_radius_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "xiangqi:E", "--radius", "3"]) == 0
    assert UNBOUNDED in capsys.readouterr().out
    assert run(["show", "xiangqi:R", "--radius", "3"]) == 0
    assert UNBOUNDED not in capsys.readouterr().out


def test_a_sheet_of_one_radius_says_so() -> None:
    assert UNBOUNDED in " ".join(alfil.load("xiangqi").sheet("E", radius=3).text().split())


def test_zones_and_ranks_are_outlined() -> None:
    library = alfil.loads(ZONES)
    assert outlines(alfil.draw(library["K"]).svg()) == ["ranks 1 to 3"]
    assert outlines(alfil.draw(library["F"]).svg()) == ["river"]
    assert outlines(alfil.draw(library["H"]).svg()) == ["promotion zone", "river"]
    # Ranks are on every board.
    king = drawn(library["K"], files=5, ranks=6, at=(2, 2))
    assert (0, 1) not in king.marks.squares
    assert (0, -1) in king.marks.squares


def test_each_region_has_dashes_that_the_legend_explains() -> None:
    svg = alfil.draw(alfil.loads(ZONES)["H"]).svg()
    (region,) = re.findall(r'data-region="river"( stroke-dasharray="[^"]*")', svg)
    assert svg.count(region) == 2


def test_text_marks_empty_squares_of_regions() -> None:
    text = alfil.draw(alfil.loads(ZONES)["H"], at="4b").text()
    rows = dict(reversed(line.strip().rsplit("  ", 1)) for line in text.splitlines()[3:15])
    assert rows["c"].split() == [*":::::::"[:6], "★", "●", "▼", "●", "★", ":"]
    assert rows["f"].split() == [*",,,,", "●", *",,,", "▼", *",,,"]
    assert ":  promotion zone, where it is empty" in text
    assert ",  river, where it is empty" in text


def test_json_has_the_board_and_the_regions() -> None:
    found = json.loads(alfil.draw(alfil.find("xiangqi:G")).render("json"))
    assert found["board"] == {"files": 9, "ranks": 10, "at": "e1"}
    (palace,) = found["regions"]
    assert palace["name"] == "palace"
    assert palace["squares"] == [[x, y] for x in (-1, 0, 1) for y in range(3)]
    assert "regions" not in json.loads(alfil.draw("W").render("json"))


def test_wikitext_has_the_regions() -> None:
    picture = alfil.draw(alfil.find("xiangqi:G"))
    assert "palace: d1 to f3" in picture.render("wikitext", sentence=False).decode()
    table = picture.render("wikitable").decode()
    # A square each, and the legend.
    assert table.count("background:#fdf0d5") == 9 + 1


def test_moves_out_of_check_only_are_marked_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "cambodian:M"]) == 0
    assert "▽  as its first move and while its side is not in check: moves" in " ".join(
        capsys.readouterr().out.split(" ")
    )
    for form in FORMATS[:-1]:
        told = " ".join(alfil.draw(alfil.find("cambodian:M")).render(form).decode().split())
        assert "while its side is not in check" in told
    plain = drawn(alfil.find("cambodian:M")).marks
    assert not plain.window.ranks
    assert ("unchecked", 0, 0) in plain.squares[0, 2].ways[0].guard
    moved = drawn(alfil.find("cambodian:M"), unmoved=False).marks
    assert (0, 2) not in moved.squares


def test_words_of_an_entry_tell_its_areas() -> None:
    general = alfil.find("xiangqi:G")
    assert alfil.describe(general).endswith("d8 to f10 for the other side).")
    assert alfil.describe(general.piece) == "Steps one square orthogonally."


def test_the_page_of_the_site_draws_what_areas_allow() -> None:
    found = json.loads(answer("read", json.dumps(["xiangqi:E", "betza"])))
    data = found["data"]
    assert (data["board"]["files"], data["board"]["ranks"]) == (9, 10)
    assert [name for name, *_ in data["regions"]] == ["home"]
    saved = json.loads(answer("download", json.dumps(["xiangqi:E", "betza", "svg", {}])))
    assert outlines(saved["content"]) == ["home"]


def test_an_included_piece_is_bounded_on_the_board_of_the_file_that_includes_it() -> None:
    text = "include xiangqi only=E\nboard 9x12\nregion home ranks=1-6\n"
    library = alfil.loads(text)
    window = drawn(library["E"]).marks.window
    assert (window.width, window.ranks) == (9, 12)
    assert len(drawn(library["E"]).marks.regions[0].both_sides) == 9 * 6
