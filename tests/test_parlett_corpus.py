"""The 263 strings of parlett_corpus.tsv, which people use: read as the piece that the words mean.

parlett_corpus_refused.tsv has every string that is refused, with the kind of the error and why, and
is exact both ways. The number that is read is the one docs/coverage.md and docs/notations.md state.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import alfil
from boards import rows
from gathering import every_row
from test_corpus import refusal

PROJECT = Path(__file__).parent.parent
BETZA = dict(row for _, row in rows("parlett_corpus.tsv"))
REFUSED = {row[0]: row[1] for _, row in rows("parlett_corpus_refused.tsv")}
READ = [text for text in BETZA if text not in REFUSED]


def test_every_string_is_read_or_refused_for_the_reason_on_record() -> None:
    assert {text: kind for text in BETZA if (kind := refusal(text, "parlett"))} == REFUSED


def test_the_corpus_and_the_record_are_whole() -> None:
    assert len(BETZA) == len([*rows("parlett_corpus.tsv")]) == 263
    assert {text for text, betza in BETZA.items() if betza == "-"} == REFUSED.keys()
    records = [row for _, row in rows("parlett_corpus_refused.tsv")]
    assert len(records) == len(REFUSED)
    assert all(reason for _, _, reason in records)
    assert records == sorted(records, key=lambda row: (row[1], row[2], row[0]))


@every_row("text", list(REFUSED))
def test_a_refusal_has_a_place_a_reason_and_a_hint(text: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.read(text, "parlett")
    for found in caught.value.diagnostics:
        assert found.message
        assert found.hint
        assert all(0 <= start < end <= len(text) for start, end in found.spans)


@every_row("text", READ)
def test_what_is_read_is_the_piece_that_the_words_mean(text: str) -> None:
    assert alfil.same(alfil.read(text, "parlett"), BETZA[text])


def test_warnings_are_of_leaps_without_their_sign() -> None:
    kinds = {
        text: {found.kind for found in alfil.read(text, "parlett").diagnostics} for text in READ
    }
    assert {text for text, found in kinds.items() if found} == {
        *("1/2", "2/3", "1/3, 2/3", "~2+, 1/2, 3X", "c~1/2, o1/2"),
    }
    assert set().union(*kinds.values()) == {"leap-without-tilde"}


@pytest.mark.parametrize("start", range(0, len(READ), 50))
def test_what_is_read_compiles_and_comes_back_the_same(start: int) -> None:
    for text in READ[start : start + 50]:
        piece = alfil.read(text, "parlett")
        assert alfil.compile(piece, files=8, ranks=8), text
        written = alfil.write(piece, "parlett")
        assert alfil.same(alfil.read(written, "parlett"), piece), text
        through = alfil.translate(piece, write="hasinu", on_loss="escape")
        assert through.exact, text
        assert alfil.same(alfil.read(through.text, "hasinu"), piece), text


@pytest.mark.parametrize("page", ["docs/coverage.md", "docs/notations.md"])
def test_pages_state_how_many_are_read(page: str) -> None:
    text = (PROJECT / page).read_text(encoding="utf-8")
    stated = re.findall(r"(\d+) of the 263", text)
    assert stated == [str(len(READ))], f"{len(READ)} of 263 are read"
