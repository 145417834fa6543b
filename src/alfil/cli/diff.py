"""`alfil diff`: are these two the same piece, and if not, where does it show?"""

from __future__ import annotations

from collections.abc import Iterator

import click

from alfil.api import Piece, difference
from alfil.cli.inputs import STANDARD_INPUT, USAGE, Line, as_json, given, read_line, say, tell
from alfil.cli.moves import move_as_data
from alfil.cli.options import NOTATION, Settings, in_unicode, reading
from alfil.diagrams.signs import Style, fact_in_words, ordinal
from alfil.diagrams.text import side_by_side, witness_legend, witness_lines
from alfil.errors import AlfilError
from alfil.notation.registry import NOTATIONS, with_notation
from alfil.source import printable
from alfil.tables.walking import PieceMove, moves_in
from alfil.tables.witness import Witness

DIFFERENT = 1


@click.command("diff")
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@reading
@click.option("--from-b", "second_notation", type=NOTATION, help="The notation of B.")
@click.option("--ascii", "plain", is_flag=True, help="Draw with plain ASCII signs.")
def command(
    *,
    first: str,
    second: str,
    settings: Settings,
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
    style = Style(plain or not in_unicode())
    first, ours = _spoken(first, settings)
    other = settings._replace(notation=second_notation or settings.notation)
    second, theirs = _spoken(second, other)
    if NOTATIONS[ours.notation].embeds != NOTATIONS[theirs.notation].embeds:
        # --dialect is for the side that can have Betza embedded.
        ours, theirs = (
            each if NOTATIONS[each.notation].embeds else each._replace(dialect=None)
            for each in (ours, theirs)
        )
    (line,) = given(first, ours)
    left = _read(line, ours)
    if left is None:
        return USAGE
    return max((_compare(left, each, theirs, style) for each in given(second, theirs)), default=0)


def _spoken(text: str, settings: Settings) -> tuple[str, Settings]:
    """A text without the notation it names, and the settings with that notation."""
    text, notation = with_notation(text, settings.notation)
    return text, settings._replace(notation=notation)


def _read(line: Line, settings: Settings) -> Piece | None:
    """The piece, with a meaning, or None after saying why there is none."""
    try:
        piece = read_line(line, settings)
        tell(piece.findings, piece.source, settings, line)
        bool(piece.meaning)
    except AlfilError as error:
        tell(error.findings, error.source, settings, line)
        return None
    return piece


def _compare(left: Piece, line: Line, settings: Settings, style: Style) -> int:
    """Answer for one pair; returns the exit code."""
    right = _read(line, settings)
    try:
        found = difference(left, right) if right else None
    except AlfilError as error:
        tell(error.findings, error.source, settings, line)
        right = None
    if right is None:
        if settings.json and line.number:
            say("null")
        return USAGE
    if settings.json:
        say(as_json(_data(found)))
    else:
        if line.number:
            say(f"# {printable(line.text)}")
        for each in _in_words(left, right, found, style):
            say(each)
    return DIFFERENT if found else 0


def _in_words(left: Piece, right: Piece, found: Witness | None, style: Style) -> Iterator[str]:
    if found is None:
        yield "same piece"
        return
    names = [printable(piece.text.strip()) or "(nothing)" for piece in (left, right)]
    having = names[0] if found.only == "first" else names[1]
    if found.move is None:
        yield "different pieces: the moves are the same, but not what is said beside them"
        if found.fact:
            yield f"only {having}: {fact_in_words(found.fact)}"
        return
    size = f"{found.files}×{found.ranks}"
    size = size.replace("×", "x") if style.ascii else size
    yield f"different pieces; the smallest board that shows it is {size}:"
    yield ""
    shown = [found.move, None] if found.only == "first" else [None, found.move]
    blocks = [
        [printable(name), *witness_lines(found, move, style)]
        for name, move in zip(names, shown, strict=True)
    ]
    yield from (f"  {each}".rstrip() for each in side_by_side(blocks))
    yield ""
    yield from (f"  {each}" for each in witness_legend(found, found.move, style))
    yield ""
    yield f"only {having} has the move: {_move_in_words(found.move)}"
    yield from _nearly(right if found.only == "first" else left, found, found.move)
    yield from _past(found)


def _nearly(other: Piece, found: Witness, move: PieceMove) -> Iterator[str]:
    """Moves of the other piece to the same square, which are not the same move."""
    others = {
        _move_in_words(each)
        for each in moves_in(other.meaning, found.scene())
        if each.to == move.to
    }
    for words in sorted(others):
        yield f"{printable(other.text.strip())} has another: {words}"


def _move_in_words(move: PieceMove) -> str:
    words = ["stays where it is" if move.igui else f"to {_places([move.to])}"]
    for what, places in (
        ("captures", move.captures),
        ("needs the hurdle", move.hurdles),
        ("leaves a trail on", move.trail),
        ("partner from and to", move.partner or ()),
    ):
        if places:
            words.append(f"{what} {_places(places)}")
    return "; ".join(words)


def _places(places: tuple[tuple[int, int], ...] | list[tuple[int, int]]) -> str:
    return " ".join(f"{x},{y}" for x, y in places)


def _past(found: Witness) -> Iterator[str]:
    """What the piece has done before, where that may matter."""
    if found.moves_made == 0:
        yield "the piece has not moved yet"
    elif found.moves_made is not None:
        yield f"it is the {ordinal(found.moves_made + 1)} move of the piece"
    if found.third_rank:
        yield "at the start the same piece stood straight behind it"


def _data(found: Witness | None) -> dict[str, object]:
    if found is None:
        return {"same": True}
    return {
        "same": False,
        "only": found.only,
        "position": found.arguments() if found.move else None,
        "move": found.move and move_as_data(found.move),
        "fact": found.fact and fact_in_words(found.fact),
    }
