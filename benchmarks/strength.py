"""How far the computer looks ahead in a second, and how it plays against others."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager
from math import log10, sqrt
from random import Random

import alfil
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.play.opponent import MAX_DEPTH, Opponent
from benchmarks import fairy_stockfish, rivals
from benchmarks.figures import Figure

SECOND = (
    "the depth in moves that a search reports at the start after a second by the clock, one thread;"
    " both leave out what seems hopeless. alfil's opponent; Fairy-Stockfish: `go movetime 1000`"
    " without a network."
)
# A series: the game, against whom, how many games. The opponent is `Opponent` as it comes but for
# the work it may do, `NODES` positions a move, and so may Fairy-Stockfish. Against itself before it
# may look at so many that a game takes it about the processor's time that it took then, or less.
NODES = 20_000
AS_LONG = {"shogi": 100_000, "chess": 20_000, "hand_shogi": 300_000}
# Against who does not look ahead few are enough; HaChu has a second for each move.
FEW = 400
SERIES = (
    ("hand_shogi", "chance", 100),
    ("chess", "chance", 20),
    ("chu", "chance", 200),
    ("chu", "greed", 200),
    ("chu", "HaChu", 10),
    ("shogi", "itself before", 34),
    ("chess", "itself before", 33),
    ("hand_shogi", "itself before", 33),
    ("chess", "Fairy-Stockfish", 50),
    ("shogi", "Fairy-Stockfish", 50),
    ("xiangqi", "Fairy-Stockfish", 50),
    ("crazyhouse", "Fairy-Stockfish", 50),
)
# Games begin with so many moves by chance, each beginning once for either side. Where a mate can be
# seen after them, they are drawn anew: who has it would win whatever plays.
OPENING = 4
# The normal distribution has 95 of 100 within so many standard deviations.
NORMAL = 1.96
# A game that has not ended after so many moves counts as drawn.
LONGEST = 400
BEFORE = "itself before"
WORDS = (
    "{won} won, {drawn} drawn, {lost} lost, after {opening} moves by chance, each beginning once"
    " for either side; {nodes}, and {whom}."
)
WHOM = {
    "chance": "any legal move",
    "greed": "the capture that is worth most, any legal move where there is none",
    "HaChu": "HaChu 0.21, a second for each move",
    BEFORE: f"alfil's opponent of commit {rivals.EARLIER[:7]} as it came",
    "Fairy-Stockfish": "Fairy-Stockfish without a network, as many positions a move",
}


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
        )


def depth_of(variant: Variant) -> int:
    """How many moves ahead the opponent has looked at the start when a second is over."""
    return Opponent(variant, depth=MAX_DEPTH).analyse(Game(variant), 1.0).depth


def matches() -> Iterator[Figure]:
    """Games against others; ALFIL_GAMES is how many of each series, where not all."""
    most = int(os.environ.get("ALFIL_GAMES", "1000"))
    before: list[int] = []
    for name, against, games in SERIES:
        played = [play(name, against, seed) for seed in range(min(games, most))]
        before += played if against == BEFORE else []
        nodes = f"{_nodes(name, against):,} positions a move"
        yield _points(f"the opponent against {against}: {name}", played, nodes, WHOM[against])
    nodes = "as many positions a move as above"
    yield _points(f"the opponent against {BEFORE}", before, nodes, WHOM[BEFORE], must=95)


def _points(what: str, played: list[int], nodes: str, whom: str, must: int | None = None) -> Figure:
    won, drawn, lost = (sum(each == result for each in played) for result in (1, 0, -1))
    does = WORDS.format(won=won, drawn=drawn, lost=lost, opening=OPENING, nodes=nodes, whom=whom)
    points = 50 * (1 + sum(played) / len(played))
    low, high = interval_of(played)
    unit = f"% of the points ({100 * low:.0f} to {100 * high:.0f}), Elo {elo(low)} to {elo(high)}"
    return Figure(what=what, value=points, unit=unit, must=must, does=does)


def interval_of(played: list[int]) -> tuple[float, float]:
    """The share of the points as it would be in many games, in 95 of 100 cases: from, to.

    It is Wilson's interval, which serves for few games too, and where none was won.
    """
    games, share = len(played), (1 + sum(played) / len(played)) / 2
    near = NORMAL**2 / games
    middle = (share + near / 2) / (1 + near)
    error = NORMAL / (1 + near) * sqrt(share * (1 - share) / games + near / (4 * games))
    return middle - error, middle + error


def elo(share: float) -> str:
    """The difference in Elo that a share of the points stands for."""
    return f"{-400 * log10(1 / share - 1):+.0f}" if 0 < share < 1 else "without end"


def play(name: str, against: str, seed: int) -> int:
    """One game: 1 won, 0 drawn, -1 lost."""
    variant = alfil.load(name).variant
    game = opened(variant, Random(seed // 2))
    opponent = Opponent(
        variant, depth=MAX_DEPTH, nodes=_nodes(name, against), seed=seed, keep_hash=True
    )
    own = seed % 2
    with _rival(name, against, seed) as rival:
        while game.outcome() is None and len(game.moves) < LONGEST:
            game.push(opponent.choose(game) if game.side_to_move == own else rival(game))
    outcome = game.outcome()
    if outcome is None or outcome.winner is None:
        return 0
    return 1 if (outcome.winner == variant.rules.first[0]) == (own == 0) else -1


def _nodes(name: str, against: str) -> int:
    if name == "chu" and against in {"chance", "greed"}:
        return FEW
    return AS_LONG[name] if against == BEFORE else NODES


def opened(variant: Variant, chance: Random) -> Game:
    """A game after its opening, in which the opponent as it comes sees no mate for anybody."""
    eye = Opponent(variant, depth=MAX_DEPTH)
    while True:
        game = Game(variant)
        for _ in range(OPENING):
            game.push(game.random_move(chance))
        if game.outcome() is None and not eye.analyse(game).mate:
            return game


def _rival(name: str, against: str, seed: int) -> AbstractContextManager[rivals.Player]:
    if against == "chance":
        return rivals.chance(seed)
    if against == "greed":
        return rivals.greedy(name, seed)
    if against == "HaChu":
        return rivals.hachu(name)
    if against == "Fairy-Stockfish":
        return rivals.stockfish(name, NODES)
    return rivals.earlier(name, seed)
