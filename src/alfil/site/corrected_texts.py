"""Hints made into texts: what a text becomes when the hint of a diagnostic is followed.

A hint is words for people, so what it says is tried in the places it may be meant for, and offered
only where the result can be read and the diagnostic is gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from alfil.api import Piece, read
from alfil.errors import AlfilError, Diagnostic, NotationError
from alfil.library.library import LibraryPiece, piece_named_by_invalid_notation
from alfil.notation.verified_hints import correction_offers, texts_with_deletion, texts_with_offer
from alfil.source import Span

# Words of a hint that ask to take away what was pointed at.
AWAY = re.compile(r"^(?:leave|remove|drop)\b|; leave it out")
LONGEST = 400
MOST = 3


def read_or_find_piece(text: str, notation: str) -> tuple[Piece, LibraryPiece | None]:
    """The piece that a text describes, or else the bundled piece of this name, found so."""
    try:
        return read(text, notation), None
    except NotationError as error:
        library_piece = piece_named_by_invalid_notation(error)
        return library_piece.entry.piece, library_piece


def corrected_texts(text: str, notation: str, diagnostic: Diagnostic) -> list[str]:
    """The whole texts that following the hint of a diagnostic may lead to, the likeliest first.

    >>> from alfil import AlfilError, read
    >>> try:
    ...     bool(read("FW03"))
    ... except AlfilError as error:
    ...     corrected_texts("FW03", "betza", error.first_error)
    ['FW3']
    """
    if not diagnostic.hint or len(text) > LONGEST:
        return []
    before = _count_problems(text, notation)
    result: list[str] = []
    for candidates in _candidate_corrections(text, diagnostic):
        good = (
            each
            for each in candidates
            if each.strip() and each != text and _count_problems(each, notation) < before
        )
        result += filter(None, [next(good, "")])
    return list(dict.fromkeys(result))[:MOST]


def _count_problems(text: str, notation: str) -> tuple[int, int]:
    """How much is wrong with a text: errors, then warnings."""
    try:
        piece, _ = read_or_find_piece(text, notation)
        bool(piece.meaning)
    except AlfilError as error:
        return len(error.diagnostics), 0
    return 0, len(piece.diagnostics)


def _candidate_corrections(text: str, diagnostic: Diagnostic) -> Iterator[Iterator[str]]:
    """For each thing that a hint asks to do, the texts that it may lead to."""
    span = diagnostic.spans[0] if diagnostic.spans else Span(0, len(text))
    if AWAY.search(diagnostic.hint):
        yield texts_with_deletion(text, span)
    for offer in correction_offers(diagnostic):
        yield texts_with_offer(text, span, offer)
