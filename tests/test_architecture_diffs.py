"""A letter, a dialect and a format of diagrams, added as docs/architecture.md says, work.

The diffs of rules in that page have a test of their own (test_toy_rules.py).
"""

import subprocess
import sys
from pathlib import Path

from diffs import DIFFS, copy_with, files_of, within

RULES = "src/alfil/engine/rules.tsv"
ASKED = """
import alfil

print(*sorted(move.to for move in alfil.moves("wF", enemies={(1, 1)}, friends={(-1, -1)})))
print(alfil.describe(alfil.read("wF")))
print(alfil.write(alfil.read("wF")))
print(alfil.same(alfil.read("NN", "riders"), "N0"))
try:
    alfil.read("pR", "riders")
except alfil.NotationError as error:
    print(error.kind)
print(alfil.draw("FyafsF", label="griffon").render("latex").decode())
print(alfil.__file__)
"""


def test_what_the_page_adds_works(tmp_path: Path) -> None:
    added = [diff for diff in DIFFS if RULES not in files_of(diff)]
    assert [[*files_of(diff)] for diff in added] == [
        ["src/alfil/notation/betza/letters.py"],
        ["src/alfil/notation/betza/letters.py"],
        ["src/alfil/diagrams/picture.py", "src/alfil/diagrams/latex.py"],
    ]
    folder = copy_with(added, tmp_path)
    asked = [sys.executable, "-c", ASKED]
    done = subprocess.run(
        asked, cwd=folder, env=within(folder), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "(-1, -1) (1, 1)",
        "Captures a friend or an enemy by stepping one square diagonally.",
        "wF",
        "True",
        "not-in-dialect",
        r"\piece{griffon}",
        "",
        str(folder / "src" / "alfil" / "__init__.py"),
    ]
