"""A section of a `variants.ini` with its parents' settings merged in.

Fairy-Stockfish resolves the letters of a setting where it is said: a pawn that a section below puts
in the place of another is a piece of its own, and is in none of the lists above.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import TypeAlias

from alfil.exchange.variants_ini import (
    PIECE_VALUE_TYPES,
    Section,
    Setting,
    SettingType,
    board_dimension,
    letter_and_betza,
    setting_types,
)
from alfil.programs import predict_reading
from alfil.squares import Square

PROGRAM = "fairy-stockfish"
SIDES = ("White", "Black")
SIDED_NAME = re.compile("White(?=$|[A-Z])|Black(?=$|[A-Z])")
# Letters that stand for these pieces too, in the program's own xiangqi and janggi.
LETTER_BY_PIECE_NAME = {"horse": "h", "elephant": "e", "janggiElephant": "e"}
ALL_PIECES = "*"
PieceSetsBySide: TypeAlias = tuple[frozenset[str], frozenset[str]]
Area: TypeAlias = tuple[frozenset[Square], frozenset[Square]]
PIECE_COUNT_PATTERN = re.compile(r"([A-Za-z])\s*:\s*(-?[0-9]+)")
PROMOTION_ARROW = re.compile(r"([A-Za-z])\s*:\s*([A-Za-z-])")
SQUARE_PATTERN = re.compile(r"([A-La-l*])([0-9]{1,2}|\*)")
# The lists that `pawnTypes` sets at once.
PAWN_SETTINGS = ("promotionPawnTypes", "enPassantTypes", "nMoveRuleTypes")
MAX_BOARD_SIZE = (12, 10)


@dataclass
class ResolvedVariant:
    """The settings of a variant by name, those of both sides under the name without the side.

    ``letters`` and ``betza`` are those of the pieces, by the names of their settings; what the
    program makes of a text of one's own is ``betza``. ``types`` are lists of pieces, ``areas``
    sets of squares, each for both sides; ``values`` has the rest as it is written. ``settings`` is
    where a setting of a user's file says it.
    """

    letters: dict[str, str] = field(default_factory=dict)
    betza: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    types: dict[str, PieceSetsBySide] = field(default_factory=dict)
    areas: dict[str, Area] = field(default_factory=dict)
    counts: dict[str, dict[str, str]] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)

    def copy(self) -> ResolvedVariant:
        """The same settings, to be changed apart."""
        return ResolvedVariant(
            {**self.letters},
            {**self.betza},
            {**self.values},
            {**self.types},
            {**self.areas},
            {name: {**pairs} for name, pairs in self.counts.items()},
            {**self.settings},
        )

    @property
    def files(self) -> int:
        """How many files the board has."""
        return board_dimension(self.values["maxFile"])

    @property
    def ranks(self) -> int:
        """How many ranks the board has."""
        return int(self.values["maxRank"])

    @property
    def alphabet(self) -> frozenset[str]:
        """The letters that stand for pieces in positions."""
        result = {*self.letters.values()}
        return frozenset(
            result
            | {LETTER_BY_PIECE_NAME[key] for key in self.letters if key in LETTER_BY_PIECE_NAME}
        )

    def is_true(self, name: str) -> bool:
        """Whether a setting of true or false is true."""
        return self.values[name] == "true"

    def piece_name(self, letter: str) -> str:
        """The name of the piece that a letter stands for, "" for none."""
        folded = letter.lower()
        result = (key for key, each in self.letters.items() if each == folded)
        synonym = (key for key in self.letters if LETTER_BY_PIECE_NAME.get(key) == folded)
        return next(result, "") or next(synonym, "")


def resolve_section(
    section: Section, known: dict[int, ResolvedVariant] | None = None
) -> ResolvedVariant:
    """The settings of a section, merged with those of its template and the defaults.

    ``known`` are sections that were resolved before, by their ids, to which this one is added.
    """
    lineage: list[Section] = []
    above: Section | None = section
    while above is not None and not (known and id(above) in known):
        lineage.append(above)
        above = above.parent
    result = known[id(above)].copy() if known and above else _default_variant()
    for each in reversed(lineage):
        _merge_section(result, each)
        if known is not None:
            known[id(each)] = result.copy()
    return result


def _merge_section(result: ResolvedVariant, section: Section) -> None:
    """Take the settings of one section."""
    order = {name: at for at, name in enumerate(setting_types())}
    in_order = sorted(section.settings.values(), key=lambda each: order[each.key])
    for setting in in_order:
        if setting_types()[setting.key].value in PIECE_VALUE_TYPES:
            _set_piece(result, setting)
    for setting in sorted(in_order, key=_setting_priority):
        if setting_types()[setting.key].value not in PIECE_VALUE_TYPES:
            _set_value(result, setting_types()[setting.key], setting.value)
        result.settings[setting.key] = setting
    if not result.is_true("doubleStep"):
        # A section that goes out from this one must say the squares anew.
        _set_region(result, "doubleStepRegion", (0, 1), frozenset())


def _setting_priority(setting: Setting) -> int:
    """Old names are taken first, then `pawnTypes`; what one side has comes after what both have."""
    if setting_types()[setting.key].replaced_by:
        return 0
    return 1 if setting.key == "pawnTypes" else 2 + (_name_without_side(setting.key) != setting.key)


def _default_variant() -> ResolvedVariant:
    """The program's own settings, without any piece."""
    variant = ResolvedVariant()
    for setting_type in setting_types().values():
        if (
            setting_type.value in PIECE_VALUE_TYPES
            or setting_type.replaced_by
            or setting_type.name == "pawnTypes"
        ):
            continue
        base, sides = _name_without_side(setting_type.name), _setting_sides(setting_type.name)
        if setting_type.value in {"piece", "pieces"}:
            names = frozenset(setting_type.default.split())
            variant.types.setdefault(base, (names, names))
        elif setting_type.value == "squares" and (
            setting_type.default or base not in variant.areas
        ):
            _set_region(variant, base, sides, parse_squares(setting_type.default))
        elif setting_type.value in {"counts", "pairs"}:
            variant.counts[base] = {}
        elif setting_type.value != "squares":
            variant.values.setdefault(base, setting_type.default)
    return variant


