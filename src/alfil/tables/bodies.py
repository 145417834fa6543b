"""Pieces of several squares: what they see on a board, and what they capture there.

Such a piece moves as one. Its square is the near left one of those it takes up, and what stands on
a square is for it what stands on all that it would take up there. So its moves are those of a piece
of one square on a board on which every square stands for so many.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from alfil.errors import BoardError, refuse
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL
from alfil.meaning.piece import Body
from alfil.source import Source
from alfil.squares import Square, square_name
from alfil.tables.scene import Offset, Scene

# Of several pieces in its way, the one that says what it can do there: first those of no class,
# which it neither passes nor captures.
FOREMOST = (0, FRIEND, ROYAL, ENEMY)


def as_seen(scene: Scene, body: Body) -> Scene:
    """A position in which every square holds what stands on all that the piece takes up there.

    Raises `BoardError` where the piece does not fit where it stands.
    """
    if len(body) == 1:
        return scene
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


def pieces_on(places: Iterable[Offset], scene: Scene, body: Body) -> tuple[Offset, ...]:
    """The pieces that squares stand for, which are as many as a piece takes up there."""
    squares = (_cells((scene.at[0] + x, scene.at[1] + y), body) for x, y in places)
    there = dict.fromkeys(at for each in squares for at in sorted(each & scene.contents.keys()))
    return tuple((x - scene.at[0], y - scene.at[1]) for x, y in there)


def _cells(at: Square, body: Body) -> set[Square]:
    return {(at[0] + x, at[1] + y) for x, y in body}


def _fail(kind: str, message: str, at: Square) -> None:
    name = square_name(*at)
    refuse(BoardError, kind, message, Source(name, "<board>"), hint="name another square")
