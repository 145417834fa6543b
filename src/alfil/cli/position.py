"""`alfil position` and `alfil perft`: where a game stands, its legal moves, how many follow."""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, replace
from functools import lru_cache, partial
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import click

from alfil.cli.input_output import (
    EXIT_FOUND,
    Line,
    Progress,
    as_json,
    for_each_line,
    has_lines,
    lines_of,
    load_library,
    print_answer,
    print_files,
    print_for_terminal,
    print_line,
    print_or_write,
)
from alfil.cli.options import (
    coloured,
    completed,
    is_colour_allowed,
    is_json_asked,
    is_unicode_allowed,
    json_option,
    moves_option,
    plain_option,
    reading_option,
)
from alfil.cli.workers import IN_THIS_PROCESS, Workers, map_bundles, workers_option
from alfil.diagrams.diagram_model import Board
from alfil.diagrams.text import board_text, in_ascii
from alfil.errors import AlfilError
from alfil.play.game import Game
from alfil.play.outcome import SIDE_COLOURS
from alfil.play.records.move_notations import write_move
from alfil.source import Source

if TYPE_CHECKING:
    from alfil.library.library import Library
    from alfil.play.outcome import Outcome
    from alfil.squares import Square

# What stands for the position that a game begins with.
START = "start"


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


@click.command("position")
@click.argument("name", metavar="SET_OR_FILE", shell_complete=completed("games"))
@click.argument("text", metavar="[POSITION]", default=START)
@moves_option
@reading_option
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
    question = Question(**options)  # type: ignore[arg-type] # click gives each option its own type
    if has_lines(text) and question.output:
        raise click.UsageError("-o is for one position, not for many lines")
    library = game_file(name, moves)

    def shown(line: Line) -> int:
        try:
            return _answer_position(game_at(library, line.text, question.played), question)
        except AlfilError as error:
            if line.number and error.source.text == line.text:
                error.source = Source(line.text, line.name)
            raise

    return for_each_line(lines_of(text, "<position>"), shown, EXIT_FOUND)


def _answer_position(game: Game, question: Question) -> int:
    """Answer what is asked of one position; the exit code."""
    if question.output:
        game.picture().save(question.output)
        print_files([question.output])
    elif question.svg:
        print_or_write(game.picture().svg(), None)
    elif question.why is not None:
        return _explain_move(game, question.why)
    elif is_json_asked():
        print_line(as_json(position_data(game)))
    elif question.legal or question.hodges:
        for text in _legal_move_texts(game, "hodges" if question.hodges else "usi"):
            print_line(text)
    else:
        title = game.variant.title
        print_line(board_block(game, plain=question.plain, turned=question.turned, title=title))
        for text in _position_in_words(game):
            print_for_terminal(text)
    return 0


def _legal_move_texts(game: Game, form: str) -> Iterator[str]:
    return (write_move(game, move, form) for move in game.legal_moves)


def _explain_move(game: Game, move: str) -> int:
    """Why a move is illegal; the exit code."""
    result = game.why_illegal(move)
    kind, words = result or (None, None)
    data = {"move": move, "legal": result is None, "kind": kind, "message": words}
    print_answer(lambda: data, [f"{move} is illegal: {words} [{kind}]" if result else "legal"])
    return EXIT_FOUND if result else 0


def _position_in_words(game: Game) -> Iterator[str]:
    """What there is to say of a position besides what is on the board."""
    yield f"position: {game.position_text()}"
    outcome = game.outcome()
    if outcome:
        yield f"the game is over: {ending(outcome)}"
    else:
        check = f"{SIDE_COLOURS[game.turn]} is in check; " if game.is_check() else ""
        count = len(game.legal_moves)
        yield f"{check}{count} legal move{'' if count == 1 else 's'}"
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


def game_file(name: str, moves: Mapping[str, str]) -> Library:
    """The library of a game that can be played, perhaps only from a position.

    Raises `AlfilError` for what is no file, set, piece or game.
    """
    library = load_library(name, moves)
    try:
        library.game()
    except AlfilError as error:
        if error.kind == "no-setup":
            return library  # it may be played from a position
        problem = _main_error(error, library)
        if problem.kind == "no-board":  # what else is missing does not matter then
            problem.diagnostics = problem.diagnostics[:1]
        raise problem from None
    return library


def _main_error(error: AlfilError, library: Library) -> AlfilError:
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
    game = library.game(None if position == START else position)
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
        paint=coloured if is_colour_allowed() else None,
    )
    return in_ascii(text) if plain else text


