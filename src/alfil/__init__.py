"""alfil: how a piece moves, read from a notation, given one exact meaning, and shown.

>>> import alfil
>>> alfil.same("FyafsF", alfil.read("1×4dD &t n4dO", notation="hasinu"))
True
"""

from importlib import import_module

__version__ = "0.2.0"

# To make a name public, add a line to `__init__.pyi`. It is imported from its home on first use:
# importing alfil costs next to nothing.
_LINES = __loader__.get_data(f"{__path__[0]}/__init__.pyi").decode().splitlines()
_HOMES = {words[3]: words[1] for words in map(str.split, _LINES) if words[:1] == ["from"]}
# `from alfil import *` leaves Python's own `compile` alone.
__all__ = [name for name in _HOMES if name != "compile"]


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if home == __name__:  # a public module
        return import_module(f"{home}.{name}")
    found = getattr(import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
