"""Why a move is illegal, in a code and in words."""

from __future__ import annotations

from typing import NamedTuple

from alfil.errors import Finding, IllegalMove
from alfil.game.moving import acts_of
from alfil.game.plan import Plan
from alfil.game.position import Act, Position
from alfil.game.rules import drop_fault, fault, forms, obeys_file
from alfil.game.usi import Asked
from alfil.source import Source, Span


class Reason(NamedTuple):
    """Why a move is illegal: the code of the rule that it breaks first, and words.

    >>> str(Reason("drop-check", "the onager's drop must give check"))
    "drop-check: the onager's drop must give check"
    """

    code: str
    words: str

    def __str__(self) -> str:
        return f"{self.code}: {self.words}"


def illegal(why: Reason, text: str) -> IllegalMove:
    """The error of an illegal move."""
    finding = Finding(why.code, why.words, (Span(0, len(text)),))
    return IllegalMove([finding], Source(text, "<move>"))


def reason(position: Position, asked: Asked) -> Reason | None:
    """The first rule that a move breaks, None for a legal one."""
    if asked.origin < 0:
        code = drop_fault(position, Act(asked.piece, -1, asked.target, asked.piece))
        piece = asked.piece
    else:
        code = _fault(position, asked)
        piece = position.board[asked.origin]
    return Reason(code, _words(position.plan, code, piece, asked)) if code else None


def _fault(position: Position, asked: Asked) -> str | None:
    board, side = position.board, position.turn
    piece = board[asked.origin]
    if not piece or (piece - 1) % 2 != side:
        return "no-piece"
    ways = [
        act
        for act in acts_of(position, asked.origin)
        if act.target == asked.target
        and (asked.captures is None or set(act.captures) == asked.captures)
    ]
    if not ways:
        standing = board[asked.target]
        own = standing and (standing - 1) % 2 == side
        return "own-piece" if own else "pattern"
    every = [act for way in ways for act in forms(position, way)]
    allowed = [act for act in every if obeys_file(position, act)]
    if not allowed:
        return "file"
    wanted = [act for act in allowed if matches(position.plan, act, asked)]
    if not wanted:
        return "promotion"
    faults = [fault(position, act) for act in wanted]
    return None if None in faults else faults[0]


def is_asked(plan: Plan, act: Act, asked: Asked) -> bool:
    """Whether a move is one that a text asks for."""
    if (act.origin, act.target) != (asked.origin, asked.target):
        return False
    if asked.origin < 0:
        return act.piece == asked.piece
    same = asked.captures is None or set(act.captures) == asked.captures
    return same and matches(plan, act, asked)


def matches(plan: Plan, act: Act, asked: Asked) -> bool:
    """Whether a move is the one asked for as far as its promotion goes.

    Where nothing is said of promotion, one that cannot be declined is meant too.
    """
    if asked.form is None:
        staying = plan.becomes(act.piece, act.origin, act.target, captures=bool(act.captures))
        return act.becomes == act.piece or act.piece not in staying
    if asked.form == -1:
        return act.becomes != act.piece
    return act.becomes == asked.form


class Breach(NamedTuple):
    """What it means to break a rule: its code, and words with places for piece and squares."""

    kind: str
    words: str


BREACHES = (
    Breach("no-piece", "the side to move has no piece on {start}"),
    Breach("own-piece", "a piece of one's own stands on {to}"),
    Breach("pattern", "the {name} on {start} cannot go to {to}"),
    Breach("file", "a side has at most {limit} {name} on a file, and that of {to} is full"),
    Breach("promotion", "the {name} has no such promotion when it goes from {start} to {to}"),
    Breach("self-check", "the mover's own royal could be captured then"),
    Breach("not-in-hand", "no {name} is in hand"),
    Breach("occupied", "{to} is not free, and a drop never captures"),
    Breach("drop-zone", "the {name} may not be dropped in the promotion zone, where {to} is"),
    Breach("drop-rank", "the {name} may not be dropped on the rank of {to}"),
    Breach("drop-check", "the {name}'s drop must give check"),
    Breach("drop-mate", "the {name}'s drop may not give mate"),
)


def _words(plan: Plan, code: str, piece: int, asked: Asked) -> str:
    kind = plan.kinds[(piece - 1) >> 1] if piece else None
    if code == "drop-check" and kind is not None and kind.drop_check == "barred":
        return f"the {kind.name}'s drop may not give check"
    (words,) = (breach.words for breach in BREACHES if breach.kind == code)
    return words.format(
        name=kind.name if kind else "",
        limit=kind.per_file if kind else 0,
        to=plan.name(asked.target),
        start=plan.name(asked.origin) if asked.origin >= 0 else "",
    )
