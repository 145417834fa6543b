"""Files written as a whole or not at all; folders of them, and lines added to a file, likewise."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from shutil import rmtree
from tempfile import NamedTemporaryFile, mkdtemp
from typing import NoReturn

from alfil.errors import AlfilError, RecordError, reject
from alfil.source import Source

# The file of a folder by which a folder of ours is known.
INDEX_FILE = "index.html"


def save_files(files: Mapping[str, bytes]) -> None:
    """Write files; what stood there before is replaced only when all of them could be written.

    A pipe or a device, such as /dev/stdout, takes its content after that. Raises `AlfilError` of
    kind "cannot-write", and then leaves everything as it was.
    """
    ready: list[tuple[Path, Path]] = []
    streams = [name for name in files if is_stream(name)]
    try:
        for name, content in files.items():
            if name not in streams:
                ready.append(_write_temporary(Path(name), content))
        for temporary, path in ready:
            try:
                temporary.replace(path)
            except OSError as error:
                reject_write(path, error)
        for folder in {path.parent for _, path in ready}:
            _sync_folder(folder)
        for name in streams:
            _write_stream(Path(name), files[name])
    finally:
        for temporary, _ in ready:
            temporary.unlink(missing_ok=True)


def numbered_names(path: Path) -> Iterator[Path]:
    """A name, and where that is taken the same with ``-2``, ``-3`` and so on before its suffix."""
    yield path
    for number in count(2):
        yield path.with_stem(f"{path.stem}-{number}")


def _write_stream(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        reject_write(path, error)


def is_stream(name: str | os.PathLike[str]) -> bool:
    """Whether something is there that is neither a file nor a folder, such as a pipe."""
    try:
        mode = Path(name).stat().st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def append_bytes(path: Path, content: bytes, current_length: int) -> None:
    """Write more at the end of a file of that length; all of it is on the disk after, or nothing.

    Raises `AlfilError` of kind "cannot-write".
    """
    try:
        with path.open("ab", buffering=0) as file:
            try:
                left = memoryview(content)
                while left:  # a disk that fills up takes a part of it, and says so by the count
                    left = left[file.write(left) :]
                os.fsync(file.fileno())
            except OSError:
                file.truncate(current_length)
                raise
    except OSError as error:
        reject_write(path, error)


class ResumableLineFile:
    """A file of results that grows by whole lines, so that an interrupted run can be continued.

    ``lines`` are those that are there after the head; a last one that was broken off is cut off.
    ``head`` is what the file begins with, one line or more, and says what its results are of.
    Raises `RecordError` of kind "record-exists" for a file with another head, and `AlfilError` of
    kind "cannot-write".
    """

    def __init__(self, path: Path, head: str = "") -> None:
        self._path = path
        begun = f"{head}\n" if head else ""
        try:
            if not path.exists():
                save_files({str(path): begun.encode()})
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reject_write(path, error if isinstance(error, OSError) else "it is not ours")
        whole = text[: text.rfind("\n") + 1]
        if not whole.startswith(begun):
            message = f"{path} has other results: {text.partition(chr(10))[0]:.200}"
            hint = "choose another name, or the options it was begun with"
            reject(RecordError, "record-exists", message, Source(str(path), "<file>"), hint=hint)
        if whole != text:
            save_files({str(path): whole.encode()})
        self._length = len(whole.encode())
        self.lines = whole[len(begun) :].splitlines()

    def append(self, lines: Iterable[str]) -> None:
        """Write more lines; all of them are on the disk after, or none."""
        added = [*lines]
        more = "".join(f"{line}\n" for line in added).encode()
        append_bytes(self._path, more, self._length)
        self._length += len(more)
        self.lines += added


def save_web_folder(
    folder: str | os.PathLike[str], make_files: Callable[[], Mapping[str, bytes]], index_mark: str
) -> int:
    """Write a folder of files whose index.html has ``index_mark`` in it; returns how many files.

    They are made only where the folder can be written. A folder that is there already is replaced
    if it is empty, or if its own index.html has the mark and nothing but these files stands beside
    that. Raises `AlfilError` of kind "cannot-write", and then leaves everything as it was.
    """
    target = Path(folder)
    with _errors_name_folder(target):
        _require_replaceable_folder(target, index_mark)
        existing = next(each for each in target.absolute().parents if each.exists())
        made = Path(mkdtemp(dir=existing, prefix=f".{target.name[:40]}."))
    try:
        files = make_files()
        with _errors_name_folder(target):
            _require_no_other_files(target, files)
            for name, content in files.items():
                path = made / "new" / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            target.parent.mkdir(parents=True, exist_ok=True)
            _replace_folder(made / "new", target, made / "old")
    finally:
        rmtree(made, ignore_errors=True)
    return len(files)


@contextmanager
def _errors_name_folder(target: Path) -> Iterator[None]:
    """Raise `AlfilError` of kind "cannot-write" for a folder that cannot be written."""
    try:
        yield
    except OSError as error:
        reject_write(target, error)
    except ValueError as error:  # a null character in the name
        reject_write(target, str(error))


def reject_write(path: Path, why: OSError | str) -> NoReturn:
    """Raise `AlfilError` of kind "cannot-write" for a file or folder."""
    if isinstance(why, OSError):
        why = (why.strerror or str(why)).lower()
    message, hint = f"cannot write {path}: {why}", "choose another folder or another name"
    reject(AlfilError, "cannot-write", message, Source(str(path), "<file>"), hint=hint)


def _link_target(path: Path) -> Path:
    """The file that is written: where a link leads to, so that the link stays."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _write_temporary(path: Path, content: bytes) -> tuple[Path, Path]:
    """The content in a new file in the same folder, and the file it is to become."""
    temporary = None
    try:
        _check_writable(path)
        path = _link_target(path)
        with NamedTemporaryFile(dir=path.parent, prefix=".alfil-", delete=False) as stream:
            temporary = Path(stream.name)
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
    except OSError as error:
        if temporary:
            temporary.unlink(missing_ok=True)
        reject_write(path, error)
    return temporary, path


