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
from alfil.source import Source, Span

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


_Blame: TypeAlias = tuple[Reason, Span]


def findings(blames: Iterable[_Blame], hint: str = "") -> tuple[Finding, ...]:
    """Each reason once, with all its places."""
    spans: dict[Reason, dict[Span, None]] = {}
    for reason, span in blames:
        spans.setdefault(reason, {})[span] = None
    return tuple(
        Finding(reason.kind, reason.message, tuple(places), reason.hint or hint)
        for reason, places in spans.items()
    )


# Into Ħasínū.

CASTLING = Reason("castling", "Ħasínū has no castling")
UNIVERSAL = Reason("universal-leaper", "no move of Ħasínū reaches every square of any board")
OWN_HALF = Reason("own-half", "no range of Ħasínū ends at the middle of the board")
LOCUST = Reason("locust", "no move of Ħasínū captures on its way")
TRAIL = Reason("trail", "no move of Ħasínū leaves a trail for en passant")
LAME = Reason("lame-oblique", "an oblique leap of Ħasínū cannot be blocked on its way")
MUST_HOP = Reason("must-hop", "in Ħasínū a move may jump over a piece, but never has to")
CIRCULAR = Reason(
    "circular-slider", "going round in steps of two kinds has no short form in Ħasínū"
)
SAME_LENGTH = Reason("same-length", "no leg of Ħasínū is as long as the one before it")
NULL_MOVE = Reason("null-move", "no move of Ħasínū ends where it began without a capture")
MANDATORY = Reason("mandatory-leg", "a move of Ħasínū may stop after each of its legs")
CYLINDER = Reason("cylinder", "boards of Ħasínū do not wrap")
THIRD_RANK = Reason("third-rank", "Ħasínū has no condition of the third rank")
EN_PASSANT = Reason("en-passant", "Ħasínū has no capture en passant")
OWN_CAPTURE = Reason("own-capture", "no move of Ħasínū captures its own side by moving there")
ROYAL_CAPTURE = Reason("royal-capture", "no capture of Ħasínū is for royal pieces only")
NO_HASINU = Reason("no-hasinu-form", "nothing in Ħasínū has these moves")

# The turn straight back, in eighths.
BACK = 4


def losses_in_hasinu(option: Option, places: Places, hint: str) -> tuple[Finding, ...]:
    """What is lost with an option, each reason once; ``hint`` is the way out."""
    told = list(_unsaid(option)) or list(_joints(option))
    found = [
        (reason, place)
        for reason, what, span in told
        for place in (places(what, span) if what else ()) or (span,)
    ]
    found.sort(key=lambda each: each[1].start)
    return findings(found or [(NO_HASINU, option.span)], hint)


_Told: TypeAlias = tuple[Reason, str, Span]


def _unsaid(option: Option) -> Iterator[_Told]:
    """Reasons that lie in one leg or condition, with what is told there."""
    for each in option.when:
        if isinstance(each, nodes.ThirdRank):
            yield THIRD_RANK, "third-rank", each.span
    halves = any(isinstance(leg, Leg) and leg.lengths == "own-half" for leg in walk(option.way))
    if option.passer and not halves:
        yield TRAIL, "empty-between", option.span
    yield from _of_way(option.way, goes_on=False, first=True, trails=option.passer)


def _of_way(way: Way, *, goes_on: bool, first: bool, trails: bool) -> Iterator[_Told]:
    match way:
        case Leg():
            yield from _of_leg(way, trails=trails)
            yield from _taken_on_the_way(way) if goes_on else _taken_at_the_end(way)
        case nodes.Castling():
            yield CASTLING, "castling", way.span
        case nodes.Anywhere(files=None):
            yield UNIVERSAL, "anywhere", way.span
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


def _round(way: Way) -> Iterator[_Told]:
    match way:
        case Repeat(Then((Leg(steps=steps),), onward=Bend(sense="same") as bend)):
            if not any(map(is_oblique, steps)):
                yield CIRCULAR, "same-side", bend.span


def _of_leg(leg: Leg, *, trails: bool) -> Iterator[_Told]:
    hops = leg.hop != "none" or any(each.startswith("hop") for each in leg.through)
    lame = leg.between == "empty" and not trails and any(map(is_oblique, leg.steps))
    for so, reason, what in (
        (leg.lengths == "own-half", OWN_HALF, "own-half"),
        (leg.edges != "walls", CYLINDER, "edges"),
        (hops, MUST_HOP, "hop"),
        (leg.skips_first or leg.between == "occupied", MUST_HOP, "occupied-between"),
        (lame, LAME, "empty-between"),
        (leg.as_far, SAME_LENGTH, "as-far"),
    ):
        if so:
            yield reason, what, leg.span


def _taken_on_the_way(leg: Leg) -> Iterator[_Told]:
    for passage in leg.through:
        if passage.startswith("take"):
            yield LOCUST, passage, leg.span


def _taken_at_the_end(leg: Leg) -> Iterator[_Told]:
    if "friend" in leg.ends:
        yield OWN_CAPTURE, "take-friend", leg.span
    if "passer" in leg.ends:
        yield EN_PASSANT, "take-passer", leg.span
    if "royal" in leg.ends and "enemy" not in leg.ends:
        yield ROYAL_CAPTURE, "take-royal", leg.span


