"""Betza in: what is read, which directions the letters choose, and how mistakes are named."""

import csv
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import alfil
from alfil import AlfilError, Diagnostic, NotationError, Span
from alfil.notation.betza import reader  # what it keeps

# Rows of letters are compared with the document, as no public name has them.
from effort import calls
from gathering import every_row
from inside import LETTER_ROWS
from trees import node, plain

CASES = Path(__file__).parent / "cases"

# The nodes of a tree as data, each with its fields in this order.
Modifiers, Range = node("Modifiers", directions=(), modes=()), node("Range", "steps", written="")
ChainLeg = node("ChainLeg", "modifiers")
# In the case files, and refused in the default dialect on purpose.
REFUSED_CASES = {"tR": "misplaced-t", "mcafW2": "range-on-chain", "I": "not-supported-yet"}


def rows(name: str) -> list[list[str]]:
    with (CASES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))[1:]


def read(text: str, dialect: str = "betza") -> Any:  # noqa: ANN401 - nodes of many kinds
    return alfil.read(text, dialect).tree


def is_a(kind: str, tree: object) -> bool:
    """Whether this is a node of a kind."""
    return type(tree).__name__ == kind


def diagnostics(text: str, dialect: str = "betza") -> tuple[Diagnostic, ...]:
    """What is found in a text: the errors, or the warnings when it can be read."""
    try:
        return alfil.read(text, dialect).diagnostics
    except NotationError as error:
        return error.diagnostics


def kinds(text: str, dialect: str = "betza") -> list[str]:
    return [diagnostic.kind for diagnostic in diagnostics(text, dialect)]


def squares(text: str) -> set[tuple[int, int]]:
    return {(int(x), int(y)) for x, y in (pair.split(",") for pair in text.split())}


def first_steps(text: str, dialect: str = "betza") -> set[tuple[int, int]]:
    """The first steps of all parts that are single legs or chains."""
    terms = read(text, dialect).terms
    return {v for term in terms if not is_a("Path", term) for v in term.vectors}


# Mistakes


@every_row("row", rows("betza_errors.tsv"))
def test_a_mistake_is_named(row: list[str]) -> None:
    text, dialect, start, end, kind, severity = row
    found = diagnostics(text, dialect)
    assert [(f.kind, f.spans[0], f.severity) for f in found] == [
        (kind, Span(int(start), int(end)), severity)
    ]
    assert found[0].message == found[0].message.rstrip(".")
    # What is not supported yet has no other spelling.
    assert found[0].hint or kind == "not-supported-yet" or severity == "warning"


HINTS = {
    "♘R": "a knight is N",
    "♟": "a pawn is fmWfceFifmnD",
    "qnWX": "write qWXnWX",
    "nbfsgA": "leave out what is marked",
    "vRsW²": "write 2",
    "(04,1)": "write 4",
    "P": "fmWfceF",
    "EW": "RN",
    "Kn": "KN",
    "W03": "W3",
    "KK": "Q",
    "N[3-5]": "[W-W-W?W?W] for three to five",
    "fhW": "leave h out",
    "fvN": "write v alone",
    "sfK": "write fs",
    "jK": "jQ",
    "yW": "yafW",
    "mcafW2": "as in [R4-fsB4]",
    "tR": "FtR",
    "Ft[RB]": "t[RB]F",
    "dhK": "KaK",
    "dK": "KaK",
    "m[F?R]": "[mF?mR]",
    "[F-fR]": "fsR",
    "[W?fsR]": "sR",
    "(R-sR)": "[R-sR]",
    "(4,1)(4,1)": "(4,1)0",
    "pW": "pR for a slider; to hop over the neighbour takes two legs, as in pafW",
    "pF": "pB for a slider; to hop over the neighbour takes two legs, as in pafF",
    "pK": "pQ for a slider; to hop over the neighbour takes two legs, as in pafK",
    "{1,2}W": "as in W2",
    "[jnD?cQ]": "two parts, one for each",
    "ryagqmN": "two parts, one for each",
    "O": "isO2",
}


@pytest.mark.parametrize(("text", "hint"), HINTS.items())
def test_a_hint_says_what_to_write(text: str, hint: str) -> None:
    assert hint in diagnostics(text)[0].hint


