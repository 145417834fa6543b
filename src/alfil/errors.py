"""Findings and the errors that carry them, with carets under the user's own line.

Every error of alfil is an `AlfilError`. It carries one or more diagnostics; each has a stable kind
(docs/errors/ explains all of them), one or more spans, a message and a hint that is an action.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from typing import Literal, NoReturn

from alfil.frozen_dataclasses import dataclass
from alfil.source import Source, Span, display_width, excerpt, printable, source_of_file_text

Severity = Literal["error", "warning", "note"]

# A line longer than this is shown as a window around the first caret.
LINE_WINDOW = 100
# Hints list so many names, and look for what is like so many characters.
MAX_NAMES_LISTED = 30
LONGEST_NAME = 60
MAX_NAMES_COMPARED = 2000
# What the source of a move is called that is no part of a longer text.
MOVE_SOURCE = "<move>"
# A message longer than this is shown without its middle.
LONGEST_MESSAGE = 5000
# A text is too deep that does not get by with so many frames of Python's stack.
FRAMES_FOR_TEXT = 400
# What is said of it.
TOO_DEEP_MESSAGE = "nested too deep to be compiled"
TOO_DEEP_HINT = "use fewer brackets inside brackets"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing found in a text: an error, a warning (the text is still read) or a note.

    ``kind`` is stable and has an entry in docs/errors/. ``message`` is a phrase without
    a full stop, in the words of the notation. ``hint`` says what to do, or is empty; ``offers`` are
    the places in it that are text of the notation: to type as it stands there, or to put where the
    first span is.
    """

    kind: str
    message: str
    spans: tuple[Span, ...]
    hint: str = ""
    severity: Severity = "error"
    offers: tuple[Span, ...] = ()

    def shift(self, by: int) -> Diagnostic:
        """The same diagnostic in a longer text that starts ``by`` code points earlier."""
        spans = tuple(span.shift(by) for span in self.spans)
        return Diagnostic(self.kind, self.message, spans, self.hint, self.severity, self.offers)

    @property
    def offered(self) -> tuple[str, ...]:
        """The texts of the notation that the hint offers."""
        return tuple(self.hint[start:end] for start, end in self.offers)


