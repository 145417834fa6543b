"""`alfil show`: the diagram of a piece with its legend, and a line in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import click

from alfil.api import Piece, describe, write
from alfil.cli import inputs, options
from alfil.diagrams.signs import Sign, Style, facts_in_words, summary
from alfil.diagrams.subjects import Marks, around, on_board
from alfil.diagrams.text import text_diagram
from alfil.diagrams.walk import fitted, marks_of
from alfil.notation.registry import NOTATIONS
from alfil.source import printable
from alfil.trees import as_data, lines_of

COLOURS = {"move": "blue", "capture": "red"}


@click.command("show")
@click.argument("text", metavar="NOTATION")
@options.reading
@click.option("--radius", type=click.IntRange(1, 17), help="Squares to show on each side.")
@options.board_options
@options.replacing
@click.option("--ascii", "plain", is_flag=True, help="Draw with plain ASCII signs.")
def command(
    *,
    text: str,
    settings: options.Settings,
    radius: int | None,
    board: options.BoardAt | None,
    moves: dict[str, str],
    plain: bool,
) -> int:
    """Draw how a piece moves, with a legend."""
    options.no_radius(board)
    style = Style(plain or not options.in_unicode(), _paint if options.in_colour() else None)

    def act(piece: Piece, line: inputs.Line) -> None:
        marks = marks_for(piece, radius, board)
        if line.named and line.named.library.coordinates == "shogi":
            marks = replace(marks, coordinates="shogi")
        if settings.json:
            inputs.say(inputs.as_json(_data(piece, marks) | inputs.named_as_data(line.named)))
        else:
            end = "\n" if line.number else ""
            inputs.say(f"{inputs.title(piece, line.named)}\n\n{_block(piece, marks, style)}{end}")

    def refused(piece: Piece, line: inputs.Line) -> None:
        if settings.json:
            data = inputs.written_as_data(piece) | {"tree": as_data(piece.tree), "diagram": None}
            inputs.say(inputs.as_json(data | inputs.named_as_data(line.named)))
        else:
            end = "\n" if line.number else ""
            inputs.say("\n".join([f"{inputs.title(piece, line.named)}\n", *_as_read(piece)]) + end)

    return inputs.answer(text, settings, act, refused, moves=moves)


def _as_read(piece: Piece) -> Iterator[str]:
    """What there is to show of a piece without moves."""
    yield f"  {NOTATIONS[piece.notation].title}: {printable(write(piece))}"
    yield from (f"  {line}" for line in lines_of(piece.tree))


def marks_for(piece: Piece, radius: int | None, board: options.BoardAt | None) -> Marks:
    """The marks in the window asked for, or in one that fits the piece."""
    if board:
        window = on_board(board.files, board.ranks, board.square)
        return replace(marks_of(piece.meaning, window), coordinates=board.coordinates)
    inputs.needs_board(piece)
    return marks_of(piece.meaning, around(radius)) if radius else fitted(piece.meaning)


def _block(piece: Piece, marks: Marks, style: Style) -> str:
    """Diagram, legend, words and notation; facts that are no moves are in the description."""
    notation = f"  {NOTATIONS[piece.notation].title}: {printable(write(piece))}"
    text = describe(piece)
    told = wrapped(text.translate(PLAIN_SIGNS) if style.ascii else text)
    return "\n".join([text_diagram(marks, style), "", f"  {summary(marks)}", notation, "", *told])


def wrapped(text: str) -> list[str]:
    """A text as lines of at most `COLUMNS` columns, indented; words are never broken."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + len(word) >= COLUMNS - len(INDENT):
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return [INDENT + line for line in lines]


COLUMNS = 80
PLAIN_SIGNS = str.maketrans({"°": " degrees", "“": '"', "”": '"'})
INDENT = "  "


def _data(piece: Piece, marks: Marks) -> dict[str, object]:
    from alfil.diagrams.data import marks_as_data

    return inputs.written_as_data(piece) | {
        "summary": summary(marks),
        "description": describe(piece),
        "facts": facts_in_words(piece.meaning),
        "diagram": marks_as_data(marks),
    }


def _paint(text: str, sign: Sign) -> str:
    match sign.family:
        case "piece":
            return click.style(text, bold=True)
        case "arrow":
            return click.style(text, dim=True)
        case _:
            return click.style(text, fg=COLOURS.get(sign.fill, "green"))
