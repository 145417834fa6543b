"""What a Ħasínū description says of the piece besides its moves, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from alfil.notation.english import words
from alfil.notation.hasinu.calls import (
    DeclareCall,
    IronCall,
    MoveCall,
    PromoteCall,
    RoyalCall,
    SizeCall,
)
from alfil.notation.hasinu.nodes import Text
from alfil.notation.nodes import Term
from alfil.source import printable

# A description inside a function, as words in brackets.
Inline = Callable[[Term], str]

ONE = {"F": "a friend", "E": "an enemy", "FE": "a piece of either side"}
ALL = {"F": "friends", "E": "enemies", "FE": "pieces of either side"}


def quoted(text: str) -> str:
    """Words of the author, as such."""
    return f"“{printable(' '.join(text.split()))}”"


def fact(bound: RoyalCall | PromoteCall | IronCall | SizeCall | DeclareCall, inline: Inline) -> str:
    """A fact about the piece, as a sentence without its full stop."""
    match bound:
        case RoyalCall(survive):
            every = "it is royal, and all royal pieces of its side must survive"
            return (
                every
                if survive == "A"
                else "it is royal, but one surviving royal piece of its side is enough"
            )
        case PromoteCall(condition, promotees):
            into = words.listed([_promotee(term, inline) for term in promotees])
            return f"it promotes on the condition {quoted(condition)} to {into}"
        case IronCall(identifier, exceptions):
            return _iron(identifier, [_capture(term, inline) for term in exceptions])
        case SizeCall(width, height):
            return f"it is {words.squares(width)} wide and {words.squares(height)} high"
        case DeclareCall(name, parameters):
            told = [
                f"{quoted(each.text)}{' (optional)' if each.optional else ''}"
                for each in parameters
            ]
            given = f"of {words.listed(told, 'and')}" if told else "without parameters"
            return f"the function {quoted(name)} {given} is declared"


def _promotee(term: Term, inline: Inline) -> str:
    return quoted(term.words) if isinstance(term, Text) else f"a piece that may {inline(term)}"


def _capture(term: Term, inline: Inline) -> str:
    if isinstance(term, Text):
        return quoted(term.words)
    told = inline(term)
    return f"a move of this kind: {told if told.startswith('(') else f'({told})'}"


def _iron(identifier: str, exceptions: Sequence[str]) -> str:
    if not exceptions:
        return "it cannot be captured"
    named = words.listed(exceptions)
    if identifier == "inclusive":
        return f"it cannot be captured by {named}"
    return f"it can be captured only by {named}"


def effect(bound: MoveCall, how: Inline) -> str:
    """What a piece does to others in range, as a sentence without its full stop."""
    place = f"on a square it could reach or capture on {how(bound.move)}"
    if bound.name == "burn":
        when = {
            "A": f"when it ends a move, all {ALL[bound.side]} {place} are removed",
            "P": f"{ONE[bound.side]} that ends a move {place} is removed",
        }
    else:
        most = f", {words.number(bound.number)} at a time at most" if bound.number else ""
        when = {
            "A": f"after its own move, {ALL[bound.side]} {place} cannot move{most}",
            "P": f"{ONE[bound.side]} that comes to stand {place} cannot move{most}",
        }
    return "; ".join(text for letter, text in when.items() if letter in bound.when)


def shot(bound: MoveCall, how: Inline) -> str:
    """What a rifle does when others move, as a sentence without its full stop."""
    return (
        f"{ONE[bound.side]} that moves to where this piece could capture it {how(bound.move)}"
        " is captured, and this piece stays where it is"
    )
