"""The lines of a piece file: text in, statements and comments out, and all that is found wrong.

A statement is what a line says, as it was written. Spans count from the start of the file. Nothing
is checked here beyond the form of a line: a key may not exist, a word may make no sense where it
stands. Every line is parsed by itself with grammars/pieces.lark, so that a mistake spoils one line.
What is said of mistakes, here and wherever a file is read, stands in grammars/pieces_findings.tsv.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from types import SimpleNamespace
from typing import TypeAlias

from alfil.errors import Finding, PieceFileError, nearest
from alfil.frozen import NamedTuple
from alfil.grammars import Sayings
from alfil.notation.parsing import Parser, ShapeError, Token
from alfil.notation.registry import usual_name
from alfil.source import NOWHERE, Source, Span
from alfil.trees import moved

# More than this nobody reads; a file of noise has one for every line.
FINDING_LIMIT = 100
# A file of a thousand pieces is a tenth of this.
CHARACTER_LIMIT = 1_000_000
LINE_LIMIT = 20_000

found = Sayings("pieces_findings.tsv").found

BLANK = " \t\u3000\u00a0"


class Form(NamedTuple):
    """What a line that begins with a keyword looks like.

    ``words`` is how many words stand before its fields, flags and texts in quotes; all where it
    has nothing but words.
    """

    example: str
    words: int | None = None


FORMS = {
    "game": Form('game "Hand shogi"', 1),
    "board": Form("board 9x9", 1),
    "zone": Form("zone promotion ranks=3", 1),
    "region": Form("region palace files=d-f ranks=1-3", 1),
    "rule": Form("rule stalemate = loss"),
    "define": Form("define spin(range) = range &t90° range"),
    "piece": Form('piece N "knight" betza=N', 1),
    "moves": Form("moves R in=palaces betza=B", 1),
    "setup": Form("setup, setup mirrored, setup first or setup second"),
    "|": Form("| . . K . . |"),
    "hand": Form("hand T S*2"),
    "include": Form('include shogi, or include "file.pieces"', 1),
    "constraint": Form('constraint H1 lines on=T,SH "every destination lies on a line"', 2),
}
# Joiners are part of how some languages are written.
JOINERS = "\u200c\u200d"


@dataclass(frozen=True, slots=True)
class Text:
    """A word or a quoted text; ``value`` is what is meant, without quotes, ``span`` has them."""

    value: str
    span: Span = NOWHERE
    quoted: bool = False

    def place(self, inner: Span) -> Span:
        """Where a stretch of ``value`` stands in the file; a doubled quote takes two places."""
        return Span(self._offset(inner.start), max(self._offset(inner.end), self.span.start + 1))

    def _offset(self, inner: int) -> int:
        start = self.span.start + self.quoted
        return start + inner + (self.value.count('"', 0, inner) if self.quoted else 0)


@dataclass(frozen=True, slots=True)
class Field:
    """``key=value``."""

    key: Text
    value: Text


Item: TypeAlias = Field | Text


@dataclass(frozen=True, slots=True)
class Statement:
    """What a line says: its keyword and words, then fields, flags and texts in any order."""

    keyword: str
    words: tuple[Text, ...]
    items: tuple[Item, ...] = ()

    @property
    def head(self) -> Text:
        """The word after the keyword: the code of a piece, the name of a rule."""
        return self.words[0]

    @property
    def fields(self) -> dict[str, Field]:
        """The fields by their keys; of two with one key the last."""
        return {each.key.value: each for each in self.items if isinstance(each, Field)}

    @property
    def texts(self) -> list[Text]:
        """What stands in quotes."""
        return [each for each in self.items if isinstance(each, Text) and each.quoted]

    @property
    def flags(self) -> dict[str, Text]:
        """The words without quotes."""
        words = (each for each in self.items if isinstance(each, Text) and not each.quoted)
        return {each.value: each for each in words}


@dataclass(frozen=True, slots=True)
class Line:
    """One line: what it says, if anything, and the comment at its end with its sign."""

    statement: Statement | None
    comment: str = ""
    span: Span = NOWHERE


class Enough(Exception):
    """There are more errors than anybody reads; the rest of the file is not looked at."""


class Findings:
    """The findings of one file, in the order they were made.

    ``lost`` are the codes of pieces whose lines cannot be read: that is no reason to call every
    mention of them unknown. ``lost_rows`` tells that a row of a set-up was among these lines.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Finding] = []
        self.lost: list[str] = []
        self.lost_rows = False
        self._errors = 0

    def add(self, name: str, span: Span, /, **put: object) -> None:
        """Note what the table says under a name."""
        self.take(found(name, span, **put))

    def take(self, finding: Finding) -> None:
        """Note a finding that was made elsewhere; `Enough` when that makes too many errors."""
        self.found.append(finding)
        self._errors += finding.severity == "error"
        if self._errors >= FINDING_LIMIT:
            raise Enough

    @contextmanager
    def taking(self) -> Iterator[None]:
        """Note what is `Wrong` inside; the rest of the block is not done then."""
        try:
            yield
        except Wrong as error:
            self.take(error.finding)

    @property
    def ordered(self) -> tuple[Finding, ...]:
        """Each finding once, in text order, not more than people read."""
        once = {(each.kind, each.spans, each.message): each for each in self.found}
        return tuple(sorted(once.values(), key=lambda each: each.spans[:1]))[:FINDING_LIMIT]

    def warnings(self) -> tuple[Finding, ...]:
        """The findings where none is an error; raises `PieceFileError` with all otherwise."""
        if any(each.severity == "error" for each in self.found):
            raise PieceFileError(self.ordered, self.source)
        return self.ordered


