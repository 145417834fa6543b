"""What pieces burn, shoot or hold from each square, as the engine has it."""

from __future__ import annotations

from array import array

from alfil.game import structs
from alfil.game.cells import APART, CLASSES, Cells, Pool, word_of
from alfil.game.patches import clip
from alfil.game.plan import Plan, holds, range_of
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, VACANT
from alfil.meaning.piece import Fact
from alfil.tables.effects import AFFECTED
from alfil.tables.table import STEP_SHIFT


def lay_out_ranges(plan: Plan, cells: Cells, pool: Pool) -> tuple[list[int], int]:
    """By piece × size + square the list of effects, and how many squares one reaches at most."""
    found, most = [0] * (plan.wall * plan.size), 0
    for piece in range(1, plan.wall):
        for square in range(plan.size) if plan.effects[piece] else ():
            effects: list[int] = []
            for fact in plan.effects[piece]:
                first = cells.behind
                ends = _lay_out(plan, cells, pool, fact, (piece, square))
                number = int(str(fact.values[3])) if holds(fact) else 0
                effects += [_what(fact), first, cells.behind, number]
                most = max(most, ends)
            found[piece * plan.size + square] = pool.list(effects)
    return found, most


def _lay_out(plan: Plan, cells: Cells, pool: Pool, fact: Fact, at: tuple[int, int]) -> int:
    """Add the nodes that capture what an effect has in its range; how many squares they have."""
    piece, square = at
    side = (piece - 1) % 2
    classes = _seen_by(fact, side)
    if plan.kinds[(piece - 1) >> 1].blocked_by:
        classes |= dict.fromkeys(APART, FRIEND)
    squares: set[int] = set()
    for section in plan.sections(range_of(fact), piece):
        patch = clip(section, plan.at(square), plan.bodies.field(piece), second=side == 1)
        taken = array("i", [pool.list(end.captures) for end in patch.ends])
        words = [
            word_of(word, skip - at, classes, lambda _: 1)
            for at, (word, skip) in enumerate(zip(patch.nodes, patch.skips, strict=True))
        ]
        cells.extend({"nodes": array("q", words), "taken": taken})
        squares |= {word >> STEP_SHIFT for word in patch.nodes}
    return len(squares)


def _what(fact: Fact) -> int:
    """What an effect does to what is in its range."""
    if holds(fact):
        when = fact.values[2]
        return structs.SEIZES * (when != "passive") | structs.CATCHES * (when != "active")
    if fact.name == "immobilises":
        return structs.FREEZES
    burns = fact.name == "burns" and fact.values[2] != "passive"
    return structs.BURNS * burns | structs.SINGES * (fact.values[2] != "active")


def _seen_by(fact: Fact, side: int) -> dict[int, int]:
    """The classes of what stands on squares as an effect of a side's piece sees it.

    What it is about can be captured, and all else is in its way.
    """
    about = AFFECTED[str(fact.values[1])]
    found = {}
    for shift, standing in CLASSES[side].items():
        if standing not in {ENEMY, ROYAL, FRIEND}:
            found[shift] = VACANT
        elif standing in about:
            found[shift] = ROYAL if standing == ROYAL else ENEMY
        else:
            found[shift] = FRIEND
    return found
