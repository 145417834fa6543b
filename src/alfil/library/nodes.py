"""The lines of a piece file: text in, nodes and comments out, and all that is found wrong.

A node is what a line says, as it was written. Spans count from the start of the file. Nothing is
checked here beyond the form of a line: a key may not exist, a word may make no sense where it
stands. Every line is parsed by itself with grammars/pieces.lark, so that a mistake spoils one line.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from alfil.errors import Finding, PieceFileError, Severity, nearest
from alfil.notation.parsing import Parser, ShapeError
from alfil.source import NOWHERE, Source, Span

# More than this nobody reads; a file of noise has one for every line.
FINDING_LIMIT = 100
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
class GameLine:
    """The title of the game."""

    title: Text


@dataclass(frozen=True, slots=True)
class BoardLine:
    """The size of the board, as ``9x9``."""

    size: Text


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone of the board and how large it is."""

    name: Text
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule and the words of its value."""

    name: Text
    words: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class PieceLine:
    """A piece: code, name, fields and flags."""

    code: Text
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """The head of a drawn set-up; its rows follow on their own lines."""

    options: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One rank of a set-up, from the left."""

    cells: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """Pieces in hand at the start, perhaps after the name of the side."""

    words: tuple[Text, ...]


@dataclass(frozen=True, slots=True)
class Include:
    """Pieces from another file or bundled set."""

    target: Text
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class ConstraintLine:
    """A condition on pieces that is checked and reported: number, predicate, what it is about."""

    number: Text
    predicate: Text
    items: tuple[Item, ...]


Statement: TypeAlias = (
    GameLine | BoardLine | Zone | Rule | PieceLine | Setup | Row | Hand | Include | ConstraintLine
)


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

    def add(
        self,
        kind: str,
        message: str,
        span: Span,
        hint: str = "",
        *,
        severity: Severity = "error",
    ) -> None:
        """Note one finding; `Enough` when that makes too many errors."""
        self.take(Finding(kind, message, (span,), hint, severity))

    def take(self, finding: Finding) -> None:
        """Note a finding that was made elsewhere."""
        self.found.append(finding)
        self._errors += finding.severity == "error"
        if self._errors >= FINDING_LIMIT:
            raise Enough

    def twice(self, what: str, span: Span, hint: str = "leave one of them out") -> None:
        """Note that something is given a second time."""
        self.add("given-twice", f"{what} is given twice", span, hint)

    def unknown(self, code: str, span: Span, known: Collection[str]) -> None:
        """Note a code that no piece of the file has."""
        message = f"no piece has the code {code}"
        self.add("unknown-piece", message, span, nearest(code, known))

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

    def __init__(self, kind: str, message: str, span: Span, hint: str = "") -> None:
        self.finding = Finding(kind, message, (span,), hint)
        super().__init__(message)


class Sign(str):
    """What the parser hands out: the text, where it starts and ends, and its kind."""

    start_pos: int
    end_pos: int
    type: str


def _text(sign: Sign) -> Text:
    span = Span(sign.start_pos, sign.end_pos)
    if sign.type == "STRING":
        return Text(sign[1:-1].replace('""', '"'), span, quoted=True)
    return Text(str(sign), span)


def _items(given: tuple[Field | Sign, ...]) -> tuple[Item, ...]:
    return tuple(each if isinstance(each, Field) else _text(each) for each in given)


class Builder:
    """One method per rule of the grammar; no state, nothing reported."""

    def line(self, *parts: Statement | Sign) -> Line:
        """A whole line: a statement, a comment, both or neither."""
        statement, comment = None, ""
        for part in parts:
            if isinstance(part, str):
                comment = str(part)
            else:
                statement = part
        return Line(statement, comment)

    def field(self, key: Sign, value: Sign) -> Field:
        """A key with its value."""
        return Field(_text(key), _text(value))

    def game(self, title: Sign) -> GameLine:
        """The title of the game."""
        return GameLine(_text(title))

    def board(self, size: Sign) -> BoardLine:
        """The size of the board."""
        return BoardLine(_text(size))

    def zone(self, name: Sign, *items: Field | Sign) -> Zone:
        """A zone."""
        return Zone(_text(name), _items(items))

    def rule(self, name: Sign, *words: Sign) -> Rule:
        """A rule."""
        return Rule(_text(name), tuple(map(_text, words)))

    def piece(self, code: Sign, *items: Field | Sign) -> PieceLine:
        """A piece."""
        return PieceLine(_text(code), _items(items))

    def setup(self, *options: Sign) -> Setup:
        """The head of a set-up."""
        return Setup(tuple(map(_text, options)))

    def row(self, *cells: Sign) -> Row:
        """A rank of a set-up."""
        return Row(tuple(map(_text, cells)))

    def hand(self, *words: Sign) -> Hand:
        """Pieces in hand."""
        return Hand(tuple(map(_text, words)))

    def include(self, target: Sign, *items: Field | Sign) -> Include:
        """Another file."""
        return Include(_text(target), _items(items))

    def constraint(self, number: Sign, predicate: Sign, *items: Field | Sign) -> ConstraintLine:
        """A condition on pieces."""
        return ConstraintLine(_text(number), _text(predicate), _items(items))


def moved(statement: Statement, by: int) -> Statement:
    """The statement with all its spans ``by`` code points further on."""
    found: Statement = _moved(statement, by)
    return found


def _moved(node: Any, by: int) -> Any:  # noqa: ANN401 - any part of a node, and the same back
    if isinstance(node, Text):
        return Text(node.value, node.span.shift(by), node.quoted)
    if isinstance(node, tuple):
        return tuple([_moved(each, by) for each in node])
    return type(node)(*[_moved(getattr(node, name), by) for name in node.__slots__])


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
