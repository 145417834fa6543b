"""The newest whole run in the documents: three lines and bars for README.md, a table for the rest.

A line of the README has the best and the worst row of its group, whichever they are, so that games
in which alfil loses cannot be left out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields
from math import ceil, floor, log10
from pathlib import Path
from xml.sax.saxutils import escape

from benchmarks.figures import Curve, Figure, numbered_notes, rounded
from benchmarks.measure import BUILD, HOME

BEGIN, END = "<!-- figures: made by `make figures` -->", "<!-- end of figures -->"
README, PAGE = HOME / "README.md", HOME / "docs" / "performance.md"
BARS = HOME / "docs" / "pictures" / "speed.svg"
# The lines of the README: what is measured, and how the names of its rows begin.
GROUPS = (
    ("Counting move sequences in one thread (perft)", ("perft, every move made: ",)),
    ("Playing games from Python", ("random games, ", "chess: ", "PGN read")),
    (
        "From a notation to a move table (betza-visualizer: to a list of squares)",
        ("text to table, ",),
    ),
)
HEADS = ("measured", "alfil", "other program", "ratio", "note")

Row = tuple[Figure, float]


def compared(figures: Sequence[Figure], beginnings: tuple[str, ...]) -> list[Row]:
    """The rows of a group that have another program beside them, with their ratios."""
    return [
        (figure, figure.ratio)
        for figure in figures
        if figure.what.startswith(beginnings) and figure.ratio is not None
    ]


def summary(figures: Sequence[Figure]) -> str:
    """A line for each group: the worst ratio and the best one, with their rows and programs."""
    lines = []
    for title, beginnings in GROUPS:
        rows = compared(figures, beginnings)
        if rows:
            lines.append(f"- {title}: {_between(rows)}.")
    return "\n".join(lines)


def _between(rows: Sequence[Row]) -> str:
    """The worst and the best of some rows, in words."""
    (worst, least), (best, most) = (pick(rows, key=lambda row: row[1]) for pick in (min, max))
    if worst.peer == best.peer:
        return (
            f"from {rounded(least)} times ({_case(worst)}) to {rounded(most)} times"
            f" ({_case(best)}) as fast as {best.peer}"
        )
    return (
        f"{rounded(least)} times as fast as {worst.peer} at worst ({_case(worst)}),"
        f" {rounded(most)} times as fast as {best.peer} at best ({_case(best)})"
    )


def _case(figure: Figure) -> str:
    """The row without the words that its whole group has."""
    return figure.what.rpartition(": ")[2] if ": " in figure.what else figure.what


def table(figures: Sequence[Figure]) -> str:
    """All figures in plain words, as Markdown."""
    notes = list(dict.fromkeys(figure.does for figure in figures))
    rows = [[*in_words(figure), str(notes.index(figure.does) + 1)] for figure in figures]
    lines = [list(HEADS), ["---"] * len(HEADS), *rows]
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{body}\n\n### Notes\n\n" + "\n".join(numbered_notes(notes))


def in_words(figure: Figure) -> list[str]:
    """What was measured, the figures of both programs, and their ratio."""
    ours = "not measured" if figure.value is None else f"{rounded(figure.value)} {figure.unit}"
    theirs = f"{figure.peer}: {rounded(figure.beside)} {figure.unit}" if figure.beside else "–"
    ratio = "–"
    if figure.ratio is not None:
        measure = "times as long" if figure.at_most else "times as fast"
        ratio = f"{rounded(figure.ratio)} {measure}"
    return [figure.what, ours, theirs, ratio]


LABELS, PLOT, LINE = 400, 300, 18  # widths of the labels and of the plot, height of a row
STYLE = (
    "text{font:12px sans-serif;fill:#222}.more{fill:#2a7f62}.less{fill:#b5542b}"
    "line{stroke:#888}@media(prefers-color-scheme:dark){text{fill:#ddd}}"
)


def bars(figures: Sequence[Figure]) -> str:
    """The rows of the README's groups as bars from 1, on a logarithmic scale, as SVG."""
    rows = [row for _, beginnings in GROUPS for row in compared(figures, beginnings)]
    logs = [log10(ratio) for _, ratio in rows]
    least, most = floor(min(logs)), ceil(max(logs))
    scale = PLOT / (most - least)
    one, height = LABELS + -least * scale, (len(rows) + 2) * LINE
    width = LABELS + PLOT + 60
    title = "How many times as fast alfil is as another program; logarithmic"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">',
        f"<title>{title}</title><style>{STYLE}</style>",
        f'<text x="{width / 2:g}" y="13" text-anchor="middle">{title}</text>',
        *_bars(rows, one, scale),
        f'<line x1="{one:g}" x2="{one:g}" y1="{LINE}" y2="{height - LINE}"/>',
        f'<text x="{one:g}" y="{height - 4}" text-anchor="middle">1</text></svg>',
    ]
    return "\n".join(parts) + "\n"


def _bars(rows: Sequence[Row], one: float, scale: float) -> Iterator[str]:
    for number, (figure, ratio) in enumerate(rows, 1):
        top, length = number * LINE, log10(ratio) * scale
        left, right = sorted((one, one + length))
        label = escape(f"{figure.what}, {figure.peer}")
        sense = "more" if ratio >= 1 else "less"
        yield f'<text x="{LABELS - 6}" y="{top + 13}" text-anchor="end">{label}</text>'
        yield (
            f'<rect class="{sense}" x="{left:.1f}" y="{top + 3}" width="{right - left:.1f}"'
            f' height="{LINE - 5}"/>'
        )
        yield f'<text x="{right + 4:.1f}" y="{top + 13}">{rounded(ratio)}</text>'


def publish() -> int:
    """Write the newest run of all sections into the documents; 2 where there is none."""
    from benchmarks.__main__ import SECTIONS  # noqa: PLC0415 - it imports this module

    runs = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(BUILD.glob("*.json"))]
    whole = [run for run in runs if set(SECTIONS) <= set(run["sections"])]
    if not whole:
        print("no run of all sections is kept; run: make bench", file=sys.stderr)
        return 2
    known = {field.name for field in fields(Figure)}
    figures = [
        Figure(**{key: value for key, value in each.items() if key in known})
        for each in whole[-1]["figures"]
    ]
    curves = [
        Curve(**each | {"points": tuple(map(tuple, each["points"]))})
        for each in whole[-1]["curves"]
    ]
    plots = "\n\n".join(curve.plot() for curve in curves)
    machine = f"Measured on {whole[-1]['machine']}."
    put(README, summary(figures))
    growth = f"### How cost grows\n\n```text\n{plots}\n```"
    put(PAGE, f"{machine}\n\n{table(figures)}\n\n{growth}")
    BARS.write_text(bars(figures), encoding="utf-8")
    return 0


def put(path: Path, body: str) -> None:
    """Replace the text between the marks of a document."""
    before, mark, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (mark and end):
        raise ValueError(f"{path.name} has no place for the figures")
    path.write_text(f"{before}{mark}\n\n{body}\n\n{end}{after}", encoding="utf-8")
