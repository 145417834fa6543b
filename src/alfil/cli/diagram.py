"""`alfil diagram`: pictures of a piece's moves in the formats people use."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import click

from alfil.api import Piece, draw
from alfil.atomic_files import is_stream, save_files
from alfil.cli import options
from alfil.cli.input_output import (
    InputLine,
    for_each_notation,
    is_piece_file_or_set_name,
    is_stdin_or_text_file,
    load_library,
    print_file_names_if_json_asked,
    print_line,
)
from alfil.diagrams.diagram_model import Diagram, Sheet
from alfil.diagrams.picture import (
    FORMAT_BY_SUFFIX,
    PICTURE_FORMATS,
    PIXEL_WIDTHS,
    Picture,
    PictureFormat,
    format_by_name,
    format_by_suffix,
    suffix_of,
)
from alfil.diagrams.themes import THEMES
from alfil.errors import AlfilError

if TYPE_CHECKING:
    from alfil.library.library import Library, LibraryPiece

# What a piece of a file is drawn in as on a sheet; in other formats it is drawn as any piece.
CARD_FORMATS = frozenset({"text", "ascii", "svg", "png"})


def parse_formats_option(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[PictureFormat, ...] | None:
    """The formats of a list with commas, each once."""
    if value is None:
        return None
    names = [name.strip().lower() for name in value.split(",")]
    if "" in names:
        raise click.BadParameter("a format is missing; write svg,png", ctx, param)
    with alfil_errors_as_usage_errors():
        return tuple(dict.fromkeys(format_by_name(name) for name in names))


@contextmanager
def alfil_errors_as_usage_errors() -> Iterator[None]:
    """What is wrong inside is wrong with the call and not with a notation: told on one line."""
    try:
        yield
    except AlfilError as error:
        if options.is_json_asked():
            raise
        diagnostic = error.first_error
        raise click.ClickException(f"{diagnostic.message}; {diagnostic.hint}") from None


class PieceFileDrawingOptions(NamedTuple):
    """What is asked of a piece file: other moves, the set-up, columns, no promoted forms."""

    moves: dict[str, str]
    setup: bool = False
    columns: int | None = None
    alone: bool = False


class PictureAppearance(NamedTuple):
    """What is asked of a picture: its width in pixels, whether it has a sentence and a legend.

    No ``legend`` asked for is None: whether there is one depends on the picture.
    ``transparent`` and ``code`` as in `Look`.
    """

    pixels: int | None
    sentence: bool
    legend: bool | None
    transparent: bool
    code: str


# Adds the options for what stands in a picture; the command gets them as ``look``.
look_options = options.grouped_options(
    "look",
    PictureAppearance._fields,
    PictureAppearance,
    click.option(
        "--size",
        "pixels",
        type=click.IntRange(PIXEL_WIDTHS[0], PIXEL_WIDTHS[-1]),
        help="Width in pixels, of SVG and PNG.",
    ),
    click.option("--sentence/--no-sentence", default=True, help="Describe the moves in words."),
    click.option(
        "--legend/--no-legend", default=None, help="Explain the symbols, even if there is only one."
    ),
    click.option("--transparent", is_flag=True, help="No background, in SVG and PNG."),
    click.option("--code", default="", help="Wikipedia's code of the piece in wikitext: nl."),
)

# Adds the options for piece files; the command gets them as ``drawing_options``.
file_options = options.grouped_options(
    "drawing_options",
    PieceFileDrawingOptions._fields,
    PieceFileDrawingOptions,
    click.option("--setup", is_flag=True, help="The starting position of a piece file."),
    click.option("--columns", type=click.IntRange(1, 50), help="Pieces in each row of a sheet."),
    click.option("--alone", is_flag=True, help="A piece of a file without its promotions."),
    options.moves_option,
    options.reading_option,
)


@click.command("diagram")
@click.argument(
    "text", metavar="NOTATION_OR_FILE", shell_complete=options.completion_function("pieces")
)
@options.reading_options
@click.option(
    "-f",
    "--format",
    "formats",
    metavar="NAMES",
    callback=parse_formats_option,
    shell_complete=options.completion_function("formats"),
    help=f"One or more of {', '.join(PICTURE_FORMATS)}, with commas.",
)
@click.option("-o", "--output", metavar="OUT", help="The file, or its name without a suffix.")
@click.option(
    "--theme",
    "themes",
    type=click.Choice(tuple(THEMES)),
    multiple=True,
    default=("default",),
    show_default=True,
    help="Colours; may be repeated, and each theme gets a file, OUT-THEME.png.",
)
@click.option("--label", default="", help="The name of the piece.")
@look_options
@click.option("--radius", type=click.IntRange(1, 17), help="Squares to show on each side.")
@file_options
@options.board_options
@options.position_options
def diagram_command(  # noqa: PLR0913 - one for each option
    *,
    text: str,
    settings: options.NotationSettings,
    formats: tuple[PictureFormat, ...] | None,
    output: str | None,
    themes: tuple[str, ...],
    label: str,
    look: PictureAppearance,
    radius: int | None,
    drawing_options: PieceFileDrawingOptions,
    board: options.BoardWithSquare | None,
    position: options.PositionOptions,
) -> int:
    """Draw a piece, all pieces of a file, or a board, in any format.

    A piece file, whose name ends in .pieces, or a set is drawn as one sheet of all its pieces, or
    with --setup as its starting position. FILE:PIECE is one piece and its promotions.

    Without -o, one format is printed. With -o, the suffix names the format; with -f and several
    formats, the files are OUT.svg, OUT.txt and so on. With several themes they are OUT-default.png,
    OUT-dark.png and so on. With options such as --enemy, --own or --moved the diagram shows that
    position. Files are written only if everything could be drawn.
    """
    chosen = _chosen_formats(formats, output)
    several = len(themes) > 1 and output is None
    options.raise_first_usage_error((several, "several themes need a name for their files: -o OUT"))
    made: list[dict[str, bytes]] = []
    whole = is_piece_file_or_set_name(text)
    special = bool(board or position or (radius and (drawing_options.setup or not whole)))
    options.reject_radius_with_board(board)
    _reject_unsuitable_options(drawing_options, text, whole=whole, special=special, label=label)
    _reject_unused_options(drawing_options, chosen, look, whole=whole)
    if whole:
        draw_file = partial(
            _picture_of_file, load_library(text, drawing_options.moves), drawing_options, radius
        )
        made.append(
            _render_in_themes(
                themes,
                lambda theme: _render_formats(
                    draw_file(theme), chosen, look, to_files=output is not None
                ),
            )
        )
        return output_pictures(made, chosen, output, numbered=False)

    def act(piece: Piece, line: InputLine) -> None:
        library_piece = line.library_piece
        about_files = f"is for pieces of a file, not for {line.text}"
        options.raise_first_usage_error(
            (drawing_options.alone and not library_piece, f"--alone {about_files}"),
            (drawing_options.columns and not library_piece, f"--columns {about_files}"),
        )
        arguments = position.arguments(board)
        if not position:
            arguments["unmoved"] = None
        called = label or (library_piece.entry.name if library_piece else "")
        subject = library_piece.entry if library_piece else piece

        def draw_piece(theme: str) -> dict[str, bytes]:
            picture = draw(subject, radius=radius, **arguments, theme=theme, label=called)
            card = (
                card_with_promotions_or_note(library_piece, drawing_options, theme)
                if library_piece and not special
                else None
            )
            if library_piece:
                picture = add_token_and_status_note(picture, library_piece, theme)
            return _render_formats(picture, chosen, look, to_files=output is not None, card=card)

        made.append(_render_in_themes(themes, draw_piece))

    code = for_each_notation(text, settings, act, moves=drawing_options.moves)
    if output is None or code == 0:
        output_pictures(made, chosen, output, numbered=is_stdin_or_text_file(text))
    return code


def _picture_of_file(
    library: Library, drawing_options: PieceFileDrawingOptions, radius: int | None, theme: str
) -> Picture:
    """All pieces of a file on a sheet, or its starting position."""
    with alfil_errors_as_usage_errors():
        if drawing_options.setup:
            return library.picture(theme=theme)
        return library.sheet(theme=theme, columns=drawing_options.columns, radius=radius)


def _render_in_themes(
    themes: Sequence[str], render: Callable[[str], dict[str, bytes]]
) -> dict[str, bytes]:
    """A picture in all themes, by the end of its name; one theme needs no name."""
    if len(themes) == 1:
        return render(themes[0])
    return {
        f"-{theme}{suffix}": content
        for theme in dict.fromkeys(themes)
        for suffix, content in render(theme).items()
    }


def _reject_unsuitable_options(
    drawing_options: PieceFileDrawingOptions, text: str, *, whole: bool, special: bool, label: str
) -> None:
    """Refuse options that say nothing of what is to be drawn."""
    boards = "--columns and --alone are for sheets, not for boards and positions"
    about_one = "squares, positions and labels are for one piece, as in FILE:PIECE"
    options.raise_first_usage_error(
        (whole and (special or label), about_one),
        (whole and drawing_options.alone, "--alone is for one piece, as in FILE:PIECE"),
        (not whole and drawing_options.setup, f"--setup is for piece files, not for {text}"),
        (
            drawing_options.columns and drawing_options.setup,
            "--columns is for sheets, not for starting positions",
        ),
        (special and (drawing_options.columns or drawing_options.alone), boards),
    )


def _reject_unused_options(
    drawing_options: PieceFileDrawingOptions,
    formats: Sequence[PictureFormat],
    look: PictureAppearance,
    *,
    whole: bool,
) -> None:
    """Refuse options that none of the formats takes notice of."""
    names = {each.name for each in formats}
    sized = {"svg", "png", "html"} if whole else {"svg", "png"}
    columned = names & {"svg", "png", "html"}
    explained = names & CARD_FORMATS or "html" in names
    takes_sentence = explained or bool(names & {"wikitext", "wikitable"})
    options.raise_first_usage_error(
        (look.pixels is not None and not names & sized, "--size is for svg and png"),
        (look.transparent and not names & {"svg", "png"}, "--transparent is for svg and png"),
        (look.code and "wikitext" not in names, "--code is for wikitext"),
        (
            not (look.sentence or takes_sentence),
            "--no-sentence is for text, svg, png, html, wikitext and wikitable",
        ),
        (look.legend is False and not explained, "--no-legend is for text, svg, png and html"),
        (drawing_options.columns and not columned, "--columns is for sheets as svg, png and html"),
        (
            drawing_options.setup and not (look.sentence and look.legend is not False),
            "a starting position has no words to leave out",
        ),
    )


def _render_formats(
    picture: Picture,
    formats: Sequence[PictureFormat],
    look: PictureAppearance,
    *,
    to_files: bool,
    card: Picture | None = None,
) -> dict[str, bytes]:
    """A picture in all formats, by suffix; in those that a card has, the card."""
    made: dict[str, bytes] = {}
    for form in formats:
        plain = form.name == "text" and not to_files and not options.is_unicode_allowed()
        name = "ascii" if plain else form.name
        chosen = card if card and name in CARD_FORMATS else picture
        with alfil_errors_as_usage_errors():
            made[form.suffix] = chosen.render(
                name,
                size=look.pixels,
                sentence=look.sentence,
                legend=look.legend,
                transparent=look.transparent,
                code=look.code,
            )
    return made


def card_with_promotions_or_note(
    library_piece: LibraryPiece, drawing_options: PieceFileDrawingOptions, theme: str
) -> Picture | None:
    """A piece beside the forms it promotes to, or with what its file says of it; else None."""
    picture = library_piece.library.sheet(
        library_piece.entry.code,
        alone=drawing_options.alone,
        theme=theme,
        columns=drawing_options.columns,
    )
    several = isinstance(picture.subject, Sheet) and len(picture.subject.cards) > 1
    return picture if several or library_piece.entry.status_note else None


def add_token_and_status_note(picture: Picture, library_piece: LibraryPiece, theme: str) -> Picture:
    """The picture with the piece as its file has it, and what the file says of it.

    The squares of a board are named as in the game of the file.
    """
    from alfil.library.diagrams import (
        centre_token_svg,
        piece_tokens_of_file,
        with_file_coordinates_and_royal,
    )

    subject, remark = picture.subject, library_piece.entry.status_note
    assert isinstance(subject, Diagram)
    diagram = with_file_coordinates_and_royal(subject, library_piece.library, library_piece.entry)
    description = f"{diagram.description} Note: {remark}" if remark else diagram.description
    dressed = replace(
        diagram,
        token=centre_token_svg(
            piece_tokens_of_file(library_piece.library)[library_piece.entry.code], theme
        ),
        note=remark,
        status=library_piece.entry.status,
        description=description,
    )
    return replace(picture, subject=dressed)


def _chosen_formats(
    formats: tuple[PictureFormat, ...] | None, output: str | None
) -> tuple[PictureFormat, ...]:
    """The formats asked for; where none is, that of the file, else text.

    Raises what click shows where formats and output do not fit together.
    """
    if formats:
        chosen = formats
    elif output is None:
        chosen = (PICTURE_FORMATS["json" if options.is_json_asked() else "text"],)
    else:
        with alfil_errors_as_usage_errors():
            chosen = (format_by_suffix(output),)
    if output is None:
        if options.is_json_asked() and chosen != (PICTURE_FORMATS["json"],):
            raise click.UsageError("--json prints JSON, so -f is for files: add -o FILE")
        if len(chosen) > 1:
            raise click.UsageError("several formats need a name for their files: -o OUT")
        if chosen[0].binary and sys.stdout.isatty():
            raise click.ClickException(f"{chosen[0].name} is not for a terminal; add -o FILE")
        return chosen
    format_named = FORMAT_BY_SUFFIX.get(suffix_of(output).lower())
    if format_named and format_named not in chosen:
        names_asked = ",".join(each.name for each in chosen)
        raise click.UsageError(
            f"the name {output} means {format_named.name}, and -f says {names_asked}"
        )
    return chosen


def output_pictures(
    pictures: Sequence[dict[str, bytes]],
    formats: Sequence[PictureFormat],
    output: str | None,
    *,
    numbered: bool,
) -> int:
    """Print what was drawn, or write it to files."""
    if output is not None:
        _write_pictures(pictures, output, numbered=numbered)
        return 0
    for content in (each[formats[0].suffix] for each in pictures):
        if formats[0].binary:
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        else:
            print_line(content.decode("utf-8").removesuffix("\n"))
    return 0


def _write_pictures(pictures: Sequence[dict[str, bytes]], output: str, *, numbered: bool) -> None:
    """All files at once; pictures of several lines are numbered from 1."""
    given = suffix_of(output)
    stem = output.removesuffix(given) if given.lower() in FORMAT_BY_SUFFIX else output
    files: dict[str, bytes] = {}
    whole = is_stream(output) and len(pictures) == len(pictures[0]) == 1
    for number, rendered in enumerate(pictures, 1):
        for suffix, content in rendered.items():
            if whole:
                stem, suffix = output, ""  # noqa: PLW2901 - a pipe has its own name
            files[f"{stem}-{number}{suffix}" if numbered else f"{stem}{suffix}"] = content
    with alfil_errors_as_usage_errors():
        save_files(files)
    print_file_names_if_json_asked(files)
