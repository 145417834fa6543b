"""The formats of records by name: how each is known, taken apart, read and written."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from alfil.errors import RecordError, refuse
from alfil.play.records import csa, kif, pgn, san, shogi
from alfil.play.records.record import FIRST_LINE, Written, parse, render
from alfil.play.records.replaying import Reader, read_own
from alfil.play.session import Session
from alfil.source import Source, Span


class Format(NamedTuple):
    """One way to write games down.

    ``sign`` is what only a text of this kind has, ``usual`` the game of one that names none,
    ``between`` what parts two matches. ``keeps`` is what of a game it has besides moves, players,
    date, comments and the end: variations, marks, tags, or single tags by their names.
    """

    sign: re.Pattern[str]
    parse: Callable[[Source], Iterable[Written]]
    read: Reader
    write: Callable[[Session], str]
    usual: str = ""
    between: str = "\n"
    keeps: frozenset[str] = frozenset()

    def losses(self, session: Session) -> dict[str, int]:
        """What of a match this format has no place for, and how often that is there."""
        found: Counter[str] = Counter()
        lines = [*session.rounds]
        while lines:
            line = lines.pop()
            others = [other for each in line.variations.values() for other in each]
            found["variations"] += len(others)
            found["marks"] += sum(map(len, line.nags.values()))
            found.update(f"the tag {name}" for name in line.tags if not self.keeps & {"tags", name})
            lines += others
        return {name: count for name, count in found.items() if count and name not in self.keeps}


FORMATS = {
    "hodges": Format(
        re.compile(FIRST_LINE),
        lambda source: [parse(source)],
        read_own,
        partial(render, finished=True),
        keeps=frozenset({"variations", "marks"}),
    ),
    "pgn": Format(
        re.compile(r'\s*(?:\[\s*\w+\s+"|[{;]|1\s*\.)'),
        pgn.parse,
        san.read_lenient,
        pgn.render,
        pgn.USUAL,
        keeps=frozenset({"variations", "marks", "tags"}),
    ),
    "csa": Format(
        re.compile(r"\s*(?:'[^\n]*\n)*(?:V[23]|N[+-]|\$[A-Z]|P[I1+-]|[+-]\s)"),
        csa.parse,
        csa.read,
        csa.render,
        shogi.USUAL,
        csa.BETWEEN,
        keeps=frozenset(csa.TAGS.values()),
    ),
    "kif": Format(
        re.compile(r"[\s\S]*^(?:手合割|手数-|開始日時|先手|下手|後手|上手)", re.MULTILINE),
        kif.parse,
        kif.read,
        kif.render,
        shogi.USUAL,
        keeps=frozenset({"variations", *kif.TAGS.values()}),
    ),
}


def format_of(source: Source) -> Format:
    """The format of a text; raises `RecordError` where nothing tells it."""
    found = [each for each in FORMATS.values() if each.sign.match(source.text)]
    if not found:
        message = f"this is a record in none of the formats {', '.join(FORMATS)}"
        hint = "say which it is"
        refuse(RecordError, "unknown-form", message, source, Span(0, 1), hint)
    return found[0]
