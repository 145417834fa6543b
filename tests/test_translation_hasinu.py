"""Betza as Ħasínū: exact, or with every loss named; lossy never more than the original."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest
from hypothesis import assume, event, example, given, reject

import alfil
from alfil import Span, TranslationLoss
from alfil.movement.run_sequences import EMPTY_PASSAGE, Run  # as a meaning is taken apart
from alfil.notation.description import Description
from alfil.notation.hasinu.terms_from_runs import (
    terms_of_sequences,  # what it makes of rows is compared afterwards
)
from alfil.notation.hasinu.writer import write_hasinu
from boards import cases, rows
from gathering import every_row
from strategies import betza, examples, texts, unwrapped


def test_what_burns_is_written_too() -> None:
    for text, expected in (("xKQ", "n8d & burn(1×8d,PA)"), ("xK", "burn(1×8d,PA)")):
        piece = alfil.read(text, "taikyoku")
        found = alfil.translate(piece, write="hasinu")
        assert (found.text, found.exact) == (expected, True)
        assert alfil.same(piece, alfil.read(found.text, "hasinu"))


TABLE = [(row[0], row[1]) for _, row in rows("translation.tsv")]
# Their own Ħasínū says it in a longer way, with INF, or with embedded Betza.
OTHERWISE = {
    r"\mQ & i(\cQ)",
    "1×4dO &t0° 1×4dO",
    "(1×4dO & 1×4dD) &t0° 1×8d",
    "INF(2, 2)",
    "INF(2,2)",
    "INF(1,1)",
    r"\N",
    r"n4dD & \ffN",
    r"\[F?R] & 1×4dO",
    r"m(\Q)",
    r"\N&1×4dO",
}
# A translation comes out in the usual form, whatever the layout of their own Ħasínū.
USUALLY = {
    "n((2,1) &t45°)": "n((1,2) &t22.5°)",
    "(1,3)fgha (1,2)bcde & n4dO": "(1,2)bcde (1,3)afgh & n4dO",
    "m(n8d) & group(i, c)(n8d)": "m(n8d) & i(n8d)",
    "{3,1,2}×4dO": "{1,2,3}×4dO",
    "{2}×4dD": "2×4dD",
    "nj(n4dO)": "n4dO",
    "n4dD & 1×4dO": "1×4dO & n4dD",
    "n4dO & 1×4dD": "1×4dD & n4dO",
    "n4dD & (1,2)": "(1,2) & n4dD",
    "1×4dO & 1×4dO": "1×4dO",
    "1×2dNE-NW & 1×1dS": "1×3dNE-S-NW",
    "(1×4dO & 1×4dD)": "1×8d",
    "[m,j(2×4dO)]": "group(m,j)(2×4dO)",
    "m(j(2×4dO))": "group(m,j)(2×4dO)",
    "1×4dO &t90° n4dO": "1×4dO &t n4dO",
    "1×4dO &t50gon 1×4dD": "1×4dO &t 1×4dD",
    "1×4dO &t0.785rad 1×4dD": "1×4dO &t 1×4dD",
    "1×4dO &t45 1×4dD": "1×4dO &t 1×4dD",
    "n((1,2) &t0°)": "n(1,2)",
    "3(1×4dO &t0°)": "3×4dO",
    "n((1,2) &t+90° (1,2) &t-90°) & n((1,2) &t-90° (1,2) &t+90°)": (
        "n((1,2) &t+67.5° (1,2) &t-67.5°) & n((1,2) &t-67.5° (1,2) &t+67.5°)"
    ),
    "atmove(1, j(2×4dO)) & 1×8d": "1×8d & atmove(1,j(2×4dO))",
}
# Facts that are no moves, and the pawn, whose parts its author told in another order.
MORE_TOLD = ("promote(", "royal(", "fe(", "sz(")

# What has no form, the kind of the loss, and the characters it points at.
NO_FORM = [
    ("pR", "must-hop", [(0, 1)]),
    ("gQ", "must-hop", [(0, 1)]),
    ("mRcpR", "must-hop", [(3, 4)]),
    ("mRgR", "must-hop", [(2, 3)]),
    ("KmpQ2", "must-hop", [(2, 3)]),
    ("pafW", "must-hop", [(0, 1)]),
    ("oR", "cylinder", [(0, 1)]),
    ("WooB", "cylinder", [(1, 3)]),
    ("fmWfceF", "en-passant", [(5, 6)]),
    ("KisO2", "castling", [(3, 4)]),
    ("fmWfcFifmnD", "trail", [(9, 10)]),
    ("nR", "trail", [(0, 1)]),
    ("cafcF", "locust", [(0, 1)]),
    ("KcdafR", "locust", [(1, 2), (2, 3)]),
    ("[cW?R]", "locust", [(1, 2)]),
    ("dW", "own-capture", [(0, 1)]),
    ("kQ", "royal-capture", [(0, 1)]),
    ("kU", "royal-capture", [(0, 1)]),
    ("jD", "must-hop", [(0, 1)]),
    ("jN", "must-hop", [(0, 1)]),
    ("abK", "null-move", [(0, 3)]),
    ("mcabW", "null-move", [(0, 5)]),
    ("mcaibR", "null-move", [(0, 6)]),
    ("kabW", "locust", [(0, 1)]),
    ("fmW*", "own-half", [(3, 4)]),
    ("iifmW2", "third-rank", [(0, 2)]),
    ("[R-isR]", "same-length", [(3, 4)]),
    ("(afs)W", "no-hasinu-form", [(0, 6)]),
    ("lhbr(abs)Q", "no-hasinu-form", [(0, 10)]),
]


@cache
def translated(text: str, on_loss: str = "strict", read: str = "betza") -> str:
    return alfil.translate(text, read=read, write="hasinu", on_loss=on_loss).text


def hasinu(text: str) -> alfil.Piece:
    return alfil.read(text, "hasinu")


@cache
def loss_of(text: str, on_loss: str = "strict") -> TranslationLoss | None:
    try:
        translated(text, on_loss)
    except TranslationLoss as loss:
        return loss
    return None


def check(text: str) -> bool:
    """Whether the text translates; if so it is the same piece, and an escaped text always is."""
    piece = alfil.read(text)
    loss = loss_of(text)
    written = translated(text, "escape" if loss else "strict")
    again = hasinu(written)
    assert alfil.same(again, piece), (text, written)
    assert alfil.write(again) == written
    for diagnostic in loss.diagnostics if loss else ():
        assert diagnostic.severity == "error"
        assert diagnostic.hint
        assert all(0 <= start < end <= len(text) for start, end in diagnostic.spans), (
            text,
            diagnostic,
        )
    return loss is None


@every_row("given_text, expected", TABLE)
def test_the_table(given_text: str, expected: str) -> None:
    assert alfil.write(given_text, "hasinu") == expected
    assert alfil.same(given_text, hasinu(expected))


def test_the_betza_of_the_hasinu_cases_comes_out_as_they_are_written() -> None:
    for case in cases("hasinu.tsv"):
        if not case.column2:
            continue
        written = alfil.write(case.column2, "hasinu")
        assert alfil.same(hasinu(written), hasinu(case.text), facts=False), case.text
        if case.text not in OTHERWISE and not any(word in case.text for word in MORE_TOLD):
            usual = USUALLY.get(case.text) or alfil.write(hasinu(case.text))
            assert written == usual, case.text


def test_lame_leaps_of_several_kinds_are_a_move_for_each() -> None:
    for steps, written in (
        ([[0, 2], [2, 2], [0, 3]], "2×2dN-NE & 3×1dN"),
        ([[0, 1], [0, 2]], "{1,2}×1dN"),
    ):
        leaps = {"node": "Leg", "steps": steps, "between": "empty"}
        head = {"format": "alfil-movement", "version": 1, "node": "Movement"}
        movement = alfil.Movement.from_json(head | {"options": [{"node": "Option", "way": leaps}]})
        assert alfil.write(movement, "hasinu") == written
        assert alfil.same(hasinu(written), movement)


def test_the_betza_cases() -> None:
    readable = [case.text for case in cases("betza.tsv") if case.text not in {"mcafW2", "tR", "I"}]
    assert sum(map(check, readable)) == 170
    assert len(readable) == 196


@pytest.mark.parametrize("start", range(0, 817, 50))
def test_the_strings_people_use(start: int) -> None:
    refused = {row[0] for _, row in rows("betza_corpus_refused.tsv")}
    strings = [row[0] for _, row in rows("betza_corpus.tsv")][start : start + 50]
    for text in strings:
        if text not in refused:
            check(text)


def test_how_many_of_the_strings_people_use_translate() -> None:
    refused = {row[0] for _, row in rows("betza_corpus_refused.tsv")}
    strings = [row[0] for _, row in rows("betza_corpus.tsv") if row[0] not in refused]
    found = Counter(loss_of(text) is None for text in strings)
    assert found == {True: 658, False: 76}


def test_a_shot_around_a_corner_is_known_by_its_steps_back() -> None:
    assert translated("cabW[W-cfsF-bF-zfsW]") == "group(i,nj)((1,2)) & i(1×4dO)"


@pytest.mark.parametrize(("text", "kind", "spans"), NO_FORM)
def test_what_has_no_form(text: str, kind: str, spans: list[tuple[int, int]]) -> None:
    loss = loss_of(text)
    assert loss is not None
    assert [diagnostic.kind for diagnostic in loss.diagnostics] == [kind]
    assert loss.spans == tuple(Span(*span) for span in spans)
    assert not check(text)


def test_two_steps_that_end_in_different_ways_are_no_rounds_of_one() -> None:
    wazir = ((0, 1), (1, 0), (0, -1), (-1, 0))
    first = [Run(step, (1,), ("empty",), EMPTY_PASSAGE) for step in wazir]
    last = [Run(step, (1,), ("enemy", "royal")) for step in wazir]
    onward = [
        (one, two) for one in first for two in last if two.step != (-one.step[0], -one.step[1])
    ]
    (terms,) = terms_of_sequences(onward)
    assert terms is not None
    written = write_hasinu(Description(terms, "hasinu", "hasinu"))
    assert written == "m(1×4dO) &t0° c(1×4dO) & m(1×4dO) &t c(1×4dO)"


def test_strict_names_all_losses() -> None:
    loss = loss_of("fmWfceFpRnZ")
    assert loss is not None
    assert [(diagnostic.kind, diagnostic.spans) for diagnostic in loss.diagnostics] == [
        ("en-passant", (Span(5, 6),)),
        ("must-hop", (Span(7, 8),)),
    ]
    assert "keep it as embedded Betza: \\pR" in str(loss)


@pytest.mark.parametrize(
    ("text", "hasinu"),
    [
        ("KNADcaKmcabK", "INF(2,2,lion)"),
        ("QNADcaKmcabK", "n8d & INF(2,2,lion)"),
        ("BWNADcaKmcabK", "n4dD & INF(2,2,lion)"),
        ("cabKNcaKDAKmabK", "INF(2,2,lion)"),
        ("vWvDvcafWvmcabW", "INF(0,2,lion)"),
        ("iKiNiAiDicaKimcabK", "atmove(1,INF(2,2,lion))"),
        ("mKmNmAmDmabK", "m(INF(2,2,lion))"),
        ("KNADmabK", "(1,2) & 1×8d & j(2×8d) & m(INF(2,2,lion))"),
        ("U", "INF(35,35)"),
    ],
)
def test_lions(text: str, hasinu: str) -> None:
    assert translated(text) == hasinu
    assert alfil.same(alfil.read(hasinu, "hasinu"), text)
    assert alfil.same(alfil.write(alfil.read(hasinu, "hasinu"), "betza"), text)


@pytest.mark.parametrize(
    "text",
    [
        "cafmR",
        "cafmB",
        "[cR-mW]",
        "[cR3-mR2]",
        "[cW-mR]",
        "fmWcafmB",
        "icafmR",
        "cdafmR",
        "[cN0-mN]",
        "afcafmW",
        "ifsafafcafmF",
        "[cnH-mW]",
    ],
)
def test_one_capture_before_an_empty_square(text: str) -> None:
    there = alfil.translate(text, write="hasinu")
    assert alfil.same(alfil.read(there.text, "hasinu"), text), there.text
    back = alfil.translate(there.text, read="hasinu", write="betza")
    assert alfil.same(back.text, text), back.text


@pytest.mark.parametrize(
    ("text", "lossy", "escaped"),
    [
        ("NpR", "(1,2)", r"(1,2) & \pR"),
        ("mRcpR", "m(n4dO)", r"m(n4dO) & \cpR"),
        ("FyafsFgQ", "1×4dD &t n4dO", r"1×4dD &t n4dO & \gQ"),
        ("KNADcaK", "(1,2) & 1×8d & j(2×8d)", r"(1,2) & 1×8d & j(2×8d) & \caK"),
        ("fmWfceFifmnD", "m(1×1dN)", r"m(1×1dN) & \fceF & \ifmnD"),
        ("cpRmWW", "m(n4dO)", r"m(n4dO) & \cpR"),
        ("WcafcF", "1×4dO", r"1×4dO & \cafcF"),
        ("KkQ", "1×8d", r"1×8d & \kQ"),
        ("WfkR", "1×4dO", r"1×4dO & \fkR"),
        ("mUKkN", "1×8d & m(INF(35,35))", r"1×8d & m(INF(35,35)) & \kN"),
        ("KkNfkRcabW", "1×8d & i(1×4dO)", r"1×8d & i(1×4dO) & \kN & \fkR"),
        ("kRnAKkN", "1×8d & 2×4dD", r"1×8d & 2×4dD & \kR & \kN"),
        ("fkRcdKkK", "c(rpg(1×8d,FE))", r"c(rpg(1×8d,FE)) & \fkR"),
    ],
)
def test_lossy_and_escape(text: str, lossy: str, escaped: str) -> None:
    assert translated(text, "lossy") == lossy
    assert translated(text, "escape") == escaped


def test_losses_come_with_a_lossy_result() -> None:
    lossy = alfil.translate("NpR", write="hasinu", on_loss="lossy")
    assert [(loss.kind, loss.spans) for loss in lossy.losses] == [("must-hop", (Span(1, 2),))]
    assert alfil.translate("NpR", write="hasinu", on_loss="escape").exact


@pytest.mark.parametrize("text", ["pR", "gQpR", "cabmabmWpR"])
def test_nothing_left_is_an_error(text: str) -> None:
    assert loss_of(text, "lossy") is not None


def test_no_moves_are_no_moves() -> None:
    assert translated("") == ""
    assert translated("cabmabmW") == ""


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("fcpQ", r"\fhcpQ"),
        ("fgQ3N", r"(1,2) & \fhgQ3"),
        ("mNN", "m(n(1,2))"),
        ("fK", "1×3dN-NE-NW"),
        ("LnJ", "(1,3) & nj((2,3))"),
        ("fsgQ", r"\fhsgQ"),
    ],
)
def test_other_dialects_are_embedded_in_the_default_one(text: str, escaped: str) -> None:
    written = translated(text, "escape", "classic")
    assert written == escaped
    assert alfil.same(hasinu(written), alfil.read(text, "classic"))


def test_parts_that_translate_together_are_told_together() -> None:
    lossy = alfil.translate("WFyafsFpRB", write="hasinu", on_loss="lossy")
    assert lossy.text == "1×4dO & n4dD & 1×4dD &t n4dO"
    assert [loss.kind for loss in lossy.losses] == ["must-hop"]


def compiled(text: str) -> alfil.Piece:
    """The piece, if it can be read and is small enough for a test."""
    try:
        piece = alfil.read(text)
        parts = piece.meaning.parts
    except alfil.AlfilError:
        reject()
    assume(all(len(part.automaton.states) < 500 for part in parts))
    return piece


@examples(35)
@example("(acl)1frW")
@example("lv[rfcd(2,1)?cdAA?frW2]")
@given(texts(betza))
def test_generated_pieces(text: str) -> None:
    event("translated" if check(compiled(text).text) else "with losses")


AROUND = [(x, y) for x in range(-3, 4) for y in range(-3, 4) if (x, y) != (0, 0)]


@examples(20)
@example("NpR")
@example("FyafsFgQ")
@given(texts(unwrapped))
def test_a_lossy_result_allows_no_more(text: str) -> None:
    piece = compiled(text + "FyafsFWafsWRpR")
    lossy = hasinu(translated(piece.text, "lossy"))
    dice = random.Random(text)
    for _ in range(4):
        enemies, friends, royals = (
            set(dice.sample(AROUND, 5)),
            set(dice.sample(AROUND, 3)),
            set(dice.sample(AROUND, 1)),
        )
        for unmoved in (False, True):
            less, more = (
                {
                    (move.to, move.captures)
                    for move in alfil.moves(
                        each,
                        files=9,
                        ranks=9,
                        at=(4, 4),
                        enemies=enemies - friends - royals,
                        friends=friends - royals,
                        enemy_royals=royals,
                        unmoved=unmoved,
                    )
                }
                for each in (lossy, piece)
            )
            assert less <= more
