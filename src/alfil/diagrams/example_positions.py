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

from alfil.diagrams.diagram_content import marks_and_lines_in_position
from alfil.diagrams.diagram_model import (
    Arrival,
    Diagram,
    EndFlags,
    LineKind,
    Lines,
    Marks,
    Offset,
    PassageFlags,
    PathConditionFlags,
    Window,
)
from alfil.diagrams.move_continuations import pass_kind
from alfil.diagrams.signs import BOTH_ENDS, arrow_direction, family_of
from alfil.diagrams.split_jump_paths import with_jumps_split_off
from alfil.diagrams.square_marks import marks_near
from alfil.errors import BoardError
from alfil.frozen_dataclasses import NamedTuple
from alfil.meaning import automaton as masks
from alfil.meaning.automaton import ENEMY, FRIEND, HOME, ROYAL, State
from alfil.meaning.piece_meaning import Meaning
from alfil.squares import Square
from alfil.tables.board_context import BoardContext
from alfil.tables.move_generation import (
    PieceMove,
    SeparatedMoves,
    moves_in_context,
    separate_quiet_moves,
)
from alfil.tables.moves_with_effects import moves_with_effects
from alfil.work_limit import cached_with_work, limited_task

# The smallest board on which something is passed is taken.
EXAMPLE_RADII = (3, 4, 6)
# What may stand on a square that is passed, the likeliest first.
CLASSES_BY_PASSAGE = {
    PassageFlags.HURDLE: (FRIEND, ENEMY, ROYAL),
    PassageFlags.VICTIM: (ENEMY, ROYAL),
    PassageFlags.OWN_VICTIM: (FRIEND,),
}
ALL_SHOWN_PASSAGES = reduce(or_, CLASSES_BY_PASSAGE)
# Pieces are best seen two squares away.
BEST_DISTANCE = 2
# So many squares are tried for each kind.
MAX_SQUARES_TRIED = 12
# So many pieces in a row are tried for those that pass several.
MAX_ROW_LENGTH = 5

# A position is looked for until the records of the piece's states have been gone through so often,
# about twice as much as any piece needs that somebody has drawn.
MAX_RECORDS = 1_500

# All in all it is looked for with so much work.
MAX_WORK = 30_000


class _TooMuchExampleWork(Exception):
    """No position was found with the work it may take."""


NO_MOVES = SeparatedMoves(frozenset(), {})


class _ExampleFeature(NamedTuple):
    """What an example is to show: a kind of passing, and whether the move ends with a capture.

    None where it makes no difference how it ends.
    """

    kind: int
    captures: bool | None = None

    def is_shown_by(self, move: PieceMove, at: Offset | None = None) -> bool:
        """Whether a move does that, to the piece on a certain square if one is given."""
        if self.captures is not None and self.captures != (move.to in move.captures):
            return False
        passed = (
            move.hurdles
            if self.kind == PassageFlags.HURDLE
            else _captured_en_route(move, self.kind)
        )
        return at in passed if at else bool(passed)


def _captured_en_route(move: PieceMove, kind: int) -> set[Offset]:
    own = set(move.own_captures)
    taken = own if kind == PassageFlags.OWN_VICTIM else set(move.captures) - own
    return taken - {move.to}


def example_of(diagram: Diagram) -> Diagram | None:
    """A position that shows what a piece does to others on its way; None where it passes none.

    Boards and positions have none: there the picture itself shows it.
    """
    features = tuple(_features(_summary_of_marks(diagram.marks)))
    if diagram.marks.window.ranks or diagram.marks.standing or not features:
        return None
    try:
        with limited_task(MAX_WORK, _TooMuchExampleWork):
            result = _position_showing_all(diagram.meaning, features, diagram.marks.window)
    except _TooMuchExampleWork:
        return None
    return replace(diagram, marks=result[0], lines=result[1]) if result else None


def example_in_signs_of_diagram(diagram: Diagram) -> Diagram | None:
    """The example of a diagram with the signs that this has, to be drawn beside it.

    In a position it goes without saying that a move to an empty square captures nothing there, and
    the other way round: where the diagram has only a sign for both, so has its example.
    """
    example = example_of(diagram)
    if example is None:
        return None
    known = {
        (family_of(way), way.ends & BOTH_ENDS)
        for mark, _ in diagram.marks.squares_by_mark
        for way in mark.ways
    }

    def widened(way: Arrival) -> Arrival:
        family, ends = family_of(way), way.ends & BOTH_ENDS
        if not ends or (family, ends) in known or (family, BOTH_ENDS) not in known:
            return way
        return way._replace(ends=way.ends | BOTH_ENDS)

    squares = {
        at: mark._replace(ways=tuple(map(widened, mark.ways)))
        for at, mark in example.marks.squares.items()
    }
    return replace(example, marks=replace(example.marks, squares=squares))


