"""Draw the curve that alphazero.py has written down: points by minutes, as SVG.

python examples/learning/curve.py breakthrough.tsv breakthrough.svg
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

WIDTH, HEIGHT, LEFT, BELOW, ABOVE = 640, 320, 52, 44, 14
GOAL = 60  # % of the points
TEXT = "font-family='system-ui, sans-serif' font-size='13' fill='#555'"


def curve(rows: list[dict[str, str]]) -> str:
    """The picture of some rows with minutes and points."""
    last = max(float(row["minutes"]) for row in rows)

    def x(minutes: float) -> float:
        return LEFT + (WIDTH - LEFT - 16) * minutes / last

    def y(points: float) -> float:
        return HEIGHT - BELOW - (HEIGHT - BELOW - ABOVE) * points / 100

    spots = [(x(float(row["minutes"])), y(float(row["points"]))) for row in rows]
    lines = [
        f"<line x1='{LEFT}' x2='{WIDTH - 16}' y1='{y(p)}' y2='{y(p)}' stroke='#8884'/>"
        f"<text x='{LEFT - 8}' y='{y(p) + 4}' text-anchor='end' {TEXT}>{p} %</text>"
        for p in range(0, 101, 20)
    ]
    lines += [
        f"<text x='{x(m):.1f}' y='{HEIGHT - BELOW + 18}' text-anchor='middle' {TEXT}>{m}</text>"
        for m in range(0, int(last) + 1, max(1, round(last / 10)))
    ]
    goal = f"<line x1='{LEFT}' x2='{WIDTH - 16}' y1='{y(GOAL)}' y2='{y(GOAL)}' stroke='#c60'"
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in spots)
    dots = [f"<circle cx='{a:.1f}' cy='{b:.1f}' r='3' fill='#27c'/>" for a, b in spots]
    title = "minutes of one processor; % of the points against the opponent, two moves ahead"
    return "\n".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}'>",
            f"<title>{title}</title>",
            *lines,
            f"{goal} stroke-dasharray='5 4'/>",
            f"<polyline points='{path}' fill='none' stroke='#27c' stroke-width='2'/>",
            *dots,
            f"<text x='{WIDTH / 2}' y='{HEIGHT - 6}' text-anchor='middle' {TEXT}>{title}</text>",
            "</svg>\n",
        ]
    )


if __name__ == "__main__":
    log, picture = map(Path, sys.argv[1:])
    with log.open(encoding="utf-8", newline="") as file:
        picture.write_text(curve([*csv.DictReader(file, delimiter="\t")]), encoding="utf-8")
