"""Record formats by name: signature, parser, reader, writer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple

from alfil.errors import RecordError, reject
from alfil.play.records import csa, kif, pgn, san, shogi_names
from alfil.play.records.own_format import FIRST_LINE, ParsedRecord, parse, render
from alfil.play.records.replay import Reader, read_own_format_move
from alfil.play.session import Session
from alfil.source import Source, Span


class RecordFormat(NamedTuple):
    """A record format.

    ``signature`` is what only a text of this kind has, ``default_variant`` the game of one that
    names none, ``separator`` what parts two matches. ``preserved`` is what of a game it has besides
    moves, players, date, comments and the end: variations, marks, tags, or single tags by their
    names. ``parse_whole`` parses what is whole of a text that breaks off, where a format can tell.
    """

    signature: re.Pattern[str]
    parse: Callable[[Source], Iterable[ParsedRecord]]
    read: Reader
    write: Callable[[Session], str]
    default_variant: str = ""
    separator: str = "\n"
    preserved: frozenset[str] = frozenset()
    parse_whole: Callable[[Source], Iterable[ParsedRecord]] | None = None

    def losses(self, session: Session) -> dict[str, int]:
        """What the format cannot express of a match, with counts."""
        result: Counter[str] = Counter()
        lines = [*session.rounds]
        while lines:
            line = lines.pop()
            others = [other for each in line.variations.values() for other in each]
            result["variations"] += len(others)
            result["marks"] += sum(map(len, line.nags.values()))
            result.update(
                f"the tag {name}"
                for name, value in line.tags.items()
                if value not in {"", "?"} and not self.preserved & {"tags", name}
            )
            lines += others
        return {
            name: count for name, count in result.items() if count and name not in self.preserved
        }


FORMATS = {
    "hodges": RecordFormat(
        re.compile(FIRST_LINE),
        lambda source: [parse(source)],
        read_own_format_move,
        partial(render, finished=True),
        preserved=frozenset({"variations", "marks"}),
        parse_whole=lambda source: [parse(source, recover=True)],
    ),
    "pgn": RecordFormat(
        re.compile(r'\s*(?:\[\s*\w+\s+"|[{;]|1\s*\.)'),
        pgn.parse,
        san.read_san_or_usi_move,
        pgn.render,
        pgn.DEFAULT_VARIANT,
        preserved=frozenset({"variations", "marks", "tags"}),
        parse_whole=partial(pgn.parse, recover=True),
    ),
    "csa": RecordFormat(
        re.compile(r"\s*(?:'[^\n]*\n)*(?:V[23]|N[+-]|\$[A-Z]|P[I1+-]|[+-]\s)"),
        csa.parse,
        csa.read,
        csa.render,
        shogi_names.DEFAULT_VARIANT,
        csa.SEPARATOR,
        preserved=frozenset(csa.TAGS.values()),
    ),
    "kif": RecordFormat(
        re.compile(r"[\s\S]*^(?:手合割|手数-|開始日時|先手|下手|後手|上手)", re.MULTILINE),
        kif.parse,
        kif.read,
        kif.render,
        shogi_names.DEFAULT_VARIANT,
        preserved=frozenset({"variations", *kif.TAGS.values()}),
    ),
}


def format_of(source: Source) -> RecordFormat:
    """The format of a text; raises `RecordError` where nothing tells it."""
    result = [each for each in FORMATS.values() if each.signature.match(source.text)]
    if not result:
        message = f"this is a record in none of the formats {', '.join(FORMATS)}"
        hint = "say which it is"
        reject(RecordError, "unknown-form", message, source, Span(0, 1), hint)
    return result[0]
