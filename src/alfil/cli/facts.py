"""`alfil facts` and `alfil tablebase`: what is known of a piece, and of endings of few men."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from alfil.api import AnyPiece, Piece, draw
from alfil.atomic_files import ResumableLineFile
from alfil.cli.input_output import (
    InputLine,
    Progress,
    as_json,
    for_each_notation,
    print_answer,
    print_line,
)
from alfil.cli.options import (
    NotationSettings,
    completion_function,
    game_options,
    json_option,
    reading_options,
    size_option,
)
from alfil.cli.position import load_playable_library
from alfil.cli.result_file import read_results
from alfil.cli.workers import WorkerOptions, map_bundles, workers_option
from alfil.errors import AlfilError
from alfil.play.game import Game
from alfil.play.tablebase import Tablebase
from alfil.source import align_columns
from alfil.workbench.fact_table import USUAL_BOARD, boards_with_facts, is_mating_power_solved_on
from alfil.workbench.fact_texts import labelled_facts
from alfil.workbench.piece_facts import Facts, facts

if TYPE_CHECKING:
    from alfil.library.library import LibraryPiece

# The boards on which the facts of all pieces are told.
BOARDS = ((8, 8), (9, 9), (10, 8), (10, 10))


@click.command("facts")
@click.argument(
    "text", metavar="[NOTATION]", required=False, shell_complete=completion_function("pieces")
)
@reading_options
@size_option
@click.option("--html", is_flag=True, help="Write a web page, with the diagram of the piece.")
@click.option("--all", "every", is_flag=True, help="Tell those of all included pieces, with -o.")
@click.option("-o", "--output", metavar="FILE", help="With --all, the file: one JSON value a line.")
@workers_option
def facts_command(
    *,
    text: str | None,
    settings: NotationSettings,
    size: tuple[int, int] | None,
    html: bool,
    every: bool,
    output: str | None,
    workers: WorkerOptions,
) -> int:
    """Tell what a piece is worth: mobility, forks, checks, mating power.

    docs/facts.md defines each figure. King and piece against a lone king is solved exactly, on the
    board of --board, 8x8 unless given.

    With --all, FILE gets the facts of all included pieces on boards of 8x8, 9x9, 10x8 and 10x10,
    and on those of their games; or on that of --board. Boards of more than 100 squares are not
    solved then. What is in FILE already, as after an interrupted run, is left as it is.
    """
    if every != bool(output) or every == (text is not None):
        raise click.UsageError("write a notation, or --all with -o FILE")
    if output:
        return _append_facts_of_all_pieces(Path(output), size, workers)

    def act(piece: Piece, line: InputLine) -> None:
        known: AnyPiece = line.library_piece.entry if line.library_piece else piece
        found = facts(known, size or USUAL_BOARD)
        name = line.library_piece.entry.name if line.library_piece else piece.text
        if html:
            print_line(facts_page(found, name, draw(known).svg()))
        else:
            print_answer(found.to_json, facts_lines(found))

    return for_each_notation(text or "", settings, act)


def facts_lines(piece_facts: Facts) -> Iterator[str]:
    """The facts as lines of text."""
    yield f"{piece_facts.piece} on {piece_facts.files}x{piece_facts.ranks}"
    yield ""
    yield from align_columns([*labelled_facts(piece_facts)])
    for remark in piece_facts.remarks:
        yield f"note: {remark}"


def facts_page(piece_facts: Facts, name: str, picture: str) -> str:
    """The facts as a web page that needs nothing else."""
    from alfil.diagrams.html_page import escaped  # noqa: PLC0415 - few want a page

    rows = "\n".join(
        f"<tr><th scope=row>{escaped(label)}<td>{escaped(words)}"
        for label, words in labelled_facts(piece_facts)
    )
    notes = "".join(f"<p>{escaped(each)}</p>\n" for each in piece_facts.remarks)
    title = f"{name} on {piece_facts.files}×{piece_facts.ranks}"
    style = "body{font:1rem/1.5 system-ui;margin:2rem auto;max-width:50rem;padding:0 1rem}"
    style += "th{text-align:left;vertical-align:top;padding-right:1rem}td{overflow-wrap:anywhere}"
    return (
        f"<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
        f"<meta name=viewport content='width=device-width'>\n<title>{escaped(title)}</title>\n"
        f"<style>{style}</style>\n<h1>{escaped(title)}</h1>\n{picture}\n"
        f"<table>\n{rows}\n</table>\n{notes}"
    )


def _append_facts_of_all_pieces(
    path: Path, size: tuple[int, int] | None, workers: WorkerOptions
) -> int:
    """Append the facts of all included pieces that a file does not have yet."""
    results = ResumableLineFile(path)
    done = {*read_results(path, results.lines, lambda row: (row["id"], row["files"], row["ranks"]))}
    every = _facts_tasks(size)
    tasks = [
        (piece, board)
        for piece, board in every
        if (_library_piece(piece).qualified_code, *board) not in done
    ]
    with Progress("pieces", len(every)) as progress:
        for number, row in enumerate(map_bundles(_facts_row, None, tasks, workers), 1):
            results.append([as_json(row)])
            progress.show(len(every) - len(tasks) + number)
    print_answer(lambda: {"files": [str(path)]}, [str(path)])
    return 0


class BundledPieceKey(NamedTuple):
    """An included piece, as every process can find it: its set, and which one it is there."""

    name: str
    number: int


def _facts_tasks(size: tuple[int, int] | None) -> list[tuple[BundledPieceKey, tuple[int, int]]]:
    """All included pieces, on one board, or on each of some and that of their game."""
    from alfil.library.library import bundled_set_names_by_preference, library_by_name  # noqa: PLC0415 - only --all needs them

    libraries = [*map(library_by_name, bundled_set_names_by_preference())]
    boards = {(each.name, board): None for each in libraries for board in boards_with_facts(each)}
    boards |= {(each.name, board): None for board in BOARDS for each in libraries}
    if size:
        boards = {(each.name, size): None for each in libraries}
    return [
        (BundledPieceKey(name, number), board)
        for name, board in boards
        for number in range(len(library_by_name(name).pieces))
    ]


def _library_piece(piece: BundledPieceKey) -> LibraryPiece:
    from alfil.library.library import LibraryPiece, library_by_name  # noqa: PLC0415 - only --all needs them

    library = library_by_name(piece.name)
    return LibraryPiece(library, library.pieces[piece.number])


def _facts_row(_: None, task: tuple[BundledPieceKey, tuple[int, int]]) -> dict[str, object]:
    """A row of the file."""
    piece, board = _library_piece(task[0]), task[1]
    return {"id": piece.qualified_code, **_facts_data(piece, board)}


def _facts_data(piece: LibraryPiece, board: tuple[int, int]) -> dict[str, object]:
    """The facts of a piece of a set; only the error where it has none."""
    try:
        return facts(
            piece.entry, board, mating=is_mating_power_solved_on(board), limited=False
        ).to_json()
    except AlfilError as error:
        files, ranks = board
        return {"files": files, "ranks": ranks, "error": error.first_error.message}


@click.command("tablebase")
@game_options
@click.argument("endings", metavar="ENDING_OR_TABLE...", nargs=-1, required=True)
@click.option("--position", metavar="FEN", help="Look a position up, and print best play.")
@click.option("--memory", type=click.IntRange(1), default=2000, help="The most megabytes to use.")
@click.option("-o", "--output", metavar="FILE", help="Save the endings into a file.")
@json_option()
def tablebase_command(
    *,
    name: str,
    endings: tuple[str, ...],
    moves: dict[str, str],
    position: str | None,
    memory: int,
    output: str | None,
) -> int:
    """Solve endings of few men, save them, and look positions up.

    ENDING are the men of both sides, four at most, such as KQK or KQKR, the first player's first;
    write a v before the second player's if these do not begin with the same letter. Endings that
    they lead to are solved too. TABLE is a file that -o wrote.
    """
    variant = load_playable_library(name, moves).variant
    if len(endings) == 1 and Path(endings[0]).is_file():
        table = Tablebase.open(endings[0], variant)
    else:
        with Progress("positions") as progress:
            table = Tablebase.make(variant, endings, progress.show, memory)
    if output:
        table.save(output)
    if position is not None:
        return _print_probe(table, position)
    rows = [row for each in table.names for row in _tally_rows(table, each)]
    head = ("ending", "to move", "positions", "won", "drawn", "lost", "longest win", "longest loss")
    print_answer(
        lambda: {each: [t._asdict() for t in table.tally(each)] for each in table.names},
        align_columns([head, *rows]),
    )
    return 0


def _tally_rows(table: Tablebase, name: str) -> Iterator[tuple[str, ...]]:
    for side, tally in zip(("first", "second"), table.tally(name), strict=True):
        counts = (tally.positions, sum(tally.won.values()), tally.drawn, sum(tally.lost.values()))
        longest = (max(each) if each else "-" for each in (tally.won, tally.lost))
        yield (name, side, *map(str, counts), *map(str, longest))


def _print_probe(table: Tablebase, position: str) -> int:
    game = Game(table.variant, position)
    probe = table.probe(game)
    line = [str(move) for move in table.line(game)] if probe and probe.plies else []
    data = {"result": probe.result, "plies": probe.plies, "line": line} if probe else None
    words = (
        [f"{probe.result} in {probe.plies} plies" if probe.plies else probe.result] if probe else []
    )
    print_answer(lambda: data, [*words, *([" ".join(line)] if line else [])] or ["not known"])
    return 0 if probe else 1
