"""Reads a description in English back: the squares it names on an open, empty board.

Imports nothing of alfil, so the words are judged by what they say. What there is no rule for is
`Unread`; what a sentence says twice (a turn, and the kind of line it leads to) must agree.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

Square = tuple[int, int]
Squares = frozenset[Square]
Path = tuple[Square, ...]  # the steps of a path
Turn = Callable[[Square, Square], bool]

RADIUS = 7
NUMBERS = {
    word: value
    for value, word in enumerate(
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ],
        1,
    )
}
ORTHOGONAL = frozenset({(0, 1), (1, 0), (0, -1), (-1, 0)})
DIAGONAL = frozenset({(1, 1), (1, -1), (-1, -1), (-1, 1)})
WHERE = {
    "": ORTHOGONAL | DIAGONAL,
    "in any direction": ORTHOGONAL | DIAGONAL,
    "orthogonally or diagonally": ORTHOGONAL | DIAGONAL,
    "orthogonally": ORTHOGONAL,
    "diagonally": DIAGONAL,
    "straight forward or backward": frozenset({(0, 1), (0, -1)}),
    "straight forward": frozenset({(0, 1)}),
    "straight backward": frozenset({(0, -1)}),
    "sideways": frozenset({(1, 0), (-1, 0)}),
    "to the right": frozenset({(1, 0)}),
    "to the left": frozenset({(-1, 0)}),
    "diagonally forward": frozenset({(1, 1), (-1, 1)}),
    "diagonally backward": frozenset({(1, -1), (-1, -1)}),
    "diagonally to the right": frozenset({(1, 1), (1, -1)}),
    "diagonally to the left": frozenset({(-1, 1), (-1, -1)}),
    "diagonally forward-right": frozenset({(1, 1)}),
    "diagonally forward-left": frozenset({(-1, 1)}),
    "diagonally backward-right": frozenset({(1, -1)}),
    "diagonally backward-left": frozenset({(-1, -1)}),
}
# Longer phrases first, so that none is taken for the beginning of another.
ONE_WHERE = "|".join(sorted(filter(None, WHERE), key=len, reverse=True))
NAMES = {"knight": (1, 2), "camel": (1, 3), "zebra": (2, 3)}
AHEAD = {"forward": (1,), "backward": (-1,), "forward or backward": (1, -1)}
ASIDE = {"to the right": (1,), "to the left": (-1,), "to either side": (1, -1)}
OFTEN = (
    r"any number of times|once or twice|exactly once|exactly twice|(?:exactly|up to) [a-z, ]+ times"
)
ENDLESS = 99

# What an empty board does not allow, at the end of a move and on the way.
NEEDS_PIECES = re.compile(
    r"^captures |, (?:stopping there )?only to capture|, if it captures something that way"
    r"|occupied squares? "
    r"|jumping over exactly one piece|over occupied"
    r"|only over an occupied"
)
BLOCKED = re.compile(
    r", capturing (?!every)[a-z ]*there|, capturing en passant|, passing over a piece there"
)
# What makes no difference there.
SILENT = re.compile(
    r" without jumping or capturing| without jumping| without capturing"
    r"|, able to capture [a-z ]+|"
    r"|, able to jump over [a-z ]+ in its way(?: besides)?|, passing over empty squares only"
    r"|, capturing every [a-z ]+ it runs over( or ends on)?|, if it captures nothing that way"
    r"|, first \w+ squares? orthogonally, then \w+ diagonally"
    r"|, never ending on the square it started from"
    r"|, and can then be captured en passant on a square it passed|, as if [a-z ]+ joined"
    r"|,? to (an empty square|any square, empty or occupied)(( or|,) capturing [a-z ]+ there)*"
)
SKIPS = ", skipping the first square whatever stands on it"


def count_of(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS[word]


class Unread(ValueError):
    """A phrase there is no rule for."""


class Leg(NamedTuple):
    """One leg: its steps, how many at once, where it turns, and how it is made again."""

    steps: Squares
    counts: Iterable[int]
    turn: Turn | None = None
    rounds: Iterable[int] = ()
    how: str = ""
    later: Squares = frozenset()


def squares_named(text: str) -> set[Square]:
    """The squares a description names, but for the one the piece stands on."""
    found: set[Square] = set()
    for each in re.split(r"(?<=\.) ", text):
        sentence = each.removesuffix(".")
        if re.match("Has no moves|It |When |After its own move|Captures without moving", sentence):
            continue
        sentence = re.sub(r"^On its first move it may (\w+)", r"\1s", sentence)
        for clause in sentence.split("; "):
            found |= {end(path) for path in paths(clause[0].lower() + clause[1:])}
    return found - {(0, 0)}


def paths(clause: str) -> set[Path]:
    """The paths of one clause that an empty board allows to their end."""
    if "(step " in clause or "(slide " in clause or "repeat" in clause:
        raise Unread(clause)
    parts = re.split(
        r"(?<!orthogonally), then (?!\w+ diagonally)"
        r"|, and may (?:then|otherwise), (from an empty square|from any square, empty or occupied"
        r"|having captured)"
        r"(?:(?: or|,) (?:having )?captur[a-z ]+ there| [a-z ]+ there)*, ",
        clause,
    )
    reached: set[Path] = {()}
    ending: set[Path] = set()
    for at in range(0, len(parts), 2):
        text = parts[at] or ""
        goes_on = at + 2 < len(parts)
        may_stop = not goes_on or parts[at + 1] is not None
        needs_pieces = NEEDS_PIECES.search(text)
        captured = goes_on and parts[at + 1] == "having captured"
        if "occupied squares" in text or "over an occupied" in text:
            break
        if BLOCKED.search(text) and not may_stop:
            break
        leg = (
            None
            if needs_pieces and not goes_on
            else read_leg(SILENT.sub("", re.split(", (?:stopping there )?only", text)[0]))
        )
        if leg is None:
            break
        reached = {longer for path in reached for longer in walked(leg, path)}
        if may_stop and not needs_pieces:
            ending |= reached
        if captured:
            break
    return ending


def end(path: Path) -> Square:
    return sum(x for x, _ in path), sum(y for _, y in path)


def inside(path: Path) -> bool:
    return max(map(abs, end(path))) <= RADIUS


def walked(leg: Leg, path: Path) -> Iterator[Path]:
    for step in leg.steps:
        if path and leg.turn is not None and not leg.turn(path[-1], step):
            continue
        if leg.how:
            yield from again(leg, (*path, step))
            continue
        for count in leg.counts:
            longer = path + (step,) * count
            if not all(inside(longer[: len(path) + 1 + k]) for k in range(count)):
                break
            yield longer


def read_leg(text: str) -> Leg:
    match = re.fullmatch(r"(?:step|slide|leap|goe?)s? (.*)", text)
    if not match:
        raise Unread(text)
    rest = match[1]
    rounds: Iterable[int] = ()
    how = ""
    if match := re.fullmatch(rf"(.*?), ({OFTEN}), (choosing its .*|turning .*|going .*)", rest):
        rest, rounds, how = match[1], times(match[2]), match[3]
    first = None
    if match := re.fullmatch(r"(?:(one square|\w+ squares), )?first (.*)", rest):
        rest, first = f"{match[1] or ''} {match[2]}".strip(), match[2]
    rest, turn = read_turn(rest)
    counts: Iterable[int] = (1,)
    if match := re.fullmatch(rf"(.*?) ({OFTEN}) in the same direction", rest):
        rest, counts = match[1], times(match[2])
    if rest.endswith(SKIPS):
        rest = rest.removesuffix(SKIPS)
        steps, counts = read_steps(rest)
        return Leg(steps, [count for count in counts if count > 1], turn)
    steps, runs = read_steps(rest)
    later = (
        steps if first is None else frozenset(each for step in steps for each in clockwise(step))
    )
    return Leg(steps, counts if runs == (1,) else runs, turn, rounds, how, later)


def times(text: str) -> Iterable[int]:
    """How often, as numbers."""
    if text in ("any number of times", "once or twice"):
        return range(1, ENDLESS + 1 if text.startswith("any") else 3)
    if text in ("exactly once", "exactly twice"):
        return (1,) if text.endswith("once") else (2,)
    numbers = [
        count_of(word) for word in re.findall(r"\w+", text.removesuffix("times")) if word in NUMBERS
    ]
    return range(1, numbers[0] + 1) if text.startswith("up to") else numbers


def read_steps(text: str) -> tuple[Squares, Iterable[int]]:
    """How far and where: the steps and how many of them."""
    if match := re.fullmatch(r"(?:any distance|up to (\w+) squares|one square)(?: (.*))?", text):
        most = 1 if text.startswith("one") else count_of(match[1]) if match[1] else 2 * RADIUS
        if not text.startswith("one square forward") and not text.startswith("one square backward"):
            return where(match[2] or ""), range(1, most + 1) if most > 1 else (1,)
    if match := re.fullmatch(r"exactly ([\w, ]+) or (\w+) squares (.*)", text):
        return where(match[3]), [count_of(each) for each in [*match[1].split(", "), match[2]]]
    if match := re.fullmatch(r"as a (\w+)(?: \((.*)\))?", text):
        every = images(*NAMES[match[1]])
        found = every if not match[2] else leaps(match[2])
        assert found <= every, text
        return found, (1,)
    if "one way" in text or re.match(r"\w+ squares? (forward|backward)", text):
        return leaps(text), (1,)
    if match := re.fullmatch(r"(?:exactly )?(\w+) squares(?: (.*))?", text):
        size = count_of(match[1])
        return frozenset((x * size, y * size) for x, y in where(match[2] or "")), (1,)
    return box(text), (1,)


def box(text: str) -> Squares:
    """All squares so many files and ranks away at most."""
    match = re.fullmatch(
        r"to any square (?:of its own file )?at most (?:(\w+) files? and )?(\w+) ranks?(?: away)?",
        text,
    )
    if not match:
        raise Unread(text)
    x, y = count_of(match[1]) if match[1] else 0, count_of(match[2])
    inside_it = {(dx, dy) for dx in range(-x, x + 1) for dy in range(-y, y + 1)}
    return frozenset(inside_it - {(0, 0)})


def where(text: str) -> Squares:
    """Single steps in the directions of a phrase."""
    base, _, left_out = text.partition(" except ")
    if left_out:
        return where(base) - where(left_out)
    if text in WHERE:
        return WHERE[text]
    if not re.fullmatch(rf"(?:{ONE_WHERE})(?:(?:, or |, | or )(?:{ONE_WHERE}))*", text):
        raise Unread(text)
    return frozenset().union(*(WHERE[each] for each in re.findall(ONE_WHERE, text)))


def images(p: int, q: int) -> Squares:
    return frozenset((x * a, y * b) for a, b in ((p, q), (q, p)) for x in (1, -1) for y in (1, -1))


def leaps(text: str) -> Squares:
    if match := re.fullmatch(r"(\w+) squares one way and (\w+) the other", text):
        return images(count_of(match[1]), count_of(match[2]))
    found: set[Square] = set()
    for each in text.split(", or "):
        match = re.fullmatch(r"(\w+) squares? (forward[a-z ]*|backward) and (\w+) (to .*)", each)
        if not match or match[4] not in ASIDE or match[2] not in AHEAD:
            raise Unread(text)
        y, x = count_of(match[1]), count_of(match[3])
        found |= {(a * x, b * y) for a in ASIDE[match[4]] for b in AHEAD[match[2]]}
    return frozenset(found)


def angle(before: Square, after: Square) -> float:
    """The turn between two steps in degrees, clockwise, above -180 and up to 180."""
    turn = math.degrees(math.atan2(*after) - math.atan2(*before))
    return 180 - (180 - turn) % 360


ANGLES = r"(?:about )?[0-9.]+°"
ONE_TURN = (
    rf"straight on|straight back|turning {ANGLES}(?:(?:, | or ){ANGLES})*"
    " to (?:either side|the right|the left)"
)
TURNS = rf"(in any direction except )?((?:{ONE_TURN})(?:(?:, | or )(?:{ONE_TURN}))*)"


def read_turn(text: str) -> tuple[str, Turn | None]:
    """A phrase without its words for a turn, and which pairs of steps these allow."""
    for words, turn in OTHER_TURNS.items():
        if text.endswith(words):
            return text.removesuffix(words), turn
    if "beyond" in text or "by at most" in text or "about the" in text:
        raise Unread(text)
    match = re.search(rf"(?:^|,? ){TURNS}$", text)
    if match is None:
        return text, None
    sizes = [size for each in re.findall(ONE_TURN, match[2]) for size in turns(each)]
    excluded = match[1] is not None

    def allowed(before: Square, after: Square) -> bool:
        straight = all(0 in v or abs(v[0]) == abs(v[1]) for v in (before, after))
        turn = angle(before, after)
        # The leaps of a knight lie 36.9° and 53.1° apart, which the text calls about 45°.
        if not straight and sorted(map(abs, before)) == sorted(map(abs, after)):
            ring = clockwise(before)
            turn, straight = 45 * (ring.index(after) - ring.index(before)), True
        slack = 0.1 if straight else 23
        off = [abs(turn - size) % 360 for size in sizes]
        return any(min(each, 360 - each) < slack for each in off) != excluded

    return text[: match.start()], allowed


def turns(text: str) -> Iterator[float]:
    """One phrase about a turn in degrees."""
    if text.startswith("straight"):
        yield 0 if text == "straight on" else 180
    for number in re.findall(r"([0-9.]+)°", text):
        if not text.endswith("left"):
            yield float(number)
        if not text.endswith("right"):
            yield -float(number)


def least(before: Square, after: Square) -> bool:
    kind = images(*map(abs, after))
    return abs(angle(before, after)) < min(abs(angle(before, step)) for step in kind) + 0.1


OTHER_TURNS = {", bending as little as it can": least}


def again(leg: Leg, path: Path) -> Iterator[Path]:
    """A step made again and again, with a turn in between or freely."""
    waiting = [(path, 0)]
    seen: set[tuple[Square, Square, int, int]] = set()
    for here, hand in waiting:
        count = len(here)
        far = count if max(leg.rounds) < ENDLESS else 0
        key = (end(here), here[-1], hand, far)
        if key in seen or not inside(here):
            continue
        seen.add(key)
        if count in leg.rounds:
            yield here
        if count < max(leg.rounds):
            ahead = onward(leg, here[-1], hand)
            waiting += [((*here, step), side) for step, side in ahead if step in leg.later]


def onward(leg: Leg, before: Square, hand: int) -> Iterator[tuple[Square, int]]:
    """The next steps, each with the side it turns to."""
    if leg.how == "choosing its direction anew each time":
        yield from ((step, 0) for step in leg.steps)
        return
    match = re.fullmatch(
        r"turning (?:about )?([0-9.]+)° (to the same side|alternately|to the left|to the right).*",
        leg.how,
    )
    if not match:
        raise Unread(leg.how)
    sides = {"to the left": (-1,), "to the right": (1,)}.get(match[2], (1, -1))
    ring = clockwise(before)
    places = round(float(match[1]) / 45 + 0.1)
    for side in sides:
        wanted = -hand if match[2] == "alternately" else hand
        if len(sides) == 1 or not hand or side == wanted or " or " in match[2]:
            yield ring[(ring.index(before) + side * places) % 8], side


def clockwise(step: Square) -> list[Square]:
    """The eight steps like one, in order; a straight one turns to straight ones of its size."""
    p, q = sorted(map(abs, step))
    if 0 < p < q:
        return sorted(images(p, q), key=lambda each: math.atan2(*each))
    return sorted(((x * q, y * q) for x, y in WHERE[""]), key=lambda each: math.atan2(*each))
