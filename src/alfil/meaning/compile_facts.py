"""What a movement says of the piece that is no move, as the plain values of a `Fact`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from alfil.meaning.piece_meaning import Fact, Meaning, Value
from alfil.movement import nodes
from alfil.node_trees import tree_lines

# What compiles a movement that a fact speaks of.
CompileMovement: TypeAlias = Callable[[nodes.Movement], Meaning]
# What every piece is unless something else is said.
ONE_SQUARE = nodes.Size(1, 1)


def compile_fact(fact: nodes.Fact, compile_one: CompileMovement) -> Fact:
    """A fact as plain values; the rules and conditions around it follow, the innermost first."""
    name, values = _fact_name_and_values(fact.truth, compile_one)
    around = tuple(_rule_or_condition_words(each) for each in reversed(fact.within))
    return Fact(name, (*values, *around))


def unsupported_fact(uncompilable: nodes.Option | nodes.Fact) -> Fact:
    """What has no meaning, as a fact: what tells of it, and all that was written of it."""
    words_told = [
        each.text if isinstance(each, nodes.Words) else f"{each.name}()"
        for each in nodes.walk(uncompilable)
        if isinstance(each, nodes.Words | nodes.Foreign)
    ]
    return Fact("untold", (" ".join(words_told[0].split()), *tree_lines(uncompilable, spans=False)))


def _fact_name_and_values(
    truth: nodes.Truth, compile_one: CompileMovement
) -> tuple[str, tuple[Value, ...]]:
    match truth:
        case nodes.Royal(survive):
            return "royal", (survive,)
        case nodes.Promotion(condition, into):
            when = (
                compile_one(condition)
                if isinstance(condition, nodes.Movement)
                else _normal_promotion_condition(condition)
            )
            return "promotion", (when, *_unique_values(into, compile_one))
        case nodes.Iron(by, exceptions):
            return "iron", (by, *_unique_values(exceptions, compile_one))
        case nodes.Size(width, height):
            return "size", (width, height)
        case nodes.Declared(name, parameters):
            words_told = (f"[{each.name}]" if each.optional else each.name for each in parameters)
            return "declared", (name, *words_told)
        case nodes.Effect(what, reach, side, when, most):
            return what, (compile_one(reach), side, when, most or 0)
        case _:
            assert_never(truth)


def _unique_values(
    each: Sequence[str | nodes.Movement], compile_one: CompileMovement
) -> list[Value]:
    """What a list names, each once: neither order nor repeats say anything."""
    result = {" ".join(one.split()) if isinstance(one, str) else compile_one(one) for one in each}
    return sorted(result, key=repr)


_UNITS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen")
# Ranks in words, from the first to beyond that of the largest board.
RANKS: tuple[str, ...] = (
    *(*_UNITS, *_TEENS, "eighteen", "nineteen"),
    *(f"{ten}{unit}" for ten in ("twenty", "thirty") for unit in ("", *(f"-{u}" for u in _UNITS))),
)


def _normal_promotion_condition(words: str) -> str:
    """A condition of promotion; a rank is the same as a number and as an English word."""
    match words.split():
        case ["reach", "rank", rank] if rank in RANKS:
            return f"reach rank {RANKS.index(rank) + 1}"
        case plain:
            return " ".join(plain)


def _rule_or_condition_words(each: nodes.Rule | nodes.When) -> str:
    """A rule or condition around a fact, in a word or two."""
    match each:
        case nodes.OnMove(number):
            return f"move {number}"
        case nodes.EveryMove(number, of):
            return f"{'every' if of == 'piece' else 'turn'} {number}"
        case nodes.Only(what):
            return what
        case nodes.OnSquare(ground):
            return ground
        case _:
            return WRAPPER_WORDS[type(each)]


WRAPPER_WORDS: dict[type[nodes.Rule | nodes.When], str] = {
    nodes.ThirdRank: "third rank",
    nodes.Jumping: "jumping",
    nodes.NotJumping: "not jumping",
    nodes.Rampage: "rampage",
    nodes.Rifle: "rifle",
}
