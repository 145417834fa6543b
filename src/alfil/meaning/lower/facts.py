"""What a Ħasínū description says of the piece besides its moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from alfil.meaning.piece import Fact, Meaning
from alfil.notation.hasinu.nodes import Call, Group, Text, Union
from alfil.notation.hasinu.signatures import (
    DeclareCall,
    IronCall,
    MoveCall,
    PromoteCall,
    RoyalCall,
    SizeCall,
    TimedCall,
    bind,
    nested,
)
from alfil.notation.nodes import Description, Term

Compile = Callable[[Description], Meaning]

_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen")
# Ranks in words, from the first to beyond that of the largest board.
RANKS: tuple[str, ...] = (
    *(*_UNITS, *_TEENS, "eighteen", "nineteen"),
    *(f"{ten}{unit}" for ten in ("twenty", "thirty") for unit in ("", *(f"-{u}" for u in _UNITS))),
)


def facts_of(description: Description, compile_one: Compile) -> list[Fact]:
    """The facts of a description; moves inside them are compiled with ``compile_one``."""
    return [fact for term in description.terms for fact in _facts(term, compile_one)]


def _facts(term: Term, compile_one: Compile) -> Iterator[Fact]:
    match term:
        case Union():
            for each in term.terms:
                yield from _facts(each, compile_one)
        case Group():
            yield from _facts(nested(term), compile_one)
        case Call():
            yield from _called(term, compile_one)
        case _:
            return


def _called(call: Call, compile_one: Compile) -> Iterator[Fact]:
    match bind(call):
        case MoveCall() as effect:
            yield from _effects(effect, compile_one)
        case TimedCall(name, number, move):
            yield from _qualified(move, f"{name} {number}", compile_one)
        case PromoteCall(condition, promotees):
            yield Fact("promote", (_condition(condition), *_values(promotees, compile_one)))
        case IronCall(identifier, exceptions):
            yield Fact("fe", (identifier, *_values(exceptions, compile_one)))
        case RoyalCall() | SizeCall() | DeclareCall() as plain:
            yield from _plain(plain)
        case _:
            return


def _plain(bound: RoyalCall | SizeCall | DeclareCall) -> Iterator[Fact]:
    match bound:
        case RoyalCall(survive):
            yield Fact("royal", (survive,))
        case SizeCall(width, height):
            if (width, height) != (1, 1):
                yield Fact("sz", (width, height))
        case DeclareCall(name, parameters):
            names = (f"[{each.text}]" if each.optional else each.text for each in parameters)
            yield Fact("function", (name, *names))


def _effects(bound: MoveCall, compile_one: Compile) -> Iterator[Fact]:
    """Effects in range, and what an enemy that comes into the range of a rifle has to fear."""
    passive = bound.name == "i" and "P" in bound.when
    if passive or bound.name in {"burn", "im"}:
        inside = _value(bound.move, compile_one)
        when = "P" if passive else bound.when
        yield Fact(bound.name, (inside, bound.side, when, bound.number or 0))
    else:
        yield from _qualified(bound.move, bound.name, compile_one)


def _qualified(term: Term, by: str, compile_one: Compile) -> Iterator[Fact]:
    """The facts inside a function that qualifies them, with a word that says how."""
    for name, values in _facts(term, compile_one):
        yield Fact(name, (*values, by))


def _condition(words: str) -> str:
    """A condition of promotion; a rank is the same as a number and as an English word."""
    match words.split():
        case ["reach", "rank", rank] if rank in RANKS:
            return f"reach rank {RANKS.index(rank) + 1}"
        case plain:
            return " ".join(plain)


def _values(terms: Sequence[Term], compile_one: Compile) -> list[str | Meaning]:
    """What a list names, each once: neither order nor repeats say anything."""
    return sorted({_value(term, compile_one) for term in terms}, key=repr)


def _value(term: Term, compile_one: Compile) -> str | Meaning:
    """A text as it is, a move as its meaning."""
    if isinstance(term, Text):
        return " ".join(term.words.split())
    return compile_one(Description((term,), "hasinu", span=term.span))
