"""Why a move is illegal, in a code and in words."""

from __future__ import annotations

from typing import NamedTuple

from alfil.game.moving import acts_of
from alfil.game.plan import Plan
from alfil.game.position import Act, Position
from alfil.game.rules import drop_fault, fault, forms, obeys_file
from alfil.game.usi import Asked


class Reason(NamedTuple):
    """Why a move is illegal: the code of the rule that it breaks first, and words.

    >>> str(Reason("drop-check", "the onager's drop must give check"))
    "drop-check: the onager's drop must give check"
    """

    code: str
    words: str

    def __str__(self) -> str:
        return f"{self.code}: {self.words}"


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
        own = standing and (standing - 1) % 2 == side and asked.target != asked.origin
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


def _words(plan: Plan, code: str, piece: int, asked: Asked) -> str:
    name = plan.kinds[(piece - 1) >> 1].name if piece else ""
    to = plan.name(asked.target)
    start = plan.name(asked.origin) if asked.origin >= 0 else ""
    limit = plan.kinds[(piece - 1) >> 1].per_file if piece else 0
    words = {
        "no-piece": f"the side to move has no piece on {start}",
        "own-piece": f"a piece of one's own stands on {to}",
        "pattern": f"the {name} on {start} cannot go to {to}",
        "file": f"a file holds at most {limit} {name} of a side, and that of {to} is full",
        "promotion": f"the {name} cannot become that on its move to {to}",
        "self-check": "the own royal could be captured afterwards",
        "not-in-hand": f"no {name} is in hand",
        "occupied": f"{to} is not free, and a drop never captures",
        "drop-zone": f"the {name} may not be dropped in the promotion zone, where {to} is",
        "drop-rank": f"the {name} may not be dropped on the rank of {to}",
        "drop-check": f"the {name}'s drop must give check",
        "drop-mate": f"the {name}'s drop may not give mate",
    }
    if code == "drop-check" and plan.kinds[(piece - 1) >> 1].drop_check == "barred":
        return f"the {name}'s drop may not give check"
    return words[code]
