"""The kinds of a game as a `variants.ini` has them: by name, and with what settings say of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import product, starmap
from string import ascii_lowercase

from alfil.api import Piece, as_piece, moves, same
from alfil.exchange.ini import sorts
from alfil.exchange.places import PROGRAM, Placed, is_like, passes_by, placed
from alfil.game.natures import Nature, natures
from alfil.game.variant import Kind, Rules
from alfil.library.library import Library
from alfil.programs import unruled
from alfil.squares import Square, square_name

# A pawn and a king are more than their moves there; these move otherwise on some squares.
ELSEWHERE = frozenset({"pawn", "king", "soldier", "janggiCannon"})


@cache
def named() -> Mapping[str, str]:
    """The pieces that the program knows by name, each with how it moves everywhere."""
    rows = (row for row in sorts().values() if row.value == "letter")
    return {row.name: row.says for row in rows if row.name not in ELSEWHERE}


@dataclass(frozen=True)
class Man:
    """A kind of piece on a board of so many files and ranks: what game and movement say of it."""

    kind: Kind
    nature: Nature
    placed: Placed
    size: tuple[int, int]

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
    def reach(self) -> Mapping[Square, frozenset[Square]]:
        """The squares it may go to on an empty board, by where it is, as the first side sees it."""
        files, ranks = self.size
        found = {}
        for at in product(range(files), range(ranks)):
            goes = moves(self.piece, files=files, ranks=ranks, at=at)
            found[at] = frozenset((at[0] + each.to[0], at[1] + each.to[1]) for each in goes)
        return found

    @cached_property
    def stuck(self) -> frozenset[Square]:
        """The squares from which it could never move again."""
        return frozenset(square for square, targets in self.reach.items() if not targets)

    def is_like(self, betza: str) -> bool:
        """Whether it moves as a text says, captures en passant aside."""
        return is_like(self.piece, betza)

    def is_other_side(self, other: Man) -> bool:
        """Whether both are one piece, which is not quite the same for both sides."""
        sides = {self.kind.side, other.kind.side} == {"first", "second"}
        return sides and same(self.piece, other.piece, facts=False)

    def is_twin_of(self, other: Man) -> bool:
        """Whether it is a promoted form that can be the other kind."""
        said, theirs = (
            (each.kind.meaning.parts, each.forms, each.nature.survive, each.kind.per_file)
            for each in (self, other)
        )
        return self.kind.base != self.code and said == theirs


def men_of(library: Library) -> dict[str, Man]:
    """All kinds of a game, by code."""
    variant, nature = library.variant, natures(library.variant)
    size = variant.files, variant.ranks
    return {
        kind.code: Man(
            kind, nature[kind.code], placed(kind, library[kind.code].piece, variant), size
        )
        for kind in variant.kinds
    }


def letters_of_men(men: Mapping[str, Man], rules: Rules) -> dict[str, str]:
    """A letter for each kind: its own where it is free; "" where there are no more.

    A promoted form that moves as a kind of the start shares its letter: there, it is that kind and
    remembers what it was. So do two kinds that are one piece, one of each side.
    """
    found: dict[str, str] = {}
    plain = [man for man in men.values() if man.kind.base == man.code]
    for man in plain:
        own, there = man.kind.letter.lower(), (each for each in plain if each.code in found)
        other = next((each for each in there if man.is_other_side(each)), None)
        if other:
            found[man.code] = found[other.code]
        elif len(own) == 1 and own in ascii_lowercase and own not in found.values():
            found[man.code] = own
    claimed = {man.kind.letter.lower() for man in men.values()}
    spare = sorted(ascii_lowercase, key=claimed.__contains__)
    turning = (rules.captured_form, rules.drop_form) == ("base", "base")
    for man in men.values():
        if man.code in found:
            continue
        there = (each for each in plain if each.code in found)
        twin = next((each for each in there if turning and man.is_twin_of(each)), None)
        wished = (man.kind.letter.lower(), man.code.lower(), *spare)
        possible = (each for each in wished if each and each in ascii_lowercase)
        free = next((each for each in possible if each not in found.values()), "")
        found[man.code] = found[twin.code] if twin else free
    return found


def unruled_piece(piece: Piece) -> Piece:
    """The piece without captures en passant, which a setting of its own says."""
    return as_piece(unruled(piece.movement, PROGRAM)) if any(passes_by(piece)) else piece


def region_of(squares: Iterable[Square]) -> str:
    """Squares as a setting has them."""
    return " ".join(starmap(square_name, sorted(squares))) or "-"


def yes(holds: bool) -> str:  # noqa: FBT001 - it is the value that is written
    """The word for it."""
    return str(holds).lower()
