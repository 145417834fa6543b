"""`alfil position`: where a game stands, and its legal moves."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, NamedTuple

import click

from alfil.cli.input_output import (
    EXIT_DIAGNOSTICS,
    InputLine,
    as_json,
    for_each_line,
    input_lines,
    is_stdin_or_text_file,
    load_library,
    print_answer,
    print_escaped_line,
    print_file_names_if_json_asked,
    print_line,
    print_or_write,
)
from alfil.cli.options import (
    colour_by_role,
    game_options,
    is_colour_allowed,
    is_json_asked,
    is_unicode_allowed,
    json_option,
    plain_option,
)
from alfil.diagrams.diagram_model import Board
from alfil.diagrams.text_rendering import board_text, to_ascii
from alfil.errors import AlfilError, plural
from alfil.play.game import Game
from alfil.play.outcomes import SIDE_COLOURS
from alfil.play.records.move_notations import write_move
from alfil.source import Source

if TYPE_CHECKING:
    from alfil.library.library import Library
    from alfil.play.outcomes import Outcome
    from alfil.squares import Square

# What stands for the position that a game begins with.
START_WORD = "start"


class PositionQuery(NamedTuple):
    """What is asked of each position."""

    played: str
    legal: bool
    hodges: bool
    why: str | None
    svg: bool
    output: str | None
    turned: bool
    plain: bool


@click.command("position")
@game_options
@click.argument("text", metavar="[POSITION]", default=START_WORD)
@click.option("--moves", "played", default="", help="Moves to make first: 'SO-6f SO-4d'.")
@click.option("--legal", is_flag=True, help="List the legal moves, one a line.")
@click.option("--hodges", is_flag=True, help="List them in Hodges notation: SO-6f, T*5e.")
@click.option("--why", metavar="MOVE", help="Say why a move is illegal.")
@click.option("--svg", is_flag=True, help="Print the board as SVG.")
@click.option("-o", "--output", metavar="OUT", help="Draw the board into a file: .svg, .png, .txt.")
@click.option(
    "--turned", is_flag=True, help="Show the board from the second player's side, in text."
)
@plain_option
@json_option()
def position_command(*, name: str, text: str, moves: dict[str, str], **options: object) -> int:
    """Show a position: board, hands, side to move, legal moves.

    POSITION is "start", a FEN or SFEN (`alfil docs games`), a file with one position a line,
    or - for standard input.

    The exit code is 0; 1 for a position or move that cannot be read or is illegal; 2 for an unknown
    set, piece or file.
    """
    question = PositionQuery(**options)  # type: ignore[arg-type] # click gives each option its own type
    if is_stdin_or_text_file(text) and question.output:
        raise click.UsageError("-o is for one position, not for many lines")
    library = load_playable_library(name, moves)

    def shown(line: InputLine) -> int:
        try:
            return _answer_position(game_at(library, line.text, question.played), question)
        except AlfilError as error:
            if line.number and error.source.text == line.text:
                error.source = Source(line.text, line.name)
            raise

    return for_each_line(input_lines(text, "<position>"), shown, EXIT_DIAGNOSTICS)


def _answer_position(game: Game, question: PositionQuery) -> int:
    """Answer what is asked of one position; the exit code."""
    if question.output:
        game.picture().save(question.output)
        print_file_names_if_json_asked([question.output])
    elif question.svg:
        print_or_write(game.picture().svg(), None)
    elif question.why is not None:
        return _print_why_illegal(game, question.why)
    elif is_json_asked():
        print_line(as_json(position_data(game)))
    elif question.legal or question.hodges:
        for text in _legal_move_texts(game, "hodges" if question.hodges else "usi"):
            print_line(text)
    else:
        title = game.variant.title
        print_line(board_block(game, plain=question.plain, turned=question.turned, title=title))
        for text in _position_in_words(game):
            print_escaped_line(text)
    return 0


def _legal_move_texts(game: Game, form: str) -> Iterator[str]:
    return (write_move(game, move, form) for move in game.legal_moves)


def _print_why_illegal(game: Game, move: str) -> int:
    """Why a move is illegal; the exit code."""
    result = game.why_illegal(move)
    kind, words = result or (None, None)
    data = {"move": move, "legal": result is None, "kind": kind, "message": words}
    print_answer(lambda: data, [f"{move} is illegal: {words} [{kind}]" if result else "legal"])
    return EXIT_DIAGNOSTICS if result else 0


def _position_in_words(game: Game) -> Iterator[str]:
    """What there is to say of a position besides what is on the board."""
    yield f"position: {game.position_text()}"
    outcome = game.outcome()
    if outcome:
        yield f"the game is over: {ending_text(outcome)}"
    else:
        check = f"{SIDE_COLOURS[game.turn]} is in check; " if game.is_check() else ""
        count = len(game.legal_moves)
        yield f"{check}{count} legal {plural('move', count)}"
    if game.flags:
        yield f"odd: {' '.join(sorted(game.flags))}"


def outcome_data(game: Game) -> dict[str, object] | None:
    """How a game ended as data, or None."""
    outcome = game.outcome()
    return asdict(outcome) if outcome else None


def position_data(game: Game) -> dict[str, object]:
    """A position as data, with its legal moves."""
    sides = game.variant.rules.side_letters
    usi, hodges = list(_legal_move_texts(game, "usi")), list(_legal_move_texts(game, "hodges"))
    return {
        "game": game.variant.name,
        "position": game.position_text(),
        "side": game.turn,
        "pieces": {
            game.square_name(square): {"code": code, "side": sides[side]}
            for square, (code, side) in game.pieces.items()
        },
        "hands": {sides[side]: hand for side, hand in enumerate(game.hands)},
        "check": game.is_check(),
        "flags": sorted(game.flags),
        "outcome": outcome_data(game),
        "legal": [
            {"usi": text, "hodges": hodges_text}
            for text, hodges_text in zip(usi, hodges, strict=True)
        ],
    }


def load_playable_library(name: str, moves: Mapping[str, str]) -> Library:
    """The library of a game that can be played, perhaps only from a position.

    Raises `AlfilError` for what is no file, set, piece or game.
    """
    library = load_library(name, moves)
    try:
        library.game()
    except AlfilError as error:
        if error.kind == "no-setup":
            return library  # it may be played from a position
        problem = _most_relevant_error(error, library)
        if problem.kind == "no-board":  # what else is missing does not matter then
            problem.diagnostics = problem.diagnostics[:1]
        raise problem from None
    return library


def _most_relevant_error(error: AlfilError, library: Library) -> AlfilError:
    """A list of pieces lacks a set-up before it lacks letters."""
    if error.kind == "no-letter":
        try:
            library.require_starting_position()
        except AlfilError as lack:
            return lack
    return error


def game_at(library: Library, position: str, moves: str = "") -> Game:
    """The game at a position, "start" or its text, after moves with blanks in between.

    Raises `PositionError`, `NotationError` and `IllegalMove`.
    """
    game = library.game(None if position == START_WORD else position)
    for move in moves.split():
        game.push(move)
    return game


def board_block(
    game: Game,
    *,
    plain: bool = False,
    targets: Collection[Square] = (),
    chosen: Square | None = None,
    turned: bool = False,
    title: str = "",
) -> str:
    """The board with hands and the last move; in colour where the terminal is."""
    plain = plain or not is_unicode_allowed()
    board = game.picture().subject
    assert isinstance(board, Board)
    text = board_text(
        replace(board, title=title),
        times="*" if plain else "×",
        targets=targets,
        chosen=chosen,
        turned=turned,
        paint=colour_by_role if is_colour_allowed() else None,
    )
    return to_ascii(text) if plain else text


def ending_text(outcome: Outcome) -> str:
    """How a game ended, in words.

    >>> from alfil.play.outcomes import Outcome
    >>> ending_text(Outcome("b", "illegal-move", "file")), ending_text(Outcome(None, "repetition"))
    ('black wins by illegal move (file)', 'draw by repetition')
    """
    how = f"{SIDE_COLOURS[outcome.winner]} wins" if outcome.winner else "draw"
    if outcome.reason == "unstated":
        return f"{how}, no reason is given"
    detail = f" ({outcome.detail})" if outcome.detail else ""
    return f"{how} by {outcome.reason.replace('-', ' ')}{detail}"
