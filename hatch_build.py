"""Builds the compiled core when alfil is built or installed from its sources.

The machine's C compiler makes it; where there is none, the build asks for ziglang, which has one.
ALFIL_TARGET names another platform to build a wheel for, as in `make wheels`: a key of TARGETS.
`python hatch_build.py` builds it for this machine, where the sources are, and with --targets names
the other platforms.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
GAME = ROOT / "src/alfil/game"
# The files that are the compiled core: one program, in one space of names.
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
FLAGS = ("-O3", "-shared", "-std=gnu11", "-fwrapv")
ZIG = (sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all")


class Target(NamedTuple):
    """A platform: what zig calls it, the tag of its wheels, and the file that it loads."""

    zig: str
    tag: str
    file: str


TARGETS = {
    "linux-x86_64": Target("x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64", "libcore.so"),
    "linux-aarch64": Target("aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64", "libcore.so"),
    "musl-x86_64": Target("x86_64-linux-musl", "musllinux_1_2_x86_64", "libcore.so"),
    "musl-aarch64": Target("aarch64-linux-musl", "musllinux_1_2_aarch64", "libcore.so"),
    "macos-x86_64": Target("x86_64-macos.11.0", "macosx_11_0_x86_64", "libcore.dylib"),
    "macos-arm64": Target("aarch64-macos.11.0", "macosx_11_0_arm64", "libcore.dylib"),
    "windows-x86_64": Target("x86_64-windows-gnu", "win_amd64", "libcore.dll"),
}


class BuildFailed(Exception):
    """No compiler made the core; the message says what each of them said."""


class EngineHook(BuildHookInterface[Any]):
    """Puts the compiled core into a wheel, and beside the sources of an editable installation."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build needs besides: a compiler, where the machine has none."""
        return [] if native_compilers() and not _target() else ["ziglang>=0.13"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the core, and name the platform that the wheel is for."""
        target = _target()
        if version == "editable":
            build(GAME / native().FILE)
        else:
            self._folder = TemporaryDirectory(prefix="alfil-")
            built = Path(self._folder.name) / (target.file if target else native().FILE)
            build(built, target)
            build_data["force_include"][str(built)] = f"alfil/game/{built.name}"
        platform = target.tag if target else sysconfig.get_platform()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform.replace('-', '_').replace('.', '_')}"

    def finalize(self, _version: str, _build_data: dict[str, Any], _artifact: str) -> None:
        """Forget what the wheel has now."""
        if hasattr(self, "_folder"):
            self._folder.cleanup()


def _target() -> Target | None:
    name = os.environ.get("ALFIL_TARGET", "")
    if name and name not in TARGETS:
        raise BuildFailed(f"ALFIL_TARGET is one of {', '.join(TARGETS)}, not {name}")
    return TARGETS[name] if name else None


def native_compilers() -> list[tuple[str, ...]]:
    """The commands that are C compilers of this machine, the best first."""
    named = tuple(os.environ.get("CC", "").split())
    found = [(path,) for each in ("cc", "gcc", "clang") if (path := shutil.which(each))]
    return [named, *found] if named else found


def module(name: str) -> Any:  # noqa: ANN401 - a module
    """A module of alfil by itself, so that nothing else of it is needed."""
    spec = importlib.util.spec_from_file_location(name, GAME / f"{name}.py")
    assert spec
    assert spec.loader
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def native() -> Any:  # noqa: ANN401 - a module
    """The module that loads what is built here."""
    return module("native")


def build(path: Path, target: Target | None = None) -> None:
    """Build the core as this file. Raises `BuildFailed`."""
    compiled(program({}), path, target)


def program(changed: Mapping[str, str]) -> str:
    """The core as a program in C; some of its sources may be given in place of those there."""
    texts = [changed.get(each) or (GAME / each).read_text(encoding="utf-8") for each in SOURCES]
    text: str = module("translating").to_c(texts, native().PUBLIC)
    return text


def compiled(
    program: str, path: Path, target: Target | None = None, flags: tuple[str, ...] = FLAGS
) -> None:
    """Make a shared library of a program in C; the first compiler that can does.

    Raises `BuildFailed`.
    """
    commands = [(*ZIG, "-target", target.zig)] if target else [*native_compilers(), ZIG]
    windows = path.suffix == ".dll"
    said = []
    with TemporaryDirectory(prefix="alfil-") as folder:
        source, made = Path(folder) / "core.c", Path(folder) / path.name
        source.write_text(exported(program) if windows else program, encoding="utf-8")
        more = {".dll": ("-s",), ".so": ("-s", "-fPIC")}.get(path.suffix, ("-fPIC",))
        for command in commands:
            try:
                done = subprocess.run(
                    [*command, *flags, *more, "-o", str(made), str(source)],
                    capture_output=True,
                    text=True,
                    check=False,
                )
            except OSError as error:
                said.append(f"{command[0]}: {error}")
                continue
            if done.returncode == 0 and made.exists():
                temporary = path.with_name(f".{os.getpid()}-{path.name}")
                shutil.copyfile(made, temporary)
                temporary.replace(path)  # a library that is loaded is not overwritten
                return
            said.append(f"{command[0]}: {(done.stderr.strip() or 'failed').splitlines()[0]}")
    raise BuildFailed("; ".join(said))


def exported(program: str) -> str:
    """The same program for Windows, where a library says what others may call."""
    return "\n".join(
        line if not line.startswith("int64_t ") else f"__declspec(dllexport) {line}"
        for line in program.splitlines()
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--targets"]:
        sys.stdout.write(" ".join(TARGETS) + "\n")
    else:
        build(GAME / native().FILE)
