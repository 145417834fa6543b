"""Run measured processes and put what they say into plain text tables."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from statistics import median

from benchmarks.worker import Answer, Job

TIMEOUT = 60  # seconds for one process; beyond it the case counts as unanswered


def ask(program: str, jobs: Sequence[Job]) -> list[Answer]:
    """The answers of one fresh process to some jobs, in their order.

    RuntimeError with the last line it wrote when the process fails, `subprocess.TimeoutExpired`
    when it takes too long.
    """
    command = [sys.executable, "-m", "benchmarks.worker", program]
    given = json.dumps(list(jobs))
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, timeout=TIMEOUT, check=False
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


def ask_each(program: str, jobs: Sequence[Job], rounds: int) -> list[Answer]:
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


def whole_process(commands: Sequence[Sequence[str]], rounds: int) -> list[float]:
    """The median seconds of each command as a whole process, run in turn."""
    times: list[list[float]] = [[] for _ in commands]
    for _ in range(rounds):
        for spent, command in zip(times, commands, strict=True):
            started = time.perf_counter()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            spent.append(time.perf_counter() - started)
    return [median(spent) for spent in times]


def show(answer: Answer, name: str, scale: float, digits: int = 1) -> str:
    """A figure of an answer, multiplied; a dash where the answer has none."""
    return f"{float(answer[name]) * scale:.{digits}f}" if name in answer else "-"


def table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A plain text table: the first column to the left, figures to the right."""
    lines = [heads, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    text = [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([title, "", text[0], rule, *text[1:], ""])
