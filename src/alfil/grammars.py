"""The data files, wherever this copy of alfil keeps them: grammars, pieces, the error catalogue.

A built distribution carries them as package data; a checkout keeps them at its top level, where an
edit is live in an editable install. Paths are plain strings, because pathlib takes a while to load.
"""

from __future__ import annotations

import os
from functools import cache

# The folders of the package that have another name at the top of a checkout.
IN_CHECKOUT = {"data": "docs"}


@cache
def load_grammar(name: str) -> str:
    """The text of one grammar, such as "betza".

    >>> "piece:" in load_grammar("betza")
    True
    """
    return read_data("grammars", f"{name}.lark")


def read_data(folder: str, name: str) -> str:
    """A text file that is package data in a distribution, perhaps a top-level one in a checkout."""
    for place in _folders(folder):
        path = os.path.join(place, name)
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    # Not in the file system, so the package is read from an archive; this costs an import.
    from importlib.resources import files

    return (files("alfil") / folder / name).read_text(encoding="utf-8")


def read_table(folder: str, name: str) -> list[list[str]]:
    """The rows of a table, cut at tabs: all lines but the heads of its columns and headings.

    A heading is a line that begins with ``#`` and a blank.
    """
    _, *lines = read_data(folder, name).splitlines()
    return [line.split("\t") for line in lines if not line.startswith("# ")]


def data_names(folder: str) -> list[str]:
    """The names of the files in a folder of data, in no order that means anything."""
    for place in _folders(folder):
        if os.path.isdir(place):
            return os.listdir(place)
    from importlib.resources import files

    inside = files("alfil") / folder
    return [entry.name for entry in inside.iterdir()] if inside.is_dir() else []


def _folders(folder: str) -> tuple[str, str]:
    """Where a folder of data may be: in the package, or at the top of a checkout."""
    here = os.path.dirname(os.path.abspath(__file__))
    checkout = os.path.dirname(os.path.dirname(here))
    return os.path.join(here, folder), os.path.join(checkout, IN_CHECKOUT.get(folder, folder))
