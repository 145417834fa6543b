"""The grammar files, wherever this copy of alfil keeps them.

A built distribution carries them as package data; a checkout keeps them at its top level, where an
edit is live in an editable install. Paths are plain strings, because pathlib takes a while to load.
"""

from __future__ import annotations

import os
from functools import cache


@cache
def load_grammar(name: str) -> str:
    """The text of one grammar, such as "betza".

    >>> "piece:" in load_grammar("betza")
    True
    """
    return read_data("grammars", f"{name}.lark", "grammars")


def read_data(folder: str, name: str, checkout_folder: str) -> str:
    """A text file that is package data in a distribution and a top-level file in a checkout."""
    here = os.path.dirname(os.path.abspath(__file__))
    checkout = os.path.dirname(os.path.dirname(here))
    for place in ((here, folder), (checkout, checkout_folder)):
        path = os.path.join(*place, name)
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    # Not in the file system, so the package is read from an archive; this costs an import.
    from importlib.resources import files

    return (files("alfil") / folder / name).read_text(encoding="utf-8")
