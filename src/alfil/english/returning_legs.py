"""Whether a way of several legs may come back to the square on which it began.

Where it may, and the move must not end there, words have to say so; where it cannot, they do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from alfil.english.turn_phrases import PossibleHeadings
from alfil.geometry import Vector, leaps_within
from alfil.movement.nodes import (
    Anywhere,
    Edges,
    Either,
    Leg,
    Only,
    Repeat,
    Rifle,
    Then,
    Turn,
    Way,
    Within,
    walk,
)

# The latest step with the latest bend, and how far it is from the start.
Trail: TypeAlias = tuple[tuple[Vector, int], Vector]
# Runs of more steps that do not come home, and trails that lead farther from it, come home no
# earlier than shorter ones, but for legs of so many steps that they lead back from there.
FEWEST_STEPS = 3
MOST_STEPS = 12
FARTHEST = 6
# With more trails than this a way is taken for one that comes home.
MOST_TRAILS = 1_000
# Rounds nested deeper are work that grows with each level, and nothing is said of them.
MOST_NESTED_ROUNDS = 4
# Rounds after which every loop of one turn has come home that ever does.
MOST_ROUNDS = 8


class _WalkResult(NamedTuple):
    """Where a way leads: its trails, and whether it may stop where the move began and must not.

    ``stops_home`` is about its legs before the last, ``ends_home`` about its end.
    """

    trails: frozenset[Trail]
    ends_home: bool = False
    stops_home: bool = False


# The move begins; its first leg takes no turn.
BEGUN: frozenset[Trail] = frozenset({(((0, 0), 0), (0, 0))})


class ReturningLegs(NamedTuple):
    """Of ways that follow one another, the numbers, from 0.

    ``may_end_there`` are those that may end where the first began and must not; ``never_there``
    those that do not come there, not even on the way.
    """

    may_end_there: set[int]
    never_there: set[int]


def returning_legs(then: Then) -> ReturningLegs:
    """Which of these ways may come back to the square where the first began."""
    result = ReturningLegs(set(), set())
    if _repeat_nesting_depth(then) > MOST_NESTED_ROUNDS:
        return result
    walker = _walker_through(then)
    walked = walker.walk_way(then.ways[0], BEGUN, None)
    for number, (way, join) in enumerate(zip(then.ways[1:], then.joins, strict=True), 1):
        walker.legs_over_start.clear()
        walked = walked and walker.walk_way(way, walked.trails, join.turn)
        if walked is None:
            break
        if walked.ends_home or walked.stops_home:
            result.may_end_there.add(number)
        if not walker.legs_over_start:
            result.never_there.add(number)
    return result


def may_rounds_end_on_start(repeat: Repeat) -> bool:
    """Whether rounds with which a move begins may end where it began and must not."""
    if _repeat_nesting_depth(repeat) > MOST_NESTED_ROUNDS:
        return False
    walked = _walker_through(repeat).walk_way(repeat, BEGUN, None)
    return walked is not None and (walked.ends_home or walked.stops_home)


def _walker_through(way: Way) -> _TrailWalker:
    joined = frozenset(each.edges for each in walk(way) if isinstance(each, Leg))
    return _TrailWalker(_max_steps_of_endless_runs(way), joined, [])


def _repeat_nesting_depth(way: Way) -> int:
    """How deep rounds are nested in rounds."""
    match way:
        case Repeat(inside):
            return 1 + _repeat_nesting_depth(inside)
        case Within(way=inside):
            return _repeat_nesting_depth(inside)
        case Either(ways) | Then(ways):
            return max(map(_repeat_nesting_depth, ways), default=0)
        case _:
            return 0


def _max_steps_of_endless_runs(way: Way) -> int:
    """So many steps of a run without end may be led back by the legs that have one."""
    far = [
        max(each.lengths) * max(abs(x) for step in each.steps for x in step)
        for each in walk(way)
        if isinstance(each, Leg) and not isinstance(each.lengths, str)
    ]
    return min(MOST_STEPS, max(FEWEST_STEPS, sum(far)))


def _with_all_shorter_runs(leg: Leg) -> Leg:
    """A leg that may end wherever it comes by."""
    if isinstance(leg.lengths, str):
        return leg
    return replace(leg, lengths=tuple(range(1, max(leg.lengths) + 1)))


def _merge_walk_results(walks: list[_WalkResult | None]) -> _WalkResult | None:
    known = [walked for walked in walks if walked is not None]
    if len(known) < len(walks):
        return None
    trails = frozenset[Trail]().union(*(walked.trails for walked in known))
    ends, stops = (any(walked[at] for walked in known) for at in (1, 2))
    return _WalkResult(trails, ends, stops)


class _TrailWalker(NamedTuple):
    """A walk through ways; of runs without end it takes up to so many steps.

    It notes which legs came to where the move began, or over it. Where edges are ``joined``,
    squares a whole board away are the same one.
    """

    most_steps: int
    joined: frozenset[Edges]
    legs_over_start: list[Leg]

    def walk_way(
        self, way: Way, trails_before: frozenset[Trail], turn: Turn | None
    ) -> _WalkResult | None:
        """A way after these trails; None where not all of it is legs and leaps."""
        match way:
            case Leg():
                return self._walk_leg(way, trails_before, turn)
            case Anywhere(files, ranks, ends):
                near = (FARTHEST if far is None else min(far, FARTHEST) for far in (files, ranks))
                return self.walk_way(Leg(leaps_within(*near), ends=ends), trails_before, turn)
            case Within(Only("capturing"), inside):
                walked = self.walk_way(inside, trails_before, turn)
                return walked and _WalkResult(walked.trails)
            case Within(rule, inside) if not isinstance(rule, Rifle):
                return self.walk_way(inside, trails_before, turn)
            case Either(ways):
                return _merge_walk_results(
                    [self.walk_way(each, trails_before, turn) for each in ways]
                )
            case Then(only=None):
                return self._walk_sequence(way, trails_before, turn)
            case Repeat():
                return self._walk_rounds(way, trails_before, turn)
            case _:
                return None

    def _walk_leg(self, leg: Leg, begun: frozenset[Trail], turn: Turn | None) -> _WalkResult:
        trails = self._extend_trails(begun, turn, leg)
        if self._may_be_home(self._extend_trails(begun, turn, _with_all_shorter_runs(leg))):
            self.legs_over_start.append(leg)
        avoids_start = "away" in leg.ends and "empty" not in leg.ends
        return _WalkResult(trails, avoids_start and self._may_be_home(trails))

    def _may_be_home(self, trails: frozenset[Trail]) -> bool:
        if len(trails) > MOST_TRAILS or "both" in self.joined:
            return True
        return any(y == 0 and (x == 0 or "files" in self.joined) for _, (x, y) in trails)

    def _walk_sequence(
        self, then: Then, begun: frozenset[Trail], turn: Turn | None
    ) -> _WalkResult | None:
        walked: _WalkResult | None = _WalkResult(begun)
        stops = False
        may_stop = [False, *(join.may_stop for join in then.joins)]
        turns = [turn, *(join.turn for join in then.joins)]
        for way, stop, each in zip(then.ways, may_stop, turns, strict=True):
            if walked is None:
                return None
            stops = stops or walked.stops_home or (stop and walked.ends_home)
            walked = self.walk_way(way, walked.trails, each)
        return walked and walked._replace(stops_home=stops or walked.stops_home)

    def _walk_rounds(
        self, repeat: Repeat, begun: frozenset[Trail], turn: Turn | None
    ) -> _WalkResult | None:
        most = MOST_ROUNDS if repeat.times == "any" else min(MOST_ROUNDS, max(repeat.times))
        body = repeat.way
        again = body.onward if isinstance(body, Then) else None
        ended: list[_WalkResult | None] = [_WalkResult(begun)] if repeat.optional else []
        trails, seen = begun, set[frozenset[Trail]]()
        for number in range(1, most + 1):
            if repeat.times == "any" and trails in seen:
                break
            seen.add(trails)
            walked = self.walk_way(body, trails, turn if number == 1 else again)
            if walked is None:
                return None
            ending = repeat.times == "any" or number in repeat.times
            ended += [walked] if ending else []
            if len(walked.trails) > MOST_TRAILS:
                # Ever more trails come home, too.
                return _merge_walk_results([*ended, walked._replace(ends_home=True)])
            trails = walked.trails
        return _merge_walk_results(ended)

    def _extend_trails(
        self, trails: frozenset[Trail], turn: Turn | None, leg: Leg
    ) -> frozenset[Trail]:
        """The trails with one leg more; without a turn it goes anywhere."""
        if len(trails) > MOST_TRAILS:
            return trails
        onward = {
            heading: PossibleHeadings(frozenset({heading}))
            .after_turn(turn, leg.steps)
            .steps_and_bends
            if turn and heading[0] != (0, 0)
            else {(v, 0) for v in leg.steps}
            for heading in {heading for heading, _ in trails}
        }
        begun = ((each, place) for heading, place in trails for each in onward[heading])
        result: set[Trail] = set()
        for trail in self._trails_after_runs(leg, begun):
            result.add(trail)
            if len(result) > MOST_TRAILS:
                break
        return frozenset(result)

    def _trails_after_runs(self, leg: Leg, begun: Iterable[Trail]) -> Iterator[Trail]:
        any_length = isinstance(leg.lengths, str)
        lengths = range(1, self.most_steps + 1) if isinstance(leg.lengths, str) else leg.lengths
        for (step, bend), (x, y) in begun:
            size = max(map(abs, step))
            farthest = max(FARTHEST * size, self.most_steps * size, abs(x), abs(y))
            home = max(abs(x), abs(y)) // size
            for count in {*lengths, home} - {0} if any_length else lengths:
                place = x + count * step[0], y + count * step[1]
                if max(map(abs, place)) <= farthest:
                    yield (step, bend), place
