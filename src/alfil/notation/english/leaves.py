"""One leg as a phrase: how far, which way, in what manner, and what it may end on."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, NamedTuple, TypeAlias

from alfil.geometry import Vector, is_oblique
from alfil.notation.english import words

# What stands on the squares a leap skips: anything, nothing, or a piece on every one of them.
Between: TypeAlias = Literal["any", "empty", "occupied"]

MOVE_OR_CAPTURE = frozenset("mc")
# What is captured, in the order it is said; with c, k adds nothing.
VICTIMS = {"d": "a friend", "c": "an enemy", "k": "an enemy royal piece"}


class Leaf(NamedTuple):
    """A run of equal steps in a straight line, or one leap.

    ``size`` is the squares a step takes straight (k,) or the two numbers of an oblique leap.
    ``steps`` are the numbers of steps it may take, none for any number. ``land`` are the letters
    m c d e k of what it may end on. ``where`` replaces the words for its directions, ``reach``
    those for its distance; ``manner`` are more phrases, each with its own comma or blank before it.
    """

    size: tuple[int, ...]
    vectors: tuple[Vector, ...]
    steps: tuple[int, ...] = (1,)
    between: Between = "any"
    land: frozenset[str] = MOVE_OR_CAPTURE
    manner: tuple[str, ...] = ()
    where: str | None = None
    reach: str = ""

    @property
    def heading(self) -> frozenset[int]:
        """The compass directions of a straight leaf."""
        return words.headings(self.vectors)


class Special(NamedTuple):
    """A move that has no directions, by its words; ``land`` and ``manner`` as in a leaf."""

    phrase: str
    land: frozenset[str] = MOVE_OR_CAPTURE
    manner: tuple[str, ...] = ()


def size_of(vector: Vector) -> tuple[int, ...]:
    """How a leap is measured: squares straight, or its two numbers, the smaller one first.

    >>> size_of((2, -2)), size_of((2, -1))
    ((2,), (1, 2))
    """
    if is_oblique(vector):
        p, q = sorted(map(abs, vector))
        return (p, q)
    return (max(map(abs, vector)),)


def run(vectors: Sequence[Vector], steps: Sequence[int]) -> Leaf:
    """A run over empty squares, of one of these lengths; none for any length.

    >>> phrase(run([(1, 0), (-1, 0)], [3])), phrase(run([(0, 1)], [2, 1]))
    ('go exactly three squares sideways without jumping', \
'slide up to two squares straight forward')
    """
    lengths = tuple(sorted(steps))
    if len(lengths) == 1 and lengths != (1,):
        return leap(vectors, lengths[0])._replace(between="empty")
    return Leaf((1,), tuple(vectors), lengths)


def leap(vectors: Sequence[Vector], length: int) -> Leaf:
    """A leap of so many squares straight.

    >>> phrase(leap([(1, 0), (-1, 0)], 3))
    'leap three squares sideways'
    """
    if length == 1:
        return Leaf((1,), tuple(vectors))
    return Leaf((length,), tuple((x * length, y * length) for x, y in vectors))


def phrase(leaf: Leaf | Special) -> str:
    """A leaf in words, from its verb on, as one that ends the move."""
    return _tidy(f"{_core(leaf)}{''.join(leaf.manner)}{land(leaf.land)}")


def passing(leaf: Leaf | Special, letters: frozenset[str]) -> str:
    """A leaf in words, from its verb on, as one the path goes on from."""
    core, place = _core(leaf), through(letters)
    apart = "," in core or "without" in core or not place.startswith("to ")
    return f"{core}{',' if apart else ''} {place}{''.join(leaf.manner)}"


def _core(leaf: Leaf | Special) -> str:
    """Verb, distance and direction."""
    if isinstance(leaf, Special):
        return leaf.phrase
    return _oblique(leaf) if len(leaf.size) > 1 else _straight(leaf)


def whole(leaf: Leaf | Special) -> str:
    """A leaf that is a part of its own; one that only captures is put that way round.

    >>> whole(Leaf((1,), ((0, 1),), land=frozenset("ce")))
    'capture by stepping one square straight forward, en passant too'
    """
    if not leaf.land or "m" in leaf.land:
        return phrase(leaf)
    taken, passing_by = _victims(leaf.land)
    moving = words.doing(phrase(leaf._replace(land=MOVE_OR_CAPTURE)))
    if not taken:
        return f"capture {passing_by} by {moving}"
    whom = "" if taken == VICTIMS["c"] else f" {taken}"
    return f"capture{whom} by {moving}{f', {passing_by} too' if passing_by else ''}"


def _victims(letters: frozenset[str]) -> tuple[str, str]:
    """What is captured, and the words for en passant if that is one way."""
    victims = [name for letter, name in VICTIMS.items() if letter in letters]
    if "c" in letters and "k" in letters:
        victims.remove(VICTIMS["k"])
    return words.listed(victims), "en passant" if "e" in letters else ""


def _tidy(text: str) -> str:
    text = text.replace(" ,", ",")
    text = text.replace(" without jumping without capturing", " without jumping or capturing")
    return text.replace(" without jumping, able to jump", ", able to jump")


def _straight(leaf: Leaf) -> str:
    (size,) = leaf.size
    oblique_too = "orthogonally or diagonally"
    unit = size == 1 and not leaf.reach
    everywhere = "in any direction" if unit and _plain(leaf.steps) else oblique_too
    where = words.ways(leaf.heading, everywhere) if leaf.where is None else leaf.where
    where = where and f" {where}"
    if leaf.reach:
        return f"{_verb(leaf)}{where} {leaf.reach}"
    if size == 1:
        return f"{_run(leaf.steps)}{where}{'' if _plain(leaf.steps) else ' without jumping'}"
    exactly = "exactly " if leaf.between == "empty" else ""
    skipped = _skipped(leaf.between, size - 1)
    start = f"{_verb(leaf)} {exactly}{words.squares(size)}{where}"
    return f"{start}{times(leaf.steps)}{skipped}"


def _plain(steps: tuple[int, ...]) -> bool:
    return steps == tuple(range(1, len(steps) + 1))


def _verb(leaf: Leaf) -> str:
    if leaf.size == (1,):
        return "slide"
    return "go" if leaf.between == "empty" else "leap"


def _run(steps: tuple[int, ...]) -> str:
    """A run over single squares."""
    if not steps:
        return "slide any distance"
    if steps == (1,):
        return "step one square"
    if _plain(steps):
        return f"slide up to {words.squares(len(steps))}"
    return f"go exactly {words.listed([words.number(step) for step in steps])} squares"


def _skipped(between: Between, count: int) -> str:
    """What must stand on the squares a straight leap skips."""
    if between == "any":
        return ""
    if between == "empty":
        return " without jumping"
    if count == 1:
        return ", but only over an occupied square"
    return f", but only if {words.number(count)} occupied squares lie in between"


def _oblique(leaf: Leaf) -> str:
    p, q = leaf.size
    where = words.leap(p, q, leaf.vectors) if leaf.where is None else leaf.where
    reach = f" {leaf.reach}" if leaf.reach else times(leaf.steps)
    start = f"{_verb(leaf)} {where}{reach}"
    if leaf.between == "any":
        return start
    way = f", first {words.squares(q - p)} orthogonally, then {words.number(p)} diagonally"
    needed = "empty squares" if leaf.between == "empty" else "occupied squares"
    return f"{start}{way}, passing over {needed} only"


def times(steps: tuple[int, ...]) -> str:
    """How often a leap is made, straight on.

    >>> times((1, 2)), times(()), times((2, 4))
    (' once or twice in the same direction', ' any number of times in the same direction', \
' exactly two or four times in the same direction')
    """
    if steps == (1,):
        return ""
    return f" {often(steps)} in the same direction"


def often(steps: Collection[int]) -> str:
    """How often something is done, no numbers meaning any number of times."""
    counts = sorted(steps)
    if not counts:
        return "any number of times"
    if counts == [1, 2]:
        return "once or twice"
    if len(counts) == 1:
        return {1: "exactly once", 2: "exactly twice"}.get(
            counts[0], f"exactly {words.number(counts[0])} times"
        )
    if counts == list(range(1, len(counts) + 1)):
        return f"up to {words.number(len(counts))} times"
    return f"exactly {words.listed([words.number(count) for count in counts])} times"


def land(letters: frozenset[str]) -> str:
    """What a move may end on, as a phrase after the move.

    >>> land(frozenset("mc")), land(frozenset("m")), land(frozenset("cd"))
    ('', ' without capturing', ', only to capture a friend or an enemy')
    """
    taken, passing = _victims(letters)
    if "m" not in letters:
        return _only(taken, passing)
    if not taken:
        return f" without capturing except {passing}" if passing else " without capturing"
    if taken == VICTIMS["c"]:
        return ", capturing en passant too" if passing else ""
    also = f", and {passing} too" if passing else ""
    if "c" in letters:
        return f", able to capture friends as well as enemies{also}"
    return f", able to capture only {taken}{also}"


def _only(taken: str, passing: str) -> str:
    if not taken:
        return f", only to capture {passing}" if passing else ", without ever ending there"
    enemy = "" if taken == VICTIMS["c"] else f" {taken}"
    also = f", {passing} too" if passing else ""
    return f", only to capture{enemy}{also}"


def through(letters: frozenset[str], *, left: bool = False) -> str:
    """What must be on the square where a leg ends for the path to go on.

    ``left``: said of the way on from that square instead of the way to it.

    >>> through(frozenset()), through(frozenset("mp")), through(frozenset("mc"), left=True)
    ('to an empty square', 'to any square, empty or occupied', 'from an empty square or having \
captured an enemy there')
    """
    found: list[str] = []
    hops = bool({"p", "g"} & letters)
    if {"m", "y"} & letters or not letters:
        place = "any square, empty or occupied" if hops else "an empty square"
        found.append(f"{'from' if left else 'to'} {place}")
    elif hops:
        found.append("passing over a piece there")
    taking = "having captured" if left else "capturing"
    found += [f"{taking} {whom} there" for whom in _victims(letters) if whom]
    return words.listed(found)
