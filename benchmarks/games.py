"""Counts of move sequences and lists of legal moves, beside python-chess and pyffish."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter, process_time

import chess
import pyffish

import alfil
from alfil.play.game import Game
from benchmarks.measure import table

SHOGI = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"
MIDGAME = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124"
CHESS = chess.STARTING_FEN
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
# Millions of nodes a second of Fairy-Stockfish itself, counted in bulk on a two-core machine; the
# second on a game that is like hand shogi. pyffish has no count of its own.
NATIVE = {"shogi": 13.4, "hand_shogi": 15.2}
LONG_ENOUGH = 1.0  # seconds
ROUNDS = 200


def rate(count: Callable[[], int]) -> float:
    """Nodes a second of processor time, over so many counts that it can be trusted."""
    count()
    nodes, started = 0, process_time()
    while process_time() - started < LONG_ENOUGH:
        nodes += count()
    return nodes / (process_time() - started)


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


def fairy_count(start: str, moves: list[str], depth: int) -> int:
    """The same count with pyffish, which is asked once for every position."""
    found = pyffish.legal_moves("shogi", start, moves)
    if depth == 1:
        return len(found)
    return sum(fairy_count(start, [*moves, move], depth - 1) for move in found)


def counts() -> str:
    """The table of counts."""
    rows = []
    for name, text, depth in (
        ("shogi", SHOGI, 4),
        ("shogi", MIDGAME, 3),
        ("hand_shogi", None, 2),
        ("chess", CHESS, 4),
        ("chess", KIWIPETE, 3),
    ):
        game = alfil.load(name).game(text)
        ours = rate(lambda game=game, depth=depth: game.perft(depth, core="pure"))
        compiled = rate(lambda game=game, depth=depth: game.perft(depth + 1, core="fast"))
        native = NATIVE.get(name, 0) * 1e6
        shares = [f"{each / native:.2f}" if native else "" for each in (ours, compiled)]
        other, peer = "", ""
        if name == "chess":
            board = chess.Board(text or CHESS)
            their = rate(lambda board=board: chess_count(board, 3))
            other, peer = f"{ours / their:.1f}", "python-chess"
        elif text == SHOGI:
            their = rate(lambda: fairy_count(pyffish.start_fen("shogi"), [], 2))
            other, peer = f"{ours / their:.0f}", "pyffish"
        moves = len(game.legal_moves)
        found = [f"{ours / 1e6:.2f}", shares[0], f"{compiled / 1e6:.1f}", shares[1], other, peer]
        rows.append([name, f"{moves}", f"{depth}", *found])
    title = (
        "Sequences of legal moves counted, in bulk at the last move: millions a second in pure"
        " Python and, one move deeper, by the compiled core, each against the published rate of"
        " Fairy-Stockfish itself; and times as fast pure Python is as"
    )
    heads = ["game", "moves", "depth", "M/s", "of native", "compiled", "of native", "times", ""]
    return table(title, heads, rows)


def micros(ask: Callable[[], object]) -> float:
    """The median time of a call in µs."""
    ask()
    spent = []
    for _ in range(ROUNDS):
        started = perf_counter()
        ask()
        spent.append((perf_counter() - started) * 1e6)
    return median(spent)


def lists() -> str:
    """The table of lists of moves, from a position's text to the texts of its moves."""
    start = pyffish.start_fen("shogi")
    their = micros(lambda: pyffish.legal_moves("shogi", start, []))
    rows = [["pyffish", "shogi, start", "30", f"{their:.0f}", "1"]]
    for name, what, text in (
        ("shogi", "shogi, start", SHOGI),
        ("shogi", "shogi, midgame", MIDGAME),
        ("hand_shogi", "hand shogi, start", alfil.load("hand_shogi").game().sfen()),
    ):
        variant = alfil.load(name).variant
        ours = micros(lambda v=variant, t=text: [str(move) for move in Game(v, t).legal_moves])
        moves = len(Game(variant, text).legal_moves)
        rows.append(["alfil", what, f"{moves}", f"{ours:.0f}", f"{their / ours:.0f}"])
    title = "From a position's text to the texts of its legal moves: µs, and times as fast"
    return table(title, ["", "position", "moves", "µs", "times"], rows)


def report() -> str:
    """Both tables."""
    return f"{counts()}\n{lists()}"
