"""The signs of a diagram: which stand on a square, how they are written, and what all of it means.

The shape of a sign carries the meaning; colour, where the caller paints, only repeats it. Besides
the legend there is a line in words for the whole diagram, and a sentence for each fact that is no
move.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial, reduce
from math import atan2, pi
from operator import or_
from typing import Literal, TypeAlias, cast

from alfil.data_files import read_table
from alfil.diagrams.continuations import EVERY_END, is_single_step, turns_and_hops
from alfil.diagrams.diagram_model import (
    Arrow,
    Diagram,
    Ends,
    Exit,
    LineKind,
    Mark,
    Marks,
    Offset,
    Onward,
    Passed,
    Remark,
    SquareCondition,
    Standing,
    Way,
)
from alfil.diagrams.jump_paths import with_jumps_apart
from alfil.diagrams.square_marks import fitted_marks
from alfil.english.words import FROM, ordinal_word
from alfil.frozen import NamedTuple
from alfil.geometry import BOARD_LIMIT
from alfil.meaning.normal_form import Turn, invariance_test
from alfil.meaning.piece import GROUNDS, Condition, Fact, Guard, Meaning, split_wrappers
from alfil.source import printable

# What a move needs, as far as the shape of its sign tells, and what else a sign may stand for.
Family: TypeAlias = (
    Literal["step", "leap", "hurdle", "locust", "first", "timed", "castle", "own", "royal"]
    | Literal["victim", "own-victim", "over", "clear", "return", "pass", "piece", "arrow"]
    | Literal["also-hurdle", "also-locust"]
    | Literal["body", "is-royal", "burns", "immobilises", "shoots"]
    | Standing
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


def _read() -> Iterator[Sign]:
    for place, (family, *others) in enumerate(read_table("diagrams", "signs.tsv")):
        yield Sign(place, cast("Family", family), *others)


# Every sign by its name, in the order of a legend.
SIGNS = {sign.name: sign for sign in _read()}
HOME_SIGN, ARROW = SIGNS["piece"], SIGNS["arrow"]
RETURN, PASS = SIGNS["return"], SIGNS["pass"]
Paint: TypeAlias = Callable[[str, Sign], str]

ONLY_WHEN = "captures only"
OVER, NEXT = "over a piece in between", "one step after jumping a piece"
AFTER = "after a capture on the way"
LIMITED = ", up to so many squares away"
SOME_LIMITED = "; where a number stands, up to so many squares away"
UP_TO = ", up to {} squares away"
# What is said of an arrow beside which these signs stand.
ARROW_WORDS = {
    (): "",
    ("step-move",): " without capturing",
    ("step-capture",): " with captures only",
}
EMPTY_SQUARE = ("·", ".")
# Clockwise from forward.
ARROWS = ("↑↗→↘↓↙←↖", "^/>\\v/<\\")


class Style(NamedTuple):
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


UNICODE = Style()
ASCII = Style(ascii=True)


# What stands beside an arrow: signs, each with a limit, 0 for none.
SignsBeside: TypeAlias = tuple[tuple[Sign, int], ...]


class ArrowLabel(NamedTuple):
    """What is written at an arrow: the signs of what goes on there, and how far all of it goes.

    There is no sign where moves and captures go on alike.
    """

    beside: SignsBeside
    limit: int | None


class LegendEntry(NamedTuple):
    """A line of the legend: a sign and its words.

    For arrows ``arrow`` is the direction of one, and ``beside`` what stands beside them.
    """

    sign: Sign
    words: str
    arrow: int = -1
    beside: SignsBeside = ()


class Caption(NamedTuple):
    """What is explained at an example: its signs and kinds of lines that the diagram has not."""

    signs: tuple[LegendEntry, ...]
    kinds: tuple[LineKind, ...]


def caption_of(example: Diagram, diagram: Diagram) -> Caption:
    """The signs and lines of an example that the legend of its diagram does not explain."""
    kinds = kinds_of([example]) - kinds_of([diagram]) - {LineKind.PATH}
    return Caption(caption_signs(example.marks, diagram.marks), tuple(sorted(kinds)))


def caption_signs(example: Marks, marks: Marks) -> tuple[LegendEntry, ...]:
    """The signs of an example that a diagram with these marks has not."""
    known = {entry.sign for entry in entries(marks)}
    return tuple(entry for entry in entries(example) if entry.sign not in known)


def needs_legend(diagram: Diagram, example: Diagram | None = None) -> bool:
    """Whether the sentence of a diagram alone does not explain it: it has several kinds of signs.

    An arrow counts where something is written beside it, a line where it is no plain one. So do
    conditions, and what signs cannot show at all.
    """
    marks = diagram.marks
    if (
        not diagram.sentence
        or diagram.note
        or example
        or marks.regions
        or marks.footprint
        or diagram.lines.cut
        or any(notes(marks))
        or any(way.guard for mark in marks.squares.values() for way in mark.ways)
    ):
        return True
    explained = [entry for entry in entries(marks) if entry.sign != HOME_SIGN]
    signs = {entry.sign for entry in explained if entry.sign != ARROW or entry.beside}
    return len(signs) > 1 or bool(kinds_of([diagram]) - {LineKind.PATH})


def entries(marks: Marks) -> list[LegendEntry]:
    """The signs that the picture uses, in words."""
    kinds = tuple([mark for mark, _ in marks.squares_by_mark])
    home = marks.squares.get((0, 0), Mark(()))
    result = [*_of_squares(kinds, home, frozenset(marks.standing.values()))]
    natures = (LegendEntry(sign, fact_in_words(fact)) for sign, fact in _fact_signs(marks))
    result[1:1] = sorted(natures, key=lambda entry: entry.sign)
    arrows: dict[SignsBeside, list[Arrow]] = {}
    for arrow in marks.arrows:
        arrows.setdefault(label_at(arrow).beside, []).append(arrow)
    for beside, alike in sorted(arrows.items()):
        first = min(direction(arrow.step) for arrow in alike)
        words = _words_of_arrows(when_on(alike), beside, alike)
        result.append(LegendEntry(ARROW, words, first, beside))
    return result


def label_at(arrow: Arrow | Exit) -> ArrowLabel:
    """What is written at an arrow: as `arrow_label`, but no number of squares at leaps."""
    label = arrow_label(arrow.onward, arrow.limit)
    return label if is_single_step(*arrow.step) else label._replace(limit=None)


def when_on(arrows: Iterable[Arrow]) -> str:
    """When moves go on at these arrows, after a space; empty where some do at any time."""
    whens = {each.way.guard for arrow in arrows for each in arrow.onward}
    return f" {_timing_of_guards(whens)}" if whens and () not in whens else ""


def _words_of_arrows(when: str, beside: SignsBeside, arrows: Collection[Arrow]) -> str:
    """What arrows say beside which the same signs stand."""
    limits = [label_at(arrow).limit for arrow in arrows]
    limited = LIMITED if all(limits) else SOME_LIMITED if any(limits) else ""
    limited += _leaps_in_words(arrows)
    plain = ARROW_WORDS.get(tuple(sign.name for sign, _ in beside))
    if plain is not None and not any(far for _, far in beside):
        return f"{ARROW.words}{when}{plain}{limited}"
    return f"{ARROW.words}{when}: {beside_in_words(beside)}{limited}"


def _leaps_in_words(arrows: Iterable[Arrow]) -> str:
    """How many leaps those arrows allow that are leaps; empty where there is no end to some."""
    leaps = {
        limit // max(map(abs, arrow.step)) if (limit := bound.limit) else 0
        for arrow in arrows
        if not is_single_step(*arrow.step)
        and not (bound := arrow_label(arrow.onward, arrow.limit)).beside
    }
    if not leaps or 0 in leaps:
        return ""
    most = " or ".join(map(str, sorted(leaps)))
    return f", up to {most} leaps in all"


def beside_in_words(beside: SignsBeside) -> str:
    """What the signs beside an arrow say, each with its limit; empty where there are none."""
    return "; ".join(f"{sign.words}{UP_TO.format(far) if far else ''}" for sign, far in beside)


@lru_cache(maxsize=1024)
def arrow_label(onward: tuple[Onward, ...], limit: int | None) -> ArrowLabel:
    """What is written at an arrow with these ways on; plain where it is not known what goes on.

    Where all go as far, their signs tell moves from captures only; else each way has its own.
    """
    limits = {each.limit for each in onward if each.way.ends in SIGN_ENDS}
    if len(limits) > 1:
        return ArrowLabel(_signs_with_limits(onward), None)
    ends = reduce(or_, (each.way.ends for each in onward), 0)
    if all(each.way.asks & SquareCondition.LOCUST for each in onward):
        # What is captured on the way counts beside how such moves end.
        return ArrowLabel(tuple([(sign, 0) for sign, _ in _signs_with_limits(onward)]), limit)
    if ends & BOTH_ENDS == BOTH_ENDS:
        return ArrowLabel((), limit)
    fill = FILLS.get(ends & BOTH_ENDS)
    signs = [SIGNS[f"step-{fill}"]] if fill else []
    signs += [SIGNS[name] for bit, name in OTHER_ENDS.items() if ends & bit]
    return ArrowLabel(tuple([(sign, 0) for sign in signs]), limit)


def _signs_with_limits(onward: tuple[Onward, ...]) -> SignsBeside:
    """The signs of ways on with their limits, those of one family and limit together."""
    ends: dict[tuple[Family, Guard, int], Way] = {}
    for way, limit in onward:
        key = family_of(way), way.guard, limit or 0
        held = ends.get(key, way)
        ends[key] = held._replace(ends=held.ends | way.ends)
    signs = {(sign, key[2]) for key, way in ends.items() for sign in _signs_of_way(way)}
    return tuple(sorted(signs, key=lambda each: (-(each[1] or BOARD_LIMIT + 1), each[0])))


# The ways to end that have a sign; others than moves and captures have one of their own.
BOTH_ENDS = Ends.MOVE | Ends.CAPTURE
OTHER_ENDS = {
    Ends.OWN: "own",
    Ends.ROYAL: "royal",
    Ends.VICTIM: "victim",
    Ends.OWN_VICTIM: "own-victim",
}
SIGN_ENDS = (Ends.MOVE, Ends.CAPTURE, *OTHER_ENDS)


# Many pieces have the same marks, on other squares.
@lru_cache(maxsize=1024)
def _of_squares(
    marks: tuple[Mark, ...], home: Mark, standing: frozenset[Standing]
) -> list[LegendEntry]:
    """The signs on squares: of some marks, beside the piece, and what else stands there."""
    ways = _by_sign(marks)
    for way in home.ways:
        ways.setdefault(_return_sign(way), []).append(way)
    whens = {sign: {way.guard for way in ways[sign]} for sign in ways}
    whens |= {
        sign: {when for mark in marks for when in mark.guards_of(bit)}
        for bit, sign in PASSED_SIGNS.items()
    }
    signs = {sign for mark in marks for sign in signs_of_mark(mark)}
    signs |= {*map(_return_sign, home.ways)} | {SIGNS[each] for each in standing}
    # Beside an enemy it goes without saying that a move there does nothing else.
    captures = "captures" if standing else ONLY_WHEN
    result = [
        LegendEntry(sign, words.replace(ONLY_WHEN, captures))
        for sign in sorted(signs)
        for words in _words(sign, ways.get(sign, []), whens.get(sign, {()}))
    ]
    return [LegendEntry(HOME_SIGN, HOME_SIGN.words), *result]


def home_signs(marks: Marks) -> list[Sign]:
    """The signs beside the piece itself: how it may end where it began, and what else it is."""
    return [*_return_signs(marks), *sorted({sign for sign, _ in _fact_signs(marks)})]


# The facts that have a sign beside the piece.
FACT_SIGNS = {"royal": SIGNS["is-royal"]} | {
    name: SIGNS[name] for name in ("burns", "immobilises", "shoots")
}


def _fact_signs(marks: Marks) -> Iterator[tuple[Sign, Fact]]:
    """What the piece is or does beside its moves, with the signs for that."""
    return ((FACT_SIGNS[fact.name], fact) for fact in marks.facts_shown if fact.name in FACT_SIGNS)


def _return_signs(marks: Marks) -> list[Sign]:
    """That it may end where it began, and how."""
    home = marks.squares.get((0, 0))
    return sorted({*map(_return_sign, home.ways)}) if home else []


def _return_sign(way: Way) -> Sign:
    """The sign of a way back to where it began."""
    return RETURN if way.asks & SquareCondition.LOCUST else PASS


# The signs of what is passed; that a square must be empty is said only where nothing else is.
PASSED_SIGNS = {
    Passed.VICTIM: SIGNS["victim"],
    Passed.OWN_VICTIM: SIGNS["own-victim"],
    Passed.HURDLE: SIGNS["over"],
    Passed.BODY: SIGNS["body"],
    Passed.CLEAR: SIGNS["clear"],
}


@lru_cache(maxsize=4096)
def signs_of_mark(mark: Mark) -> tuple[Sign, ...]:
    """The signs on one square: how moves end there, and what happens on the way."""
    signs = set(_ways_by_sign(mark))
    signs |= {sign for bit, sign in PASSED_SIGNS.items() if mark.passed & bit}
    if len(signs) > 1:
        signs.discard(SIGNS["clear"])
    return tuple(sorted(signs))


# The signs on the ground of a square, with others in front: what is passed there, and that the move
# of the sign in front may be made over or after a piece as well.
GROUND_FAMILIES = ("over", "victim", "own-victim", "also-hurdle", "also-locust")
_ALSO = {"hurdle": SIGNS["also-hurdle"], "locust": SIGNS["also-locust"]}


@lru_cache(maxsize=4096)
def _ways_by_sign(mark: Mark) -> dict[Sign, list[Way]]:
    """The signs of the ways to end on a square, each with those it stands for.

    Ways over or after a piece that end as a plain one does are ground under the plain one's sign.
    """
    result: dict[Sign, list[Way]] = {}
    for way in mark.ways:
        for sign in _signs_of_way(way):
            result.setdefault(sign, []).append(way)
    plain_fills = {sign.fill for sign in result if sign.family in PLAIN}
    for sign in [sign for sign in result if sign.family in _ALSO and sign.fill in plain_fills]:
        result.setdefault(_ALSO[sign.family], []).extend(result.pop(sign))
    return result


@lru_cache(maxsize=4096)
def _signs_of_way(way: Way) -> tuple[Sign, ...]:
    """The signs of one way; a capture en passant has none."""
    signs = []
    either = way.ends & (Ends.MOVE | Ends.CAPTURE)
    if either:
        family = family_of(way)
        signs.append(SIGNS.get(f"{family}-{FILLS.get(either, 'either')}") or SIGNS[family])
    return (*signs, *(SIGNS[name] for bit, name in OTHER_ENDS.items() if way.ends & bit))


FILLS = {Ends.MOVE: "move", Ends.CAPTURE: "capture"}


@lru_cache(maxsize=4096)
def family_of(way: Way) -> Family:
    """What a way needs before all else; decides the shape of its sign."""
    kinds = {condition.kind for condition in way.guard}
    if "castle" in kinds:
        return "castle"
    if kinds:
        return "first" if way.guard == INITIAL else "timed"
    if way.asks & SquareCondition.LOCUST:
        return "locust"
    if way.asks & SquareCondition.HURDLE:
        return "hurdle"
    return "leap" if way.asks & SquareCondition.LEAP else "step"


INITIAL = (Condition("move", 1),)


def _by_sign(marks: Iterable[Mark]) -> dict[Sign, list[Way]]:
    result: dict[Sign, list[Way]] = {}
    for mark in marks:
        for sign, ways in _ways_by_sign(mark).items():
            result.setdefault(sign, []).extend(ways)
    return result


def _words(sign: Sign, ways: list[Way], whens: Collection[Guard]) -> list[str]:
    """What a sign means; one line for each timing and manner that it stands for."""
    words = sign.words
    clear = any(way.asks & SquareCondition.CLEAR for way in ways)
    match sign.family:
        case "step" if clear:
            return [f"{words}; squares on the way must be empty"]
        case "leap" if clear:
            return [f"{words}; squares it touches on the way must be empty"]
        case "timed" | "first":
            return _timing_words(SIGNS[f"timed-{sign.fill}"].words, ways)
        case "hurdle" | "also-hurdle" if all(way.asks & SquareCondition.NEXT for way in ways):
            return [words.replace(OVER, NEXT)]
        case "locust" | "also-locust" if all(way.asks & SquareCondition.NEXT for way in ways):
            return [words.replace(AFTER, f"one step {AFTER}")]
        case "clear" if all(any(each.kind == "castle" for each in when) for when in whens):
            return [_with_timing("must be empty", whens)]
        case "castle":
            return [
                f"{timing_in_words(when)}: {words}" if when else words
                for when in sorted(
                    {tuple(each for each in way.guard if each.kind != "castle") for way in ways}
                )
            ]
        case _:
            return [_with_timing(words, whens)]


def _timing_words(words: str, ways: list[Way]) -> list[str]:
    """What a sign of timing means, a line for each manner of moving."""
    manners: dict[str, list[Way]] = {}
    for way in ways:
        manners.setdefault(_condition_words(way.asks), []).append(way)
    return [
        f"{_timing_of_guards(way.guard for way in alike)}{manner}: {words}"
        + (", leaping" if all(way.asks == SquareCondition.LEAP for way in alike) else "")
        for manner, alike in sorted(manners.items())
    ]


def _condition_words(asks: int) -> str:
    """What a way needs on its way, to stand after its timing."""
    if asks & SquareCondition.LOCUST:
        return f", one step {AFTER}" if asks & SquareCondition.NEXT else f", {AFTER}"
    if asks & SquareCondition.HURDLE:
        return f", {NEXT if asks & SquareCondition.NEXT else OVER}"
    return ""


def _with_timing(words: str, whens: Collection[Guard]) -> str:
    """Words with when they are true, where that is not always and everywhere."""
    guarded = [guard for guard in whens if guard]
    if not guarded:
        return words
    parts = _timing_of_guards(guarded)
    return f"{words}, on some squares only {parts}" if () in whens else f"{parts}: {words}"


def _timing_of_guards(guards: Iterable[Guard]) -> str:
    """When the moves of a sign may be made; of several squares to start from each has some."""
    several = sorted({*guards})
    words = [*map(timing_in_words, several)]
    if len(several) > 1 and any(each.kind in GROUNDS for guard in several for each in guard):
        return ", ".join(f"some {when}" for when in words)
    return " or ".join(words)


def timing_in_words(guard: Guard) -> str:
    """When moves under a guard may be made, in words."""
    return " and ".join(
        WHEN[condition.kind].format(condition.value, place=ordinal_word(condition.value))
        for condition in guard
    )


# When a condition allows a move; {} stands for its number, {place} for that as a place in a row.
WHEN: dict[str, str] = {
    "move": "as its {place} move",
    "every": "as every {place} move of its own",
    "turn": "on every {place} turn of its side",
    "third-rank": "where a piece like it stood straight behind it at the start",
    "castle": "castling by {}",
    "middle": "up to the middle of the board",
    "halfway": "at most half the way to the edge, rounded up",
    "trail": "leaving a trail for en passant",
    "greedy": "as far as it can",
    "unchecked": "while its side is not in check",
    **FROM,
}


def notes(marks: Marks) -> Iterator[str]:
    """What signs cannot show, a sentence each."""
    ways = [way for mark, _ in marks.squares_by_mark for way in mark.ways]
    if any(way.ends & Ends.EN_PASSANT for way in ways):
        yield "Captures en passant (not drawn)."
    yield from (words for remark, words in REMARKS if marks.remarks & remark)
    yield from (fact_in_words(fact) for fact in marks.facts_shown if fact.name not in FACT_SIGNS)


def unspoken(diagram: Diagram) -> Iterator[str]:
    """What signs cannot show, and what only the sentence says besides, where there is none."""
    yield from notes(diagram.marks)
    yield from beyond_notes(diagram)


# How often something is done at most, counted up to `continuations.MOST_COUNTED`.
_AT_MOST = {1: "once", 2: "twice", 3: "more than twice"}


def beyond_notes(diagram: Diagram) -> Iterator[str]:
    """What is said where there is no sentence that says it, besides the `notes`."""
    marks, facts = diagram.marks, diagram.meaning.facts
    yield from (fact_in_words(each) for each in facts if each not in marks.facts_shown)
    counts = [
        turns_and_hops(each.automaton.states) for each in with_jumps_apart(diagram.meaning).parts
    ]
    turns, hops = (max(each) for each in zip(*counts, strict=True)) if counts else (0, 0)
    if turns:
        yield f"It may turn {_AT_MOST[turns]}."
    if hops > 1:
        yield f"It may hop {_AT_MOST[hops]}."
    beside = [mark.ways for at, mark in marks.squares.items() if max(map(abs, at)) == 1]
    if any(ways and all(way.asks & SquareCondition.CLEAR for way in ways) for ways in beside):
        yield "To some of the squares beside it, it goes over others."


# What is said of a picture of a piece without the areas that bound it.
UNBOUNDED = "This shows its moves as if no area bounded it."
REMARKS = (
    (Remark.TRAIL, "May be captured en passant on the squares it passes."),
    (Remark.GREEDY, "Some runs must go as far as they can."),
    (Remark.HALFWAY, "On a board some runs go at most half the way to the edge, rounded up."),
    (Remark.SPARES, "Some of its captures spare royal pieces."),
    (Remark.CHOOSY, "Not every piece is one it may hop over."),
    (Remark.PASSERS, "Captures en passant on its way as well (not drawn)."),
    (Remark.WRAPS, "The board wraps round for this piece (not drawn)."),
    (Remark.UNBOUNDED, UNBOUNDED),
    (Remark.FARTHER, "Leaps farther than this diagram shows as well."),
)


def shared_legend(diagrams: Collection[Diagram]) -> tuple[list[LegendEntry], str]:
    """One legend for several diagrams; of two wordings of a sign that begin alike, the shorter.

    Besides, what the lines have to say because that leaves it out: that squares on the way must be
    empty. Where some of the pieces may jump or capture there, their own words say so.
    """
    # Arrows count as one sign.
    result: dict[tuple[Sign, str], LegendEntry] = {}
    for each in diagrams:
        for entry in entries(each.marks):
            result.setdefault((entry.sign, entry.words), entry)
    entries_kept: list[LegendEntry] = []
    longer: list[LegendEntry] = []
    for _, entry in sorted(result.items()):
        beginnings = (each.words for each in entries_kept if each.sign == entry.sign)
        begun = any(entry.words.startswith(words) for words in beginnings)
        (longer if begun else entries_kept).append(entry)
    slides = any("must be empty" in entry.words for entry in longer)
    if not slides or LineKind.PATH not in kinds_of(diagrams):
        return entries_kept, ""
    onto = Passed.HURDLE | Passed.VICTIM | Passed.OWN_VICTIM
    others = any(mark.passed & onto for each in diagrams for mark in each.marks.squares.values())
    return entries_kept, f"must be empty{', unless its words say otherwise' * others}"


def kinds_of(diagrams: Iterable[Diagram]) -> set[LineKind]:
    """The kinds of lines in some diagrams."""
    return {stroke.kind for each in diagrams for stroke in each.lines.strokes}


@lru_cache(maxsize=1024)
def direction(step: Offset) -> int:
    """The arrow nearest to a step, in eighths of a circle clockwise from forward."""
    return round(atan2(step[0], step[1]) / (pi / 4)) % 8


# Families of moves that need no other piece on their way and no certain moment.
PLAIN = ("step", "leap")
# Families that are counted on their own, and how.
SPECIAL_FAMILIES = (
    ("hurdle", "over a piece in between"),
    ("locust", "after a capture on the way"),
    ("first", "as its first move"),
    ("timed", "under a condition"),
    ("castle", "by castling"),
)
# What is captured on the way, on squares beyond a diagram and on those of it.
VICTIMS = {Ends.VICTIM: Passed.VICTIM, Ends.OWN_VICTIM: Passed.OWN_VICTIM}

# A way, what it needs, and which of the marks has it.
EndingWay: TypeAlias = tuple[Way, Family, int]
# Words with a gap for a number of squares, and which of the marks these have.
SummaryClause: TypeAlias = tuple[str, frozenset[int]]


def summary_sentence(marks: Marks, meaning: Meaning | None = None) -> str:
    """What the diagram shows, in one sentence; counts are of its squares.

    With the meaning of the piece its sides are alike where all of its moves are, also those that
    the squares do not tell apart; a position goes without.
    """
    kinds = tuple([mark for mark, _ in marks.squares_by_mark])
    beyond = _beyond(marks.arrows)
    words = _clauses(kinds, beyond)
    clauses = [words.format(_square_count(squares, marks)) for words, squares in words]
    home = [mark for at, mark in marks.squares.items() if at == (0, 0)]
    seen = {
        (_family_name(w), end)
        for mark in (*kinds, *home)
        for w in mark.ways
        for end in _single_bits(w.ends)
    }
    taken = {end for mark in kinds for end, bit in VICTIMS.items() if mark.passed & bit}
    all_named = all(arrow.onward for arrow in marks.arrows) and all(
        end in taken if end in VICTIMS else (kin, end) in seen for (kin, end), _ in beyond
    )
    clauses += _beyond_sentences(marks, all_named=all_named, shown=bool(clauses))
    if not clauses:
        return "No moves." if not marks.squares else "Never leaves its square."
    if not marks.window.ranks and not marks.remarks & Remark.FARTHER:
        clauses.append(_symmetry_words(marks, meaning))
    text = "; ".join(filter(None, clauses))
    return f"{text[0].upper()}{text[1:]}."


# What is said of moves of a kind, by family ("" for plain ones) and bit of Ends, that go on beyond.
LimitsByFamily: TypeAlias = tuple[tuple[tuple[str, int], str], ...]


def _family_name(way: Way) -> str:
    """The family of a way, but that plain ones are one and have no name."""
    family = family_of(way)
    return "" if family in PLAIN else family


def _single_bits(ends: int) -> Iterator[int]:
    """The bits of Ends in these."""
    return (bit for bit in EVERY_END if ends & bit)


def _beyond(arrows: Sequence[Arrow]) -> LimitsByFamily:
    """What goes on beyond the diagram."""
    limits: dict[tuple[str, int], set[int | None]] = {}
    for arrow in arrows:
        for way, limit in arrow.onward:
            limits.setdefault((_family_name(way), way.ends), set()).add(limit)
    words = {
        key: f" and on beyond the diagram{_limits_in_words(far)}" for key, far in limits.items()
    }
    return tuple(sorted(words.items()))


def _limits_in_words(limits: Collection[int | None]) -> str:
    """How far moves go of which these are the limits."""
    if len(limits) == 1:
        limit = max(far or 0 for far in limits)
        return UP_TO.format(limit) if limit else ""
    known = [far for far in limits if far]
    some = " in some directions" if len(known) < len(limits) else ""
    return f"{UP_TO.format(f'{min(known)} to {max(known)}' if known[1:] else known[0])}{some}"


# Many pieces have the same marks, on other squares.
@lru_cache(maxsize=1024)
def _clauses(marks: tuple[Mark, ...], beyond: LimitsByFamily) -> tuple[SummaryClause, ...]:
    """What some marks say, and which of these moves go on ``beyond`` the diagram."""
    ways = [(way, family_of(way), n) for n, mark in enumerate(marks) for way in mark.ways]
    onward = dict(beyond)
    plain, besides = [*_plain_moves(ways, onward)], [*_special_clauses(ways, marks, onward)]
    # A single one says in what manner.
    manner = _plain_manner(ways) if len(plain) == 1 else ""
    return (*((f"{words}{manner}", kinds) for words, kinds in plain), *besides)


def _plain_moves(
    ways: list[EndingWay], onward: Mapping[tuple[str, int], str]
) -> Iterator[SummaryClause]:
    """Moves and captures that need neither hurdle nor moment."""
    plain = [(way.ends, kind) for way, family, kind in ways if family in PLAIN]
    moves, captures, royal, passing = (
        frozenset([kind for able, kind in plain if able & ends])
        for ends in (Ends.MOVE, Ends.CAPTURE, Ends.ROYAL, Ends.EN_PASSANT)
    )
    result = [("moves to {}", moves, Ends.MOVE), ("captures on {}", captures, Ends.CAPTURE)]
    both = moves == captures and onward.get(("", Ends.MOVE)) == onward.get(("", Ends.CAPTURE))
    if both:
        result = [("moves or captures on {}", moves, Ends.MOVE)]
    # Where anything may be captured, a royal piece or one en passant is no news.
    result.append(("captures only a royal piece on {}", royal - captures, Ends.ROYAL))
    result.append(("captures en passant on {}", passing - captures, Ends.EN_PASSANT))
    return ((f"{words}{onward.get(('', end), '')}", kinds) for words, kinds, end in result if kinds)


def _special_clauses(
    ways: list[EndingWay], marks: tuple[Mark, ...], onward: Mapping[tuple[str, int], str]
) -> Iterator[SummaryClause]:
    """Moves that need more, and captures that are no ends of moves."""
    for each, words in SPECIAL_FAMILIES:
        ended: dict[int, int] = {}
        for way, family, kind in ways:
            if family == each:
                ended[kind] = ended.get(kind, 0) | way.ends
        royal = {kind for kind, ends in ended.items() if not ends & ~(Ends.ROYAL | Ends.OWN)}
        royal = {kind for kind in royal if ended[kind] & Ends.ROYAL}
        if others := ended.keys() - royal:
            able = reduce(or_, map(ended.__getitem__, others))
            yield f"{{}} {words}{_family_continuations(each, able, onward)}", frozenset(others)
        if royal:
            further = onward.get((each, Ends.ROYAL), "")
            yield f"captures only a royal piece on {{}} {words}{further}", frozenset(royal)
    own = {kind: way.guard for way, _, kind in ways if way.ends & Ends.OWN}
    if own:
        further = next((words for (_, end), words in onward.items() if end == Ends.OWN), "")
        yield f"its own side captured on {{}}{further}{_only_when(own.values())}", frozenset(own)
    taken = reduce(or_, VICTIMS.values())
    victims = {n: mark.guards_of(taken) for n, mark in enumerate(marks) if mark.passed & taken}
    if victims:
        further = next((words for (_, end), words in onward.items() if end in VICTIMS), "")
        whens = [when for each in victims.values() for when in each]
        yield f"captures on the way, on {{}}{further}{_only_when(whens)}", frozenset(victims)


def _only_when(whens: Collection[Guard]) -> str:
    """When alone something is done, empty where it sometimes may be done at any time."""
    family = "first" if {*whens} == {INITIAL} else "timed"
    return "" if () in whens else f", {dict(SPECIAL_FAMILIES)[family]}"


def _family_continuations(family: str, able: int, onward: Mapping[tuple[str, int], str]) -> str:
    """Which moves of a family go on beyond the diagram, each with how far; ``able`` to end so."""
    if able == Ends.OWN:
        return onward.get((family, Ends.OWN), "")
    moves, captures = onward.get((family, Ends.MOVE)), onward.get((family, Ends.CAPTURE))
    if moves == captures or (Ends.MOVE | Ends.CAPTURE) & ~able:
        return moves or captures or ""
    kinds_of_move = ((moves, "without capturing"), (captures, "with a capture"))
    return ",".join([f"{words} {how}" for words, how in kinds_of_move if words])


def _beyond_sentences(marks: Marks, *, all_named: bool, shown: bool) -> Iterable[str]:
    """What ends beyond the diagram; ``all_named`` where all that continues has words."""
    if marks.arrows and not (all_named and shown):
        yield ARROW.words
    if marks.remarks & Remark.FARTHER:
        yield "leaps farther than the diagram shows"
    if marks.remarks & Remark.WRAPS and marks.window.ranks and not shown:
        yield "goes only where the board wraps round"


def _square_count(kinds: Collection[int], marks: Marks) -> str:
    """How many squares have some of the marks; each has one."""
    number = sum([len(marks.squares_by_mark[kind][1]) for kind in kinds])
    return "1 square" if number == 1 else f"{number} squares"


def _plain_manner(ways: list[EndingWay]) -> str:
    """How plain moves are made, when they are all made in one manner."""
    asks = {way.asks for way, family, _ in ways if family in PLAIN and way.ends & ~Ends.OWN}
    if asks == {SquareCondition.LEAP}:
        return ", leaping"
    if asks == {0}:
        return ", one step"
    if not any(asks & SquareCondition.LEAP for asks in asks):
        return ", without jumping"
    if all(asks & SquareCondition.LEAP for asks in asks):
        return ", by leaps in a row"
    return ", some of them by leaping"


MIRRORED: Turn = ((-1, 0), (0, 1))
UPSIDE_DOWN: Turn = ((1, 0), (0, -1))
HALF_ROUND: Turn = ((-1, 0), (0, -1))
QUARTER: Turn = ((0, -1), (1, 0))
# In the diagonal that goes up to the right, and in the other one.
IN_DIAGONALS: tuple[Turn, Turn] = (((0, 1), (1, 0)), ((0, -1), (-1, 0)))
TURNS = (MIRRORED, UPSIDE_DOWN, HALF_ROUND, QUARTER, *IN_DIAGONALS)


def _symmetry_words(marks: Marks, meaning: Meaning | None) -> str:
    """What may be done to the piece without changing it; nothing where only its squares stay."""
    alike = (
        _symmetric_sides(meaning) if meaning else _sides_in_words(partial(_marks_invariant, marks))
    )
    if alike or any(_marks_invariant(marks, turn) for turn in TURNS):
        return alike
    return "no two sides alike"


@lru_cache(maxsize=1024)
def _symmetric_sides(meaning: Meaning) -> str:
    return _sides_in_words(invariance_test(meaning))


def _sides_in_words(is_invariant: Callable[[Turn], bool]) -> str:
    """Which sides are alike, in words, by the turns that change nothing."""
    mirrored = is_invariant(MIRRORED)
    if is_invariant(QUARTER):
        return f"the same on all sides{'' if mirrored else ', but not mirrored'}"
    alike = ["left and right alike"] if mirrored else []
    if is_invariant(UPSIDE_DOWN):
        alike.append("forward and back alike")
    diagonals = sum(map(is_invariant, IN_DIAGONALS))
    if diagonals:
        alike.append(f"the same mirrored in {'both diagonals' if diagonals > 1 else 'a diagonal'}")
    if not alike and is_invariant(HALF_ROUND):
        alike.append("the same turned half round")
    return ", ".join(alike)


def _marks_invariant(marks: Marks, turn: Turn) -> bool:
    """Whether the marked squares are the same after a turn."""
    (a, b), (c, d) = turn
    squares = marks.squares
    return all(
        squares.get((a * x + c * y, b * x + d * y)) == mark for (x, y), mark in squares.items()
    )


Value: TypeAlias = str | int | Meaning

SURVIVAL = {
    "all": "Royal; all royal pieces of a side must survive.",
    "one": "Royal; one royal piece of a side must survive.",
}
WHOSE = {"friends": "friends", "enemies": "enemies", "all": "pieces of both sides"}
BURNS = {
    "active": "when it ends a move",
    "passive": "when they end a move in its range",
    "always": "when it ends a move, and when they end a move in its range",
}
FREEZES = {
    "active": "in its range after its own move",
    "passive": "that enter its range",
    "always": "in its range after its own move, and those that enter it",
}


def facts_in_words(meaning: Meaning) -> list[str]:
    """What is true of the piece besides its moves, one sentence each."""
    return [printable(fact_in_words(fact)) for fact in meaning.facts]


def fact_in_words(fact: Fact) -> str:
    """One fact as a sentence."""
    match (fact.name, fact.values):
        case ("royal", ()):
            return "Royal."
        case ("royal", (str(survive),)):
            return SURVIVAL[survive]
        case ("size", values) | ("declared", values) | ("untold", values):
            return _fact_sentence(fact.name, *map(str, values))
        case ("promotion", (condition, *promotees)):
            words = (
                f"a move of these ({_moves_summary(condition)})"
                if isinstance(condition, Meaning)
                else condition
            )
            return f"Promotes to {_any_of(promotees)} on this condition: {words}."
        case ("iron", (_,)):
            return "Cannot be captured."
        case ("iron", (identifier, *exceptions)):
            apart = "except by" if identifier == "others" else "by"
            return f"Cannot be captured {apart} {_any_of(exceptions)}."
        case (name, (Meaning() as reach, str(side), str(when), int(number), *words)):
            return _effect_sentence(name, side, when, number) + _range_in_words(reach, words)
        case _:
            raise AssertionError(fact.name)


def _fact_sentence(name: str, first: str, *others: str) -> str:
    """A fact without pieces or moves in it."""
    if name == "size":
        return f"{first} by {others[0]} cells large. Squares are those of its near left cell."
    if name == "untold":
        return f"Besides, what only these words tell: {first}."
    taken = f" with {', '.join(others)}" if others else ""
    return f"Declares the function {first}{taken}."


def _any_of(values: Sequence[Value]) -> str:
    """Pieces by name, or by what they do."""
    return " or ".join(
        f"a piece with these moves ({_moves_summary(value)})"
        if isinstance(value, Meaning)
        else str(value)
        for value in values
    )


def _moves_summary(meaning: Meaning) -> str:
    """Moves summed up, to stand inside a sentence."""
    text = summary_sentence(fitted_marks(meaning), meaning).removesuffix(".")
    return f"{text[0].lower()}{text[1:]}"


def _effect_sentence(name: str, side: str, when: str, number: int) -> str:
    pieces = WHOSE[side]
    if name == "burns":
        return f"Burns {pieces} in its range {BURNS[when]}"
    if name == "immobilises":
        most = f", at most {number} at a time" if number else ""
        return f"Immobilises {pieces} {FREEZES[when]}{most}"
    return f"Shoots {pieces} that come into its range"


def _range_in_words(reach: Meaning, words: Sequence[Value]) -> str:
    """The range of an effect, and what the functions around it say."""
    guard, others = split_wrappers(words)
    timed = [timing_in_words(guard)] if guard else []
    inside = [f"inside {', '.join(others)}"] if others else []
    return f" ({'; '.join([f'range: {_moves_summary(reach)}', *timed, *inside])})."
