"""Trees of nodes, whatever they are nodes of, as indented lines or as plain data.

A node is a dataclass with a span. What a field has by default goes without saying.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import Field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeGuard

from alfil.source import Span, printable

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def is_node(value: object) -> TypeGuard[DataclassInstance]:
    """Whether a value is a node of a tree, which carries a span."""
    return is_dataclass(value) and isinstance(getattr(value, "span", None), Span)


def lines_of(node: DataclassInstance, label: str = "", *, spans: bool = True) -> Iterator[str]:
    """The lines of a tree: each node with its span and its plain fields, its children indented.

    >>> from alfil.movement.nodes import Leg
    >>> print(*lines_of(Leg(((0, 1), (0, -1)), "any"), spans=False))
    Leg steps=(0,1 0,-1) lengths=any
    """
    inner: list[tuple[str, DataclassInstance]] = []
    plain: list[str] = []
    for field, value in _told(node):
        if is_node(value):
            inner.append((field.name, value))
        elif isinstance(value, tuple) and any(map(is_node, value)):
            inner += [(field.name, each) for each in value]
        else:
            plain.append(f"{field.name}={_shown(value)}")
    head = f"{label}: {type(node).__name__}" if label else type(node).__name__
    place: Span = node.span  # type: ignore[attr-defined]
    where = [f"{place.start}:{place.end}"] if spans else []
    yield " ".join([head, *where, *plain])
    for name, each in inner:
        for line in lines_of(each, name, spans=spans):
            yield f"  {line}"


def _told(node: DataclassInstance) -> Iterator[tuple[Field[Any], Any]]:
    """The fields that say something, with their values; spans apart."""
    for field in fields(node):
        value = getattr(node, field.name)
        if not isinstance(value, Span) and value != field.default and value not in ((), ""):
            yield field, value


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        if value and all(isinstance(each, int) for each in value):
            return ",".join(map(str, value))
        return f"({' '.join(map(_shown, value))})"
    return printable(str(value))


def as_data(value: object, *, sparse: bool = False) -> object:
    """A node as a dictionary with its type, all its fields and its span; tuples as lists.

    ``sparse`` leaves out spans and whatever else takes no part in equality, and default values.
    """
    if is_node(value):
        told = {
            field.name: as_data(getattr(value, field.name), sparse=sparse)
            for field in fields(value)
            if not sparse or (field.compare and getattr(value, field.name) != field.default)
        }
        return {"node": type(value).__name__, **told}
    if isinstance(value, tuple):
        return [as_data(each, sparse=sparse) for each in value]
    return value
