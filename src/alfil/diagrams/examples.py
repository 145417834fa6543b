"""Worked examples: a small position that shows how a piece hops or captures on its way.

Pieces are put where the marks say that something is passed, until a move does so: one for each
kind of passing, each in a direction of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import gcd

from alfil.diagrams.lines import lines_of
from alfil.diagrams.signs import direction
from alfil.diagrams.subjects import Diagram, Marks, Offset, Passed, around
from alfil.diagrams.walk import marks_in, marks_of, standing_in
from alfil.errors import BoardError
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL
from alfil.meaning.piece import Meaning
from alfil.tables.scene import Scene
from alfil.tables.walking import PieceMove, moves_in

# The smallest board on which something is passed is taken.
RADII = (3, 4, 6)
# What may stand on a square that is passed, the likeliest first.
STANDS = {
    Passed.HURDLE: (FRIEND, ENEMY, ROYAL),
    Passed.VICTIM: (ENEMY, ROYAL),
    Passed.OWN_VICTIM: (FRIEND,),
}
# Pieces are best seen two squares away.
BEST_DISTANCE = 2
# So many squares are tried for each kind.
MOST_TRIED = 12


def example_of(diagram: Diagram) -> Diagram | None:
    """A position that shows what a piece does to others on its way; None where it passes none.

    Boards and positions have none: there the picture itself shows it.
    """
    kinds = [kind for kind in STANDS if _passes(diagram.marks, kind)]
    if diagram.marks.window.ranks or diagram.marks.standing or not kinds:
        return None
    for radius in RADII:
        general = marks_of(diagram.meaning, around(radius))
        scene = Scene(2 * radius + 1, 2 * radius + 1, (radius, radius), wraps=False)
        for kind in kinds:
            scene = _shown(diagram.meaning, scene, general, kind)
        if scene.contents:
            return _in_position(diagram, scene, general)
    return None


def _passes(marks: Marks, kind: int) -> list[Offset]:
    return [at for at, mark in marks.squares.items() if mark.passed & kind]


def _in_position(diagram: Diagram, scene: Scene, general: Marks) -> Diagram:
    standing = standing_in(scene)
    found = moves_in(diagram.meaning, scene)
    guards = {move.guard for move in found}
    lines = lines_of(diagram.meaning, general.window, standing, guards)
    marks = marks_in(standing, found, general, lines)
    return replace(diagram, marks=marks, lines=lines)


def _shown(meaning: Meaning, scene: Scene, general: Marks, kind: int) -> Scene:
    """The scene with pieces more that show one kind of passing, where that is possible."""
    before = _moves(meaning, scene)
    shown = {each for each in before if each.captures or each.hurdles}
    for pieces in _placed(scene, general, kind):
        (at, _), *_ = pieces.items()
        x, y = scene.at
        contents = {(x + dx, y + dy): stands for (dx, dy), stands in pieces.items()}
        tried = replace(scene, contents={**scene.contents, **contents})
        found = _moves(meaning, tried)
        if shown <= found and any(_is_passed(move, at, kind) for move in found):
            return tried
    return scene


def _moves(meaning: Meaning, scene: Scene) -> frozenset[PieceMove]:
    try:
        return moves_in(meaning, scene)
    except BoardError:
        return frozenset()


def _is_passed(move: PieceMove, at: Offset, kind: int) -> bool:
    """Whether a move does that to the piece on a square, on its way."""
    if kind == Passed.HURDLE:
        return at in move.hurdles
    own = at in move.own_captures
    return at in move.captures and at != move.to and own == (kind == Passed.OWN_VICTIM)


def _placed(scene: Scene, general: Marks, kind: int) -> Iterator[Mapping[Offset, int]]:
    """What to put on the board: something to pass, then also something to capture beyond it."""
    x, y = scene.at
    taken = {(file - x, rank - y) for file, rank in scene.contents}
    used = set(map(_towards, taken))

    def worth(at: Offset) -> tuple[bool, int, int, Offset]:
        # Beginning on the right, clockwise.
        distance = abs(max(map(abs, at)) - BEST_DISTANCE)
        return _towards(at) in used, distance, (direction(at) - 2) % 8, at

    squares = sorted((at for at in _passes(general, kind) if at not in taken), key=worth)
    for at in squares[:MOST_TRIED]:
        for stands in STANDS[kind]:
            yield {at: stands}
    for at in squares[:MOST_TRIED]:
        beyond = sorted(
            (to for to, mark in general.squares.items() if mark.ways and to not in {(0, 0), at}),
            key=lambda to: (_towards(to) != _towards(at), _apart(at, to), to),
        )
        for to in beyond[:MOST_TRIED]:
            for stands in STANDS[kind]:
                yield {at: stands, to: ENEMY}


def _towards(at: Offset) -> Offset:
    times = gcd(*at)
    return at[0] // times, at[1] // times


def _apart(one: Offset, other: Offset) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
