"""What the hint of an error offers to write can be read, in every notation and dialect.

The texts are all short ones over the letters of a notation and the strings of the case files with
a sign lost, doubled or swapped; the gate takes some of them, the same in every run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import islice, product

import pytest

import alfil
from alfil import Diagnostic
from boards import rows
from gathering import every_row
from strategies import NIGHTLY

HASINU = (
    r"1 2 3 0 n × d N D O ( ) { } , & &t 45° [ ] / // \ j m c( E i + - W (1,2) 1×4dO n8d a royal"
    " rpg( x group INF( inclusive 1×1d Q"
)
BETZA = [*"WFNKBRQDAZCUOXfbslrvhmcdektpgnjioyzqxau0123(),[]?-*", "oo", "ii", "(1,2)", "tR", "R2"]
# The letters of each notation, and the case files that have texts of it in their first column.
LETTERS: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "hasinu": (HASINU.split(), ("hasinu.tsv", "hasinu_errors.tsv")),
    "parlett": ([*"0123n+X*<>=÷~^&./,()-ocim×"], ("parlett.tsv", "parlett_errors.tsv")),
    "betza": (BETZA, ("betza.tsv", "betza_errors.tsv", "betza_corpus.tsv")),
}
DIALECTS = ("betza", "classic", "xboard", "fairy-stockfish", "taikyoku", "chessvar")
NOTATIONS = [("hasinu", "hasinu"), ("parlett", "parlett")]
NOTATIONS += [("betza", dialect) for dialect in (*DIALECTS, "fairy-stockfish-next")]
LONGEST = 25
SIGNS = 3
# Prime numbers, so that the texts taken begin and end with every letter.
STRIDES = {
    "hasinu": (397, 7, 3001),
    "parlett": (101, 7, 1009),
    "betza": (1999, 151, 30011),
}
AWAY = re.compile(r"(?:leave|remove|drop)\b(?!.* or |.*the part it)")
# Hints to take away all that a diagnostic points at, which uncovers no other mistake.
WHOLE = {"leave it out", "remove it"}
# What is found where something is missing.
GAPS = {"missing-move", "empty-brackets", "empty-loop", "empty-set", "missing-leg", "no-atom"}


def mutated(text: str) -> Iterator[str]:
    """The text with one sign lost, doubled, or swapped with the next."""
    for at, sign in enumerate(text):
        yield text[:at] + text[at + 1 :]
        yield text[:at] + sign + text[at:]
        yield text[:at] + text[at + 1 : at + 2] + sign + text[at + 2 :]


@cache
def texts(notation: str) -> tuple[str, ...]:
    """Short texts, and those of the case files with one mistake or two."""
    letters, files = LETTERS[notation]
    few, more, least = (each // 50 or 1 if NIGHTLY else each for each in STRIDES[notation])
    short = (
        "".join(signs) for many in range(1, SIGNS + 1) for signs in product(letters, repeat=many)
    )
    good = dict.fromkeys(row[0] for name in files for _, row in rows(name))
    wrong = [each for text in good if len(text) < LONGEST for each in mutated(text)]
    twice = (each for text in wrong for each in mutated(text))
    return tuple(
        dict.fromkeys(
            [
                *letters,
                *islice(short, 0, None, few),
                *wrong[::more],
                *islice(twice, 0, None, least),
            ]
        )
    )


@cache
def errors(text: str, notation: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a text; where it can be read, in compiling it."""
    try:
        bool(alfil.read(text, notation).meaning)
    except alfil.AlfilError as error:
        return error.diagnostics
    return ()


