"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import mkstemp


def replace_file(path: Path, content: bytes) -> None:
    """Write a file beside the old one and put it in its place; on failure the old one stays.

    The new file may be read by whom the old one could, or by whom any new file can.
    """
    handle, name = mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        fresh.chmod(path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_mask())
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _mask() -> int:
    """The bits that new files do not get; asking for them sets them, so they are set back."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
