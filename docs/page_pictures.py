"""Makes the pictures of the pages by the commands beside them: `python docs/page_pictures.py`.

A command such as `alfil diagram FyafsF -o griffon.svg` in a page makes docs/pictures/griffon.svg,
where the page shows that. Tests run the same commands and compare.
"""

from __future__ import annotations

import contextlib
import re
import shlex
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from alfil.cli.app import run

PROJECT = Path(__file__).parents[1]
PICTURES = PROJECT / "docs" / "pictures"
COMMAND = re.compile(r"^\$ alfil (diagram .* -o (\w[\w-]*\.svg))$", re.MULTILINE)
FILE = re.compile(r"^```pieces\n(# (\w+\.pieces)\n.*?)^```$", re.MULTILINE | re.DOTALL)


def draw(text: str) -> int:
    """Run the commands of a page whose pictures it shows; the code of the first that fails."""
    with TemporaryDirectory() as folder, contextlib.chdir(folder):
        for content, name in FILE.findall(text):
            Path(name).write_text(content, encoding="utf-8")
        for command, name in COMMAND.findall(text):
            if f"pictures/{name})" in text:
                if code := run(shlex.split(command)):
                    return code
                (PICTURES / name).write_bytes(Path(name).read_bytes())
    return 0


def main() -> int:
    """Draw the pictures of all pages; the first command that fails ends it."""
    PICTURES.mkdir(exist_ok=True)
    pages = (PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md")))
    return next((code for page in pages if (code := draw(page.read_text(encoding="utf-8")))), 0)


if __name__ == "__main__":
    sys.exit(main())
