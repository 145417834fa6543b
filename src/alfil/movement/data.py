"""Movements as plain data and back, so that other programs can exchange them.

A node is a dictionary: ``node`` is the name of its class in `alfil.movement.nodes`, the other keys
are its fields. A field that has its default value may be left out; tuples are lists, a step is a
list of two numbers. Spans stay behind. docs/movement.md is the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NoReturn, TypeAlias, Union, get_args, get_origin, get_type_hints

from alfil.errors import NotationError, refuse
from alfil.geometry import Vector
from alfil.movement import nodes
from alfil.movement.nodes import (
    Angle,
    Anywhere,
    Bend,
    Castling,
    EveryMove,
    Jumping,
    Leg,
    Movement,
    OnMove,
    Repeat,
    Size,
    Then,
)
from alfil.source import Source, Span, printable
from alfil.trees import as_data

FORMAT = "alfil-movement"
VERSION = 1
# Larger numbers mean nothing on a board.
LARGEST = 999
CIRCLE, EIGHTHS = 16, 8

Reading: TypeAlias = Callable[[Any, str], Any]


def to_data(movement: Movement) -> dict[str, object]:
    """A movement as dictionaries, lists, texts and numbers.

    >>> data = to_data(Movement((nodes.Option(Leg(((1, 2),))),)))
    >>> data["options"]
    [{'node': 'Option', 'way': {'node': 'Leg', 'steps': [[1, 2]]}}]
    """
    told = as_data(movement, sparse=True)
    assert isinstance(told, dict)
    return {"format": FORMAT, "version": VERSION, **told}


def from_data(data: object) -> Movement:
    """The movement that plain data describes.

    Raises `NotationError` of kind "movement-data" for anything that is none, with the place in it.

    >>> from_data(to_data(Movement())) == Movement()
    True
    """
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        _wrong("", f"a movement is a dictionary with format = {FORMAT}")
    if data.get("version") != VERSION:
        _wrong("version", f"this is version {VERSION} of the format")
    plain = {key: value for key, value in data.items() if key not in ("format", "version")}
    try:
        movement = _node(plain, (Movement,), "")
    except RecursionError:
        _wrong("", "nested too deep")
    assert isinstance(movement, Movement)
    return movement


def _wrong(place: str, message: str) -> NoReturn:
    text = printable(place) or "movement"
    refuse(
        NotationError,
        "movement-data",
        message,
        Source(text, "<movement>"),
        hint="docs/movement.md describes the format",
    )


def _node(data: object, known: tuple[type, ...], place: str) -> Any:  # noqa: ANN401 - one of known
    """A node of one of the known classes."""
    names = {each.__name__: each for each in known}
    kind = data.get("node") if isinstance(data, Mapping) else None
    found = names.get(kind) if isinstance(kind, str) else None
    if not isinstance(data, Mapping) or found is None:
        _wrong(place, f"here stands a node, one of {', '.join(names)}")
    hints = _hints(found)
    for key in data:
        if key != "node" and key not in hints:
            _wrong(f"{place}.{key}", f"{found.__name__} has no such field")
    given: dict[str, object] = {}
    for field in fields(found):
        if field.name in data:
            given[field.name] = _value(data[field.name], hints[field.name], f"{place}.{field.name}")
        elif field.default is MISSING:
            _wrong(place, f"{found.__name__} needs {field.name}")
    node = found(**given)
    problem = CHECKS[found](node) if found in CHECKS else ""
    if problem:
        _wrong(place, problem)
    return node


@cache
def _hints(kind: type) -> dict[str, Any]:
    """The types of the fields of a class that are data."""
    hints = get_type_hints(kind, vars(nodes) | {"Vector": Vector, "Span": Span})
    return {field.name: hints[field.name] for field in fields(kind) if field.compare}


def _value(data: Any, hint: Any, place: str) -> Any:  # noqa: ANN401 - whatever the hint says
    if get_origin(hint) in (Union, UnionType):
        return _one_of(data, get_args(hint), place)
    if get_origin(hint) is Literal:
        if data not in get_args(hint) or not isinstance(data, str):
            _wrong(place, f"one of {', '.join(map(str, get_args(hint)))}")
        return data
    if get_origin(hint) is tuple:
        return _list(data, get_args(hint), place)
    if _is_node_type(hint):
        return _node(data, (hint,), place)
    if type(data) is not hint:
        _wrong(place, f"here stands {NAMES.get(hint, hint.__name__)}")
    if isinstance(data, int) and abs(data) > LARGEST:
        _wrong(place, f"numbers are at most {LARGEST}")
    return data


NAMES = {int: "a number", str: "a text", bool: "true or false"}


def _is_node_type(hint: object) -> bool:
    return isinstance(hint, type) and hasattr(hint, "__dataclass_fields__")


def _one_of(data: object, hints: tuple[Any, ...], place: str) -> Any:  # noqa: ANN401
    """A value of one of several types, told apart by what it looks like."""
    known = tuple(hint for hint in hints if _is_node_type(hint))
    if data is None and NoneType in hints:
        return None
    if isinstance(data, Mapping) and known:
        return _node(data, known, place)
    for hint in hints:
        plain = list if get_origin(hint) is tuple else str if get_origin(hint) is Literal else hint
        if type(data) is plain:
            return _value(data, hint, place)
    if known:
        return _node(data, known, place)
    return _wrong(place, "here stands something else")


def _list(data: object, hints: tuple[Any, ...], place: str) -> tuple[Any, ...]:
    if not isinstance(data, list | tuple):
        _wrong(place, "here stands a list")
    if hints[-1] is not Ellipsis:
        if len(data) != len(hints):
            _wrong(place, f"here stand {len(hints)} numbers")
        return tuple(_value(each, hint, place) for each, hint in zip(data, hints, strict=True))
    return tuple(_value(each, hints[0], f"{place}[{at}]") for at, each in enumerate(data))


def _counts(numbers: object) -> bool:
    """Whether numbers of steps or rounds are in order and from one on."""
    if not isinstance(numbers, tuple):
        return True
    return bool(numbers) and numbers[0] > 0 and list(numbers) == sorted(set(numbers))


def _leg(leg: Leg) -> str:
    if (0, 0) in leg.steps:
        return "no step stays where it is"
    if not _counts(leg.lengths):
        return "lengths are numbers from 1 on, in order"
    return "" if leg.ends or leg.through else "a leg that may neither end nor go on"


def _then(then: Then) -> str:
    if len(then.joins) != len(then.ways) - 1:
        return "there is one join fewer than there are ways"
    if then.only is None:
        return ""
    if not all(isinstance(way, Leg) for way in then.ways):
        return "only legs have first steps to choose from"
    fits = all(len(way) == len(then.ways) for way in then.only)
    return "" if fits else "only lists a step for every leg"


def _bend(bend: Bend) -> str:
    fits = all(0 <= place < EIGHTHS for place in bend.places or ())
    return "" if fits else "places are eighths of a circle, 0 to 7"


def _angle(angle: Angle) -> str:
    return "" if 0 <= (angle.sixteenths or 0) <= CIRCLE // 2 else "a turn is 0 to 8 sixteenths"


def _positive(*numbers: int | None) -> str:
    return "" if all(each is None or each > 0 for each in numbers) else "numbers count from 1"


CHECKS: dict[type, Callable[[Any], str]] = {
    Leg: _leg,
    Then: _then,
    Bend: _bend,
    Angle: _angle,
    Repeat: lambda node: "" if _counts(node.times) else "times are numbers from 1 on, in order",
    Anywhere: lambda node: "" if min(node.files or 0, node.ranks or 0) >= 0 else "no such square",
    Castling: lambda node: _positive(node.squares) if (0, 0) not in node.steps else "no such step",
    Jumping: lambda node: _positive(node.most),
    OnMove: lambda node: _positive(node.number),
    EveryMove: lambda node: _positive(node.number),
    Size: lambda node: _positive(node.files, node.ranks),
}
