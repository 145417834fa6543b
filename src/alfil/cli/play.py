"""`alfil play`: a game or a match in the terminal, against a person or the computer."""

from __future__ import annotations

import io
import re
import shlex
import sys
from datetime import date
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from alfil.cli.inputs import FOUND, USAGE, say
from alfil.cli.options import Settings, encoding_of, replacing
from alfil.cli.piece_file import tell_all
from alfil.cli.playing import START, game_at, game_file, remarks
from alfil.cli.spoken import obey
from alfil.cli.table import PLAYERS, Computer, Look, Table
from alfil.errors import AlfilError, Finding
from alfil.game.match import ONE, TWO
from alfil.game.session import Session
from alfil.records import load_match
from alfil.source import printable

if TYPE_CHECKING:
    from alfil.game.match import Player
    from alfil.game.variant import Variant
    from alfil.library.library import Library

SIMPLE = re.compile(r"simple(?::([1-6]))?", re.ASCII)
# What the computer is called in records, so that a match goes on with it.
NAME = re.compile(r"alfil simple:([1-6])", re.ASCII)
SUFFIX = ".alfil"
# What is wrong with the call and not with a record or a position.
ABOUT_FILES = frozenset({"cannot-read", "cannot-write", "record-exists"})


class Asked(NamedTuple):
    """The options."""

    depth: int | None
    human: Literal["b", "w"] | None
    players: tuple[str, ...]
    save: str | None
    resume: str | None
    unsaved: bool
    single: bool
    position: str | None
    adjudicate: bool
    seed: int
    plain: bool
    boards: bool


def _depth(ctx: click.Context, param: click.Parameter, value: str) -> int | None:
    """How far the opponent looks ahead, 0 for a second person, None where nothing is said."""
    if value is None or value == "human":
        return None if value is None else 0
    found = SIMPLE.fullmatch(value)
    if not found:
        raise click.BadParameter(
            f"{value} is not human, simple or simple:1 to simple:6", ctx, param
        )
    from alfil.game.opponent import DEPTH  # noqa: PLC0415 - only where there is one

    return int(found[1] or DEPTH)


@click.command("play")
@click.argument("name", metavar="[SET_OR_FILE]", required=False)
@replacing
@click.option(
    "--opponent", "depth", metavar="WHO", callback=_depth, help="human, or simple[:DEPTH]."
)
@click.option("--as", "human", type=click.Choice(["b", "w"]), help="Your side in the first game.")
@click.option(
    "--player", "players", metavar="NAME", multiple=True, help="Who plays; twice for two."
)
@click.option("--save", metavar="FILE", help="Keep the match in this file.")
@click.option("--no-save", "unsaved", is_flag=True, help="Keep it nowhere.")
@click.option("--resume", metavar="FILE", help="Go on with a match that was kept.")
@click.option("--single/--match", help="One game, or as many as the rules say.")
@click.option("--position", help="Begin the first game here.")
@click.option("--adjudicate", is_flag=True, help="An illegal move loses, where the rules say so.")
@click.option("--seed", type=int, default=0, help="Let the computer choose otherwise.")
@click.option("--ascii", "plain", is_flag=True, help="Write plain ASCII.")
@click.option("--board/--no-board", "boards", default=True, help="Show the board after each move.")
def command(*, name: str | None, moves: dict[str, str], **options: object) -> int:
    """Play a game in the terminal; help lists what can be typed.

    Every move is on the disk before it is answered: in --save FILE, else in a new file in this
    folder, named after the game and the day. --resume goes on with it after whatever happened; the
    game is that of the record, unless SET_OR_FILE is given. The computer, simple, looks 2 moves
    ahead unless told otherwise.

    The exit code is 0, also where the game is left; 1 for a position or record that cannot be used;
    2 for an unknown set, piece or file; 130 after Ctrl-C.
    """
    asked = Asked(**options)  # type: ignore[arg-type] # click gives each option its own type
    _fitting(name, asked)
    try:
        table = _table(name, moves, asked)
    except AlfilError as error:
        tell_all(error.findings, error.source, Settings())
        if asked.resume and error.kind == "unknown-set":
            say("name the file of the game too: alfil play my.pieces --resume FILE", err=True)
        return USAGE if error.kind in ABOUT_FILES else FOUND
    # What is typed in another encoding is shown as numbers and is no move.
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")
    try:
        _welcome(table)
        _play(table)
    except KeyboardInterrupt:
        say("")
        raise
    finally:
        table.close()
        if table.path and not table.session.over:
            again = f"{_call(name, moves)} --resume {shlex.quote(str(table.path))}"
            table.tell(f"kept in {table.path}; to go on: {again}")
    return 0


