"""The grammar files, wherever this copy of alfil keeps them.

A built distribution carries them as package data; a checkout keeps them at its top level, where an
edit is live in an editable install.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
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
    packaged = files("alfil") / folder / name
    if packaged.is_file():
        return packaged.read_text(encoding="utf-8")
    checkout = Path(__file__).parents[2] / checkout_folder / name
    return checkout.read_text(encoding="utf-8")
