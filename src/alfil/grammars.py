"""The grammar files, wherever this copy of alfil keeps them.

A built distribution carries them as package data; a checkout keeps them at its top level, where an
edit is live in an editable install.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def load_grammar(name: str) -> str:
    """The text of one grammar, such as "betza".

    >>> "piece:" in load_grammar("betza")
    True
    """
    return read_data("grammars", f"{name}.lark", "grammars")


def read_data(folder: str, name: str, checkout_folder: str) -> str:
    """A text file that is package data in a distribution and a top-level file in a checkout."""
    here = Path(__file__)
    for place in (here.parent / folder / name, here.parents[2] / checkout_folder / name):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    # Not in the file system, so the package is read from an archive; this costs an import.
    from importlib.resources import files

    return (files("alfil") / folder / name).read_text(encoding="utf-8")
