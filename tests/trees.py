"""Trees as plain data, so that what a test expects of one needs none of alfil's own classes; the
grammars, which are the reference of what trees there are; and the steps that stand in them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from math import atan2
from pathlib import Path

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


def grammar_text(name: str) -> str:
    """The text of a grammar, as Lark takes it."""
    return (Path(__file__).parents[1] / "grammars" / f"{name}.lark").read_text(encoding="utf-8")


def images(p: int, q: int) -> tuple[Vector, ...]:
    """All turns and mirrors of a step, clockwise, from the one on or right of forward."""
    every = {(x * a, y * b) for a, b in ((p, q), (q, p)) for x in (1, -1) for y in (1, -1)}
    return tuple(sorted(every, key=lambda step: atan2(*step) % (2 * 3.1415926536)))
