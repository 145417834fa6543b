"""What is said of a text that one notation refuses and others read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from alfil.english import describe_movement
from alfil.errors import AlfilError, Diagnostic
from alfil.notation.description import DEFAULT_NOTATION, Description
from alfil.notation.registry import NOTATIONS, movement_of
from alfil.source import Source, Span, excerpt

# Longer texts are not looked at in other notations when an error is shown.
LONGEST = 80
MAX_SENTENCE_LENGTH = 100


def notes_of_other_readings(
    trees: Mapping[str, Description], length: int
) -> tuple[Diagnostic, ...]:
    """A note for each piece that notations besides the default one read a text as.

    ``trees`` are what they read, by the names of the notations; ``length`` is that of the text.

    >>> from alfil.api import readings
    >>> notes = notes_of_other_readings({each.notation: each.tree for each in readings("KK")}, 2)
    >>> [note.message for note in notes]
    ['the dialects fairy-stockfish and fairy-stockfish-next read this as Q']
    """
    names: dict[str, list[str]] = {}
    for name, tree in trees.items():
        if name != DEFAULT_NOTATION:
            names.setdefault(_reading_clause(tree), []).append(name)
    return tuple(_reading_note(words, those, length) for words, those in names.items())


def _reading_note(words: str, names: Sequence[str], length: int) -> Diagnostic:
    first = NOTATIONS[names[0]]
    option = "--dialect" if first.folder == "betza" else "--from"
    hint = f"if that is meant: {option} {first.name}, in a piece file {first.name}=…"
    message = f"{_notations_read_phrase(names)} this{words}"
    return Diagnostic("read-elsewhere", message, (Span(0, length),), hint, "note")


def _notations_read_phrase(names: Sequence[str]) -> str:
    *others, last = names
    what = "dialect" if NOTATIONS[last].folder == "betza" else "notation"
    if others:
        return f"the {what}s {', '.join(others)} and {last} read"
    return f"the {what} {last} reads"


def _reading_clause(tree: Description) -> str:
    """What is said of a reading: the same in our Betza where it is Betza, else what it does."""
    try:
        if tree.notation == "betza":
            written = NOTATIONS[DEFAULT_NOTATION].write(tree, Source(""))
            return f" as {written}" if written else " as a piece without moves"
        return f": {excerpt(describe_movement(movement_of(tree)), MAX_SENTENCE_LENGTH)}"
    except AlfilError:
        return ""
