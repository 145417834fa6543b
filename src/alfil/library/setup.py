"""The drawn set-up and the hands: rows and counts in, placed pieces out."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from alfil.errors import nearest
from alfil.game.variant import FIRST, SECOND, Placed
from alfil.library.findings import Findings
from alfil.library.nodes import Hand, Row, Setup, Text

SIDES = {"first": FIRST, "second": SECOND}
EMPTY = "."
COUNTED = re.compile(r"(.+)\*([0-9]{1,3})")

Hands = tuple[tuple[tuple[str, int], ...], tuple[tuple[str, int], ...]]


class Drawn(NamedTuple):
    """A set-up as it was drawn: its head and its rows, the farthest rank first."""

    head: Setup
    rows: list[Row]
    mark: Text


class Size(NamedTuple):
    """Files and ranks of the board; 0 where there is none."""

    files: int
    ranks: int


def placed(
    drawn: Iterable[Drawn], size: Size, codes: Collection[str], findings: Findings
) -> tuple[Placed, ...]:
    """Where the pieces stand at the start; what is wrong joins the findings."""
    found: dict[tuple[int, int], Placed] = {}
    taken: set[int] = set()
    for block in drawn:
        sides, mirrored = _options(block, findings)
        if taken & set(sides):
            message = "this side has been set up before"
            hint = "a set-up for each side: setup first, and setup second"
            findings.add("given-twice", message, block.mark.span, hint)
            continue
        taken |= set(sides)
        if not size.files:
            hint = "add a line: board 9x9"
            findings.add("no-board", "a set-up needs a board", block.mark.span, hint)
            continue
        _check_rows(block, size, findings)
        for side in sides:
            for each, text in _side(block, size, side, mirrored=mirrored):
                _put(each, text, found, codes, findings)
    return tuple(found.values())


def _options(block: Drawn, findings: Findings) -> tuple[tuple[int, ...], bool]:
    """The sides a set-up is for, and whether the second is a reflection of the first."""
    known = (*SIDES, "mirrored")
    said = [option.value for option in block.head.options]
    for option in block.head.options:
        if option.value not in known:
            message, hint = f"a set-up cannot be {option.value}", nearest(option.value, known)
            findings.add("unknown-value", message, option.span, hint)
    sides = tuple(SIDES[word] for word in dict.fromkeys(said) if word in SIDES)
    if len(said) > len(set(said)) or len(sides) > 1 or {"first", "mirrored"} <= set(said):
        hint = "only the rows of the second side can be mirrored"
        if len(sides) > 1:
            hint = "without first or second it is for both sides"
        findings.add("unknown-value", "these do not go together", block.head.options[-1].span, hint)
    return sides or (FIRST, SECOND), "mirrored" in said


def _check_rows(block: Drawn, size: Size, findings: Findings) -> None:
    if not block.rows and not findings.lost_rows:
        hint = "draw its rows on the lines below: | . . K . . |"
        findings.add("incomplete-line", "a set-up without rows", block.mark.span, hint)
    if len(block.rows) > size.ranks:
        message = f"the set-up has {len(block.rows)} rows, the board {size.ranks} ranks"
        span = block.rows[0].cells[0].span
        findings.add("wrong-row", message, span, "leave the rows out that are empty")
    for row in block.rows:
        if len(row.cells) != size.files:
            message = f"the row has {len(row.cells)} squares, the board {size.files} files"
            span = row.cells[0].span.to(row.cells[-1].span)
            findings.add("wrong-row", message, span, "write a dot for every empty square")


def _side(block: Drawn, size: Size, side: int, *, mirrored: bool) -> Iterable[tuple[Placed, Text]]:
    """The pieces of one side; the second sees the board turned by half, or reflected."""
    if len(block.rows) > size.ranks:
        return
    for rank, row in enumerate(reversed(block.rows)):
        if len(row.cells) != size.files:
            continue
        for file, cell in enumerate(row.cells):
            if cell.value == EMPTY:
                continue
            at = (file, rank)
            if side == SECOND:
                at = (file if mirrored else size.files - 1 - file, size.ranks - 1 - rank)
            yield Placed(at, side, cell.value), cell


def _put(
    each: Placed,
    text: Text,
    found: dict[tuple[int, int], Placed],
    codes: Collection[str],
    findings: Findings,
) -> None:
    if each.code not in codes:
        _unknown(text, each.code, codes, findings)
    elif each.square in found:
        other = found[each.square].code
        message = f"{each.code} and {other} would stand on one square"
        hint = "the set-ups of both sides overlap: draw fewer rows"
        findings.add("setup-overlap", message, text.span, hint)
    else:
        found[each.square] = each


def in_hand(lines: Iterable[Hand], codes: Collection[str], findings: Findings) -> Hands:
    """What each side has in hand at the start, as codes and counts in the order written."""
    hands: list[tuple[tuple[str, int], ...] | None] = [None, None]
    for line in lines:
        side = SIDES.get(line.words[0].value)
        words = line.words if side is None else line.words[1:]
        sides = (FIRST, SECOND) if side is None else (side,)
        counts = _counts(words, codes, findings)
        if any(hands[side] is not None for side in sides):
            message = "the hand of this side is given twice"
            findings.add("given-twice", message, line.words[0].span, "leave one of them out")
            continue
        for side in sides:
            hands[side] = counts
    return hands[FIRST] or (), hands[SECOND] or ()


def _counts(
    words: Iterable[Text], codes: Collection[str], findings: Findings
) -> tuple[tuple[str, int], ...]:
    found: dict[str, int] = {}
    for word in words:
        match = COUNTED.fullmatch(word.value)
        code, count = (match[1], int(match[2])) if match else (word.value, 1)
        if code not in codes:
            _unknown(word, code, codes, findings)
        elif code in found:
            message = f"{code} is given twice"
            findings.add("given-twice", message, word.span, f"write the number after it: {code}*2")
        elif not count:
            findings.add("wrong-number", f"no {code} at all", word.span, "leave it out")
        else:
            found[code] = count
    return tuple(found.items())


def _unknown(text: Text, code: str, codes: Collection[str], findings: Findings) -> None:
    message = f"no piece has the code {code}"
    findings.add("unknown-piece", message, text.span, nearest(code, codes))
