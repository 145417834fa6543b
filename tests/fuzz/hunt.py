"""Inputs tried one after the other, and what is found made small."""

from __future__ import annotations

import csv
import json
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import shake_128
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from inputs import NOTATIONS, Input
from laws import LAWS, NAMES

from strategies import Picker

FINDS = Path(__file__).parent / "finds.tsv"
RUNS = Path(__file__).parents[2] / "build" / "fuzz.tsv"
INPUT_BYTES = 160
SLOW = 0.5  # seconds of the processor, on the slow core that this is measured on
HUNG = 60
TRIES = 400  # of making a find smaller
MOST_FINDS = 20  # made small in a turn; more are mostly the same again


class Find(NamedTuple):
    """An input that breaks its law, and how."""

    kind: str
    given: Input
    broken: str


class Count(NamedTuple):
    """``answered`` of all inputs were more than refused; the slow ones with their seconds."""

    inputs: int
    answered: int
    slow: tuple[tuple[float, Input], ...]
    finds: tuple[Find, ...]


class Hung(BaseException):
    """An input took so long that it might take for ever; nothing catches this by mistake."""


def made(kind: str, seed: str, number: int) -> Input:
    """The input of a number, the same on every machine."""
    drawn = shake_128(f"{kind} {seed} {number}".encode()).digest(INPUT_BYTES)
    return LAWS[kind].make(Picker(drawn))


class Watch:
    """Ends an input that hangs: one on which the processor spends more than a minute, or two."""

    def __init__(self) -> None:
        self.begun = 0  # inputs
        self._seen = 0

    def _look(self, number: int, frame: FrameType | None) -> None:
        del number, frame
        if self.begun == self._seen:
            raise Hung(f"more than {HUNG} seconds")
        self._seen = self.begun

    @contextmanager
    def over(self) -> Iterator[Watch]:
        """Look now and then, which costs less than a timer for each input."""
        before = signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, HUNG, HUNG)
        try:
            yield self
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)


def broken(kind: str, given: Input) -> str | None:
    """How an input breaks its law, and in which function of it; None where it holds."""
    try:
        with Watch().over():
            LAWS[kind].holds(*given)
    except (Exception, Hung) as error:  # noqa: BLE001 - whatever comes out is told
        places = traceback.extract_tb(error.__traceback__)
        inside = [each.name for each in places if Path(each.filename).name == "laws.py"]
        where = f"{type(error).__name__} in {inside[-1] if inside else kind}"
        return f"{where}: {error}".partition("\n")[0][:200]
    return None


def hunt(kind: str, seed: str, numbers: Iterator[int], seconds: float = float("inf")) -> Count:
    """Try inputs until so many seconds of the processor are used up."""
    inputs = answered = 0
    slow: list[tuple[float, Input]] = []
    broke: list[Input] = []
    holds = LAWS[kind].holds
    end = time.process_time() + seconds
    with Watch().over() as watch:
        for number in numbers:
            given = made(kind, seed, number)
            begun = time.process_time()
            if begun > end:
                break
            watch.begun = inputs = inputs + 1
            try:
                answered += holds(*given)
            except (Exception, Hung):  # noqa: BLE001 - whatever comes out is a find
                broke.append(given)
            took = time.process_time() - begun
            if took > SLOW:
                slow.append((round(took, 2), given))
    finds = tuple(made_small(kind, given) for given in broke[:MOST_FINDS])
    return Count(inputs, answered, tuple(slow), finds)


def made_small(kind: str, given: Input) -> Find:
    """The find of an input, without all that is not needed to break the law in the same way."""
    said = broken(kind, given) or "not again"
    name = said.partition(":")[0]
    small = smaller(given, lambda it: (broken(kind, it) or "").partition(":")[0] == name)
    return Find(kind, small, broken(kind, small) or said)


def smaller(given: Input, still: Callable[[Input], bool]) -> Input:
    """The input with all left out without which something is still so."""
    tries = 0
    for at in range(len(given)):
        if given[at] in (*NOTATIONS, *NAMES):
            continue
        size = max(len(given[at]) // 2, 1)
        while size:
            start = 0
            while start < len(given[at]) and tries < TRIES:
                tries += 1
                text = given[at][:start] + given[at][start + size :]
                less = (*given[:at], text, *given[at + 1 :])
                if still(less):
                    given = less
                else:
                    start += size
            size //= 2
    return given


def kept() -> list[tuple[str, Input]]:
    """What was found before, by kind."""
    with FINDS.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [(row[0], tuple(json.loads(row[1]))) for row in rows if row and row[0] in LAWS]


def keep(finds: tuple[Find, ...]) -> None:
    """Add finds to those that are kept, each once."""
    known = kept()
    with FINDS.open("a", encoding="utf-8") as file:
        for find in finds:
            if (find.kind, find.given) not in known:
                said = find.broken.replace("\t", " ")
                file.write(f"{find.kind}\t{json.dumps(find.given)}\t{said}\n")


class Turn(NamedTuple):
    """A row of the counts of all runs: one kind of input with one seed, for a while."""

    date: str
    seed: str
    lap: int
    kind: str
    inputs: int
    answered: int
    broke: int
    seconds: float


def turns() -> list[Turn]:
    """The counts of all runs of this copy."""
    if not RUNS.exists():
        return []
    rows = [line.split("\t") for line in RUNS.read_text(encoding="utf-8").splitlines()]
    return [
        Turn(date, seed, int(lap), kind, int(inputs), int(answered), int(broke), float(seconds))
        for date, seed, lap, kind, inputs, answered, broke, seconds in rows
    ]


def note(turn: Turn) -> None:
    """Add a row to the counts at once, so that a run that is broken off is counted too."""
    RUNS.parent.mkdir(exist_ok=True)
    with RUNS.open("a", encoding="utf-8") as file:
        file.write("\t".join(map(str, turn)) + "\n")
