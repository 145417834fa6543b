"""Squares of any board in CELL, and the hand in HAND: what they are, and what refuses them.

A square of layered CELL has indices: in words and numbers a and 1 are 0, z is 25, aa is 26. Nothing
has a limit except numbers, at `DIGITS` digits. Python's own limit on reading and writing integers
can be set lower, but not below `SAFE_DIGITS`; beyond that numbers are taken in pieces. A square of
opaque CELL, as in gem 1.0.0, is a name. HAND 1.0.0 has the one location off the board, written
``*``; it says neither whose reserve it is nor what lies in it.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import SupportsIndex, final

from alfil.errors import AlfilError, Finding
from alfil.source import Source, Span
from alfil.squares import from_letters, joined, letters


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
        self, findings: Sequence[Finding], source: Source, dialect: CellDialect | None = None
    ) -> None:
        super().__init__(findings, source)
        self.dialect = dialect

    @property
    def text(self) -> str:
        """The text as it was given."""
        return self.source.text


def refusal(finding: Finding, text: str, dialect: CellDialect | None = None) -> LocationError:
    """The error with this finding in this text."""
    return LocationError([finding], Source(text, "<location>"), dialect)


def found(kind: str, message: str, start: int, end: int, hint: str = "") -> Finding:
    """A finding with one span."""
    return Finding(kind, message, (Span(start, end),), hint)


def empty_input() -> Finding:
    """There is nothing at all."""
    return found("empty", "empty input", 0, 0, "write a square such as e4, or * for the hand")


def plain(given: object) -> str | None:
    """The characters of a string, without the class they came in; None for anything else.

    The class is asked, not the object: an object may claim any ``__class__``, or fail to tell.

    >>> plain("e4"), plain(b"e4"), plain(None)
    ('e4', None, None)
    """
    if not issubclass(type(given), str):
        return None
    return str.__str__(given)


def string(given: object) -> str:
    """The characters of a string.

    Raises `TypeError` for anything else.
    """
    text = plain(given)
    if text is None:
        raise TypeError(f"a location is a str, not {type(given).__name__}")
    return text


DIGITS = 4300
SAFE_DIGITS = 640
_SAFE = 10**SAFE_DIGITS


def order(component: str) -> tuple[int, str]:
    """The key that puts words, or numbers, in the order of their indices without reading them.

    >>> sorted(["aa", "b", "az", "ba"], key=order), order("10") > order("9")
    (['b', 'aa', 'az', 'ba'], True)
    """
    return len(component), component


def is_number(dimension: int) -> bool:
    """Whether a dimension, counted from 0, is written as a number."""
    return dimension % 3 == 1


def index_of(component: str) -> int:
    """The index a word or number stands for.

    >>> [index_of(text) for text in ("a", "zz", "AAA", "1", "256")]
    [0, 701, 702, 0, 255]
    """
    if not component[0].isdigit():
        return from_letters(component.lower())
    if len(component) <= SAFE_DIGITS:
        return int(component) - 1
    return joined([int(digit) for digit in component], 10) - 1


def spelled(index: int, dimension: int) -> str:
    """The word or number for an index in a dimension, both counted from 0.

    >>> [spelled(26, dimension) for dimension in range(4)]
    ['aa', '27', 'AA', 'aa']
    """
    if is_number(dimension):
        return _decimal(index + 1)
    return letters(index).upper() if dimension % 3 else letters(index)


def _decimal(number: int) -> str:
    pieces = []
    while number >= _SAFE:
        number, piece = divmod(number, _SAFE)
        pieces.append(f"{piece:0{SAFE_DIGITS}}")
    return "".join([str(number), *reversed(pieces)])


def shown(index: int) -> str:
    """An index as Python reads it back: in hexadecimal where decimals could be too long for it.

    >>> shown(255), shown(-3), shown(16**1000)[:4]
    ('255', '-3', '0x10')
    """
    return str(index) if abs(index) < _SAFE else hex(index)


_MOST = 10**DIGITS


class _Square:
    """What squares of both kinds say of themselves."""

    @property
    def is_hand(self) -> bool:
        """False."""
        return False

    @property
    def is_board(self) -> bool:
        """True."""
        return True


@final
@dataclass(frozen=True, order=True, init=False, repr=False)
class Cell(_Square):
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
        known = tuple(map(_integer, indices))
        _check(known)
        words = (spelled(index, dimension) for dimension, index in enumerate(known))
        vars(self).update(_components=tuple(map(order, words)), indices=known)

    @cached_property
    def indices(self) -> tuple[int, ...]:
        """The index in each dimension, from 0."""
        return tuple(map(index_of, self.components))

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
        indices = ", ".join(map(shown, self.indices))
        return f"Cell(({indices}{',' * (self.dimensions == 1)}))"


def read_components(components: Iterable[str]) -> Cell:
    """The cell with these words and numbers, which must be in canonical form.

    >>> read_components(["e", "4"])
    Cell((4, 3))
    """
    cell = Cell.__new__(Cell)
    vars(cell)["_components"] = tuple(map(order, components))
    return cell


def _integer(index: SupportsIndex) -> int:
    if isinstance(index, bool):
        raise TypeError("an index is an int, not bool")
    return operator.index(index)


def _check(indices: tuple[int, ...]) -> None:
    """Raise `LocationError` for the first index that no text can stand for."""
    if not indices:
        raise refusal(empty_input(), "", CellDialect.LAYERED)
    for dimension, index in enumerate(indices):
        if index < 0:
            message, hint = "index is negative", "the first square has index 0"
        elif is_number(dimension) and index >= _MOST - 1:
            message, hint = f"number over {DIGITS:,} digits", ""
        else:
            continue
        texts = list(map(shown, indices))
        start = len("".join(f"{text}, " for text in texts[:dimension]))
        finding = found("range", message, start, start + len(texts[dimension]), hint)
        raise refusal(finding, ", ".join(texts), CellDialect.LAYERED)


_OPAQUE = re.compile(r"\*|[A-Za-z0-9]+")


def opaque_fault(text: str) -> Finding | None:
    """What keeps a string from being opaque CELL, the hand ``*`` included."""
    if not text:
        return empty_input()
    match = _OPAQUE.match(text)
    end = match.end() if match else 0
    if end == len(text):
        return None
    hint = "a label has the letters a to z and A to Z and digits; the hand is * alone"
    return found("character", "unexpected character", end, end + 1, hint)


@final
@dataclass(frozen=True, order=True, repr=False)
class Label(_Square):
    """A square of opaque CELL: letters and digits without indices. Labels sort by their text.

    Raises `LocationError` (``empty``, ``character``) for other strings, ``*`` among them, and
    `TypeError` for anything else.

    >>> Label("5c"), Label("a10") < Label("a2"), Label("5c") == "5c"
    (Label('5c'), True, False)
    """

    text: str

    def __post_init__(self) -> None:
        text = string(self.text)
        finding = opaque_fault(text)
        if text == "*":
            finding = found("character", "unexpected character", 0, 1, "the hand is HAND")
        if finding is not None:
            raise refusal(finding, text, CellDialect.OPAQUE)
        object.__setattr__(self, "text", text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Label({self.text!r})"


_SIGN = "*"


@final
class Hand:
    """The hand. There is one, `HAND`; ``str(HAND)`` is ``*``.

    >>> Hand() is HAND, str(HAND), HAND == "*"
    (True, '*', False)
    """

    __slots__ = ()
    _one: Hand | None = None

    def __new__(cls) -> Hand:
        """The one instance."""
        if cls._one is None:
            cls._one = super().__new__(cls)
        return cls._one

    @property
    def is_hand(self) -> bool:
        """True."""
        return True

    @property
    def is_board(self) -> bool:
        """False."""
        return False

    def __str__(self) -> str:
        return _SIGN

    def __repr__(self) -> str:
        return "HAND"

    def __reduce__(self) -> str:
        return "HAND"


HAND = Hand()


def is_hand(given: object) -> bool:
    r"""Whether this is the string ``*``; False, never an error, for anything else.

    >>> is_hand("*"), is_hand("*\n"), is_hand(None)
    (True, False, False)
    """
    return plain(given) == _SIGN


def parse_hand(text: str) -> Hand:
    """`HAND`, for the string ``*``.

    Raises `LocationError` (``empty``, ``hand``) for other strings and `TypeError` for anything
    else.

    >>> parse_hand("*")
    HAND
    """
    given = string(text)
    if given == _SIGN:
        return HAND
    if not given:
        raise refusal(empty_input(), given)
    start = len(_SIGN) if given.startswith(_SIGN) else 0
    hint = "the hand is * and nothing else"
    raise refusal(found("hand", "not a HAND location", start, start + 1, hint), given)
