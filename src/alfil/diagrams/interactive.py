"""What a page needs to work out moves by itself: the data that page.js reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import TypeAlias

from alfil.diagrams.lines import lines_of
from alfil.diagrams.marks import Asks, Ends, Marks, Offset, Standing, Way, Window, around
from alfil.diagrams.shapes import name
from alfil.diagrams.text import (
    SINGLE,
    STANDS,
    WORDS,
    Family,
    Fill,
    Sign,
    entries,
    notes,
    ordinal,
    signs_on,
)
from alfil.diagrams.walk import TIMING, marks_of
from alfil.geometry import Coordinates, shogi_name, square_name
from alfil.meaning.automaton import LETTERS, wraps
from alfil.meaning.piece import Guard, Meaning, allows
from alfil.tables.scene import ENEMY, FRIEND, ROYAL
from alfil.tables.table import compile_table, section_as_json

Json: TypeAlias = dict[str, object]

STANDS_AS = {
    Standing.ENEMY: ENEMY,
    Standing.ENEMY_ROYAL: ROYAL,
    Standing.FRIEND: FRIEND,
    Standing.UNMOVED_FRIEND: FRIEND,
}
# Moments are offered one by one up to this number of moves.
LAST_MOMENT = 12
# What stands on a square, the bit of page.js for capturing it, how a diagram says so.
VICTIMS = ((ENEMY, 2, Ends.CAPTURE), (ROYAL, 4, Ends.ROYAL), (FRIEND, 8, Ends.OWN))


def _with_room(meaning: Meaning, marks: Marks) -> Marks:
    """All marks of a piece; an open diagram wide enough to castle."""
    need = max((steps + inset + 1 for steps, inset in _castling(meaning)), default=0)
    if not marks.window.ranks and marks.window.east < need:
        return marks_of(meaning, around(need))
    return marks_of(meaning, marks.window) if marks.standing else marks


def board_data(meaning: Meaning, marks: Marks, label: str) -> Json:
    """One diagram as page.js reads it; squares are numbered rank by rank from the near left corner.

    ``marks`` may be of one position; its pieces are then on the board, and can be taken off again.
    ``every`` has the signs of the whole piece by square, ``arrows`` where moves leave the diagram,
    ``lines`` its lines from square to square; ``leaps`` are the squares a plain leap ends on,
    ``probes`` those on which something may be captured, ``victims`` what. ``cycle`` is what can be
    placed on a square; ``moments`` are the moves of the piece's own that may be the next one,
    ``moment`` is the one to begin with. ``words`` are those of this diagram, `SIGNS` has the rest.
    """
    standing, coordinates = marks.standing, marks.coordinates
    marks = _with_room(meaning, marks)
    squares = _Squares(marks.window, coordinates)
    royal = _tells_royals_apart(meaning) or Standing.ENEMY_ROYAL in standing.values()
    moments = list(_moments(meaning))
    return {
        "label": label,
        "board": squares.board(),
        "standing": [
            [squares.number(at), STANDS_AS[each]]
            for at, each in standing.items()
            if each in STANDS_AS
        ],
        "table": _table(meaning, squares),
        "every": {
            squares.number(at): [name(sign) for sign in signs_on(mark)]
            for at, mark in marks.squares.items()
            if at != (0, 0)
        },
        "arrows": [
            [at[0] + marks.window.west, at[1] + marks.window.south, *step]
            for at, step in marks.arrows
        ],
        "lines": list(_lines(meaning, squares)),
        "leaps": [squares.number(at) for at, mark in marks.squares.items() if _leaps(mark.ways)],
        "probes": _probes(meaning, marks, squares),
        "victims": [
            [standing, bit]
            for standing, bit, ends in VICTIMS
            if standing == ENEMY or (standing == ROYAL and royal) or _any_ends(marks, ends)
        ],
        "cycle": [ENEMY, ROYAL, FRIEND] if royal else [ENEMY, FRIEND],
        "moments": moments,
        "moment": _best_moment(meaning, moments),
        "words": _words(marks),
        "notes": [*notes(marks), *_notes(meaning, squares, standing)],
        "placeable": marks.window.ranks > 0 or "middle" not in _kinds(meaning),
    }


class _Squares:
    """The squares of a window by number, and by name."""

    def __init__(self, window: Window, coordinates: Coordinates) -> None:
        self.window = window
        self.coordinates = coordinates
        self.files = window.west + window.east + 1
        self.ranks = window.south + window.north + 1

    def number(self, at: Offset) -> int:
        return (at[1] + self.window.south) * self.files + at[0] + self.window.west

    def board(self) -> Json:
        return {
            "files": self.files,
            "ranks": self.ranks,
            "at": self.number((0, 0)),
            "wraps": self.window.ranks > 0,
            "shogi": self.coordinates == "shogi",
        }

    def name(self, at: Offset) -> str:
        """As on a board; in an open diagram as seen from the piece."""
        x, y = at
        if self.window.ranks:
            square = x + self.window.west, y + self.window.south
            if self.coordinates == "chess":
                return square_name(*square)
            return shogi_name(*square, self.files, self.ranks)
        words = []
        if y:
            words.append(f"{abs(y)} {'forward' if y > 0 else 'back'}")
        if x:
            words.append(f"{abs(x)} {'right' if x > 0 else 'left'}")
        return ", ".join(words) or "home"

    def all(self) -> Iterator[Offset]:
        window = self.window
        for y in range(-window.south, window.north + 1):
            for x in range(-window.west, window.east + 1):
                yield x, y


def _table(meaning: Meaning, squares: _Squares) -> Json:
    """The move table, each part as a tree or as a graph, whichever is shorter."""
    sections = []
    for section in compile_table(meaning, squares.files, squares.ranks).sections:
        forms = [section_as_json(each) for each in (section._replace(trie=None), section)]
        sections.append(min(forms, key=lambda form: len(json.dumps(form))))
    return {"sections": sections}


def _lines(meaning: Meaning, squares: _Squares) -> Iterator[list[int]]:
    """Every line as the squares it joins: start and end."""
    for stroke in lines_of(meaning, squares.window).strokes:
        (x, y), (dx, dy) = stroke.start, stroke.step
        end = (x + stroke.steps * dx, y + stroke.steps * dy)
        yield [squares.number(stroke.start), squares.number(end)]


def _leaps(ways: tuple[Way, ...]) -> bool:
    plain = (way for way in ways if not way.guard and not way.asks & (Asks.HURDLE | Asks.LOCUST))
    return any(way.asks & Asks.LEAP for way in plain)


def _probes(meaning: Meaning, marks: Marks, squares: _Squares) -> list[int]:
    """The squares on which something may be captured; a diagram does not follow wrapped paths."""
    captures = Ends.CAPTURE | Ends.ROYAL | Ends.OWN
    if any(wraps(part.automaton.states) for part in meaning.parts):
        return [squares.number(at) for at in squares.all() if at != (0, 0)]
    return [
        squares.number(at)
        for at, mark in marks.squares.items()
        if at != (0, 0) and any(way.ends & captures for way in mark.ways)
    ]


def _any_ends(marks: Marks, ends: Ends) -> bool:
    return any(way.ends & ends for mark in marks.squares.values() for way in mark.ways)


def _tells_royals_apart(meaning: Meaning) -> bool:
    """Whether it makes a difference to the piece that an enemy is royal."""
    plain, royal = LETTERS[ENEMY], LETTERS[ROYAL]
    records = [
        record for part in meaning.parts for state in part.automaton.states for record in state
    ]
    return any(
        bool(emit & plain[0]) != bool(emit & royal[0]) for _, _, _, emit, _ in records
    ) or any(
        bool(mask & one) != bool(mask & other)
        for *_, passes in records
        for mask, _ in passes
        for one, other in zip(plain[1:], royal[1:], strict=True)
    )


def _guards(meaning: Meaning) -> list[Guard]:
    return [
        tuple(condition for condition in part.guard if condition.kind in TIMING - {"castle"})
        for part in meaning.parts
    ]


def _kinds(meaning: Meaning) -> set[str]:
    return {condition.kind for part in meaning.parts for condition in part.guard}


def _castling(meaning: Meaning) -> list[tuple[int, int]]:
    return sorted(
        (condition.value, condition.inset)
        for part in meaning.parts
        for condition in part.guard
        if condition.kind == "castle"
    )


def _moments(meaning: Meaning) -> Iterator[tuple[str, int | None, bool]]:
    """The moves that may be next, as far as it matters: words, moves made, never moved."""
    conditions = {condition for guard in _guards(meaning) for condition in guard}
    if not conditions:
        yield "any move", None, False
        return
    last = max((condition.value for condition in conditions), default=1)
    for number in range(1, min(max(last, 1), LAST_MOMENT) + 1):
        yield f"its {ordinal(number)} move", number - 1, number == 1
    yield "a later move", None, False


def _best_moment(meaning: Meaning, moments: list[tuple[str, int | None, bool]]) -> int:
    """The moment at which most moves may be made, the first of those."""
    guards = _guards(meaning)
    held = [
        sum(allows(guard, made, third_rank=first) for guard in guards) for _, made, first in moments
    ]
    return held.index(max(held)) if held else 0


def _words(marks: Marks) -> dict[str, str]:
    """What the signs of this diagram mean, by their names."""
    said: dict[str, list[str]] = {}
    for entry in entries(marks):
        said.setdefault(sign_name(entry.sign), []).append(entry.words)
    return {each: "; ".join(words) for each, words in said.items()}


def sign_name(sign: Sign) -> str:
    """A sign's name in a page."""
    return UNSHAPED.get(sign.family) or name(sign)


