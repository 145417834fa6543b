"""Compiles the engine: a shared library for a machine, or a WebAssembly module for the browser.

hatch_build.py loads this file by itself while alfil is installed, so it needs nothing of alfil.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

SOURCES = Path(__file__).absolute().parent
# The tables of rules, and what the engine has of them.
RULES, HEADER = "rules.tsv", "rules.h"
FLAGS = ("-std=c17", "-O3", "-fvisibility=hidden")
SHARED = ("-shared", "-fPIC", "-s")
# A module that is its own program: it exports what the header offers, and where free memory begins.
EXPORTED = ("-Wl,--no-entry", "-Wl,--export-dynamic", "-Wl,--export=__heap_base")
FREESTANDING = ("-nostdlib", "-s", *EXPORTED)
ZIG = (sys.executable, "-m", "ziglang", "cc", "-fno-sanitize=all")
# What the engine is called on every machine; what loads it minds no ending.
FILE = "engine.so"


class BuildTarget(NamedTuple):
    """A platform: what zig calls it, and the tag of its wheels."""

    zig_target: str
    wheel_tag: str


TARGETS = {
    "linux-x86_64": BuildTarget("x86_64-linux-gnu.2.17", "manylinux_2_17_x86_64"),
    "linux-aarch64": BuildTarget("aarch64-linux-gnu.2.17", "manylinux_2_17_aarch64"),
    "musl-x86_64": BuildTarget("x86_64-linux-musl", "musllinux_1_2_x86_64"),
    "musl-aarch64": BuildTarget("aarch64-linux-musl", "musllinux_1_2_aarch64"),
    "macos-x86_64": BuildTarget("x86_64-macos.11.0", "macosx_11_0_x86_64"),
    "macos-arm64": BuildTarget("aarch64-macos.11.0", "macosx_11_0_arm64"),
    "windows-x86_64": BuildTarget("x86_64-windows-gnu", "win_amd64"),
}
BROWSER = BuildTarget("wasm32-freestanding", "")


class BuildFailed(Exception):
    """No compiler made the engine; the message says what each of them said."""


def native_compilers() -> list[tuple[str, ...]]:
    """The commands that are C compilers of this machine, the best first."""
    named = tuple(os.environ.get("CC", "").split())
    commands = ("cc", "gcc", "clang")
    result: list[tuple[str, ...]] = [(path,) for each in commands if (path := shutil.which(each))]
    return [named, *result] if named else result


def build(path: Path, target: BuildTarget | None = None, flags: tuple[str, ...] = FLAGS) -> None:
    """Build the engine as this file; the first compiler that can makes it.

    Without a target it is for this machine. Raises `BuildFailed`.
    """
    commands = [(*ZIG, "-target", target.zig_target)] if target else [*native_compilers(), ZIG]
    kind = FREESTANDING if target == BROWSER else SHARED
    said = []
    with TemporaryDirectory(prefix="alfil-") as folder:
        made = Path(folder) / path.name
        Path(folder, HEADER).write_text(rules_c_header(), encoding="utf-8")
        given = ("-I", folder, "-o", str(made), str(SOURCES / "engine.c"))
        for command in commands:
            failed = _run_and_get_error([*command, *flags, *kind, *given])
            if not failed and made.exists():
                temporary = path.with_name(f".{os.getpid()}-{path.name}")
                shutil.copyfile(made, temporary)
                temporary.replace(path)  # a library that is loaded is not overwritten
                return
            said.append(f"{command[0]}: {failed or 'failed'}")
    raise BuildFailed("; ".join(said))


def rules_c_header() -> str:
    """The tables of rules as numbers for the engine: what is in them, in the order of their rows.

    Values of which one holds are counted from 0, those of which some may hold are a bit each.
    """
    text = (SOURCES / RULES).read_text(encoding="utf-8")
    parts = (part.strip("\n").split("\n")[1:] for part in text.split("\n\n"))
    rules, reasons, ends, _ = ([line.split("\t") for line in part] for part in parts)
    claimed = sum(1 << number for number, row in enumerate(ends, 1) if row[2] == "yes")
    enumerations = [
        [*(f"RULE_{name}" for name, *_ in rules)],
        [
            f"{name}_{word} = {1 << number if holds == 'some' else number}"
            for name, holds, words, *_ in rules
            for number, word in enumerate(words.split())
        ],
        [name for name, *_ in reasons if name],
        ["GOES_ON", *(name for name, *_ in ends), "RESULTS"],
        [f"CLAIMED = {claimed}"],
    ]
    listed = ("".join(f"    {_c_constant_name(each)},\n" for each in part) for part in enumerations)
    return "".join(f"enum {{\n{each}}};\n" for each in listed)


def _c_constant_name(name: str) -> str:
    """A name as one of the engine's."""
    return name.upper().replace("-", "_")


def _run_and_get_error(command: list[str]) -> str:
    """The first line that a command says where it fails, empty where it does not."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        return str(error)
    return (done.stderr.strip() or "failed").splitlines()[0] if done.returncode else ""
