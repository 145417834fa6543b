"""The simple opponent against somebody who moves by chance: a hundred games of Hand shogi."""

from __future__ import annotations

from random import Random
from time import perf_counter

import alfil
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.play.opponent import DEPTH, Opponent
from benchmarks.measure import table

# Game, how many moves the opponent looks ahead, how many games; the seeds count from 0, and the
# opponent has the first side where its seed is even.
SERIES = (("hand_shogi", DEPTH, 100), ("hand_shogi", 1, 20), ("chess", DEPTH, 20))
# A game that has not ended after so many moves counts as drawn.
LONGEST = 400


def play(variant: Variant, depth: int, seed: int) -> tuple[int, int, float]:
    """One game: 1 won, 0 drawn, -1 lost; the opponent's moves, and the seconds it took for them."""
    game, chance = Game(variant), Random(seed)
    opponent = Opponent(variant, depth=depth, seed=seed)
    moves, spent = 0, 0.0
    while game.outcome() is None and len(game.moves) < LONGEST:
        if game.turn == seed % 2:
            begun = perf_counter()
            game.push(opponent.choose(game))
            spent += perf_counter() - begun
            moves += 1
        else:
            game.push(chance.choice(game.legal_moves))
    outcome = game.outcome()
    if outcome is None or outcome.winner is None:
        return 0, moves, spent
    first = outcome.winner == variant.rules.first[0]
    return (1 if first == (seed % 2 == 0) else -1), moves, spent


def report() -> str:
    """The table of results."""
    rows = []
    for name, depth, games in SERIES:
        played = [play(alfil.load(name).variant, depth, seed) for seed in range(games)]
        results = [result for result, _, _ in played]
        moves = sum(each[1] for each in played)
        rows.append(
            (
                name,
                f"simple:{depth}",
                *(str(results.count(result)) for result in (1, 0, -1)),
                f"{moves / games:.1f}",
                f"{sum(each[2] for each in played) / moves:.2f} s",
            )
        )
    heads = ("game", "opponent", "won", "drawn", "lost", "moves a game", "a move")
    return table("The opponent against chance", heads, rows)