UNSHAPED = {Family.PIECE: "piece", Family.ARROW: "arrow"}
STANDING = (Sign(Family.ENEMY), Sign(Family.ENEMY_ROYAL), Sign(Family.FRIEND))
EVERY_SIGN = (
    *(Sign(family, fill) for family in WORDS for fill in Fill),
    *(Sign(family) for family in SINGLE if family not in STANDS.values()),
    *STANDING,
)
# Every sign a page may need, with its words, in the order of a legend.
SIGNS = [
    ["piece", "the piece; forward is up"],
    *(
        [name(sign), SINGLE.get(sign.family) or WORDS[sign.family][sign.fill.value]]
        for sign in EVERY_SIGN
    ),
    ["arrow", "goes on beyond the diagram"],
]


def _notes(
    meaning: Meaning, squares: _Squares, standing: Mapping[Offset, Standing]
) -> Iterator[str]:
    kinds = _kinds(meaning)
    if Standing.TRAIL in standing.values():
        yield "Captures en passant are not worked out on this page."
    if "middle" in kinds and not squares.window.ranks:
        yield (
            "How far it may go depends on the board and the square it stands on, so nothing can be "
            "placed on this diagram."
        )
    for steps, inset in _castling(meaning):
        window = squares.window
        corners = [
            squares.name((x, 0))
            for x in (inset - window.west, window.east - inset)
            if abs(x) > steps
        ]
        if corners:
            yield (
                f"To castle by {steps} it needs a piece of its own side on {' or '.join(corners)}; "
                "those placed here have not moved yet."
            )
