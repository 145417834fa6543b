"""Moves that a piece has on some squares only, as the settings of a `variants.ini` say them.

Fairy-Stockfish knows farther first moves from a region, soldiers that cross a river, the lines of a
palace and castling from one square; whatever else a line `moves` says is lost there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from alfil.api import Piece, as_piece, destinations, read, same
from alfil.exchange.army import CAMBODIAN, ON_LINES
from alfil.game.variant import Area, Further, Kind, Variant
from alfil.meaning.compare import same_meaning
from alfil.meaning.compile import meaning_of
from alfil.meaning.piece import Meaning
from alfil.movement.nodes import Castling, Leg, Option
from alfil.programs import unruled
from alfil.squares import Square

PROGRAM = "fairy-stockfish"
# Farther moves, each with the first move that it is there, and whether it leaves a trail.
FARTHER = {
    "fmnR2": ("ifmnD", True),
    "fmR2": ("ifmnD", False),
    "fmnD": ("ifmnD", False),
    "fmnB2": ("ifmnA", True),
    "fmB2": ("ifmnA", False),
    "fmnA": ("ifmnA", False),
}
Sides = tuple[frozenset[Square], frozenset[Square]]
NOWHERE: Sides = (frozenset(), frozenset())


@dataclass
class Placed:
    """A piece with what it does on some squares.

    ``piece`` has its farther moves as first moves, without castling. ``starts`` are the squares
    they are made from, None where that is wherever such pieces begin; ``silent`` those of them from
    which they leave no trail. ``lines`` are the squares of a palace, ``grows`` is the rank from
    which a soldier goes sideways, 0 for none; ``homes`` are the squares from which it castles.
    ``unsaid`` is whether there are moves that no setting says.
    """

    piece: Piece
    castlings: tuple[Castling, ...] = ()
    starts: Sides | None = None
    silent: Sides = NOWHERE
    lines: frozenset[Square] = frozenset()
    grows: int = 0
    cambodian: bool = False
    homes: list[Sides] = field(default_factory=list)
    unsaid: bool = False


def comes_back(piece: Piece | str) -> bool:
    """Whether some move without a capture can be taken back by another one.

    There it is no progress then, whatever pieces a rule about progress names.
    """
    goes = destinations(piece, unmoved=False)
    return any((-x, -y) in goes for x, y in goes)


def placed(kind: Kind, piece: Piece, variant: Variant) -> Placed:
    """What a kind does, on all squares and on some; ``piece`` is how it moves everywhere."""
    options = piece.movement.options
    castlings = tuple(each.way for each in options if isinstance(each.way, Castling))
    kept = [each for each in options if not isinstance(each.way, Castling)]
    everywhere = [each for each in kept if _is_farther(each)]
    kept = [each for each in kept if each not in everywhere]
    found = Placed(piece, castlings)
    whole = variant.squares((1, variant.ranks), 0)
    for _ in everywhere:
        found.starts = (whole, whole)
        kept += read("ifmnD").movement.options
    found.piece = _of(piece, kept)
    for further in kind.further:
        found.unsaid |= not _taken(found, further, variant)
    return found


def _of(piece: Piece, options: list[Option]) -> Piece:
    """The piece with other moves, without facts; the same one where they are its own."""
    movement = piece.movement
    if list(movement.options) == options and not movement.facts:
        return piece
    return as_piece(replace(movement, options=tuple(options), facts=()))


def _is_farther(option: Option) -> bool:
    """Whether it is a double step that is made again and again, and leaves a trail."""
    way = option.way
    return isinstance(way, Leg) and way.lengths == (1, 2) and option.passer and not option.when


def _taken(found: Placed, further: Further, variant: Variant) -> bool:
    """Take in moves that a setting says; whether there is one."""
    assert isinstance(further.piece, Piece)
    start, end, piece = further.start, further.end, further.piece
    if further.unchecked:
        leap = next((key for key, text in CAMBODIAN.items() if same(piece, text)), "")
        found.cambodian |= bool(leap)
        return bool(leap) and start is None and end is None
    if start is None:
        return False
    squares = _both(variant, start)
    if start == end:
        return _on_lines(found, piece, squares)
    if end is not None:
        return False
    if same(piece, "sW"):
        last = variant.ranks
        ranks = (rank for rank in range(2, last + 1) if _both(variant, (rank, last)) == squares)
        found.grows = next(ranks, 0) if is_like(found.piece, "fW") else 0
        return bool(found.grows)
    ways = [each.way for each in piece.movement.options]
    if ways and all(isinstance(way, Castling) for way in ways):
        found.castlings = tuple(way for way in ways if isinstance(way, Castling))
        found.homes.append(squares)
        return True
    return _from_starts(found, piece, squares)


def _both(variant: Variant, area: Area) -> Sides:
    return variant.squares(area, 0), variant.squares(area, 1)


def _on_lines(found: Placed, piece: Piece, squares: Sides) -> bool:
    known = {"R": "rook", "pR": "janggiCannon", "fsW": "soldier", "W": "wazir"}
    key = next((key for text, key in known.items() if is_like(found.piece, text)), "")
    fits = bool(key) and same(piece, ON_LINES[key], facts=False) and squares[0] == squares[1]
    found.lines |= squares[0] if fits else frozenset()
    return fits


def _from_starts(found: Placed, piece: Piece, squares: Sides) -> bool:
    like = next((text for text in FARTHER if same(piece, text)), "")
    if not like:
        return False
    text, trail = FARTHER[like]
    if not any(each.when for each in found.piece.movement.options):
        found.piece = _of(
            found.piece, [*found.piece.movement.options, *read(text).movement.options]
        )
    before, silent = found.starts or NOWHERE, found.silent
    found.starts = (before[0] | squares[0], before[1] | squares[1])
    if not trail:
        found.silent = (silent[0] | squares[0], silent[1] | squares[1])
    return True


def is_like(piece: Piece, betza: str) -> bool:
    """Whether it moves as a text says, captures en passant and castling aside."""
    return same_meaning(_unruled(piece), _unruled(read(betza)))


@lru_cache(maxsize=512)  # every piece of a game is compared with all that the program knows
def _unruled(piece: Piece) -> Meaning:
    return meaning_of(unruled(piece.movement, PROGRAM), piece.source).without_facts()


def passes_by(piece: Piece) -> Iterator[Leg]:
    """Its captures en passant."""
    for option in piece.movement.options:
        if isinstance(option.way, Leg) and "passer" in option.way.ends:
            yield option.way
