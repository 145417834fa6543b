"""What a section of a `variants.ini` comes to, once all that it goes out from is taken in.

Fairy-Stockfish resolves the letters of a setting where it is said: a pawn that a section below puts
in the place of another is a piece of its own, and is in none of the lists above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from alfil.exchange.ini import PIECES, VALUES, Section, Setting, Sort, file_number, lettered, sorts
from alfil.programs import predicted
from alfil.squares import Square

PROGRAM = "fairy-stockfish"
SIDES = ("White", "Black")
SIDED = re.compile("White(?=$|[A-Z])|Black(?=$|[A-Z])")
# Letters that stand for these pieces too, in the program's own xiangqi and janggi.
SYNONYMS = {"horse": "h", "elephant": "e", "janggiElephant": "e"}
ALL = "*"
Pair: TypeAlias = tuple[frozenset[str], frozenset[str]]
Area: TypeAlias = tuple[frozenset[Square], frozenset[Square]]
COUNT = re.compile(r"([A-Za-z])\s*:\s*(-?[0-9]+)")
TO = re.compile(r"([A-Za-z])\s*:\s*([A-Za-z-])")
SQUARE = re.compile(r"([A-La-l*])([0-9]{1,2}|\*)")
# The lists that `pawnTypes` sets at once.
OF_PAWNS = ("promotionPawnTypes", "enPassantTypes", "nMoveRuleTypes")
BOARD = (12, 10)


@dataclass
class Meant:
    """The settings of a variant by name, those of both sides under the name without the side.

    ``letters`` and ``betza`` are those of the pieces, by the names of their settings; what the
    program makes of a text of one's own is ``betza``. ``types`` are lists of pieces, ``areas``
    sets of squares, each for both sides; ``values`` has the rest as it is written. ``said`` is
    where a setting of a user's file says it.
    """

    letters: dict[str, str] = field(default_factory=dict)
    betza: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    types: dict[str, Pair] = field(default_factory=dict)
    areas: dict[str, Area] = field(default_factory=dict)
    counts: dict[str, dict[str, str]] = field(default_factory=dict)
    said: dict[str, Setting] = field(default_factory=dict)

    @property
    def files(self) -> int:
        """How many files the board has."""
        return file_number(self.values["maxFile"])

    @property
    def ranks(self) -> int:
        """How many ranks the board has."""
        return int(self.values["maxRank"])

    @property
    def alphabet(self) -> frozenset[str]:
        """The letters that stand for pieces in positions."""
        found = {*self.letters.values()}
        return frozenset(found | {SYNONYMS[key] for key in self.letters if key in SYNONYMS})

    def holds(self, name: str) -> bool:
        """Whether a setting of true or false is true."""
        return self.values[name] == "true"

    def piece(self, letter: str) -> str:
        """The name of the piece that a letter stands for, "" for none."""
        folded = letter.lower()
        found = (key for key, each in self.letters.items() if each == folded)
        synonym = (key for key in self.letters if SYNONYMS.get(key) == folded)
        return next(found, "") or next(synonym, "")


def meant(section: Section) -> Meant:
    """All settings of a section, its template's and the program's own taken in."""
    result = deepcopy(meant(section.parent)) if section.parent else _defaults()
    order = {name: at for at, name in enumerate(sorts())}
    named = sorted(section.settings.values(), key=lambda each: order[each.key])
    for setting in named:
        if sorts()[setting.key].value in PIECES:
            _take_piece(result, setting)
    for setting in sorted(named, key=_rank):
        if sorts()[setting.key].value not in PIECES:
            _take(result, sorts()[setting.key], setting.value)
        result.said[setting.key] = setting
    return result


def _rank(setting: Setting) -> int:
    """Old names are taken first, then `pawnTypes`; what one side has comes after what both have."""
    if sorts()[setting.key].instead:
        return 0
    return 1 if setting.key == "pawnTypes" else 2 + (_base(setting.key) != setting.key)


def _defaults() -> Meant:
    """The program's own settings, without any piece."""
    result = Meant()
    for sort in sorts().values():
        if sort.value in PIECES or sort.instead or sort.name == "pawnTypes":
            continue
        base, sides = _base(sort.name), _sides(sort.name)
        if sort.value in {"piece", "pieces"}:
            names = frozenset(sort.default.split())
            result.types.setdefault(base, (names, names))
        elif sort.value == "squares" and (sort.default or base not in result.areas):
            _take_area(result, base, sides, squares(sort.default))
        elif sort.value in {"counts", "pairs"}:
            result.counts[base] = {}
        elif sort.value != "squares":
            result.values.setdefault(base, sort.default)
    return result


def _base(name: str) -> str:
    """A setting without the side in its name."""
    return SIDED.sub("", name)


def _sides(name: str) -> tuple[int, ...]:
    """The sides that a setting is for."""
    match = SIDED.search(name)
    return (SIDES.index(match[0]),) if match else (0, 1)


