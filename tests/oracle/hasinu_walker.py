"""A second, naive implementation of Ħasínū, as an oracle for tests.

It walks paths on a drawn board straight from the definitions of C(M), the complete paths,
and S(M), the paths on which the piece may stop. It shares no code with alfil.

A path is known by its last state only: where it ends, which wind it followed last, which
hands its turns took, which pieces it jumped, what it ran over. Two paths with the same state
go on in the same ways, so loops end when no new state appears.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from .hasinu_binding import bind
from .hasinu_board import HOME, Board, Licence, Move, State, freest, size
from .hasinu_parser import parse
from .hasinu_tree import (
    Bent,
    Borrowed,
    Box,
    Counts,
    Ends,
    Jump,
    Meaning,
    NoJump,
    Rampage,
    Rays,
    Refused,
    Repeat,
    Rifle,
    Silent,
    Square,
    Timed,
    Turn,
    Union,
    Unreadable,
    Wrapper,
)

__all__ = ["Board", "Move", "Refused", "Unreadable", "moves"]

WINDS = 16
RIGHT_ANGLE = 4
STRAIGHT = (0, 8)
NOBODY: frozenset[str] = frozenset()

States = frozenset[State]
# What a leg captures where no function says otherwise.
ENEMY = frozenset("E")


class Walker:
    """Walks on one board. Every walk goes from a set of states to a set of states."""

    def __init__(self, board: Board) -> None:
        """Take the board."""
        self.board = board
        self.known: dict[tuple[Rays, State], States] = {}

    def walk(self, node: Meaning, starts: States, *, stop: bool) -> States:
        """Give the ends of S(node) if `stop`, else of C(node), begun in these states."""
        match node:
            case Rays():
                return frozenset().union(*(self.rays(node, start) for start in starts))
            case Box():
                return frozenset(end for start in starts for end in self.area(node, start, stop))
            case Silent():
                return frozenset()
            case Union() | Bent() | Repeat():
                return self.joined(node, starts, stop=stop)
            case _:
                return self.wrapped(node, starts, stop=stop)

    def joined(self, node: Union | Bent | Repeat, starts: States, *, stop: bool) -> States:
        """Walk what is built of several moves."""
        match node:
            case Union(terms):
                found = (self.walk(term, starts, stop=stop) for term in terms)
                return frozenset().union(*found)
            case Bent():
                return self.bent(node, starts, stop=stop)
            case Repeat():
                return self.walk(node.body, self.last_starts(node, starts), stop=stop)
            case _:
                assert_never(node)

    def wrapped(self, node: Wrapper, starts: States, *, stop: bool) -> States:
        """Walk what a function wraps, and change the ends."""
        match node:
            case Ends():
                return frozenset(end for start in starts for end in self.used(node, start, stop))
            case Rifle(body, sides):
                found = self.walk(body, starts, stop=stop)
                return frozenset(replace(end, takes=sides, shoots=True) for end in found)
            case Jump(body, sides, limit):
                return self.jump(body, starts, Licence(sides, limit), stop=stop)
            case Rampage():
                return self.rampage(node, starts)
            case Timed(body=body):
                return self.walk(body, starts if self.is_time(node) else frozenset(), stop=stop)
            case NoJump(body, sides):
                inside = frozenset(replace(s, blocked=s.blocked | sides) for s in starts)
                before = {s.blocked for s in starts}
                found = self.walk(body, inside, stop=stop)
                # All starts of a walk have come through the same functions.
                return frozenset(replace(end, blocked=b) for end in found for b in before)
            case Borrowed(body):
                return self.walk(body, starts, stop=stop)
            case _:
                assert_never(node)

    def used(self, node: Ends, start: State, stop: bool) -> Iterator[State]:  # noqa: FBT001 - as walk
        """Walk what may not, or must, be used for capture: on its way, or where it ends.

        What a rampage around it runs over is not captured by the move itself.
        """
        for end in self.walk(node.body, frozenset({start}), stop=stop):
            captured = not start.over and end.spoils != start.spoils
            if not captured:
                yield replace(end, how=end.how | {node.how})
            elif node.how == "c":
                yield end

    def is_time(self, node: Timed) -> bool:
        """Tell whether the guard holds; every k-th move is listed when many have been made."""
        made = self.board.moves_made
        if node.every:
            return made is None or (made + 1) % node.number == 0
        return made == node.number - 1

    def jump(self, body: Meaning, starts: States, licence: Licence, *, stop: bool) -> States:
        """Walk the body of a `j` under its licence, which is gone when it ends."""
        inside = frozenset(replace(s, licences=(*s.licences, licence)) for s in starts)
        ends = self.walk(body, inside, stop=stop)
        return frozenset(replace(end, licences=end.licences[:-1]) for end in ends)

    def passing(self, state: State) -> Iterator[State]:
        """Pass the square that the path has come to: it is empty, jumped, or run over."""
        side = self.board.occupant(state.place)
        if side is None:
            yield state
        elif side in state.over:
            yield replace(state, spoils=state.spoils | {state.place})
        else:
            for depth, licence in enumerate(state.licences):
                after = licence.after(state.place, side)
                if after is not None:
                    changed = (*state.licences[:depth], after, *state.licences[depth + 1 :])
                    yield replace(state, licences=changed)

    def joint(self, ends: Iterable[State], turn: Turn | None) -> States:
        """Make these ends starts of a next leg, to be reached by the turn; None is free."""
        begun = {
            replace(s, turn=turn, wind=s.wind if turn else None, how=NOBODY, takes=ENEMY)
            for s in ends
        }
        return freest(frozenset(after for state in begun for after in self.passing(state)))

    def bent(self, node: Bent, starts: States, *, stop: bool) -> States:
        """Walk legs; the piece may stop after each."""
        first, *later = node.legs
        stops = self.walk(first, starts, stop=True)
        complete = self.walk(first, starts, stop=False)
        for turn, leg in zip(node.turns, later, strict=True):
            begun = self.joint(complete, turn)
            stops |= self.walk(leg, begun, stop=True)
            complete = self.walk(leg, begun, stop=False)
        return stops if stop else complete

    def last_starts(self, node: Repeat, starts: States) -> States:
        """Give the states in which the last repetition of a loop may begin."""
        if node.counts is None:
            reached, fresh = starts, starts
            while fresh:
                merged = freest(reached | self.again(node.body, fresh))
                reached, fresh = merged, merged - reached
            return reached
        levels: list[States] = []
        seen: dict[States, int] = {}
        level = starts
        while level not in seen and len(levels) < max(node.counts):
            seen[level] = len(levels)
            levels.append(level)
            level = self.again(node.body, level)
        return frozenset().union(*(cyclic(levels, seen.get(level), k - 1) for k in node.counts))

    def again(self, body: Union, starts: States) -> States:
        """Walk the body once, completely, and begin the next repetition.

        The turn at the end of a body belongs to its last term.
        """
        turns = [None] * (len(body.terms) - 1) + [body.trail]
        return freest(
            frozenset().union(
                *(
                    self.joint(self.walk(term, starts, stop=False), turn)
                    for term, turn in zip(body.terms, turns, strict=True)
                )
            )
        )

    def rays(self, node: Rays, start: State) -> States:
        """Walk the lines of a radial or oblique leg, and remember where they ended."""
        key = (node, start)
        if key not in self.known:
            self.known[key] = frozenset(self.lines(node, start))
        return self.known[key]

    def lines(self, node: Rays, start: State) -> Iterator[State]:
        """Walk each line that the turn allows."""
        for wind, vector in node.vectors:
            for hands in hands_after(start, wind, oblique=node.oblique):
                run = (node, vector) if start.over else None
                turned = replace(start, wind=wind, turn=None, hands=hands, run=run)
                yield from self.line(turned, vector, node.distances)

    def line(self, start: State, vector: Square, distances: Counts) -> Iterator[State]:
        """Go straight on, passing every square before the last."""
        heads, steps = {start}, 0
        while heads and (distances is None or steps < max(distances)):
            if steps:
                heads = {after for head in heads for after in self.passing(head)}
            steps += 1
            moved = {
                replace(h, place=(h.place[0] + vector[0], h.place[1] + vector[1]))
                for h in heads
                if self.leaps(h, vector)
            }
            heads = {head for head in moved if self.board.holds(head.place)}
            if distances is None or steps in distances:
                yield from heads

    def leaps(self, state: State, vector: Square) -> bool:
        """Tell whether nothing on the squares that a leap skips blocks it."""
        (x, y), (dx, dy) = state.place, vector
        while state.blocked and (dx, dy) != HOME:
            far = abs(dx) - abs(dy)
            step = (sign(dx) if far >= 0 else 0, sign(dy) if far <= 0 else 0)
            x, y, dx, dy = x + step[0], y + step[1], dx - step[0], dy - step[1]
            if (dx, dy) != HOME and self.board.occupant((x, y)) in state.blocked:
                return False
        return True

    def area(self, node: Box, start: State, stop: bool) -> Iterator[State]:  # noqa: FBT001 - as walk
        """Go to the squares of an area, by steps inside it or by leaps; a lion does both.

        A lion takes what it steps on, and may come home if the move ends with that.
        """
        if node.how != "steps" or max(node.x, node.y) == 1:
            yield from self.box(node.x, node.y, start)
        lion = node.how == "lion"
        under_way = {start} if node.how != "leaps" and max(node.x, node.y) > 1 else set()
        for count in range(max(node.x, node.y)):
            begun = {on for each in under_way for on in self.stepping(each, count, lion)}
            under_way = {
                end
                for each in begun
                for end in self.box(1, 1, replace(each, turn=None) if count else each)
                if end.place not in end.spoils  # what is captured stays there until the end
                and abs(end.place[0] - start.place[0]) <= node.x
                and abs(end.place[1] - start.place[1]) <= node.y
            }
            yield from (
                replace(end, home=lion and start.place == HOME and stop) for end in under_way
            )

    def stepping(self, state: State, count: int, lion: bool) -> Iterator[State]:  # noqa: FBT001 - as walk
        """Pass the square that a walk has come to, if it has come anywhere; a lion takes there."""
        if not count:
            yield state
        elif lion and self.board.occupant(state.place) == "E":
            yield replace(state, spoils=state.spoils | {state.place})
        else:
            yield from self.passing(state)

    def box(self, x: int, y: int, state: State) -> Iterator[State]:
        """Leap to every other square of the box."""
        for dx in range(-x, x + 1):
            for dy in range(-y, y + 1):
                place = (state.place[0] + dx, state.place[1] + dy)
                if (dx, dy) == HOME or not self.board.holds(place):
                    continue
                if not self.leaps(state, (dx, dy)):
                    continue
                wind, oblique = wind_of((dx, dy))
                for hands in hands_after(state, wind, oblique=oblique):
                    yield replace(state, place=place, wind=wind, turn=None, hands=hands)

    def rampage(self, node: Rampage, starts: States) -> States:
        """Run over pieces; greedy keeps the farthest stop of each line of each leg."""
        inside = frozenset(replace(start, over=node.sides) for start in starts)
        found = self.walk(node.body, inside, stop=True)
        ends = {replace(end, takes=end.takes | node.sides) for end in found}
        if node.greedy:
            ends = self.farthest({end for end in ends if self.move(end) is not None})
        return frozenset(replace(end, over=NOBODY, run=None) for end in ends)

    @staticmethod
    def farthest(ends: set[State]) -> set[State]:
        """Keep the stops farthest from home in each run."""
        best: dict[object, int] = {}
        for end in ends:
            best[end.run] = max(best.get(end.run, 0), size(end.place))
        return {end for end in ends if size(end.place) == best[end.run]}

    def move(self, end: State) -> Move | None:
        """Give the move that ends so, or None if it may not end so."""
        if end.place == HOME:
            return Move(HOME, end.spoils) if end.home and "c" not in end.how else None
        side = self.board.occupant(end.place)
        if side is None and end.shoots:
            return Move(HOME, end.spoils) if end.spoils else None
        if side is None:
            return None if "c" in end.how else Move(end.place, end.spoils)
        if "m" in end.how or side not in end.takes:
            return None
        return Move(HOME if end.shoots else end.place, end.spoils | {end.place})


def sign(number: int) -> int:
    """Give -1, 0 or 1."""
    return (number > 0) - (number < 0)


def wind_of(vector: Square) -> tuple[int, bool]:
    """Give the wind of any leap, clockwise from forward, and whether it is off the eight lines."""
    oblique = 0 not in vector and abs(vector[0]) != abs(vector[1])
    around = round(math.degrees(math.atan2(*vector)) / 22.5)
    if oblique and around % 2 == 0:
        around = 2 * math.floor(math.degrees(math.atan2(*vector)) / 45) + 1
    return around % WINDS, oblique


def cyclic(levels: list[States], begin: int | None, index: int) -> States:
    """Give a level when those from `begin` on repeat for ever; None: all needed are there."""
    if begin is None or index < len(levels):
        return levels[index]
    return levels[begin + (index - begin) % (len(levels) - begin)]


def hands_after(state: State, wind: int, *, oblique: bool) -> Iterator[frozenset[tuple[Turn, int]]]:
    """Yield the hands taken after turning to this wind, once for each way to do so."""
    turn, heading = state.turn, state.wind
    if turn is None or heading is None:
        yield state.hands
        return
    if turn.sixteenths is None:
        apart = min((wind - heading) % WINDS, (heading - wind) % WINDS)
        if 0 < apart <= RIGHT_ANGLE:
            yield state.hands
        return
    for sense in senses(state, turn):
        target = (heading + sense * turn.sixteenths) % WINDS
        if target % 2 != oblique:
            target = (target + sense) % WINDS
        if target == wind:
            yield state.hands | {(turn, sense)} if keeps_hand(turn) else state.hands


def keeps_hand(turn: Turn) -> bool:
    """Tell whether the turn takes a hand: it has no sign, and is not 0° or 180°."""
    return turn.sense is None and turn.sixteenths not in STRAIGHT


def senses(state: State, turn: Turn) -> list[int]:
    """Give the senses in which the turn may be made.

    Hands are kept for the rest of the whole path: an angle is met twice only inside a loop,
    and the outermost loop around it is entered once. Without a sign, 0° and 180° may go to
    either side wherever the 16-wind rule asks for a sense.
    """
    if turn.sense is not None:
        return [turn.sense]
    kept = [sense for taken, sense in state.hands if taken is turn]
    return kept or [1, -1]


def moves(text: str, board: Board) -> frozenset[Move]:
    """Give all moves of the described piece on the board.

    Raises Unreadable if the text cannot be read, and Refused where compiling is refused.
    """
    bound = bind(parse(text))
    found = walked(bound, board)
    burns = [each for each in bound.terms if isinstance(each, Silent) and each.body]
    return frozenset(burning(move, board, burns) for move in found) if burns else found


def walked(meaning: Meaning, board: Board) -> frozenset[Move]:
    """Give the moves of a meaning on a board."""
    walker = Walker(board)
    ends = walker.walk(meaning, frozenset({State()}), stop=True)
    return frozenset(move for end in ends if (move := walker.move(end)) is not None)


def burning(move: Move, board: Board, burns: list[Silent]) -> Move:
    """Give the move with all that is in the range of a burn where it ends."""
    dx, dy = move.to
    left = {
        side: frozenset((x - dx, y - dy) for x, y in pieces - move.captures)
        for side, pieces in (("E", board.enemies), ("F", board.friends))
    }
    burnt: set[Square] = set()
    for each in burns:
        prey = [left[side] for side in sorted(left) if side in each.sides]
        others = [left[side] for side in sorted(left) if side not in each.sides]
        there = replace(
            board,
            at=(board.at[0] + dx, board.at[1] + dy),
            enemies=frozenset().union(*prey),
            friends=frozenset().union(*others),
        )
        if each.body is not None:
            burnt |= {at for one in walked(each.body, there) for at in one.captures}
    return Move(move.to, move.captures | {(x + dx, y + dy) for x, y in burnt})
