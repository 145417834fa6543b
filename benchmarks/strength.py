"""How far the computer looks ahead in a second, and how it plays against somebody by chance."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import alfil
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.play.opponent import DEEPEST, DEPTH, Opponent
from benchmarks import fairy_stockfish
from benchmarks.figures import Figure

SECOND = (
    "the depth in moves that a search reports at the start after a second by the clock, one thread;"
    " both leave out what seems hopeless. alfil's opponent; Fairy-Stockfish: `go movetime 1000`"
    " without a network."
)
# Game, how many moves the opponent looks ahead, how many games; the seeds count from 0, and the
# opponent has the first side where its seed is even.
SERIES = (("hand_shogi", DEPTH, 100), ("hand_shogi", 1, 20), ("chess", DEPTH, 20))
# A game that has not ended after so many moves counts as drawn.
LONGEST = 400


def measured() -> Iterator[Figure]:
    """How deep a second goes."""
    for name in ("shogi", "chess"):
        native = fairy_stockfish.program()
        beside = fairy_stockfish.depth_of(name) if native else None
        reached = depth_of(alfil.load(name).variant)
        yield Figure(
            what=f"the opponent, one second: {name}",
            value=reached,
            unit=f"moves ahead{f'; Fairy-Stockfish {beside}' if beside else ''}",
            must=8,
            aim=10,
            does=SECOND,
            chief=True,
        )


def depth_of(variant: Variant) -> int:
    """How many moves ahead the opponent has looked at the start when a second is over."""
    return Opponent(variant, depth=DEEPEST).analyse(Game(variant), 1.0).depth


def matches() -> Iterator[Figure]:
    """Games against chance."""
    for name, depth, games in SERIES:
        played = [_play(alfil.load(name).variant, depth, seed) for seed in range(games)]
        won, drawn, lost = (sum(each == result for each in played) for result in (1, 0, -1))
        yield Figure(
            what=f"the opponent against chance: {name}, {depth} moves ahead",
            value=100 * (won + drawn / 2) / games,
            unit="% of the points",
            does=f"{won} won, {drawn} drawn, {lost} lost.",
        )


def _play(variant: Variant, depth: int, seed: int) -> int:
    """One game: 1 won, 0 drawn, -1 lost."""
    game, chance = Game(variant), Random(seed)
    opponent = Opponent(variant, depth=depth, seed=seed)
    while game.outcome() is None and len(game.moves) < LONGEST:
        own = game.turn == seed % 2
        game.push(opponent.choose(game) if own else game.random_move(chance))
    outcome = game.outcome()
    if outcome is None or outcome.winner is None:
        return 0
    first = outcome.winner == variant.rules.first[0]
    return 1 if first == (seed % 2 == 0) else -1
