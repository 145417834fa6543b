"""`alfil selfplay`: many games played by chance or by the computer, kept as records and results."""

from __future__ import annotations

import pickle
from collections import Counter
from pathlib import Path
from random import Random
from time import thread_time
from typing import TYPE_CHECKING, NamedTuple

import click

from alfil.atomic_files import ResumableLineFile, reject_write, save_files
from alfil.cli.input_output import Progress, print_answer
from alfil.cli.options import game_options, json_option
from alfil.cli.play import SIMPLE_OPPONENT
from alfil.cli.position import load_playable_library
from alfil.cli.workers import WorkerOptions, WorkPortions, map_bundles, workers_option
from alfil.play.game import unpickled_variant
from alfil.play.opponent import DEPTH, Opponent
from alfil.play.outcomes import SIDE_COLOURS
from alfil.play.records.own_format import game_digest, render
from alfil.play.session import Session

if TYPE_CHECKING:
    from alfil.game.variant import Variant

RESULTS_FILE = "results.tsv"
RESULTS_HEADER = "game\twinner\treason\tmoves\tfile"
DEFAULT_MAX_PLIES = 500


class PlayedGame(NamedTuple):
    """One game: its record, and its line among the results."""

    name: str
    record: str
    line: str


class PlayedGames(NamedTuple):
    """Some games, and the seconds that they took."""

    games: list[PlayedGame]
    seconds: float


class SelfPlayTask(NamedTuple):
    """How games are played, as every process can do it; the variant is pickled, once for all.

    ``depth`` is how far the computer looks ahead, None for moves by chance.
    """

    variant: bytes
    depth: int | None
    seed: int
    longest: int


def _parse_depth(ctx: click.Context, param: click.Parameter, value: str) -> int | None:
    result = SIMPLE_OPPONENT.fullmatch(value)
    if not result and value != "random":
        raise click.BadParameter(f"{value} is not random, simple or simple:DEPTH", ctx, param)
    return int(result[1] or DEPTH) if result else None


@click.command("selfplay")
@game_options
@click.option("--games", type=click.IntRange(1, 10**6), required=True, help="The number of games.")
@click.option(
    "--opponent",
    "depth",
    metavar="WHO",
    callback=_parse_depth,
    default="random",
    help="Who plays both sides: random, or simple[:DEPTH].",
)
@click.option("--seed", type=int, default=0, help="Another number gives other games.")
@click.option(
    "--longest",
    type=click.IntRange(1, 9999),
    default=DEFAULT_MAX_PLIES,
    show_default=True,
    help="Stop a game after this number of moves.",
)
@click.option(
    "-o", "--output", "folder", required=True, metavar="FOLDER", help="The folder to write."
)
@workers_option
@json_option()
def selfplay_command(  # noqa: PLR0913 - one for each option
    *,
    name: str,
    moves: dict[str, str],
    games: int,
    depth: int | None,
    seed: int,
    longest: int,
    folder: str,
    workers: WorkerOptions,
) -> int:
    """Play many games against itself and save records and results.

    FOLDER gets a record of each game, and results.tsv with one line for each. If it already has
    some of the games, as after an interrupted run, the others are played. The same seed gives the
    same games, for any number of jobs.
    """
    library = load_playable_library(name, moves)
    library.require_starting_position()
    task = SelfPlayTask(pickle.dumps(library.variant), depth, seed, longest)
    path = Path(folder) / RESULTS_FILE
    results = _open_results(path, _results_file_head(library.variant, task))
    portions = WorkPortions(range(len(results.lines) + 1, games + 1))
    with Progress("games", games) as progress:
        for played in map_bundles(_play_games, task, portions, workers):
            portions.add_timing(len(played.games), played.seconds)
            save_files(
                {str(path.with_name(each.name)): each.record.encode() for each in played.games}
            )
            results.append(each.line for each in played.games)
            progress.show(len(results.lines))
    _print_totals([line.split("\t") for line in results.lines[:games]])
    return 0


def _results_file_head(variant: Variant, task: SelfPlayTask) -> str:
    """What the games of a folder have in common; with other rules they would be other games."""
    who = f"simple:{task.depth}" if task.depth else "random"
    return (
        f"# alfil selfplay: {variant.name} {game_digest(variant)}, {who}, seed {task.seed},"
        f" at most {task.longest} moves"
    )


def _open_results(path: Path, title: str) -> ResumableLineFile:
    """The results that are there; a folder without any is begun.

    Raises `AlfilError` for a folder that has something else in it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() and any(path.parent.iterdir()):
            reject_write(path.parent, "there are other files in it")
    except OSError as error:
        reject_write(path, error)
    return ResumableLineFile(path, f"{title}\n{RESULTS_HEADER}")


def _print_totals(game_rows: list[list[str]]) -> None:
    """How the games went in all."""
    wins = Counter(winner for _, winner, *_ in game_rows)
    reasons = Counter(reason for _, _, reason, *_ in game_rows)
    moves = sum(int(count) for _, _, _, count, _ in game_rows)
    counted = [f"{name} {wins[side]}" for side, name in SIDE_COLOURS.items()]
    counted.append(f"drawn {wins['draw']}")
    if wins["none"]:
        counted.append(f"broken off {wins['none']}")
    words = [
        f"{len(game_rows):,} games, {moves:,} moves: {', '.join(counted)}",
        *(f"  {count:>7,}  {reason.replace('-', ' ')}" for reason, count in reasons.most_common()),
    ]
    print_answer(
        lambda: {"games": len(game_rows), "moves": moves, "winners": wins, "reasons": reasons},
        words,
    )


def _play_games(task: SelfPlayTask, numbers: range) -> PlayedGames:
    begun = thread_time()
    games = [_play_game(task, number) for number in numbers]
    return PlayedGames(games, thread_time() - begun)


def _play_game(task: SelfPlayTask, number: int) -> PlayedGame:
    """One game, which depends on nothing but its number and the task."""
    variant = unpickled_variant(task.variant)
    chance = Random(f"{task.seed} {number}")
    who = f"alfil simple:{task.depth}" if task.depth else "random"
    session = Session(variant, (who, who))
    game = session.game
    opponent = task.depth and Opponent(variant, depth=task.depth, seed=chance.getrandbits(32))
    moves = 0
    while moves < task.longest and game.outcome() is None:
        session.push(opponent.choose(game) if opponent else game.random_move(chance))
        moves += 1
    outcome = game.outcome()
    winner, reason = ("none", "broken-off")
    if outcome:
        winner, reason = outcome.winner or "draw", outcome.reason
    name = f"{number:06}.alfil"
    line = f"{number}\t{winner}\t{reason}\t{moves}\t{name}"
    return PlayedGame(name, render(session, finished=True), line)
