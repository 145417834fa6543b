"""`alfil record`: games that were written down are listed, checked, shown and written otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import click

from alfil.cli.input_output import (
    EXIT_DIAGNOSTICS,
    as_json,
    diagnostic_data,
    exit_code,
    print_answer,
    print_diagnostics,
    print_escaped_line,
    print_file_names_if_json_asked,
    print_line,
    print_or_write,
)
from alfil.cli.options import is_json_asked, json_option, plain_option, raise_first_usage_error
from alfil.cli.position import (
    board_block,
    ending_text,
    load_playable_library,
    outcome_data,
    position_data,
)
from alfil.diagrams.text_rendering import wrapped
from alfil.errors import AlfilError, RecordError, plural
from alfil.play.records.html_page import move_texts, render
from alfil.play.records.record_files import read_source
from alfil.play.session import Round, Session
from alfil.records import FORMATS, each_match_or_error, losses, write_games
from alfil.source import Source

_WIDTH = 79


class RecordOptions(NamedTuple):
    """What is asked of a record."""

    form: str | None
    number: int | None
    at: int | None
    to: str | None
    html: bool
    output: str | None
    plain: bool


class RecordedGame(NamedTuple):
    """One game: the match it is of, which game of it, from 0, and its number in its file."""

    session: Session
    round_index: int
    number: int

    @property
    def round(self) -> Round:
        """The game with its record."""
        return self.session.rounds[self.round_index]

    @property
    def title(self) -> str:
        """What it is, who played and when."""
        names = [name or "?" for name in self.session.names(self.round_index)]
        known = " – ".join(names) if any(self.session.names(self.round_index)) else ""
        parts = (self.session.variant.title, known, self.round.date)
        return ", ".join(filter(None, parts))

    @property
    def ending(self) -> str:
        """How it ended, in words; empty where it did not."""
        outcome = self.round.game.outcome()
        return ending_text(outcome) if outcome else ""


@click.command("record")
@click.argument("path", metavar="FILE")
@click.option("--game", "name", metavar="SET_OR_FILE", help="The game, if FILE does not name it.")
@click.option("--from", "form", type=click.Choice(tuple(FORMATS)), help="The format of FILE.")
@click.option("--number", type=click.IntRange(1), metavar="N", help="Only the Nth game.")
@click.option("--at", type=click.IntRange(0), metavar="N", help="The board after N moves.")
@click.option("--to", type=click.Choice(tuple(FORMATS)), help="Write the games in this format.")
@click.option("--html", is_flag=True, help="Write a page to click through a game; needs -o.")
@click.option("-o", "--output", metavar="OUT", help="A file for --to, --html or --at (.svg, .png).")
@plain_option
@json_option()
def record_command(*, path: str, name: str | None, **options: object) -> int:
    """List, show or convert recorded games.

    FILE is PGN, KIF, CSA or a record of alfil. Every move is checked; the first error of each game
    is reported. Of a record that breaks off, or that another program still writes, everything that
    is whole is read.

    The exit code is 0; 1 for an error in a game; 2 for wrong usage, an unknown set or file, or if a
    file cannot be written.
    """
    record_options = RecordOptions(**options)  # type: ignore[arg-type] # click gives each option its own type
    raise_first_usage_error(
        (
            (record_options.at is not None) + bool(record_options.to) + record_options.html > 1,
            "--at, --to and --html: take one",
        ),
        (record_options.html and not record_options.output, "--html needs -o FILE.html"),
        (
            record_options.output
            and not (record_options.at is not None or record_options.to or record_options.html),
            "-o of what?",
        ),
    )
    library = load_playable_library(name, {}) if name else None
    source = read_source(path)
    games: list[RecordedGame] = []
    code, number = 0, 0
    for each in each_match_or_error(source, library, record_options.form or "", recover=True):
        if isinstance(each, RecordError):
            number, code = number + 1, EXIT_DIAGNOSTICS
            if not is_json_asked():
                print_line(f"game {number} is wrong:", err=True)
            print_diagnostics(each.diagnostics, each.source)
            continue
        lost = (replace(each.lost, severity="note", hint=""),) if each.lost else ()
        print_diagnostics((*each.notes, *lost), source)
        for place in range(len(each.rounds)):
            number += 1
            games.append(RecordedGame(each, place, number))
    if code and record_options.to:
        return code  # half a conversion would look like a whole one
    try:
        _convert_or_list_games(_select_games(games, record_options), record_options)
    except AlfilError as error:
        print_diagnostics(error.diagnostics, error.source)
        return exit_code(error)
    return code


def _select_games(games: list[RecordedGame], options: RecordOptions) -> list[RecordedGame]:
    if options.number is None:
        return games
    result = [each for each in games if each.number == options.number]
    if not result:
        raise click.BadParameter(f"no game {options.number} can be shown")
    return result


def _convert_or_list_games(games: list[RecordedGame], options: RecordOptions) -> None:
    if options.to:
        sessions = [*dict.fromkeys(each.session for each in games)]
        text = write_games(sessions, options.to)
        source = Source("", f"<{options.to}>")
        lost = losses(sessions, options.to)
        if not is_json_asked():
            for loss in lost:
                print_line(f"note: {loss.message}", err=True)
        data = [diagnostic_data(loss, source) for loss in lost]
        print_or_write(text, options.output, losses=data)
    elif options.html and games:
        one = games[0]
        print_or_write(render(one.round, one.title, one.ending), options.output)
    elif options.at is not None and games:
        _show_after_move(games[0], options)
    else:
        for each in games:
            print_answer(partial(_game_data, each), game_listing(each))


def _game_data(recorded: RecordedGame) -> dict[str, object]:
    """A game as data: players are first and second, moves are as in USI and as in the record."""
    game = recorded.round.game
    return {
        "number": recorded.number,
        "game": game.variant.name,
        "players": list(recorded.session.names(recorded.round_index)),
        "date": recorded.round.date,
        "start": recorded.round.start or None,
        "moves": [str(move) for move in game.moves],
        "texts": list(move_texts(recorded.round)),
        "outcome": outcome_data(game),
    }


def _show_after_move(recorded: RecordedGame, options: RecordOptions) -> None:
    assert options.at is not None
    played = recorded.round
    moves = played.game.moves
    if options.at > len(moves):
        raise click.BadParameter(f"the game has {len(moves)} moves, not {options.at}")
    game = played.beginning()
    for move in moves[: options.at]:
        game.push(move)
    if options.output:
        game.picture().save(options.output)
        print_file_names_if_json_asked([options.output])
    elif is_json_asked():
        print_line(as_json(position_data(game)))
    else:
        print_line(board_block(game, plain=options.plain, title=recorded.title))
        print_escaped_line(f"position: {game.position_text()}")


def game_listing(recorded: RecordedGame) -> Iterator[str]:
    """A game in lines: what it is, the moves in pairs, and how it ended."""
    yield f"game {recorded.number}: {recorded.title}"
    yield from wrapped(" ".join(_numbered_move_texts(recorded.round)), _WIDTH, "  ", "  ")
    count = len(recorded.round.game.moves)
    yield f"  {count} {plural('move', count)}; {recorded.ending or 'not ended'}"


def _numbered_move_texts(played: Round) -> Iterator[str]:
    texts = move_texts(played)
    second = (played.game.side_to_move + len(texts)) % 2
    yield from (f"{{{comment}}}" for comment in played.comments.get(0, []))
    for index, each in enumerate(texts):
        pair, is_second = divmod(index + second, 2)
        if not is_second or index == 0:
            yield f"{pair + 1}." + (" ..." if is_second else "")
        yield each
        yield from (f"${number}" for number in played.nags.get(index + 1, ()))
        yield from (f"{{{comment}}}" for comment in played.comments.get(index + 1, []))
