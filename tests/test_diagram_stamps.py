"""Many pictures of one piece: on every square the same as a picture of its own."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from itertools import product

import pytest

import alfil
from alfil.diagrams.board_atlas import BoardAtlas  # documented in docs/diagrams.md
from inside import THEMES
from test_diagram_svg import corpus, refused, signs_in

PLACES = ((0, 0), (8, 0), (4, 4), (1, 7), (7, 8))


@pytest.mark.parametrize("text", [text for text in corpus()[::5] if not refused(text)])
def test_a_stamp_has_the_signs_of_a_picture_of_its_own(text: str) -> None:
    stamps = BoardAtlas(alfil.compile(text, files=9, ranks=9), notation=text)
    for place in PLACES:
        own, stamp = alfil.draw(text, files=9, ranks=9, at=place).svg(), stamps.svg(place)
        assert signs_in(stamp) == signs_in(own)
        assert grounds(stamp) == grounds(own)
        names = re.compile(' id="([^"]+)"')
        assert set(re.findall('href="#([^"]+)"', stamp)) <= {*names.findall(stamp)}


def grounds(svg: str) -> Counter[tuple[str, str]]:
    """What covers lines under hollow signs, each with the colour it has."""
    return Counter(
        (group.attrib["color"], use.attrib["href"])
        for group in ET.fromstring(svg).iter()
        for use in group
        if use.attrib.get("href", "").startswith("#ground.")
    )


def test_hollow_signs_cover_the_lines_below_them() -> None:
    stamps = BoardAtlas(alfil.compile("mR", files=5, ranks=5))
    assert sum(grounds(stamps.svg((2, 2))).values()) == 8
    # A line from two squares away runs right over the square between.
    assert sum(grounds(alfil.draw("mWDD", radius=4).svg()).values()) == 4


def segments(text: str, place: tuple[int, int]) -> set[tuple[str, str]]:
    """Where the lines of a stamp go, each one step long, from the piece."""
    svg = BoardAtlas(alfil.compile(text, files=5, ranks=4)).svg(place)
    root = ET.fromstring(svg)
    return {
        (each.attrib["d"].partition("l")[0], each.attrib["d"].partition("l")[2])
        for group in root.iter()
        if group.attrib.get("stroke-width") == "4"
        for each in group
    }


def test_lines_end_at_the_edge() -> None:
    assert segments("R", (1, 3)) == {
        ("M0 0", "-40 0"),
        ("M0 0", "40 0"),
        ("M40 0", "40 0"),
        ("M80 0", "40 0"),
        ("M0 0", "0 40"),
        ("M0 40", "0 40"),
        ("M0 80", "0 40"),
    }
    assert segments("N", (2, 2)) == set()


def test_the_words_around_are_the_same_on_every_square() -> None:
    stamps = BoardAtlas(
        alfil.compile("fK", files=3, ranks=3), THEMES["print"], notation="fK", label="<pawn>"
    )
    made = {stamps.svg(place).partition("<g transform")[0] for place in product(range(3), repeat=2)}
    assert len(made) == 1
    assert ">&lt;pawn&gt;: fK</title>" in made.pop()
