"""Reading Ħasínū: the tree of every construct, every error at its place, nothing else raised."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token, Tree

import alfil
from alfil import NotationError, Span
from alfil.notation.hasinu.preprocess import (  # the grammar alone reads what this leaves
    ERROR_PLACEHOLDER,
    prepare_text,
)
from gathering import every_row
from trees import COMPASS, Vector, grammar_text, images, node, plain

CASES = Path(__file__).parent / "cases"

# The nodes of a tree as data, each with its fields in this order.
Data = dict[str, object]
Distance, Radial = node("Distance", "steps", braced=False), node("Radial", "distance", "vectors")
Oblique, Turn = (
    node("Oblique", "vectors", distance=None),
    node("Turn", "sixteenths", sign="", degrees=""),
)
Bent, Union = node("Bent", "legs", "turns"), node("Union", "terms", bracketed=True)
Loop, Call = node("Loop", "times", "body"), node("Call", "name", "arguments")
Group, Text = node("Group", "names", "body", short=False), node("Text", "words")
Number, Name = node("Number", "value"), node("Name", "text", optional=False)


def _rows(name: str) -> list[dict[str, str]]:
    with (CASES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _read(text: str, *, lenient: bool = False) -> object:
    return plain(alfil.read(text, notation="hasinu", lenient=lenient).tree.terms)


def _node(text: str) -> Any:  # noqa: ANN401 - a node of any kind
    """The one node of a text, with its spans."""
    (term,) = alfil.read(text, notation="hasinu").tree.terms
    return term


def _one(text: str) -> object:
    return plain(_node(text))


def _warned(text: str, *, lenient: bool = False) -> list[tuple[str, int, int]]:
    warnings = alfil.read(text, notation="hasinu", lenient=lenient).diagnostics
    assert all(warning.severity == "warning" for warning in warnings)
    return [(warning.kind, *warning.spans[0]) for warning in warnings]


def _errors(text: str) -> list[tuple[str, int, int]]:
    with pytest.raises(NotationError) as caught:
        alfil.read(text, notation="hasinu")
    assert str(caught.value)
    return [(diagnostic.kind, *diagnostic.spans[0]) for diagnostic in caught.value.diagnostics]


def leaps(p: int, q: int) -> tuple[Vector, ...]:
    """All leaps in the order of their letters, which begins left of forward."""
    *others, first = images(p, q)
    return (first, *others)


K = Distance((1,))
N = Distance(())
ORTHOGONAL, DIAGONAL = images(0, 1), images(1, 1)
WAZIR = Radial(K, ORTHOGONAL)
FERZ = Radial(K, DIAGONAL)
KING = Radial(K, COMPASS)
ROOK = Radial(N, ORTHOGONAL)
QUEEN = Radial(N, COMPASS)
KNIGHT = Oblique(leaps(1, 2))


@every_row("text", sorted({row["hasinu"] for row in _rows("hasinu.tsv")}))
def test_every_case_reads(text: str) -> None:
    description = alfil.read(text, notation="hasinu").tree
    assert description.notation == "hasinu"
    assert description.span == Span(0, len(text))


TREES: dict[str, tuple[Data, ...]] = {
    "": (),
    " \t\n": (),
    "1×4dO": (WAZIR,),
    "1x4dO": (WAZIR,),
    " n 4 d N - E - S - W ": (ROOK,),
    "n8d": (QUEEN,),
    "1×8dO-D": (KING,),
    "n1dN": (Radial(N, ((0, 1),)),),
    "{3,1,2}×4dO": (Radial(Distance((3, 1, 2), braced=True), ORTHOGONAL),),
    "{2}×4dD": (Radial(Distance((2,), braced=True), DIAGONAL),),
    "(2,1)": (KNIGHT,),
    "( 1 , 2 )ba": (Oblique(((-1, 2), (1, 2))),),
    "(1,2)hgfedcba": (KNIGHT,),
    "n(1,2)": (Oblique(leaps(1, 2), distance=N),),
    "{1,2}×(1,2)c": (Oblique(((2, 1),), Distance((1, 2), braced=True)),),
    "2x(1,2)": (Oblique(leaps(1, 2), distance=Distance((2,))),),
    "(1,2) (1,3)": (KNIGHT, Oblique(leaps(1, 3))),
    "(1,2)(1,3)&n(2,3)": (KNIGHT, Oblique(leaps(1, 3)), Oblique(leaps(2, 3), distance=N)),
    "(1,2) n(1,3) 2×(2,3)": (
        KNIGHT,
        Oblique(leaps(1, 3), distance=N),
        Oblique(leaps(2, 3), distance=Distance((2,))),
    ),
    "(1×4dO & 1×4dD)": (Union((WAZIR, FERZ)),),
    "((1×8d))": (Union((Union((KING,)),)),),
    "1×4dD &t n4dO": (Bent((FERZ, ROOK), (Turn(None),)),),
    "1×4dD&t+45°n4dO": (Bent((FERZ, ROOK), (Turn(2, "+", "45"),)),),
    "(1×4dO & 1×4dD) &t0° 1×8d": (Bent((Union((WAZIR, FERZ)), KING), (Turn(0, "", "0"),)),),
    "n(1×8d)": (Loop(N, KING),),
    "3(1×4dO &t0°)": (Loop(Distance((3,)), Bent((WAZIR,), (Turn(0, "", "0"),))),),
    "{1,2}(1×4dO & 1×4dD)": (
        Loop(Distance((1, 2), braced=True), Union((WAZIR, FERZ), bracketed=False)),
    ),
    "n((1,2))": (Loop(N, KNIGHT),),
    "m(1×8d)": (Call("m", (KING,)),),
    "j(n4dO, E, 1)": (Call("j", (ROOK, Name("E"), Number(1))),),
    "atmove(1, n4dO)": (Call("atmove", (Number(1), ROOK)),),
    "m(n4dO & 1×4dD)": (Call("m", (Union((ROOK, FERZ), bracketed=False),)),),
    "group(m, j)(n4dO)": (Group((Name("m"), Name("j")), ROOK),),
    "[m,j(n4dO)]": (Group((Name("m"), Name("j")), ROOK, short=True),),
    "function(f, range, [p])": (
        Call("function", (Name("f"), Name("range"), Name("p", optional=True))),
    ),
    "//odd on Tuesdays": (Text("odd on Tuesdays"),),
    "f(1×8d, 2, foo)": (Call("f", (KING, Number(2), Name("foo"))),),
    "royal()": (Call("royal", ()),),
}


@pytest.mark.parametrize("text", TREES)
def test_constructs_read_into_their_trees(text: str) -> None:
    assert _read(text) == TREES[text]


def test_spans_are_those_of_the_text_as_given() -> None:
    bent = _node("  n( 2,1 )ab  &t 22.5° 1 × 4 d N - E - S - W ")
    oblique, radial = bent.legs
    assert (bent.span, oblique.span, radial.span) == (Span(2, 44), Span(2, 12), Span(23, 44))
    assert bent.turns[0].span == Span(14, 22)
    assert radial.distance.span == Span(23, 24)
    call = _node(" atmove( 1 , m(n8d) )")
    assert (call.span, call.name_span) == (Span(1, 21), Span(1, 7))
    assert [argument.span for argument in call.arguments] == [Span(9, 10), Span(13, 19)]


STEPS = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}


@pytest.mark.parametrize(
    ("text", "directions"),
    [
        ("1×1dN", "N"),
        ("1×5dO-NE", "N NE E S W"),
        ("1×7dS", "N NE E SE SW W NW"),
        ("1×5dE-S-W", "N NE SE SW NW"),
        ("1×4dN-NE-E-SE", "N NE E SE"),
        ("1×4dD", "NE SE SW NW"),
        ("1×8d", "N NE E SE S SW W NW"),
        ("1×8dD-O", "N NE E SE S SW W NW"),
        ("1×1dN-NE-E-SE-S-SW-W", "NW"),
        ("1×3dD-N", "E S W"),
    ],
)
def test_counts_say_whether_directions_are_listed_or_left_out(text: str, directions: str) -> None:
    assert _one(text) == Radial(K, tuple(STEPS[name] for name in directions.split()))


def test_a_count_mismatch_points_at_the_count_and_at_the_list() -> None:
    assert _errors("1×3dD-N-S") == [("direction-mismatch", 2, 3)]
    with pytest.raises(NotationError) as caught:
        alfil.read("n4dO & {1,2}×3dN-E", notation="hasinu")
    assert caught.value.spans == (Span(13, 14), Span(15, 18))
    assert caught.value.hint == "write {1,2}×2dN-E"


@pytest.mark.parametrize(
    ("letter", "general", "knight", "camel", "zebra"),
    [
        ("a", (-3, 4), (-1, 2), (-1, 3), (-2, 3)),
        ("b", (3, 4), (1, 2), (1, 3), (2, 3)),
        ("c", (4, 3), (2, 1), (3, 1), (3, 2)),
        ("d", (4, -3), (2, -1), (3, -1), (3, -2)),
        ("e", (3, -4), (1, -2), (1, -3), (2, -3)),
        ("f", (-3, -4), (-1, -2), (-1, -3), (-2, -3)),
        ("g", (-4, -3), (-2, -1), (-3, -1), (-3, -2)),
        ("h", (-4, 3), (-2, 1), (-3, 1), (-3, 2)),
    ],
)
def test_octants(
    letter: str,
    general: tuple[int, int],
    knight: tuple[int, int],
    camel: tuple[int, int],
    zebra: tuple[int, int],
) -> None:
    numbers = {"(3,4)": general, "(4,3)": general, "(1,2)": knight, "(3,1)": camel, "(2,3)": zebra}
    for bracket, leap in numbers.items():
        assert _one(bracket + letter) == Oblique((leap,))


@pytest.mark.parametrize(
    ("turn", "sixteenths", "sign"),
    [
        ("&t", None, ""),
        ("&t0°", 0, ""),
        ("&t22.5°", 1, ""),
        ("&t 45 deg", 2, ""),
        ("&t50gon", 2, ""),
        ("&t 100grad", 4, ""),
        ("&t0.785rad", 2, ""),
        ("&t3.1416rad", 8, ""),
        ("&t+90°", 4, "+"),
        ("&t-22.9°", 1, "-"),
        ("&t + 135 °", 6, "+"),
        ("&t45", 2, ""),
        ("&t-45", 2, "-"),
        ("&t180.4°", 8, ""),
    ],
)
def test_angles(turn: str, sixteenths: int | None, sign: str) -> None:
    bent = _node(f"1×4dD {turn} n4dO")
    assert [(each.sixteenths, each.sign) for each in bent.turns] == [(sixteenths, sign)]
    assert plain(bent) == Bent((FERZ, ROOK), plain(bent.turns))


@pytest.mark.parametrize("angle", ["23.1°", "30°", "1rad", "10gon", "89.4", "+11.25°"])
def test_angles_between_the_winds_are_refused(angle: str) -> None:
    assert _errors(f"1×4dD &t{angle} n4dO") == [("angle-off-rose", 8, 8 + len(angle))]


@pytest.mark.parametrize("angle", ["180.6°", "-190°", "7rad", "401gon", "1" * 500 + "°"])
def test_angles_beyond_half_a_circle_are_refused(angle: str) -> None:
    assert _errors(f"1×4dD &t{angle} n4dO") == [("angle-range", 8, 8 + len(angle))]


@pytest.mark.parametrize("end", ["", " ", ")", " & n8d"])
def test_a_bare_angle_ends_at_a_blank_a_closing_sign_and_the_end(end: str) -> None:
    text = f"n(1×4dD &t45{end})" if end != ")" else "n(1×4dD &t45)"
    if "&" in end:
        assert _errors(text) == [("dangling-turn", 8, 10)]
        return
    loop = _one(text)
    assert loop == Loop(N, Bent((FERZ,), (Turn(2, "", "45"),)))


# The points of care that the notation asks of a grammar, by number.


def test_1_distances_and_directions_outrank_names() -> None:
    assert _one("m(n8d)") == Call("m", (QUEEN,))
    assert _errors("m(n8d,n4dO)") == [("repeated-argument", 6, 10)]
    assert _one("f(1×1dN)") == Call("f", (Radial(K, ((0, 1),)),))


def test_2_a_stray_word_is_no_name() -> None:
    assert _errors("n4dO and n8d") == [("bare-word", 5, 8)]


def test_3_an_oblique_and_its_octants_are_one_sign() -> None:
    left = ((-1, 3), (-1, -3), (-3, -1), (-3, 1))
    assert _read("(1,3)fgha (1,2)bcde") == (Oblique(left), Oblique(images(1, 2)[:4]))


def test_4_two_numbers_in_a_bracket_are_never_a_compound() -> None:
    assert _one("n(1,2)") == Oblique(leaps(1, 2), distance=N)
    assert _one("n((1,2))") == Loop(N, KNIGHT)
    assert _one("m((1,2))") == Call("m", (KNIGHT,))
    assert _one("INF(2,2)") == Call("INF", (Number(2), Number(2)))


def test_5_octants_before_a_bracket_are_no_function() -> None:
    with pytest.raises(NotationError) as caught:
        alfil.read("(1,2)c(1×1dN)", notation="hasinu")
    assert caught.value.hint == "(1,2) & c(1×1dN)"


def test_6_letters_after_an_oblique() -> None:
    assert _errors("(1,2)m(1×1dN)") == [("missing-ampersand", 5, 6)]
    assert _errors("(1,2)abz") == [("octant-letter", 7, 8)]


def test_7_turns_and_joins() -> None:
    assert _one("1×4dD &t 1×4dD") == Bent((FERZ, FERZ), (Turn(None),))
    assert _one("1×4dD &t1×4dD") == Bent((FERZ, FERZ), (Turn(None),))
    assert _one("1×4dD &t1 ×4dD") == Bent((FERZ, FERZ), (Turn(None),))
    assert _one("1×4dD &t45 1×4dD") == Bent((FERZ, FERZ), (Turn(2, "", "45"),))
    assert _one("1×4dD &t(1×8d)") == Bent((FERZ, Union((KING,))), (Turn(None),))
    assert _read("(1,2)&tele(1×8d)") == (KNIGHT, Call("tele", (KING,)))
    assert _read("(1,2)&t_(1×8d)") == (KNIGHT, Call("t_", (KING,)))
    assert _read("(1,2)& t(1×8d)") == (KNIGHT, Call("t", (KING,)))


def test_8_a_turn_needs_a_blank_before_a_letter() -> None:
    assert _errors("1×4dD &tn4dO") == [("turn-blank", 6, 8)]


def test_9_group_is_no_function() -> None:
    assert _one("group (m,c_)(n8d)") == Group((Name("m"), Name("c_")), QUEEN)
    assert _one("groups(n8d)") == Call("groups", (QUEEN,))


def test_10_a_bare_word_is_no_direction() -> None:
    assert _one("f(N, D, SW, n, d)") == Call("f", tuple(map(Name, ("N", "D", "SW", "n", "d"))))


def test_11_brackets_inside_betza_nest() -> None:
    assert _errors("m(\\[F?[R)") == [("unclosed", 6, 7)]
    assert prepare_text("\\[(F)?R] & n8d").runs == [Span(1, 8)]
    assert prepare_text("m(\\Q) & [m,j(\\(1,2))]").runs == [Span(3, 4), Span(14, 19)]
    assert [prepare_text(f"\\N{end}").runs for end in (" ", "&", ",", "/", ")", "]", "\n", "")] == [
        [Span(1, 2)]
    ] * 8


def test_12_the_mark_that_ends_a_text_is_not_its_content() -> None:
    for mark in ".;:!?":
        assert _read(f"//reach rank nine{mark} & n8d") == (Text("reach rank nine"), QUEEN)
    text = _node("// it's a-b / 3×4 żółw ")
    assert plain(text) == Text("it's a-b / 3×4 żółw")
    assert text.span == Span(0, 22)


def test_13_a_comma_ends_a_text_even_where_none_is_legal() -> None:
    assert _errors("1×4dO & //weird, & n4dD") == [("unexpected", 15, 16)]
    assert _one("promote(//a, //b)") == Call("promote", (Text("a"), Text("b")))


def test_14_empty_arguments_are_dropped() -> None:
    assert _one("im(1×8d,,PA)") == Call("im", (KING, Name("PA")))
    assert _one("f(,)") == Call("f", ())


def test_embedded_betza_is_read_in_place() -> None:
    (rook, embedded) = alfil.read("n4dO & \\fN", notation="hasinu").tree.terms
    assert plain(rook) == ROOK
    assert embedded.span == Span(7, 10)
    (leg,) = embedded.betza.terms
    assert leg.span == Span(8, 10)
    assert _errors("n4dO & \\mwQ & n3dD") == [
        ("unknown-modifier", 9, 10),
        ("direction-mismatch", 15, 16),
    ]


def test_an_asterisk_at_the_end_is_dropped_on_request() -> None:
    assert _read("n8d*", lenient=True) == (QUEEN,)
    assert _warned("n8d*", lenient=True) == [("trailing-asterisk", 3, 4)]
    assert _warned("\\R*", lenient=True) == [("trailing-asterisk", 2, 3)]
    assert _warned("*", lenient=True) == [("trailing-asterisk", 0, 1)]
    assert _read("*", lenient=True) == ()
    assert _errors("//a*b") == [("asterisk", 3, 4)]
    with pytest.raises(NotationError):
        alfil.read("n8d**", notation="hasinu", lenient=True)


def test_every_rule_and_sign_of_the_grammar_is_used() -> None:
    grammar = Lark(grammar_text("hasinu"), parser="lalr", start="description", keep_all_tokens=True)
    texts = [*TREES, ERROR_PLACEHOLDER, "\\N", *(row["hasinu"] for row in _rows("hasinu.tsv"))]
    seen: set[str] = set()
    for text in texts:
        ready = text if text == ERROR_PLACEHOLDER else prepare_text(text).prepared
        for tree in grammar.parse(ready).iter_subtrees():
            seen.add(str(tree.data))
            seen |= {child.type for child in tree.children if isinstance(child, Token)}
            assert all(isinstance(child, Tree | Token) for child in tree.children)
    rules = {rule.alias or rule.origin.name for rule in grammar.rules}
    # Rules with ? leave no trace when they have one child, rules with _ never do.
    inlined = {"chain", "leg", "dist", "argument"}
    expected = {str(rule) for rule in rules if not str(rule).startswith("_")} - inlined
    signs = {terminal.name for terminal in grammar.terminals} - {"WHITE"}
    assert (expected | signs) - seen == set()


def test_14_the_turn_at_the_end_of_a_body_is_its_last_terms() -> None:
    body = Union((WAZIR, Bent((Radial(N, DIAGONAL),), (Turn(2, "", "45"),))), bracketed=False)
    assert _one("n(1×4dO & n4dD &t45°)") == Loop(N, body)


def test_2_blanks_inside_an_angle_with_a_unit_mean_nothing() -> None:
    assert _one("1×4dD &t 45 ° 1×4dO") == _one("1×4dD &t45°1×4dO") == _one("1×4dD&t45 °1×4dO")
