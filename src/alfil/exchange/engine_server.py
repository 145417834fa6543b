"""A piece file as an engine: the server side of UCI, USI and CECP.

The first word decides the protocol: `xboard`, `uci` or `usi`. Commands are obeyed one after the
other; what is not understood is passed over, or named where the protocol has words for that. The
opponent thinks in its time, or until `stop`, `?` in CECP; an endless search is answered then. It
thinks in the other side's time where it is asked to: by `go ponder`, or after `hard` in CECP.
Once the input has ended, what was asked before is still answered, but an endless search ends at
once, and one without a limit of time soon.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from math import inf
from queue import Queue
from threading import Thread
from time import perf_counter
from typing import ClassVar, NamedTuple

from alfil.errors import AlfilError
from alfil.exchange.protocol_notation import Protocol, ProtocolNotation
from alfil.exchange.xboard import feature_commands, move_notation, setup_commands, xboard_name
from alfil.game.moves import Move
from alfil.library.library import Library
from alfil.play.game import Game
from alfil.play.opponent import (
    DEPTH,
    MAX_DEPTH,
    MAX_HASH_MEGABYTES,
    MAX_THREADS,
    NODES,
    UNLIMITED_NODES,
    Analysis,
    Clock,
    Opponent,
)
from alfil.play.opponent_search import MIN_TIME, SearchTime
from alfil.play.outcomes import CLAIMABLE_REASONS

Output = Callable[[str], None]
StopRequested = Callable[[], bool]
INTEGER = re.compile(r"-?[0-9]{1,12}")
TIME_CONTROL = re.compile(
    r"([0-9]{1,12}) ([0-9]{1,12})(?::([0-9]{1,12}))? ([0-9]{1,12}(?:\.[0-9]{1,12})?)"
)
# What has the opponent answer with what it has found, and how many lines may wait meanwhile.
STOP_COMMANDS = frozenset({"stop", "?", "quit"})
MAX_WAITING_LINES = 1000
# What waits in UCI and USI while the opponent searches, and what takes its move away in CECP.
WAITING_COMMANDS = frozenset({"position", "go", "stop", "quit"})
ABORTING_COMMANDS = frozenset({"force", "new", "result"})
# What may be said in CECP while it thinks, and waits until the move is made.
PASSED_COMMANDS = frozenset({"ping", "time", "otim", "post", "nopost", "hard", "easy", "."})
# What CECP says that changes nothing here.
IGNORED_COMMANDS = re.findall(
    r"\S+",
    """? . xboard accepted rejected random otim name rating ics computer white black draw
    bk pause resume option egtpath""",
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
# How long a search without a limit of time continues when nobody can stop it any more.
UNHEARD_SECONDS = 10.0
# What it takes to tell a move and be told the other one, in thousandths of a second, and at most.
MOVE_OVERHEAD, MAX_MOVE_OVERHEAD = 15, 5_000
# The longest that one move may take, in seconds.
UNLIMITED_TIME = 86_400
# How many threads search, and how much memory they have, where the interface does not say.
DEFAULT_HASH_MEGABYTES = 16
DEFAULT_SIZES = {"threads": 1, "hash_megabytes": DEFAULT_HASH_MEGABYTES}
# What options of UCI and USI set.
SIZE_BY_OPTION = {
    "threads": "threads",
    "hash": "hash_megabytes",
    "usi_hash": "hash_megabytes",
}


def serve(library: Library, lines: Iterable[str], output: Output, *, seed: int = 0) -> None:
    """Answer the lines of a graphical interface, until it says `quit` or nothing more.

    ``output`` is called with each line of the answers. Raises `AlfilError` for a game that cannot
    be played from its set-up.

    >>> import alfil
    >>> serve(alfil.load("minishogi"), ["usi", "isready", "quit"], print)
    id name alfil minishogi
    id author alfil
    option name Threads type spin default 1 min 1 max 64
    option name Move_Overhead type spin default 15 min 0 max 5000
    usiok
    readyok
    """
    server: _ProtocolServer | None = None
    library.game()
    inbox = _Inbox(lines)
    for word, arguments in inbox:
        if server is None and word in PROTOCOLS:
            kind, protocol = PROTOCOLS[word]
            server = kind(library, protocol, output, seed, inbox)
        if server:
            server.execute(word, arguments)
            server.ponder()


class _Inbox:
    """The lines of an interface, read while the opponent thinks: the first word, and the rest."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._waiting: Queue[tuple[str, str] | None] = Queue(MAX_WAITING_LINES)
        # How often a search was to be stopped so far, as far as read, and as far as obeyed.
        self._read = self._obeyed = 0
        # When nothing more was to be read.
        self.ended_at = inf
        Thread(target=self._listen, args=(lines,), daemon=True).start()

    def _listen(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                word, _, arguments = line.strip().partition(" ")
                self._read += word in STOP_COMMANDS
                if word == "quit":
                    break
                if word:
                    self._waiting.put((word, arguments.strip()))
        finally:
            self.ended_at = perf_counter()
            self._waiting.put(None)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        while (result := self._waiting.get()) is not None:
            self._obeyed += result[0] in STOP_COMMANDS
            yield result

    def lines_before(self, words: Collection[str]) -> Iterator[tuple[str, str]]:
        """The lines that wait, up to the first one with one of these words."""
        while (word := self.peek_command()) and word not in words:
            yield next(iter(self))

    def is_stop_requested(self) -> bool:
        """Whether a search that goes on now is to be stopped."""
        return self._read > self._obeyed

    def peek_command(self, skipped_commands: Collection[str] = ()) -> str:
        """The first word of the line that waits, empty where none does, `quit` at the end.

        Lines are passed over whose first word is in ``skipped_commands``.
        """
        with self._waiting.mutex:
            words = ("quit" if line is None else line[0] for line in self._waiting.queue)
            return next((word for word in words if word not in skipped_commands), "")


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
        inbox: _Inbox,
    ) -> None:
        self.library = library
        variant = library.variant
        self.spelling = (
            move_notation(variant) if protocol == "cecp" else ProtocolNotation(variant, protocol)
        )
        self.say = output
        self.game = library.game()
        self._usi = protocol == "usi"
        self._inbox = inbox
        self._seed = seed
        self._sizes = dict(DEFAULT_SIZES)
        self._overhead = MOVE_OVERHEAD / 1000
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

    def ponder(self) -> None:
        """Think while nothing is asked, where that is wished."""

    def search(
        self,
        limits: _Limits,
        stopped: StopRequested | None = None,
        moves: Sequence[Move] = (),
    ) -> Analysis:
        """The best move of a game that goes on.

        Where there is too little memory for what the interface chose, that is told, and it searches
        as if nothing had been chosen.
        """
        try:
            return self._search(limits, stopped or self._inbox.is_stop_requested, moves)
        except AlfilError as error:
            if error.kind != "no-memory" or self._sizes == DEFAULT_SIZES:
                raise
            self.send_problem(error.first_error.message)
            self._sizes = dict(DEFAULT_SIZES)
            self.forget_search()
        return self.search(limits, stopped, moves)

    def _search(self, limits: _Limits, stopped: StopRequested, moves: Sequence[Move]) -> Analysis:
        begun = perf_counter()
        opponent = self._opponent or Opponent(
            self.library.variant,
            seed=self._seed,
            keep_hash=True,
            threads=self._sizes["threads"],
            hash_megabytes=self._sizes["hash_megabytes"],
        )
        self._opponent = opponent
        opponent.depth = max(1, min(limits.depth, MAX_DEPTH))
        opponent.nodes = max(1, limits.nodes)

        def tell(found: Analysis) -> None:
            self.send_analysis(found, perf_counter() - begun)

        time = limits.time and limits.time.less(perf_counter() - begun)
        found = opponent.analyse(self.game, time, stopped, moves, tell)
        tell(found)
        return found

    def send_analysis(self, found: Analysis, seconds: float) -> None:
        """Tell what was found after so many seconds."""

    def send_problem(self, message: str) -> None:
        """Tell that something is wrong."""

    def variation_text(self, variation: Iterable[Move]) -> str:
        """Moves from here, one after the other."""
        game, texts = self.game.copy(), []
        for move in variation:
            texts.append(self.spelling.write(game, move))
            game.push(move)
        return " ".join(texts)

    def set_threads_or_hash(self, name: str, text: str) -> None:
        """Have the opponent made anew with another number of ``threads`` or ``hash_megabytes``."""
        if INTEGER.fullmatch(text):
            most = {"threads": MAX_THREADS, "hash_megabytes": MAX_HASH_MEGABYTES}[name]
            self._sizes[name] = max(1, min(int(text), most))
            self.forget_search()

    def forget_search(self) -> None:
        """Forget what was searched, for another game."""
        self._opponent = None

    def set_position(self, text: str | None) -> str:
        """Set the position, the starting one for None; returns the error, if any."""
        try:
            sfen = None if text is None else self.spelling.to_game_position_text(text, self.game)
            self.game = Game(self.library.variant, sfen)
        except AlfilError as error:
            return error.first_error.message
        return ""


