"""Record files: written atomically, or appended move by move."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import ClassVar, NoReturn, Self
from weakref import WeakValueDictionary

from alfil.atomic_files import append_bytes, reject_write, save_files
from alfil.errors import RecordError, cannot_read_message, decode_file, reject
from alfil.play.records.own_format import render
from alfil.play.session import Session
from alfil.source import Source, Span

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

RECORD_SUFFIX = ".alfil"
# What files may be in that are not in UTF-8, by what they are called.
ENCODING_BY_SUFFIX = {".kif": "cp932", ".csa": "cp932", ".pgn": "latin-1"}
BYTE_LIMIT = 1_000_000
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def save_in_own_format(session: Session, path: str | os.PathLike[str]) -> None:
    """Write the record of a match; a file of that name is replaced, or stays as it is on failure.

    Raises `AlfilError` where it cannot be written.
    """
    save_files({os.fspath(path): _to_bytes(render(session, finished=True))})


def read_source(path: str | os.PathLike[str]) -> Source:
    """The text of a file; a mark of byte order is left out, lines end in one sign.

    What shogi programs wrote may be in Shift JIS, and PGN in ISO 8859-1, as its standard has it.
    Raises `RecordError` for a file that cannot be read, is too long or is not UTF-8.
    """
    name = os.fspath(path)
    try:
        with Path(path).open("rb") as file:
            raw = file.read(BYTE_LIMIT + 1)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        message, hint = cannot_read_message(name, error), "look at the path"
        reject(RecordError, "cannot-read", message, Source(name, "<file>"), hint=hint)
    if len(raw) > BYTE_LIMIT:
        _reject_length(name)
    raw = raw.removeprefix(_BYTE_ORDER_MARK)
    older = ENCODING_BY_SUFFIX.get(Path(name).suffix.lower())
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data" and older != ENCODING_BY_SUFFIX[".kif"]:
            # The file breaks off in a character: without it, it breaks off all the same.
            raw = raw[: error.start]
        elif older:
            raw = raw.decode(older, "replace").encode()
    return decode_file(raw, name, RecordError)


class Journal:
    """A record file that is updated during a match.

    After `write` all that has happened is on the disk. Moves are added at the end of the file;
    when something was taken back it is written anew. The file is finished by `close`; until then it
    says by its missing end that the match went on, and is read with ``recover=True``. A file that
    is there already is only written over with ``overwrite``, as when its own match goes on, and
    not while another program keeps a match in it. A write that fails loses nothing: the next one
    makes up for it.

    >>> import alfil, tempfile
    >>> session = Session(alfil.load("hand_shogi").variant)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     journal = Journal(Path(folder) / "match.alfil", session)
    ...     _ = session.push("SO-6f")
    ...     journal.write()
    ...     (Path(folder) / "match.alfil").read_text().split()[-2:]
    ['1.', 'SO-6f']
    """

    _lock: _FileLock | None = None

    def __init__(
        self, path: str | os.PathLike[str], session: Session, *, overwrite: bool = False
    ) -> None:
        self._path = Path(path)
        self._session = session
        # What was last to be in the file; where that failed, it has a beginning of it.
        self._wanted = b""
        if os.path.lexists(path):
            if not overwrite:
                name = os.fspath(path)
                message = f"there is already a file {name}"
                hint = "use another name, or load the match and continue it"
                reject(RecordError, "record-exists", message, Source(name, "<file>"), hint=hint)
            self._lock = _try_lock(self._path)
        self._rewrite(_to_bytes(render(session, finished=False)))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()

    def write(self) -> None:
        """Write what is new since the last call.

        Raises `AlfilError` where that fails, also when the file has what somebody else wrote.
        """
        self._write_to_disk(_to_bytes(render(self._session, finished=False)))

    def close(self) -> None:
        """Finish the file with its last line, and leave it to others."""
        self._write_to_disk(_to_bytes(render(self._session, finished=True)))
        self._lock = None

    def _write_to_disk(self, text: bytes) -> None:
        """Have this text in the file, and nothing lost that is not ours."""
        there = self._current_bytes()
        if not self._wanted.startswith(there):
            name = os.fspath(self._path)
            message = f"{name} was changed by somebody else while the match was played"
            hint = "save the match under another name"
            reject(RecordError, "record-changed", message, Source(name, "<file>"), hint=hint)
        if not there or not text.startswith(there):
            self._rewrite(text)
        elif text != there:
            self._wanted = text
            append_bytes(self._path, text[len(there) :], len(there))

    def _rewrite(self, text: bytes) -> None:
        save_files({os.fspath(self._path): text})
        self._wanted = text
        self._lock = _try_lock(self._path)

    def _current_bytes(self) -> bytes:
        """What the file has; nothing where it was removed."""
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return b""
        except OSError as error:
            reject_write(self._path, error)


class _FileLock:
    """A file that no other program keeps a match in, as long as this is there."""

    all: ClassVar[WeakValueDictionary[tuple[int, int], _FileLock]] = WeakValueDictionary()

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __del__(self) -> None:
        os.close(self._handle)


def _try_lock(path: Path) -> _FileLock | None:
    """A lock on a file; None where it cannot be had, as then each write looks what is there.

    Raises `RecordError` if another program has it. All matches of this program share one.
    """
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    lock, status = _FileLock(handle), os.fstat(handle)
    inode = (status.st_dev, status.st_ino)
    if inode in _FileLock.all or fcntl is None:
        return _FileLock.all.get(inode)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        name = os.fspath(path)
        message = f"another program keeps its match in {name}"
        hint = "end that program, or save the match under another name"
        reject(RecordError, "record-in-use", message, Source(name, "<file>"), hint=hint)
    except OSError:
        return None
    _FileLock.all[inode] = lock
    return lock


def _to_bytes(text: str) -> bytes:
    try:
        raw = text.encode()
    except UnicodeEncodeError as error:
        message = f"{text[error.start]!a} is half a character and cannot be written"
        source, here = Source(text, "<record>"), Span(error.start, error.end)
        reject(RecordError, "cannot-write", message, source, here, "leave it out")
    if len(raw) > BYTE_LIMIT:
        _reject_length("<record>")
    return raw


def _reject_length(name: str) -> NoReturn:
    message = f"a record has up to {BYTE_LIMIT:,} bytes"
    hint = "put the games in several files, and say less"
    reject(RecordError, "too-long", message, Source("", name), Span(0, 1), hint)