def test_a_range_that_goes_down_has_another_as_an_example() -> None:
    hint = diagnostics("N[5-3]")[0].hint
    assert hint == "write every step, as in [W-W-W?W?W] for three to five"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wWxR", ["unknown-modifier", "not-supported-yet"]),
        ("P EW", ["unknown-atom", "white-space", "unknown-atom"]),
        ("W03N100pW", ["leading-zero", "range-too-long", "hop-without-room"]),
        ("N&fhW[F?R", ["unknown-symbol", "half-direction", "unclosed"]),
        ("[F-fR]KXdK", ["no-such-bend", "suffix-on-compound"]),
        ("W²F³", ["superscript", "superscript"]),
        ("(R-sR)(4,1)(4,1)O", ["group", "doubled-vector", "castling-range"]),
        ("m[nfK-aaN]", ["lame-without-path", "chain-in-path"]),  # of m, only once it is a path
    ],
)
def test_several_mistakes_are_found_at_once(text: str, expected: list[str]) -> None:
    found = diagnostics(text)
    assert [diagnostic.kind for diagnostic in found] == expected
    assert [f.spans[0].start for f in found] == sorted(f.spans[0].start for f in found)


@pytest.mark.parametrize("dialect", ["xboard", "fairy-stockfish"])
def test_of_a_letter_that_is_wrong_anyway_the_dialect_says_nothing(dialect: str) -> None:
    with pytest.raises(NotationError) as caught:
        alfil.read("nK", dialect)
    assert [each.kind for each in caught.value.diagnostics] == ["lame-without-path"]


def test_mistakes_are_counted_up_to_twenty() -> None:
    assert len(diagnostics("P" * 50)) == 20
    assert len(diagnostics("& " * 50)) == 20


@pytest.mark.parametrize("text", ["(" * 1_000_000, "[" * 1_000_000, "N" * 10_001, "²" * 20_000])
def test_a_long_text_is_refused_at_once(text: str) -> None:
    assert kinds(text) == ["too-long"]
    assert calls(lambda: kinds(text)) < 200  # now that all is imported
    # From the first character too many to the end.
    assert diagnostics(text)[0].spans == (Span(10_000, len(text)),)


def test_ten_thousand_characters_are_read() -> None:
    assert len(read("fN" * 5_000).terms) == 5_000


@pytest.mark.parametrize(("again", "end"), [("(", ""), ("[", ""), ("P", ""), ("(a", "W")])
def test_twice_as_many_mistakes_take_twice_as_long(again: str, end: str) -> None:
    half, whole = again * 2_000 + end, again * 4_000 + end
    assert diagnostics(whole)
    assert calls(lambda: diagnostics(whole)) < 2.1 * calls(lambda: diagnostics(half))


@pytest.mark.parametrize("name", ["klingon", "", "Betza", "xbetza"])
def test_an_unknown_dialect_is_an_error(name: str) -> None:
    with pytest.raises(AlfilError) as caught:
        alfil.read(r"\N", "hasinu", dialect=name)
    assert caught.value.kind == "unknown-dialect"
    assert "betza" in caught.value.hint
    with pytest.raises(AlfilError) as caught:
        read("N", name)
    assert caught.value.kind == "unknown-notation"
    assert "betza" in caught.value.hint


def test_the_report_shows_the_place() -> None:
    with pytest.raises(NotationError) as caught:
        read("NEW")
    assert str(caught.value).startswith("<betza>:1:2: ")
    assert "    NEW\n     ^\n" in str(caught.value)


# Directions


@every_row("text, offsets", rows("betza_directions.tsv"))
def test_directions_on_a_first_leg(text: str, offsets: str) -> None:
    if offsets == "error":
        (found,) = diagnostics(text)
        kinds = {"half-direction", "direction-order", "redundant-direction"}
        assert found.kind in ({"not-in-dialect"} if text.startswith("hh") else kinds)
    else:
        (term,) = read(text).terms
        assert is_a("Leg", term)
        assert len(term.vectors) == len(set(term.vectors))
        assert set(term.vectors) == squares(offsets)


COMPASS = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]
LATER = [(text[:-1], offsets) for text, offsets in rows("betza_directions.tsv") if text[-1] == "K"]


