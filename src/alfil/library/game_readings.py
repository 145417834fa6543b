"""The readings of a game: rules and pieces that other sources have in place of those of its file.

A line ``reading`` begins one, and the lines behind it, up to the next, are what differs from the
lines above the first reading. What is chosen takes the place of the line with the same rule or
code; the others are left out, so that nothing else of a file need know of readings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from alfil.errors import did_you_mean_or_list
from alfil.library.piece_file import GameReading
from alfil.library.statements import Diagnostics, Field, Line, Statement
from alfil.source import Span

# What may differ in a reading: at most one line of each rule and code, and one zone.
REPLACEABLE_KEYWORDS = ("rule", "piece", "zone")
READING_KEYS = ("source",)
DEFAULT_FLAG = "default"


def lines_of_reading(
    lines: Sequence[Line], name: str, diagnostics: Diagnostics
) -> tuple[list[Line], tuple[GameReading, ...]]:
    """The lines of a file in a reading, and all readings that it has.

    Without a name, and in the default reading, they are the lines above the first reading.
    """
    base, sections = _base_and_reading_sections(lines)
    readings: dict[str, GameReading] = {}
    for head, own in sections:
        reading = _make_reading(head, own, diagnostics)
        if reading.name in readings:
            diagnostics.add("twice", head.head.span, what=f"the reading {reading.name}")
        readings[reading.name] = reading
    if name and name not in readings:
        near = did_you_mean_or_list(name, readings) if readings else "it has no readings"
        diagnostics.add("no-such-reading", Span(0, 1), name=name, near=near)
    for head, own in sections:
        if head.head.value == name:
            base = _replace_lines(base, own, diagnostics)
    return base, tuple(readings.values())


def _base_and_reading_sections(
    lines: Sequence[Line],
) -> tuple[list[Line], list[tuple[Statement, list[Line]]]]:
    base: list[Line] = []
    sections: list[tuple[Statement, list[Line]]] = []
    for line in lines:
        if line.statement and line.statement.keyword == "reading":
            sections.append((line.statement, []))
        elif line.statement:
            (sections[-1][1] if sections else base).append(line)
    return base, sections


def _make_reading(head: Statement, own: Sequence[Line], diagnostics: Diagnostics) -> GameReading:
    """What a line says of a reading; what means nothing there is noted."""
    for item in head.items:
        text = item.key if isinstance(item, Field) else item
        known = (
            text.value in READING_KEYS if isinstance(item, Field) else text.value == DEFAULT_FLAG
        )
        if not known and text not in head.texts[:1]:
            near = did_you_mean_or_list(
                text.value, (*(f"{key}=" for key in READING_KEYS), DEFAULT_FLAG)
            )
            diagnostics.add("of-reading", text.span, name=text.value, near=near)
    if not head.texts:
        diagnostics.add("no-difference", head.head.span)
    is_default = DEFAULT_FLAG in head.flags
    for statement in _statements(own):
        if is_default or statement.keyword not in REPLACEABLE_KEYWORDS:
            name = "of-default" if is_default else "not-in-reading"
            diagnostics.add(name, _statement_span(statement), word=statement.keyword)
    words = head.texts[0].value.strip() if head.texts else ""
    source = head.fields["source"].value.value if "source" in head.fields else ""
    sources = tuple(each.strip() for each in source.split(",") if each.strip())
    return GameReading(head.head.value, words, sources, is_default)


def _replace_lines(
    base: Sequence[Line], own: Sequence[Line], diagnostics: Diagnostics
) -> list[Line]:
    """The lines of a file with those of a reading in their place; new ones are added."""
    result = list(base)
    places = {
        _line_key(line.statement): number for number, line in enumerate(base) if line.statement
    }
    seen = set[tuple[str, str]]()
    for line in own:
        assert line.statement
        place = _line_key(line.statement)
        if place in seen:
            what = f"the {line.statement.keyword} {line.statement.head.value}"
            diagnostics.add("twice", _statement_span(line.statement), what=what)
        elif place in places:
            result[places[place]] = line
        else:
            result.append(line)
        seen.add(place)
    return result


def _line_key(statement: Statement) -> tuple[str, str]:
    return statement.keyword, statement.head.value if statement.words else ""


def _statement_span(statement: Statement) -> Span:
    return statement.head.span if statement.words else Span(0, 1)


def _statements(lines: Sequence[Line]) -> Iterator[Statement]:
    return (line.statement for line in lines if line.statement)
