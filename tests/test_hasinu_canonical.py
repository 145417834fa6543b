"""The usual form of a description in Ħasínū."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest

import alfil
from alfil.notation.hasinu.canonical import canonical  # shown by translations only

CASES = Path(__file__).parent / "cases" / "hasinu.tsv"


def _usual(text: str) -> str:
    piece = alfil.read(text, notation="hasinu")
    return alfil.write(replace(piece, tree=canonical(piece.tree)))


def _texts() -> list[str]:
    with CASES.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return sorted({row["hasinu"] for row in rows})


@pytest.mark.parametrize("text", _texts())
def test_the_usual_form_is_its_own_and_can_be_written(text: str) -> None:
    usual = canonical(alfil.read(text, notation="hasinu").tree)
    assert canonical(usual) == usual
    written = _usual(text)
    # Embedded Betza has a canonical form of its own.
    assert "\\" in text or alfil.read(written, notation="hasinu").tree == usual
    assert _usual(written) == written


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("n4dD & (2, 1)", "(1,2) & n4dD"),
        ("{3,1,2}x4dO", "{1,2,3}×4dO"),
        ("{2}×4dD", "2×4dD"),
        ("1×3dNE-N-NW", "1×3dN-NE-NW"),
        ("m(j(2×4dO))", "group(m,j)(2×4dO)"),
        ("[m,j(2×4dO)]", "group(m,j)(2×4dO)"),
        ("group(m)(n8d)", "m(n8d)"),
        ("group(i, c)(n8d)", "i(n8d)"),
        ("rifle(1×8d)", "i(1×8d)"),
        ("j(2×4dO) & j(2×4dD)", "j(2×8d)"),
        ("j(n4dO, 1) & j(n4dD)", "j(n4dO,1) & j(n4dD)"),
        (
            "atmove(1, m(2×1dN)) & m(1×1dN) & c(1×2dNE-NW)"
            " & promote(//reach rank eight, n8d, n4dO, n4dD, (2,1))",
            "atmove(1,m(2×1dN)) & m(1×1dN) & c(1×2dNE-NW)"
            " & promote(//reach rank eight,n8d,n4dO,n4dD,(1,2))",
        ),
        ("1×4dO & 1×4dD", "1×8d"),
        ("n(n(1×4dO) & (1,2) & 1×4dD &t45°)", "n((1,2) & n(1×4dO) & 1×4dD &t45°)"),
        ("2(1×4dO & (1,2) &t45°)", "2(1×4dO & (1,2) &t45°)"),
        ("2((1,2) &t45°)", "2((1,2) &t22.5°)"),
        ("1×8d & n4dD", "1×4dO & n4dD"),
        ("n8d & 5×8d", "n8d"),
        ("{1,2,3,4}×8d & 5×4dD", "{1,2,3,4}×8d & 5×4dD"),
        ("m(n4dO & 1×4dD & 1×4dO)", "m(1×4dD & n4dO)"),
        ("(1,2)ab (1,2)cd", "(1,2)abcd"),
        ("(1,2)ab n(1,2)cd", "(1,2)ab n(1,2)cd"),
        ("(1,3) (1,2)", "(1,2) (1,3)"),
        ("1×4dO & 1×4dO", "1×4dO"),
        ("nj(n4dO)", "n4dO"),
        ("nj((1,2))", "nj((1,2))"),
        ("j((1,2))", "(1,2)"),
        ("ataction(1, n8d)", "n8d"),
        ("1×4dO &t45° 1×4dD", "1×4dO &t 1×4dD"),
        ("1×4dO &t90° n4dO", "1×4dO &t n4dO"),
        ("1×4dO &t135° 1×4dD", "1×4dO &t135° 1×4dD"),
        ("1×8d &t45° n8d", "1×8d &t45° n8d"),
        ("n(1×4dO &t45° 1×4dD)", "n(1×4dO &t45° 1×4dD)"),
        ("n((1,2) &t45°)", "n((1,2) &t22.5°)"),
        ("n(1×8d &t45°)", "n(1×8d &t45°)"),
        ("(1×4dO & 1×4dD)", "1×8d"),
        ("((1×8d)) &t n8d", "1×8d &t n8d"),
        ("(1×8d &t n8d) &t 1×8d", "(1×8d &t n8d) &t 1×8d"),
        ("3(1×4dO &t0°)", "3×4dO"),
        ("n(1×8d &t0°)", "n8d"),
        ("{2,1}((1,2)ab &t0°)", "{1,2}×(1,2)ab"),
        ("function1(function2(1×4dD))", "group(function1,function2)(1×4dD)"),
        ("royal() & burn(1×8d) & n8d & (1,2)", "(1,2) & n8d & burn(1×8d) & royal()"),
        ("//odd & INF(2, 2) & n(1×8d)", "n(1×8d) & INF(2,2) & //odd"),
    ],
)
def test_usual_forms(text: str, usual: str) -> None:
    assert _usual(text) == usual
