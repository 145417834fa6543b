"""From the parser's pieces to raw parts: one method per rule of grammars/betza.lark.

Raw parts are what the grammar sees, letters not yet understood; the reader makes nodes of them.
Positions count from the start of the text that was parsed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from lark import Token


class Piece(NamedTuple):
    """A bit of text and where it starts."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


class RawModifiers(NamedTuple):
    """Runs of letters and repeats, in order."""

    items: tuple[Piece, ...]


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


def _piece(token: Token) -> Piece:
    return Piece(str(token), token.start_pos or 0)


class Builder:
    """Methods named after the rules."""

    @staticmethod
    def piece(*parts: RawPart) -> tuple[RawPart, ...]:
        """All parts in order."""
        return parts

    @staticmethod
    def modifiers(*tokens: Token) -> RawModifiers:
        """Letters and repeats."""
        return RawModifiers(tuple(map(_piece, tokens)))

    @staticmethod
    def atom(token: Token) -> Token:
        """The atom's token as it is."""
        return token

    @staticmethod
    def leg(*items: RawModifiers | Token) -> RawLeg:
        """Modifiers, atom, range; the first and the last may be absent."""
        letters: tuple[Piece, ...] = ()
        if isinstance(items[0], RawModifiers):
            letters = items[0].items
            items = items[1:]
        pieces = [_piece(token) for token in items if not isinstance(token, RawModifiers)]
        return RawLeg(letters, pieces[0], pieces[1] if len(pieces) > 1 else None)

    @staticmethod
    def bent(*items: RawLeg | Token) -> RawPath:
        """Legs with a t between each two."""
        legs = tuple(item for item in items if isinstance(item, RawLeg))
        first = next(item for item in items if not isinstance(item, RawLeg))
        joins = ("?",) * (len(legs) - 1)
        return RawPath((), legs, joins, "t", _piece(first), legs[-1].end)

    @staticmethod
    def bracket(*items: RawModifiers | RawLeg | Token) -> RawPath:
        """Letters, the bracket, legs with - or ? between each two."""
        prefix, legs, signs = _sorted(items)
        joins = tuple(sign.text for sign in signs[1:-1])
        return RawPath(prefix, legs, joins, "[]", signs[0], signs[-1].end)

    @staticmethod
    def joined(*items: RawModifiers | RawLeg | Token) -> RawPath:
        """Letters, t and the bracket, legs."""
        prefix, legs, signs = _sorted(items)
        return RawPath(prefix, legs, ("?",) * (len(legs) - 1), "t[]", signs[0], signs[-1].end)


def _sorted(
    items: tuple[RawModifiers | RawLeg | Token, ...],
) -> tuple[tuple[Piece, ...], tuple[RawLeg, ...], list[Piece]]:
    prefix: tuple[Piece, ...] = ()
    legs: list[RawLeg] = []
    signs: list[Piece] = []
    for item in items:
        if isinstance(item, RawModifiers):
            prefix = item.items
        elif isinstance(item, RawLeg):
            legs.append(item)
        else:
            signs.append(_piece(item))
    return prefix, tuple(legs), signs
