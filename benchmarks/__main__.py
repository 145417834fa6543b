"""`python -m benchmarks`: measure, and print one table, or write the last into the documents.

Sections can be named, as in ``python -m benchmarks counts texts``. What a run finds is kept as JSON
in build/bench/. ``--publish`` writes the newest run of all sections into README.md,
docs/performance.md and the picture of both.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import monotonic

from benchmarks import fairy_stockfish
from benchmarks.figures import Curve, Figure, as_text, verdict
from benchmarks.measure import BUILD, HOME
from benchmarks.publish import publish

Results = list[Figure | Curve]
# Each section and the function that measures it.
SECTIONS = {
    "counts": "counts:measured",
    "playing": "playing:measured",
    "boards": "boards:measured",
    "texts": "texts:measured",
    "pictures": "pictures:measured",
    "commands": "commands:measured",
    "opponent": "strength:measured",
    "meanings": "meanings:measured",
    "growth": "growth:measured",
}
# These take many minutes more, and are measured where they are named.
LONG = {
    "million": "meanings:many",
    "strength": "strength:matches",
    "endurance": "endurance:measured",
    "learning": "learning:measured",
    "cluster": "cluster:measured",
}
# These have Fairy-Stockfish play or count, as a program of its own that may have to be built.
NATIVE = {"counts", "opponent", "strength"}
PEERS = ("pyffish", "chess", "cshogi", "betza-visualizer")


def main() -> int:
    """Measure or publish; 1 where a target does not hold."""
    options = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    options.add_argument(
        "sections",
        nargs="*",
        metavar="SECTION",
        help=f"{', '.join(SECTIONS)}, which are all unless some are named; {', '.join(LONG)}",
    )
    options.add_argument("--publish", action="store_true", help="write the last run into documents")
    given = options.parse_args()
    known = SECTIONS | LONG
    if set(given.sections) - set(known):
        options.error(f"there are the sections {', '.join(known)}")
    if given.publish:
        return publish()
    sections = {name: known[name] for name in given.sections or SECTIONS}
    about = machine(native=not NATIVE.isdisjoint(sections))
    results: Results = []
    kept = BUILD / f"{datetime.now(UTC):%Y%m%d-%H%M%S}.json"
    done: list[str] = []
    for name, where in sections.items():
        begun = monotonic()
        for each in measure(where):
            results.append(each)
            if isinstance(each, Figure):
                print(*each.cells(), sep=" | ", file=sys.stderr, flush=True)
            keep(kept, about, done, results)
        print(f"{name}: {monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
        done.append(name)
        keep(kept, about, done, results)
    figures = [each for each in results if isinstance(each, Figure)]
    print(about, as_text(figures), sep="\n\n")
    for each in results:
        if isinstance(each, Curve):
            print(f"\n{each.plot()}")
    print(f"\n{verdict(figures)}; kept in {kept.relative_to(HOME)}")
    return int(any(figure.holds is False for figure in figures))


def measure(where: str) -> Iterator[Figure | Curve]:
    """What one section finds, one after the other."""
    module, _, name = where.partition(":")
    found: Callable[[], Iterator[Figure | Curve]]
    found = getattr(import_module(f"benchmarks.{module}"), name)
    return found()


def machine(*, native: bool) -> str:
    """What this was measured on, and with which versions; that of a native peer where one plays."""
    model = platform.processor() or platform.machine()
    information = Path("/proc/cpuinfo")
    if information.exists():
        names = [line for line in information.read_text().splitlines() if "model name" in line]
        model = names[0].partition(": ")[2] if names else model
    peers = ", ".join(f"{name} {installed(name)}" for name in PEERS)
    if native:
        peers += f"; {fairy_stockfish.version()}"
    return (
        f"{datetime.now(UTC):%Y-%m-%d}, {model}, {os.cpu_count()} cores,"
        f" {platform.system()}, {platform.python_implementation()} {platform.python_version()},"
        f" alfil {installed('alfil')}; {peers}"
    )


def installed(name: str) -> str:
    """The version of a package."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def keep(path: Path, about: str, sections: list[str], results: Results) -> None:
    """Write what is known so far, and which sections are whole."""
    data = {
        "machine": about,
        "sections": sections,
        "figures": [
            {**asdict(each), "ratio": each.ratio, "holds": each.holds}
            for each in results
            if isinstance(each, Figure)
        ],
        "curves": [asdict(each) for each in results if isinstance(each, Curve)],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
