"""`alfil play`: a game or a match in the terminal, against a person or the computer."""

from __future__ import annotations

import io
import re
import shlex
import sys
from collections.abc import Callable, Collection
from datetime import date
from functools import cache
from itertools import product
from pathlib import Path
from shutil import which
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from alfil.atomic_files import numbered_names, reject_write
from alfil.cli import input_output
from alfil.cli.input_output import exit_code, print_diagnostics, print_line
from alfil.cli.options import (
    game_arguments,
    is_terminal,
    line_width,
    moves_option,
    plain_option,
    raise_first_usage_error,
    reading_option,
)
from alfil.cli.position import START_WORD, board_block, ending_text, game_at, load_playable_library
from alfil.cli.record import RecordedGame, game_listing
from alfil.diagrams.text_rendering import wrapped
from alfil.errors import AlfilError, Diagnostic, NotationError, plural
from alfil.game.moves import Move
from alfil.play.outcomes import PLAYER_ONE, PLAYER_TWO, SIDE_COLOURS, opponent_of
from alfil.play.records.move_notations import write_move
from alfil.play.records.record_files import Journal
from alfil.play.records.shogi_names import has_shogi_names
from alfil.play.session import Session
from alfil.records import FORMATS, load_match
from alfil.source import display_width
from alfil.squares import parse_square

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer

    from alfil.exchange.engine_client import EngineClient
    from alfil.game.variant import Variant
    from alfil.library.library import Library
    from alfil.play.game import Game
    from alfil.play.opponent import Clock, Opponent
    from alfil.play.outcomes import Outcome, Player
    from alfil.play.square_values import SquareValues
    from alfil.squares import Square

SIMPLE_OPPONENT = re.compile(r"simple(?::([1-8]))?", re.ASCII)
# What the computer is called in records, so that a match goes on with it: depth, time or both.
COMPUTER_NAME = re.compile(r"alfil(?= )(?: simple:([1-8]))?(?: ([0-9:.+]+))?", re.ASCII)
# What begins the name of another program that plays; a record does not start it again.
ENGINE_PREFIX = "engine "
RECORD_SUFFIX = ".alfil"
PLAYERS: tuple[Player, Player] = (1, 2)
# Formats whose moves can be typed in shogi, beside those that every game reads.
SHOGI_FORMATS = ("kif", "csa")
# Nothing that is typed is longer, comments among it.
MAX_INPUT_LENGTH = 2000


class PlayOptions(NamedTuple):
    """How the match is to be played, as the options say."""

    depth: int | str | None
    time: str | None
    human: Literal["b", "w"] | None
    players: tuple[str, ...]
    save: str | None
    resume: str | None
    unsaved: bool
    single: bool
    position: str | None
    adjudicate: bool
    seed: int
    squares: str | None
    threads: int
    variety: int | None
    plain: bool
    boards: bool

    @property
    def computer_name(self) -> str:
        """What the computer is called that is to play, empty where none is."""
        if self.depth == 0 or not (self.depth or self.time):
            return ""
        if isinstance(self.depth, str):
            return f"{ENGINE_PREFIX}{self.depth}"
        level = f"simple:{self.depth}" if self.depth else ""
        return " ".join(filter(None, ("alfil", level, self.time)))


def print_wrapped(text: str) -> None:
    """Print a line as the terminal can show it; one that is wider than a terminal is folded."""
    if not sys.stdout.isatty() or display_width(text) <= line_width():
        input_output.print_escaped_line(text)
        return
    first = text[: text.rfind("  ") + 2] if "  " in text else ""  # a column of its own
    for line in wrapped(text[len(first) :], line_width(), " " * len(first), first):
        input_output.print_escaped_line(line)


