"""Games played at random, and what a program asks of a game, beside programs made for one game."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import chess
import chess.pgn
import pyffish

import alfil
from alfil.game.variant import Variant
from alfil.play.game import Game
from benchmarks.counts import MIDGAME
from benchmarks.figures import Figure
from benchmarks.measure import ask, beside, in_turn, middle, once
from benchmarks.worker import Job

try:
    import cshogi
except ImportError:  # there is no wheel of it for every machine
    cshogi = None

# Seconds that a list is asked for at a time, and how often, in turn with the peer. A machine may be
# quick and slow by turns of some seconds; so each of both meets its quick ones.
SLICE, SLICES = 0.1, 15
LONGEST = 300  # moves of a game played at random
PLIES, PICKLED = 80, 60  # of a game that is read, and before it is packed
GAMES, PATIENCE = 500, 600  # in a file of PGN, and seconds until it counts as hanging
LOOP = (
    "games by chance from the start, up to 300 moves each: whether the game is over, a list of all"
    " legal moves, one of them made. alfil: `Game.outcome`, `Game.legal_moves`, `Game.push`; {0}."
    " Moves in a second of the processor."
)
CHESS = LOOP.format("python-chess: `Board.is_game_over`, `list(Board.legal_moves)`, `push`")
SHOGI = LOOP.format(
    "cshogi, which is C++: `Board.is_game_over`, `is_draw`, `list(Board.legal_moves)`, `push`"
)
UNASKED = (
    " Here python-chess is not asked whether the game is over: it plays until no move is left."
)
LOADED = " Each game of alfil's begins with `alfil.load(…).game()`."
SIMULATE = (
    "`alfil.simulate`: games by chance within the engine, one call, one thread; the other program"
    " in the loop above."
)
ACTS = (
    f"a game of chess of {PLIES} plies by chance. Push and pop: each legal move of each of its"
    " positions made and taken back. SAN: `Game.push(text)`; `Board.push_san`. FEN: each of its"
    " positions, `Game(variant, fen).legal_moves`; `list(Board(fen).legal_moves)`. Pickle:"
    f" `pickle.loads(pickle.dumps(…))` with the {PICKLED} moves to take back. In a second of the"
    " processor."
)
PGN = (
    f"{GAMES} games of {PLIES} plies by chance, read from a file by a fresh process that keeps them"
    " all, the median of 3: `alfil.records.load_games`; `chess.pgn.read_game`."
)
LISTS = (
    "`Game(variant, text).legal_moves` as strings; one call of `pyffish.legal_moves` at the start"
    " of shogi, which is the quickest of the three for it; the best of 15 slices of a tenth of a"
    " second, in turn."
)


def measured() -> Iterator[Figure]:
    """Games by chance, single acts, a file of games, and lists of moves."""
    yield from _loops()
    yield from _acts()
    yield from _records()
    yield from _lists()


class Loop(NamedTuple):
    """A row of games by chance: with which program, and how its figures are to be."""

    what: str
    game: str
    peer: str
    play: Callable[[Random], int] | None
    does: str
    must: float | None = None
    aim: float | None = None
    loads: bool = False


def _loops() -> Iterator[Figure]:
    """Games by chance through `Game`, and within the engine."""
    until_stuck = partial(_with_python_chess, asks=False)
    shogi = _with_cshogi if cshogi else None
    for loop in (
        Loop("chess", "chess", "python-chess", _with_python_chess, CHESS, 1.5, 3),
        Loop("chess, until stuck", "chess", "python-chess", until_stuck, CHESS + UNASKED),
        Loop(
            "chess, loaded", "chess", "python-chess", _with_python_chess, CHESS, 1, 1.5, loads=True
        ),
        Loop("shogi", "shogi", "cshogi", shogi, SHOGI, 0.1, 0.3),
        Loop("shogi, loaded", "shogi", "cshogi", shogi, SHOGI, loads=True),
    ):
        yield _loop(loop)
    for name, peer, play, must, aim in (
        ("chess", "python-chess", _with_python_chess, 15.1, 56),
        ("shogi", "cshogi", shogi, None, None),
    ):
        game = alfil.load(name).game()
        yield beside(
            partial(_simulated, game),
            play and partial(play, Random(1)),
            what=f"random games in the engine: {name}",
            unit="moves/s",
            peer=peer,
            must=must,
            aim=aim,
            does=SIMULATE,
            seconds=1.0,
        )


def _loop(loop: Loop) -> Figure:
    library = alfil.load(loop.game)
    begin = (lambda: alfil.load(loop.game).game()) if loop.loads else library.game
    return beside(
        partial(_with_alfil, begin, Random(1)),
        loop.play and partial(loop.play, Random(1)),
        what=f"random games, lists of moves: {loop.what}",
        unit="moves/s",
        peer=loop.peer,
        must=loop.must,
        aim=loop.aim,
        does=loop.does + (LOADED if loop.loads else ""),
        seconds=1.0,
    )


def _with_alfil(begin: Callable[[], Game], chance: Random) -> int:
    """The moves of one game."""
    game = begin()
    moves = 0
    while moves < LONGEST and game.outcome() is None:
        game.push(chance.choice(game.legal_moves))
        moves += 1
    return moves


def _with_python_chess(chance: Random, *, asks: bool = True) -> int:
    board = chess.Board()
    moves = 0
    while moves < LONGEST and not (asks and board.is_game_over()):
        legal = list(board.legal_moves)
        if not legal:
            break
        board.push(chance.choice(legal))
        moves += 1
    return moves


def _with_cshogi(chance: Random) -> int:
    board = cshogi.Board()
    moves = 0
    while moves < LONGEST and not board.is_game_over() and not board.is_draw():
        board.push(chance.choice(list(board.legal_moves)))
        moves += 1
    return moves


def _simulated(game: Game) -> int:
    return alfil.simulate(game, 20, seed=1).moves


def _acts() -> Iterator[Figure]:
    """What a program asks of a game of chess, one act at a time."""
    variant = alfil.load("chess").variant
    played = _by_chance(PLIES, Random(1))
    boards = [played.root()]
    for move in played.move_stack:
        boards.append(boards[-1].copy())
        boards[-1].push(move)
    texts = [board.san(move) for board, move in zip(boards, played.move_stack, strict=False)]
    fens = [board.fen() for board in boards]
    games = [Game(variant)]
    for text in texts:
        games.append(games[-1].copy())
        games[-1].push(text)
    acts: dict[str, tuple[Callable[[], int], Callable[[], int], float, float]] = {
        "push and pop": (
            _taking_back(games),
            _taking_back(boards),
            1,
            2,
        ),
        "SAN to moves": (
            lambda: _pushed(Game(variant).push, texts),
            lambda: _pushed(chess.Board().push_san, texts),
            0.7,
            1,
        ),
        "FEN to a list of moves": (
            lambda: _pushed(lambda fen: Game(variant, fen).legal_moves, fens),
            lambda: _pushed(lambda fen: list(chess.Board(fen).legal_moves), fens),
            1,
            2,
        ),
        f"pickle and back after {PICKLED} moves": (
            once(partial(_packed, games[PICKLED])),
            once(partial(_packed, boards[PICKLED])),
            0.5,
            1,
        ),
    }
    for what, (ours, theirs, must, aim) in acts.items():
        yield beside(
            ours,
            theirs,
            what=f"chess: {what}",
            unit="/s",
            peer="python-chess",
            must=must,
            aim=aim,
            does=ACTS,
        )


def _by_chance(plies: int, chance: Random) -> chess.Board:
    """A game of chess so long, played at random."""
    while True:
        board = chess.Board()
        while len(board.move_stack) < plies and not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
        if len(board.move_stack) == plies:
            return board


def _taking_back(games: Sequence[Any]) -> Callable[[], int]:
    """Each legal move of each game made and taken back; alfil and python-chess say it alike."""
    listed = [(game, list(game.legal_moves)) for game in games]

    def work() -> int:
        for game, moves in listed:
            for move in moves:
                game.push(move)
                game.pop()
        return sum(len(moves) for _, moves in listed)

    return work


def _pushed(act: Callable[[str], object], texts: Sequence[str]) -> int:
    for text in texts:
        act(text)
    return len(texts)


def _packed(game: object) -> object:
    return pickle.loads(pickle.dumps(game))


def _records() -> Iterator[Figure]:
    """A file of games in PGN, and the memory of the process that has read it."""
    chance = Random(1)
    games = [chess.pgn.Game.from_board(_by_chance(PLIES, chance)) for _ in range(GAMES)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.pgn"
        path.write_text("\n\n".join(map(str, games)), encoding="utf-8")
        job: Job = {"path": str(path)}
        samples = [
            partial(ask, f"PGN, {each}", [job], timeout=PATIENCE)
            for each in ("alfil", "python-chess")
        ]
        ours, theirs = (middle(found, 0) for found in in_turn(*samples))
    yield Figure(
        what="PGN read",
        value=float(ours["total"]),
        unit="s",
        peer="python-chess",
        beside=float(theirs["total"]),
        must=0.5,
        aim=1,
        does=PGN,
    )
    yield Figure(
        what="PGN read: memory of the process",
        value=float(ours["peak"]),
        unit=f"MiB; python-chess {float(theirs['peak']):.0f}",
        must=150,
        aim=80,
        at_most=True,
        does=PGN,
    )


def _lists() -> Iterator[Figure]:
    """From a position's text to the texts of its moves."""
    start = pyffish.start_fen("shogi")
    for what, name, text in (
        ("shogi, start", "shogi", alfil.load("shogi").game().position_text()),
        ("shogi, midgame", "shogi", MIDGAME),
        ("Hand shogi, start", "hand_shogi", alfil.load("hand_shogi").game().position_text()),
    ):
        yield beside(
            once(partial(_texts, alfil.load(name).variant, text)),
            once(partial(pyffish.legal_moves, "shogi", start, [])),
            what=f"text to legal moves: {what}",
            unit="/s",
            peer="pyffish",
            must=15,
            aim=30,
            does=LISTS,
            seconds=SLICE,
            rounds=SLICES,
        )


def _texts(variant: Variant, text: str) -> list[str]:
    return [str(move) for move in Game(variant, text).legal_moves]
