"""The signs of a diagram: which stand on a square, how they are written, and what they mean.

The shape of a sign carries the meaning; colour, where the caller paints, only repeats it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from functools import lru_cache
from math import atan2, pi
from typing import NamedTuple, TypeAlias, assert_never

from alfil.diagrams.marks import (
    Asks,
    Ends,
    Mark,
    Marks,
    Offset,
    Passed,
    Remark,
    Standing,
    Way,
)
from alfil.meaning.piece import Condition, Guard


class Family(Enum):
    """What a move needs, as far as the shape of its sign tells; in the order of the legend."""

    # There is one object of each, and this is the quicker hash.
    __hash__ = object.__hash__

    STEP = 0
    LEAP = 1
    HURDLE = 2
    LOCUST = 3
    FIRST = 4
    TIMED = 5
    CASTLE = 6
    OWN = 7
    ROYAL = 8
    VICTIM = 9
    OVER = 10
    CLEAR = 11
    PIECE = 12
    ARROW = 13
    ENEMY = 14
    FRIEND = 15
    ENEMY_ROYAL = 16
    UNMOVED_FRIEND = 17
    TRAIL = 18


class Fill(Enum):
    """How a move may end: full for either, hollow without capturing, cross for a capture only."""

    __hash__ = object.__hash__

    EITHER = 0
    MOVE = 1
    CAPTURE = 2


class Sign(NamedTuple):
    """What a sign stands for."""

    family: Family
    fill: Fill = Fill.EITHER


Paint: TypeAlias = Callable[[str, Sign], str]

# For each family: the signs for either, move only and capture only; then the same in ASCII.
SIGNS: dict[Family, tuple[str, str]] = {
    Family.STEP: ("●○×", "xo+"),
    Family.LEAP: ("★☆✶", "XO#"),
    Family.HURDLE: ("◆◇◈", "Dd&"),
    Family.LOCUST: ("◉◎⊗", "Ll%"),
    Family.FIRST: ("▲△◬", "Tt!"),
    Family.TIMED: ("▼▽▿", "Gg?"),
    Family.CASTLE: ("⇄⇄⇄", "==="),
    Family.OWN: ("□□□", "ppp"),
    Family.ROYAL: ("♔♔♔", "kkk"),
    Family.VICTIM: ("⊠⊠⊠", "***"),
    Family.OVER: ("■■■", "HHH"),
    Family.CLEAR: ("◦◦◦", "'''"),
    Family.PIECE: ("@@@", "@@@"),
    Family.ENEMY: ("EEE", "EEE"),
    Family.FRIEND: ("FFF", "FFF"),
    Family.ENEMY_ROYAL: ("KKK", "KKK"),
    Family.UNMOVED_FRIEND: ("RRR", "RRR"),
    Family.TRAIL: ("PPP", "PPP"),
}
STANDS = {each: Family[each.name] for each in Standing}
EMPTY_SQUARE = ("·", ".")
# Clockwise from forward.
ARROWS = ("↑↗→↘↓↙←↖", "^/>\\v/<\\")

WORDS: dict[Family, tuple[str, str, str]] = {
    Family.STEP: ("moves or captures", "moves without capturing", "captures only"),
    Family.LEAP: (
        "leaps: moves or captures",
        "leaps: moves without capturing",
        "leaps: captures only",
    ),
    Family.HURDLE: (
        "moves or captures over a piece in between",
        "moves over a piece in between, without capturing",
        "captures over a piece in between",
    ),
    Family.LOCUST: (
        "moves or captures after a capture on the way",
        "ends here after a capture on the way",
        "captures here after a capture on the way",
    ),
    Family.FIRST: (
        "as its first move: moves or captures",
        "as its first move: moves without capturing",
        "as its first move: captures only",
    ),
    Family.TIMED: ("moves or captures", "moves without capturing", "captures only"),
}
SINGLE: dict[Family, str] = {
    Family.CASTLE: "castles: the partner comes to its inner side",
    Family.OWN: "captures a piece of its own side",
    Family.ROYAL: "captures a royal piece only",
    Family.VICTIM: "captures in passing",
    Family.OVER: "may jump over a piece here",
    Family.CLEAR: "passes here, when it is empty",
    Family.ENEMY: "an enemy",
    Family.FRIEND: "a piece of its own side",
    Family.ENEMY_ROYAL: "a royal enemy",
    Family.UNMOVED_FRIEND: "a piece of its own side that has not moved",
    Family.TRAIL: "a square where it can capture en passant",
}


OVER, BEHIND = "over a piece in between", "to the square behind a piece that it jumps"


class Style(NamedTuple):
    """How a text diagram is drawn: with plain ASCII signs or not, and painted or not."""

    ascii: bool = False
    paint: Paint | None = None

    def sign(self, sign: Sign) -> str:
        """The character for a sign."""
        return SIGNS[sign.family][self.ascii][sign.fill.value]

    def painted(self, text: str, sign: Sign) -> str:
        """The text in the colour of the sign, where there are colours."""
        return self.paint(text, sign) if self.paint else text


PLAIN = Style()


class Entry(NamedTuple):
    """A line of the legend: a sign and its words; for arrows ``arrow`` is the direction of one."""

    sign: Sign
    words: str
    arrow: int = -1


def entries(marks: Marks) -> list[Entry]:
    """The signs that the picture uses, in words."""
    ways = _by_sign(marks)
    signs = {sign for mark, _ in marks.alike for sign in signs_on(mark)}
    signs |= {Sign(STANDS[each]) for each in marks.standing.values()}
    found = [Entry(HOME_SIGN, "the piece; forward is up")]
    found += [
        Entry(sign, words)
        for sign in sorted(signs, key=_order)
        for words in _words(sign, ways.get(sign, []))
    ]
    if marks.arrows:
        first = min(direction(arrow.step) for arrow in marks.arrows)
        found.append(Entry(Sign(Family.ARROW), "goes on beyond the diagram", first))
    return found


HOME_SIGN = Sign(Family.PIECE)


def _order(sign: Sign) -> tuple[int, int]:
    return sign.family.value, sign.fill.value


@lru_cache(maxsize=4096)
def signs_on(mark: Mark) -> tuple[Sign, ...]:
    """The signs on one square: how moves end there, and what happens on the way.

    That it must be empty for some way is said only where nothing else is.
    """
    signs = {sign for way in mark.ways for sign in _signs_of(way)}
    if mark.passed & (Passed.VICTIM | Passed.OWN_VICTIM):
        signs.add(Sign(Family.VICTIM))
    if mark.passed & Passed.HURDLE:
        signs.add(Sign(Family.OVER))
    if not signs and mark.passed & Passed.CLEAR:
        signs.add(Sign(Family.CLEAR))
    return tuple(sorted(signs, key=_order))


@lru_cache(maxsize=4096)
def _signs_of(way: Way) -> tuple[Sign, ...]:
    """The signs of one way; a capture en passant has none."""
    signs = []
    either = way.ends & (Ends.MOVE | Ends.CAPTURE)
    if either:
        signs.append(Sign(family_of(way), _fill(either)))
    if way.ends & Ends.OWN:
        signs.append(Sign(Family.OWN))
    if way.ends & Ends.ROYAL:
        signs.append(Sign(Family.ROYAL))
    return tuple(signs)


def _fill(either: Ends) -> Fill:
    if either == Ends.MOVE:
        return Fill.MOVE
    return Fill.CAPTURE if either == Ends.CAPTURE else Fill.EITHER


@lru_cache(maxsize=4096)
def family_of(way: Way) -> Family:
    """What a way needs before all else; decides the shape of its sign."""
    kinds = {condition.kind for condition in way.guard}
    if "castle" in kinds:
        return Family.CASTLE
    if kinds:
        first = all(condition in INITIAL for condition in way.guard)
        return Family.FIRST if first else Family.TIMED
    if way.asks & Asks.LOCUST:
        return Family.LOCUST
    if way.asks & Asks.HURDLE:
        return Family.HURDLE
    return Family.LEAP if way.asks & Asks.LEAP else Family.STEP


INITIAL = (Condition("move", 1), Condition("third-rank"))


def _by_sign(marks: Marks) -> dict[Sign, list[Way]]:
    found: dict[Sign, list[Way]] = {}
    for mark, _ in marks.alike:
        for way in mark.ways:
            for sign in _signs_of(way):
                found.setdefault(sign, []).append(way)
    return found


def _words(sign: Sign, ways: list[Way]) -> list[str]:
    """What a sign means; one line for each timing that it stands for."""
    family = sign.family
    if family in SINGLE:
        return [SINGLE[family]]
    words = WORDS[family][sign.fill.value]
    clear = any(way.asks & Asks.CLEAR for way in ways)
    match family:
        case Family.STEP if clear:
            return [f"{words}; squares on the way must be empty"]
        case Family.LEAP if clear:
            return [f"{words}; squares it touches on the way must be empty"]
        case Family.TIMED:
            guards = sorted({way.guard for way in ways})
            return [f"{' or '.join(map(timing, guards))}: {words}"]
        case Family.HURDLE if ways and all(way.asks & Asks.BEHIND for way in ways):
            return [words.replace(OVER, BEHIND)]
        case Family.FIRST if ways and all(way.asks == Asks.LEAP for way in ways):
            return [f"{words}, leaping"]
        case _:
            return [words]


def timing(guard: Guard) -> str:
    """When moves under a guard may be made, in words."""
    return " and ".join(_when(condition) for condition in guard)


def _when(condition: Condition) -> str:
    match condition.kind:
        case "move":
            return f"as its {ordinal(condition.value)} move"
        case "every":
            return f"as every {ordinal(condition.value)} move of its own"
        case "third-rank":
            return "from the rank behind which the same piece stood at first"
        case "castle":
            return f"castling by {condition.value}"
        case "middle":
            return "up to the middle of the board"
        case "trail":
            return "leaving a trail for en passant"
        case "greedy":
            return "as far as it can"
        case _:
            assert_never(condition.kind)


def ordinal(number: int) -> str:
    """A number as a place in a row.

    >>> [ordinal(each) for each in (1, 2, 3, 11, 22)]
    ['first', 'second', 'third', '11th', '22nd']
    """
    words = ("first", "second", "third", "fourth", "fifth", "sixth")
    if number <= len(words):
        return words[number - 1]
    tens, ones = divmod(number, 10)
    ends = {1: "st", 2: "nd", 3: "rd"} if tens % 10 != 1 else {}
    return f"{number}{ends.get(ones, 'th')}"


def notes(marks: Marks) -> Iterator[str]:
    """What signs cannot show, a sentence each."""
    for way in marks.squares.get((0, 0), Mark(())).ways:
        if way.asks & Asks.LOCUST:
            yield "Returns to its own square after a capture."
        else:
            yield "May return to its own square: a pass."
    ways = [way for mark, _ in marks.alike for way in mark.ways]
    if any(way.ends & Ends.EN_PASSANT for way in ways):
        yield "Captures en passant (not drawn)."
    if marks.remarks:
        yield from (words for remark, words in REMARKS if marks.remarks & remark)


REMARKS = (
    (Remark.TRAIL, "May be captured en passant on the squares it passes."),
    (Remark.GREEDY, "Some runs must go as far as they can."),
    (Remark.WRAPS, "The board wraps round for this piece (not drawn)."),
    (Remark.FARTHER, "Leaps farther than this diagram shows as well."),
)


def direction(step: Offset) -> int:
    """The arrow nearest to a step, in eighths of a circle clockwise from forward."""
    return round(atan2(step[0], step[1]) / (pi / 4)) % 8