def _parse_opponent(ctx: click.Context, param: click.Parameter, opponent: str) -> int | str | None:
    """How far the opponent looks ahead, 0 for a second person, None where nothing is said.

    What is a program here is given back as its command.
    """
    if opponent is None or opponent == "human":
        return None if opponent is None else 0
    result = SIMPLE_OPPONENT.fullmatch(opponent)
    if not result and which(re.sub("^(cecp|uci|usi):", "", opponent).split(" ")[0].strip("'\"")):
        return opponent
    if not result:
        message = f"{opponent} is not human, simple or simple:1 to simple:8, nor a program"
        raise click.BadParameter(message, ctx, param)
    from alfil.play.opponent import DEPTH  # noqa: PLC0415 - only where there is one

    return int(result[1] or DEPTH)


def _parse_time(ctx: click.Context, param: click.Parameter, value: str) -> str | None:
    """The time of the computer, as `Clock` reads it."""
    if value is not None:
        from alfil.play.opponent import Clock  # noqa: PLC0415 - only where there is one

        try:
            Clock(value)
        except ValueError as error:
            raise click.BadParameter(str(error), ctx, param) from None
    return value


@click.command("play")
@click.argument("name", metavar="[SET_OR_FILE]", required=False)
@moves_option
@reading_option
@click.option(
    "--opponent",
    "depth",
    metavar="WHO",
    callback=_parse_opponent,
    help="human, simple[:DEPTH], or the command of an engine (UCI, USI, CECP).",
)
@click.option(
    "--time",
    metavar="TIME",
    callback=_parse_time,
    help="The computer's time: 5 seconds a move, or 300+5 for a game, 5 more for each move.",
)
@click.option("--as", "human", type=click.Choice(["b", "w"]), help="Your side in the first game.")
@click.option(
    "--player", "players", metavar="NAME", multiple=True, help="Who plays; twice for two."
)
@click.option("--save", metavar="FILE", help="Save the match in this file.")
@click.option("--no-save", "unsaved", is_flag=True, help="Do not save it.")
@click.option("--resume", metavar="FILE", help="Continue a saved match.")
@click.option("--single/--match", help="One game, or as many as the rules say.")
@click.option("--position", help="Begin the first game here.")
@click.option("--adjudicate", is_flag=True, help="An illegal move loses, where the rules say so.")
@click.option(
    "--seed", type=int, default=0, help="Another number gives other choices of the computer."
)
@click.option(
    "--squares", metavar="FILE", help="The computer plays by values of `alfil values --squares`."
)
@click.option(
    "--variety",
    type=click.IntRange(0, 10_000),
    help="How much the seed changes what the computer thinks of squares, in hundredths of a move.",
)
@click.option(
    "--threads",
    type=click.IntRange(1, 64),
    default=1,
    help="The computer searches in so many threads.",
)
@plain_option
@click.option("--board/--no-board", "boards", default=True, help="Show the board after each move.")
def play_command(*, name: str | None, moves: dict[str, str], **options: object) -> int:
    """Play a game in the terminal; help lists what can be typed.

    Every move is on the disk before it is answered: in --save FILE, else in a new file in the
    folder for saved games, which is named at the start. --resume continues it, whatever happened;
    the game is that of the record, unless SET_OR_FILE is given. The computer, simple, looks 8 plies
    ahead unless DEPTH is given; with --time alone it looks as far as its time allows. An engine
    thinks a second a move, or --time; a record does not start it again, so name it with --resume.

    The exit code is 0, also where the game is left; 1 for a position or record that cannot be used,
    or kept; 2 for an unknown set, piece or file; 130 after Ctrl-C.
    """
    play_options = PlayOptions(**options)  # type: ignore[arg-type] # click gives each option its own type
    _reject_contradictory_options(name, play_options)
    try:
        terminal_match = _open_match(name, moves, play_options)
    except AlfilError as error:
        print_diagnostics(error.diagnostics, error.source)
        if play_options.resume and error.kind == "unknown-set":
            print_line(
                "name the file of the game too: alfil play my.pieces --resume FILE", err=True
            )
        return exit_code(error)
    # What is typed in another encoding is shown as numbers and is no move.
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="backslashreplace")
    try:
        _print_welcome(terminal_match)
        _play_match(terminal_match)
    except KeyboardInterrupt:
        print_line("")
        raise
    finally:
        terminal_match.dismiss()
        is_saved = terminal_match.close_record()
        terminal_match.discard_record_without_moves()
        if terminal_match.path and is_saved and not terminal_match.session.over:
            again = (
                f"{_resume_command(name, moves)} --resume {shlex.quote(str(terminal_match.path))}"
            )
            print_wrapped(f"saved in {terminal_match.path}; to go on: {again}")
    return 0 if is_saved and not terminal_match.failed else input_output.EXIT_DIAGNOSTICS


