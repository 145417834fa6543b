"""From the parser's pieces to raw parts: one method per rule of grammars/betza.lark.

Raw parts are what the grammar sees, letters not yet understood; the reader makes nodes of them.
Positions count from the start of the text that was parsed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from alfil.notation.parsing import Token


class Piece(NamedTuple):
    """A bit of text and where it starts."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


class RawLeg(NamedTuple):
    """An atom with what stands around it."""

    modifiers: tuple[Piece, ...]
    atom: Piece
    range: Piece | None

    @property
    def start(self) -> int:
        """Where the leg starts."""
        return self.modifiers[0].start if self.modifiers else self.atom.start

    @property
    def end(self) -> int:
        """Where the leg ends."""
        return self.range.end if self.range else self.atom.end


class RawPath(NamedTuple):
    """Legs joined into a path; ``opening`` is the sign that opens it, for AtB its first t."""

    prefix: tuple[Piece, ...]
    legs: tuple[RawLeg, ...]
    joins: tuple[str, ...]
    form: Literal["[]", "t", "t[]"]
    opening: Piece
    end: int

    @property
    def start(self) -> int:
        """Where the path starts."""
        if self.form == "t":
            return self.legs[0].start
        return self.prefix[0].start if self.prefix else self.opening.start


RawPart: TypeAlias = RawLeg | RawPath


def in_text(part: RawPart, text: str) -> RawPart:
    """The same part with its letters as they stand in a text of the same length."""
    if isinstance(part, RawPath):
        legs = tuple(_leg_in(leg, text) for leg in part.legs)
        return part._replace(prefix=_letters_in(part.prefix, text), legs=legs)
    return _leg_in(part, text)


def _leg_in(leg: RawLeg, text: str) -> RawLeg:
    return leg._replace(modifiers=_letters_in(leg.modifiers, text))


def _letters_in(pieces: tuple[Piece, ...], text: str) -> tuple[Piece, ...]:
    return tuple(Piece(text[piece.start : piece.end], piece.start) for piece in pieces)


_PIECES = re.compile(r"[a-z]+|\([a-z]*\)[0-9]*")


def _piece(token: Token) -> Piece:
    return Piece(str(token), token.start_pos or 0)


def _pieces(token: Token) -> tuple[Piece, ...]:
    """The runs of letters and the repeats of all letters before an atom."""
    text, start = str(token), token.start_pos or 0
    if "(" not in text:
        return (Piece(text, start),)
    return tuple(Piece(match[0], start + match.start()) for match in _PIECES.finditer(text))


class Builder:
    """Methods named after the rules."""

    @staticmethod
    def piece(*parts: RawPart) -> tuple[RawPart, ...]:
        """All parts in order."""
        return parts

    @staticmethod
    def leg(*tokens: Token) -> RawLeg:
        """Modifiers, atom, range; the first and the last may be absent."""
        letters: tuple[Piece, ...] = ()
        if tokens[0].type == "MODIFIERS":
            letters = _pieces(tokens[0])
            tokens = tokens[1:]
        atom, *reach = tokens
        return RawLeg(letters, _piece(atom), _piece(reach[0]) if reach else None)

    @staticmethod
    def bent(*items: RawLeg | Token) -> RawPath:
        """Legs with a t between each two."""
        _, legs, signs = _sorted(items)
        return RawPath((), legs, ("?",) * len(signs), "t", signs[0], legs[-1].end)

    @staticmethod
    def bracket(*items: RawLeg | Token) -> RawPath:
        """Letters, the bracket, legs with - or ? between each two."""
        prefix, legs, signs = _sorted(items)
        joins = tuple(sign.text for sign in signs[1:-1])
        return RawPath(prefix, legs, joins, "[]", signs[0], signs[-1].end)

    @staticmethod
    def joined(*items: RawLeg | Token) -> RawPath:
        """Letters, t and the bracket, legs."""
        prefix, legs, signs = _sorted(items)
        return RawPath(prefix, legs, ("?",) * (len(legs) - 1), "t[]", signs[0], signs[-1].end)


def _sorted(
    items: tuple[RawLeg | Token, ...],
) -> tuple[tuple[Piece, ...], tuple[RawLeg, ...], list[Piece]]:
    prefix: tuple[Piece, ...] = ()
    legs: list[RawLeg] = []
    signs: list[Piece] = []
    for item in items:
        if isinstance(item, RawLeg):
            legs.append(item)
        elif item.type == "MODIFIERS":
            prefix = _pieces(item)
        else:
            signs.append(_piece(item))
    return prefix, tuple(legs), signs
