"""Regions of a piece file: squares with a name, listed or drawn, for one side or for both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from alfil.errors import did_you_mean_or_list
from alfil.game.variant import FIRST, SECOND, ZONE_REGION, Region
from alfil.library.field_parsers import CODE_SEPARATORS, read_rank_span, split_list
from alfil.library.statements import Diagnostics, Field, InvalidValue, Statement, Text
from alfil.squares import Square, parse_square, square_seen_by
from alfil.work_limit import charge

SIDES = {"first": FIRST, "second": SECOND}
REGION_FIELDS = ("files", "ranks", "squares")
EMPTY_SQUARE_MARK = "."


class RegionReader:
    """The regions of one file on a board of so many files and ranks, while they are read."""

    def __init__(self, files: int, ranks: int, diagnostics: Diagnostics) -> None:
        self.files, self.ranks = files, ranks
        self.diagnostics = diagnostics
        self._found: dict[str, dict[int, frozenset[Square]]] = {}

    @property
    def regions(self) -> tuple[Region, ...]:
        """What was read; a region of one side has no squares for the other."""
        none: frozenset[Square] = frozenset()
        return tuple(
            Region(name, (sides.get(FIRST, none), sides.get(SECOND, none)))
            for name, sides in self._found.items()
        )

    def read_region(self, line: Statement, rows: Sequence[tuple[Text, ...]]) -> None:
        """Take a region; what is wrong with it joins the diagnostics."""
        name = line.head
        if CODE_SEPARATORS.search(name.value) or name.value == "none":
            self.diagnostics.add("region-name", name.span, name=name.value)
            return
        if not self.files:
            self.diagnostics.add("region-board", name.span)
            return
        before = len(self.diagnostics.found)
        sides, mirrored = self._sides_and_mirroring(line)
        squares = frozenset((*self._listed_squares(line), *self._drawn_squares(rows)))
        if not squares and len(self.diagnostics.found) == before:
            self.diagnostics.add("no-squares", name.span, name=name.value)
        charge(len(squares) * len(sides))
        known = self._found.setdefault(name.value, {})
        if known.keys() & set(sides):
            self.diagnostics.add("twice", name.span, what=f"the region {name.value}")
        for side in sides:
            seen = (square_seen_by(side, at, self.files, self.ranks) for at in squares)
            known[side] = frozenset(
                (at[0], other[1]) if mirrored else other
                for at, other in zip(squares, seen, strict=True)
            )

    def check_zone_defined_once(self, zones: Sequence[Statement]) -> None:
        """The promotion zone is a number of ranks or a region, not both."""
        if zones and ZONE_REGION in self._found:
            self.diagnostics.add("twice", zones[0].head.span, what="the promotion zone")

    def _sides_and_mirroring(self, line: Statement) -> tuple[tuple[int, ...], bool]:
        """For which sides it is, and whether that of the second is a reflection."""
        sides: list[int] = []
        mirrored = False
        for item in line.items:
            text = item.key if isinstance(item, Field) else item
            known = REGION_FIELDS if isinstance(item, Field) else (*SIDES, "mirrored")
            if text.value not in known:
                near = did_you_mean_or_list(text.value, (*REGION_FIELDS, *SIDES, "mirrored"))
                self.diagnostics.add("of-region", text.span, name=text.value, near=near)
            elif text.value in SIDES:
                sides.append(SIDES[text.value])
            mirrored |= text.value == "mirrored"
        return tuple(sides) or (FIRST, SECOND), mirrored

    def _listed_squares(self, line: Statement) -> Iterator[Square]:
        """The squares of files and ranks, and single ones."""
        fields = line.fields
        files, ranks = range(self.files), range(self.ranks)
        with self.diagnostics.collect_invalid_values():
            if "files" in fields:
                files = self._read_file_range(fields["files"].value)
            if "ranks" in fields:
                first, last = read_rank_span(fields["ranks"].value, "the ranks of a region")
                ranks = range(first - 1, min(last, self.ranks))
            if "files" in fields or "ranks" in fields:
                yield from product(files, ranks)
            for part in split_list(fields["squares"].value) if "squares" in fields else ():
                yield self._read_square(part)

    def _read_file_range(self, text: Text) -> range:
        """Files by their letters: d-f, or d."""
        first, _, last = text.value.partition("-")
        low, high = self._read_file_letter(first), self._read_file_letter(last or first)
        if not 0 <= low <= high:
            raise InvalidValue("files", text.span, value=text.value, files=self.files)
        return range(low, high + 1)

    def _read_file_letter(self, letter: str) -> int:
        at = parse_square(f"{letter}1", self.files, self.ranks, "chess")
        return at[0] if at else -1

    def _read_square(self, text: Text) -> Square:
        at = parse_square(text.value, self.files, self.ranks, "chess")
        if at is None:
            raise InvalidValue("no-square", text.span, value=text.value or "empty")
        return at

    def _drawn_squares(self, rows: Sequence[tuple[Text, ...]]) -> Iterator[Square]:
        """The squares that are marked in rows, the nearest rank last."""
        for rank, row in enumerate(reversed(rows)):
            yield from (
                (file, rank) for file, cell in enumerate(row) if cell.value != EMPTY_SQUARE_MARK
            )