# A picture in several formats has one example.
@cached_with_work(maxsize=256)
def _position_showing_all(
    meaning: Meaning, features: tuple[_ExampleFeature, ...], known: Window
) -> tuple[Marks, Lines] | None:
    """The marks and lines of a position with all feats, as far as the largest board has room.

    ``known`` is the window of the picture.
    """
    for radius in EXAMPLE_RADII:
        general = marks_near(meaning, radius, known)
        if radius < EXAMPLE_RADII[-1] and not _are_features_possible(general, features):
            continue
        context = BoardContext(2 * radius + 1, 2 * radius + 1, (radius, radius), wraps=False)
        result = NO_MOVES
        for feature in features:
            context, result = _position_showing(meaning, (context, result), general, feature)
        if context.contents:
            return marks_and_lines_in_position(meaning, general, context, result)
    return None


def _are_features_possible(general: Marks, features: tuple[_ExampleFeature, ...]) -> bool:
    summary = _summary_of_marks(general)
    hops = any(feature.kind == PassageFlags.HURDLE for feature in features)
    return {*features} <= {*_features(summary)} and bool(summary.jumped or not hops)


class _MarkSummary(NamedTuple):
    """What marks tell of what a piece does to others: what it passes, how moves end after that.

    ``jumped`` are the ends of moves over hurdles, ``capture_ends`` those of moves that capture on
    the way.
    """

    passed: int
    jumped: int
    capture_ends: int


def _summary_of_marks(marks: Marks) -> _MarkSummary:
    passed = over = after = 0
    for mark in marks.every_mark:
        passed |= mark.passed
    if passed & ALL_SHOWN_PASSAGES:
        for mark in marks.every_mark:
            for ends, conditions, _ in mark.ways:
                over |= ends if conditions & PathConditionFlags.HURDLE else 0
                after |= ends if conditions & PathConditionFlags.LOCUST else 0
    return _MarkSummary(passed, over, after)


def _features(summary: _MarkSummary) -> Iterator[_ExampleFeature]:
    """What there is to show of a piece, a move that captures twice before all else."""
    passed, over, after = summary
    for kind in CLASSES_BY_PASSAGE if passed & ALL_SHOWN_PASSAGES else ():
        if not passed & kind:
            continue
        if kind != PassageFlags.VICTIM or not after:
            never_quiet = kind == PassageFlags.HURDLE and over and not over & EndFlags.MOVE
            yield _ExampleFeature(kind, captures=True if never_quiet else None)
            continue
        if after & CAPTURE_KINDS:
            yield _ExampleFeature(kind, captures=True)
        if after & EndFlags.MOVE:
            yield _ExampleFeature(kind, captures=False)


# What a capture at the end may take, the likeliest first.
CLASSES_BY_END = {EndFlags.CAPTURE: ENEMY, EndFlags.ROYAL: ROYAL, EndFlags.OWN: FRIEND}
CAPTURE_KINDS = reduce(or_, CLASSES_BY_END)


def _squares_passed(marks: Marks, kind: int) -> list[Offset]:
    return [at for mark, squares in marks.squares_by_mark if mark.passed & kind for at in squares]


