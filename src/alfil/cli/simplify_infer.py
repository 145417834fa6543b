"""`alfil simplify` and `alfil infer`: the shortest text for a piece, or for boards drawn of it."""

from __future__ import annotations

from dataclasses import replace
from typing import BinaryIO

import click

from alfil.api import Piece
from alfil.cli.input_output import (
    EXIT_DIAGNOSTICS,
    InputLine,
    as_json,
    for_each_notation,
    print_line,
)
from alfil.cli.options import (
    NOTATION,
    NotationSettings,
    diagram_style,
    is_json_asked,
    json_option,
    plain_diagram_option,
    reading_options,
)
from alfil.diagrams.signs import TextStyle
from alfil.diagrams.text_rendering import witness_lines
from alfil.errors import AlfilError, decode_file
from alfil.source import Span
from alfil.workbench.drawn_board_reader import HOME
from alfil.workbench.infer_notation import Inference, infer
from alfil.workbench.shortest_notation import Shortest, shortest


@click.command("simplify")
@click.argument("text", metavar="NOTATION")
@reading_options
@click.option("--to", type=NOTATION, help="The notation to write, if not that of the text.")
def simplify_command(*, text: str, settings: NotationSettings, to: str | None) -> int:
    """Write a piece in the fewest letters that are found.

    The result is the same piece on every board, and never longer than NOTATION. The output says
    whether it is proved that nothing in the grammar of docs/shortest.md is shorter.
    """

    def act(piece: Piece, line: InputLine) -> None:
        del line
        print_line(_shortest_result_line(shortest(piece, to)))

    return for_each_notation(text, settings, act)


def _shortest_result_line(result: Shortest) -> str:
    if is_json_asked():
        return as_json({"text": result.text, "notation": result.notation, "proved": result.proved})
    return f"{result.text}\t{'proved shortest' if result.proved else 'not proved shortest'}"


@click.command("infer")
@click.argument("file", metavar="FILE", type=click.File("rb"))
@plain_diagram_option
@json_option()
def infer_command(*, file: BinaryIO, plain: bool) -> int:
    """Find the shortest notation for boards drawn as text.

    FILE, or standard input for -, has boards as show draws them: signs for each square with blanks
    between squares, @ for the piece, ★ for leaps and ● for what needs empty squares on the way, or
    X and x. Where several pieces look like that, the others follow, and the positions that tell
    them apart: draw what the piece does there below the first board. The exit code is 1 then.
    Others that no position with other pieces was found to tell apart are left out; --json has
    them.
    """
    source = decode_file(file.read(), file.name, AlfilError)
    try:
        found = infer(source.text)
    except AlfilError as error:
        error.source = source
        if error.kind == "not-inferred":
            at = source.text.index(HOME)
            error.diagnostics = tuple(
                replace(each, spans=(Span(at, at + 1),)) for each in error.diagnostics
            )
        raise
    if is_json_asked():
        asked = [each.arguments() for each in found.questions]
        answer = {"text": found.text, "others": list(found.others), "questions": asked}
        print_line(as_json(answer))
    else:
        for line in _inference_lines(found, diagram_style(plain=plain)):
            print_line(line)
    return EXIT_DIAGNOSTICS if found.questions else 0


def _inference_lines(inference: Inference, style: TextStyle) -> list[str]:
    lines = [inference.text]
    if inference.questions:
        lines += ["", f"these look the same: {', '.join(inference.others)}"]
    for position in inference.questions:
        lines += ["", "what may it do here?", "", *witness_lines(position, None, style)]
    return lines
