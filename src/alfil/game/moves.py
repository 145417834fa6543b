"""One move of a game, as users see it."""

from __future__ import annotations

from dataclasses import dataclass, field

from alfil.game.variant import Square


@dataclass(frozen=True, slots=True)
class Move:
    """One move; squares are (file, rank) from 0 at the first side's lower left corner.

    ``code`` is the piece's, before it promotes; for a drop that of the piece put down. ``origin``
    is None for drops. ``promotes`` is the code it becomes, or empty. ``captures`` are the squares
    of all pieces taken, in order. ``partner`` is where a castling partner comes from and goes to.
    ``trail`` are the squares on which the piece may now be captured en passant. ``text`` is the
    USI-like text; it takes no part in comparisons.
    """

    code: str
    origin: Square | None
    target: Square
    promotes: str = ""
    captures: tuple[Square, ...] = ()
    partner: tuple[Square, Square] | None = None
    trail: tuple[Square, ...] = ()
    text: str = field(default="", compare=False)

    @property
    def is_drop(self) -> bool:
        """Whether a piece from the hand is put down."""
        return self.origin is None

    @property
    def usi(self) -> str:
        """The USI-like text: ``7g7f``, ``7e6c+``, ``T*5e``."""
        return self.text

    def __str__(self) -> str:
        return self.text
