"""`alfil lsp`: the language server."""

from __future__ import annotations

import os
import sys
from typing import BinaryIO

import click

# The longest line before a message, and the longest message, in bytes.
MAX_HEADER_BYTES, MAX_MESSAGE_BYTES = 1 << 10, 1 << 26


class _EditorInput:
    """What an editor sends; what is too long is refused before it is read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        """A line before a message."""
        line = self._stream.readline(MAX_HEADER_BYTES)
        _limit(len(line), MAX_HEADER_BYTES - 1)
        return line

    def read(self, size: int) -> bytes:
        """A message of so many bytes."""
        _limit(size, MAX_MESSAGE_BYTES)
        return self._stream.read(size)


def _limit(size: int, most: int) -> None:
    if size > most:
        raise click.ClickException("an editor sent a message that is too long")


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Taken for editors that add it; there is no other way.")
def lsp_command(*, stdio: bool) -> int:
    """Serve an editor that speaks the language server protocol, on standard input and output.

    docs/howto/editors.md has the settings for VS Code, Neovim, Helix and Emacs.
    """
    del stdio
    try:
        from alfil.lsp.server import make_server  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        if error.name not in {"pygls", "lsprotocol"}:
            raise
        raise click.UsageError("lsp needs pygls: pip install 'alfil[lsp]'") from None
    # The server closes what it writes to, and standard output is still flushed after that.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as output:
        editor = _EditorInput(sys.stdin.buffer)
        make_server().start_io(editor, output)  # type: ignore[arg-type] # it only reads
    return 0
