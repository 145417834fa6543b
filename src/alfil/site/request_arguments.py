"""What a request of a page brings: whether it is what the function takes that answers it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from inspect import signature
from typing import NoReturn, get_args, get_origin, get_type_hints

from alfil.errors import AlfilError, reject
from alfil.source import Source

# No seed, level or offset of a page is a larger number.
LARGEST_NUMBER = 1 << 31
HINT = "load the page again; it is of another release than the program behind it"


def read_arguments(call: str, function: Callable[..., object], text: str) -> list[object]:
    """The arguments of a call by their JSON; `AlfilError` where the function does not take them.

    >>> def fit(marks: list[int], seed: int = 0) -> None: ...
    >>> read_arguments("fit", fit, "[[1, 2], 3]")
    [[1, 2], 3]
    """
    try:
        values = json.loads(text)
        json.dumps(values, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        reject_request(f"the arguments of {call} are no JSON in UTF-8")
    if not isinstance(values, list):
        reject_request(f"the arguments of {call} are not in a list")
    try:
        given = signature(function).bind(*values).arguments
    except TypeError as error:
        reject_request(f"{call}: {error}")
    hints = _type_hints_of(function)
    for name, value in given.items():
        if not _is_of_type(value, hints[name]):
            reject_request(f"{call} does not take {value!r:.60} as its {name}")
    return values


def reject_request(message: str) -> NoReturn:
    """Refuse what no page asks for."""
    reject(AlfilError, "bad-request", message, Source("", "<request>"), hint=HINT)


@cache
def _type_hints_of(function: Callable[..., object]) -> dict[str, object]:
    return get_type_hints(function)


def _is_of_type(value: object, hint: object) -> bool:
    """Whether a value of JSON is of a type, and so are all in it; a number is no truth value."""
    kind, inner = get_origin(hint), get_args(hint)
    if kind is None:
        small = not isinstance(value, int) or abs(value) < LARGEST_NUMBER
        return type(value) is hint and small
    if kind is dict:
        return isinstance(value, dict) and all(
            _is_of_type(each, inner[1]) for each in value.values()
        )
    if not isinstance(value, list):
        return False
    if kind is tuple:
        return len(value) == len(inner) and all(map(_is_of_type, value, inner))
    return all(_is_of_type(each, inner[0]) for each in value)