def _resume_command(name: str | None, moves: dict[str, str]) -> str:
    """How the game is called again; a record knows the bundled ones and their moves by itself."""
    words = ["alfil", "play"]
    if name and name.endswith(".pieces"):
        words += game_arguments(name, moves)
    return shlex.join(words)


def _reject_contradictory_options(name: str | None, options: PlayOptions) -> None:
    """Refuse options that contradict each other."""
    needs_new_match = options.position or options.players or options.adjudicate
    raise_first_usage_error(
        (not name and not options.resume, "name a game, as in: alfil play hand_shogi"),
        (
            options.resume and needs_new_match,
            "--position, --player and --adjudicate are as the record has them",
        ),
        (options.save and options.unsaved, "--save and --no-save contradict each other"),
        (len(options.players) > len(PLAYERS), "two players at most"),
        (
            options.human and not options.computer_name and not options.resume,
            "--as is for playing against --opponent simple",
        ),
        (options.time and options.depth == 0, "--time is for playing against the computer"),
    )


def _open_match(name: str | None, moves: dict[str, str], options: PlayOptions) -> TerminalMatch:
    library = load_playable_library(name, moves) if name else None
    if options.resume:
        session = load_match(options.resume, library, recover=True)
    else:
        assert library is not None
        session = _new_session(library, options)
    return TerminalMatch(session, _record_path(session.variant, options), options)


def _new_session(library: Library, options: PlayOptions) -> Session:
    """A new match."""
    first, second = [*options.players, "", ""][:2]
    variant = library.variant
    if computer := options.computer_name:
        human = _which_player_is_human(variant, options)
        first, second = (first, computer) if human == PLAYER_ONE else (computer, first)
    game_at(library, options.position or START_WORD)
    return Session(
        variant,
        (first, second),
        adjudicate=options.adjudicate,
        position=None if options.position in {None, START_WORD} else options.position,
        date=date.today().isoformat(),
    )


def _which_player_is_human(variant: Variant, options: PlayOptions) -> Player:
    """Which player the person is who plays against the computer."""
    first = variant.rules.first[0]
    return PLAYER_ONE if options.human in {None, first} else PLAYER_TWO


def _computer_opponent(
    session: Session, options: PlayOptions
) -> tuple[Opponent | EngineClient | None, Player | None, str]:
    """The opponent, asked for or named by the record, which player it is, and its time."""
    name = options.computer_name
    player = opponent_of(_which_player_is_human(session.variant, options))
    for number, each in zip(PLAYERS, session.players, strict=True):
        if COMPUTER_NAME.fullmatch(each) or each.startswith(ENGINE_PREFIX):
            name = name or ("" if options.depth == 0 else each)
            player = number
    if isinstance(options.depth, str):
        from alfil.exchange.engine_client import EngineClient  # noqa: PLC0415 - only where there is one

        return EngineClient(options.depth, session.variant), player, options.time or ""
    result = COMPUTER_NAME.fullmatch(name)
    if not result:
        return None, None, ""
    from alfil.play.opponent import MAX_DEPTH, Opponent  # noqa: PLC0415 - only where there is one

    level, time = result.groups()
    depth = int(level or MAX_DEPTH)
    squares = _square_values(options.squares, session.variant) if options.squares else None
    opponent = Opponent(
        session.variant,
        depth=depth,
        seed=options.seed,
        squares=squares,
        threads=options.threads,
        variety=options.variety,
    )
    return opponent, player, time or ""


