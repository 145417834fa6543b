"""Regions of a piece file: squares with a name, listed or drawn, for one side or for both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from alfil.effort import spend
from alfil.errors import nearest
from alfil.game.variant import FIRST, SECOND, ZONE, Region
from alfil.library.fields import NOT_IN_CODES, parts, rank_span
from alfil.library.nodes import Field, Findings, Statement, Text, Wrong
from alfil.squares import Square, read_on

SIDES = {"first": FIRST, "second": SECOND}
FIELDS = ("files", "ranks", "squares")
EMPTY = "."


class Regions:
    """The regions of one file on a board of so many files and ranks, while they are read."""

    def __init__(self, files: int, ranks: int, findings: Findings) -> None:
        self.files, self.ranks = files, ranks
        self.findings = findings
        self._found: dict[str, dict[int, frozenset[Square]]] = {}

    @property
    def found(self) -> tuple[Region, ...]:
        """What was read; a region of one side has no squares for the other."""
        none: frozenset[Square] = frozenset()
        return tuple(
            Region(name, (sides.get(FIRST, none), sides.get(SECOND, none)))
            for name, sides in self._found.items()
        )

    def read(self, line: Statement, rows: Sequence[tuple[Text, ...]]) -> None:
        """Take a region; what is wrong with it joins the findings."""
        name = line.head
        if NOT_IN_CODES.search(name.value) or name.value == "none":
            self.findings.add("region-name", name.span, name=name.value)
            return
        if not self.files:
            self.findings.add("region-board", name.span)
            return
        before = len(self.findings.found)
        sides, mirrored = self._options(line)
        squares = frozenset((*self._listed(line), *self._drawn(rows)))
        if not squares and len(self.findings.found) == before:
            self.findings.add("no-squares", name.span, name=name.value)
        spend(len(squares) * len(sides))
        known = self._found.setdefault(name.value, {})
        if known.keys() & set(sides):
            self.findings.add("twice", name.span, what=f"the region {name.value}")
        for side in sides:
            known[side] = frozenset(self._seen(at, side, mirrored=mirrored) for at in squares)

    def check_zone(self, zones: Sequence[Statement]) -> None:
        """The promotion zone is a number of ranks or a region, not both."""
        if zones and ZONE in self._found:
            self.findings.add("twice", zones[0].head.span, what="the promotion zone")

    def _options(self, line: Statement) -> tuple[tuple[int, ...], bool]:
        """For which sides it is, and whether that of the second is a reflection."""
        sides: list[int] = []
        mirrored = False
        for item in line.items:
            text = item.key if isinstance(item, Field) else item
            known = FIELDS if isinstance(item, Field) else (*SIDES, "mirrored")
            if text.value not in known:
                near = nearest(text.value, (*FIELDS, *SIDES, "mirrored"))
                self.findings.add("of-region", text.span, name=text.value, near=near)
            elif text.value in SIDES:
                sides.append(SIDES[text.value])
            mirrored |= text.value == "mirrored"
        return tuple(sides) or (FIRST, SECOND), mirrored

    def _seen(self, at: Square, side: int, *, mirrored: bool) -> Square:
        """A square as the first side sees it."""
        if side == FIRST:
            return at
        return (at[0] if mirrored else self.files - 1 - at[0], self.ranks - 1 - at[1])

    def _listed(self, line: Statement) -> Iterator[Square]:
        """The squares of files and ranks, and single ones."""
        fields = line.fields
        files, ranks = range(self.files), range(self.ranks)
        with self.findings.taking():
            if "files" in fields:
                files = self._span(fields["files"].value)
            if "ranks" in fields:
                first, last = rank_span(fields["ranks"].value, "the ranks of a region")
                ranks = range(first - 1, min(last, self.ranks))
            if "files" in fields or "ranks" in fields:
                yield from product(files, ranks)
            for part in parts(fields["squares"].value) if "squares" in fields else ():
                yield self._square(part)

    def _span(self, text: Text) -> range:
        """Files by their letters: d-f, or d."""
        first, _, last = text.value.partition("-")
        low, high = self._file(first), self._file(last or first)
        if not 0 <= low <= high:
            raise Wrong("files", text.span, value=text.value, files=self.files)
        return range(low, high + 1)

    def _file(self, letter: str) -> int:
        at = read_on(f"{letter}1", self.files, self.ranks, "chess")
        return at[0] if at else -1

    def _square(self, text: Text) -> Square:
        at = read_on(text.value, self.files, self.ranks, "chess")
        if at is None:
            raise Wrong("no-square", text.span, value=text.value or "empty")
        return at

    def _drawn(self, rows: Sequence[tuple[Text, ...]]) -> Iterator[Square]:
        """The squares that are marked in rows, the nearest rank last."""
        for rank, row in enumerate(reversed(rows)):
            yield from ((file, rank) for file, cell in enumerate(row) if cell.value != EMPTY)
