"""Files written as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import NoReturn

from alfil.errors import AlfilError, Finding
from alfil.source import Source, Span


def save(files: Mapping[str, bytes]) -> None:
    """Write files; what stood there before is replaced only when all of them could be written.

    Raises `AlfilError` of kind "cannot-write", and then leaves everything as it was.
    """
    ready: list[tuple[Path, Path]] = []
    try:
        for name, content in files.items():
            ready.append(_beside(Path(name), content))
        for temporary, path in ready:
            try:
                temporary.replace(path)
            except OSError as error:
                refuse(path, reason(error))
    finally:
        for temporary, _ in ready:
            temporary.unlink(missing_ok=True)


def _followed(path: Path) -> Path:
    """The file that is written: where a link leads to, so that the link stays."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _beside(path: Path, content: bytes) -> tuple[Path, Path]:
    """The content in a new file in the same folder, and the file it is to become."""
    temporary = None
    try:
        _check(path)
        path = _followed(path)
        with NamedTemporaryFile(dir=path.parent, prefix=".alfil-", delete=False) as stream:
            temporary = Path(stream.name)
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(path.stat().st_mode if path.exists() else 0o666 & ~_umask())
    except OSError as error:
        if temporary:
            temporary.unlink(missing_ok=True)
        refuse(path, reason(error))
    return temporary, path


def _check(path: Path) -> None:
    """Refuse what can be told before anything is written."""
    if "\0" in str(path):
        refuse(path, "a name has no null character")
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        refuse(path, "the name has a character that no file name can have")
    if path.is_dir():
        refuse(path, "it is a folder")
    if not _followed(path).parent.is_dir():
        refuse(path, f"there is no folder {path.parent}")


def reason(error: OSError) -> str:
    """What the system says went wrong."""
    return (error.strerror or str(error)).lower()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def refuse(path: Path, why: str) -> NoReturn:
    """Raise `AlfilError` of kind "cannot-write" for a file or folder."""
    where = str(path)
    finding = Finding(
        "cannot-write",
        f"cannot write {where}: {why}",
        (Span(0, len(where)),),
        "choose another folder or another name",
    )
    raise AlfilError([finding], Source(where, "<file>")) from None
