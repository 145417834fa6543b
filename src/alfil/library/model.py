"""What a piece file holds: its pieces, its board and rules, and where each was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NoReturn

from alfil.api import Piece
from alfil.errors import AlfilError, Finding
from alfil.game.variant import Placed, Rules
from alfil.geometry import Coordinates
from alfil.source import Source, Span


@dataclass(frozen=True)
class Entry:
    """One piece of a file.

    ``movements`` has one piece, or several that are the same in other notations. ``kanji`` are the
    characters drawn on the piece, ``symbol`` what is drawn where there are none, in place of
    the code. ``also`` are further names. ``same_as`` is the code or name of the piece it is a
    namesake of. The fields of the game are those of `alfil.game.variant.Kind`.
    ``source`` and ``span`` are where it was written, ``places`` where the value of each key stands.
    """

    code: str
    name: str
    movements: tuple[Piece, ...]
    kanji: str = ""
    symbol: str = ""
    also: tuple[str, ...] = ()
    letter: str = ""
    royal: bool = False
    promotes: tuple[str, ...] = ()
    promotion: Literal["optional", "forced", "stuck"] = "optional"
    drop_ranks: tuple[int, int] | None = (1, 36)
    drop_check: Literal["free", "required", "barred"] = "free"
    drop_mate: Literal["allowed", "barred"] = "allowed"
    per_file: int = 0
    per_file_on: frozenset[Literal["drop", "move"]] = frozenset({"drop"})
    status: Literal["given", "reconstructed", "deduced", "user"] = "given"
    note: str = ""
    same_as: str = ""
    source: Source = field(default=Source("", ""), compare=False, repr=False)
    span: Span = field(default=Span(0, 0), compare=False, repr=False)
    places: Mapping[str, Span] = field(default_factory=dict, compare=False, repr=False)

    @property
    def piece(self) -> Piece:
        """How it moves, in the notation that was written first."""
        return self.movements[0]

    def _repr_svg_(self) -> str | None:
        return self.piece._repr_svg_()

    @property
    def names(self) -> tuple[str, ...]:
        """All its names, the usual one first."""
        return (self.name, *self.also)

    @property
    def remark(self) -> str:
        """What must be said wherever it is shown: its note, or else how its move is known."""
        return self.note or ("" if self.status == "given" else self.status)


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
        if not self.files:
            self._lacks("no-board", "no board", "add a line: board 9x9")
        if not self.setup and not any(self.hands):
            self._lacks("no-setup", "no set-up", "add a set-up: the line setup, then a row a rank")

    def _lacks(self, kind: str, what: str, hint: str) -> NoReturn:
        name = self.name or "the file"
        finding = Finding(kind, f"{name} has {what}", (Span(0, len(name)),), hint)
        raise AlfilError([finding], Source(name, "<file>"))
