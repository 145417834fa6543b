"""What came exactly out of a notation goes exactly back into it, and in as few letters."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import permutations

import pytest

import alfil
from boards import rows
from pools import TEXTS, pool
from strategies import NIGHTLY

# The gate looks at every so manyth meaning of its pools, other ones for other pairs.
STRIDE = 1 if NIGHTLY else 7
PAIRS = [*permutations(TEXTS, 2)]
# Strings that are written with more letters when they come back: chains that are shorter than
# brackets, letters on K, first moves of two ways, an atom with X.
LONGER = {
    *("FX", "FmWcNisR2", "FmWisR2cN", "HRmasR", "NADaKafavK", "QNADaK", "RmasR"),
    *("WBmasB", "WmBaB", "frlK", "lhQ", "vWnD"),
}


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


@pytest.mark.parametrize("target", TEXTS)
def test_all_spellings_of_a_piece_have_a_form_where_one_has(target: str) -> None:
    alike: dict[object, list[alfil.Piece]] = {}
    for text in (*texts_people_use(), "FyafsF", "[F?R]", "v[W?B]", "[vW?B]", "jD", "pR2", "R37"):
        piece = alfil.read(text)
        with suppress(alfil.MeaningError):
            alike.setdefault(piece.meaning, []).append(piece)
    for pieces in alike.values():
        if len(pieces) > 1:
            assert len({translated(each, target) is None for each in pieces}) == 1, pieces


def test_what_people_use_comes_back_in_as_few_letters() -> None:
    refused = {row[0] for _, row in rows("betza_corpus_refused.tsv")}
    texts = [row[0] for _, row in rows("betza_corpus.tsv") if row[0] not in refused]
    longer = set()
    for text in texts[:: 1 if NIGHTLY else 3]:
        there = translated(alfil.read(text), "hasinu")
        back = there and translated(there, "betza")
        if back and len(back.text) > len(text):
            longer.add(text)
    assert longer <= LONGER
