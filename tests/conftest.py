"""How the tests are run: hypothesis profiles, failures named at once, how long it takes.

The profile `ci` gives the same examples on every run, `nightly` looks much further. Choose with
ALFIL_HYPOTHESIS=nightly; the default is `ci`. It names the first example that fails as it is,
for making it small can take minutes: ALFIL_HYPOTHESIS=small does that, with the same examples.
"""

import contextlib
import gc
import io
import os
import shutil
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.internal.conjecture import providers

import hatch_build
from alfil import AlfilError
from alfil.game import native_engine
from inside import run

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

# Another build of the engine, such as the one of `make engine-checked`.
native_engine.LIBRARY_PATH = os.environ.get("ALFIL_ENGINE", native_engine.LIBRARY_PATH)

# Nothing is judged by the clock: a first example pays for the grammar, and a shared machine stalls
# now and then.
UNTIMED = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
FOUND = (Phase.explicit, Phase.generate)
settings.register_profile("ci", max_examples=50, derandomize=True, phases=FOUND, **UNTIMED)
settings.register_profile("small", max_examples=50, derandomize=True, **UNTIMED)
settings.register_profile("nightly", max_examples=10_000, **UNTIMED)
PROFILE = os.environ.get("ALFIL_HYPOTHESIS", "ci")
settings.load_profile(PROFILE)
if PROFILE != "nightly":
    # Hypothesis tries constants from the modules of ours that are loaded by then: other examples
    # after other tests, in another worker, or in a folder with another name.
    providers.is_local_module_file = lambda path: False  # noqa: ARG005

# What is compiled is kept for all tests; to look through it for circles again and again takes an
# eighth of the time.
gc.freeze()
gc.set_threshold(100_000, 50, 1000)

# Programs that some tests call, with the packages of Debian that have them. Those tests are skipped
# without one.
PROGRAMS = {
    "cc": "gcc",
    "chromium": "chromium",
    "fairymax": "fairymax",
    "node": "nodejs",
    "npm": "npm",
    "xboard": "xboard",
    "xvfb-run": "xvfb",
    "xauth": "xauth",
}

# A run in the background begins with Ctrl-C ignored, and so would every command that tests start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def loopback() -> str:
    """The address at which this machine talks to itself; without one, what waits for it hangs."""
    address = "127.0.0.1"
    try:
        with socket.create_server((address, 0)) as server:
            socket.create_connection(server.getsockname()).close()
    except OSError as error:
        pytest.skip(f"this machine cannot talk to itself at {address}: {error}")
    return address


@pytest.fixture(scope="session")
def every_set(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The gallery of all sets as the command makes it, and what that printed."""
    base = base_of_workers(tmp_path_factory)
    folder, told = base / "deep" / "gallery", base / "gallery.txt"
    with only_one_worker(base / "gallery.lock"):
        if not told.exists():
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                assert run(["gallery", "-o", str(folder)]) == 0
            told.write_text(printed.getvalue(), encoding="utf-8")
    return folder, told.read_text(encoding="utf-8")


# Where nobody answers, npm would ask again and again for longer than all tests take.
NPM = {"fetch_retries": "1", "fetch_retry_mintimeout": "1000", "fetch_timeout": "60000"}


@pytest.fixture(scope="session")
def browser_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with Python for browsers: the one that ALFIL_BROWSER names, or one made now."""
    if "ALFIL_BROWSER" in os.environ:
        return Path(os.environ["ALFIL_BROWSER"])
    for tool in ("node", "npm"):
        if shutil.which(tool) is None:
            pytest.skip(
                f"there is no {tool}, which makes Python for browsers; on Debian: nodejs, npm"
            )
    base = base_of_workers(tmp_path_factory)
    folder, failed = base / "browser", base / "browser.txt"
    with only_one_worker(base / "browser.lock"):
        if not folder.exists() and not failed.exists():
            _make_browser_python(folder, failed)
    if failed.exists():
        pytest.skip(failed.read_text(encoding="utf-8"))
    return folder


def _make_browser_python(folder: Path, failed: Path) -> None:
    """Make that folder, or note that npm cannot fetch what it is made of."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in NPM.items():
            patch.setenv(f"npm_config_{name}", value)
        try:
            hatch_build.make_browser_python(str(folder))
        except AlfilError as error:
            why = error.diagnostics[0].message
            if not why.startswith("npm pack"):
                raise
            failed.write_text(f"npm cannot fetch Python for browsers here: {why}", encoding="utf-8")


def base_of_workers(factory: pytest.TempPathFactory) -> Path:
    """The folder that all workers of a run share."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@contextlib.contextmanager
def only_one_worker(path: Path) -> Iterator[None]:
    """Have other workers wait here: what takes seconds to make is made once in a run."""
    with path.open("w") as lock:
        if fcntl is not None:
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.hookimpl(trylast=True)  # when there is a terminal to write to
def pytest_configure(config: pytest.Config) -> None:
    # A worker of xdist has no terminal; what it finds is told to the process that has.
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Running(config, terminal))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes longest begins first, so that at the end no core waits for it."""
    items.sort(
        key=lambda item: not {"wheel", "browser"} & {each.name for each in item.iter_markers()}
    )


class Running:
    """Says how long the same run took last time, and names a failing test when it fails."""

    def __init__(self, config: pytest.Config, terminal: pytest.TerminalReporter) -> None:
        self._terminal = terminal
        self._cache = getattr(config, "cache", None)  # there is none with -p no:cacheprovider
        self._chosen = " ".join([*config.args, config.option.markexpr, config.option.keyword])
        self._begun = time.monotonic()

    def _known(self) -> dict[str, float]:
        return self._cache.get("alfil/seconds", {}) if self._cache else {}

    def pytest_report_header(self) -> str | None:
        """How long it took last time, where that is known."""
        seconds = self._known().get(self._chosen)
        return f"last time: {seconds // 60:.0f}:{seconds % 60:02.0f} minutes" if seconds else None

    @pytest.hookimpl(trylast=True)  # after its letter
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """The name of what failed, and the first line of why."""
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            reason = crash.message.partition("\n")[0][:150] if crash else report.when
            self._terminal.write_line(f"\nFAILED {report.nodeid} - {reason}", red=True)

    def pytest_terminal_summary(self) -> None:
        """Which of the programs that some tests call are here, below what was skipped."""
        path = f"{os.environ.get('PATH', '')}{os.pathsep}/usr/games"
        lacking = [name for name in PROGRAMS if not shutil.which(name, path=path)]
        found = ", ".join(name for name in PROGRAMS if name not in lacking) or "none"
        packages = " ".join(PROGRAMS[name] for name in lacking)
        missing = f"; missing: {', '.join(lacking)} (on Debian: apt-get install {packages})"
        self._terminal.write_line(f"optional programs: {found}{missing if lacking else ''}")

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        """Keep how long it took, unless it was broken off."""
        if self._cache and exitstatus in {pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED}:
            seconds = time.monotonic() - self._begun
            self._cache.set("alfil/seconds", {**self._known(), self._chosen: seconds})
