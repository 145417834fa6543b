"""What the signs, arrows and lines of a diagram mean: the rows of its legend, and its notes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from math import gcd

from alfil.diagrams.diagram_model import (
    Arrival,
    Arrow,
    Continuation,
    Diagram,
    EndFlags,
    LineKind,
    Mark,
    Marks,
    Occupant,
    Offset,
    PassageFlags,
    PathConditionFlags,
    RemarkFlags,
)
from alfil.diagrams.fact_sentences import fact_in_words
from alfil.diagrams.move_continuations import (
    is_single_step,
    max_turns_and_hops,
    merge_exits_into,
)
from alfil.diagrams.signs import (
    ARROW_SIGN,
    FACT_SIGNS,
    HOME_SIGN,
    SIGN_BY_PASSAGE,
    SIGNS,
    UP_TO_WORDS,
    Sign,
    SignsBeside,
    all_ways_by_sign,
    arrow_direction,
    continuation_label,
    fact_signs,
    family_of,
    label_of_arrow,
    return_sign,
    signs_of_mark,
)
from alfil.diagrams.split_jump_paths import with_jumps_split_off
from alfil.diagrams.timing_words import (
    timing_in_words,
    timing_of_arrows,
    timing_of_guards,
    with_timing,
)
from alfil.frozen_dataclasses import NamedTuple
from alfil.meaning.piece_meaning import Guard

CAPTURES_ONLY_WORDS = "captures only"
HOP_WORDS, AFTER_JUMP_WORDS = "over a piece in between", "one step after jumping a piece"
AFTER_CAPTURE_WORDS = "after a capture on the way"
LIMIT_WORDS = ", up to so many squares away"
PARTIAL_LIMIT_WORDS = "; where a number stands, up to so many squares away"
# What is said of an arrow beside which these signs stand.
ARROW_WORDS = {
    (): "",
    ("step-move",): " without capturing",
    ("step-capture",): " with captures only",
}


class LegendEntry(NamedTuple):
    """A line of the legend: a sign and its words.

    For arrows ``arrow`` is the direction of one, and ``beside`` what stands beside them.
    """

    sign: Sign
    words: str
    arrow: int = -1
    beside: SignsBeside = ()


class ExampleLegend(NamedTuple):
    """What is explained at an example: its signs and kinds of lines that the diagram has not."""

    signs: tuple[LegendEntry, ...]
    kinds: tuple[LineKind, ...]


def unexplained_signs_and_lines(
    example: Diagram, diagram: Diagram, entries: Collection[LegendEntry]
) -> ExampleLegend:
    """The signs and lines of an example that its diagram has not, nor the entries of its legend."""
    kinds = line_kinds_of_diagrams([example]) - line_kinds_of_diagrams([diagram]) - {LineKind.PATH}
    return ExampleLegend(unexplained_signs(example.marks, entries), tuple(sorted(kinds)))


def unexplained_signs(example: Marks, entries: Collection[LegendEntry]) -> tuple[LegendEntry, ...]:
    """The signs of an example that the legend of its diagram does not explain."""
    known = {entry.sign for entry in entries}
    return tuple(entry for entry in legend_entries(example) if entry.sign not in known)


def needs_legend(
    diagram: Diagram, entries: Collection[LegendEntry], example: Diagram | None = None
) -> bool:
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
        or any(notes_signs_cannot_show(marks))
        or any(way.guard for mark in marks.every_mark for way in mark.ways)
        or any(each.way.guard for arrow in marks.arrows for each in arrow.onward)
    ):
        return True
    signs = {entry.sign for entry in entries if entry.sign != ARROW_SIGN or entry.beside}
    signs.discard(HOME_SIGN)
    return len(signs) > 1 or bool(line_kinds_of_diagrams([diagram]) - {LineKind.PATH})


def legend_entries(marks: Marks) -> list[LegendEntry]:
    """The signs that the picture uses, in words."""
    kinds = tuple([mark for mark, _ in marks.squares_by_mark])
    home = marks.squares.get((0, 0), Mark(()))
    result = [*_square_entries(kinds, home, frozenset(marks.standing.values()))]
    natures = (LegendEntry(sign, fact_in_words(fact)) for sign, fact in fact_signs(marks))
    result[1:1] = sorted(natures, key=lambda entry: entry.sign)
    # Words do not say where an arrow is.
    arrows = dict.fromkeys([arrow[1:] for arrow in _merge_parallel_arrows(marks.arrows)])
    return [*result, *_arrow_entries(tuple(arrows))]


# Few pieces have arrows that no other piece has.
@lru_cache(maxsize=512)
def _arrow_entries(
    arrows: tuple[tuple[Offset, int | None, tuple[Continuation, ...]], ...],
) -> list[LegendEntry]:
    """The arrows by what stands beside them; each is given by its step, limit and ways on."""
    by_label: dict[SignsBeside, list[Arrow]] = {}
    for each in arrows:
        arrow = Arrow((0, 0), *each)
        by_label.setdefault(label_of_arrow(arrow).beside, []).append(arrow)
    return [
        LegendEntry(
            ARROW_SIGN,
            _words_of_arrows(when, beside, some),
            min(arrow_direction(arrow.step) for arrow in some),
            beside,
        )
        for beside, alike in sorted(by_label.items())
        for when, some in _arrows_by_time(alike)
    ]


def _merge_parallel_arrows(arrows: Collection[Arrow]) -> Iterator[Arrow]:
    """The arrows, those in one place and direction as one, with the shortest step."""
    if all(gcd(*arrow.step) == 1 for arrow in arrows):
        yield from arrows
        return
    parallel: dict[tuple[Offset, Offset], list[Arrow]] = {}
    for arrow in arrows:
        (dx, dy), times = arrow.step, gcd(*arrow.step)
        parallel.setdefault((arrow.at, (dx // times, dy // times)), []).append(arrow)
    for alike in parallel.values():
        if len(alike) == 1:
            yield alike[0]
            continue
        shortest = min(alike, key=lambda each: max(map(abs, each.step)))
        yield merge_exits_into(shortest, alike)


def _arrows_by_time(arrows: list[Arrow]) -> list[tuple[str, list[Arrow]]]:
    """Arrows by when moves go on there; all together where their directions do not tell them apart.

    >>> _arrows_by_time([])
    []
    """
    by_time: dict[str, list[Arrow]] = {}
    for arrow in arrows:
        by_time.setdefault(timing_of_arrows([arrow]), []).append(arrow)
    directions = {when: {arrow_direction(each.step) for each in by_time[when]} for when in by_time}
    if len(set().union(*directions.values())) == sum(map(len, directions.values())):
        return sorted(by_time.items(), key=lambda each: min(directions[each[0]]))
    some = ", at some arrows only" if "" in by_time else ""
    timed = [arrow for when, alike in by_time.items() if when for arrow in alike]
    return [(f"{some}{timing_of_arrows(timed)}", arrows)]


def _words_of_arrows(when: str, beside: SignsBeside, arrows: Collection[Arrow]) -> str:
    """What arrows say beside which the same signs stand."""
    limits = [label_of_arrow(arrow).limit for arrow in arrows]
    limited = LIMIT_WORDS if all(limits) else PARTIAL_LIMIT_WORDS if any(limits) else ""
    limited += _leap_limit_in_words(arrows)
    plain = ARROW_WORDS.get(tuple(sign.name for sign, _ in beside))
    if plain is not None and not any(far for _, far in beside):
        return f"{ARROW_SIGN.words}{when}{plain}{limited}"
    return f"{ARROW_SIGN.words}{when}: {signs_beside_in_words(beside, arrows)}{limited}"


def _leap_limit_in_words(arrows: Iterable[Arrow]) -> str:
    """How many leaps those arrows allow that are leaps; empty where there is no end to some."""
    leaps = {
        limit // max(map(abs, arrow.step)) if (limit := bound.limit) else 0
        for arrow in arrows
        if not is_single_step(*arrow.step)
        and not (bound := continuation_label(arrow.onward, arrow.limit)).beside
    }
    if not leaps or 0 in leaps:
        return ""
    most = " or ".join(map(str, sorted(leaps)))
    return f", up to {most} leaps in all"


def signs_beside_in_words(beside: SignsBeside, arrows: Collection[Arrow]) -> str:
    """What the signs beside arrows say, each with its limit; empty where there are none."""
    together = timing_of_arrows(arrows)
    said = []
    for sign, far in beside:
        words = sign.words
        if sign.family in {"first", "timed"}:
            words = SIGNS[f"timed-{sign.fill}"].words
            whens = {
                each.way.guard
                for arrow in arrows
                for each in arrow.onward
                if family_of(each.way) == sign.family
            }
            words = words if together else f"{timing_of_guards(whens)}: {words}"
        said.append(f"{words}{UP_TO_WORDS.format(far) if far else ''}")
    return "; ".join(said)


# Many pieces have the same marks, on other squares.
@lru_cache(maxsize=1024)
def _square_entries(
    marks: tuple[Mark, ...], home: Mark, standing: frozenset[Occupant]
) -> list[LegendEntry]:
    """The signs on squares: of some marks, beside the piece, and what else stands there."""
    ways = all_ways_by_sign(marks)
    for way in home.ways:
        ways.setdefault(return_sign(way), []).append(way)
    whens = {sign: {way.guard for way in ways[sign]} for sign in ways}
    passing = [mark for mark in marks if mark.passed]
    whens |= {
        sign: {when for mark in passing for when in mark.guards_of(bit)}
        for bit, sign in SIGN_BY_PASSAGE.items()
    }
    signs = {sign for mark in marks for sign in signs_of_mark(mark)}
    signs |= {*map(return_sign, home.ways)} | {SIGNS[each] for each in standing}
    # Beside an enemy it goes without saying that a move there does nothing else.
    captures = "captures" if standing else CAPTURES_ONLY_WORDS
    result = [
        LegendEntry(sign, words.replace(CAPTURES_ONLY_WORDS, captures))
        for sign in sorted(signs)
        for words in _sign_meanings(sign, ways.get(sign, []), whens.get(sign, {()}))
    ]
    return [LegendEntry(HOME_SIGN, HOME_SIGN.words), *result]


def _sign_meanings(sign: Sign, ways: list[Arrival], guards: Collection[Guard]) -> list[str]:
    """What a sign means; one line for each timing and manner that it stands for."""
    words = sign.words
    clear = any(way.conditions & PathConditionFlags.CLEAR for way in ways)
    match sign.family:
        case "step" if clear:
            return [f"{words}; squares on the way must be empty"]
        case "leap" if clear:
            return [f"{words}; squares it touches on the way must be empty"]
        case "timed" | "first":
            return _timed_sign_meanings(SIGNS[f"timed-{sign.fill}"].words, ways)
        case "hurdle" | "also-hurdle" if all(
            way.conditions & PathConditionFlags.NEXT for way in ways
        ):
            return [words.replace(HOP_WORDS, AFTER_JUMP_WORDS)]
        case "locust" | "also-locust" if all(
            way.conditions & PathConditionFlags.NEXT for way in ways
        ):
            return [words.replace(AFTER_CAPTURE_WORDS, f"one step {AFTER_CAPTURE_WORDS}")]
        case "clear" if all(any(each.kind == "castle" for each in when) for when in guards):
            return [with_timing("must be empty", guards)]
        case "castle":
            return [
                f"{timing_in_words(when)}: {words}" if when else words
                for when in sorted(
                    {tuple(each for each in way.guard if each.kind != "castle") for way in ways}
                )
            ]
        case _:
            return [with_timing(words, guards)]


def _timed_sign_meanings(words: str, ways: list[Arrival]) -> list[str]:
    """What a sign of timing means, a line for each manner of moving."""
    manners: dict[str, list[Arrival]] = {}
    for way in ways:
        manners.setdefault(_condition_words(way.conditions), []).append(way)
    return [
        f"{timing_of_guards(way.guard for way in alike)}{manner}: {words}"
        + (", leaping" if all(way.conditions == PathConditionFlags.LEAP for way in alike) else "")
        for manner, alike in sorted(manners.items())
    ]


def _condition_words(conditions: int) -> str:
    """What a way needs on its way, to stand after its timing."""
    if conditions & PathConditionFlags.LOCUST:
        return (
            f", one step {AFTER_CAPTURE_WORDS}"
            if conditions & PathConditionFlags.NEXT
            else f", {AFTER_CAPTURE_WORDS}"
        )
    if conditions & PathConditionFlags.HURDLE:
        return f", {AFTER_JUMP_WORDS if conditions & PathConditionFlags.NEXT else HOP_WORDS}"
    return ""


def notes_signs_cannot_show(marks: Marks) -> Iterator[str]:
    """What signs cannot show, a sentence each."""
    ways = [way for mark, _ in marks.squares_by_mark for way in mark.ways]
    if any(way.ends & EndFlags.EN_PASSANT for way in ways):
        yield "Captures en passant (not drawn)."
    yield from (words for remark, words in REMARK_SENTENCES if marks.remarks & remark)
    yield from (fact_in_words(fact) for fact in marks.facts_shown if fact.name not in FACT_SIGNS)


def notes_beyond_signs(diagram: Diagram) -> Iterator[str]:
    """What signs cannot show, and what only the sentence says besides, where there is none."""
    yield from notes_signs_cannot_show(diagram.marks)
    yield from notes_in_place_of_sentence(diagram)


# How often something is done at most, counted up to `continuations.MAX_TURNS_COUNTED`.
_TIMES_WORDS = {1: "once", 2: "twice", 3: "more than twice"}


def notes_in_place_of_sentence(diagram: Diagram) -> Iterator[str]:
    """What is said where there is no sentence that says it, besides `notes_signs_cannot_show`."""
    marks, facts = diagram.marks, diagram.meaning.facts
    yield from (fact_in_words(each) for each in facts if each not in marks.facts_shown)
    counts = [
        max_turns_and_hops(each.automaton.states)
        for each in with_jumps_split_off(diagram.meaning).parts
    ]
    turns, hops = (max(each) for each in zip(*counts, strict=True)) if counts else (0, 0)
    if turns:
        yield f"It may turn {_TIMES_WORDS[turns]}."
    if hops > 1:
        yield f"It may hop {_TIMES_WORDS[hops]}."
    beside = [mark.ways for at, mark in marks.squares.items() if max(map(abs, at)) == 1]
    if any(
        ways and all(way.conditions & PathConditionFlags.CLEAR for way in ways) for ways in beside
    ):
        yield "To some of the squares beside it, it goes over others."


# What is said of a picture of a piece without the areas that bound it.
UNBOUNDED_NOTE = "This shows its moves as if no area bounded it."
REMARK_SENTENCES = (
    (RemarkFlags.TRAIL, "May be captured en passant on the squares it passes."),
    (RemarkFlags.GREEDY, "Some runs must go as far as they can."),
    (RemarkFlags.HALFWAY, "On a board some runs go at most about half the way to the edge."),
    (RemarkFlags.SPARES, "Some of its captures spare royal pieces."),
    (RemarkFlags.CHOOSY, "Not every piece is one it may hop over."),
    (RemarkFlags.PASSERS, "Captures en passant on its way as well (not drawn)."),
    (RemarkFlags.WRAPS, "The board wraps round for this piece (not drawn)."),
    (RemarkFlags.UNBOUNDED, UNBOUNDED_NOTE),
    (RemarkFlags.FARTHER, "Leaps farther than this diagram shows as well."),
)


def shared_legend_and_slide_note(diagrams: Collection[Diagram]) -> tuple[list[LegendEntry], str]:
    """One legend for several diagrams; of two wordings of a sign that begin alike, the shorter.

    Besides, what the lines have to say because that leaves it out: that squares on the way must be
    empty. Where some of the pieces may jump or capture there, their own words say so.
    """
    # Arrows count as one sign.
    result: dict[tuple[Sign, str], LegendEntry] = {}
    for each in diagrams:
        for entry in legend_entries(each.marks):
            result.setdefault((entry.sign, entry.words), entry)
    entries_kept: list[LegendEntry] = []
    longer: list[LegendEntry] = []
    for _, entry in sorted(result.items()):
        beginnings = (each.words for each in entries_kept if each.sign == entry.sign)
        begun = any(entry.words.startswith(words) for words in beginnings)
        (longer if begun else entries_kept).append(entry)
    slides = any("must be empty" in entry.words for entry in longer)
    if not slides or LineKind.PATH not in line_kinds_of_diagrams(diagrams):
        return entries_kept, ""
    onto = PassageFlags.HURDLE | PassageFlags.VICTIM | PassageFlags.OWN_VICTIM
    others = any(mark.passed & onto for each in diagrams for mark in each.marks.squares.values())
    return entries_kept, f"must be empty{', unless its words say otherwise' * others}"


def line_kinds_of_diagrams(diagrams: Iterable[Diagram]) -> set[LineKind]:
    """The kinds of lines in some diagrams."""
    return {stroke.kind for each in diagrams for stroke in each.lines.strokes}
