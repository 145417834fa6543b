"""What a Betza text is made of once it has been read: parts, and the graph of legs of each.

A program is a graph: node 0 is the start square, every edge is one leg, and an edge either ends
the move or leads to the node from which the next leg leaves. Alternatives and repeats are edges.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from .betza_geometry import Unreadable, Vec, chosen, kind, outward, place, ring, turn, turned, turns

OWN_HALF = -1
Limit = int | None
DIRECTIONS = frozenset("fblrvsh")
MODALITIES = frozenset([*"mcdekpgnjiozqy", "ii", "oo"])


@dataclass(frozen=True, slots=True)
class Atom:
    """A leaper's vectors; `limit` is the range when none is printed (None is unlimited)."""

    name: str
    vectors: tuple[Vec, ...]
    family: str
    limit: Limit

    @property
    def unit(self) -> bool:
        """Whether every vector is a king's step, so that nothing lies in between."""
        return max(self.vectors[0]) == 1 or self.family == "K"


@dataclass(frozen=True, slots=True)
class Bend:
    """A turn other than straight on or back; `place` is None between unlike oblique steps."""

    place: int | None
    angle: Vec

    @property
    def right(self) -> bool:
        return self.angle[1] < 0

    def mirrored(self) -> "Bend":
        other = None if self.place is None else 8 - self.place
        return Bend(other, (self.angle[0], -self.angle[1]))

    def same(self, other: "Bend | None") -> bool:
        if other is None:
            return False
        if None not in (self.place, other.place):
            return self.place == other.place
        return self.angle == other.angle


def bend_between(before: Vec, after: Vec) -> Bend | None:
    """The bend between two steps; None when they lie on one line."""
    angle = turn(before, after)
    return Bend(place(before, after), angle) if angle[1] else None


@dataclass(frozen=True, slots=True)
class Leg:
    """One leg: its modality letters, its atom, its range, and where it may go.

    `starts` are the vectors of a first leg, `turns` the places of each direction token of a later
    one. In a chain the atom turns with the travel; in a bracket its own vectors are the choice.
    `fixed` is set where directions before a bracket picked whole paths.
    """

    letters: frozenset[str]
    atom: Atom
    limit: Limit
    starts: tuple[Vec, ...] = ()
    turns: tuple[frozenset[int], ...] = ()
    chained: bool = False
    fixed: Vec | None = None

    def onward(self, travel: Vec, bend: Bend | None) -> tuple[Vec, ...]:
        """The vectors of a later leg for a piece that has just travelled so."""
        if self.fixed is not None:
            return (self.fixed,)
        vectors = ring(travel) if self.chained else self.atom.vectors
        if self.turns:
            allowed = frozenset[int]().union(*self.turns)
            vectors = tuple(v for v in vectors if place(travel, v) in allowed)
            return tuple(v for v in vectors if self._keeps_sense(travel, v, bend))
        if self.letters & {"z", "q"}:
            return tuple(v for v in vectors if self._repeats(travel, v, bend))
        if self.chained:
            return tuple(v for v in vectors if place(travel, v) != 4)
        return outward(travel, vectors)

    def _keeps_sense(self, travel: Vec, v: Vec, bend: Bend | None) -> bool:
        if bend is None or not self.letters & {"z", "q"}:
            return True
        now = bend_between(travel, v)
        return now is not None and (now.right == bend.right) == ("q" in self.letters)

    def _repeats(self, travel: Vec, v: Vec, bend: Bend | None) -> bool:
        if bend is None:
            return place(travel, v) in ((1, 7) if "q" in self.letters else (2, 6))
        wanted = bend if "q" in self.letters else bend.mirrored()
        return wanted.same(bend_between(travel, v))

    def check_bends(self, travel: Vec, bend: Bend | None) -> None:
        """Refuse a bracket leg whose letters ask for a direction its atom does not have."""
        foreign = place(travel, self.atom.vectors[0]) is None
        winding = bool(self.letters & {"z", "q"})
        if self.atom.family == "N" and foreign and (self.turns or winding):
            raise Unreadable("letters on an oblique leg after another atom: not supported yet")
        for token in self.turns:
            if not any(place(travel, v) in token for v in self.atom.vectors):
                raise Unreadable("no such bend")
        if winding and not self.turns and not self.onward(travel, bend):
            raise Unreadable("no such bend")


@dataclass(frozen=True, slots=True)
class Edge:
    """One leg on the way from a node to `target`, or to the end of the move if that is None."""

    leg: Leg
    target: int | None
    repeated: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """The graph of legs of one part; `initial` if a bracket has i before it."""

    edges: Mapping[int, tuple[Edge, ...]]
    initial: bool = False


@dataclass(frozen=True, slots=True)
class Universal:
    """U with its modality letters."""

    letters: frozenset[str]


@dataclass(frozen=True, slots=True)
class Castling:
    """O: the king's steps, the sides as -1 and 1, and how far the partner is from the edge."""

    letters: frozenset[str]
    steps: int
    sides: tuple[int, ...]
    inset: int


Part = Program | Universal | Castling


