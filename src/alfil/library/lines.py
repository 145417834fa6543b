"""The lines of a piece file: text in, nodes and comments out, and what fits no line."""

from __future__ import annotations

import unicodedata
from functools import cache

from alfil.errors import nearest
from alfil.library.builder import Builder, moved
from alfil.library.findings import Findings
from alfil.library.nodes import Field, Line, Statement
from alfil.notation.parsing import Parser, ShapeError
from alfil.source import Source, Span

# A file of a thousand pieces is a tenth of this.
CHARACTER_LIMIT = 1_000_000
LINE_LIMIT = 20_000

BLANK = " \t\u3000\u00a0"
FORMS = {
    "game": 'game "Hand shogi"',
    "board": "board 9x9",
    "zone": "zone promotion ranks=3",
    "rule": "rule stalemate = loss",
    "piece": 'piece N "knight" betza=N',
    "setup": "setup, setup mirrored, setup first or setup second",
    "|": "| . . K . . |",
    "hand": "hand T S*2",
    "include": 'include shogi, or include "file.pieces"',
    "constraint": 'constraint H1 lines on=T,SH "every destination lies on a line"',
}
# Joiners are part of how some languages are written.
JOINERS = "\u200c\u200d"


@cache
def _parser() -> Parser[Line]:
    return Parser("pieces", Builder(), "line")


def read_lines(source: Source, findings: Findings) -> list[Line]:
    """Every line of the file; those that cannot be read are left out and their errors noted."""
    text = source.text
    if len(text) > CHARACTER_LIMIT or text.count("\n") > LINE_LIMIT:
        message = f"a piece file has up to {CHARACTER_LIMIT:,} characters on {LINE_LIMIT:,} lines"
        findings.add("too-long", message, Span(0, 1), "put the pieces in several files")
        return []
    lines: list[Line] = []
    start = 0
    for raw in text.split("\n"):
        line = _read_line(raw, start, findings)
        if line:
            lines.append(line)
        start += len(raw) + 1
    return lines


def _read_line(raw: str, start: int, findings: Findings) -> Line | None:
    span = Span(start, start + len(raw))
    stripped = raw.strip(BLANK)
    if not stripped or (stripped[0] == "#" and raw.isprintable()):
        return Line(None, stripped, span)
    if _has_controls(raw, start, findings):
        return None
    try:
        read = _parser().parse(raw)
    except ShapeError as error:
        _diagnose(raw, start, error, findings)
        return None
    statement = moved(read.statement, start) if read.statement else None
    _check_blanks(statement, raw, start, findings)
    return Line(statement, read.comment.rstrip(BLANK), span)


def _check_blanks(statement: Statement | None, raw: str, start: int, findings: Findings) -> None:
    """A blank after the sign of a field would make the next word its value, a flag perhaps."""
    for item in getattr(statement, "items", ()):
        if isinstance(item, Field) and not item.value.quoted:
            before = raw[item.value.span.start - start - 1]
            if before in BLANK:
                key, value = item.key.value, item.value.value
                message = f"there is a blank between {key}= and its value"
                hint = f"write {key}={value}, or leave {key}= out"
                findings.add("blank-value", message, item.key.span, hint)


def _has_controls(raw: str, start: int, findings: Findings) -> bool:
    """Whether there are characters nobody sees; each is noted."""
    if raw.isprintable():
        return False
    found = False
    for at, character in enumerate(raw):
        if character.isprintable() or character in BLANK or character in JOINERS:
            continue
        category = unicodedata.category(character)
        if category == "Zs":
            message, hint = "this kind of blank is not known", "write a plain blank"
        else:
            message = f"a character that cannot be seen: U+{ord(character):04X}"
            hint = "remove it"
        findings.add("control-character", message, Span(start + at, start + at + 1), hint)
        found = True
    return found


def _diagnose(raw: str, start: int, error: ShapeError, findings: Findings) -> None:
    """Say what does not fit: the keyword, a quote without end, or the form of the line."""
    begin = len(raw) - len(raw.lstrip(BLANK))
    keyword = raw.strip(BLANK).split("|")[0].split("\u3000")[0].split()[:1]
    word = "|" if raw[begin : begin + 1] == "|" else (keyword[0] if keyword else raw[begin:])
    if word not in FORMS:
        span = Span(start + begin, start + begin + max(len(word), 1))
        hint = nearest(word, FORMS) if word[0].isalpha() else f"one of {', '.join(FORMS)}"
        findings.add("unknown-line", f"no line begins with {word}", span, hint)
        return
    findings.lost_rows |= word == "|"
    if word == "piece":
        findings.lost += raw.replace("\u3000", " ").split()[1:2]
    at = min(error.start, len(raw))
    if raw[at : at + 1] == '"' and '"' not in raw[at + 1 :].replace('""', ""):
        span = Span(start + at, start + at + 1)
        findings.add("unclosed-quote", "a quote is opened and never closed", span, "close it")
        return
    form = f"write it like this: {FORMS[word]}"
    if at >= len(raw.rstrip(BLANK)) or raw[at] == "#":
        end = len(raw[:at].rstrip(BLANK))
        span = Span(start + end, start + end + 1)
        findings.add("incomplete-line", f"the line is not complete: {word}", span, form)
        return
    span = Span(start + at, start + max(error.end, at + 1))
    what = raw[at : max(error.end, at + 1)]
    findings.add("unexpected", f"{what} means nothing here", span, form)
