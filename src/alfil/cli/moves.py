"""`alfil moves` and `alfil diff`: where a piece can go, and where two pieces differ in that."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain

import click

import alfil
from alfil.api import Piece, difference
from alfil.cli import options
from alfil.cli.inputs import (
    STANDARD_INPUT,
    USAGE,
    Line,
    answer,
    answer_each,
    as_json,
    given,
    needs_board,
    put,
    read_line,
    say,
    tell,
)
from alfil.diagrams.data import guard_as_data
from alfil.diagrams.signs import Style, fact_in_words, timing
from alfil.diagrams.text import folded, side_by_side, witness_legend, witness_lines
from alfil.english.words import ordinal
from alfil.meaning.piece import EFFECTS, body_of
from alfil.notation.registry import NOTATIONS, with_notation
from alfil.source import display_width, printable
from alfil.tables.walking import PieceMove
from alfil.tables.witness import Witness, compared

DIFFERENT = 1
LARGER = "they take up different squares, so that what stands around hinders them differently"

Offset = tuple[int, int]


@click.command("moves")
@click.argument("text", metavar="NOTATION")
@options.reading
@click.option(
    "--radius",
    type=click.IntRange(0, 36),
    default=7,
    show_default=True,
    help="Squares each way, where no board is given.",
)
@options.board_options
@options.position_options
@options.replacing
def moves_command(
    *,
    text: str,
    settings: options.Settings,
    radius: int,
    board: options.BoardAt | None,
    position: options.Circumstances,
    moves: dict[str, str],
) -> int:
    """List every move and what it captures.

    Squares are offsets from the piece, 1,2 for one right and two forward. Without a board other
    pieces are placed by offset as well, one to an option: --enemy 0,2 --enemy -1,1.
    """
    options.no_radius(board)

    def act(piece: Piece, line: Line) -> None:
        if board is None:
            needs_board(piece)
        moving = line.named.entry if line.named else piece
        found = sorted(alfil.moves(moving, radius=radius, **position.arguments(board)))
        put(lambda: list(map(_move_as_data, found)), (_listed(each, board) for each in found), line)

    return answer(text, settings, act, moves=moves)


def _listed(move: PieceMove, board: options.BoardAt | None) -> str:
    """A move on one line, with squares by name on a board."""

    def name(offset: Offset) -> str:
        if board is None:
            return _offset(offset)
        return board.name(board.square[0] + offset[0], board.square[1] + offset[1])

    fields = {"captures": "captures", "hurdles": "over", "partner": "partner"}
    words = ["stays" if move.igui else name(move.to), *_told(move, fields, name)]
    when = tuple(condition for condition in move.guard if condition.kind not in EFFECTS)
    return "  ".join([*words, timing(when)] if when else words)


def _told(
    move: PieceMove, fields: Mapping[str, str], name: Callable[[Offset], str]
) -> Iterator[str]:
    """What a move does beside going somewhere, by field with its words."""
    for field, words in fields.items():
        places: Iterable[Offset] = getattr(move, field) or ()
        if places:
            yield f"{words} {' '.join(map(name, places))}"


def _offset(offset: Offset) -> str:
    return f"{offset[0]},{offset[1]}"


def _move_as_data(move: PieceMove) -> dict[str, object]:
    """A move with all squares as [dx, dy]."""
    names = ("to", "captures", "own_captures", "hurdles", "trail", "partner")
    return {name: getattr(move, name) for name in names} | {"guard": guard_as_data(move.guard)}


@click.command("diff")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@options.reading
@click.option("--from-b", "second_notation", type=options.NOTATION, help="The notation of B.")
@options.drawn_plainly
def diff_command(
    *,
    first: str,
    second: str,
    settings: options.Settings,
    second_notation: str | None,
    plain: bool,
) -> int:
    """Say whether A and B are the same piece; if not, draw the smallest board that shows it.

    --from is for both, unless B has its own. A text may also name its notation:
    alfil diff FyafsF 'hasinu:1×4dD &t n4dO'. B may be - for standard input, one notation a line,
    each compared with A. The exit code is 0 for the same piece, 1 for different ones, 2 where a
    text could not be read or nothing could be found out.
    """
    if first == STANDARD_INPUT:
        raise click.UsageError("only B can be - for standard input")
    style = options.drawn(plain=plain)
    first, notation = with_notation(first, settings.notation)
    ours = settings._replace(notation=notation)
    second, notation = with_notation(second, second_notation or settings.notation)
    theirs = settings._replace(notation=notation)
    if NOTATIONS[ours.notation].embeds != NOTATIONS[theirs.notation].embeds:
        # --dialect is for the side that can have Betza embedded.
        ours, theirs = (
            each if NOTATIONS[each.notation].embeds else each._replace(dialect=None)
            for each in (ours, theirs)
        )

    def with_others(line: Line) -> int:
        left = _compiled(line, ours)
        return answer_each(given(second, theirs), partial(_compare, left, theirs, style), USAGE)

    return answer_each(given(first, ours), with_others, USAGE)


def _compiled(line: Line, settings: options.Settings) -> Piece:
    """The piece; raises `AlfilError` for one without a meaning too."""
    piece = read_line(line, settings)
    tell(piece.findings, piece.source, line)
    bool(piece.meaning)
    return piece


def _compare(left: Piece, settings: options.Settings, style: Style, line: Line) -> int:
    """Answer for one pair; returns the exit code."""
    right = _compiled(line, settings)
    found = difference(left, right)
    if options.in_json():
        say(as_json(_as_data(found)))
    else:
        above = [f"# {printable(line.text)}"] if line.number else []
        say("\n".join([*above, *_in_words(left, right, found, style)]))
    return DIFFERENT if found else 0


def _in_words(left: Piece, right: Piece, found: Witness | None, style: Style) -> Iterator[str]:
    if found is None:
        yield "same piece"
        return
    names = [printable(piece.text.strip()) or "(nothing)" for piece in (left, right)]
    having = names[0] if found.only == "first" else names[1]
    told = partial(folded, columns=style.columns, indent="")
    if found.move is None:
        large = found.fact is not None and found.fact.name == "size"
        apart = LARGER if large else "the moves are the same, but not what is said beside them"
        yield from told(f"different pieces: {apart}")
        if found.fact:
            yield from told(printable(f"only {having}: {fact_in_words(found.fact)}"))
        return
    size = f"{found.files}×{found.ranks}"
    size = size.replace("×", "x") if style.ascii else size
    yield from told(f"different pieces; only {having} has the move: {_move_in_words(found.move)}")
    other = right if found.only == "first" else left
    for words in chain(_nearly(other, found, found.move), _past(left, right, found)):
        yield from told(words)
    which = "the smallest" if len(body_of(left.meaning.facts)) == 1 else "a"
    yield f"{which} board that shows it is {size}:"
    yield ""
    shown = [found.move, None] if found.only == "first" else [None, found.move]
    blocks = [
        [printable(name), *witness_lines(found, move, style)]
        for name, move in zip(names, shown, strict=True)
    ]
    beside = [f"  {each}".rstrip() for each in side_by_side(blocks)]
    fits = max(map(display_width, beside)) <= style.columns
    yield from beside if fits else (f"  {each}" for block in blocks for each in (*block, ""))
    yield ""
    yield from (f"  {each}" for each in witness_legend(found, found.move, style))


def _nearly(other: Piece, found: Witness, move: PieceMove) -> Iterator[str]:
    """Moves of the other piece to the same square, which are not the same move."""
    others = {
        _move_in_words(each)
        for each in compared(other.meaning, found.scene())
        if each.to == move.to
    }
    for words in sorted(others):
        yield f"{printable(other.text.strip())} has another: {words}"


def _move_in_words(move: PieceMove) -> str:
    fields = {
        "captures": "captures",
        "hurdles": "needs the hurdle",
        "trail": "leaves a trail on",
        "partner": "partner from and to",
    }
    first = "stays where it is" if move.igui else f"to {_offset(move.to)}"
    return "; ".join([first, *_told(move, fields, _offset)])


def _past(left: Piece, right: Piece, found: Witness) -> Iterator[str]:
    """What the piece has done before, where that may matter."""
    if found.moves_made == 0:
        yield "the piece has not moved yet"
    elif found.moves_made is None:
        fresh = replace(found, moves_made=0).scene()
        # Whatever conditions the move has there.
        plain = found.move and replace(found.move, guard=())
        having = [
            each.meaning
            for each in (left, right)
            if any(replace(move, guard=()) == plain for move in compared(each.meaning, fresh))
        ]
        if having != [(left if found.only == "first" else right).meaning]:
            yield "the piece has moved"
    else:
        yield f"it is the {ordinal(found.moves_made + 1)} move of the piece"
    if found.turn:
        yield f"it is the {ordinal(found.turn)} turn of its side"
    if found.third_rank:
        yield "at the start the same piece stood straight behind it"


def _as_data(found: Witness | None) -> dict[str, object]:
    if found is None:
        return {"same": True}
    return {
        "same": False,
        "only": found.only,
        "position": found.arguments() if found.move else None,
        "move": found.move and _move_as_data(found.move),
        "fact": found.fact and fact_in_words(found.fact),
    }
