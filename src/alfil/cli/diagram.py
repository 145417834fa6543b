"""`alfil diagram`: pictures of a piece's moves in the formats people use."""

from __future__ import annotations

from collections.abc import Sequence

import click

from alfil.api import Piece
from alfil.cli.board import Board, Position, board_options, no_radius, position_options
from alfil.cli.inputs import STANDARD_INPUT, Line, answer, is_piece_file
from alfil.cli.options import Settings, in_unicode, reading
from alfil.cli.output import chosen_formats, formats_option, given_out, refusal
from alfil.cli.sheet import FileOptions, card_of, dressed, file_options, plate_of_file, replaced
from alfil.diagrams.formats import FORMATS, Format
from alfil.diagrams.plate import Plate
from alfil.diagrams.themes import THEMES, theme_called
from alfil.drawing import Diagram, draw
from alfil.errors import AlfilError

# What a piece of a file is drawn in as on a sheet; in other formats it is drawn as any piece.
CARDS = frozenset({"text", "ascii", "svg", "png"})


def _theme(ctx: click.Context, param: click.Parameter, value: str) -> str:
    del ctx, param
    try:
        return theme_called(value).name
    except AlfilError as error:
        raise refusal(error) from None


@click.command("diagram")
@click.argument("text", metavar="NOTATION_OR_FILE")
@reading
@click.option(
    "-f",
    "--format",
    "formats",
    metavar="NAMES",
    callback=formats_option,
    help=f"One or more of {', '.join(FORMATS)}, with commas.",
)
@click.option("-o", "--output", metavar="OUT", help="The file, or its name without a suffix.")
@click.option(
    "--theme",
    default="default",
    callback=_theme,
    show_default=True,
    help=f"One of {', '.join(THEMES)}.",
)
@click.option("--label", default="", help="What the piece is called.")
@click.option(
    "--size", "pixels", type=click.IntRange(16, 8192), help="Width in pixels, of SVG and PNG."
)
@click.option("--radius", type=click.IntRange(1, 17), help="Squares to show on each side.")
@file_options
@board_options
@position_options
def command(  # noqa: PLR0913 - one for each option
    *,
    text: str,
    settings: Settings,
    formats: tuple[Format, ...] | None,
    output: str | None,
    theme: str,
    label: str,
    pixels: int | None,
    radius: int | None,
    asked: FileOptions,
    board: Board | None,
    position: Position,
) -> int:
    """Draw how a piece moves, or all pieces of a file, as text or into files.

    FILE is a piece file, whose name ends in .pieces, or a bundled set: all its pieces on one sheet,
    or with --setup its board. FILE:PIECE is one of them, beside the forms it promotes to.

    One format without -o goes to standard output. Several write OUT.svg, OUT.txt and so on; with
    -o alone the suffix names the format. With --enemy, --own, --moved and the like the picture is
    of that one position. Nothing is written unless everything could be drawn.
    """
    chosen = chosen_formats(formats, output, settings)
    made: list[dict[str, bytes]] = []
    whole = is_piece_file(text)
    special = bool(board or position or radius)
    no_radius(board)
    _fitting(asked, whole=whole, special=special, label=label, text=text)
    _noticed(asked, chosen, pixels, whole=whole)
    if whole:
        plate = _whole(text, settings, asked, theme)
        made.append(_rendered(plate, chosen, pixels, to_files=output is not None))
        return given_out(made, chosen, output, numbered=False)

    def act(piece: Piece, line: Line) -> None:
        if not line.named:
            _without_file(asked, line.text)
        named = replaced(line.named, asked) if line.named else None
        if named:
            piece = named.entry.piece
        diagram = draw(
            piece,
            radius=radius,
            files=board and board.files,
            ranks=board and board.ranks,
            at=board and board.at,
            enemies=position.enemies,
            friends=position.friends,
            enemy_royals=position.enemy_royals,
            unmoved_friends=position.unmoved_friends,
            en_passant=position.en_passant,
            unmoved=position.unmoved if position else None,
            moves_made=position.moves_made,
            theme=theme,
            label=label or (named.entry.name if named else ""),
        )
        card = card_of(named, asked, theme) if named and not special else None
        if named:
            diagram = dressed(diagram, named, theme)
        made.append(_rendered(diagram, chosen, pixels, to_files=output is not None, card=card))

    code = answer(text, settings, act)
    if output is None or code == 0:
        given_out(made, chosen, output, numbered=text == STANDARD_INPUT)
    return code


def _whole(text: str, settings: Settings, asked: FileOptions, theme: str) -> Plate:
    try:
        return plate_of_file(text, settings, asked, theme)
    except AlfilError as error:
        raise refusal(error) from None


def _fitting(asked: FileOptions, *, whole: bool, special: bool, label: str, text: str) -> None:
    """Refuse options that say nothing of what is to be drawn."""
    if whole and (special or label):
        raise click.UsageError("squares, positions and labels are for one piece, as in FILE:PIECE")
    if whole and asked.alone:
        raise click.UsageError("--alone is for one piece, as in FILE:PIECE")
    if not whole and asked.setup:
        raise click.UsageError(f"--setup is for piece files, not for {text}")
    if asked.columns and asked.setup:
        raise click.UsageError("--columns is for sheets, not for set-ups")
    if special and (asked.columns or asked.alone):
        raise click.UsageError("--columns and --alone are for sheets, not for boards and positions")


def _noticed(
    asked: FileOptions, formats: Sequence[Format], size: int | None, *, whole: bool
) -> None:
    """Refuse options that none of the formats takes notice of."""
    names = {each.name for each in formats}
    if size is not None and not names & ({"svg", "png", "html"} if whole else {"svg", "png"}):
        raise click.UsageError("--size is for svg and png")
    if asked.columns and not names & {"svg", "png", "html"}:
        raise click.UsageError("--columns is for sheets as svg, png and html")


def _without_file(asked: FileOptions, text: str) -> None:
    """Refuse options that are for pieces of a file."""
    for name, given in (
        ("--piece", asked.moves),
        ("--alone", asked.alone),
        ("--columns", asked.columns),
    ):
        if given:
            raise click.UsageError(f"{name} is for pieces of a file, not for {text}")


def _rendered(
    diagram: Diagram | Plate,
    formats: Sequence[Format],
    size: int | None,
    *,
    to_files: bool,
    card: Plate | None = None,
) -> dict[str, bytes]:
    """A picture in all formats, by suffix; in those that a card has, the card."""
    made: dict[str, bytes] = {}
    for form in formats:
        plain = form.name == "text" and not to_files and not in_unicode()
        name = "ascii" if plain else form.name
        chosen = card if card and name in CARDS else diagram
        try:
            made[form.suffix] = chosen.render(name, size=size)
        except AlfilError as error:
            raise refusal(error) from None
    return made