class _Limits(NamedTuple):
    """How far a search may go."""

    depth: int = MAX_DEPTH
    nodes: int = UNLIMITED_NODES
    time: SearchTime | None = None


class _UciServer(_ProtocolServer):
    """UCI, and USI, which has the same commands with some other names."""

    method_by_command: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(["uci", "usi"], "send_identification"),
        "isready": "confirm_ready",
        "position": "set_position_from_command",
        "go": "go",
        "stop": "stop",
        "ponderhit": "start_own_time_after_ponderhit",
        "setoption": "set_option",
        **dict.fromkeys(["ucinewgame", "usinewgame"], "forget_search"),
    }
    methods_with_arguments = ("set_position_from_command", "go", "set_option")

    # Whether the best move is sent when that is asked for alone, and what is to be sent then.
    _holding = False
    _held_best_move = ""
    # When a search is to end, at the end of the input as well; how long it has once the move that
    # it ponders on is made.
    _end = inf
    _unheard_seconds = _own_seconds = 0.0
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
        self.say(f"option name Threads type spin default 1 min 1 max {MAX_THREADS}")
        overhead = f"default {MOVE_OVERHEAD} min 0 max {MAX_MOVE_OVERHEAD}"
        self.say(f"option name Move{'_' if self._usi else ' '}Overhead type spin {overhead}")
        if not self._usi:
            # USI interfaces set these two unasked, by other names.
            sizes = f"default {DEFAULT_HASH_MEGABYTES} min 1 max {MAX_HASH_MEGABYTES}"
            self.say(f"option name Hash type spin {sizes}")
            self.say("option name Ponder type check default false")
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
        self.game.ignore_claimable_ends()
        for each in moves.split():
            move = self.spelling.read(self.game, each)
            if self._problem or move is None:
                self._problem = self._problem or f"illegal move: {each}"
                break
            self.game.push(move)
        if self._problem:
            self.send_problem(self._problem)

    def send_problem(self, message: str) -> None:
        """Tell that something is wrong, as an `info` line."""
        self.say(f"info string {message}")

    def go(self, arguments: str) -> None:
        """Look for a move in the time that is given, and tell it."""
        limits = _numbers_by_keyword(arguments)
        if self._usi and arguments.split()[:1] == ["mate"]:
            # Checks in a row up to mate are another search, and have another answer.
            self.say("checkmate notimplemented")
            return
        self._holding = not {"infinite", "ponder"}.isdisjoint(arguments.split())
        time = self._time_limit(limits)
        endless_seconds = inf if limits else 0.0
        self._end = inf
        self._own_seconds = time.optimum if time else endless_seconds
        self._unheard_seconds = inf if time else UNHEARD_SECONDS
        if self._problem or self.game.outcome():
            self._send_or_hold_best_move("resign" if self._usi else "(none)")
            return
        limited = bool(time) or "nodes" in limits or self._holding
        depth = limits.get("depth", MAX_DEPTH if limited else DEPTH)
        nodes = NODES if not self._holding and "depth" not in limits else UNLIMITED_NODES
        result = self.search(
            _Limits(depth, limits.get("nodes", nodes), None if self._holding else time),
            self._is_search_end_due,
            self._moves_after_searchmoves(arguments),
        )
        self._send_or_hold_best_move(self.variation_text(result.line[:2]).replace(" ", " ponder "))

    def _is_search_end_due(self) -> bool:
        """Whether a search is to end; what may be asked during a search is answered here."""
        for word, arguments in self._inbox.lines_before(WAITING_COMMANDS):
            self.execute(word, arguments)
        asked = self._holding and bool(self._inbox.peek_command())
        end = min(self._end, self._inbox.ended_at + self._unheard_seconds)
        return asked or self._inbox.is_stop_requested() or perf_counter() >= end

    def send_analysis(self, found: Analysis, seconds: float) -> None:
        """Tell it as an `info` line."""
        speed = round(found.nodes / max(seconds, MIN_TIME))
        self.say(
            f"info depth {found.depth} score {self._score_text(found)} time {round(1000 * seconds)}"
            f" nodes {found.nodes} nps {speed} pv {self.variation_text(found.line)}"
        )

    def set_option(self, arguments: str) -> None:
        """Take threads, memory, or what a move takes besides; other options change nothing."""
        name, _, text = arguments.removeprefix("name").partition("value")
        name, text = name.strip().lower().replace(" ", "_"), text.strip()
        if size := SIZE_BY_OPTION.get(name):
            self.set_threads_or_hash(size, text)
        elif name == "move_overhead" and INTEGER.fullmatch(text):
            self._overhead = max(0, min(int(text), MAX_MOVE_OVERHEAD)) / 1000

    def _moves_after_searchmoves(self, arguments: str) -> list[Move]:
        """The legal moves behind `searchmoves`, as far as they go; none stand for all."""
        _, _, texts = arguments.partition("searchmoves")
        read = (self.spelling.read(self.game, each) for each in texts.split())
        return [*takewhile(lambda move: move is not None, read)]  # type: ignore[list-item]

    def stop(self) -> None:
        """Send the delayed best move."""
        self._holding = False
        if self._held_best_move:
            self.say(self._held_best_move)
            self._held_best_move = ""

    def start_own_time_after_ponderhit(self) -> None:
        """The move was made that is pondered on: search for as long as for any other move."""
        if self._holding:
            self._end = perf_counter() + self._own_seconds
            self.stop()

    def _send_or_hold_best_move(self, move: str) -> None:
        self._held_best_move = f"bestmove {move}"
        if not self._holding:
            self.stop()

    def _time_limit(self, limits: dict[str, int]) -> SearchTime | None:
        """The time for this move, None where it is not limited."""
        left, more = ("wtime", "btime"), ("winc", "binc")
        # In USI the first side is black.
        turn = self.game.side_to_move if not self._usi else 1 - self.game.side_to_move
        if "movetime" in limits or left[turn] not in limits:
            seconds = limits.get("movetime", limits.get("byoyomi", 0)) / 1000
            known = "movetime" in limits or seconds > 0
            return _time_of_one_move(seconds).less(self._overhead) if known else None
        seconds = min(max(0, limits[left[turn]]) / 1000, UNLIMITED_TIME)
        clock = _clock_with_increment(seconds, limits.get(more[turn], 0) / 1000)
        time = clock.time_for_next_move(self._overhead)
        optimum = time.optimum
        if limits.get("movestogo", 0) > 0:
            share = seconds / (limits["movestogo"] + 1) - self._overhead
            optimum = max(optimum, share)
        extra = min(limits.get("byoyomi", 0) / 1000, UNLIMITED_TIME)
        return SearchTime(optimum + extra, max(optimum, time.maximum) + extra)

    def _score_text(self, result: Analysis) -> str:
        if not result.mate:
            return f"cp {result.score}"
        # UCI counts moves of one side, USI those of both.
        sign = 1 if result.mate > 0 else -1
        return f"mate {result.mate if self._usi else sign * ((abs(result.mate) + 1) // 2)}"


