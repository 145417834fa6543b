"""The typed view of calls, and calls in their shortest form.

Nobody but this package reads flags: lowering and the writers of other notations use `bind`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.arguments import arguments
from alfil.notation.hasinu.bound import (
    Bound,
    DeclareCall,
    ForeignCall,
    InfCall,
    IronCall,
    MoveCall,
    PromoteCall,
    RoyalCall,
    SizeCall,
    TimedCall,
)
from alfil.notation.hasinu.nodes import Argument, Call, Group, Name, Number
from alfil.notation.hasinu.walk import as_argument
from alfil.notation.nodes import Term

__all__ = [
    "Bound",
    "DeclareCall",
    "ForeignCall",
    "InfCall",
    "IronCall",
    "MoveCall",
    "PromoteCall",
    "RoyalCall",
    "SizeCall",
    "TimedCall",
    "bind",
    "nested",
    "short",
]


def bind(call: Call) -> Bound:
    """The typed view of a call that was read; ValueError for one that `arguments` refuses.

    >>> bind(Call("sz", (Number(2),)))
    SizeCall(width=2, height=2)
    """
    bound = arguments(call)
    if isinstance(bound, list):
        raise ValueError(bound[0].message)
    return bound


def nested(group: Group) -> Term:
    """A group as calls inside calls: ``group(m,j)(X)`` as ``m(j(X))``."""
    term = group.body
    for name in reversed(group.names):
        span = name.span.to(term.span)
        term = Call(name.text, (as_argument(term),), name_span=name.span, span=span)
    return term


def short(term: Term) -> Term:
    """A call or group as short as it can be written; every other term as it is.

    Flags are short, defaults gone, arguments in the order of the table; ``rifle`` is ``i``. Calls
    with wrong arguments stay.

    >>> from alfil.notation.hasinu.nodes import Oblique
    >>> short(Call("rifle", (Oblique((1, 2)), Name("passive"), Name("E")))).arguments[1:]
    (Name(text='P', optional=False),)
    """
    match term:
        case Call():
            return _short_call(term)
        case Group(names=names) if any(name.text in lexicon.ALIASES for name in names):
            known = (lexicon.ALIASES.get(name.text, name.text) for name in names)
            return replace(
                term,
                names=tuple(
                    replace(name, text=text) for name, text in zip(names, known, strict=True)
                ),
            )
        case _:
            return term


def _short_call(call: Call) -> Call:
    plain = call.name not in lexicon.ALIASES and call.name != "sz"
    if plain and not any(isinstance(argument, Name) for argument in call.arguments):
        return call
    bound = arguments(call)
    given: tuple[Argument, ...] = call.arguments
    match bound:
        case MoveCall():
            given = tuple(_shortest_flags(bound, call))
        case RoyalCall(survive="A") | IronCall(exceptions=()):
            given = ()
        case SizeCall(width=width, height=height) if width == height:
            given = given[:1]
        case list():
            return call
    name = lexicon.ALIASES.get(call.name, call.name)
    if name == call.name and given == call.arguments:
        return call
    return replace(call, name=name, arguments=given)


def _shortest_flags(bound: MoveCall, call: Call) -> Iterable[Argument]:
    function = lexicon.FUNCTIONS[bound.name]
    spans = {
        lexicon.LONG_FLAGS.get(name.text, name.text): name.span
        for name in call.arguments
        if isinstance(name, Name)
    }
    yield bound.move
    flags = (
        (bound.side, function.side),
        (bound.when, function.when),
        (bound.greed, function.greed),
    )
    for flag, default in flags:
        if flag != default:
            yield Name(flag, span=spans[flag])
    yield from (argument for argument in call.arguments if isinstance(argument, Number))
