"""Where a piece of a file may go, and what else it does there, in words and as a meaning.

A piece that is kept to a palace, that moves otherwise in one, or that some pieces always block, is
more than its movement; this is what every picture and description of it has to add.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from alfil.diagrams.subjects import Outlined
from alfil.errors import listed
from alfil.frozen import NamedTuple
from alfil.game.variant import FIRST, ZONE, Ground, squares_of
from alfil.meaning.normal import any_of
from alfil.meaning.piece import Condition
from alfil.meaning.placing import Place, bounded, under
from alfil.squares import Coordinates, Square, squares_in_words

if TYPE_CHECKING:
    from alfil.game.variant import Area, Further, Kind, Moving
    from alfil.meaning.piece import Meaning
    from alfil.tables.scene import Scene

# Files and ranks of a board.
Size: TypeAlias = tuple[int, int]
# A square by its name or as (file, rank) from 0, None where nobody names one.
At: TypeAlias = "str | Square | None"
UNCHECKED = Condition("unchecked")


class Bounds(NamedTuple):
    """What areas of a board and other pieces mean for a kind of piece of the first side."""

    kind: Kind
    ground: Ground

    @property
    def coordinates(self) -> Coordinates:
        """How squares are named in its file."""
        return self.ground.coordinates

    @property
    def _areas(self) -> list[Area]:
        """Those that bound the piece, and those of its further moves, each once."""
        kind = self.kind
        besides = (area for moves in kind.further for area in (moves.start, moves.end))
        return [*dict.fromkeys(area for area in (kind.within, kind.outside, *besides) if area)]

    def sentences(self, words: Callable[[Moving], str]) -> Iterator[str]:
        """What is said of areas and other pieces, and of moves that the piece has at times only.

        ``words`` has those for a movement.
        """
        kind, ground = self
        if kind.within is not None:
            yield f"May only go to {_area(kind.within, ground)}."
        if kind.outside is not None:
            yield f"May not go to {_area(kind.outside, ground)}."
        for moves in kind.further:
            yield f"{_where(moves, ground)}: {words(moves.piece)}"
        if ground.blocking:
            named = listed(ground.blocking, "and")
            yield f"Can neither capture nor pass these pieces, nor hop over them: {named}."
        if ground.immune:
            yield f"Cannot capture these pieces: {listed(ground.immune, 'and')}."

    def board(self, at: At) -> tuple[int, int, At] | tuple[None, None, At]:
        """The files and ranks of the file's board, and a square of it; an open diagram has none.

        The square is the one given, or where a piece of the first side begins, or else the first
        that it may stand on.
        """
        files, ranks, *_ = ground = self.ground
        if not (files and self._areas):
            return None, None, at
        begun = ground.begun or sorted(self._room((files, ranks)), key=lambda at: at[::-1])
        return files, ranks, next(iter(begun), (0, 0)) if at is None else at

    def meaning_in(self, board: Scene | None) -> Meaning | None:
        """What the piece may do from its square of a board, or in an open diagram.

        None where its areas are not there: regions are on the board of its file only.
        """
        kind = self.kind
        if not self._areas:
            return any_of([kind.meaning, *(_moves(each) for each in kind.further)])
        if board is None:
            return None
        place, size = Place(board.at, board.files, board.ranks), (board.files, board.ranks)
        try:
            room = self._room(size)
            found = [bounded(kind.meaning, place, room)]
            for moves in kind.further:
                if moves.start is None or board.at in self._squares(moves.start, size):
                    ends = room if moves.end is None else room & self._squares(moves.end, size)
                    found.append(bounded(_moves(moves), place, ends))
        except KeyError:
            return None
        return any_of(found)

    def outlined(self, size: Size) -> tuple[Outlined, ...]:
        """The areas on a board that has them."""
        found = ((_name(area, size[1]), self._squares(area, size)) for area in self._areas)
        return tuple(Outlined(name, (squares, squares)) for name, squares in found)

    def _room(self, size: Size) -> frozenset[Square]:
        """The squares that the piece may stand on."""
        kind = self.kind
        found = self._squares(kind.within or (1, size[1]), size)
        return found - self._squares(kind.outside, size) if kind.outside else found

    def _squares(self, area: Area, size: Size) -> frozenset[Square]:
        files, ranks, zone, _, regions, *_ = self.ground
        return squares_of(area, FIRST, size, zone, regions if size == (files, ranks) else ())


def _moves(moves: Further) -> Meaning:
    """Further moves, with the condition that they have."""
    meaning = moves.piece.meaning
    return under(meaning, UNCHECKED) if moves.unchecked else meaning


def _where(moves: Further, ground: Ground) -> str:
    """When a piece has more moves."""
    start, end = moves.start, moves.end
    if start is not None and start == end:
        found = f"inside {_area(start, ground)}"
    else:
        source = f"from {_area(start, ground)}" if start is not None else ""
        target = f"to {_area(end, ground)}" if end is not None else ""
        found = " ".join(filter(None, [source, target]))
    when = "while its side is not in check" if moves.unchecked else ""
    return " ".join(filter(None, ["Moves in addition", found, when]))


def _area(area: Area, ground: Ground) -> str:
    """An area in words: ranks counted from the side of the piece, or a region with its squares."""
    name = _name(area, ground.ranks)
    if not isinstance(area, str):
        return f"{name} of its side"
    region = next((each for each in ground.regions if each.name == area), None)
    if region is None:
        return f"the {name}"
    board = ground.files, ground.ranks, ground.coordinates
    first, second = (squares_in_words(squares, *board) for squares in region.squares)
    both = "" if first == second else f"; {second} for the other side"
    return f"the region {area} ({first}{both})"


def _name(area: Area, ranks: int) -> str:
    """What an area is called on a board of so many ranks, 0 where there is no board."""
    if isinstance(area, str):
        return "promotion zone" if area == ZONE else area
    first, last = area[0], min(area[1], ranks or area[1])
    return f"rank {first}" if first == last else f"ranks {first} to {last}"
