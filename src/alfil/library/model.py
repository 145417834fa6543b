"""What a piece file holds: its pieces, its board and rules, and where each was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from alfil.api import LONGEST, Piece
from alfil.errors import AlfilError, Finding, refuse
from alfil.game.variant import Kind, Placed, Rules
from alfil.source import Source, Span, shown
from alfil.squares import Coordinates


@dataclass(frozen=True, repr=False)
class Entry(Kind):
    """One piece of a file: what a game knows of it, and what only the file says.

    ``piece`` is how it moves, in the notation that was written first; ``others`` are the same in
    other notations. ``letter`` and ``base`` are empty where the file leaves them to the game.
    ``also`` are further names. ``same_as`` is the code or name of the piece it is a namesake of.
    ``source`` and ``span`` are where it was written, ``places`` where the value of each key stands.
    """

    piece: Piece
    others: tuple[Piece, ...] = ()
    also: tuple[str, ...] = ()
    same_as: str = ""
    source: Source = field(default=Source("", ""), compare=False, repr=False)
    span: Span = field(default=Span(0, 0), compare=False, repr=False)
    places: Mapping[str, Span] = field(default_factory=dict, compare=False, repr=False)

    @property
    def movements(self) -> tuple[Piece, ...]:
        """How it moves, in every notation that is given."""
        return (self.piece, *self.others)

    def __repr__(self) -> str:
        return f"<Entry {self.code} ({self.name}): {shown(self.piece.text, LONGEST)}>"

    def _repr_svg_(self) -> str | None:
        return self.piece._repr_svg_()

    @property
    def own_letter(self) -> str:
        """The letter a piece has by itself: the one given, else a code of one letter."""
        return self.letter or (self.code if len(self.code.removeprefix("+")) == 1 else "")

    @property
    def is_royal(self) -> bool:
        """Whether it is royal by its line or by its movement; raises `MeaningError`."""
        return self.royal or any(fact.name == "royal" for fact in self.meaning.facts)

    @property
    def names(self) -> tuple[str, ...]:
        """All its names, the usual one first."""
        return (self.name, *self.also)


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition on the moves of some pieces, which is checked and reported.

    ``predicate`` is one of those in `alfil.library.constraints`. ``words`` say the condition for
    people, ``origin`` where it comes from. Only a required one makes a check fail.
    """

    number: str
    predicate: str
    codes: tuple[str, ...]
    words: str = ""
    origin: str = ""
    required: bool = False
    span: Span = field(default=Span(0, 0), compare=False, repr=False)


@dataclass(frozen=True)
class PieceFile:
    """All there is in one piece file, what it includes too.

    ``name`` is the name of a bundled set or the file's name without ``.pieces``; ``title`` is the
    name of the game, or empty. ``files`` and ``ranks`` are 0 where no board is given. ``hands`` are
    (code, count) pairs for the first and the second side. ``findings`` are warnings and notes.
    """

    name: str
    title: str
    files: int
    ranks: int
    rules: Rules
    pieces: tuple[Entry, ...]
    setup: tuple[Placed, ...] = ()
    hands: tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]] = ((), ())
    constraints: tuple[Constraint, ...] = ()
    findings: tuple[Finding, ...] = ()
    source: Source = field(default=Source("", ""), compare=False, repr=False)

    @property
    def coordinates(self) -> Coordinates:
        """How the squares of its board are named: as in shogi where black moves first."""
        return "shogi" if self.files and self.rules.first == "black" else "chess"

    def require_setup(self) -> None:
        """Raise `AlfilError` of kind "no-board" or "no-setup" where nothing stands anywhere."""
        name = self.name or "the file"
        source = Source(name, "<file>")
        if not self.files:
            hint = "add a line: board 9x9"
            refuse(AlfilError, "no-board", f"{name} has no board", source, hint=hint)
        if not self.setup and not any(self.hands):
            hint = "add a set-up: the line setup, then a row a rank"
            refuse(AlfilError, "no-setup", f"{name} has no set-up", source, hint=hint)
