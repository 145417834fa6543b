"""Many pictures of one piece: on every square the same as a picture of its own."""

import xml.etree.ElementTree as ET
from itertools import product

import pytest

import alfil
from alfil.diagrams.stamps import Stamps  # documented in docs/diagrams.md
from alfil.diagrams.themes import THEMES  # stamps are given a theme itself
from test_diagram_svg import corpus, refused, signs_in

PLACES = ((0, 0), (8, 0), (4, 4), (1, 7), (7, 8))


@pytest.mark.parametrize("text", [text for text in corpus()[::5] if not refused(text)])
def test_a_stamp_has_the_signs_of_a_picture_of_its_own(text: str) -> None:
    stamps = Stamps(alfil.compile(text, files=9, ranks=9), notation=text)
    for place in PLACES:
        own = alfil.draw(text, files=9, ranks=9, at=place)
        assert signs_in(stamps.svg(place)) == signs_in(own.svg())


def segments(text: str, place: tuple[int, int]) -> set[tuple[str, str]]:
    """Where the lines of a stamp go, each one step long, from the piece."""
    svg = Stamps(alfil.compile(text, files=5, ranks=4)).svg(place)
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
    stamps = Stamps(
        alfil.compile("fK", files=3, ranks=3), THEMES["print"], notation="fK", label="<pawn>"
    )
    made = {stamps.svg(place).partition("<g transform")[0] for place in product(range(3), repeat=2)}
    assert len(made) == 1
    assert ">&lt;pawn&gt;: fK</title>" in made.pop()
