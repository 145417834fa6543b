"""How Fairy-Stockfish moves pieces: what all parts of a description together let it do.

The program keeps one entry for each direction and way of moving, and afterwards asks only two
things: which kinds of rides does the piece have, and which squares are within reach of any entry.
So one part can change another. All of this was measured by running the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import gcd
from typing import Literal, NamedTuple, TypeAlias

from alfil.geometry import Vector, images, is_oblique
from alfil.notation.betza.directions import chosen
from alfil.source import Span

Form: TypeAlias = Literal["leap", "lame", "slide", "hop"]
Kind: TypeAlias = Literal["leap", "lame", "slide", "hop", "grass"]

GRASSHOPPER = 1
# What the program makes of a hopper of one step with n: it hops, but has only one step in reach.
STUNTED = -1
LAME = frozenset({(0, 2), (2, 2), (1, 2), (2, 3)})
# Rides of longer steps are out of anyone's reach.
LONGEST_STEP = 2
# The largest board of the program has 12 files.
FARTHEST = 11
SIDES = {"f": 0, "b": 0, "v": 0, "l": 1, "r": 1, "s": 1, "h": 2}
OPPOSITE = {"f": "b", "b": "f", "l": "r", "r": "l"}


class Entry(NamedTuple):
    """One direction of a part: ``mode`` is m, c, or i for the first move, which never captures.

    ``limit`` is the number of steps, 0 for any; for a hop also `GRASSHOPPER` or `STUNTED`.
    """

    mode: str
    form: Form
    vector: Vector
    limit: int
    at: Span


class Ride(NamedTuple):
    """What the program does along one direction: steps of ``every`` times the vector, so many.

    ``vector`` has no common factor; leaps and lame leaps have a limit of 1.
    """

    mode: str
    kind: Kind
    vector: Vector
    every: int
    limit: int

    def distances(self) -> frozenset[int]:
        """The distances it may end at, in vectors, on the largest board."""
        most = self.limit * self.every if self.limit else FARTHEST
        first = 2 if self.kind in {"hop", "grass"} else 1
        return frozenset(
            far for far in range(self.every, min(most, FARTHEST) + 1, self.every) if far >= first
        )


def tokens(run: str, *, pairs: bool) -> Iterator[str]:
    """A run of direction letters cut as the program cuts it."""
    at = 0
    while at < len(run):
        x, y = run[at], run[at + 1 : at + 2]
        size = 2 if pairs and y and (x == y or SIDES[x] != SIDES[y]) else 1
        yield run[at : at + size]
        at += size


def directions(runs: Sequence[str], base: Vector, *, compound: bool) -> tuple[Vector, ...]:
    """The directions of an atom (of W or F within K and Q) that runs of letters choose.

    >>> directions(["fs"], (0, 1), compound=True), directions(["sf"], (1, 1), compound=False)
    (((1, 0), (-1, 0)), ())
    """
    every = images(*base)
    if not runs:
        return every
    straight = base[0] == 0
    found = {
        vector
        for run in runs
        for token in tokens(run, pairs=compound or not straight)
        for vector in _chosen(token, every, straight=straight)
    }
    return tuple(vector for vector in every if vector in found)


def _chosen(token: str, every: tuple[Vector, ...], *, straight: bool) -> tuple[Vector, ...]:
    first, second = token[0], token[1:]
    oblique = is_oblique(every[0])
    if first == "h":
        if second not in {"l", "r"}:
            return ()
        return chosen((token,), every, "N") if oblique else every
    if not second or second == first:
        return chosen((first,), every, "W" if straight else "N" if oblique else "F")
    if first in "vs":
        return ()
    if not straight:
        return chosen((token,), every, "N" if oblique else "F")
    if second == "h":
        behind = chosen((OPPOSITE[first],), every, "W")
        return tuple(vector for vector in every if vector not in behind)
    return chosen((second,), every, "W")


def rides(entries: Iterable[Entry]) -> tuple[Ride, ...]:
    """What the program lets a piece do that has these entries, later ones over earlier ones."""
    by_mode: dict[str, dict[tuple[str, Vector], Entry]] = {}
    for entry in entries:
        table = "step" if entry.form in {"leap", "lame"} else entry.form
        by_mode.setdefault(entry.mode, {})[table, entry.vector] = entry
    return tuple(
        dict.fromkeys(ride for held in by_mode.values() for ride in _rides(list(held.values())))
    )


def _rides(entries: Sequence[Entry]) -> Iterator[Ride]:
    """The rides of one mode: each kind the piece has, wherever a square is in reach."""
    within: dict[Vector, dict[tuple[int, int], None]] = {}
    kinds: dict[tuple[Kind, Vector], None] = {}
    for entry in entries:
        ray, times = reduced(entry.vector)
        limit = _in_reach(entry)
        if limit is not None:
            within.setdefault(ray, {})[times, limit] = None
        if entry.form == "leap":
            yield Ride(entry.mode, "leap", ray, times, 1)
        kinds |= dict.fromkeys(_ways(entry))
    for kind, way in kinds:
        ray, times = reduced(way)
        for every, limit in within.get(ray, ()):
            if kind != "lame":
                yield Ride(entries[0].mode, kind, ray, every, limit)
            elif _reaches(times, every, limit):
                yield Ride(entries[0].mode, kind, ray, times, 1)


def _reaches(times: int, every: int, limit: int) -> bool:
    return times % every == 0 and (not limit or times // every <= limit)


def _in_reach(entry: Entry) -> int | None:
    """How many steps of an entry are in reach, 0 for any number; None for none."""
    if entry.form in {"leap", "lame"}:
        return 1
    if max(map(abs, entry.vector)) > LONGEST_STEP:
        return None
    if entry.form == "slide":
        return entry.limit
    return {GRASSHOPPER: 0, STUNTED: 1}.get(entry.limit, entry.limit)


def _kind(entry: Entry) -> Kind | None:
    """The kind of ride an entry gives the piece, if it has one for such steps."""
    ray, times = reduced(entry.vector)
    if entry.form == "lame":
        return "lame" if shape(entry.vector) in LAME else None
    if times > 1 or max(map(abs, ray)) > LONGEST_STEP:
        return None
    if entry.form == "slide":
        return "slide"
    if entry.form == "hop" and not is_oblique(ray):
        return "grass" if entry.limit == GRASSHOPPER else "hop"
    return None


def _ways(entry: Entry) -> Iterator[tuple[Kind, Vector]]:
    """The kind of ride an entry gives the piece, with every direction it then has that kind in.

    Files and ranks count apart, all other directions of a kind together.
    """
    kind = _kind(entry)
    if kind is None:
        return
    x, y = entry.vector
    along = kind != "lame" and (x == 0 or y == 0)
    yield from ((kind, way) for way in ([(x, y), (-x, -y)] if along else images(abs(x), abs(y))))


def reduced(vector: Vector) -> tuple[Vector, int]:
    """A vector without its common factor, and that factor."""
    times = gcd(*vector)
    return (vector[0] // times, vector[1] // times), times


def shape(vector: Vector) -> Vector:
    """The base vector that an image belongs to.

    >>> shape((-2, 1))
    (1, 2)
    """
    x, y = sorted(map(abs, vector))
    return x, y


def as_written(entry: Entry) -> Ride | None:
    """The ride that an entry stands for, taken by itself; None when the program has no such."""
    ray, times = reduced(entry.vector)
    match entry.form:
        case "leap":
            return Ride(entry.mode, "leap", ray, times, 1)
        case "lame":
            return Ride(entry.mode, "lame", ray, times, 1)
        case _:
            kind = _kind(entry)
            limit = _in_reach(entry)
            return (
                None if kind is None or limit is None else Ride(entry.mode, kind, ray, times, limit)
            )


def sums_up(entries: Sequence[Entry]) -> bool:
    """Whether the program does with all parts together what it does with each by itself."""
    meant = _reach(ride for ride in map(as_written, entries) if ride)
    made = _reach(rides(entries))
    return all(meant.get(key, NOTHING) == made.get(key, NOTHING) for key in {*meant, *made})


Reach: TypeAlias = dict[tuple[str, str, Vector], frozenset[int]]
NOTHING: frozenset[int] = frozenset()


def _reach(found: Iterable[Ride]) -> Reach:
    """The distances along each ray by mode and condition, without those that a leap makes idle."""
    reach: Reach = {}
    for ride in found:
        # A lame leap straight on is a slide to one distance.
        straight = ride.kind == "lame" and not is_oblique(ride.vector)
        key = (ride.mode, "slide" if straight else ride.kind, ride.vector)
        reach[key] = reach.get(key, NOTHING) | ride.distances()
    return {
        key: left
        for key, distances in reach.items()
        if (left := distances - reach.get((key[0], "leap", key[2]), NOTHING)) or key[1] == "leap"
    }
