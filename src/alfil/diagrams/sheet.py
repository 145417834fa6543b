"""A sheet: all pieces of a file in one picture, as rules pages have them; as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from alfil.diagrams.kinds import Kind
from alfil.diagrams.picture import Picture
from alfil.diagrams.pieces import Token
from alfil.diagrams.text import Entry, Sign, entries

# So many characters of description can be listened to.
LONGEST_WORDS = 3_000
# A sheet of so many pieces may be called by them.
FEW = 3


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

    def words(self) -> str:
        """All that the card says, for those who do not see it."""
        said = [f"{self.name} ({'; '.join(self.notations)}): {self.picture.description}"]
        if self.remarks:
            said.append(f"{'; '.join(self.remarks).capitalize()}.")
        if self.note:
            said.append(f"Note: {self.note}")
        return " ".join(said)


@dataclass(frozen=True, slots=True)
class Sheet:
    """Pieces in groups that stay together: a piece, then what it promotes to."""

    title: str
    groups: tuple[tuple[Card, ...], ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All pieces in order."""
        return tuple(card for group in self.groups for card in group)

    @property
    def heading(self) -> str:
        """The title, and of few pieces what they are, with their notations."""
        pieces = "; ".join(card.picture.title for card in self.cards)
        if self.title and len(self.cards) > FEW:
            return self.title
        return f"{self.title}, {pieces}" if self.title else pieces

    def words(self) -> str:
        """What is on the sheet, for those who do not see it.

        All that the cards say is there too, unless they are too many to listen to.
        """
        names = ", ".join(" → ".join(card.name for card in group) for group in self.groups)
        number = len(self.cards)
        counted = "1 piece" if number == 1 else f"{number} pieces"
        told = [f"{counted}: {names}.", *(card.words() for card in self.cards)]
        whole = " ".join(told)
        return whole if len(whole) <= LONGEST_WORDS else told[0]

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
