"""Squares of shogi and chess as cells of a board with so many files and ranks.

Shogi counts files from the right and ranks from the top; chess and CELL count both from the bottom
left. Nothing here guesses which of them a text is.
"""

from __future__ import annotations

import re

from alfil.errors import Finding
from alfil.locations import numerals
from alfil.locations.cell import Cell
from alfil.locations.errors import CellDialect, empty_input, found, refusal, string
from alfil.locations.reading import parse_cell

_SQUARE = re.compile(r"(?P<file>[1-9][0-9]?)(?P<rank>[a-z])?")
_SHOGI_FILES = 99
_SHOGI_RANKS = 26
_PLANE = 2


def from_shogi(text: str, files: int = 9, ranks: int = 9) -> Cell:
    """The cell of a shogi square: a file of one or two digits, then a rank letter, as in 5e.

    Raises `LocationError` for other strings, and (``range``) for a square off the board or a board
    these names do not reach, of more than 99 files or 26 ranks; `TypeError` for anything but a
    string.

    >>> from_shogi("5c"), str(from_shogi("9i")), str(from_shogi("5e", files=5, ranks=5))
    (Cell((4, 6)), 'a1', 'a1')
    """
    given = string(text)
    _check_board(given, files, ranks)
    _check_shogi_board(given, files, ranks)
    finding = _shogi_fault(given)
    if finding is not None:
        raise refusal(finding, given)
    split = len(given) - 1
    file, rank = int(given[:split]), numerals.index_of(given[split])
    if file > files:
        raise refusal(_off_board(0, split, files, ranks), given)
    if rank >= ranks:
        raise refusal(_off_board(split, split + 1, files, ranks), given)
    return Cell((files - file, ranks - 1 - rank))


def to_shogi(cell: Cell, files: int = 9, ranks: int = 9) -> str:
    """The shogi name of a square.

    Raises `LocationError` (``dimensions``, ``range``) for a cell that is no square of the board and
    for boards as in `from_shogi`; `TypeError` for anything but a `Cell`. The hand is no square.

    >>> to_shogi(Cell((4, 6))), to_shogi(Cell((0, 0)), files=5, ranks=5)
    ('5c', '5e')
    """
    text = _cell_text(cell)
    _check_board(text, files, ranks)
    _check_shogi_board(text, files, ranks)
    _check_square(cell, files, ranks)
    file, rank = cell.indices
    return f"{files - file}{numerals.component(ranks - 1 - rank, 0)}"


def from_chess(text: str, files: int = 8, ranks: int = 8) -> Cell:
    """The cell of a chess square: the same text, which must be a square of the board.

    Files after z are aa, ab and so on. Raises `LocationError` as `parse_cell` does, and for a cell
    that has not two dimensions (``dimensions``) or is off the board (``range``); `TypeError` for
    anything but a string.

    >>> from_chess("e4"), from_chess("aa30", files=36, ranks=36)
    (Cell((4, 3)), Cell((26, 29)))
    """
    given = string(text)
    _check_board(given, files, ranks)
    cell = parse_cell(given)
    _check_square(cell, files, ranks)
    return cell


def to_chess(cell: Cell, files: int = 8, ranks: int = 8) -> str:
    """The chess name of a square, which is the text of the cell.

    Raises `LocationError` (``dimensions``, ``range``) for a cell that is no square of the board and
    `TypeError` for anything but a `Cell`. The hand is no square.

    >>> to_chess(Cell((4, 3)))
    'e4'
    """
    text = _cell_text(cell)
    _check_board(text, files, ranks)
    _check_square(cell, files, ranks)
    return text


def _cell_text(cell: Cell) -> str:
    if not isinstance(cell, Cell):
        raise TypeError(f"a square is a Cell, not {type(cell).__name__}")
    return str(cell)


def _check_board(text: str, files: int, ranks: int) -> None:
    for number in (files, ranks):
        if isinstance(number, bool) or not isinstance(number, int):
            raise TypeError(f"files and ranks are int, not {type(number).__name__}")
    if min(files, ranks) < 1:
        message = "a board has at least one file and one rank"
        raise refusal(found("range", message, 0, len(text)), text)


def _check_shogi_board(text: str, files: int, ranks: int) -> None:
    if files > _SHOGI_FILES or ranks > _SHOGI_RANKS:
        message = f"shogi names reach {_SHOGI_FILES} files and {_SHOGI_RANKS} ranks"
        raise refusal(found("range", message, 0, len(text), "use from_chess and to_chess"), text)


def _shogi_fault(text: str) -> Finding | None:
    """What keeps a text from having the form of a shogi square."""
    if not text:
        return empty_input()
    if text[0] == "0":
        return found("leading-zero", "leading zero", 0, 1, "files are numbered from 1")
    match = _SQUARE.match(text)
    end = match.end() if match else 0
    if match and match["rank"] and end == len(text):
        return None
    message = "unexpected character" if end < len(text) else "unexpected end"
    hint = "a square of shogi is a file number and a rank letter, as in 5e"
    return found("character", message, end, end + 1, hint)


def _check_square(cell: Cell, files: int, ranks: int) -> None:
    """Raise `LocationError` for a cell that is no square of the board.

    Lengths and letters are compared, so that a text of a million letters is refused at once.
    """
    components, text = cell.components, str(cell)
    if len(components) != _PLANE:
        extra = len("".join(components[:_PLANE]))
        message = f"a square has two dimensions, not {len(components)}"
        finding = found("dimensions", message, extra, max(extra + 1, len(text)))
        raise refusal(finding, text, CellDialect.LAYERED)
    start = 0
    for dimension, size in enumerate((files, ranks)):
        end = start + len(components[dimension])
        last = numerals.component(size - 1, dimension)
        if numerals.order(components[dimension]) > numerals.order(last):
            raise refusal(_off_board(start, end, files, ranks), text, CellDialect.LAYERED)
        start = end


def _off_board(start: int, end: int, files: int, ranks: int) -> Finding:
    return found("range", f"off the board of {files} files and {ranks} ranks", start, end)
