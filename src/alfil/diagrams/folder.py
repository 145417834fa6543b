"""A folder of files, written as a whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from alfil.diagrams.saving import reason, refuse

INDEX = "index.html"


def save_folder(folder: str | os.PathLike[str], files: Mapping[str, bytes], mark: str) -> None:
    """Write a folder of files whose index.html has ``mark`` in it.

    A folder that is there already is replaced if it is empty, or if its own index.html has the mark
    and nothing but what ``files`` has stands beside that. Raises `AlfilError` of kind
    "cannot-write", and then leaves everything as it was.
    """
    target = Path(folder)
    made: Path | None = None
    try:
        _require_ours(target, files, mark)
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(mkdtemp(dir=target.parent, prefix=f".{target.name[:40]}."))
        for name, content in files.items():
            path = made / "new" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        _swap(made / "new", target, made / "old")
    except OSError as error:
        where = Path(os.fsdecode(error.filename2 or error.filename or target))
        refuse(where, reason(error))
    except ValueError as error:  # a null character in the name
        refuse(target, str(error))
    finally:
        if made is not None:
            rmtree(made, ignore_errors=True)


def _swap(new: Path, target: Path, old: Path) -> None:
    """Put a folder in the place of another; whatever happens, one of them stands there after."""
    try:
        if target.exists():
            target.rename(old)
        new.rename(target)
    finally:
        if old.exists() and not target.exists():
            old.rename(target)


def _require_ours(target: Path, files: Mapping[str, bytes], mark: str) -> None:
    """Raise OSError where something stands that is not ours to remove."""
    if not target.exists():
        return
    if not target.is_dir():
        raise NotADirectoryError(20, "it is no folder", str(target))
    present = {path.name for path in target.iterdir()}
    index = target / INDEX
    ours = present <= {name.partition("/")[0] for name in files} and index.is_file()
    if present and not (ours and mark in index.read_text(encoding="utf-8", errors="replace")):
        raise FileExistsError(17, "there are other files in it", str(target))
