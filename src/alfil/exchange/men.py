"""The kinds of a game as a `variants.ini` has them: by name, and with what settings say of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product, starmap

from alfil.api import Piece, as_piece, moves
from alfil.exchange.ini import sorts
from alfil.exchange.places import PROGRAM, Placed, is_like, passes_by, placed
from alfil.game.natures import Nature, natures
from alfil.game.variant import Kind, Variant
from alfil.library.library import Library
from alfil.programs import unruled
from alfil.squares import Square, square_name

# A pawn and a king are more than their moves there; these move otherwise on some squares.
ELSEWHERE = frozenset({"pawn", "king", "soldier", "janggiCannon"})
# Settings that are a rule only with others.
TOGETHER = frozenset({"blastOnCapture", "wallingRule", "flipEnclosedPieces"})


@cache
def named() -> Mapping[str, str]:
    """The pieces that the program knows by name, each with how it moves everywhere."""
    rows = (row for row in sorts().values() if row.value == "letter")
    return {row.name: row.says for row in rows if row.name not in ELSEWHERE}


@cache
def said() -> Mapping[tuple[str, str], tuple[str, str]]:
    """The rules that a setting says by itself, with the setting and its value."""
    return {
        (rule.replace("-", "_"), word): (row.name, value)
        for row in sorts().values()
        for value, (rule, word) in row.rules.items()
        if row.name not in TOGETHER
    }


@dataclass(frozen=True)
class Man:
    """A kind of piece: what a game and what its movement say of it.

    ``reach`` are the squares that it may go to on an empty board, by the square it stands on, as
    the first side sees them.
    """

    kind: Kind
    nature: Nature
    placed: Placed
    reach: Mapping[Square, frozenset[Square]]

    @property
    def piece(self) -> Piece:
        """How it moves, castling and facts aside."""
        return self.placed.piece

    @property
    def code(self) -> str:
        """Its code."""
        return self.kind.code

    @property
    def forms(self) -> tuple[str, ...]:
        """The codes it may promote to."""
        return self.nature.promotion.codes

    @cached_property
    def stuck(self) -> frozenset[Square]:
        """The squares from which it could never move again."""
        return frozenset(square for square, targets in self.reach.items() if not targets)

    def is_like(self, betza: str) -> bool:
        """Whether it moves as a text says, captures en passant aside."""
        return is_like(self.piece, betza)


def men_of(library: Library) -> dict[str, Man]:
    """All kinds of a game, by code."""
    variant = library.variant
    squares = list(product(range(variant.files), range(variant.ranks)))
    nature = natures(variant)
    found = {}
    for kind in variant.kinds:
        found_here = placed(kind, library[kind.code].piece, variant)
        reach = {at: _reached(found_here.piece, variant, at) for at in squares}
        found[kind.code] = Man(kind, nature[kind.code], found_here, reach)
    return found


def unruled_piece(piece: Piece) -> Piece:
    """The piece without captures en passant, which a setting of its own says."""
    return as_piece(unruled(piece.movement, PROGRAM)) if any(passes_by(piece)) else piece


def _reached(piece: Piece, variant: Variant, at: Square) -> frozenset[Square]:
    """The squares that a piece may go to from one, on an empty board."""
    found = moves(piece, files=variant.files, ranks=variant.ranks, at=at)
    return frozenset((at[0] + move.to[0], at[1] + move.to[1]) for move in found)


def region_of(squares: Iterable[Square]) -> str:
    """Squares as a setting has them."""
    return " ".join(starmap(square_name, sorted(squares))) or "-"


def yes(holds: bool) -> str:  # noqa: FBT001 - it is the value that is written
    """The word for it."""
    return str(holds).lower()