def _name_without_side(name: str) -> str:
    """A setting without the side in its name."""
    return SIDED_NAME.sub("", name)


def _setting_sides(name: str) -> tuple[int, ...]:
    """The sides that a setting is for."""
    match = SIDED_NAME.search(name)
    return (SIDES.index(match[0]),) if match else (0, 1)


def _set_piece(variant: ResolvedVariant, setting: Setting) -> None:
    """Set the piece of a letter, or remove it."""
    setting_type, results = setting_types()[setting.key], letter_and_betza(setting.value)
    # Whoever has the letter loses it, this piece too; without its letter it keeps its promotions.
    _remove_piece(variant, variant.piece_name(results[0]) if results else setting.key)
    variant.letters.pop(setting.key, None)
    if not results:
        return
    letter, text = results
    variant.letters[setting.key] = letter.lower()
    if setting_type.value == "letter" or (setting_type.value == "king" and text is None):
        # Who captures en passant is said by a list, not by the piece.
        variant.betza[setting.key] = setting_type.meaning.replace("e", "")
        return
    variant.betza[setting.key] = predict_reading(text or "", PROGRAM).betza or ""
    if text and "e" in text and setting_type.value == "betza":
        white, black = variant.types["enPassantTypes"]
        variant.types["enPassantTypes"] = (white | {setting.key}, black | {setting.key})


def _remove_piece(variant: ResolvedVariant, key: str) -> None:
    """Remove a piece, to which nothing promotes any more; "" for none."""
    variant.letters.pop(key, None)
    white, black = variant.types["promotionPieceTypes"]
    variant.types["promotionPieceTypes"] = (white - {key}, black - {key})


