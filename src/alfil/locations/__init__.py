"""Locations: squares of any board in CELL, and the hand in HAND.

A square of layered CELL has indices: in words and numbers a and 1 are 0, z is 25, aa is 26. Nothing
has a limit except numbers, at `MAX_NUMBER_DIGITS` digits. Python's own limit on reading and writing
integers can be set lower, but not below `SAFE_DIGITS`; beyond that numbers are taken in pieces. A
square of opaque CELL, as in gem 1.0.0, is a name. HAND 1.0.0 has the one location off the board,
written ``*``; it says neither whose reserve it is nor what lies in it.

Shogi counts files from the right and ranks from the top; chess and CELL count both from the bottom
left. Nothing here guesses which of them a text is.

>>> parse_location("e4"), parse_location("*"), parse_location("5c", CellDialect.OPAQUE)
(Cell((4, 3)), HAND, Label('5c'))
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from string import ascii_lowercase
from typing import Literal, SupportsIndex, TypeAlias, final, overload

from alfil.errors import AlfilError, Diagnostic, require_type
from alfil.source import Source, Span
from alfil.squares import (
    CoordinateSystem,
    number_from_digits,
    number_from_letters,
    number_in_letters,
    parse_square,
    square_name_on,
    square_name_pattern,
)

__all__ = ["HAND", "Cell", "CellDialect", "Hand", "Label", "Location", "LocationError"]
__all__ += ["cell_from_indices", "from_chess", "from_shogi", "is_cell", "is_cell_bounded"]
__all__ += ["is_cell_opaque", "is_hand", "is_location", "parse_cell", "parse_hand"]
__all__ += ["parse_location", "parse_move", "to_chess", "to_shogi", "write_move"]


class CellDialect(Enum):
    """What CELL means; the gems that implement it disagree.

    ``OPAQUE`` is gem 1.0.0: ``*``, or any letters and digits. ``LAYERED`` is gem 2.0.2: a
    lower-case word, a number, an upper-case word, and round again. ``BOUNDED`` is what gems 3 and 4
    document: layered, with at most 3 dimensions, indices to 255 and 7 characters.
    """

    OPAQUE = "opaque"
    LAYERED = "layered"
    BOUNDED = "bounded"


class LocationError(AlfilError):
    """The text or the indices are no location of the kind asked for.

    ``text`` is what was given (indices separated by commas), ``spans`` are places in it, and
    ``dialect`` is the dialect of CELL it was read in, or None.
    """

    dialect: CellDialect | None

    def __init__(
        self, diagnostics: Sequence[Diagnostic], source: Source, dialect: CellDialect | None = None
    ) -> None:
        super().__init__(diagnostics, source)
        self.dialect = dialect

    @property
    def text(self) -> str:
        """The text as it was given."""
        return self.source.text


def make_location_error(
    diagnostic: Diagnostic, text: str, dialect: CellDialect | None = None
) -> LocationError:
    """The error with this diagnostic in this text."""
    return LocationError([diagnostic], Source(text, "<location>"), dialect)


def make_location_diagnostic(
    kind: str, message: str, start: int, end: int, hint: str = ""
) -> Diagnostic:
    """A diagnostic with one span."""
    return Diagnostic(kind, message, (Span(start, end),), hint)


def empty_input_diagnostic() -> Diagnostic:
    """There is nothing at all."""
    return make_location_diagnostic(
        "empty", "empty input", 0, 0, "write a square such as e4, or * for the hand"
    )


def to_plain_string_or_none(value: object) -> str | None:
    """The characters of a string, without the class they came in; None for anything else.

    >>> to_plain_string_or_none("e4"), to_plain_string_or_none(b"e4"), to_plain_string_or_none(None)
    ('e4', None, None)
    """
    if not issubclass(type(value), str):
        return None
    return str.__str__(value)


def require_string(value: str) -> str:
    """The characters of a string.

    Raises `TypeError` for anything else.
    """
    require_type(value, str, "a location is a str")
    return str.__str__(value)


MAX_NUMBER_DIGITS = 4300
SAFE_DIGITS = 640
_SAFE = 10**SAFE_DIGITS


def component_sort_key(component: str) -> tuple[int, str]:
    """The key that puts words, or numbers, in the order of their indices without reading them.

    >>> sorted(["aa", "b", "az", "ba"], key=component_sort_key)
    ['b', 'aa', 'az', 'ba']
    >>> component_sort_key("10") > component_sort_key("9")
    True
    """
    return len(component), component


def is_numeric_dimension(dimension: int) -> bool:
    """Whether a dimension, counted from 0, is written as a number."""
    return dimension % 3 == 1


def component_index(component: str) -> int:
    """The index a word or number stands for.

    >>> [component_index(text) for text in ("a", "zz", "AAA", "1", "256")]
    [0, 701, 702, 0, 255]
    """
    if not component[0].isdigit():
        return number_from_letters(component.lower())
    if len(component) <= SAFE_DIGITS:
        return int(component) - 1
    return number_from_digits([int(digit) for digit in component], 10) - 1


def component_text(index: int, dimension: int) -> str:
    """The word or number for an index in a dimension, both counted from 0.

    >>> [component_text(26, dimension) for dimension in range(4)]
    ['aa', '27', 'AA', 'aa']
    """
    if is_numeric_dimension(dimension):
        return _long_decimal_text(index + 1)
    return number_in_letters(index).upper() if dimension % 3 else number_in_letters(index)


def _long_decimal_text(number: int) -> str:
    pieces = []
    while number >= _SAFE:
        number, piece = divmod(number, _SAFE)
        pieces.append(f"{piece:0{SAFE_DIGITS}}")
    return "".join([str(number), *reversed(pieces)])


def python_int_literal(index: int) -> str:
    """An index as Python reads it back: in hexadecimal where decimals could be too long for it.

    >>> python_int_literal(255), python_int_literal(-3), python_int_literal(16**1000)[:4]
    ('255', '-3', '0x10')
    """
    return str(index) if abs(index) < _SAFE else hex(index)


_NUMBER_LIMIT = 10**MAX_NUMBER_DIGITS

_HAND_SIGN = "*"


class LocationBase:
    """What locations of every kind say of themselves."""

    __slots__ = ()

    @property
    def is_hand(self) -> bool:
        """Whether this is the hand."""
        return str(self) == _HAND_SIGN

    @property
    def is_board(self) -> bool:
        """Whether this is a square."""
        return not self.is_hand


@final
@dataclass(frozen=True, order=True, init=False, repr=False)
class Cell(LocationBase):
    """A square of layered CELL, by its index in each dimension, counted from 0.

    ``indices`` is any iterable of at least one integer; `bool` is a `TypeError`. Cells are equal,
    and sorted, by their indices. Raises `LocationError` (``empty``, ``range``) for no indices, a
    negative one, or a number of more than 4,300 digits.

    >>> Cell([4, 3]), str(Cell([4, 3])), Cell((0, 1)) < Cell((0, 9))
    (Cell((4, 3)), 'e4', True)
    >>> Cell((4, 3)) == (4, 3), Cell((4, 3)) == "e4"
    (False, False)
    """

    # The components with their lengths sort as the indices do, and need no arithmetic: text is
    # read in linear time, and the indices are worked out when somebody asks.
    _components: tuple[tuple[int, str], ...]

    def __init__(self, indices: Iterable[SupportsIndex]) -> None:
        known = tuple(map(_as_integer, indices))
        _check_cell_indices(known)
        words = (component_text(index, dimension) for dimension, index in enumerate(known))
        vars(self).update(_components=tuple(map(component_sort_key, words)), indices=known)

    @cached_property
    def indices(self) -> tuple[int, ...]:
        """The index in each dimension, from 0."""
        return tuple(map(component_index, self.components))

    @property
    def components(self) -> tuple[str, ...]:
        """The words and numbers of the text.

        >>> Cell((4, 3, 1)).components
        ('e', '4', 'B')
        """
        return tuple(text for _, text in self._components)

    @property
    def dimensions(self) -> int:
        """The number of dimensions, at least 1."""
        return len(self._components)

    def __str__(self) -> str:
        return "".join(self.components)

    def __repr__(self) -> str:
        indices = ", ".join(map(python_int_literal, self.indices))
        return f"Cell(({indices}{',' * (self.dimensions == 1)}))"


def cell_from_components(components: Iterable[str]) -> Cell:
    """The cell with these words and numbers, which must be in canonical form.

    >>> cell_from_components(["e", "4"])
    Cell((4, 3))
    """
    cell = Cell.__new__(Cell)
    vars(cell)["_components"] = tuple(map(component_sort_key, components))
    return cell


def _as_integer(index: SupportsIndex) -> int:
    if isinstance(index, bool):
        raise TypeError("an index is an int, not bool")
    return operator.index(index)


def _check_cell_indices(indices: tuple[int, ...]) -> None:
    """Raise `LocationError` for the first index that no text can stand for."""
    if not indices:
        raise make_location_error(empty_input_diagnostic(), "", CellDialect.LAYERED)
    for dimension, index in enumerate(indices):
        if index < 0:
            message, hint = "index is negative", "the first square has index 0"
        elif is_numeric_dimension(dimension) and index >= _NUMBER_LIMIT - 1:
            message, hint = f"number over {MAX_NUMBER_DIGITS:,} digits", ""
        else:
            continue
        texts = list(map(python_int_literal, indices))
        start = len("".join(f"{text}, " for text in texts[:dimension]))
        diagnostic = make_location_diagnostic(
            "range", message, start, start + len(texts[dimension]), hint
        )
        raise make_location_error(diagnostic, ", ".join(texts), CellDialect.LAYERED)


_OPAQUE_PATTERN = re.compile(r"\*|[A-Za-z0-9]+")


def not_opaque_cell_diagnostic(text: str) -> Diagnostic | None:
    """What keeps a string from being opaque CELL, the hand ``*`` included."""
    if not text:
        return empty_input_diagnostic()
    match = _OPAQUE_PATTERN.match(text)
    end = match.end() if match else 0
    if end == len(text):
        return None
    hint = "a label has the letters a to z and A to Z and digits; the hand is * alone"
    return make_location_diagnostic("character", "unexpected character", end, end + 1, hint)


@final
@dataclass(frozen=True, order=True, repr=False)
class Label(LocationBase):
    """A square of opaque CELL: letters and digits without indices. Labels sort by their text.

    Raises `LocationError` (``empty``, ``character``) for other strings, ``*`` among them, and
    `TypeError` for anything else.

    >>> Label("5c"), Label("a10") < Label("a2"), Label("5c") == "5c"
    (Label('5c'), True, False)
    """

    text: str

    def __post_init__(self) -> None:
        text = require_string(self.text)
        diagnostic = not_opaque_cell_diagnostic(text)
        if text == "*":
            diagnostic = make_location_diagnostic(
                "character", "unexpected character", 0, 1, "the hand is HAND"
            )
        if diagnostic is not None:
            raise make_location_error(diagnostic, text, CellDialect.OPAQUE)
        object.__setattr__(self, "text", text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Label({self.text!r})"


@final
class Hand(LocationBase):
    """The hand. There is one, `HAND`; ``str(HAND)`` is ``*``.

    >>> Hand() is HAND, str(HAND), HAND == "*"
    (True, '*', False)
    """

    __slots__ = ()
    _instance: Hand | None = None

    def __new__(cls) -> Hand:
        """The one instance."""
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __str__(self) -> str:
        return _HAND_SIGN

    def __repr__(self) -> str:
        return "HAND"

    def __reduce__(self) -> str:
        return "HAND"


HAND = Hand()


def is_hand(value: object) -> bool:
    r"""Whether this is the string ``*``; False, never an error, for anything else.

    >>> is_hand("*"), is_hand("*\n"), is_hand(None)
    (True, False, False)
    """
    return to_plain_string_or_none(value) == _HAND_SIGN


def parse_hand(text: str) -> Hand:
    """`HAND`, for the string ``*``.

    Raises `LocationError` (``empty``, ``hand``) for other strings and `TypeError` for anything
    else.

    >>> parse_hand("*")
    HAND
    """
    value = require_string(text)
    if value == _HAND_SIGN:
        return HAND
    if not value:
        raise make_location_error(empty_input_diagnostic(), value)
    start = len(_HAND_SIGN) if value.startswith(_HAND_SIGN) else 0
    hint = "the hand is * and nothing else"
    raise make_location_error(
        make_location_diagnostic("hand", "not a HAND location", start, start + 1, hint), value
    )


Location: TypeAlias = Cell | Label | Hand

_LAYERED_PATTERN = re.compile(r"[a-z]+(?:[1-9][0-9]*[A-Z]+[a-z]+)*(?:[1-9][0-9]*[A-Z]*)?")
_COMPONENT_PATTERN = re.compile(r"[a-z]+|[0-9]+|[A-Z]+")
_SHOGI_PATTERN = re.compile(square_name_pattern("shogi"))

# Bounded CELL: what the gems 3 and 4 document.
_BOUNDED_TEXT_LENGTH = 7
_BOUNDED_DIMENSIONS = 3
_LAST_INDEX = 255
_UNBOUNDED_HINT = "CellDialect.LAYERED has no such bound"


def is_cell(value: object) -> bool:
    r"""Whether this is a string of layered CELL; False, never an error, for anything else.

    Numbers of any length are.

    >>> [is_cell(text) for text in ("e4", "h8Hh8", "5c", "*", "e4\n", None)]
    [True, True, False, False, False, False]
    """
    text = to_plain_string_or_none(value)
    return text is not None and _LAYERED_PATTERN.fullmatch(text) is not None


def is_cell_bounded(value: object) -> bool:
    """Whether this is layered CELL with at most 3 dimensions, indices to 255 and 7 characters.

    False, never an error, for anything that is not a string.

    >>> [is_cell_bounded(text) for text in ("iv256IV", "iw", "a257", "a1Aa", "aaa")]
    [True, False, False, False, False]
    """
    text = to_plain_string_or_none(value)
    return text is not None and _cell_diagnostic(text, CellDialect.BOUNDED) is None


def is_cell_opaque(value: object) -> bool:
    """Whether this is ``*``, or one or more of A-Z, a-z and 0-9.

    False, never an error, for anything that is not a string.

    >>> [is_cell_opaque(text) for text in ("*", "e4", "5c", "a01", "", "e-4")]
    [True, True, True, True, False, False]
    """
    text = to_plain_string_or_none(value)
    return text is not None and not_opaque_cell_diagnostic(text) is None


def is_location(value: object, dialect: CellDialect = CellDialect.LAYERED) -> bool:
    """Whether this is a string of the dialect, or the hand ``*``.

    False for anything that is not a string. Raises `TypeError` where ``dialect`` is no
    `CellDialect`.

    >>> is_location("*"), is_location("5c"), is_location("5c", CellDialect.OPAQUE)
    (True, False, True)
    """
    require_type(dialect, CellDialect, "a dialect is a CellDialect")
    text = to_plain_string_or_none(value)
    return text is not None and (is_hand(text) or _cell_diagnostic(text, dialect) is None)


@overload
def parse_cell(
    text: str, dialect: Literal[CellDialect.LAYERED, CellDialect.BOUNDED] = CellDialect.LAYERED
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
    require_type(dialect, CellDialect, "a dialect is a CellDialect")
    value = require_string(text)
    if dialect is CellDialect.OPAQUE:
        return HAND if is_hand(value) else Label(value)
    diagnostic = _cell_diagnostic(value, dialect)
    components = [] if diagnostic else _COMPONENT_PATTERN.findall(value)
    if diagnostic := diagnostic or _number_too_long_diagnostic(components):
        raise make_location_error(diagnostic, value, dialect)
    return cell_from_components(components)


@overload
def parse_location(
    text: str, dialect: Literal[CellDialect.LAYERED, CellDialect.BOUNDED] = CellDialect.LAYERED
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
    require_type(dialect, CellDialect, "a dialect is a CellDialect")
    value = require_string(text)
    return HAND if is_hand(value) else parse_cell(value, dialect)


# Longer texts need an arrow.
MAX_LENGTH_WITHOUT_ARROW = 100
_ARROW, _BLANKS = re.compile("→|->"), " \t"


def parse_move(text: str, dialect: CellDialect = CellDialect.LAYERED) -> tuple[Location, Location]:
    """Where a move comes from and goes to: ``e2 → e4``, ``* → e4`` from the hand, ``e4 → *``.

    The arrow may be ``->``, or left out where the text can be cut in one way only: ``*e4``,
    ``e2e4``. Raises `LocationError` for anything else, of kind "no-move" where there is no place to
    cut, or several, and from the hand to the hand.

    >>> parse_move("* → e4"), parse_move("e4 → *"), parse_move("*e4")
    ((HAND, Cell((4, 3))), (Cell((4, 3)), HAND), (HAND, Cell((4, 3))))
    """
    value = require_string(text)
    arrow = _ARROW.search(value)
    if arrow:
        cuts = [(value[: arrow.start()].rstrip(_BLANKS), value[arrow.end() :].lstrip(_BLANKS))]
    else:
        cuts = [
            (value[:at], value[at:])
            for at in range(1, min(len(value), MAX_LENGTH_WITHOUT_ARROW))
            if is_location(value[:at], dialect) and is_location(value[at:], dialect)
        ]
    if len(cuts) != 1 or not all(cuts[0]):
        diagnostic = make_location_diagnostic(
            "no-move", "no two locations", 0, len(value), "write e2 → e4, or * → e4"
        )
        raise make_location_error(diagnostic, value, dialect)
    origin, target = (parse_location(place, dialect) for place in cuts[0])
    if origin is target is HAND:
        raise _hand_to_hand_error(value, dialect)
    return origin, target


def write_move(origin: Location, target: Location) -> str:
    """A move from one location to another as `parse_move` reads it, and refuses it.

    >>> write_move(HAND, Cell((4, 3))), write_move(Cell((4, 1)), Cell((4, 3)))
    ('* → e4', 'e2 → e4')
    """
    for each in (origin, target):
        require_type(each, (Cell, Hand, Label), "a move goes from a location to another")
    written = f"{origin} → {target}"
    if origin is target is HAND:
        raise _hand_to_hand_error(written)
    return written


def _hand_to_hand_error(text: str, dialect: CellDialect | None = None) -> LocationError:
    """The error for a move from the hand to the hand."""
    hint = "a move has a square: * → e4, or e4 → *"
    diagnostic = make_location_diagnostic(
        "no-move", "from the hand to the hand", 0, len(text), hint
    )
    return make_location_error(diagnostic, text, dialect)


def cell_from_indices(*indices: SupportsIndex, dialect: CellDialect = CellDialect.LAYERED) -> Cell:
    """The cell with these indices, counted from 0.

    Raises `LocationError` for what `Cell` refuses, and in the bounded dialect for more than 3
    indices (``dimensions``) or one over 255 (``range``), with places in the text the cell would
    have. Opaque labels have no indices: `ValueError`.

    >>> str(cell_from_indices(4, 3)), str(cell_from_indices(255, 255, 255))
    ('e4', 'iv256IV')
    """
    require_type(dialect, CellDialect, "a dialect is a CellDialect")
    if dialect is CellDialect.OPAQUE:
        raise ValueError("labels of opaque CELL have no indices")
    cell = Cell(indices)
    if dialect is CellDialect.BOUNDED:
        components = cell.components
        if diagnostic := _too_many_dimensions_diagnostic(components) or _index_too_large_diagnostic(
            components
        ):
            raise make_location_error(diagnostic, str(cell), dialect)
    return cell


def _cell_diagnostic(text: str, dialect: CellDialect) -> Diagnostic | None:
    """What keeps a string from being a cell of the dialect; numbers are not read."""
    if dialect is CellDialect.OPAQUE:
        return not_opaque_cell_diagnostic(text)
    bounded = dialect is CellDialect.BOUNDED
    if not text:
        return empty_input_diagnostic()
    if bounded and len(text) > _BOUNDED_TEXT_LENGTH:
        return make_location_diagnostic(
            "length",
            f"input exceeds {_BOUNDED_TEXT_LENGTH} characters",
            _BOUNDED_TEXT_LENGTH,
            len(text),
            _UNBOUNDED_HINT,
        )
    match = _LAYERED_PATTERN.match(text)
    if match is None:
        return make_location_diagnostic(
            "start", "must start with lowercase letter", 0, 1, _hint_for_unreadable_square(text)
        )
    components = _COMPONENT_PATTERN.findall(match[0]) if bounded else []
    return (
        _too_many_dimensions_diagnostic(components)
        or _stray_characters_diagnostic(text, match.end())
        or _index_too_large_diagnostic(components)
    )


def _hint_for_unreadable_square(text: str) -> str:
    if is_hand(text):
        return "parse_location and parse_hand read the hand"
    if _SHOGI_PATTERN.fullmatch(text):
        return "from_shogi reads squares of shogi"
    return "write the file first, as in e4"


def _components_with_offsets(components: Sequence[str]) -> Iterator[tuple[int, str, int, int]]:
    """Each component with its dimension, and where it stands in the text."""
    start = 0
    for dimension, component in enumerate(components):
        end = start + len(component)
        yield dimension, component, start, end
        start = end


def _too_many_dimensions_diagnostic(components: Sequence[str]) -> Diagnostic | None:
    """The first component that bounded CELL has no dimension for."""
    for dimension, _, start, end in _components_with_offsets(components):
        if dimension == _BOUNDED_DIMENSIONS:
            return make_location_diagnostic(
                "dimensions",
                f"exceeds {_BOUNDED_DIMENSIONS} dimensions",
                start,
                end,
                _UNBOUNDED_HINT,
            )
    return None


def _stray_characters_diagnostic(text: str, end: int) -> Diagnostic | None:
    """What stands behind the longest prefix that is a cell, and ends at ``end``."""
    if end == len(text):
        return None
    if text[end] == "0" and text[end - 1].islower():
        return make_location_diagnostic(
            "leading-zero", "leading zero", end, end + 1, "numbers begin with 1 to 9"
        )
    hint = "after a word a to z comes a number, then a word A to Z, and round again"
    return make_location_diagnostic("character", "unexpected character", end, end + 1, hint)


def _index_too_large_diagnostic(components: Sequence[str]) -> Diagnostic | None:
    """The first component with an index that bounded CELL does not have."""
    last = [_LAST_INDEX] * len(components)
    return _index_out_of_range_diagnostic(
        components, last, f"index exceeds {_LAST_INDEX}", _UNBOUNDED_HINT
    )


def _index_out_of_range_diagnostic(
    components: Sequence[str], last_indices: Sequence[int], message: str, hint: str = ""
) -> Diagnostic | None:
    """The first component with an index behind the last one of its dimension.

    Lengths and letters are compared, so that a text of a million letters is refused at once.
    """
    for dimension, component, start, end in _components_with_offsets(components):
        if component_sort_key(component) > component_sort_key(
            component_text(last_indices[dimension], dimension)
        ):
            return make_location_diagnostic("range", message, start, end, hint)
    return None


def _number_too_long_diagnostic(components: Sequence[str]) -> Diagnostic | None:
    """The first number with more digits than a cell holds."""
    for dimension, component, start, end in _components_with_offsets(components):
        if is_numeric_dimension(dimension) and len(component) > MAX_NUMBER_DIGITS:
            return make_location_diagnostic(
                "range", f"number over {MAX_NUMBER_DIGITS:,} digits", start, end
            )
    return None


_SHOGI_FILE_PATTERN = re.compile("[1-9][0-9]?")
_SHOGI_FILES = 99
_SHOGI_RANKS = 702
_BOARD_DIMENSIONS = 2


def from_shogi(text: str, files: int = 9, ranks: int = 9) -> Cell:
    """The cell of a shogi square: a file of one or two digits, then the rank in letters, as in 5e.

    On boards of more than 26 ranks z is followed by aa. Raises `LocationError` for other strings,
    and (``range``) for a square off the board or a board these names do not reach, of more than 99
    files or 702 ranks; `TypeError` for anything but a string.

    >>> from_shogi("5c"), str(from_shogi("9i")), str(from_shogi("5e", files=5, ranks=5))
    (Cell((4, 6)), 'a1', 'a1')
    """
    value = require_string(text)
    _check_board_size(value, files, ranks, "shogi")
    diagnostic = _shogi_square_diagnostic(value, files, ranks)
    if diagnostic is not None:
        raise make_location_error(diagnostic, value)
    square = parse_square(value, files, ranks, "shogi")
    if square is None:
        split = len(value.rstrip(ascii_lowercase))
        here = (0, split) if int(value[:split]) > files else (split, len(value))
        raise make_location_error(
            make_location_diagnostic("range", _off_board_message(files, ranks), *here), value
        )
    return Cell(square)


def to_shogi(cell: Cell, files: int = 9, ranks: int = 9) -> str:
    """The shogi name of a square.

    Raises `LocationError` (``dimensions``, ``range``) for a cell that is no square of the board and
    for boards as in `from_shogi`; `TypeError` for anything but a `Cell`. The hand is no square.

    >>> to_shogi(Cell((4, 6))), to_shogi(Cell((0, 0)), files=5, ranks=5)
    ('5c', '5e')
    """
    _check_cell_and_board_size(cell, files, ranks, "shogi")
    file, rank = cell.indices
    return square_name_on((file, rank), files, ranks, "shogi")


def from_chess(text: str, files: int = 8, ranks: int = 8) -> Cell:
    """The cell of a chess square: the same text, which must be a square of the board.

    Files after z are aa, ab and so on. Raises `LocationError` as `parse_cell` does, and for a cell
    that has not two dimensions (``dimensions``) or is off the board (``range``); `TypeError` for
    anything but a string.

    >>> from_chess("e4"), from_chess("aa30", files=36, ranks=36)
    (Cell((4, 3)), Cell((26, 29)))
    """
    value = require_string(text)
    _check_board_size(value, files, ranks, "chess")
    cell = parse_cell(value)
    _check_cell_on_board(cell, files, ranks)
    return cell


def to_chess(cell: Cell, files: int = 8, ranks: int = 8) -> str:
    """The chess name of a square, which is the text of the cell.

    Raises `LocationError` (``dimensions``, ``range``) for a cell that is no square of the board and
    `TypeError` for anything but a `Cell`. The hand is no square.

    >>> to_chess(Cell((4, 3)))
    'e4'
    """
    _check_cell_and_board_size(cell, files, ranks, "chess")
    return str(cell)


def _check_cell_and_board_size(
    cell: Cell, files: int, ranks: int, coordinates: CoordinateSystem
) -> None:
    """Raise for what is no cell, no board that these names reach, or no square of it."""
    require_type(cell, Cell, "a square is a Cell")
    _check_board_size(str(cell), files, ranks, coordinates)
    _check_cell_on_board(cell, files, ranks)


def _check_board_size(text: str, files: int, ranks: int, coordinates: CoordinateSystem) -> None:
    for number in (files, ranks):
        require_type(number, int, "files and ranks are int")
    message = hint = ""
    if min(files, ranks) < 1:
        message = "a board has at least one file and one rank"
    elif coordinates == "shogi" and (files > _SHOGI_FILES or ranks > _SHOGI_RANKS):
        message = f"shogi names reach {_SHOGI_FILES} files and {_SHOGI_RANKS} ranks"
        hint = "use from_chess and to_chess"
    if message:
        raise make_location_error(
            make_location_diagnostic("range", message, 0, len(text), hint), text
        )


def _shogi_square_diagnostic(text: str, files: int, ranks: int) -> Diagnostic | None:
    """What keeps a text from having the form of a shogi square."""
    if not text:
        return empty_input_diagnostic()
    if text[0] == "0":
        return make_location_diagnostic(
            "leading-zero", "leading zero", 0, 1, "files are numbered from 1"
        )
    match = re.match(square_name_pattern("shogi", files, ranks), text) or _SHOGI_FILE_PATTERN.match(
        text
    )
    end = match.end() if match else 0
    if end == len(text) and text[-1].isalpha():
        return None
    message = "unexpected character" if end < len(text) else "unexpected end"
    hint = "a square of shogi is a file number and a rank letter, as in 5e"
    return make_location_diagnostic("character", message, end, end + 1, hint)


def _check_cell_on_board(cell: Cell, files: int, ranks: int) -> None:
    """Raise `LocationError` for a cell that is no square of the board."""
    components, text = cell.components, str(cell)
    diagnostic: Diagnostic | None
    if len(components) != _BOARD_DIMENSIONS:
        extra = len("".join(components[:_BOARD_DIMENSIONS]))
        message = f"a square has two dimensions, not {len(components)}"
        diagnostic = make_location_diagnostic(
            "dimensions", message, extra, max(extra + 1, len(text))
        )
    else:
        diagnostic = _index_out_of_range_diagnostic(
            components, (files - 1, ranks - 1), _off_board_message(files, ranks)
        )
    if diagnostic is not None:
        raise make_location_error(diagnostic, text, CellDialect.LAYERED)


def _off_board_message(files: int, ranks: int) -> str:
    return f"off the board of {files} files and {ranks} ranks"
