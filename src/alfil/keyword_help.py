"""What the documentation says of each key, rule and letter, for those who ask for one of them.

The tables of docs/piece_files.md and docs/cheat_sheet.md are read, which people read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from alfil.api import describe, read
from alfil.data_files import read_data
from alfil.errors import AlfilError
from alfil.frozen_dataclasses import NamedTuple
from alfil.notation.description import DEFAULT_NOTATION
from alfil.notation.registry import NOTATIONS
from alfil.notation.vocabulary import DIALECTS, LETTER_ROWS

_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
_CELL = re.compile(r"(?<!\\) ?\| ?")
_QUOTED = re.compile(r"``(.+?)``|`([^`]+)`")
_FLAG_PATTERN = re.compile(r"^- (`[^:]*): (.*?)(?=\n- |\n\n)", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


class Letter(NamedTuple):
    """A letter, sign or function of a notation, an example with it, and what it does."""

    text: str
    example: str
    meaning: str


def _table_rows(text: str) -> Iterator[list[str]]:
    """The rows of all tables of a page, cell by cell, without headings."""
    lines = text.splitlines()
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("| ") and not after.startswith("|--"):
            yield _CELL.split(line.removeprefix("| ").removesuffix(" |"))


def _quoted_names(cell: str) -> list[str]:
    return [double.strip(" ") or single for double, single in _QUOTED.findall(cell)]


@cache
def key_meanings() -> dict[str, str]:
    """What each key, word without a value, and constraint of a piece file means, by name.

    >>> key_meanings()["kanji"], key_meanings()["petrifies"]
    ('the characters on the piece', 'it turns to stone when it captures')
    """
    page = read_data("data", "piece_files.md")
    result: dict[str, str] = {}
    for head in ("| key | value", "| key of |", "| test | holds"):
        for cells in _table_rows(page[page.index(head) :].partition("\n\n")[0]):
            meaning = _LINK.sub(r"\1", cells[-1])
            result |= dict.fromkeys(_quoted_names(cells[0]), meaning)
    for names, words in _FLAG_PATTERN.findall(page):
        meaning = " ".join(words.split()).rstrip(";.")
        result |= dict.fromkeys(_quoted_names(names)[:1], meaning)
    for name, notation in NOTATIONS.items():
        result.setdefault(name, f"the movement in {notation.title}, as {name} has it")
    return result


@cache
def rule_values() -> dict[str, str]:
    """The values of each rule and what they mean, by its name.

    >>> rule_values()["self-check"]
    '`barred`, `allowed`'
    """
    page = read_data("data", "piece_files.md")
    table = page[page.index("| rule | values") :].partition("\n\n")[0]
    return {_quoted_names(cells[0])[0]: cells[1] for cells in _table_rows(table)}


@cache
def letters(notation: str) -> tuple[Letter, ...]:
    """The letters and signs of a notation or a dialect of Betza, in the order of the cheat sheet.

    >>> [each.meaning for each in letters("xboard") if each.text in {"L", "t"}]
    ['Leaps as a zebra (three squares one way and two the other).', 'may not capture a royal']
    """
    folder = NOTATIONS[notation].folder
    sheets = _HEADING.split(read_data("data", "cheat_sheet.md"))[1:]
    found = {
        name: Letter(name, _quoted_names(cells[1])[0], cells[3])
        for heading, text in zip(sheets[::2], sheets[1::2], strict=True)
        if _is_section_for(heading, folder, notation)
        for cells in _table_rows(text)
        for name in _quoted_names(cells[0])
    }
    if folder != DEFAULT_NOTATION:
        return tuple(found.values())
    return tuple(_letters_of_dialect(notation, found))


def _is_section_for(heading: str, folder: str, notation: str) -> bool:
    """Whether a part of the sheet is of a notation; letters of a single dialect have a part."""
    name, _, part = heading.partition(": ")
    of_dialect = part.startswith("in ") and part != f"in {notation}"
    return NOTATIONS[folder].title == name and not of_dialect


def _letters_of_dialect(notation: str, known: dict[str, Letter]) -> Iterator[Letter]:
    """The letters that a dialect has, each with what it means there."""
    dialect = DIALECTS[notation]
    for name in dialect.atoms:
        meaning = _describe(name, notation)  # castling is no piece by itself
        yield Letter(name, name, meaning) if meaning or name not in known else known[name]
    for mode in (mode for mode in LETTER_ROWS if mode in dialect.modes):
        words = re.sub(r"^in `[\w-]+`(?:, [^:]+)?: ", "", LETTER_ROWS[mode].words)
        yield Letter(mode, known[mode].example if mode in known else mode, words)
    for name, letter in known.items():
        if (
            name not in dialect.atoms
            and name not in LETTER_ROWS
            and _describe(letter.example, notation)
        ):
            yield letter


def _describe(text: str, notation: str) -> str:
    """A text in words, empty where it is no piece in a notation."""
    try:
        return describe(read(text, notation))
    except AlfilError:
        return ""
