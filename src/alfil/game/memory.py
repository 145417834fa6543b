"""What a position remembers of earlier moves: who has moved how often, and squares of en passant.

In texts it stands in fields of its own, and only where it is not what the board itself suggests:
a piece on a square where one like it began has not moved, every other piece has.

- ``m=e1:-,h4:2``: how many moves pieces have made; ``-`` for a piece that has moved.
- ``ep=e3:e4``: a square that can be captured on, and the square of the piece taken there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from alfil.errors import Finding, PositionError
from alfil.game.plan import UNLIMITED, Plan
from alfil.game.position import DROPPED, UNKNOWN, Position
from alfil.game.squares import read_square
from alfil.source import Source, Span

Field = tuple[str, int]


def default_count(plan: Plan, square: int, piece: int) -> int:
    """How many moves a piece has made if only the board is known."""
    return 0 if piece and plan.starting.get(square) == piece else UNKNOWN


def remembered(position: Position) -> tuple[int, ...]:
    """What tells positions with the same board apart: counts of moves, and castling rights."""
    plan, made = position.plan, position.made
    found: list[int] = []
    for square, piece in enumerate(position.board if plan.remembers else ()):
        if piece:
            limit = plan.count_limits[piece]
            if made[square] == DROPPED and limit:
                found += (square, 0)
            elif 0 <= made[square] < limit:
                found += (square, made[square])
            if made[square] == 0 and plan.castle_insets[piece]:
                for partner in partners(position, square):
                    if made[partner] == 0:
                        found += (-1, square, partner)
    return tuple(found)


def partners(position: Position, square: int) -> list[int]:
    """The squares on which a piece of the same side would stand to castle with this one."""
    plan, board = position.plan, position.board
    rank = square - square % plan.files
    side = (board[square] - 1) % 2
    squares = [
        rank + file
        for inset in plan.castle_insets[board[square]]
        for file in (plan.files - 1 - inset, inset)
    ]
    return [s for s in squares if s != square and board[s] and (board[s] - 1) % 2 == side]


def write_memory(position: Position) -> list[str]:
    """The further fields of a position's text; usually none."""
    plan = position.plan
    entries = []
    if plan.remembers:
        ready: set[int] = set()
        for square, piece in enumerate(position.board):
            if plan.castle_insets[piece] and position.made[square] == 0:
                ready.update(partners(position, square))
        for square, piece in enumerate(position.board):
            if piece:
                entries += _count(position, square, partner=square in ready)
    fields = [f"m={','.join(entries)}"] if entries else []
    trail = [f"{plan.name(s)}:{plan.name(v)}" for s, v in sorted(position.trail.items())]
    if trail:
        fields.append(f"ep={','.join(trail)}")
    return fields


def _count(position: Position, square: int, *, partner: bool) -> list[str]:
    """The entry of one piece, none where the board says as much."""
    plan = position.plan
    piece, count = position.board[square], position.made[square]
    limit = max(plan.count_limits[piece], 1 if plan.castle_insets[piece] else 0)
    if count == DROPPED and limit == 0:
        count = UNKNOWN
    if count >= (limit or 1 if partner else limit):
        count = UNKNOWN
    if count == default_count(plan, square, piece) or not (limit or partner):
        return []
    shown = {UNKNOWN: "-", DROPPED: "d"}.get(count, str(count))
    return [f"{plan.name(square)}:{shown}"]


def read_memory(position: Position, fields: Iterable[Field], text: str) -> None:
    """Put what the further fields say into a position."""
    for field, at in fields:
        name, _, listed = field.partition("=")
        if name not in {"m", "ep"}:
            message = f"no field of a position is called {name}"
            _wrong(message, text, at, at + len(field), "m= and ep= are known")
        start = at + len(name) + 1
        for entry in listed.split(","):
            _entry(position, name, entry, start, text)
            start += len(entry) + 1


def _entry(position: Position, name: str, entry: str, at: int, text: str) -> None:
    first, _, second = entry.partition(":")
    square = _square(position, first, text, at)
    here = (text, at, at + len(entry))
    if name == "ep":
        victim = _square(position, second, text, at + len(first) + 1)
        taken = position.board[victim]
        if position.board[square] or not taken or (taken - 1) % 2 == position.turn:
            _wrong(f"{entry}: en passant goes to a free square and takes an enemy", *here)
        position.trail = {**position.trail, square: victim}
        return
    if not position.board[square]:
        _wrong(f"nothing stands on {first}", *here)
    if second in {"-", "d"}:
        position.made[square] = UNKNOWN if second == "-" else DROPPED
    elif second.isascii() and second.isdigit() and int(second[:9]) < UNLIMITED:
        position.made[square] = int(second[:9])
    else:
        _wrong(f"{entry}: after the square stands a number of moves, or -", *here)


def _square(position: Position, name: str, text: str, at: int) -> int:
    plan = position.plan
    square = read_square(name, plan.rules.first, plan.files, plan.ranks)
    if square is None:
        _wrong(f"{name or 'nothing'} is no square of this board", text, at, at + len(name))
    return plan.square(square)


def read_rights(position: Position, castling: Field, passant: Field, text: str) -> None:
    """The third and fourth field of chess FEN: castling rights and the square of en passant."""
    rights, at = castling
    if rights != "-" and (set(rights) - set("KQkq") or len(set(rights)) < len(rights)):
        _wrong("castling rights are some of KQkq, or -", text, at, at + len(rights))
    if position.plan.castles:
        for side, (king, queen) in enumerate((("K", "Q"), ("k", "q"))):
            _grant(position, side, king=king in rights, queen=queen in rights)
    square, at = passant
    if square == "-":
        return
    to = _square(position, square, text, at)
    victim = to + position.plan.files * (1 if position.turn else -1)
    inside = 0 <= victim < position.plan.size
    if (
        not inside
        or not position.board[victim]
        or (position.board[victim] - 1) % 2 == position.turn
    ):
        _wrong(f"no piece can be taken en passant on {square}", text, at, at + len(square))
    position.trail = {to: victim}


def _grant(position: Position, side: int, *, king: bool, queen: bool) -> None:
    """Castling partners towards the last file and towards the first have moved, or have not."""
    plan = position.plan
    for square, piece in enumerate(position.board):
        if not piece or (piece - 1) % 2 != side or not plan.castle_insets[piece]:
            continue
        position.made[square] = 0 if king or queen else UNKNOWN
        # Without a right it is the one that castles that has moved; others are as they look.
        for partner in partners(position, square) if king or queen else ():
            right = king if partner > square else queen
            position.made[partner] = 0 if right else UNKNOWN


def _wrong(message: str, text: str, start: int, end: int, hint: str = "") -> NoReturn:
    finding = Finding("position-memory", message, (Span(start, max(start, end)),), hint)
    raise PositionError([finding], Source(text, "<position>"))
