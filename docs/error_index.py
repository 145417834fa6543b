"""Makes docs/errors/index.md, the list of all kinds of errors: `python docs/error_index.py`."""

from __future__ import annotations

import re
from itertools import groupby
from pathlib import Path

from alfil.error_catalogue import read_catalogue  # `alfil explain` reads the same pages

ERRORS = Path(__file__).parent / "errors"
HEAD = """\
# Errors

<!-- made by docs/error_index.py; run: make docs -->

Each error, warning and note has a kind, the word in square brackets at the end of its first line.
In Python it is `error.kind`. `alfil explain KIND` prints the entry of a kind. Kinds keep their
names from release to release.

An error means that the input was rejected. A warning means that alfil read it, but that it may not
say what you meant. A note is worth knowing and needs no change.

Each entry has an example: a command, or Python after `import alfil`. Tests run all of them.
"""


def made() -> str:
    """The page: a table for each group, its kinds with their first sentences."""
    parts = [HEAD]
    anchors = set[str]()
    for group, explained in groupby(read_catalogue(), lambda each: each.group):
        page = ERRORS / f"{group}.md"
        title = page.read_text(encoding="utf-8").partition("\n")[0]
        parts.append(f"\n#{title}\n\n| kind | meaning |\n|---|---|\n")
        for each in explained:
            link = f"[`{each.kind}`]({page.name}#{each.kind})"
            meaning = re.sub(r"\]\((?=\.\./)", "](", each.first_sentence).replace("|", r"\|")
            anchor = "" if each.kind in anchors else f'<a id="{each.kind}"></a>'
            anchors.add(each.kind)
            parts.append(f"| {anchor}{link} | {meaning} |\n")
    return "".join(parts)


if __name__ == "__main__":
    (ERRORS / "index.md").write_text(made(), encoding="utf-8")