class AlfilError(ValueError):
    """Every error alfil raises on purpose; ``str(error)`` is the whole report with its carets.

    ``kind``, ``spans`` and ``hint`` are those of the first diagnostic that is an error;
    ``diagnostics`` has all, warnings among them, in the order of the text.
    """

    diagnostics: tuple[Diagnostic, ...]
    source: Source

    def __init__(self, diagnostics: Sequence[Diagnostic], source: Source) -> None:
        self.diagnostics = tuple(diagnostics)
        self.source = source
        super().__init__(self.diagnostics, source)

    @property
    def first_error(self) -> Diagnostic:
        """The first diagnostic that is an error, not a warning before it."""
        errors = (each for each in self.diagnostics if each.severity == "error")
        return next(errors, self.diagnostics[0])

    @property
    def kind(self) -> str:
        """The stable name of the first error's kind."""
        return self.first_error.kind

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans of the first error, counted in code points."""
        return self.first_error.spans

    @property
    def hint(self) -> str:
        """What to do about the first error; may be empty."""
        return self.first_error.hint

    def all_diagnostics(self) -> tuple[Diagnostic, ...]:
        """The diagnostics, and what takes time to find out and is not needed."""
        return self.diagnostics

    def __str__(self) -> str:
        return "\n\n".join(
            format_diagnostic(diagnostic, self.source) for diagnostic in self.all_diagnostics()
        )


class NotationError(AlfilError):
    """The text is not a description in this notation and dialect.

    ``find_other_readings`` finds notes of the notations that do read it; it is asked only when the
    error is shown.
    """

    find_other_readings: Callable[[], tuple[Diagnostic, ...]] | None = None

    def all_diagnostics(self) -> tuple[Diagnostic, ...]:
        """The diagnostics, then a note for every piece that other notations read the text as."""
        return (
            *self.diagnostics,
            *(self.find_other_readings() if self.find_other_readings else ()),
        )


class MeaningError(AlfilError):
    """The text was read, but has no moves that a table could hold."""


class BoardError(AlfilError):
    """The board, square or pieces asked for do not fit together."""


class PieceFileError(AlfilError):
    """A piece file cannot be used; ``diagnostics`` has all that is wrong in it, in text order."""


class UnknownPiece(AlfilError, KeyError):
    """No piece has this code or name."""


class RuleError(AlfilError):
    """The rules of a game do not allow this, or cannot be honoured."""


class IllegalMove(RuleError):
    """A move that was understood and is against the rules; ``kind`` is the reason.

    For a move alone ``str(error)`` is one line; for one in a record it shows the place there.
    """

    def __str__(self) -> str:
        if self.source.name != MOVE_SOURCE:
            return super().__str__()
        first = self.first_error
        hint = f"; {first.hint}" if first.hint else ""
        return f"{excerpt(self.source.text, LONGEST_NAME)}: {first.message}{hint} [{first.kind}]"


class RecordError(AlfilError):
    """The record of a game or a match cannot be used."""


class PositionError(AlfilError):
    """The text is no position of this game."""


def reject(
    error: type[AlfilError],
    kind: str,
    message: str,
    text: str | Source,
    span: Span | None = None,
    hint: str = "",
) -> NoReturn:
    """Raise an error with one diagnostic; the whole text is meant unless a span is given.

    >>> reject(BoardError, "board-size", "a board has 1 to 36 files", "99x9")
    Traceback (most recent call last):
    alfil.errors.BoardError: <text>:1:1: a board has 1 to 36 files [board-size]
    ...
    """
    source = text if isinstance(text, Source) else Source(text, "<text>")
    place = Span(0, len(source.text)) if span is None else span
    raise error([Diagnostic(kind, message, (place,), hint)], source) from None


def raise_if_stack_was_short() -> None:
    """Raise the RecursionError that is handled again where the caller had left little stack.

    Then it says nothing of a text, and no error of alfil's, which may be taken for an answer, may
    take its place.
    """
    frame, depth = sys._getframe(1), 1
    while outer := frame.f_back:
        frame, depth = outer, depth + 1
    if sys.getrecursionlimit() - depth < FRAMES_FOR_TEXT:
        raise  # noqa: PLE0704 - as it says


def decode_file(raw: bytes, name: str, error: type[AlfilError]) -> Source:
    """The `source_of_file_text` of a file; raises such an error where it is not UTF-8."""
    try:
        return source_of_file_text(raw.decode("utf-8"), name)
    except UnicodeDecodeError as wrong:
        at = len(source_of_file_text(raw[: wrong.start].decode("utf-8"), name).text)
        message = f"the file is not UTF-8: byte {raw[wrong.start]:#04x}"
        source = source_of_file_text(raw.decode("utf-8", "replace"), name)
        reject(error, "not-utf8", message, source, Span(at, at + 1), "save the file as UTF-8")


def cannot_read_message(path: str, why: OSError | ValueError) -> str:
    """The message for a file that cannot be read; a name with a null byte is a ValueError."""
    reason = why.strerror if isinstance(why, OSError) else None
    return f"cannot read {path}: {(reason or str(why)).lower()}"


def reject_unknown_name(
    kind: str, name: str, known: Collection[str], min_similarity: float = 0.5, otherwise: str = ""
) -> NoReturn:
    """Raise `AlfilError` for a name that nothing has, with the nearest one that is known.

    ``kind`` is "unknown-" and what was to be named; ``min_similarity`` is how near the nearest must
    be, and ``otherwise`` the hint where none is, instead of all there are.
    """
    what = kind.removeprefix("unknown-")
    require_type(name, str, f"the name of a {what} is a text")
    hint = did_you_mean(name, known, min_similarity) or otherwise or _one_of_names_hint(known)
    diagnostic = Diagnostic(kind, f"no {what} is called {name}", (Span(0, len(name)),), hint)
    raise AlfilError([diagnostic], Source(name, f"<{what}>"))


def did_you_mean_or_list(name: str, known: Collection[str], min_similarity: float = 0.5) -> str:
    """A hint with the name that was probably meant; where none is near, all there are.

    >>> names = ["kanji", "letter"]
    >>> did_you_mean_or_list("kanij", names), did_you_mean_or_list("x", names)
    ('did you mean kanji?', 'one of kanji, letter')
    """
    return did_you_mean(name, known, min_similarity) or _one_of_names_hint(known)


def did_you_mean(name: str, known: Collection[str], min_similarity: float = 0.5) -> str:
    """A hint with the name that was probably meant, empty where none is near."""
    import difflib  # noqa: PLC0415 - only where something is wrong

    if len(known) > MAX_NAMES_COMPARED:
        return ""
    near = difflib.get_close_matches(name[:LONGEST_NAME], known, 1, min_similarity)
    return f"did you mean {near[0]}?" if near else ""


def _one_of_names_hint(known: Collection[str]) -> str:
    if not known:
        return "there are none"
    first = list(known)[:MAX_NAMES_LISTED]
    return f"one of {', '.join(first)}{', …' if len(known) > len(first) else ''}"


def with_article(name: str, article: str = "a") -> str:
    """A name with the article it takes."""
    return f"{article}{'n' * (name[:1].lower() in 'aeiou')} {name}"


def join_words(items: Sequence[str], last: str = "or") -> str:
    """Items with commas, and a word before the last one.

    >>> join_words(["a", "b", "c"]), join_words(["a", "b"], "and")
    ('a, b or c', 'a and b')
    """
    *before, final = items or [""]
    return f"{', '.join(before)} {last} {final}" if before else final


def plural(noun: str, number: int) -> str:
    """A noun as it stands behind a number.

    >>> plural("move", 1), plural("move", 0)
    ('move', 'moves')
    """
    return noun if number == 1 else f"{noun}s"


def _without_colour(text: str, _: str) -> str:
    return text


def format_diagnostic(
    diagnostic: Diagnostic,
    source: Source,
    encoding: str = "utf-8",
    paint: Callable[[str, str], str] = _without_colour,
) -> str:
    r"""A diagnostic as people read it: location, message, kind, the line with carets, the hint.

    What cannot be seen, or has no sign in ``encoding``, is shown as a number. ``paint`` colours a
    text by what it is: "location", a severity, or "hint".

    >>> missing = Diagnostic("unknown-atom", "no atom is called E", (Span(0, 1),), "write RN")
    >>> print(format_diagnostic(missing, Source("EW", "<betza>")))
    <betza>:1:1: no atom is called E [unknown-atom]
    <BLANKLINE>
        EW
        ^
    <BLANKLINE>
    hint: write RN
    """
    first = diagnostic.spans[0] if diagnostic.spans else Span(0, 0)
    place, severity = source.position(first.start), diagnostic.severity
    label = "" if severity == "error" else paint(f"{severity}:", severity) + " "
    location = f"{printable(source.name, encoding)}:{place.line}:{place.column}:"
    message = printable(_cut_out_middle(diagnostic.message), encoding)
    shown_line, carets = _line_with_carets(diagnostic.spans or (first,), source, encoding)
    lines = [
        f"{paint(location, 'location')} {label}{message} {paint(f'[{diagnostic.kind}]', severity)}",
        "",
        shown_line,
        paint(carets, severity),
    ]
    if diagnostic.hint:
        lines += ["", f"{paint('hint:', 'hint')} {printable(diagnostic.hint, encoding)}"]
    return "\n".join(lines)


def _cut_out_middle(message: str) -> str:
    """A message that quotes a text without end, with its middle left out."""
    if len(message) <= LONGEST_MESSAGE:
        return message
    half = LONGEST_MESSAGE // 2
    return f"{message[:half]} … {message[-half:]}"


def _line_with_carets(spans: Sequence[Span], source: Source, encoding: str) -> tuple[str, str]:
    """The line of the first span and a line of carets under every span on it."""
    line, start = source.line_at(spans[0].start)
    low, high = _window_around(line, spans[0].start - start)
    window = line[low:high]
    marks = [" "] * (high - low + 1)
    for span in spans:
        begin = max(span.start - start, low)
        end = max(min(span.end - start, high), begin + 1)
        for column in range(begin, min(end, high + 1)):
            marks[column - low] = "^"
    under: list[str] = []
    for mark, character in zip(marks, [*window, " "], strict=True):
        width = display_width(printable(character, encoding))
        under += [mark] * width
        if not width and mark == "^" and under:
            under[-1] = mark  # a combining mark stands in the cell of the letter before it
    return f"    {printable(window, encoding)}".rstrip(), f"    {''.join(under)}".rstrip()


def _window_around(line: str, column: int) -> tuple[int, int]:
    if len(line) <= LINE_WINDOW:
        return 0, len(line)
    low = max(0, min(column - LINE_WINDOW // 3, len(line) - LINE_WINDOW))
    return low, low + LINE_WINDOW


def require_type(value: object, kinds: type | tuple[type, ...], what: str) -> None:
    """Raise `TypeError` for a value of another type than a public function takes.

    The class is asked, not the object, which may claim any ``__class__``; a bool is no int.

    >>> require_type("N", str, "a notation is a text")
    """
    if not issubclass(type(value), kinds) or (kinds is int and type(value) is bool):
        raise TypeError(f"{what}, not {value!r:.60}")
