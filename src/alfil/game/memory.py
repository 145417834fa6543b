"""What a position remembers of earlier moves: who has moved how often, and squares of en passant.

In texts it stands in fields of its own, and only where it is not what the board itself suggests:
a piece on a square where one like it began has not moved, every other piece has.

- ``m=e1:-,h4:2``: how many moves pieces have made; ``-`` for a piece that has moved.
- ``ep=e3:e4``: a square that can be captured on, and the square of the piece taken there.
- ``checks=2,0``: how many checks the first and the second side have given, where they may win.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NoReturn

from alfil.errors import Finding, PositionError
from alfil.game.clipping import Patch
from alfil.game.plan import UNLIMITED, Plan
from alfil.game.position import DROPPED, UNKNOWN, Position
from alfil.game.squares import read_square
from alfil.source import Source, Span

Field = tuple[str, int]

FIELDS = ("m", "ep", "checks")
_KNOWN = ", ".join(f"{name}=" for name in FIELDS)
_BOTH = re.compile(r"([0-9]{1,6}),([0-9]{1,6})")


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


def write_memory(position: Position, checks: tuple[int, int]) -> list[str]:
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
    if any(checks) and plan.checks_to_win:
        fields.append(f"checks={checks[0]},{checks[1]}")
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
    seen = set[str]()
    for field, at in fields:
        name, _, listed = field.partition("=")
        here = (text, at, at + len(field))
        if name not in FIELDS:
            _wrong(f"no field of a position is called {name}", *here, f"known are {_KNOWN}")
        if name in seen or (name == "ep" and position.trail):
            _wrong(f"{name}= is given twice", *here, "leave one of them out")
        seen.add(name)
        start = at + len(name) + 1
        if name == "checks":
            _checks(position, listed, start, text)
            continue
        squares = set[int]()
        for entry in listed.split(","):
            square = _entry(position, name, entry, start, text)
            if square in squares:
                message = f"{position.plan.name(square)} is given twice"
                _wrong(message, text, start, start + len(entry), "leave one of them out")
            squares.add(square)
            start += len(entry) + 1


def _checks(position: Position, listed: str, at: int, text: str) -> None:
    """The checks that both sides have given."""
    here = (text, at, at + len(listed))
    most = position.plan.checks_to_win
    if not most:
        _wrong("checks are not counted in this game", *here)
    match = _BOTH.fullmatch(listed)
    given = (int(match[1]), int(match[2])) if match else (-1, -1)
    if not 0 <= min(given) <= max(given) <= most:
        message = f"checks= needs the checks of either side, from 0 to {most}"
        _wrong(message, *here, "write it like this: checks=1,0")
    position.checks = given


def _entry(position: Position, name: str, entry: str, at: int, text: str) -> int:
    """Read one entry; the square that it is about."""
    first, _, second = entry.partition(":")
    square = _square(position, first, text, at)
    here = (text, at, at + len(entry))
    if name == "ep":
        if not second:
            hint = "write the square of the piece too: ep=e3:e4"
            _wrong(f"{entry} does not say which piece is taken there", *here, hint)
        _passed(position, square, _square(position, second, text, at + len(first) + 1), here)
        return square
    if not position.board[square]:
        _wrong(f"nothing stands on {first}", *here)
    if second in {"-", "d"}:
        position.made[square] = UNKNOWN if second == "-" else DROPPED
    elif second.isascii() and second.isdigit() and int(second[:9]) < UNLIMITED:
        position.made[square] = int(second[:9])
    else:
        _wrong(f"{entry}: after the square stands a number of moves, or -", *here)
    return square


def _passed(position: Position, square: int, victim: int, here: tuple[str, int, int]) -> None:
    """A piece that moved last can be taken on a square that it passed."""
    plan, board = position.plan, position.board
    name = plan.name(square)
    if board[square]:
        _wrong(f"{name}: en passant goes to a free square", *here)
    taken = board[victim]
    if not taken or (taken - 1) % 2 == position.turn:
        _wrong(f"{name}: en passant takes an enemy, and none is on {plan.name(victim)}", *here)
    if position.trail and victim not in position.trail.values():
        _wrong("only the piece that moved last can be taken en passant", *here)
    if not _leads_past(position, square, victim):
        message = f"no move of the piece on {plan.name(victim)} passes {name} and can be met there"
        _wrong(message, *here)
    position.trail = {**position.trail, square: victim}


def _leads_past(position: Position, square: int, victim: int) -> bool:
    """Whether some move from a free square to the victim's leaves a trail on a square."""
    plan, board = position.plan, position.board
    there = board[victim]
    return any(
        patch.leaves_trail and _ends_past(patch, square, victim)
        for origin in range(plan.size)
        if not board[origin] or origin == victim
        for mover in range(2 - there % 2, plan.mark, 2)
        if any(
            there in plan.becomes(mover, origin, victim, captures=each) for each in (False, True)
        )
        for patch in plan.patches(mover, origin)
    )


def _ends_past(patch: Patch, square: int, victim: int) -> bool:
    """Whether a part leads past a square to the victim's; what has no table may go anywhere."""
    if patch.automaton is not None:
        return True
    return any(end.target == victim and square in end.passed for end in patch.ends)


def _square(position: Position, name: str, text: str, at: int) -> int:
    plan = position.plan
    square = read_square(name, plan.rules.first, plan.files, plan.ranks)
    if square is None:
        message = f"{name} is no square of this board" if name else "a square is missing"
        _wrong(message, text, at, at + len(name))
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
    here = (text, at, at + len(square))
    if not 0 <= victim < position.plan.size:
        _wrong(f"no piece can be taken en passant on {square}", *here)
    _passed(position, to, victim, here)


def _grant(position: Position, side: int, *, king: bool, queen: bool) -> None:
    """Castling partners towards the last file and towards the first have moved, or have not.

    A right is one of pieces that stand where they began; others have moved in any case.
    """
    plan = position.plan
    for square, piece in enumerate(position.board):
        if not piece or (piece - 1) % 2 != side or not plan.castle_insets[piece]:
            continue
        position.made[square] = _begun(plan, square, piece) if king or queen else UNKNOWN
        # Without a right it is the one that castles that has moved; others are as they look.
        for partner in partners(position, square) if king or queen else ():
            right = king if partner > square else queen
            begun = _begun(plan, partner, position.board[partner])
            position.made[partner] = begun if right else UNKNOWN


def _begun(plan: Plan, square: int, piece: int) -> int:
    """How many moves a piece has made that castles; without a set-up it stands where it began."""
    return default_count(plan, square, piece) if plan.starting else 0


def _wrong(message: str, text: str, start: int, end: int, hint: str = "") -> NoReturn:
    finding = Finding("position-memory", message, (Span(start, max(start, end)),), hint)
    raise PositionError([finding], Source(text, "<position>"))
