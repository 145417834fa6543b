"""Worked examples: a small position that shows how a piece hops or captures on its way.

Pieces are put where the marks say that something is passed, until a move does so: for each kind of
passing once, each in a direction of its own. Where a move may capture both on its way and at its
end, that is shown as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import gcd
from typing import NamedTuple

from alfil.diagrams.lines import lines_of
from alfil.diagrams.signs import direction
from alfil.diagrams.subjects import Asks, Diagram, Ends, Marks, Offset, Passed, around
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
# So many pieces in a row are tried for those that pass several.
LONGEST_ROW = 5


class _Feat(NamedTuple):
    """What an example is to show: a kind of passing, and whether the move ends with a capture.

    None where it makes no difference how it ends.
    """

    kind: int
    captures: bool | None = None

    def shown_by(self, move: PieceMove, at: Offset | None = None) -> bool:
        """Whether a move does that, to the piece on a certain square if one is given."""
        if self.captures is not None and self.captures != (move.to in move.captures):
            return False
        passed = move.hurdles if self.kind == Passed.HURDLE else _taken_on_the_way(move, self.kind)
        return at in passed if at else bool(passed)


def _taken_on_the_way(move: PieceMove, kind: int) -> set[Offset]:
    own = set(move.own_captures)
    taken = own if kind == Passed.OWN_VICTIM else set(move.captures) - own
    return taken - {move.to}


def example_of(diagram: Diagram) -> Diagram | None:
    """A position that shows what a piece does to others on its way; None where it passes none.

    Boards and positions have none: there the picture itself shows it.
    """
    feats = [*_feats(diagram.marks)]
    if diagram.marks.window.ranks or diagram.marks.standing or not feats:
        return None
    for radius in RADII:
        general = marks_of(diagram.meaning, around(radius))
        scene = Scene(2 * radius + 1, 2 * radius + 1, (radius, radius), wraps=False)
        for feat in feats:
            scene = _shown(diagram.meaning, scene, general, feat)
        if scene.contents:
            return _in_position(diagram, scene, general)
    return None


def _feats(marks: Marks) -> Iterator[_Feat]:
    """What there is to show of a piece, a move that captures twice before all else."""
    ends = 0
    for mark in marks.squares.values():
        for way in mark.ways:
            ends |= way.ends if way.asks & Asks.LOCUST else 0
    for kind in STANDS:
        if _passes(marks, kind):
            if kind != Passed.VICTIM or not ends:
                yield _Feat(kind)
            if kind == Passed.VICTIM and ends & (Ends.CAPTURE | Ends.ROYAL):
                yield _Feat(kind, captures=True)
            if kind == Passed.VICTIM and ends & Ends.MOVE:
                yield _Feat(kind, captures=False)


def _passes(marks: Marks, kind: int) -> list[Offset]:
    return [at for at, mark in marks.squares.items() if mark.passed & kind]


def _in_position(diagram: Diagram, scene: Scene, general: Marks) -> Diagram:
    standing = standing_in(scene)
    found = moves_in(diagram.meaning, scene)
    guards = {move.guard for move in found}
    lines = lines_of(diagram.meaning, general.window, standing, guards)
    marks = marks_in(standing, found, general, lines)
    return replace(diagram, marks=marks, lines=lines)


def _shown(meaning: Meaning, scene: Scene, general: Marks, feat: _Feat) -> Scene:
    """The scene with pieces more that show a feat, where that is needed and possible."""
    before = _moves(meaning, scene)
    if any(map(feat.shown_by, before)):
        return scene
    shown = {each for each in before if each.captures or each.hurdles}
    for pieces in _placed(scene, general, feat):
        (at, _), *_ = pieces.items()
        x, y = scene.at
        contents = {(x + dx, y + dy): stands for (dx, dy), stands in pieces.items()}
        tried = replace(scene, contents={**scene.contents, **contents})
        found = _moves(meaning, tried)
        if shown <= found and any(feat.shown_by(move, at) for move in found):
            return tried
    return scene


def _moves(meaning: Meaning, scene: Scene) -> frozenset[PieceMove]:
    try:
        return moves_in(meaning, scene)
    except BoardError:
        return frozenset()


def _placed(scene: Scene, general: Marks, feat: _Feat) -> Iterator[Mapping[Offset, int]]:
    """What to put on the board: something to pass, then also something beyond it, then a row."""
    x, y = scene.at
    taken = {(file - x, rank - y) for file, rank in scene.contents}
    used = set(map(_towards, taken))

    def worth(at: Offset) -> tuple[bool, int, int, Offset]:
        # Beginning on the right, clockwise.
        distance = abs(max(map(abs, at)) - BEST_DISTANCE)
        return _towards(at) in used, distance, (direction(at) - 2) % 8, at

    squares = sorted((at for at in _passes(general, feat.kind) if at not in taken), key=worth)
    for at in squares[:MOST_TRIED]:
        for stands in () if feat.captures else STANDS[feat.kind]:
            yield {at: stands}
    for at in squares[:MOST_TRIED]:
        beyond = sorted(
            (to for to, mark in general.squares.items() if mark.ways and to not in {(0, 0), at}),
            key=lambda to: (_towards(to) != _towards(at), _apart(at, to), to),
        )
        for to in beyond[:MOST_TRIED]:
            for stands in STANDS[feat.kind]:
                yield {at: stands, to: ENEMY}

    for row in _rows(squares[:MOST_TRIED], general):
        yield dict.fromkeys(row, STANDS[feat.kind][0])


def _rows(squares: list[Offset], general: Marks) -> Iterator[list[Offset]]:
    """From every square outwards three squares in a row, and more."""
    for x, y in squares:
        dx, dy = _towards((x, y))
        row = [(x + number * dx, y + number * dy) for number in range(LONGEST_ROW)]
        inside = [each for each in row if general.window.shows(each)]
        yield from (inside[:many] for many in range(3, len(inside) + 1))


def _towards(at: Offset) -> Offset:
    times = gcd(*at)
    return at[0] // times, at[1] // times


def _apart(one: Offset, other: Offset) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
