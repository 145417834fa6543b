"""Which strings are locations, what is wrong with the others, and squares of shogi and chess.

Every prefix of layered CELL is layered CELL, so the expression's longest match ends at the fault.
Shogi counts files from the right and ranks from the top; chess and CELL count both from the bottom
left. Nothing here guesses which of them a text is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_lowercase
from typing import Literal, SupportsIndex, TypeAlias, overload

from alfil.errors import Finding
from alfil.locations.cell import (
    DIGITS,
    HAND,
    Cell,
    CellDialect,
    Hand,
    Label,
    empty_input,
    found,
    is_hand,
    is_number,
    opaque_fault,
    order,
    plain,
    read_components,
    refusal,
    spelled,
    string,
)
from alfil.squares import name_on, name_pattern, read_on

Location: TypeAlias = Cell | Label | Hand

_LAYERED = re.compile(r"[a-z]+(?:[1-9][0-9]*[A-Z]+[a-z]+)*(?:[1-9][0-9]*[A-Z]*)?")
_COMPONENT = re.compile(r"[a-z]+|[0-9]+|[A-Z]+")
_SHOGI = re.compile(name_pattern("shogi"))

# Bounded CELL: what the gems 3 and 4 document.
_LONGEST = 7
_DIMENSIONS = 3
_LAST_INDEX = 255
_LAST = [spelled(_LAST_INDEX, dimension) for dimension in range(_DIMENSIONS)]
_UNBOUNDED = "CellDialect.LAYERED has no such bound"


def is_cell(given: object) -> bool:
    r"""Whether this is a string of layered CELL; False, never an error, for anything else.

    Numbers of any length are.

    >>> [is_cell(text) for text in ("e4", "h8Hh8", "5c", "*", "e4\n", None)]
    [True, True, False, False, False, False]
    """
    text = plain(given)
    return text is not None and _LAYERED.fullmatch(text) is not None


def is_cell_bounded(given: object) -> bool:
    """Whether this is layered CELL with at most 3 dimensions, indices to 255 and 7 characters.

    False, never an error, for anything that is not a string.

    >>> [is_cell_bounded(text) for text in ("iv256IV", "iw", "a257", "a1Aa", "aaa")]
    [True, False, False, False, False]
    """
    text = plain(given)
    return text is not None and _layered_fault(text, CellDialect.BOUNDED) is None


def is_cell_opaque(given: object) -> bool:
    """Whether this is ``*``, or one or more of A-Z, a-z and 0-9.

    False, never an error, for anything that is not a string.

    >>> [is_cell_opaque(text) for text in ("*", "e4", "5c", "a01", "", "e-4")]
    [True, True, True, True, False, False]
    """
    text = plain(given)
    return text is not None and opaque_fault(text) is None


def is_location(given: object, dialect: CellDialect = CellDialect.LAYERED) -> bool:
    """Whether this is a string of the dialect, or the hand ``*``.

    False for anything that is not a string. Raises `TypeError` where ``dialect`` is no
    `CellDialect`.

    >>> is_location("*"), is_location("5c"), is_location("5c", CellDialect.OPAQUE)
    (True, False, True)
    """
    _check_dialect(dialect)
    text = plain(given)
    return text is not None and (is_hand(text) or _fault(text, dialect) is None)


@overload
def parse_cell(
    text: str,
    dialect: Literal[CellDialect.LAYERED, CellDialect.BOUNDED] = CellDialect.LAYERED,
) -> Cell: ...
@overload
def parse_cell(text: str, dialect: Literal[CellDialect.OPAQUE]) -> Label | Hand: ...
@overload
def parse_cell(text: str, dialect: CellDialect) -> Location: ...


def parse_cell(text: str, dialect: CellDialect = CellDialect.LAYERED) -> Location:
    """The `Cell` a text stands for; in the opaque dialect the `Label`, or `HAND`.

    Raises `LocationError` for a string the dialect does not have, or a number of more than 4,300
    digits (``range``), and `TypeError` for anything but a string.

    >>> parse_cell("e4"), parse_cell("a1AA").indices, parse_cell("5c", CellDialect.OPAQUE)
    (Cell((4, 3)), (0, 0, 26), Label('5c'))
    """
    _check_dialect(dialect)
    given = string(text)
    if dialect is CellDialect.OPAQUE:
        return HAND if is_hand(given) else Label(given)
    finding = _layered_fault(given, dialect)
    components = [] if finding else _COMPONENT.findall(given)
    if finding := finding or _long_number(components):
        raise refusal(finding, given, dialect)
    return read_components(components)


@overload
def parse_location(
    text: str,
    dialect: Literal[CellDialect.LAYERED, CellDialect.BOUNDED] = CellDialect.LAYERED,
) -> Cell | Hand: ...
@overload
def parse_location(text: str, dialect: Literal[CellDialect.OPAQUE]) -> Label | Hand: ...
@overload
def parse_location(text: str, dialect: CellDialect) -> Location: ...


def parse_location(text: str, dialect: CellDialect = CellDialect.LAYERED) -> Location:
    """`HAND` for ``*``, and what `parse_cell` gives, or raises, for everything else.

    >>> parse_location("*"), parse_location("e4")
    (HAND, Cell((4, 3)))
    """
    _check_dialect(dialect)
    given = string(text)
    return HAND if is_hand(given) else parse_cell(given, dialect)


def cell_from_indices(*indices: SupportsIndex, dialect: CellDialect = CellDialect.LAYERED) -> Cell:
    """The cell with these indices, counted from 0.

    Raises `LocationError` for what `Cell` refuses, and in the bounded dialect for more than 3
    indices (``dimensions``) or one over 255 (``range``), with places in the text the cell would
    have. Opaque labels have no indices: `ValueError`.

    >>> str(cell_from_indices(4, 3)), str(cell_from_indices(255, 255, 255))
    ('e4', 'iv256IV')
    """
    _check_dialect(dialect)
    if dialect is CellDialect.OPAQUE:
        raise ValueError("labels of opaque CELL have no indices")
    cell = Cell(indices)
    if dialect is CellDialect.BOUNDED:
        components = cell.components
        if finding := _too_many(components) or _too_far(components):
            raise refusal(finding, str(cell), dialect)
    return cell


def _check_dialect(dialect: CellDialect) -> None:
    if not isinstance(dialect, CellDialect):
        raise TypeError(f"a dialect is a CellDialect, not {type(dialect).__name__}")


def _fault(text: str, dialect: CellDialect) -> Finding | None:
    """What keeps a string from being a cell of the dialect."""
    if dialect is CellDialect.OPAQUE:
        return opaque_fault(text)
    return _layered_fault(text, dialect)


def _layered_fault(text: str, dialect: CellDialect) -> Finding | None:
    """The same for the two layered dialects; numbers are not read."""
    bounded = dialect is CellDialect.BOUNDED
    if not text:
        return empty_input()
    if bounded and len(text) > _LONGEST:
        return found(
            "length", f"input exceeds {_LONGEST} characters", _LONGEST, len(text), _UNBOUNDED
        )
    match = _LAYERED.match(text)
    if match is None:
        return found("start", "must start with lowercase letter", 0, 1, _start_hint(text))
    components = _COMPONENT.findall(match[0]) if bounded else []
    return _too_many(components) or _stray(text, match.end()) or _too_far(components)


def _start_hint(text: str) -> str:
    if is_hand(text):
        return "parse_location and parse_hand read the hand"
    if _SHOGI.fullmatch(text):
        return "from_shogi reads squares of shogi"
    return "write the file first, as in e4"


def _too_many(components: Sequence[str]) -> Finding | None:
    """The first component that bounded CELL has no dimension for."""
    if len(components) <= _DIMENSIONS:
        return None
    start = len("".join(components[:_DIMENSIONS]))
    end = start + len(components[_DIMENSIONS])
    return found("dimensions", f"exceeds {_DIMENSIONS} dimensions", start, end, _UNBOUNDED)


def _stray(text: str, end: int) -> Finding | None:
    """What stands behind the longest prefix that is a cell, and ends at ``end``."""
    if end == len(text):
        return None
    if text[end] == "0" and text[end - 1].islower():
        return found("leading-zero", "leading zero", end, end + 1, "numbers begin with 1 to 9")
    hint = "after a word a to z comes a number, then a word A to Z, and round again"
    return found("character", "unexpected character", end, end + 1, hint)


def _too_far(components: Sequence[str]) -> Finding | None:
    """The first component with an index that bounded CELL does not have."""
    start = 0
    for component, last in zip(components, _LAST, strict=False):
        end = start + len(component)
        if order(component) > order(last):
            return found("range", f"index exceeds {_LAST_INDEX}", start, end, _UNBOUNDED)
        start = end
    return None


def _long_number(components: Sequence[str]) -> Finding | None:
    """The first number with more digits than a cell holds."""
    start = 0
    for dimension, component in enumerate(components):
        end = start + len(component)
        if is_number(dimension) and len(component) > DIGITS:
            return found("range", f"number over {DIGITS:,} digits", start, end)
        start = end
    return None


_FIGURES = re.compile("[1-9][0-9]?")
_SHOGI_FILES = 99
_SHOGI_RANKS = 702
_PLANE = 2


def from_shogi(text: str, files: int = 9, ranks: int = 9) -> Cell:
    """The cell of a shogi square: a file of one or two digits, then the rank in letters, as in 5e.

    On boards of more than 26 ranks z is followed by aa. Raises `LocationError` for other strings,
    and (``range``) for a square off the board or a board these names do not reach, of more than 99
    files or 702 ranks; `TypeError` for anything but a string.

    >>> from_shogi("5c"), str(from_shogi("9i")), str(from_shogi("5e", files=5, ranks=5))
    (Cell((4, 6)), 'a1', 'a1')
    """
    given = string(text)
    _check_board(given, files, ranks)
    _check_shogi_board(given, files, ranks)
    finding = _shogi_fault(given, files, ranks)
    if finding is not None:
        raise refusal(finding, given)
    square = read_on(given, files, ranks, "shogi")
    if square is None:
        split = len(given.rstrip(ascii_lowercase))
        here = (0, split) if int(given[:split]) > files else (split, len(given))
        raise refusal(_off_board(*here, files, ranks), given)
    return Cell(square)


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
    return name_on((file, rank), files, ranks, "shogi")


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


def _shogi_fault(text: str, files: int, ranks: int) -> Finding | None:
    """What keeps a text from having the form of a shogi square."""
    if not text:
        return empty_input()
    if text[0] == "0":
        return found("leading-zero", "leading zero", 0, 1, "files are numbered from 1")
    match = re.match(name_pattern("shogi", files, ranks), text) or _FIGURES.match(text)
    end = match.end() if match else 0
    if end == len(text) and text[-1].isalpha():
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
        last = spelled(size - 1, dimension)
        if order(components[dimension]) > order(last):
            raise refusal(_off_board(start, end, files, ranks), text, CellDialect.LAYERED)
        start = end


def _off_board(start: int, end: int, files: int, ranks: int) -> Finding:
    return found("range", f"off the board of {files} files and {ranks} ranks", start, end)
