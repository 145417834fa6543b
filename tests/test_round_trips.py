"""What came exactly out of a notation goes exactly back into it, and in as few letters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import permutations

import pytest

import alfil
from boards import rows
from pools import TEXTS, betza_texts, pool, readings
from strategies import NIGHTLY

# The gate looks at every so manyth meaning of its pools, other ones for other pairs.
STRIDE = 1 if NIGHTLY else 13
PAIRS = [*permutations(TEXTS, 2)]
BETZA = [name for name, texts in TEXTS.items() if texts is betza_texts]
# Strings that are written with more letters when they come back: X and Y after an atom are read by
# one dialect and its kin, numbers by all and by both tables that the pools are checked with.
LONGER = {"FX"}


def translated(piece: alfil.Piece, notation: str) -> alfil.Piece | None:
    """The same piece in another notation, None where that is lossy."""
    try:
        return alfil.read(alfil.translate(piece, write=notation).text, notation)
    except alfil.TranslationLoss:
        return None


def lost(source: str, target: str, stride: int = STRIDE) -> Iterator[tuple[str, str]]:
    """The pieces of a notation that go exactly into another one and do not come back."""
    begin = PAIRS.index((source, target)) % stride
    for piece in pool(source)[begin::stride]:
        there = translated(piece, target)
        back = there and translated(there, source)
        if there and not (back and alfil.same(back, piece)):
            yield piece.text, there.text


def test_there_are_enough_small_pieces() -> None:
    sizes = {notation: len(pool(notation)) for notation in TEXTS}
    assert sum(sizes.values()) > (7_000 if NIGHTLY else 1_500), sizes
    assert min(sizes.values()) > (200 if NIGHTLY else 40), sizes


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_what_came_out_exactly_goes_back_exactly(source: str, target: str) -> None:
    assert [*lost(source, target)] == []


def texts_people_use() -> list[str]:
    refused = {row[0] for _, row in rows("betza_corpus_refused.tsv")}
    return [row[0] for _, row in rows("betza_corpus.tsv") if row[0] not in refused]


@cache
def spellings() -> list[list[alfil.Piece]]:
    """The pieces of all pools and of the corpus that are one piece, spelled in several ways."""
    alike: dict[object, dict[tuple[str, str], alfil.Piece]] = {}
    used = (*texts_people_use(), "FyafsF", "[F?R]", "v[W?B]", "[vW?B]", "jD", "pR2", "R37")
    pieces = [alfil.read(text) for text in used]
    for piece in (*pieces, *(each for notation in TEXTS for each in readings(notation))):
        with suppress(alfil.MeaningError):
            alike.setdefault(piece.meaning, {})[piece.notation, piece.text] = piece
    return [[*group.values()] for group in alike.values() if len(group) > 1]


@pytest.mark.parametrize("target", TEXTS)
def test_all_spellings_of_a_piece_have_a_form_where_one_has(target: str) -> None:
    for pieces in spellings()[len(target) % STRIDE :: STRIDE]:
        found = [translated(each, target) for each in pieces if each.notation != target]
        assert len({each is None for each in found}) < 2, (pieces, found)
        if target in BETZA:
            assert len({each.text for each in found if each}) < 2, (pieces, found)


@pytest.mark.parametrize("other", [name for name in TEXTS if name != "betza"])
def test_what_people_use_comes_back_in_as_few_letters(other: str) -> None:
    longer = set()
    for text in texts_people_use()[len(other) % STRIDE :: STRIDE]:
        there = translated(alfil.read(text), other)
        back = there and translated(there, "betza")
        if back and len(back.text) > len(text):
            longer.add(text)
    assert longer <= LONGER


def test_small_pieces_come_back_in_as_few_letters() -> None:
    longer = set()
    for piece in pool("betza")[::STRIDE]:
        there = translated(piece, "hasinu")
        back = there and translated(there, "betza")
        if back and len(back.text) > len(piece.text):
            longer.add((piece.text, back.text))
    assert not longer
