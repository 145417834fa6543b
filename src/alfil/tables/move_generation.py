"""Moves of a piece on a board, by walking its automata.

Each (state, square, captures, hurdles) is visited once, so a path that roams over an area costs as
much as the area is large, not as many as there are ways through it. Most paths carry nothing but
their state and square. These are followed as sets of squares, one bit a square, so that an area
costs hardly more than a line (`_BitboardWalk`); a path that takes or hops over a piece is followed
by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from itertools import chain

from alfil.bit_grid import grid_of
from alfil.errors import BoardError, Diagnostic
from alfil.frozen_dataclasses import NamedTuple, dataclass
from alfil.geometry import OPEN_BOARD_MARGIN
from alfil.meaning.automaton import (
    AT_HOME,
    ENEMY,
    FRIEND,
    HOME,
    ROYAL,
    TRAIL,
    VACANT,
    WRAP_BEGINS,
    WRAP_BOTH,
    WRAP_SKIPS,
    Automaton,
    State,
    StepRecord,
    classes_by_passage,
    contents_by_end,
    has_wrapping,
    may_reverse_an_axis,
)
from alfil.meaning.partial_position import PartMoveTraits, may_end_longest_run, mode_of_guard
from alfil.meaning.piece_meaning import Guard, Meaning, ranks_in_own_half
from alfil.source import Source, Span
from alfil.squares import Square
from alfil.tables.board_context import BoardContext, Offset
from alfil.work_limit import charge, limited_task

# Captures, hurdles and trails tell ways apart, so there can be more of them than could be listed:
# this work is done at most.
MAX_WORK = 80_000
# To make a move of the end of a way takes so many times as long as to look at a record.
WORK_PER_MOVE = 3
TOO_MANY_MOVES = Diagnostic(
    "too-many-moves",
    "on this board there are more ways, capturing or passing differently, than can be listed",
    (Span(0, 0),),
    "a smaller board, or fewer pieces on it",
)


@dataclass(frozen=True, slots=True)
class PieceMove:
    """One move, all squares as offsets (dx, dy) from where the piece stands.

    ``to`` is (0, 0) when the piece ends where it began. ``captures`` are the captured pieces in
    the order they are met, ``own_captures`` those of them that are the mover's own. ``hurdles``
    are pieces that had to be passed over. ``trail`` are the squares on which the piece may now be
    captured en passant. ``partner`` is where a castling partner comes from and goes to. ``guard``
    is what the move depends on besides the board. Moves sort by their destination.
    """

    to: Offset
    captures: tuple[Offset, ...] = ()
    hurdles: tuple[Offset, ...] = ()
    own_captures: tuple[Offset, ...] = ()
    trail: tuple[Offset, ...] = ()
    partner: tuple[Offset, Offset] | None = None
    guard: Guard = ()

    def __lt__(self, other: PieceMove) -> bool:
        return self._sort_key() < other._sort_key()

    def _sort_key(self) -> tuple[object, ...]:
        taken = self.captures, self.hurdles, self.own_captures
        return self.to, *taken, self.trail, self.partner or (), self.guard

    @property
    def is_stationary(self) -> bool:
        """Whether the piece ends where it began."""
        return self.to == (0, 0)


class Path(NamedTuple):
    """A partial path; ``origin`` is the start of a leg on a wrapped board."""

    state: int
    square: Square
    captures: tuple[Square, ...] = ()
    hurdles: tuple[Square, ...] = ()
    passed: tuple[Square, ...] = ()
    origin: Square | None = None


class Landing(NamedTuple):
    """The end of a path, with its captured and passed squares."""

    square: Square
    captures: tuple[Square, ...]
    hurdles: tuple[Square, ...]
    passed: tuple[Square, ...]


class SeparatedMoves(NamedTuple):
    """The moves of a piece; plain moves as target squares only.

    ``quiet_targets`` are these squares as offsets, by guard; ``other_moves`` are all other moves.
    """

    other_moves: frozenset[PieceMove]
    quiet_targets: Mapping[Guard, list[Offset]]


class _TooManyPaths(Exception):
    """There are too many ways to list the moves."""


@contextmanager
def move_list_work_limit() -> Iterator[None]:
    """A list of moves; `BoardError` where there are too many."""
    try:
        with limited_task(MAX_WORK, _TooManyPaths):
            yield
    except _TooManyPaths:
        raise BoardError([TOO_MANY_MOVES], Source("", "<board>")) from None


def moves_in_context(
    meaning: Meaning, context: BoardContext, *, include_quiet: bool = True
) -> frozenset[PieceMove]:
    """All moves of a piece in a scene; guards that do not hold are left out.

    Without ``include_quiet`` only those that capture, and some others.
    """
    with move_list_work_limit():
        return without_equivalent_moves(
            move
            for guard, automaton in meaning.parts
            if context.conditions_hold(guard)
            for move in part_moves_ignoring_guard(
                guard, automaton, context, include_quiet=include_quiet
            )
        )


def separate_quiet_moves(meaning: Meaning, context: BoardContext) -> SeparatedMoves:
    """What `moves_in_context` finds, without a move for each square that the piece just goes to."""
    quiet: dict[Guard, list[Offset]] = {}
    others: list[PieceMove] = []
    with move_list_work_limit():
        for guard, automaton in meaning.parts:
            if not context.conditions_hold(guard):
                continue
            mode = mode_of_guard(guard)
            if (
                mode.leaves_ep_squares
                or not mode.depends_on_path_only
                or _path_traits(automaton).round
            ):
                others += part_moves_ignoring_guard(guard, automaton, context)
                continue
            walk = _AutomatonWalk(
                automaton, _extended_context_for_part(automaton, context, mode), tracing=False
            )
            squares, ends = walk.split_quiet_landings()
            charge(WORK_PER_MOVE * len(squares))
            quiet[guard] = (
                squares if walk.scene is context else [*filter(context.is_on_board, squares)]
            )
            others += _moves_of_landings(ends, guard, mode, walk.scene, context)
        return SeparatedMoves(without_equivalent_moves(others), quiet)


def without_equivalent_moves(moves: Iterable[PieceMove]) -> frozenset[PieceMove]:
    """Moves without equivalents: the first of those with equal captures and hurdles."""
    result: dict[tuple[object, ...], PieceMove] = {}
    for move in moves:
        taken, passed = frozenset(move.captures), frozenset(move.hurdles)
        key = (move.to, taken, passed, move.trail, move.partner, move.guard)
        if key not in result or move < result[key]:
            result[key] = move
    return frozenset(result.values())


def part_moves_ignoring_guard(
    guard: Guard, automaton: Automaton, context: BoardContext, *, include_quiet: bool = True
) -> Iterator[PieceMove]:
    """The moves of one part, whether its guard holds or not; ``include_quiet``: see
    `moves_in_context`.

    In a plain diagram a way may leave it and come back, but for one that leaves a trail: of those
    there would be more than can be listed.
    """
    mode = mode_of_guard(guard)
    around = _extended_context_for_part(automaton, context, mode)
    yield from _moves_of_landings(
        _landings_of_automaton(automaton, around, mode, include_quiet=include_quiet),
        guard,
        mode,
        around,
        context,
    )


def _extended_context_for_part(
    automaton: Automaton, context: BoardContext, mode: PartMoveTraits
) -> BoardContext:
    """The scene that a part is walked in: a plain diagram with room where a way may leave it."""
    leaves = not (context.wraps or mode.leaves_ep_squares) and _path_traits(automaton).back
    return context.extended_by(OPEN_BOARD_MARGIN) if leaves else context


class _PathTraits(NamedTuple):
    """Whether some way of an automaton goes round a wrapped board, and whether one comes back."""

    round: bool
    back: bool


# One piece is looked at in many scenes.
@lru_cache(maxsize=64)
def _path_traits(automaton: Automaton) -> _PathTraits:
    return _PathTraits(has_wrapping(automaton.states), may_reverse_an_axis(automaton))


def _moves_of_landings(
    ends: Iterable[Landing],
    guard: Guard,
    mode: PartMoveTraits,
    around: BoardContext,
    context: BoardContext,
) -> Iterator[PieceMove]:
    """The moves of landings; those off the board are dropped."""
    for end in ends:
        charge(WORK_PER_MOVE)
        move = _move_from_landing(end, around, guard, mode)
        if move is not None and (context.wraps or context.is_on_board(move.to)):
            yield move


def _landings_of_automaton(
    automaton: Automaton, context: BoardContext, mode: PartMoveTraits, *, include_quiet: bool
) -> Iterator[Landing]:
    walk = _AutomatonWalk(automaton, context, tracing=mode.leaves_ep_squares or mode.middle)
    if mode.greedy >= 0:
        return (end for end in walk.farthest_landings() if may_end_longest_run(mode, end.captures))
    if mode.middle:
        return (end for end in walk.landings() if _lands_in_own_half(end, context))
    return walk.landings(include_quiet=include_quiet)


def _lands_in_own_half(end: Landing, context: BoardContext) -> bool:
    """Whether the last square, or the one shot at from home, is in reach of a range of ``*``."""
    last, passed = end.square, end.passed
    if last == context.at and end.captures:
        last, passed = end.captures[-1], end.passed[:-1]
    half = ranks_in_own_half(context.ranks)
    return not passed or all(rank < half for _, rank in (*passed, last))


def _move_from_landing(
    end: Landing, context: BoardContext, guard: Guard, mode: PartMoveTraits
) -> PieceMove | None:
    partner = None
    if mode.castle:
        side = 1 if end.square[0] > context.at[0] else -1
        stands = context.castling_partner(side, *mode.castle)
        if stands is None:
            return None
        joins = (end.square[0] - side, end.square[1])
        partner = (_offset_from_piece(stands, context), _offset_from_piece(joins, context))
    own = tuple(square for square in end.captures if context.contents.get(square) == FRIEND)
    return PieceMove(
        _offset_from_piece(end.square, context),
        _offsets_from_piece(end.captures, context),
        _offsets_from_piece(end.hurdles, context),
        _offsets_from_piece(own, context),
        _offsets_from_piece(end.passed, context) if mode.leaves_ep_squares else (),
        partner,
        guard,
    )


def _offset_from_piece(square: Square, context: BoardContext) -> Offset:
    return (square[0] - context.at[0], square[1] - context.at[1])


def _offsets_from_piece(squares: tuple[Square, ...], context: BoardContext) -> tuple[Offset, ...]:
    return tuple(_offset_from_piece(square, context) for square in squares) if squares else ()


class _AutomatonWalk:
    """The walk of one automaton on one board."""

    def __init__(self, automaton: Automaton, context: BoardContext, *, tracing: bool) -> None:
        self._states = automaton.states
        self.scene = context
        self._tracing = tracing

    def landings(self, *, include_quiet: bool = True) -> Iterator[Landing]:
        """Every end of every path; without ``include_quiet`` not all that capture nothing."""
        if self._tracing or has_wrapping(self._states):
            yield from self._follow_paths([Path(0, self.scene.at)])
            return
        flood = _BitboardWalk(self._states, self.scene)
        flood.flood_fill()
        yield from flood.landings(include_quiet=include_quiet)
        yield from self._follow_paths([*flood.capture_and_hurdle_paths])

    def split_quiet_landings(self) -> tuple[list[Offset], Iterator[Landing]]:
        """The squares that paths end on which carry nothing, as offsets; and all other ends."""
        flood = _BitboardWalk(self._states, self.scene)
        flood.flood_fill()
        return flood.quiet_squares(), chain(
            flood.landings(include_quiet=False),
            self._follow_paths([*flood.capture_and_hurdle_paths]),
        )

    def _follow_paths(self, stack: list[Path]) -> Iterator[Landing]:
        """The ends of ways and of all that follow from them."""
        seen = set(stack)
        while stack:
            path = stack.pop()
            state = self._states[path.state]
            charge(len(state) + len(path.captures) + len(path.hurdles) + len(path.passed))
            for record in state:
                ended, onward = self._follow_record(path, record)
                yield from ended
                for each in onward:
                    if each not in seen:
                        seen.add(each)
                        stack.append(each)

    def farthest_landings(self) -> Iterator[Landing]:
        """The ends of runs that can go no farther (rampage); runs are straight, so no loops."""
        for record in self._states[0]:
            yield from self._farthest_landings(Path(0, self.scene.at), record)

    def _farthest_landings(self, path: Path, record: StepRecord) -> list[Landing]:
        charge(1)
        ended, onward = self._follow_record(path, record)
        beyond = [
            end
            for each in onward
            for after in self._states[each.state]
            for end in self._farthest_landings(each, after)
        ]
        return beyond or ended

    def _follow_record(self, path: Path, record: StepRecord) -> tuple[list[Landing], list[Path]]:
        """The landings and continued paths of one record."""
        if record[:3] == HOME:
            return [Landing(self.scene.at, path.captures, path.hurdles, path.passed)], []
        if record[2] & WRAP_BEGINS and self.scene.wraps:
            path = path._replace(origin=path.square)
        square = self._next_square(path, record)
        return ([], []) if square is None else self._branches(path, record, square)

    def _next_square(self, path: Path, record: StepRecord) -> Square | None:
        context, wrap = self.scene, record[2]
        x, y = path.square[0] + record[0], path.square[1] + record[1]
        if wrap and context.wraps:
            x %= context.files
            if wrap & WRAP_BOTH:
                y %= context.ranks
            if (x, y) == path.origin and not wrap & WRAP_SKIPS:
                return None
        if 0 <= x < context.files and 0 <= y < context.ranks:
            return (x, y)
        return None

    def _branches(
        self, path: Path, record: StepRecord, square: Square
    ) -> tuple[list[Landing], list[Path]]:
        """The landings and continuations of a record on its square."""
        standing = self._square_class(square)
        _, _, captures, hurdles, passed, origin = path
        victim = self.scene.ep_squares[square] if standing == TRAIL else square
        taken = () if victim in captures else (*captures, victim)
        ended = []
        quiet, captured = contents_by_end(record[3])
        if quiet & standing:
            ended.append(Landing(square, captures, hurdles, passed))
        if captured & standing and taken:
            ended.append(Landing(square, taken, hurdles, passed))
        if self._tracing and square not in passed:
            passed = (*passed, square)
        onward = []
        for mask, target in record[4]:
            by, over, take = classes_by_passage(mask)
            if take & standing and taken:
                onward.append(Path(target, square, taken, hurdles, passed, origin))
            if over & standing:
                hopped = hurdles if square in hurdles else (*hurdles, square)
                onward.append(Path(target, square, captures, hopped, passed, origin))
            if by & standing:
                onward.append(Path(target, square, captures, hurdles, passed, origin))
        return ended, onward

    def _square_class(self, square: Square) -> int:
        context = self.scene
        if square == context.at:
            return AT_HOME
        standing = context.contents.get(square, VACANT)
        return TRAIL if standing == VACANT and square in context.ep_squares else standing


class _BitboardWalk:
    """All paths without captures or hurdles at once, as bitboards; without wrapping.

    ``capture_and_hurdle_paths`` have just taken or hopped over their first piece.
    """

    def __init__(self, states: tuple[State, ...], context: BoardContext) -> None:
        self._states = states
        self._scene = context
        self._grid = grid = grid_of(context.files, context.ranks)
        self._home = grid.bit(context.at)
        # What is of no class is in every way, and never captured.
        pieces = dict.fromkeys((0, ENEMY, ROYAL, FRIEND), 0)
        for square, standing in context.contents.items():
            if standing != VACANT and square != context.at:
                pieces[standing] |= grid.bit(square)
        vacant = grid.all & ~(self._home | sum(pieces.values()))
        self._trail = sum(map(grid.bit, context.ep_squares)) & vacant
        # The squares of each class, which share none, and of several classes together.
        vacant &= ~self._trail
        self._classes = {**pieces, VACANT: vacant, TRAIL: self._trail, AT_HOME: self._home}
        self._endings: dict[int, tuple[int, int]] = {}
        self._passings: dict[int, tuple[int, int, int]] = {}
        self._ended = self._taken = 0
        self.capture_and_hurdle_paths: dict[Path, None] = {}

    def flood_fill(self) -> None:
        """Follow every path until it ends or carries something."""
        done: dict[int, int] = {}
        pending = {0: self._home}
        while pending:
            index = next(iter(pending))
            fresh = pending.pop(index) & ~done.get(index, 0)
            if fresh:
                done[index] = done.get(index, 0) | fresh
                charge(len(self._states[index]))
                for record in self._states[index]:
                    self._follow_record(record, fresh, pending)

    def quiet_squares(self) -> list[Offset]:
        """The squares that a path has just gone to, as offsets."""
        context = self._scene
        return grid_of(context.files, context.ranks, *context.at).squares(self._ended)

    def landings(self, *, include_quiet: bool) -> Iterator[Landing]:
        """The ends of the paths followed; without ``include_quiet``, those that capture there."""
        for square in self._grid.squares(self._ended if include_quiet else 0):
            yield Landing(square, (), (), ())
        for square in self._grid.squares(self._taken):
            yield Landing(square, (self._captured_square(square),), (), ())

    def _follow_record(self, record: StepRecord, fresh: int, pending: dict[int, int]) -> None:
        dx, dy, wrap, emit, passes = record
        if not (dx or dy or wrap):
            self._ended |= self._home
            return
        reached = self._grid.shift_squares(fresh, (dx, dy))
        if not reached:
            return
        if emit:
            quiet, captured = self._endings.get(emit) or self._landing_squares(emit)
            self._ended |= reached & quiet
            self._taken |= reached & captured
        for mask, target in passes:
            by, over, take = self._passings.get(mask) or self._squares_by_kind_of_passage(mask)
            if passed := reached & by:
                pending[target] = pending.get(target, 0) | passed
            if reached & (over | take):
                self._add_capture_and_hurdle_paths(reached & take, reached & over, target)

    def _landing_squares(self, emit: int) -> tuple[int, int]:
        """The squares that a move may end on, without a capture there and with one."""
        quiet, captured = map(self._squares_with_classes, contents_by_end(emit))
        self._endings[emit] = quiet, captured
        return quiet, captured

    def _squares_by_kind_of_passage(self, mask: int) -> tuple[int, int, int]:
        """The squares that a path may go on from, as `classes_by_passage` has them."""
        by, over, take = map(self._squares_with_classes, classes_by_passage(mask))
        self._passings[mask] = by, over, take
        return by, over, take

    def _squares_with_classes(self, mask: int) -> int:
        """The squares on which something of the mask stands."""
        return sum([squares for kind, squares in self._classes.items() if kind & mask])

    def _add_capture_and_hurdle_paths(self, taken: int, hopped: int, next_state: int) -> None:
        for square in self._grid.squares(taken):
            self.capture_and_hurdle_paths[
                Path(next_state, square, (self._captured_square(square),))
            ] = None
        for square in self._grid.squares(hopped):
            self.capture_and_hurdle_paths[Path(next_state, square, (), (square,))] = None

    def _captured_square(self, square: Square) -> Square:
        """What is captured on a square: the piece there, or the one that has just passed it."""
        return self._scene.ep_squares[square] if self._grid.bit(square) & self._trail else square
