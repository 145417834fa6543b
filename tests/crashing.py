"""A process that is killed at the n-th thing it does to files, with nothing but Python's own names.

`arm` puts counting functions in the place of those by which alfil opens, writes, cuts, settles,
renames and removes files. At its number the process kills itself as `kill -9` would; a write is
killed before it, after a part of it, and after all of it. What the system has been told stays
told, so a lost disk cache is not tried here, only that it is asked to settle.
"""

from __future__ import annotations

import builtins
import io
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

TOUCHING = ("open", "fsync", "replace", "rename", "chmod", "unlink", "remove", "truncate", "close")


class Counter:
    """Counts what is done to files; ``fatal`` is the number that is the last, 0 for none."""

    def __init__(self, fatal: int = 0) -> None:
        self.done, self._fatal = 0, fatal

    def step(self) -> None:
        """One more; perhaps the end."""
        self.done += 1
        if self.done == self._fatal:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(self, act: Callable[..., Any]) -> Callable[..., Any]:
        """The same, counted before and after."""

        def counted(*given: object, **named: object) -> object:
            self.step()
            found = act(*given, **named)
            self.step()
            return found

        return counted

    def arm(self) -> None:
        """Count from now on, in this process."""
        counter, plain = self, io.open

        class Raw(io.FileIO):
            """A file whose writes may break off in the middle."""

            def write(self, content: Any) -> int:  # type: ignore[override] # noqa: ANN401
                whole = bytes(content)
                half = len(whole) // 2
                counter.step()
                written = super().write(whole[:half]) or 0
                counter.step()
                if written == half:
                    written += super().write(whole[half:]) or 0
                counter.step()
                return written

            def truncate(self, size: int | None = None) -> int:
                counter.step()
                found = super().truncate(size)
                counter.step()
                return found

        def opened(*given: Any, **named: Any) -> Any:  # noqa: ANN401
            mode = str(given[1]) if len(given) > 1 else "r"
            if "b" not in mode or "r" in mode:
                return plain(*given, **named)
            counter.step()
            raw = Raw(given[0], mode.replace("b", ""), opener=named.get("opener"))
            counter.step()
            return raw if given[2:3] == (0,) else io.BufferedWriter(raw)

        for name in TOUCHING:
            setattr(os, name, self.around(getattr(os, name)))
        io.open = builtins.open = opened  # type: ignore[assignment]
        import _io  # noqa: PLC0415 - tempfile opens by this name

        _io.open = opened  # type: ignore[assignment]


def in_child(job: Callable[[], None], shown: Path, typed: str) -> int:
    """Run a job in a child of this process; what it is given, and where its words go line by line.

    Returns minus the signal that ended it, or what it left with.
    """
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    import sys  # noqa: PLC0415

    code = 1
    try:
        source = shown.with_suffix(".typed")
        source.write_text(typed, encoding="utf-8")
        for number, path in ((0, source), (1, shown), (2, shown)):
            flags = os.O_RDWR | os.O_CREAT | (os.O_APPEND if number else 0)
            os.dup2(os.open(path, flags, 0o600), number)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stdout = sys.stderr = open(1, "w", encoding="utf-8", buffering=1, closefd=False)  # noqa: SIM115
        job()
        code = 0
    finally:
        os._exit(code)
