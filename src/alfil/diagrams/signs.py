"""The signs of a diagram: which stand on a square and beside arrows, and how they are written.

The shape of a sign carries the meaning; colour, where the caller paints, only repeats it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, reduce
from math import atan2, pi
from operator import or_
from typing import Literal, TypeAlias, cast

from alfil.data_files import read_table
from alfil.diagrams.diagram_model import (
    Arrival,
    Arrow,
    Continuation,
    EndFlags,
    Mark,
    Marks,
    Occupant,
    Offset,
    PassageFlags,
    PathConditionFlags,
    WindowExit,
)
from alfil.diagrams.move_continuations import is_single_step, path_family
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import BOARD_LIMIT
from alfil.meaning.piece_meaning import Condition, Fact, Guard

# What a move needs, as far as the shape of its sign tells, and what else a sign may stand for.
Family: TypeAlias = (
    Literal["step", "leap", "hurdle", "locust", "first", "timed", "castle", "own", "royal"]
    | Literal["victim", "own-victim", "over", "clear", "return", "pass", "piece", "arrow"]
    | Literal["also-hurdle", "also-locust"]
    | Literal["body", "is-royal", "burns", "immobilises", "shoots"]
    | Occupant
)


class Sign(NamedTuple):
    """A row of signs.tsv: how a sign is written, coloured and drawn, and what it means.

    ``place`` is its place in a legend. ``fill`` tells how a move may end: "either", "move" without
    capturing or "capture" only; it is empty where a family has one sign. ``drawing`` is SVG around
    the middle of a square, about 26 units wide; its paths begin in the middle.
    """

    place: int
    family: Family
    fill: str
    unicode: str
    ascii: str
    role: str
    words: str
    drawing: str

    @property
    def name(self) -> str:
        """What it is called in a picture's data, as in step-move or castle."""
        return f"{self.family}-{self.fill}" if self.fill else self.family


_ROWS = enumerate(read_table("diagrams", "signs.tsv"))
# Every sign by its name, in the order of a legend.
SIGNS = {
    sign.name: sign
    for sign in (Sign(at, cast("Family", family), *rest) for at, (family, *rest) in _ROWS)
}
HOME_SIGN, ARROW_SIGN = SIGNS["piece"], SIGNS["arrow"]
RETURN_SIGN, PASS_SIGN = SIGNS["return"], SIGNS["pass"]
Paint: TypeAlias = Callable[[str, Sign], str]
UP_TO_WORDS = ", up to {} squares away"
EMPTY_SQUARE = ("·", ".")
# Clockwise from forward.
ARROW_CHARACTERS = ("↑↗→↘↓↙←↖", "^/>\\v/<\\")


class TextStyle(NamedTuple):
    """How a text diagram is drawn: with plain ASCII signs or not, painted or not, how wide."""

    ascii: bool = False
    paint: Paint | None = None
    columns: int = 80

    def sign(self, sign: Sign) -> str:
        """The character for a sign."""
        return sign.ascii if self.ascii else sign.unicode

    def painted(self, text: str, sign: Sign) -> str:
        """The text in the colour of the sign, where there are colours."""
        return self.paint(text, sign) if self.paint else text


UNICODE_STYLE = TextStyle()
ASCII_STYLE = TextStyle(ascii=True)

# What stands beside an arrow: signs, each with a limit, 0 for none.
SignsBeside: TypeAlias = tuple[tuple[Sign, int], ...]


class ArrowLabel(NamedTuple):
    """What is written at an arrow: the signs of what goes on there, and how far all of it goes.

    There is no sign where moves and captures go on alike.
    """

    beside: SignsBeside
    limit: int | None


def label_of_arrow(arrow: Arrow | WindowExit) -> ArrowLabel:
    """What is written at an arrow: as `continuation_label`, but no number of squares at leaps."""
    label = continuation_label(arrow.onward, arrow.limit)
    return label if is_single_step(*arrow.step) else label._replace(limit=None)


@lru_cache(maxsize=1024)
def continuation_label(onward: tuple[Continuation, ...], limit: int | None) -> ArrowLabel:
    """What is written at an arrow with these ways on; plain where it is not known what goes on.

    Where all go as far and at one time, their signs tell moves from captures only; else each way
    has its own.
    """
    limits = {each.limit for each in onward if each.way.ends in ENDS_WITH_SIGNS}
    if len(limits) > 1:
        return ArrowLabel(_signs_with_limits(onward), None)
    ends = reduce(or_, (each.way.ends for each in onward), 0)
    at_one_time = len({each.way.guard for each in onward}) < 2  # noqa: PLR2004 - one or none
    if not at_one_time or all(each.way.conditions & PathConditionFlags.LOCUST for each in onward):
        # What is captured on the way counts beside how such moves end.
        return ArrowLabel(tuple([(sign, 0) for sign, _ in _signs_with_limits(onward)]), limit)
    if ends & BOTH_ENDS == BOTH_ENDS:
        return ArrowLabel((), limit)
    fill = FILL_BY_END.get(ends & BOTH_ENDS)
    signs = [SIGNS[f"step-{fill}"]] if fill else []
    signs += [SIGNS[name] for bit, name in SIGN_NAME_BY_END.items() if ends & bit]
    signs += sorted({return_sign(each.way) for each in onward if each.way.ends & EndFlags.HOME})
    return ArrowLabel(tuple([(sign, 0) for sign in signs]), limit)


def _signs_with_limits(onward: tuple[Continuation, ...]) -> SignsBeside:
    """The signs of ways on with their limits, those of one family and limit together."""
    ends: dict[tuple[Family, Guard, int], Arrival] = {}
    for way, limit in onward:
        key = family_of(way), way.guard, limit or 0
        held = ends.get(key, way)
        ends[key] = held._replace(ends=held.ends | way.ends)
    signs = {(sign, key[2]) for key, way in ends.items() for sign in _signs_of_way(way)}
    return tuple(sorted(signs, key=lambda each: (-(each[1] or BOARD_LIMIT + 1), each[0])))


