"""The table of what does not translate, made from docs/errors/: `python docs/losses.py`.

Every kind of loss has an example there; here it is run, and what alfil says of it is put in a row.
The table stands in docs/notations.md between two comments, and a test says when it is out of date.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import alfil

DOCS = Path(__file__).parent
BEGIN, END = "<!-- losses: made by docs/losses.py -->", "<!-- end of losses -->"
SECTIONS = {
    "Betza as Ħasínū": "hasinu",
    "Ħasínū as Betza": "betza",
    "Any piece in Parlett's notation": "parlett",
}
WRITE = r'^    >>> alfil\.write\((alfil\.read\()?(r?"[^"]+"), (?:"(\w+)")?'
EXAMPLE = re.compile(WRITE, re.MULTILINE)


def examples(section: str) -> Iterator[tuple[str, str, str]]:
    """Each kind of a page of docs/errors/, the notation and the text of its example."""
    page = DOCS / "errors" / f"to_{SECTIONS[section]}.md"
    for entry in page.read_text(encoding="utf-8").split("\n## ")[1:]:
        kind = entry.partition("\n")[0]
        example = EXAMPLE.search(entry)
        if example is None:
            raise ValueError(f"{kind} has no example")
        yield kind, example[3] or "hasinu" if example[1] else "betza", ast.literal_eval(example[2])


def rows(section: str) -> Iterator[str]:
    """The rows of the table for one direction."""
    write = SECTIONS[section]
    for kind, read, text in examples(section):
        try:
            alfil.translate(text, read=read, write=write)
        except alfil.AlfilError as error:
            found = next(each for each in error.diagnostics if each.kind == kind)
            yield f"| `{text}` | {found.message} | `{kind}` |"
        else:
            raise ValueError(f"{text} translates, so it is no example of {kind}")


def losses() -> str:
    """All tables."""
    lines = []
    for section in SECTIONS:
        lines += ["", f"### {section}", "", "| text | why not | kind |", "|---|---|---|"]
        lines += rows(section)
    return "\n".join([BEGIN, *lines, "", END])


def main() -> int:
    """Put the tables into docs/notations.md."""
    path = DOCS / "notations.md"
    text = path.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    path.write_text(before + losses() + rest.split(END)[1], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
