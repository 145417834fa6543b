"""What came exactly out of a notation goes exactly back into it, and in as few letters."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import cycle, permutations

import pytest

import alfil
from boards import rows
from gathering import every_row
from pools import TEXTS, betza_texts, parlett_texts, pool, readings
from strategies import NIGHTLY, TEXT_BYTES, Picker, betza, hasinu

# The gate looks at every so manyth meaning of its pools, other ones for other pairs.
STRIDE = 1 if NIGHTLY else 13
# So many random texts are translated and back, none of them longer than this.
RANDOM = 6_000 if NIGHTLY else 60
LONG = 60
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


# What had no way back, or a text in another notation that could not be read.
CAME_BACK_NOT = (
    ("betza", "savnafsnN", "hasinu"),
    ("betza", "lmafsmafsWvmpafmaflN", "hasinu"),
    ("betza", "[B?Q3?cN]", "hasinu"),
    ("classic", "jfL2", "xboard"),
    ("classic", "st[hrflj(2,1)(1,1)sqF]", "xboard"),
    ("hasinu", "group(i,c)({2,4}×1dSE)", "betza"),
    ("hasinu", "i(3×5dO-NE &t-135° {1,2}×5dO-NE)", "betza"),
    ("hasinu", "[c,j(2((2,4)cdfhe &t+45°))]", "fairy-stockfish-next"),
    ("hasinu", "rifle(1×8d &t135° (2,4),FE)", "betza"),
    ("hasinu", "rpg({1,2,3}×4dO) & n4dO", "betza"),
    ("hasinu", "{27,29,31,33,35}×4dO", "betza"),
    ("hasinu", "m(27×4dO)", "xboard"),
    ("hasinu", "rpg({1,2,3}×4dO) & n2dN-S", "classic"),
    ("hasinu", "rpg({2,4}×2dN-S,FE) & n4dO", "xboard"),
    ("hasinu", "rpg(c(3×1dSW)) & n4dD", "betza"),
    ("hasinu", "j(rpg(2×2dN-S,FE),2)", "chessvar"),
    ("hasinu", "m(n4dD & j({1,3}×4dD,1))", "xboard"),
    ("hasinu", "group(m,j)(j(3×8d,,2))", "betza"),
    ("fairy-stockfish", "ffgBfpW2", "xboard"),
    ("fairy-stockfish", "sBceF", "betza"),
    ("hasinu", "j(rpg({1,3}×4dD))", "betza"),
    ("classic", "ffqNNflW2ihr(4,2)4", "hasinu"),
    ("fairy-stockfish-next", "ffiNNsqK", "hasinu"),
    ("classic", "ffqRfFlvn(4,0)0", "hasinu"),
    ("hasinu", "j((n2dSW-E) &t112.5° 1×8d,,2)", "taikyoku"),
    ("hasinu", "j((n2dSW-E) &t112.5° 1×8d,,2)", "xboard"),
    ("hasinu", "{1,3}(j((1,2))) & INF(2,2)", "betza"),
    ("hasinu", "1×5dO-NE &t+22.5° 2×6dNE-W &t+90° j({1,2}×2dN-S,,2)", "xboard"),
    ("hasinu", "j((2×(2,3)),1) &t22.5° 1×5dO-NE", "chessvar"),
    ("hasinu", "j(1×2dN-S &t+45° 1×5dO-NE,,2) &t180° 3×6dE-N-NE-SE-W-NW", "classic"),
    ("hasinu", "rpg({1,3}×5dO-NE,F) & c(1({1,2}×8d &t+90°))", "taikyoku"),
    ("hasinu", "(2,1) &t180° j(2×1dSW,,2) &t180° 1×4dSE-S-SW-N", "xboard"),
    ("hasinu", "3×4dO &t {1,3}(3×4dD)", "taikyoku"),
    ("hasinu", "n(j(1×8d,F) &t)", "chessvar"),
    ("hasinu", "2({1,2,3}×8d)", "chessvar"),
    ("hasinu", "j({2,4}×4dD,2) &t0° n5dO-NE", "taikyoku"),
    ("hasinu", "j(3×4dO,1) &t0° n4dO", "betza"),
    ("parlett", "in*, 3>", "taikyoku"),
    ("parlett", "o1>.nX, 1-3<=, 1*<>", "xboard"),
    ("parlett", "i1-3>, c~2*<=, c^3<", "classic"),
    ("parlett", "c1-3*, c^n*>", "fairy-stockfish-next"),
    ("parlett", "o1-3*, c^3*>", "betza"),
)


@every_row("source, text, target", CAME_BACK_NOT)
def test_what_had_no_way_back_comes_back(source: str, text: str, target: str) -> None:
    piece = alfil.read(text, source)
    there = translated(piece, target)
    assert there
    back = translated(there, source)
    assert back
    assert alfil.same(back, piece)


@every_row(
    "text",
    [
        "3×4dO &t {1,3}(3×4dD)",
        "1×4dO &t {1,3}(1×4dD)",
        "1×4dO &t {1,2}(1×4dD)",
        "1×4dO &t 3(1×8d &t45°)",
        "j(2×4dO) &t 2(1×4dD &t90°)",
        "(1,2) &t {1,2}(1×8d)",
        "(1,3) & 1×4dD &t {1,3}(1×4dO)",
    ],
)
def test_a_loop_after_a_leg_comes_back_as_it_was(text: str) -> None:
    there = translated(alfil.read(text, "hasinu"), "betza")
    assert there
    assert alfil.translate(there, write="hasinu").text == text


def random_pieces(number: int) -> Iterator[alfil.Piece]:
    """Pieces of random texts that have moves and no facts, in notations taken in turn."""
    dice = random.Random(27)
    small = [*parlett_texts()]
    notations = cycle(TEXTS)
    while number:
        notation, picker = next(notations), Picker(dice.randbytes(TEXT_BYTES))
        text = ", ".join(dice.sample(small, 3))
        if notation != "parlett":
            text = (hasinu if notation == "hasinu" else betza)(picker)
        with suppress(alfil.AlfilError):
            piece = alfil.read(text, notation)
            if len(text) < LONG and piece.meaning and not piece.meaning.facts:
                number -= 1
                yield piece


def test_random_texts_come_back() -> None:
    exact, lost_texts = 0, []
    for number, piece in enumerate(random_pieces(RANDOM)):
        target = [*TEXTS][number * 3 % len(TEXTS)]
        with suppress(alfil.MeaningError):
            there = translated(piece, target)
            back = there and translated(there, piece.notation)
            exact += there is not None
            if there and not back:
                lost_texts.append((piece.notation, piece.text, target, there.text))
    assert exact > RANDOM / 4
    # Loops in loops and rampages beside other moves may be too much to be recognised.
    assert len(lost_texts) <= exact / 100, lost_texts


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
