"""Positions that tell cases, mutants and generated pieces apart, judged by the oracles."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import replace

from hypothesis import assume, event, given
from hypothesis import strategies as st

import alfil
from boards import cases
from judging import CASE_TEXTS, check, confirmed, ends, piece, readable
from strategies import NIGHTLY, examples, hasinu, texts, unwrapped
from test_oracle_agreement import Position

PAIRS = 1_500 if NIGHTLY else 300
EVERY_SO_MANY = 1 if NIGHTLY else 5  # of the cases


def test_pairs_of_cases_agree_with_the_oracles() -> None:
    """Both sides of many pairs, and the same position whichever comes first."""
    # Pieces of several squares are taken for those of one there, and boards may be too small.
    known = [text for text in CASE_TEXTS if readable(text) and "sz(" not in text]
    pairs = random.Random(7).sample(list(itertools.combinations(known, 2)), PAIRS)
    judged = 0
    for left, right in pairs:
        found, back = (
            alfil.difference(piece(left), piece(right)),
            alfil.difference(piece(right), piece(left)),
        )
        if found is None or back is None:
            assert found is back
            assert alfil.same(piece(left), piece(right))
            continue
        assert replace(found, only=back.only) == back
        assert found.only != back.only
        if found.move:
            check(found, piece(left), piece(right))
            judged += confirmed(found, left, right)
    assert judged > PAIRS * 13 / 15


LETTERS = "WFDANHCZGKQRBmcfbsrlvanptgjizqdkeu"


def mutants(text: str, chance: random.Random) -> Iterator[str]:
    """The text with one letter dropped, and with one changed or added at each place."""
    for index in range(len(text)):
        yield text[:index] + text[index + 1 :]
        yield text[:index] + chance.choice(LETTERS) + text[index + 1 :]
        yield text[:index] + chance.choice(LETTERS) + text[index:]


def test_mutants_are_told_apart_or_the_same() -> None:
    """Mutants of some cases: the oracles confirm the position, or tell no difference at all."""
    chance = random.Random(3)
    judged, equal = 0, 0
    for text in list(dict.fromkeys(case.text for case in cases("betza.tsv")))[::EVERY_SO_MANY]:
        for mutant in dict.fromkeys(mutants(text, chance)):
            if not readable(text) or not readable(mutant):
                continue
            found = alfil.difference(piece(text), piece(mutant))
            assert (found is None) == alfil.same(piece(text), piece(mutant))
            if found is None:
                equal += 1
                alike(text, mutant)
            elif found.move:
                judged += confirmed(found, text, mutant)
    assert judged > 900 / EVERY_SO_MANY
    assert equal > 50 / EVERY_SO_MANY


def alike(left: str, right: str) -> None:
    """No board of a few that are drawn by lot tells the two apart, by the oracle."""
    chance = random.Random(left)
    for _ in range(6):
        files, ranks = chance.randint(3, 7), chance.randint(3, 7)
        at = (chance.randrange(files), chance.randrange(ranks))
        squares = [(x - at[0], y - at[1]) for x in range(files) for y in range(ranks)]
        taken = [square for square in squares if square != (0, 0) and chance.random() < 0.3]
        enemies = frozenset(square for square in taken if chance.random() < 0.5)
        position = Position(files, ranks, at, enemies, frozenset(taken) - enemies)
        assert ends(left, position) == ends(right, position), (left, right, position)


@examples(40)
@given(texts(unwrapped), texts(unwrapped))
def test_generated_pieces_are_told_apart(left: str, right: str) -> None:
    assume(readable(left) and readable(right))
    found = alfil.difference(piece(left), piece(right))
    assert (found is None) == alfil.same(piece(left), piece(right))
    event("same" if found is None else "different")
    if found and found.move:
        check(found, piece(left), piece(right))
        event("judged" if confirmed(found, left, right) else "not judged")


@examples(30)
@given(texts(hasinu), texts(hasinu))
def test_generated_hasinu_is_told_apart(left: str, right: str) -> None:
    one, other = f"H:{left}", f"H:{right}"
    assume(readable(one) and readable(other))
    found = alfil.difference(piece(one), piece(other))
    assert (found is None) == alfil.same(piece(one), piece(other))
    if found and found.move:
        check(found, piece(one), piece(other))
        event("judged" if confirmed(found, one, other) else "not judged")


@given(st.sampled_from(CASE_TEXTS))
def test_no_piece_differs_from_itself(text: str) -> None:
    assume(readable(text))
    again = alfil.read(piece(text).text, notation=piece(text).notation)
    assert alfil.difference(piece(text), again) is None
