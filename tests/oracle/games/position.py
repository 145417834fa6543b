"""Positions, and which moves are legal in them (R1 to R26 and R36, R37)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from oracle.games.definition import Board, Game, Kind, Square


class Move(NamedTuple):
    """A board move, or a drop when ``origin`` is None; ``becomes`` is a code or empty.

    ``code`` is what is moved or put down. ``hand`` is the code taken from the hand; it differs
    from ``code`` only where a piece may be dropped promoted.
    """

    code: str
    origin: Square | None
    target: Square
    becomes: str = ""
    hand: str = ""


@dataclass(frozen=True)
class Position:
    """Who stands where, what is in hand, whose turn it is. Never changed once made."""

    game: Game
    board: Board
    hands: tuple[dict[str, int], dict[str, int]]
    side: int
    number: int = 1

    @property
    def key(self) -> object:
        """Equal for positions that are the same under R27."""
        hands = tuple(tuple(sorted((c, n) for c, n in h.items() if n)) for h in self.hands)
        return tuple(sorted(self.board.items())), hands, self.side

    @cached_property
    def legal(self) -> list[Move]:
        """All moves that have no fault."""
        return [move for move in candidates(self) if not fault(self, move)]


def reached(game: Game, board: Board, square: Square) -> Iterator[Square]:
    """Where the piece on the square goes or captures by its pattern (R4), friends excluded."""
    side, code = board[square]
    sign = 1 if side == 0 else -1
    files, ranks = game.files, game.ranks
    for dx, dy, reach, way in game.kind(code).rays:
        file, rank = square
        for _ in range(reach):
            file, rank = file + sign * dx, rank + sign * dy
            if not (0 <= file < files and 0 <= rank < ranks):
                break
            at = (file, rank)
            if at in board:
                if board[at][0] != side and way != "move":
                    yield at
                break
            if way != "capture":
                yield at


def crowded(game: Game, board: Board, side: int, code: str, file: int, besides: Square) -> bool:
    """Whether a file has all the pieces of this kind it may have, one square not counted."""
    others = sum(
        1
        for square, piece in board.items()
        if square[0] == file and piece == (side, code) and square != besides
    )
    return others >= game.kind(code).per_file


def file_barred(game: Game, board: Board, origin: Square, target: Square) -> bool:
    """R7 for a move: the piece may not arrive on that file."""
    side, code = board[origin]
    kind = game.kind(code)
    if not kind.per_file or "move" not in kind.per_file_on or origin[0] == target[0]:
        return False
    return crowded(game, board, side, code, target[0], origin)


def attacks(game: Game, board: Board, origin: Square, target: Square) -> bool:
    """Whether the piece on ``origin`` could capture on ``target``, its own king not minded (R9)."""
    if target not in reached(game, board, origin):
        return False
    return game.careless or not file_barred(game, board, origin, target)


def royals(game: Game, board: Board, side: int) -> list[Square]:
    """The squares of the royal pieces of a side."""
    return [at for at, piece in board.items() if piece[0] == side and game.kind(piece[1]).royal]


def vital(game: Game, board: Board, side: int) -> list[Square]:
    """The squares on which a capture ends the game: royal pieces, or the last of them."""
    squares = royals(game, board, side)
    if game.rules.royal_lost == "all" and len(squares) > 1:
        return []
    return squares


def in_check(game: Game, board: Board, side: int) -> bool:
    """R20: the other side could capture the king with its next move."""
    goals = vital(game, board, side)
    return any(
        attacks(game, board, origin, goal)
        for goal in goals
        for origin, piece in board.items()
        if piece[0] != side
    )


def stuck(game: Game, side: int, code: str, square: Square) -> bool:
    """Whether the piece could never move from there, nor capture, whatever else changed."""
    sign = 1 if side == 0 else -1
    return not any(
        game.holds((square[0] + sign * ray.dx, square[1] + sign * ray.dy))
        for ray in game.kind(code).rays
    )


def may_promote(position: Position, origin: Square, target: Square) -> bool:
    """Whether the place and the kind of the move allow a promotion."""
    game = position.game
    match game.rules.promotion_when:
        case "always":
            return True
        case "captures":
            return target in position.board
        case "ends":
            return game.in_zone(position.side, target)
        case _:
            return any(game.in_zone(position.side, square) for square in (origin, target))


def forms(position: Position, origin: Square, target: Square) -> tuple[str, ...]:
    """What the piece may become on this move; the empty string is to stay what it is."""
    side, code = position.board[origin]
    kind = position.game.kind(code)
    if not kind.promotes or not may_promote(position, origin, target):
        return ("",)
    if kind.promotion == "forced":
        return kind.promotes
    if kind.promotion == "stuck" and stuck(position.game, side, code, target):
        return kind.promotes
    return ("", *kind.promotes)


def after(position: Position, move: Move) -> Position:
    """The position once the move is made; nothing is tested."""
    game, side = position.game, position.side
    board = dict(position.board)
    hands = (dict(position.hands[0]), dict(position.hands[1]))
    if move.origin is None:
        hands[side][move.hand] -= 1
        board[move.target] = (side, move.code)
    else:
        taken = board.get(move.target)
        # A king in hand is no position (R36), so a captured king leaves the board for good.
        if taken and game.rules.captured == "to-hand" and not game.kind(taken[1]).royal:
            code = taken[1]
            if game.rules.captured_form == "base":
                code = game.kind(code).unpromoted
            hands[side][code] = hands[side].get(code, 0) + 1
        del board[move.origin]
        board[move.target] = (side, move.becomes or move.code)
    return Position(game, board, hands, 1 - side, position.number + 1)


def takes_king(position: Position, move: Move) -> bool:
    """R24: the move captures what the other side may not lose."""
    enemy = 1 - position.side
    return move.origin is not None and move.target in vital(position.game, position.board, enemy)


def fault(position: Position, move: Move) -> str:
    """The reason code of R2 for an illegal move, the first that applies; empty when legal."""
    code = board_fault(position, move) if move.origin else drop_fault(position, move)
    if code or takes_king(position, move):
        return code
    following = after(position, move)
    game = position.game
    if move.origin is None and game.kind(move.code).drop_mate == "barred" and is_mate(following):
        return "drop-mate"
    if game.rules.self_check == "barred" and in_check(game, following.board, position.side):
        return "self-check"
    return ""


def board_fault(position: Position, move: Move) -> str:
    """R3 to R13 without regard to kings."""
    board, origin, target = position.board, move.origin, move.target
    assert origin is not None
    if origin not in board or board[origin][0] != position.side:
        return "no-piece"
    if target in board and board[target][0] == position.side:
        return "own-piece"
    if target not in reached(position.game, board, origin):
        return "pattern"
    if file_barred(position.game, board, origin, target):
        return "file"
    return "" if move.becomes in forms(position, origin, target) else "promotion"


def drop_fault(position: Position, move: Move) -> str:
    """R14 to R18 without regard to the own king."""
    game, board, target = position.game, position.board, move.target
    kind = game.kind(move.code)
    if game.rules.drops == "no":
        return "no-drops"
    if not position.hands[position.side].get(move.hand):
        return "not-in-hand"
    if target in board:
        return "occupied"
    code = drop_rank_fault(game, kind, position.side, target)
    if code:
        return code
    if (
        kind.per_file
        and "drop" in kind.per_file_on
        and crowded(game, board, position.side, kind.code, target[0], target)
    ):
        return "file"
    if kind.drop_check != "free":
        placed = board | {target: (position.side, kind.code)}
        kings = vital(game, placed, 1 - position.side)
        checks = any(attacks(game, placed, target, king) for king in kings)
        if checks != (kind.drop_check == "required"):
            return "drop-check"
    return ""


def drop_rank_fault(game: Game, kind: Kind, side: int, target: Square) -> str:
    """R15, R16: "drop-zone" where all of the promotion zone is barred, else "drop-rank"."""
    first, last = kind.drop_ranks or (1, 0)
    if first <= game.rank_of(side, target) <= last:
        return ""
    outside = min(last, game.ranks) <= game.ranks - game.rules.zone
    return "drop-zone" if outside and game.in_zone(side, target) else "drop-rank"


def candidates(position: Position) -> Iterator[Move]:
    """Every move of the right pattern, and every drop of a piece in hand on an empty square."""
    game, board, side = position.game, position.board, position.side
    for origin, (owner, code) in board.items():
        if owner == side:
            for target in sorted(set(reached(game, board, origin))):
                for becomes in forms(position, origin, target):
                    yield Move(code, origin, target, becomes)
    empty = [
        (file, rank)
        for file in range(game.files)
        for rank in range(game.ranks)
        if (file, rank) not in board
    ]
    for code, count in position.hands[side].items():
        if count and game.rules.drops == "yes":
            either = game.rules.drop_form == "either"
            for form in (code, *game.kind(code).promotes) if either else (code,):
                yield from (Move(form, None, target, "", code) for target in empty)


def legal_moves(position: Position) -> list[Move]:
    """R2: all moves that have no fault."""
    return position.legal


def is_mate(position: Position) -> bool:
    """R23: in check with no legal move."""
    if not in_check(position.game, position.board, position.side):
        return False
    return not any(not fault(position, move) for move in candidates(position))


def perft(position: Position, depth: int) -> int:
    """Sequences of legal moves of this length."""
    moves = legal_moves(position)
    if depth == 1:
        return len(moves)
    return sum(perft(after(position, move), depth - 1) for move in moves)
