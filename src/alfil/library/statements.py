"""The lines of a piece file, parsed to statements and comments, with diagnostics.

A statement is what a line says, as it was written. Spans count from the start of the file. Nothing
is checked here beyond the form of a line: a key may not exist, a word may make no sense where it
stands. Every line is parsed by itself with grammars/pieces.lark, so that a mistake spoils one line.
What is said of mistakes, here and wherever a file is read, stands in
grammars/pieces_diagnostics.tsv.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from types import SimpleNamespace
from typing import TypeAlias

from alfil.data_files import MessageTable
from alfil.errors import Diagnostic, PieceFileError, did_you_mean_or_list
from alfil.frozen_dataclasses import NamedTuple
from alfil.node_trees import shift_spans
from alfil.notation.parsing import GrammarError, Parser, Token
from alfil.notation.registry import canonical_notation_name
from alfil.source import NOWHERE, Source, Span

# More than this nobody reads; a file of noise has one for every line.
DIAGNOSTIC_LIMIT = 100
# A file of a thousand pieces is a tenth of this.
CHARACTER_LIMIT = 1_000_000
LINE_LIMIT = 20_000

_MESSAGES = MessageTable("pieces_diagnostics.tsv")
_NEAREST_NAME = re.compile(r"did you mean (.+)\?")


def make_diagnostic(name: str, /, *spans: Span, **put: object) -> Diagnostic:
    """What is said under a name; the nearest known name is text that the hint offers."""
    diagnostic = _MESSAGES.make_diagnostic(name, *spans, **put)
    nearest = _NEAREST_NAME.match(diagnostic.hint)
    return replace(diagnostic, offers=(Span(*nearest.span(1)),)) if nearest else diagnostic


BLANK_CHARACTERS = " \t\u3000\u00a0"


class LineForm(NamedTuple):
    """The form of a line with a keyword.

    ``words`` is how many words stand before its fields, flags and texts in quotes; all where it
    has nothing but words.
    """

    example: str
    words: int | None = None


FORM_BY_KEYWORD = {
    "game": LineForm('game "Hand shogi"', 1),
    "board": LineForm("board 9x9", 1),
    "zone": LineForm("zone promotion ranks=3", 1),
    "region": LineForm("region palace files=d-f ranks=1-3", 1),
    "rule": LineForm("rule stalemate = loss"),
    "define": LineForm("define spin(range) = range &t90° range"),
    "piece": LineForm('piece N "knight" betza=N', 1),
    "moves": LineForm("moves R in=palaces betza=B", 1),
    "setup": LineForm("setup, setup mirrored, setup first or setup second"),
    "|": LineForm("| . . K . . |"),
    "hand": LineForm("hand T S*2"),
    "include": LineForm('include shogi, or include "file.pieces"', 1),
    "reading": LineForm('reading hodges "repetition is barred" source="a book"', 1),
    "constraint": LineForm('constraint H1 lines on=T,SH "every destination lies on a line"', 2),
}
# Joiners are part of how some languages are written.
JOINER_CHARACTERS = "\u200c\u200d"


@dataclass(frozen=True, slots=True)
class Text:
    """A word or a quoted text; ``value`` is what is meant, without quotes, ``span`` has them."""

    value: str
    span: Span = NOWHERE
    is_quoted: bool = False

    def span_of(self, inner: Span) -> Span:
        """Where a stretch of ``value`` stands in the file; a doubled quote takes two places."""
        return Span(self._offset(inner.start), max(self._offset(inner.end), self.span.start + 1))

    def _offset(self, inner: int) -> int:
        start = self.span.start + self.is_quoted
        return start + inner + (self.value.count('"', 0, inner) if self.is_quoted else 0)


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
        return [each for each in self.items if isinstance(each, Text) and each.is_quoted]

    @property
    def flags(self) -> dict[str, Text]:
        """The words without quotes."""
        words = (each for each in self.items if isinstance(each, Text) and not each.is_quoted)
        return {each.value: each for each in words}


@dataclass(frozen=True, slots=True)
class Line:
    """One line: what it says, if anything, and the comment at its end with its sign."""

    statement: Statement | None
    comment: str = ""
    span: Span = NOWHERE


class TooManyDiagnostics(Exception):
    """There are more errors than anybody reads; the rest of the file is not looked at."""


class Diagnostics:
    """The diagnostics of one file, in the order they were made.

    ``lost`` are the codes of pieces whose lines cannot be read: that is no reason to call every
    mention of them unknown. ``lost_rows`` tells that a row of a set-up was among these lines.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Diagnostic] = []
        self.lost: list[str] = []
        self.lost_rows = False
        self._errors = 0

    def add(self, name: str, span: Span, /, **put: object) -> None:
        """Note what the table says under a name."""
        self.add_existing(make_diagnostic(name, span, **put))

    def add_existing(self, diagnostic: Diagnostic) -> None:
        """Add a diagnostic; raises `TooManyDiagnostics` where there are too many errors."""
        self.found.append(diagnostic)
        self._errors += diagnostic.severity == "error"
        if self._errors >= DIAGNOSTIC_LIMIT:
            raise TooManyDiagnostics

    @contextmanager
    def collect_invalid_values(self) -> Iterator[None]:
        """Note what is `InvalidValue` inside; the rest of the block is not done then."""
        try:
            yield
        except InvalidValue as error:
            self.add_existing(error.diagnostic)

    @property
    def has_errors(self) -> bool:
        """Whether any of them is no mere warning."""
        return self._errors > 0

    @property
    def ordered(self) -> tuple[Diagnostic, ...]:
        """Each diagnostic once, in text order, not more than people read."""
        once = {(each.kind, each.spans, each.message): each for each in self.found}
        return tuple(sorted(once.values(), key=lambda each: each.spans[:1]))[:DIAGNOSTIC_LIMIT]

    def warnings_or_raise(self) -> tuple[Diagnostic, ...]:
        """The diagnostics where none is an error; raises `PieceFileError` with all otherwise."""
        if self.has_errors:
            raise PieceFileError(self.ordered, self.source)
        return self.ordered