def _square_values(path: str, variant: Variant) -> SquareValues:
    """The values in a file, for a game that they are made for."""
    from alfil.library.file_locations import read_file  # noqa: PLC0415 - only where there is one
    from alfil.play.square_values import read_square_values  # noqa: PLC0415 - likewise

    return read_square_values(read_file(path), variant)


def _record_path(variant: Variant, options: PlayOptions) -> Path | None:
    """The file that the match is saved in, None where it is not saved."""
    if options.unsaved:
        return None
    named = options.save or options.resume
    return Path(named) if named else _new_record_path(variant)


def _new_record_path(variant: Variant) -> Path:
    """A new file in the folder for saved games; raises `AlfilError` where there can be none."""
    from platformdirs import user_data_path  # noqa: PLC0415 - only where no file is named

    folder = user_data_path("alfil", appauthor=False) / "games"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reject_write(folder, error)
    name = re.sub(r"[^\w-]", "_", variant.name) or "game"
    stem = f"{name}-{date.today().isoformat()}"
    return next(
        path for path in numbered_names(folder / f"{stem}{RECORD_SUFFIX}") if not path.exists()
    )


def _unfinished_record_words(diagnostic: Diagnostic) -> str:
    """What was not found whole at the end of a record; nothing more than its last line, mostly."""
    if diagnostic.spans[0].start < diagnostic.spans[0].end:
        return f"left out at the end of the record: {diagnostic.message}"
    return "the record was not closed; every move in it is here"


def _print_welcome(terminal_match: TerminalMatch) -> None:
    session = terminal_match.session
    print_wrapped(session.variant.title)
    for kind in session.variant.kinds:
        if kind.status_note:  # its move is not known for sure, or was set by the user
            print_wrapped(f"{kind.code} {kind.name}: {kind.status_note}")
    if session.lost:
        print_wrapped(_unfinished_record_words(session.lost))
    if terminal_match.path:
        print_wrapped(f"saved in {terminal_match.path}")
    if session.over:
        for place in range(len(session.rounds)):
            for line in game_listing(RecordedGame(session, place, place + 1)):
                print_wrapped(line)
    else:
        print_wrapped("help lists what can be typed")
        print_wrapped(terminal_match.round_and_players_text())
    terminal_match.show_position_and_result()


def _play_match(terminal_match: TerminalMatch) -> None:
    """Play until the match is over or left."""
    while not terminal_match.over:
        if terminal_match.is_computer_to_move:
            try:
                terminal_match.play_computer_move()
            except AlfilError as error:  # another program that does not play
                terminal_match.show_error(error)
                terminal_match.failed = True
                return
            continue
        line = _read_input(terminal_match)
        if line is None:
            print_line("")
            return
        run_input(terminal_match, line)


