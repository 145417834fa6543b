"""Texts as an editor has them, saved or not."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from pathlib import Path

from lsprotocol import types
from pygls.uris import from_fs_path, to_fs_path

from alfil.data_files import data_path
from alfil.errors import PieceFileError
from alfil.length_cache import LengthCache
from alfil.library.file_locations import (
    FOLDER,
    PIECE_FILE_SUFFIX,
    FileLocation,
    find_file,
    location_in_editor,
)
from alfil.library.file_report import FileReport, check_file
from alfil.library.outline import Outline, outline_of
from alfil.lsp.position_converter import PositionConverter

# Of the folder that is open so much is looked through for mentions of a piece.
MAX_FILES_SEARCHED = 500
MAX_FOLDERS_SEARCHED = 2000
# Reports of texts of so many characters are remembered, with the games that they are of: what a
# large file comes to takes up a hundred megabytes at worst.
MOST_CHARACTERS = 100_000


@dataclass(frozen=True)
class Document:
    """A text, its file, and how its editor counts; ``root`` is the folder that is open."""

    uri: str
    text: str
    location: FileLocation
    encoding: str = types.PositionEncodingKind.Utf16
    root: str = ""

    @cached_property
    def positions(self) -> PositionConverter:
        """The places in the text."""
        return PositionConverter(self.text, self.location.source.name, self.encoding)

    @cached_property
    def outline(self) -> Outline:
        """What the text defines and mentions."""
        return outline_of(self.location.source)

    @property
    def is_variants_ini(self) -> bool:
        """Whether it is a file of variants of Fairy-Stockfish, which is only checked."""
        return self.uri.endswith(".ini")

    def offset(self, position: types.Position) -> int:
        """The code point at a place."""
        return self.positions.offset(position)

    def report(self) -> FileReport:
        """All that `alfil check` finds."""
        return _cached_file_report((self.location, tuple(self.location.unsaved.items())))

    def document_at(self, location: FileLocation) -> Document:
        """A file that this one includes, or that lies beside it."""
        if location.key == self.location.key:
            return self
        text = location.unsaved.get(location.path, location.source.text)
        return Document(_uri_of(location), text, location, self.encoding, self.root)

    def other_piece_files(self) -> Iterator[Document]:
        """All piece files of the open folder and of the editor but this one, without an order."""
        unsaved = self.location.unsaved
        paths = {*unsaved} if self.location.path else set()
        files = _piece_files_below(self.root) if self.root else ()
        paths |= {os.path.realpath(path) for path in islice(files, MAX_FILES_SEARCHED)}
        for path in sorted(paths - {self.location.path}):
            location = locate_file(path, unsaved)
            if location:
                yield self.document_at(location)


def _piece_files_below(root: str) -> Iterator[str]:
    """The piece files below a folder, those in hidden folders and in folders too many left out."""
    for folder, inner, files in islice(os.walk(root), MAX_FOLDERS_SEARCHED):
        inner[:] = sorted(each for each in inner if each[0] != "." and each != "node_modules")
        yield from (
            str(Path(folder, each)) for each in sorted(files) if each.endswith(PIECE_FILE_SUFFIX)
        )


def locate_file(path: str, unsaved: Mapping[str, str]) -> FileLocation | None:
    """The file of a path, None where it cannot be read."""
    if path in unsaved:
        return location_in_editor(path, unsaved)
    try:
        return replace(find_file(Path(path)), unsaved=unsaved)
    except PieceFileError:
        return None


@partial(LengthCache, most=MOST_CHARACTERS, length=lambda key: len(key[0].source.text))
def _cached_file_report(key: tuple[FileLocation, tuple[tuple[str, str], ...]]) -> FileReport:
    """The report of a file, beside the texts that are not saved."""
    return check_file(key[0])


def clear_report_cache() -> None:
    """Look at files again: one may have changed."""
    _cached_file_report.cache_clear()


def path_of_uri(uri: str) -> str:
    """The real path of a document, empty where it is no file."""
    path = to_fs_path(uri)
    if not path or "\0" in path or not uri.startswith("file:"):
        return ""
    return os.path.realpath(path)


def make_document(uri: str, texts: Mapping[str, str], encoding: str, root: str) -> Document | None:
    """A document, by the texts of all that are open, by address; None for one that is nowhere."""
    unsaved = {path_of_uri(each): text for each, text in texts.items() if path_of_uri(each)}
    path, text = path_of_uri(uri), texts.get(uri)
    if text is None:
        closed = locate_file(path, unsaved) if path else None
        return Document(uri, closed.source.text, closed, encoding, root) if closed else None
    if path:
        location = location_in_editor(path, unsaved)
    else:
        source = PositionConverter(text, uri, encoding).source
        location = FileLocation(uri, source, "text")
    return Document(uri, text, location, encoding, root)


def _uri_of(location: FileLocation) -> str:
    bundled = data_path(FOLDER, location.source.name)
    path = location.path or bundled
    return from_fs_path(path) or location.key
