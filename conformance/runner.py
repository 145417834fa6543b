"""Ask a program how pieces move, and count: right, wrong in silence, refused, not asked.

    python conformance/runner.py COMMAND [ARGUMENT...]

The program gets a case a line on its standard input and answers each with a line; README.md says
what stands in them. With ``--record FILE`` its answers are kept, with ``--answers FILE`` kept ones
are counted and nothing is run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

HERE = Path(__file__).parent
CASES = HERE / "cases.jsonl"
ANSWERS = HERE / "answers"

Case: TypeAlias = dict[str, Any]
Answer: TypeAlias = dict[str, Any]
Verdict: TypeAlias = Literal["right", "wrong", "refused", "not asked"]
VERDICTS: tuple[Verdict, ...] = ("right", "wrong", "refused", "not asked")
Score: TypeAlias = dict[str, Counter[Verdict]]


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects in a file of JSON lines."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def verdict(case: Case, answer: Answer | None) -> Verdict:
    """How an answer compares with what a case expects.

    >>> case = {"expect": {"ends": [[0, 1]]}}
    >>> verdict(case, {"ends": [[0, 1]]}), verdict(case, {"ends": []}), verdict(case, None)
    ('right', 'wrong', 'not asked')
    >>> verdict({"expect": {"refused": "no such letter"}}, {"refused": ""})
    'right'
    """
    if answer is None or "skipped" in answer:
        return "not asked"
    expected = case["expect"]
    if "refused" in answer:
        return "right" if "refused" in expected else "refused"
    if "refused" in expected:
        return "wrong"
    if "moves" in expected and "moves" in answer:
        return _judged(_moves(expected["moves"]), _moves(answer["moves"]))
    windows = [each["window"] for each in (case, answer) if "window" in each]
    return _judged(_ends(expected, windows), _ends(answer, windows))


def _judged(expected: object, found: object) -> Verdict:
    return "right" if expected == found else "wrong"


def _moves(moves: Iterable[Mapping[str, Any]]) -> set[tuple[Any, ...]]:
    return {
        (tuple(move["to"]), tuple(sorted(map(tuple, move.get("captures", ()))))) for move in moves
    }


def _ends(told: Mapping[str, Any], windows: Sequence[Sequence[int]]) -> set[tuple[int, int]]:
    """Where moves end, in the part of the board that was looked at on both sides."""
    ends = told["ends"] if "ends" in told else [move["to"] for move in told["moves"]]
    return {
        (x, y)
        for x, y in ends
        if all(left <= x <= right and back <= y <= ahead for left, back, right, ahead in windows)
    }


def asked(command: Sequence[str], cases: Iterable[Case]) -> Iterator[Answer]:
    """The answers of a program to cases without what they expect, in their order."""
    questions = [
        {
            key: value
            for key, value in case.items()
            if key in {"id", "notation", "dialect", "text", "board"}
        }
        for case in cases
    ]
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in questions)
    done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    for line in done.stdout.decode().splitlines():
        yield json.loads(line)


def scored(cases: Iterable[Case], answers: Iterable[Answer]) -> Score:
    """For each chapter how many cases have each verdict."""
    told = {answer["id"]: answer for answer in answers}
    score: Score = {}
    for case in cases:
        counts = score.setdefault(case["chapter"], Counter())
        counts[verdict(case, told.get(case["id"]))] += 1
    return score


def table(score: Score) -> Iterator[str]:
    """A score as lines of text."""
    width = max(map(len, score))
    yield " ".join([" " * width, *(f"{each:>9}" for each in VERDICTS)])
    for chapter, counts in score.items():
        yield " ".join([f"{chapter:<{width}}", *(f"{counts[each]:>9}" for each in VERDICTS)])
    whole = sum(score.values(), Counter[Verdict]())
    yield " ".join([f"{'all':<{width}}", *(f"{whole[each]:>9}" for each in VERDICTS)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a program, or count answers that were kept; print the table."""
    parser = argparse.ArgumentParser(prog="runner.py")
    parser.add_argument("--record", type=Path, help="keep the answers in this file")
    parser.add_argument("--answers", type=Path, help="count these answers, run nothing")
    parser.add_argument("--wrong", action="store_true", help="list the cases answered wrong")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    given = parser.parse_args(arguments)
    cases = read_lines(CASES)
    if given.answers:
        answers = read_lines(given.answers)
    elif given.command:
        answers = list(asked(given.command, cases))
    else:
        parser.error("name the command that answers, or --answers FILE")
    if given.record:
        lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in answers)
        given.record.write_text("".join(lines), encoding="utf-8")
    told = {answer["id"]: answer for answer in answers}
    for case in cases:
        if given.wrong and verdict(case, told.get(case["id"])) == "wrong":
            sys.stdout.write(f"{case['id']} {case['dialect']} {case['text']}\n")
    sys.stdout.write("\n".join(table(scored(cases, answers))) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
