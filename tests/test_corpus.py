"""The 817 strings of betza_corpus.tsv, which people use: read as a piece, or refused for a reason.

betza_corpus_refused.tsv has every string that is refused, with the kind of the error and why, and
is exact both ways. The share that is read is the one docs/coverage.md states.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import alfil
from boards import rows

PAGE = Path(__file__).parent.parent / "docs/coverage.md"
STRINGS = [row[0] for _, row in rows("betza_corpus.tsv")]
FLAGGED = {row[0]: row[4] for _, row in rows("betza_corpus.tsv") if row[4]}
REFUSED = {row[0]: row[1] for _, row in rows("betza_corpus_refused.tsv")}
READ = [text for text in STRINGS if text not in REFUSED]

# Flagged in the file by somebody's reader, and yet the specification gives them a meaning: vectors
# need no letter, and X lengthens an atom. Each with the squares in its first octant.
MEANT = {
    "(4,4)": {(4, 4)},
    "(0,4)": {(0, 4)},
    "(3,4)(5,0)": {(3, 4), (0, 5)},
    "(5,5)(7,1)": {(5, 5), (1, 7)},
    "FX": {(1, 4)},
}
WARNED = {
    "dK": "own-capture-only",
    "[vW?B]": "first-leg-direction",
    "fnW*": "idle-trail",
    "pyafB": "hop-and-toggle",
    "pyafmpafB": "hop-and-toggle",
}


def refusal(text: str, notation: str = "betza") -> str | None:
    """The kind of the first error the text is refused with, or None when it is read."""
    try:
        alfil.read(text, notation)
    except alfil.NotationError as error:
        return error.kind
    return None


def test_every_string_is_read_or_refused_for_the_reason_on_record() -> None:
    assert {text: kind for text in STRINGS if (kind := refusal(text))} == REFUSED


def test_the_corpus_and_the_record_are_whole() -> None:
    assert len(STRINGS) == len(set(STRINGS)) == 817
    records = [row for _, row in rows("betza_corpus_refused.tsv")]
    assert len(records) == len(REFUSED)
    assert all(reason for _, _, reason in records)
    assert records == sorted(records, key=lambda row: (row[2], row[1], row[0]))


def test_flagged_strings_are_refused_unless_they_have_a_meaning() -> None:
    assert {text for text in FLAGGED if text not in REFUSED} == MEANT.keys()
    for text, octant in MEANT.items():
        squares = alfil.destinations(text, 8)
        assert {(x, y) for x, y in squares if 0 <= x <= y} == octant
        assert squares == {
            (x * right, y * forward)
            for long, short in octant
            for x, y in ((long, short), (short, long))
            for right in (1, -1)
            for forward in (1, -1)
        }


def test_warnings_are_few_and_known() -> None:
    warned = {text: [found.kind for found in alfil.read(text).diagnostics] for text in READ}
    assert {text: kinds for text, kinds in warned.items() if kinds} == {
        text: [kind] for text, kind in WARNED.items()
    }


@pytest.mark.parametrize("start", range(0, len(READ), 50))
def test_what_is_read_compiles_and_comes_back_the_same(start: int) -> None:
    for text in READ[start : start + 50]:
        piece = alfil.read(text)
        assert alfil.compile(piece, files=8, ranks=8), text
        written = alfil.write(piece)
        assert alfil.same(alfil.read(written), piece), text
        assert alfil.write(written) == written, text


def test_a_page_states_how_many_are_read() -> None:
    page = PAGE.read_text(encoding="utf-8")
    stated = re.findall(r"(\d+) of (?:the )?817", page)
    assert stated == [str(len(READ))], f"{len(READ)} of 817 are read"
    rest = re.findall(r"other (\d+) are refused,? [^.]*/betza_corpus_refused.tsv", page)
    assert rest == [str(len(REFUSED))]
