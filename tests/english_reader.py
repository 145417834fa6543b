"""Reads a description in English back as moves on a board with other pieces.

Imports nothing of alfil, so the words are judged by what they say; `english_grammar` has the rules
for these. Where words are silent, the customs of chess hold: a move ends on an empty square or
captures an enemy, a slide passes empty squares only, a leap passes anything, and a way goes on from
an empty square. The square where the move began is empty; a captured piece stays in the way until
the move is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from types import MappingProxyType
from typing import NamedTuple

from english_grammar import (
    ANYWHERE,
    ENDLESS,
    HOME,
    NO_SQUARES,
    Castling,
    Either,
    Jump,
    Leg,
    Node,
    Rounds,
    Route,
    Shot,
    Square,
    Squares,
    State,
    Turn,
    Unread,
    Whole,
    turn_between,
    ways_told,
)

RADIUS = 7
# Steps of a path looked at, after which a reading is given up.
MOST_WORK = 20_000


class Board(NamedTuple):
    """A board around a piece; all squares are offsets from it, seen by its side.

    ``royals`` are enemies too, ``unmoved_friends`` friends. ``trail`` has the squares where en
    passant captures, with those of its victims. ``third_rank`` is whether a piece like it stood
    behind it at the start.
    """

    files: int = 2 * RADIUS + 1
    ranks: int = 2 * RADIUS + 1
    at: Square = (RADIUS, RADIUS)
    enemies: Squares = NO_SQUARES
    friends: Squares = NO_SQUARES
    royals: Squares = NO_SQUARES
    unmoved: bool = True
    unmoved_friends: Squares = NO_SQUARES
    trail: Mapping[Square, Square] = MappingProxyType({})
    third_rank: bool = False

    def square(self, place: Square, edges: str = "") -> Square | None:
        """A place as one of the board, around joined edges if need be; None beyond them."""
        file, rank = self.at[0] + place[0], self.at[1] + place[1]
        if edges:
            file %= self.files
        if edges == "both":
            rank %= self.ranks
        inside = 0 <= file < self.files and 0 <= rank < self.ranks
        return (file - self.at[0], rank - self.at[1]) if inside else None

    def holds(self, place: Square) -> str:
        """Who stands there: where the move began nobody does."""
        if place == HOME:
            return "empty"
        if place in self.royals:
            return "royal"
        if place in self.enemies:
            return "enemy"
        return "friend" if place in self.friends | self.unmoved_friends else "empty"


class Move(NamedTuple):
    """Where a move ends, and whom it captures."""

    to: Square
    captures: Squares = NO_SQUARES


CONDITIONS: dict[str, Callable[[Board], bool]] = {
    "on its first move": lambda board: board.unmoved,
    "where a piece like it and of its side stood straight behind it at the start,": (
        lambda board: board.third_rank
    ),
}


def moves_told(text: str, board: Board) -> set[Move]:
    """The moves that a description names on a board; one that leaves all as it was is none."""
    found: set[Move] = set()
    remembers = "latest" in text or "slid before" in text
    for guarded in ways_told(text):
        if not CONDITIONS.keys() >= {*guarded.when}:
            raise Unread(", ".join(guarded.when))
        if all(CONDITIONS[each](board) for each in guarded.when):
            found |= moves_of(guarded.way, board, remembers=remembers)
    return found


def moves_of(way: Node, board: Board, *, remembers: bool) -> set[Move]:
    """The moves of one way."""
    if isinstance(way, Castling):
        return set(castling(way, board))
    walker = Walker(board, remembers=remembers)
    if isinstance(way, Shot):
        found: set[Move] = set()
        for each in way.ways:
            whom_taken = frozenset(f"take {who}" for who in way.whom)
            for end in walker.walk(each, State(), whom_taken, Rules(shot=True)):
                found.add(Move(HOME, end.captures))
        return found
    return {Move(end.place, end.captures) for end in walker.walk(way, State(), None)}


class Rules(NamedTuple):
    """What is said of a whole way."""

    jumps: tuple[Jump, ...] = ()
    takes: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    musts: frozenset[str] = frozenset()
    away: bool = False
    shot: bool = False


NO_RULES = Rules()


class Walker:
    """Walks the ways of a description on one board."""

    def __init__(self, board: Board, *, remembers: bool) -> None:
        self.board = board
        self.remembers = remembers
        self.work = 0

    def walk(
        self,
        way: Node,
        state: State,
        allowed: frozenset[str] | None,
        rules: Rules = NO_RULES,
        *,
        early: bool = True,
    ) -> Iterator[State]:
        """Where a way ends, or where it may go on from if ``allowed`` is what may be there.

        ``early`` is whether it may do so before its end, where a move may.
        """
        match way:
            case Leg():
                yield from self.leg(way, state, allowed, rules)
            case Route():
                yield from self.route(way, state, allowed, rules, early=early)
            case Either(ways):
                for each in ways:
                    yield from self.walk(each, state, allowed, rules, early=early)
            case Rounds():
                yield from self.rounds(way, state, allowed, rules, early=early)
            case Whole():
                yield from self.whole(way, state, allowed, rules, early=early)
            case Shot() | Castling():
                raise Unread("a shot or castling on the way")

    def whole(
        self,
        way: Whole,
        state: State,
        allowed: frozenset[str] | None,
        rules: Rules,
        *,
        early: bool,
    ) -> Iterator[State]:
        inside = Rules(
            (*rules.jumps, *way.jumps),
            rules.takes | way.takes,
            rules.ends | way.ends,
            rules.musts | way.musts,
            rules.away,
            rules.shot,
        )
        for end in self.walk(way.way, state, allowed, inside, early=early):
            if way.away and allowed is None and end.place == HOME:
                continue
            free = not way.captures or (way.passed and allowed is not None)
            if free or (way.captures == "something") == bool(end.captures):
                yield end if way.onward is None else end._replace(turn=way.onward)

    def route(
        self,
        route: Route,
        state: State,
        allowed: frozenset[str] | None,
        rules: Rules,
        *,
        early: bool = True,
    ) -> Iterator[State]:
        """Legs in order; ``early`` where it may end before the last."""
        states, last = {(state, ())}, len(route.legs) - 1
        for number, leg in enumerate(route.legs):
            turn = route.turns[number]
            if turn is not None:
                states = {(each._replace(turn=turn), way) for each, way in states}
            if number == last or (early and route.stops[number]):
                for each, way in states:
                    ends = self.walk(leg, each, allowed, rules)
                    yield from (end for end in ends if self.is_listed(route, (*way, end)))
            if number == last:
                return
            place = route.passes[number]
            place = passes_told(leg) if place is None else place
            following = {
                (end, (*way, end) if route.only or route.box else ())
                for each, way in states
                for end in self.walk(leg, each, place, rules, early=not route.whole[number])
            }
            states = following | (states if route.optional[number] else set())

    @staticmethod
    def is_listed(route: Route, way: tuple[State, ...]) -> bool:
        """Whether a way is one of those told one by one."""
        if route.box is not None:
            x, y = route.box
            return all(abs(each.place[0]) <= x and abs(each.place[1]) <= y for each in way)
        if route.only is None:
            return True
        steps = tuple(each.step for each in way)
        return any(listed[: len(steps)] == steps for listed in route.only)

    def rounds(
        self,
        rounds: Rounds,
        state: State,
        allowed: frozenset[str] | None,
        rules: Rules,
        *,
        early: bool,
    ) -> Iterator[State]:
        inside = rules._replace(away=rules.away or rounds.away)
        on = passes_told(rounds.way) if rounds.goes_on is None else rounds.goes_on
        if rounds.optional and allowed is not None:
            yield state
        waiting, seen = {state}, set[State]()
        for number in range(1, max(rounds.counts) + 1):
            if number in rounds.counts:
                for each in waiting:
                    for end in self.walk(rounds.way, each, allowed, inside, early=early):
                        yield end._replace(turn=None)
            following: set[State] = set()
            for each in waiting:
                following |= set(self.walk(rounds.way, each, on, inside, early=False))
            following = {self.before_round(each, rounds.between) for each in following}
            waiting = following - seen if max(rounds.counts) >= ENDLESS else following
            seen |= waiting
            if not waiting:
                return

    def turning_anew(self, state: State) -> State:
        """The state without what a free choice of direction makes of no account."""
        return state if self.remembers or state.turn else state._replace(step=None)

    def before_round(self, state: State, between: Turn | None) -> State:
        """The state with the turn told between two rounds."""
        if between is None:
            return state
        return self.turning_anew(state) if between is ANYWHERE else state._replace(turn=between)

    def leg(
        self, leg: Leg, state: State, allowed: frozenset[str] | None, rules: Rules
    ) -> Iterator[State]:
        if leg.final and allowed is not None:
            return
        lands = what_it_may_land_on(leg, allowed, rules)
        if not leg.rounds:
            yield from self.once(leg, state, lands, rules)
            return
        waiting, seen = {state}, set[State]()
        for number in range(1, max(leg.rounds) + 1):
            each_leg = (
                leg if number == 1 else replace(leg, steps=leg.later, turn=leg.between_rounds)
            )
            on = leg.goes_on | {"away"} if leg.away or rules.away else leg.goes_on
            following: set[State] = set()
            for each in waiting:
                if number in leg.rounds:
                    yield from self.once(each_leg, each, lands, rules)
                following |= set(self.once(each_leg, each, on, rules))
            if leg.between_rounds is ANYWHERE:
                following = {self.turning_anew(each) for each in following}
            waiting = following - seen if max(leg.rounds) >= ENDLESS else following
            seen |= waiting
            if not waiting:
                return

    def once(self, leg: Leg, state: State, lands: frozenset[str], rules: Rules) -> Iterator[State]:
        """One run of equal steps, or one leap."""
        if leg.anywhere:
            for place in product(range(self.board.files), range(self.board.ranks)):
                there = (place[0] - self.board.at[0], place[1] - self.board.at[1])
                if there != state.place:
                    yield from self.landings(state._replace(place=there, step=None), lands, ())
            return
        for step in leg.steps:
            turned = leg.turn.made(state, step)
            if turned is not None and turned.turn is not None:
                turned = turned.turn.made(turned, step)
            if turned is None:
                continue
            bend = turn_between(state.step, step) if state.step else 0
            bend = state.bend if bend in {0, 180} else bend
            bend = bend if self.remembers else 0
            turned = turned._replace(step=step, bend=bend, turn=None)
            yield from self.run(leg, turned, step, lands, rules)

    def run(
        self, leg: Leg, state: State, step: Square, lands: frozenset[str], rules: Rules
    ) -> Iterator[State]:
        """The squares of a run on which it may end, one way after the other."""
        front = {(state, 0)}  # with the square on which it hopped, counted from 1
        farthest: set[State] = set()
        if "no hop" in lands:
            leg = replace(leg, hop="")
        counts = self.counts(leg, state, step)
        along = leg.along | {f"take {who}" for who in rules.takes}
        if leg.away or rules.away:
            along |= {"away"}
        musts = leg.musts | rules.musts
        jumps = tuple(jump._replace(whom=jump.whom - musts) for jump in (*leg.jumps, *rules.jumps))
        for number in range(1, max(counts, default=0) + 1):
            front = {
                (each._replace(place=there), hopped)
                for each, hopped in front
                if self.leap_is_free(leg, each.place, step)
                and (there := self.board.square(add(each.place, step), leg.edges)) is not None
                and (not leg.edges or there != state.place)
            }
            self.work += len(front) + 1
            if self.work > MOST_WORK:
                raise Unread("a way that takes too long")
            if not front:
                break
            ended = {
                end._replace(slid=number) if self.remembers and leg.counts != (1,) else end
                for each, hopped in front
                if number in counts
                and not (leg.skips and number == 1)
                and fits_hop(leg.hop, number, hopped)
                for end in self.landings(each, lands, rules.jumps)
            }
            if leg.farthest:
                farthest = ended or farthest
            else:
                yield from ended
            front = set(self.further(leg, front, number, along, jumps))
        yield from farthest

    def further(
        self,
        leg: Leg,
        front: set[tuple[State, int]],
        number: int,
        along: frozenset[str],
        jumps: tuple[Jump, ...],
    ) -> Iterator[tuple[State, int]]:
        """The ways that go on from a square of a run."""
        for each, hopped in front:
            if leg.skips and number == 1:
                yield each, hopped
                continue
            for further in self.landings(each, along, jumps, jumping=True):
                yield further, hopped
            if leg.hop and not hopped and self.board.holds(each.place) != "empty":
                yield each, number

    def counts(self, leg: Leg, state: State, step: Square) -> Iterable[int]:
        """How many steps it may take."""
        if leg.as_far:
            return (state.slid,) if state.slid in leg.counts else ()
        if not leg.limit:
            return leg.counts
        if leg.limit == "own half":
            most = self.board.ranks // 2 - 1 - self.board.at[1] - state.place[1]
            return range(1, max(1, most // step[1] if step[1] > 0 else ENDLESS) + 1)
        room, place = 0, state.place
        while (following := self.board.square(add(place, step))) is not None:
            room, place = room + 1, following
        room -= leg.limit == "half but one"
        return range(1, (room + 1) // 2 + 1)

    def leap_is_free(self, leg: Leg, place: Square, step: Square) -> bool:
        """Whether what a step leaps over is as it must be."""
        if not leg.between and not leg.blockers:
            return True
        for each in between(step):
            there = self.board.square(add(place, each), leg.edges)
            holds = "empty" if there is None else self.board.holds(there)
            if leg.between == "empty" and holds != "empty":
                return False
            if leg.between == "occupied" and holds == "empty":
                return False
            if holds in leg.blockers:
                return False
        return True

    def landings(
        self, state: State, lands: frozenset[str], jumps: tuple[Jump, ...], *, jumping: bool = False
    ) -> Iterator[State]:
        """What may be done on the square reached."""
        if state.place == HOME and "away" in lands:
            return
        holds = self.board.holds(state.place)
        if holds == "empty":
            if "empty" in lands:
                yield state
            victim = self.board.trail.get(state.place)
            if "take passer" in lands and victim and victim not in state.captures:
                yield state._replace(captures=state.captures | {victim})
            return
        if f"take {holds}" in lands and state.place not in state.captures:
            yield state._replace(captures=state.captures | {state.place})
        limits = [jump for jump in jumps if holds in jump.whom]
        if f"over {holds}" in lands and all(jump.most is None for jump in limits):
            yield state
            return
        if jumping or f"over {holds}" in lands:
            yield from jumped_over(state, limits)


def jumped_over(state: State, limits: Iterable[Jump]) -> Iterator[State]:
    """The ways of counting a jump over the piece on a square."""
    for jump in limits:
        if jump.most is None:
            yield state
            continue
        jumped = {each for each in state.jumped if each[0] == jump.number}
        if len(jumped | {(jump.number, state.place)}) <= jump.most:
            yield state._replace(jumped=state.jumped | {(jump.number, state.place)})


def castling(way: Castling, board: Board) -> Iterator[Move]:
    for side, _ in way.sides:
        last = board.files - 1 if side > 0 else 0
        partner = last - board.at[0] - side * way.inset
        between_them = [(side * n, 0) for n in range(1, abs(partner))]
        if partner * side <= way.squares or (partner, 0) not in board.unmoved_friends:
            continue
        if all(board.holds(each) == "empty" for each in between_them):
            yield Move((side * way.squares, 0))


def what_it_may_land_on(leg: Leg, allowed: frozenset[str] | None, rules: Rules) -> frozenset[str]:
    """What a leg may end on, or what may be there for the way to go on."""
    if allowed is None:
        lands = leg.lands | {f"take {who}" for who in rules.ends} if leg.lands else leg.lands
        if leg.needs:
            lands = frozenset(each for each in lands if each.startswith((leg.needs, "away")))
    else:
        lands = allowed
        # A shot is where the piece could capture, so not where it only moves.
        moves_only = leg.passes is None and not any("take" in each for each in leg.lands)
        if rules.shot and moves_only and "empty" not in allowed:
            lands = frozenset()
    return lands | {"away"} if leg.away or rules.away else lands


def passes_told(way: Node) -> frozenset[str]:
    """What a way goes on from by its own words, or else an empty square."""
    match way:
        case Leg(passes=passes) if passes is not None:
            return passes
        case Route(legs):
            return passes_told(legs[-1])
        case Rounds(inside) | Whole(inside):
            return passes_told(inside)
    return frozenset({"empty"})


def fits_hop(hop: str, number: int, hopped: int) -> bool:
    if not hop:
        return True
    return bool(hopped) and (hop == "anywhere beyond" or number == hopped + 1)


def add(place: Square, step: Square) -> Square:
    return place[0] + step[0], place[1] + step[1]


def between(step: Square) -> Iterator[Square]:
    """The squares a leap passes: first orthogonally, then diagonally."""
    (x, y), sign = step, lambda n: (n > 0) - (n < 0)
    long, short = max(abs(x), abs(y)), min(abs(x), abs(y))
    place = HOME
    for number in range(long - 1):
        straight = number < long - short
        place = add(
            place,
            (
                0 if straight and abs(x) < abs(y) else sign(x),
                0 if straight and abs(y) < abs(x) else sign(y),
            ),
        )
        yield place
