"""A sheet: all pieces of a file in one picture, as rules pages have them; as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from alfil.diagrams.lines import Kind
from alfil.diagrams.picture import Picture
from alfil.diagrams.pieces import Token
from alfil.diagrams.text import Entry, entries


class Card(NamedTuple):
    """One piece of a sheet.

    ``notations`` are its movement in one notation or both. ``remarks`` are short facts, such as
    that it is royal; ``note`` is what the file says about it.
    """

    token: Token
    picture: Picture
    notations: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    note: str = ""

    @property
    def name(self) -> str:
        """What the piece is called, its code where it has no name."""
        return self.token.name or self.token.code


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pieces in groups that stay together: a piece, then what it promotes to."""

    title: str
    groups: tuple[tuple[Card, ...], ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All pieces in order."""
        return tuple(card for group in self.groups for card in group)

    def words(self) -> str:
        """What is on the sheet, for those who do not see it."""
        names = ", ".join(" → ".join(card.name for card in group) for group in self.groups)
        return f"{len(self.cards)} pieces: {names}."

    def legend(self) -> list[Entry]:
        """One legend for all pieces; of two wordings of a sign that begin alike, the shorter."""
        found: dict[tuple[Entry, str], Entry] = {}
        for card in self.cards:
            for entry in entries(card.picture.marks):
                sign = entry._replace(words="", arrow=min(entry.arrow, 0))
                found.setdefault((sign, entry.words), entry)
        kept = [
            entry
            for (sign, words), entry in found.items()
            if not any(
                words != other and words.startswith(other) for twin, other in found if twin == sign
            )
        ]
        return sorted(kept, key=lambda e: (e.sign.family.value, e.sign.fill.value, e.words))

    def slides(self) -> bool:
        """Whether there are lines of empty squares that the legend's other words do not explain."""
        said = any("squares on the way must be empty" in entry.words for entry in self.legend())
        return Kind.PATH in self.kinds() and not said

    def kinds(self) -> set[Kind]:
        """The kinds of lines there are."""
        return {stroke.kind for card in self.cards for stroke in card.picture.lines.strokes}