def _position_showing(
    meaning: Meaning,
    position: tuple[BoardContext, SeparatedMoves],
    general: Marks,
    feature: _ExampleFeature,
) -> tuple[BoardContext, SeparatedMoves]:
    """A scene with pieces more that show a feat, where that is needed and possible; its moves."""
    context, before = position
    if any(map(feature.is_shown_by, before.other_moves)):
        return position
    shown = {each for each in before.other_moves if each.captures or each.hurdles}
    records = sum(len(state) for _, each in meaning.parts for state in each.states)
    tries = max(1, MAX_RECORDS // records)
    straight = feature.captures and all(_is_straight(each.states) for _, each in meaning.parts)
    for pieces in islice(
        _placements(context, general, feature, _min_pieces_passed(meaning)), tries
    ):
        at = next(iter(pieces))
        x, y = context.at
        contents = {(x + dx, y + dy): stands for (dx, dy), stands in pieces.items()}
        contents = {**context.contents, **contents}
        if straight and not _has_piece_beyond(at, contents, context.at):
            continue
        tried = BoardContext(context.files, context.ranks, context.at, contents, wraps=False)
        result = _moves_in_position(meaning, tried)
        if shown <= result.other_moves and any(
            feature.is_shown_by(move, at) for move in result.other_moves
        ):
            return tried, result
    return position


def _moves_in_position(meaning: Meaning, context: BoardContext) -> SeparatedMoves:
    """The moves in a position, with all squares that the piece takes up; what it burns is left out.

    None where something stands on one of these squares, and where there are too many.
    """
    meaning = with_jumps_split_off(meaning)
    sizes = [fact for fact in meaning.facts if fact.name == "size"]
    try:
        if not sizes:
            return separate_quiet_moves(meaning, context)
        return SeparatedMoves(
            moves_with_effects(sizes, context, lambda seen: moves_in_context(meaning, seen)), {}
        )
    except BoardError:
        return NO_MOVES


def _is_straight(states: Sequence[State]) -> bool:
    """Whether every way goes on as its first step goes, and ends elsewhere than at home."""
    led: dict[int, Offset] = {}
    queue = [0]
    for index in queue:
        for dx, dy, _, _, passes in states[index]:
            towards = _direction_of((dx, dy)) if dx or dy else None
            if towards is None or (index and towards != led[index]):
                return False
            for _, target in passes:
                if target not in led:
                    led[target] = towards
                    queue.append(target)
                elif towards != led[target]:
                    return False
    return 0 not in led or all(_direction_of(record[:2]) == led[0] for record in states[0])


def _has_piece_beyond(at: Offset, contents: Mapping[Square, int], home: Square) -> bool:
    """Whether something stands beyond a square, in a line with it from home."""
    others = ((file - home[0], rank - home[1]) for file, rank in contents)
    return any(
        _direction_of(each) == _direction_of(at) and gcd(*each) > gcd(*at) for each in others
    )


def _min_pieces_passed(meaning: Meaning) -> int:
    """How many pieces at least a way passes that passes some."""
    return min(
        (_min_pieces_passed_by_states(automaton.states) for _, automaton in meaning.parts),
        default=1,
    )


def _min_pieces_passed_by_states(states: Sequence[State]) -> int:
    here = {0}
    for number in range(MAX_ROW_LENGTH + 1):
        queue, beyond = [*here], set()
        for each in queue:
            for record in states[each]:
                if number and (record[3] or record[:3] == HOME):
                    return number
                for mask, target in record[4]:
                    if pass_kind(mask) in QUIET_ENDS and target not in here:
                        here.add(target)
                        queue.append(target)
                    elif mask & PASSING:
                        beyond.add(target)
        here = beyond
    return MAX_ROW_LENGTH


# A way goes on over nothing, or over whatever stands there; and over a piece that must stand there.
QUIET_ENDS = (LineKind.PATH, LineKind.JUMP)
PASSING = masks.OVER_ANY | masks.TAKE_ANY | masks.TAKE_FRIEND


def _placements(
    context: BoardContext, general: Marks, feature: _ExampleFeature, fewest: int
) -> Iterator[Mapping[Offset, int]]:
    """What to put on the board: something to pass, then also something beyond it, then a row.

    Where at least ``fewest`` pieces must be passed, more than one, a row comes first.
    """
    x, y = context.at
    taken = {(file - x, rank - y) for file, rank in context.contents}
    used = set(map(_direction_of, taken))

    squares = sorted(
        (at for at in _squares_passed(general, feature.kind) if at not in taken),
        key=_visibility_rank,
    )
    squares.sort(key=lambda at: _direction_of(at) in used)
    squares, stands = squares[:MAX_SQUARES_TRIED], CLASSES_BY_PASSAGE[feature.kind]
    if fewest == 1 and not feature.captures:
        yield from ({at: each} for at in squares for each in stands)
    rows = (dict.fromkeys(row, stands[0]) for row in _outward_square_rows(squares, general, fewest))
    if fewest > 1:
        yield from rows
    for at, to in _square_and_target_pairs(squares, general):
        captured = _class_captured_at(general, to)
        yield from ({at: each, to: captured} for each in stands)
    yield from rows


def _class_captured_at(general: Marks, at: Offset) -> int:
    """What a move may capture at its end there; an enemy where it captures nothing."""
    ends = reduce(or_, (way.ends for way in general.squares[at].ways))
    return next((stands for end, stands in CLASSES_BY_END.items() if ends & end), ENEMY)


@lru_cache(maxsize=256)
def _visibility_rank(at: Offset) -> tuple[int, int, Offset]:
    """How well a piece is seen on a square; beginning on the right, clockwise."""
    distance = abs(max(map(abs, at)) - BEST_DISTANCE)
    return distance, (arrow_direction(at) - 2) % 8, at


def _square_and_target_pairs(
    squares: list[Offset], general: Marks
) -> Iterator[tuple[Offset, Offset]]:
    """Every square with others that a move may end on, the nearest in a line with it first."""
    ends = [to for to, mark in general.squares.items() if mark.ways and to != (0, 0)]
    for at in squares:
        others = sorted((_distance(at, to), to) for to in ends if to != at)
        others.sort(key=lambda each: _direction_of(each[1]) != _direction_of(at))
        yield from ((at, to) for _, to in others[:MAX_SQUARES_TRIED])


def _outward_square_rows(
    squares: list[Offset], general: Marks, fewest: int
) -> Iterator[list[Offset]]:
    """From every square outwards so many squares in a row, and more."""
    for x, y in squares:
        dx, dy = _direction_of((x, y))
        row = [(x + number * dx, y + number * dy) for number in range(MAX_ROW_LENGTH)]
        inside = [each for each in row if general.window.contains(each)]
        yield from (inside[:many] for many in range(max(2, fewest), len(inside) + 1))


@lru_cache(maxsize=256)
def _direction_of(at: Offset) -> Offset:
    times = gcd(*at)
    return at[0] // times, at[1] // times


def _distance(one: Offset, other: Offset) -> int:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))
