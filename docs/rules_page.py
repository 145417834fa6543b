"""The rules pages that are kept in docs, by `alfil.library.rules_page`, and their pictures."""

from __future__ import annotations

import sys
from pathlib import Path

import alfil
from alfil.library.library import Library
from alfil.library.rules_page import pictures_by_suffix, rules_page

DOCS = Path(__file__).parent
KEPT = ("hand_shogi",)


def kept(library: Library) -> dict[str, bytes]:
    """The files of a page by their paths in docs."""
    name = library.name
    made = f"from pieces/{name}.pieces by docs/rules_page.py; anew with: make docs"
    text = rules_page(library, pictures=f"pictures/{name}", made=made, documents=True)
    drawn = {
        f"pictures/{name}{end}": content for end, content in pictures_by_suffix(library).items()
    }
    return {f"{name}.md": text.encode(), **drawn}


def main() -> int:
    """Make the pages that are kept, and their pictures."""
    (DOCS / "pictures").mkdir(exist_ok=True)
    for name in KEPT:
        for file, content in kept(alfil.load(name)).items():
            (DOCS / file).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
