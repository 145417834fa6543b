"""The measured process: reads jobs as JSON on standard input, answers each with its times.

A fresh interpreter each time, so no result of an earlier text can be found in a cache: whoever
sends the same text twice to one process measures the cache. Before the first job one unrelated
text of each notation is read, so that loading a grammar is not part of any figure.
"""

from __future__ import annotations

import json
import os
import pickle
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import alfil

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


PROGRAMS: dict[str, Callable[[Job], Answer]] = {
    "alfil": with_alfil,
    "betza-visualizer": with_betza_visualizer,
    "Fairy-Stockfish": with_fairy_stockfish,
}
WARM_UP: tuple[Job, ...] = (
    {"text": "rbH5", "board": 5},
    {"text": "3×1dSW", "notation": "hasinu", "board": 5},
)


def main() -> None:
    """Answer the jobs on standard input with the program named on the command line."""
    program = PROGRAMS[sys.argv[1]]
    jobs = json.load(sys.stdin)
    answers_to = os.dup(1)
    # The peers report what they skip on both streams; the answers keep a stream of their own.
    with open(os.devnull, "w") as nowhere:  # noqa: PTH123 - a descriptor is wanted, not a path
        os.dup2(nowhere.fileno(), 1)
        if program is not with_alfil:
            os.dup2(nowhere.fileno(), 2)
        for job in WARM_UP if program is with_alfil else WARM_UP[:1]:
            program(job | {"number": "WarmUp"})
        answers = [program(job | {"number": number}) for number, job in enumerate(jobs)]
    with os.fdopen(answers_to, "w") as stream:
        json.dump(answers, stream)


if __name__ == "__main__":
    main()
