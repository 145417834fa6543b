"""Whether a piece has a certain move in a position known in part, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple, TypeAlias

from alfil.meaning.automaton import (
    ENEMY,
    ON_EMPTY,
    ON_ENEMY,
    ON_FRIEND,
    ON_ROYAL,
    ROYAL,
    VACANT,
    Automaton,
    Record,
)
from alfil.meaning.conditions import (
    ANYTHING,
    FREE,
    OWN,
    START,
    UNMOVED,
    Board,
    Domains,
    Effect,
    Mode,
    Offset,
    endings,
    passages,
)

Parts: TypeAlias = Sequence[tuple[Mode, Automaton]]
Cube: TypeAlias = dict[Offset, int]


class Answer(NamedTuple):
    """A way to make the move: what it asks of squares.

    ``farther`` are the ways in which a run that goes as far as it can would go on beyond this end;
    the move is made only where none of them can be.
    """

    cube: Cube
    farther: tuple[Cube, ...] = ()


class Situation(NamedTuple):
    """One position that the domains allow; ``contents`` leaves out vacant squares."""

    board: Board
    domains: Domains
    contents: Mapping[Offset, int]

    def holds(self, where: Offset, mask: int) -> bool:
        """Whether what stands on a square is in the mask."""
        return where == START or bool(self.contents.get(where, VACANT) & mask)

    def meets(self, cube: Domains) -> bool:
        """Whether all conditions of a cube hold."""
        return all(self.holds(*each) for each in cube.items())

    def left_open(self, cube: Domains) -> int:
        """On how many squares the domains do not assure what the cube asks."""
        known = self.domains
        return sum(1 for at, mask in cube.items() if known.get(at, ANYTHING) & ~mask)


def answer(parts: Parts, effect: Effect, situation: Situation) -> Answer | None:
    """The way to make a move that rests on the fewest squares left open, or None without any."""
    best: Answer | None = None
    least = -1
    for mode, automaton in parts:
        if (mode.castle is None) != (effect.partner is None) or (effect.trail and not mode.trail):
            continue
        ways = _greedy if mode.greedy >= 0 else _first
        for cost, found in ways(mode, automaton, effect, situation):
            if best is None or cost < least:
                best, least = found, cost
            if not cost:
                return best
    return best


class Path(NamedTuple):
    """A path as far as it has come."""

    state: int
    at: Offset
    effect: Effect
    cube: Cube


BEGIN = Path(0, START, Effect(), {})


def _first(
    mode: Mode, automaton: Automaton, goal: Effect, situation: Situation
) -> Iterator[tuple[int, Answer]]:
    """The way with the fewest open squares, if there is any; found like a shortest path."""
    serial = count()
    queue: list[tuple[int, int, bool, Path]] = [(0, 0, False, BEGIN)]
    seen = set()
    while queue:
        cost, _, done, path = heappop(queue)
        if done:
            yield cost, Answer(path.cube)
            return
        if path[:3] in seen:
            continue
        seen.add(path[:3])
        for record in automaton.states[path.state]:
            for ended, after in _steps(record, path, mode, goal, situation):
                open_squares = situation.left_open(after.cube) if after.cube != path.cube else cost
                heappush(queue, (open_squares, next(serial), ended, after))


def _steps(
    record: Record, path: Path, mode: Mode, goal: Effect, situation: Situation
) -> Iterator[tuple[bool, Path]]:
    """What a record leads to in this position on the way to the goal, and whether that is it."""
    where = situation.board.step(path.at, record)
    if where is None:
        return
    if where == goal.to or record[:2] == START:
        for mask, effect in endings(record, where, path.effect):
            cube = narrowed(path.cube, where, mask)
            for whole, asked in finished(mode, situation.board, effect, cube):
                if whole == goal and situation.meets(asked):
                    yield True, Path(path.state, where, whole, asked)
    for mask, effect, target in passages(record, where, path.effect, mode):
        if situation.holds(where, mask) and _leads(effect, goal):
            yield False, Path(target, where, effect, narrowed(path.cube, where, mask))


def _leads(effect: Effect, goal: Effect) -> bool:
    """Whether a path with this effect so far may still have the effect of the goal."""
    return (
        effect.captures <= goal.captures
        and effect.hurdles <= goal.hurdles
        and effect.trail <= goal.trail
    )


def narrowed(cube: Domains, where: Offset, mask: int) -> Cube:
    """The cube with one more condition; a square that may hold nothing any more keeps a 0."""
    if where == START:
        return dict(cube)
    return {**cube, where: cube.get(where, ANYTHING) & mask}


def finished(mode: Mode, board: Board, effect: Effect, cube: Cube) -> Iterator[tuple[Effect, Cube]]:
    """The end of a path as the mode has it: with what castling needs, none beyond the middle."""
    if mode.middle and effect.trail:
        rank = board.south + effect.to[1]
        if 2 * rank >= board.ranks - board.ranks % 2:
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
        cube = narrowed(cube, (file, 0), FREE)
    cube = narrowed(cube, (stands, 0), UNMOVED)
    partner = ((stands, 0), (effect.to[0] - side, effect.to[1]))
    yield effect._replace(partner=partner), cube


def kept(mode: Mode) -> int:
    """What may stand where a run that goes as far as it can ends its move."""
    ways = ((ON_EMPTY, FREE), (ON_ENEMY, ENEMY), (ON_ROYAL, ROYAL), (ON_FRIEND, OWN))
    return sum(kinds for letter, kinds in ways if mode.greedy & letter)


def _greedy(
    mode: Mode, automaton: Automaton, goal: Effect, situation: Situation
) -> Iterator[tuple[int, Answer]]:
    """All ways to end a run with this effect where it can go no farther."""
    for path, record in runs_to(mode, automaton, goal, situation):
        for ended, after in _steps(record, path, Mode(mode.trail), goal, situation):
            cube = narrowed(after.cube, goal.to, kept(mode))
            farther = beyond(automaton, situation.board, record, path)
            stuck = not any(situation.meets(each) for each in farther)
            if ended and stuck and situation.meets(cube):
                cost = situation.left_open(cube)
                cost += sum(_possible(situation, each) for each in farther)
                yield cost, Answer(cube, farther)


def runs_to(
    mode: Mode, automaton: Automaton, goal: Effect, situation: Situation
) -> Iterator[tuple[Path, Record]]:
    """The last steps of straight runs with an effect, each with the path before it."""
    stack = [BEGIN]
    while stack:
        path = stack.pop()
        for record in automaton.states[path.state]:
            for ended, after in _steps(record, path, Mode(mode.trail), goal, situation):
                if ended:
                    yield path, record
                else:
                    stack.append(after)


def _possible(situation: Situation, cube: Cube) -> bool:
    """Whether the domains leave a position in which the cube holds."""
    return all(situation.domains.get(at, ANYTHING) & mask for at, mask in cube.items())


def beyond(automaton: Automaton, board: Board, record: Record, path: Path) -> tuple[Cube, ...]:
    """What the ends of a straight run beyond one of its steps ask of squares, and the way there."""
    found: list[Cube] = []
    stack = list(_run_on(board, record, path))
    while stack:
        on = stack.pop()
        for after in automaton.states[on.state]:
            where = board.step(on.at, after)
            if where is not None:
                mask = 0
                for end in endings(after, where, on.effect):
                    mask |= end.mask
                found += [narrowed(on.cube, where, mask)] if mask else []
                stack += _run_on(board, after, on)
    return tuple(found)


def _run_on(board: Board, record: Record, path: Path) -> Iterator[Path]:
    """Where a run goes on to; what it does on the way makes no difference to how far it goes."""
    where = board.step(path.at, record)
    if where is None:
        return
    masks: dict[int, int] = {}
    for mask, _, target in passages(record, where, path.effect, Mode()):
        masks[target] = masks.get(target, 0) | mask
    for target, mask in masks.items():
        yield Path(target, where, path.effect, narrowed(path.cube, where, mask))