# The words of CECP that are obeyed, by whether something stands behind them that matters.
_METHODS_WITH_ARGUMENTS = (
    "cores",
    "memory",
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
_METHODS_WITHOUT_ARGUMENTS = (
    *("new", "go", "playother", "force", "undo", "remove", "hint", "nopost"),
    *("hard", "easy", "analyze", "exit"),
)


class _CecpServer(_ProtocolServer):
    """CECP, the protocol of XBoard and WinBoard."""

    method_by_command: ClassVar[Mapping[str, str]] = {
        **{each: each for each in (*_METHODS_WITH_ARGUMENTS, *_METHODS_WITHOUT_ARGUMENTS)},
        "protover": "send_identification",
        "result": "force",
    }
    methods_with_arguments = _METHODS_WITH_ARGUMENTS

    _mine: int | None = None
    _posting = _pondering = _analysing = False
    _clock: Clock | None = None
    _time_per_move: SearchTime | None = None
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
            self.send_problem(f"Illegal position: {problem}")

    def send_problem(self, message: str) -> None:
        """Have the interface show that something is wrong."""
        self.say(f"tellusererror {message}")

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
            self.game.ignore_claimable_ends()
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
            move = self.search(_Limits(2, NODES, SearchTime.exactly(1.0))).move
            self.say(f"Hint: {self.spelling.write(self.game, move)}")

    def level(self, arguments: str) -> None:
        """Take the time for the game: moves, minutes or minutes:seconds, and what is added."""
        result = TIME_CONTROL.fullmatch(arguments)
        if result:
            seconds = 60 * int(result[2]) + int(result[3] or 0)
            self._clock = _clock_with_increment(seconds, float(result[4]))
            self._time_per_move = None

    def st(self, arguments: str) -> None:
        """Take the seconds for each move."""
        if INTEGER.fullmatch(arguments):
            self._clock = None
            self._time_per_move = _time_of_one_move(int(arguments)).less(self._overhead)

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

    def hard(self) -> None:
        """Think in the other side's time from now on."""
        self._pondering = True

    def easy(self) -> None:
        """Think in one's own time alone from now on."""
        self._pondering = False

    def analyze(self) -> None:
        """Search every position from now on, and tell what is thought of it."""
        self.force()
        self._analysing = True

    def exit(self) -> None:
        """Analyse no longer."""
        self._analysing = False

    def cores(self, arguments: str) -> None:
        """Take how many threads may search."""
        self.set_threads_or_hash("threads", arguments)

    def memory(self, arguments: str) -> None:
        """Take how many megabytes may be used."""
        self.set_threads_or_hash("hash_megabytes", arguments)

    def ponder(self) -> None:
        """Search until something is said: the other side's moves, or any position in analysis.

        What is found is remembered.
        """
        others = self.game.moves and self._mine == 1 - self.game.side_to_move
        wanted = self._analysing or (self._pondering and others)
        # What is said together is heard as a whole first.
        if wanted and not self._inbox.peek_command() and not self.game.outcome():
            self.search(_Limits(), lambda: bool(self._inbox.peek_command()))

    def send_analysis(self, found: Analysis, seconds: float) -> None:
        """Tell it as a line of thinking output."""
        if self._posting or self._analysing:
            hundredths = round(seconds * 100)
            line = self.variation_text(found.line)
            self.say(f"{found.depth} {found.score} {hundredths} {found.nodes} {line}")

    def _play_if_due(self) -> None:
        asked = self.game.side_to_move == self._mine and not self._analysing
        if not asked or self.game.outcome():
            return
        time = (
            self._clock.time_for_next_move(self._overhead) if self._clock else self._time_per_move
        )
        begun = perf_counter()
        limited = time and not self._depth
        result = self.search(
            _Limits(MAX_DEPTH if limited else self._depth or DEPTH, NODES, time),
            lambda: self._inbox.is_stop_requested() or self._is_aborted(),
        )
        if self._is_aborted():
            return
        text = self.spelling.write(self.game, result.move)
        if self._clock:
            self._clock.spend(perf_counter() - begun)
        # A move of two legs is two lines, the first of which ends in a comma.
        self.say("move " + text.replace(",", ",\nmove "))
        self._push_and_report(result.move)

    def _is_aborted(self) -> bool:
        return self._inbox.peek_command(PASSED_COMMANDS) in ABORTING_COMMANDS

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


def _time_of_one_move(seconds: float) -> SearchTime:
    return SearchTime.exactly(min(seconds, UNLIMITED_TIME))
