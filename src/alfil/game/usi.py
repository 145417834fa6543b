"""Moves as text: `7g7f`, `7e6c+`, `T*5e`; `e2e4`, `e7e8q` where the first side is white.

Where several legal moves share start, target and promotion, the captured squares follow, as in
`5e5cx5d`; a piece that ends at home always has them.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from string import ascii_lowercase
from typing import NamedTuple

from alfil.game.moves import Move
from alfil.game.plan import Plan, plan_of
from alfil.game.position import Act
from alfil.game.reaches import reaches_of
from alfil.game.records.spelling import droppable
from alfil.game.squares import read_square
from alfil.game.text import Alphabet
from alfil.game.variant import SideName, Square, Variant

_DROP = re.compile(r"(\[[^\]]+\]|\+?[^0-9\[])([*@])(.+)")
_FORM = r"(?P<form>=?(?:\+|[a-zA-Z]|\+[a-zA-Z]|\[[^\]]+\]))?"


class Asked(NamedTuple):
    """A move as a text asks for it; ``form`` and ``captures`` are None where it says nothing.

    ``origin`` is -1 for a drop of ``piece``; ``form`` is the piece that arrives, -1 for one that
    the moving piece has no way to become.
    """

    piece: int
    origin: int
    target: int
    form: int | None = None
    captures: frozenset[int] | None = None


class Writer:
    """Writes the moves of one game, each once."""

    def __init__(self, plan: Plan, alphabet: Alphabet) -> None:
        self._plan = plan
        self._alphabet = alphabet
        self._names = [plan.name(square) for square in range(plan.size)]
        self._plies: dict[Act, tuple[Act, Move]] = {}
        self._by_id: dict[int, Move] = {}
        # Whether start, target and promotion always tell moves apart.
        self._distinct = _is_distinct(plan)

    def plies(self, acts: list[Act]) -> tuple[Move, ...]:
        """Moves as users see them, in the same order."""
        known = self._by_id
        try:
            found = [known[id(act)] for act in acts]
        except KeyError:
            found = [known.get(id(act)) or self._ply(act) for act in acts]
        if self._distinct or len({ply.text for ply in found}) == len(found):
            return tuple(found)
        times = Counter(ply.text for ply in found)
        return tuple(
            self._new(act, full=True) if times[ply.text] > 1 else ply
            for act, ply in zip(acts, found, strict=True)
        )

    def _ply(self, act: Act) -> Move:
        held = self._plies.get(act)
        if held is None:
            held = self._plies[act] = (act, self._new(act))
            # The act is kept, so no other object can ever have its id.
            self._by_id[id(act)] = held[1]
        return held[1]

    def _new(self, act: Act, *, full: bool = False) -> Move:
        plan = self._plan
        return Move(
            plan.codes[act.piece],
            plan.at(act.origin) if act.origin >= 0 else None,
            plan.at(act.target),
            plan.codes[act.becomes] if act.becomes != act.piece else "",
            tuple(plan.at(square) for square in act.captures),
            (plan.at(act.partner[0]), plan.at(act.partner[1])) if act.partner else None,
            tuple(plan.at(square) for square in act.trail),
            self._text(act, full=full),
        )

    def _text(self, act: Act, *, full: bool) -> str:
        names = self._names
        if act.origin < 0:
            side = (act.piece - 1) % 2
            return f"{self._alphabet.symbols[act.piece - side]}*{names[act.target]}"
        text = names[act.origin] + names[act.target]
        if full or act.origin == act.target:
            text += "".join("x" + names[square] for square in act.captures)
            # Two ways that take the same may still differ in the partner that comes along.
            text += "o" + names[act.partner[0]] if act.partner else ""
            text += "".join("e" + names[square] for square in act.trail)
        if act.becomes != act.piece:
            text += self.mark(act.piece, act.becomes)
        return text

    def mark(self, piece: int, becomes: int) -> str:
        """What stands behind a move for its promotion."""
        forms = self._plan.forms(piece)
        if len(forms) == 1:
            return "+"
        return self._alphabet.symbols[becomes].lower()


def texts_of(variant: Variant) -> tuple[Plan, Alphabet, Writer]:
    """The plan of a game and what stands for its pieces and moves; all its games share them."""
    plan = plan_of(variant)
    if "texts" not in plan.kept:
        alphabet = Alphabet(plan)
        plan.kept["texts"] = (plan, alphabet, Writer(plan, alphabet))
    found: tuple[Plan, Alphabet, Writer] = plan.kept["texts"]
    return found


def _is_distinct(plan: Plan) -> bool:
    reaches = reaches_of(plan)
    return reaches is not None and all(
        reaches.even[piece] and not plan.castle_insets[piece] for piece in range(1, plan.mark)
    )


def read_move(text: str, plan: Plan, alphabet: Alphabet, side: int) -> Asked | None:
    """What a text in the manner of USI asks for, or one with squares in CELL; None if it is none.

    Squares in CELL go with `@` for drops: `P@e5` is `P*5e`. Where the first side is white, squares
    are always those of CELL.
    """
    match = _DROP.fullmatch(text)
    if match:
        return _drop(match, plan, alphabet, side)
    styles: tuple[SideName, ...] = (plan.rules.first, "white")
    for style in dict.fromkeys(styles):
        found = _pattern(style, plan.files, plan.ranks).fullmatch(text)
        if found:
            return _board_move(found, plan, alphabet, side, style)
    return None


def _drop(match: re.Match[str], plan: Plan, alphabet: Alphabet, side: int) -> Asked | None:
    symbol, sign, square = match.groups()
    style: SideName = "white" if sign == "@" else plan.rules.first
    piece = alphabet.pieces.get(symbol) if symbol == symbol.upper() else None
    target = _square(square, plan, style)
    if piece is None or target is None:
        return None
    if not droppable(plan.variant, plan.kinds[(piece - 1) >> 1]):
        return None
    return Asked(piece + side, -1, target)


@cache
def _pattern(style: SideName, files: int, ranks: int) -> re.Pattern[str]:
    """A move on the board; letters of squares are two only on boards of more than 26."""
    letters = (
        "[a-z]{1,2}" if (files if style == "white" else ranks) > len(ascii_lowercase) else "[a-z]"
    )
    number = "[1-9][0-9]?"
    square = letters + number if style == "white" else number + letters
    return re.compile(
        rf"(?P<origin>{square})(?P<target>{square})(?P<captures>(?:x{square})*){_FORM}"
    )


def _board_move(
    match: re.Match[str], plan: Plan, alphabet: Alphabet, side: int, style: SideName
) -> Asked | None:
    origin, target, *taken = (
        _square(name, plan, style)
        for name in (match["origin"], match["target"], *_taken(match["captures"]))
    )
    if origin is None or target is None or None in taken:
        return None
    captures = frozenset(square for square in taken if square is not None) if taken else None
    form: int | None = None
    if match["form"]:
        symbol = match["form"].removeprefix("=").upper()
        form = alphabet.pieces.get(symbol, -2) + side
        if symbol == "+":
            form = -1
        elif form < 0:
            return None
    return Asked(0, origin, target, form, captures)


def _taken(captures: str) -> list[str]:
    """The names of the squares in a row of captures."""
    return re.findall(r"x([a-z]+[0-9]+|[0-9]+[a-z]+)(?=x|$)", captures)


def _square(name: str, plan: Plan, style: SideName) -> int | None:
    """The number of a square by its name."""
    at: Square | None = read_square(name, style, plan.files, plan.ranks)
    return None if at is None else plan.square(at)