@every_row(
    "letters, offsets, atom", [(*row, atom) for row in LATER for atom in ("W", "F", "N", "(1,4)")]
)
def test_directions_on_a_later_leg(letters: str, offsets: str, atom: str) -> None:
    text = f"a{letters}{atom}"
    if offsets == "error":
        (found,) = diagnostics(text)
        assert found.kind in {"half-direction", "direction-order", "redundant-direction"}
    else:
        (term,) = read(text).terms
        assert is_a("Chain", term)
        (leg,) = term.rest
        assert is_a("ChainLeg", leg)
        assert leg.turns is not None
        assert {COMPASS[turn] for turn in leg.turns} == squares(offsets)
        assert list(leg.turns) == sorted(set(leg.turns))


TOKENS = {
    "frlW": ("f", "r", "l"),
    "fsW": ("f", "s"),
    "fsF": ("fs",),
    "fsN": ("fs",),
    "flbrF": ("fl", "br"),
    "fbN": ("f", "b"),
    "ffbsN": ("ff", "bs"),
    "fflN": ("ff", "l"),
    "fhN": ("fh",),
    "ffsK": ("ff", "s"),
    "hrN": ("hr",),
    "sfW": ("s", "f"),
    "lrfbF": ("l", "rf", "b"),
}


@pytest.mark.parametrize(("text", "tokens"), TOKENS.items())
def test_direction_letters_pair(text: str, tokens: tuple[str, ...]) -> None:
    (term,) = read(text).terms
    assert is_a("Leg", term)
    assert plain(term.modifiers) == Modifiers(tokens)


WORKED = [
    ("FfrlW", "-1,1 1,1 -1,-1 1,-1 0,1 -1,0 1,0"),
    ("fbNF", "-1,2 1,2 -1,-2 1,-2 -1,1 1,1 -1,-1 1,-1"),
    ("RlLrN", "0,1 -1,0 1,0 0,-1 -3,1 -3,-1 2,1 2,-1"),
    ("RlhLrhN", "0,1 -1,0 1,0 0,-1 -1,3 -3,1 -3,-1 -1,-3 1,2 2,1 2,-1 1,-2"),
    ("fmrF", "-1,1 1,1 1,-1"),
    ("fFW", "-1,1 1,1 0,1 -1,0 1,0 0,-1"),
]


@pytest.mark.parametrize(("text", "offsets"), WORKED)
def test_worked_examples(text: str, offsets: str) -> None:
    assert first_steps(text) == squares(offsets)


# Atoms and ranges

ATOMS = {
    "WX": (0, 4),
    "DX": (0, 5),
    "HX": (0, 6),
    "FX": (1, 4),
    "NX": (1, 5),
    "AX": (2, 5),
    "CX": (1, 6),
    "ZX": (2, 6),
    "GX": (3, 6),
    "NY": (3, 4),
    "DY": (2, 4),
    "AY": (4, 4),
    "CY": (3, 5),
    "ZY": (4, 5),
    "HY": (2, 5),
    "FXX": (1, 7),
    "L": (1, 3),
    "J": (2, 3),
    "(1,4)": (1, 4),
    "(4,1)": (1, 4),
    "(2,0)": (0, 2),
    "(3,2)": (2, 3),
}


@pytest.mark.parametrize(("text", "vector"), ATOMS.items())
def test_atoms(text: str, vector: tuple[int, int]) -> None:
    (term,) = read(text).terms
    assert is_a("Leg", term)
    assert term.atom.written == text
    assert term.atom.vectors == (vector,)
    assert plain(term.range) == Range(1)


RANGES = {
    "W": ("W", Range(1, "")),
    "R": ("R", Range(0, "")),
    "R3": ("R", Range(3, "3")),
    "R12": ("R", Range(12, "12")),
    "N0": ("N", Range(0, "0")),
    "NN": ("N", Range(0, "N")),
    "fmW*": ("W", Range(0, "*")),
    "RR": ("R", Range(0, "R")),
    "FXF": ("FX", Range(0, "F")),
    "(4,1)0": ("(4,1)", Range(0, "0")),
    "isO2": ("O", Range(2, "2")),
}


@pytest.mark.parametrize(("text", "expected"), RANGES.items())
def test_ranges(text: str, expected: object) -> None:
    (term,) = read(text).terms
    assert is_a("Leg", term)
    assert (term.atom.written, plain(term.range)) == expected


def test_doubled_letters_are_one_part_and_tripled_ones_two() -> None:
    assert [term.range.steps for term in read("NNN").terms] == [0, 1]


# Chains, paths, repeats


