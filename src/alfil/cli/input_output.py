"""What commands are given and print: notations, piece files, diagnostics, tables, progress."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from time import monotonic
from typing import TYPE_CHECKING

import click

from alfil.api import Piece, read, reject_piece_needing_board
from alfil.cli.options import (
    NotationSettings,
    chosen_piece_file_reading,
    colour_diagnostic_part,
    is_colour_allowed,
    is_json_asked,
    is_unicode_allowed,
    output_encoding,
)
from alfil.errors import (
    AlfilError,
    BoardError,
    Diagnostic,
    MeaningError,
    NotationError,
    UnknownPiece,
    format_diagnostic,
)
from alfil.frozen_dataclasses import NamedTuple
from alfil.notation.description import DEFAULT_NOTATION
from alfil.notation.registry import NOTATIONS
from alfil.source import Source, Span, printable

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from alfil.library.library import Library, LibraryPiece

STANDARD_INPUT = "-"
PIECE_FILE = ".pieces"
EXIT_DIAGNOSTICS = 1
EXIT_USAGE = 2
# What may be wrong with the name of a set or a file that the command was called with.
NAME_ERROR_KINDS = frozenset(
    {"cannot-read", "cannot-write", "record-exists", "unknown-set", "unknown-variant"}
)


class InputLine(NamedTuple):
    """One notation; ``number`` is its line in a file or on standard input, 0 for an argument.

    ``library_piece`` is the piece of a piece file that was named instead of a notation.
    """

    text: str
    name: str
    number: int = 0
    problem: Diagnostic | None = None
    library_piece: LibraryPiece | None = None


ARGUMENT_LINE = InputLine("", "")


def is_piece_file_or_set_name(text: str) -> bool:
    """Whether this names a piece file or a bundled set; a set's name is no notation."""
    if text.endswith(PIECE_FILE):
        return True
    if not text.islower() or not re.fullmatch(r"[\w@-]+", text):
        return False
    from alfil.library.file_locations import bundled_set_names, split_name_and_reading

    return split_name_and_reading(text)[0] in bundled_set_names()


def is_stdin_or_text_file(argument: str) -> bool:
    """Whether an argument stands for many lines: those of standard input or of a file.

    A file is known by a dot or a slash in its name, so that ``alfil show N`` does not depend on the
    folder it is typed in.
    """
    if argument == STANDARD_INPUT:
        return True
    is_name = not {".", "/", os.sep}.isdisjoint(argument)
    return is_name and not argument.endswith(PIECE_FILE) and os.path.isfile(argument)


def input_lines(argument: str, name: str, *, blank: bool = False) -> Iterator[InputLine]:
    """The lines that an argument stands for, or itself under that name; ``blank`` as below."""
    if not is_stdin_or_text_file(argument):
        yield _argument_line(argument, name)
    elif argument == STANDARD_INPUT:
        yield from lines_in_stream(sys.stdin.buffer, "<stdin>", blank=blank)
    else:
        try:
            with open(argument, "rb") as stream:
                yield from lines_in_stream(stream, argument)
        except OSError as error:
            raise click.UsageError(f"cannot read {argument}: {error.strerror}") from None


def notations_in(argument: str, settings: NotationSettings) -> Iterator[InputLine]:
    """The notations that one argument stands for: itself, or the lines of a file or standard input.

    A blank line of standard input is an empty notation, a piece without moves, so that answers and
    lines stay together.
    """
    notation = NOTATIONS[settings.notation]
    if settings.dialect and not notation.embeds and notation.name != DEFAULT_NOTATION:
        raise click.UsageError(
            f"--dialect is for Betza, or Betza embedded in Ħasínū; write --from {settings.dialect}"
        )
    suffix = os.path.splitext(argument)[1]
    is_name = suffix[1:].isalpha() and suffix != PIECE_FILE
    if is_name and notation.folder == DEFAULT_NOTATION and not os.path.exists(argument):
        raise click.UsageError(f"no file is called {argument}")
    yield from input_lines(argument, f"<{settings.notation}>", blank=True)