def ending(outcome: Outcome) -> str:
    """How a game ended, in words.

    >>> from alfil.play.outcome import Outcome
    >>> ending(Outcome("b", "illegal-move", "file")), ending(Outcome(None, "repetition"))
    ('black wins by illegal move (file)', 'draw by repetition')
    """
    how = f"{SIDE_COLOURS[outcome.winner]} wins" if outcome.winner else "draw"
    if outcome.reason == "unstated":
        return f"{how}, no reason is given"
    detail = f" ({outcome.detail})" if outcome.detail else ""
    return f"{how} by {outcome.reason.replace('-', ' ')}{detail}"


# Work is shared in about so many parts.
PARTS = 2000


class Task(NamedTuple):
    """The position whose moves are counted, as every process can make it.

    The variant is pickled, once for all parts.
    """

    variant: bytes
    position: str
    depth: int


class Opening(NamedTuple):
    """A first move and some answers to it; without one, first moves."""

    first: str | None
    moves: tuple[str, ...]


@click.command("perft")
@click.argument("name", metavar="SET_OR_FILE", shell_complete=completed("games"))
@moves_option
@reading_option
@click.option(
    "-d", "--depth", type=click.IntRange(0, 20), required=True, help="The length in plies."
)
@workers_option
@click.option(
    "--hash",
    "memory",
    type=click.IntRange(0, 2**20),
    default=0,
    metavar="MB",
    help="Megabytes for a hash table of counts.",
)
@click.option("--divide", is_flag=True, help="Count for each first move.")
@click.option("--position", default=START, help="The position to begin with.")
@click.option("--moves", "played", default="", help="Moves to make first: 'SO-6f SO-4d'.")
@json_option()
def perft_command(  # noqa: PLR0913 - one for each option
    *,
    name: str,
    moves: dict[str, str],
    depth: int,
    workers: Workers,
    memory: int,
    divide: bool,
    position: str,
    played: str,
) -> int:
    """Count legal move sequences of a given length.

    A sequence ends where there is no legal move or a royal is captured; repetition and other ends
    of games are ignored. The time is printed on standard error.

    With -j, several threads count. --scheduler needs a Dask cluster whose workers have alfil.

    The exit code is 0; 1 for a position or move that cannot be read or is illegal; 2 for an unknown
    set, piece or file.
    """
    game = game_at(game_file(name, moves), position, played)
    begun = monotonic()
    with Progress("parts") as progress:
        counts = _count_all(game, depth, workers, memory, progress)
    nodes = sum(counts.values()) if depth else 1
    divide_data = {"divide": counts} if divide else {}
    lines = [*(f"{move}: {count}" for move, count in counts.items()), ""] if divide else []
    print_answer(lambda: {"depth": depth, "nodes": nodes, **divide_data}, [*lines, str(nodes)])
    if is_json_asked():
        return 0
    taken = monotonic() - begun
    rate = f", {nodes / taken:,.0f} a second" if taken else ""
    print_line(f"{nodes:,} counted in {taken:.2f} s{rate}", err=True)
    return 0


@lru_cache(maxsize=8)
def _game(task: Task) -> Game:
    """The game at the position; made once in each process."""
    variant = pickle.loads(task.variant)
    return Game(variant, None if task.position == START else task.position)


def _count_opening(task: Task, opening: Opening) -> dict[str, int]:
    """What an opening adds to the counts of first moves."""
    game = _game(task)
    if opening.first is None:
        return game.divide(task.depth, opening.moves)
    after = game.copy()
    after.push(opening.first)
    counts = after.divide(task.depth - 1, opening.moves)
    return {opening.first: sum(counts.values())}


def _count_all(
    game: Game, depth: int, workers: Workers, memory: int, progress: Progress
) -> dict[str, int]:
    """The count for each first move, in their order, however the work is shared."""
    if not depth:
        return {}
    if not workers.scheduler:
        divide = partial(game.divide, jobs=workers.jobs, memory=memory)
        return divide(depth, progress=progress.show)
    result = dict.fromkeys(game.divide(1), 0)
    task = Task(pickle.dumps(game.variant), game.position_text(), depth)
    openings = list(_split_work(game, depth, list(result)))
    shared = map_bundles(
        partial(_count_opening, task), openings, workers if depth > 1 else IN_THIS_PROCESS
    )
    for done, counts in enumerate(shared, 1):
        for move, count in counts.items():
            result[move] += count
        progress.show(done, len(openings))
    return result


def _split_work(game: Game, depth: int, moves: list[str]) -> Iterator[Opening]:
    """The work in parts: each first move with some of the answers to it."""
    size = 1 + len(moves) ** 2 // PARTS
    for move in moves:
        after = game.copy()
        if depth > 2 and game.outcome() is None:  # noqa: PLR2004 - answers are worth a part then
            after.push(move)
        if after.moves == game.moves or after.outcome() is not None:
            yield Opening(None, (move,))
            continue
        replies = [str(each) for each in after.legal_moves]
        for at in range(0, len(replies), size):
            yield Opening(move, tuple(replies[at : at + size]))