def _joints(option: Option) -> Iterator[_Told]:
    """Where one leg must be followed by another, or goes straight back home."""
    back: tuple[int, ...] = ()
    match option.way:
        case Then((_, Leg()), (join,)) if isinstance(join.turn, Bend):
            back = join.turn.places or ()
    if BACK in back:
        yield NULL_MOVE, "", option.span
    if back != (BACK,):
        for each in walk(option.way):
            for place in _forced(each):
                yield MANDATORY, "then", place


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
PASSIVE = Reason(
    "passive-rifle",
    "no piece of Betza shoots at what comes into its range",
    "leave P out, so that it shoots as a move of its own",
)
IMMOBILISER = Reason("immobiliser", "no piece of Betza immobilises others", ELSEWHERE)
BURNING = Reason("burning", "no piece of Betza burns others", ELSEWHERE)
# What is said of the piece or of others, and is no move.
FACTS: dict[type, Reason] = {
    nodes.Royal: Reason("royal", "Betza has no word for royal pieces", ELSEWHERE),
    nodes.Promotion: Reason("promotion", "Betza has no word for promotion", ELSEWHERE),
    nodes.Iron: Reason(
        "iron-piece", "Betza has no word for pieces that cannot be captured", ELSEWHERE
    ),
    nodes.Size: Reason("large-piece", "pieces of Betza stand on one square", ELSEWHERE),
    nodes.Declared: Reason(
        "declared-function", "Betza declares no functions", "leave the declaration out"
    ),
}
EFFECTS = {"burns": BURNING, "immobilises": IMMOBILISER, "shoots": PASSIVE}
RIFLE = Reason(
    "bent-rifle",
    "in Betza only straight moves can capture without moving",
    "put steps, leaps and riders inside i()",
)
RAMPAGE = Reason("rampage", "Betza has no such rampage", "leave rpg() out")
SIDED_JUMP = Reason(
    "sided-jump",
    "hops of Betza do not ask whose piece it is",
    "leave the side out, as in j(n4dO,1)",
)
FREE_JUMP = Reason(
    "free-jump",
    "no slider of Betza passes over any number of pieces",
    "give j a number, or the distances one by one",
)
COUNTED_JUMP = Reason(
    "counted-jump", "no hops of Betza cover these distances", "put a slider or a range inside j()"
)
LATER_MOVE = Reason(
    "later-move", "Betza knows of a first move only", "write atmove(1, …), or leave atmove() out"
)
EVERY_MOVE = Reason("every-move", "Betza does not count moves", "leave ataction() out")
WIDE_BOX = Reason(
    "wide-box", "so many leaps are no readable Betza", "write INF with numbers up to 5"
)
ROAMING = Reason(
    "roaming",
    "Betza has no loop that goes on as it likes",
    "bind the loop with a turn, as in n((1,2) &t45°), or count its rounds",
)
COUNTED_LOOP = Reason(
    "counted-loop",
    "no chain of Betza has these rounds",
    "write fewer rounds, or a loop with a turn",
)
PARTIAL_BEND = Reason(
    "partial-bend", "no bracket of Betza has just these turns", "leave the angle out"
)
EMBEDDED = Reason(
    "narrowed-betza", "the functions around this have no letters in it", "write them as its letters"
)
NO_BETZA = Reason("no-betza-form", "nothing in Betza was found with these moves", "leave it out")


def losses_in_betza(given: Option | Fact, places: Places) -> tuple[Finding, ...]:
    """What is lost with an option or a fact, each reason once; at least one for an option.

    A fact that is so of every piece is none.
    """
    held = list(walk(given))
    if isinstance(given, Fact):
        return findings(blame for each in held for blame in _of_fact(each))
    embedded = [
        (EMBEDDED, place)
        for each in held
        if isinstance(each, Within)
        for leg in walk(each.way)
        if isinstance(leg, Leg) and _narrow(leg)
        for place in places("embedded", leg.span) or (leg.span,)
    ]
    for reasons in (_of_rules, _of_loops, _of_turns):
        found = [blame for each in held for blame in reasons(each)]
        found += embedded if reasons is _of_rules else []
        if found:
            return findings(found)
    return findings([(NO_BETZA, given.span)])


def _narrow(leg: Leg) -> bool:
    """Whether a leg has what only letters can say, which rules around it do not reach."""
    plain = Leg(leg.steps, leg.lengths, leg.ends)
    return replace(leg, through=plain.through, along=plain.along) != plain


def _of_fact(node: object) -> Iterator[_Blame]:
    if isinstance(node, Fact):
        truth = node.truth
        if isinstance(truth, nodes.Effect):
            yield EFFECTS[truth.what], node.span
        elif truth != nodes.Size(1, 1):
            yield FACTS[type(truth)], node.span


def _of_rules(node: object) -> Iterator[_Blame]:
    match node:
        case nodes.OnMove(number=number) if number > 1:
            yield LATER_MOVE, node.span
        case nodes.EveryMove():
            yield EVERY_MOVE, node.span
        case nodes.Anywhere():
            yield WIDE_BOX, node.span
        case Within(rule=rule, span=span):
            reason = _of_rule(rule, node.way)
            if reason:
                yield reason, span


def _of_rule(rule: nodes.Rule, way: Way) -> Reason | None:
    match rule:
        case nodes.Rifle():
            return RIFLE
        case nodes.Rampage():
            return RAMPAGE
        case Jumping(side=side) if side != "all":
            return SIDED_JUMP
        case Jumping(most=int()):
            return COUNTED_JUMP
        case Jumping() if any(map(_far, walk(way))):
            return FREE_JUMP
        case _:
            return None


def _far(node: object) -> bool:
    """Whether a way may pass over any number of squares."""
    return isinstance(node, Repeat) or (isinstance(node, Leg) and node.lengths == "any")


def _of_loops(node: object) -> Iterator[_Blame]:
    if isinstance(node, Repeat):
        yield (ROAMING if node.times == "any" else COUNTED_LOOP), node.span


def _of_turns(node: object) -> Iterator[_Blame]:
    if isinstance(node, Then):
        yield PARTIAL_BEND, node.span
