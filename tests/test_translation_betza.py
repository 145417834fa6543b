"""Ħasínū as Betza: exact, or with every loss named; lossy never more than the original."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import event, given, reject

import alfil
from alfil import TranslationLoss

# Letters for every set of directions and turns are too many to come by in whole texts.
from alfil.notation.betza import directions
from alfil.notation.betza.spell import spell_option  # the search hides what is spelled directly
from alfil.notation.betza.writer import write_betza  # for trees that no text was read for
from alfil.notation.description import Description
from alfil.translation.betza import (
    shortest_text,  # Betza from a meaning alone has no public face yet
)
from boards import RADIUS, Case, cases, rows
from gathering import every_row
from strategies import examples, hasinu, texts
from trees import COMPASS, Vector, images

PAGE = Path(__file__).parents[1] / "docs/coverage.md"
TABLE = [tuple(row) for _, row in rows("translation_betza.tsv")]
ROWS = list(cases("hasinu.tsv"))

# Rows of hasinu.tsv without a form in Betza, with the kinds of their losses.
LOST = {
    "function(inchworm,range,[auto],[vuln])": ["declared-function"],
    "j(n4dO, E, 1)": ["sided-jump"],
    "j(n4dO, F)": ["sided-jump"],
    "atmove(2, 1×4dO)": ["later-move"],
    "ataction(2, n4dO) & 1×8d": ["every-move"],
    "royal() & 1×8d": ["royal"],
    "royal(O) & n4dD": ["royal"],
    "fe(exclusive, n4dO, //pawn moves) & 1×8d": ["iron-piece"],
    "fe() & 1×8d": ["iron-piece"],
    "sz(2, 3) & 1×4dO": ["large-piece"],
    "burn(1×8d) & n8d": ["burning"],
    "im(1×8d, PA, 2) & n8d": ["immobiliser"],
    "function(spin, range) & spin(n4dO)": ["declared-function", "no-handler"],
    "1×4dO & //odd on Tuesdays": ["text-move"],
    "1×4dO & promote(//reach rank nine! , //gold)": ["promotion"],
    "atmove(1, m(2×1dN)) & m(1×1dN) & c(1×2dNE-NW) & "
    "promote(//reach rank eight, n8d, n4dO, n4dD, (2,1))": ["promotion"],
}
UNKNOWN = "unknown-function"

# What has no form, the kinds of its losses, the characters they point at, and what is left.
NO_FORM: list[tuple[str, list[str], list[tuple[int, int]], str | None]] = [
    ("royal() & 1×8d", ["royal"], [(0, 7)], "K"),
    ("n4dO & promote(//reach last rank,n8d)", ["promotion"], [(7, 37)], "R"),
    ("fe() & (1,2)", ["iron-piece"], [(0, 4)], "N"),
    ("sz(2) & 1×4dO", ["large-piece"], [(0, 5)], "W"),
    ("function(spin,range) & 1×8d", ["declared-function"], [(0, 20)], "K"),
    ("im(1×8d) & n8d", ["immobiliser"], [(0, 8)], "Q"),
    ("burn(1×8d) & n8d", ["burning"], [(0, 10)], "Q"),
    ("group(m,burn)(n8d) & 1×8d", ["burning"], [(8, 17)], "K"),
    ("i(n8d,PA) & m(n8d)", ["passive-rifle"], [(0, 9)], "mQ"),
    ("i(n4dO &t n4dD) & n4dO", ["bent-rifle"], [(0, 15)], "R"),
    ("rpg(n4dO,G) & n4dD", ["rampage"], [(0, 11)], "B"),
    ("j(n4dO,E) & n4dD", ["sided-jump"], [(0, 9)], "B"),
    ("j(n4dO,F,2) & n4dD", ["sided-jump"], [(0, 11)], "B"),
    ("j(n4dO &t n4dO) & n4dD", ["free-jump"], [(0, 15)], "B"),
    ("j({5,9}×4dO,2) & n4dD", ["counted-jump"], [(0, 14)], "B"),
    ("atmove(2,n4dO) & n4dD", ["later-move"], [(0, 14)], "B"),
    ("ataction(3,n4dO) & n4dD", ["every-move"], [(0, 16)], "B"),
    ("atmove(3,n4dO,turn) & n4dD", ["every-move"], [(0, 19)], "B"),
    ("INF(9,9) & n4dD", ["wide-box"], [(0, 8)], "B"),
    ("n((1,2) & 1×8d) & n8d", ["roaming"], [(0, 15)], "Q"),
    ("5(1×8d) & (1,2)", ["counted-loop"], [(0, 7)], "N"),
    (
        "{1,2}({1,2}({1,2}×4dO)) & {1,2}({1,2}({1,2}×4dD))",
        ["counted-loop", "counted-loop"],
        [(0, 23), (6, 22)],
        None,
    ),
    ("1×4dO &t n(1,2) & n4dD", ["partial-bend"], [(0, 15)], "B"),
    (r"j(\oR) & n4dD", ["narrowed-betza"], [(2, 5)], "B"),
    (
        "c(INF(3,2,lion)) & n4dD",
        ["no-betza-form", "partial-bend"],
        [(0, 16)],
        "B",
    ),
    ("//odd on Tuesdays. & 1×4dO", ["text-move"], [(0, 18)], "W"),
    ("nj((1,2),F) & 1×4dO", ["sided-jump"], [(0, 11)], "W"),
    ("c(1×8d & //sideways) & (1,2)", ["text-move"], [(9, 19)], "N"),
    ("royal()", ["royal"], [(0, 7)], None),
    ("n((1,2) & 1×8d) & royal() & sz(3)", ["roaming", "royal", "large-piece"], [(0, 15)], None),
]


def translated(text: str, on_loss: str = "strict") -> str:
    return alfil.translate(text, read="hasinu", write="betza", on_loss=on_loss).text


def from_hasinu(text: str) -> alfil.Piece:
    return alfil.read(text, notation="hasinu")


@every_row("text, betza, told", [row[:3] for row in TABLE])
def test_table(text: str, betza: str, told: str) -> None:
    assert translated(text) == betza
    assert alfil.same(betza, from_hasinu(text))
    assert not told or alfil.same(betza, told)


def test_the_table_of_the_specification_is_all_there() -> None:
    told = {row[2] for row in TABLE if row[3] == "table"}
    assert {"W", "nG", "KAD", "N2", "hlN", "FfrlW", "[K?fsQ]", "fh[F?R]", "zN", "mQcaibQ"} <= told


@every_row("case", ROWS)
def test_row_is_exact_or_lost(case: Case) -> None:
    piece = from_hasinu(case.text)
    if case.text in LOST or "function1" in case.text:
        with pytest.raises(alfil.AlfilError) as caught:
            translated(case.text)
        kinds = [diagnostic.kind for diagnostic in caught.value.diagnostics]
        assert kinds == LOST.get(case.text, [UNKNOWN] * 4)
        return
    betza = translated(case.text)
    assert alfil.same(betza, piece, facts=False)
    assert not case.column2 or alfil.same(betza, case.column2)
    if case.expects == "refused":
        return
    scene = case.scene
    moves = alfil.moves(
        betza,
        radius=RADIUS,
        enemies=scene.enemies,
        friends=scene.friends,
        enemy_royals=scene.enemy_royals,
        unmoved_friends=scene.unmoved_friends,
        moves_made=scene.moves_made,
        unmoved=scene.unmoved,
    )
    assert {move.to for move in moves} == case.squares


def test_a_page_states_how_many_rows_have_a_form() -> None:
    every = {case.text for case in ROWS}
    lost = {text for text in every if text in LOST or "function1" in text}
    text = " ".join(PAGE.read_text(encoding="utf-8").split())
    stated = re.search(r"the (\d+) texts of the Ħasínū case file (\d+) have one in Betza", text)
    assert stated
    assert stated.groups() == (str(len(every)), str(len(every - lost)))


@every_row("case", [case for case in ROWS if case.column2])
def test_row_with_a_betza_form_is_found_but_for_facts(case: Case) -> None:
    assert alfil.same(translated(case.text, "lossy"), case.column2)


@pytest.mark.parametrize(("text", "kinds", "spans", "left"), NO_FORM)
def test_no_form(
    text: str, kinds: list[str], spans: list[tuple[int, int]], left: str | None
) -> None:
    with pytest.raises(TranslationLoss) as caught:
        translated(text)
    diagnostics = caught.value.diagnostics
    assert [diagnostic.kind for diagnostic in diagnostics] == kinds
    assert [tuple(span) for span in diagnostics[0].spans] == spans
    assert all(diagnostic.hint and diagnostic.severity == "error" for diagnostic in diagnostics)
    named = [name for diagnostic in diagnostics for name in re.findall(r"\w+\(", diagnostic.hint)]
    assert all(name in text for name in named if name in "atmove( ataction( rpg(")
    if left is None:
        with pytest.raises(TranslationLoss):
            translated(text, "lossy")
        return
    lossy = alfil.translate(text, read="hasinu", write="betza", on_loss="lossy")
    assert (lossy.text, lossy.losses) == (left, diagnostics)


def test_unknown_functions_stop_the_translation() -> None:
    for on_loss in ("strict", "lossy"):
        with pytest.raises(alfil.MeaningError) as caught:
            translated("jmp(n4dO) & 1×8d", on_loss)
        assert caught.value.kind == UNKNOWN


def test_a_loss_is_that_of_its_term_alone() -> None:
    text = "(1,2) & j(n4dO,E) & n4dD & royal()"
    lossy = alfil.translate(text, read="hasinu", write="betza", on_loss="lossy")
    assert (lossy.text, [loss.kind for loss in lossy.losses]) == ("BN", ["sided-jump", "royal"])


def test_terms_found_only_together() -> None:
    loops = "n(1×4dD &t+90° 1×4dD &t-90°) & n(1×4dD &t-90° 1×4dD &t+90°)"
    assert translated(f"{loops} & j(n4dO,E) & 1×4dO", "lossy") == "zBW"


def test_loops_that_have_a_part_each_keep_it() -> None:
    loops = ["2(1×8d)", "{1,2}(1×2dNE-NW &t45°)", "3(1×8d &t45°)"]
    assert [translated(each) for each in loops] == ["aK", "fF", "afrafrKaflaflK"]
    assert translated(" & ".join(loops)) == "fFaKafrafrKaflaflK"


@pytest.mark.parametrize(
    ("text", "betza"),
    [
        ("1×4dO &t n(1×4dD)", "Wafs(avvs)W"),
        ("n(n4dO &t90°)", "(affr)W(affl)W"),
        ("n(m(n4dD) &t90°)", "m(affrm)Fm(afflm)F"),
        ("n(n8d &t45°)", "(afrf)K(aflf)K"),
        ("n(n(1,2) &t45°)", "(afrf)N(aflf)N"),
    ],
)
def test_loops_after_a_leg_and_of_each_hand(text: str, betza: str) -> None:
    assert translated(text) == betza
    assert alfil.same(betza, from_hasinu(text))


@pytest.mark.parametrize("text", ["n(c(n4dO) &t90°)", "n((1,2) & 1×8d &t0°)"])
def test_a_loop_that_is_bound_is_not_to_be_bound(text: str) -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        translated(text)
    (loss,) = caught.value.diagnostics
    assert (loss.kind, loss.hint) == ("roaming", "count its rounds")


def test_an_empty_description_is_an_empty_one() -> None:
    assert (translated(""), translated("sz(1)")) == ("", "")


def test_embedded_betza_of_another_dialect() -> None:
    piece = alfil.read(r"\fK & (1,2)", notation="hasinu", dialect="classic")
    assert alfil.write(piece, "betza") == "NfhK"


@pytest.mark.parametrize("every", [images(0, 1), images(1, 1), images(1, 2), images(2, 5)])
def test_every_set_of_directions_has_letters(every: tuple[Vector, ...]) -> None:
    (base,) = {tuple(sorted((abs(x), abs(y)))) for x, y in every}
    for count in range(1, len(every) + 1):
        for wanted in combinations(every, count):
            letters = directions.first_leg_letters(frozenset(wanted), (base,))
            text = f"{letters}({base[1]},{base[0]})"
            assert alfil.destinations(text) == set(wanted)


def test_every_set_of_turns_has_letters() -> None:
    for count in range(1, len(COMPASS) + 1):
        for turns in combinations(range(8), count):
            tokens = directions.fewest_turn_letters(frozenset(turns))
            assert tokens is not None
            (path,) = alfil.read(f"[K-{directions.join_tokens(tokens, 'K')}K]").tree.terms
            assert path.legs[1].turns == turns  # type: ignore[attr-defined, union-attr]


def test_betza_from_a_meaning_is_that_meaning_and_most_of_the_corpus_has_one() -> None:
    read, wrong, written = 0, [], 0
    for text in sorted({row[0] for _, row in rows("betza_corpus.tsv")}):
        try:
            meaning = alfil.read(text).meaning
        except alfil.AlfilError:
            continue
        read += 1
        found = shortest_text(meaning, "betza")
        if found is not None:
            written += 1
            wrong += [] if alfil.same(found, text) else [(text, found)]
    assert not wrong
    assert written >= 0.9 * read


@every_row("text", sorted({row[0] for _, row in rows("betza_corpus.tsv")}))
def test_a_movement_spelled_directly_is_that_movement(text: str) -> None:
    try:
        movement = alfil.read(text).movement
    except alfil.AlfilError:
        return
    for option in movement.options:
        terms = spell_option(option)
        if terms is not None and len(terms) == 1:
            again = alfil.read(write_betza(Description(terms, "betza")))
            assert again.movement.options == (option,)


def boards(seed: str) -> list[dict[str, frozenset[tuple[int, int]]]]:
    """Some boards with pieces around the middle."""
    chance = random.Random(seed)
    near = [(x, y) for x in range(-3, 4) for y in range(-3, 4) if (x, y) != (0, 0)]
    found = []
    for share in (0.1, 0.3, 0.6):
        taken = [square for square in near if chance.random() < share]
        enemies = frozenset(square for square in taken if chance.random() < 0.5)
        found.append({"enemies": enemies, "friends": frozenset(taken) - enemies})
    return found


def never_more(betza: str, piece: alfil.Piece, text: str) -> None:
    """A lossy result moves as the original, or less; a piece that has lost its size elsewhere."""
    if "sz(" in text:
        return
    for around in boards(text):
        for unmoved in (True, False):
            less = alfil.moves(betza, unmoved=unmoved, radius=5, **around)
            more = alfil.moves(piece, unmoved=unmoved, radius=5, **around)
            # What the original may always do, the result may do only as its first move; and what
            # a piece burns wherever it ends up is lost from every move.
            lost = {"guard": (), "captures": ()} if "burn" in text else {"guard": ()}
            assert {replace(each, **lost) for each in less} <= {
                replace(each, **lost) for each in more
            }


@pytest.mark.parametrize("text", [row[0] for row in NO_FORM if row[3] is not None])
def test_lossy_is_never_more(text: str) -> None:
    piece = from_hasinu(text)
    try:
        alfil.moves(piece, radius=1)
    except alfil.MeaningError:
        return  # a term that has no moves to compare with
    never_more(translated(text, "lossy"), piece, text)


@examples(30)
@given(texts(hasinu))
def test_generated_pieces(text: str) -> None:
    try:
        piece = from_hasinu(text)
        assert piece.meaning is not None
    except alfil.AlfilError:
        reject()
    losses = losses_of(text)
    if not losses:
        event("exact")
        betza = translated(text)
        assert alfil.same(betza, piece, facts=False)
        assert str(alfil.read(betza)) == betza
        return
    assert all(diagnostic.spans and diagnostic.hint for diagnostic in losses)
    assert all(0 <= s.start < s.end <= len(text) for f in losses for s in f.spans)
    try:
        betza = translated(text, "lossy")
    except TranslationLoss:
        event("nothing left")
    else:
        event("some left")
        never_more(betza, piece, text)


def losses_of(text: str) -> tuple[alfil.Diagnostic, ...]:
    """What strict translation raises."""
    try:
        translated(text)
    except TranslationLoss as error:
        return error.diagnostics
    return ()
