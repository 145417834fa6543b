"""The diffs of docs/architecture.md, and a copy of the sources to which some are applied."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

import alfil
from alfil.engine import building  # how the engine is called

PROJECT = Path(__file__).parents[1]
PAGE = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
DIFFS = re.findall(r"```diff\n(.*?)```", PAGE, re.DOTALL)


def files_of(diff: str) -> dict[str, list[str]]:
    """What a diff changes: by the path of a file, its hunks."""
    parts = re.split(r"^--- ", diff, flags=re.MULTILINE)[1:]
    return {path: hunks for path, *hunks in (re.split(r"\n@@\n", part) for part in parts)}


def applied(text: str, hunk: str) -> str:
    """A text with the lines of a hunk added and removed, at the one place that it fits."""
    lines = [line for line in hunk.split("\n") if line]
    before = "".join(f"{line[1:]}\n" for line in lines if line[0] in " -")
    after = "".join(f"{line[1:]}\n" for line in lines if line[0] in " +")
    assert text.count(before) == 1, before
    return text.replace(before, after)


def copy_with(diffs: Iterable[str], folder: Path) -> Path:
    """A copy of the sources in a folder, with diffs applied; the engine is not among it."""
    source = Path(alfil.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__", building.FILE)
    shutil.copytree(source, folder / "src" / "alfil", ignore=ignored)
    for name in ("grammars", "pieces", "docs", "glyphs"):
        (folder / name).symlink_to(PROJECT / name)
    for diff in diffs:
        for path, hunks in files_of(diff).items():
            file = folder / path
            text = file.read_text(encoding="utf-8") if file.exists() else ""
            for hunk in hunks:
                text = applied(text, hunk)
            file.write_text(text, encoding="utf-8")
    return folder


def within(folder: Path) -> dict[str, str]:
    """The surroundings in which the copy is what is imported."""
    return os.environ | {"PYTHONPATH": str(folder / "src"), "XDG_CACHE_HOME": str(folder)}
