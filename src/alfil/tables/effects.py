"""What a piece does beside the ways of its moves: all that it takes up, and what it burns there.

A piece of several squares captures with each of them. What is in the range of an effect is what the
piece could capture there; `struck` tells it for whatever the effect is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, VACANT
from alfil.meaning.piece import Body, Fact, Meaning, around, body_of
from alfil.tables.bodies import as_seen, pieces_on
from alfil.tables.scene import Offset, Scene
from alfil.tables.walking import PieceMove, moves_in

# The classes of the pieces that an effect on a side is about.
AFFECTED = {
    "enemies": frozenset({ENEMY, ROYAL}),
    "friends": frozenset({FRIEND}),
    "all": frozenset({ENEMY, ROYAL, FRIEND}),
}
ONE_SQUARE: Body = ((0, 0),)


def moves_of(meaning: Meaning, scene: Scene) -> frozenset[PieceMove]:
    """All moves of a piece in a scene, with all that it takes up, and all that it burns.

    Raises `BoardError` where it does not fit there.
    """
    return with_facts(meaning.facts, scene, lambda seen: moves_in(meaning, seen))


def with_facts(
    facts: Iterable[Fact], scene: Scene, find: Callable[[Scene], Iterable[PieceMove]]
) -> frozenset[PieceMove]:
    """The moves of a piece by what is true of it: with all it takes up, and all it burns.

    ``find`` tells those of a piece of one square. Raises `BoardError` where it does not fit there.
    """
    facts = tuple(facts)
    body = body_of(facts)
    burns = [fact for fact in facts if _burns(fact, scene)]
    found = find(as_seen(scene, body))
    if len(body) > 1:
        found = (_whole(move, scene, body) for move in found)
    if burns:
        found = (_burning(move, scene, body, burns) for move in found)
    return frozenset(found)


def _whole(move: PieceMove, scene: Scene, body: Body) -> PieceMove:
    """A move with all pieces that it captures or passes, not the squares that stand for them."""
    captures = pieces_on(move.captures, scene, body)
    hurdles = pieces_on(move.hurdles, scene, body)
    return replace(move, captures=captures, own_captures=_own(captures, scene), hurdles=hurdles)


def _own(captures: Iterable[Offset], scene: Scene) -> tuple[Offset, ...]:
    return tuple(at for at in captures if scene.contents.get(_square(scene, at)) == FRIEND)


def struck(reach: Meaning, scene: Scene, side: str, body: Body = ONE_SQUARE) -> frozenset[Offset]:
    """The pieces of a side that a range reaches: those it could capture; others stand in its way.

    >>> from alfil.api import read
    >>> scene = Scene(5, 5, (2, 2), {(2, 3): ENEMY, (3, 2): FRIEND})
    >>> struck(read("K").meaning, scene, "enemies"), struck(read("K").meaning, scene, "friends")
    (frozenset({(0, 1)}), frozenset({(1, 0)}))
    """
    affected = AFFECTED[side]
    contents = {
        at: (ROYAL if standing == ROYAL else ENEMY) if standing in affected else FRIEND
        for at, standing in scene.contents.items()
        if standing != VACANT
    }
    if set(contents.values()) <= {FRIEND}:
        return frozenset()
    turned = replace(scene, contents=contents, trail={})
    found = moves_in(reach, as_seen(turned, body), quiet=False)
    taken = {at for move in found for at in move.captures}
    return frozenset(pieces_on(taken, turned, body))


def _burns(fact: Fact, scene: Scene) -> bool:
    """Whether a fact is that it burns after a move like this one."""
    if fact.name != "burns" or fact.values[2] == "passive":
        return False
    guard, _ = around(fact.values[4:])
    return scene.holds(guard)


def _burning(move: PieceMove, scene: Scene, body: Body, burns: Iterable[Fact]) -> PieceMove:
    """A move with all that is burnt on the squares around its end."""
    found: set[Offset] = set()
    for fact in burns:
        reach, side, *_ = fact.values
        assert isinstance(reach, Meaning)
        found |= struck(reach, _after(move, scene), str(side), body)
    if not found:
        return move
    burnt = tuple(sorted((move.to[0] + x, move.to[1] + y) for x, y in found))
    own = (*move.own_captures, *_own(burnt, scene))
    return replace(move, captures=(*move.captures, *burnt), own_captures=own)


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
