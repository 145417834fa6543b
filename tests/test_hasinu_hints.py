"""Hints are right when they are typed: as the whole text, or in the place that was pointed at."""

from __future__ import annotations

import pytest

import alfil
from alfil import Diagnostic
from gathering import every_row

# A text, and what its hint says to type instead of all of it.
WHOLE = [
    (r"\N \Q", r"\N & \Q"),
    (r"\N\Q", r"\N & \Q"),
    (r"\[F?R] n4dO", r"\[F?R] & n4dO"),
    ("royal() 1×8d", "royal() & 1×8d"),
    ("INF(4,1,lion)", "INF(3, 1, lion)"),
    ("m(n4dO) c(1×4dD)", "m(n4dO) & c(1×4dD)"),
    ("n(1×8d) n4dO", "n(1×8d) & n4dO"),
    ("n(1,2)1×4dO", "n(1,2) & 1×4dO"),
    ("{1,2}×(1,2)n4dO", "{1,2}×(1,2) & n4dO"),
    ("2,3×4dO", "{2,3}×4dO"),
    ("1,2,3(1×4dO &t90° 1×8d)", "{1,2,3}(1×4dO &t90° 1×8d)"),
    ("(1,2,3)×4dO", "{1,2,3}×4dO"),
    ("ndO", "n4dO"),
    ("3×dD", "3×4dD"),
    ("{1,2}×4dO n4dD", "{1,2}×4dO & n4dD"),
    ("1×4dD &t n4dO 1×8d", "1×4dD &t n4dO & 1×8d"),
    ("n4dO n4dD n8d", "n4dO & n4dD"),
    ("m(n4dO n4dD) & n8d", "n4dO & n4dD"),
    ("Group(m,j)(2×4dO)", "group(m,j)(2×4dO)"),
    ("grup(m, j)(2×4dO)", "group(m, j)(2×4dO)"),
    ("group(m, n8d)", "group(m)(n8d)"),
    ("group(m,j)", "group(m,j)(1×8d)"),
    ("group(atmove, m)(n8d)", "atmove(1, m(n8d))"),
    ("group(royal,m)(n8d)", "royal() & m(n8d)"),
    ("group(m,j,INF)(n8d)", "INF(2, 2) & group(m,j)(n8d)"),
    ("[m j(2×4dO)]", "[m,j(2×4dO)]"),
    ("[m  j  burn(2×4dO)]", "[m,j,burn(2×4dO)]"),
    ("[m n8d]", "[m(n8d)]"),
    ("[m,j]", "[m,j(1×8d)]"),
    ("[n8d]", "n8d"),
    ("[(1,2)]", "(1,2)"),
    ("m n8d", "m(n8d)"),
    ("m[n8d]", "m(n8d)"),
    ("group[m,j](2×4dO)", "group(m,j)(2×4dO)"),
    ("m(1 2×4dO)", "{1,2}×4dO"),
    ("m(n×4dO)", "n4dO"),
    ("m", "m(1×8d)"),
    ("promote", "promote(//reach rank eight, n8d)"),
    ("fe(n8d,inclusive)", "fe(inclusive, n8d)"),
    ("fe(Exclusive, n8d)", "fe(exclusive, n8d)"),
    ("fe(n8d)", "fe(inclusive, n8d)"),
    ("promote(//x)", "promote(//x, n8d)"),
    ("promote(n8d)", "promote(//reach rank eight, n8d)"),
    ("atmove(n4dO)", "atmove(1, n4dO)"),
    ("atmove(n4dO, 3)", "atmove(3, n4dO)"),
    ("1 2×4dO", "{1,2}×4dO"),
    ("1,2,3×4dO", "{1,2,3}×4dO"),
    ("m(n8d & 1, 2, 4x4dO)", "{1,2,4}x4dO"),
    ("1-3×4dO", "{1,2,3}×4dO"),
    ("4..2×4dO", "{2,3,4}×4dO"),
    ("{3-1}×4dO", "{1,2,3}"),
    ("{1 2 3}×4dO", "{1,2,3}"),
    ("{1,2×4dO", "{1,2}×4dO"),
    ("n4d4", "n4dO"),
    ("n2d2", "n2dN-S"),
    ("1×8dd", "1×8d"),
    ("n4ddD", "n4dD"),
    ("1×4", "1×4dO"),
    ("n8", "n8d"),
    ("1×1d", "1×1dN"),
    ("n6d", "n6dSE-SW"),
    ("9×9d", "9×8d"),
    ("INF(2,2)ab", "INF(2,2)"),
    ("INF(2,2) ab", "INF(2,2)"),
    ("INF(2×1)", "INF(2, 1)"),
    ("INF(2 2)", "INF(2, 2)"),
    ("burn(1×8d) & nx8", "n8d"),
    ("{1,2}×4dO & n4d0", "n4dO"),
    ("(2 3)", "(2,3)"),
    ("n4dO + n4dD", "n4dO & n4dD"),
    ("n4dO, n4dD", "n4dO & n4dD"),
    ("n4dO and n4dD", "n4dO & n4dD"),
    ("1×4dO t n4dO", "1×4dO &t n4dO"),
    ("N", r"\N"),
    ("royl", "royal()"),
    ("n×4dD", "n4dD"),
    ("{1,2}1×4dD", "{1,2}×4dD"),
    ("{1,2,3}0×4dO", "{1,2,3}×4dO"),
    ("4dD", "1×4dD"),
    ("3(1,2)", "3×(1,2)"),
    ("(1,2)c(1×1dN)", "(1,2) & c(1×1dN)"),
    ("royal(n8d)", "royal() & n8d"),
    ("j(E, n4dO)", "j(n4dO, E)"),
    ("m(n4dO, n4dD)", "m(n4dO & n4dD)"),
]

