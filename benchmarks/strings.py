"""Text to move table, one string at a time, next to two programs that also read Betza."""

from __future__ import annotations

import csv
from pathlib import Path
from statistics import median, quantiles

from benchmarks.measure import ask, middle, table
from benchmarks.worker import Answer, Job

CASES = Path(__file__).parents[1] / "tests" / "cases" / "betza.tsv"
ROUNDS = 5
WHAT = {
    "alfil": (
        "alfil.read and alfil.compile for 9×9: text to relative move table,",
        "with captures, blockers and bent paths",
    ),
    "betza-visualizer": (
        "BetzaParser().parse for 9×9: text to a list of squares on an empty board;",
        "letters it does not know are skipped",
    ),
    "Fairy-Stockfish": (
        "pyffish.load_variant_config and the first pyffish.legal_moves: an ini text",
        "with one piece to the moves of one position; setting the variant up is most",
        "of it; letters it does not know are skipped",
    ),
}


def strings() -> list[str]:
    """The Betza column of the case file, one string a row, so with repetitions."""
    with CASES.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [row["betza"] for row in rows]


def measure(texts: list[str]) -> dict[str, dict[str, Answer]]:
    """For each program and each text the median answer of its first reads in fresh processes."""
    jobs: list[Job] = [{"text": text, "board": 9} for text in texts]
    rounds: dict[str, list[list[Answer]]] = {program: [] for program in WHAT}
    for _ in range(ROUNDS):
        for program, answers in rounds.items():
            answers.append(ask(program, jobs))
    return {
        program: {text: middle(answers, number) for number, text in enumerate(texts)}
        for program, answers in rounds.items()
    }


def report() -> str:
    """The table, and what each program does in words."""
    texts = strings()
    answers = measure(list(dict.fromkeys(texts)))
    spent = {
        name: [float(of[text]["total"]) * 1e6 for text in texts] for name, of in answers.items()
    }
    ours = median(spent["alfil"])
    rows = []
    for name, us in spent.items():
        figures = (median(us), quantiles(us, n=10)[-1], max(us))
        rows.append([name, *(f"{n:.0f}" for n in figures), f"{median(us) / ours:.2f}"])
    title = f"One Betza string, µs over the {len(texts)} rows of tests/cases/betza.tsv"
    heads = ["program", "median", "nine in ten", "slowest", "median against alfil's"]
    words = [f"  {name}: {f'{chr(10)}    '.join(lines)}." for name, lines in WHAT.items()]
    refused = [text for text, answer in answers["alfil"].items() if "size" not in answer]
    words.append(f"  Refused by alfil, timed to the error: {' '.join(refused) or 'none'}.")
    words.append(f"  Median of {ROUNDS} fresh processes for each string, its first read in each.")
    return "\n".join([table(title, heads, rows), *words, ""])
