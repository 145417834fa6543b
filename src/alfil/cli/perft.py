"""`alfil perft`: sequences of legal moves counted, on as many processors as asked for."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from functools import cache, partial
from signal import SIG_DFL, SIGINT, signal
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

import click

from alfil.cli.inputs import FOUND, Progress, as_json, say, tell
from alfil.cli.options import Settings, replacing
from alfil.cli.position import START, game_at, game_file
from alfil.errors import AlfilError
from alfil.library.library import load

if TYPE_CHECKING:
    from alfil.play.game import Game

# A process gets the first moves in so many portions, so that all end at about the same time.
BUNDLES = 8


class Task(NamedTuple):
    """The position whose moves are counted, as every process can make it."""

    name: str
    moves: tuple[tuple[str, str], ...]
    position: str
    played: str
    depth: int


@click.command("perft")
@click.argument("name", metavar="SET_OR_FILE")
@replacing
@click.option("-d", "--depth", type=click.IntRange(0, 20), required=True, help="Moves a sequence.")
@click.option("-j", "jobs", type=click.IntRange(1, 64), default=1, help="Processes.")
@click.option("--divide", is_flag=True, help="Count for each first move.")
@click.option("--position", default=START, help="Begin here; 'start' unless given.")
@click.option("--moves", "played", default="", help="Moves to make first: 'SO-6f SO-4d'.")
@click.option("--json", is_flag=True, help="Answer as JSON, errors too.")
def command(  # noqa: PLR0913 - one for each option
    *,
    name: str,
    moves: dict[str, str],
    depth: int,
    jobs: int,
    divide: bool,
    position: str,
    played: str,
    json: bool,
) -> int:
    """Count the sequences of so many legal moves; for comparing rules with other programs.

    A sequence stops where there is no move, or where a royal is captured; repetition and other ends
    of games are not looked at. How long it took goes to standard error.

    The exit code is 0; 1 for a position or move that cannot be read or is not allowed; 2 for an
    unknown set, piece or file.
    """
    settings = Settings(json=json)
    game_file(name, moves, settings)
    task = Task(name, tuple(moves.items()), position, played, depth)
    try:
        game = _game(task)
    except AlfilError as error:
        tell(error.findings, error.source, settings)
        return FOUND
    begun = monotonic()
    counts = _counted(task, list(game.divide(1)), jobs) if depth else {}
    nodes = sum(counts.values()) if depth else 1
    _print(nodes, counts, task, divide=divide, json=json)
    taken = monotonic() - begun
    rate = f", {nodes / taken:,.0f} a second" if taken else ""
    say(f"{nodes:,} counted in {taken:.2f} s{rate}", err=True)
    return 0


def _print(nodes: int, counts: dict[str, int], task: Task, *, divide: bool, json: bool) -> None:
    if json:
        data: dict[str, object] = {"depth": task.depth, "nodes": nodes}
        say(as_json(data | ({"divide": counts} if divide else {})))
        return
    if divide:
        for move, count in counts.items():
            say(f"{move}: {count}")
        say("")
    say(str(nodes))


@cache
def _game(task: Task) -> Game:
    """The game at the position; made once in each process."""
    return game_at(load(task.name, dict(task.moves)), task.position, task.played)


def _count(task: Task, moves: tuple[str, ...]) -> dict[str, int]:
    return _game(task).divide(task.depth, moves)


def _counted(task: Task, moves: list[str], jobs: int) -> dict[str, int]:
    """The count for each first move, in their order, however many processes share the work."""
    size = max(1, len(moves) // (jobs * BUNDLES))
    bundles = [tuple(moves[at : at + size]) for at in range(0, len(moves), size)]
    found: dict[str, int] = {}
    progress = Progress(lambda done, _: f"{done} of {len(moves)} first moves")
    try:
        for counts in _answers(task, bundles, jobs if task.depth > 1 else 1):
            found |= counts
            progress.show(len(found))
    finally:
        progress.hide()
    return found


def _answers(task: Task, bundles: list[tuple[str, ...]], jobs: int) -> Iterator[dict[str, int]]:
    count = partial(_count, task)
    if jobs == 1:
        yield from map(count, bundles)
        return
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 - few need it

    with ProcessPoolExecutor(jobs, initializer=signal, initargs=(SIGINT, SIG_DFL)) as pool:
        try:
            yield from pool.map(count, bundles)
        except BaseException:
            # Counting may have hours to go.
            for process in multiprocessing.active_children():
                process.terminate()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
