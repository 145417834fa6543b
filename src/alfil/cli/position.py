"""`alfil position`: where a game stands, its legal moves, and why a move is none of them."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import click

from alfil.cli.inputs import FOUND, STANDARD_INPUT, Line, as_json, lines, loaded, say, show, tell
from alfil.cli.options import Settings, in_colour, in_unicode, plain_option, replacing
from alfil.diagrams.subjects import Board
from alfil.diagrams.text import Ink, board_text, in_ascii
from alfil.errors import AlfilError, NotationError
from alfil.play.records.forms import write_move
from alfil.source import Source, printable

if TYPE_CHECKING:
    from alfil.game.variant import Variant
    from alfil.library.library import Library
    from alfil.play.game import Game
    from alfil.play.outcome import Outcome
    from alfil.squares import Square

# What stands for the position that a game begins with.
START = "start"
SIDES = {"b": "black", "w": "white"}
COLOURS: Mapping[Ink, str] = {"target": "green", "last": "yellow", "second": "cyan"}


class Question(NamedTuple):
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
@plain_option
@click.option("--json", is_flag=True, help="Answer as JSON, errors too.")
def command(*, name: str, text: str, moves: dict[str, str], **options: object) -> int:
    """Show where a game stands: board, hands, whose move it is, and what is odd about it.

    POSITION is board, side, hands and number as docs/games.md has them, or "start", which it is
    unless given; - stands for standard input, one position a line.

    The exit code is 0; 1 for a position or move that cannot be read or is not allowed; 2 for an
    unknown set, piece or file.
    """
    asked = Question(**options)  # type: ignore[arg-type] # click gives each option its own type
    given = _given(text)
    if text == STANDARD_INPUT and asked.output:
        raise click.UsageError("-o is for one position, not for standard input")
    library = game_file(name, moves, Settings(json=asked.json))
    return max((_answered(line, library, asked) for line in given), default=0)


def _given(text: str) -> Iterable[Line]:
    if text == STANDARD_INPUT:
        return lines(sys.stdin.buffer, "<stdin>")
    return [Line(text, "<position>")]


def _answered(line: Line, library: Library, asked: Question) -> int:
    """Show one position; the exit code."""
    try:
        if line.problem:
            raise NotationError([line.problem], Source(line.text, line.name))
        game = game_at(library, line.text, asked.played)
        return _shown(game, library, asked)
    except AlfilError as error:
        if asked.json and line.number:
            say("null")
        tell(error.findings, _placed(error, line), Settings(json=asked.json), line)
        return FOUND


def _placed(error: AlfilError, line: Line) -> Source:
    """The text an error is about, with the line it was on where that was the position's."""
    own = error.source.text == line.text and line.number
    return Source(line.text, line.name) if own else error.source


def _shown(game: Game, library: Library, asked: Question) -> int:
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
            show(text)
    return 0


def _draw(game: Game, output: str | None) -> None:
    """The board into a file, or as SVG to standard output."""
    if output:
        game.picture().save(output)
    else:
        say(game.picture().svg().rstrip("\n"))


def _moves(game: Game, form: str) -> Iterator[str]:
    return (write_move(game, move, form) for move in game.legal_moves)


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


def game_file(name: str, moves: Mapping[str, str], settings: Settings | None = None) -> Library:
    """The library of a game that can be played; errors are printed and end the command.

    Exit code 2 says that there is no such file, set or piece, 1 that it is no game.
    """
    settings = settings or Settings()
    library = loaded(name, moves, settings)
    try:
        library.game()
    except AlfilError as error:
        if error.kind == "no-setup":
            return library  # it may be played from a position
        # Where there is no board, what else is missing for a game does not matter.
        problem = _chief(error, library)
        findings = problem.findings[:1] if problem.kind == "no-board" else problem.findings
        tell(findings, problem.source, settings)
        raise click.exceptions.Exit(FOUND) from None
    return library


def _chief(error: AlfilError, library: Library) -> AlfilError:
    """A list of pieces lacks a set-up before it lacks letters."""
    if error.kind == "no-letter":
        try:
            library.require_setup()
        except AlfilError as lack:
            return lack
    return error


def game_at(library: Library, position: str, moves: str = "") -> Game:
    """The game at a position, "start" or its text, after moves with blanks in between.

    Raises `PositionError`, `NotationError` and `IllegalMove`.
    """
    game = library.game(None if position == START else position)
    for move in moves.split():
        game.push(move)
    return game


def board_block(
    game: Game,
    *,
    plain: bool = False,
    targets: Collection[Square] = (),
    turned: bool = False,
    title: str = "",
) -> str:
    """The board with hands and the last move; in colour where the terminal is."""
    plain = plain or not in_unicode()
    board = game.picture().subject
    assert isinstance(board, Board)
    text = board_text(
        replace(board, title=title),
        times="*" if plain else "×",
        targets=targets,
        turned=turned,
        paint=_painted if in_colour() else None,
    )
    return in_ascii(text) if plain else text


def _painted(text: str, ink: Ink) -> str:
    return click.style(text, fg=COLOURS[ink])


def sides_of(variant: Variant) -> tuple[str, str]:
    """What texts call the first and the second side."""
    return ("b", "w") if variant.rules.first == "black" else ("w", "b")


def ending(outcome: Outcome) -> str:
    """How a game ended, in words.

    >>> from alfil.play.outcome import Outcome
    >>> ending(Outcome("b", "illegal-move", "file")), ending(Outcome(None, "repetition"))
    ('black wins by illegal move (file)', 'draw by repetition')
    """
    how = f"{SIDES[outcome.winner]} wins" if outcome.winner else "draw"
    detail = f" ({outcome.detail})" if outcome.detail else ""
    return f"{how} by {outcome.reason.replace('-', ' ')}{detail}"
