"""Games played at random, and lists of legal moves, beside python-chess, python-shogi and pyffish.

pyffish is asked once for each position, which it sets up anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from random import Random
from time import perf_counter
from types import ModuleType

import pyffish

import alfil
from alfil.errors import AlfilError
from alfil.game.variant import Placed, Rules, Variant
from alfil.play.game import Game
from benchmarks.counts import MIDGAME
from benchmarks.figures import Figure
from benchmarks.measure import best_rates, once, rate

# Seconds that a list is asked for at a time, and how often, in turn with the peer. A machine may be
# quick and slow by turns of some seconds; so each of both meets its quick ones.
SLICE, SLICES = 0.1, 15
LONGEST = 300  # moves of a game
PIECES = 402  # of a side, on 36×36
LOOP = (
    "games of random legal moves from the start, up to 300 moves each: alfil's public"
    " `Game.random_move` and `push`, which also look whether the game has ended; {0}:"
    " a list of `Board.legal_moves`, one of them, `push`. Moves in a second of the processor."
)
CORE = (
    "`alfil.simulate`: random games in the compiled core, one call, one thread; {0} as above. The"
    " targets, 500,000 moves a second that must and 1,200,000 (shogi) and 1,850,000 (chess), are"
    " those of a machine where {0} makes {1:,}."
)
LISTS = (
    '`Game(variant, text, core="pure").legal_moves` as strings; one call of `pyffish.legal_moves`'
    " at the start of shogi, which is the quickest of the three for it; the best of 15 slices of a"
    " tenth of a second, in turn."
)
BIG = (
    "36×36 squares and 402 pieces of a taikyoku shogi a side: all moves of the side to move, first"
    " in a process, which lays out tables for the squares, and after a move was taken back."
)
# The peer's moves a second where the targets were set.
PEERS = {"chess": ("chess", "python-chess", 33_049), "shogi": ("shogi", "python-shogi", 736)}
LOOPS = {"chess": (1, 2), "shogi": (20, 40)}
CORES = {"chess": (500_000, 1_850_000), "shogi": (500_000, 1_200_000)}


def measured() -> Iterator[Figure]:
    """Self-play through `Game` and in the core, lists of moves, and a very large board."""
    for game in PEERS:
        yield from _self_play(game)
    yield from _lists()
    yield from _large()


def _self_play(name: str) -> Iterator[Figure]:
    module, peer, there = PEERS[name]
    library = alfil.load(name)
    samples = [partial(rate, partial(_played, library.game, Random(1)), 1.0)]
    game = library.game()
    compiled = _simulation(game)
    if compiled:
        samples.append(partial(rate, compiled))
    if find_spec(module):
        theirs = partial(_played_by_peer, import_module(module), Random(1))
        samples.append(partial(rate, theirs, 1.0))
    found = best_rates(*samples)
    beside = found.pop() if find_spec(module) else None
    missing = "" if beside else f" {peer} is not installed."
    must, aim = LOOPS[name]
    yield Figure(
        what=f"random games through Game: {name}",
        value=found[0],
        unit="moves/s",
        peer=peer,
        beside=beside,
        must=must,
        aim=aim,
        does=LOOP.format(peer) + missing,
        chief=True,
    )
    must, aim = CORES[name]
    yield Figure(
        what=f"random games in the core: {name}",
        value=found[1] if compiled else None,
        unit="moves/s",
        peer=peer,
        beside=beside,
        must=must / there,
        aim=aim / there,
        does=CORE.format(peer, there) + missing,
        chief=True,
    )


def _played(begin: Callable[[], Game], chance: Random) -> int:
    """The moves of one game."""
    game = begin()
    moves = 0
    while moves < LONGEST and game.outcome() is None:
        game.push(game.random_move(chance))
        moves += 1
    return moves


def _played_by_peer(peer: ModuleType, chance: Random) -> int:
    """The same with python-chess or python-shogi."""
    board = peer.Board()
    moves = 0
    while moves < LONGEST and (legal := list(board.legal_moves)):
        board.push(chance.choice(legal))
        moves += 1
    return moves


def _simulation(game: Game) -> Callable[[], int] | None:
    try:
        alfil.simulate(game, 1)
    except AlfilError:
        return None
    return lambda: alfil.simulate(game, 20, seed=1).moves


def _lists() -> Iterator[Figure]:
    """From a position's text to the texts of its moves."""
    start = pyffish.start_fen("shogi")
    for what, name, text in (
        ("shogi, start", "shogi", alfil.load("shogi").game().sfen()),
        ("shogi, midgame", "shogi", MIDGAME),
        ("Hand shogi, start", "hand_shogi", alfil.load("hand_shogi").game().sfen()),
    ):
        variant = alfil.load(name).variant
        ours, theirs = best_rates(
            partial(rate, once(partial(_texts, variant, text)), SLICE),
            partial(rate, once(partial(pyffish.legal_moves, "shogi", start, [])), SLICE),
            rounds=SLICES,
        )
        yield Figure(
            what=f"text to legal moves: {what}",
            value=1e6 / ours,
            unit="µs",
            peer="pyffish",
            beside=1e6 / theirs,
            must=15,
            aim=30,
            does=LISTS,
            chief=True,
        )


def _texts(variant: Variant, text: str) -> list[str]:
    return [str(move) for move in Game(variant, text, core="pure").legal_moves]


def _large() -> Iterator[Figure]:
    library = alfil.load("taikyoku")
    kinds = tuple(replace(each, letter=each.code, base=each.code) for each in library.pieces)
    codes = [each.code for each in kinds if not each.royal]
    own = [
        Placed((at % 36, at // 36), 0, codes[at % len(codes)] if at else "K")
        for at in range(PIECES)
    ]
    other = [Placed((35 - at.square[0], 35 - at.square[1]), 1, at.code) for at in own]
    game = Game(Variant("large", "Large", 36, 36, Rules(), kinds, (*own, *other)))
    started = perf_counter()
    move = game.legal_moves[0]
    first = perf_counter() - started

    def again() -> int:
        game.push(move)
        game.pop()
        return len(game.legal_moves) and 1

    (once_more,) = best_rates(partial(rate, again))
    for when, seconds in (("first", first), ("again", 1 / once_more)):
        yield Figure(
            what=f"36×36, all moves of a side: {when}", value=seconds * 1e3, unit="ms", does=BIG
        )
