"""Pieces of several squares: what they see on a board, and what they capture there.

Such a piece moves as one. Its square is the near left one of those it takes up, and what stands on
a square is for it what stands on all that it would take up there. So its moves are those of a piece
of one square on a board on which every square stands for so many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from alfil.errors import BoardError, refuse
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL
from alfil.meaning.piece import Body, Fact, body_of
from alfil.source import Source
from alfil.squares import Square, square_name
from alfil.tables.effects import with_burns
from alfil.tables.scene import Offset, Scene
from alfil.tables.walking import PieceMove

# Of several pieces in its way, the one that says what it can do there.
FOREMOST = (FRIEND, ROYAL, ENEMY)


def moves_of(
    facts: Iterable[Fact], scene: Scene, find: Callable[[Scene], Iterable[PieceMove]]
) -> frozenset[PieceMove]:
    """The moves of a piece by what is true of it: with all it takes up, and all it burns.

    ``find`` tells those of a piece of one square. Raises `BoardError` where it does not fit there.
    """
    facts = tuple(facts)
    body = body_of(facts)
    seen = scene if len(body) == 1 else _as_seen(scene, body)
    found = with_burns(facts, seen, find(seen))
    return found if len(body) == 1 else frozenset(_whole(move, scene, body) for move in found)


def _as_seen(scene: Scene, body: Body) -> Scene:
    """A position in which every square holds what stands on all that the piece takes up there."""
    home = _cells(scene.at, body)
    taken = sorted(home & scene.contents.keys())
    if taken:
        _fail("square-taken", f"the piece itself takes up {square_name(*taken[0])}", taken[0])
    files, ranks = room_for(body, scene)
    contents: dict[Square, int] = {}
    for (x, y), standing in scene.contents.items():
        for dx, dy in body:
            at = (x - dx, y - dy)
            if 0 <= at[0] < files and 0 <= at[1] < ranks:
                before = contents.get(at, standing)
                contents[at] = min(standing, before, key=FOREMOST.index)
    contents.pop(scene.at, None)
    seen = replace(scene, contents=contents, unmoved_friends=(), trail={})
    return replace(seen, files=files, ranks=ranks)


def room_for(body: Body, scene: Scene) -> tuple[int, int]:
    """The files and ranks on which a piece may have its square; `BoardError` for one off these.

    An open diagram has no edges, so that nothing sticks out there.
    """
    if not scene.wraps:
        return scene.files, scene.ranks
    wide, high = body[-1]
    files, ranks = scene.files - wide, scene.ranks - high
    if not (scene.at[0] < files and scene.at[1] < ranks):
        name = square_name(*scene.at)
        _fail("off-board", f"a piece of {wide + 1} by {high + 1} does not fit on {name}", scene.at)
    return files, ranks


def _whole(move: PieceMove, scene: Scene, body: Body) -> PieceMove:
    """A move with all pieces that it captures or passes, not the squares that stand for them."""

    def pieces(places: Iterable[Offset]) -> tuple[Offset, ...]:
        squares = (_cells((scene.at[0] + x, scene.at[1] + y), body) for x, y in places)
        there = dict.fromkeys(at for each in squares for at in sorted(each & scene.contents.keys()))
        return tuple((x - scene.at[0], y - scene.at[1]) for x, y in there)

    captures = pieces(move.captures)
    own = tuple(
        (x, y) for x, y in captures if scene.contents[scene.at[0] + x, scene.at[1] + y] == FRIEND
    )
    return replace(move, captures=captures, own_captures=own, hurdles=pieces(move.hurdles))


def _cells(at: Square, body: Body) -> set[Square]:
    return {(at[0] + x, at[1] + y) for x, y in body}


def _fail(kind: str, message: str, at: Square) -> None:
    name = square_name(*at)
    refuse(BoardError, kind, message, Source(name, "<board>"), hint="name another square")
