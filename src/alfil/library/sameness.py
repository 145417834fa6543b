"""Whether a piece file tells the truth: both notations of a piece agree, namesakes are the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from alfil.api import Piece, difference, same
from alfil.errors import AlfilError, Finding, PieceFileError, nearest
from alfil.library.model import Entry, PieceFile
from alfil.notation.registry import NOTATIONS


def require_agreement(file: PieceFile) -> None:
    """Raise `PieceFileError` where the notations of a piece disagree, or a namesake is none."""
    found = tuple(disagreements(file))
    if found:
        raise PieceFileError(found, file.source)


def disagreements(file: PieceFile) -> Iterator[Finding]:
    """What is not the same though the file says so.

    Whether it is royal and what it promotes to may stand on the line instead of in a notation; of
    namesakes only the moves are compared.
    """
    index = _index(file)
    for entry in file.pieces:
        if entry.source != file.source:
            continue  # the included file answers for it
        try:
            yield from _of_entry(entry, index)
        except AlfilError as error:
            yield from (_placed(each, entry) for each in error.findings)


def _placed(finding: Finding, entry: Entry) -> Finding:
    return replace(finding, message=f"{entry.code}: {finding.message}", spans=(entry.span,))


def _index(file: PieceFile) -> dict[str, list[Entry]]:
    """The pieces by their codes and names."""
    found: dict[str, list[Entry]] = {}
    for entry in file.pieces:
        for name in dict.fromkeys((entry.code, *entry.names)):
            found.setdefault(name, []).append(entry)
    return found


def _of_entry(entry: Entry, index: dict[str, list[Entry]]) -> Iterator[Finding]:
    first, *others = entry.movements
    for second in others:
        told = told_difference(first, second) or _told_facts(entry, first, second)
        if told:
            message = f"{entry.code}: {first.text} and {second.text} are not the same piece"
            both = {first.notation, second.notation}
            spans = tuple(
                entry.places[name] for name in NOTATIONS if name in both & entry.places.keys()
            )
            yield Finding("notations-differ", message, spans or (entry.span,), told)
    if entry.same_as:
        yield from _namesake(entry, index)


def _namesake(entry: Entry, index: dict[str, list[Entry]]) -> Iterator[Finding]:
    span = entry.places.get("same-as", entry.span)
    others = [each for each in index.get(entry.same_as, ()) if each is not entry]
    if not others:
        names = [name for name in index if name not in (entry.code, *entry.names)]
        message = f"{entry.code}: no other piece is called {entry.same_as}"
        yield Finding("unknown-piece", message, (span,), nearest(entry.same_as, names))
        return
    told = told_difference(entry.piece, others[0].piece)
    if told:
        message = f"{entry.code} is not the same piece as {entry.same_as}"
        yield Finding("not-a-namesake", message, (span,), told)


def _told_facts(entry: Entry, first: Piece, second: Piece) -> str:
    """A fact that one notation has and neither the other nor the line; empty if there is none."""
    on_line = {"royal": entry.royal, "promotion": bool(entry.promotes)}
    for piece, other in ((first, second), (second, first)):
        for fact in piece.meaning.facts:
            if fact not in other.meaning.facts and not on_line.get(fact.name):
                return f"only {piece.text} has {fact.name}()"
    return ""


def told_difference(first: Piece, second: Piece) -> str:
    """The smallest difference between two pieces in words; empty where there is none."""
    if same(first, second, facts=False):
        return ""
    found = difference(first, second, facts=False)
    if found is None or found.move is None:
        return ""
    piece = (first, second)[found.only == "second"]
    words = f"only {piece.text} goes to {found.move.to[0]},{found.move.to[1]}"
    around = [
        f"{what} on {' '.join(f'{x},{y}' for x, y in squares)}"
        for what, squares in (
            ("enemies", found.enemies),
            ("friends", found.friends),
        )
        if squares
    ]
    return f"{words}{', with ' + ' and '.join(around) if around else ''}"
