"""The data files, wherever this copy of alfil keeps them: grammars, pieces, the error catalogue.

A built distribution carries them as package data; a checkout keeps them at its top level, where an
edit is live in an editable install. What takes long to work out from them is kept in the user's
folder for such things (`load_or_make`). Paths are plain strings, because pathlib takes a while
to load.
"""

from __future__ import annotations

import marshal
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache, cached_property
from importlib.util import source_hash
from typing import TypeVar, cast

from alfil.errors import Diagnostic, Severity
from alfil.frozen_dataclasses import NamedTuple
from alfil.source import Span

Plain = TypeVar("Plain")

# The folders of the package that have another name at the top of a checkout.
CHECKOUT_FOLDERS = {"data": "docs", "data/howto": "docs/howto", "data/errors": "docs/errors"}


@cache
def load_grammar(name: str) -> str:
    """The text of one grammar, such as "betza".

    >>> "piece:" in load_grammar("betza")
    True
    """
    return read_data("grammars", f"{name}.lark")


def read_data(folder: str, name: str) -> str:
    """A text file that is package data in a distribution, perhaps a top-level one in a checkout."""
    path = data_path(folder, name)
    if path:
        with open(path, encoding="utf-8") as file:
            return file.read()
    # Not in the file system, so the package is read from an archive; this costs an import.
    from importlib.resources import files

    return (files("alfil") / folder / name).read_text(encoding="utf-8")


def data_path(folder: str, name: str) -> str:
    """The path of such a file, empty where the package is read from an archive."""
    paths = (os.path.join(place, name) for place in _data_folders(folder))
    return next(filter(os.path.isfile, paths), "")


def read_table(folder: str, name: str) -> list[list[str]]:
    """The rows of a table, cut at tabs, without the names of its columns and headings.

    A heading is a line that begins with ``#`` and a blank.
    """
    lines = read_data(folder, name).splitlines()[1:]
    return [line.split("\t") for line in lines if not line.startswith("# ")]


class MessageTemplate(NamedTuple):
    """What is said of a mistake, a row of a table; names in braces are filled in.

    What a hint offers to write stands in ‹ ›. ``severity`` is "warning" or "note" for what is no
    error, or a notation's own word.
    """

    kind: str
    message: str
    hint: str = ""
    severity: str = ""

    def diagnostic_at(self, *spans: Span, **values: object) -> Diagnostic:
        """The diagnostic at some places."""
        severities: dict[str, Severity] = {"warning": "warning", "note": "note"}
        hint, offers = hint_and_offer_spans(self.hint, values)
        severity = severities.get(self.severity, "error")
        return Diagnostic(self.kind, self.message.format(**values), spans, hint, severity, offers)


_OFFER_MARK_PATTERN = re.compile("[‹›]")


class HintMarkup(str):
    """Words to put into a hint that have marks of their own; in other words there are none."""


def hint_and_offer_spans(
    template: str, values: Mapping[str, object]
) -> tuple[str, tuple[Span, ...]]:
    """A hint with its names filled in, and where in it the texts stand that it offers.

    >>> hint_and_offer_spans("write ‹{letter}› twice", {"letter": "W"})
    ('write W twice', (Span(start=6, end=7),))
    """
    for name, value in values.items():
        if isinstance(value, HintMarkup):
            template = template.replace(f"{{{name}}}", value.replace("{", "{{").replace("}", "}}"))
    hint, places = "", []
    for number, part in enumerate(_OFFER_MARK_PATTERN.split(template)):
        filled = part.format(**values)
        if number % 2:
            places.append(Span(len(hint), len(hint) + len(filled)))
        hint += filled
    return hint, tuple(places)


