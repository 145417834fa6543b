"""The oracle's games as alfil's: a Variant from the oracle's kinds (in Betza) and rules."""

from __future__ import annotations

from functools import cache
from typing import Any

import alfil
from alfil.game.variant import (  # plain data: odd games
    Goal,
    Impasse,
    Kind,
    Placed,
    Repetition,
    Rules,
    Variant,
    Win,
)
from oracle.games import definition
from oracle.games.text import read

FAR = 36


def variant_of(game: definition.Game) -> Variant:
    """The same game for the engine."""
    start = read(game, game.start)
    placed = tuple(Placed(at, side, code) for at, (side, code) in sorted(start.board.items()))
    hands = (tuple(start.hands[0].items()), tuple(start.hands[1].items()))
    return Variant(
        name=game.name,
        title=game.name,
        files=game.files,
        ranks=game.ranks,
        rules=rules_of(game.rules),
        kinds=tuple(kind_of(kind) for kind in game.kinds),
        setup=placed,
        hands=hands,
        moves=tuple((kind.code, f"betza:{kind.betza}") for kind in game.kinds),
    )


def kind_of(kind: definition.Kind) -> Kind:
    """One kind, its meaning from its Betza."""
    fields: dict[str, Any] = {
        name: getattr(kind, name)
        for name in ("code", "royal", "promotes", "promotion", "drop_check", "drop_mate")
    }
    ranks = kind.drop_ranks
    return Kind(
        name=kind.code,
        piece=alfil.read(kind.betza),
        letter=kind.symbol,
        base=kind.unpromoted,
        drop_ranks=ranks and (ranks[0], min(ranks[1], FAR)),
        per_file=kind.per_file,
        per_file_on=frozenset(kind.per_file_on),  # type: ignore[arg-type]
        **fields,
    )


def rules_of(rules: definition.Rules) -> Rules:
    """The rule fields; they have the same names on both sides."""
    fields: dict[str, Any] = {
        name: getattr(rules, name)
        for name in (
            "captured",
            "captured_form",
            "drops",
            "drop_form",
            "zone",
            "promotion_when",
            "royal_lost",
            "self_check",
            "stalemate",
            "perpetual_check",
            "perpetual_span",
            "impasse_needs",
        )
    }
    goal = rules.goal and Goal(rules.goal[0], rules.goal[1:])
    repeated = rules.repetition
    return Rules(
        win=tuple(win_of(text) for text in rules.win),
        goal=goal,
        repetition=repeated and Repetition(repeated[0], repeated[1]),  # type: ignore[arg-type]
        impasse=Impasse(rules.impasse),  # type: ignore[arg-type]
        **fields,
    )


def win_of(text: str) -> Win:
    """`checks:3` or the name alone."""
    how, _, times = text.partition(":")
    return Win(how, int(times or 0))  # type: ignore[arg-type]


@cache
def bundled(name: str) -> Variant:
    """The game of a bundled piece file."""
    return alfil.load(name).variant
