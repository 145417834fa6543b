"""`alfil lsp`: the language server."""

from __future__ import annotations

import os
import sys

import click


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
        try:
            make_server().start_io(stdout=output)
        # The length of a message is a number of any size, or of more digits than Python reads.
        except (MemoryError, OverflowError, ValueError):
            raise click.ClickException("an editor sent a message that is too long") from None
    return 0
