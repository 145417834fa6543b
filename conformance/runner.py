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
ANSWERED = frozenset({"ends", "moves", "refused", "skipped"})
VERDICTS: tuple[Verdict, ...] = ("right", "wrong", "refused", "not asked")
# A square, or a square and what is captured.
Told: TypeAlias = tuple[Any, ...]
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
    wanted, found = compared(case, answer)
    return "right" if wanted == found else "wrong"


def compared(case: Case, answer: Answer) -> tuple[set[Told], set[Told]]:
    """What a case expects and what a program answered: moves, or ends where either has no more."""
    expected = case["expect"]
    if "moves" in expected and "moves" in answer:
        return _moves(expected["moves"]), _moves(answer["moves"])
    windows = [each["window"] for each in (case, answer) if "window" in each]
    return _ends(expected, windows), _ends(answer, windows)


def difference(case: Case, answer: Answer) -> Iterator[str]:
    """A case that was answered wrong, as lines of text."""
    yield f"{case['id']} {case['dialect']} {case['text']} {case.get('board', '')}".rstrip()
    if "refused" in case["expect"]:
        yield f"  to be refused: {case['expect']['refused']}"
        return
    wanted, found = compared(case, answer)
    for words, squares in (("left out", wanted - found), ("too much", found - wanted)):
        if squares:
            yield f"  {words}: {' '.join(map(_in_words, sorted(squares)))}"


def _in_words(told: Told) -> str:
    """A square, or a square with what is captured on the way to it."""
    if isinstance(told[0], int):
        return f"{told[0]},{told[1]}"
    to, captures = told
    taken = "+".join(f"{x},{y}" for x, y in captures)
    return f"{to[0]},{to[1]}" + (f"x{taken}" if taken else "")


def _moves(moves: Iterable[Mapping[str, Any]]) -> set[Told]:
    return {
        (tuple(move["to"]), tuple(sorted(map(tuple, move.get("captures", ()))))) for move in moves
    }


def _ends(told: Mapping[str, Any], windows: Sequence[Sequence[int]]) -> set[Told]:
    """Where moves end, in the part of the board that was looked at on both sides."""
    ends = told["ends"] if "ends" in told else [move["to"] for move in told["moves"]]
    return {
        (x, y)
        for x, y in ends
        if all(left <= x <= right and back <= y <= ahead for left, back, right, ahead in windows)
    }


class Unanswered(Exception):
    """A program did not answer; the words say why."""


def asked(command: Sequence[str], cases: Iterable[Case]) -> Iterator[Answer]:
    """The answers of a program to cases without what they expect, in their order.

    Raises `Unanswered` for a program that does not run, or does not answer as README.md says.
    """
    questions = [
        {
            key: value
            for key, value in case.items()
            if key in {"id", "notation", "dialect", "text", "board"}
        }
        for case in cases
    ]
    lines = "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in questions)
    try:
        done = subprocess.run(command, input=lines.encode(), stdout=subprocess.PIPE, check=True)
    except OSError as error:
        raise Unanswered(f"{command[0]} cannot be run: {error.strerror}") from None
    except subprocess.CalledProcessError as error:
        raise Unanswered(f"the program ended with code {error.returncode}, not 0") from None
    for line in done.stdout.decode(errors="replace").splitlines():
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not (isinstance(answer, dict) and "id" in answer and ANSWERED & answer.keys()):
            keys = ", ".join(sorted(ANSWERED))
            raise Unanswered(f"an answer has an id and one of {keys}, but this has not: {line}")
        yield answer


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
        try:
            answers = list(asked(given.command, cases))
        except Unanswered as why:
            parser.error(str(why))
    else:
        parser.error("name the command that answers, or --answers FILE")
    if given.record:
        lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in answers)
        given.record.write_text("".join(lines), encoding="utf-8")
    told = {answer["id"]: answer for answer in answers}
    for case in cases:
        answer = told.get(case["id"])
        if given.wrong and answer and verdict(case, answer) == "wrong":
            sys.stdout.write("".join(f"{line}\n" for line in difference(case, answer)))
    sys.stdout.write("\n".join(table(scored(cases, answers))) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
