"""A game of a piece file as an engine: what a graphical interface says, and what is answered.

The first word decides the protocol: `xboard`, `uci` or `usi`. Commands are obeyed one after the
other; what is not understood is passed over, or named where the protocol has words for that. The
opponent thinks in its time, or until `stop`, `?` in CECP; an endless search is answered then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import pairwise
from queue import Queue
from threading import Thread
from time import perf_counter
from typing import ClassVar

from alfil.errors import AlfilError
from alfil.exchange.spelling import Protocol, Spelling
from alfil.exchange.xboard import features, name_in_xboard, setup, spelling
from alfil.game.moves import Move
from alfil.library.library import Library
from alfil.play.game import Game
from alfil.play.opponent import DEEPEST, DEPTH, LEAST, NODES, UNCOUNTED, Analysis, Clock, Opponent
from alfil.play.outcome import CLAIMS

Say = Callable[[str], None]
Stopped = Callable[[], bool]
NUMBER = re.compile(r"-?[0-9]{1,12}")
# What has the opponent answer with what it has found, and how many lines may wait meanwhile.
STOPS = frozenset({"stop", "?"})
MOST_WAITING = 1000
# What CECP says that changes nothing here.
IGNORED = re.findall(
    r"\S+",
    """? . xboard accepted rejected random hard easy otim name rating ics computer white black draw
    bk pause resume option cores memory egtpath""",
)
# What it takes to be told the move and to tell the other one.
MARGIN = 0.02
# The longest that one move may take, in seconds.
A_DAY = 86_400


def serve(library: Library, lines: Iterable[str], say: Say, *, seed: int = 0) -> None:
    """Answer the lines of a graphical interface, until it says `quit` or nothing more.

    ``say`` is called with each line of the answers. Raises `AlfilError` for a game that cannot be
    played from its set-up.

    >>> import alfil
    >>> serve(alfil.load("minishogi"), ["usi", "isready", "quit"], print)
    id name alfil minishogi
    id author alfil
    usiok
    readyok
    """
    speaker: _Speaker | None = None
    library.game()
    inbox = _Inbox(lines)
    for word, rest in inbox:
        if speaker is None and word in PROTOCOLS:
            kind, protocol = PROTOCOLS[word]
            speaker = kind(library, protocol, say, seed, inbox.is_stopped)
        if speaker:
            speaker.obey(word, rest)


class _Inbox:
    """The lines of an interface, read while the opponent thinks: the first word, and the rest."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._waiting: Queue[tuple[str, str] | None] = Queue(MOST_WAITING)
        # How often a search was to be stopped so far, as far as read, and as far as obeyed.
        self._read = self._obeyed = 0
        Thread(target=self._listen, args=(lines,), daemon=True).start()

    def _listen(self, lines: Iterable[str]) -> None:
        try:
            for line in lines:
                word, _, rest = line.strip().partition(" ")
                if word == "quit":
                    break
                self._read += word in STOPS
                self._waiting.put((word, rest.strip()))
        finally:
            self._waiting.put(None)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        while (found := self._waiting.get()) is not None:
            self._obeyed += found[0] in STOPS
            yield found

    def is_stopped(self) -> bool:
        """Whether a search that goes on now is to be stopped."""
        return self._read > self._obeyed


class _Speaker:
    """One protocol: the game as it stands, and the opponent that plays it."""

    # The methods that obey words, and those of them that are given the rest of the line.
    orders: ClassVar[Mapping[str, str]] = {}
    given_rest: ClassVar[Collection[str]] = ()

    def __init__(
        self, library: Library, protocol: Protocol, say: Say, seed: int, stopped: Stopped
    ) -> None:
        self.library = library
        variant = library.variant
        self.spelling = spelling(variant) if protocol == "cecp" else Spelling(variant, protocol)
        self.say = say
        self.game = library.game()
        self._seed, self._stopped = seed, stopped
        self._opponent: Opponent | None = None

    def obey(self, word: str, rest: str) -> None:
        """Do what a line says."""
        if name := self.orders.get(word):
            getattr(self, name)(*([rest] if name in self.given_rest else []))
        elif word not in IGNORED:
            self.unknown(word, rest)

    def unknown(self, word: str, rest: str) -> None:
        """What is not understood is passed over."""
        del word, rest

    def think(self, depth: int, nodes: int, seconds: float | None) -> Analysis:
        """The best move of a game that goes on; what the opponent knows is made at the first."""
        opponent = self._opponent or Opponent(self.library.variant, seed=self._seed)
        self._opponent = opponent
        opponent.depth, opponent.nodes = max(1, min(depth, DEEPEST)), max(1, nodes)
        return opponent.analyse(self.game, seconds, self._stopped)

    def place(self, text: str | None) -> str:
        """Begin from a position, the start where None is given; what is wrong with it."""
        try:
            sfen = None if text is None else self.spelling.position(text, self.game)
            self.game = Game(self.library.variant, sfen)
        except AlfilError as error:
            return error.findings[0].message
        return ""


