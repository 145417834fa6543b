"""A naive second implementation of Betza's default dialect: every path walked on a drawn board.

Squares are offsets from the mover, `(right, forward)`, all through this module.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice

from .betza_geometry import Unreadable, Vec, add, between
from .betza_parser import parse
from .betza_parts import (
    OWN_HALF,
    Bend,
    Castling,
    Edge,
    Leg,
    Program,
    Universal,
    bend_between,
    wound,
)

__all__ = ["Board", "Move", "Unreadable", "moves"]

HOME = (0, 0)
NOTHING: frozenset[Vec] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A position as the mover sees it; forward is towards higher ranks.

    `at` is 0-based (file, rank). The sets hold offsets from the mover: `royals` are enemies too,
    `unmoved_friends` are friends too. `trail` holds the empty squares where en passant captures.
    """

    width: int
    height: int
    at: Vec
    enemies: frozenset[Vec] = NOTHING
    friends: frozenset[Vec] = NOTHING
    royals: frozenset[Vec] = NOTHING
    unmoved_friends: frozenset[Vec] = NOTHING
    unmoved: bool = False
    is_king: bool = True
    trail: frozenset[Vec] = NOTHING

    def square(self, offset: Vec, wrap: frozenset[str] = frozenset()) -> Vec | None:
        """The offset as a square of the board, wrapped if o or oo is in `wrap`; None if off it."""
        file, rank = add(self.at, offset)
        if wrap & {"o", "oo"}:
            file %= self.width
        if "oo" in wrap:
            rank %= self.height
        if 0 <= file < self.width and 0 <= rank < self.height:
            return file - self.at[0], rank - self.at[1]
        return None

    def squares(self) -> Iterator[Vec]:
        for file in range(self.width):
            for rank in range(self.height):
                yield file - self.at[0], rank - self.at[1]

    def occupied(self, square: Vec) -> bool:
        """Whether a piece other than the mover stands there; captured ones still do."""
        return square in self.enemies | self.royals | self.friends | self.unmoved_friends

    def steps_in_own_half(self, forward: int) -> int:
        """How many steps of the given height stay in the own half; at least one."""
        return max(1, (self.height // 2 - 1 - self.at[1]) // forward)


@dataclass(frozen=True, slots=True)
class Move:
    """Where a move ends, what it captures (a trail square for en passant), what it hops over."""

    to: Vec
    captures: frozenset[Vec] = NOTHING
    hurdles: frozenset[Vec] = NOTHING


@dataclass(frozen=True, slots=True)
class State:
    """A piece between two legs; `length` is the number of steps of the latest slider leg."""

    node: int = 0
    square: Vec = HOME
    travel: Vec | None = None
    bend: Bend | None = None
    length: int = 0
    captures: frozenset[Vec] = NOTHING
    hurdles: frozenset[Vec] = NOTHING


@dataclass(frozen=True, slots=True)
class Landing:
    """Where a leg ends after `steps` steps, with all captures and hurdles of the move so far."""

    square: Vec
    captures: frozenset[Vec]
    hurdles: frozenset[Vec]
    steps: int


def moves(text: str, board: Board) -> frozenset[Move]:
    """All moves of the piece on that board.

    Raises Unreadable for text that the default dialect refuses.
    """
    found: set[Move] = set()
    for part in parse(text):
        match part:
            case Program():
                found |= program_moves(part, board)
            case Universal():
                found |= universal_moves(part.letters, board)
            case Castling():
                found |= set(castling_moves(part, board))
    return frozenset(found)


def program_moves(program: Program, board: Board) -> set[Move]:
    if program.initial and not board.unmoved:
        return set()
    found: set[Move] = set()
    seen: set[State] = set()
    waiting = [State()]
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        for edge in program.edges[state.node]:
            for after in legs_ends(board, edge, state):
                if edge.target is None:
                    found.add(Move(after.square, after.captures, after.hurdles))
                else:
                    waiting.append(after)
    return found


def legs_ends(board: Board, edge: Edge, state: State) -> Iterator[State]:
    """Every way of walking one leg."""
    leg = edge.leg
    if state.travel is None:
        if leg.letters & {"i", "ii"} and not board.unmoved:
            return
        if leg.letters & {"z", "q"}:
            yield from wound_ends(board, leg, state)
            return
        vectors = leg.starts
    else:
        vectors = leg.onward(state.travel, state.bend)
    for v in vectors:
        bend = state.bend if state.travel is None else bend_between(state.travel, v) or state.bend
        for end in straight(board, edge, state, v):
            yield State(
                edge.target or 0,
                end.square,
                v,
                bend,
                end.steps if leg.limit != 1 else state.length,
                end.captures,
                end.hurdles,
            )


def wound_ends(board: Board, leg: Leg, state: State) -> Iterator[State]:
    """A crooked or circular single leg; each step tests its landing square like a rider."""
    for path in wound(leg):
        square = HOME
        for v in islice(path, leg.limit):
            there = board.square(add(square, v))
            if there is None or there == HOME:
                break
            square = there
            for end in landings(board, ending_letters(leg), state, square):
                yield State(0, end.square, v, None, 0, end.captures, end.hurdles)
            if board.occupied(square):
                break


def ending_letters(leg: Leg) -> frozenset[str]:
    """What a leg may do at the end of a move; move and capture when no letter says."""
    return leg.letters & set("mcdek") or frozenset("mc")


def passing_letters(leg: Leg) -> frozenset[str]:
    """What an earlier leg may do; y passes like m, g hops like p, and no letter means m."""
    letters = leg.letters & set("mcdekp")
    if "y" in leg.letters:
        letters |= {"m"}
    if "g" in leg.letters:
        letters |= {"p"}
    return letters or frozenset("m")


def step_numbers(board: Board, leg: Leg, v: Vec) -> Iterator[int]:
    limit = board.steps_in_own_half(v[1]) if leg.limit == OWN_HALF else leg.limit
    return islice(count(1), limit)


def squares_along(
    board: Board, edge: Edge, state: State, v: Vec
) -> Iterator[tuple[int, Vec, frozenset[Vec]]]:
    """The squares one leg meets along a vector, pieces on them ignored, with what j hops over.

    It ends at the edge, at the leg's own start on a wrapped board, where n or j forbids a leap, at
    the mover's start on a first leg, and there also on a repeated one.
    """
    leg, square, hurdles = edge.leg, state.square, NOTHING
    closed = {state.square}
    if state.travel is None or edge.repeated:
        closed.add(HOME)
    for step in step_numbers(board, leg, v):
        passed = gap(board, leg, square, v)
        there = board.square(add(square, v), leg.letters)
        if passed is None or there is None or there in closed:
            return
        square, hurdles = there, hurdles | passed
        if not (step == 1 and "j" in leg.letters and leg.atom.unit):
            yield step, square, hurdles


def straight(board: Board, edge: Edge, state: State, v: Vec) -> Iterator[Landing]:
    """What one leg may do along one vector."""
    leg, last = edge.leg, edge.target is None
    exact = state.length if "i" in leg.letters and state.travel is not None else None
    letters = ending_letters(leg) if last else passing_letters(leg)
    needs_hurdle = last and bool(leg.letters & {"p", "g"})
    hurdles = state.hurdles
    for step, square, under in squares_along(board, edge, state, v):
        occupied = board.occupied(square)
        if needs_hurdle:
            needs_hurdle = not occupied
            hurdles |= {square} if occupied else NOTHING
            continue
        if exact in (None, step):
            for end in landings(board, letters, state, square):
                yield Landing(end.square, end.captures, hurdles | under | end.hurdles, step)
        if occupied or (last and "g" in leg.letters):
            return


def gap(board: Board, leg: Leg, square: Vec, v: Vec) -> frozenset[Vec] | None:
    """The hurdles under one leap: none unless j asks for them; None when n or j forbids it."""
    if not leg.letters & {"n", "j"}:
        return NOTHING
    passed = [board.square(add(square, each), leg.letters) for each in between(v)]
    under = frozenset(each for each in passed if each is not None)
    taken = {each for each in under if board.occupied(each)}
    if "n" in leg.letters:
        return None if taken else NOTHING
    return under if taken == under else None


def landings(board: Board, letters: frozenset[str], state: State, square: Vec) -> Iterator[Landing]:
    """What may be done on one square: pass or stop, capture, capture en passant, hop over it.

    A piece captured earlier in the move is still in the way and cannot be captured again.
    """
    captures = state.captures
    taken = captures | {square}
    if not board.occupied(square):
        if "m" in letters:
            yield Landing(square, captures, NOTHING, 0)
        if "e" in letters and square in board.trail - captures:
            yield Landing(square, taken, NOTHING, 0)
        return
    if square not in captures and letters & targets(board, square):
        yield Landing(square, taken, NOTHING, 0)
    if "p" in letters:
        # A hop that may also pass an empty square is a free leap: it needs no hurdle.
        hurdles = NOTHING if "m" in letters else frozenset({square})
        yield Landing(square, captures, hurdles, 0)


def targets(board: Board, square: Vec) -> frozenset[str]:
    """The letters that allow capturing the piece on a square."""
    if square in board.royals:
        return frozenset("ck")
    return frozenset("c" if square in board.enemies else "d")


def universal_moves(letters: frozenset[str], board: Board) -> set[Move]:
    if letters & {"i", "ii"} and not board.unmoved:
        return set()
    wanted = letters & set("mcdek") or frozenset("mc")
    return {
        Move(end.square, end.captures)
        for square in board.squares()
        if square != HOME
        for end in landings(board, wanted, State(), square)
    }


def castling_moves(part: Castling, board: Board) -> Iterator[Move]:
    """Sideways king moves towards the first piece met, if that is the partner O asks for."""
    if not board.is_king or (part.letters & {"i", "ii"} and not board.unmoved):
        return
    for side in part.sides:
        edge = (0 if side < 0 else board.width - 1) - board.at[0]
        partner = edge - side * part.inset, 0
        way = [(side * steps, 0) for steps in range(1, abs(partner[0]))]
        outside = partner[0] * side <= part.steps
        if outside or partner not in board.unmoved_friends or any(map(board.occupied, way)):
            continue
        yield Move((side * part.steps, 0))
