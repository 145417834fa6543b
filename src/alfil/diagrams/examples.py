"""Worked examples: a small position that shows how a piece hops or captures on its way.

Pieces are put where the marks say that something is passed, until a move does so: for each kind of
passing once, each in a direction of its own. Where a move may capture both on its way and at its
end, that is shown as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from itertools import islice
from math import gcd
from operator import or_

from alfil.diagrams.jumped import as_drawn
from alfil.diagrams.onward import manner_of
from alfil.diagrams.signs import direction
from alfil.diagrams.subjects import (
    Asks,
    Diagram,
    Ends,
    LineKind,
    Lines,
    Marks,
    Offset,
    Passed,
    Window,
)
from alfil.diagrams.view import marked
from alfil.diagrams.walk import marks_near
from alfil.effort import remembered, task
from alfil.errors import BoardError
from alfil.frozen import NamedTuple
from alfil.meaning import automaton as masks
from alfil.meaning.automaton import ENEMY, FRIEND, HOME, ROYAL, State
from alfil.meaning.piece import Meaning
from alfil.squares import Square
from alfil.tables.effects import with_facts
from alfil.tables.scene import Scene
from alfil.tables.walking import Apart, PieceMove, moves_apart, moves_in

# The smallest board on which something is passed is taken.
RADII = (3, 4, 6)
# What may stand on a square that is passed, the likeliest first.
STANDS = {
    Passed.HURDLE: (FRIEND, ENEMY, ROYAL),
    Passed.VICTIM: (ENEMY, ROYAL),
    Passed.OWN_VICTIM: (FRIEND,),
}
SHOWN = reduce(or_, STANDS)
# Pieces are best seen two squares away.
BEST_DISTANCE = 2
# So many squares are tried for each kind.
MOST_TRIED = 12
# So many pieces in a row are tried for those that pass several.
LONGEST_ROW = 5


# A position is looked for until the records of the piece's states have been gone through so often,
# about twice as much as any piece needs that somebody has drawn.
MOST_RECORDS = 1_500


# All in all it is looked for with so much work.
MOST_WORK = 30_000


class _NoneFound(Exception):
    """No position was found with the work it may take."""


NO_MOVES = Apart(frozenset(), {})


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
    feats = tuple(_feats(_told(diagram.marks)))
    if diagram.marks.window.ranks or diagram.marks.standing or not feats:
        return None
    try:
        with task(MOST_WORK, _NoneFound):
            found = _position(diagram.meaning, feats, diagram.marks.window)
    except _NoneFound:
        return None
    return replace(diagram, marks=found[0], lines=found[1]) if found else None


# A picture in several formats has one example.
@remembered(maxsize=256)
def _position(
    meaning: Meaning, feats: tuple[_Feat, ...], known: Window
) -> tuple[Marks, Lines] | None:
    """The marks and lines of a position with all feats, as far as the largest board has room.

    ``known`` is the window of the picture.
    """
    for radius in RADII:
        general = marks_near(meaning, radius, known)
        if radius < RADII[-1] and not _has_room(general, feats):
            continue
        scene = Scene(2 * radius + 1, 2 * radius + 1, (radius, radius), wraps=False)
        found = NO_MOVES
        for feat in feats:
            scene, found = _shown(meaning, (scene, found), general, feat)
        if scene.contents:
            return marked(meaning, general, scene, found)
    return None


def _has_room(general: Marks, feats: tuple[_Feat, ...]) -> bool:
    told = _told(general)
    hops = any(feat.kind == Passed.HURDLE for feat in feats)
    return {*feats} <= {*_feats(told)} and bool(told.over or not hops)


class _Told(NamedTuple):
    """What marks tell of what a piece does to others: what it passes, how moves end after that.

    ``over`` are the ends of moves over hurdles, ``after`` those of moves that capture on the way.
    """

    passed: int
    over: int
    after: int


def _told(marks: Marks) -> _Told:
    passed = over = after = 0
    kinds = [mark for mark, _ in marks.alike]
    if (0, 0) in marks.squares:
        kinds.append(marks.squares[0, 0])
    for mark in kinds:
        passed |= mark.passed
    if passed & SHOWN:
        for mark in kinds:
            for ends, asks, _ in mark.ways:
                over |= ends if asks & Asks.HURDLE else 0
                after |= ends if asks & Asks.LOCUST else 0
    return _Told(passed, over, after)


def _feats(told: _Told) -> Iterator[_Feat]:
    """What there is to show of a piece, a move that captures twice before all else."""
    passed, over, after = told
    for kind in STANDS if passed & SHOWN else ():
        if not passed & kind:
            continue
        if kind != Passed.VICTIM or not after:
            never_quiet = kind == Passed.HURDLE and over and not over & Ends.MOVE
            yield _Feat(kind, captures=True if never_quiet else None)
            continue
        if after & TAKES:
            yield _Feat(kind, captures=True)
        if after & Ends.MOVE:
            yield _Feat(kind, captures=False)


TAKES = Ends.CAPTURE | Ends.ROYAL


def _passes(marks: Marks, kind: int) -> list[Offset]:
    return [at for mark, squares in marks.alike if mark.passed & kind for at in squares]


def _shown(
    meaning: Meaning, position: tuple[Scene, Apart], general: Marks, feat: _Feat
) -> tuple[Scene, Apart]:
    """A scene with pieces more that show a feat, where that is needed and possible; its moves."""
    scene, before = position
    if any(map(feat.shown_by, before.others)):
        return position
    shown = {each for each in before.others if each.captures or each.hurdles}
    records = sum(len(state) for _, each in meaning.parts for state in each.states)
    tries = max(1, MOST_RECORDS // records)
    straight = feat.captures and all(_is_straight(each.states) for _, each in meaning.parts)
    for pieces in islice(_placed(scene, general, feat, _fewest(meaning)), tries):
        at = next(iter(pieces))
        x, y = scene.at
        contents = {(x + dx, y + dy): stands for (dx, dy), stands in pieces.items()}
        contents = {**scene.contents, **contents}
        if straight and not _stands_beyond(at, contents, scene.at):
            continue
        tried = Scene(scene.files, scene.ranks, scene.at, contents, wraps=False)
        found = _moves(meaning, tried)
        if shown <= found.others and any(feat.shown_by(move, at) for move in found.others):
            return tried, found
    return position


def _moves(meaning: Meaning, scene: Scene) -> Apart:
    """The moves in a position, with all squares that the piece takes up; what it burns is left out.

    None where something stands on one of these squares, and where there are too many.
    """
    meaning = as_drawn(meaning)
    sizes = [fact for fact in meaning.facts if fact.name == "size"]
    try:
        if not sizes:
            return moves_apart(meaning, scene)
        return Apart(with_facts(sizes, scene, lambda seen: moves_in(meaning, seen)), {})
    except BoardError:
        return NO_MOVES


def _is_straight(states: Sequence[State]) -> bool:
    """Whether every way goes on as its first step goes, and ends elsewhere than at home."""
    led: dict[int, Offset] = {}
    queue = [0]
    for index in queue:
        for dx, dy, _, _, passes in states[index]:
            towards = _towards((dx, dy)) if dx or dy else None
            if towards is None or (index and towards != led[index]):
                return False
            for _, target in passes:
                if target not in led:
                    led[target] = towards
                    queue.append(target)
                elif towards != led[target]:
                    return False
    return 0 not in led or all(_towards(record[:2]) == led[0] for record in states[0])


def _stands_beyond(at: Offset, contents: Mapping[Square, int], home: Square) -> bool:
    """Whether something stands beyond a square, in a line with it from home."""
    others = ((file - home[0], rank - home[1]) for file, rank in contents)
    return any(_towards(each) == _towards(at) and gcd(*each) > gcd(*at) for each in others)


def _fewest(meaning: Meaning) -> int:
    """How many pieces at least a way passes that passes some."""
    return min((_passed_by(automaton.states) for _, automaton in meaning.parts), default=1)


def _passed_by(states: Sequence[State]) -> int:
    here = {0}
    for number in range(LONGEST_ROW + 1):
        queue, beyond = [*here], set()
        for each in queue:
            for record in states[each]:
                if number and (record[3] or record[:3] == HOME):
                    return number
                for mask, target in record[4]:
                    if manner_of(mask) in QUIET and target not in here:
                        here.add(target)
                        queue.append(target)
                    elif mask & PASSING:
                        beyond.add(target)
        here = beyond
    return LONGEST_ROW


# A way goes on over nothing, or over whatever stands there; and over a piece that must stand there.
QUIET = (LineKind.PATH, LineKind.JUMP)
PASSING = masks.OVER_ANY | masks.TAKE_ANY | masks.TAKE_FRIEND


def _placed(
    scene: Scene, general: Marks, feat: _Feat, fewest: int
) -> Iterator[Mapping[Offset, int]]:
    """What to put on the board: something to pass, then also something beyond it, then a row.

    Where at least ``fewest`` pieces must be passed, more than one, a row comes first.
    """
    x, y = scene.at
    taken = {(file - x, rank - y) for file, rank in scene.contents}
    used = set(map(_towards, taken))

    squares = sorted((at for at in _passes(general, feat.kind) if at not in taken), key=_worth)
    squares.sort(key=lambda at: _towards(at) in used)
    squares, stands = squares[:MOST_TRIED], STANDS[feat.kind]
    if fewest == 1 and not feat.captures:
        yield from ({at: each} for at in squares for each in stands)
    rows = (dict.fromkeys(row, stands[0]) for row in _rows(squares, general, fewest))
    if fewest > 1:
        yield from rows
    for at, to in _pairs(squares, general):
        yield from ({at: each, to: ENEMY} for each in stands)
    yield from rows


@lru_cache(maxsize=256)
def _worth(at: Offset) -> tuple[int, int, Offset]:
    """How well a piece is seen on a square; beginning on the right, clockwise."""
    distance = abs(max(map(abs, at)) - BEST_DISTANCE)
    return distance, (direction(at) - 2) % 8, at


def _pairs(squares: list[Offset], general: Marks) -> Iterator[tuple[Offset, Offset]]:
    """Every square with others that a move may end on, the nearest in a line with it first."""
    ends = [to for to, mark in general.squares.items() if mark.ways and to != (0, 0)]
    for at in squares:
        others = sorted((_apart(at, to), to) for to in ends if to != at)
        others.sort(key=lambda each: _towards(each[1]) != _towards(at))
        yield from ((at, to) for _, to in others[:MOST_TRIED])


def _rows(squares: list[Offset], general: Marks, fewest: int) -> Iterator[list[Offset]]:
    """From every square outwards so many squares in a row, and more."""
    for x, y in squares:
        dx, dy = _towards((x, y))
        row = [(x + number * dx, y + number * dy) for number in range(LONGEST_ROW)]
        inside = [each for each in row if general.window.shows(each)]
        yield from (inside[:many] for many in range(max(2, fewest), len(inside) + 1))


@lru_cache(maxsize=256)
def _towards(at: Offset) -> Offset:
    times = gcd(*at)
    return at[0] // times, at[1] // times


def _apart(one: Offset, other: Offset) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
