"""A board around one piece: its size, what stands where, and what the piece has done so far.

Squares are (file, rank) from 0 at the mover's near left corner; offsets are (dx, dy) from the
piece, forward is +y. A scene is always seen by the mover. Pieces are put there by their squares
or offsets, and refused where they cannot stand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NoReturn, TypeAlias

from alfil.errors import BoardError, refuse
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT
from alfil.meaning.piece import Guard, allows
from alfil.source import Source
from alfil.squares import Square, coordinates_of, read_on, square_name

__all__ = [
    "ENEMY",
    "FRIEND",
    "OUTSIDE",
    "ROYAL",
    "TRAIL",
    "VACANT",
    "Offset",
    "Scene",
    "Square",
]

Offset: TypeAlias = tuple[int, int]

# Beside the classes of what stands on a square: there is none.
OUTSIDE = 32


@dataclass(frozen=True, slots=True)
class Scene:
    """One position as a single piece sees it.

    ``wraps`` is false for a plain diagram, whose edges are not those of a board. ``moves_made`` is
    the number of moves the piece has made, or None for "many". ``trail`` maps squares that can be
    captured on en passant to the squares of the pieces taken there. ``third_rank`` says whether,
    in the starting position, the same piece stood straight behind.
    """

    files: int
    ranks: int
    at: Square
    contents: Mapping[Square, int] = field(default_factory=dict)
    unmoved_friends: Collection[Square] = ()
    trail: Mapping[Square, Square] = field(default_factory=dict)
    moves_made: int | None = None
    third_rank: bool = False
    wraps: bool = True

    def holds(self, guard: Guard) -> bool:
        """Whether all conditions of a guard on the piece's own past hold; unknown counts as yes."""
        return allows(guard, self.moves_made, third_rank=self.third_rank)

    def partner(self, direction: int, steps: int, inset: int) -> Square | None:
        """The castling partner on one side, if it stands ready beyond ``steps`` squares.

        It is the first piece met, the mover's own, unmoved, and ``inset`` files in from the edge.
        """
        x, y = self.at
        edge = self.files - 1 - inset if direction > 0 else inset
        file = x + direction
        while 0 <= file < self.files:
            if self.contents.get((file, y), VACANT) not in {VACANT, TRAIL}:
                ready = file == edge and (file, y) in self.unmoved_friends
                return (file, y) if ready and abs(file - x) > steps else None
            file += direction
        return None

    def turned(self) -> Scene:
        """The same position as the other side sees it, the board turned half round."""
        return replace(
            self,
            at=self._turned(self.at),
            contents={self._turned(at): stands for at, stands in self.contents.items()},
            unmoved_friends=frozenset(map(self._turned, self.unmoved_friends)),
            trail={self._turned(at): self._turned(by) for at, by in self.trail.items()},
        )

    def _turned(self, square: Square) -> Square:
        return (self.files - 1 - square[0], self.ranks - 1 - square[1])


@dataclass(frozen=True, slots=True)
class Around:
    """The pieces around a piece, by offset or by name of square, and what it has done before.

    ``moves_made`` is None for many, or none when ``unmoved``; ``third_rank`` None is as that one.
    """

    board: Scene
    enemies: Collection[Offset | str]
    friends: Collection[Offset | str]
    enemy_royals: Collection[Offset | str]
    unmoved_friends: Collection[Offset | str]
    en_passant: Collection[Offset | str] | Mapping[Offset | str, Offset | str]
    unmoved: bool = False
    moves_made: int | None = None
    third_rank: bool | None = None

    def scene(self, *, open_board: bool = False) -> Scene:
        """The position; raises `BoardError` where its pieces, or its past, do not fit together."""
        made = self.moves_made
        if made is not None and made < 0:
            _fail("moves-made", "a piece has made 0 moves or more", str(made), "")
        if made and self.unmoved:
            _fail("moves-made", f"a piece that has made {made} moves has moved", str(made), "")
        contents, unmoved_friends, trail = place_pieces(self, open_board=open_board)
        return replace(
            self.board,
            contents=contents,
            unmoved_friends=unmoved_friends,
            trail=trail,
            moves_made=0 if self.unmoved and made is None else made,
            third_rank=self.unmoved if self.third_rank is None else self.third_rank,
            wraps=not open_board,
        )


