"""The compiled body, built once on a machine by its own C compiler, and kept in the user's cache.

What is kept is loaded into the process, so nothing is loaded that anybody else could have written:
folder and file must belong to the user and be writable for nobody else, and the file's name holds
the hash of its content and of what it was made from. Where there is no such folder it is built
anew, in a folder of its own that is gone once it is loaded.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import platform
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from alfil.game.translating import to_c
from alfil.grammars import read_data

# The files of this folder that are the compiled body: one program, in one space of names.
SOURCES = (
    "core.py",
    "core_effects.py",
    "core_making.py",
    "core_attacks.py",
    "core_judging.py",
    "core_drops.py",
    "core_moves.py",
    "core_ends.py",
    "core_counts.py",
    "core_differences.py",
    "core_search.py",
)
# Sums that overflow wrap, as the random numbers of the core want it.
FLAGS = ("-O3", "-shared", "-fPIC", "-std=gnu11", "-fwrapv")
# The functions that others may call; see `alfil.game.core`.
PUBLIC = frozenset(
    {
        "count",
        "generate",
        "go_on",
        "make",
        "perft",
        "perft_after",
        "perft_by_differences",
        "simulate",
        "survey",
        "tell_changes",
        "think",
        "unmake",
    }
)
_WRITABLE_FOR_OTHERS = stat.S_IWGRP | stat.S_IWOTH
# Other versions of alfil may use the cache as well; those built last are kept.
OTHERS = 4
_TIME = 600  # seconds a compiler may take, on however busy a machine


class CoreMissing(Exception):
    """The compiled body cannot be built or loaded here; the message is one line that says why."""


@cache
def library() -> ctypes.CDLL:
    """The compiled body; built where it is not there yet. Raises `CoreMissing`."""
    # What the program is made from stands for it: to translate it takes longer than to load it.
    try:
        *sources, program = [read_data("game", each) for each in (*SOURCES, "translating.py")]
    except OSError as error:
        raise CoreMissing(f"the source of the compiled body is not there: {error}") from None
    made_from = [*sources, program, repr((_machine(), sorted(PUBLIC)))]
    name = f"core-{_hash(*(each.encode() for each in made_from))}"
    folder = _cache_folder()
    kept = folder and _kept(folder, name)
    if kept:
        return _load(kept)
    with TemporaryDirectory(prefix="alfil-") as private:
        built = _build(to_c(sources, PUBLIC), Path(private))
        return _load((folder and _keep(built, folder, name)) or built)


def _hash(*contents: bytes) -> str:
    whole = sha256()
    for content in contents:
        whole.update(sha256(content).digest())
    return whole.hexdigest()[:32]


def _machine() -> tuple[str, ...]:
    return (sys.platform, platform.machine(), platform.libc_ver()[0], *FLAGS)


def _cache_folder() -> Path | None:
    """The folder for what is built; None where there is none that only this user can write to."""
    if not hasattr(os, "getuid"):
        return None
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        root = Path(base) if Path(base).is_absolute() else Path.home() / ".cache"
        folder = root / "alfil"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    return folder if _is_private(folder, stat.S_ISDIR) else None


def _is_private(path: Path, of_kind: Callable[[int], bool]) -> bool:
    """Whether a file or folder, no link, is the user's own, and nobody else may write it."""
    try:
        status = path.lstat()
    except OSError:
        return False
    own = status.st_uid == os.getuid() and not status.st_mode & _WRITABLE_FOR_OTHERS
    return own and of_kind(status.st_mode)


def _kept(folder: Path, name: str) -> Path | None:
    """What was built before; a file that does not hold what its name says is no such thing."""
    for path in sorted(folder.glob(f"{name}-*.so")):
        if _is_private(path, stat.S_ISREG):
            try:
                content = path.read_bytes()
            except OSError:
                continue
            if path.name == f"{name}-{_hash(content)}.so":
                return path
    return None


def _keep(built: Path, folder: Path, name: str) -> Path | None:
    """Put what was built into the cache; None where that cannot be written."""
    content = built.read_bytes()
    path = folder / f"{name}-{_hash(content)}.so"
    temporary = folder / f".{os.getpid()}-{path.name}"
    try:
        found = sorted(folder.glob("core-*.so"), key=lambda each: each.stat().st_mtime)
        others = [each for each in found if not each.name.startswith(name)]
        for old in {*found} - {*others[-OTHERS:]}:
            old.unlink(missing_ok=True)
        with os.fdopen(
            os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"
        ) as file:
            file.write(content)
        temporary.replace(path)
    except OSError:
        return None
    return path


def _compilers() -> list[list[str]]:
    """The commands that may be C compilers here, the best first."""
    named = os.environ.get("CC", "").split()
    found = [[path] for each in ("cc", "gcc", "clang") if (path := shutil.which(each))]
    if importlib.util.find_spec("ziglang"):
        found.append([sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all"])
    return [named, *found] if named else found


def _build(source: str, folder: Path) -> Path:
    """Compile the program; the first compiler that can does."""
    program, built = folder / "core.c", folder / "core.so"
    program.write_text(source, encoding="utf-8")
    said = "no C compiler found (cc, gcc or clang); install one, or alfil[fast]"
    for command in _compilers():
        try:
            done = subprocess.run(
                [*command, *FLAGS, "-o", str(built), str(program)],
                capture_output=True,
                text=True,
                timeout=_TIME,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            said = f"{command[0]}: {error}"
            continue
        if done.returncode == 0 and built.exists():
            return built
        said = f"{command[0]} failed: {(done.stderr.strip() or '?').splitlines()[0]}"
    raise CoreMissing(said)


def _load(path: Path) -> ctypes.CDLL:
    try:
        found = ctypes.CDLL(str(path))
    except OSError as error:
        raise CoreMissing(f"the compiled body cannot be loaded: {error}") from None
    for name in PUBLIC:
        getattr(found, name).restype = ctypes.c_int64
    return found
