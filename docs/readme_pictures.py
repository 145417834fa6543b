"""Makes the pictures in README.md by the commands beside them: `python docs/readme_pictures.py`."""

from __future__ import annotations

import contextlib
import re
import shlex
import sys
from pathlib import Path

from alfil.cli.app import run

PROJECT = Path(__file__).parents[1]
COMMAND = re.compile(r"^\$ alfil (diagram .* -o docs/pictures/.*)$", re.MULTILINE)


def main() -> int:
    """Run the commands; the first that fails ends it."""
    text = (PROJECT / "README.md").read_text(encoding="utf-8")
    (PROJECT / "docs" / "pictures").mkdir(exist_ok=True)
    with contextlib.chdir(PROJECT):
        return next((code for each in COMMAND.findall(text) if (code := run(shlex.split(each)))), 0)


if __name__ == "__main__":
    sys.exit(main())