def _argument_line(argument: str, name: str) -> InputLine:
    """An argument as a notation; it is UTF-8 whatever the locale made of it.

    Bytes that the locale does not know come as surrogates.
    """
    try:
        return _decoded_line(argument.encode("utf-8", "surrogateescape"), name)
    except UnicodeEncodeError:  # surrogates of another kind: the readers know them
        return InputLine(argument, name)


def _decoded_line(raw: bytes, name: str, number: int = 0) -> InputLine:
    """A notation in UTF-8; one that is not comes with its problem."""
    try:
        return InputLine(raw.decode("utf-8"), name, number)
    except UnicodeDecodeError as error:
        at = len(raw[: error.start].decode("utf-8"))
        what, hint = "the notation", "type it in UTF-8"
        if number:
            what, hint = "this line", "save the text as UTF-8"
        message = f"{what} is not UTF-8: byte {raw[error.start]:#04x}"
        problem = Diagnostic("not-utf8", message, (Span(at, at + 1),), hint)
        text = raw.decode("utf-8", "replace" if number else "surrogateescape")
        return InputLine(text, name, number, problem)


def lines_in_stream(
    stream: Iterable[bytes], name: str, *, blank: bool = False
) -> Iterator[InputLine]:
    """The lines in a stream, without those that begin with #, and blank ones unless asked.

    A line that is not UTF-8 comes with its problem, and the lines after it follow as usual.
    """
    for number, raw in enumerate(stream, 1):
        taken = raw.rstrip(b"\r\n")
        if number == 1:
            taken = taken.removeprefix(b"\xef\xbb\xbf")
        if not taken.strip():
            if blank:
                yield InputLine("", name, number)
        elif not taken.lstrip().startswith(b"#"):
            yield _decoded_line(taken, name, number)


def read_piece_of_line(line: InputLine, settings: NotationSettings) -> Piece:
    """Read one notation, or find the piece it names; raises what `alfil.read` raises."""
    return read_notation_or_find_piece(line, settings)[1]


def read_notation_or_find_piece(
    line: InputLine, settings: NotationSettings
) -> tuple[InputLine, Piece]:
    """The piece of a line; one that is named and not described is noted in the line.

    What reads as a notation is one. Raises what `alfil.read` raises, and what loading the file
    raises that a name such as ``my.pieces:N`` is in.
    """
    try:
        return line, read(
            line.text,
            settings.notation,
            dialect=settings.dialect,
            lenient=settings.lenient,
            name=line.name,
        )
    except NotationError as error:
        if not line.number and is_piece_file_or_set_name(line.text):
            from alfil.library.file_locations import find_file

            find_file(line.text)
            raise click.UsageError(
                f"{line.text} has many pieces; name one by its code, as in {line.text}:K"
            ) from None
        from alfil.library.library import piece_named_by_invalid_notation

        library_piece = piece_named_by_invalid_notation(error, suggest=not line.number)
        return line._replace(library_piece=library_piece), library_piece.entry.piece


def exit_code(error: AlfilError) -> int:
    """What an error means for the process: something was found, or the call was wrong."""
    if isinstance(error, BoardError):
        return EXIT_DIAGNOSTICS if error.kind == "needs-board" else EXIT_USAGE
    whole = (Span(0, len(error.source.text)),)
    called = error.kind in NAME_ERROR_KINDS and error.spans == whole
    return EXIT_USAGE if called or isinstance(error, UnknownPiece) else EXIT_DIAGNOSTICS


