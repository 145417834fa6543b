"""Text to move table, one string at a time, beside two programs that also read Betza."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import fmean, median

from benchmarks.figures import Figure
from benchmarks.measure import ask, ask_each, column, middle
from benchmarks.worker import Answer, Job

ROUNDS = 5
ALFIL = (
    "each of the {0} Betza texts of tests/cases/betza.tsv, read for the first time in a fresh"
    " process, over {1} processes; alfil: `alfil.read` and `alfil.compile` for 9×9, to a table"
    " with captures, blockers and bent paths; "
)
WHAT = {
    "Fairy-Stockfish": (
        "pyffish: `load_variant_config` and the first `legal_moves`, an ini text with one piece to"
        " the moves of one position; setting the variant up is most of it, and letters it does not"
        " know are skipped."
    ),
    "betza-visualizer": (
        "betza-visualizer: `BetzaParser().parse`, to a list of squares on an empty board; letters"
        " it does not know are skipped."
    ),
}
TARGETS = {
    ("Fairy-Stockfish", "median"): (12.8, 15.4),
    ("Fairy-Stockfish", "mean"): (7.0, 10.2),
}
DEPTH = 10_000
WORST = (
    ("betza", "W999999"),
    ("hasinu", "n(1×8d)"),
    ("hasinu", "INF(20,20)"),
    ("betza", "(az)N"),
    ("betza", "(" * DEPTH + "az" + ")" * DEPTH + "N"),
    ("betza", "[" * DEPTH + "F?R" + "]" * DEPTH),
    ("hasinu", "(" * DEPTH + "n8d" + ")" * DEPTH),
    ("hasinu", "m(" * DEPTH + "n8d" + ")" * DEPTH),
    ("betza", "(" * 1_000_000),
    ("hasinu", "(" * 1_000_000),
    ("betza", "WF" * 500_000),
)
WORDS = (
    "the most of {0} texts that would explode if anything were expanded, such as 10,000 nested"
    " brackets and a megabyte of `WF`: read and compiled for 36×36, or refused, in a fresh process;"
    " memory is that of the whole process."
)


def measured() -> Iterator[Figure]:
    """Median and mean over the case file, and the worst texts."""
    texts = column("betza.tsv", "betza")
    answers = _answers(list(dict.fromkeys(texts)))
    spent = {
        name: [float(of[text]["total"]) * 1e6 for text in texts] for name, of in answers.items()
    }
    for peer, words in WHAT.items():
        for how, figure in (("median", median), ("mean", fmean)):
            must, aim = TARGETS.get((peer, how), (None, None))
            yield Figure(
                what=f"text to table, first time: {how}",
                value=figure(spent["alfil"]),
                unit="µs",
                peer=peer,
                beside=figure(spent[peer]),
                must=must,
                aim=aim,
                does=ALFIL.format(len(texts), ROUNDS) + words,
            )
    jobs: list[Job] = [
        {"text": text, "notation": name, "board": 36, "memory": "peak"} for name, text in WORST
    ]
    worst = ask_each("alfil", jobs)
    for what, key, unit, scale in (("time", "total", "ms", 1e3), ("memory", "peak", "MiB", 1)):
        known = all(key in answer for answer in worst)
        yield Figure(
            what=f"the worst texts: {what}",
            value=max(float(answer[key]) for answer in worst) * scale if known else None,
            unit=unit,
            must=100,
            at_most=True,
            does=WORDS.format(len(WORST)),
        )


def _answers(texts: list[str]) -> dict[str, dict[str, Answer]]:
    """For each program and each text the median answer of its first reads in fresh processes."""
    jobs: list[Job] = [{"text": text, "board": 9} for text in texts]
    programs = ("alfil", *WHAT)
    rounds: dict[str, list[list[Answer]]] = {program: [] for program in programs}
    for _ in range(ROUNDS):
        for program, answers in rounds.items():
            answers.append(ask(program, jobs))
    return {
        program: {text: middle(answers, number) for number, text in enumerate(texts)}
        for program, answers in rounds.items()
    }
