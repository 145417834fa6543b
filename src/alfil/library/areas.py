"""Where a piece of a file may go, and what else it does there, in words.

A piece that is kept to a palace, or that moves otherwise in one, is more than its movement; this is
what every picture and description of it has to add.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from alfil.api import Piece, describe
from alfil.game.variant import FIRST, ZONE, squares_of
from alfil.meaning.normal import any_of
from alfil.meaning.placing import Place, bounded
from alfil.squares import Coordinates, Square, name_on

if TYPE_CHECKING:
    from alfil.game.variant import Area, Further
    from alfil.library.model import Entry, PieceFile
    from alfil.meaning.piece import Meaning


def describe_in(file: PieceFile, entry: Entry) -> str:
    """How a piece of a file moves, and where.

    >>> import alfil
    >>> describe_in(alfil.load("xiangqi"), alfil.find("xiangqi:A"))[:36]
    'Steps one square diagonally. May onl'
    """
    return " ".join([describe(entry.piece), *areas_of(file, entry)])


def areas_of(file: PieceFile, entry: Entry) -> Iterator[str]:
    """The sentences about the areas of a piece."""
    if entry.within is not None:
        yield f"May only go to {_area(entry.within, file)}."
    if entry.outside is not None:
        yield f"May not go to {_area(entry.outside, file)}."
    for moves in entry.further:
        words = describe(moves.piece) if isinstance(moves.piece, Piece) else ""
        yield f"{_where(moves, file)}: {words}"


def is_bounded(file: PieceFile, entry: Entry) -> bool:
    """Whether where a piece may go depends on the squares of its file's board."""
    return bool(file.files and (entry.within or entry.outside or entry.further))


def starting_square(file: PieceFile, entry: Entry) -> Square:
    """Where a piece of the first side begins, or else the first square it may stand on."""
    begun = (at for at, side, code in file.setup if code == entry.code and side == FIRST)
    return next(begun, None) or min(_room(file, entry), key=lambda at: (at[1], at[0]))


def meaning_on(file: PieceFile, entry: Entry, at: Square) -> Meaning:
    """What a piece of the first side may do from one square of its file's board."""
    place = Place(at, file.files, file.ranks)
    room = _room(file, entry)
    found = [bounded(entry.meaning, place, room)]
    for moves in entry.further:
        if moves.start is None or at in _squares(file, moves.start):
            ends = room if moves.end is None else room & _squares(file, moves.end)
            found.append(bounded(moves.piece.meaning, place, ends))
    return any_of(found)


def regions_of(file: PieceFile, entry: Entry) -> tuple[tuple[str, frozenset[Square]], ...]:
    """The regions that bound a piece of the first side, or else those of its further moves."""
    bounds = (entry.within, entry.outside)
    besides = (area for moves in entry.further for area in (moves.start, moves.end))
    areas = bounds if any(bounds) else besides
    names = dict.fromkeys(area for area in areas if isinstance(area, str))
    return tuple((name, _squares(file, name)) for name in names)


def _room(file: PieceFile, entry: Entry) -> frozenset[Square]:
    """The squares that a piece of the first side may stand on."""
    found = _squares(file, entry.within or (1, file.ranks))
    return found - _squares(file, entry.outside) if entry.outside else found


def _squares(file: PieceFile, area: Area) -> frozenset[Square]:
    return squares_of(area, FIRST, (file.files, file.ranks), file.rules.zone, file.regions)


def _where(moves: Further, file: PieceFile) -> str:
    """When a piece has more moves."""
    start, end = moves.start, moves.end
    if start is not None and start == end:
        found = f"inside {_area(start, file)}"
    else:
        source = f"from {_area(start, file)}" if start is not None else ""
        target = f"to {_area(end, file)}" if end is not None else ""
        found = " ".join(filter(None, [source, target]))
    when = "while its side is not in check" if moves.unchecked else ""
    return " ".join(filter(None, ["Moves in addition", found, when]))


def _area(area: Area, file: PieceFile) -> str:
    """Ranks counted from the side of the piece, or a region with its squares."""
    if isinstance(area, str):
        region = next((each for each in file.regions if each.name == area), None)
        if region is None:
            return "the promotion zone" if area == ZONE else f"the region {area}"
        board = file.files, file.ranks, file.coordinates
        first, second = (squares_in_words(squares, *board) for squares in region.squares)
        both = "" if first == second else f"; {second} for the other side"
        return f"the region {area} ({first}{both})"
    first_rank, last = area[0], min(area[1], file.ranks or area[1])
    ranks = f"rank {first_rank}" if first_rank == last else f"ranks {first_rank} to {last}"
    return f"{ranks} of its side"


def squares_in_words(
    squares: Collection[Square], files: int, ranks: int, coordinates: Coordinates
) -> str:
    """Squares by their names, rectangles by two of their corners.

    >>> squares_in_words({(0, 0), (1, 0), (0, 1), (1, 1), (3, 3)}, 8, 8, "chess")
    'a1 to b2; d4'
    """
    told = []
    for part in _parts(set(squares)):
        names = [name_on(each, files, ranks, coordinates) for each in sorted(part)]
        wide, high = (max(each) - min(each) + 1 for each in zip(*part, strict=True))
        whole = len(part) > 1 and len(part) == wide * high
        told.append(f"{names[0]} to {names[-1]}" if whole else " ".join(names))
    alone = [each for each in told if " " not in each]
    rest = [each for each in told if " " in each]
    return "; ".join([*rest, *([" ".join(alone)] if alone else [])]) or "nothing"


def _parts(squares: set[Square]) -> Iterator[list[Square]]:
    """The squares in parts that hang together by their edges."""
    while squares:
        fresh = [min(squares)]
        part = []
        squares.discard(fresh[0])
        while fresh:
            x, y = fresh.pop()
            part.append((x, y))
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & squares
            squares -= near
            fresh += near
        yield part
