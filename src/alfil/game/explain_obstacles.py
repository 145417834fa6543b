"""Why a piece cannot make a move: the pieces in its way, or the piece that is missing.

Nothing here knows how a piece moves. Pieces are taken off and put on the board, and the moves that
there are then tell what it was: so it holds for riders, lame leapers, hoppers and paths of any
number of legs.
"""

from __future__ import annotations

from collections.abc import Iterable

from alfil.errors import join_words
from alfil.game.compiled_variant import CompiledVariant
from alfil.game.engine_interface import GOES, TAKES
from alfil.game.game_position import GamePosition

# Where more pieces stand than that, those far from the way are not looked at.
MAX_BLOCKERS_EXAMINED = 60
# What is missing is looked for on boards of so many squares.
MAX_SQUARES_EXAMINED = 200


def explain_obstacle(position: GamePosition, origin: int, target: int) -> str:
    """The obstacle between a piece and its target, in words; empty if none explains it."""
    tried = _MoveProbe(position, origin, target)
    blocking = tried.blocking_squares()
    if blocking:
        return _blockers_in_the_way_phrase(position, origin, blocking)
    compiled = position.plan
    standing = position.piece_on(target) if target != origin else 0
    if standing == compiled.wall:
        return "there is a wall" if tried.is_possible({target: 0}) else ""
    if standing and tried.is_possible({target: 0}):
        others = range(2 - position.turn, compiled.wall, 2)
        if any(tried.is_possible({target: piece}) for piece in others if piece != standing):
            return f"it does not capture the {compiled.kinds[(standing - 1) >> 1].name} there"
        return "it does not capture there"
    foe = _some_non_royal_piece(compiled, 1 - position.turn)
    if not standing and target != origin and tried.is_possible({target: foe}):
        return "it goes there only to capture"
    return tried.missing_piece_phrase(foe)


class _MoveProbe:
    """A move tried on boards that differ from the position."""

    def __init__(self, position: GamePosition, origin: int, target: int) -> None:
        self._played = position
        self._origin, self._target = origin, target
        compiled = position.plan
        # From the nearest to the farthest.
        away = sorted(range(compiled.size), key=lambda square: _distance(compiled, origin, square))
        self._squares = [square for square in away if square not in {origin, target}]

    def is_possible(self, changed: dict[int, int]) -> bool:
        """Whether the move is possible after some squares change; 0 is an empty square."""
        return bool(self._possible_move_flags(changed))

    def _possible_move_flags(self, changed: dict[int, int]) -> int:
        """How the move could be made once pieces stand otherwise; see `Run.possible_move_flags`."""
        return self._played.possible_move_flags(self._origin, self._target, changed)

    def blocking_squares(self) -> list[int]:
        """The squares of the pieces that block the move.

        Of several such sets it is one of a single piece, or one of pieces that are near.
        """
        standing = [
            square
            for square in self._squares
            if self._played.piece_on(square) and self._played.anchor_square(square) == square
        ]
        if len(standing) > MAX_BLOCKERS_EXAMINED:
            standing = [square for square in standing if self._is_between(square)]
        for square in standing:
            if self.is_possible({square: 0}):
                return [square]
        gone = dict.fromkeys(standing, 0)
        if not self.is_possible(gone):
            return []
        for square in reversed(standing):
            fewer = {each: 0 for each in gone if each != square}
            if self.is_possible(fewer):
                gone = fewer
        return [*gone]

    def missing_piece_phrase(self, foe: int) -> str:
        """The kind of piece that the move lacks (hurdle, target); empty if none helps."""
        compiled, turn = self._played.plan, self._played.turn
        pieces = (foe, _some_non_royal_piece(compiled, turn))
        for square in self._squares if compiled.size <= MAX_SQUARES_EXAMINED else ():
            for piece in pieces if not self._played.piece_on(square) else ():
                ways = self._possible_move_flags({square: piece})
                if ways & GOES:
                    return "there is nothing to jump over"
                if ways & TAKES:
                    return "there is nothing to capture on the way"
        return ""

    def _is_between(self, square: int) -> bool:
        compiled = self._played.plan
        ends = compiled.file_and_rank(self._origin), compiled.file_and_rank(self._target)
        pairs = zip(compiled.file_and_rank(square), *ends, strict=True)
        return all(min(ends) - 1 <= at <= max(ends) + 1 for at, *ends in pairs)


def _distance(compiled: CompiledVariant, one: int, other: int) -> int:
    return max(
        abs(a - b)
        for a, b in zip(compiled.file_and_rank(one), compiled.file_and_rank(other), strict=True)
    )


def _some_non_royal_piece(compiled: CompiledVariant, side: int) -> int:
    """Some non-royal piece of a side, if there is one."""
    pieces = range(1 + side, 1 + 2 * len(compiled.kinds), 2)
    return next((piece for piece in pieces if not compiled.royal[piece]), 1 + side)


def _blockers_in_the_way_phrase(
    position: GamePosition, origin: int, blocking: Iterable[int]
) -> str:
    words = [_name_of_blocker(position, origin, square) for square in blocking]
    return f"{join_words(words, 'and')} {'is' if len(words) == 1 else 'are'} in the way"


def _name_of_blocker(position: GamePosition, origin: int, square: int) -> str:
    compiled, piece = position.plan, position.piece_on(square)
    if piece == compiled.wall:
        return f"the wall on {compiled.square_name(square)}"
    own = (piece - 1) % 2 == (position.piece_on(origin) - 1) % 2
    whose = "its own" if own else "the other side's"
    return f"{whose} {compiled.kinds[(piece - 1) >> 1].name} on {compiled.square_name(square)}"
