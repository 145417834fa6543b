"""Where the pieces of a game can get at all, whatever the other side does: an upper bound."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache, cached_property
from itertools import chain, product
from typing import NamedTuple, TypeAlias

from alfil.exchange.fairy_stockfish_pieces import FairyStockfishPiece
from alfil.game.variant import ZONE_REGION, PieceType, Variant
from alfil.geometry import COMPASS
from alfil.meaning.automaton import HOME, WRAP_BOTH, Automaton
from alfil.meaning.piece_meaning import Condition
from alfil.squares import Square
from alfil.work_limit import LIMIT, charge, limited_task

FIRST_MOVE = Condition("move", 1)
# On boards of 11 by 11 the pieces of wa shogi take a third of this.
MOST_WORK = 2 * LIMIT


class PiecePlace(NamedTuple):
    """A piece of a side on a square."""

    code: str
    side: int
    square: Square


# A state of an automaton that a piece of a side comes to on a square.
WayNode: TypeAlias = tuple[Automaton, int, int, Square, str]


class _TooMuchWorkToFollow(Exception):
    """To follow all pieces takes too much work."""


class PossiblePlaces:
    """The places of the start, ``begun``, and those of pieces that moved or changed.

    No other piece ever bars a way here, and every capture that a piece can make is possible. Where
    it takes too much work to follow them all, each is possible wherever it may stand.
    """

    def __init__(self, variant: Variant, pieces: Mapping[str, FairyStockfishPiece]) -> None:
        self._variant, self._rules = variant, variant.rules
        self._pieces = pieces
        self._area = cache(variant.squares)
        self._kinds = {kind.code: kind for kind in variant.kinds}
        self._promotions = {code: piece.traits.promotion for code, piece in pieces.items()}
        self._castling = {
            code
            for code, piece in pieces.items()
            if piece.kind.castles_to or piece.regional.castlings
        }
        self._ways = cache(self._automata_and_may_stay)
        self.begun = {PiecePlace(code, side, square) for square, side, code in variant.setup}
        self._known, self._began = set[str](), False
        self._later = defaultdict[tuple[str, int], set[Square]](set)
        self._codes_on = defaultdict[tuple[int, Square], set[str]](set)
        self._passed = set[WayNode]()
        self._dropped, self._touching = set[tuple[str, int]](), set[tuple[str, int]]()
        self._turned = set[tuple[int, Square]]()
        # What is to be followed, last what may bring new kinds into the game.
        self._waiting = deque[PiecePlace]()

    @cached_property
    def codes(self) -> Set[str]:
        """The kinds that can be in the game, be it in a hand."""
        self._follow_pieces(until=len(self._kinds))
        return self._known

    def __contains__(self, place: PiecePlace) -> bool:
        """Whether such a piece can be there that is not as it began."""
        return place.square in self._possible_squares.get(place[:2], ())

    @property
    def present_pieces(self) -> dict[str, FairyStockfishPiece]:
        """The pieces that can come into the game, by their codes."""
        return {code: piece for code, piece in self._pieces.items() if code in self.codes}

    def squares(self, code: str, side: int) -> frozenset[Square]:
        """Where a side can have such a piece that is not as it began there."""
        return frozenset(self._possible_squares.get((code, side), ()))

    @cached_property
    def _possible_squares(self) -> Mapping[tuple[str, int], Set[Square]]:
        """Where each side can have each kind that is not as it began."""
        self._follow_pieces(until=None)
        return self._later

    def _allow_all(self) -> None:
        self._waiting.clear()
        self._known |= {*self._kinds}
        for kind, side in product(self._kinds.values(), (0, 1)):
            within = self._area(kind.within or (1, self._variant.ranks), side)
            outside = self._area(kind.outside, side) if kind.outside else frozenset()
            self._later[kind.code, side] = {*(within - outside)}

    def _follow_pieces(self, *, until: int | None) -> None:
        """Move, promote, drop and turn over until so many kinds, or all places, are known."""
        try:
            with limited_task(MOST_WORK, _TooMuchWorkToFollow):
                if not self._began:
                    self._began = True
                    self._add_starting_places()
                while len(self._known) != until and (self._waiting or self._add_flipped_places()):
                    self._add_consequences(self._waiting.pop())
        except _TooMuchWorkToFollow:
            self._allow_all()

    def _add_starting_places(self) -> None:
        for side, hand in enumerate(self._variant.hands):
            for code in self._kinds if self._rules.drops == "free" else dict(hand):
                self._add_drop_places(code, side)
            for code in dict(hand):
                self._add_kind(code)
        self._waiting += self.begun
        self._add_castling_places()

    def _add_place(self, place: PiecePlace) -> None:
        charge(1)
        kind, squares = self._kinds[place.code], self._later[place[:2]]
        if place.square not in squares and self._may_stand(kind, place.side, place.square):
            squares.add(place.square)
            if self._known.issuperset({place.code, *self._promotions[place.code].codes}):
                self._waiting.appendleft(place)
            else:
                self._waiting.append(place)

    def _may_stand(self, kind: PieceType, side: int, square: Square) -> bool:
        return not (
            (kind.within and square not in self._area(kind.within, side))
            or (kind.outside and square in self._area(kind.outside, side))
        )

    def _add_consequences(self, place: PiecePlace) -> None:
        """All that comes of a piece on a square."""
        code, side, square = place
        self._add_kind(code)
        if not self._codes_on[side, square]:
            for each in self._rules.contagion:
                self._add_place(place._replace(code=each.becomes))
        self._codes_on[side, square].add(code)
        if (side, square) in self._turned:
            self._add_place(place._replace(side=1 - side))
        for at, form in product(self._promotion_places(place), self._promotions[code].codes):
            self._add_place(at._replace(code=form))
        for end in self._move_targets(place, self._passed):
            self._add_place(place._replace(square=end))

    def squares_touched_by_next_move(self, place: PiecePlace) -> set[Square]:
        """All squares that the next move of a piece may touch, whatever stands in its way."""
        nodes = set[WayNode]()
        return self._move_targets(place, nodes) | {at for _, _, _, at, _ in nodes}

    def _move_targets(self, place: PiecePlace, passed: set[WayNode]) -> set[Square]:
        """Where a piece comes along all its ways from a place, but where others have ``passed``."""
        code, side, square = place
        automata, stays = self._ways(code, unmoved=place in self.begun)
        front = [(automaton, 0, square) for automaton in automata]
        ends = {square} if stays else set()
        charge(len(front))
        while front:
            automaton, state, at = front.pop()
            if (node := (automaton, state, side, at, code)) in passed:
                continue
            passed.add(node)
            charge(len(automaton.states[state]))
            for dx, dy, wrap, emit, passes in automaton.states[state]:
                there = self._square_after_step(at, dx, dy, wrap, side)
                if there is None:
                    continue
                if emit:
                    ends.add(there)
                front += [(automaton, following, there) for _, following in passes]
        return ends

    def _automata_and_may_stay(
        self, code: str, *, unmoved: bool
    ) -> tuple[Sequence[Automaton], bool]:
        """The automata of its moves, and whether one of them can end where it began."""
        automata = [
            part.automaton
            for meaning in self._kinds[code].meanings
            for part in meaning.parts
            if unmoved or FIRST_MOVE not in part.guard
        ]
        states = (state for automaton in automata for state in automaton.states)
        return automata, any(record[:3] == HOME for state in states for record in state)

    def _square_after_step(
        self, at: Square, dx: int, dy: int, wrap: int, side: int
    ) -> Square | None:
        sign = -1 if side else 1
        x, y = at[0] + sign * dx, at[1] + sign * dy
        files, ranks = self._variant.files, self._variant.ranks
        x = x % files if wrap else x
        y = y % ranks if wrap & WRAP_BOTH else y
        return (x, y) if 0 <= x < files and 0 <= y < ranks else None

    def _promotion_places(self, place: PiecePlace) -> Iterable[PiecePlace]:
        """Where it can have promoted, with a move to there or there, now that it can be here."""
        promotion, kind = self._promotions[place.code], self._kinds[place.code]
        plain = promotion.by is None and promotion.from_rank == 0 and promotion.mode != "apart"
        if not plain or self._rules.promotion_when in {"captures", "always"}:
            return [place]
        in_zone = place.square in self._area(kind.promotes_in or ZONE_REGION, place.side)
        if self._rules.promotion_when != "touches" or place[:2] in self._touching:
            return [place] if in_zone or place[:2] in self._touching else []
        if not in_zone:
            return []
        self._touching.add(place[:2])
        standing = [place._replace(square=square) for square in self._later[place[:2]]]
        return standing + [each for each in self.begun if each[:2] == place[:2]]

    def _add_kind(self, code: str) -> None:
        """A kind that is new in the game can be captured, and then dropped by either side."""
        if code not in self._known:
            self._known.add(code)
            if self._rules.captured == "to-hand":
                for held, side in product(self._droppable_codes(code), (0, 1)):
                    self._add_drop_places(held, side)

    def _add_drop_places(self, code: str, side: int) -> None:
        kind = self._kinds[code]
        if not kind.drop_ranks or (code, side) in self._dropped:
            return
        self._dropped.add((code, side))
        for square in self._area(kind.drop_ranks, side):
            place = PiecePlace(code, side, square)
            # What is dropped where such a piece began is as that one was.
            dropped = self._rules.drops != "no" and place not in self.begun
            if dropped or (side, square) in self._gating_squares:
                self._add_place(place)

    @cached_property
    def _gating_squares(self) -> set[tuple[int, Square]]:
        """The squares that pieces leave to those that gate."""
        return {(each.side, each.square) for each in self.begun if self._kinds[each.code].gates}

    def _droppable_codes(self, code: str) -> Iterable[str]:
        """What a captured piece may be in the hand, and what comes of it when it is dropped."""
        held = code if self._rules.captured_form == "as-is" else self._kinds[code].base
        promoted = self._promotions[held].codes if self._rules.drop_form == "either" else ()
        return (held, *promoted)

    def _add_castling_places(self) -> None:
        """A king and its partners, which stand as they began, go anywhere on their rank."""
        for king in self.begun:
            kind = self._kinds[king.code]
            if king.code in self._castling:
                for each in self.begun:
                    beside = (each.side, each.square[1]) == (king.side, king.square[1])
                    if beside and each.code in (kind.castles_with or (each.code,)):
                        for file in range(self._variant.files):
                            self._add_place(each._replace(square=(file, king.square[1])))

    def _add_flipped_places(self) -> bool:
        """Turn over what stands on squares where that was not possible before, if there are any."""
        if self._rules.flip == "none":
            return False
        arriving = [{*chain(*(self._later[code, side] for code in self._known))} for side in (0, 1)]
        own = [{square for owner, square in self._codes_on if owner == side} for side in (0, 1)]
        charge(sum(map(len, self._later.values())))
        for side, square in self._codes_on.keys() - self._turned:
            charge(len(COMPASS))
            if any(
                self._encloses(square, step, arriving[1 - side], own[1 - side]) for step in COMPASS
            ):
                self._turned.add((side, square))
                for code in self._codes_on[side, square]:
                    self._add_place(PiecePlace(code, 1 - side, square))
        return bool(self._waiting)

    def _encloses(
        self, at: Square, step: Square, arrival_squares: set[Square], own: set[Square]
    ) -> bool:
        """Whether what arrives in a direction can turn over a piece on a square."""
        if self._rules.flip == "adjacent":
            return (at[0] + step[0], at[1] + step[1]) in arrival_squares
        before, after = (
            {(at[0] + sign * n * step[0], at[1] + sign * n * step[1]) for n in range(1, longest)}
            for longest in [max(self._variant.files, self._variant.ranks)]
            for sign in (1, -1)
        )
        return bool(before & arrival_squares) and bool(after & own)