class InvalidValue(Exception):
    """An invalid value in a piece file; caught by the reader."""

    def __init__(self, name: str, span: Span, /, **put: object) -> None:
        self.diagnostic = make_diagnostic(name, span, **put)
        super().__init__(self.diagnostic.message)


def quoted(value: str) -> str:
    """A value as files have it where it is not a word."""
    return '"' + value.replace('"', '""') + '"'


def _make_text(sign: Token) -> Text:
    if sign.type == "STRING":
        return Text(sign[1:-1].replace('""', '"'), sign.span, is_quoted=True)
    return Text(str(sign), sign.span)


def _make_field(key: Token, value: Token) -> Field:
    name = _make_text(key)
    return Field(replace(name, value=canonical_notation_name(name.value)), _make_text(value))


def _make_statement(keyword: str, *parts: Field | Token) -> Statement:
    """What the parser makes of the rule of a keyword."""
    read = [each if isinstance(each, Field) else _make_text(each) for each in parts]
    words = len(read) if FORM_BY_KEYWORD[keyword].words is None else FORM_BY_KEYWORD[keyword].words
    return Statement(keyword, tuple(read[:words]), tuple(read[words:]))  # type: ignore[arg-type]  # as the grammar has it


def _make_line(*parts: Statement | Token) -> Line:
    """A whole line: a statement, a comment, both or neither."""
    statement = next((each for each in parts if not isinstance(each, str)), None)
    return Line(statement, next((str(each) for each in parts if isinstance(each, str)), ""))


@cache
def _parser() -> Parser[Line]:
    methods = {
        "row" if word == "|" else word: partial(_make_statement, word) for word in FORM_BY_KEYWORD
    }
    return Parser("pieces", SimpleNamespace(**methods, field=_make_field, line=_make_line), "line")


def read_lines(source: Source, diagnostics: Diagnostics) -> list[Line]:
    """Every line of the file; those that cannot be read are left out and their errors noted."""
    text = source.text
    if len(text) > CHARACTER_LIMIT or text.count("\n") > LINE_LIMIT:
        diagnostics.add("too-long", Span(0, 1), characters=CHARACTER_LIMIT, lines=LINE_LIMIT)
        return []
    lines: list[Line] = []
    start = 0
    for raw in text.split("\n"):
        line = _read_line(raw, start, diagnostics)
        if line:
            lines.append(line)
        start += len(raw) + 1
    return lines


