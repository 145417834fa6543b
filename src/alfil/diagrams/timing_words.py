"""When the moves of a diagram are possible, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from alfil.diagrams.diagram_model import Arrow, WindowExit
from alfil.english.words import FROM_SQUARE_PHRASES, ordinal_word
from alfil.meaning.piece_meaning import START_SQUARE_CONDITIONS, Guard


def timing_of_arrows(arrows: Iterable[Arrow | WindowExit]) -> str:
    """When moves go on at these arrows, after a space; empty where some do at any time.

    Where some moves of an arrow go on at another time than others, the signs beside it say so.
    """
    whens = {frozenset(each.way.guard for each in arrow.onward) for arrow in arrows}
    if any(len(each) != 1 or () in each for each in whens):
        return ""
    return f" {timing_of_guards(guard for (guard,) in whens)}" if whens else ""


def with_timing(words: str, guards: Collection[Guard]) -> str:
    """Words with when they are true, where that is not always and everywhere."""
    guarded = [guard for guard in guards if guard]
    if not guarded:
        return words
    parts = timing_of_guards(guarded)
    return f"{words}, on some squares only {parts}" if () in guards else f"{parts}: {words}"


def timing_of_guards(guards: Iterable[Guard]) -> str:
    """When the moves of a sign may be made; of several squares to start from each has some."""
    several = sorted({*guards})
    words = [*map(timing_in_words, several)]
    if len(several) > 1 and any(
        each.kind in START_SQUARE_CONDITIONS for guard in several for each in guard
    ):
        return ", ".join(f"some {when}" for when in words)
    return " or ".join(words)


def timing_in_words(guard: Guard) -> str:
    """When moves under a guard may be made, in words."""
    return " and ".join(
        WORDS_BY_CONDITION[condition.kind].format(
            condition.value, place=ordinal_word(condition.value)
        )
        for condition in guard
    )


# When a condition allows a move; {} stands for its number, {place} for that as a place in a row.
WORDS_BY_CONDITION: dict[str, str] = {
    "move": "as its {place} move",
    "every": "as every {place} move of its own",
    "turn": "on every {place} turn of its side",
    "third-rank": "where a piece like it stood straight behind it at the start",
    "castle": "castling by {}",
    "middle": "up to the middle of the board",
    "halfway": "at most about half the way to the edge",
    "trail": "leaving a trail for en passant",
    "greedy": "as far as it can",
    "unchecked": "while its side is not in check",
    **FROM_SQUARE_PHRASES,
}
