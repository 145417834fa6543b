"""Sequences of legal moves counted, beside Fairy-Stockfish as a program of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import chess

import alfil
from alfil.errors import AlfilError
from alfil.game.counting import Counter
from alfil.game.fast import CoreName
from alfil.play.game import Game
from benchmarks import fairy_stockfish
from benchmarks.figures import Figure
from benchmarks.measure import best_rates, rate

MIDGAME = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124"
PEER = "Fairy-Stockfish"
ONE_THREAD = (
    "legal sequences of moves from one position by the compiled core, one thread, the last moves"
    " counted by whatever is quickest; Fairy-Stockfish: `go perft`, one thread, the last move"
    " counted in bulk. Millions of sequences in a second of the processor."
)
PLAIN = (
    "the same with every move made but the last, which is counted in bulk on both sides: what a"
    " search feels."
)
PURE = "the same in Python alone, nothing compiled; Fairy-Stockfish as above."
OWN = "the compiled core, and alfil's pure Python, on a game of benchmarks/, one thread each."
ELSEWHERE = (
    " No Fairy-Stockfish that knows this game was found or could be built: its rate is one"
    " measured on another two-core machine."
)


class Position(NamedTuple):
    """What is counted, how deep by Python, the core and the peer, and the targets of the core.

    ``published`` is the peer's rate on another machine, in millions.
    """

    what: str
    game: str
    text: str | None
    variant: str
    fen: str
    depths: tuple[int, int, int]
    published: float
    best: tuple[float, float]
    plain: tuple[float | None, float | None]
    pure: float | None


FEN = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L[Sbgnppp] b - - 0 124"
POSITIONS = (
    Position("shogi, start", "shogi", None, "shogi", "", (4, 5, 5), 11.7, (15, 32), (3, 11), 0.29),
    Position(
        "shogi, midgame", "shogi", MIDGAME, "shogi", FEN, (3, 4, 3), 16, (15, 32), (3, 11), 0.46
    ),
    Position(
        "Hand shogi",
        "hand_shogi",
        None,
        "alfilhand",
        "",
        (2, 3, 3),
        15.3,
        (100, 148),
        (None, 9.5),
        2,
    ),
    Position("chess", "chess", None, "chess", "", (4, 5, 5), 29.9, (2, 3.6), (None, 4.4), None),
)
HERE = Path(__file__).parent
OWN_GAMES = (("7×7 lions and cannons", "lions", (30, 100)), ("9×10 cannons", "cannons", (100, 300)))


def measured() -> Iterator[Figure]:
    """The compiled core, at its best and plain, and pure Python."""
    for position in POSITIONS:
        yield from _beside_native(position)
    for what, name, (must, aim) in OWN_GAMES:
        game = alfil.load(str(HERE / f"{name}.pieces")).game()
        ours, pure = _rates(_perft(game, 4, "fast"), _perft(game, 3, "pure"))
        yield Figure(
            what=f"perft, compiled core: {what}",
            value=ours,
            unit="M/s",
            peer="alfil in pure Python",
            beside=pure,
            must=must,
            aim=aim,
            does=OWN,
        )
    board = chess.Board()
    ours, their = _rates(
        _perft(alfil.load("chess").game(), 3, "pure"), lambda: chess_count(board, 3)
    )
    yield Figure(
        what="perft, pure Python: chess",
        value=ours,
        unit="M/s",
        peer="python-chess",
        beside=their,
        does="both count in bulk at the last move, in Python.",
    )


def _beside_native(position: Position) -> Iterator[Figure]:
    game = alfil.load(position.game).game(position.text)
    pure, deep, native = position.depths
    counts = [
        _perft(game, deep, "fast"),
        _perft(game, deep, "fast", plain=True),
        _perft(game, pure, "pure"),
    ]
    beside: float | None = position.published
    elsewhere = ELSEWHERE
    if fairy_stockfish.knows(position.variant, position.fen):
        peer = partial(fairy_stockfish.perft_rate, position.variant, position.fen, native)
        *found, beside = _rates(*counts, peer=peer)
        elsewhere = ""
    else:
        found = _rates(*counts)
    for name, value, (must, aim), does in (
        ("perft, compiled core", found[0], position.best, ONE_THREAD),
        ("perft, compiled core, plain", found[1], position.plain, PLAIN),
        ("perft, pure Python", found[2], (position.pure, None), PURE),
    ):
        yield Figure(
            what=f"{name}: {position.what}",
            value=value,
            unit="M/s",
            peer=PEER,
            beside=beside,
            must=must,
            aim=aim,
            does=does + elsewhere,
            chief=True,
        )


def _perft(
    game: Game, depth: int, core: CoreName, *, plain: bool = False
) -> Callable[[], int] | None:
    """The count; None where this core does not serve here.

    A plain one makes every move but the last one of a sequence, in the compiled core.
    """
    try:
        game.perft(2, core=core)
    except AlfilError:
        return None
    if plain:
        counter = Counter(game._position, depth)
        return partial(counter.perft, depth, plain=True)
    return lambda: game.perft(depth, core=core)


def _rates(
    *counts: Callable[[], int] | None, peer: Callable[[], float] | None = None
) -> list[float | None]:
    """Millions a second of each count, and of the peer's own measurement."""
    samples = [partial(rate, count) for count in counts if count]
    found = iter(best_rates(*samples, *([peer] if peer else [])))
    rates = [next(found) / 1e6 if count else None for count in counts]
    return [*rates, *(each / 1e6 for each in found)]


def chess_count(board: chess.Board, depth: int) -> int:
    """The same count with python-chess, in bulk at the last move."""
    if depth == 1:
        return board.legal_moves.count()
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += chess_count(board, depth - 1)
        board.pop()
    return nodes
