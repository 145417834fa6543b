"""Write docs/scoreboard.md: what each program answers, by chapter, and the open questions."""

from __future__ import annotations

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runner import ANSWERS, CASES, Score, Verdict, asked, read_lines, scored

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "scoreboard.md"
VARIANTS_RECORD = HERE / "variants.json"
TITLES = {
    "alike": "alike",
    "named": "loss named",
    "refused": "refused",
    "differs": "otherwise",
}
WAYS = {
    "read": ("alike", "named", "refused", "differs"),
    "written": ("alike", "named", "differs"),
}
# Each program with what it is called and who answers; None are answers that were kept.
PROGRAMS = {
    "alfil": ("alfil", "alfil_adapter.py"),
    "fairy-stockfish": ("Fairy-Stockfish (Python build 0.0.90)", None),
    "xboard": ("XBoard 4.9.1", None),
    "interactive-diagram": ("Interactive Diagram", None),
    "betza-visualizer": ("betza-visualizer 0.1.1", None),
}
BEGINNING = """\
# Who reads what

This page is made by `make scoreboard` from the cases in `conformance/`; its README tells how a
program takes part. Each cell says how many cases of a chapter a program answered: right / wrong
in silence / refused. Wrong in silence is another piece without a word; refused is said. A dash
means that it was not asked any: it has no such notation, or draws empty boards only.

alfil is run; the answers of Fairy-Stockfish and betza-visualizer were kept when they were run on
the cases, and their texts are those of Betza as most programs read it, so that a letter they do
not have counts as passed over. XBoard and the Interactive Diagram cannot be run here: theirs are
the answers that were measured before, most of them on cases where they agree with other programs,
so that the other cases of a chapter may be either.
"""
VARIANTS = """
# Games of Fairy-Stockfish

What becomes of sections of a `variants.ini`, and of the games of alfil (those that come with it and
those of its tests), as `make variants FILES=...` found it: in random games of at most {plies} moves
alfil and the program must have the same moves at every position and the same end; in a dead
position the program continues, which is no difference. A section is read strictly, so that it is
alike or a loss is named; "otherwise" is one that differs in silence, "refused" one that makes no
game. What was read, or is a game of alfil, is then written, and played again. The last columns say
how many games of each were compared, where they are alike, and how many moves in all of them;
`conformance/variants.json` has the numbers of each section.
"""
CAUSES = """
The settings that losses name, with how many sections each is lost in, and the rules that are lost
where games are written:
"""
QUESTIONS = """
# What is open

Where the descriptions of Betza leave something open, and what each program makes of it: in Betza
as alfil reads it by default, a dash for a piece without moves, "refused" where it says that it
cannot read the text, ? where nobody has measured it.
"""


def page() -> Iterator[str]:
    """The lines of the page."""
    cases = read_lines(CASES)
    scores: list[Score] = []
    for name, (_, adapter) in PROGRAMS.items():
        kept = ANSWERS / f"{name}.jsonl"
        command = [sys.executable, str(HERE / "adapters" / adapter)] if adapter else None
        scores.append(scored(cases, asked(command, cases) if command else read_lines(kept)))
    yield from BEGINNING.splitlines()
    yield ""
    yield from _row("chapter", "cases", *(title for title, _ in PROGRAMS.values()))
    yield from _row(*["---"] * (2 + len(PROGRAMS)))
    for chapter, counts in scores[0].items():
        yield from _row(chapter, str(counts.total()), *(_cell(score[chapter]) for score in scores))
    wholes = [sum(score.values(), Counter[Verdict]()) for score in scores]
    yield from _row("**all**", str(len(cases)), *map(_cell, wholes))
    yield from _variants()
    yield from QUESTIONS.splitlines()
    yield ""
    with (HERE / "questions.tsv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    titles = [PROGRAMS[name][0] for name in header[2:]]
    yield from _row("text", "what is open", *titles)
    yield from _row(*["---"] * (2 + len(titles)))
    for text, question, *answers in rows:
        yield from _row(f"`{text}`", question, *map(_answer, answers))


def _variants() -> Iterator[str]:
    """What becomes of games that Fairy-Stockfish plays."""
    record = json.loads(VARIANTS_RECORD.read_text(encoding="utf-8"))
    files: dict[str, list[Any]] = {}
    for row in record["rows"]:
        files.setdefault(row["file"], []).append(row)
    yield from VARIANTS.format(**record).splitlines()
    yield ""
    for way, words in WAYS.items():
        titles = [*(TITLES[word] for word in words), "games of each", "moves in all"]
        yield from _row("file", f"games {way}", *titles)
        yield from _row(*["---"] * (2 + len(titles)))
        for name, rows in files.items():
            asked = [row[way] for row in rows if way in row]
            if asked:
                yield from _row(name, *_counts(asked, words))
        yield ""
    yield from CAUSES.strip().splitlines()
    yield ""
    yield from _row("file", *WAYS)
    yield from _row(*["---"] * 3)
    for name, rows in files.items():
        yield from _row(name, *(_causes([row[w] for row in rows if w in row]) for w in WAYS))


def _counts(asked: list[dict[str, Any]], words: tuple[str, ...]) -> Iterator[str]:
    """How many games came how, and how much was played of those that are alike."""
    came = Counter(row["came"] for row in asked)
    games = [row["games"] for row in asked if row["came"] == "alike"]
    least, most = min(games, default=0), max(games, default=0)
    yield str(len(asked))
    yield from (str(came[word]) for word in words)
    yield str(most) if least == most else f"{least} to {most}"
    yield f"{sum(row['plies'] for row in asked):,}"


def _causes(asked: list[dict[str, Any]]) -> str:
    """What losses name, and in how many games."""
    causes = Counter(cause for row in asked for cause in row["causes"])
    found = sorted(causes.items(), key=lambda cause: (-cause[1], cause[0]))
    return ", ".join(f"{cause} {number}" for cause, number in found) or "-"


def _row(*cells: str) -> Iterator[str]:
    yield f"| {' | '.join(cells)} |"


def _cell(counts: Counter[Verdict]) -> str:
    if counts.total() == counts["not asked"]:
        return "-"
    return f"{counts['right']} / {counts['wrong']} / {counts['refused']}"


def _answer(text: str) -> str:
    return text if text in {"-", "?", "refused"} else f"`{text}`"


if __name__ == "__main__":
    lines = list(page())
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(line for line in lines if line.startswith("| **all**")) + "\n")
