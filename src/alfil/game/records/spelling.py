"""How a move in Hodges notation is spelled: the ways a text can be taken apart, and its faults.

    [+]CODE[start](-|x)target[taken squares][promotion]      CODE*target

Nothing here looks at a position.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from alfil.errors import Finding, NotationError
from alfil.game.squares import read_square
from alfil.game.variant import Kind, SideName, Square, Variant
from alfil.source import Source, Span

_SQUARES: dict[SideName, str] = {
    "black": "[1-9][0-9]?[a-z]{1,2}",
    "white": "[a-z]{1,2}[1-9][0-9]?",
}
# What stands behind the code, without a start square and with one. A text can be both where files
# go as far as x: xa5 is a square then, or a capture.
_PATTERNS = {
    first: [
        re.compile(
            rf"(?P<origin>{origin})(?P<sign>[-x*])(?P<target>{square})"
            rf"(?P<taken>(?:x{square})*)(?:o(?P<partner>{square}))?(?P<trail>(?:e{square})*)"
            r"(?P<mark>\+|=.*)?"
        )
        for origin in ("", square)
    ]
    for first, square in _SQUARES.items()
}
_SIGNS = "-x*"


class Spelled(NamedTuple):
    """One way to take a text apart.

    ``taken``, ``partner`` and ``trail`` are squares of captured pieces, of a castling partner and
    of capture en passant, None where none are written. ``mark`` is empty, ``+``, ``=``, or ``=``
    and a code.
    """

    code: str
    origin: Square | None
    sign: str
    target: Square
    taken: frozenset[Square] | None
    partner: Square | None
    trail: frozenset[Square] | None
    mark: str


class Speller:
    """Takes the move texts of one game apart."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._first = variant.rules.first
        self._kinds = sorted(variant.kinds, key=lambda kind: -len(kind.code))
        self._declines = any(k.promotes and k.promotion != "forced" for k in variant.kinds)

    def ways(self, text: str) -> list[Spelled]:
        """All ways to take a text apart, that with the longest code first.

        A code in the wrong case counts where none fits as it stands. Raises `NotationError`.
        """
        found = self._found(text)
        if not found:
            self._refuse(text)
        faults = [self._drop_fault(text, way) for way in found]
        wrong = [fault for fault in faults if fault]
        if len(wrong) == len(found):
            raise NotationError(wrong[:1], Source(text, "<move>"))
        return [way for way, fault in zip(found, faults, strict=True) if fault is None]

    def _found(self, text: str) -> list[Spelled]:
        exact = [kind for kind in self._kinds if text.startswith(kind.code)]
        found = [way for kind in exact for way in self._after(text, kind)]
        if not found:
            loose = [kind for kind in self._kinds if _begins(text, kind)]
            found = [way for kind in loose for way in self._after(text, kind)]
        return found

    def _after(self, text: str, kind: Kind) -> list[Spelled]:
        """What can follow a code."""
        rest = text[len(kind.code) :]
        matches = [pattern.fullmatch(rest) for pattern in _PATTERNS[self._first]]
        found = [self._spelled(kind, match) for match in matches if match]
        return [way for way in found if way is not None]

    def _spelled(self, kind: Kind, match: re.Match[str]) -> Spelled | None:
        mark = match["mark"] or ""
        if len(mark) > 1:
            mark = f"={self._form(mark[1:]) or '?'}"
        origin, target, partner = (
            self._square(match[part] or "") for part in ("origin", "target", "partner")
        )
        taken, trail = self._squares(match["taken"]), self._squares(match["trail"])
        missing = [
            origin is None and match["origin"],
            partner is None and match["partner"],
            taken is None and match["taken"],
            trail is None and match["trail"],
            mark == "=?" or (mark == "=" and not self._declines),
        ]
        if target is None or any(missing):
            return None
        return Spelled(kind.code, origin, match["sign"], target, taken, partner, trail, mark)

    def _square(self, name: str) -> Square | None:
        return read_square(name, self._first, self._variant.files, self._variant.ranks)

    def _squares(self, names: str) -> frozenset[Square] | None:
        """The squares of a row, each after one letter; None where there are none, or one is not."""
        found = [
            self._square(name)
            for name in re.findall(f"[xe]({_SQUARES[self._first]})(?=[xe]|$)", names)
        ]
        squares = frozenset(square for square in found if square is not None)
        return squares if squares and None not in found else None

    def _form(self, name: str) -> str | None:
        """The code behind the sign of promotion, in any case; None if there is none."""
        codes = [kind.code for kind in self._kinds]
        loose = [code for code in codes if _fold(code) == _fold(name)]
        return name if name in codes else loose[0] if loose else None

    def _drop_fault(self, text: str, way: Spelled) -> Finding | None:
        """A drop has no start, takes nothing and promotes nothing."""
        if way.sign != "*":
            return None
        code = len(way.code)
        star = text.index("*", code)
        tail = len(text) - len(way.mark)
        kind = self._variant.kind(way.code)
        if not droppable(self._variant, kind):
            message = f"{way.code} is never in hand: a piece is dropped as {kind.base}"
            return _wrong_drop(message, 0, code, f"write {kind.base}{text[star:]}")
        if way.origin:
            hint = f"write {way.code}{text[star:]}, or - or x for a move on the board"
            return _wrong_drop("a drop has no start square", code, star, hint)
        if way.mark:
            return _wrong_drop("a drop does not promote", tail, len(text), f"write {text[:tail]}")
        if way.taken or way.partner or way.trail:
            return _wrong_drop("a drop takes nothing", star + 1, tail, "write one square")
        return None

    def _refuse(self, text: str) -> NoReturn:
        """Say where a text stops to be a move."""
        if text != text.strip() and text.strip():
            at = 0 if text[0].isspace() else len(text.rstrip())
            hint = "leave the blank out"
            fail("unreadable-move", "a blank is no part of a move", text, at, at + 1, hint)
        kind = self._kind_at(text, 0)
        if kind is None:
            self._refuse_start(text)
        self._refuse_rest(text, len(kind.code))

    def _kind_at(self, text: str, start: int) -> Kind | None:
        return next((kind for kind in self._kinds if _begins(text[start:], kind)), None)

    def _refuse_start(self, text: str) -> NoReturn:
        if text.startswith("+"):
            plain = self._kind_at(text, 1)
            if plain:
                message = f"{plain.code} has no promoted form called +{plain.code}"
                fail("wrong-mark", message, text, 0, 1, "leave the + out")
        word = re.match(r"\+?[A-Za-z]+", text)
        end = word.end() if word else len(text)
        given = _fold(text[:end]).removesuffix("x")
        for kind in self._kinds:
            if given == _fold(kind.letter):
                hint = f"write {kind.code}{text[len(given) :]}"
                message = f"{text[: len(given)]} is the letter of {kind.code} in positions, no code"
                fail("unreadable-move", message, text, 0, len(given), hint)
        self._refuse_squares(text)
        example = "7g7f" if self._first == "black" else "e2e4"
        codes = ", ".join(kind.code for kind in self._variant.kinds)
        hint = f"it begins with a piece ({codes[:200]}), or is start and target, as in {example}"
        message = "no piece of this game" if text else "there is no move"
        fail("unreadable-move", message, text, 0, max(end, 1), hint)

    def _refuse_squares(self, text: str) -> None:
        """A text of two squares of which one is not on the board."""
        for square in _SQUARES.values():
            match = re.match(f"({square})({square})?", text)
            if match:
                self._check_square(text, match.group(1), 0)
                self._check_square(text, match.group(2) or "", match.end(1))

    def _refuse_rest(self, text: str, at: int) -> NoReturn:
        square = re.compile(_SQUARES[self._first])
        example = "5e" if self._first == "black" else "e5"
        if start := square.match(text, at):
            self._check_square(text, start.group(), at)
            at = start.end()
        if text[at : at + 1] not in tuple(_SIGNS):
            hint = f"after the piece stands - or x or *, and a square, as in -{example}"
            fail("unreadable-move", "no sign of a move or a drop", text, at, at + 1, hint)
        target = square.match(text, at + 1)
        if target is None:
            hint = f"after the sign stands a square, as in {example}"
            fail("unreadable-move", "no square", text, at + 1, at + 2, hint)
        self._check_square(text, target.group(), at + 1)
        at = target.end()
        if text[at : at + 1] != "=":
            hint = "after the square stands a promotion, or nothing"
            fail("unreadable-move", "no part of the move", text, at, len(text), hint)
        if at + 1 == len(text):
            message = "promotion is never declined in this game"
            fail("wrong-mark", message, text, at, at + 1, f"write {text[:at]}+, or no mark")
        message = f"no piece of this game is called {text[at + 1 :]}"
        fail("wrong-mark", message, text, at + 1, len(text))

    def _check_square(self, text: str, name: str, at: int) -> None:
        first: SideName = "white" if name[:1].isalpha() else "black"
        files, ranks = self._variant.files, self._variant.ranks
        if name and read_square(name, first, files, ranks) is None:
            message = f"{name} is no square of this board"
            fail("unreadable-move", message, text, at, at + len(name))


def droppable(variant: Variant, kind: Kind) -> bool:
    """Whether a piece of this kind can ever be put down from a hand as it is."""
    rules = variant.rules
    return rules.drop_form == "either" or rules.captured_form == "as-is" or kind.base == kind.code


def _wrong_drop(message: str, start: int, end: int, hint: str) -> Finding:
    return Finding("wrong-drop", message, (Span(start, end),), hint)


def fail(kind: str, message: str, text: str, start: int, end: int, hint: str = "") -> NoReturn:
    """Raise `NotationError` for one part of a move text."""
    finding = Finding(kind, message, (Span(start, max(start, end)),), hint)
    raise NotationError([finding], Source(text, "<move>"))


def alternatives(texts: Sequence[str]) -> str:
    """Several texts in words.

    >>> alternatives(["G4h-5g", "G6h-5g", "G5h-5g"])
    'G4h-5g, G6h-5g or G5h-5g'
    """
    return " or ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _begins(text: str, kind: Kind) -> bool:
    return _fold(text[: len(kind.code)]) == _fold(kind.code)


def _fold(text: str) -> str:
    """The text without regard to case, ASCII only: no other sign becomes a letter of a code."""
    return text.lower() if text.isascii() else text
