"""Which pieces may hold others so that these cannot move, for texts that tell who holds whom."""

from __future__ import annotations

from collections.abc import Iterator

from alfil.game.plan import UNKNOWN, Plan, holds
from alfil.game.position import Position
from alfil.meaning.piece import Fact, Meaning, body_of
from alfil.squares import Square
from alfil.tables.effects import struck
from alfil.tables.scene import Scene


def holdable(position: Position, square: int) -> Iterator[tuple[frozenset[int], int]]:
    """What a piece may hold by each of its effects: squares in range, and how many (0 for all)."""
    piece = position.board[square]
    for fact in position.plan.effects[piece] if piece < position.plan.wall else ():
        if fact.name == "immobilises" and holds(fact):
            yield frozenset(_in_range(position, square, fact)), int(str(fact.values[3]))


def _in_range(position: Position, square: int, fact: Fact) -> list[int]:
    """The squares of the pieces that an effect of the piece on a square reaches."""
    reach, side, *_ = fact.values
    assert isinstance(reach, Meaning)
    plan, mover = position.plan, (position.board[square] - 1) % 2
    scene = _scene(position, square)
    x, y = scene.at
    body = body_of(plan.kinds[(position.board[square] - 1) >> 1].meaning.facts)
    found = struck(reach, scene, str(side), body)
    there = {plan.square(_turned(plan, mover, (x + dx, y + dy))) for dx, dy in found}
    return [at for at, piece in position.standing if there & {*plan.bodies.cells(piece, at)}]


def _scene(position: Position, square: int) -> Scene:
    """The position as the piece on a square sees it."""
    plan, piece = position.plan, position.board[square]
    mover, classes = (piece - 1) % 2, plan.views[piece]

    def seen(at: int) -> Square:
        return _turned(plan, mover, plan.at(at))

    walls = [(at, there) for at, there in enumerate(position.board) if there == plan.wall]
    others = [each for each in position.standing if each[0] != square]
    contents = {seen(at): classes[there] for at, there in walls}
    contents |= {
        seen(at): classes[there] for one, there in others for at in plan.bodies.cells(there, one)
    }
    unmoved = [seen(at) for at, _ in position.standing if position.made[at] == 0]
    made = position.made[square]
    count = None if made == UNKNOWN else max(made, 0)
    past = (count, plan.third_rank(piece, square), True, position.turn_of(mover))
    return Scene(plan.files, plan.ranks, seen(square), contents, unmoved, {}, *past)


def _turned(plan: Plan, side: int, at: Square) -> Square:
    """A square as a side counts, or back."""
    return (plan.files - 1 - at[0], plan.ranks - 1 - at[1]) if side else at
