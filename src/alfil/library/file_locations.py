"""Locations of piece files: bundled sets, files by path, includes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache
from typing import TYPE_CHECKING, Literal

from alfil.data_files import data_file_names, read_data
from alfil.errors import (
    PieceFileError,
    cannot_read_message,
    decode_file,
    did_you_mean_or_list,
    reject,
)
from alfil.frozen_dataclasses import dataclass
from alfil.source import Source, Span, source_of_file_text

if TYPE_CHECKING:
    from alfil.library.statements import Text

PIECE_FILE_SUFFIX = ".pieces"
FOLDER = "pieces"
# The catalogue of names from many sources: sets of pieces without games, in a folder below.
CATALOGUE_FOLDER = "catalogue"
# What stands between the name of a file and that of a reading: chu@wikipedia.
READING_MARK = "@"
READING_NAME = re.compile(r"[\w-]+")
# No character of UTF-8 has more bytes.
MAX_BYTES_PER_CHARACTER = 4


@dataclass(frozen=True, slots=True)
class FileLocation:
    """The location of a piece file.

    ``name`` is the set's name or the file's without suffix. ``path`` is that of a file; ``root`` is
    the folder that nothing it includes may leave. ``unsaved`` are texts by path that are read in
    place of the files there, as an editor has them.
    ``reading`` is that of its game, empty for the default; ``name`` then ends in it.
    """

    name: str
    source: Source
    source_kind: Literal["set", "file", "text"]
    path: str = ""
    root: str = ""
    unsaved: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    reading: str = ""

    @property
    def key(self) -> str:
        """The identity of the file."""
        return self.path or f"<{self.name}>"

    def with_reading(self, reading: str) -> FileLocation:
        """The same file in a reading of its game; empty is the default one."""
        name = f"{self.name.partition(READING_MARK)[0]}{READING_MARK}{reading}" if reading else ""
        return replace(self, reading=reading, name=name) if reading else self


@cache
def bundled_set_names() -> tuple[str, ...]:
    """The names of the bundled sets, in the order of the alphabet."""
    return tuple(_set_names(FOLDER))


@cache
def catalogue_set_names() -> tuple[str, ...]:
    """The names of the sets of the catalogue, such as "catalogue/armies"; the same order."""
    return tuple(
        f"{CATALOGUE_FOLDER}/{name}" for name in _set_names(f"{FOLDER}/{CATALOGUE_FOLDER}")
    )


def is_bundled_or_catalogue_set(name: str) -> bool:
    """Whether a set of this name comes with alfil, in the catalogue perhaps."""
    text, _ = split_name_and_reading(name)
    return text in bundled_set_names() or text in catalogue_set_names()


def _set_names(folder: str) -> list[str]:
    names = data_file_names(folder)
    return sorted(
        name.removesuffix(PIECE_FILE_SUFFIX) for name in names if name.endswith(PIECE_FILE_SUFFIX)
    )


def find_file(name: str | os.PathLike[str]) -> FileLocation:
    """The file of that name: a path that ends in .pieces or has a folder in it, else a bundled set.

    Raises `PieceFileError` where there is none, or where it is no text in UTF-8.
    """
    text, reading = split_name_and_reading(os.fsdecode(name))
    return _find_file_without_reading(text, is_path=not isinstance(name, str)).with_reading(reading)


def split_name_and_reading(name: str) -> tuple[str, str]:
    """The name of a file, and of the reading behind it, empty where it has none.

    >>> split_name_and_reading("chu@wikipedia"), split_name_and_reading("me@home/a.pieces")
    (('chu', 'wikipedia'), ('me@home/a.pieces', ''))
    """
    text, mark, reading = name.rpartition(READING_MARK)
    return (text, reading) if mark and READING_NAME.fullmatch(reading) else (name, "")


def _find_file_without_reading(text: str, *, is_path: bool) -> FileLocation:
    if text in catalogue_set_names():
        return bundled_file(text)
    if is_path or text.endswith(PIECE_FILE_SUFFIX) or os.sep in text:
        return _path_location(text)
    if text not in bundled_set_names():
        hint = (
            f"{did_you_mean_or_list(text, bundled_set_names())}; a file ends in {PIECE_FILE_SUFFIX}"
        )
        message = (
            f"no set of pieces is called {text}" if text else "an empty name names no set of pieces"
        )
        reject(PieceFileError, "unknown-set", message, Source(text, "<set>"), hint=hint)
    return bundled_file(text)


@cache
def bundled_file(name: str) -> FileLocation:
    """A bundled set, or one of the catalogue."""
    return FileLocation(
        name, Source(read_data(FOLDER, name + PIECE_FILE_SUFFIX), name + PIECE_FILE_SUFFIX), "set"
    )


def read_file(path: str) -> Source:
    """The text of a file; raises `PieceFileError` where it cannot be read."""
    try:
        return _read_source(path, path)
    except PieceFileError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a null byte
        reject(PieceFileError, "cannot-read", cannot_read_message(path, error), Source(path, path))


def _path_location(path: str) -> FileLocation:
    source = read_file(path)
    real = os.path.realpath(path)
    return FileLocation(_file_stem(path), source, "file", real, os.path.dirname(real))


def location_in_editor(path: str, unsaved: Mapping[str, str]) -> FileLocation:
    """A file as an editor has it, and what it includes, from texts by their real paths."""
    real = os.path.realpath(path)
    source = source_of_file_text(unsaved[real], path)
    return FileLocation(_file_stem(path), source, "file", real, os.path.dirname(real), unsaved)


def _file_stem(path: str) -> str:
    return os.path.basename(path).removesuffix(PIECE_FILE_SUFFIX)


def _not_a_file_message(path: str) -> str:
    if os.path.isdir(path):
        return "it is a folder"
    return "it is no plain file" if os.path.exists(path) else "there is no such file"


def _read_source(path: str, name: str) -> Source:
    """The text of a file; a mark of byte order is left out, lines end in one sign."""
    if not os.path.isfile(path):
        raise OSError(0, _not_a_file_message(path))
    from alfil.library.statements import CHARACTER_LIMIT

    with open(path, "rb") as file:
        raw = file.read(MAX_BYTES_PER_CHARACTER * CHARACTER_LIMIT + 1)
    if len(raw) > MAX_BYTES_PER_CHARACTER * CHARACTER_LIMIT:
        message = f"a file has up to {CHARACTER_LIMIT:,} characters"
        hint = "put the pieces in several files"
        reject(PieceFileError, "too-long", message, Source("", name), Span(0, 1), hint)
    return decode_file(raw, name, PieceFileError)


def find_included(target: Text, including: FileLocation) -> FileLocation:
    """The file that an include names; `InvalidValue` where it is not allowed or cannot be read."""
    from alfil.library.statements import InvalidValue

    text = target.value
    if not text.endswith(PIECE_FILE_SUFFIX) or including.source_kind == "set":
        name = text.removesuffix(PIECE_FILE_SUFFIX)
        if not is_bundled_or_catalogue_set(name):
            near = did_you_mean_or_list(name, bundled_set_names())
            raise InvalidValue(
                "no-such-set", target.span, name=name, near=near, suffix=PIECE_FILE_SUFFIX
            )
        return bundled_file(name)
    real, source = read_file_beside(target, including)
    return FileLocation(_file_stem(text), source, "file", real, including.root, including.unsaved)


def read_file_beside(target: Text, including: FileLocation) -> tuple[str, Source]:
    """The path and the text of a file in the folder of a piece file, or in one below it.

    `InvalidValue` where it is elsewhere, or cannot be read.
    """
    from alfil.library.statements import InvalidValue

    text = target.value
    parts = text.replace("\\", "/").split("/")
    if including.source_kind != "file":
        raise InvalidValue("no-folder", target.span)
    if os.path.isabs(text) or ":" in text or "\\" in text or ".." in parts or "" in parts:
        raise InvalidValue("outside", target.span, file=text)
    path = os.path.join(os.path.dirname(including.path), *parts)
    try:
        real = os.path.realpath(path)
        if os.path.commonpath([real, including.root]) != including.root:
            raise InvalidValue("outside", target.span, file=text)
        name = os.path.join(os.path.dirname(including.source.name), *parts)
        unsaved = including.unsaved.get(real)
        source = _read_source(real, name) if unsaved is None else source_of_file_text(unsaved, name)
    except PieceFileError:
        raise
    except (OSError, ValueError) as error:
        raise InvalidValue("no-file", target.span, why=cannot_read_message(text, error)) from None
    return real, source
