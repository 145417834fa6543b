"""A piece file as an engine: the server side of UCI, USI and CECP.

The first word decides the protocol: `xboard`, `uci` or `usi`. Commands are obeyed one after the
other; what is not understood is passed over, or named where the protocol has words for that. The
opponent thinks in its time, or until `stop`, `?` in CECP; an endless search is answered then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from queue import Queue
from threading import Thread
from time import perf_counter
from typing import ClassVar

from alfil.errors import AlfilError
from alfil.exchange.protocol_notation import Protocol, ProtocolNotation
from alfil.exchange.xboard import feature_commands, move_notation, setup_commands, xboard_name
from alfil.game.moves import Move
from alfil.library.library import Library
from alfil.play.game import Game
from alfil.play.opponent import (
    DEPTH,
    MAX_DEPTH,
    MIN_TIME,
    NODES,
    UNLIMITED_NODES,
    Analysis,
    Clock,
    Opponent,
)
from alfil.play.outcomes import CLAIMABLE_REASONS

Output = Callable[[str], None]
StopRequested = Callable[[], bool]
INTEGER = re.compile(r"-?[0-9]{1,12}")
TIME_CONTROL = re.compile(
    r"([0-9]{1,12}) ([0-9]{1,12})(?::([0-9]{1,12}))? ([0-9]{1,12}(?:\.[0-9]{1,12})?)"
)
# What has the opponent answer with what it has found, and how many lines may wait meanwhile.
STOP_COMMANDS = frozenset({"stop", "?"})
MAX_WAITING_LINES = 1000
# What CECP says that changes nothing here.
IGNORED_COMMANDS = re.findall(
    r"\S+",
    """? . xboard accepted rejected random hard easy otim name rating ics computer white black draw
    bk pause resume option cores memory egtpath""",
)
# What UCI calls games whose files have another name: as Stockfish and its kin do.
UCI_NAMES = {
    "chess960": "chess",
    "three_check": "3check",
    "king_of_the_hill": "kingofthehill",
    "racing_kings": "racingkings",
    "los_alamos": "losalamos",
    "tori": "torishogi",
    "yari": "yarishogi",
}
# What it takes to be told the move and to tell the other one.
TIME_MARGIN = 0.02
# The longest that one move may take, in seconds.
UNLIMITED_TIME = 86_400


def serve(library: Library, lines: Iterable[str], output: Output, *, seed: int = 0) -> None:
    """Answer the lines of a graphical interface, until it says `quit` or nothing more.

    ``output`` is called with each line of the answers. Raises `AlfilError` for a game that cannot
    be played from its set-up.

    >>> import alfil
    >>> serve(alfil.load("minishogi"), ["usi", "isready", "quit"], print)
    id name alfil minishogi
    id author alfil
    usiok
    readyok
    """
    server: _ProtocolServer | None = None
    library.game()
    inbox = _Inbox(lines)
    for word, arguments in inbox:
        if server is None and word in PROTOCOLS:
            kind, protocol = PROTOCOLS[word]
            server = kind(library, protocol, output, seed, inbox.is_stop_requested)
        if server:
            server.execute(word, arguments)


class _Inbox:
    """The lines of an interface, read while the opponent thinks: the first word, and the rest."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._waiting: Queue[tuple[str, str] | None] = Queue(MAX_WAITING_LINES)
        # How often a search was to be stopped so far, as far as read, and as far as obeyed.
        self._read = self._obeyed = 0
        Thread(target=self._listen, args=(lines,), daemon=True).start()

    def _listen(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                word, _, arguments = line.strip().partition(" ")
                if word == "quit":
                    break
                self._read += word in STOP_COMMANDS
                self._waiting.put((word, arguments.strip()))
        finally:
            self._waiting.put(None)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        while (result := self._waiting.get()) is not None:
            self._obeyed += result[0] in STOP_COMMANDS
            yield result

    def is_stop_requested(self) -> bool:
        """Whether a search that goes on now is to be stopped."""
        return self._read > self._obeyed


class _ProtocolServer:
    """One protocol: the game as it stands, and the opponent that plays it."""

    # The methods that obey words, and those of them that are given the rest of the line.
    method_by_command: ClassVar[Mapping[str, str]] = {}
    methods_with_arguments: ClassVar[Collection[str]] = ()

    def __init__(
        self,
        library: Library,
        protocol: Protocol,
        output: Output,
        seed: int,
        stopped: StopRequested,
    ) -> None:
        self.library = library
        variant = library.variant
        self.spelling = (
            move_notation(variant) if protocol == "cecp" else ProtocolNotation(variant, protocol)
        )
        self.say = output
        self.game = library.game()
        self._usi = protocol == "usi"
        self._seed, self._stopped = seed, stopped
        self._opponent: Opponent | None = None

    def execute(self, word: str, arguments: str) -> None:
        """Do what a line says."""
        if name := self.method_by_command.get(word):
            getattr(self, name)(*([arguments] if name in self.methods_with_arguments else []))
        elif word not in IGNORED_COMMANDS:
            self.execute_unknown(word, arguments)

    def execute_unknown(self, word: str, arguments: str) -> None:
        """Ignore an unknown command."""
        del word, arguments

    def search(
        self, depth: int, nodes: int, seconds: float | None, moves: Sequence[Move] = ()
    ) -> Analysis:
        """The best move of a game that goes on; what the opponent knows is made at the first."""
        opponent = self._opponent or Opponent(self.library.variant, seed=self._seed, keep_hash=True)
        self._opponent = opponent
        opponent.depth, opponent.nodes = max(1, min(depth, MAX_DEPTH)), max(1, nodes)
        return opponent.analyse(self.game, seconds, self._stopped, moves)

    def forget_search(self) -> None:
        """Forget what was searched, for another game."""
        self._opponent = None

    def set_position(self, text: str | None) -> str:
        """Set the position, the starting one for None; returns the error, if any."""
        try:
            sfen = None if text is None else self.spelling.to_game_position_text(text, self.game)
            self.game = Game(self.library.variant, sfen)
        except AlfilError as error:
            return error.diagnostics[0].message
        return ""


class _UciServer(_ProtocolServer):
    """UCI, and USI, which has the same commands with some other names."""

    method_by_command: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(["uci", "usi"], "send_identification"),
        "isready": "confirm_ready",
        "position": "set_position_from_command",
        "go": "go",
        **dict.fromkeys(["stop", "ponderhit"], "stop"),
        **dict.fromkeys(["ucinewgame", "usinewgame"], "forget_search"),
    }
    methods_with_arguments = ("set_position_from_command", "go")

    _held_best_move = ""
    # A position that cannot be read is answered with no move, not with one of another.
    _problem = ""

    def send_identification(self) -> None:
        """Say who this is."""
        name = self.library.variant.name
        self.say(f"id name alfil {name}")
        self.say("id author alfil")
        if not self._usi:
            uci_name = UCI_NAMES.get(name, name)
            self.say(f"option name UCI_Variant type combo default {uci_name} var {uci_name}")
            if any(kind.castles_to for kind in self.library.variant.kinds):
                self.say("option name UCI_Chess960 type check default true")
        self.say("usiok" if self._usi else "uciok")

    def confirm_ready(self) -> None:
        """Say that all has been done."""
        self.say("readyok")

    def set_position_from_command(self, arguments: str) -> None:
        """Set up a position, and make moves from it."""
        where, _, moves = arguments.partition("moves")
        form, _, text = where.strip().partition(" ")
        known = form in {"startpos", "fen", "sfen"}
        self._problem = self.set_position(None if form == "startpos" else text)
        if not known:
            self._problem = f"no position: {arguments}"
        # Who leads the game says when it is drawn; a move is asked for where there is one.
        self.game.play_on()
        for each in moves.split():
            move = self.spelling.read(self.game, each)
            if self._problem or move is None:
                self._problem = self._problem or f"illegal move: {each}"
                break
            self.game.push(move)
        if self._problem:
            self.say(f"info string {self._problem}")

    def go(self, arguments: str) -> None:
        """Look for a move in the time that is given, and tell it."""
        limits = _numbers_by_keyword(arguments)
        if self._usi and arguments.split()[:1] == ["mate"]:
            # Checks in a row up to mate are another search, and have another answer.
            self.say("checkmate notimplemented")
            return
        if self._problem or self.game.outcome():
            self._send_or_hold_best_move("resign" if self._usi else "(none)", arguments)
            return
        seconds = self._time_limit(limits)
        depth = limits.get(
            "depth", DEPTH if seconds is None and "nodes" not in limits else MAX_DEPTH
        )
        nodes = limits.get("nodes", NODES if "depth" not in limits else UNLIMITED_NODES)
        result = self.search(depth, nodes, seconds, self._moves_after_searchmoves(arguments))
        text = self.spelling.write(self.game, result.move)
        self.say(
            f"info depth {result.depth} score {self._score_text(result)}"
            f" nodes {result.nodes} pv {text}"
        )
        self._send_or_hold_best_move(text, arguments)

    def _moves_after_searchmoves(self, arguments: str) -> list[Move]:
        """The legal moves behind `searchmoves`, as far as they go; none stand for all."""
        _, _, texts = arguments.partition("searchmoves")
        read = (self.spelling.read(self.game, each) for each in texts.split())
        return [*takewhile(lambda move: move is not None, read)]  # type: ignore[list-item]

    def stop(self) -> None:
        """Send the delayed best move."""
        if self._held_best_move:
            self.say(self._held_best_move)
            self._held_best_move = ""

    def _send_or_hold_best_move(self, move: str, arguments: str) -> None:
        self._held_best_move = f"bestmove {move}"
        if not {"infinite", "ponder"} & set(arguments.split()):
            self.stop()

    def _time_limit(self, limits: dict[str, int]) -> float | None:
        """The time for this move, None where it is not limited."""
        if "movetime" in limits:
            return max(MIN_TIME, min(limits["movetime"] / 1000, UNLIMITED_TIME) - TIME_MARGIN)
        left, more = ("wtime", "btime"), ("winc", "binc")
        # In USI the first side is black.
        turn = self.game.side_to_move if not self._usi else 1 - self.game.side_to_move
        extra = min(limits.get("byoyomi", 0) / 1000, UNLIMITED_TIME)
        if left[turn] not in limits:
            return max(MIN_TIME, extra - TIME_MARGIN) if extra else None
        seconds = max(0, limits[left[turn]]) / 1000
        share = _time_for_next_move(seconds, limits.get(more[turn], 0) / 1000)
        if limits.get("movestogo", 0) > 0:
            share = max(share, min(seconds, UNLIMITED_TIME) / (limits["movestogo"] + 1))
        return max(MIN_TIME, share + extra - TIME_MARGIN)

    def _score_text(self, result: Analysis) -> str:
        if not result.mate:
            return f"cp {result.score}"
        # UCI counts moves of one side, USI those of both.
        sign = 1 if result.mate > 0 else -1
        return f"mate {result.mate if self._usi else sign * ((abs(result.mate) + 1) // 2)}"


