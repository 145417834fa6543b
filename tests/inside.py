"""What many tests need of alfil that is not public, in one place, each with its reason."""

from alfil.cli.app import COMMANDS, run  # the command without the start of another process
from alfil.game.variant import Variant  # the name of what a library gives, and `Game` takes
from alfil.library.files import bundled_names  # every bundled set, also one that is added later

__all__ = ["COMMANDS", "Variant", "bundled_names", "run"]
