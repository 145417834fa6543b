"""The board around one piece: size, contents, and the history of the piece.

Squares are (file, rank) from 0 at the mover's near left corner; offsets are (dx, dy) from the
piece, forward is +y. A scene is always seen by the mover. Pieces are put there by their squares
or offsets, and refused where they cannot stand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import field, replace
from functools import cache
from typing import NoReturn, TypeAlias

from alfil.errors import BoardError, reject, require_type
from alfil.frozen_dataclasses import dataclass
from alfil.geometry import BOARD_LIMIT
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT
from alfil.meaning.piece_meaning import Guard, conditions_hold
from alfil.meaning.square_conditions import PieceSquare
from alfil.source import Source
from alfil.squares import Square, coordinate_system_of, parse_square, square_name, square_seen_by

Offset: TypeAlias = tuple[int, int]
# Squares as they are given: offsets, or names on a board.
SquareNames: TypeAlias = Collection[Offset | str]

# Beside the classes of what stands on a square: there is none.
OFF_BOARD_CLASS = 32


@dataclass(frozen=True, slots=True)
class BoardContext:
    """A position as seen by one piece.

    ``wraps`` is false for a plain diagram, whose edges are not those of a board. ``moves_made`` is
    the number of moves the piece has made, or None for "many". ``ep_squares`` maps squares that can
    be captured on en passant to the squares of the pieces taken there. ``third_rank`` says whether,
    in the starting position, the same piece stood straight behind. ``turn`` is the number of the
    turn of its side, from 1, or None for any. ``second``: the mover is the second side, which sees
    the board turned. ``own_colour`` is whether the square has the colour the piece began on, None
    for not known.
    """

    files: int
    ranks: int
    at: Square
    contents: Mapping[Square, int] = field(default_factory=dict)
    unmoved_friends: Collection[Square] = ()
    ep_squares: Mapping[Square, Square] = field(default_factory=dict)
    moves_made: int | None = None
    third_rank: bool = False
    wraps: bool = True
    turn: int | None = None
    second: bool = False
    own_colour: bool | None = None

    def conditions_hold(self, guard: Guard) -> bool:
        """Whether the conditions of a guard on the past hold; unknown counts as yes.

        So do those on the square; of a plain diagram no square is known.
        """
        if not conditions_hold(guard, self.moves_made, third_rank=self.third_rank, turn=self.turn):
            return False
        if not guard or not self.wraps:
            return True
        place = PieceSquare(self.at, self.files, self.ranks, self.second, self.own_colour)
        return all(place.holds(condition.kind) for condition in guard)

    def castling_partner(self, direction: int, steps: int, inset: int) -> Square | None:
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

    def is_on_board(self, offset: Offset) -> bool:
        """Whether an offset from the piece is on the board."""
        x, y = self.at[0] + offset[0], self.at[1] + offset[1]
        return 0 <= x < self.files and 0 <= y < self.ranks

    def extended_by(self, by: int) -> BoardContext:
        """The same position on a board with so many squares more on each side."""

        def moved(square: Square) -> Square:
            return square[0] + by, square[1] + by

        return replace(
            self,
            files=self.files + 2 * by,
            ranks=self.ranks + 2 * by,
            at=moved(self.at),
            contents={moved(at): stands for at, stands in self.contents.items()},
            unmoved_friends=frozenset(map(moved, self.unmoved_friends)),
            ep_squares={moved(at): moved(by) for at, by in self.ep_squares.items()},
        )

    def rotated(self) -> BoardContext:
        """The same position as the other side sees it, the board turned half round."""
        return replace(
            self,
            at=self._rotated_square(self.at),
            contents={self._rotated_square(at): stands for at, stands in self.contents.items()},
            unmoved_friends=frozenset(map(self._rotated_square, self.unmoved_friends)),
            ep_squares={
                self._rotated_square(at): self._rotated_square(by)
                for at, by in self.ep_squares.items()
            },
            second=not self.second,
        )

    def _rotated_square(self, square: Square) -> Square:
        return square_seen_by(1, square, self.files, self.ranks)


def empty_board(
    radius: int, files: int | None, ranks: int | None, at: str | Offset | None
) -> BoardContext:
    """The empty board asked for, an open one without files, ranks and square.

    Raises `BoardError` of kind "board-size", "board-incomplete", "square-name" or "off-board".
    """
    if files is None and ranks is None and at is None:
        require_type(radius, int, "a radius is a number of squares")
        if not 0 <= radius <= BOARD_LIMIT:
            _reject_board("board-size", f"a radius is 0 to {BOARD_LIMIT}", str(radius))
        return _open_board(radius)
    if files is None or ranks is None or at is None:
        parts = {"files": files, "ranks": ranks, "the square": at}
        absent = ", ".join(name for name, part in parts.items() if part is None)
        message = f"a board needs files, ranks and the square (missing: {absent})"
        _reject_board("board-incomplete", message, str(at))
    check_board_size(files, ranks)
    return BoardContext(files, ranks, parse_board_square(at, files, ranks))


def check_board_size(*sizes: int) -> None:
    """`BoardError` of kind "board-size" where no board has so many files or ranks."""
    for size in sizes:
        require_type(size, int, "a board has a number of files and ranks")
        if not 1 <= size <= BOARD_LIMIT:
            message = f"a board has 1 to {BOARD_LIMIT} files and ranks"
            _reject_board("board-size", message, str(size))


@cache
def _open_board(radius: int) -> BoardContext:
    return BoardContext(2 * radius + 1, 2 * radius + 1, (radius, radius))


@dataclass(frozen=True, slots=True)
class PositionArguments:
    """The arguments of `alfil.moves`: pieces by offset or square name, and the piece's past.

    ``moves_made`` is None for many, or none when ``unmoved``; ``third_rank`` None is as that one.
    ``turn`` is None for any, ``own_colour`` True when ``unmoved``, else not known. An
    ``open_board`` has no edges and no names.
    """

    board: BoardContext
    enemies: SquareNames
    friends: SquareNames
    enemy_royals: SquareNames
    unmoved_friends: SquareNames
    en_passant: SquareNames | Mapping[Offset | str, Offset | str]
    unmoved: bool = False
    moves_made: int | None = None
    third_rank: bool | None = None
    turn: int | None = None
    own_colour: bool | None = None
    open_board: bool = False

    def context(self) -> BoardContext:
        """The position; raises `BoardError` where its pieces, or its past, do not fit together.

        No piece stands off the board, on the piece itself or on another.
        """
        made = self.moves_made
        if made is not None and made < 0:
            _reject_board("moves-made", "a piece has made 0 moves or more", str(made))
        if made and self.unmoved:
            _reject_board("moves-made", f"a piece that has made {made} moves has moved", str(made))
        if self.turn is not None and self.turn < 1:
            _reject_board(
                "turn-number", "turns are counted from 1", str(self.turn), "the first turn is 1"
            )
        unmoved_friends = frozenset(map(self._parse_square, self.unmoved_friends))
        contents = self._board_contents(unmoved_friends)
        return replace(
            self.board,
            contents=contents,
            unmoved_friends=unmoved_friends,
            ep_squares=dict(self._ep_squares(contents)),
            moves_made=0 if self.unmoved and made is None else made,
            third_rank=self.unmoved if self.third_rank is None else self.third_rank,
            wraps=not self.open_board,
            turn=self.turn,
            own_colour=self.own_colour
            if made or not self.unmoved
            else self.own_colour is not False,
        )

    def _board_contents(self, unmoved_friends: frozenset[Square]) -> dict[Square, int]:
        contents: dict[Square, int] = {}
        friends = frozenset(map(self._parse_square, self.friends)) | unmoved_friends
        royals = frozenset(map(self._parse_square, self.enemy_royals))
        enemies = frozenset(map(self._parse_square, self.enemies)) - royals
        for squares, kind in ((friends, FRIEND), (enemies, ENEMY), (royals, ROYAL)):
            for square in squares:
                at_home = square == self.board.at
                if square in contents or at_home:
                    name = self._square_name(square)
                    who = "the piece itself is" if at_home else "two pieces are"
                    _reject_board("square-taken", f"{who} on {name}", name, "name another square")
                contents[square] = kind
        return contents

    def _ep_squares(self, contents: dict[Square, int]) -> Iterator[tuple[Square, Square]]:
        squares = self.en_passant
        if not isinstance(squares, Mapping):
            yield from ((square, square) for square in map(self._parse_square, squares))
            return
        for place, of in squares.items():
            square, victim = self._parse_square(place), self._parse_square(of)
            if contents.get(victim) not in {ENEMY, ROYAL}:
                name = self._square_name(victim)
                message = f"no enemy is on {name}, where en passant would capture"
                _reject_board("no-victim", message, name, "put an enemy there")
            yield square, victim

    def _square_name(self, square: Square) -> str:
        """A square as people name it: by its offset where the board has no edges."""
        if self.open_board:
            return f"{square[0] - self.board.at[0]},{square[1] - self.board.at[1]}"
        return square_name(*square)

    def _parse_square(self, place: Offset | str) -> Square:
        board = self.board
        if isinstance(place, str):
            if self.open_board:
                hint = "give files, ranks and the square of the piece, or an offset"
                _reject_board("square-name", f"{place} needs a board", place, hint)
            return parse_board_square(place, board.files, board.ranks)
        if not _is_coordinate_pair(place):
            hint = "give dx and dy, as in (0, 2)"
            _reject_board("square-name", f"{place} is no square", str(place), hint)
        square = (board.at[0] + place[0], board.at[1] + place[1])
        if not (0 <= square[0] < board.files and 0 <= square[1] < board.ranks):
            _reject_board("off-board", f"{place[0]},{place[1]} is not on the board", str(place))
        return square


def parse_board_square(at: str | Offset, files: int, ranks: int) -> Square:
    """A square by name or as (file, rank) from 0.

    Names are those of chess ("e5", file z is followed by aa) or of shogi ("5e", files from the
    right and ranks from the far side).

    >>> (parse_board_square("e5", 9, 9), parse_board_square("aa36", 36, 36),
    ...  parse_board_square("9i", 9, 9))
    ((4, 4), (26, 35), (0, 0))
    """
    square: Square | None = None
    require_type(at, (str, tuple, list), "a square is a name, or a file and a rank")
    if isinstance(at, str):
        coordinates = coordinate_system_of(at)
        if coordinates is None:
            hint = "a letter and a number, as in e5, or as in 5e in shogi"
            _reject_board("square-name", f"{at} is no square", at, hint)
        square = parse_square(at, files, ranks, coordinates)
    elif not _is_coordinate_pair(at):
        hint = "give file and rank, or a name as in e5"
        _reject_board("square-name", f"{at} is no square", str(at), hint)
    elif 0 <= at[0] < files and 0 <= at[1] < ranks:
        square = (at[0], at[1])
    if square is None:
        _reject_board("off-board", f"{at} is not on a board of {files}×{ranks}", str(at))
    return square


def _is_coordinate_pair(place: object) -> bool:
    return (
        isinstance(place, tuple | list)
        and len(place) == len(("dx", "dy"))
        and all(isinstance(each, int) for each in place)
    )


def _reject_board(kind: str, message: str, text: str, hint: str = "") -> NoReturn:
    reject(BoardError, kind, message, Source(text, "<board>"), hint=hint)
