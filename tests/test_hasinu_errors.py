"""Mistakes in Ħasínū: every one with its kind and place, and nothing raised but our own errors."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

import alfil
from alfil import AlfilError, Diagnostic, NotationError
from gathering import every_row

CASES = Path(__file__).parent / "cases" / "hasinu_errors.tsv"


def _rows() -> list[dict[str, str]]:
    with CASES.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _warned(text: str) -> list[tuple[str, int, int]]:
    notes = {"own-reading"}
    found = alfil.read(text, notation="hasinu").diagnostics
    warnings = [diagnostic for diagnostic in found if diagnostic.kind not in notes]
    assert all(warning.severity == "warning" for warning in warnings)
    return [(warning.kind, *warning.spans[0]) for warning in warnings]


def _errors(text: str) -> list[tuple[str, int, int]]:
    with pytest.raises(NotationError) as caught:
        alfil.read(text, notation="hasinu")
    assert str(caught.value)
    return [(diagnostic.kind, *diagnostic.spans[0]) for diagnostic in caught.value.diagnostics]


MISTAKES = [
    ("1✕4dO", [("times-sign", 1, 2)]),
    ("1*4dO", [("times-sign", 1, 2)]),
    ("1⨯(1,2)", [("times-sign", 1, 2)]),
    ("n*4dO", [("n-times", 1, 2)]),
    ("1×4dD &t45º n4dO", [("degree-sign", 10, 11)]),
    ("1×4dD &t45˚ n4dO", [("degree-sign", 10, 11)]),
    ("1×4dD &t45° n4d0", [("direction", 15, 16)]),
    ("1×4dD &t45° n4", [("missing-d", 14, 14)]),
    ("1×4dD &t45° n4dX", [("direction", 15, 16)]),
    ("1×4dD &t45° nx4dO", [("n-times", 13, 14)]),
    ("1×4dD &t 45° n4dO q", [("bare-word", 18, 19)]),
    ("1×4dD &t45rad n4dO 1×4dD", [("missing-ampersand", 19, 20)]),
    ("{1,2}(1×8&t45°)", [("missing-d", 9, 9)]),
    ("(1×4dD &t45°*1×4dD)", [("asterisk", 12, 13)]),
    ("n４dO", [("digit", 1, 2)]),
    ("1×²dE-W", [("digit", 2, 3)]),
    ("n（1,2）", [("look-alike", 1, 2)]),
    ("1×4dO\xa0& n8d", [("look-alike", 5, 6)]),
    ("n4\x00dO", [("control-character", 2, 3)]),
    ("\ud800", [("control-character", 0, 1)]),
    ("//a\x1ab", [("control-character", 3, 4)]),
    ("N4dO", [("case", 0, 1)]),
    ("1×4DO", [("missing-d", 3, 4)]),
    ("1×4", [("missing-d", 3, 3)]),
    ("1×dN", [("missing-count", 2, 2)]),
    ("1×", [("missing-count", 1, 2)]),
    ("×4dO", [("missing-distance", 0, 1)]),
    ("1×1dX", [("direction", 4, 5)]),
    ("1×5dO-4NE", [("direction", 6, 7)]),
    ("1×2dN--E", [("direction", 6, 7)]),
    ("1x4dO &T n4dO", [("case", 7, 8)]),
    ("(1,2)ABCH", [("octant-letter", 5, 9)]),
    ("(1,2)n4dO", [("missing-ampersand", 5, 6)]),
    ("(1,2) n(1×8d)", [("missing-ampersand", 6, 7)]),
    ("(-1,2)", [("number", 1, 2)]),
    ("(1 2)", [("oblique-form", 0, 5)]),
    ("[1,2]", [("oblique-form", 0, 5)]),
    ("1000×4dO", [("number", 0, 4)]),
    ("(1,1000)", [("number", 3, 7)]),
    ("(01,2)", [("leading-zero", 1, 3)]),
    ("m(n8d, 3)", [("number", 7, 8)]),
    ("0(1×8d)", [("distance-zero", 0, 1)]),
    ("{1,2", [("unclosed", 0, 1)]),
    ("2n8d", [("n-times", 1, 2)]),
    ("{1,2}n(1,2)", [("n-times", 5, 6)]),
    ("{1 2}×4dO", [("set-comma", 2, 3)]),
    ("& n8d", [("dangling-ampersand", 0, 1)]),
    ("&t n8d", [("dangling-turn", 0, 2)]),
    ("1×4dD &t &t n4dO", [("dangling-turn", 6, 8)]),
    ("1×4dO &t45n4dO", [("angle-unit", 8, 10)]),
    ("1×4dO &t 45", [("angle-unit", 9, 11)]),
    ("1×4dO &t π/0rad n8d", [("angle-unit", 11, 12)]),
    ("1×4dO &tπ n8d", [("angle-unit", 8, 9)]),
    ("1×4dO &tπ/4° n8d", [("angle-unit", 11, 12)]),
    ("1×4dO &t0.25πrad n8d", [("angle-unit", 8, 13)]),
    ("()", [("empty-brackets", 0, 2)]),
    ("m()", [("missing-move", 1, 3)]),
    ("m(n4dO]", [("unclosed", 1, 2)]),
    ("((((", [("unclosed", 0, 1)]),
    ("n3dD & m(n4dO", [("direction-mismatch", 1, 2), ("unclosed", 8, 9)]),
    ("fmWfcF", [("bare-word", 0, 6)]),
    ("1", [("bare-number", 0, 1)]),
    ("group()(n8d)", [("group-member", 5, 7)]),
    ("group(m)(1,2)", [("group-body", 0, 8)]),
    ("group(m, n4dO)(n8d)", [("group-member", 9, 13)]),
    ("group(m,j(2×4dO))", [("group-member", 8, 16)]),
    ("[m,j]", [("group-body", 0, 5)]),
    ("im(1×8d, e)", [("flag", 9, 10)]),
    ("m(n8d, n4dO)", [("repeated-argument", 7, 11)]),
    ("n(//odd)", [("not-a-leg", 2, 7)]),
    ("burn(n8d) &t n8d", [("not-a-leg", 0, 9)]),
    ("m(royal())", [("not-a-leg", 2, 9)]),
    ("n(m(\\iN))", [("betza-leg", 4, 7)]),
    ("1×4dO &t \\O2", [("betza-leg", 9, 12)]),
    ("promote(//x, gold)", [("promotee", 13, 17)]),
    ("fe(exclusive, E)", [("fe-exception", 14, 15)]),
    ("function()", [("declaration", 0, 10)]),
    ("function(a) & function(a)", [("redeclared", 23, 24)]),
    ("i(m(n8d))", [("never-legal", 0, 1)]),
    ("m(i(n8d))", [("never-legal", 0, 1)]),
    ("group(m, i)(n8d)", [("never-legal", 6, 7)]),
    ("n(m(c(1×8d)))", [("never-legal", 2, 3)]),
    ("group(j, nj)(n8d)", [("contradiction", 6, 7)]),
    ("n(1×4dO &t45° & 1×4dD)", [("dangling-turn", 8, 10)]),
    ("(1,2) &t30°", [("dangling-turn", 6, 8)]),
    ("1×4dO & )) n8d", [("unexpected", 8, 9), ("unexpected", 9, 10)]),
    ("n4dO* & n8d*", [("asterisk", 4, 5), ("asterisk", 11, 12)]),
]


@every_row("text, expected", MISTAKES)
def test_mistakes_are_recognised(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert _errors(text) == expected


@pytest.mark.parametrize(
    "text",
    ["m(c(1×4dD) &t n4dO)", "m(1×4dD &t c(n4dO))", "c(i(n8d))", "//\u200b", "1×1dN-NE-E-SE-S-SW-W"],
)
def test_what_only_looks_like_a_mistake_is_read(text: str) -> None:
    assert _warned(text) == []


# Rows that are no errors by what was decided later (docs/notations.md, "Where alfil reads the page
# in its own way"), with what is said of them now.
OVERRULED = {
    "nj((1,2))": [],
    r"\N &t n4dO": [],
    "1×4dO & //odd on Tuesdays": [("text-move", 8, 25)],
}


@pytest.mark.parametrize("text", OVERRULED)
def test_listed_mistakes_that_are_none(text: str) -> None:
    assert _warned(text) == OVERRULED[text]
    assert alfil.moves(alfil.read(text, "hasinu"))


@every_row("row", [row for row in _rows() if row["hasinu"] not in OVERRULED])
def test_every_listed_mistake_has_its_kind_and_place(row: dict[str, str]) -> None:
    kind, idea = row["error idea"].split(":", 1)
    place = int(row["span_start"]), int(row["span_end"])
    if "read succeeds" not in idea:
        assert _errors(row["hasinu"]) == [(kind, *place)]
        return
    piece = alfil.read(row["hasinu"], notation="hasinu")
    with pytest.raises(alfil.AlfilError) as caught:
        bool(piece.meaning)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.kind, *diagnostic.spans[0]) == (kind, *place)
    if kind == "unknown-function":
        assert diagnostic.hint == idea.rsplit("hint: ", 1)[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("n4dD & (1,2)", [("oblique-first", 7, 12)]),
        ("(n4dD & (1,2)) & 1×8d", [("oblique-first", 8, 13)]),
        ("1×4dO & 1×4dO", [("repeated-term", 8, 13)]),
        ("1×4dO & 1×4dN-E-S-W", [("repeated-term", 8, 19)]),
        ("nj(n4dO)", [("no-effect", 0, 8)]),
        ("nj((1,2))", []),
        ("nj(n4dO & (1,2))", [("oblique-first", 10, 15)]),
        ("j((1,2))", [("no-effect", 0, 8)]),
        ("j(1×8d)", [("no-effect", 0, 7)]),
        ("j(2×4dO)", []),
        ("i(c(n8d))", [("no-effect", 2, 3)]),
        ("group(i, c)(n8d)", [("no-effect", 9, 10)]),
        ("i(rifle(n8d))", [("no-effect", 2, 7)]),
        ("i(i(n8d, F))", [("no-effect", 2, 3)]),
        ("j(INF(2, 2, steps))", []),
        ("j(INF(2, 2, lion), 1)", []),
        ("j(INF(2, 2, leaps))", [("no-effect", 0, 19)]),
        ("i(i(n8d, P), P)", []),
        ("rpg(1×8d)", [("no-effect", 0, 9)]),
        ("rpg(1×8d, F)", []),
        ("rpg((1,2))", [("no-effect", 0, 10)]),
        ("rpg(m(1×4dO) & (1,2))", [("no-effect", 0, 21)]),
        ("rpg({1,2}×4dO)", []),
        ("rpg(n(1,2))", []),
        ("rpg(rpg(n8d))", [("no-effect", 4, 7)]),
        ("rpg(rpg(n8d), G)", []),
        ("j(j(n8d, F), F)", [("no-effect", 2, 3)]),
        ("j(j(n8d, 1), 1)", []),
        ("[rpg,rpg(n8d)]", [("no-effect", 5, 8)]),
        ("group(m, rpg)(1×8d)", [("no-effect", 9, 12)]),
        ("m(m(n8d))", [("no-effect", 2, 3)]),
        ("ataction(1, n8d)", [("no-effect", 0, 16)]),
        ("atmove(1, n8d, turn)", [("no-effect", 0, 20)]),
        ("burn(m(n8d)) & n8d", [("no-effect", 0, 12)]),
        ("1×4dO & im(j(m(n8d)), PA)", [("no-effect", 8, 25)]),
        (r"burn(\mK) & n8d", [("no-effect", 0, 9)]),
        (r"burn(\mcabK & m(n4dO)) & n8d", []),
        ("im(m(1×8d) & n4dO) & n8d", []),
        ("n((1,2))", [("free-loop", 0, 8)]),
        ("n((1,2)a)", []),
        ("n((1,2) &t45°)", []),
        ("3((1,2))", []),
        ("group(m)(n8d)", [("one-function-group", 0, 13)]),
        ("[m(n8d)]", [("one-function-group", 0, 8)]),
    ],
)
def test_warnings(text: str, expected: list[tuple[str, int, int]]) -> None:
    assert _warned(text) == expected


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("rpg(1×8d)", "1×8d"),
        ("rpg(1×8d, G)", "1×8d"),
        ("rpg((1,2) & m(1×4dO))", "(1,2) & m(1×4dO)"),
        ("i(i(n8d))", "i(n8d)"),
        ("i(i(n8d, F), E)", "i(n8d)"),
        ("i(i(n8d), F)", "i(n8d, F)"),
        ("rpg(rpg(1×8d), FE)", "rpg(1×8d, FE)"),
        ("i(c(n8d), F)", "i(n8d, F)"),
        ("rpg(rpg(n8d, FE), FE)", "rpg(n8d, FE)"),
        ("j(j(n8d, F), F)", "j(n8d, F)"),
        ("j(1×8d, E)", "1×8d"),
        ("nj(n4dO, E)", "n4dO"),
        ("ataction(1, n8d)", "n8d"),
    ],
)
def test_what_has_no_effect_can_go(text: str, without: str) -> None:
    piece = alfil.read(text, notation="hasinu")
    assert "no-effect" in {diagnostic.kind for diagnostic in piece.diagnostics}
    rest = alfil.read(without, notation="hasinu")
    assert alfil.same(piece, rest)


@pytest.mark.parametrize("text", ["INF(2,2)", "m(INF(1,1)) & INF(3,3)"])
def test_a_lion_is_told_once_that_it_only_leaps(text: str) -> None:
    (note,) = alfil.read(text, notation="hasinu").diagnostics
    start = text.index("INF")
    assert (note.kind, note.severity, *note.spans[0]) == (
        "inf-squares-only",
        "note",
        start,
        start + 3,
    )


@pytest.mark.parametrize("text", ["j(m((1,2) &t+45° nd),F)", "j((1,2) &t {2,3×4dO, 2)"])
def test_a_move_with_a_mistake_in_it_is_not_judged_as_a_whole(text: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(text, notation="hasinu")
    assert "j-leap" not in {found.kind for found in caught.value.diagnostics}


def test_several_errors_are_found_at_once_and_in_text_order() -> None:
    text = "n3dD & n4dO n4dD & 1X4dO & (0,2) & m(c(n8d)) & royal(X) & m(5dD & 3(1,2), E)"
    assert _errors(text) == [
        ("direction-mismatch", 1, 2),
        ("missing-ampersand", 12, 13),
        ("times-sign", 20, 21),
        ("not-oblique", 27, 32),
        ("never-legal", 35, 36),
        ("flag", 53, 54),
        ("missing-distance", 60, 61),
        ("missing-times", 67, 68),
        ("flag", 74, 75),
    ]


def test_no_more_errors_than_people_read() -> None:
    assert len(_errors("n3dD & " * 50 + "n8d")) == 20
    assert len(_errors("n8d n8d & " * 50 + "n8d")) == 20


def test_limits() -> None:
    assert _warned(" " * 10_000) == []
    assert _errors(" " * 10_001) == [("too-long", 10_000, 10_001)]
    assert _warned("(" * 40 + "n8d" + ")" * 40) == []
    assert _errors("(" * 41 + "n8d" + ")" * 41) == [("too-deep", 40, 41)]
    assert _errors("m(" * 20 + "\\" + "(" * 21) == [("too-deep", 61, 62)]


@pytest.mark.parametrize("text", ["m(²", "j(²", "burn(²", "m(½ & 1×8d"])
def test_a_sign_that_is_read_as_a_digit_after_an_error_is_no_number(text: str) -> None:
    assert _errors(text)


@pytest.mark.parametrize("text", ["(" * 1_000_000, "(" * 10_000, "[" * 9_999, "\\" + "(" * 9_000])
def test_hostile_brackets_are_refused_at_once(text: str) -> None:
    (error,) = _errors(text)
    assert error[0] in {"too-long", "too-deep"}


def _strange_text() -> st.SearchStrategy[str]:
    pieces = [
        *"nNdDOx×&()[]{},;.*\\/ \t\n\x00\x1a°+-１²",
        *(
            "1",
            "4",
            "12",
            "&t",
            "NE-SW",
            "//",
            "(1,2)",
            "n4dO",
            "1×8d",
            "group",
            "m(",
            "j(",
            "royal",
        ),
        *("promote(", "function(", "INF(", "45°", "22.5", "E", "FE", "inclusive", "\ud800", "ab"),
    ]
    return st.one_of(st.text(), st.lists(st.sampled_from(pieces), max_size=25).map("".join))


@given(_strange_text(), st.booleans())
def test_any_text_is_read_or_refused_with_a_place(text: str, lenient: bool) -> None:  # noqa: FBT001
    diagnostics: tuple[Diagnostic, ...]
    try:
        piece = alfil.read(text, notation="hasinu", lenient=lenient)
    except AlfilError as error:
        event("refused")
        report, diagnostics = str(error), error.diagnostics
    else:
        event("read")
        report, diagnostics = alfil.write(piece), piece.diagnostics
    assert isinstance(report, str)
    assert len(diagnostics) <= 20
    spans = [span for diagnostic in diagnostics for span in diagnostic.spans]
    assert all(0 <= span.start <= span.end <= len(text) for span in spans)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (r"m(\cQ)", (0, 1)),
        (r"n8d & c(\mQ)", (6, 7)),
        (r"i(\mQ)", (0, 1)),
        (r"atmove(1,m(\cN & \cW))", (9, 10)),
        ("m(c(1×4dD) &t c(n4dO))", (0, 1)),
        (r"promote(//reach last rank,m(\cQ))", (26, 27)),
    ],
)
def test_a_narrowing_that_leaves_nothing_is_refused_when_compiling(
    text: str, place: tuple[int, int]
) -> None:
    piece = alfil.read(text, notation="hasinu")
    with pytest.raises(alfil.AlfilError) as caught:
        bool(piece.meaning)
    assert (caught.value.kind, *caught.value.spans[0]) == ("never-legal", *place)
    assert caught.value.hint == f"leave out {text[slice(*place)]}"


@pytest.mark.parametrize(
    "text", [r"c(\mQcN)", "m(1×4dD &t c(n4dO))", r"c(\K & \mQ)", "c(i(n8d))", r"c(\caibQ)"]
)
def test_a_narrowing_that_leaves_something_is_none(text: str) -> None:
    assert alfil.read(text, notation="hasinu").meaning


@pytest.mark.parametrize(
    "text",
    [
        "function(spin,range) & promote(//x,spin(n8d))",
        "fe(inclusive,spin(n8d)) & function(spin,range)",
        "burn(spin(n8d)) & function(spin)",
    ],
)
def test_a_declaration_holds_inside_arguments(text: str) -> None:
    piece = alfil.read(text, notation="hasinu")
    with pytest.raises(alfil.AlfilError) as caught:
        bool(piece.meaning)
    start = text.index("spin(n8d)")
    assert (caught.value.kind, *caught.value.spans[0]) == ("no-handler", start, start + 4)


def test_an_unknown_function_inside_arguments_is_found_once() -> None:
    piece = alfil.read("promote(//x,spin(n8d)) & n8d", notation="hasinu")
    with pytest.raises(alfil.AlfilError) as caught:
        bool(piece.meaning)
    assert [diagnostic.kind for diagnostic in caught.value.diagnostics] == ["unknown-function"]


def test_what_is_too_large_inside_an_argument_is_pointed_at() -> None:
    text = "promote(//x,{3,7,11,13,17,19,23,29,31}(j(n4dO, 20)))"
    piece = alfil.read(text, notation="hasinu")
    with pytest.raises(alfil.AlfilError) as caught:
        bool(piece.meaning)
    assert (caught.value.kind, *caught.value.spans[0]) == ("too-many-states", 12, len(text) - 1)


@pytest.mark.parametrize(
    ("text", "kind", "place"),
    [
        ("atmove(1,atmove(2,1×1dN)) & 1×1dE", "never-legal", "atmove"),
        ("ataction(2,m(atmove(3,1×1dN)))", "never-legal", "atmove"),
    ],
)
def test_what_contradicts_itself_is_refused(text: str, kind: str, place: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(text, "hasinu")
    (diagnostic,) = caught.value.diagnostics
    (span,) = diagnostic.spans
    assert (diagnostic.kind, text[span.start : span.end]) == (kind, place)
    assert span.start > 0


@pytest.mark.parametrize(
    "text",
    [
        "royal() & royal(A) & 1×8d",
        "sz(2) & sz(2,2) & 1×8d",
        "atmove(4,ataction(2,1×1dN))",
        "ataction(2,ataction(3,n8d))",
        "atmove(2,atmove(3,n8d,turn))",
        "1×1dN &t90° 1×2dN-E",
        "n((1,2) &t22.5°)",
        "1×4dO &t INF(1,1)",
    ],
)
def test_what_can_hold_together_is_read(text: str) -> None:
    kinds = {diagnostic.kind for diagnostic in alfil.read(text, "hasinu").diagnostics}
    assert not kinds & {"turn-nowhere", "never-legal", "said-otherwise"}


@pytest.mark.parametrize("text", ["royal(O) & 1×8d & royal()", "sz(2) & sz(2,3) & 1×8d"])
def test_what_is_said_in_two_ways_is_a_warning(text: str) -> None:
    assert {each.kind for each in alfil.read(text, "hasinu").diagnostics} == {"said-otherwise"}


@pytest.mark.parametrize("text", ["1×1dN &t90° 1×1dN", "1×1dN &t90° n1dS", "(1,2)a &t (1,2)f"])
def test_a_turn_that_leads_nowhere_is_a_warning(text: str) -> None:
    (diagnostic,) = alfil.read(text, "hasinu").diagnostics
    assert (diagnostic.kind, diagnostic.severity) == ("turn-nowhere", "warning")
    ends = {move.to for move in alfil.moves(alfil.read(text, "hasinu"), radius=3)}
    assert len(ends) == 1


@pytest.mark.parametrize("text", ["(2,3)bB", "(2,3)Bb", "(2,3)aBcb"])
def test_an_octant_that_is_there_already_is_left_out(text: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(text, notation="hasinu")
    assert caught.value.hint == "leave B out"
