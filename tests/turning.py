"""Places and moves as the other side sees them, from the other end of the board."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import alfil


def turned(value: object) -> Any:  # noqa: ANN401 - of the same type
    """Places or moves with every offset as the other side sees it; conditions stay as they are."""
    match value:
        case alfil.PieceMove():
            offsets = {each.name: turned(getattr(value, each.name)) for each in fields(value)}
            return replace(value, **offsets | {"guard": value.guard})
        case dict():
            return {turned(name): turned(each) for name, each in value.items()}
        case (int(x), int(y)) if isinstance(value, tuple):
            return -x, -y
        case tuple() | list() | frozenset():
            return type(value)(map(turned, value))
    return value
