"""Why an option or a fact of a movement has no form in another notation, and where that is told.

Reasons are looked for in the movement, so that it makes no difference in which notation it was
written. The notation says at most where in its text a leg tells something (`Places`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from alfil.errors import AlfilError, Finding
from alfil.geometry import is_oblique
from alfil.movement import nodes
from alfil.movement.nodes import Bend, Fact, Jumping, Leg, Option, Repeat, Then, Way, Within, walk
from alfil.notation.betza.nodes import BetzaTerm
from alfil.source import NOWHERE, Source, Span

T = TypeVar("T")


class TranslationLoss(AlfilError):
    """The other notation cannot say all of it; ``findings`` has every loss."""


@dataclass(frozen=True, slots=True)
class Said(Generic[T]):
    """Some of a movement and what it is in the other notation.

    ``given`` are the options, or facts, translated together, most often one. ``terms`` is what they
    became, or None where the other notation has no form for them; then ``losses`` says why.
    """

    given: tuple[Option | Fact, ...]
    terms: tuple[T, ...] | None
    losses: tuple[Finding, ...] = ()


Findings: TypeAlias = tuple[Finding, ...]
# Where in a stretch of the text something is told: the spans, none where that has no sign.
Places: TypeAlias = Callable[[str, Span], tuple[Span, ...]]


@dataclass(frozen=True, slots=True)
class Given:
    """A movement to be translated, and what is known of its text.

    ``places`` says where the text tells something, ``authored`` what an option is in Betza of the
    default dialect where it was written in Betza.
    """

    movement: nodes.Movement
    source: Source
    places: Places
    authored: Callable[[Option], tuple[BetzaTerm, ...] | None]


class Reason(NamedTuple):
    """Why something has no form, and what to do about it."""

    kind: str
    message: str
    hint: str = ""


# Why, what is told there in the text (None: the whole node says it), and the node that tells it.
Told: TypeAlias = tuple[Reason, str | None, Span]


def findings(told: Iterable[Told], places: Places, whole: Span, hint: str = "") -> Findings:
    """Each reason once, with all its places in order; ``whole`` is that of nodes without one."""
    found = [
        (place, reason)
        for reason, what, span in told
        for place in (() if what is None else places(what, span)) or (span if span.end else whole,)
    ]
    spans: dict[Reason, dict[Span, None]] = {}
    for place, reason in sorted(found, key=lambda each: each[0].start):
        spans.setdefault(reason, {})[place] = None
    return tuple(
        Finding(reason.kind, reason.message, tuple(places), reason.hint or hint)
        for reason, places in spans.items()
    )


# Into Ħasínū.

MUST_HOP = Reason("must-hop", "in Ħasínū a move may jump over a piece, but never has to")
# The turn straight back, in eighths.
BACK = 4


def losses_in_hasinu(option: Option, places: Places, hint: str) -> Findings:
    """What is lost with an option, each reason once; ``hint`` is the way out."""
    nothing = Reason("no-hasinu-form", "nothing in Ħasínū has these moves")
    told = list(_unsaid(option)) or list(_joints(option)) or [(nothing, None, option.span)]
    return findings(told, places, option.span, hint)


def _unsaid(option: Option) -> Iterator[Told]:
    """Reasons that lie in one leg or condition, with what is told there."""
    for each in option.when:
        if isinstance(each, nodes.ThirdRank):
            reason = Reason("third-rank", "Ħasínū has no condition of the third rank")
            yield reason, "third-rank", each.span
    halves = any(isinstance(leg, Leg) and leg.lengths == "own-half" for leg in walk(option.way))
    if option.passer and not halves:
        reason = Reason("trail", "no move of Ħasínū leaves a trail for en passant")
        yield reason, "empty-between", option.span
    yield from _of_way(option.way, goes_on=False, first=True, trails=option.passer)


def _of_way(way: Way, *, goes_on: bool, first: bool, trails: bool) -> Iterator[Told]:
    match way:
        case Leg():
            yield from _of_leg(way, trails=trails)
            yield from _taken_on_the_way(way) if goes_on else _taken_at_the_end(way)
        case nodes.Castling():
            yield Reason("castling", "Ħasínū has no castling"), "castling", way.span
        case nodes.Anywhere(files=None):
            message = "no move of Ħasínū reaches every square of any board"
            yield Reason("universal-leaper", message), "anywhere", way.span
        case _:
            if first:
                yield from _round(way)
            for onward, each in _inner(way):
                on = goes_on or onward
                yield from _of_way(each, goes_on=on, first=first, trails=trails)
                first = first and isinstance(way, nodes.Either)


def _inner(way: Way) -> Iterator[tuple[bool, Way]]:
    """The ways in a way, each with whether another one follows it there."""
    match way:
        case nodes.Either(ways=ways):
            yield from ((False, each) for each in ways)
        case Then(ways=ways):
            yield from ((at < len(ways), each) for at, each in enumerate(ways, 1))
        case Repeat(way=inner) | Within(way=inner):
            yield False, inner


def _round(way: Way) -> Iterator[Told]:
    match way:
        case Repeat(Then((Leg(steps=steps),), onward=Bend(sense="same") as bend)):
            if not any(map(is_oblique, steps)):
                message = "going round in steps of two kinds has no short form in Ħasínū"
                yield Reason("circular-slider", message), "same-side", bend.span


def _of_leg(leg: Leg, *, trails: bool) -> Iterator[Told]:
    hops = leg.hop != "none" or any(each.startswith("hop") for each in leg.through)
    lame = leg.between == "empty" and not trails and any(map(is_oblique, leg.steps))
    half = Reason("own-half", "no range of Ħasínū ends at the middle of the board")
    blocked = Reason("lame-oblique", "an oblique leap of Ħasínū cannot be blocked on its way")
    far = Reason("same-length", "no leg of Ħasínū is as long as the one before it")
    for so, reason, what in (
        (leg.lengths == "own-half", half, "own-half"),
        (leg.edges != "walls", Reason("cylinder", "boards of Ħasínū do not wrap"), "edges"),
        (hops, MUST_HOP, "hop"),
        (leg.skips_first or leg.between == "occupied", MUST_HOP, "occupied-between"),
        (lame, blocked, "empty-between"),
        (leg.as_far, far, "as-far"),
    ):
        if so:
            yield reason, what, leg.span


def _taken_on_the_way(leg: Leg) -> Iterator[Told]:
    for passage in leg.through:
        if passage.startswith("take"):
            yield Reason("locust", "no move of Ħasínū captures on its way"), passage, leg.span


def _taken_at_the_end(leg: Leg) -> Iterator[Told]:
    if "friend" in leg.ends:
        message = "no move of Ħasínū captures its own side by moving there"
        yield Reason("own-capture", message), "take-friend", leg.span
    if "passer" in leg.ends:
        yield Reason("en-passant", "Ħasínū has no capture en passant"), "take-passer", leg.span
    if "royal" in leg.ends and "enemy" not in leg.ends:
        reason = Reason("royal-capture", "no capture of Ħasínū is for royal pieces only")
        yield reason, "take-royal", leg.span


def _joints(option: Option) -> Iterator[Told]:
    """Where one leg must be followed by another, or goes straight back home."""
    back: tuple[int, ...] = ()
    match option.way:
        case Then((_, Leg()), (join,)) if isinstance(join.turn, Bend):
            back = join.turn.places or ()
    if BACK in back:
        message = "no move of Ħasínū ends where it began without a capture"
        yield Reason("null-move", message), None, option.span
    if back != (BACK,):
        reason = Reason("mandatory-leg", "a move of Ħasínū may stop after each of its legs")
        for each in walk(option.way):
            yield from ((reason, "then", place) for place in _forced(each))


def _forced(node: object) -> Iterator[Span]:
    """The stretches of text in which a leg is joined to the one before without a stop."""
    match node:
        case Repeat(Then(ways=(first, *_)), optional=True):
            # Every leg of a round is one that must follow, the first one too.
            yield Span(first.span.start, first.span.start + 1)
        case Then(ways=ways, joins=joins):
            for join, before, after in zip(joins, ways, ways[1:], strict=False):
                if not join.may_stop and not isinstance(after, Repeat):
                    start = after.span.start
                    yield Span(min(before.span.end, start), start + 1)


# Into Betza.

ELSEWHERE = "leave it out, and say it beside the notation"
# What is said of the piece or of others, and is no move; effects by what they do.
FACTS: dict[type | str, Reason] = {
    nodes.Royal: Reason("royal", "Betza has no word for royal pieces", ELSEWHERE),
    nodes.Promotion: Reason("promotion", "Betza has no word for promotion", ELSEWHERE),
    nodes.Iron: Reason(
        "iron-piece", "Betza has no word for pieces that cannot be captured", ELSEWHERE
    ),
    nodes.Size: Reason("large-piece", "pieces of Betza stand on one square", ELSEWHERE),
    nodes.Declared: Reason(
        "declared-function", "Betza declares no functions", "leave the declaration out"
    ),
    "burns": Reason("burning", "no piece of Betza burns others", ELSEWHERE),
    "immobilises": Reason("immobiliser", "no piece of Betza immobilises others", ELSEWHERE),
    "shoots": Reason(
        "passive-rifle",
        "no piece of Betza shoots at what comes into its range",
        "leave P out, so that it shoots as a move of its own",
    ),
}
EMBEDDED = Reason(
    "narrowed-betza", "the functions around this have no letters in it", "write them as its letters"
)
NO_BETZA = Reason("no-betza-form", "nothing in Betza was found with these moves", "leave it out")
# Reasons are looked for in nodes of these kinds, one group after the other.
KINDS = (nodes.OnMove | nodes.EveryMove | nodes.Anywhere | Within, Repeat, Then)


def losses_in_betza(given: Option | Fact, places: Places) -> Findings:
    """What is lost with an option or a fact, each reason once; at least one for an option.

    A fact that is so of every piece is none.
    """
    held = list(walk(given))
    if isinstance(given, Fact):
        facts = [each for each in held if isinstance(each, Fact)]
        stated = [each for each in facts if each.truth != nodes.Size(1, 1)]
        return findings(
            [(_of_truth(each.truth), None, each.span) for each in stated], places, NOWHERE
        )
    told: list[Told] = [
        (EMBEDDED, "embedded", leg.span)
        for each in held
        if isinstance(each, Within)
        for leg in walk(each.way)
        if isinstance(leg, Leg) and _narrow(leg)
    ]
    for kinds in KINDS:
        alike = [each for each in held if isinstance(each, kinds)]
        told += [(reason, None, each.span) for each in alike if (reason := _of_node(each))]
        if told:
            return findings(told, places, given.span)
    return findings([(NO_BETZA, None, given.span)], places, given.span)


def _of_truth(truth: nodes.Truth) -> Reason:
    return FACTS[truth.what if isinstance(truth, nodes.Effect) else type(truth)]


def _narrow(leg: Leg) -> bool:
    """Whether a leg has what only letters can say, which rules around it do not reach."""
    plain = Leg(leg.steps, leg.lengths, leg.ends)
    return replace(leg, through=plain.through, along=plain.along) != plain


def _of_node(node: object) -> Reason | None:
    match node:
        case nodes.OnMove(number=1):
            return None
        case nodes.OnMove():
            hint = "write atmove(1, …), or leave atmove() out"
            return Reason("later-move", "Betza knows of a first move only", hint)
        case nodes.EveryMove():
            return Reason("every-move", "Betza does not count moves", "leave ataction() out")
        case nodes.Anywhere():
            hint = "write INF with numbers up to 5"
            return Reason("wide-box", "so many leaps are no readable Betza", hint)
        case Within(rule=rule, way=way):
            return _of_rule(rule, way)
        case Repeat(times="any"):
            hint = "bind the loop with a turn, or count its rounds"
            return Reason("roaming", "Betza has no loop that goes on as it likes", hint)
        case Repeat():
            hint = "write fewer rounds, or a loop with a turn"
            return Reason("counted-loop", "no chain of Betza has these rounds", hint)
        case _:
            message = "no bracket of Betza has just these turns"
            return Reason("partial-bend", message, "leave the angle out")


def _of_rule(rule: nodes.Rule, way: Way) -> Reason | None:
    match rule:
        case nodes.Rifle():
            message = "in Betza only straight moves can capture without moving"
            return Reason("bent-rifle", message, "put steps, leaps and riders inside i()")
        case nodes.Rampage():
            return Reason("rampage", "Betza has no such rampage", "leave rpg() out")
        case Jumping(side=side) if side != "all":
            message = "hops of Betza do not ask whose piece it is"
            return Reason("sided-jump", message, "leave the side out, as in j(n4dO,1)")
        case Jumping(most=int()):
            message = "no hops of Betza cover these distances"
            return Reason("counted-jump", message, "put a slider or a range inside j()")
        case Jumping() if any(map(_far, walk(way))):
            message = "no slider of Betza passes over any number of pieces"
            hint = "say how many pieces it may pass, or the distances one by one"
            return Reason("free-jump", message, hint)
        case _:
            return None


def _far(node: object) -> bool:
    """Whether a way may pass over any number of squares."""
    return isinstance(node, Repeat) or (isinstance(node, Leg) and node.lengths == "any")
