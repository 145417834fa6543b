"""A command driven through a real terminal: what is typed, and what is shown until a prompt."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import Self

PROJECT = Path(__file__).parents[1]
PATIENCE = 600.0  # seconds; so long that only what hangs takes longer, on however busy a machine
# The first of a session to open a terminal has it, so that Ctrl-C there reaches the command.
TAKING = ("sh", "-c", 'exec "$@" <"$0" >"$0" 2>&1')


class Terminal:
    """``alfil`` with these arguments in a folder, its terminal in our hands."""

    def __init__(self, *arguments: str, folder: Path, **environment: str) -> None:
        import pty  # noqa: PLC0415 - only where there are such terminals

        # Their end stays open until something is shown: were it closed before the command has
        # opened it too, the terminal would be gone.
        self._ours, theirs = pty.openpty()
        self._theirs: int | None = theirs
        env = {
            **os.environ,
            "PYTHONPATH": str(PROJECT / "src"),
            "PYTHONUTF8": "1",
            "TERM": "dumb",
            **environment,
        }
        self._process = subprocess.Popen(
            [*TAKING, os.ttyname(theirs), sys.executable, "-m", "alfil", *arguments],
            cwd=folder,
            env=env,
            start_new_session=True,
            # A run in the background ignores Ctrl-C, and so would the command.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait(PATIENCE)
        self._let_go()
        os.close(self._ours)

    def until(self, wanted: str) -> str:
        """What is shown up to and with a text; AssertionError if it never comes."""
        shown = ""
        end = time.monotonic() + PATIENCE
        while wanted not in shown:
            more = self._read(end)
            if not more:
                raise AssertionError(f"no {wanted!r} in {shown!r}")
            shown += more
        return shown

    def say(self, line: str, wanted: str) -> str:
        """Type a line; what is shown then up to a text."""
        os.write(self._ours, f"{line}\n".encode())
        return self.until(wanted)

    def press(self, keys: str, wanted: str) -> str:
        """Press keys, without Enter; what is shown then up to a text."""
        os.write(self._ours, keys.encode())
        return self.until(wanted)

    def interrupt(self) -> tuple[int, str]:
        """Press Ctrl-C, and enter until the command has ended; the exit code, and what was shown.

        Line editing may just be about to wait for the next key, and then Python sees the signal
        only when the line is ended. A second Ctrl-C would interrupt what the first one brought
        about.
        """
        shown = ""
        os.write(self._ours, b"\x03")
        stop = time.monotonic() + PATIENCE
        while self._process.poll() is None and time.monotonic() < stop:
            while more := self._read(time.monotonic() + 1.0):
                shown += more
            with contextlib.suppress(OSError):  # the command has closed its end
                os.write(self._ours, b"\n")
        code, rest = self.end()
        return code, shown + rest

    def kill(self) -> None:
        """Kill the process without any warning."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(PATIENCE)

    def end(self) -> tuple[int, str]:
        """The exit code, and what was shown at the end."""
        shown = ""
        stop = time.monotonic() + PATIENCE
        while more := self._read(stop):
            shown += more
        return self._process.wait(PATIENCE), shown

    def _read(self, end: float) -> str:
        ready, _, _ = select.select([self._ours], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            return ""
        self._let_go()
        try:
            return os.read(self._ours, 65_536).decode("utf-8", "replace").replace("\r\n", "\n")
        except OSError:  # the other end is closed
            return ""

    def _let_go(self) -> None:
        if self._theirs is not None:
            os.close(self._theirs)
            self._theirs = None
