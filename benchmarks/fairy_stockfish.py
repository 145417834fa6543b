"""Fairy-Stockfish as a program of its own: found, or built from the source that pyffish comes in.

ALFIL_FAIRY_STOCKFISH names one; otherwise the one is taken that an earlier run built, or that can
be built now, and where that fails the ``fairy-stockfish`` on PATH. It is GPL; it is called, and
nothing of it is copied.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pyffish

from benchmarks.measure import BUILD, HOME, spent_by

NAMED = "ALFIL_FAIRY_STOCKFISH"
# What makes it quickest: a peer that is built badly proves nothing.
FLAGS = ("-std=c++17", "-O3", "-march=native", "-flto=auto", "-fno-exceptions")
CHOSEN = ("NDEBUG", "IS_64BIT", "USE_PTHREADS", "USE_POPCNT", "LARGEBOARDS", "PRECOMPUTED_MAGICS")
ASKED = [f"-D{each}" for each in (*CHOSEN, "ALLVARS", "NNUE_EMBEDDING_OFF")]
FOR_PYTHON = {"pyffish.cpp", "ffishjs.cpp"}
# A game that has every move of Hand shogi and more, for the program has no rule for the file of a
# soldier that is moved, for a drop that must give check, nor for zones of drops by kind.
HAND_SHOGI = HOME / "tests" / "cases" / "hand_shogi_like.ini"


@cache
def program() -> Path | None:
    """The program; None where it is neither found nor can be built."""
    built, named = BUILD / "fairy-stockfish", os.environ.get(NAMED)
    if named or built.exists():
        return Path(named or built)
    try:
        return _build(built)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"Fairy-Stockfish cannot be built: {error}", file=sys.stderr)
        found = shutil.which("fairy-stockfish")
        return Path(found) if found else None


def _build(target: Path) -> Path:
    """Compile the sources in pyffish's package, which pip fetches; it takes a minute or two."""
    print("Fairy-Stockfish is built, once; that takes a minute or two", file=sys.stderr, flush=True)
    with TemporaryDirectory() as name:
        folder = Path(name)
        pip = (sys.executable, "-m", "pip", "download", "--no-deps", "--no-binary", "pyffish")
        _call(*pip, "-d", folder, "pyffish")
        with tarfile.open(next(folder.glob("*.tar.gz"))) as archive:
            archive.extractall(folder, filter="data")
        home = next(folder.glob("*/src"))
        units = [each for each in home.rglob("*.cpp") if each.name not in FOR_PYTHON]

        pext = ["-DUSE_PEXT"] if _knows_pext() else []

        def compiled(unit: Path) -> Path:
            _call(
                "c++", *FLAGS, *ASKED, *pext, "-I", home, "-c", "-o", unit.with_suffix(".o"), unit
            )
            return unit.with_suffix(".o")

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(compiled, units))
        target.parent.mkdir(parents=True, exist_ok=True)
        _call("c++", *FLAGS, "-o", target, *objects, "-lpthread")
    return target


def _knows_pext() -> bool:
    """Whether the processor can gather bits, as far as can be told."""
    information = Path("/proc/cpuinfo")
    return information.exists() and " bmi2 " in information.read_text(encoding="utf-8")


def _call(*command: str | Path) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _orders(variant: str, *orders: str) -> str:
    """What the program is told before it plays a variant, and then."""
    lines = [
        "uci",
        "setoption name Use NNUE value false",
        f"setoption name VariantPath value {HAND_SHOGI}",
        f"setoption name UCI_Variant value {variant}",
        *orders,
    ]
    return "\n".join([*lines, ""])


def knows(variant: str, fen: str) -> bool:
    """Whether there is a program, and it has the first moves in a position that pyffish has.

    Older ones read a variant's text in their own way, and play another game.
    """
    if not program():
        return False
    if variant not in pyffish.variants():
        pyffish.load_variant_config(HAND_SHOGI.read_text(encoding="utf-8"))
    moves = pyffish.legal_moves(variant, fen or pyffish.start_fen(variant), [])
    return counted(variant, fen, 1)[0] == len(moves)


def perft_rate(variant: str, fen: str, depth: int) -> float:
    """Nodes counted in a second of the processor, in a second or more, without what it takes to
    start.
    """
    _, starting = counted(variant, fen, 1)
    nodes, spent = counted(variant, fen, depth)
    times = 1 + int(1 / max(spent - starting, 0.01))
    _, spent = counted(variant, fen, depth, times)
    return nodes * times / (spent - starting)


def counted(variant: str, fen: str, depth: int, times: int = 1) -> tuple[int, float]:
    """The nodes of one count, and the processor's seconds for a process that counts so often."""
    position = f"position {f'fen {fen}' if fen else 'startpos'}"
    counts = [f"go perft {depth}"] * times
    spent, said = spent_by([str(program())], _orders(variant, position, *counts, "quit"))
    return int(said.rpartition("Nodes searched: ")[2]), spent


def depth_of(variant: str) -> int:
    """How many moves ahead it has looked at the start when a second is over."""
    with subprocess.Popen(
        [str(program())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(_orders(variant, "position startpos", "go movetime 1000"))
        process.stdin.flush()
        depth = 0
        for line in process.stdout:
            if line.startswith("bestmove"):
                break
            if line.startswith("info depth "):
                depth = int(line.split()[2])
        process.stdin.write("quit\n")
    return depth


def version() -> str:
    """What the program calls itself, and whether it was built for this."""
    found = program()
    if found is None:
        return "none"
    origin = "built for this" if found.parent == BUILD else "found"
    return f"{spent_by([found], 'quit' + chr(10))[1].partition(chr(10))[0]} ({origin})"
