"""Trees as plain data, so that what a test expects of one needs none of alfil's own classes; the
grammars, which are the reference of what trees there are; and the steps that stand in them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from math import atan2
from pathlib import Path
from typing import Any, get_args, get_type_hints

from alfil import Span

Vector = tuple[int, int]
COMPASS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


def node(kind: str, *names: str, **defaults: object) -> Callable[..., dict[str, object]]:
    """What makes nodes of one kind as data: its fields in order, those with defaults last."""

    def made(*values: object, **named: object) -> dict[str, object]:
        given = dict(zip([*names, *defaults], values, strict=False))
        return {"node": kind, **defaults, **given, **named}

    return made


def plain(tree: object) -> object:
    """A tree, or anything in it, as such data; what takes no part in equality is left out."""
    if is_dataclass(tree):
        told = {each.name: plain(getattr(tree, each.name)) for each in fields(tree) if each.compare}
        return {"node": type(tree).__name__, **told}
    return tuple(map(plain, tree)) if isinstance(tree, tuple) else tree


def classes_in(root: type) -> dict[str, Any]:
    """A class of nodes, and all that can stand anywhere in one, by their names."""
    found: dict[str, type] = {}
    left: list[Any] = [root]
    while left:
        each = left.pop()
        if not isinstance(each, type) or each is Span:
            left += get_args(each)
        elif is_dataclass(each) and each.__name__ not in found:
            found[each.__name__] = each
            left += get_type_hints(each).values()
    return found


def grammar_text(name: str) -> str:
    """The text of a grammar, as Lark takes it."""
    return (Path(__file__).parents[1] / "grammars" / f"{name}.lark").read_text(encoding="utf-8")


def images(p: int, q: int) -> tuple[Vector, ...]:
    """All turns and mirrors of a step, clockwise, from the one on or right of forward."""
    every = {(x * a, y * b) for a, b in ((p, q), (q, p)) for x in (1, -1) for y in (1, -1)}
    return tuple(sorted(every, key=lambda step: atan2(*step) % (2 * 3.1415926536)))
