"""Why an option or a fact of a movement has no form in another notation, and where that is told.

Reasons are looked for in the movement, so that it makes no difference in which notation it was
written. The notation says at most where in its text a leg tells something (`SpansOfFeature`). What
is said of them stands in grammars/losses.tsv, for each notation that has no form for it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias, TypeVar

from alfil.data_files import MessageTable, MessageTemplate
from alfil.errors import AlfilError, Diagnostic
from alfil.movement import nodes
from alfil.movement.canonical_movement import canonicalise_movement
from alfil.movement.nodes import (
    Bend,
    Fact,
    Jumping,
    Leg,
    Movement,
    OnSquare,
    Option,
    Repeat,
    Then,
    ThirdRank,
    Way,
    Within,
    walk,
)
from alfil.notation.betza.nodes import BetzaTerm
from alfil.source import NOWHERE, Source, Span
from alfil.work_limit import limited_task, work_left

T = TypeVar("T")


class TranslationLoss(AlfilError):
    """The other notation cannot say all of it; ``diagnostics`` has every loss."""


@dataclass(frozen=True, slots=True)
class TranslatedPart(Generic[T]):
    """Some of a movement and what it is in the other notation.

    ``parts`` are the options, or facts, translated together, most often one. ``terms`` is what they
    became, or None where the other notation has no form for them; then ``losses`` says why.
    """

    parts: tuple[Option | Fact, ...]
    terms: tuple[T, ...] | None
    losses: tuple[Diagnostic, ...] = ()


Diagnostics: TypeAlias = tuple[Diagnostic, ...]
# Where in a stretch of the text something is told: the spans, none where that has no sign.
SpansOfFeature: TypeAlias = Callable[[str, Span], tuple[Span, ...]]


@dataclass(frozen=True, slots=True)
class TranslationRequest:
    """A movement to be translated, and what is known of its text.

    ``spans_of`` says where the text tells something, ``author_text`` what an option is in Betza of
    the default dialect where it was written in Betza. ``separate_options`` gives the options as the
    parts of the text say them, of which several may be folded into one option of the movement.
    """

    movement: Movement
    source: Source
    spans_of: SpansOfFeature
    author_text: Callable[[Option], tuple[BetzaTerm, ...] | None]
    separate_options: Callable[[], tuple[Option, ...]]

    def remaining_options(self, lost: Container[Option | Fact]) -> tuple[Option, ...]:
        """What is left without some of the options that its parts say, folded again."""
        remaining = tuple([each for each in self.separate_options() if each not in lost])
        return canonicalise_movement(Movement(remaining)).options


MESSAGES = MessageTable("losses.tsv")
# The name of a reason, and the span of the node that it lies in.
Reason: TypeAlias = tuple[str, Span]
ReasonsOfOption: TypeAlias = Callable[[Option], Iterable[Reason]]
# Whether the other notation has a form for an option by itself.
HasForm: TypeAlias = Callable[[Option], bool]
# So much work is done to find that out: more than one guess at a text may take.
MAX_FORM_WORK = 60_000


class _SearchGivenUp(Exception):
    """To find a form by itself takes more work than it is worth."""


def reasons_that_hold(
    option: Option, reasons_of: ReasonsOfOption, has_form: HasForm
) -> list[Reason]:
    """Why an option has no form, without the reasons in what is inside and has one by itself."""
    reasons = list(reasons_of(option))
    for inner in _options_inside(option):
        own = set(reasons_of(inner))
        if not own.isdisjoint(reasons) and _has_form_by_itself(inner, has_form):
            return [each for each in reasons if each not in own] or [("nothing", option.span)]
    return reasons


def _options_inside(option: Option) -> Iterator[Option]:
    """Its way without its conditions, and what is under each of the rules around that."""
    way = option.way
    if option.when or option.passer:
        yield Option(way, span=way.span)
    while isinstance(way, Within):
        way = way.way
        yield Option(way, span=way.span)


def _has_form_by_itself(option: Option, has_form: HasForm) -> bool:
    """No where it takes too much work to find out: some is left to tell the reasons."""
    if work_left() > MAX_FORM_WORK:
        with suppress(AlfilError, _SearchGivenUp), limited_task(MAX_FORM_WORK, _SearchGivenUp):
            return has_form(option)
    return False


def loss_diagnostics(
    reasons: Iterable[Reason],
    to: str,
    spans_of_feature: SpansOfFeature,
    whole: Span,
    hint: str = "",
) -> Diagnostics:
    """Each reason once, with all its places in order; ``whole`` is that of nodes without one.

    ``to`` is the folder of the other notation. The sense of a row is what the text may have a sign
    for; where it has none the whole node is meant.
    """
    result: list[tuple[Span, MessageTemplate]] = []
    for name, span in reasons:
        words = MESSAGES.template(name, to)
        signs = [place for what in words.severity.split() for place in spans_of_feature(what, span)]
        result += [(place, words) for place in signs or [span if span.end else whole]]
    spans: dict[MessageTemplate, dict[Span, None]] = {}
    for place, words in sorted(result, key=lambda each: each[0].start):
        spans.setdefault(words, {})[place] = None
    return tuple(words.diagnostic_at(*there, hint=hint) for words, there in spans.items())


# Into Ħasínū.

# The turn straight back, in eighths.
STRAIGHT_BACK = 4


def losses_in_hasinu(
    option: Option, spans_of_feature: SpansOfFeature, hint: str, has_form: HasForm
) -> Diagnostics:
    """What is lost with an option, each reason once; ``hint`` is the way out."""
    reasons = reasons_that_hold(option, _loss_reasons_in_hasinu, has_form)
    return loss_diagnostics(reasons, "hasinu", spans_of_feature, option.span, hint)


def _loss_reasons_in_hasinu(option: Option) -> list[Reason]:
    reasons = list(_option_loss_reasons(option))
    if _is_out_and_back_way(option.way):
        # Its captures are shots, which Ħasínū has; what it lacks is the move without one.
        reasons = [(name, span) for name, span in reasons if name not in {"taken", "as-far"}]
    return reasons or list(_return_loss_reasons(option)) or [("nothing", option.span)]


def _option_loss_reasons(option: Option) -> Iterator[Reason]:
    """Reasons that lie in one leg or condition."""
    for each in option.when:
        if isinstance(each, ThirdRank | OnSquare):
            yield type(each).__name__, each.span
    halves = any(isinstance(leg, Leg) and leg.lengths == "own-half" for leg in walk(option.way))
    if option.passer and not halves:
        yield "trail", option.span
    yield from _way_loss_reasons(option.way, is_continued=False)


def _way_loss_reasons(way: Way, *, is_continued: bool) -> Iterator[Reason]:
    match way:
        case Leg():
            held = _leg_loss_reasons(way, is_continued=is_continued)
            yield from ((name, way.span) for name, so in held if so)
        case nodes.Castling():
            yield type(way).__name__, way.span
        case nodes.Anywhere(ends=ends):
            yield from ((name, way.span) for name, so in _end_loss_reasons(ends) if so)
        case nodes.Either(ways=ways) | Then(ways=ways):
            last = len(ways) - 1
            for at, each in enumerate(ways):
                followed = at < last and isinstance(way, Then)
                yield from _way_loss_reasons(each, is_continued=is_continued or followed)
        case Repeat(way=inner) | Within(way=inner):
            yield from _way_loss_reasons(inner, is_continued=is_continued)


def _leg_loss_reasons(leg: Leg, *, is_continued: bool) -> Iterator[tuple[str, bool]]:
    hops = leg.hop != "none" or any(each.startswith("hop") for each in leg.through)
    yield from ((limit, leg.lengths == limit) for limit in sorted(nodes.BOARD_DEPENDENT_LENGTHS))
    yield "edges", leg.edges != "walls"
    yield "hop", hops or leg.between == "occupied"
    yield "skips", leg.skips_first
    yield "as-far", leg.as_far
    yield "taken", is_continued and any(each.startswith("take") for each in leg.through)
    yield from () if is_continued else _end_loss_reasons(leg.ends)


def _end_loss_reasons(ends: Container[nodes.End]) -> Iterator[tuple[str, bool]]:
    """What of the ways in which a move may end is a reason, and whether it is there."""
    yield "friend", "friend" in ends and "enemy" not in ends
    yield "passer", "passer" in ends
    yield "royal-only", "royal" in ends and "enemy" not in ends


def _is_out_and_back_way(way: Way) -> bool:
    """Whether a way leads out and as far back, and need not capture on its way."""
    match way:
        case Then((Leg() as out, Leg() as back), (join,)) if "empty" in out.through:
            short = out.lengths == back.lengths == nodes.ONE_STEP
            return (
                join.turn == Bend((STRAIGHT_BACK,)) and not join.may_stop and (back.as_far or short)
            )
        case _:
            return False


def _return_loss_reasons(option: Option) -> Iterator[Reason]:
    """Where one leg leads straight back home."""
    match option.way:
        case Then((_, Leg()), (join,)) if isinstance(join.turn, Bend):
            if STRAIGHT_BACK in (join.turn.places or ()):
                yield "home", option.span


# Into Betza.

# Reasons are looked for in nodes of these kinds, one group after the other.
LOSS_KINDS = (
    nodes.Words | nodes.Foreign,
    nodes.OnMove | nodes.EveryMove | OnSquare | nodes.Anywhere | Within,
    Repeat,
    Then,
)


def fact_losses_in_betza(fact: Fact, spans_of_feature: SpansOfFeature) -> Diagnostics:
    """What is lost with a fact, each reason once; a fact that is so of every piece is none."""
    facts = [each for each in walk(fact) if isinstance(each, Fact)]
    stated = [each for each in facts if each.truth != nodes.Size(1, 1)]
    return loss_diagnostics(map(fact_loss_reason, stated), "betza", spans_of_feature, NOWHERE)


def losses_in_betza(
    option: Option, spans_of_feature: SpansOfFeature, has_form: HasForm
) -> Diagnostics:
    """What is lost with an option, each reason once; at least one."""
    reasons = reasons_that_hold(option, _loss_reasons_in_betza, has_form)
    return loss_diagnostics(reasons, "betza", spans_of_feature, option.span)


def _loss_reasons_in_betza(option: Option) -> list[Reason]:
    held = list(walk(option))
    reasons = [
        ("embedded", leg.span)
        for each in held
        if isinstance(each, Within)
        for leg in walk(each.way)
        if isinstance(leg, Leg) and _needs_modifier_letters(leg)
    ]
    for kinds in LOSS_KINDS:
        alike = [each for each in held if isinstance(each, kinds)]
        reasons += [(reason, each.span) for each in alike if (reason := _node_loss_reason(each))]
        if reasons:
            break
    reasons += [("halfway", x.span) for x in held if isinstance(x, Leg) and x.lengths == "halfway"]
    return reasons or [("nothing", option.span)]


def fact_loss_reason(fact: Fact) -> Reason:
    """The reason why a fact is lost: what it is about."""
    truth = fact.truth
    name = truth.what if isinstance(truth, nodes.Effect) else type(truth).__name__
    return name, fact.span


def _needs_modifier_letters(leg: Leg) -> bool:
    """Whether a leg has what only letters can say, which rules around it do not reach."""
    plain = Leg(leg.steps, leg.lengths, leg.ends)
    return replace(leg, through=plain.through, along=plain.along) != plain


def _node_loss_reason(node: object) -> str | None:
    match node:
        case nodes.OnMove(number=1):
            return None
        case nodes.EveryMove(of="side"):
            return "turns"
        case Within(rule=rule, way=way):
            return _rule_loss_reason(rule, way)
        case Repeat(way=way, times="any"):
            return "bound" if _has_angle_between_rounds(way) else "endless"
        case _:
            return type(node).__name__


def _has_angle_between_rounds(way: Way) -> bool:
    """Whether an angle says how the next round follows this one, or one of its ways."""
    ways = way.ways if isinstance(way, nodes.Either) else (way,)
    return any(isinstance(each, Then) and isinstance(each.onward, nodes.Angle) for each in ways)


def _rule_loss_reason(rule: nodes.Rule, way: Way) -> str | None:
    match rule:
        case nodes.Rifle() | nodes.Rampage():
            return type(rule).__name__
        case Jumping(side=side) | nodes.NotJumping(side=side) if side != "all":
            return "sided"
        case Jumping(most=int()):
            return "counted"
        case Jumping() if any(map(_is_unlimited, walk(way))):
            return "far"
        case _:
            return None


def _is_unlimited(node: object) -> bool:
    """Whether a way may pass over any number of squares."""
    return isinstance(node, Repeat) or (isinstance(node, Leg) and node.lengths == "any")
