"""`alfil values`: what the pieces of a game are worth, from games of the engine against itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from alfil import __version__
from alfil.atomic_files import save_files
from alfil.cli.input_output import Progress, print_answer
from alfil.cli.options import game_options, json_option, raise_first_usage_error
from alfil.cli.position import load_playable_library
from alfil.cli.result_file import Name, ResultFile, game_name_and_digests
from alfil.cli.workers import WorkerOptions, map_bundles, workers_option
from alfil.errors import AlfilError, plural, reject
from alfil.game.compiled_variant import compile_variant
from alfil.library.file_locations import PIECE_FILE_SUFFIX, FileLocation, find_file, read_file
from alfil.library.write_values import text_with_piece_values
from alfil.play.self_play import PlayedGames, Spread
from alfil.play.square_values import SquareValues, mean_square_values, read_square_values
from alfil.source import Source, align_columns
from alfil.workbench.learn_square_values import GAMES as LEARNING_GAMES
from alfil.workbench.learn_square_values import LearnedValues, learn_square_values
from alfil.workbench.measure_piece_values import (
    ERROR,
    GAMES,
    SECONDS,
    GameBundle,
    GameValues,
    PieceValue,
    values,
)
from alfil.workbench.regression_columns import PieceColumns

if TYPE_CHECKING:
    from alfil.library.library import Library

# A value is written into a file where it is at least so many times its error.
MIN_VALUE_TO_ERROR = 2


@click.command("values")
@game_options
@click.option("--games", type=click.IntRange(1, GAMES), help="Play at most this number of games.")
@click.option(
    "--seconds",
    type=click.FloatRange(0, min_open=True),
    help=f"Play at most so long; {SECONDS:g} without --games.",
)
@click.option(
    "--error",
    type=click.FloatRange(0, 100),
    default=ERROR,
    show_default=True,
    help="End when all standard errors are at most so many per cent.",
)
@click.option("--seed", type=int, default=0, help="Another number gives other games.")
@click.option("--write", "path", metavar="FILE", help="Put the values into this piece file.")
@click.option(
    "--squares", "table", metavar="FILE", help="Learn values by square, and save them in this file."
)
@click.option(
    "--mean",
    "learned",
    metavar="FILE",
    multiple=True,
    help="With --squares: save the mean of such files, without a game.",
)
@click.option(
    "--resume", "journal", metavar="FILE", help="Keep all games in FILE, and continue from it."
)
@workers_option
@json_option()
def values_command(  # noqa: PLR0913 - one for each option
    *,
    name: str,
    moves: dict[str, str],
    games: int | None,
    seconds: float | None,
    error: float,
    seed: int,
    path: str | None,
    table: str | None,
    learned: tuple[str, ...],
    journal: str | None,
    workers: WorkerOptions,
) -> int:
    """Measure what the pieces of a game are worth.

    The engine plays against itself, from starting positions without some of the pieces. The piece
    that there are most of is worth 1; standard errors are beside the values. `alfil docs values`
    tells the rest. The same seed and number of games give the same values, for any number of jobs.

    With --write, the lines of the pieces in FILE get value=, and hand-value= where pieces are held;
    a file that does not exist becomes a copy of SET_OR_FILE. The opponent plays by these values.

    With --squares, the engine plays as the opponent does, and learns what pieces are worth on each
    square, in hand, and with much or little material left, for `alfil play --squares FILE`.
    With --mean, given once for each file, it takes the mean of values that were learned before.

    With --resume, games are written down as they end, and the same command continues after an
    interruption; without --squares it may ask for more games.
    """
    # NaN is on neither side of a range.
    raise_first_usage_error(
        (isnan(seconds or 0.0), "--seconds: 'nan' is no number"),
        (isnan(error), "--error: 'nan' is no number"),
    )
    game = load_playable_library(name, moves)
    if learned:
        raise_first_usage_error(
            (not table, "--mean goes with --squares"),
            (path or seconds or games or journal, "--mean plays no games: leave other options out"),
        )
        return _save_mean_square_values(game, name, str(table), learned)
    if table:
        raise_first_usage_error(
            (path or seconds, "--squares goes with --games, not with --write or --seconds")
        )
        games = games or LEARNING_GAMES
        # Of how many games there are depends which ones teach the others.
        asked = {"squares": seed, "games": games}
        spread = _bundle_map_function(PlayedGames, game, asked, journal, workers)
        return _learn_square_values(game, name, table, games, seed, spread)
    if path and not path.endswith(PIECE_FILE_SUFFIX):
        raise click.UsageError(
            f"{path} is no piece file: its name would end in {PIECE_FILE_SUFFIX}"
        )
    location = _piece_file_to_update(path, name, game) if path else None
    with Progress("games", games) as progress:
        found = values(
            game,
            games=games or GAMES,
            seconds=seconds if seconds or games else SECONDS,
            error=error,
            seed=seed,
            progress=progress.show,
            spread=_bundle_map_function(GameBundle, game, {"values": seed}, journal, workers),
        )
    if path and location:
        _write_certain_values(path, location, found)
    print_answer(found.to_json, _value_lines(found, game.heading))
    return 0


def _bundle_map_function(
    answer_type: type[GameBundle | PlayedGames],
    game: Library,
    asked: dict[str, int],
    journal: str | None,
    workers: WorkerOptions,
) -> Spread[Any, Any]:
    """Who plays games; those of ``journal`` are not played again."""
    if not journal:
        return partial(map_bundles, workers=workers)
    head = {**asked, **game_name_and_digests(game.variant)}
    kept: ResultFile[Any] = ResultFile(
        Path(journal), head, answer_type.to_plain, answer_type.from_plain
    )

    def spread(
        play: Callable[[Any, range], Any],
        task: Any,  # noqa: ANN401 - as `Spread` has it
        numbers: Iterable[range],
    ) -> Iterator[Any]:
        bundles: dict[Name, range] = {f"{each.start}-{each.stop}": each for each in numbers}
        return kept.map_bundles(play, task, bundles, workers)

    return spread


def _learn_square_values(
    game: Library, name: str, table: str, games: int, seed: int, spread: Spread[Any, PlayedGames]
) -> int:
    """Learn values by square, and save them."""
    with Progress("games", games) as progress:
        learned = learn_square_values(
            game, games=games, seed=seed, progress=progress.show, spread=spread
        )
    command = f"alfil values {name} --squares {Path(table).name} --games {games} --seed {seed}"
    _save_square_values(game, table, learned.values, command)
    print_answer(learned.to_json, _training_report_lines(learned, table))
    return 0


def _save_mean_square_values(game: Library, name: str, table: str, learned: Sequence[str]) -> int:
    """Save the mean of values by square of some files."""
    values = mean_square_values(
        [read_square_values(read_file(each), game.variant) for each in learned]
    )
    command = f"alfil values {name} --squares {Path(table).name}"
    command += "".join(f" --mean {Path(each).name}" for each in learned)
    _save_square_values(game, table, values, command)
    count = len(learned)
    line = f"{table}: values by square, the mean of {count} {plural('file', count)}"
    print_answer(lambda: {"files": count}, [line])
    return 0


def _save_square_values(game: Library, table: str, values: SquareValues, command: str) -> None:
    """Save values by square, with what made them."""
    comments = (
        f"{game.heading}: what pieces are worth by square, in hundredths of a move",
        f"made by alfil {__version__}: {command}",
    )
    folded = PieceColumns(compile_variant(game.variant)).folded
    text = values.text(game.variant.files, folded=folded, comments=comments)
    save_files({table: text.encode()})


def _training_report_lines(learned: LearnedValues, table: str) -> Iterator[str]:
    """What was learned, as lines of text."""
    source = f"{learned.positions:,} positions of {learned.games:,} games"
    yield f"{table}: values by square, from {source}"
    left = f"{learned.left:.4f}, without learning {learned.left_before:.4f}"
    yield f"mean square of what is left of the results of games held out: {left}"
    yield f"seed {learned.seed}, {learned.cpu_seconds:,.0f} CPU seconds"


def _piece_file_to_update(path: str, name: str, game: Library) -> FileLocation:
    """The file that values are put into, or the game that it will be a copy of.

    Raises `AlfilError` where a piece has no line in it.
    """
    location = find_file(path if Path(path).exists() else name)
    codes = [each.code for each in game.variant.kinds if not each.royal]
    _, missing = text_with_piece_values(location, dict.fromkeys(codes, (1.0, None)))
    if missing:
        message = f"{path} has no line for {', '.join(missing)}"
        hint = "give the file that has the lines of these pieces"
        reject(AlfilError, "no-values", message, Source(path, "<file>"), hint=hint)
    return location


def _write_certain_values(path: str, location: FileLocation, game_values: GameValues) -> None:
    """Put the values that are certain into a piece file."""
    measured = {
        each.code: (
            each.value,
            each.hand_value if _is_certain(each.hand_value, each.hand_error) else None,
        )
        for each in game_values.pieces
        if each.value is not None and _is_certain(each.value, each.error)
    }
    if not measured:
        games = "1 game is" if game_values.games == 1 else f"{game_values.games:,} games are"
        message = f"{games} too few to tell what a piece is worth"
        reject(AlfilError, "no-values", message, Source(path, "<file>"), hint="play more games")
    text, _ = text_with_piece_values(location, measured)
    save_files({path: text.encode()})


def _is_certain(value: float | None, error: float | None) -> bool:
    """Whether a value is more than chance could make of none."""
    return value is not None and abs(value) >= MIN_VALUE_TO_ERROR * (error or 0)


def _value_lines(game_values: GameValues, title: str) -> Iterator[str]:
    """The values as lines of text."""
    yield (
        f"{title}: {game_values.unit} is worth 1"
        if game_values.unit
        else f"{title}: no value is certain yet"
    )
    yield ""
    yield from align_columns([*map(_value_row, game_values.pieces)])
    yield ""
    share = f"{game_values.decided:,} of {game_values.games:,} games had a winner"
    yield f"{share}; seed {game_values.seed}, {game_values.cpu_seconds:,.0f} CPU seconds"
    if not game_values.converged:
        yield f"note: some standard errors are above {game_values.limit:g}%; play more games"


def _value_row(piece: PieceValue) -> tuple[str, ...]:
    value = _value_with_error(piece.value, piece.error) or "needs more games"
    hand = _value_with_error(piece.hand_value, piece.hand_error)
    return piece.code, piece.name, value, f"in hand {hand}" if hand else ""


def _value_with_error(value: float | None, error: float | None) -> str:
    if value is None:
        return ""
    return f"{value:.2f} ± {error:.2f}" if error else f"{value:.2f}"
