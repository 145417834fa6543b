"""`alfil translate`: a piece in another notation, or many of them.

Many lines are answered in order and in constant memory, by several processes or a cluster where
that is asked for: lines travel in bundles.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

import click

from alfil.api import LOSS_POLICIES, translate
from alfil.cli.input_output import (
    EXIT_DIAGNOSTICS,
    InputLine,
    Progress,
    as_json,
    diagnostic_data,
    diagnostic_texts,
    exit_code,
    notations_in,
    read_piece_of_line,
)
from alfil.cli.options import (
    NOTATION,
    NotationSettings,
    completion_function,
    is_json_asked,
    reading_options,
)
from alfil.cli.workers import IN_THIS_PROCESS, WorkerOptions, map_bundles, workers_option
from alfil.errors import AlfilError, Diagnostic, NotationError
from alfil.notation.description import DEFAULT_NOTATION
from alfil.notation.registry import NOTATIONS
from alfil.source import Source
from alfil.translation.translate import OnLoss

LINES_PER_BUNDLE = 200


@click.command("translate")
@click.argument("text", metavar="NOTATION", shell_complete=completion_function("pieces"))
@reading_options
@click.option("--to", type=NOTATION, required=True, help="The notation to write.")
@click.option(
    "--on-loss",
    "policy",
    type=click.Choice(LOSS_POLICIES),
    default="strict",
    show_default=True,
    help="A part without a translation is an error, is left out, or is embedded as Betza.",
)
@workers_option
def translate_command(
    *, text: str, settings: NotationSettings, to: str, policy: OnLoss, workers: WorkerOptions
) -> int:
    """Write how a piece moves in another notation.

    The result is the same piece on every board, or an error that lists the losses.
    Each line of a file or of standard input gets one line, which is empty (with --json, null) if
    there is no translation.
    """
    if policy == "escape" and not NOTATIONS[to].embeds:
        raise click.UsageError("--on-loss escape embeds Betza, so it is for --to hasinu only")
    work = partial(_translate_line, settings=settings, to=to, policy=policy, json=is_json_asked())
    return _translate_all(notations_in(text, settings), work, workers)


def _translate_line(
    line: InputLine, *, settings: NotationSettings, to: str, policy: OnLoss, json: bool
) -> LineAnswer:
    """The translation of one line as it is printed, what was found, and the exit code."""

    def text(diagnostics: Iterable[Diagnostic], source: Source) -> str:
        return "".join(
            f"{text}\n" for text in diagnostic_texts(diagnostics, source, line, json=json)
        )

    blank = ("null\n" if json else "\n") if line.number else ""
    try:
        if line.problem:
            raise NotationError([line.problem], Source(line.text, line.name))
        piece = read_piece_of_line(line, settings)
        result = translate(piece, write=to, on_loss=policy)
    except AlfilError as error:
        code = EXIT_DIAGNOSTICS if line.number else exit_code(error)
        return LineAnswer(blank, text(error.diagnostics, error.source), code)
    except click.UsageError:  # of an argument, so that nothing else waits for an answer
        raise
    except Exception as error:  # noqa: BLE001 - one line must not end a batch
        return LineAnswer(
            blank, f"alfil: internal error: {error!r} on {line.text!r}\n", EXIT_DIAGNOSTICS
        )
    left_out = (replace(loss, severity="warning") for loss in result.losses)
    words = text((*piece.diagnostics, *left_out), piece.source)
    if not json:
        return LineAnswer(f"{result.text}\n", words)
    losses = [diagnostic_data(loss, piece.source) for loss in result.losses]
    spoken = NOTATIONS[result.notation].dialect or DEFAULT_NOTATION
    data = {"text": result.text, "notation": result.notation, "dialect": spoken}
    return LineAnswer(as_json({**data, "losses": losses}) + "\n", words)


class LineAnswer(NamedTuple):
    """What is to be printed for a line, and the exit code it asks for."""

    out: str
    err: str = ""
    code: int = 0


Work: TypeAlias = Callable[[InputLine], LineAnswer]


def _translate_all(lines: Iterable[InputLine], work: Work, workers: WorkerOptions) -> int:
    """Print the answers to all lines in their order; returns the largest exit code."""
    code = 0
    progress = Progress("lines")
    # What is worked on here is answered line by line, whoever types them.
    bundles = ([line] for line in lines) if workers == IN_THIS_PROCESS else _bundles(lines)
    made = chain.from_iterable(map_bundles(_translate_bundle, work, bundles, workers))
    for done, answer in enumerate(made, 1):
        progress.hide()
        sys.stdout.write(answer.out)
        if answer.err:
            sys.stdout.flush()
            sys.stderr.write(answer.err)
        code = max(code, answer.code)
        progress.show(done)
    progress.hide()
    return code


def _bundles(lines: Iterable[InputLine]) -> Iterator[list[InputLine]]:
    rest = iter(lines)
    while bundle := list(islice(rest, LINES_PER_BUNDLE)):
        yield bundle


def _translate_bundle(work: Work, bundle: list[InputLine]) -> list[LineAnswer]:
    return [work(line) for line in bundle]