def _take_piece(result: Meant, setting: Setting) -> None:
    """A piece that comes in, in place of whatever had its letter, or is taken out."""
    sort, found = sorts()[setting.key], lettered(setting.value)
    holder = result.piece(found[0]) if found else ""
    for key in {setting.key, holder} - {""}:
        _remove(result, key, kept=key == setting.key and found is not None)
    if not found:
        return
    letter, text = found
    result.letters[setting.key] = letter.lower()
    if text is None:
        # Who captures en passant is said by a list, not by the piece.
        result.betza[setting.key] = sort.says.replace("e", "")
        return
    result.betza[setting.key] = predicted(text, PROGRAM).betza or ""
    if "e" in text and sort.value == "betza":
        white, black = result.types["enPassantTypes"]
        result.types["enPassantTypes"] = (white | {setting.key}, black | {setting.key})


def _remove(result: Meant, key: str, *, kept: bool) -> None:
    """Take a piece out; nothing promotes to it then, unless it is ``kept`` under another letter."""
    result.letters.pop(key, None)
    if not kept:
        white, black = result.types["promotionPieceTypes"]
        result.types["promotionPieceTypes"] = (white - {key}, black - {key})


def _take(result: Meant, sort: Sort, value: str) -> None:
    """A setting that is no piece; one of the wrong form is passed over, as the program does."""
    if sort.value in VALUES and not re.fullmatch(VALUES[sort.value][1], value):
        return
    base, sides = _base(sort.name), _sides(sort.name)
    if sort.instead:
        _take_old(result, sort, value)
    elif sort.name == "pawnTypes":
        for each in OF_PAWNS:
            result.types[each] = (_pieces(result, value),) * 2
    elif sort.value == "squares":
        _take_area(result, base, sides, squares(value))
    elif sort.value in {"piece", "pieces"}:
        both = list(result.types[base])
        for side in sides:
            both[side] = _pieces(result, value)
        result.types[base] = (both[0], both[1])
    else:
        _take_value(result, sort, value)


def _take_value(result: Meant, sort: Sort, value: str) -> None:
    """Numbers of pieces, pairs of them, or something that stands for itself."""
    counts = result.counts.get(sort.name, {})
    if sort.value == "counts":
        pairs = ((result.piece(letter), number) for letter, number in COUNT.findall(value))
        counts.update((key, number) for key, number in pairs if key)
    elif sort.value == "pairs":
        for one, other in TO.findall(value):
            counts[result.piece(one)] = result.piece(other)
    else:
        result.values[sort.name] = value
        if sort.name == _base(sort.name):
            for side in SIDES:
                result.values.pop(f"{sort.name}{side}", None)


def _take_area(result: Meant, base: str, sides: tuple[int, ...], found: frozenset[Square]) -> None:
    both = list(result.areas.get(base, (frozenset[Square](), frozenset[Square]())))
    for side in sides:
        both[side] = found
    result.areas[base] = (both[0], both[1])


def _take_old(result: Meant, sort: Sort, value: str) -> None:
    """A setting under an older name."""
    if sort.instead in sorts():
        _take(result, sorts()[sort.instead], value)
    elif sort.name == "dropOnTop":
        result.values["enclosingDrop"] = "top" if value == "true" else "none"
    elif value.isdecimal():
        base = _base(sort.instead.split(" ")[0])
        last = result.ranks if base == "promotionRegion" else int(value)
        first = int(value) if base == "promotionRegion" else 2
        ranks = range(first, last + 1)
        for side in (0, 1):
            own = (result.ranks + 1 - rank if side else rank for rank in ranks)
            found = squares(" ".join(f"*{rank}" for rank in own))
            _take_area(result, base, (side,), found)


def _pieces(result: Meant, value: str) -> frozenset[str]:
    """The pieces of a list; what no piece has ends it, as in the program."""
    return frozenset(_listed(result, value))


def _listed(result: Meant, value: str) -> Iterator[str]:
    for letter in value.replace(" ", ""):
        key = ALL if letter == ALL else result.piece(letter)
        if not key:
            return
        yield key


def squares(value: str) -> frozenset[Square]:
    """The squares of a text such as "d4 *8 a*", on the largest board that there is.

    >>> sorted(squares("d4 e4")), len(squares("*8 a*")), squares("-")
    ([(3, 3), (4, 3)], 21, frozenset())
    """
    found: set[Square] = set()
    for each in value.split():
        match = SQUARE.fullmatch(each)
        if not match:
            break
        file, rank = match[1].lower(), match[2]
        files = range(BOARD[0]) if file == ALL else [ord(file) - ord("a")]
        ranks = range(BOARD[1]) if rank == ALL else [int(rank) - 1]
        found.update(product(files, ranks))
    return frozenset(found)