def _read_line(raw: str, start: int, diagnostics: Diagnostics) -> Line | None:
    span = Span(start, start + len(raw))
    stripped = raw.strip(BLANK_CHARACTERS)
    if not stripped or (stripped[0] == "#" and raw.isprintable()):
        return Line(None, stripped, span)
    if _has_control_characters(raw, start, diagnostics):
        return None
    try:
        read = _parser().parse(raw)
    except GrammarError as error:
        _add_line_error(raw, start, error, diagnostics)
        return None
    statement = shift_spans(read.statement, start) if read.statement else None
    _check_blanks_after_equals(statement, raw, start, diagnostics)
    return Line(statement, read.comment.rstrip(BLANK_CHARACTERS), span)


def _check_blanks_after_equals(
    statement: Statement | None, raw: str, start: int, diagnostics: Diagnostics
) -> None:
    """A blank after the sign of a field would make the next word its value, a flag perhaps."""
    for item in statement.items if statement else ():
        if isinstance(item, Field) and not item.value.is_quoted:
            before = raw[item.value.span.start - start - 1]
            if before in BLANK_CHARACTERS:
                key, value = item.key.value, item.value.value
                diagnostics.add("blank-value", item.key.span, key=key, value=value)


def _has_control_characters(raw: str, start: int, diagnostics: Diagnostics) -> bool:
    """Whether there are characters nobody sees; each is noted."""
    if raw.isprintable():
        return False
    controls = False
    for at, character in enumerate(raw):
        if (
            character.isprintable()
            or character in BLANK_CHARACTERS
            or character in JOINER_CHARACTERS
        ):
            continue
        name = "blank" if unicodedata.category(character) == "Zs" else "unseen"
        diagnostics.add(name, Span(start + at, start + at + 1), number=ord(character))
        controls = True
    return controls


def _rule_with_equals_sign_added(raw: str) -> str:
    """A rule with the sign that is missing between name and value, or nothing."""
    match raw.split():
        case ["rule", name, value] if "=" not in raw:
            return f"rule {name} = {value}"
    return ""


def _add_line_error(raw: str, start: int, error: GrammarError, diagnostics: Diagnostics) -> None:
    """Add the error of an unreadable line: keyword, quote or form."""
    begin = len(raw) - len(raw.lstrip(BLANK_CHARACTERS))
    keyword = raw.strip(BLANK_CHARACTERS).split("|")[0].split("\u3000")[0].split()[:1]
    word = "|" if raw[begin : begin + 1] == "|" else (keyword[0] if keyword else raw[begin:])
    if word not in FORM_BY_KEYWORD:
        span = Span(start + begin, start + begin + max(len(word), 1))
        near = (
            did_you_mean_or_list(word, FORM_BY_KEYWORD)
            if word[0].isalpha()
            else f"one of {', '.join(FORM_BY_KEYWORD)}"
        )
        diagnostics.add("no-such-line", span, word=word, near=near)
        return
    diagnostics.lost_rows |= word == "|"
    if word == "piece":
        diagnostics.lost += raw.replace("\u3000", " ").split()[1:2]
    at = min(error.start, len(raw))
    if raw[at : at + 1] == '"' and '"' not in raw[at + 1 :].replace('""', ""):
        diagnostics.add("open-quote", Span(start + at, start + at + 1))
        return
    example = _rule_with_equals_sign_added(raw) or FORM_BY_KEYWORD[word].example
    if at >= len(raw.rstrip(BLANK_CHARACTERS)) or raw[at] == "#":
        end = len(raw[:at].rstrip(BLANK_CHARACTERS))
        diagnostics.add(
            "incomplete", Span(start + end, start + end + 1), word=word, example=example
        )
        return
    span = Span(start + at, start + max(error.end, at + 1))
    what = raw[at : max(error.end, at + 1)]
    diagnostics.add("unexpected", span, what=what, example=example)