class MessageTable:
    """What is said of the texts of a notation, by names: a table beside the grammars.

    Behind a name stand the letters that its row is for, none where it is for all others.
    """

    def __init__(self, table: str) -> None:
        self._table = table

    @cached_property
    def _rows(self) -> dict[tuple[str, str], list[str]]:
        """The rows by name and letter, without these; few are ever asked for."""
        result: dict[tuple[str, str], list[str]] = {}
        for head, *words in read_table("grammars", self._table):
            name, *letters = head.split(" ")
            for letter in letters or [""]:
                result[name, letter] = words
        return result

    def find_template(self, name: str, letter: str) -> MessageTemplate | None:
        """The row of a name for a letter, None where there is none."""
        words = self._rows.get((name, letter)) or self._rows.get((name, ""))
        return MessageTemplate(*words) if words else None

    def template(self, name: str, letter: str) -> MessageTemplate:
        """The same where there is one for sure."""
        return MessageTemplate(*(self._rows.get((name, letter)) or self._rows[name, ""]))

    def make_diagnostic(self, name: str, /, *spans: Span, **values: object) -> Diagnostic:
        """What is said under a name, of some letters in words of their own."""
        return self.template(name, str(values.get("letter"))).diagnostic_at(*spans, **values)


def data_file_names(folder: str) -> list[str]:
    """The names of the files in a folder of data, in no order that means anything."""
    for place in _data_folders(folder):
        if os.path.isdir(place):
            return os.listdir(place)
    from importlib.resources import files

    inside = files("alfil") / folder
    return [each.name for each in inside.iterdir() if each.is_file()] if inside.is_dir() else []


def load_or_make(name: str, made_from: Iterable[bytes], make: Callable[[], Plain]) -> Plain:
    """What was made of the same things by an earlier process, or what is made now.

    It is plain data, such as Python writes into its own files. A stale or damaged file is replaced,
    and where nothing can be written all is made anew.
    """
    path = os.path.join(cache_folder(), f"{name}.tables")
    key = source_hash(b"\0".join(made_from))
    with suppress(OSError):
        with open(path, "rb") as file:
            signed, data = file.read(2 * len(key)), file.read()
        if signed == key + source_hash(data):
            return cast(Plain, marshal.loads(data))
    made = make()
    data = marshal.dumps(made)  # type: ignore[arg-type] # plain data
    # Whoever reads it meanwhile finds the old file or the new one.
    partial = f"{path}.{os.getpid()}"
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(partial, "wb") as file:
            file.write(key + source_hash(data) + data)
        try:
            os.replace(partial, path)
        except OSError:
            os.remove(partial)
    return made


@cache
def cache_folder() -> str:
    """The folder of `load_or_make`: ALFIL_CACHE, or the user's for what can be made again."""
    cache_override = os.environ.get("ALFIL_CACHE")
    if cache_override:
        return cache_override
    if sys.platform == "linux":
        # What platformdirs says there; to load it takes as long as to load a game.
        base = os.environ.get("XDG_CACHE_HOME", "")
        home = base if os.path.isabs(base) else os.path.expanduser("~/.cache")
        return os.path.join(home, "alfil", str(sys.implementation.cache_tag))
    from platformdirs import user_cache_dir

    return user_cache_dir("alfil", appauthor=False, version=sys.implementation.cache_tag)


@cache
def program_modification_stamp() -> bytes:
    """What changes when a module or a table of alfil does; looked at once."""
    here = os.path.dirname(os.path.abspath(__file__))
    modules = sorted(
        os.path.join(folder, name)
        for folder, _, names in os.walk(here)
        for name in names
        if name.endswith((".py", ".tsv"))
    )
    return _sizes_and_dates(map(os.stat, modules))


@cache
def folder_modification_stamp(folder: str) -> bytes:
    """What changes when a file in a folder of data does; looked at once."""
    for place in _data_folders(folder):
        if os.path.isdir(place):
            return _sizes_and_dates(
                os.stat(os.path.join(place, name)) for name in sorted(os.listdir(place))
            )
    return "\0".join(read_data(folder, name) for name in sorted(data_file_names(folder))).encode()


def _sizes_and_dates(files: Iterable[os.stat_result]) -> bytes:
    """Sizes and times; in a browser, where files are as old as the visit, the sizes alone."""
    if sys.platform == "emscripten":
        return repr([each.st_size for each in files]).encode()
    return repr([(each.st_mtime_ns, each.st_size) for each in files]).encode()


def _data_folders(folder: str) -> tuple[str, str]:
    """Where a folder of data may be: in the package, or at the top of a checkout."""
    here = os.path.dirname(os.path.abspath(__file__))
    checkout = os.path.dirname(os.path.dirname(here))
    return os.path.join(here, folder), os.path.join(checkout, CHECKOUT_FOLDERS.get(folder, folder))