def square_of(at: str | Offset, files: int, ranks: int) -> Square:
    """A square by name or as (file, rank) from 0.

    Names are those of chess ("e5", file z is followed by aa) or of shogi ("5e", files from the
    right and ranks from the far side).

    >>> square_of("e5", 9, 9), square_of("aa36", 36, 36), square_of("9i", 9, 9)
    ((4, 4), (26, 35), (0, 0))
    """
    square: Square | None = None
    if isinstance(at, str):
        coordinates = coordinates_of(at)
        if coordinates is None:
            hint = "a letter and a number, as in e5, or as in 5e in shogi"
            _fail("square-name", f"{at} is no square", at, hint)
        square = read_on(at, files, ranks, coordinates)
    elif not _is_pair(at):
        hint = "give file and rank, or a name as in e5"
        _fail("square-name", f"{at} is no square", str(at), hint)
    elif 0 <= at[0] < files and 0 <= at[1] < ranks:
        square = (at[0], at[1])
    if square is None:
        _fail("off-board", f"{at} is not on a board of {files}×{ranks}", str(at), "")
    return square


def place_pieces(
    placed: Around, *, open_board: bool
) -> tuple[dict[Square, int], frozenset[Square], dict[Square, Square]]:
    """What stands where, which friends have not moved, and the squares of en passant.

    Raises `BoardError` when a piece stands off the board, on the piece itself or on another.
    """
    contents: dict[Square, int] = {}
    board = placed.board
    unmoved = frozenset(_squares(placed.unmoved_friends, board, open_board=open_board))
    friends = frozenset(_squares(placed.friends, board, open_board=open_board)) | unmoved
    royals = frozenset(_squares(placed.enemy_royals, board, open_board=open_board))
    enemies = frozenset(_squares(placed.enemies, board, open_board=open_board)) - royals
    for squares, kind in ((friends, FRIEND), (enemies, ENEMY), (royals, ROYAL)):
        for square in squares:
            if square in contents or square == board.at:
                name = _name(square, board, open_board=open_board)
                who = "the piece itself stands" if square == board.at else "two pieces stand"
                _fail("square-taken", f"{who} on {name}", name, "name another square")
            contents[square] = kind
    return contents, unmoved, dict(_trail(placed, contents, open_board=open_board))


def _trail(
    placed: Around, contents: dict[Square, int], *, open_board: bool
) -> Iterator[tuple[Square, Square]]:
    board, given = placed.board, placed.en_passant
    if isinstance(given, Mapping):
        pairs = zip(
            _squares(list(given), board, open_board=open_board),
            _squares(list(given.values()), board, open_board=open_board),
            strict=True,
        )
        for square, victim in pairs:
            if contents.get(victim) not in {ENEMY, ROYAL}:
                name = _name(victim, board, open_board=open_board)
                message = f"no enemy stands on {name}, where en passant would take one"
                _fail("no-victim", message, name, "put an enemy there")
            yield square, victim
    else:
        for square in _squares(given, board, open_board=open_board):
            yield square, square


def _name(square: Square, board: Scene, *, open_board: bool) -> str:
    """A square as people name it: by its offset where the board has no edges."""
    if open_board:
        return f"{square[0] - board.at[0]},{square[1] - board.at[1]}"
    return square_name(*square)


def _is_pair(place: object) -> bool:
    return (
        isinstance(place, tuple | list)
        and len(place) == len(("dx", "dy"))
        and all(isinstance(each, int) for each in place)
    )


def _squares(
    given: Collection[Offset | str], board: Scene, *, open_board: bool
) -> Iterator[Square]:
    for place in given:
        if isinstance(place, str):
            if open_board:
                hint = "give files, ranks and the square of the piece, or an offset"
                _fail("square-name", f"{place} needs a board", place, hint)
            yield square_of(place, board.files, board.ranks)
            continue
        if not _is_pair(place):
            _fail(
                "square-name", f"{place} is no square", str(place), "give dx and dy, as in (0, 2)"
            )
        square = (board.at[0] + place[0], board.at[1] + place[1])
        if not (0 <= square[0] < board.files and 0 <= square[1] < board.ranks):
            _fail("off-board", f"{place[0]},{place[1]} is not on the board", str(place), "")
        yield square


def _fail(kind: str, message: str, text: str, hint: str) -> NoReturn:
    refuse(BoardError, kind, message, Source(text, "<board>"), hint=hint)
