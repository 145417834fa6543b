"""How things are timed: in this process, in fresh ones, and in turn with what they stand beside.

Times are of the processor, not of the clock, and each side of a ratio is the best of some rounds in
which both are measured in turn, so that a slow moment of the machine meets both.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import TypeVar

from benchmarks.figures import Figure
from benchmarks.worker import Answer, Job

HOME = Path(__file__).parents[1]
CASES = HOME / "tests" / "cases"
BUILD = HOME / "build" / "bench"
TIMEOUT = 60  # seconds for one process; beyond it the case counts as unanswered
ROUNDS = 3
# What a unit of rates is counted in.
SCALES = {"M/s": 1e6}
Found = TypeVar("Found")


def column(file: str, name: str) -> list[str]:
    """A column of a case file, one text a row, so with repetitions."""
    with (CASES / file).open(encoding="utf-8", newline="") as stream:
        return [row[name] for row in csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)]


def rate(work: Callable[[], int], seconds: float = 0.5) -> float:
    """How much work is done in a second; ``work`` says how much it did, and is repeated."""
    done, spent, started = 0, 0.0, process_time()
    while spent < seconds:
        done += work()
        spent = process_time() - started
    return done / spent


def in_turn(*samples: Callable[[], Found], rounds: int = ROUNDS) -> list[list[Found]]:
    """What each measurement gives in some rounds in which all are made one after the other."""
    found: list[list[Found]] = [[] for _ in samples]
    for _ in range(rounds):
        for each, sample in zip(found, samples, strict=True):
            each.append(sample())
    return found


def best_rates(*samples: Callable[[], float], rounds: int = ROUNDS) -> list[float]:
    """The highest of the rates that `in_turn` finds for each."""
    return [max(found) for found in in_turn(*samples, rounds=rounds)]


def beside(
    ours: Callable[[], int],
    theirs: Callable[[], int] | None,
    *,
    unit: str,
    seconds: float = 0.5,
    rounds: int = ROUNDS,
    **told: str | float | None,
) -> Figure:
    """A row of what two functions do in a second, in turn; each says how much it did.

    Without the other one its program is not installed, and the row says so.
    """
    samples = [partial(rate, work, seconds) for work in (ours, theirs) if work]
    rates = [each / SCALES.get(unit, 1) for each in best_rates(*samples, rounds=rounds)]
    if theirs is None:
        told["does"] = f"{told['does']} {told['peer']} is not installed."
    value, other = (*rates, None)[:2]
    return Figure(value=value, beside=other, unit=unit, **told)


def once(work: Callable[[], object]) -> Callable[[], int]:
    """Work that counts as one, whatever comes of it."""

    def done() -> int:
        work()
        return 1

    return done


def spent_by(command: Sequence[str | Path], given: str = "") -> tuple[float, str]:
    """The processor's seconds for a whole process, and what it wrote to standard output."""
    process = subprocess.Popen(
        [*map(str, command)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    with process.stdin, process.stdout:
        process.stdin.write(given)
        process.stdin.close()
        said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime, said


def ask(program: str, jobs: Sequence[Job], timeout: float = TIMEOUT) -> list[Answer]:
    """The answers of one fresh process to some jobs, in their order.

    RuntimeError with the last line it wrote when the process fails, `subprocess.TimeoutExpired`
    when it takes too long.
    """
    command = [sys.executable, "-m", "benchmarks.worker", program]
    done = subprocess.run(
        command,
        input=json.dumps(list(jobs)),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
        cwd=HOME,
    )
    if done.returncode != 0:
        last = done.stderr.strip().rpartition("\n")[2]
        raise RuntimeError(f"{program} ended with {done.returncode}: {last}")
    answers: list[Answer] = json.loads(done.stdout)
    return answers


def middle(rounds: Sequence[Sequence[Answer]], number: int) -> Answer:
    """One job's answer with the median over several rounds for every figure."""
    answers = [one[number] for one in rounds]
    figures: Answer = {
        name: median(float(answer[name]) for answer in answers)
        for name in answers[0]
        if name != "outcome"
    }
    return figures | {"outcome": answers[0]["outcome"]}


def ask_each(program: str, jobs: Sequence[Job], rounds: int = ROUNDS) -> list[Answer]:
    """As `ask`, with a fresh process for every job and every round."""
    answers: list[Answer] = []
    for job in jobs:
        try:
            tries = [ask(program, [job]) for _ in range(rounds)]
        except subprocess.TimeoutExpired:
            answers.append({"outcome": f"no answer in {TIMEOUT} s"})
        except RuntimeError as error:
            answers.append({"outcome": str(error)})
        else:
            answers.append(middle(tries, 0))
    return answers
