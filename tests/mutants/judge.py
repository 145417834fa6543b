"""Tests run on mutants, each in a child of a process that has collected all tests already.

A change at the top of a module shows only where the module is imported, so it costs a process of
its own; see `Overlaid`.
"""

from __future__ import annotations

import ast
import importlib.machinery
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from inspect import unwrap
from pathlib import Path
from types import CodeType
from typing import IO, Any, TypeAlias

import pytest
from _pytest.runner import runtestprotocol  # as pytest-xdist and pytest-rerunfailures do
from changes import Mutant, mentioning
from reach import Functions, clear_caches, watch_caches

KILLED, SURVIVED, BROKEN = 1, 0, 3
# A test may take so many times what it took, and so many seconds of the processor more, before it
# counts as one that goes round for ever.
TIMES, SECONDS = 10, 15
MAPPED = 60  # seconds of the tests of one file, at most, to see what they reach
MEMORY = 6 << 30
FEW = 30
PATIENCE = 1200  # seconds until a child that waits for something is ended
Tests: TypeAlias = list[tuple[float, str]]
# What a test took, and the blocks that it reached.
Record: TypeAlias = dict[str, tuple[float, list[str]]]


def file_of(test: str) -> str:
    """The file of a test by its name."""
    return test.partition("::")[0]


def one_test(item: pytest.Item, following: pytest.Item | None, seconds: float) -> bool:
    """Whether a test passes; a process that goes round for ever in it is ended by a signal."""
    signal.setitimer(signal.ITIMER_PROF, TIMES * seconds + SECONDS)
    reports = runtestprotocol(item, log=False, nextitem=following)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return all(report.outcome != "failed" for report in reports)


def in_child(job: Callable[[], int], heard: IO[bytes] | None = None) -> int:
    """What a job answers in a child of this process; minus a signal that ended it."""
    child = os.fork()
    if not child:
        code = BROKEN
        try:
            _prepare_child()
            code = job()
        finally:
            if heard:
                heard.flush()
            os._exit(code)
    end = time.monotonic() + PATIENCE
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > end:
            os.kill(child, signal.SIGKILL)
        time.sleep(0.01)


def _prepare_child() -> None:
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    keep_nothing()
    clear_caches()


def keep_nothing() -> None:
    """What a mutant makes is not kept for others: see `kept` in alfil.data_files."""
    import alfil.data_files  # noqa: PLC0415 - after the caches are watched

    def reading(path: str, mode: str = "r", **named: str) -> IO[bytes]:
        if mode == "wb":
            raise PermissionError(path)
        return open(path, mode, **named)  # type: ignore[call-overload, no-any-return] # noqa: PTH123

    alfil.data_files.open = reading  # type: ignore[attr-defined]