def test_a_chain() -> None:
    (term,) = read("mafsmafW").terms
    assert is_a("Chain", term)
    assert plain(term.first) == Modifiers((), ("m",))
    assert plain(term.rest) == (
        ChainLeg(Modifiers(("fs",), ("m",))),
        ChainLeg(Modifiers(("f",))),
    )
    assert (term.atom.written, plain(term.range)) == ("W", Range(1))
    assert [leg.turns for leg in term.rest] == [(1, 7), (0,)]


def test_a_leg_of_a_chain_may_be_empty() -> None:
    (term,) = read("aaK").terms
    assert is_a("Chain", term)
    assert plain(term.rest) == (ChainLeg(Modifiers()), ChainLeg(Modifiers()))
    assert [leg.turns for leg in term.rest] == [None, None]


@pytest.mark.parametrize(
    ("text", "form", "joins"),
    [
        ("[F?R]", "[]", ("?",)),
        ("FtR", "t", ("?",)),
        ("t[FR]", "t[]", ("?",)),
        ("[F-W?R]", "[]", ("-", "?")),
        ("FtWtR", "t", ("?", "?")),
        ("t[FWR]", "t[]", ("?", "?")),
    ],
)
def test_a_path(text: str, form: str, joins: tuple[str, ...]) -> None:
    (term,) = read(text).terms
    assert is_a("Path", term)
    assert (term.form, term.joins) == (form, joins)
    assert len(term.legs) == len(joins) + 1
    assert term.span == Span(0, len(text))


def test_t_binds_its_neighbours_only() -> None:
    leg, path = read("WFtR").terms
    assert is_a("Leg", leg)
    assert is_a("Path", path)
    assert [each.atom.written for each in path.legs] == ["F", "R"]


def test_letters_on_a_later_leg_of_a_path_are_turns() -> None:
    (path,) = read("[K?fsQ]").terms
    assert is_a("Path", path)
    assert [leg.turns for leg in path.legs] == [None, (1, 7)]
    assert [len(leg.vectors) for leg in path.legs] == [8, 8]


@pytest.mark.parametrize("text", ["v[F?R]", "v[W?B]", "fr[W?B]", "f[cK-bK]", "i[F?R]", "ii[F?R]"])
def test_letters_before_a_bracket(text: str) -> None:
    (path,) = read(text).terms
    assert is_a("Path", path)
    assert plain(path.prefix) != Modifiers()


@pytest.mark.parametrize(
    "text", ["[F-R]", "[W-F]", "[F-F]", "[W?sR]", "[R?sR]", "[N-R]", "[N-B]", "[N-N]", "[cR-ibR]"]
)
def test_paths_that_are_read(text: str) -> None:
    assert diagnostics(text) == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("[W-F-fB]", ""),
        ("[K-fsQ]", ""),
        ("[R-fR-sB]", "no-such-bend"),
        ("[W-fB]", "no-such-bend"),
        ("[W-frlB]", "no-such-bend"),
        ("[N-fN]", ""),
        ("[N-frN]", ""),
        ("[N-fR]", "no-such-bend"),
        ("[W-fN]", "not-supported-yet"),
        ("[N-fC]", "not-supported-yet"),
    ],
)
def test_bends_that_are_there(text: str, kind: str) -> None:
    assert kinds(text) == ([kind] if kind else [])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("fsv[W?R]", "every-direction"),
        ("fh[W?B]", ""),
        ("fh[W?R]", "half-direction"),
        ("vf[W?B]", "redundant-direction"),
        ("sf[F?B]", "direction-order"),
    ],
)
def test_letters_before_a_bracket_follow_its_ends(text: str, kind: str) -> None:
    assert kinds(text) == ([kind] if kind else [])


def test_a_repeat() -> None:
    (term,) = read("(afmpaf)3F").terms
    assert is_a("Chain", term)
    (repeat,) = term.rest
    assert is_a("Repeat", repeat)
    assert (repeat.limit, repeat.written) == (3, "3")
    assert [plain(leg.modifiers) for leg in repeat.legs] == [
        Modifiers(("f",), ("m", "p")),
        Modifiers(("f",)),
    ]


def test_letters_after_a_repeat() -> None:
    (term,) = read("m(az)cF").terms
    assert is_a("Chain", term)
    repeat, tail = term.rest
    assert is_a("Repeat", repeat)
    assert is_a("Tail", tail)
    assert plain(tail.modifiers) == Modifiers((), ("c",))


