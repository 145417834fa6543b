"""`alfil position`: where a game stands, its legal moves, and why a move is none of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import click

from alfil.cli.inputs import FOUND, STANDARD_INPUT, Line, as_json, lines, say, tell
from alfil.cli.options import Settings, in_unicode, replacing
from alfil.cli.playing import SIDES, START, board_block, ending, game_at, game_file, sides_of
from alfil.errors import AlfilError, NotationError
from alfil.game.records.moves import write_move
from alfil.source import Source, printable

if TYPE_CHECKING:
    from alfil.game.game import Game
    from alfil.library.library import Library


class Asked(NamedTuple):
    """What is asked of each position."""

    played: str
    legal: bool
    hodges: bool
    why: str | None
    svg: bool
    output: str | None
    turned: bool
    plain: bool
    json: bool


@click.command("position")
@click.argument("name", metavar="SET_OR_FILE")
@click.argument("text", metavar="[POSITION]", default=START)
@replacing
@click.option("--moves", "played", default="", help="Moves to make first: 'SO-6f SO-4d'.")
@click.option("--legal", is_flag=True, help="List the legal moves, one a line.")
@click.option("--hodges", is_flag=True, help="List them as people write them: SO-6f, T*5e.")
@click.option("--why", metavar="MOVE", help="Say whether a move is legal, and if not, why.")
@click.option("--svg", is_flag=True, help="Print the board as SVG.")
@click.option("-o", "--output", metavar="OUT", help="Draw the board into a file: .svg, .png, .txt.")
@click.option("--turned", is_flag=True, help="Show the board from the second side, in text.")
@click.option("--ascii", "plain", is_flag=True, help="Write plain ASCII.")
@click.option("--json", is_flag=True, help="Answer as JSON, errors too.")
def command(*, name: str, text: str, moves: dict[str, str], **options: object) -> int:
    """Show where a game stands: board, hands, whose move it is, and what is odd about it.

    POSITION is board, side, hands and number as docs/games.md has them, or "start", which it is
    unless given; - stands for standard input, one position a line.

    The exit code is 0; 1 for a position or move that cannot be read or is not allowed; 2 for an
    unknown set, piece or file.
    """
    asked = Asked(**options)  # type: ignore[arg-type] # click gives each option its own type
    given = _given(text)
    if text == STANDARD_INPUT and asked.output:
        raise click.UsageError("-o is for one position, not for standard input")
    library = game_file(name, moves, Settings(json=asked.json))
    return max((_answered(line, library, asked) for line in given), default=0)


def _given(text: str) -> Iterable[Line]:
    if text == STANDARD_INPUT:
        return lines(sys.stdin.buffer, "<stdin>")
    return [Line(text, "<position>")]


def _answered(line: Line, library: Library, asked: Asked) -> int:
    """Show one position; the exit code."""
    try:
        if line.problem:
            raise NotationError([line.problem], Source(line.text, line.name))
        game = game_at(library, line.text, asked.played)
        return _shown(game, library, asked)
    except AlfilError as error:
        if asked.json and line.number:
            say("null")
        tell(error.findings, _placed(error, line), line, Settings(json=asked.json))
        return FOUND


def _placed(error: AlfilError, line: Line) -> Source:
    """The text an error is about, with the line it was on where that was the position's."""
    own = error.source.text == line.text and line.number
    return Source(line.text, line.name) if own else error.source


def _shown(game: Game, library: Library, asked: Asked) -> int:
    if asked.output or asked.svg:
        _draw(game, asked.output)
        return 0
    if asked.why is not None:
        return _explained(game, asked.why, json=asked.json)
    if asked.json:
        say(as_json(_data(game, library)))
    elif asked.legal or asked.hodges:
        for text in _moves(game, "hodges" if asked.hodges else "usi"):
            say(text)
    else:
        title = game.variant.title
        say(board_block(game, plain=asked.plain, turned=asked.turned, title=title))
        for text in _in_words(game):
            say(printable(text, sys.stdout.encoding or "ascii") if in_unicode() else text)
    return 0


def _draw(game: Game, output: str | None) -> None:
    """The board into a file, or as SVG to standard output."""
    from alfil.library.pictures import draw_board  # noqa: PLC0415 - only where it is drawn

    plate = draw_board(game)
    if output:
        plate.save(output)
    else:
        say(plate.svg().rstrip("\n"))


def _moves(game: Game, form: str) -> Iterator[str]:
    return (write_move(game, ply, form) for ply in game.legal_moves)


def _explained(game: Game, move: str, *, json: bool) -> int:
    """Why a move is illegal; the exit code."""
    found = game.why_illegal(move)
    if json:
        kind, words = found or (None, None)
        say(as_json({"move": move, "legal": found is None, "kind": kind, "message": words}))
    else:
        say(printable(f"{move} is illegal: {found.words} [{found.code}]" if found else "legal"))
    return FOUND if found else 0


def _in_words(game: Game) -> Iterator[str]:
    """What there is to say of a position besides what is on the board."""
    yield f"position: {game.sfen()}"
    outcome = game.outcome()
    if outcome:
        yield f"the game is over: {ending(outcome)}"
    else:
        check = f"{SIDES[game.side]} is in check; " if game.is_check() else ""
        count = len(game.legal_moves)
        yield f"{check}{count} legal move{'' if count == 1 else 's'}"
    if game.flags:
        yield f"odd: {' '.join(sorted(game.flags))}"


def _data(game: Game, library: Library) -> dict[str, object]:
    outcome = game.outcome()
    sides = sides_of(game.variant)
    usi, hodges = list(_moves(game, "usi")), list(_moves(game, "hodges"))
    return {
        "game": library.name,
        "position": game.sfen(),
        "side": game.side,
        "pieces": {
            game.name(square): {"code": code, "side": sides[side]}
            for square, (code, side) in game.pieces.items()
        },
        "hands": {sides[side]: hand for side, hand in enumerate(game.hands)},
        "check": game.is_check(),
        "flags": sorted(game.flags),
        "outcome": outcome
        and {"winner": outcome.winner, "reason": outcome.reason, "detail": outcome.detail},
        "legal": [{"usi": text, "hodges": said} for text, said in zip(usi, hodges, strict=True)],
    }
