"""A line in words for all that a diagram shows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache, partial, reduce
from itertools import chain
from operator import or_
from typing import TypeAlias

from alfil.bit_grid import single_bits
from alfil.diagrams.diagram_model import (
    Arrival,
    EndFlags,
    Mark,
    Marks,
    PassageFlags,
    PathConditionFlags,
    RemarkFlags,
)
from alfil.diagrams.signs import (
    ARROW_SIGN,
    INITIAL_MOVE_GUARD,
    PLAIN_FAMILIES,
    UP_TO_WORDS,
    Family,
    family_of,
)
from alfil.geometry import (
    DIAGONAL_MIRROR,
    FRONT_BACK_MIRROR,
    HALF_TURN,
    LEFT_RIGHT_MIRROR,
    OTHER_DIAGONAL_MIRROR,
    QUARTER_TURN,
    SYMMETRIES,
    Symmetry,
)
from alfil.meaning.normal_form import invariance_test
from alfil.meaning.piece_meaning import Guard, Meaning

# Families that are counted on their own, and how.
SPECIAL_FAMILIES = (
    ("hurdle", "over a piece in between"),
    ("locust", "after a capture on the way"),
    ("first", "as its first move"),
    ("timed", "under a condition"),
    ("castle", "by castling"),
)
# What is captured on the way, on squares beyond a diagram and on those of it.
PASSAGE_BY_VICTIM_END = {
    EndFlags.VICTIM: PassageFlags.VICTIM,
    EndFlags.OWN_VICTIM: PassageFlags.OWN_VICTIM,
}

_WHOM_BY_SIDES = {
    PassageFlags.VICTIM: "",
    PassageFlags.OWN_VICTIM: "its own side ",
    PassageFlags.VICTIM | PassageFlags.OWN_VICTIM: "either side ",
}

# A way, what it needs, and which of the marks has it.
EndingWay: TypeAlias = tuple[Arrival, Family, int]
# Words with a gap for a number of squares, and which of the marks these have.
SummaryClause: TypeAlias = tuple[str, frozenset[int]]


def summary_sentence(marks: Marks, meaning: Meaning | None = None) -> str:
    """What the diagram shows, in one sentence; counts are of its squares.

    With the meaning of the piece its sides are alike where all of its moves are, also those that
    the squares do not tell apart; a position goes without.
    """
    kinds = tuple([mark for mark, _ in marks.squares_by_mark])
    beyond = _beyond_diagram_words_by_family(marks)
    home = [mark for at, mark in marks.squares.items() if at == (0, 0)]
    manner = (
        "without moving" if home and not _may_capture_en_route_and_leave(marks) else "on the way"
    )
    words = _clauses_of_marks(kinds, beyond, manner)
    clauses = [words.format(_square_count_words(squares, marks)) for words, squares in words]
    seen = {
        (_family_name(w), end)
        for mark in (*kinds, *home)
        for w in mark.ways
        for end in single_bits(w.ends)
    }
    taken = {
        end for mark in kinds for end, bit in PASSAGE_BY_VICTIM_END.items() if mark.passed & bit
    }
    all_named = all(arrow.onward for arrow in marks.arrows) and all(
        end in taken if end in PASSAGE_BY_VICTIM_END else (kin, end) in seen
        for (kin, end), _ in beyond
    )
    clauses += _beyond_sentences(marks, all_named=all_named, shown=bool(clauses))
    if not clauses:
        return "No moves." if not marks.squares else "Never leaves its square."
    if not marks.window.ranks and not marks.remarks & RemarkFlags.FARTHER:
        clauses.append(_symmetry_words(marks, meaning))
    text = "; ".join(filter(None, clauses))
    return f"{text[0].upper()}{text[1:]}."


def _may_capture_en_route_and_leave(marks: Marks) -> bool:
    """Whether a move that captures on its way may end on another square than its own."""
    exits = chain.from_iterable(marks.exits.values())
    beyond = chain(exits, *(arrow.onward for arrow in marks.arrows))
    ways = chain((way for way, _ in beyond), *(mark.ways for mark, _ in marks.squares_by_mark))
    return any(
        way.conditions & PathConditionFlags.LOCUST
        and way.ends not in {*PASSAGE_BY_VICTIM_END, EndFlags.HOME}
        for way in ways
    )


# What is said of moves of a kind, by family ("" for plain ones) and bit of Ends, that go on beyond.
LimitsByFamily: TypeAlias = tuple[tuple[tuple[str, int], str], ...]


def _family_name(way: Arrival) -> str:
    """The family of a way, but that plain ones are one and have no name."""
    family = family_of(way)
    return "" if family in PLAIN_FAMILIES else family


def _beyond_diagram_words_by_family(marks: Marks) -> LimitsByFamily:
    """What goes on beyond the diagram."""
    limits: dict[tuple[str, int], set[int | None]] = {}
    turning = _may_turn_beyond(marks)
    for arrow in marks.arrows:
        for way, limit in arrow.onward:
            far = None if turning else limit
            limits.setdefault((_family_name(way), way.ends), set()).add(far)
    words = {
        key: f" and on beyond the diagram{_limits_in_words(far)}" for key, far in limits.items()
    }
    return tuple(sorted(words.items()))


def _may_turn_beyond(marks: Marks) -> bool:
    """Whether ways that turn at the edge of the diagram may also do so farther out.

    They do where a square is left by several steps; how far they go is not told by the edge then.
    """
    squares = [at for at, _ in marks.exits if at != (0, 0)]
    return len(set(squares)) < len(squares)


def _limits_in_words(limits: Collection[int | None]) -> str:
    """How far moves go of which these are the limits."""
    if len(limits) == 1:
        limit = max(far or 0 for far in limits)
        return UP_TO_WORDS.format(limit) if limit else ""
    known = [far for far in limits if far]
    some = " in some directions" if len(known) < len(limits) else ""
    return f"{UP_TO_WORDS.format(f'{min(known)} to {max(known)}' if known[1:] else known[0])}{some}"


# Many pieces have the same marks, on other squares.
@lru_cache(maxsize=1024)
def _clauses_of_marks(
    marks: tuple[Mark, ...], beyond: LimitsByFamily, victims_manner: str
) -> tuple[SummaryClause, ...]:
    """What some marks say, and which of these moves go on ``beyond`` the diagram.

    ``victims_manner`` says how pieces are captured on squares where the move does not end.
    """
    ways = [(way, family_of(way), n) for n, mark in enumerate(marks) for way in mark.ways]
    onward = dict(beyond)
    plain, besides = [*_plain_move_clauses(ways, onward)], [*_special_clauses(ways, onward)]
    besides += _victim_clauses(marks, onward, victims_manner)
    # A single one says in what manner.
    manner = _plain_manner_words(ways) if len(plain) == 1 else ""
    return (*((f"{words}{manner}", kinds) for words, kinds in plain), *besides)


def _plain_move_clauses(
    ways: list[EndingWay], onward: Mapping[tuple[str, int], str]
) -> Iterator[SummaryClause]:
    """Moves and captures that need neither hurdle nor moment."""
    plain = [(way.ends, kind) for way, family, kind in ways if family in PLAIN_FAMILIES]
    moves, captures, royal, passing = (
        frozenset([kind for able, kind in plain if able & ends])
        for ends in (EndFlags.MOVE, EndFlags.CAPTURE, EndFlags.ROYAL, EndFlags.EN_PASSANT)
    )
    result = [("moves to {}", moves, EndFlags.MOVE), ("captures on {}", captures, EndFlags.CAPTURE)]
    both = moves == captures and onward.get(("", EndFlags.MOVE)) == onward.get(
        ("", EndFlags.CAPTURE)
    )
    if both:
        result = [("moves or captures on {}", moves, EndFlags.MOVE)]
    # Where anything may be captured, a royal piece or one en passant is no news.
    result.append(("captures only a royal piece on {}", royal - captures, EndFlags.ROYAL))
    result.append(("captures en passant on {}", passing - captures, EndFlags.EN_PASSANT))
    return ((f"{words}{onward.get(('', end), '')}", kinds) for words, kinds, end in result if kinds)


def _special_clauses(
    ways: list[EndingWay], onward: Mapping[tuple[str, int], str]
) -> Iterator[SummaryClause]:
    """Moves that need more, and captures of the own side."""
    for each, words in SPECIAL_FAMILIES:
        ended: dict[int, int] = {}
        for way, family, kind in ways:
            if family == each:
                ended[kind] = ended.get(kind, 0) | way.ends
        royal = {
            kind for kind, ends in ended.items() if not ends & ~(EndFlags.ROYAL | EndFlags.OWN)
        }
        royal = {kind for kind in royal if ended[kind] & EndFlags.ROYAL}
        if others := ended.keys() - royal:
            able = reduce(or_, map(ended.__getitem__, others))
            yield f"{{}} {words}{_family_continuations(each, able, onward)}", frozenset(others)
        if royal:
            further = onward.get((each, EndFlags.ROYAL), "")
            yield f"captures only a royal piece on {{}} {words}{further}", frozenset(royal)
    own = {kind: way.guard for way, _, kind in ways if way.ends & EndFlags.OWN}
    if own:
        further = next((words for (_, end), words in onward.items() if end == EndFlags.OWN), "")
        yield (
            f"its own side captured on {{}}{further}{_only_when_words(own.values())}",
            frozenset(own),
        )


def _victim_clauses(
    marks: tuple[Mark, ...], onward: Mapping[tuple[str, int], str], manner: str
) -> Iterator[SummaryClause]:
    """Captures where no move ends: of enemies, of the own side, or of both."""
    taken = reduce(or_, PASSAGE_BY_VICTIM_END.values())
    victims = {n: mark.guards_of(taken) for n, mark in enumerate(marks) if mark.passed & taken}
    if not victims:
        return
    further = next(
        (words for (_, end), words in onward.items() if end in PASSAGE_BY_VICTIM_END), ""
    )
    sides = reduce(or_, (marks[n].passed & taken for n in victims))
    whom = _WHOM_BY_SIDES[sides]
    whens = [when for each in victims.values() for when in each]
    yield f"captures {whom}{manner}, on {{}}{further}{_only_when_words(whens)}", frozenset(victims)


def _only_when_words(guards: Collection[Guard]) -> str:
    """When alone something is done, empty where it sometimes may be done at any time."""
    family = "first" if {*guards} == {INITIAL_MOVE_GUARD} else "timed"
    return "" if () in guards else f", {dict(SPECIAL_FAMILIES)[family]}"


def _family_continuations(
    family: str, ends_mask: int, onward: Mapping[tuple[str, int], str]
) -> str:
    """Which moves of a family, with these ends, go on beyond the diagram, each with how far."""
    if ends_mask == EndFlags.OWN:
        return onward.get((family, EndFlags.OWN), "")
    moves, captures = onward.get((family, EndFlags.MOVE)), onward.get((family, EndFlags.CAPTURE))
    if moves == captures or (EndFlags.MOVE | EndFlags.CAPTURE) & ~ends_mask:
        return moves or captures or ""
    kinds_of_move = ((moves, "without capturing"), (captures, "with a capture"))
    return ",".join([f"{words} {how}" for words, how in kinds_of_move if words])


def _beyond_sentences(marks: Marks, *, all_named: bool, shown: bool) -> Iterable[str]:
    """What ends beyond the diagram; ``all_named`` where all that continues has words."""
    if marks.arrows and not (all_named and shown):
        yield ARROW_SIGN.words
    if marks.remarks & RemarkFlags.FARTHER:
        yield "leaps farther than the diagram shows"
    if marks.remarks & RemarkFlags.WRAPS and marks.window.ranks:
        round_the_edges = "what it reaches round the edges is not counted"
        yield round_the_edges if shown else "goes only where the board wraps round"


def _square_count_words(kinds: Collection[int], marks: Marks) -> str:
    """How many squares have some of the marks; each has one."""
    number = sum([len(marks.squares_by_mark[kind][1]) for kind in kinds])
    return "1 square" if number == 1 else f"{number} squares"


def _plain_manner_words(ways: list[EndingWay]) -> str:
    """How plain moves are made, when they are all made in one manner."""
    manners = {
        way.conditions
        for way, family, _ in ways
        if family in PLAIN_FAMILIES and way.ends & ~EndFlags.OWN
    }
    leaping = {bool(each & PathConditionFlags.LEAP) for each in manners}
    if True in leaping:
        return ", some of them by leaping" if False in leaping else ", leaping"
    return ", one step" if manners == {0} else ", without jumping"


def _symmetry_words(marks: Marks, meaning: Meaning | None) -> str:
    """What may be done to the piece without changing it; nothing where only its squares stay."""
    alike = (
        _symmetric_sides(meaning)
        if meaning
        else _sides_in_words(partial(_are_marks_invariant, marks))
    )
    if alike or any(_are_marks_invariant(marks, turn) for turn in SYMMETRIES[1:]):
        return alike
    return "no two sides alike"


@lru_cache(maxsize=1024)
def _symmetric_sides(meaning: Meaning) -> str:
    return _sides_in_words(invariance_test(meaning))


def _sides_in_words(is_invariant: Callable[[Symmetry], bool]) -> str:
    """Which sides are alike, in words, by the turns that change nothing."""
    mirrored = is_invariant(LEFT_RIGHT_MIRROR)
    if is_invariant(QUARTER_TURN):
        return f"the same on all sides{'' if mirrored else ', but not mirrored'}"
    alike = ["left and right alike"] if mirrored else []
    if is_invariant(FRONT_BACK_MIRROR):
        alike.append("forward and back alike")
    diagonals = is_invariant(DIAGONAL_MIRROR) + is_invariant(OTHER_DIAGONAL_MIRROR)
    if diagonals:
        alike.append(f"the same mirrored in {'both diagonals' if diagonals > 1 else 'a diagonal'}")
    if not alike and is_invariant(HALF_TURN):
        alike.append("the same turned half round")
    return ", ".join(alike)


def _are_marks_invariant(marks: Marks, turn: Symmetry) -> bool:
    """Whether the marked squares are the same after a turn."""
    (a, b), (c, d) = turn
    squares = marks.squares
    return all(
        squares.get((a * x + c * y, b * x + d * y)) == mark for (x, y), mark in squares.items()
    )