@pytest.mark.parametrize(
    "text",
    ["()W", "(f)W", "(fa)W", "(ya)W", "(ayf)W", "(ag)R", "((a)f)W", "(af)100W", "(af)01W"],
)
def test_repeats_that_are_refused(text: str) -> None:
    assert len(diagnostics(text)) == 1


# Dialects


def test_classic_takes_directions_on_king_and_queen_apart() -> None:
    assert first_steps("fK", "classic") == squares("0,1 -1,1 1,1")
    assert first_steps("fsK", "classic") == squares("0,1 -1,0 1,0 -1,1 1,1")
    assert first_steps("fQ", "classic") == squares("0,1 -1,1 1,1")
    assert first_steps("fsK") == squares("-1,1 1,1")


@pytest.mark.parametrize("text", ["C", "Z", "U", "O2", "NX", "afsW", "[F?R]", "(af)F", "kW", "dW"])
def test_classic_refuses_what_came_later(text: str) -> None:
    (found,) = diagnostics(text, "classic")
    assert found.kind == "not-in-dialect"
    assert "betza" in found.hint


@pytest.mark.parametrize(
    "text",
    ["t[FR]", "FtR", "(4,1)", "zB", "qNN", "NN", "ifmnDfmWfceF", "L", "J", "mpQ", "oR", "jR3"],
)
def test_classic_reads_what_it_had(text: str) -> None:
    assert diagnostics(text, "classic") == ()


# Every character counts


def parts_of(text: str) -> list[Span]:
    return [term.span for term in read(text).terms]


ALL_TEXTS = [row[0] for name in ("betza.tsv", "betza_corpus.tsv") for row in rows(name)]


@every_row("text", sorted({row[0] for row in rows("betza.tsv")}))
def test_every_case_is_read(text: str) -> None:
    if text in REFUSED_CASES:
        assert kinds(text) == [REFUSED_CASES[text]]
    else:
        spans = parts_of(text)
        assert "".join(text[span.start : span.end] for span in spans) == text


def covered(text: str) -> bool | None:
    """Whether the parts make up the whole text; None when it is refused, every place inside it."""
    try:
        spans = parts_of(text)
    except NotationError as error:
        places = [span for diagnostic in error.diagnostics for span in diagnostic.spans]
        return None if all(0 <= s.start < s.end <= len(text) for s in places) else False
    return "".join(text[span.start : span.end] for span in spans) == text


def test_every_character_of_the_corpus_is_in_a_part_or_refused() -> None:
    found = [covered(text) for text in ALL_TEXTS]
    assert False not in found
    assert 0.9 < found.count(True) / len(found) < 0.97


def test_white_space_around_is_dropped_but_counted() -> None:
    found = read(" \tfN\n")
    assert [term.span for term in found.terms] == [Span(2, 4)]
    assert read("  ").terms == read("").terms == ()


def test_a_part_of_a_longer_text() -> None:
    piece = alfil.read(r"(1,2)a & \fmWfcF", "hasinu")
    tree = piece.tree.terms[1].betza
    assert piece.diagnostics == ()
    assert [term.span for term in tree.terms] == [Span(10, 13), Span(13, 16)]
    assert tree == read("fmWfcF")
    with pytest.raises(NotationError) as caught:
        alfil.read(r"(1,2) & \fhW", "hasinu")
    assert caught.value.spans == (Span(10, 11),)
    assert caught.value.source.text == r"(1,2) & \fhW"


def test_spans_reach_to_the_letters() -> None:
    (leg,) = read(" fmR12 ").terms
    assert is_a("Leg", leg)
    assert (leg.span, leg.modifiers.span) == (Span(1, 6), Span(1, 3))
    assert (leg.atom.span, leg.range.span) == (Span(3, 4), Span(4, 6))


def test_options_stand_where_their_terms_do_and_a_term_said_twice_is_one() -> None:
    text = "mWcfFmW"
    options = alfil.read(text).movement.options
    assert [text[each.span.start : each.span.end] for each in options] == ["mW", "cfF"]


