"""`make fuzz`: texts, files, boards and names of every kind, for as long as you like.

    python tests/fuzz --seconds 3600 --jobs 2 --seed mine

What breaks a law (tests/fuzz/laws.py) is made small and added to tests/fuzz/finds.tsv, which the
tests run. What takes long is told; how much work a text may be is for alfil to limit.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import time
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(1, str(Path(__file__).parents[1]))

from hunt import Count, Find, hunt, keep
from laws import LAWS

# How much of the time each kind of input gets.
SHARES = {"read": 4, "whole": 6, "game": 2}
ROUND = 5.0  # seconds that a kind is tried at a time


def turn(given: tuple[str, str]) -> tuple[str, Count]:
    """One kind of input for a while."""
    kind, seed = given
    return kind, hunt(kind, seed, itertools.count(), ROUND * SHARES.get(kind, 1))


def main() -> int:
    """Try, count, and keep what is found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60, help="how long, by the clock")
    parser.add_argument("--seed", default=time.strftime("%Y-%m-%d"), help="which inputs")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--only", default=",".join(LAWS), help="kinds of inputs, with commas")
    options = parser.parse_args()
    kinds, end = options.only.split(","), time.monotonic() + options.seconds
    counts = dict.fromkeys(kinds, (0, 0))
    finds: list[Find] = []

    laps = itertools.count()
    with Pool(options.jobs) as pool:
        while time.monotonic() < end:
            # A seed of its own for each turn, so that none needs to know how far another came.
            lap = f"{options.seed} {next(laps)}"
            for kind, count in pool.imap_unordered(turn, [(kind, lap) for kind in kinds]):
                inputs, answered = counts[kind]
                counts[kind] = inputs + count.inputs, answered + count.answered
                finds += count.finds
                keep(count.finds)
                for find in count.finds:
                    print(f"found: {find.kind} {find.given!a}: {find.broken}", flush=True)
                for seconds, given in count.slow:
                    print(f"slow: {kind} {seconds} s {given!a}"[:400], flush=True)
    print(f"seed {options.seed}: kind, inputs, answered with more than an error")
    for kind, (inputs, answered) in counts.items():
        print(f"{kind:10} {inputs:10,} {answered:10,}")
    print(f"{len(finds)} broke a law")
    return bool(finds)


if __name__ == "__main__":
    sys.exit(main())