class Wrong(Exception):
    """Something in a piece file means nothing; it never leaves the reader."""

    def __init__(self, name: str, span: Span, /, **put: object) -> None:
        self.finding = found(name, span, **put)
        super().__init__(self.finding.message)


def _text(sign: Token) -> Text:
    if sign.type == "STRING":
        return Text(sign[1:-1].replace('""', '"'), sign.span, quoted=True)
    return Text(str(sign), sign.span)


def _field(key: Token, value: Token) -> Field:
    name = _text(key)
    return Field(replace(name, value=usual_name(name.value)), _text(value))


def _statement(keyword: str, *parts: Field | Token) -> Statement:
    """What the parser makes of the rule of a keyword."""
    read = [each if isinstance(each, Field) else _text(each) for each in parts]
    words = len(read) if FORMS[keyword].words is None else FORMS[keyword].words
    return Statement(keyword, tuple(read[:words]), tuple(read[words:]))  # type: ignore[arg-type]  # as the grammar has it


def _line(*parts: Statement | Token) -> Line:
    """A whole line: a statement, a comment, both or neither."""
    statement = next((each for each in parts if not isinstance(each, str)), None)
    return Line(statement, next((str(each) for each in parts if isinstance(each, str)), ""))


@cache
def _parser() -> Parser[Line]:
    methods = {"row" if word == "|" else word: partial(_statement, word) for word in FORMS}
    return Parser("pieces", SimpleNamespace(**methods, field=_field, line=_line), "line")


def read_lines(source: Source, findings: Findings) -> list[Line]:
    """Every line of the file; those that cannot be read are left out and their errors noted."""
    text = source.text
    if len(text) > CHARACTER_LIMIT or text.count("\n") > LINE_LIMIT:
        findings.add("too-long", Span(0, 1), characters=CHARACTER_LIMIT, lines=LINE_LIMIT)
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
    for item in statement.items if statement else ():
        if isinstance(item, Field) and not item.value.quoted:
            before = raw[item.value.span.start - start - 1]
            if before in BLANK:
                key, value = item.key.value, item.value.value
                findings.add("blank-value", item.key.span, key=key, value=value)


def _has_controls(raw: str, start: int, findings: Findings) -> bool:
    """Whether there are characters nobody sees; each is noted."""
    if raw.isprintable():
        return False
    controls = False
    for at, character in enumerate(raw):
        if character.isprintable() or character in BLANK or character in JOINERS:
            continue
        name = "blank" if unicodedata.category(character) == "Zs" else "unseen"
        findings.add(name, Span(start + at, start + at + 1), number=ord(character))
        controls = True
    return controls


def _diagnose(raw: str, start: int, error: ShapeError, findings: Findings) -> None:
    """Say what does not fit: the keyword, a quote without end, or the form of the line."""
    begin = len(raw) - len(raw.lstrip(BLANK))
    keyword = raw.strip(BLANK).split("|")[0].split("\u3000")[0].split()[:1]
    word = "|" if raw[begin : begin + 1] == "|" else (keyword[0] if keyword else raw[begin:])
    if word not in FORMS:
        span = Span(start + begin, start + begin + max(len(word), 1))
        near = nearest(word, FORMS) if word[0].isalpha() else f"one of {', '.join(FORMS)}"
        findings.add("no-such-line", span, word=word, near=near)
        return
    findings.lost_rows |= word == "|"
    if word == "piece":
        findings.lost += raw.replace("\u3000", " ").split()[1:2]
    at = min(error.start, len(raw))
    if raw[at : at + 1] == '"' and '"' not in raw[at + 1 :].replace('""', ""):
        findings.add("open-quote", Span(start + at, start + at + 1))
        return
    example = FORMS[word].example
    if at >= len(raw.rstrip(BLANK)) or raw[at] == "#":
        end = len(raw[:at].rstrip(BLANK))
        findings.add("incomplete", Span(start + end, start + end + 1), word=word, example=example)
        return
    span = Span(start + at, start + max(error.end, at + 1))
    what = raw[at : max(error.end, at + 1)]
    findings.add("unexpected", span, what=what, example=example)
