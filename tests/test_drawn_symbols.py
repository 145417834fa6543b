"""Symbols of pieces from SVG files: what is drawn, and what of a file never is."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import alfil
from alfil import PieceFileError
from alfil.library.svg_symbols import text_with_embedded_drawings  # `alfil publish` asks it
from inside import run

PIECES = """game "Drawn"
board 4x4
rule first = white
piece K "king" betza=K royal
piece G "griffon" betza=FyafsF symbol=below/griffon.svg
setup mirrored
| K G . . |
"""
SVG = """<?xml version="1.0"?>
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://example.com/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0,0 45 45.5" onload="alert(1)">
<script>alert(2)</script><style>path{fill:url(http://example.com)}</style>
<defs><path d="M0 0h45v45z"/></defs>
<a href="javascript:alert(3)"><path d="M22 4 L40 40
 5 40 Z" style="fill:url(http://example.com)" onclick="alert(4)"/></a>
<image href="http://example.com/x.png"/><path d="m10,10 h5v5h-5z"/></svg>
"""


def load(folder: Path, svg: str, pieces: str = PIECES) -> alfil.Library:
    (folder / "below").mkdir(exist_ok=True)
    (folder / "below" / "griffon.svg").write_text(svg, encoding="utf-8")
    (folder / "drawn.pieces").write_text(pieces, encoding="utf-8")
    return alfil.load(folder / "drawn.pieces")


def test_the_paths_are_drawn_and_nothing_else(tmp_path: Path) -> None:
    library = load(tmp_path, SVG)
    pictures = (library.game().picture().svg(), library.sheet().svg())
    for drawn in pictures:
        assert 'd="M22 4 L40 40 5 40 Z"' in drawn
        assert 'd="m10,10 h5v5h-5z"' in drawn
        assert "M0 0h45v45z" not in drawn
        for word in ("alert", "example.com", "javascript", "<script", "<image"):
            assert word not in drawn
    assert "M22" not in str(library.sheet()) + str(library.game())
    assert pickle.loads(pickle.dumps(library)).game().picture().svg() == pictures[0]


def test_drawings_stand_in_the_text_in_the_place_of_their_files(tmp_path: Path) -> None:
    (tmp_path / "more.pieces").write_text(
        'board 4x4\npiece N "knight" betza=N symbol=below/griffon.svg\n', encoding="utf-8"
    )
    two = (
        'include "more.pieces"\n'
        + PIECES
        + 'piece S "sun" betza=W symbol="☀"\npiece B "bishop" betza=B symbol=below/griffon.svg\n'
    )
    svg = "<svg viewBox='0 0 9 9'><path/><path d='M0 0h9'/></svg>"
    shown = text_with_embedded_drawings(load(tmp_path, svg, two))
    assert shown == two.replace("below/griffon.svg", '"svg 0 0 9 9|M0 0h9"')


WRONG = [
    ("<svg viewBox='0 0 9 9'><text>G</text></svg>", "it has no path"),
    ("<svg viewBox='0 0 9 9'><defs><path d='M0 0'/></defs></svg>", "it has no path"),
    ("<svg><path d='M0 0h9'/></svg>", "viewBox"),
    ("<svg viewBox='0 0 0 9'><path d='M0 0h9'/></svg>", "viewBox"),
    ("<svg viewBox='0 0 nan 9'><path d='M0 0h9'/></svg>", "viewBox"),
    ("<svg viewBox='0 0 9 9'><path d='M0 0&quot;/&gt;&lt;script/&gt;'/></svg>", "other signs"),
    ("<svg viewBox='0 0 9 9'><path d='M0 0" + "h9" * 10_001 + "'/></svg>", "20,000 characters"),
    ("<!DOCTYPE svg [<!ENTITY a 'aaaa'>]><svg viewBox='0 0 9 9'>&a;</svg>", "entities"),
    ("<svg viewBox='0 0 9 9'>", "no XML"),
    ("", "no XML"),
]


@pytest.mark.parametrize(("svg", "words"), WRONG)
def test_a_file_without_a_symbol_is_an_error(svg: str, words: str, tmp_path: Path) -> None:
    with pytest.raises(PieceFileError) as caught:
        load(tmp_path, svg)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.kind == "no-drawing"
    assert words in diagnostic.message
    place = diagnostic.spans[0]
    assert PIECES[place.start : place.end] == "below/griffon.svg"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("../griffon.svg", "include-outside"),
        ("/etc/griffon.svg", "include-outside"),
        ("missing.svg", "cannot-read"),
        ("below.svg", "cannot-read"),
    ],
)
def test_only_files_beside_it_are_read(name: str, kind: str, tmp_path: Path) -> None:
    (tmp_path / "below.svg").mkdir()
    with pytest.raises(PieceFileError) as caught:
        load(tmp_path, SVG, PIECES.replace("below/griffon.svg", name))
    assert caught.value.kind == kind


def test_a_text_has_no_folder() -> None:
    with pytest.raises(PieceFileError) as caught:
        alfil.loads(PIECES)
    assert caught.value.kind == "include-outside"


def test_a_line_is_laid_out_as_it_was_written(tmp_path: Path) -> None:
    load(tmp_path, SVG)
    assert run(["fmt", str(tmp_path / "drawn.pieces")]) == 0
    assert "symbol=below/griffon.svg" in (tmp_path / "drawn.pieces").read_text()
