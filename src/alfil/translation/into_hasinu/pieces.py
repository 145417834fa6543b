"""The parts of one Betza piece on their way to Ħasínū: alone, beside others, or all together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from alfil.errors import AlfilError, Finding, MeaningError
from alfil.meaning.automaton import TooManyStates
from alfil.meaning.piece import Meaning
from alfil.notation.betza.nodes import BetzaTerm, Leg
from alfil.notation.betza.reader import read_betza
from alfil.notation.nodes import Description
from alfil.source import Source
from alfil.translation.into_hasinu.legs import direct, hopping
from alfil.translation.into_hasinu.losses import losses_of
from alfil.translation.into_hasinu.search import (
    Terms,
    meaning_of_terms,
    means,
    sayings,
    together,
    wider_sayings,
    within,
)
from alfil.translation.into_hasinu.spelled import DEFAULT, spelled
from alfil.translation.parts import Said, meaning_of


@dataclass(slots=True, eq=False)
class _Piece:
    """One part: its meaning (None where it cannot be compiled), and its terms when found.

    ``into`` is the part whose terms say this one too; ``wide`` is true of terms that say more.
    """

    part: BetzaTerm
    meaning: Meaning | None
    terms: Terms | None = None
    refused: tuple[Finding, ...] = ()
    wide: bool = False
    into: _Piece | None = None


@dataclass(slots=True)
class Pieces:
    """The parts of a piece. ``whole`` is the meaning of all that can be compiled.

    Raises `MeaningError` for parts that can be compiled one by one but not together.
    """

    parts: Sequence[BetzaTerm]
    dialect: str
    source: Source
    whole: Meaning = field(init=False)
    _pieces: list[_Piece] = field(init=False)

    def __post_init__(self) -> None:
        self._pieces = [self._alone(part) for part in self.parts]
        try:
            self.whole = together(each.meaning for each in self._pieces if each.meaning)
        except TooManyStates:
            whole = Description(tuple(self.parts), "betza", self.dialect)
            self.whole = meaning_of(whole, self.source)

    def said(self) -> list[Said]:
        """What became of the parts."""
        for piece in self._pieces:
            if piece.terms is None and piece.meaning is not None and len(self._pieces) > 1:
                self._beside(piece)
        for piece in self._pieces:
            if piece.wide:
                self._absorb(piece)
        if len(self._pieces) > 1 and any(piece.terms is None for piece in self._pieces):
            terms = self._all_together()
            if terms is not None:
                return [Said(tuple(self.parts), terms)]
        return [self._told(piece) for piece in self._pieces if piece.into is None]

    def _meaning(self, part: BetzaTerm) -> Meaning:
        return meaning_of(Description((part,), "betza", self.dialect), self.source)

    def _alone(self, part: BetzaTerm) -> _Piece:
        """A part with the terms that have exactly its meaning, if there are any."""
        try:
            meaning = self._meaning(part)
        except MeaningError as error:
            return _Piece(part, None, refused=error.findings)
        terms = direct(part)
        if terms is None or not means(terms, meaning):
            terms = sayings(meaning)
        return _Piece(part, meaning, terms)

    def _beside(self, piece: _Piece) -> None:
        """Look for terms that say more than one part, but no more than all parts do."""
        assert piece.meaning is not None
        for terms in _wider(piece, self.whole):
            try:
                said = meaning_of_terms(terms)
            except MeaningError:
                continue
            if within(piece.meaning, said) and within(said, self.whole):
                piece.terms, piece.wide = terms, True
                return

    def _absorb(self, wide: _Piece) -> None:
        """Leave out what the terms of one part say of others."""
        assert wide.terms is not None
        said = meaning_of_terms(wide.terms)
        for other in self._pieces:
            if other.wide or other.into or not other.terms or other.meaning is None:
                continue
            if within(other.meaning, said):
                other.into, other.terms = wide, ()
            elif isinstance(other.part, Leg):
                rest = self._beyond(other.part, said)
                if rest is not None:
                    other.into, other.terms = wide, rest

    def _beyond(self, leg: Leg, said: Meaning) -> Terms | None:
        """The terms for those directions of a leg that are not said yet, None where all are new."""
        new = tuple(
            vector
            for vector in leg.vectors
            if not within(self._meaning(replace(leg, vectors=(vector,))), said)
        )
        return direct(replace(leg, vectors=new)) if len(new) < len(leg.vectors) else None

    def _all_together(self) -> Terms | None:
        if any(piece.meaning is None for piece in self._pieces):
            return None
        return sayings(self.whole)

    def _told(self, piece: _Piece) -> Said:
        if piece.terms is None:
            losses = piece.refused or losses_of(piece.part, self.source, self._hint(piece.part))
            return Said((piece.part,), None, losses)
        others = [each for each in self._pieces if each.into is piece]
        more = tuple(term for each in others for term in each.terms or ())
        return Said((piece.part, *(each.part for each in others)), (*piece.terms, *more))

    def _hint(self, part: BetzaTerm) -> str:
        try:
            text = spelled(part, self.dialect)
            read_betza(Source(text), DEFAULT)
            return f"keep it as embedded Betza: \\{text}"
        except AlfilError:
            return "leave it out"


def _wider(piece: _Piece, whole: Meaning) -> Iterator[Terms]:
    """Terms with all moves of a part and some more."""
    hops = hopping(piece.part)
    if hops is not None:
        yield hops
    if piece.meaning is not None:
        yield from wider_sayings(piece.meaning, whole)
