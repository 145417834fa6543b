"""What is true of a piece besides its moves, a sentence for each fact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from alfil.diagrams.square_marks import marks_in_fitting_window
from alfil.diagrams.summary_sentence import summary_sentence
from alfil.diagrams.timing_words import timing_in_words
from alfil.meaning.piece_meaning import Fact, Meaning, split_conditions_and_words
from alfil.source import printable

Value: TypeAlias = str | int | Meaning

ROYAL_SENTENCES = {
    "all": "Royal; all royal pieces of a side must survive.",
    "one": "Royal; one royal piece of a side must survive.",
}
SIDE_WORDS = {"friends": "friends", "enemies": "enemies", "all": "pieces of both sides"}
BURN_TIMING_WORDS = {
    "active": "when it ends a move",
    "passive": "when they end a move in its range",
    "always": "when it ends a move, and when they end a move in its range",
}
IMMOBILISATION_TIMING_WORDS = {
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
        case ("royal", ()):
            return "Royal."
        case ("royal", (str(survive),)):
            return ROYAL_SENTENCES[survive]
        case ("size", values) | ("declared", values) | ("untold", values):
            return _fact_sentence(fact.name, *map(str, values))
        case ("promotion", (condition, *promotees)):
            words = (
                f"a move of these ({_moves_summary(condition)})"
                if isinstance(condition, Meaning)
                else condition
            )
            return f"Promotes to {_pieces_in_words(promotees)} on this condition: {words}."
        case ("iron", (_,)):
            return "Cannot be captured."
        case ("iron", (identifier, *exceptions)):
            apart = "except by" if identifier == "others" else "by"
            return f"Cannot be captured {apart} {_pieces_in_words(exceptions)}."
        case (name, (Meaning() as reach, str(side), str(when), int(number), *words)):
            return _effect_sentence(name, side, when, number) + _effect_range_phrase(reach, words)
        case _:
            raise AssertionError(fact.name)


def _fact_sentence(name: str, first: str, *others: str) -> str:
    """A fact without pieces or moves in it."""
    if name == "size":
        return f"{first} by {others[0]} cells large. Squares are those of its near left cell."
    if name == "untold":
        return f"Besides, what only these words tell: {first}."
    taken = f" with {', '.join(others)}" if others else ""
    return f"Declares the function {first}{taken}."


def _pieces_in_words(values: Sequence[Value]) -> str:
    """Pieces by name, or by what they do."""
    return " or ".join(
        f"a piece with these moves ({_moves_summary(value)})"
        if isinstance(value, Meaning)
        else str(value)
        for value in values
    )


def _moves_summary(meaning: Meaning) -> str:
    """Moves summed up, to stand inside a sentence.

    What goes beyond a diagram has squares counted that are not those of the diagram beside it.
    """
    marks = marks_in_fitting_window(meaning)
    text = summary_sentence(marks, meaning).removesuffix(".")
    size = f", counted on {marks.window.width} by {marks.window.height} squares"
    return f"{text[0].lower()}{text[1:]}{size if 'diagram' in text else ''}"


def _effect_sentence(name: str, side: str, when: str, number: int) -> str:
    pieces = SIDE_WORDS[side]
    if name == "burns":
        return f"Burns {pieces} in its range {BURN_TIMING_WORDS[when]}"
    if name == "immobilises":
        most = f", at most {number} at a time" if number else ""
        return f"Immobilises {pieces} {IMMOBILISATION_TIMING_WORDS[when]}{most}"
    return f"Shoots {pieces} that come into its range"


def _effect_range_phrase(reach: Meaning, words: Sequence[Value]) -> str:
    """The range of an effect, and what the functions around it say."""
    guard, others = split_conditions_and_words(words)
    timed = [timing_in_words(guard)] if guard else []
    inside = [f"inside {', '.join(others)}"] if others else []
    return f" ({'; '.join([f'range: {_moves_summary(reach)}', *timed, *inside])})."