@cache
def misread(text: str, notation: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a text in reading it."""
    try:
        alfil.read(text, notation)
    except alfil.AlfilError as error:
        return error.diagnostics
    return ()


def touches(diagnostic: Diagnostic, start: int, end: int) -> bool:
    """Whether a diagnostic points into a stretch, or to its edge."""
    return diagnostic.spans[0].start <= end and start <= diagnostic.spans[0].end


def is_same(one: Diagnostic, other: Diagnostic) -> bool:
    """Whether two texts have the same mistake."""
    return (one.kind, one.message) == (other.kind, other.message)


def new_errors(found: list[Diagnostic], text: str, notation: str) -> list[Diagnostic]:
    """Those of some errors that a text does not have."""
    known = errors(text, notation)
    return [each for each in found if not any(is_same(each, other) for other in known)]


def helps(offer: str, diagnostic: Diagnostic, text: str, notation: str) -> bool:
    """Whether an offer can be read, by itself or written over the place of its diagnostic.

    What else is wrong with the text may stay, but not where the offer stands. A sign alone only
    has to make this mistake go, and the name of a function, without another in its place.
    """
    start, end = diagnostic.spans[0]
    named = diagnostic.kind == "unknown-function"
    sign = len(offer) == 1 or not any(map(str.isalnum, offer)) or named
    found = errors if named else misread
    places = [(0, len(text)), *product(range(start, -1, -1), range(end, len(text) + 1))]
    for first, last in (*places, (len(text), len(text))):
        wrong = found(text[:first] + offer + text[last:], notation)
        inside = [each for each in wrong if touches(each, first, first + len(offer))]
        if not inside and len(wrong) < len(errors(text, notation)):
            return True
        around = [each for each in inside if each.spans[0].start < first + len(offer)]
        over = [each for each in around if each.spans[0].end > first]
        if (
            sign
            and not any(is_same(each, diagnostic) for each in inside)
            and (named or not new_errors(over, text, notation))
        ):
            return True
    return False


def can_go(diagnostic: Diagnostic, text: str, notation: str) -> bool:
    """Whether what a diagnostic points at can be left out, with a comma or again and again."""
    start, end = diagnostic.spans[0]
    before, after = text[:start], text[end:]
    known = {each.kind for each in errors(text, notation)}
    for shorter in (
        before + after,
        before.rstrip().removesuffix(",") + after,
        before + after.lstrip().removeprefix(","),
    ):
        rest = shorter
        while again := [
            each
            for each in errors(rest, notation)
            if is_same(each, diagnostic)
            and touches(each, start, start)
            and each.spans[0][0] < len(rest)
        ]:
            rest = rest[: again[0].spans[0].start] + rest[again[0].spans[0].end :]
        wrong = [each for each in misread(rest, notation) if touches(each, start, start)]
        if diagnostic.hint in WHOLE or diagnostic.hint == f"leave out {text[start:end]}":
            if not new_errors(wrong, text, notation):
                return True
        elif not any(each.kind in GAPS - known for each in wrong):
            return True
    return False


def joins(diagnostic: Diagnostic, text: str, notation: str) -> bool:
    """Whether & before what a diagnostic points at joins two moves."""
    start = diagnostic.spans[0].start
    wrong = errors(f"{text[:start]} & {text[start:]}", notation)
    return not any(touches(each, start, start + 3) for each in wrong)


@pytest.mark.parametrize(("letters", "notation"), NOTATIONS)
def test_what_a_hint_offers_can_be_read(letters: str, notation: str) -> None:
    tried = [(text, each) for text in texts(letters) for each in errors(text, notation)]
    offers = [(text, each, offer) for text, each in tried for offer in each.offered]
    gone = [(text, each) for text, each in tried if AWAY.match(each.hint) and not each.offers]
    assert len(offers) > 50
    assert len(gone) > 10
    refused = [
        (text, each.hint, offer)
        for text, each, offer in offers
        if not helps(offer, each, text, notation)
    ]
    assert not refused
    assert not [(text, each.hint) for text, each in gone if not can_go(each, text, notation)]
    apart = [(text, each) for text, each in tried if each.hint == "put & between the two"]
    assert not [text for text, each in apart if not joins(each, text, notation)]


# Texts in which what the first mistake alone would need uncovers the second one.
TWICE_WRONG = (
    ("hasinu", "j(2n44dO)", "2×4dO for this one"),
    ("hasinu", "c(×d4D) &t n4dO", "moves are written as in 1×4dO, n8d or (1,2)"),
    ("hasinu", "n(,2)ab", "(1,2)"),
    ("betza", "W[", "leave out what is marked; what is left may be another piece"),
    ("taikyoku", "bR2ff(RfB", "leave out what is marked; what is left may be another piece"),
    (
        "fairy-stockfish",
        "mW22c",
        "the program takes 2 for it; write 0 for any number of steps",
    ),
)


@every_row("notation, text, hint", TWICE_WRONG)
def test_a_hint_says_nothing_that_leads_to_another_error(
    notation: str, text: str, hint: str
) -> None:
    assert errors(text, notation)[0].hint == hint


@pytest.mark.parametrize(("letters", "notation"), NOTATIONS)
def test_every_offer_is_marked(letters: str, notation: str) -> None:
    for text in texts(letters):
        for each in errors(text, notation):
            unmarked = "".join(
                " " if any(start <= at < end for start, end in each.offers) else sign
                for at, sign in enumerate(each.hint)
            )
            told = UNMARKED.search(unmarked)
            assert not told, (text, each.hint, told)


# Words after which a text stands that can be typed.
UNMARKED = re.compile(
    r"(?:did you mean|as in|such as|write) (?![a-zō/]|each|the |two )(\S*[A-Z0-9]\S*)"
)
NAMED = re.compile(r"(?:the dialect (\S+) reads|the dialects (.+) read) this as (\S+)$")


@cache
def noted() -> list[tuple[str, str, str]]:
    """Texts, each with a dialect that a note names and what that is said to read."""
    found: list[tuple[str, str, str]] = []
    for text in texts("betza"):
        try:
            alfil.read(text)
        except alfil.NotationError as error:
            for note in error.all_diagnostics()[len(error.diagnostics) :]:
                if match := NAMED.match(note.message):
                    names = re.findall(r"[a-z-]{5,}", match[1] or match[2])
                    found += [(text, name, match[3]) for name in names]
    return found


def test_what_a_note_says_of_another_dialect_is_what_that_reads() -> None:
    assert len(noted()) > 5
    for text, name, said in noted():
        assert alfil.same(alfil.read(text, name), said), (text, name, said)
