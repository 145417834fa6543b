"""`make fuzz`: texts, files, boards and names of every kind, for as long as you like.

    python tests/fuzz --seconds 3600 --jobs 2 --seed mine
    python tests/fuzz --totals

Counts are kept in build/fuzz.tsv, by date and seed. A run with a seed that was tried before goes on
behind what was tried, so no input is counted twice; runs at one time want seeds of their own.

What breaks a law (tests/fuzz/laws.py) is made small and added to tests/fuzz/finds.tsv, which the
tests run. What takes long is told; how much work a text may be is for alfil to limit.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import sys
import time
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(1, str(Path(__file__).parents[1]))

from hunt import Count, Turn, hunt, keep, note, turns
from laws import LAWS

# How much of the time each kind of input gets.
SHARES = {"read": 4, "whole": 6, "game": 2}
ROUND = 1.0  # seconds that a kind is tried at a time
# Looking for garbage each 700 objects, beside all that is remembered, is a sixth of the time.
GC_THRESHOLD = 50_000


def lap(given: tuple[list[str], str, int]) -> list[tuple[Turn, Count]]:
    """Each kind of input for a while, with a seed that no other lap has."""
    kinds, seed, number = given
    done = []
    for kind in kinds:
        begun = time.process_time()
        count = hunt(kind, f"{seed} {number}", itertools.count(), ROUND * SHARES.get(kind, 1))
        took = round(time.process_time() - begun, 1)
        date = time.strftime("%Y-%m-%d")
        counts = (count.inputs, count.answered, len(count.finds))
        done.append((Turn(date, seed, number, kind, *counts, took), count))
    return done


def run(options: argparse.Namespace) -> int:
    """Try for as long as is asked; how many inputs broke a law."""
    kinds, end, broke = options.only.split(","), time.monotonic() + options.seconds, 0
    tried = [each.lap for each in turns() if each.seed == options.seed]
    numbers = itertools.count(max(tried, default=-1) + 1)
    with Pool(options.jobs, gc.set_threshold, (GC_THRESHOLD,)) as pool:
        while time.monotonic() < end:
            laps = [(kinds, options.seed, next(numbers)) for _ in range(options.jobs)]
            for turn, count in itertools.chain.from_iterable(pool.imap_unordered(lap, laps)):
                note(turn)
                keep(count.finds)
                broke += turn.broke
                for find in count.finds:
                    print(f"found: {find.kind} {find.given!a}: {find.broken}", flush=True)
                for seconds, given in count.slow:
                    print(f"slow: {turn.kind} {seconds} s {given!a}"[:400], flush=True)
    return broke


def tell(told: list[Turn]) -> None:
    """The sum of some turns, by kind."""
    dates = sorted({each.date for each in told})
    seeds = ", ".join(sorted({each.seed for each in told}))
    print(f"{' to '.join(dates[:1] + dates[1:][-1:])}, seeds {seeds}")
    heads = ("inputs", "answered", "broke", "seconds", "a second")
    print("kind      ", "{:>12} {:>12} {:>6} {:>9} {:>9}".format(*heads))
    for kind in dict.fromkeys(each.kind for each in told):
        rows = [each for each in told if each.kind == kind]
        inputs, answered, broke = (sum(each[at] for each in rows) for at in (4, 5, 6))
        seconds = sum(each.seconds for each in rows)
        rate = inputs / max(seconds, 1)
        print(f"{kind:10} {inputs:12,} {answered:12,} {broke:6} {seconds:9,.0f} {rate:9,.0f}")


def main() -> int:
    """Try, count, and keep what is found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60, help="how long, by the clock")
    parser.add_argument("--seed", default=time.strftime("%Y-%m-%d"), help="which inputs")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--only", default=",".join(LAWS), help="kinds of inputs, with commas")
    parser.add_argument("--totals", action="store_true", help="try nothing, tell what was tried")
    options = parser.parse_args()
    broke = 0 if options.totals else run(options)
    tell(turns())
    return bool(broke)


if __name__ == "__main__":
    sys.exit(main())
