"""The measured process: reads jobs as JSON on standard input, answers each with its times.

A fresh interpreter each time, so no result of an earlier text can be found in a cache: whoever
sends the same text twice to one process measures the cache. Before the first text one unrelated
text of each notation is read, so that loading a grammar is not part of any figure. Programs that
others are not to share their memory with are imported where they are asked.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

import alfil

if TYPE_CHECKING:
    from alfil.game.variant import Variant

Job = dict[str, str | int]
Answer = dict[str, str | float]

FEN = "4k4/9/9/9/4A4/9/9/9/4K4 w - - 0 1"
VARIANT = "\n[bench{number}:chess]\nmaxRank = 9\nmaxFile = i\ncustomPiece1 = a:{text}\n"


def peak() -> float:
    """The most memory this process has had so far, in MiB."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:  # where there is no such file, what started this process is counted too
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def with_alfil(job: Job) -> Answer:
    """Read a text and compile it to the relative table for a square board of ``board`` files.

    The most ``memory`` is told where it is asked for: no peer reads a file between two texts.
    """
    text, notation, board = str(job["text"]), str(job.get("notation", "betza")), int(job["board"])
    try:
        started = process_time()
        piece = alfil.read(text, notation=notation)
        read = process_time()
        table = alfil.compile(piece, files=board, ranks=board)
        done = process_time()
    except alfil.AlfilError as error:
        spent = process_time() - started
        return {"outcome": error.kind, "total": spent} | _memory(job)
    measured: Answer = {"outcome": "table", "total": done - started}
    measured |= {"read": read - started, "compile": done - read, "size": size(table)}
    return measured | _memory(job)


def _memory(job: Job) -> Answer:
    return {"peak": peak()} if "memory" in job else {}


def size(table: object) -> int:
    """How many bytes a table takes when saved."""
    return len(pickle.dumps(table, protocol=pickle.HIGHEST_PROTOCOL))


def with_betza_visualizer(job: Job) -> Answer:
    """Parse a Betza string to betza-visualizer's list of squares on an empty 9×9 board."""
    from betza_visualizer import BetzaParser  # noqa: PLC0415 - no part of alfil's memory

    parser = BetzaParser()
    started = process_time()
    try:
        parser.parse(str(job["text"]), board_size=9)
    except Exception as error:  # noqa: BLE001 - whatever it raises is its answer
        return {"outcome": type(error).__name__, "total": process_time() - started}
    return {"outcome": "squares", "total": process_time() - started}


def with_fairy_stockfish(job: Job) -> Answer:
    """Load a variant whose one piece has the string; list the legal moves of its start position."""
    import pyffish  # noqa: PLC0415 - it prints when loaded, so only the process that needs it does

    variant = VARIANT.format(number=job["number"], text=job["text"])
    started = process_time()
    pyffish.load_variant_config(variant)
    pyffish.legal_moves(f"bench{job['number']}", FEN, [])
    return {"outcome": "moves", "total": process_time() - started}


def pgn_with_alfil(job: Job) -> Answer:
    """Read a file of games, and keep them."""
    from alfil import records  # noqa: PLC0415

    started = process_time()
    games = records.load_games(str(job["path"]))
    spent = process_time() - started
    moves = sum(len(each.game.moves) for each in games)
    return {"outcome": "games", "total": spent, "size": moves, "peak": peak()}


def pgn_with_python_chess(job: Job) -> Answer:
    """The same."""
    import chess.pgn  # noqa: PLC0415

    started = process_time()
    with Path(str(job["path"])).open(encoding="utf-8") as stream:
        games = [*iter(lambda: chess.pgn.read_game(stream), None)]
    spent = process_time() - started
    moves = sum(each.end().ply() for each in games)
    return {"outcome": "games", "total": spent, "size": moves, "peak": peak()}


def large_board(job: Job) -> Answer:
    """A game of taikyoku's pieces on a square board, nearly a third of it each side's."""
    from alfil.game.variant import Rules, StartingPiece, Variant  # noqa: PLC0415

    size = int(job["board"])
    library = alfil.load("taikyoku")
    kinds = tuple(replace(each, letter=each.code, base=each.code) for each in library.pieces)
    codes = [each.code for each in kinds if not each.royal]
    own = [
        StartingPiece((at % size, at // size), 0, codes[at % len(codes)] if at else "K")
        for at in range(size * size * 402 // 36**2)
    ]
    other = [
        StartingPiece((size - 1 - at.square[0], size - 1 - at.square[1]), 1, at.code) for at in own
    ]
    variant = Variant("large", "Large", size, size, Rules(), kinds, (*own, *other))
    return _spent(variant, str(job["does"]))


def _spent(variant: Variant, does: str) -> Answer:
    started = process_time()
    game = alfil.Game(variant)
    if does == "perft":
        game.perft(2)
    elif does == "opponent":
        from alfil import Opponent  # noqa: PLC0415

        Opponent(variant, nodes=1_000).choose(game)
    else:
        len(game.legal_moves)
    return {"outcome": does, "total": process_time() - started, "peak": peak()}


PROGRAMS: dict[str, Callable[[Job], Answer]] = {
    "alfil": with_alfil,
    "betza-visualizer": with_betza_visualizer,
    "Fairy-Stockfish": with_fairy_stockfish,
    "PGN, alfil": pgn_with_alfil,
    "PGN, python-chess": pgn_with_python_chess,
    "large board": large_board,
}
WARM_UP: tuple[Job, ...] = (
    {"text": "rbH5", "board": 5},
    {"text": "3×1dSW", "notation": "hasinu", "board": 5},
)
# How many of these a program is given; the others read no notation.
WARMED = {"alfil": 2, "betza-visualizer": 1, "Fairy-Stockfish": 1}


def main() -> None:
    """Answer the jobs on standard input with the program named on the command line."""
    program = PROGRAMS[sys.argv[1]]
    jobs = json.load(sys.stdin)
    answers_to = os.dup(1)
    # The peers report what they skip on both streams; the answers keep a stream of their own.
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a descriptor is wanted, not a path
        os.dup2(nowhere.fileno(), 1)
        if sys.argv[1] in {"betza-visualizer", "Fairy-Stockfish"}:
            os.dup2(nowhere.fileno(), 2)
        for job in WARM_UP[: WARMED.get(sys.argv[1], 0)]:
            program(job | {"number": "WarmUp"})
        answers = [program(job | {"number": number}) for number, job in enumerate(jobs)]
    with os.fdopen(answers_to, "w") as stream:
        json.dump(answers, stream)


if __name__ == "__main__":
    main()
