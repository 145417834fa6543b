"""Trees of nodes, whatever they are nodes of, as indented lines or as plain data.

A node is a dataclass with a span. What a field has by default goes without saying.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    NoReturn,
    TypeGuard,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from alfil.source import Span, printable

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

T = TypeVar("T")


def is_node(value: object) -> TypeGuard[DataclassInstance]:
    """Whether a value is a node of a tree, which carries a span."""
    return is_dataclass(value) and isinstance(getattr(value, "span", None), Span)


def shift_spans(node: T, by: int) -> T:
    """A node, or anything in it, with all its spans ``by`` code points further on.

    >>> from alfil.movement.nodes import Leg
    >>> shift_spans(Leg(((0, 1),), span=Span(0, 1)), 3).span
    Span(start=3, end=4)
    """
    further: Any = node
    if isinstance(node, Span):
        further = node.shift(by)
    elif isinstance(node, tuple):
        further = tuple([shift_spans(each, by) for each in node])
    elif names := _field_names(type(further)):  # type: ignore[arg-type] # classes can be hashed
        further = type(node)(**{name: shift_spans(getattr(node, name), by) for name in names})
    return cast("T", further)


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """The fields of a node, none for what is no node."""
    return tuple(each.name for each in fields(kind)) if is_dataclass(kind) else ()


def tree_lines(node: DataclassInstance, label: str = "", *, spans: bool = True) -> Iterator[str]:
    """The lines of a tree: each node with its span and its plain fields, its children indented.

    >>> from alfil.movement.nodes import Leg
    >>> print(*tree_lines(Leg(((0, 1), (0, -1)), "any"), spans=False))
    Leg steps=(0,1 0,-1) lengths=any
    """
    inner: list[tuple[str, object]] = []
    plain: list[str] = []
    for field, value in _nondefault_fields(node):
        if is_node(value):
            inner.append((field.name, value))
        elif isinstance(value, tuple) and any(map(is_node, value)):
            inner += [(field.name, each) for each in value]
        else:
            plain.append(f"{field.name}={_value_text(value)}")
    head = f"{label}: {type(node).__name__}" if label else type(node).__name__
    place: Span = node.span  # type: ignore[attr-defined]
    where = [f"{place.start}:{place.end}"] if spans else []
    yield " ".join([head, *where, *plain])
    for name, each in inner:
        # Among nodes there may be plain words, as in a list of pieces by name or by movement.
        lines = (
            tree_lines(each, name, spans=spans)
            if is_node(each)
            else [f"{name}: {_value_text(each)}"]
        )
        yield from (f"  {line}" for line in lines)


def _nondefault_fields(node: DataclassInstance) -> Iterator[tuple[Field[Any], Any]]:
    """The fields that say something, with their values; spans apart."""
    for field in fields(node):
        value = getattr(node, field.name)
        if not isinstance(value, Span) and value != field.default and value not in ((), ""):
            yield field, value


def _value_text(value: object) -> str:
    if isinstance(value, tuple):
        if value and all(isinstance(each, int) for each in value):
            return ",".join(map(str, value))
        return f"({' '.join(map(_value_text, value))})"
    return printable(str(value))


def as_data(value: object, *, sparse: bool = False) -> object:
    """A node as a dictionary with its type, all its fields and its span; tuples as lists.

    ``sparse`` leaves out spans and whatever else takes no part in equality, and default values.
    """
    if is_node(value):
        data = {
            field.name: as_data(getattr(value, field.name), sparse=sparse)
            for field in fields(value)
            if not sparse or (field.compare and getattr(value, field.name) != field.default)
        }
        return {"node": type(value).__name__, **data}
    if isinstance(value, tuple):
        return [as_data(each, sparse=sparse) for each in value]
    return value


class TreeDataError(ValueError):
    """Data that is no node; ``place`` says where, as in options[0].way."""

    def __init__(self, place: str, message: str) -> None:
        self.place = place
        self.message = message
        super().__init__(place, message)


def _fail(place: str, message: str) -> NoReturn:
    raise TreeDataError(place.lstrip("."), message)


# Larger numbers mean nothing on a board.
LARGEST_NUMBER = 999


def read_node(data: object, known: tuple[type, ...], place: str = "") -> Any:  # noqa: ANN401 - one of known
    """A node of one of the known classes from plain data, as `as_data` gives it when ``sparse``.

    Fields that have a default may be missing. A class may have a method ``problem`` that says in
    words what is wrong with a node, or nothing. Raises `TreeDataError` with the place in the data.
    """
    names = {each.__name__: each for each in known}
    kind = data.get("node") if isinstance(data, Mapping) else None
    result = names.get(kind) if isinstance(kind, str) else None
    if not isinstance(data, Mapping) or result is None:
        _fail(place, f"here stands a node, one of {', '.join(names)}")
    hints = _field_types(result)
    for key in data:
        if key != "node" and key not in hints:
            _fail(f"{place}.{key}", f"{result.__name__} has no such field")
    values: dict[str, object] = {}
    for field in fields(result):
        if field.name in data:
            values[field.name] = _read_value(
                data[field.name], hints[field.name], f"{place}.{field.name}"
            )
        elif field.default is MISSING:
            _fail(place, f"{result.__name__} needs {field.name}")
    node = result(**values)
    if problem := getattr(node, "problem", str)():
        _fail(place, problem)
    return node


@cache
def _field_types(kind: type) -> dict[str, Any]:
    """The types of the fields of a class that are data."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind) if field.compare}


def _read_value(data: Any, hint: Any, place: str) -> Any:  # noqa: ANN401 - whatever the hint says
    if get_origin(hint) in (Union, UnionType):
        return _read_union(data, get_args(hint), place)
    if get_origin(hint) is Literal:
        if data not in get_args(hint) or not isinstance(data, str):
            _fail(place, f"one of {', '.join(map(str, get_args(hint)))}")
        return data
    if get_origin(hint) is tuple:
        return _read_list(data, get_args(hint), place)
    if _is_node_type(hint):
        return read_node(data, (hint,), place)
    if type(data) is not hint:
        _fail(place, f"here stands {TYPE_NAMES.get(hint, hint.__name__)}")
    if isinstance(data, int) and abs(data) > LARGEST_NUMBER:
        _fail(place, f"numbers are at most {LARGEST_NUMBER}")
    return data


TYPE_NAMES = {int: "a number", str: "a text", bool: "true or false"}


def _is_node_type(hint: object) -> bool:
    return isinstance(hint, type) and hasattr(hint, "__dataclass_fields__")


def _read_union(data: object, hints: tuple[Any, ...], place: str) -> Any:  # noqa: ANN401
    """A value of one of several types, told apart by what it looks like."""
    known = tuple(hint for hint in hints if _is_node_type(hint))
    if data is None and NoneType in hints:
        return None
    if isinstance(data, Mapping) and known:
        return read_node(data, known, place)
    for hint in hints:
        plain = list if get_origin(hint) is tuple else str if get_origin(hint) is Literal else hint
        if type(data) is plain:
            return _read_value(data, hint, place)
    if known:
        return read_node(data, known, place)
    return _fail(place, "here stands something else")


def _read_list(data: object, hints: tuple[Any, ...], place: str) -> tuple[Any, ...]:
    if not isinstance(data, list | tuple):
        _fail(place, "here stands a list")
    if hints[-1] is not Ellipsis:
        if len(data) != len(hints):
            _fail(place, f"here stand {len(hints)} numbers")
        return tuple(_read_value(each, hint, place) for each, hint in zip(data, hints, strict=True))
    return tuple(_read_value(each, hints[0], f"{place}[{at}]") for at, each in enumerate(data))
