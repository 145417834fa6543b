"""What notebooks show: pictures with paths where the pointer is, and data frames."""

from __future__ import annotations

import re
import sys
from base64 import b64decode
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest

import alfil

SVG = "{http://www.w3.org/2000/svg}"
NUMBER = r"(-?[\d.]+)"


def parts_of(html: str) -> tuple[str, ET.Element]:
    """The image of a notebook's picture, and the drawing over it."""
    found = re.match(
        r'<div style="position:relative;display:inline-block;line-height:0"><img alt="[^"]*" '
        r'src="data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)">(<svg .*?</svg>)</div>',
        html,
    )
    assert found
    return b64decode(found[1]).decode(), ET.fromstring(found[2])


def squares_of(layer: ET.Element) -> dict[tuple[float, float], list[list[tuple[float, float]]]]:
    """By the corner of each square, the points of the lines that show over it."""
    result = {}
    for square in layer.findall(f"{SVG}g"):
        area = square.find(f"{SVG}path")
        hidden = square.find(f"{SVG}g")
        assert area is not None
        assert hidden is not None
        assert hidden.get("visibility") == "hidden"
        corner = re.match(rf"M{NUMBER} {NUMBER}h", area.attrib["d"])
        assert corner
        lines = [
            [
                (float(x), float(y))
                for x, y in re.findall(rf"[ML]{NUMBER} {NUMBER}(?!l)", path.attrib["d"])
            ]
            for path in hidden.iter(f"{SVG}path")
        ]
        result[float(corner[1]), float(corner[2])] = lines
    return result


def steps_of(line: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The squares that a line goes on by."""
    return [((x2 - x1) / 40, (y1 - y2) / 40) for (x1, y1), (x2, y2) in pairwise(line)]


def test_a_piece_is_its_picture_with_hidden_paths() -> None:
    """The griffon steps diagonally and slides on; each of its squares has one path."""
    griffon = alfil.read("FyafsF")
    html = griffon._repr_html_()
    assert html is not None
    assert "<script" not in html
    picture, layer = parts_of(html)
    assert picture == griffon._repr_svg_() == alfil.draw(griffon).svg()
    size = re.search(r'viewBox="([^"]+)"', picture)
    assert size
    assert layer.get("viewBox") == size[1]
    style = layer.find(f"{SVG}style")
    assert style is not None
    assert style.text == ".alfil-square:hover>g,.alfil-square:focus>g{visibility:visible}"
    squares = squares_of(layer)
    reached = {move.to for move in alfil.moves("FyafsF", radius=4)}
    paths = [[*map(tuple, steps_of(line))] for lines in squares.values() for line in lines]
    assert {(sum(x for x, _ in path), sum(y for _, y in path)) for path in paths} == reached
    assert len(paths) == len(squares) == len(reached)
    assert [(1, 1), (0, 1), (0, 1)] in paths
    for (left, top), ((*_, (x, y)),) in squares.items():
        assert (left + 20, top + 20) == (x, y)


def test_captures_and_hurdles_on_a_path_are_drawn() -> None:
    cannon = alfil.read("mRcpR")._repr_html_() or ""
    lion = alfil.read("KmcabK")._repr_html_() or ""
    rings = [
        len([*group.iter(f"{SVG}circle")])
        for group in parts_of(cannon)[1].iter(f"{SVG}g")
        if group.get("stroke")
    ]
    assert set(rings) == {1, 2, 3, 4}.intersection(rings)
    assert max(rings) > 1
    crosses = re.compile(r"l(\d+) \1m0-\1l-\1 \1")
    assert crosses.search(lion)
    assert not crosses.search(cannon)


def test_a_game_shows_the_legal_moves_of_its_pieces() -> None:
    game = alfil.load("chess").game()
    game.push("e2e4")
    game.push("d7d5")
    html = game._repr_html_()
    picture, layer = parts_of(html)
    assert picture == game._repr_svg_()
    squares = squares_of(layer)
    origins = {move.origin for move in game.legal_moves}
    assert len(squares) == len(origins)
    assert sum(map(len, squares.values())) == len(game.legal_moves)
    assert "white to move, 31 legal moves" in html


def test_what_has_no_picture_has_none_in_a_notebook() -> None:
    assert alfil.read("fmW*")._repr_html_() is None
    roaming = alfil.read("rpg(n8d)", "hasinu")._repr_html_()
    assert roaming is not None
    assert squares_of(parts_of(roaming)[1]) == {}
    palace = alfil.load("xiangqi")["G"]._repr_html_()
    assert palace is not None
    assert len(squares_of(parts_of(palace)[1])) == 3


def test_without_pandas_and_polars_a_data_frame_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    library = alfil.load("chess")
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(alfil.AlfilError, match="a data frame needs pandas or polars") as caught:
        library.to_dataframe()
    assert caught.value.kind == "missing-extra"
    assert caught.value.hint == "run: pip install pandas"
    with pytest.raises(alfil.AlfilError, match="needs polars"):
        library.to_dataframe("polars")
    with pytest.raises(alfil.AlfilError, match="unknown-format"):
        library.to_dataframe("numpy")  # type: ignore[arg-type]


@pytest.mark.parametrize("package", ["pandas", "polars"])
def test_a_data_frame_has_a_row_for_each_piece(package: str) -> None:
    pytest.importorskip(package, reason=f"{package} is not installed")
    library = alfil.load("shogi")
    frame = library.to_dataframe(package)  # type: ignore[arg-type]
    assert [*frame["code"]] == [*library]
    assert frame["kanji"][0] == "玉将"
    assert [*frame["royal"]].count(True) == 1
