"""`alfil perft`: how many sequences of legal moves a position has, counted in parts."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import click

from alfil.cli.input_output import Progress, print_answer, print_line
from alfil.cli.options import game_options, is_json_asked, json_option
from alfil.cli.position import START_WORD, game_at, load_playable_library
from alfil.cli.result_file import ResultFile, game_name_and_digests
from alfil.cli.workers import WorkerOptions, map_bundles, workers_option
from alfil.play.game import Game, unpickled_variant

# What is counted in a part takes about a second; there are more parts where that makes too few.
SEQUENCES_PER_PART, FEWEST_PARTS = 5 * 10**7, 32
# From this depth on, the answers to a first move are divided among parts.
MIN_DIVIDED_DEPTH = 4


class PerftTask(NamedTuple):
    """The position whose moves are counted, as every process can make it.

    The variant is pickled.
    """

    variant: bytes
    position: str
    depth: int


class OpeningMoves(NamedTuple):
    """A first move and some answers to it; without any, all of them."""

    first: str
    answers: tuple[str, ...]


@click.command("perft")
@game_options
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
@click.option("--position", default=START_WORD, help="The position to begin with.")
@click.option("--moves", "played", default="", help="Moves to make first: 'SO-6f SO-4d'.")
@click.option(
    "--resume",
    "journal",
    metavar="FILE",
    help="With --scheduler: keep what is counted in FILE, and continue from it.",
)
@json_option()
def perft_command(  # noqa: PLR0913 - one for each option
    *,
    name: str,
    moves: dict[str, str],
    depth: int,
    workers: WorkerOptions,
    memory: int,
    divide: bool,
    position: str,
    played: str,
    journal: str | None,
) -> int:
    """Count legal move sequences of a given length.

    A sequence ends where there is no legal move or a royal is captured; repetition and other ends
    of games are ignored. The time is printed on standard error.

    With -j, several threads count. --scheduler needs a Dask cluster whose workers have alfil.

    The exit code is 0; 1 for a position or move that cannot be read or is illegal; 2 for an unknown
    set, piece or file.
    """
    if journal and not workers.scheduler:
        raise click.UsageError("--resume is for a count that is shared by --scheduler")
    game = game_at(load_playable_library(name, moves), position, played)
    begun = monotonic()
    with Progress("parts") as progress:
        if workers.scheduler and depth:
            counts = _count_by_workers(game, depth, workers, journal, progress)
        elif depth:
            counts = game.divide(depth, jobs=workers.jobs, memory=memory, progress=progress.show)
        else:
            counts = {}
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
def _game_of_task(task: PerftTask) -> Game:
    """The game at the position; made once in each process."""
    variant = unpickled_variant(task.variant)
    return Game(variant, None if task.position == START_WORD else task.position)


def _count_sequences_by_opening(task: PerftTask, part: list[OpeningMoves]) -> list[int]:
    """The sequences that begin with each opening of a part."""
    game = _game_of_task(task)
    counts = []
    for first, answers in part:
        if not answers:
            counts.append(sum(game.divide(task.depth, (first,)).values()))
            continue
        after = game.copy()
        after.push(first)
        counts.append(sum(after.divide(task.depth - 1, answers).values()))
    return counts


def _count_by_workers(
    game: Game, depth: int, workers: WorkerOptions, journal: str | None, progress: Progress
) -> dict[str, int]:
    """The count for each first move, in their order; ``journal`` has those of earlier runs."""
    result = dict.fromkeys(game.divide(1), 0)
    parts = list(_split_openings_by_work(game, depth))
    task = PerftTask(pickle.dumps(game.variant), game.position_text(), depth)
    if journal:
        asked = {
            "perft": depth,
            **game_name_and_digests(game.variant),
            "position": task.position,
            "parts": len(parts),
        }
        kept: ResultFile[list[int]] = ResultFile(Path(journal), asked)
        found = kept.map_bundles(_count_sequences_by_opening, task, dict(enumerate(parts)), workers)
    else:
        found = map_bundles(_count_sequences_by_opening, task, parts, workers)
    for done, (part, counts) in enumerate(zip(parts, found, strict=True), 1):
        for opening, count in zip(part, counts, strict=True):
            result[opening.first] += count
        progress.show(done, len(parts))
    return result


def _split_openings_by_work(game: Game, depth: int) -> Iterator[list[OpeningMoves]]:
    """All openings in parts of about the same work: as many sequences, as far as can be told.

    That is told by the moves after each opening; all openings are as long as one another.
    """
    weighed = list(_openings_with_move_counts(game, depth))
    whole = sum(weight for _, weight in weighed)
    mean = whole / len(weighed) if weighed else 0.0
    plies = depth - (2 if depth >= MIN_DIVIDED_DEPTH else 1)
    # As if there were as many moves everywhere.
    sequences = whole * mean ** (plies - 1)
    parts = max(FEWEST_PARTS, sequences / SEQUENCES_PER_PART)
    part: list[OpeningMoves] = []
    gathered = 0
    for opening, weight in weighed:
        if part and (gathered + weight / 2) * parts > whole:
            yield part
            part, gathered = [], 0
        if opening.answers and part and part[-1].first == opening.first:
            part[-1] = OpeningMoves(opening.first, part[-1].answers + opening.answers)
        else:
            part.append(opening)
        gathered += weight
    if part:
        yield part


def _openings_with_move_counts(game: Game, depth: int) -> Iterator[tuple[OpeningMoves, int]]:
    """Each opening, with the number of moves after it, but at least one.

    From `MIN_DIVIDED_DEPTH` on, that is a first move with one answer, and otherwise a first move
    alone, as where a game has ended, after which the engine counts but no move is made.
    """
    if depth < MIN_DIVIDED_DEPTH or game.outcome() is not None:
        yield from ((OpeningMoves(move, ()), max(1, n)) for move, n in game.divide(2).items())
        return
    for first in game.divide(1):
        after = game.copy()
        after.push(first)
        if after.outcome() is not None:
            yield OpeningMoves(first, ()), 1
            continue
        for answer, moves in after.divide(2).items():
            yield OpeningMoves(first, (answer,)), max(1, moves)
