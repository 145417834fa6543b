"""What was measured beside what, and whether the targets hold: as a table, as plots, as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One thing that was measured; ``value`` is None where it could not be.

    ``value`` and ``beside``, the peer's, are in ``unit``. The targets are for their ratio, or for
    the value itself where there is no peer; with ``at_most`` the smaller is the better. ``does``
    says what each side does, or why nothing was measured.
    """

    what: str
    value: float | None
    unit: str
    does: str
    peer: str = ""
    beside: float | None = None
    must: float | None = None
    aim: float | None = None
    at_most: bool = False

    @property
    def ratio(self) -> float | None:
        """How many times as fast alfil is; with ``at_most`` how many times as long it takes."""
        if not self.value or not self.beside:
            return None
        rising = self.unit.endswith("/s") or self.at_most
        return self.value / self.beside if rising else self.beside / self.value

    @property
    def holds(self) -> bool | None:
        """Whether the target holds that must; None where there is none, or nothing was measured."""
        found = self._judged
        if self.must is None or found is None:
            return None
        return found <= self.must if self.at_most else found >= self.must

    @property
    def _judged(self) -> float | None:
        return self.ratio if self.peer else self.value

    def cells(self) -> list[str]:
        """The row of the table, without the number of its note."""
        sign, most = "×" if self.peer else "", "≤ " if self.at_most else ""
        held = {True: "yes", False: "NO", None: "" if self.must is None else "?"}[self.holds]
        reached = [f"{rounded(each)}{sign}" for each in (self.ratio,) if each]
        return [
            self.what,
            *(reached or [""]),
            *(
                "" if each is None else f"{most}{rounded(each)}{sign}"
                for each in (self.must, self.aim)
            ),
            held,
            "-" if self.value is None else f"{rounded(self.value)} {self.unit}",
            f"{rounded(self.beside)} {self.unit}, {self.peer}" if self.beside else self.peer,
        ]


HEADS = ("what", "times", "must", "aim", "holds", "alfil", "beside it", "note")


@dataclass(frozen=True)
class Curve:
    """How one cost grows; ``points`` are what it grows with and the cost, or the error instead."""

    what: str
    unit: str
    points: tuple[tuple[str, float | str], ...]

    WIDTH = 40

    def plot(self) -> str:
        """Bars, one a line."""
        costs = [cost for _, cost in self.points if not isinstance(cost, str)]
        most = max(costs, default=1.0)
        left = max(len(at) for at, _ in self.points)
        lines = [f"{self.what}, {self.unit}"]
        for at, cost in self.points:
            if isinstance(cost, str):
                lines.append(f"  {at:>{left}}  {cost}")
            else:
                bar = "█" * max(1, round(cost / most * self.WIDTH))
                lines.append(f"  {at:>{left}}  {rounded(cost):>9}  {bar}")
        return "\n".join(lines)


def rounded(number: float) -> str:
    """Three digits that count, and no more noughts than it takes."""
    if abs(number) >= 100:
        return f"{number:,.0f}"
    return f"{number:.3g}"


def rows(figures: Sequence[Figure]) -> tuple[list[list[str]], list[str]]:
    """The rows of the table, and the notes that its last column counts from 1."""
    notes = list(dict.fromkeys(figure.does for figure in figures))
    found = [[*figure.cells(), str(notes.index(figure.does) + 1)] for figure in figures]
    return found, notes


def as_text(figures: Sequence[Figure]) -> str:
    """A plain text table: the first column to the left, the others to the right."""
    body, notes = rows(figures)
    lines = [list(HEADS), *body]
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADS))]
    text = [
        "  ".join(
            cell.ljust(width) if column in {0, 6} else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    rule = "  ".join("-" * width for width in widths)
    return "\n".join([text[0], rule, *text[1:], "", *numbered_notes(notes)])


def numbered_notes(notes: Iterable[str]) -> list[str]:
    """The notes as a list with numbers."""
    return [f"{number}. {note}" for number, note in enumerate(notes, 1)]


def verdict(figures: Sequence[Figure]) -> str:
    """One line that counts the targets."""
    targets = [figure for figure in figures if figure.must is not None]
    held = sum(figure.holds is True for figure in targets)
    unknown = sum(figure.holds is None for figure in targets)
    missed = len(targets) - held - unknown
    return f"{held} targets hold, {missed} do not, {unknown} could not be measured"
