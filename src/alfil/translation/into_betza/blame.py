"""Why a term of Ħasínū has no form in Betza: the functions, loops and turns in the way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from alfil.errors import Finding
from alfil.notation.hasinu.calls import InfCall, MoveCall, TimedCall, bind
from alfil.notation.hasinu.nodes import (
    Bent,
    Call,
    Embedded,
    Group,
    HasinuTerm,
    Loop,
    Radial,
    nested,
    nodes,
)
from alfil.notation.nodes import Term
from alfil.source import Span


class _Reason(NamedTuple):
    """Why something has no form, and what to do about it."""

    kind: str
    message: str
    hint: str


_Blame: TypeAlias = tuple[_Reason, Span]

ELSEWHERE = "leave it out, and say it beside the notation"
# What is said of the piece or of others, and is no move.
FACTS = {
    "royal": _Reason("royal", "Betza has no word for royal pieces", ELSEWHERE),
    "promote": _Reason("promotion", "Betza has no word for promotion", ELSEWHERE),
    "fe": _Reason("iron-piece", "Betza has no word for pieces that cannot be captured", ELSEWHERE),
    "sz": _Reason("large-piece", "pieces of Betza stand on one square", ELSEWHERE),
    "function": _Reason(
        "declared-function", "Betza declares no functions", "leave the declaration out"
    ),
    "im": _Reason("immobiliser", "no piece of Betza immobilises others", ELSEWHERE),
    "burn": _Reason("burning", "no piece of Betza burns others", ELSEWHERE),
}
PASSIVE = _Reason(
    "passive-rifle",
    "no piece of Betza shoots at what comes into its range",
    "leave P out, so that it shoots as a move of its own",
)
RIFLE = _Reason(
    "bent-rifle",
    "in Betza only straight moves can capture without moving",
    "put steps, leaps and riders inside i()",
)
RAMPAGE = _Reason("rampage", "Betza has no such rampage", "leave rpg() out")
SIDED_JUMP = _Reason(
    "sided-jump",
    "hops of Betza do not ask whose piece it is",
    "leave the side out, as in j(n4dO,1)",
)
FREE_JUMP = _Reason(
    "free-jump",
    "no slider of Betza passes over any number of pieces",
    "give j a number, or the distances one by one",
)
COUNTED_JUMP = _Reason(
    "counted-jump", "no hops of Betza cover these distances", "put a slider or a range inside j()"
)
LATER_MOVE = _Reason(
    "later-move", "Betza knows of a first move only", "write atmove(1, …), or leave atmove() out"
)
EVERY_MOVE = _Reason("every-move", "Betza does not count moves", "leave ataction() out")
WIDE_BOX = _Reason(
    "wide-box", "so many leaps are no readable Betza", "write INF with numbers up to 5"
)
ROAMING = _Reason(
    "roaming",
    "Betza has no loop that goes on as it likes",
    "bind the loop with a turn, as in n((1,2) &t45°), or count its rounds",
)
COUNTED_LOOP = _Reason(
    "counted-loop",
    "no chain of Betza has these rounds",
    "write fewer rounds, or a loop with a turn",
)
PARTIAL_BEND = _Reason(
    "partial-bend", "no bracket of Betza has just these turns", "leave the angle out"
)
EMBEDDED = _Reason(
    "narrowed-betza", "the functions around this have no letters in it", "write them as its letters"
)
UNKNOWN = _Reason("no-betza-form", "nothing in Betza was found with these moves", "leave it out")


def facts_in(term: Term) -> tuple[Finding, ...]:
    """What a term says besides moves, which Betza cannot say; nothing for most terms."""
    assert isinstance(term, HasinuTerm)
    found = [blame for node in nodes((term,)) for blame in _facts(node)]
    return _findings(found)


def losses_in(term: Term) -> tuple[Finding, ...]:
    """Why the moves of a term have no form, each reason once; at least one."""
    assert isinstance(term, HasinuTerm)
    held = list(nodes((term,)))
    for reasons in (_of_functions, _of_loops, _of_turns):
        found = [blame for node in held for blame in reasons(node)]
        if found:
            return _findings(found)
    return _findings([(UNKNOWN, term.span)])


def _findings(found: list[_Blame]) -> tuple[Finding, ...]:
    """Each reason once, with all its places."""
    spans: dict[_Reason, dict[Span, None]] = {}
    for reason, span in found:
        spans.setdefault(reason, {})[span] = None
    return tuple(
        Finding(kind, message, tuple(places), hint)
        for (kind, message, hint), places in spans.items()
    )


def _calls(node: object) -> Iterator[Call]:
    """A call, or the calls a group stands for."""
    if isinstance(node, Group):
        inner: HasinuTerm = nested(node)
        for _ in node.names:
            assert isinstance(inner, Call)
            yield inner
            (argument,) = inner.arguments
            assert isinstance(argument, HasinuTerm)
            inner = argument
    elif isinstance(node, Call):
        yield node


def _facts(node: object) -> Iterator[_Blame]:
    for call in _calls(node):
        reason = FACTS.get(call.name)
        if reason is not None and not _ordinary(call):
            yield reason, call.span
        elif reason is None and call.name in {"i", "rifle"}:
            bound = bind(call)
            if isinstance(bound, MoveCall) and "P" in bound.when:
                yield PASSIVE, call.span


def _ordinary(call: Call) -> bool:
    """Whether a call says what is so of every piece."""
    return call.name == "sz" and all(getattr(size, "value", 0) == 1 for size in call.arguments)


def _of_functions(node: object) -> Iterator[_Blame]:
    for call in _calls(node):
        match bind(call):
            case TimedCall(name="atmove", number=number) if number > 1:
                yield LATER_MOVE, call.span
            case TimedCall(name="ataction", number=number) if number > 1:
                yield EVERY_MOVE, call.span
            case InfCall():
                yield WIDE_BOX, call.span
            case MoveCall() as bound:
                reason = _of_move(bound)
                if reason is not None:
                    yield reason, call.span
    if isinstance(node, Embedded):
        yield EMBEDDED, node.span


def _of_move(bound: MoveCall) -> _Reason | None:
    match bound.name:
        case "i":
            return RIFLE
        case "rpg":
            return RAMPAGE
        case "j" if bound.side != "FE":
            return SIDED_JUMP
        case "j" if bound.number is None and _far(bound.move):
            return FREE_JUMP
        case "j" if bound.number is not None:
            return COUNTED_JUMP
    return None


def _far(move: HasinuTerm) -> bool:
    """Whether a move may pass over any number of squares."""
    return any(
        (isinstance(node, Radial) and not node.distance.steps) or isinstance(node, Loop)
        for node in nodes((move,))
    )


def _of_loops(node: object) -> Iterator[_Blame]:
    if isinstance(node, Loop):
        yield (COUNTED_LOOP if node.times.steps else ROAMING), node.span


def _of_turns(node: object) -> Iterator[_Blame]:
    if isinstance(node, Bent):
        yield PARTIAL_BEND, node.span
