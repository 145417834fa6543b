"""What many tests need of alfil that is not public, in one place, each with its reason."""

from alfil.cli.app import COMMANDS, run  # the command without the start of another process
from alfil.library.files import bundled_names  # every bundled set, also one that is added later

__all__ = ["COMMANDS", "bundled_names", "run"]
