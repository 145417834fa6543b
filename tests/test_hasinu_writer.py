"""Writing Ħasínū: fixed layout, nothing lost, and names that nobody defined."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import alfil
from alfil import AlfilError, Diagnostic
from gathering import every_row
from strategies import examples, hasinu, texts

CASES = Path(__file__).parent / "cases" / "hasinu.tsv"


def _texts() -> list[str]:
    with CASES.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return sorted({row["hasinu"] for row in rows})


def _read(text: str) -> object:
    return alfil.read(text, notation="hasinu").tree


def _written(text: str) -> str:
    return alfil.write(alfil.read(text, notation="hasinu"))


@every_row("text", _texts())
def test_what_is_written_reads_back_as_the_same_tree(text: str) -> None:
    written = _written(text)
    # Embedded Betza has a canonical form of its own.
    assert "\\" in text or _read(written) == _read(text)
    assert _written(written) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", ""),
        ("1x4dO", "1×4dO"),
        (" n 4 d N - E - S - W ", "n4dO"),
        ("1×5dO-NE", "1×5dSE-SW-NW"),
        ("1×3dNE-N-NW", "1×3dN-NE-NW"),
        ("1×8dO-D", "1×8d"),
        ("1×1dN-NE-E-SE-S-SW-W", "1×1dNW"),
        ("{3, 1}x4dO", "{3,1}×4dO"),
        ("(2, 1)", "(1,2)"),
        ("(2,1)hgfedcba", "(1,2)"),
        ("(1,3)fgha (1,2)bcde & n4dO", "(1,3)afgh (1,2)bcde & n4dO"),
        ("(1,2)&(1,3)&n8d", "(1,2) (1,3) & n8d"),
        ("n((1,2)&(1,3))", "n((1,2) (1,3))"),
        ("(1×4dO&1×4dD)&t0 1×8d", "(1×4dO & 1×4dD) &t0° 1×8d"),
        ("1×4dD&t n4dO", "1×4dD &t n4dO"),
        ("1×4dO &t50gon 1×4dD", "1×4dO &t45° 1×4dD"),
        ("n((2,1) &t + 0.3927 rad)", "n((1,2) &t+22.5°)"),
        ("j(n4dO, FE)", "j(n4dO)"),
        ("im(1×8d,,2,both,passive)", "im(1×8d,FE,P,2)"),
        ("rpg(n4dO, greedy, enemy)", "rpg(n4dO,G)"),
        ("rifle(n8d, A, friendly)", "i(n8d,F)"),
        ("group(rifle, f)(n8d)", "group(i,f)(n8d)"),
        ("[m, j(2×4dO)]", "[m,j(2×4dO)]"),
        ("royal(A)", "royal()"),
        ("royal(O)", "royal(O)"),
        ("sz(2, 2) & sz(2, 3)", "sz(2) & sz(2,3)"),
        ("fe(exclusive, n4dO, //pawn moves)", "fe(exclusive,n4dO,//pawn moves)"),
        ("function(f, range, [ p ])", "function(f,range,[p])"),
        ("promote(//reach rank nine! , //gold)", "promote(//reach rank nine,//gold)"),
        ("// odd on Tuesdays . & n8d", "//odd on Tuesdays & n8d"),
        ("m(n4dO&1×4dD)", "m(n4dO & 1×4dD)"),
        ("m(\\ffN)&\\[F?R]", "m(\\fN) & \\[F?R]"),
        ("INF( 0, 2 )", "INF(0,2)"),
        (
            "(1,2) & 1×5dNE-N-W-E-S & (1x8d&(2,1)) &t45.0deg 1×8d",
            "(1,2) & 1×5dSE-SW-NW & (1×8d & (1,2)) &t45° 1×8d",
        ),
        ("fe(exclusive)", "fe()"),
        ("fe(exclusive, n8d)", "fe(exclusive,n8d)"),
    ],
)
def test_layout(text: str, written: str) -> None:
    assert _written(text) == written
    assert "\\" in text or _read(written) == _read(text)


DEPTH = 40


@pytest.mark.parametrize("opening", ["(", "n(", "m(", "f(n8d & n8d &t ", "{1,2}(n8d &t "])
def test_the_deepest_text_is_read_and_written(opening: str) -> None:
    text = opening * DEPTH + "n8d" + ")" * DEPTH
    written = _written(text)
    assert _written(written) == written


AROUND = ("{}", "{}", "f({})", "g_1({}, 3, X)", "group(f, g)({})", "[f,m,g({})]", "n({} & n8d)")


@examples(100)
@given(texts(hasinu), st.sampled_from(AROUND))
def test_any_tree_survives_writing(text: str, around: str) -> None:
    """The terms of a text and calls of any name around them, however it is laid out."""
    try:
        tree = _read(around.format(text))
    except alfil.NotationError:
        reject()
    assert "\\" in text or _read(_written(around.format(text))) == tree


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        ("jump(n4dO)", [("jump", "j")]),
        ("Inf(2,2)", [("Inf", "INF")]),
        ("group(m, rife)(n4dO)", [("rife", "rifle")]),
        ("spin(n4dO)", [("spin", "declare it with function(spin, range)")]),
        ("spin(n4dO) & function(spin, range)", []),
        ("function(spin, range) & spun(n4dO)", [("spun", "spin")]),
        ("m(zz(yy(n4dO)))", None),
        ("rifle(n4dO) & group(j, i)(n8d)", []),
    ],
)
def test_names_that_nobody_defined(text: str, unknown: list[tuple[str, str]] | None) -> None:
    diagnostics: tuple[Diagnostic, ...] = ()
    try:
        bool(alfil.read(text, notation="hasinu").meaning)
    except AlfilError as error:
        diagnostics = tuple(each for each in error.diagnostics if each.kind != "no-handler")
    quoted = [(text[slice(*diagnostic.spans[0])], diagnostic.hint) for diagnostic in diagnostics]
    if unknown is None:
        assert [name for name, _ in quoted] == ["zz", "yy"]
    else:
        assert quoted == unknown
    assert all(diagnostic.kind == "unknown-function" for diagnostic in diagnostics)
