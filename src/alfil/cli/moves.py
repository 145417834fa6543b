"""`alfil moves` and `alfil diff`: where a piece can go, and where two pieces differ in that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import click

import alfil
from alfil.api import Piece, difference
from alfil.cli import options
from alfil.cli.input_output import (
    EXIT_USAGE,
    InputLine,
    as_json,
    for_each_line,
    for_each_notation,
    is_stdin_or_text_file,
    notations_in,
    print_answer,
    print_diagnostics,
    print_line,
    read_piece_of_line,
    require_board_if_needed,
)
from alfil.diagrams.fact_sentences import fact_in_words
from alfil.diagrams.json_data import guard_as_data
from alfil.diagrams.signs import TextStyle
from alfil.diagrams.text_rendering import side_by_side, witness_legend, witness_lines, wrapped
from alfil.diagrams.timing_words import timing_in_words
from alfil.english.words import ordinal_word
from alfil.meaning.piece_meaning import EFFECT_CONDITIONS, footprint_of
from alfil.notation.registry import NOTATIONS, split_notation_prefix
from alfil.source import display_width, printable
from alfil.tables.board_context import Offset
from alfil.tables.move_generation import PieceMove
from alfil.tables.smallest_difference import Witness, moves_for_comparison

EXIT_DIFFERENT = 1
FOOTPRINT_DIFFERENCE = (
    "they take up different squares, so that what stands around hinders them differently"
)


@click.command("moves")
@click.argument("text", metavar="NOTATION", shell_complete=options.completion_function("pieces"))
@options.reading_options
@click.option(
    "--radius",
    type=click.IntRange(0, 36),
    default=7,
    show_default=True,
    help="Squares on each side, without a board.",
)
@options.board_options
@options.position_options
@options.moves_option
def moves_command(
    *,
    text: str,
    settings: options.NotationSettings,
    radius: int,
    board: options.BoardWithSquare | None,
    position: options.PositionOptions,
    moves: dict[str, str],
) -> int:
    """List the moves of a piece and what they capture.

    Squares are offsets from the piece: 1,2 is one to the right and two forward. Without a board,
    other pieces are placed by offset too, one for each option: --enemy 0,2 --enemy -1,1.
    """
    options.reject_radius_with_board(board)

    def act(piece: Piece, line: InputLine) -> None:
        if board is None:
            require_board_if_needed(piece)
        moving = line.library_piece.entry if line.library_piece else piece
        result = alfil.moves(moving, radius=radius, **position.arguments(board))
        print_answer(
            lambda: list(map(_move_as_data, result)),
            (_move_line(each, board) for each in result),
            line,
        )

    return for_each_notation(text, settings, act, moves=moves)


def _move_line(move: PieceMove, board: options.BoardWithSquare | None) -> str:
    """A move on one line, with squares by name on a board."""

    def name(offset: Offset) -> str:
        if board is None:
            return _offset_text(offset)
        return board.square_name(board.square[0] + offset[0], board.square[1] + offset[1])

    fields = {"captures": "captures", "hurdles": "over", "partner": "partner"}
    words = ["stays" if move.is_stationary else name(move.to), *_move_effects(move, fields, name)]
    when = tuple(condition for condition in move.guard if condition.kind not in EFFECT_CONDITIONS)
    return "  ".join([*words, timing_in_words(when)] if when else words)


def _move_effects(
    move: PieceMove, fields: Mapping[str, str], name: Callable[[Offset], str]
) -> Iterator[str]:
    """What a move does beside going somewhere, by field with its words."""
    for field, words in fields.items():
        places: Iterable[Offset] = getattr(move, field) or ()
        if places:
            yield f"{words} {' '.join(map(name, places))}"


def _offset_text(offset: Offset) -> str:
    return f"{offset[0]},{offset[1]}"


def _move_as_data(move: PieceMove) -> dict[str, object]:
    """A move with all squares as [dx, dy]."""
    names = ("to", "captures", "own_captures", "hurdles", "trail", "partner")
    return {name: getattr(move, name) for name in names} | {"guard": guard_as_data(move.guard)}


@click.command("diff")
@click.argument("first", metavar="A", shell_complete=options.completion_function("pieces"))
@click.argument("second", metavar="B", shell_complete=options.completion_function("pieces"))
@options.reading_options
@click.option("--from-b", "second_notation", type=options.NOTATION, help="The notation of B.")
@options.plain_diagram_option
def diff_command(
    *,
    first: str,
    second: str,
    settings: options.NotationSettings,
    second_notation: str | None,
    plain: bool,
) -> int:
    """Compare two pieces, and show where they differ.

    --from is for both, unless --from-b is given. A piece may also name its notation:
    alfil diff FyafsF 'hasinu:1×4dD &t n4dO'. B may be a file, or - for standard
    input: each line is compared with A.

    The exit code is 0 for the same piece, 1 for different ones, 2 for an error.
    """
    if is_stdin_or_text_file(first):
        raise click.UsageError("only B can be a file, or - for standard input")
    style = options.diagram_style(plain=plain)
    first, notation = split_notation_prefix(first, settings.notation)
    ours = settings._replace(notation=notation)
    second, notation = split_notation_prefix(second, second_notation or settings.notation)
    theirs = settings._replace(notation=notation)
    if NOTATIONS[ours.notation].embeds != NOTATIONS[theirs.notation].embeds:
        # --dialect is for the side that can have Betza embedded.
        ours, theirs = (
            each if NOTATIONS[each.notation].embeds else each._replace(dialect=None)
            for each in (ours, theirs)
        )

    def with_others(line: InputLine) -> int:
        left = _read_piece_with_meaning(line, ours)
        return for_each_line(
            notations_in(second, theirs), partial(_compare_pair, left, theirs, style), EXIT_USAGE
        )

    return for_each_line(notations_in(first, ours), with_others, EXIT_USAGE)


def _read_piece_with_meaning(line: InputLine, settings: options.NotationSettings) -> Piece:
    """The piece; raises `AlfilError` for one without a meaning too."""
    piece = read_piece_of_line(line, settings)
    print_diagnostics(piece.diagnostics, piece.source, line)
    bool(piece.meaning)
    return piece


def _compare_pair(
    left: Piece, settings: options.NotationSettings, style: TextStyle, line: InputLine
) -> int:
    """Answer for one pair; returns the exit code."""
    right = _read_piece_with_meaning(line, settings)
    result = difference(left, right)
    if options.is_json_asked():
        print_line(as_json(_difference_data(result)))
    else:
        above = [f"# {printable(line.text)}"] if line.number else []
        print_line("\n".join([*above, *_difference_in_words(left, right, result, style)]))
    return EXIT_DIFFERENT if result else 0


def _difference_in_words(
    left: Piece, right: Piece, result: Witness | None, style: TextStyle
) -> Iterator[str]:
    if result is None:
        yield "same piece"
        return
    names = [printable(piece.text.strip()) or "(nothing)" for piece in (left, right)]
    having = names[0] if result.only == "first" else names[1]
    wrap = partial(wrapped, columns=style.columns, indent="")
    if result.move is None:
        large = result.fact is not None and result.fact.name == "size"
        apart = (
            FOOTPRINT_DIFFERENCE
            if large
            else "the moves are the same, but not what is said beside them"
        )
        yield from wrap(f"different pieces: {apart}")
        if result.fact:
            yield from wrap(printable(f"only {having}: {fact_in_words(result.fact)}"))
        return
    size = f"{result.files}×{result.ranks}"
    size = size.replace("×", "x") if style.ascii else size
    yield from wrap(f"different pieces; only {having} has the move: {_move_in_words(result.move)}")
    other = right if result.only == "first" else left
    similar = _moves_to_same_square(other, result, result.move)
    for move in similar:
        yield from wrap(f"{printable(other.text.strip())} has another: {_move_in_words(move)}")
    for words in _history_words(left, right, result):
        yield from wrap(words)
    which = "the smallest" if len(footprint_of(left.meaning.facts)) == 1 else "a"
    yield f"{which} board that shows it is {size}:"
    yield ""
    beside = similar[0] if similar else None
    shown = (result.move, beside) if result.only == "first" else (beside, result.move)
    blocks = [
        [printable(name), *witness_lines(result, move, style)]
        for name, move in zip(names, shown, strict=True)
    ]
    lines = [f"  {each}".rstrip() for each in side_by_side(blocks)]
    fits = max(map(display_width, lines)) <= style.columns
    yield from lines if fits else (f"  {each}" for block in blocks for each in (*block, ""))
    yield ""
    yield from (f"  {each}" for each in witness_legend(result, shown, style))


def _moves_to_same_square(other: Piece, result: Witness, move: PieceMove) -> list[PieceMove]:
    """Moves of the other piece to the same square, which are not the same move."""
    moves = moves_for_comparison(other.meaning, result.scene())
    by_words = {_move_in_words(each): each for each in moves if each.to == move.to}
    return [each for _, each in sorted(by_words.items())]


def _move_in_words(move: PieceMove) -> str:
    fields = {
        "captures": "captures",
        "hurdles": "needs the hurdle",
        "trail": "leaves a trail on",
        "partner": "partner from and to",
    }
    first = "stays where it is" if move.is_stationary else f"to {_offset_text(move.to)}"
    return "; ".join([first, *_move_effects(move, fields, _offset_text)])


def _history_words(left: Piece, right: Piece, result: Witness) -> Iterator[str]:
    """What the piece has done before, where that may matter."""
    if result.moves_made == 0:
        yield "the piece has not moved yet"
    elif result.moves_made is None:
        fresh = replace(result, moves_made=0).scene()
        # Whatever conditions the move has there.
        plain = result.move and replace(result.move, guard=())
        having = [
            each.meaning
            for each in (left, right)
            if any(
                replace(move, guard=()) == plain
                for move in moves_for_comparison(each.meaning, fresh)
            )
        ]
        if having != [(left if result.only == "first" else right).meaning]:
            yield "the piece has moved"
    else:
        yield f"it is the {ordinal_word(result.moves_made + 1)} move of the piece"
    if result.turn:
        yield f"it is the {ordinal_word(result.turn)} turn of its side"
    if result.third_rank:
        yield "at the start the same piece stood straight behind it"


def _difference_data(result: Witness | None) -> dict[str, object]:
    if result is None:
        return {"same": True}
    return {
        "same": False,
        "only": result.only,
        "position": result.arguments() if result.move else None,
        "move": result.move and _move_as_data(result.move),
        "fact": result.fact and fact_in_words(result.fact),
    }
