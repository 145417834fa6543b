"""Values of fields and rules: words in, what they stand for out, or `Wrong` with a hint."""

from __future__ import annotations

import re
from collections.abc import Collection

from alfil.errors import nearest
from alfil.geometry import BOARD_LIMIT
from alfil.library.findings import wrong
from alfil.library.nodes import Text

NUMBER = re.compile(r"[0-9]{1,4}")
SIZE = re.compile(r"([0-9]{1,4})[x×X]([0-9]{1,4})")
RANKS = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}|R))?")


def one_of(text: Text, what: str, known: Collection[str]) -> str:
    """The word itself, which must be a known one."""
    if text.value in known:
        return text.value
    hint = nearest(text.value, known)
    raise wrong("unknown-value", f"{what} cannot be {text.value or 'empty'}", text.span, hint)


def number(text: Text, what: str, least: int, most: int) -> int:
    """A whole number between two others."""
    if NUMBER.fullmatch(text.value) and least <= int(text.value) <= most:
        return int(text.value)
    message = f"{what} is a number from {least} to {most}, not {text.value or 'empty'}"
    raise wrong("wrong-number", message, text.span, f"for example {least}")


def board_size(text: Text) -> tuple[int, int]:
    """Files and ranks."""
    match = SIZE.fullmatch(text.value)
    if not match:
        message = f"{text.value} is no size of a board"
        raise wrong("wrong-number", message, text.span, "files x ranks, for example 9x9")
    files, ranks = int(match[1]), int(match[2])
    if not (1 <= files <= BOARD_LIMIT and 1 <= ranks <= BOARD_LIMIT):
        message = f"a board has 1 to {BOARD_LIMIT} files and ranks"
        raise wrong("board-size", message, text.span, "for example 9x9")
    return files, ranks


def rank_span(text: Text, what: str) -> tuple[int, int]:
    """First and last rank, counted from the owner; R is the last rank of any board."""
    match = RANKS.fullmatch(text.value)
    if not match:
        message = f"{what} are ranks counted from its owner, not {text.value or 'empty'}"
        raise wrong("wrong-number", message, text.span, "for example 1-6")
    first = int(match[1])
    last = BOARD_LIMIT if match[2] == "R" else int(match[2] or match[1])
    if not 1 <= first <= last <= BOARD_LIMIT:
        message = f"the ranks {text.value} are none"
        hint = f"the lower rank first, from 1 to {BOARD_LIMIT}"
        raise wrong("wrong-number", message, text.span, hint)
    return first, last


def parts(text: Text) -> list[Text]:
    """The parts of a list with commas, each with its own place; blanks around them are left out."""
    found: list[Text] = []
    start = 0
    for raw in text.value.split(","):
        bare = raw.strip()
        begin = start + len(raw) - len(raw.lstrip())
        if bare or text.value.strip():
            from_to = text.place(type(text.span)(begin, begin + max(len(bare), 1)))
            found.append(Text(bare, from_to))
        start += len(raw) + 1
    return found


def folded(name: str) -> str:
    """A name as it is compared: case, hyphens and blanks make no difference."""
    return " ".join(name.casefold().replace("-", " ").replace("_", " ").split())
