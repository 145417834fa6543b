"""`alfil check`: what is wrong in a text, for a program too; `alfil explain`: what that means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from alfil.api import Piece, describe, is_betza, read, readings, same, write
from alfil.cli import input_output
from alfil.cli.options import (
    NotationSettings,
    completion_function,
    diagram_style,
    is_json_asked,
    json_option,
    moves_option,
    reading_options,
)
from alfil.error_catalogue import Explanation, explanations_by_kind
from alfil.errors import AlfilError, Diagnostic, MeaningError, NotationError, reject_unknown_name
from alfil.notation.description import DEFAULT_NOTATION
from alfil.notation.registry import NOTATIONS
from alfil.program_comparison import ProgramComparison, check_for
from alfil.programs import PROGRAMS
from alfil.source import BYTE_ORDER_MARK, Source, Span, align_columns, printable

if TYPE_CHECKING:
    from alfil.library.constraints import ConstraintVerdict
    from alfil.library.library import Library

HEADINGS = ("no.", "applies to", "condition", "from", "")
COLUMN_GAP = "     "
AGREEING_VERDICTS = frozenset({"same", "settings"})
VERDICTS = {
    "same": "{} has the same piece",
    "settings": "{} has the same piece where its variant says who castles and takes en passant",
    "ignored": "{} passes over part of it, and has another piece",
    "other": "{} has another piece",
    "unknown": "what {} does with it has not been measured",
    "unreadable": "alfil cannot read it, and says only what {} does",
}


@click.command("check")
@click.argument(
    "texts", metavar="NOTATION_OR_FILE...", nargs=-1, shell_complete=completion_function("pieces")
)
@reading_options
@click.option(
    "--for", "program", type=click.Choice(list(PROGRAMS)), help="Compare with this program."
)
@click.option("--any-dialect", is_flag=True, help="List every reading, in all notations.")
@moves_option
@click.option("--constraints", is_flag=True, help="List the constraints of a piece file.")
@click.option(
    "--provenance", is_flag=True, help="List the pieces without a source, of all sets or of some."
)
def check_command(
    *,
    texts: tuple[str, ...],
    settings: NotationSettings,
    program: str | None,
    any_dialect: bool,
    moves: dict[str, str],
    constraints: bool,
    provenance: bool,
) -> int:
    """Find errors in notations and files.

    A file has one notation a line; blank lines and lines that begin with # are ignored. A set, or a
    file whose name ends in .pieces, is checked as a piece file; a file whose name ends in .ini is
    checked as Fairy-Stockfish would read it.

    The exit code is 0 if there is no error or warning, 1 if there is one, 2 for wrong usage. With
    --for it is 0 if the program has the same pieces; with --any-dialect if all notations that can
    read the text read the same piece; with --constraints if no required constraint fails; with
    --provenance if every piece has a source.
    """
    if provenance:
        return _print_pieces_without_source(texts)
    _check_options(texts, settings, program, any_dialect=any_dialect)
    code = 0
    for text in texts:
        if text.endswith(".ini"):
            comparison = _check_variants_ini(text)
        elif not input_output.is_piece_file_or_set_name(text):
            if moves or constraints:
                message = f"--piece and --constraints are for piece files, not for {text}"
                raise click.UsageError(message)
            comparison = _check_notations(text, settings, program, any_dialect=any_dialect)
        elif any_dialect:
            raise click.UsageError(f"--any-dialect is for notations, not for {text}")
        elif program:
            comparison = _compare_pieces_of_file(text, settings, program, moves)
        else:
            comparison = _check_piece_file(text, moves, constraints=constraints)
        code = max(code, comparison)
    return code


def _check_notations(
    text: str, settings: NotationSettings, program: str | None, *, any_dialect: bool
) -> int:
    act: Callable[[input_output.InputLine], int] = partial(_check_notation, settings)
    if any_dialect or program:
        act = (
            partial(_print_comparison_with_program, settings, program)
            if program
            else _check_in_all_notations
        )
    return input_output.for_each_line(
        input_output.notations_in(text, settings), act, input_output.EXIT_DIAGNOSTICS, err=False
    )


def _check_notation(settings: NotationSettings, line: input_output.InputLine) -> int:
    line, piece = input_output.read_notation_or_find_piece(line, settings)
    # What was read may still have no moves a table could hold.
    bool(piece.meaning)
    return input_output.print_check_result(
        (*piece.diagnostics, *_status_note_diagnostics(line)), piece.source, line
    )


def _print_pieces_without_source(names: Sequence[str]) -> int:
    """List the pieces that name no source; the exit code."""
    from alfil.library.library import LibraryPiece, all_set_names

    libraries = [input_output.load_library(name, {}) for name in names or all_set_names()]
    missing = [
        LibraryPiece(each, entry)
        for each in libraries
        for entry in each.pieces
        if not entry.sources
    ]
    count = sum(len(each.pieces) for each in libraries)
    data = [{"place": each.qualified_code, "name": each.entry.name} for each in missing]
    rows = align_columns([(each.qualified_code, each.entry.name) for each in missing])
    words = [*rows, f"{len(missing)} of {count} pieces have no source"]
    input_output.print_answer(lambda: {"pieces": count, "without_source": data}, words)
    return input_output.EXIT_DIAGNOSTICS if missing else 0


def _check_options(
    texts: Sequence[str], settings: NotationSettings, program: str | None, *, any_dialect: bool
) -> None:
    if not texts:
        raise click.UsageError("Missing argument 'NOTATION_OR_FILE...'.")
    is_notation_named = settings.dialect or settings.notation != DEFAULT_NOTATION
    if any_dialect and (is_notation_named or program):
        raise click.UsageError("--any-dialect reads in all notations; leave the other option out")


def _status_note_diagnostics(line: input_output.InputLine) -> tuple[Diagnostic, ...]:
    """The note of a piece that was named, as a diagnostic that is no error."""
    if line.library_piece is None or not line.library_piece.entry.status_note:
        return ()
    entry = line.library_piece.entry
    span = Span(0, len(entry.piece.text))
    return (
        Diagnostic("piece-note", f"{entry.code}: {entry.status_note}", (span,), severity="note"),
    )


def _compare_pieces_of_file(
    name: str, settings: NotationSettings, program: str, moves: dict[str, str]
) -> int:
    """Every piece of a file as a program would read it; the exit code."""
    code = 0
    for entry in input_output.load_library(name, moves).pieces:
        betza_piece = next(filter(is_betza, entry.movements), entry.piece)
        act = partial(
            _print_comparison_with_program,
            settings._replace(notation=betza_piece.notation),
            program,
        )
        line = input_output.InputLine(betza_piece.text, f"{name}:{entry.code}")
        code = max(
            code, input_output.for_each_line([line], act, input_output.EXIT_DIAGNOSTICS, err=False)
        )
    return code


def _check_piece_file(name: str, moves: Mapping[str, str], *, constraints: bool) -> int:
    """Print all diagnostics of a piece file, or the table of its constraints; the exit code."""
    from alfil.library.file_locations import find_file
    from alfil.library.file_report import check_file

    comparison = check_file(find_file(name), moves)
    if constraints and comparison.library:
        return _print_constraints(comparison.library)
    code = input_output.print_check_result(comparison.diagnostics, comparison.source)
    for compared in comparison.ambiguous if not is_json_asked() else ():
        input_output.print_line(f"{compared.prediction.text}:")
        for words in _side_by_side_lines(compared):
            input_output.print_line(words)
    return code


def _check_variants_ini(path: str) -> int:
    """Print all that is wrong with the variants in a file of Fairy-Stockfish; the exit code."""
    from alfil.exchange.ini_diagnostics import check_ini
    from alfil.library.file_locations import read_file

    source = read_file(path)
    # What is read has no mark of byte order, over which that program stumbles.
    marked = Path(path).read_bytes().startswith(BYTE_ORDER_MARK.encode())
    return input_output.print_check_result(
        check_ini(BYTE_ORDER_MARK * marked + source.text), source
    )


def _print_constraints(library: Library) -> int:
    from alfil.library.file_report import constraint_verdicts

    outcomes = constraint_verdicts(library)
    words = [f"{library.name} has no constraints"]
    if outcomes:
        codes = dict.fromkeys(code for each in outcomes for code in each.constraint.codes)
        moves = (f"{code} {library[code].piece.text}" for code in codes)
        words = [
            *align_columns([HEADINGS, *map(_constraint_row, outcomes)]),
            f"moves in use: {', '.join(moves)}",
        ]
    input_output.print_answer(lambda: [_constraint_data(each, library) for each in outcomes], words)
    failed = any(each.constraint.required and not each.holds for each in outcomes)
    return input_output.EXIT_DIAGNOSTICS if failed else 0


def _constraint_row(verdict: ConstraintVerdict) -> tuple[str, ...]:
    constraint = verdict.constraint
    about = " ".join(constraint.codes)
    return (constraint.number, about, constraint.words, constraint.origin, _verdict_text(verdict))


def _verdict_text(verdict: ConstraintVerdict) -> str:
    words = "holds" if verdict.holds else f"fails: {' '.join(verdict.failing)}"
    figures = ", ".join(f"{figure:.2f}" for figure in verdict.figures)
    return f"{words} ({figures})" if figures else words


def _constraint_data(verdict: ConstraintVerdict, library: Library) -> dict[str, object]:
    constraint = verdict.constraint
    return {
        "number": constraint.number,
        "applies_to": list(constraint.codes),
        "condition": constraint.words,
        "from": constraint.origin,
        "required": constraint.required,
        "holds": verdict.holds,
        "failing": list(verdict.failing),
        "means": [round(figure, 2) for figure in verdict.figures],
        "moves": {code: library[code].piece.text for code in constraint.codes},
    }


def _print_comparison_with_program(
    settings: NotationSettings, program: str, line: input_output.InputLine
) -> int:
    """Print what a program does with one notation; the exit code is 0 for the same piece."""
    comparison = _compare_with_program(line, settings, program)
    source = Source(comparison.prediction.text, line.name)
    if is_json_asked():
        input_output.print_line(input_output.as_json(_comparison_data(comparison)))
    else:
        program, text = comparison.prediction.program, printable(comparison.prediction.text.strip())
        end = "" if comparison.verdict in AGREEING_VERDICTS else "\n"
        input_output.print_line(
            f"{text}: {comparison.verdict}; {VERDICTS[comparison.verdict].format(program)}{end}"
        )
        input_output.print_diagnostics(_comparison_diagnostics(comparison), source, line, err=False)
        for words in _side_by_side_lines(comparison):
            input_output.print_line(words)
    return 0 if comparison.verdict in AGREEING_VERDICTS else input_output.EXIT_DIAGNOSTICS


def _compare_with_program(
    line: input_output.InputLine, settings: NotationSettings, program: str
) -> ProgramComparison:
    """The comparison; what the chosen dialect cannot read is left to the program alone."""
    try:
        return check_for(input_output.read_piece_of_line(line, settings), program)
    except NotationError as error:
        if NOTATIONS[settings.notation].folder != "betza":
            raise
        alone = check_for(line.text, program)
        return ProgramComparison("unreadable", alone.prediction, None, alone.theirs, error)


def _comparison_diagnostics(comparison: ProgramComparison) -> list[Diagnostic]:
    """What is wrong, with carets: our own error, what the program ignores, or all of it."""
    if comparison.verdict in AGREEING_VERDICTS:
        return []
    prediction = comparison.prediction
    diagnostics = list(comparison.error.diagnostics) if comparison.error else []
    hint = _program_action_words(comparison)
    if prediction.ignored:
        message = f"{prediction.program} ignores this"
        diagnostics.append(
            Diagnostic("program-ignores", message, prediction.ignored, hint, "warning")
        )
    elif comparison.verdict == "other":
        whole = (Span(0, len(prediction.text)),)
        message = f"{prediction.program} reads this as another piece"
        diagnostics.append(Diagnostic("program-differs", message, whole, hint, "warning"))
    return diagnostics


def _program_action_words(comparison: ProgramComparison) -> str:
    betza = comparison.prediction.betza
    if betza is None:
        return "what it does has not been measured"
    notation = comparison.prediction.notation
    dialect_words = "" if notation == DEFAULT_NOTATION else f" in the dialect {notation}"
    return f"it does what {betza} says{dialect_words}" if betza else "it makes no moves of it"


def _side_by_side_lines(comparison: ProgramComparison) -> Iterator[str]:
    """Both pieces beside each other where they differ, and what the program adds and leaves out."""
    if comparison.verdict in AGREEING_VERDICTS or comparison.theirs is None:
        return
    if comparison.ours is None:
        yield f"{comparison.prediction.program}: {_program_action_words(comparison)}"
        yield ""
    from alfil.diagrams.diagram_model import open_window
    from alfil.diagrams.square_marks import marks_in_fitting_window, marks_of
    from alfil.diagrams.text_rendering import board_lines, legend, side_by_side

    style = diagram_style()
    pieces = [piece for piece in (comparison.ours, comparison.theirs) if piece]
    radius = max(marks_in_fitting_window(piece.meaning).window.north for piece in pieces)
    marks = [marks_of(piece.meaning, open_window(radius)) for piece in pieces]
    names = ["alfil", comparison.prediction.program][-len(pieces) :]
    blocks = [
        [f"  {name}", *board_lines(each, style)] for name, each in zip(names, marks, strict=True)
    ]
    yield from side_by_side(blocks, COLUMN_GAP)
    yield ""
    yield from _merged_legends(names, [legend(each, style) for each in marks])
    for title, squares in _squares_by_difference(comparison):
        ordered = sorted(squares, key=lambda at: (-at[1], at[0]))
        yield f"  {title}: {' '.join(f'{x},{y}' for x, y in ordered)}"


def _merged_legends(names: Sequence[str], legends: Sequence[Sequence[str]]) -> Iterator[str]:
    """The lines of all legends once; a sign that another picture uses otherwise has the name."""
    together = dict.fromkeys(words for lines in legends for words in lines)
    signs = Counter(words.split()[0] for words in together)
    for words in together:
        whose = [name for name, lines in zip(names, legends, strict=True) if words in lines]
        alone = signs[words.split()[0]] > 1 and len(whose) == 1
        yield f"  {words}{f' ({whose[0]})' if alone else ''}"


def _squares_by_difference(
    comparison: ProgramComparison,
) -> Iterator[tuple[str, Iterable[tuple[int, int]]]]:
    if comparison.ours is None:
        return
    program = comparison.prediction.program
    for title, squares in (
        (f"moves that {program} adds on an empty board", comparison.gained),
        (f"moves that {program} leaves out on an empty board", comparison.lost),
        (f"captures of a lone enemy that {program} adds", comparison.captures_gained),
        (f"captures of a lone enemy that {program} leaves out", comparison.captures_lost),
    ):
        if squares:
            yield title, squares


def _comparison_data(comparison: ProgramComparison) -> dict[str, object]:
    prediction = comparison.prediction
    return {
        "text": prediction.text,
        "program": prediction.program,
        "verdict": comparison.verdict,
        "ignored": prediction.ignored,
        "betza": prediction.betza,
        "dialect": prediction.notation,
        "gained": sorted(comparison.gained),
        "lost": sorted(comparison.lost),
        "captures_gained": sorted(comparison.captures_gained),
        "captures_lost": sorted(comparison.captures_lost),
        "errors": [
            input_output.diagnostic_data(each, comparison.error.source)
            for each in comparison.error.diagnostics
        ]
        if comparison.error
        else [],
    }


def _check_in_all_notations(line: input_output.InputLine) -> int:
    """Print what every notation makes of a text; the exit code is 0 for one piece."""
    text = line.text
    pieces = _group_readings_by_piece(readings(text))
    read_in = [piece.notation for each in pieces for piece in each]
    refused = {name: _first_error(text, name) for name in NOTATIONS if name not in read_in}
    rows = [
        (
            f"piece {number}",
            ", ".join(piece.notation for piece in each),
            *_betza_and_words_of_reading(each),
        )
        for number, each in enumerate(pieces, 1)
    ]
    others = [("refused", name, why.message) for name, why in refused.items()]
    count = f"{len(pieces)} different pieces" if len(pieces) > 1 else "one piece"
    verdict = f"{count} in {len(read_in)} of {len(NOTATIONS)} notations" if pieces else "no reading"
    words = [f"{text.strip()}: {verdict}", "", *align_columns(rows), *align_columns(others)]
    input_output.print_answer(lambda: _readings_data(text, pieces, refused), words)
    return 0 if len(pieces) == 1 else input_output.EXIT_DIAGNOSTICS


def _group_readings_by_piece(readings: Iterable[Piece]) -> list[list[Piece]]:
    """Those of the same piece put together; one that has no moves in a table is alone."""
    comparison: list[list[Piece]] = []
    for piece in readings:
        like = next((each for each in comparison if _is_same_reading(each[0], piece)), None)
        if like is None:
            comparison.append([piece])
        else:
            like.append(piece)
    return comparison


def _is_same_reading(one: Piece, other: Piece) -> bool:
    try:
        return same(one, other)
    except MeaningError:
        return False


def _first_error(text: str, notation: str) -> Diagnostic:
    """The first thing that is wrong with a text in a notation that refuses it."""
    try:
        read(text, notation)
    except NotationError as error:
        return error.first_error
    raise AssertionError(f"{notation} reads {text}")


def _betza_and_words_of_reading(readings: Sequence[Piece]) -> tuple[str, str]:
    """A piece in Betza, if that has words for it, and in words."""
    piece = readings[0]
    try:
        betza = write(piece, DEFAULT_NOTATION)
    except AlfilError:
        betza = ""
    return betza, describe(piece)


def _readings_data(
    text: str, pieces: Sequence[Sequence[Piece]], refused: Mapping[str, Diagnostic]
) -> dict[str, object]:
    comparison = []
    for each in pieces:
        betza, words = _betza_and_words_of_reading(each)
        names = [piece.notation for piece in each]
        comparison.append({"notations": names, "betza": betza or None, "description": words})
    errors_by_notation = {
        name: {"kind": why.kind, "message": why.message} for name, why in refused.items()
    }
    return {"text": text, "pieces": comparison, "refused": errors_by_notation}


@click.command("explain")
@click.argument("kind", required=False, shell_complete=completion_function("error_kinds"))
@json_option()
def explain_command(*, kind: str | None) -> int:
    """Explain a kind of error, or list all kinds.

    KIND is the word in square brackets at the end of an error's first line, a file with one kind a
    line, or - for standard input.
    """
    known = explanations_by_kind()
    if kind is None:
        rows = [(each.kind, each.first_sentence) for each in known.values()]
        input_output.print_answer(
            lambda: [_explanation_data(entry) for entry in known.values()], align_columns(rows)
        )
        return 0
    lines = input_output.input_lines(kind, "<kind>")
    return input_output.for_each_line(lines, partial(_explain_kind, known), input_output.EXIT_USAGE)


def _explanation_data(entry: Explanation) -> dict[str, object]:
    return {**entry._asdict(), "anchor": entry.anchor}


def _explain_kind(known: Mapping[str, Explanation], line: input_output.InputLine) -> int:
    """Explain a kind; raises `AlfilError` for one that is unknown."""
    name = line.text.strip().strip("[]")
    if name not in known:
        listed = (
            "`alfil explain` lists all kinds of errors, and `alfil show PIECE` describes a piece"
        )
        reject_unknown_name("unknown-kind", name, known, 0.4, otherwise=listed)
    entry = known[name]
    if is_json_asked():
        input_output.print_line(input_output.as_json(_explanation_data(entry)))
    else:
        end = "\n" if line.number else ""
        words = f"{entry.kind}\n\n{entry.text}\n\nWith all others: {entry.anchor}{end}"
        input_output.print_line(words)
    return 0
