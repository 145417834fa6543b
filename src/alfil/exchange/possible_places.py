"""Where the pieces of a game can get at all, whatever the other side does: an upper bound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from alfil.exchange.fairy_stockfish_pieces import FairyStockfishPiece
from alfil.game.variant import ZONE_REGION, PieceType, Variant
from alfil.meaning.automaton import HOME, WRAP_BOTH, Automaton
from alfil.meaning.piece_meaning import Condition
from alfil.squares import Square

FIRST_MOVE = Condition("move", 1)
AXES = ((1, 0), (0, 1), (1, 1), (1, -1))


class Place(NamedTuple):
    """A piece of a side on a square."""

    code: str
    side: int
    square: Square


class PossiblePlaces:
    """The places of the start, ``begun``, and those of pieces that moved or changed, ``later``.

    No other piece ever bars a way here, and every capture that a piece can make is possible.
    """

    def __init__(self, variant: Variant, pieces: Mapping[str, FairyStockfishPiece]) -> None:
        self._variant, self._rules = variant, variant.rules
        self._kinds = {kind.code: kind for kind in variant.kinds}
        self._promotions = {code: piece.traits.promotion for code, piece in pieces.items()}
        self._castling = {
            code
            for code, piece in pieces.items()
            if piece.kind.castles_to or piece.regional.castlings
        }
        self._passed = set[tuple[Automaton, int, int, Square, str]]()
        self.begun = {Place(code, side, square) for square, side, code in variant.setup}
        self.later = set[Place]()
        self._spread()

    @property
    def codes(self) -> set[str]:
        """The kinds that can be in the game, be it in a hand."""
        held = {code for hand in self._variant.hands for code, _ in hand}
        return held | {each.code for each in self.begun | self.later}

    def squares(self, code: str, side: int) -> frozenset[Square]:
        """Where a side can have such a piece that is not as it began there."""
        return frozenset(each.square for each in self.later if each[:2] == (code, side))

    def _spread(self) -> None:
        """Move, promote, drop and turn over until nothing comes to a new place."""
        for place in self.begun:
            self._move(place)
        before = -1
        while len(self.later) > before:
            before = len(self.later)
            changed = (self._promoted(), self._dropped(), self._castled(), self._turned())
            for place in [*chain(*changed)]:
                self._arrive(place)

    def _arrive(self, place: Place) -> None:
        kind = self._kinds[place.code]
        if place not in self.later and self._may_stand(kind, place.side, place.square):
            self.later.add(place)
            self._move(place)

    def _may_stand(self, kind: PieceType, side: int, square: Square) -> bool:
        squares = self._variant.squares
        return not (
            (kind.within and square not in squares(kind.within, side))
            or (kind.outside and square in squares(kind.outside, side))
        )

    def _move(self, place: Place) -> None:
        """Take the piece along all its ways from a place, but where others have gone before."""
        code, side, square = place
        automata = [
            part.automaton
            for meaning in self._kinds[code].meanings
            for part in meaning.parts
            if place in self.begun or FIRST_MOVE not in part.guard
        ]
        front = [(automaton, 0, square) for automaton in automata]
        ends = {square} if any(map(_ends_at_home, automata)) else set()
        while front:
            automaton, state, at = front.pop()
            if (node := (automaton, state, side, at, code)) in self._passed:
                continue
            self._passed.add(node)
            for dx, dy, wrap, emit, passes in automaton.states[state]:
                there = self._step(at, dx, dy, wrap, side)
                if there is None:
                    continue
                if emit:
                    ends.add(there)
                front += [(automaton, following, there) for _, following in passes]
        for end in ends:
            self._arrive(Place(code, side, end))

    def _step(self, at: Square, dx: int, dy: int, wrap: int, side: int) -> Square | None:
        sign = -1 if side else 1
        x, y = at[0] + sign * dx, at[1] + sign * dy
        files, ranks = self._variant.files, self._variant.ranks
        x = x % files if wrap else x
        y = y % ranks if wrap & WRAP_BOTH else y
        return (x, y) if 0 <= x < files and 0 <= y < ranks else None

    def _promoted(self) -> Iterator[Place]:
        for place in self.begun | self.later:
            for form in self._promotions[place.code].codes:
                if self._may_promote(place):
                    yield place._replace(code=form)
            for each in self._rules.contagion:
                yield place._replace(code=each.becomes)

    def _may_promote(self, place: Place) -> bool:
        """Whether it can have promoted with a move to its place, or there."""
        promotion, kind = self._promotions[place.code], self._kinds[place.code]
        plain = promotion.by is None and promotion.from_rank == 0 and promotion.mode != "apart"
        if not plain or self._rules.promotion_when in {"captures", "always"}:
            return True
        zone = self._variant.squares(kind.promotes_in or ZONE_REGION, place.side)
        if self._rules.promotion_when == "touches":
            return any(
                each.square in zone
                for each in self.begun | self.later
                if each[:2] == (place.code, place.side)
            )
        return place.square in zone

    def _dropped(self) -> Iterator[Place]:
        rules, variant = self._rules, self._variant
        for side, hand in enumerate(variant.hands):
            codes = {code for code, _ in hand}
            if rules.drops == "free":
                codes |= self._kinds.keys()
            if rules.captured == "to-hand":
                codes |= {*chain(*map(self._codes_in_hand, self.codes))}
            left = {
                each.square
                for each in self.begun
                if each.side == side and self._kinds[each.code].gates
            }
            for code in codes:
                kind = self._kinds[code]
                ranks = variant.squares(kind.drop_ranks, side) if kind.drop_ranks else frozenset()
                dropped = {Place(code, side, square) for square in ranks if rules.drops != "no"}
                # What is dropped where such a piece began is as that one was.
                yield from dropped - self.begun
                yield from (Place(code, side, square) for square in left & ranks)

    def _codes_in_hand(self, code: str) -> Iterable[str]:
        """What a captured piece may be in the hand, and what comes of it when it is dropped."""
        held = code if self._rules.captured_form == "as-is" else self._kinds[code].base
        promoted = self._promotions[held].codes if self._rules.drop_form == "either" else ()
        return (held, *promoted)

    def _castled(self) -> Iterator[Place]:
        """A king and its partners, which stand as they began, go anywhere on their rank."""
        for king in self.begun:
            kind = self._kinds[king.code]
            if king.code in self._castling:
                for each in self.begun:
                    beside = (each.side, each.square[1]) == (king.side, king.square[1])
                    if beside and each.code in (kind.castles_with or (each.code,)):
                        for file in range(self._variant.files):
                            yield each._replace(square=(file, king.square[1]))

    def _turned(self) -> Iterator[Place]:
        if self._rules.flip == "none":
            return
        standing = self.begun | self.later
        arriving = [{e.square for e in self.later if e.side == side} for side in (0, 1)]
        own = [{e.square for e in standing if e.side == side} for side in (0, 1)]
        for place in standing:
            other = 1 - place.side
            if any(
                self._encloses(place.square, step, arriving[other], own[other])
                for axis in AXES
                for step in (axis, (-axis[0], -axis[1]))
            ):
                yield place._replace(side=other)

    def _encloses(self, at: Square, step: Square, arriving: set[Square], own: set[Square]) -> bool:
        """Whether what arrives in a direction can turn over a piece on a square."""
        if self._rules.flip == "adjacent":
            return (at[0] + step[0], at[1] + step[1]) in arriving
        before, after = (
            {(at[0] + sign * n * step[0], at[1] + sign * n * step[1]) for n in range(1, longest)}
            for longest in [max(self._variant.files, self._variant.ranks)]
            for sign in (1, -1)
        )
        return bool(before & arriving) and bool(after & own)


def _ends_at_home(automaton: Automaton) -> bool:
    return any(record[:3] == HOME for state in automaton.states for record in state)
