"""`alfil record`: games that were written down are listed, checked, shown and written otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import click

from alfil.cli.inputs import FOUND, exit_code, say, show, tell
from alfil.cli.options import plain_option, refuse_where
from alfil.cli.position import board_block, ending, game_file
from alfil.diagrams.text import folded
from alfil.errors import AlfilError, RecordError
from alfil.play.game import Game
from alfil.play.records.files import read_source
from alfil.play.records.page import page, texts_of
from alfil.play.session import Round, Session
from alfil.records import FORMATS, each_game, losses, write_games
from alfil.saving import save
from alfil.source import Source

_WIDTH = 79


class Options(NamedTuple):
    """What is asked of a record."""

    form: str | None
    number: int | None
    at: int | None
    to: str | None
    html: bool
    output: str | None
    plain: bool


class Told(NamedTuple):
    """One game: the match it is of, which game of it, from 0, and its number in its file."""

    session: Session
    place: int
    number: int

    @property
    def played(self) -> Round:
        """The game with its record."""
        return self.session.rounds[self.place]

    @property
    def title(self) -> str:
        """What it is, who played and when."""
        names = [name or "?" for name in self.session.names(self.place)]
        known = " – ".join(names) if any(self.session.names(self.place)) else ""
        parts = (self.session.variant.title, known, self.played.date)
        return ", ".join(filter(None, parts))

    @property
    def ending(self) -> str:
        """How it ended, in words; empty where it did not."""
        outcome = self.played.game.outcome()
        return ending(outcome) if outcome else ""


@click.command("record")
@click.argument("path", metavar="FILE")
@click.option(
    "--game", "name", metavar="SET_OR_FILE", help="The game, where FILE does not tell it."
)
@click.option("--from", "form", type=click.Choice(tuple(FORMATS)), help="The format of FILE.")
@click.option("--number", type=click.IntRange(1), metavar="N", help="Only the Nth game.")
@click.option("--at", type=click.IntRange(0), metavar="N", help="The board after N moves.")
@click.option("--to", type=click.Choice(tuple(FORMATS)), help="Write the games in this format.")
@click.option("--html", is_flag=True, help="Write a page to click through a game; with -o.")
@click.option("-o", "--output", metavar="OUT", help="A file for --to, --html or --at (.svg, .png).")
@plain_option
def record_command(*, path: str, name: str | None, **options: object) -> int:
    """List the games of FILE: a record of alfil's, PGN, KIF or CSA.

    Every move is checked. What is wrong is told with its place: the first mistake of a game, since
    nothing after it is sure.

    The exit code is 0; 1 where a game is wrong; 2 for wrong usage, an unknown set or file, and
    where nothing can be written.
    """
    asked = Options(**options)  # type: ignore[arg-type] # click gives each option its own type
    refuse_where(
        (
            (asked.at is not None) + bool(asked.to) + asked.html > 1,
            "--at, --to and --html: take one",
        ),
        (asked.html and not asked.output, "--html needs -o FILE.html"),
        (asked.output and not (asked.at is not None or asked.to or asked.html), "-o of what?"),
    )
    library = game_file(name, {}) if name else None
    source = read_source(path)
    games: list[Told] = []
    code, number = 0, 0
    for each in each_game(source, library, asked.form or ""):
        if isinstance(each, RecordError):
            number, code = number + 1, FOUND
            say(f"game {number} is wrong:", err=True)
            tell(each.findings, each.source)
            continue
        tell(each.notes, source)
        for place in range(len(each.rounds)):
            number += 1
            games.append(Told(each, place, number))
    if code and asked.to:
        return code  # half a conversion would look like a whole one
    try:
        _answer(_chosen(games, asked), asked)
    except AlfilError as error:
        tell(error.findings, error.source)
        return exit_code(error)
    return code


def _chosen(games: list[Told], asked: Options) -> list[Told]:
    if asked.number is None:
        return games
    found = [each for each in games if each.number == asked.number]
    if not found:
        raise click.BadParameter(f"no game {asked.number} can be shown")
    return found


def _answer(games: list[Told], asked: Options) -> None:
    if asked.to:
        sessions = [*dict.fromkeys(each.session for each in games)]
        text = write_games(sessions, asked.to)
        tell(losses(sessions, asked.to), Source("", f"<{asked.to}>"))
        _put(text, asked.output)
    elif asked.html and games:
        one = games[0]
        _put(page(one.played, one.title, one.ending), asked.output)
    elif asked.at is not None and games:
        _show_at(games[0], asked)
    else:
        for each in games:
            for line in listing(each):
                show(line)


def _put(text: str, output: str | None) -> None:
    if output:
        save({output: text.encode()})
    else:
        say(text.removesuffix("\n"))


def _show_at(told: Told, asked: Options) -> None:
    assert asked.at is not None
    played = told.played
    moves = played.game.moves
    if asked.at > len(moves):
        raise click.BadParameter(f"the game has {len(moves)} moves, not {asked.at}")
    game = Game(played.game.variant, played.start or None)
    for move in moves[: asked.at]:
        game.push(move)
    if asked.output:
        game.picture().save(asked.output)
    else:
        say(board_block(game, plain=asked.plain, title=told.title))
        show(f"position: {game.sfen()}")


def listing(told: Told) -> Iterator[str]:
    """A game in lines: what it is, the moves in pairs, and how it ended."""
    yield f"game {told.number}: {told.title}"
    yield from folded(" ".join(_words(told.played)), _WIDTH, "  ", "  ")
    count = len(told.played.game.moves)
    yield f"  {count} move{'' if count == 1 else 's'}; {told.ending or 'not ended'}"


def _words(played: Round) -> Iterator[str]:
    texts = texts_of(played)
    second = (played.game.turn + len(texts)) % 2
    yield from (f"{{{said}}}" for said in played.comments.get(0, []))
    for index, each in enumerate(texts):
        pair, is_second = divmod(index + second, 2)
        if not is_second or index == 0:
            yield f"{pair + 1}." + (" ..." if is_second else "")
        yield each
        yield from (f"${number}" for number in played.nags.get(index + 1, ()))
        yield from (f"{{{said}}}" for said in played.comments.get(index + 1, []))