def for_each_line(
    lines: Iterable[InputLine],
    act: Callable[[InputLine], int],
    error_exit_code: int | None = None,
    *,
    err: bool = True,
) -> int:
    """Answer line after line; returns the largest exit code.

    What is wrong with a line is told, on standard error unless ``err`` is False, and the work goes
    on with the next: the code is then ``error_exit_code``. Without that it is the error's own, and
    a call that is wrong ends the work. With --json a line that cannot be answered is answered with
    null, so that answers and lines stay together.
    """
    code = 0
    for line in lines:
        try:
            if line.problem:
                raise NotationError([line.problem], Source(line.text, line.name))
            code = max(code, act(line))
        except AlfilError as error:
            if err and is_json_asked() and line.number:
                print_line("null")
            print_diagnostics(error.all_diagnostics(), error.source, line, err=err)
            code = max(code, exit_code(error) if error_exit_code is None else error_exit_code)
            if error_exit_code is None and code == EXIT_USAGE:
                break
    return code


def for_each_notation(
    argument: str,
    settings: NotationSettings,
    act: Callable[[Piece, InputLine], None],
    act_without_moves: Callable[[Piece, InputLine], None] | None = None,
    moves: Mapping[str, str] | None = None,
) -> int:
    """Do something with every notation of an argument; returns the exit code.

    ``act_without_moves`` is done with what was read and has no moves. ``moves`` are other moves for
    pieces of the file that a piece is named from.
    """

    def answered(line: InputLine) -> int:
        line, piece = read_notation_or_find_piece(line, settings)
        if moves:
            line, piece = _override_moves_of_line(line, moves)
        print_diagnostics(piece.diagnostics, piece.source, line)
        try:
            act(piece, line)
        except MeaningError as error:
            if act_without_moves is None:
                raise
            act_without_moves(piece, line)
            print_diagnostics(error.diagnostics, error.source, line)
            return EXIT_DIAGNOSTICS
        return 0

    return for_each_line(notations_in(argument, settings), answered)


def _override_moves_of_line(line: InputLine, moves: Mapping[str, str]) -> tuple[InputLine, Piece]:
    """The piece a line names, in its file with other moves."""
    if line.library_piece is None:
        raise click.UsageError(
            f"--piece is for pieces of a file, not for {line.text}; name one as in FILE:PIECE"
        )
    from alfil.library.library import with_replaced_moves

    library = with_replaced_moves(line.library_piece.library, moves)
    entry = library[line.library_piece.entry.code]
    return line._replace(
        library_piece=line.library_piece._replace(library=library, entry=entry)
    ), entry.piece


def print_diagnostics(
    diagnostics: Iterable[Diagnostic],
    source: Source,
    line: InputLine = ARGUMENT_LINE,
    *,
    err: bool = True,
) -> None:
    """Print diagnostics, as reports with carets or as JSON, one object a line."""
    for text in diagnostic_texts(diagnostics, source, line, json=is_json_asked(), err=err):
        print_line(text, err=err)


def diagnostic_texts(
    diagnostics: Iterable[Diagnostic],
    source: Source,
    line: InputLine = ARGUMENT_LINE,
    *,
    json: bool,
    err: bool = True,
) -> Iterator[str]:
    """Findings as they are printed, each without its last line break.

    They are counted from the start of the whole file that the line is in.
    """
    above = max(line.number - 1, 0)
    whole = Source("\n" * above + source.text, source.name) if above else source
    for diagnostic in diagnostics:
        if json:
            yield as_json(diagnostic_data(diagnostic.shift(above), whole))
        else:
            paint = {"paint": colour_diagnostic_part} if is_colour_allowed(err=err) else {}
            yield (
                format_diagnostic(diagnostic.shift(above), whole, output_encoding(err=err), **paint)
                + "\n"
            )


def print_check_result(
    diagnostics: Iterable[Diagnostic], source: Source, line: InputLine = ARGUMENT_LINE
) -> int:
    """Print what was found as the answer; the exit code, for which notes do not count."""
    diagnostics = list(diagnostics)
    print_diagnostics(diagnostics, source, line, err=False)
    return (
        EXIT_DIAGNOSTICS if any(diagnostic.severity != "note" for diagnostic in diagnostics) else 0
    )


