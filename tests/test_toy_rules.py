"""A rule of legality and one of results, added as docs/architecture.md says, hold everywhere.

The diffs of that page are applied to a copy of the sources, an engine is built there, and lists,
counts, reasons, texts, outcomes, the search and random games are asked there (toy_rules.py).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import alfil
from alfil.engine import building  # how the engine is made

PROJECT = Path(__file__).parents[1]
PAGE = (PROJECT / "docs" / "architecture.md").read_text(encoding="utf-8")
TABLE = "src/alfil/engine/rules.tsv"
DIFFS = [each for each in re.findall(r"```diff\n(.*?)```", PAGE, re.DOTALL) if TABLE in each]
MADE = building.native_compilers()


def files_of(diff: str) -> dict[str, list[str]]:
    """What a diff changes: by the path of a file, its hunks."""
    parts = diff.split("--- ")[1:]
    return {path: hunks for path, *hunks in (re.split(r"\n@@\n", part) for part in parts)}


def applied(text: str, hunk: str) -> str:
    """A text with the lines that a hunk adds beside those of its context."""
    lines = [line for line in hunk.split("\n") if line]
    before = "".join(f"{line[1:]}\n" for line in lines if line[0] == " ")
    after = "".join(f"{line[1:]}\n" for line in lines)
    assert text.count(before) == 1, before
    return text.replace(before, after)


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources with both diffs applied, and its engine."""
    folder = tmp_path_factory.mktemp("toy")
    source = Path(alfil.__file__).parent
    ignored = shutil.ignore_patterns("__pycache__", building.FILE)
    shutil.copytree(source, folder / "src" / "alfil", ignore=ignored)
    for name in ("grammars", "pieces", "docs", "glyphs"):
        (folder / name).symlink_to(PROJECT / name)
    for diff in DIFFS:
        for path, hunks in files_of(diff).items():
            file = folder / path
            text = file.read_text(encoding="utf-8")
            for hunk in hunks:
                text = applied(text, hunk)
            file.write_text(text, encoding="utf-8")
    asked = [sys.executable, "-c", BUILD]
    subprocess.run(asked, cwd=folder, env=within(folder), check=True)
    return folder


BUILD = """
from alfil.engine import building
building.build(building.SOURCES / building.FILE, flags=("-std=c17", "-O1", "-fvisibility=hidden"))
"""


def within(folder: Path) -> dict[str, str]:
    """The surroundings in which the copy is what is imported."""
    return os.environ | {"PYTHONPATH": str(folder / "src"), "XDG_CACHE_HOME": str(folder)}


def test_a_rule_takes_two_files() -> None:
    paths = [[*files_of(diff)] for diff in DIFFS]
    assert paths == [[TABLE, f"src/alfil/engine/{name}.c"] for name in ("legality", "results")]


@pytest.mark.skipif(not MADE, reason="there is no compiler")
@pytest.mark.parametrize("rule", ["retreat", "both_bare"])
def test_everything_holds_to_the_rule(changed: Path, rule: str) -> None:
    script = Path(__file__).with_name("toy_rules.py")
    asked = [sys.executable, str(script), rule]
    done = subprocess.run(
        asked, cwd=changed, env=within(changed), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{changed}\n"