# A text, and what its hint says to type where the error points.
IN_PLACE = [
    ("1×4dD &t180.6° n4dO", "&t180°"),
    ("1×4dD &t+270° n4dO", "&t-90°"),
    ("1×4dD &t-200° n4dO", "&t+157.5°"),
    ("1×4dD &t405° n4dO", "&t45°"),
    ("j(n4dO, frendly)", "friendly"),
    ("j(n4dO, EF)", "FE"),
    ("j(n4dO, e)", "E"),
    ("royal(o)", "O"),
    ("1X4dO", "×"),
    ("1×1dn", "N"),
    ("(1,2)(ab)", "ab"),
    ("1×2d(N-E)", "N-E"),
    ("1×2dN/E", "-"),
    ("1×4dO & t n4dO", "&t"),
    ("1×4dO &T n4dO", "t"),
    ("promote(//x, gold)", "//gold"),
    ("promote(reach rank 8, n8d)", "//reach rank 8"),
    ("j(n8d;E)", ","),
    ("Rifle(n8d)", "rifle"),
    ("imm(n8d)", "im"),
    ("function(spin) & spinn(n8d)", "spin"),
    ("atmove(0, n8d)", "1"),
]


def diagnostics_of(text: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a text, at reading or compiling."""
    try:
        bool(alfil.read(text, notation="hasinu").meaning)
    except alfil.AlfilError as error:
        return error.diagnostics
    return ()


@every_row("text, correction", WHOLE)
def test_a_whole_correction_can_be_typed(text: str, correction: str) -> None:
    (diagnostic, *_) = diagnostics_of(text)
    assert correction in diagnostic.hint
    typed = f"{correction}×4dO" if correction.endswith("}") else correction
    assert diagnostics_of(typed) == ()


NAMES = "m c j nj i rifle rpg im burn atmove ataction royal promote fe sz function INF group"


@every_row("name", NAMES.split())
def test_to_a_name_alone_an_example_is_shown_that_can_be_typed(name: str) -> None:
    (diagnostic,) = diagnostics_of(name)
    assert diagnostic.hint.startswith(f"{name}(")
    assert diagnostics_of(diagnostic.hint) == ()


@pytest.mark.parametrize(("text", "correction"), IN_PLACE)
def test_a_correction_can_be_typed_in_its_place(text: str, correction: str) -> None:
    (diagnostic,) = diagnostics_of(text)
    assert correction in diagnostic.hint.replace("a comma", ",")
    start, end = diagnostic.spans[0]
    if correction.startswith("&t") and text[start] != "&":
        start -= len("&t")
    corrected = text[:start] + correction + text[end:]
    assert {found.kind for found in diagnostics_of(corrected)} <= {"no-handler"}


@pytest.mark.parametrize(
    ("text", "given", "correction"),
    [
        ("1×4dD &t45degs n4dO", "&t45deg", "1×4dD &t45deg n4dO"),
        ("1×4dD &t45n4dO", "&t45° n4dO", "1×4dD &t45° n4dO"),
        ("1×4dD &t45degn4dO", "&t45deg n4dO", "1×4dD &t45deg n4dO"),
        ("1×4dD &t 0.785rads n4dO", "&t0.785rad", "1×4dD &t0.785rad n4dO"),
    ],
)
def test_a_turn_is_corrected_with_what_follows(text: str, given: str, correction: str) -> None:
    (diagnostic,) = diagnostics_of(text)
    assert given in diagnostic.hint
    assert diagnostics_of(correction) == ()


def test_one_direction_is_one() -> None:
    assert diagnostics_of("1×1d")[0].message == "1 direction promised, none given"
    assert diagnostics_of("1×2d")[0].message == "2 directions promised, none given"


@pytest.mark.parametrize(
    "word", ["and", "AND", "And", "or", "plus", "und", "et", ";", "+", "|", ":", "!", ","]
)
def test_what_people_join_moves_with_is_told_as_an_ampersand(word: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(f"1×1dN {word} 1×1dS", "hasinu")
    assert caught.value.hint == "1×1dN & 1×1dS"


@pytest.mark.parametrize(
    ("text", "wrong"),
    [("2n3dN", "for any distance"), ("{1,3}×,dD", "or {1,3}×4dD"), ("O4dO", "//")],
)
def test_no_hint_calls_a_text_what_it_is_not(text: str, wrong: str) -> None:
    found = diagnostics_of(text)
    assert found
    assert all(wrong not in diagnostic.hint for diagnostic in found)
