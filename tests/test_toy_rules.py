"""A rule of legality and one of results, added as docs/architecture.md says, hold everywhere.

The diffs of that page are applied to a copy of the sources, an engine is built there, and lists,
counts, reasons, texts, outcomes, the search and random games are asked there (toy_rules.py).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from alfil.engine import building  # how the engine is made
from diffs import DIFFS, copy_with, files_of, within

TABLE = "src/alfil/engine/rules.tsv"
RULES = [diff for diff in DIFFS if TABLE in files_of(diff)]
MADE = building.native_compilers()


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources with both diffs applied, and its engine."""
    folder = copy_with(RULES, tmp_path_factory.mktemp("toy"))
    asked = [sys.executable, "-c", BUILD]
    subprocess.run(asked, cwd=folder, env=within(folder), check=True)
    return folder


BUILD = """
from alfil.engine import building
building.build(building.SOURCES / building.FILE, flags=("-std=c17", "-O1", "-fvisibility=hidden"))
"""


def test_a_rule_takes_two_files() -> None:
    paths = [[*files_of(diff)] for diff in RULES]
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
