"""What in a movement has no moves that a table could hold, and is refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn

from alfil.errors import Diagnostic
from alfil.movement.canonical_movement import rule_forbidding_all_moves
from alfil.movement.nodes import (
    Castling,
    Either,
    Foreign,
    Leg,
    Movement,
    Only,
    Option,
    Rifle,
    Rule,
    Size,
    Way,
    Within,
    Words,
    has_uncompilable_part,
    walk,
)
from alfil.source import Source, Span


class UnsupportedMovement(Exception):
    """Something in a movement has no moves that a table could hold."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)


def uncompilable_nodes(movement: Movement) -> list[Words | Foreign]:
    """The words in a movement and the calls of functions that are not built in."""
    if not movement.facts and not any(map(has_uncompilable_part, movement.options)):
        return []  # as most pieces are
    return [each for each in walk(movement) if isinstance(each, Words | Foreign)]


def reject_unknown_functions(uncompilable: Iterable[Words | Foreign]) -> None:
    """Refuse every function that is called and neither built in nor declared."""
    called = (each for each in uncompilable if isinstance(each, Foreign))
    unknown = {each.span: each for each in called if not each.known}
    if unknown:
        raise UnsupportedMovement(
            [_unknown_function_diagnostic(span, one) for span, one in sorted(unknown.items())]
        )


def _unknown_function_diagnostic(span: Span, one: Foreign) -> Diagnostic:
    offers = (Span(0, len(one.hint)),) if one.hint.isidentifier() else ()
    message = f"no function is called {one.name}"
    return Diagnostic("unknown-function", message, (span,), one.hint, offers=offers)


def reject_unsupported(kind: str, message: str, span: Span, hint: str = "") -> NoReturn:
    """Stop compiling with one diagnostic."""
    raise UnsupportedMovement([Diagnostic(kind, message, (span,), hint)])


def reject_rules_forbidding_all(compiled: list[tuple[Option, bool]], source: Source) -> None:
    """Refuse a rule that leaves no move to any of the options it is around.

    Each option comes with whether it has moves, or would have none without its rules either.
    """
    alive: dict[tuple[Span, Rule], bool] = {}
    for option, moves in compiled:
        way = option.way
        rules: list[Rule] = []
        while isinstance(way, Within):
            rules.append(way.rule)
            way = way.way
        # Those inside the one that leaves no move leave some.
        ending = None if moves else rule_forbidding_all_moves(option.way)
        for rule in reversed(rules):
            if isinstance(rule, Only | Rifle) and ending in {None, rule}:
                key = (rule.span, rule)
                alive[key] = alive.get(key, False) or moves
    for (span, _), any_end in alive.items():
        if not any_end:
            name = source.text[span.start : span.end]
            hint = f"leave out {name}" if name else ""
            reject_unsupported(
                "never-legal", "a move that may neither move nor capture", span, hint
            )


def reject_large_castling(movement: Movement) -> None:
    """Refuse castling of a piece of several squares, which has no square to castle to."""
    if not movement.facts:
        return
    sizes = [fact.truth for fact in movement.facts if isinstance(fact.truth, Size)]
    if not any(size.files * size.ranks > 1 for size in sizes):
        return
    for way in walk(movement.options):
        if isinstance(way, Castling):
            message = "a piece of several squares castles with nobody"
            reject_unsupported("contradiction", message, way.span, "leave out the castling, or sz")


def reject_words(way: Words | Foreign) -> NoReturn:
    """Refuse a move that is told in words, or by a function nobody knows."""
    if isinstance(way, Words):
        reject_unsupported(
            "text-move",
            "words are no move that could be drawn or played",
            way.span,
            "say the move with a function that is declared and has a meaning, or leave it out",
        )
    reject_unsupported(
        "no-handler",
        f"nothing says what {way.name} does to a move",
        way.span,
        "a declared function has no body: write the moves it stands for",
    )


def reject_forbidden_jump(leg: Leg) -> NoReturn:
    """Refuse a leg that must jump under a rule that it may not."""
    reject_unsupported(
        "contradiction", "what must jump may not", leg.span, "leave out nj, or the jump"
    )


def reject_repeated_halfling(leg: Leg) -> NoReturn:
    """Refuse a leg half the way to the edge in a repeat, where every round would be another one."""
    message = "half the way to the edge is measured once, not in every round"
    reject_unsupported(
        "contradiction", message, leg.span, "write the rounds out, or leave out the repeat"
    )


def reject_count_on_wrapped_board(way: Way) -> None:
    """Refuse to count pieces to which a way may come back over the edge of the board."""
    for each in walk(way):
        if isinstance(each, Leg) and each.edges != "walls":
            message = "where the board wraps, pieces that count once cannot be told apart"
            hint = "leave out how many pieces it may jump over"
            reject_unsupported("contradiction", message, each.span, hint)


def reject_turning_rampage(way: Way) -> None:
    """Refuse a rampage whose way turns."""
    turning = _first_turning_way(way)
    if turning is not None:
        reject_unsupported(
            "rpg-run",
            "only a move in a straight line can be a rampage",
            turning.span,
            "take the rampage of each leg or leap apart",
        )


def _first_turning_way(way: Way) -> Way | None:
    """The first thing in a way that is not a run or leap in a straight line."""
    match way:
        case Leg(lengths=lengths):
            return way if lengths == "halfway" else None
        case Either(ways):
            return next((result for result in map(_first_turning_way, ways) if result), None)
        case Within(way=inner):
            return _first_turning_way(inner)
        case _:
            return way
