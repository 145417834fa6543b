"""Vectors, turns and direction letters of Betza, as sets and predicates.

A vector is `(dx, dy)`: right and forward as the mover sees it. A *place* is a turn counted
clockwise in eighths: 45 degrees for straight vectors, one of the eight images of the same leap for
oblique ones.
"""

from itertools import pairwise
from math import gcd

Vec = tuple[int, int]

COMPASS: tuple[Vec, ...] = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
ACROSS = {"f": "lrs", "b": "lrs", "l": "fbv", "r": "fbv"}
AXIS = {"f": "v", "b": "v", "l": "s", "r": "s"}


class Unreadable(Exception):
    """The text is not valid Betza, or asks for something the specification refuses."""


def add(a: Vec, b: Vec) -> Vec:
    return a[0] + b[0], a[1] + b[1]


def scaled(v: Vec, factor: int) -> Vec:
    return v[0] * factor, v[1] * factor


def kind(v: Vec) -> str:
    """W for an orthogonal vector, F for a diagonal one, N for the rest."""
    if 0 in v:
        return "W"
    return "F" if abs(v[0]) == abs(v[1]) else "N"


def ring(v: Vec) -> tuple[Vec, ...]:
    """The eight turns of a vector, clockwise, from the forward one (right-forward if oblique).

    A straight vector changes from orthogonal to diagonal and back: (0,2) and (2,2) share a ring.
    """
    short, long = sorted(map(abs, v))
    if kind(v) != "N":
        return tuple(scaled(unit, long) for unit in COMPASS)
    quarter = ((short, long), (long, short), (long, -short), (short, -long))
    return quarter + tuple(scaled(each, -1) for each in quarter)


def images(a: int, b: int) -> tuple[Vec, ...]:
    """All vectors of the leaper with the given coordinates: four when straight, else eight."""
    return tuple(v for v in ring((a, b)) if sorted(map(abs, v)) == sorted((a, b)))


def turned(v: Vec, places: int) -> Vec:
    around = ring(v)
    return around[(around.index(v) + places) % 8]


def shrunk(v: Vec) -> Vec:
    divisor = gcd(*v)
    return v[0] // divisor, v[1] // divisor


def place(before: Vec, after: Vec) -> int | None:
    """How many places `after` lies clockwise of `before`; None when they share no circle."""
    if "N" not in (kind(before), kind(after)):
        return (COMPASS.index(shrunk(after)) - COMPASS.index(shrunk(before))) % 8
    around = ring(before)
    if kind(before) == "N" and after in around:
        return (around.index(after) - around.index(before)) % 8
    return None


def turn(before: Vec, after: Vec) -> Vec:
    """The angle between two vectors, exactly: (dot, cross) in lowest terms; cross < 0 is right."""
    dot = before[0] * after[0] + before[1] * after[1]
    cross = before[0] * after[1] - before[1] * after[0]
    return shrunk((dot, cross))


def between(v: Vec) -> tuple[Vec, ...]:
    """The squares tested by a lame or jumping leap, in order, without start and landing square.

    Orthogonal steps along the longer coordinate until the rest is diagonal, then diagonal steps.

    >>> between((2, 3)), between((-3, 1)), between((0, 1))
    (((0, 1), (1, 2)), ((-1, 0), (-2, 0)), ())
    """
    dx, dy = v
    unit = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    straight = (0, unit[1]) if abs(dy) > abs(dx) else (unit[0], 0)
    here = (0, 0)
    path: list[Vec] = []
    while here != v:
        rest = dx - here[0], dy - here[1]
        here = add(here, unit if kind(rest) == "F" else straight)
        path.append(here)
    return tuple(path[:-1])


def _first_token(run: str, family: str) -> str:
    letter, following = run[0], run[1:2]
    if family == "W":
        if letter == "h":
            raise Unreadable("no half on orthogonal atoms")
        return letter
    if letter == "h":
        if family == "N" and following in ("l", "r"):
            return run[:2]
        raise Unreadable("h belongs behind f, b, l or r")
    paired = following and following in letter + "h" + ACROSS.get(letter, "")
    if letter in "vs":
        if following not in ("", letter):
            raise Unreadable(f"{letter} goes last")
    elif following == AXIS[letter]:
        raise Unreadable(f"{following} contains {letter}")
    return run[:2] if paired else letter


def tokens(run: str, family: str) -> tuple[str, ...]:
    """Cut an unbroken run of direction letters; `family` is W, F, N or K."""
    found: list[str] = []
    while run:
        found.append(_first_token(run, family))
        run = run[len(found[-1]) :]
    return tuple(found)


def _half(letter: str, v: Vec) -> bool:
    dx, dy = v
    return {"f": dy > 0, "b": dy < 0, "l": dx < 0, "r": dx > 0, "v": True, "s": True}[letter]


def _alone(letter: str, family: str, v: Vec) -> bool:
    dx, dy = abs(v[0]), abs(v[1])
    if family == "F":
        return _half(letter, v)
    near_axis = dy > dx if letter in "fbv" else dx > dy
    on_axis = 0 in v or family == "N"
    return near_axis and on_axis and _half(letter, v)


def obeys(token: str, family: str, v: Vec) -> bool:
    """Whether a vector is among those a direction token names."""
    first, second = token[0], token[-1]
    if first == "h":
        return ring(v).index(v) % 2 == (second == "l")
    if second == "h":
        return _half(first, v)
    if first == second:
        return _alone(first, family, v)
    if family == "N":
        return _half(first, v) and _alone(second, family, v)
    return 0 not in v and _half(first, v) and _half(second, v)


def chosen(runs: tuple[str, ...], family: str, vectors: tuple[Vec, ...]) -> tuple[Vec, ...]:
    """The vectors that the direction letters pick; all of them when there are no letters."""
    names = [token for run in runs for token in tokens(run, family)]
    if not names:
        return vectors
    return tuple(v for v in vectors if any(obeys(token, family, v) for token in names))


def turns(runs: tuple[str, ...]) -> tuple[frozenset[int], ...]:
    """The places each token of a later leg allows, relative to travel."""
    names = [token for run in runs for token in tokens(run, "K")]
    return tuple(
        frozenset(i for i, unit in enumerate(COMPASS) if obeys(token, "K", unit)) for token in names
    )


def outward(travel: Vec, vectors: tuple[Vec, ...]) -> tuple[Vec, ...]:
    """The vectors nearest in angle to the step just made, ties included."""

    def closer(v: Vec, other: Vec) -> bool:
        left, right = (u[0] * travel[0] + u[1] * travel[1] for u in (v, other))
        left_size, right_size = (u[0] ** 2 + u[1] ** 2 for u in (v, other))
        # Cosines with their sign, squared and multiplied out, so that ties are exact.
        return left * abs(left) * right_size > right * abs(right) * left_size

    return tuple(v for v in vectors if not any(closer(other, v) for other in vectors))


def runs_of(letters: tuple[str, ...]) -> tuple[str, ...]:
    """The unbroken runs of direction letters among the modifiers of one leg."""
    marks = ["", *letters, ""]
    runs: list[str] = []
    for before, here in pairwise(marks):
        if here not in ACROSS and here not in ("v", "s", "h"):
            continue
        if before in ACROSS or before in ("v", "s", "h"):
            runs[-1] += here
        else:
            runs.append(here)
    return tuple(runs)