def first_leg(letters: frozenset[str], runs: tuple[str, ...], atom: Atom, limit: Limit) -> Leg:
    """A first leg, whose directions are read by the atom's class."""
    starts = chosen(runs, atom.family, atom.vectors)
    if limit == OWN_HALF and any(dy <= 0 for _, dy in starts):
        raise Unreadable("with * every direction must go forward")
    return Leg(letters, atom, limit, starts=starts)


def later_leg(letters: frozenset[str], runs: tuple[str, ...], atom: Atom, limit: Limit) -> Leg:
    """A later leg of a bracket, whose directions are relative to travel."""
    if limit == OWN_HALF:
        raise Unreadable("with * every direction must go forward")
    return Leg(letters, atom, limit, turns=turns(runs))


def modality(letters: tuple[str, ...]) -> frozenset[str]:
    """The modality letters of one leg; each may stand once."""
    found = [letter for letter in letters if letter not in DIRECTIONS]
    if len(set(found)) < len(found) or not set(found) <= MODALITIES:
        raise Unreadable("repeated or unknown modifier")
    return frozenset(found)


def clashes(letters: frozenset[str]) -> bool:
    """Whether some letters of one leg exclude each other."""
    groups: tuple[tuple[str, str], ...] = (
        ("p", "gnj"),
        ("g", "nj"),
        ("n", "j"),
        ("z", "qpgnjo"),
        ("q", "pgnjo"),
    )
    plain = {"o" if letter == "oo" else letter for letter in letters}
    twice = {"o", "oo"} <= letters or {"i", "ii"} <= letters
    return twice or any(one in plain and plain & set(others) for one, others in groups)


def check_leg(leg: Leg, limit: Limit, *, last: bool, first: bool) -> None:
    """Refuse letters that have no meaning where they stand.

    `limit` is the range after the changes made by y and g on earlier legs.
    """
    letters = leg.letters
    if clashes(letters):
        raise Unreadable("these modifiers exclude each other")
    if last and "y" in letters:
        raise Unreadable("y needs a later leg")
    if last and limit == 1 and letters & {"p", "g"}:
        raise Unreadable("a hop of one step has no room")
    if leg.atom.unit and limit == 1 and letters & {"n", "j"}:
        raise Unreadable("no square lies in between")
    if first and not last and letters & {"z", "q"}:
        raise Unreadable("the first of several legs has nothing to bend from")
    if limit == OWN_HALF and letters & {"z", "q"}:
        raise Unreadable("a crooked path has no own half")
    if not first and "ii" in letters:
        raise Unreadable("ii belongs to the first leg")


def follow(travel: Vec, bend: Bend | None, leg: Leg) -> Iterator[tuple[Vec, Bend | None]]:
    """The steps and bends a later leg may take."""
    for v in leg.onward(travel, bend):
        yield v, bend_between(travel, v) or bend


def check_path(legs: tuple[Leg, ...]) -> None:
    """Refuse a bracket in which some way of travelling cannot be continued as written."""
    states: set[tuple[Vec, Bend | None]] = {(v, None) for v in legs[0].starts}
    for leg in legs[1:]:
        for travel, bend in states:
            leg.check_bends(travel, bend)
        states = {new for travel, bend in states for new in follow(travel, bend, leg)}


def all_paths(legs: tuple[Leg, ...]) -> Iterator[tuple[Vec, ...]]:
    """Every sequence of first steps, one per leg."""

    def grow(done: tuple[Vec, ...], bend: Bend | None) -> Iterator[tuple[Vec, ...]]:
        if len(done) == len(legs):
            yield done
            return
        for v, new in follow(done[-1], bend, legs[len(done)]):
            yield from grow((*done, v), new)

    for start in legs[0].starts:
        yield from grow((start,), None)


def picked_paths(legs: tuple[Leg, ...], runs: tuple[str, ...]) -> Iterator[tuple[Leg, ...]]:
    """The paths that the directions before a bracket pick, with every leg's direction fixed."""
    ends: dict[tuple[Vec, ...], Vec] = {}
    for path in all_paths(legs):
        total = sum(dx for dx, _ in path), sum(dy for _, dy in path)
        ends[path] = total if total != (0, 0) else path[0]
    if not ends:
        return
    shapes = {kind(end) for end in ends.values()}
    if "N" in shapes and len(shapes) > 1:
        raise Unreadable("oblique and straight ends mix")
    family = "K" if shapes == {"W", "F"} else shapes.pop()
    for path, end in ends.items():
        if chosen(runs, family, (end,)):
            head = replace(legs[0], starts=path[:1])
            tail = (replace(leg, fixed=v) for leg, v in zip(legs[1:], path[1:], strict=True))
            yield (head, *tail)


def wound(leg: Leg) -> Iterator[Iterator[Vec]]:
    """The step sequences of a crooked or circular single leg, both ways from every start.

    A crooked sequence has no end; a circular one has seven steps.
    """

    def steps(v: Vec, places: int) -> Iterator[Vec]:
        if "q" in leg.letters:
            for _ in range(7):
                yield v
                v = turned(v, places)
            return
        while True:
            yield v
            v, places = turned(v, places), -places

    size = 1 if "q" in leg.letters else 2
    for start in leg.starts:
        yield steps(start, size)
        yield steps(start, -size)
