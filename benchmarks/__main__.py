"""Print every table, or those named: `python -m benchmarks strings growth`."""

from __future__ import annotations

import platform
import sys
from importlib import import_module

SECTIONS = (
    "strings",
    "processes",
    "worst",
    "growth",
    "pairs",
    "translations",
    "diagrams",
    "library",
    "games",
    "strength",
)


def main(names: list[str]) -> int:
    """Print the sections asked for, all of them when none is; 2 for a name that is none."""
    unknown = set(names) - set(SECTIONS)
    if unknown:
        print(f"no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
        return 2
    print(f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}\n")
    for name in names or SECTIONS:
        print(import_module(f"benchmarks.{name}").report(), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