# The ways to end that have a sign; others than moves and captures have one of their own.
BOTH_ENDS = EndFlags.MOVE | EndFlags.CAPTURE
SIGN_NAME_BY_END = {
    EndFlags.OWN: "own",
    EndFlags.ROYAL: "royal",
    EndFlags.VICTIM: "victim",
    EndFlags.OWN_VICTIM: "own-victim",
}
ENDS_WITH_SIGNS = (EndFlags.MOVE, EndFlags.CAPTURE, *SIGN_NAME_BY_END, EndFlags.HOME)


def signs_beside_piece(marks: Marks) -> list[Sign]:
    """The signs beside the piece itself: how it may end where it began, and what else it is."""
    home = marks.squares.get((0, 0))
    returns = sorted({*map(return_sign, home.ways)}) if home else []
    return [*returns, *sorted({sign for sign, _ in fact_signs(marks)})]


# The facts that have a sign beside the piece.
FACT_SIGNS = {"royal": SIGNS["is-royal"]} | {
    name: SIGNS[name] for name in ("burns", "immobilises", "shoots")
}


def fact_signs(marks: Marks) -> Iterator[tuple[Sign, Fact]]:
    """What the piece is or does beside its moves, with the signs for that."""
    return ((FACT_SIGNS[fact.name], fact) for fact in marks.facts_shown if fact.name in FACT_SIGNS)


def return_sign(way: Arrival) -> Sign:
    """The sign of a way back to where it began."""
    return RETURN_SIGN if way.conditions & PathConditionFlags.LOCUST else PASS_SIGN


# The signs of what is passed; that a square must be empty is said only where nothing else is.
SIGN_BY_PASSAGE = {
    PassageFlags.VICTIM: SIGNS["victim"],
    PassageFlags.OWN_VICTIM: SIGNS["own-victim"],
    PassageFlags.HURDLE: SIGNS["over"],
    PassageFlags.BODY: SIGNS["body"],
    PassageFlags.CLEAR: SIGNS["clear"],
}


@lru_cache(maxsize=4096)
def signs_of_mark(mark: Mark) -> tuple[Sign, ...]:
    """The signs on one square: how moves end there, and what happens on the way."""
    signs = set(_ways_by_sign(mark))
    signs |= {sign for bit, sign in SIGN_BY_PASSAGE.items() if mark.passed & bit}
    if len(signs) > 1:
        signs.discard(SIGNS["clear"])
    return tuple(sorted(signs))


# The signs on the ground of a square, with others in front: what is passed there, and that the move
# of the sign in front may be made over or after a piece as well.
GROUND_FAMILIES = ("over", "victim", "own-victim", "also-hurdle", "also-locust")
_ALSO_SIGNS = {"hurdle": SIGNS["also-hurdle"], "locust": SIGNS["also-locust"]}


@lru_cache(maxsize=4096)
def _ways_by_sign(mark: Mark) -> dict[Sign, list[Arrival]]:
    """The signs of the ways to end on a square, each with those it stands for.

    Ways over or after a piece that end as a plain one does are ground under the plain one's sign.
    """
    result: dict[Sign, list[Arrival]] = {}
    for way in mark.ways:
        for sign in _signs_of_way(way):
            result.setdefault(sign, []).append(way)
    plain_fills = {sign.fill for sign in result if sign.family in PLAIN_FAMILIES}
    for sign in [
        sign for sign in result if sign.family in _ALSO_SIGNS and sign.fill in plain_fills
    ]:
        result.setdefault(_ALSO_SIGNS[sign.family], []).extend(result.pop(sign))
    return result


@lru_cache(maxsize=4096)
def _signs_of_way(way: Arrival) -> tuple[Sign, ...]:
    """The signs of one way; a capture en passant has none."""
    signs = []
    either = way.ends & (EndFlags.MOVE | EndFlags.CAPTURE)
    if either:
        family = family_of(way)
        signs.append(SIGNS.get(f"{family}-{FILL_BY_END.get(either, 'either')}") or SIGNS[family])
    signs += [SIGNS[name] for bit, name in SIGN_NAME_BY_END.items() if way.ends & bit]
    return (*signs, *[return_sign(way)] * bool(way.ends & EndFlags.HOME))


FILL_BY_END = {EndFlags.MOVE: "move", EndFlags.CAPTURE: "capture"}


@lru_cache(maxsize=4096)
def family_of(way: Arrival) -> Family:
    """What a way needs before all else; decides the shape of its sign."""
    kinds = {condition.kind for condition in way.guard}
    if "castle" in kinds:
        return "castle"
    if kinds:
        return "first" if way.guard == INITIAL_MOVE_GUARD else "timed"
    return path_family(way.conditions)


INITIAL_MOVE_GUARD = (Condition("move", 1),)


def all_ways_by_sign(marks: Iterable[Mark]) -> dict[Sign, list[Arrival]]:
    """The ways of all these squares by the signs that stand for them."""
    result: dict[Sign, list[Arrival]] = {}
    for mark in marks:
        for sign, ways in _ways_by_sign(mark).items():
            result.setdefault(sign, []).extend(ways)
    return result


@lru_cache(maxsize=1024)
def arrow_direction(step: Offset) -> int:
    """The arrow nearest to a step, in eighths of a circle clockwise from forward."""
    return round(atan2(step[0], step[1]) / (pi / 4)) % 8


# Families of moves that need no other piece on their way and no certain moment.
PLAIN_FAMILIES = ("step", "leap")
