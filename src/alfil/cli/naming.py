"""What is said of a piece that was named, not described: whose it is, and what is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from alfil.api import Piece
from alfil.errors import Finding
from alfil.source import Span, printable

if TYPE_CHECKING:
    from alfil.library.names import Named


def title(piece: Piece, named: Named | None) -> str:
    """The first lines of what is shown: the notation, after the name and before the note."""
    if named is None:
        return printable(piece.text.strip())
    entry = named.entry
    lines = [f"{entry.name} ({named.library.name}:{entry.code}): {piece.text.strip()}"]
    if entry.also:
        lines.append(f"also called {', '.join(entry.also)}")
    if entry.remark:
        lines.append(f"note: {entry.remark}")
    others = [f"{place} ({text})" for place, text in _namesakes(named)]
    if others:
        lines.append(f"note: other pieces have this name: {', '.join(others)}")
    return "\n".join(map(printable, lines))


def _namesakes(named: Named) -> list[tuple[str, str]]:
    """Pieces of the same name that move in another way: where they are, and how they move."""
    from alfil.library.names import namesakes  # noqa: PLC0415 - only for a piece that was named

    return [
        (f"{each.library.name}:{each.entry.code}", each.entry.piece.text)
        for each in namesakes(named)
    ]


def named_as_data(named: Named | None) -> dict[str, object]:
    """What a piece file says of the piece beside its moves; nothing for a plain notation."""
    if named is None:
        return {}
    entry = named.entry
    return {
        "set": named.library.name,
        "code": entry.code,
        "name": entry.name,
        "also": list(entry.also),
        "kanji": entry.kanji,
        "status": entry.status,
        "note": entry.note,
        "namesakes": [place for place, _ in _namesakes(named)],
    }


def note_finding(piece: Piece, named: Named | None) -> tuple[Finding, ...]:
    """The note of a piece that was named, as a finding that is no error."""
    if named is None or not named.entry.remark:
        return ()
    message = f"{named.entry.code}: {named.entry.remark}"
    return (Finding("piece-note", message, (Span(0, len(piece.text)),), severity="note"),)
