"""What another program would do with notations: `alfil check --for`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from alfil.api import Comparison, check_for
from alfil.cli.inputs import FOUND, Line, as_json, described, read_line, say, tell
from alfil.cli.options import Settings, in_unicode
from alfil.diagrams.marks import Marks, around
from alfil.diagrams.text import Style
from alfil.diagrams.text_board import legend, picture
from alfil.diagrams.walk import fitted, marks_of
from alfil.errors import AlfilError, Finding, NotationError
from alfil.notation.registry import DEFAULT_NOTATION, NOTATIONS
from alfil.source import Source, Span, display_width, printable

GAP = "     "
WORDS = {
    "same": "{} has the same piece",
    "ignored": "{} passes over part of it, and has another piece",
    "other": "{} has another piece",
    "unreadable": "alfil cannot read it, and says only what {} does",
}


def compare(line: Line, settings: Settings, program: str) -> int:
    """Print what a program does with one notation; the exit code is 0 for the same piece."""
    try:
        found = _compared(line, settings, program)
        if settings.json:
            say(as_json(_data(found)))
        else:
            say("\n".join(_lines(found)))
            tell(
                _findings(found),
                Source(found.prediction.text, line.name),
                line,
                settings,
                err=False,
            )
            for words in _pictures(found):
                say(words)
    except AlfilError as error:
        tell(error.findings, error.source, line, settings, err=False)
        return FOUND
    return 0 if found.verdict == "same" else FOUND


def _compared(line: Line, settings: Settings, program: str) -> Comparison:
    """The comparison; what the chosen dialect cannot read is left to the program alone."""
    try:
        return check_for(read_line(line, settings), program)
    except NotationError as error:
        if line.problem or NOTATIONS[settings.notation].folder != "betza":
            raise
        alone = check_for(line.text, program)
        return Comparison("unreadable", alone.prediction, None, alone.theirs, error)


def _lines(found: Comparison) -> Iterator[str]:
    program, text = found.prediction.program, printable(found.prediction.text.strip())
    yield f"{text}: {found.verdict}; {WORDS[found.verdict].format(program)}"
    if found.verdict != "same":
        yield ""


def _findings(found: Comparison) -> list[Finding]:
    """What is wrong, with carets: our own error, what the program ignores, or all of it."""
    if found.verdict == "same":
        return []
    prediction = found.prediction
    findings = list(found.error.findings) if found.error else []
    hint = _does(found)
    if prediction.ignored:
        message = f"{prediction.program} ignores this"
        findings.append(Finding("program-ignores", message, prediction.ignored, hint, "warning"))
    elif found.verdict == "other":
        whole = (Span(0, len(prediction.text)),)
        message = f"{prediction.program} reads this as another piece"
        findings.append(Finding("program-differs", message, whole, hint, "warning"))
    return findings


def _does(found: Comparison) -> str:
    betza = found.prediction.betza
    if betza is None:
        return "what it does has not been measured"
    notation = found.prediction.notation
    told = "" if notation == DEFAULT_NOTATION else f" in the dialect {notation}"
    return f"it does what {betza} says{told}" if betza else "it makes no moves of it"


def _pictures(found: Comparison) -> Iterator[str]:
    """Both pieces beside each other where they differ, and what the program adds and leaves out."""
    if found.verdict == "same" or found.theirs is None:
        return
    if found.ours is None:
        yield f"{found.prediction.program}: {_does(found)}"
        yield ""
    style = Style(ascii=not in_unicode())
    pieces = [piece for piece in (found.ours, found.theirs) if piece]
    radius = max(fitted(piece.meaning).window.north for piece in pieces)
    marks = [marks_of(piece.meaning, around(radius)) for piece in pieces]
    names = ["alfil", found.prediction.program][-len(pieces) :]
    titled = [_titled(name, each, style) for name, each in zip(names, marks, strict=True)]
    yield from _beside(titled)
    yield ""
    yield from dict.fromkeys(f"  {words}" for each in marks for words in legend(each, style))
    for title, squares in _changes(found):
        yield f"  {title}: {_spelled(squares)}"


def _titled(name: str, marks: Marks, style: Style) -> list[str]:
    return [f"  {name}", *picture(marks, style).splitlines()]


def _beside(blocks: list[list[str]]) -> Iterator[str]:
    """Blocks of lines next to each other."""
    height = max(len(block) for block in blocks)
    padded = []
    for block in blocks:
        width = max(display_width(line) for line in block)
        lines = [*block, *[""] * (height - len(block))]
        padded.append([line + " " * (width - display_width(line)) for line in lines])
    for row in zip(*padded, strict=True):
        yield GAP.join(row).rstrip()


def _changes(found: Comparison) -> Iterator[tuple[str, Iterable[tuple[int, int]]]]:
    if found.ours is None:
        return
    program = found.prediction.program
    for title, squares in (
        (f"moves that {program} adds on an empty board", found.gained),
        (f"moves that {program} leaves out on an empty board", found.lost),
        (f"captures of a lone enemy that {program} adds", found.captures_gained),
        (f"captures of a lone enemy that {program} leaves out", found.captures_lost),
    ):
        if squares:
            yield title, squares


def _spelled(squares: Iterable[tuple[int, int]]) -> str:
    ordered = sorted(squares, key=lambda at: (-at[1], at[0]))
    return " ".join(f"{x},{y}" for x, y in ordered)


def _data(found: Comparison) -> dict[str, object]:
    prediction = found.prediction
    return {
        "text": prediction.text,
        "program": prediction.program,
        "verdict": found.verdict,
        "ignored": [list(span) for span in prediction.ignored],
        "betza": prediction.betza,
        "dialect": prediction.notation,
        "gained": sorted(map(list, found.gained)),
        "lost": sorted(map(list, found.lost)),
        "captures_gained": sorted(map(list, found.captures_gained)),
        "captures_lost": sorted(map(list, found.captures_lost)),
        "errors": [described(each, found.error.source) for each in found.error.findings]
        if found.error
        else [],
    }