def _call(name: str | None, moves: dict[str, str]) -> str:
    """How the game is called again; a record knows the bundled ones and their moves by itself."""
    words = ["alfil", "play"]
    if name and name.endswith(".pieces"):
        words.append(name)
        for code, move in moves.items():
            words += ["--piece", f"{code}={move}"]
    return shlex.join(words)


def _fitting(name: str | None, asked: Asked) -> None:
    """Refuse options that contradict each other."""
    if name is None and not asked.resume:
        raise click.UsageError("name a game, as in: alfil play hand_shogi")
    if asked.resume and (asked.position or asked.players or asked.adjudicate):
        raise click.UsageError("--position, --player and --adjudicate are as the record has them")
    if asked.save and asked.unsaved:
        raise click.UsageError("--save and --no-save contradict each other")
    if len(asked.players) > len(PLAYERS):
        raise click.UsageError("two players at most")
    if asked.human and not asked.depth and not asked.resume:
        raise click.UsageError("--as is for playing against --opponent simple")


def _table(name: str | None, moves: dict[str, str], asked: Asked) -> Table:
    library = game_file(name, moves) if name else None
    if asked.resume:
        session = load_match(asked.resume, library, recover=True)
    else:
        assert library is not None
        session = _begun(library, asked)
    computer = _computer(session, asked)
    path = Path(asked.resume) if asked.resume and not asked.save else None
    resumed = path is not None
    if asked.unsaved:
        path, resumed = None, False
    elif path is None:
        path = Path(asked.save) if asked.save else _free_name(session.variant)
    look = Look(asked.plain, asked.boards)
    return Table(session, path, look, computer=computer, single=asked.single, resumed=resumed)


def _begun(library: Library, asked: Asked) -> Session:
    """A new match."""
    names = list(asked.players)
    if asked.depth:
        names = [*names, ""][:1]
        at = 1 if _human(library.variant, asked) == ONE else 0
        names.insert(at, f"alfil simple:{asked.depth}")
    first, second = [*names, "", ""][:2]
    game_at(library, asked.position or START)
    variant = library.variant
    return Session(
        variant,
        (first, second),
        adjudicate=asked.adjudicate,
        position=None if asked.position in {None, START} else asked.position,
        date=date.today().isoformat(),
    )


def _human(variant: Variant, asked: Asked) -> Player:
    """Which player the person is who plays against the computer."""
    first = variant.rules.first[0]
    return ONE if asked.human in {None, first} else TWO


def _computer(session: Session, asked: Asked) -> Computer | None:
    """The opponent: the one asked for, or the one that the record names."""
    named = [NAME.fullmatch(each) for each in session.players]
    depth, player = asked.depth, _human(session.variant, asked) % 2 + 1
    for number, found in enumerate(named, 1):
        if found and depth is None:
            depth = int(found[1])
        if found:
            player = number
    if not depth:
        return None
    from alfil.game.opponent import Opponent  # noqa: PLC0415 - only where there is one

    opponent = Opponent(session.variant, depth=depth, seed=asked.seed)
    return Computer(opponent, ONE if player == 1 else TWO)


def _free_name(variant: Variant) -> Path:
    """A file in this folder that is not there yet."""
    name = re.sub(r"[^\w-]", "_", variant.name) or "game"
    stem = f"{name}-{date.today().isoformat()}"
    names = (f"{stem}-{number}" if number > 1 else stem for number in count(1))
    paths = (Path(f"{each}{SUFFIX}") for each in names)
    return next(path for path in paths if not path.exists())


def _lost(finding: Finding) -> str:
    """What was not found whole at the end of a record; nothing more than its last line, mostly."""
    if finding.spans[0].start < finding.spans[0].end:
        return f"left out at the end of the record: {finding.message}"
    return "the record was not closed; every move in it is here"


def _welcome(table: Table) -> None:
    session = table.session
    table.tell(session.variant.title)
    for text in remarks(session.variant):
        table.tell(text)
    if session.lost:
        table.tell(_lost(session.lost))
    if table.path:
        table.tell(f"kept in {table.path}")
    table.tell("help lists what can be typed")
    table.tell(table.who_plays())
    table.go_on()


def _play(table: Table) -> None:
    """Play until the match is over or left."""
    while not table.over:
        if table.computer_to_move:
            table.answer()
            continue
        line = _typed(table.prompt)
        if line is None:
            say("")
            return
        obey(table, line)


def _typed(prompt: str) -> str | None:
    """A line from the terminal or whatever is read instead; None at the end.

    What is read from a file is shown too, so that the answers to it make sense.
    """
    if sys.stdin.isatty() and sys.stdout.isatty():
        import readline  # noqa: F401, PLC0415 - lines can be edited then

        try:
            return input(prompt)
        except EOFError:
            return None
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    say(printable(line.rstrip("\n"), encoding_of(err=False)))
    return line or None