@pytest.mark.parametrize("part", ["fmR3", "mafW", "m(af)2cF", "v[F?fsR]", "FtR"])
def test_a_part_met_before_has_the_places_of_its_own_text(part: str) -> None:
    def places(text: str) -> list[str]:
        return re.findall(r"[0-9]+-[0-9]+", spelled_spans(read(text).terms[-1]))

    shifted = [tuple(map(int, place.split("-"))) for place in places("ND" + part)]
    plain = [tuple(map(int, place.split("-"))) for place in places(part)]
    assert len(plain) > 3
    assert shifted == [(start + 2, end + 2) for start, end in plain]


def spelled_spans(node: object) -> str:
    """All spans inside a node, as text, the node's own last."""
    if isinstance(node, Span):
        return f" {node.start}-{node.end}"
    if isinstance(node, tuple):
        return "".join(map(spelled_spans, node))
    names = getattr(node, "__slots__", ())
    return "".join(spelled_spans(getattr(node, name)) for name in names)


def outcome(text: str, dialect: str) -> tuple[Any, tuple[Diagnostic, ...], str]:
    """The tree, or None; the diagnostics; the report when it is refused."""
    try:
        piece = alfil.read(text, dialect)
        return piece.tree, piece.diagnostics, ""
    except NotationError as error:
        return None, error.diagnostics, str(error)


def test_the_words_are_those_of_the_notation() -> None:
    texts = [row[0] for row in rows("betza_errors.tsv")]
    for diagnostic in (diagnostic for text in texts for diagnostic in diagnostics(text)):
        words = set(re.findall(r"[a-z]+", diagnostic.message.lower()))
        assert not words & {"token", "parse", "parser", "grammar", "unexpected", "lexer"}


@pytest.mark.parametrize(
    ("text", "at"), [("(ab)iW", 4), ("(af)icdW", 4), ("abiW", 2), ("yaf(ab)iW", 7)]
)
def test_iso_needs_a_slide_before_it_after_a_repeat_too(text: str, at: int) -> None:
    with pytest.raises(AlfilError) as caught:
        read(text)
    assert (caught.value.kind, caught.value.spans[0].start) == ("iso-without-slider", at)
    assert read(text.replace("yaf", "af").replace("W", "R"))


def test_letters_after_a_repeat_change_the_range_of_the_leg_after_them() -> None:
    assert alfil.same("f(af)1yasW", "fyasWfafyasW")
    assert alfil.destinations("f(af)1yasW", radius=3) == {
        (x, y) for x in range(-3, 4) for y in (1, 2) if x
    }


# Letters


def test_every_letter_is_explained_by_the_words_of_its_row() -> None:
    text = (Path(__file__).parents[1] / "docs" / "notations.md").read_text(encoding="utf-8")
    table = text.partition("## Modifiers")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("| `")]
    told = {letter: line for line in lines for letter in re.findall("`([a-z]+)`", line[:14])}
    before = {letter: row for letter, row in LETTER_ROWS.items() if not row.after}
    assert told.keys() == before.keys()
    assert [letter for letter, row in before.items() if row.words not in told[letter]] == []
    lists = text.partition("### The pieces of vitalline/chessvar")[2].partition("\n##")[0]
    behind = {row.after for row in LETTER_ROWS.values() if row.after}
    assert behind <= set(re.findall("`([a-z])` ", lists))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("(4,1)X", "(7,1)"),
        ("(4,1)XX", "(10,1)"),
        ("(4,1)XXX", "(13,1)"),
        ("(4,1)Y", "(6,3)"),
        ("(4,1)XY", "(9,3)"),
    ],
)
def test_each_sign_behind_an_atom_lengthens_it(text: str, meant: str) -> None:
    assert alfil.same(text, meant)


def test_digits_up_to_nine_end_a_chain() -> None:
    pieces = [f"(az){times}F" for times in range(1, 10)]
    assert not any(alfil.same(one, other) for one, other in pairwise(pieces))


def test_y_in_a_later_leg_is_read() -> None:
    assert kinds("(af)yaigR") == ["hop-without-room"]
    assert kinds("(af)aigR") == []


def test_what_was_read_before_is_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_CACHED_PARTS", 20)
    monkeypatch.setattr(reader, "_valid_parts", good := set[tuple[str, str]]())
    monkeypatch.setattr(reader, "_parsed_parts", texts := dict[tuple[str, str], Any]())
    sizes = []
    for number in range(1, 91):
        assert str(alfil.read(f"({number // 10 + 1},{number % 10})({number // 10 + 2},9)"))
        sizes.append((len(good), len(texts)))
    # A text has two parts, and what is kept is dropped when it has become too much.
    assert max(good for good, _ in sizes) in {20, 21}
    assert max(texts for _, texts in sizes) == 20


