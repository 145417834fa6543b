"""Sequences of legal moves counted, beside Fairy-Stockfish as a program of its own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import alfil
from alfil.game.perft import PerftPosition
from benchmarks import fairy_stockfish
from benchmarks.figures import Figure
from benchmarks.measure import best_rates, rate

PLAIN = (
    "legal sequences of moves from one position, equally many moves on both sides and one thread,"
    " every move made but the last, which is counted in bulk: what a search feels. Fairy-Stockfish:"
    " `go perft`. Millions of sequences in a second of the processor."
)
MISSING = " No Fairy-Stockfish that knows this game was found or could be built."
OTHER = " The game there has {0:,} such sequences, here there are {1:,}."


class Position(NamedTuple):
    """What both sides count and how deep, and the targets: the start where there is no text."""

    what: str
    game: str
    variant: str
    depth: int
    must: float | None = None
    aim: float | None = None
    text: str | None = None
    fen: str = ""


MIDGAME = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124"
FEN = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L[Sbgnppp] b - - 0 124"
POSITIONS = (
    Position("chess", "chess", "chess", 5, 1.2, 1.5),
    Position("crazyhouse", "crazyhouse", "crazyhouse", 5, 1.2, 1.5),
    Position("shogi, start", "shogi", "shogi", 4, 10, 15),
    Position("shogi, midgame", "shogi", "shogi", 3, 10, 15, MIDGAME, FEN),
    Position("xiangqi", "xiangqi", "xiangqi", 4, 2.5, 4),
    Position("atomic", "atomic", "atomic", 5, 1, 2),
    Position("janggi", "janggi", "janggitraditional", 4, 1, 2),
    Position("grand chess", "grand", "grand", 4),
    Position("Hand shogi", "hand_shogi", "alfilhand", 3),
)


def measured() -> Iterator[Figure]:
    """Every move made, beside the other program."""
    for position in POSITIONS:
        yield _plain(position)


def _plain(position: Position) -> Figure:
    what, _, variant, depth, must, aim, _, fen = position
    counter = _counter(position)
    samples = [partial(rate, partial(counter.perft, depth))]
    does = PLAIN + MISSING
    if fairy_stockfish.knows(variant, fen):
        samples.append(partial(fairy_stockfish.perft_rate, variant, fen, depth))
        counts = fairy_stockfish.counted(variant, fen, depth)[0], counter.perft(depth)
        does = PLAIN if counts[0] == counts[1] else PLAIN + OTHER.format(*counts)
    value, other = [each / 1e6 for each in best_rates(*samples)] + [None] * (2 - len(samples))
    return Figure(
        what=f"perft, every move made: {what}",
        value=value,
        unit="M/s",
        peer="Fairy-Stockfish",
        beside=other,
        must=must,
        aim=aim,
        does=does,
    )


def _counter(position: Position) -> PerftPosition:
    game = alfil.load(position.game).game(position.text)
    return PerftPosition(game._position, position.depth)
