"""Which tests are run on a mutant, and in which order: most die by one of the first.

Three orders take turns: tests that noticed another change of that file, from the nearest line on;
tests that are about that file; quick tests of many files.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import TypeAlias

from changes import Mutant
from judge import Judge, Record, Tests, file_of

# Seconds of the processor that differ too little to wait for.
QUICK = 0.02
# A test that is not about a file at all waits a thousand times as long as one about nothing else.
FAR = 0.001
# What is known to have become of a mutant.
Known: TypeAlias = Callable[[Mutant], str]


class Order:
    """What tests reach, and the tests for each mutant."""

    def __init__(self, judge: Judge, records: Record, drawn: list[Mutant], known: Known) -> None:
        self._judge, self._drawn, self._known = judge, drawn, known
        self._took = {test: took for test, (took, _) in records.items() if test in judge.items}
        self._reaching: dict[str, list[str]] = defaultdict(list)
        for test in self._took:
            for block in records[test][1]:
                self._reaching[block].append(test)
        self._about = self._shares(records)

    def _shares(self, records: Record) -> dict[str, Counter[str]]:
        """Of each test, and of each file of tests, how much of it is about each file of alfil.

        A block counts the less the more tests reach it.
        """
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for test in self._took:
            for block in records[test][1]:
                found[test][block.partition(":")[0]] += 1 / len(self._reaching[block])
            whole = found[test].total()
            for path in found[test]:
                found[test][path] /= whole
        of_file = Counter(map(file_of, self._took))
        for test in self._took:
            file = file_of(test)
            for path, share in found[test].items():
                found[file][path] += share / of_file[file]
        return found

    def wanted(self, mutant: Mutant) -> tuple[Mutant, Tests]:
        """The tests to run on a mutant; outside functions those that use what a statement binds."""
        found: set[str] = set()
        if mutant.inside:
            found.update(self._reaching.get(f"{mutant.path}:{mutant.block}", ()))
            if found:
                return mutant, self._in_order(mutant, found, ())
        for block in self._judge.mentioning(mutant.names):
            found.update(self._reaching.get(block, ()))
        if not found:  # it is used while modules are imported, if ever
            mutant = mutant._replace(inside=False)
            known = self._reaching.items()
            found.update(*(tests for name, tests in known if name.startswith(f"{mutant.path}:")))
        return mutant, self._in_order(mutant, found, self._judge.speaking(mutant))

    def _in_order(self, mutant: Mutant, tests: set[str], first: Iterable[str]) -> Tests:
        noticed = (test for test in self._noticed(mutant) if test in tests)
        turns = zip_longest(noticed, self._near(mutant.path, tests), self._spread(tests))
        found = dict.fromkeys([*first, *(test for turn in turns for test in turn if test)])
        return [(self._took.get(test, 0.0), test) for test in found]

    def _noticed(self, mutant: Mutant) -> Iterator[str]:
        """The tests that noticed other changes of the file, from the nearest line on."""
        others = (each for each in self._drawn if each.path == mutant.path)
        for other in sorted(others, key=lambda it: abs(it.line - mutant.line)):
            yield re.sub(r"^ended by \d+ ", "", self._known(other))

    def _near(self, path: str, tests: Iterable[str]) -> list[str]:
        """The tests that are about a file first, and quick ones of those."""

        def waits(test: str) -> float:
            share = self._about[test][path] + self._about[file_of(test)][path]
            return max(self._took[test], QUICK) / (share + FAR)

        return sorted(tests, key=lambda test: (waits(test), test))

    def _spread(self, tests: Iterable[str]) -> list[str]:
        """Quick tests first, of many files before many of one."""
        rank: Counter[str] = Counter()
        found: list[tuple[float, float, str]] = []
        for took, test in sorted((self._took[test], test) for test in tests):
            rank[file_of(test)] += 1
            found.append((rank[file_of(test)] * max(took, QUICK), took, test))
        return [test for _, _, test in sorted(found)]