@pytest.mark.parametrize("dialect", ["betza", "classic", "xboard", "fairy-stockfish"])
@pytest.mark.parametrize(
    ("text", "start", "end"),
    [("ssBpB", 0, 2), ("WssmB", 1, 3), ("sB", 0, 1), ("fbF", 0, 2), ("mfbsRN", 1, 4)],
)
def test_letters_that_choose_every_direction_get_a_note(
    text: str, start: int, end: int, dialect: str
) -> None:
    if dialect == "xboard" and text == "mfbsRN":
        text, start, end = "fbsmRN", 0, 3
    assert alfil.same(alfil.read(text, dialect), alfil.read(text[:start] + text[end:], dialect))
    (note,) = alfil.read(text, dialect).diagnostics
    assert (note.kind, note.severity) == ("every-direction", "note")
    assert note.spans == (Span(start, end),)
    assert note.hint


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("vF", "v chooses every direction of F"), ("s[F-B]", "s chooses every path of the bracket")],
)
def test_a_note_says_of_what_letters_choose_every_direction(text: str, sentence: str) -> None:
    assert [each.message for each in alfil.read(text).diagnostics] == [sentence]
    assert alfil.same(text, text[1:])


@pytest.mark.parametrize(
    ("text", "dialect", "noted"),
    [
        ("fsbK", "betza", False),  # pairs choose among eight ways
        ("fsbK", "classic", True),  # and letters on W and F all of them
        ("fB", "betza", False),
        ("mpafbsR", "betza", False),  # a turn back is not what a leg without letters has
        ("s[F-B]", "betza", True),
        ("f[F-B]", "betza", False),
        ("lrO2", "betza", False),
    ],
)
def test_letters_that_choose_some_directions_get_none(
    text: str, dialect: str, *, noted: bool
) -> None:
    found = [diagnostic.kind for diagnostic in alfil.read(text, dialect).diagnostics]
    assert found == ["every-direction"] * noted


@pytest.mark.parametrize(
    ("text", "kind", "start", "end"),
    [
        ("pyafB", "hop-and-toggle", 0, 2),
        ("ypafB", "hop-and-toggle", 0, 2),
        ("mafpyafR", "hop-and-toggle", 3, 5),
        ("mpyafB", "", 0, 0),
        ("gafB", "", 0, 0),
        ("fnW*", "idle-trail", 1, 2),
        ("fmnW*", "idle-trail", 2, 3),
        ("fW*", "", 0, 0),
        ("myafiB", "one-step-as-far", 4, 5),
        ("garmiR", "one-step-as-far", 4, 5),
        ("mafiB", "", 0, 0),
    ],
)
def test_what_authors_may_mean_otherwise_is_a_warning(
    text: str, kind: str, start: int, end: int
) -> None:
    found = alfil.read(text).diagnostics
    assert [(each.kind, each.severity, each.spans) for each in found] == (
        [(kind, "warning", (Span(start, end),))] if kind else []
    )
    assert all(each.hint for each in found)


def test_the_hints_of_such_warnings_say_the_readings() -> None:
    assert alfil.same("gafB", "gB")
    assert alfil.same("mpyafB", "pyafB")
    assert alfil.same("fnW*", "fW*")


@pytest.mark.parametrize(
    ("text", "pair", "apart"),
    [
        ("fhNsbK", "bsK", "sKbK"),
        ("msfcQ3", "mfscQ3", "mscQ3mfcQ3"),
        ("Wvl(1,2)", "lv(1,2)", "v(1,2)l(1,2)"),
    ],
)
def test_a_hint_spells_letters_in_the_wrong_order_out(text: str, pair: str, apart: str) -> None:
    with pytest.raises(NotationError) as caught:
        alfil.read(text)
    (found,) = caught.value.diagnostics
    assert found.hint == f"write {pair} for what lies between, or {apart} for both directions"
    assert not alfil.same(pair, apart)


@pytest.mark.parametrize("letter", ["y", "g"])
def test_letters_that_no_path_has_are_not_to_be_put_on_its_legs(letter: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(f"{letter}[R-R]")
    assert caught.value.kind == "prefix-modality"
    assert "each leg has a range of its own" in caught.value.hint
