"""A sheet: all pieces of a file in one picture, as rules pages have them; as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from alfil.diagrams.kinds import Kind
from alfil.diagrams.picture import Picture
from alfil.diagrams.pieces import Token
from alfil.diagrams.text import Entry, Sign, entries


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
        every = self._wordings()
        kept = [entry for entry in every if not _is_longer(entry, every)]
        return sorted(kept, key=lambda e: (e.sign.family.value, e.sign.fill.value, e.words))

    def slides(self) -> bool:
        """Whether the legend leaves out that squares on the way must be empty, and lines say it."""
        every = self._wordings()
        left_out = (entry.words for entry in every if _is_longer(entry, every))
        return Kind.PATH in self.kinds() and any("must be empty" in words for words in left_out)

    def _wordings(self) -> list[Entry]:
        """All wordings of all signs; arrows count as one sign."""
        found: dict[tuple[Sign, str], Entry] = {}
        for card in self.cards:
            for entry in entries(card.picture.marks):
                found.setdefault((entry.sign, entry.words), entry)
        return list(found.values())

    def kinds(self) -> set[Kind]:
        """The kinds of lines there are."""
        return {stroke.kind for card in self.cards for stroke in card.picture.lines.strokes}


def _is_longer(entry: Entry, every: list[Entry]) -> bool:
    """Whether another wording of the same sign begins alike and is shorter."""
    return any(
        other.sign == entry.sign
        and other.words != entry.words
        and entry.words.startswith(other.words)
        for other in every
    )