def _set_value(variant: ResolvedVariant, setting_type: SettingType, value: str) -> None:
    """A setting that is no piece; one of the wrong form is passed over, as the program does."""
    if not setting_type.accepts(value):
        return
    base, sides = _name_without_side(setting_type.name), _setting_sides(setting_type.name)
    if setting_type.replaced_by:
        _set_value_under_old_name(variant, setting_type, value)
    elif setting_type.name == "pawnTypes":
        for each in PAWN_SETTINGS:
            variant.types[each] = (_piece_set(variant, value),) * 2
    elif setting_type.value == "squares":
        _set_region(variant, base, sides, parse_squares(value))
    elif setting_type.value in {"piece", "pieces"}:
        both = list(variant.types[base])
        for side in sides:
            both[side] = _piece_set(variant, value)
        variant.types[base] = (both[0], both[1])
    else:
        _set_plain_value(variant, setting_type, value)


def _set_plain_value(variant: ResolvedVariant, setting_type: SettingType, value: str) -> None:
    """Numbers of pieces, pairs of them, or something that stands for itself."""
    counts = variant.counts.get(setting_type.name, {})
    if setting_type.value == "counts":
        pairs = (
            (variant.piece_name(letter), number)
            for letter, number in PIECE_COUNT_PATTERN.findall(value)
        )
        counts.update((key, number) for key, number in pairs if key)
    elif setting_type.value == "pairs":
        for one, other in PROMOTION_ARROW.findall(value):
            counts[variant.piece_name(one)] = variant.piece_name(other)
    else:
        variant.values[setting_type.name] = value
        if setting_type.name == _name_without_side(setting_type.name):
            for side in SIDES:
                variant.values.pop(f"{setting_type.name}{side}", None)


def _set_region(
    variant: ResolvedVariant, base: str, sides: tuple[int, ...], results: frozenset[Square]
) -> None:
    both = list(variant.areas.get(base, (frozenset[Square](), frozenset[Square]())))
    for side in sides:
        both[side] = results
    variant.areas[base] = (both[0], both[1])


def _set_value_under_old_name(
    variant: ResolvedVariant, setting_type: SettingType, value: str
) -> None:
    """A setting under an older name."""
    if setting_type.replaced_by in setting_types():
        _set_value(variant, setting_types()[setting_type.replaced_by], value)
    elif setting_type.name == "dropOnTop":
        variant.values["enclosingDrop"] = "top" if value == "true" else "none"
    elif value.isdecimal():
        base = _name_without_side(setting_type.replaced_by.split(" ")[0])
        last = variant.ranks if base == "promotionRegion" else int(value)
        first = int(value) if base == "promotionRegion" else 2
        ranks = range(first, last + 1)
        for side in (0, 1):
            own = (variant.ranks + 1 - rank if side else rank for rank in ranks)
            results = parse_squares(" ".join(f"*{rank}" for rank in own))
            _set_region(variant, base, (side,), results)


def _piece_set(variant: ResolvedVariant, value: str) -> frozenset[str]:
    """The pieces of a list; what no piece has ends it, as in the program."""
    return frozenset(_piece_names(variant, value))


def _piece_names(variant: ResolvedVariant, value: str) -> Iterator[str]:
    for letter in value.replace(" ", ""):
        key = ALL_PIECES if letter == ALL_PIECES else variant.piece_name(letter)
        if not key:
            return
        yield key


def parse_squares(value: str) -> frozenset[Square]:
    """The squares of a text such as "d4 *8 a*", on the largest board that there is.

    >>> sorted(parse_squares("d4 e4")), len(parse_squares("*8 a*")), parse_squares("-")
    ([(3, 3), (4, 3)], 21, frozenset())
    """
    result: set[Square] = set()
    for each in value.split():
        match = SQUARE_PATTERN.fullmatch(each)
        if not match:
            break
        file, rank = match[1].lower(), match[2]
        files = range(MAX_BOARD_SIZE[0]) if file == ALL_PIECES else [ord(file) - ord("a")]
        ranks = range(MAX_BOARD_SIZE[1]) if rank == ALL_PIECES else [int(rank) - 1]
        result.update(product(files, ranks))
    return frozenset(result)
