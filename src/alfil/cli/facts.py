"""`alfil facts` and `alfil tablebase`: what is known of a piece, and of endings of few men."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from alfil.api import AnyPiece, Piece, draw
from alfil.cli.input_output import (
    Line,
    Progress,
    as_json,
    for_each_notation,
    print_answer,
    print_line,
)
from alfil.cli.options import (
    Settings,
    completed,
    json_option,
    moves_option,
    reading_option,
    reading_options,
    size_option,
)
from alfil.cli.position import game_file
from alfil.errors import AlfilError
from alfil.play.game import Game
from alfil.play.tablebase import Tablebase
from alfil.saving import append
from alfil.source import columns
from alfil.workbench.facts import Facts, facts

if TYPE_CHECKING:
    from alfil.library.library import LibraryPiece

# The boards on which the facts of all pieces are told.
BOARDS = ((8, 8), (9, 9), (10, 8), (10, 10))
SHOWN_MOVES = 12


@click.command("facts")
@click.argument("text", metavar="[NOTATION]", required=False, shell_complete=completed("pieces"))
@reading_options
@size_option
@click.option("--html", is_flag=True, help="Write a web page, with the diagram of the piece.")
@click.option("--all", "every", is_flag=True, help="Tell those of all included pieces, with -o.")
@click.option("-o", "--output", metavar="FILE", help="With --all, the file: one JSON value a line.")
def facts_command(
    *,
    text: str | None,
    settings: Settings,
    size: tuple[int, int] | None,
    html: bool,
    every: bool,
    output: str | None,
) -> int:
    """Tell what a piece is worth: mobility, forks, checks, mating power.

    docs/facts.md defines each figure. King and piece against a lone king is solved exactly, on the
    board of --board, 8x8 unless given.

    With --all, FILE gets the facts of all included pieces on boards of 8x8, 9x9, 10x8 and 10x10, or
    on that of --board; what is in FILE already, as after an interrupted run, is left as it is.
    """
    if every != bool(output) or every == (text is not None):
        raise click.UsageError("write a notation, or --all with -o FILE")
    if output:
        return _write_all(Path(output), [size] if size else BOARDS)

    def act(piece: Piece, line: Line) -> None:
        known: AnyPiece = line.library_piece.entry if line.library_piece else piece
        found = facts(known, size or BOARDS[0])
        name = line.library_piece.entry.name if line.library_piece else piece.text
        if html:
            print_line(facts_page(found, name, draw(known).svg()))
        else:
            print_answer(found.to_json, facts_lines(found))

    return for_each_notation(text or "", settings, act)


def facts_lines(found: Facts) -> Iterator[str]:
    """The facts as lines of text."""
    rows = [(label, words) for label, words in _rows(found) if words]
    yield f"{found.piece} on {found.files}x{found.ranks}"
    yield ""
    yield from columns(rows)
    for remark in found.remarks:
        yield f"note: {remark}"


def _rows(found: Facts) -> Iterator[tuple[str, str]]:
    """What is told, each with its label; nothing where it is not known."""
    for each in found.mobility:
        yield f"mobility, {each.filled:.0%} of squares filled", f"{each.squares:.2f} squares"
    yield "squares reached in 0, 1, 2 … moves", ", ".join(map(str, found.reached))
    bound = f"{found.square_classes} classes" if found.square_classes > 1 else ""
    yield "bound to one of", f"{bound}, by colour" if bound and found.colour_bound else bound
    yield "symmetries", ", ".join(found.symmetries) or "none"
    yield "goes", "forward only" if found.forward_only else ""
    yield "needs hurdles", "yes, for some moves" if found.needs_hurdles else ""
    yield "moves that one piece can block", _share(found.blocked)
    yield "squares attacked", _number(found.attacked)
    yield "forks", _number(found.forks)
    yield "checks", _share(found.checks)
    yield "safe checks", _share(found.safe_checks)
    yield "value in its piece file", _number(found.value)
    yield "value in hand", _number(found.hand_value)
    yield from _mating_rows(found)


def _mating_rows(found: Facts) -> Iterator[tuple[str, str]]:
    power = found.mating
    if power is None:
        return
    share = _share(power.won / power.positions) if power.positions else ""
    yield "mates with its king", f"{power.power}: {power.won} of {power.positions}, {share}"
    yield "mates, stalemates", f"{power.mates}, {power.stalemates}"
    if power.start:
        yield "longest mate", f"{power.longest} moves, from {power.start}"
        more = " …" if len(power.line) > SHOWN_MOVES else ""
        yield "", " ".join(power.line[:SHOWN_MOVES]) + more


def _share(number: float | None) -> str:
    return "" if number is None else f"{number:.2%}"


def _number(number: float | None) -> str:
    return "" if number is None else f"{number:.2f}"


def facts_page(found: Facts, name: str, picture: str) -> str:
    """The facts as a web page that needs nothing else."""
    from alfil.diagrams.html import escaped  # noqa: PLC0415 - few want a page

    rows = "\n".join(
        f"<tr><th scope=row>{escaped(label)}<td>{escaped(words)}"
        for label, words in _rows(found)
        if words
    )
    notes = "".join(f"<p>{escaped(each)}</p>\n" for each in found.remarks)
    title = f"{name} on {found.files}×{found.ranks}"
    style = "body{font:1rem/1.5 system-ui;margin:2rem auto;max-width:50rem;padding:0 1rem}"
    style += "th{text-align:left;vertical-align:top;padding-right:1rem}td{overflow-wrap:anywhere}"
    return (
        f"<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n"
        f"<meta name=viewport content='width=device-width'>\n<title>{escaped(title)}</title>\n"
        f"<style>{style}</style>\n<h1>{escaped(title)}</h1>\n{picture}\n"
        f"<table>\n{rows}\n</table>\n{notes}"
    )


def _write_all(path: Path, boards: Sequence[tuple[int, int]]) -> int:
    """Append the facts of all included pieces that a file does not have yet."""
    from alfil.library.library import LibraryPiece, cached_library, sets_in_order  # noqa: PLC0415 - only --all needs them

    libraries = map(cached_library, sets_in_order())
    pieces = [LibraryPiece(each, entry) for each in libraries for entry in each.pieces]
    tasks = [(piece, board) for board in boards for piece in pieces]
    done, size = _done_already(path)
    if path.exists():
        os.truncate(path, size)
    with Progress("pieces", len(tasks)) as progress:
        for number, (piece, board) in enumerate(tasks):
            key = (piece.qualified_code, *board)
            if key not in done:
                row = {"id": piece.qualified_code, **_facts_data(piece, board)}
                line = f"{as_json(row)}\n".encode()
                append(path, line, size)
                size += len(line)
            progress.show(number + 1)
    print_answer(lambda: {"files": [str(path)]}, [str(path)])
    return 0


def _done_already(path: Path) -> tuple[set[tuple[object, ...]], int]:
    """The pieces and boards that a file has, and the length of its whole lines."""
    if not path.exists():
        return set(), 0
    whole = path.read_bytes().rpartition(b"\n")
    rows = map(json.loads, whole[0].splitlines())
    return {(row["id"], row["files"], row["ranks"]) for row in rows}, len(whole[0] + whole[1])


def _facts_data(piece: LibraryPiece, board: tuple[int, int]) -> dict[str, object]:
    """The facts of a piece of a set; only the error where it has none."""
    try:
        return facts(piece.entry, board).to_json()
    except AlfilError as error:
        files, ranks = board
        return {"files": files, "ranks": ranks, "error": error.diagnostics[0].message}


@click.command("tablebase")
@click.argument("name", metavar="SET_OR_FILE", shell_complete=completed("games"))
@click.argument("endings", metavar="ENDING_OR_TABLE...", nargs=-1, required=True)
@moves_option
@reading_option
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
    variant = game_file(name, moves).variant
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
        columns([head, *rows]),
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
