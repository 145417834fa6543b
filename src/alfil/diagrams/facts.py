"""What is true of a piece besides its moves, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from alfil.diagrams.summary import summary
from alfil.diagrams.text import timing
from alfil.diagrams.walk import fitted
from alfil.meaning.piece import Condition, Fact, Guard, Meaning
from alfil.source import printable

Value: TypeAlias = str | int | Meaning

ROYAL = {
    "all": "Royal; all royal pieces of a side must survive.",
    "one": "Royal; one royal piece of a side must survive.",
}
SIDES = {"friends": "friends", "enemies": "enemies", "all": "pieces of both sides"}
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
        case ("royal", (str(survive),)):
            return ROYAL[survive]
        case ("size", (width, height)):
            return f"{width} by {height} cells large."
        case ("declared", (name, *parameters)):
            taken = f" with {', '.join(map(str, parameters))}" if parameters else ""
            return f"Declares the function {name}{taken}."
        case ("promotion", (condition, *promotees)):
            return f"Promotes to {_either(promotees)} on this condition: {condition}."
        case ("iron", (identifier, *exceptions)):
            return _iron(str(identifier), exceptions)
        case (name, (Meaning() as reach, str(side), str(when), int(number), *around)):
            return _effect(name, side, when, number) + _within(reach, around)
        case _:
            raise AssertionError(fact.name)


def _iron(identifier: str, exceptions: Sequence[Value]) -> str:
    if not exceptions:
        return "Cannot be captured."
    apart = "except by" if identifier == "others" else "by"
    return f"Cannot be captured {apart} {_either(exceptions)}."


def _either(values: Sequence[Value]) -> str:
    """Pieces by name, or by what they do."""
    return " or ".join(
        f"a piece with these moves ({_moves(value)})" if isinstance(value, Meaning) else str(value)
        for value in values
    )


def _moves(meaning: Meaning) -> str:
    """Moves summed up, to stand inside a sentence."""
    text = summary(fitted(meaning)).removesuffix(".")
    return f"{text[0].lower()}{text[1:]}"


def _effect(name: str, side: str, when: str, number: int) -> str:
    pieces = SIDES[side]
    match name:
        case "burns":
            return f"Burns {pieces} in its range {BURNS[when]}"
        case "immobilises":
            most = f", at most {number} at a time" if number else ""
            return f"Immobilises {pieces} {FREEZES[when]}{most}"
        case _:
            return f"Shoots {pieces} that come into its range"


def _within(reach: Meaning, around: Sequence[Value]) -> str:
    """The range of an effect, and what the functions around it say."""
    timed: list[str] = []
    others: list[str] = []
    for each in map(str, around):
        name, _, number = each.partition(" ")
        if number.isdigit():
            timed.append(timing(_guard(name, int(number))))
        else:
            others.append(each)
    words = [f"range: {_moves(reach)}", *timed]
    inside = [f"inside {', '.join(others)}"] if others else []
    return f" ({'; '.join([*words, *inside])})."


def _guard(name: str, number: int) -> Guard:
    return (Condition("move" if name == "move" else "every", number),)
