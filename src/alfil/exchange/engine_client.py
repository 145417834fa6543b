"""An external engine as opponent: the client side of UCI, USI and CECP."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial
from queue import Empty, Queue
from threading import Thread
from time import monotonic
from typing import NoReturn

from alfil.errors import AlfilError, reject
from alfil.exchange.protocol_notation import Protocol, ProtocolNotation
from alfil.exchange.xboard import move_notation
from alfil.game.moves import Move
from alfil.game.variant import Variant
from alfil.play.game import Game
from alfil.play.opponent_search import SearchTime

# What is said to an engine first, and what it says when it knows that.
HANDSHAKES: dict[Protocol, tuple[str, str]] = {
    "uci": ("uci", "uciok"),
    "usi": ("usi", "usiok"),
    "cecp": ("xboard\nprotover 2", "done=1"),
}
# How long an engine may take to begin, and to move where it has no time of its own.
START_TIMEOUT, EXTRA_TIME = 20.0, 1.0
# The longest line of it, how many may wait to be read, and how many of its first are remembered.
MAX_LINE, MAX_WAITING_LINES, MAX_SAID = 10_000, 200, 1000
# Mebibytes for its tables that an engine is allowed that asks; HaChu has none before it is told.
TABLE_MEGABYTES = 64


class EngineError(AlfilError):
    """A program that was to play cannot be used, or does not play by the rules."""


class EngineClient:
    """An external engine for one game, with the interface of an opponent.

    ``command`` may begin with the protocol and a colon, as in "usi:engine --fast"; else the program
    is asked for each. Raises `EngineError` where it cannot be started, or knows none of them.
    ``patience`` is how many seconds an answer may take, beside the time it has to think.
    """

    def __init__(self, command: str, variant: Variant, *, patience: float = START_TIMEOUT) -> None:
        self.variant = variant
        self._patience = patience
        self._command = command
        self._lines: Queue[str | None] = Queue(MAX_WAITING_LINES)
        self._last, self._closed = "", False
        word, _, rest = command.partition(":")
        chosen = next((each for each in HANDSHAKES if each == word), None)
        self._process = self._start_process(rest if chosen else command)
        Thread(target=self._read_output, daemon=True).start()
        self._said: list[str] = []
        try:
            self._protocol = self._handshake([chosen] if chosen else HANDSHAKES)
        except EngineError:
            self.close()
            raise
        cecp = self._protocol == "cecp"
        self._spelling = (
            move_notation(variant) if cecp else ProtocolNotation(variant, self._protocol)
        )
        self._called = self._variant_name_in_program()
        if cecp and any("memory=1" in line.split() for line in self._said):
            self._send_lines(f"memory {TABLE_MEGABYTES}")

    def choose(self, game: Game, seconds: float | SearchTime | None = None) -> Move:
        """The move to make in a game that goes on; raises `EngineError` where there is none."""
        start, moves = self._start_position_and_moves(game)
        time = seconds.optimum if isinstance(seconds, SearchTime) else seconds
        time = EXTRA_TIME if time is None else time
        if self._protocol == "cecp":
            result = self._ask_cecp(start, moves, time)
        else:
            result = self._ask_uci(start, moves, time)
        move = self._spelling.read(game, result)
        if move is None:
            self._fail(f"it played {result[:40]}, which is no legal move")
        return move

    def close(self) -> None:
        """End the program."""
        with suppress(OSError, ValueError):
            self._send("quit")
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        self._process.kill()
        self._process.wait()
        self._closed = True
        with suppress(Empty):  # what reads may be waiting for room
            while True:
                self._lines.get_nowait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                with suppress(OSError):
                    stream.close()

    def _start_process(self, command: str) -> subprocess.Popen[str]:
        pipe = subprocess.PIPE
        try:
            words = shlex.split(command)
            return subprocess.Popen(
                words,
                stdin=pipe,
                stdout=pipe,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="backslashreplace",
                bufsize=1,
            )
        except (OSError, ValueError, IndexError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            self._fail(f"it cannot be started: {(reason or 'no command').lower()}")

    def _read_output(self) -> None:
        """Read the output of the program until it ends."""
        stream = self._process.stdout
        assert stream is not None
        with suppress(OSError, ValueError):
            while not self._closed and (line := stream.readline(MAX_LINE)):
                self._lines.put(line.strip())
        self._lines.put(None)

    def _send(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text + "\n")
        self._process.stdin.flush()

    def _send_lines(self, *lines: str) -> None:
        for line in lines:
            try:
                self._send(line)
            except (OSError, ValueError):
                self._fail(self._exit_description())

    def _wait_for(self, seconds: float, expected: Callable[[str], bool]) -> str:
        """The first line that satisfies a condition; "" after a timeout."""
        until = monotonic() + seconds
        while (left := until - monotonic()) > 0:
            try:
                line = self._lines.get(timeout=left)
            except Empty:
                break
            if line is None:
                self._lines.put(None)
                self._fail(self._exit_description())
            self._last = line or self._last
            if len(self._said) < MAX_SAID:
                self._said.append(line)
            if expected(line):
                return line
        return ""

    def _exit_description(self) -> str:
        last = f"; the last it said was: {self._last[:80]}" if self._last else ""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        return f"it has ended, with code {self._process.returncode}{last}"

    def _fail(self, why: str) -> NoReturn:
        hint = "start it by hand, or name its protocol, as in --opponent uci:COMMAND"
        reject(
            EngineError, "engine-failed", f"{self._command[:60]}: {why}", self._command, hint=hint
        )

    def _handshake(self, protocols: Collection[Protocol]) -> Protocol:
        for protocol in protocols:
            word, answer = HANDSHAKES[protocol]
            self._send_lines(*word.split("\n"))
            if answer in self._wait_for(self._patience, partial(_is_answer_or_rejection, answer)):
                return protocol
        return self._fail(f"it does not answer to {', '.join(protocols)}")

    def _variant_name_in_program(self) -> str:
        """The program's name of the variant, "" for its default."""
        names = {self.variant.name, self.variant.name.replace("_", "")}
        for line in self._said:
            words = line.replace('"', " ").replace(",", " ").replace("=", " ").split()
            if "UCI_Variant" in words or "variants" in words:
                return next((word for word in words if word in names), "")
        return ""

    def _start_position_and_moves(self, game: Game) -> tuple[str | None, list[str]]:
        """The position that a game began with, None for its own, and the moves since."""
        replay, moves = game.copy(), list(game.moves)
        while replay.moves:
            replay.pop()
        own = (
            replay.position_text() == Game(self.variant).position_text()
            if self.variant.setup
            else False
        )
        known = bool(self._called) or self.variant.name in {"chess", "shogi"}
        if self._protocol == "usi":
            start: str | None = replay.position_text()
        else:
            start = self._spelling.fen(replay)
        if own and (known or self._protocol == "cecp"):
            start = None
        texts = []
        for move in moves:
            texts.append(self._spelling.write(replay, move))
            replay.push(move)
        return start, texts

    def _ask_uci(self, start: str | None, moves: list[str], seconds: float) -> str:
        usi = self._protocol == "usi"
        if self._called and not usi:
            self._send_lines(f"setoption name UCI_Variant value {self._called}")
        place = "startpos" if start is None else f"{'sfen' if usi else 'fen'} {start}"
        move_list = f" moves {' '.join(moves)}" if moves else ""
        thousandths = max(1, round(seconds * 1000))
        time = f"btime 0 wtime 0 byoyomi {thousandths}" if usi else f"movetime {thousandths}"
        self._send_lines(f"position {place}{move_list}", f"go {time}")
        return self._wait_for_move("bestmove", seconds)

    def _ask_cecp(self, start: str | None, moves: list[str], seconds: float) -> str:
        self._send_lines("new")
        if self._called:
            self._send_lines(f"variant {self._called}")
        self._send_lines("force", "easy", "nopost", f"st {max(1, round(seconds))}")
        if start:
            self._send_lines(f"setboard {start}")
        self._send_lines(*(f"usermove {move}" for move in moves), "go")
        return self._wait_for_move("move", seconds)

    def _wait_for_move(self, preceding_word: str, seconds: float) -> str:
        """The move behind a word; one of two legs ends in a comma and goes on in the next line."""
        line = self._wait_for(
            seconds + self._patience, lambda line: line.split()[:1] == [preceding_word]
        )
        if not line:
            self._fail(f"it has not moved for {seconds + self._patience:.0f} seconds")
        result = " ".join(line.split()[1:2])
        return (
            result + self._wait_for_move(preceding_word, seconds)
            if result.endswith(",")
            else result
        )


def _is_answer_or_rejection(expected: str, line: str) -> bool:
    """Whether a line is the expected answer, or rejects the command."""
    return expected in line or line.lower().startswith(("error", "illegal", "unknown"))
