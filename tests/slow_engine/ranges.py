"""Which pieces stand in whose range, and which ones hold others so that they cannot move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from alfil.game.compiled_variant import EngineMove, effect_range, immobilises_in_arrival_order
from alfil.game.position import HeldSquares
from alfil.meaning.piece_meaning import Fact, footprint_of
from alfil.tables.moves_with_effects import pieces_in_range
from slow_engine.sight import View

if TYPE_CHECKING:
    from slow_engine.position import Position


def is_frozen(position: Position, square: int) -> bool:
    """Whether a piece cannot move: one holds it, or immobilises whatever is in its range."""
    if not position.plan.freezing:
        return False
    return any(held == square for _, held in position.holds) or any(
        square in in_range(position, at, fact)
        for at, fact in having(position, {"immobilises"})
        if at != square and not immobilises_in_arrival_order(fact)
    )


def holds_after(position: Position, act: EngineMove) -> HeldSquares:
    """Which pieces hold which others after a move that has just been made.

    A piece is held until it is out of range, or the one that holds it moves or is gone. By its own
    move a piece may take hold of what is then in its range, by theirs of what comes there; of more
    than it can hold at once it holds the nearest, and of these the ones farthest forward, then
    left.
    """
    came = {act.target, *act.partner[1:]}
    touched = came | {act.origin, *act.partner, *act.captures, *(at for at, _ in act.changes)}
    found: list[tuple[int, int]] = []
    for at, fact in having(position, {"immobilises"}):
        if not immobilises_in_arrival_order(fact):
            continue
        when, most = fact.values[2], int(str(fact.values[3]))
        reach = in_range(position, at, fact)
        held = [square for square in reach if (at, square) in position.holds]
        held = [] if at in touched else [square for square in held if square not in touched]
        if at in came and when != "passive":
            held = _nearest(position, at, reach)
        elif at not in came and when != "active":
            held += [square for square in reach if square in came]
        found += ((at, square) for square in (held[:most] if most else held))
    return tuple(sorted(set(found)))


def _nearest(position: Position, square: int, others: Iterable[int]) -> list[int]:
    """Squares from the nearest to one on, as the piece there sees them: forward, then left."""
    view = View(position.plan, (position.board[square] - 1) % 2)
    x, y = view.turned(square)

    def order(other: int) -> tuple[int, int, int]:
        dx, dy = view.turned(other)[0] - x, view.turned(other)[1] - y
        return (max(abs(dx), abs(dy)), -dy, dx)

    return sorted(others, key=order)


def having(position: Position, names: set[str]) -> Iterator[tuple[int, Fact]]:
    """The pieces on the board with effects of these names."""
    for square, piece in enumerate(position.board):
        for fact in position.plan.effects[piece] if piece < position.plan.wall else ():
            if fact.name in names:
                yield square, fact


def in_range(position: Position, square: int, fact: Fact) -> list[int]:
    """The squares of the pieces that an effect of the piece on a square reaches."""
    view = View(position.plan, (position.board[square] - 1) % 2)
    scene = view.scene(position, square)
    body = footprint_of(position.plan.kinds[(position.board[square] - 1) >> 1].meaning.facts)
    there = pieces_in_range(effect_range(fact), scene, str(fact.values[1]), body)
    owners = position.owners
    found = sorted({owners[view.number(scene.at, at)] for at in there})
    return [at for at in found if position.board[at] < position.plan.wall]
