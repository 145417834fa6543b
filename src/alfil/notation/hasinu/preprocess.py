"""What a parser cannot do: limits, brackets, control characters and where embedded Betza ends.

`prepare_text` reads the text once and gives the grammar a text of the same length, so that spans
stay right, in which the runs of Betza are hidden behind letters and what cannot stay is cut out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from alfil.errors import Diagnostic
from alfil.notation.hasinu.lexicon import make_diagnostic
from alfil.notation.parsing import MOST_DIAGNOSTICS
from alfil.source import Span

LENGTH_LIMIT = 10_000
DEPTH_LIMIT = 40
# Stands for a mistake that has been reported; as a control character no checked text holds it.
ERROR_PLACEHOLDER = "\x1a"
# Hides what a run of Betza holds.
HIDDEN_BETZA = "B"

TEXT_ENDS = r",.;:!?()\[\]{}&*\r\n"
# A lone & or the & before a name, but not the &t of a turn.
AMPERSAND_PATTERN = r"&(?!t(?![A-Za-z_]))"

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]+")
_SIGN_PATTERN = re.compile(rf"//[^{TEXT_ENDS}]*|[\\()\[\]]")
_BETZA_RUN_SIGN = re.compile(r"[ \t\r\n&,/()\[\]]")
_CLOSING_BRACKET_OF = {"(": ")", "[": "]"}


@dataclass(slots=True)
class PreparedText:
    """A text made ready for the grammar.

    ``runs`` are the spans of embedded Betza without the backslash. ``diagnostics`` are what was
    wrong; after the fatal kinds (too long, too deep) nothing else is worth reading.
    """

    prepared: str
    runs: list[Span] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    fatal: bool = False

    def replace_span(self, span: Span, stand_in: str) -> None:
        """Replaces a part of the text by one sign and blanks, or by a sign for every character."""
        width = span.end - span.start
        fill = stand_in * width if stand_in == HIDDEN_BETZA else stand_in.ljust(width)
        self.prepared = self.prepared[: span.start] + fill + self.prepared[span.end :]

    def restore_betza(self, ready: str, text: str) -> str:
        """A text as far as it has been put right, with its runs of Betza visible again."""
        for start, end in self.runs:
            if ready[start:end] == HIDDEN_BETZA * (end - start):
                ready = ready[:start] + text[start:end] + ready[end:]
        return ready

    def add_diagnostic(self, name: str, /, *spans: Span, **put: object) -> None:
        """Notes what the table of diagnostics says under a name."""
        self.diagnostics.append(make_diagnostic(name, *spans, **put))


def prepare_text(text: str, *, lenient: bool = False) -> PreparedText:
    """Makes a text ready for the grammar; with ``lenient`` one asterisk at the end is dropped."""
    result = PreparedText(text)
    if len(text) > LENGTH_LIMIT:
        result.add_diagnostic("too-long", Span(LENGTH_LIMIT, len(text)), most=LENGTH_LIMIT)
        result.fatal = True
        return result
    if lenient:
        _drop_asterisk(result)
    if _UNPRINTABLE.search(text):
        _drop_unprintable(result)
    _check_brackets_and_hide_betza(result)
    return result


def _drop_asterisk(result: PreparedText) -> None:
    end = len(result.prepared.rstrip(" \t\r\n"))
    if result.prepared[:end].endswith("*"):
        span = Span(end - 1, end)
        result.replace_span(span, " ")
        result.add_diagnostic("asterisk", span)


def _drop_unprintable(result: PreparedText) -> None:
    for match in _UNPRINTABLE.finditer(result.prepared):
        number = f"U+{ord(match[0][0]):04X}"
        surrogate = "\ud800" <= match[0][0] <= "\udfff"
        result.add_diagnostic(
            "surrogate" if surrogate else "control", Span(*match.span()), number=number
        )
    result.prepared = _UNPRINTABLE.sub(lambda match: " " * len(match[0]), result.prepared)


def _check_brackets_and_hide_betza(result: PreparedText) -> None:
    """Checks that brackets match and finds the runs of Betza."""
    text = result.prepared
    opened: list[int] = []
    at = 0
    while match := _SIGN_PATTERN.search(text, at):
        sign, at = match[0][0], match.end()
        if sign in "([":
            opened.append(match.start())
        elif sign in ")]":
            _match_closing_bracket(result, opened, match.start())
        elif sign == "\\":
            at = _hide_betza(result, at, len(opened))
        if len(opened) > DEPTH_LIMIT:
            _report_too_deep(result, opened[-1])
        result.fatal = result.fatal or len(result.diagnostics) > MOST_DIAGNOSTICS
        if result.fatal:
            return
    if opened:
        span, sign = Span(opened[0], opened[0] + 1), text[opened[0]]
        result.add_diagnostic("unclosed", span, sign=sign, closing=_CLOSING_BRACKET_OF[sign])
        result.replace_span(
            Span(_term_start(result.prepared, opened[0]), len(text)), ERROR_PLACEHOLDER
        )


def _match_closing_bracket(result: PreparedText, opened: list[int], at: int) -> None:
    sign = result.prepared[at]
    span = Span(at, at + 1)
    if not opened:
        result.add_diagnostic("unopened", span, sign=sign)
        result.replace_span(span, " ")
        return
    start = opened.pop()
    opening = result.prepared[start]
    if _CLOSING_BRACKET_OF[opening] != sign:
        both = Span(start, start + 1), span
        result.add_diagnostic(
            "closed-by", *both, opening=opening, sign=sign, closing=_CLOSING_BRACKET_OF[opening]
        )
        result.replace_span(span, _CLOSING_BRACKET_OF[opening])


def _hide_betza(result: PreparedText, start: int, depth: int) -> int:
    """Hides the run of Betza after a backslash and says where it ends."""
    text = result.prepared
    opened: list[int] = []
    end = len(text)
    at = start
    while match := _BETZA_RUN_SIGN.search(text, at):
        sign, at = match[0], match.end()
        if sign in "([":
            opened.append(match.start())
            if depth + len(opened) > DEPTH_LIMIT:
                _report_too_deep(result, match.start())
                return end
        elif opened and sign == _CLOSING_BRACKET_OF[text[opened[-1]]]:
            opened.pop()
        elif not opened or sign in ")]":
            end = match.start()
            break
    span = Span(start, end)
    whole = Span(start - 1, end)
    if opened:
        at, sign = opened[-1], text[opened[-1]]
        result.add_diagnostic(
            "unclosed-betza", Span(at, at + 1), sign=sign, closing=_CLOSING_BRACKET_OF[sign]
        )
        result.replace_span(whole, ERROR_PLACEHOLDER)
    elif start == end:
        result.add_diagnostic("empty-betza", whole)
        result.replace_span(whole, ERROR_PLACEHOLDER)
    else:
        result.runs.append(span)
        result.replace_span(span, HIDDEN_BETZA)
    return end


def _report_too_deep(result: PreparedText, at: int) -> None:
    result.add_diagnostic("too-deep", Span(at, at + 1), most=DEPTH_LIMIT)
    result.fatal = True


def _term_start(text: str, at: int) -> int:
    """Where the outermost term around an unclosed bracket starts: all before it is balanced."""
    start = depth = 0
    for match in re.finditer(rf"//[^{TEXT_ENDS}]*|[()\[\]]|{AMPERSAND_PATTERN}", text[:at]):
        sign = match[0][0]
        if sign in "()[]":
            depth += 1 if sign in "([" else -1
        elif sign == "&" and not depth:
            start = match.end()
    return start
