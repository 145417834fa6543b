"""What is odd about a position that can be played all the same (R37)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from alfil.game.plan import Plan
from alfil.game.position import Position
from alfil.game.rules import in_check

TOO_MANY_PIECES = "TOO_MANY_PIECES"
OPPONENT_IN_CHECK = "OPPONENT_IN_CHECK"
_NUMBERS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN")


def flags_of(position: Position) -> frozenset[str]:
    """The names of all that is odd.

    A piece that should have promoted where it stands gives "KNIGHT_IN_ZONE", more on a file than
    allowed "TWO_SOLDIERS_ON_FILE", each with the name of its kind.
    """
    found = set(_crowded_files(position)) | set(_unpromoted(position))
    if _too_many(position):
        found.add(TOO_MANY_PIECES)
    if in_check(position, 1 - position.turn):
        found.add(OPPONENT_IN_CHECK)
    return frozenset(found)


def _name(plan: Plan, piece: int) -> str:
    return plan.kinds[(piece - 1) >> 1].name.upper().replace(" ", "_")


def _crowded_files(position: Position) -> Iterator[str]:
    plan = position.plan
    counts = Counter((p, square % plan.files) for square, p in enumerate(position.board) if p)
    for (piece, _), count in counts.items():
        limit = plan.kinds[(piece - 1) >> 1].per_file
        if limit and count > limit:
            number = _NUMBERS[limit + 1] if limit + 1 < len(_NUMBERS) else "TOO_MANY"
            yield f"{number}_{_name(plan, piece)}S_ON_FILE"


def _unpromoted(position: Position) -> Iterator[str]:
    plan = position.plan
    for square, piece in enumerate(position.board):
        if not piece or not plan.forms(piece):
            continue
        forced = plan.natures[plan.codes[piece]].promotion.mode == "forced"
        if forced and plan.zone[(piece - 1) % 2][square]:
            yield f"{_name(plan, piece)}_IN_ZONE"


def _too_many(position: Position) -> bool:
    """Whether there are more of a kind than both sets hold, captured and promoted ones included."""
    plan = position.plan
    if not plan.starting:
        return False
    held: Counter[int] = Counter(plan.base[piece] for piece in plan.starting.values())
    for hand in plan.variant.hands:
        for code, count in hand:
            held[plan.number[plan.kinds[plan.number[code]].base]] += count
    there: Counter[int] = Counter(plan.base[piece] for piece in position.board if piece)
    for counts in position.hands:
        for kind, count in enumerate(counts):
            there[plan.base[1 + 2 * kind]] += count
    return any(count > held[kind] for kind, count in there.items())