def _read_input(terminal_match: TerminalMatch) -> str | None:
    """A line from the terminal or whatever is read instead; None at the end.

    What is read from a file is shown too, so that the answers to it make sense.
    """
    if sys.stdin.isatty() and is_terminal(sys.stdout):
        try:
            return _line_editor().prompt(
                terminal_match.prompt, completer=_completer(terminal_match)
            )
        except EOFError:
            return None
    sys.stdout.write(terminal_match.prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    print_wrapped(line.rstrip("\n"))
    return line or None


@cache
def _line_editor() -> PromptSession[str]:
    """What edits the lines that are typed, and remembers them; the Tab key completes."""
    from prompt_toolkit import PromptSession  # noqa: PLC0415 - only in a terminal

    return PromptSession(complete_while_typing=False)


def _completer(terminal_match: TerminalMatch) -> Completer:
    """Commands and the legal moves, as they are written in this game."""
    from prompt_toolkit.completion import WordCompleter  # noqa: PLC0415 - only in a terminal

    def words() -> list[str]:
        return [
            *IN_GAME_COMMANDS,
            *(write_move(terminal_match.game, move) for move in terminal_match.game.legal_moves),
        ]

    return WordCompleter(words, sentence=True)


class TerminalMatch:
    """A match being played. All that is done here is on the disk before it is shown.

    ``path`` is where the match is saved, None for nowhere; it may be the file that it was resumed
    from.
    """

    def __init__(self, session: Session, path: Path | None, options: PlayOptions) -> None:
        self.session = session
        self.path = path
        self.opponent, self.computer, self._time = _computer_opponent(session, options)
        self._clock = self._new_clock()
        self.turned = self._starts_flipped()
        self.left = self.failed = False
        # What ends another program that plays.
        self.dismiss: Callable[[], None] = getattr(self.opponent, "close", lambda: None)
        self._asked = options
        resumed = bool(options.resume) and not options.save
        self._journal = Journal(path, session, overwrite=resumed) if path else None
        # Nobody asked for this file by its name.
        self._is_path_ours = not (options.save or options.resume)

    @property
    def game(self) -> Game:
        """The current game."""
        return self.session.game

    @property
    def over(self) -> bool:
        """Whether nothing more is to be played."""
        ended = self.game.outcome() is not None
        return self.left or self.session.over or (self._asked.single and ended)

    @property
    def is_computer_to_move(self) -> bool:
        """Whether it is the computer's turn."""
        return self.session.to_move == self.computer

    @property
    def prompt(self) -> str:
        """What is shown before an answer is typed."""
        made = len(self.game.moves)
        second_began = (self.game.side_to_move - made) % 2
        return f"{(made + second_began) // 2 + 1}. {SIDE_COLOURS[self.game.turn]}> "

    def show_error(self, error: AlfilError) -> None:
        """Show what was wrong with something that was typed."""
        for diagnostic in error.diagnostics:
            print_wrapped(f"{diagnostic.message} [{diagnostic.kind}]")
            if diagnostic.hint:
                print_wrapped(f"hint: {diagnostic.hint}")

    def show_board(self, targets: Collection[Square] = (), chosen: Square | None = None) -> None:
        """Show the board."""
        plain, turned = self._asked.plain, self.turned
        print_line(
            board_block(self.game, plain=plain, targets=targets, chosen=chosen, turned=turned)
        )
        if self.game.is_check() and self.game.outcome() is None:
            print_wrapped(f"{SIDE_COLOURS[self.game.turn]} is in check")

    def flip(self) -> None:
        """Show the board from the other side."""
        self.turned = not self.turned
        self.show_board()

    def stop_playing(self) -> None:
        """Play no further."""
        self.left = True

    def show_board_if_enabled(self) -> None:
        """Show the board where it is shown after each move."""
        if self._asked.boards:
            self.show_board()

    def save(self) -> None:
        """Put on the disk what has happened; where that fails the match goes on, unsaved."""
        if self._journal and not self._try_action(self._journal.write):
            print_wrapped("this is not on the disk; save FILE saves the match elsewhere")

    def change_save_file(self, path: Path) -> None:
        """Save the match in another file from now on; raises `AlfilError`.

        The file that nobody named goes, so that a match is in one place.
        """
        journal = Journal(path, self.session)
        if self.close_record() and self.path and self._is_path_ours:
            self.path.unlink(missing_ok=True)
        self._journal, self.path, self._is_path_ours = journal, path, False

    def close_record(self) -> bool:
        """Finish the file; whether it has the match as it is now."""
        if not self._journal or self._try_action(self._journal.close):
            return True
        print_wrapped(f"{self.path} does not have the match as it was left")
        return False

    def discard_record_without_moves(self) -> None:
        """Leave no file of a match without moves, unless it was named."""
        rounds = self.session.rounds
        is_played = any(each.game.moves or each.game.outcome() for each in rounds)
        if self.path and self._is_path_ours and not is_played:
            self.path.unlink(missing_ok=True)
            self.path = None

    def _try_action(self, act: Callable[[], None]) -> bool:
        """Do something; whether it could be done, and what was wrong is shown."""
        try:
            act()
        except AlfilError as error:
            self.show_error(error)
            return False
        return True

    def play_computer_move(self) -> None:
        """Make the move of the computer, in its time where it has a clock."""
        assert self.opponent is not None
        clock = self._clock
        if not clock:
            self.move(self.opponent.choose(self.game))
            return
        begun = perf_counter()
        move = self.opponent.choose(self.game, clock.time_for_next_move())
        clock.spend(perf_counter() - begun)
        if clock.left is not None:
            print_wrapped(f"the computer has {clock} left")
        self.move(move)

    def _new_clock(self) -> Clock | None:
        """The computer's clock at the beginning of a game, None where it has none."""
        if not self._time:
            return None
        from alfil.play.opponent import Clock  # noqa: PLC0415 - only where there is one

        return Clock(self._time)

    def move(self, move: Move | str) -> None:
        """Make a move; raises what `Game.push` does."""
        side = SIDE_COLOURS[self.game.turn]
        before = self.game.copy()
        made = self.session.push(_read_kif_or_csa_move(self.game, move))
        self.save()
        if not self.game.illegal_text:
            print_wrapped(f"{side}: {write_move(before, made)}")
        self.show_position_and_result()

    def show_position_and_result(self, *, is_board_changed: bool = True) -> None:
        """After something has happened: show the board, if it has changed, and the result."""
        outcome = self.game.outcome()
        if is_board_changed:
            self.show_board_if_enabled()
        if outcome is None:
            return
        self._show_result(outcome)
        if not self.over:
            self.next_round()

    def next_round(self) -> None:
        """Begin the next game of the match."""
        self.session.next_round(date=self.session.round.date)
        self._clock = self._new_clock()
        self.turned = self._starts_flipped()
        self.save()
        print_wrapped("")
        print_wrapped(self.round_and_players_text())
        self.show_board_if_enabled()

    def round_and_players_text(self) -> str:
        """Which game it is, and who has which side."""
        session = self.session
        sides = (
            f"{SIDE_COLOURS[each]} is {self.player_name(session.player_of(each))}"
            for each in session.variant.rules.side_letters
        )
        return f"game {len(session.rounds)}: {', '.join(sides)}"

    def player_name(self, player: Player) -> str:
        """What a player is called."""
        return self.session.players[player - 1] or f"player {player}"

    def take_back(self) -> int:
        """Take back the last move, and the computer's too; how many were taken back.

        Raises `RuleError` where there is none.
        """
        before = len(self.game.moves)
        if self.computer and before <= 1 and not self.is_computer_to_move:
            return 0
        self.session.pop()
        while self.is_computer_to_move and self.game.moves:
            self.session.pop()
        self.save()
        return before - len(self.game.moves)

    def _starts_flipped(self) -> bool:
        """The board stands as the person sees it who plays against the computer."""
        second = self.session.variant.rules.side_letters[1]
        return self.computer not in {None, self.session.player_of(second)}

    def _show_result(self, outcome: Outcome) -> None:
        winner = outcome.winner
        who = f" ({self.player_name(self.session.player_of(winner))})" if winner else ""
        print_wrapped(f"game {len(self.session.rounds)}: {ending_text(outcome)}{who}")
        match, length = self.session.match, self.session.variant.rules.match
        if length.how == "single":
            return
        standing = match.winning_streaks if length.how == "consecutive" else match.wins
        what = "wins in a row" if length.how == "consecutive" else "wins"
        names = ", ".join(
            f"{self.player_name(player)} {count}"
            for player, count in zip(PLAYERS, standing, strict=True)
        )
        print_wrapped(f"{what}: {names}")
        if match.winner:
            print_wrapped(f"{self.player_name(match.winner)} wins the match")


def _read_kif_or_csa_move(game: Game, move: Move | str) -> Move | str:
    """The move that a text in KIF or CSA stands for, any other as it is."""
    for form in SHOGI_FORMATS if isinstance(move, str) and has_shogi_names(game.variant) else ():
        try:
            return FORMATS[form].read(game, str(move))
        except NotationError as error:
            if error.kind != "unreadable-move":
                raise
    return move


class InGameCommand(NamedTuple):
    """A command: what it is followed by, what it does in words, and what does it."""

    words: str
    act: Callable[[TerminalMatch], None] | Callable[[TerminalMatch, str], None]
    argument: str = ""


def run_input(terminal_match: TerminalMatch, line: str) -> None:
    """Do what was typed; what is wrong with it is shown, and nothing has happened then."""
    text = line.strip()
    if len(text) > MAX_INPUT_LENGTH:
        print_wrapped(f"this line has {len(text)} characters; at most {MAX_INPUT_LENGTH} are read")
        return
    word, _, rest = text.partition(" ")
    order = IN_GAME_COMMANDS.get(word.lower())
    try:
        if order is not None and rest and not order.argument:
            print_wrapped(f"nothing follows {word}; leave out {rest.strip()}")
        elif order is not None:
            order.act(*((terminal_match, rest.strip()) if order.argument else (terminal_match,)))
        elif text and not _show_targets_if_square_or_piece(terminal_match, text):
            terminal_match.move(text)
    except AlfilError as error:
        terminal_match.show_error(error)


def _show_targets_if_square_or_piece(terminal_match: TerminalMatch, text: str) -> bool:
    """Show where a piece can go, on a square or in hand; whether this is the name of either."""
    game, variant = terminal_match.game, terminal_match.session.variant
    name = text.lower()
    square = parse_square(name, variant.files, variant.ranks, variant.rules.coordinates)
    kind = next((kind for kind in variant.kinds if kind.code.lower() == name), None)
    if square is not None:
        code, side = game.pieces.get(square, ("", None))
        if side == game.side_to_move:
            moves = [move for move in game.legal_moves if move.origin == square]
            _show_targets(terminal_match, f"{code} on {name}", moves, square)
        elif game.is_legal(text):
            return False  # e4 is a pawn's move where none of one's own stands there
        else:
            example = " or ".join(_example_inputs(terminal_match)[:2])
            print_wrapped(f"the side to move has no piece on {name}; write a move as {example}")
    elif kind is not None:
        moves = [move for move in game.legal_moves if move.code == kind.code]
        if not _has_hands(variant):
            _show_targets(terminal_match, kind.code, moves)
        elif game.hands[game.side_to_move].get(kind.code):
            _show_targets(
                terminal_match, f"{kind.code} in hand", [move for move in moves if move.is_drop]
            )
        else:
            print_wrapped(f"no {kind.name} is in hand")
    return square is not None or kind is not None


def _has_hands(variant: Variant) -> bool:
    return variant.rules.drops != "no" or any(variant.hands)


def _show_targets(
    terminal_match: TerminalMatch, what: str, moves: list[Move], chosen: Square | None = None
) -> None:
    if not moves:
        print_wrapped(f"{what} has no legal move")
        return
    terminal_match.show_board({move.target for move in moves}, chosen)
    _print_moves_of_piece(terminal_match.game, what, moves)


def _print_moves_of_piece(game: Game, what: str, moves: list[Move]) -> None:
    """Moves of one piece; drops on nearly every empty square are named by the squares left out."""
    words = [write_move(game, move) for move in moves]
    targets = {move.target for move in moves}
    board = product(range(game.variant.files), range(game.variant.ranks))
    others = sorted(map(game.square_name, {*board} - game.pieces.keys() - targets))
    if moves[0].is_drop and len(moves) == len(targets) > DROP_LIST_RATIO * len(others):
        but = f" but {' '.join(others)}" if others else ""
        words = f"any empty square{but}, as in {words[0]}".split()
    for line in wrapped(" ".join(words), line_width(), "    ", f"{what}: "):
        input_output.print_escaped_line(line)


# One square left out is worth so many that are not.
DROP_LIST_RATIO = 2


def _print_moves(terminal_match: TerminalMatch) -> None:
    by_piece: dict[tuple[str, bool], list[Move]] = {}
    for move in terminal_match.game.legal_moves:
        by_piece.setdefault((move.code, move.is_drop), []).append(move)
    for (code, dropped), moves in by_piece.items():
        _print_moves_of_piece(terminal_match.game, f"{code} in hand" if dropped else code, moves)


def _take_back(terminal_match: TerminalMatch) -> None:
    count = terminal_match.take_back()
    if not count:
        print_wrapped("no move of yours is to be taken back")
        return
    print_wrapped(f"{count} {plural('move', count)} taken back")
    terminal_match.show_board_if_enabled()


def _end_game(terminal_match: TerminalMatch, act: Callable[[Session], object]) -> None:
    act(terminal_match.session)
    terminal_match.save()
    terminal_match.show_position_and_result(is_board_changed=False)


def _add_comment(terminal_match: TerminalMatch, argument: str) -> None:
    if not argument:
        print_wrapped("write the comment after the word: comment a fine move")
        return
    terminal_match.session.comment(argument)
    terminal_match.save()
    print_wrapped("noted")


def _save_as(terminal_match: TerminalMatch, argument: str) -> None:
    if argument:
        terminal_match.change_save_file(Path(argument))
    else:
        terminal_match.save()
    print_wrapped(
        f"saved in {terminal_match.path}"
        if terminal_match.path
        else "not saved; to save the match: save FILE"
    )


def _print_help(terminal_match: TerminalMatch) -> None:
    print_wrapped(f"a move        {' or '.join(_example_inputs(terminal_match))}")
    print_wrapped("a square      where the piece on it can go")
    variant = terminal_match.session.variant
    can_drop = "where one in hand can be dropped"
    print_wrapped(
        f"a piece       {can_drop if _has_hands(variant) else 'where pieces of this type can go'}"
    )
    for name, order in IN_GAME_COMMANDS.items():
        if name == IMPASSE_COMMAND and not variant.rules.impasse:
            continue
        print_wrapped(f"{f'{name} {order.argument}':<14}{order.words}")


def _example_inputs(terminal_match: TerminalMatch) -> list[str]:
    """A legal move in both spellings, and a drop if there is one."""
    moves = terminal_match.game.legal_moves
    first = moves[-1] if all(move.is_drop for move in moves) else moves[0]
    drops = [move for move in moves if move.is_drop and move != first]
    return [
        write_move(terminal_match.game, first),
        str(first),
        *(write_move(terminal_match.game, move) for move in drops[:1]),
    ]


# A command for games that have the rule.
IMPASSE_COMMAND = "impasse"
IN_GAME_COMMANDS = {
    "moves": InGameCommand("all legal moves", _print_moves),
    "board": InGameCommand("the board again", TerminalMatch.show_board),
    "flip": InGameCommand("the board from the other side", TerminalMatch.flip),
    "undo": InGameCommand("take the last move back", _take_back),
    "resign": InGameCommand("give this game up", lambda each: _end_game(each, Session.resign)),
    IMPASSE_COMMAND: InGameCommand(
        "agree on a draw by impasse", lambda each: _end_game(each, Session.agree_impasse)
    ),
    "comment": InGameCommand("note something beside the last move", _add_comment, "TEXT"),
    "save": InGameCommand("save the match in this file from now on", _save_as, "FILE"),
    "help": InGameCommand("this list", _print_help),
    "quit": InGameCommand("leave; a saved match can be continued", TerminalMatch.stop_playing),
}