class Judge:
    """A plugin that maps tests, or runs them on mutants, in the place of pytest's own loop."""

    def __init__(self, root: Path, packages: list[str], work: Callable[[Judge], None]) -> None:
        self.root, self._packages, self._work = root, packages, work
        self.items: dict[str, pytest.Item] = {}
        self._names, self._hits = list[str](), bytearray(100_000)
        watch_caches()
        self.functions = Functions(root / "src")

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """All tests are collected: do what this run is for."""
        self.items = {item.nodeid: item for item in session.items}
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        self._work(self)
        return True

    def watch(self) -> None:
        """From now on note which blocks are reached."""
        for path in self._packages:
            found = self.functions.watch(self.root / path, len(self._names), self._hits)
            self._names += [f"{path}:{name}" for name in found]

    def forget(self) -> None:
        """Note nothing any more."""
        for path in self._packages if self._names else ():
            self.functions.swap(self.root / path, (self.root / path).read_bytes())

    def map_file(self, file: str, into: Path) -> int:
        """Run the tests of a file; what passed, what it took and what it reached."""
        return in_child(lambda: self._map(file, into))

    def _map(self, file: str, into: Path) -> int:
        names, hits = self._names, self._hits
        record: Record = {}
        chosen = [item for item in self.items.values() if file_of(item.nodeid) == file]
        for item, following in zip(chosen, [*chosen[1:], None], strict=True):
            clear_caches()
            hits[:] = bytes(len(hits))
            begun = time.process_time()
            passed = one_test(item, following, 600)
            took = time.process_time() - begun
            reached = [name for at, name in enumerate(names) if hits[at]]
            if passed and reached:
                record[item.nodeid] = (round(took, 4), reached)
            if time.process_time() > MAPPED:
                break
        into.write_text(json.dumps(record), encoding="utf-8")
        return SURVIVED

    def mentioning(self, names: tuple[str, ...]) -> Iterator[str]:
        """The blocks of alfil that speak of one of these names."""
        for path in self._packages:
            tree = ast.parse((self.root / path).read_bytes())
            yield from (f"{path}:{block}" for block in mentioning(tree, names))

    def speaking(self, mutant: Mutant) -> list[str]:
        """The tests that speak of what is bound, or of data of its module, themselves."""
        module = Path(mutant.path).with_suffix("").parts[1:]
        own = vars(sys.modules[".".join(module).removesuffix(".__init__")])
        data = {name for name, value in own.items() if not callable(value)}
        found: list[str] = []
        for name, item in self.items.items():
            if test := getattr(item, "function", None):
                known, said = unwrap(test).__globals__, {*unwrap(test).__code__.co_names}
                told = {each for each in said & data if known.get(each) is own[each]}
                if told or said & {*mutant.names}:
                    found.append(name)
        return found

    def judge(self, mutant: Mutant, tests: Tests, limit: float) -> str:
        """What became of a mutant: "survived", or what killed it."""
        known = [(took, name) for took, name in tests if name in self.items]
        told = self.root.parent / f"by-{os.getpid()}"
        told.unlink(missing_ok=True)
        if mutant.inside:
            code = in_child(lambda: self._try(mutant, known, limit, told))
        else:
            code = overlaid(self.root, mutant, known, limit, told)
        by = told.read_text(encoding="utf-8") if told.exists() else ""
        if code == SURVIVED:
            return "survived"
        return by or "imports" if code == KILLED else f"ended by {-code} {by}"

    def _try(self, mutant: Mutant, tests: Tests, limit: float, told: Path) -> int:
        path = self.root / mutant.path
        text = mutant.text(path.read_bytes())
        try:
            self.functions.swap(path, text)
        except (SyntaxError, ValueError):
            return overlaid(self.root, mutant, tests, limit, told)
        return run(self.items, tests, limit, told)


def run(items: dict[str, pytest.Item], tests: Tests, limit: float, told: Path) -> int:
    """Run tests, the quickest first, until one fails or so many seconds are used up."""
    begun = time.process_time()
    chosen = [items[name] for _, name in tests]
    for (took, name), item, following in zip(tests, chosen, [*chosen[1:], None], strict=True):
        told.write_text(name, encoding="utf-8")
        if not one_test(item, following, took):
            return KILLED
        if time.process_time() - begun > limit:
            break
    return SURVIVED


def overlaid(root: Path, mutant: Mutant, tests: Tests, limit: float, told: Path) -> int:
    """The same in processes of their own, for a change at the top of a module.

    To collect the files of all tests takes longer than the first tests do, so those go alone.
    """
    for some in filter(None, (tests[:FEW], tests[FEW:])):
        if code := _overlaid(root, mutant, some, limit, told):
            return code
    return SURVIVED


def _overlaid(root: Path, mutant: Mutant, tests: Tests, limit: float, told: Path) -> int:
    text = mutant.text((root / mutant.path).read_bytes()).decode()
    order = {"path": mutant.path, "text": text, "tests": tests, "limit": limit, "told": str(told)}
    files = sorted({file_of(name) for _, name in tests})
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parent), "--overlaid", *files],
        cwd=root,
        input=json.dumps(order),
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode


class Overlaid:
    """A plugin for a process of its own, in which one module is read with a change."""

    def __init__(self, root: Path, order: dict[str, Any]) -> None:
        original = importlib.machinery.SourceFileLoader.get_code
        self._order, changed = order, str(root / order["path"])

        def get_code(loader: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
            if loader.path == changed:
                return compile(order["text"], changed, "exec", dont_inherit=True)
            return original(loader, name)

        importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests that were chosen, in their order."""
        if session.testsfailed:
            os._exit(KILLED)  # a module that cannot be imported
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        keep_nothing()
        items = {item.nodeid: item for item in session.items}
        tests = [(took, name) for took, name in self._order["tests"] if name in items]
        os._exit(run(items, tests, self._order["limit"], Path(self._order["told"])))