def diagnostic_data(diagnostic: Diagnostic, source: Source) -> dict[str, object]:
    """A diagnostic as plain data; columns count code points from 1, the end is the one after."""
    span = diagnostic.spans[0] if diagnostic.spans else Span(0, 0)
    start = source.position(span.start)
    return {
        "severity": diagnostic.severity,
        "kind": diagnostic.kind,
        "message": diagnostic.message,
        "file": source.name,
        "line": start.line,
        "column": start.column,
        "end_column": start.column + span.end - span.start,
        "hint": diagnostic.hint,
    }


def print_line(text: str, *, err: bool = False) -> None:
    """Print a line in the encoding the stream really has; click would take UTF-8 for ASCII."""
    stream = sys.stderr if err else sys.stdout
    click.echo(text, file=stream, color=is_colour_allowed(err=err))


def as_json(value: object) -> str:
    """JSON on one line, in ASCII where the terminal knows no more; nothing unseen stands in it."""
    import json

    text = json.dumps(value, ensure_ascii=not is_unicode_allowed())
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in text)


def print_escaped_line(text: str) -> None:
    """Print a line as the terminal can show it: what it would take for an order is a number."""
    print_line(printable(text, output_encoding()))


def print_or_write(text: str, output: str | None, **data: object) -> None:
    """Print a text, or write it to a file; with --json as data, with more ``data`` beside it."""
    if output:
        from alfil.atomic_files import save_files

        save_files({output: text.encode()})
        print_file_names_if_json_asked([output], **data)
    elif is_json_asked():
        print_line(as_json({"text": text, **data}))
    else:
        print_line(text.removesuffix("\n"))


def print_file_names_if_json_asked(files: Iterable[str], **data: object) -> None:
    """With --json, name the files that were written."""
    if is_json_asked():
        print_line(as_json({"files": list(files), **data}))


def print_answer(
    data: Callable[[], object], words: Iterable[str], line: InputLine = ARGUMENT_LINE
) -> None:
    """Print an answer: its data with --json, else its words, below the line of many it is to."""
    if is_json_asked():
        print_line(as_json(data()))
        return
    if line.number:
        print_escaped_line(f"# {line.text}")
    for text in words:
        print_escaped_line(text)


class Progress:
    """A bar on a terminal's standard error: how much of long work is done, and the time left.

    Nothing is shown of work that is done soon, and rich is loaded for long work only. Where it is
    left as a context, the line is cleared.
    """

    QUIET, UPDATE_SECONDS = 1.0, 0.5  # in seconds

    def __init__(self, what: str, total: int | None = None) -> None:
        self._what = what
        self._total = total
        self._next = monotonic() + self.QUIET
        self._is_terminal = sys.stderr.isatty()
        self._bar: Bar | None = None

    def show(self, done: int, total: int | None = None) -> None:
        """So much is done, of so much where that is known."""
        now = monotonic() if self._is_terminal else 0.0
        if self._is_terminal and now >= self._next:
            self._next = now + self.UPDATE_SECONDS
            self._bar = self._bar or _progress_bar(self._what)
            self._bar.start()
            self._bar.update(self._bar.task_ids[0], completed=done, total=total or self._total)
            self._bar.refresh()

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.hide()

    def hide(self) -> None:
        """Clear the line before anything else is printed."""
        if self._bar:
            self._bar.stop()


def _progress_bar(what: str) -> Bar:
    """A bar that is drawn when it is told to: a thread would be in the way of processes."""
    from rich import progress
    from rich.console import Console

    bar = progress.Progress(
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TaskProgressColumn(show_speed=True),
        progress.TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    bar.add_task(what, total=None)
    return bar


def require_board_if_needed(piece: Piece) -> None:
    """Raise `BoardError` for a piece that cannot be shown without a board and a square."""
    reject_piece_needing_board(piece, hint="add a board and a square, as in --board 8x8 --at e2")


def load_library(name: str, moves: Mapping[str, str]) -> Library:
    """The library for a command; its warnings are printed."""
    from alfil.library.library import load

    library = load(name, moves, reading=chosen_piece_file_reading())
    print_diagnostics(
        [each for each in library.diagnostics if each.severity != "note"], library.source
    )
    return library
