"""What a piece does to others in its range: which it reaches, and what it burns after a move."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, VACANT
from alfil.meaning.piece import Condition, ConditionKind, Fact, Meaning
from alfil.tables.scene import Offset, Scene
from alfil.tables.walking import PieceMove, moves_in

if TYPE_CHECKING:
    from alfil.meaning.piece import Value

# The classes of the pieces that an effect on a side is about.
AFFECTED = {
    "enemies": frozenset({ENEMY, ROYAL}),
    "friends": frozenset({FRIEND}),
    "all": frozenset({ENEMY, ROYAL, FRIEND}),
}

# The conditions around an effect that count moves or turns.
COUNTED: dict[str, ConditionKind] = {"move": "move", "every": "every", "turn": "turn"}


def struck(reach: Meaning, scene: Scene, side: str) -> frozenset[Offset]:
    """The pieces of a side that a range reaches: those it could capture; others stand in its way.

    >>> from alfil.api import read
    >>> scene = Scene(5, 5, (2, 2), {(2, 3): ENEMY, (3, 2): FRIEND})
    >>> struck(read("K").meaning, scene, "enemies"), struck(read("K").meaning, scene, "friends")
    (frozenset({(0, 1)}), frozenset({(1, 0)}))
    """
    affected = AFFECTED[side]
    seen = {
        at: (ROYAL if standing == ROYAL else ENEMY) if standing in affected else FRIEND
        for at, standing in scene.contents.items()
        if standing != VACANT
    }
    found = moves_in(reach, replace(scene, contents=seen, trail={}))
    return frozenset(taken for move in found for taken in move.captures)


def with_burns(
    facts: Iterable[Fact], scene: Scene, moves: Iterable[PieceMove]
) -> frozenset[PieceMove]:
    """The moves of a piece, each with what it burns where it ends."""
    burns = [fact.values for fact in facts if _burns(fact, scene)]
    return frozenset(_burning(move, scene, burns) for move in moves) if burns else frozenset(moves)


def _burns(fact: Fact, scene: Scene) -> bool:
    """Whether a fact is that it burns after a move like this one."""
    if fact.name != "burns" or fact.values[2] == "passive":
        return False
    told = (str(each).partition(" ") for each in fact.values[4:])
    guard = tuple(
        Condition(COUNTED[kind], int(number))
        for kind, _, number in told
        if kind in COUNTED and number.isdigit()
    )
    return scene.holds(guard)


def _burning(move: PieceMove, scene: Scene, burns: list[tuple[Value, ...]]) -> PieceMove:
    """A move with all that is burnt on the squares around its end."""
    after = _after(move, scene)
    found: set[Offset] = set()
    for reach, side, *_ in burns:
        assert isinstance(reach, Meaning)
        found |= struck(reach, after, str(side))
    burnt = sorted((move.to[0] + x, move.to[1] + y) for x, y in found)
    own = [at for at in burnt if scene.contents.get(_square(scene, at)) == FRIEND]
    if not burnt:
        return move
    captures, own_captures = (*move.captures, *burnt), (*move.own_captures, *own)
    return replace(move, captures=captures, own_captures=own_captures)


def _after(move: PieceMove, scene: Scene) -> Scene:
    """The position once a move has been made."""
    contents = dict(scene.contents)
    gone = [scene.at, *(_square(scene, at) for at in move.captures)]
    for square in gone:
        contents.pop(square, None)
    if move.partner:
        came, went = (_square(scene, at) for at in move.partner)
        contents[went] = contents.pop(came, FRIEND)
    return replace(scene, at=_square(scene, move.to), contents=contents, trail={})


def _square(scene: Scene, offset: Offset) -> tuple[int, int]:
    return scene.at[0] + offset[0], scene.at[1] + offset[1]
