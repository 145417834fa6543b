"""`alfil check`: what is wrong in a text, for a program too; `alfil explain`: what that means."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from alfil.api import Piece, describe, in_betza, read, readings, same, write
from alfil.cli import inputs
from alfil.cli.options import Settings, drawn, in_json, json_option, reading, replacing
from alfil.comparison import Comparison, check_for
from alfil.errors import AlfilError, Finding, MeaningError, NotationError, meant
from alfil.grammars import read_data
from alfil.notation.nodes import DEFAULT_NOTATION
from alfil.notation.registry import NOTATIONS
from alfil.programs import PROGRAMS
from alfil.source import MARK, Source, Span, columns, printable

if TYPE_CHECKING:
    from alfil.library.constraints import Verdict
    from alfil.library.library import Library

HEADINGS = ("no.", "applies to", "condition", "from", "")
GAP = "     "
AGREE = frozenset({"same", "settings"})
WORDS = {
    "same": "{} has the same piece",
    "settings": "{} has the same piece where its variant says who castles and takes en passant",
    "ignored": "{} passes over part of it, and has another piece",
    "other": "{} has another piece",
    "unknown": "what {} does with it has not been measured",
    "unreadable": "alfil cannot read it, and says only what {} does",
}


@click.command("check")
@click.argument("texts", metavar="NOTATION_OR_FILE...", nargs=-1, required=True)
@reading
@click.option(
    "--for",
    "program",
    type=click.Choice(list(PROGRAMS)),
    help="Compare with what this program would do.",
)
@click.option("--any-dialect", is_flag=True, help="List every reading, in all notations.")
@replacing
@click.option("--constraints", is_flag=True, help="Print the constraints of a piece file.")
def check_command(
    *,
    texts: tuple[str, ...],
    settings: Settings,
    program: str | None,
    any_dialect: bool,
    moves: dict[str, str],
    constraints: bool,
) -> int:
    """Find what is wrong in notations or files of them, or how a program would read them.

    The exit code is 0 when all is well, 1 when something was found, 2 for wrong usage. A file
    holds one notation a line; blank lines and lines that begin with # are left out. Warnings count
    as findings, notes do not. With --for it is 0 when the program has the same pieces, else 1; with
    --any-dialect when all notations that read the text read the same piece, and there is one.

    A file whose name ends in .pieces is checked as a piece file, and so is a bundled set by its
    name; one in .ini is checked as Fairy-Stockfish would read it. With --constraints it is 1 only
    where a required constraint fails.
    """

    def one(line: inputs.Line) -> int:
        line, piece = inputs.understood(line, settings)
        # What was read may still have no moves a table could hold.
        bool(piece.meaning)
        return inputs.judge((*piece.findings, *_note(line)), piece.source, line)

    _check_options(settings, program, any_dialect=any_dialect)
    code = 0
    for text in texts:
        if text.endswith(".ini"):
            found = _check_variants(text)
        elif not inputs.is_piece_file(text):
            if moves or constraints:
                message = f"--piece and --constraints are for piece files, not for {text}"
                raise click.UsageError(message)
            act = partial(_against, settings, program) if program else one
            act = _in_any_notation if any_dialect else act
            found = inputs.answer_each(_lines(text, settings), act, inputs.FOUND, err=False)
        elif any_dialect:
            raise click.UsageError(f"--any-dialect is for notations, not for {text}")
        elif program:
            found = _all_against(text, settings, program, moves)
        else:
            found = _check_piece_file(text, moves, constraints=constraints)
        code = max(code, found)
    return code


def _check_options(settings: Settings, program: str | None, *, any_dialect: bool) -> None:
    named = settings.dialect or settings.notation != DEFAULT_NOTATION
    if any_dialect and (named or program):
        raise click.UsageError("--any-dialect reads in all notations; leave the other option out")


def _lines(text: str, settings: Settings) -> Iterator[inputs.Line]:
    """The notations in a file, or those that an argument stands for."""
    path = Path(text)
    if os.path.isfile(path):  # noqa: PTH113 - Path.is_file does not bear every name
        return inputs.from_file(path)
    if NOTATIONS[settings.notation].folder == "betza" and path.suffix[1:].isalpha():
        raise click.UsageError(f"no file is called {text}")
    return inputs.given(text, settings)


def _note(line: inputs.Line) -> tuple[Finding, ...]:
    """The note of a piece that was named, as a finding that is no error."""
    if line.named is None or not line.named.entry.remark:
        return ()
    entry = line.named.entry
    span = Span(0, len(entry.piece.text))
    return (Finding("piece-note", f"{entry.code}: {entry.remark}", (span,), severity="note"),)


def _all_against(name: str, settings: Settings, program: str, moves: dict[str, str]) -> int:
    """Every piece of a file as a program would read it; the exit code."""
    code = 0
    for entry in inputs.loaded(name, moves).pieces:
        given = next(filter(in_betza, entry.movements), entry.piece)
        act = partial(_against, settings._replace(notation=given.notation), program)
        line = inputs.Line(given.text, f"{name}:{entry.code}")
        code = max(code, inputs.answer_each([line], act, inputs.FOUND, err=False))
    return code


def _check_piece_file(name: str, moves: Mapping[str, str], *, constraints: bool) -> int:
    """Print all findings of a piece file, or the table of its constraints; the exit code."""
    from alfil.library.checking import checked
    from alfil.library.files import find

    found = checked(find(name), moves)
    if constraints and found.library:
        return _print_constraints(found.library)
    code = inputs.judge(found.findings, found.source)
    for compared in found.ambiguous if not in_json() else ():
        inputs.say(f"{compared.prediction.text}:")
        for words in _pictures(compared):
            inputs.say(words)
    return code


def _check_variants(path: str) -> int:
    """Print all that is wrong with the variants in a file of Fairy-Stockfish; the exit code."""
    from alfil.exchange.checking import check_ini
    from alfil.library.files import opened

    source = opened(path)
    # What is read has no mark of byte order, over which that program stumbles.
    marked = Path(path).read_bytes().startswith(MARK.encode())
    return inputs.judge(check_ini(MARK * marked + source.text), source)


def _print_constraints(library: Library) -> int:
    from alfil.library.checking import constraints

    outcomes = constraints(library)
    words = [f"{library.name} has no constraints"]
    if outcomes:
        codes = dict.fromkeys(code for each in outcomes for code in each.constraint.codes)
        moves = (f"{code} {library[code].piece.text}" for code in codes)
        words = [*columns([HEADINGS, *map(_row, outcomes)]), f"moves in use: {', '.join(moves)}"]
    inputs.put(lambda: [_outcome_data(each, library) for each in outcomes], words)
    failed = any(each.constraint.required and not each.holds for each in outcomes)
    return inputs.FOUND if failed else 0


def _row(found: Verdict) -> tuple[str, ...]:
    constraint = found.constraint
    about = " ".join(constraint.codes)
    return (constraint.number, about, constraint.words, constraint.origin, _verdict(found))


def _verdict(found: Verdict) -> str:
    words = "holds" if found.holds else f"fails: {' '.join(found.failing)}"
    figures = ", ".join(f"{figure:.2f}" for figure in found.figures)
    return f"{words} ({figures})" if figures else words


def _outcome_data(found: Verdict, library: Library) -> dict[str, object]:
    constraint = found.constraint
    return {
        "number": constraint.number,
        "applies_to": list(constraint.codes),
        "condition": constraint.words,
        "from": constraint.origin,
        "required": constraint.required,
        "holds": found.holds,
        "failing": list(found.failing),
        "means": [round(figure, 2) for figure in found.figures],
        "moves": {code: library[code].piece.text for code in constraint.codes},
    }


def _against(settings: Settings, program: str, line: inputs.Line) -> int:
    """Print what a program does with one notation; the exit code is 0 for the same piece."""
    found = _compared(line, settings, program)
    source = Source(found.prediction.text, line.name)
    if in_json():
        inputs.say(inputs.as_json(_data(found)))
    else:
        program, text = found.prediction.program, printable(found.prediction.text.strip())
        end = "" if found.verdict in AGREE else "\n"
        inputs.say(f"{text}: {found.verdict}; {WORDS[found.verdict].format(program)}{end}")
        inputs.tell(_program_findings(found), source, line, err=False)
        for words in _pictures(found):
            inputs.say(words)
    return 0 if found.verdict in AGREE else inputs.FOUND


def _compared(line: inputs.Line, settings: Settings, program: str) -> Comparison:
    """The comparison; what the chosen dialect cannot read is left to the program alone."""
    try:
        return check_for(inputs.read_line(line, settings), program)
    except NotationError as error:
        if NOTATIONS[settings.notation].folder != "betza":
            raise
        alone = check_for(line.text, program)
        return Comparison("unreadable", alone.prediction, None, alone.theirs, error)


def _program_findings(found: Comparison) -> list[Finding]:
    """What is wrong, with carets: our own error, what the program ignores, or all of it."""
    if found.verdict in AGREE:
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
    if found.verdict in AGREE or found.theirs is None:
        return
    if found.ours is None:
        yield f"{found.prediction.program}: {_does(found)}"
        yield ""
    from alfil.diagrams.subjects import around
    from alfil.diagrams.text import board_lines, legend, side_by_side
    from alfil.diagrams.walk import fitted, marks_of

    style = drawn()
    pieces = [piece for piece in (found.ours, found.theirs) if piece]
    radius = max(fitted(piece.meaning).window.north for piece in pieces)
    marks = [marks_of(piece.meaning, around(radius)) for piece in pieces]
    names = ["alfil", found.prediction.program][-len(pieces) :]
    blocks = [
        [f"  {name}", *board_lines(each, style)] for name, each in zip(names, marks, strict=True)
    ]
    yield from side_by_side(blocks, GAP)
    yield ""
    yield from dict.fromkeys(f"  {words}" for each in marks for words in legend(each, style))
    for title, squares in _changes(found):
        ordered = sorted(squares, key=lambda at: (-at[1], at[0]))
        yield f"  {title}: {' '.join(f'{x},{y}' for x, y in ordered)}"


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


def _data(found: Comparison) -> dict[str, object]:
    prediction = found.prediction
    return {
        "text": prediction.text,
        "program": prediction.program,
        "verdict": found.verdict,
        "ignored": prediction.ignored,
        "betza": prediction.betza,
        "dialect": prediction.notation,
        "gained": sorted(found.gained),
        "lost": sorted(found.lost),
        "captures_gained": sorted(found.captures_gained),
        "captures_lost": sorted(found.captures_lost),
        "errors": [inputs.described(each, found.error.source) for each in found.error.findings]
        if found.error
        else [],
    }


def _in_any_notation(line: inputs.Line) -> int:
    """Print what every notation makes of a text; the exit code is 0 for one piece."""
    text = line.text
    pieces = _together(readings(text))
    read_in = [piece.notation for each in pieces for piece in each]
    refused = {name: _refusal(text, name) for name in NOTATIONS if name not in read_in}
    rows = [
        (f"piece {number}", ", ".join(piece.notation for piece in each), *_one_piece(each))
        for number, each in enumerate(pieces, 1)
    ]
    others = [("refused", name, why.message) for name, why in refused.items()]
    count = f"{len(pieces)} different pieces" if len(pieces) > 1 else "one piece"
    verdict = f"{count} in {len(read_in)} of {len(NOTATIONS)} notations" if pieces else "no reading"
    words = [f"{text.strip()}: {verdict}", "", *columns(rows), *columns(others)]
    inputs.put(lambda: _readings_data(text, pieces, refused), words)
    return 0 if len(pieces) == 1 else inputs.FOUND


def _together(readings: Iterable[Piece]) -> list[list[Piece]]:
    """Those of the same piece put together; one that has no moves in a table is alone."""
    found: list[list[Piece]] = []
    for piece in readings:
        like = next((each for each in found if _alike(each[0], piece)), None)
        if like is None:
            found.append([piece])
        else:
            like.append(piece)
    return found


def _alike(one: Piece, other: Piece) -> bool:
    try:
        return same(one, other)
    except MeaningError:
        return False


def _refusal(text: str, notation: str) -> Finding:
    """The first thing that is wrong with a text in a notation that refuses it."""
    try:
        read(text, notation)
    except NotationError as error:
        return error.findings[0]
    raise AssertionError(f"{notation} reads {text}")


def _one_piece(readings: Sequence[Piece]) -> tuple[str, str]:
    """A piece in Betza, if that has words for it, and in words."""
    piece = readings[0]
    try:
        betza = write(piece, DEFAULT_NOTATION)
    except AlfilError:
        betza = ""
    return betza, describe(piece)


def _readings_data(
    text: str, pieces: Sequence[Sequence[Piece]], refused: Mapping[str, Finding]
) -> dict[str, object]:
    found = []
    for each in pieces:
        betza, words = _one_piece(each)
        names = [piece.notation for piece in each]
        found.append({"notations": names, "betza": betza or None, "description": words})
    told = {name: {"kind": why.kind, "message": why.message} for name, why in refused.items()}
    return {"text": text, "pieces": found, "refused": told}


# The pages of the catalogue of errors, in the order in which they are listed.
GROUPS = (
    *("notations", "betza", "hasinu", "parlett", "to_hasinu", "to_betza", "to_parlett"),
    *("input", "piece_files", "locations", "games", "records"),
)
HEADING = re.compile(r"^## (\S+)$", re.MULTILINE)
SENTENCE = re.compile(r"((?:A warning\.\s++)?.+?\.)(?:\s|$)", re.DOTALL)


class Explanation(NamedTuple):
    """One kind and what the catalogue says of it."""

    kind: str
    text: str
    group: str

    @property
    def anchor(self) -> str:
        """Where the documentation has the entry."""
        return f"docs/errors/{self.group}.md#{self.kind}"

    @property
    def first_sentence(self) -> str:
        """The first sentence, on one line; with the next where it says only that it warns."""
        match = SENTENCE.match(self.text)
        return " ".join((match[1] if match else self.text).split())


def catalogue() -> Iterator[Explanation]:
    """All entries, in the order of the pages; a kind may have one in several."""
    for group in GROUPS:
        _, *parts = HEADING.split(read_data("data/errors", f"{group}.md"))
        for kind, text in zip(parts[::2], parts[1::2], strict=True):
            yield Explanation(kind, text.strip(), group)


def entries() -> dict[str, Explanation]:
    """The explanation of each kind, of all its entries."""
    known: dict[str, Explanation] = {}
    for each in catalogue():
        before = known.get(each.kind)
        text = f"{before.text}\n\n{each.text}" if before else each.text
        known[each.kind] = Explanation(each.kind, text, before.group if before else each.group)
    return known


@click.command("explain")
@click.argument("kind", required=False)
@json_option("Answer as JSON.")
def explain_command(*, kind: str | None) -> int:
    """Explain a kind of error, or list all kinds.

    The kind is the word in square brackets at the end of a report's first line. A kind of - stands
    for standard input, one kind a line.
    """
    known = entries()
    if kind is None:
        rows = [(each.kind, each.first_sentence) for each in known.values()]
        inputs.put(lambda: [entry._asdict() for entry in known.values()], columns(rows))
        return 0
    if kind == inputs.STANDARD_INPUT:
        kinds = [line.text for line in inputs.lines(sys.stdin.buffer, "<stdin>")]
        return max((_explained(each, known, end="\n") for each in kinds), default=0)
    return _explained(kind, known)


def _explained(name: str, known: dict[str, Explanation], end: str = "") -> int:
    """Explain a kind; the exit code. One of many may be unknown, and the work goes on."""
    entry = known.get(name.strip().strip("[]"))
    if entry:
        told = f"{entry.kind}\n\n{entry.text}\n\nWith all others: {entry.anchor}{end}"
        data = {**entry._asdict(), "anchor": entry.anchor}
        inputs.say(inputs.as_json(data) if in_json() else told)
        return 0
    hint = meant(name, known, 0.4) or "alfil explain lists all kinds"
    message = f"no kind of error is called {name}; {hint}"
    if not end:
        raise click.UsageError(message)
    inputs.say(f"alfil: {printable(message)}", err=True)
    if in_json():
        inputs.say("null")
    return inputs.USAGE