def _sync_folder(folder: Path) -> None:
    """Have the new names in a folder on the disk too, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _check_writable(path: Path) -> None:
    """Refuse what can be told before anything is written."""
    if "\0" in str(path):
        reject_write(path, "a name has no null character")
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        reject_write(path, "the name has a character that no file name can have")
    if path.is_dir():
        reject_write(path, "it is a folder")
    if not _link_target(path).parent.is_dir():
        reject_write(path, f"there is no folder {path.parent}")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _replace_folder(new: Path, target: Path, old: Path) -> None:
    """Put a folder in the place of another; whatever happens, one of them stands there after."""
    try:
        if target.exists():
            target.rename(old)
        new.rename(target)
    finally:
        if old.exists() and not target.exists():
            old.rename(target)


def _require_replaceable_folder(target: Path, index_mark: str) -> None:
    """Raise OSError where something stands that is not ours to remove."""
    if not target.exists():
        return
    if not target.is_dir():
        raise NotADirectoryError(20, "it is no folder", str(target))
    if any(target.iterdir()):
        index = target / INDEX_FILE
        text = index.read_text(encoding="utf-8", errors="replace") if index.is_file() else ""
        if index_mark not in text:
            _raise_other_files(target)


def _require_no_other_files(target: Path, files: Mapping[str, bytes]) -> None:
    """Raise OSError where something stands in a folder that none of its new files replaces."""
    present = {path.name for path in target.iterdir()} if target.exists() else set()
    if not present <= {name.partition("/")[0] for name in files}:
        _raise_other_files(target)


def _raise_other_files(target: Path) -> NoReturn:
    raise FileExistsError(17, "there are other files in it", str(target))
