"""A syntax tree as indented lines, or as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import TypeGuard

from alfil.source import Span, printable


def is_node(value: object) -> TypeGuard[object]:
    """Whether a value is a node of a tree, which carries a span."""
    return is_dataclass(value) and isinstance(getattr(value, "span", None), Span)


def tree(node: object, label: str = "") -> Iterator[str]:
    """The lines of a tree: each node with its span and its plain fields, its children indented.

    Fields that are empty are left out. The depth of a tree is bounded by the reader.
    """
    inner: list[tuple[str, object]] = []
    plain: list[str] = []
    for field in fields(node):  # type: ignore[arg-type]
        value = getattr(node, field.name)
        if isinstance(value, Span):
            continue
        if is_node(value):
            inner.append((field.name, value))
        elif isinstance(value, tuple) and any(map(is_node, value)):
            inner += [(field.name, each) for each in value]
        elif value is not False and value not in ((), "", None):
            plain.append(f"{field.name}={_shown(value)}")
    span = node.span  # type: ignore[attr-defined]
    head = f"{label}: " if label else ""
    yield " ".join([f"{head}{type(node).__name__} {span.start}:{span.end}", *plain])
    for name, value in inner:
        for line in tree(value, name):
            yield f"  {line}"


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        if value and all(isinstance(each, int) for each in value):
            return ",".join(map(str, value))
        return f"({' '.join(map(_shown, value))})"
    return printable(str(value))


def node_as_data(value: object) -> object:
    """A node as a dictionary with its type and span; tuples as lists."""
    if is_node(value):
        data = {
            field.name: node_as_data(getattr(value, field.name))
            for field in fields(value)  # type: ignore[arg-type]
        }
        return {"node": type(value).__name__, **data}
    if isinstance(value, tuple):
        return [node_as_data(each) for each in value]
    return value