class _Uci(_Speaker):
    """UCI, and USI, which has the same commands with some other names."""

    orders: ClassVar[Mapping[str, str]] = {
        **dict.fromkeys(["uci", "usi"], "introduce"),
        "isready": "ready",
        "position": "stand",
        "go": "go",
        **dict.fromkeys(["stop", "ponderhit"], "stop"),
    }
    given_rest = ("stand", "go")

    def __init__(
        self, library: Library, protocol: Protocol, say: Say, seed: int, stopped: Stopped
    ) -> None:
        super().__init__(library, protocol, say, seed, stopped)
        self._usi = protocol == "usi"
        self._held = ""
        # A position that cannot be read is answered with no move, not with one of another.
        self._problem = ""

    def introduce(self) -> None:
        """Say who this is."""
        name = self.library.variant.name
        self.say(f"id name alfil {name}")
        self.say("id author alfil")
        if not self._usi:
            self.say(f"option name UCI_Variant type combo default {name} var {name}")
        self.say("usiok" if self._usi else "uciok")

    def ready(self) -> None:
        """Say that all has been done."""
        self.say("readyok")

    def stand(self, rest: str) -> None:
        """Set up a position, and make moves from it."""
        where, _, moves = rest.partition("moves")
        form, _, text = where.strip().partition(" ")
        known = form in {"startpos", "fen", "sfen"}
        self._problem = self.place(None if form == "startpos" else text)
        if not known:
            self._problem = f"no position: {rest}"
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

    def go(self, rest: str) -> None:
        """Look for a move in the time that is given, and tell it."""
        given = _numbers(rest)
        if self._usi and rest.split()[:1] == ["mate"]:
            # Checks in a row up to mate are another search, and have another answer.
            self.say("checkmate notimplemented")
            return
        if self._problem or self.game.outcome():
            self._answer("resign" if self._usi else "(none)", rest)
            return
        seconds = self._seconds(given)
        depth = given.get("depth", DEPTH if seconds is None and "nodes" not in given else DEEPEST)
        nodes = given.get("nodes", NODES if "depth" not in given else UNCOUNTED)
        found = self.think(depth, nodes, seconds)
        text = self.spelling.write(self.game, found.move)
        self.say(
            f"info depth {found.depth} score {self._score(found)} nodes {found.nodes} pv {text}"
        )
        self._answer(text, rest)

    def stop(self) -> None:
        """Tell the move that was held back."""
        if self._held:
            self.say(self._held)
            self._held = ""

    def _answer(self, move: str, rest: str) -> None:
        self._held = f"bestmove {move}"
        if not {"infinite", "ponder"} & set(rest.split()):
            self.stop()

    def _seconds(self, given: dict[str, int]) -> float | None:
        """The time for this move, None where it is not limited."""
        if "movetime" in given:
            return max(LEAST, min(given["movetime"] / 1000, A_DAY) - MARGIN)
        left, more = ("wtime", "btime"), ("winc", "binc")
        # In USI the first side is black.
        turn = self.game.turn if not self._usi else 1 - self.game.turn
        extra = min(given.get("byoyomi", 0) / 1000, A_DAY)
        if left[turn] not in given:
            return max(LEAST, extra - MARGIN) if extra else None
        seconds = max(0, given[left[turn]]) / 1000
        share = _share(seconds, given.get(more[turn], 0) / 1000)
        if given.get("movestogo", 0) > 0:
            share = max(share, min(seconds, A_DAY) / (given["movestogo"] + 1))
        return max(LEAST, share + extra - MARGIN)

    def _score(self, found: Analysis) -> str:
        if not found.mate:
            return f"cp {found.score}"
        # UCI counts moves of one side, USI those of both.
        sign = 1 if found.mate > 0 else -1
        return f"mate {found.mate if self._usi else sign * ((abs(found.mate) + 1) // 2)}"


# The words of CECP that are obeyed, by whether something stands behind them that matters.
_GIVEN_REST = ("variant", "setboard", "usermove", "ping", "level", "st", "sd", "time", "post")
_ALONE = ("new", "go", "playother", "force", "undo", "remove", "hint", "nopost")


