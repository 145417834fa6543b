"""What a path asks of the squares of a position, which may be known only in part.

Each square may hold what its *domain* says, a mask of classes. A step of a path narrows the domain
of its square, and adds to the effect of the move. Whether a piece has a certain move in such a
position is answered with a way to make it, and what that way rests on (`easiest_requirements`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import count
from typing import TypeAlias

from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import LONGEST_STEP
from alfil.meaning.automaton import (
    AT_HOME,
    ENEMY,
    FREE_CLASSES,
    FRIEND,
    HOME,
    ON_EMPTY,
    ROYAL,
    TRAIL,
    VACANT,
    WRAP_BOTH,
    Automaton,
    PassageClasses,
    StepRecord,
    classes_by_passage,
    contents_by_end,
)
from alfil.meaning.piece_meaning import Guard, ranks_in_own_half
from alfil.work_limit import charge

Offset: TypeAlias = tuple[int, int]
Domains: TypeAlias = Mapping[Offset, int]

# A friend that a king can castle with, and otherwise like any other.
UNMOVED = 64
ANYTHING = VACANT | ENEMY | ROYAL | FRIEND | TRAIL | UNMOVED
# The order in which a class is chosen for a square that may hold several.
CLASSES_BY_PREFERENCE = (VACANT, ENEMY, FRIEND, ROYAL, TRAIL, UNMOVED)
NO_SQUARES: frozenset[Offset] = frozenset()
START_SQUARE: Offset = (0, 0)


class MoveEffect(NamedTuple):
    """All that makes a move the move it is: two paths with the same effect are one move."""

    to: Offset = START_SQUARE
    captures: frozenset[Offset] = NO_SQUARES
    hurdles: frozenset[Offset] = NO_SQUARES
    ep_squares: frozenset[Offset] = NO_SQUARES
    partner: tuple[Offset, Offset] | None = None


class PartMoveTraits(NamedTuple):
    """What a part's guard says of its moves, whenever they may be made.

    ``castle`` is (files the king goes, inset of the partner); ``greedy`` the ways to end that a run
    as far as it can has left, -1 for no such run: all but on an empty square with any capture, on
    the way too, that one without.
    """

    leaves_ep_squares: bool = False
    castle: tuple[int, int] | None = None
    middle: bool = False
    greedy: int = -1

    @property
    def depends_on_path_only(self) -> bool:
        """Whether nothing counts but what stands on the squares of the path."""
        return self.castle is None and not self.middle and self.greedy < 0


def mode_of_guard(guard: Guard) -> PartMoveTraits:
    """The mode of a part under a guard."""
    kinds = {condition.kind: condition for condition in guard}
    castle, greedy = kinds.get("castle"), kinds.get("greedy")
    return PartMoveTraits(
        "trail" in kinds,
        (castle.value, castle.inset) if castle else None,
        "middle" in kinds,
        greedy.value if greedy else -1,
    )


class BoardMargins(NamedTuple):
    """The squares on each side of the piece; ``wraps`` is whether wrapped steps go round."""

    west: int = LONGEST_STEP
    east: int = LONGEST_STEP
    south: int = LONGEST_STEP
    north: int = LONGEST_STEP
    wraps: bool = False

    @property
    def files(self) -> int:
        """The number of files."""
        return self.west + self.east + 1

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return self.south + self.north + 1

    def step(self, at: Offset, record: StepRecord) -> Offset | None:
        """The square a record leads to, None off the board."""
        x, y = at[0] + record[0], at[1] + record[1]
        if record[2] and self.wraps:
            x = (x + self.west) % self.files - self.west
            if record[2] & WRAP_BOTH:
                y = (y + self.south) % self.ranks - self.south
        inside = -self.west <= x <= self.east and -self.south <= y <= self.north
        return (x, y) if inside else None


# Larger than any board: every path fits, and steps that wrap are plain steps.
OPEN_BOARD = BoardMargins()


def bounding_board(domains: Domains) -> BoardMargins:
    """The smallest board that has the piece and all these squares."""
    files = [x for x, _ in domains]
    ranks = [y for _, y in domains]
    return BoardMargins(
        max(0, -min(files, default=0)),
        max(0, max(files, default=0)),
        max(0, -min(ranks, default=0)),
        max(0, max(ranks, default=0)),
    )


class EndBranch(NamedTuple):
    """A way to end on a square: what may stand there, and the effect of the whole move."""

    mask: int
    effect: MoveEffect


class SquareTransition(NamedTuple):
    """A way to go on from a square: what may stand there, the effect so far, the next state."""

    mask: int
    effect: MoveEffect
    target: int


def _mask_with_unmoved_friends(mask: int) -> int:
    """The mask for squares of which may be known that a friend there has not moved."""
    return mask & ANYTHING | (UNMOVED if mask & FRIEND else 0)


@cache
def _classes_by_passage_with_unmoved(mask: int) -> PassageClasses:
    """`classes_by_passage`, for squares of which may be known that a friend there has not moved."""
    return PassageClasses(*map(_mask_with_unmoved_friends, classes_by_passage(mask)))


def end_branches(record: StepRecord, where: Offset, effect: MoveEffect) -> list[EndBranch]:
    """The ways in which a step may end the move on the square it comes to."""
    quiet, captured = contents_by_end(record[3])
    if where == START_SQUARE or record[:3] == HOME:
        home = quiet & AT_HOME or record[:3] == HOME
        return [EndBranch(ANYTHING, effect._replace(to=START_SQUARE))] if home else []
    result = []
    if quiet:
        result.append(EndBranch(FREE_CLASSES, MoveEffect(where, *effect[1:])))
    if captured and where not in effect.captures:
        taking = MoveEffect(where, effect.captures | {where}, *effect[2:])
        result.append(EndBranch(_mask_with_unmoved_friends(captured), taking))
    return result


def pass_branches(
    record: StepRecord,
    where: Offset,
    effect: MoveEffect,
    mode: PartMoveTraits,
    contents_mask: int = ANYTHING,
) -> list[SquareTransition]:
    """The ways to go on after a step; ``contents_mask`` is what may stand there."""
    if mode.leaves_ep_squares and record[4]:
        effect = effect._replace(ep_squares=effect.ep_squares | {where})
    result = []
    for mask, target in record[4]:
        by, over, take = _classes_by_passage_with_unmoved(mask)
        if where == START_SQUARE:
            result += (
                [SquareTransition(ANYTHING, effect, target)]
                if classes_by_passage(mask).free & AT_HOME
                else []
            )
            continue
        if by & contents_mask:
            result.append(SquareTransition(by, effect, target))
        if over & contents_mask:
            hopping = effect._replace(hurdles=effect.hurdles | {where})
            result.append(SquareTransition(over, hopping, target))
        if take & contents_mask and where not in effect.captures:
            taking = effect._replace(captures=effect.captures | {where})
            result.append(SquareTransition(take, taking, target))
    return result


Parts: TypeAlias = Sequence[tuple[PartMoveTraits, Automaton]]
Cube: TypeAlias = dict[Offset, int]


class MoveRequirements(NamedTuple):
    """A way to make the move: what it asks of squares.

    ``farther`` are the ways in which a run that goes as far as it can would go on beyond this end;
    the move is made only where none of them can be.
    """

    cube: Cube
    farther: tuple[Cube, ...] = ()


class PartialPosition(NamedTuple):
    """One position that the domains allow; ``contents`` leaves out vacant squares."""

    board: BoardMargins
    domains: Domains
    contents: Mapping[Offset, int]

    def class_on(self, where: Offset) -> int:
        """What stands on a square."""
        return self.contents.get(where, VACANT)

    def satisfies(self, cube: Domains) -> bool:
        """Whether all conditions of a cube hold."""
        return all(at == START_SQUARE or self.class_on(at) & mask for at, mask in cube.items())

    def count_open_squares(self, cube: Domains) -> int:
        """On how many squares the domains do not assure what the cube asks."""
        known = self.domains
        return sum(1 for at, mask in cube.items() if known.get(at, ANYTHING) & ~mask)


def easiest_requirements(
    parts: Parts, effect: MoveEffect, position: PartialPosition
) -> MoveRequirements | None:
    """The way to make a move that rests on the fewest squares left open, or None without any."""
    best: MoveRequirements | None = None
    least = -1
    for mode, automaton in parts:
        if (mode.castle is None) != (effect.partner is None) or (
            effect.ep_squares and not mode.leaves_ep_squares
        ):
            continue
        ways = _requirements_of_longest_runs if mode.greedy >= 0 else _path_with_fewest_open_squares
        for cost, result in ways(mode, automaton, effect, position):
            if best is None or cost < least:
                best, least = result, cost
            if not cost:
                return best
    return best


class PartialPath(NamedTuple):
    """A path as far as it has come."""

    state: int
    at: Offset
    effect: MoveEffect
    cube: Cube


INITIAL_PATH = PartialPath(0, START_SQUARE, MoveEffect(), {})


def _path_with_fewest_open_squares(
    mode: PartMoveTraits, automaton: Automaton, goal: MoveEffect, position: PartialPosition
) -> Iterator[tuple[int, MoveRequirements]]:
    """The way with the fewest open squares, if there is any; found like a shortest path."""
    serial = count()
    queue: list[tuple[int, int, bool, PartialPath]] = [(0, 0, False, INITIAL_PATH)]
    seen = set()
    while queue:
        cost, _, done, path = heappop(queue)
        if done:
            yield cost, MoveRequirements(path.cube)
            return
        if path[:3] in seen:
            continue
        seen.add(path[:3])
        charge(len(automaton.states[path.state]))
        for record in automaton.states[path.state]:
            for ended, after in _next_paths(record, path, mode, goal, position):
                if ended or after[:3] not in seen:
                    more = _count_added_open_squares(path.cube, after, position)
                    heappush(queue, (cost + more, next(serial), ended, after))


def _count_added_open_squares(before: Cube, path: PartialPath, position: PartialPosition) -> int:
    """How many more squares than before a path leaves open; it has gone on to one."""
    if len(path.cube) > len(before) + 1:
        return position.count_open_squares(path.cube) - position.count_open_squares(before)
    at = path.at
    if at not in path.cube:
        return 0
    known = position.domains.get(at, ANYTHING)
    return bool(known & ~path.cube[at]) - bool(known & ~before.get(at, ANYTHING))


def _next_paths(
    record: StepRecord,
    path: PartialPath,
    mode: PartMoveTraits,
    goal: MoveEffect,
    position: PartialPosition,
) -> Iterator[tuple[bool, PartialPath]]:
    """What a record leads to in this position on the way to the goal, and whether that is it."""
    where = position.board.step(path.at, record)
    if where is None:
        return
    if where == goal.to or record[:2] == START_SQUARE:
        for mask, effect in end_branches(record, where, path.effect):
            cube = with_square_constraint(path.cube, where, mask)
            for whole, cube_asked in finish_path(mode, position.board, effect, cube):
                if whole == goal and position.satisfies(cube_asked):
                    yield True, PartialPath(path.state, where, whole, cube_asked)
    standing = position.class_on(where)
    for mask, effect, target in pass_branches(record, where, path.effect, mode, standing):
        if _may_reach_effect(effect, goal):
            yield (
                False,
                PartialPath(target, where, effect, with_square_constraint(path.cube, where, mask)),
            )


def _may_reach_effect(effect: MoveEffect, goal: MoveEffect) -> bool:
    """Whether a path with this effect so far may still have the effect of the goal."""
    return (
        effect.captures <= goal.captures
        and effect.hurdles <= goal.hurdles
        and effect.ep_squares <= goal.ep_squares
    )


def with_square_constraint(cube: Domains, where: Offset, mask: int) -> Cube:
    """The cube with one more condition; a square that may hold nothing any more keeps a 0."""
    if where == START_SQUARE:
        return dict(cube)
    return {**cube, where: cube.get(where, ANYTHING) & mask}


def finish_path(
    mode: PartMoveTraits, board: BoardMargins, effect: MoveEffect, cube: Cube
) -> Iterator[tuple[MoveEffect, Cube]]:
    """The end of a path as the mode has it: with what castling needs, none beyond the middle."""
    if (
        mode.middle
        and effect.ep_squares
        and board.south + effect.to[1] >= ranks_in_own_half(board.ranks)
    ):
        return
    if mode.castle is None:
        yield effect, cube
        return
    files, inset = mode.castle
    side = 1 if effect.to[0] > 0 else -1
    stands = side * ((board.east if side > 0 else board.west) - inset)
    if side * stands <= files:
        return
    for file in range(side, stands, side):
        cube = with_square_constraint(cube, (file, 0), FREE_CLASSES)
    cube = with_square_constraint(cube, (stands, 0), UNMOVED)
    partner = ((stands, 0), (effect.to[0] - side, effect.to[1]))
    yield effect._replace(partner=partner), cube


def may_end_longest_run(mode: PartMoveTraits, captures: Collection[object]) -> bool:
    """Whether a run that goes as far as it can may have these captures; any other move may."""
    return bool(mode.greedy & (~ON_EMPTY if captures else ON_EMPTY))


def _requirements_of_longest_runs(
    mode: PartMoveTraits, automaton: Automaton, goal: MoveEffect, position: PartialPosition
) -> Iterator[tuple[int, MoveRequirements]]:
    """All ways to end a run with this effect where it can go no farther."""
    if not may_end_longest_run(mode, goal.captures):
        return
    for path, record in last_run_steps(mode, automaton, goal, position):
        for ended, after in _next_paths(
            record, path, PartMoveTraits(mode.leaves_ep_squares), goal, position
        ):
            farther = continuation_cubes(automaton, position.board, record, path)
            stuck = not any(position.satisfies(each) for each in farther)
            if ended and stuck and position.satisfies(after.cube):
                cost = position.count_open_squares(after.cube)
                known = position.domains
                cost += sum(
                    all(known.get(at, ANYTHING) & mask for at, mask in each.items())
                    for each in farther
                )
                yield cost, MoveRequirements(after.cube, farther)


def last_run_steps(
    mode: PartMoveTraits, automaton: Automaton, goal: MoveEffect, position: PartialPosition
) -> Iterator[tuple[PartialPath, StepRecord]]:
    """The last steps of straight runs with an effect, each with the path before it."""
    stack = [INITIAL_PATH]
    while stack:
        path = stack.pop()
        charge(len(automaton.states[path.state]))
        for record in automaton.states[path.state]:
            for ended, after in _next_paths(
                record, path, PartMoveTraits(mode.leaves_ep_squares), goal, position
            ):
                if ended:
                    yield path, record
                else:
                    stack.append(after)


def continuation_cubes(
    automaton: Automaton, board: BoardMargins, record: StepRecord, path: PartialPath
) -> tuple[Cube, ...]:
    """What the ends of a straight run beyond one of its steps ask of squares, and the way there."""
    result: list[Cube] = []
    stack = list(_extended_paths(board, record, path))
    while stack:
        on = stack.pop()
        charge(len(automaton.states[on.state]))
        for after in automaton.states[on.state]:
            where = board.step(on.at, after)
            if where is not None:
                mask = 0
                for end in end_branches(after, where, on.effect):
                    mask |= end.mask
                result += [with_square_constraint(on.cube, where, mask)] if mask else []
                stack += _extended_paths(board, after, on)
    return tuple(result)


def _extended_paths(
    board: BoardMargins, record: StepRecord, path: PartialPath
) -> Iterator[PartialPath]:
    """Where a run goes on to; what it does on the way makes no difference to how far it goes."""
    where = board.step(path.at, record)
    if where is None:
        return
    masks: dict[int, int] = {}
    for mask, _, target in pass_branches(record, where, path.effect, PartMoveTraits()):
        masks[target] = masks.get(target, 0) | mask
    for target, mask in masks.items():
        yield PartialPath(
            target, where, path.effect, with_square_constraint(path.cube, where, mask)
        )
