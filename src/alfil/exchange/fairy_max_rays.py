"""Moves of Fairy-Max: rays that may change step or mode once.

Written after the explanations in its own fmax.ini. A ray takes steps of one kind until it changes,
after one to four of them or behind a piece, and then takes one more or any number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from alfil.geometry import Vector
from alfil.movement.nodes import End
from alfil.movement.run_sequences import ANY_LENGTH, EMPTY_PASSAGE, HOP_PASSAGES, Run, RunSequence

# The bits of what a step may do: capture, move, end the ray, hop. An even change of them follows.
CAPTURE_BIT, MOVE_BIT, LAST_STEP_BIT, HOP_BIT = 1, 2, 4, 8
# What a ray is besides, above both: it hops over pieces of its own side only.
OVER_FRIENDS_BIT = 0x800
CHANGE_SHIFT = 0x400
# For first moves, above the bits of what may follow: nothing is captured en passant then, and what
# is passed matters not. A king castles by such a move.
NO_EN_PASSANT_FLAG, LEAP_FLAG, CASTLING_MODE = 4, 12, 3
# So many steps there may be before a ray changes.
MAX_STEPS_BEFORE_CHANGE = 4
# The width of its board, most of it beside the one that is played on.
BOARD_WIDTH = 16
FRIEND_HURDLES = ("hop-friend",)


class NotExpressible(Exception):
    """No ray expresses a row; the message is what Fairy-Max lacks."""


class Ray(NamedTuple):
    """A ray: ``mode`` for its steps ``step``, ``second_mode`` for those after the change.

    ``change_after`` is how many steps it takes before it changes, or 0 where it does so behind a
    piece, or never where ``second_mode`` is 0. ``flags`` are written as they are.
    """

    step: Vector
    mode: int
    second: Vector = (0, 0)
    second_mode: int = 0
    change_after: int = 0
    flags: int = 0

    def rotated(self) -> Ray:
        """The same as the other side sees it."""
        return self._replace(step=_reversed_step(self.step), second=_reversed_step(self.second))

    @property
    def file_distance(self) -> int:
        """How many files it goes aside in one step."""
        return max(abs(self.step[0]), abs(self.second[0]))

    @property
    def is_slider(self) -> bool:
        """Whether it goes on and on."""
        return not (self.second_mode or self.mode) & LAST_STEP_BIT

    @property
    def is_first_move(self) -> bool:
        """Whether only a piece that has not moved has it."""
        return self.mode == LAST_STEP_BIT

    def may_advance_by(self, ranks: int) -> bool:
        """Whether it leads so many ranks ahead on some board."""
        steps = (self.step, self.second if self.second_mode else (0, 0))
        endless = self.is_slider or (self.second_mode and not self.change_after)
        if endless and not self.is_first_move:
            return any(rank > 0 for _, rank in steps)
        return max(self.change_after, 1) * self.step[1] + steps[1][1] >= ranks

    def __str__(self) -> str:
        """The ray as a line has it: a step, the bits in hexadecimal, a second step that differs.

        >>> (str(Ray((1, 2), 7)), str(Ray((1, 1), 3, (0, 1), 3, 1)),
        ...  str(Ray((0, 1), 10, second_mode=1)))
        ('-31,7', '-15,3,-16', '-16,BA')
        """
        change = (self.mode ^ self.second_mode) << 4 if self.second_mode else 0
        late = CHANGE_SHIFT * (self.change_after - 1) if self.change_after else 0
        second = (
            f",{_step_as_number(self.second)}" if self.second not in {(0, 0), self.step} else ""
        )
        return f"{_step_as_number(self.step)},{self.mode | change | late | self.flags:X}{second}"


def _reversed_step(step: Vector) -> Vector:
    return -step[0], -step[1]


def _step_as_number(step: Vector) -> int:
    """A step as one number, of a board with its last rank on top."""
    return step[0] - BOARD_WIDTH * step[1]


def rays_of_sequences(rows: Iterable[RunSequence], size: Vector) -> tuple[list[Ray], list[str]]:
    """The rays of some rows on a board of this size, and what no ray says.

    >>> from alfil.api import read
    >>> from alfil.translation.automaton_to_runs import sequences_of_automaton
    >>> for text in ("fR3", "fmRfcpR", "fnN"):
    ...     rows = sequences_of_automaton(read(text).meaning.parts[0].automaton, exact_ends=True)
    ...     print(*rays_of_sequences(rows, (8, 8))[0])
    -16,443
    -16,BA
    -16,70,-17 -16,70,-15
    """
    rays: list[Ray] = []
    missing: dict[str, None] = {}
    for row in rows:
        try:
            rays += _rays_of_sequence(row, size)
        except NotExpressible as error:
            missing[str(error)] = None
    return _merge_rays_that_begin_others(list(dict.fromkeys(rays))), list(missing)


def _rays_of_sequence(row: RunSequence, size: Vector) -> Iterator[Ray]:
    """The rays that say a row; raises `NotExpressible`."""
    first, *rest = _merged_runs(row)
    if not rest:
        yield from _straight_rays(first, size)
        return
    (last, *more) = rest
    if more:
        raise NotExpressible("moves that change more than once")
    then = _mode_bits(last.ends) | _one_step_leg_bit(last, size)
    quiet, over = _passage_over_empty_and_pieces(first)
    if quiet:
        for before in _possible_step_counts(first, size):
            if before > MAX_STEPS_BEFORE_CHANGE:
                raise NotExpressible("moves that change after more than four squares")
            yield Ray(first.step, 0, last.step, then, before)
    if over is not None:
        yield Ray(first.step, HOP_BIT | _hopper_bits(first), last.step, then, 0, over)


def _straight_rays(run: Run, size: Vector) -> Iterator[Ray]:
    """The rays of a run in one direction."""
    numbers = _possible_step_counts(run, size)
    begin, end = numbers[0], numbers[-1]
    open_end = end >= _max_steps_on_board(run.step, size)
    together = len(numbers) == end - begin + 1
    if begin > 1 and together and open_end:
        yield _ray_with_change(run, 0, begin - 1, _mode_bits(run.ends))
    elif begin > 1 or not together:
        for number in numbers:
            yield _ray_with_change(run, 0, number - 1, _mode_bits(run.ends) | LAST_STEP_BIT)
    elif end == 1:
        yield Ray(run.step, _mode_bits(run.ends) | LAST_STEP_BIT)
    elif open_end:
        yield Ray(run.step, _mode_bits(run.ends))
    else:
        yield _ray_with_change(
            run, _mode_bits(run.ends), end - 1, _mode_bits(run.ends) | LAST_STEP_BIT
        )


def _ray_with_change(run: Run, mode: int, before: int, then: int) -> Ray:
    """A straight ray that changes after some squares."""
    if before > MAX_STEPS_BEFORE_CHANGE:
        raise NotExpressible("runs that begin or end after more than five squares")
    return Ray(run.step, mode, run.step, then, before) if before else Ray(run.step, then)


def _one_step_leg_bit(run: Run, size: Vector) -> int:
    """Whether a run behind a change is of one step; it is so, or goes on and on."""
    numbers = _possible_step_counts(run, size)
    if numbers == [1]:
        return LAST_STEP_BIT
    if numbers != list(range(1, _max_steps_on_board(run.step, size) + 1)):
        raise NotExpressible("runs that end after some squares behind a turn or a hop")
    return 0


def _hopper_bits(run: Run) -> int:
    """Whether a piece hops over its neighbour; else over the first piece it meets."""
    if run.lengths not in {ANY_LENGTH, (1,)}:
        raise NotExpressible("hops over a piece at some distances only")
    return LAST_STEP_BIT if run.lengths else 0


def _max_steps_on_board(step: Vector, size: Vector) -> int:
    """The number of such steps that fit on the board, at least one."""
    ways = ((each - 1) // abs(way) for each, way in zip(size, step, strict=True) if way)
    return max(1, min(ways))


def _possible_step_counts(run: Run, size: Vector) -> list[int]:
    """The numbers of steps that a run may take, but for those that no board of this size has."""
    most = _max_steps_on_board(run.step, size)
    if run.lengths == ANY_LENGTH:
        return list(range(1, most + 1))
    return [each for each in run.lengths if each <= most] or [run.lengths[0]]


def _merged_runs(row: RunSequence) -> list[Run]:
    """The runs of a row; one that goes straight on where another ended is part of it."""
    result: list[Run] = []
    for run in row:
        if run.step == (0, 0):
            raise NotExpressible("moves that end where they began")
        before = result[-1] if result else None
        ahead = before is not None and (before.step, before.through) == (run.step, EMPTY_PASSAGE)
        if before and ahead and len(before.lengths) == 1 and run.lengths != ANY_LENGTH:
            added = tuple(before.lengths[0] + each for each in run.lengths)
            result[-1] = run._replace(lengths=added)
            continue
        result.append(run)
    return result


def _passage_over_empty_and_pieces(run: Run) -> tuple[bool, int | None]:
    """Whether a row goes on over an empty square, and with what flags over a piece, if it does."""
    if any(each.startswith("take") for each in run.through):
        raise NotExpressible("captures on the way")
    quiet = not {"empty", "away"}.isdisjoint(run.through)
    over = tuple(
        each.replace("pass", "hop") for each in run.through if each[:4] in {"hop-", "pass"}
    )
    if not over:
        return quiet, None
    if over not in {HOP_PASSAGES, FRIEND_HURDLES}:
        raise NotExpressible("hops over enemies only")
    return quiet, OVER_FRIENDS_BIT if over == FRIEND_HURDLES else 0


def _mode_bits(ends: Sequence[End]) -> int:
    """The bits of how a move may end; captures en passant are those of all pawns."""
    if "friend" in ends:
        raise NotExpressible("captures of its own side")
    if ("enemy" in ends) != ("royal" in ends):
        raise NotExpressible("captures of royal pieces or others only")
    return CAPTURE_BIT * ("enemy" in ends) | MOVE_BIT * ("empty" in ends)


def _merge_rays_that_begin_others(rays: list[Ray]) -> list[Ray]:
    """Rays with those put in that are the beginning of others: a step that a turn follows."""
    result: list[Ray] = []
    steps = {ray.step: ray for ray in rays if ray.mode & LAST_STEP_BIT and not ray.second_mode}
    slides = {ray.step: ray for ray in rays if ray.mode == MOVE_BIT and not ray.second_mode}
    used: set[Ray] = set()
    for ray in rays:
        step, slide = steps.get(ray.step), slides.get(ray.step)
        if ray.second_mode and not ray.mode and ray.change_after == 1 and step:
            used.add(step)
            result.append(ray._replace(mode=step.mode & ~LAST_STEP_BIT))
        elif ray.second_mode and ray.mode == HOP_BIT and slide:
            used.add(slide)
            result.append(ray._replace(mode=HOP_BIT | MOVE_BIT))
        else:
            result.append(ray)
    return [ray for ray in result if ray not in used]


def first_move_rays(
    rows: Iterable[RunSequence], size: Vector, *, pawn: bool, ep_capturable: bool
) -> tuple[list[Ray], list[str]]:
    """The rays of first moves: double steps of pawns, and leaps; and what no ray says.

    >>> from alfil.api import read
    >>> from alfil.translation.automaton_to_runs import sequences_of_automaton
    >>> for text, pawn in (("ifmnD", True), ("ismN", False)):
    ...     part = read(text).meaning.parts[0]
    ...     rows = sequences_of_automaton(part.automaton, exact_ends=True)
    ...     rays, _ = first_move_rays(rows, (8, 8), pawn=pawn, ep_capturable=len(part.guard) > 1)
    ...     print(*rays)
    -16,24
    -1,E4,15 -1,E4,-17 1,E4,17 1,E4,-15
    """
    rays: list[Ray] = []
    missing: dict[str, None] = {}
    for row in rows:
        try:
            (run, *rest) = _merged_runs(row)
            if rest:
                raise NotExpressible("first moves that change on their way")
            for number in _possible_step_counts(run, size):
                rays.append(_first_move_ray(run, number, pawn=pawn, ep_capturable=ep_capturable))
        except NotExpressible as error:
            missing[str(error)] = None
    return rays, list(missing)


def _first_move_ray(run: Run, number: int, *, pawn: bool, ep_capturable: bool) -> Ray:
    """A first move of so many steps: a leap is of two that pass whatever is between them."""
    (dx, dy), mode = run.step, _mode_bits(run.ends)
    if number == 1 and mode != CAPTURE_BIT and not ep_capturable:
        half = int(dx / 2), int(dy / 2)
        if half != (0, 0):
            rest = dx - half[0], dy - half[1]
            return Ray(half, LAST_STEP_BIT, rest, LAST_STEP_BIT ^ (LEAP_FLAG | mode))
        raise NotExpressible("first moves of one step")
    before = number - 1
    if pawn and mode == MOVE_BIT and before in ({1} if ep_capturable else {1, 2}):
        return Ray(
            run.step,
            LAST_STEP_BIT,
            run.step,
            LAST_STEP_BIT ^ (mode | (0 if ep_capturable else NO_EN_PASSANT_FLAG)),
            before,
        )
    raise NotExpressible("first moves but double steps and leaps")


def castling_rays(
    rows: Iterable[RunSequence], distance: int, king_files: Iterable[int], size: Vector
) -> tuple[list[Ray], list[str]]:
    """The rays of castling ``distance`` files with what stands in a corner, and what no ray says.

    Some squares between both must be empty there: beside either, and where the partner goes to.
    ``king_files`` are the files on which a king begins.

    >>> from alfil.api import read
    >>> from alfil.translation.automaton_to_runs import sequences_of_automaton
    >>> rows = sequences_of_automaton(read("isO3").meaning.parts[0].automaton, exact_ends=True)
    >>> print(*castling_rays(rows, 3, [5], (10, 8))[0])
    -1,34,-2 1,34,2
    """
    rays: list[Ray] = []
    for run, *_ in rows:
        sign = run.step[0]
        corner = size[0] - 1 if sign > 0 else 0
        for king in king_files:
            between = {*range(king + sign, corner, sign)} if sign else set()
            seen = {corner - sign, corner - 2 * sign}
            seen |= {king + sign, king + 2 * sign, king + (distance - 1) * sign}
            if king + distance * sign not in between or seen != between:
                return rays, ["castling from there"]
            rays.append(
                Ray(
                    (sign, 0),
                    LAST_STEP_BIT,
                    (sign * (distance - 1), 0),
                    LAST_STEP_BIT ^ CASTLING_MODE,
                )
            )
    return list(dict.fromkeys(rays)), []