class _Cecp(_Speaker):
    """CECP, the protocol of XBoard and WinBoard."""

    orders: ClassVar[Mapping[str, str]] = {
        **{each: each for each in (*_GIVEN_REST, *_ALONE)},
        "protover": "introduce",
        "result": "force",
    }
    given_rest = _GIVEN_REST

    def __init__(
        self, library: Library, protocol: Protocol, say: Say, seed: int, stopped: Stopped
    ) -> None:
        super().__init__(library, protocol, say, seed, stopped)
        self._mine: int | None = None
        self._posting = False
        self._clock: Clock | None = None
        self._seconds: float | None = None
        self._depth = 0

    def unknown(self, word: str, rest: str) -> None:
        """A move may come without its word."""
        if not rest and self._meant(word):
            self.usermove(word)
        else:
            self.say(f"Error (unknown command): {word[:60]}")

    def introduce(self) -> None:
        """Say what this can do."""
        for line in features(self.library.variant):
            self.say(line)

    def new(self) -> None:
        """Begin again, with the second side."""
        self.place(None)
        self._mine, self._depth = 1, 0

    def variant(self, rest: str) -> None:
        """Describe the game: board, pieces, position."""
        if rest and rest != name_in_xboard(self.library.variant):
            self.say(f"Error (unsupported variant): {rest[:60]}")
            return
        for line in setup(self.library, self.spelling):
            self.say(line)

    def setboard(self, rest: str) -> None:
        """Set up a position."""
        problem = self.place(rest)
        if problem:
            self.say(f"tellusererror Illegal position: {problem}")

    def usermove(self, rest: str) -> None:
        """Make the other side's move, and answer it."""
        move = self._meant(rest)
        if move is None:
            self.say(f"Illegal move: {rest[:60]}")
            return
        self._push(move)
        self._play()

    def _meant(self, text: str) -> Move | None:
        """The move of a text, though nobody took an end that was told."""
        outcome = self.game.outcome()
        if outcome and outcome.reason in CLAIMS:
            self.game.play_on()
        return self.spelling.read(self.game, text)

    def go(self) -> None:
        """Play the side to move from now on."""
        self._mine = self.game.turn
        self._play()

    def playother(self) -> None:
        """Play the side that is not to move from now on."""
        self._mine = 1 - self.game.turn

    def force(self) -> None:
        """Play neither side."""
        self._mine = None

    def ping(self, rest: str) -> None:
        """Say that all has been done."""
        self.say(f"pong {rest}")

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
            move = self.think(2, NODES, 1.0).move
            self.say(f"Hint: {self.spelling.write(self.game, move)}")

    def level(self, rest: str) -> None:
        """Take the time for the game: moves, minutes or minutes:seconds, and what is added."""
        found = re.fullmatch(r"(\d+) (\d+)(?::(\d+))? (\d+(?:\.\d+)?)", rest)
        if found:
            seconds = 60 * int(found[2]) + int(found[3] or 0)
            self._clock, self._seconds = _clock(seconds, float(found[4])), None

    def st(self, rest: str) -> None:
        """Take the seconds for each move."""
        if NUMBER.fullmatch(rest):
            self._clock, self._seconds = None, max(LEAST, min(int(rest), A_DAY) - MARGIN)

    def sd(self, rest: str) -> None:
        """Take how far to look ahead."""
        if NUMBER.fullmatch(rest):
            self._depth = max(1, int(rest))

    def time(self, rest: str) -> None:
        """Take what is left on the clock, in hundredths of a second."""
        if NUMBER.fullmatch(rest) and self._clock:
            self._clock.left = max(0.0, int(rest) / 100)

    def post(self, rest: str) -> None:
        """Tell what is thought from now on."""
        self._posting = not rest

    def nopost(self) -> None:
        """Tell nothing of what is thought from now on."""
        self._posting = False

    def _play(self) -> None:
        if self.game.turn != self._mine or self.game.outcome():
            return
        seconds = self._clock.share() - MARGIN if self._clock else self._seconds
        begun = perf_counter()
        limited = seconds is not None and not self._depth
        found = self.think(
            DEEPEST if limited else self._depth or DEPTH,
            NODES,
            None if seconds is None else max(LEAST, seconds),
        )
        text = self.spelling.write(self.game, found.move)
        spent = perf_counter() - begun
        if self._clock:
            self._clock.spend(spent)
        if self._posting:
            self.say(f"{found.depth} {found.score} {round(spent * 100)} {found.nodes} {text}")
        self.say(f"move {text}")
        self._push(found.move)

    def _push(self, move: Move) -> None:
        self.game.push(move)
        outcome = self.game.outcome()
        if outcome:
            first = self.library.variant.rules.first[0]
            result = {None: "1/2-1/2", first: "1-0"}.get(outcome.winner, "0-1")
            self.say(f"{result} {{{outcome.reason.replace('-', ' ')}}}")


# What the first word chooses.
PROTOCOLS: dict[str, tuple[type[_Speaker], Protocol]] = {
    "xboard": (_Cecp, "cecp"),
    "protover": (_Cecp, "cecp"),
    "uci": (_Uci, "uci"),
    "usi": (_Uci, "usi"),
}


def _numbers(text: str) -> dict[str, int]:
    """The words of a command that a number follows, with it."""
    pairs = pairwise(text.split())
    return {word: int(value) for word, value in pairs if NUMBER.fullmatch(value)}


def _clock(seconds: float, more: float) -> Clock:
    """A clock of so many seconds, which gets some more after each move."""
    return Clock(f"{min(seconds, 99999):.3f}+{min(max(more, 0), 9999):.3f}")


def _share(seconds: float, more: float) -> float:
    return _clock(seconds, more).share()
