"""Inputs tried one after the other, and what is found made small."""

from __future__ import annotations

import csv
import json
import random
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from inputs import Input
from laws import LAWS

from strategies import Picker

FINDS = Path(__file__).parent / "finds.tsv"
INPUT_BYTES = 160
SLOW = 0.5  # seconds of the processor, on the slow core that this is measured on
HUNG = 60
TRIES = 400  # of making a find smaller


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
    drawn = random.Random(f"{kind} {seed} {number}").randbytes(INPUT_BYTES)
    return LAWS[kind].make(Picker(drawn))


def tried(kind: str, given: Input) -> bool:
    """Whether an input was more than refused; raises where its law is broken, or it hangs."""

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise Hung(f"more than {HUNG} seconds")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, HUNG)
    try:
        return LAWS[kind].holds(*given)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def broken(kind: str, given: Input) -> str | None:
    """How an input breaks its law, in a line; None where it holds."""
    try:
        tried(kind, given)
    except (Exception, Hung) as error:  # noqa: BLE001 - whatever comes out is told
        return f"{type(error).__name__}: {error}".partition("\n")[0][:200]
    return None


def hunt(kind: str, seed: str, numbers: Iterator[int], seconds: float = float("inf")) -> Count:
    """Try inputs until so many seconds of the processor are used up."""
    inputs = answered = 0
    slow: list[tuple[float, Input]] = []
    finds: list[Find] = []
    end = time.process_time() + seconds
    for number in numbers:
        given = made(kind, seed, number)
        begun = time.process_time()
        if begun > end:
            break
        inputs += 1
        try:
            answered += tried(kind, given)
        except (Exception, Hung):  # noqa: BLE001 - whatever comes out is a find
            finds.append(made_small(kind, given))
        took = time.process_time() - begun
        if took > SLOW:
            slow.append((round(took, 2), given))
    return Count(inputs, answered, tuple(slow), tuple(finds))


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