# The words of CECP that are obeyed, by whether something stands behind them that matters.
_METHODS_WITH_ARGUMENTS = (
    "variant",
    "setboard",
    "usermove",
    "ping",
    "level",
    "st",
    "sd",
    "time",
    "post",
)
_METHODS_WITHOUT_ARGUMENTS = ("new", "go", "playother", "force", "undo", "remove", "hint", "nopost")


class _CecpServer(_ProtocolServer):
    """CECP, the protocol of XBoard and WinBoard."""

    method_by_command: ClassVar[Mapping[str, str]] = {
        **{each: each for each in (*_METHODS_WITH_ARGUMENTS, *_METHODS_WITHOUT_ARGUMENTS)},
        "protover": "send_identification",
        "result": "force",
    }
    methods_with_arguments = _METHODS_WITH_ARGUMENTS

    _mine: int | None = None
    _posting = False
    _clock: Clock | None = None
    _seconds: float | None = None
    _depth = 0

    def execute_unknown(self, word: str, arguments: str) -> None:
        """A move may come without its word."""
        if not arguments and self._parse_user_move(word):
            self.usermove(word)
        else:
            self.say(f"Error (unknown command): {word[:60]}")

    def send_identification(self) -> None:
        """Say what this can do."""
        for line in feature_commands(self.library.variant):
            self.say(line)

    def new(self) -> None:
        """Begin again, with the second side."""
        self.set_position(None)
        self.forget_search()
        self._mine, self._depth = 1, 0

    def variant(self, arguments: str) -> None:
        """Describe the game: board, pieces, position."""
        if arguments and arguments != xboard_name(self.library.variant):
            self.say(f"Error (unsupported variant): {arguments[:60]}")
            return
        for line in setup_commands(self.library, self.spelling):
            self.say(line)

    def setboard(self, arguments: str) -> None:
        """Set up a position."""
        problem = self.set_position(arguments)
        if problem:
            self.say(f"tellusererror Illegal position: {problem}")

    def usermove(self, arguments: str) -> None:
        """Make the other side's move, and answer it."""
        move = self._parse_user_move(arguments)
        if move is None:
            self.say(f"Illegal move: {arguments[:60]}")
            return
        self._push_and_report(move)
        self._play_if_due()

    def _parse_user_move(self, text: str) -> Move | None:
        """The move of a string, even after a claimed end that nobody accepted."""
        outcome = self.game.outcome()
        if outcome and outcome.reason in CLAIMABLE_REASONS:
            self.game.play_on()
        return self.spelling.read(self.game, text)

    def go(self) -> None:
        """Play the side to move from now on."""
        self._mine = self.game.side_to_move
        self._play_if_due()

    def playother(self) -> None:
        """Play the side that is not to move from now on."""
        self._mine = 1 - self.game.side_to_move

    def force(self) -> None:
        """Play neither side."""
        self._mine = None

    def ping(self, arguments: str) -> None:
        """Say that all has been done."""
        self.say(f"pong {arguments}")

    def undo(self) -> None:
        """Take back a move."""
        if self.game.moves:
            self.game.pop()

    def remove(self) -> None:
        """Take back a move of each side."""
        self.undo()
        self.undo()

    def hint(self) -> None:
        """Say what the other side might play."""
        if not self.game.outcome():
            move = self.search(2, NODES, 1.0).move
            self.say(f"Hint: {self.spelling.write(self.game, move)}")

    def level(self, arguments: str) -> None:
        """Take the time for the game: moves, minutes or minutes:seconds, and what is added."""
        result = TIME_CONTROL.fullmatch(arguments)
        if result:
            seconds = 60 * int(result[2]) + int(result[3] or 0)
            self._clock, self._seconds = _clock_with_increment(seconds, float(result[4])), None

    def st(self, arguments: str) -> None:
        """Take the seconds for each move."""
        if INTEGER.fullmatch(arguments):
            self._clock = None
            self._seconds = max(MIN_TIME, min(int(arguments), UNLIMITED_TIME) - TIME_MARGIN)

    def sd(self, arguments: str) -> None:
        """Take how far to look ahead."""
        if INTEGER.fullmatch(arguments):
            self._depth = max(1, int(arguments))

    def time(self, arguments: str) -> None:
        """Take what is left on the clock, in hundredths of a second."""
        if INTEGER.fullmatch(arguments) and self._clock:
            self._clock.left = max(0.0, int(arguments) / 100)

    def post(self, arguments: str) -> None:
        """Tell what is thought from now on."""
        self._posting = not arguments

    def nopost(self) -> None:
        """Tell nothing of what is thought from now on."""
        self._posting = False

    def _play_if_due(self) -> None:
        if self.game.side_to_move != self._mine or self.game.outcome():
            return
        seconds = (
            self._clock.seconds_for_next_move() - TIME_MARGIN if self._clock else self._seconds
        )
        begun = perf_counter()
        limited = seconds is not None and not self._depth
        result = self.search(
            MAX_DEPTH if limited else self._depth or DEPTH,
            NODES,
            None if seconds is None else max(MIN_TIME, seconds),
        )
        text = self.spelling.write(self.game, result.move)
        spent = perf_counter() - begun
        if self._clock:
            self._clock.spend(spent)
        if self._posting:
            self.say(f"{result.depth} {result.score} {round(spent * 100)} {result.nodes} {text}")
        # A move of two legs is two lines, the first of which ends in a comma.
        self.say("move " + text.replace(",", ",\nmove "))
        self._push_and_report(result.move)

    def _push_and_report(self, move: Move) -> None:
        self.game.push(move)
        outcome = self.game.outcome()
        if outcome:
            first = self.library.variant.rules.first[0]
            result = {None: "1/2-1/2", first: "1-0"}.get(outcome.winner, "0-1")
            self.say(f"{result} {{{outcome.reason.replace('-', ' ')}}}")


# What the first word chooses.
PROTOCOLS: dict[str, tuple[type[_ProtocolServer], Protocol]] = {
    "xboard": (_CecpServer, "cecp"),
    "protover": (_CecpServer, "cecp"),
    "uci": (_UciServer, "uci"),
    "usi": (_UciServer, "usi"),
}


def _numbers_by_keyword(text: str) -> dict[str, int]:
    """Keyword-number pairs in a command."""
    pairs = pairwise(text.split())
    return {word: int(value) for word, value in pairs if INTEGER.fullmatch(value)}


def _clock_with_increment(seconds: float, increment: float) -> Clock:
    """A clock of so many seconds, which gets some more after each move."""
    return Clock(f"{min(seconds, 99999):.3f}+{min(max(increment, 0), 9999):.3f}")


def _time_for_next_move(seconds: float, increment: float) -> float:
    return _clock_with_increment(seconds, increment).seconds_for_next_move()
