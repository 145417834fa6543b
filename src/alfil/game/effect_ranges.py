"""The effects of pieces (burning, shooting, immobilising) from each square, for the engine."""

from __future__ import annotations

from array import array

from alfil.game import engine_interface
from alfil.game.compiled_variant import CompiledVariant, effect_range, immobilises_in_arrival_order
from alfil.game.move_layout import (
    APART_CLASS_SHIFTS,
    CLASS_BY_ENGINE_SHIFT,
    ListPool,
    MoveLayout,
    engine_nodes,
    promotion_counts_code,
)
from alfil.game.square_sections import clip_section
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, VACANT
from alfil.meaning.piece_meaning import Fact
from alfil.tables.moves_with_effects import EFFECT_TARGETS

_UNCHANGED = promotion_counts_code(1, 1)


def lay_out_effects_with_max_range_size(
    compiled: CompiledVariant, move_layout: MoveLayout, pool: ListPool
) -> tuple[list[int], int]:
    """The list of effects by piece × size + square, and the most squares one effect reaches."""
    result, most = [0] * (compiled.wall * compiled.size), 0
    for piece in range(1, compiled.wall):
        for square in range(compiled.size) if compiled.effects[piece] else ():
            effects: list[int] = []
            for fact in compiled.effects[piece]:
                first = move_layout.behind
                ends = _add_range_nodes_and_count_squares(
                    compiled, move_layout, pool, fact, (piece, square)
                )
                number = int(str(fact.values[3])) if immobilises_in_arrival_order(fact) else 0
                effects += [effect_code(fact), first, move_layout.behind, number]
                most = max(most, ends)
            result[piece * compiled.size + square] = pool.put_list(effects)
    return result, most


def _add_range_nodes_and_count_squares(
    compiled: CompiledVariant,
    move_layout: MoveLayout,
    pool: ListPool,
    fact: Fact,
    piece_and_square: tuple[int, int],
) -> int:
    """Add the nodes that capture in the range of an effect; returns their number of squares."""
    piece, square = piece_and_square
    side = (piece - 1) % 2
    classes = _classes_seen_by_effect(fact, side)
    if compiled.kinds[(piece - 1) >> 1].blocked_by:
        classes |= dict.fromkeys(APART_CLASS_SHIFTS, FRIEND)
    squares: set[int] = set()
    for section in compiled.sections(effect_range(fact), piece):
        square_moves = clip_section(
            section,
            compiled.file_and_rank(square),
            compiled.footprints.anchor_square_area(piece),
            second=side == 1,
        )
        taken = array("i", [pool.put_list(end.captures) for end in square_moves.ends])
        # What is in range is captured by what does not change.
        arriving = array("i", [_UNCHANGED]) * len(taken)
        nodes = engine_nodes(square_moves, classes, arriving)
        move_layout.append_nodes({"nodes": nodes, "taken": taken})
        squares.update(square_moves.targets)
    return len(squares)


def effect_code(fact: Fact) -> int:
    """The engine's code of an effect: what it does to pieces in its range."""
    if immobilises_in_arrival_order(fact):
        when = fact.values[2]
        return engine_interface.SEIZES * (when != "passive") | engine_interface.CATCHES * (
            when != "active"
        )
    if fact.name == "immobilises":
        return engine_interface.FREEZES
    burns = fact.name == "burns" and fact.values[2] != "passive"
    return engine_interface.BURNS * burns | engine_interface.SINGES * (fact.values[2] != "active")


def _classes_seen_by_effect(fact: Fact, side: int) -> dict[int, int]:
    """The square classes as an effect of a side's piece sees them.

    What it is about can be captured, and all else is in its way.
    """
    about = EFFECT_TARGETS[str(fact.values[1])]
    result = {}
    for shift, standing in CLASS_BY_ENGINE_SHIFT[side].items():
        if standing not in {ENEMY, ROYAL, FRIEND}:
            result[shift] = VACANT
        elif standing in about:
            result[shift] = ROYAL if standing == ROYAL else ENEMY
        else:
            result[shift] = FRIEND
    return result
