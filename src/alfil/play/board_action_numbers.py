"""The numbers of the moves of a game that go from a square to another one.

They are in order of the origin, the target, the form that arrives (0 for the piece that goes), and
the rank among moves that all these do not tell apart. They are not made one by one: how many begin
on each square is counted with sets of squares, and the numbers of one square are found when a piece
first stands on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, zip_longest
from typing import NamedTuple, TypeVar

from alfil.errors import RuleError, reject
from alfil.game.compiled_variant import CompiledVariant, bits_to_squares
from alfil.game.move_origins import MoveOrigins, shift_squares
from alfil.game.roaming_pieces import captures_on_way, is_capture_known_by_target
from alfil.game.square_sections import MoveEnd, SquareSection
from alfil.meaning.automaton import FREE_CLASSES, PIECE_CLASSES, Automaton
from alfil.source import Source
from alfil.tables.board_context import OFF_BOARD_CLASS

_Key = TypeVar("_Key")
# How a move may be odd: by castling, or by a capture en passant.
CASTLING_MOVE, EN_PASSANT_CAPTURE = 1, 2


class MoveKind(NamedTuple):
    """What distinguishes moves with the same piece, origin, target and promotion.

    ``onto`` is whether something is captured on the last square, ``others`` what is captured
    elsewhere, ``trail`` the squares on which the piece may then be captured: their numbers less
    that of the origin. ``odd`` is 1 for castling, and 2 for a capture en passant, of which only the
    square of the piece taken is not told. ``line`` is the number of an automaton whose move
    captures something on its way, as its last square tells; 0 for other moves.
    """

    onto: bool
    others: tuple[int, ...] = ()
    trail: tuple[int, ...] = ()
    odd: int = 0
    line: int = 0

    @property
    def captures(self) -> bool:
        """Whether something is captured."""
        return bool(self.onto or self.others or self.line) or self.odd == EN_PASSANT_CAPTURE

    def rotated(self) -> MoveKind:
        """The same as the other side sees it."""
        if not (self.others or self.trail):
            return self
        others = tuple(sorted(-square for square in self.others))
        return self._replace(others=others, trail=tuple(-square for square in self.trail))


# What nearly all nodes make: the move captures on its last square, or nothing.
_CAPTURE, _QUIET = MoveKind(onto=True), MoveKind(onto=False)


def _move_kinds_at_end(
    section: SquareSection, end: MoveEnd, emit: int, square: int = 0
) -> Iterator[MoveKind]:
    """The ways in which a move from a square may end by a node, whatever stands on its last one."""
    others: tuple[int, ...] = ()
    if end.captures:
        others = tuple(sorted(each - square for each in {*end.captures} - {end.target}))
    if emit & PIECE_CLASSES and end.target != square:
        yield MoveKind(onto=True, others=others) if others else _CAPTURE
    if emit & FREE_CLASSES and end.takes_trail:
        yield MoveKind(onto=False, others=others, odd=EN_PASSANT_CAPTURE)
    elif emit & (FREE_CLASSES | OFF_BOARD_CLASS) or (emit and end.target == square):
        trail = tuple(each - square for each in end.passed) if section.leaves_trail else ()
        odd = CASTLING_MOVE * bool(section.castle)
        plain = not (others or trail or odd)
        yield _QUIET if plain else MoveKind(onto=False, others=others, trail=trail, odd=odd)


class PieceStep(NamedTuple):
    """A piece as the first side's, and by how much the number of the target is more."""

    own: int
    step: int


# The squares from which a piece makes a move of a kind, by the form that arrives and the kind.
_Kinds = dict[int, dict[MoveKind, int]]


class BoardActionNumbers:
    """The numbers of the moves of one game; squares and pieces are as the side to move sees them.

    ``count`` is how many there are. Raises `RuleError` where a piece has moves that have none.
    """

    def __init__(self, compiled: CompiledVariant) -> None:
        self._compiled = compiled
        # Automata whose moves capture on their way.
        self._lines: dict[Automaton, int] = {}
        kinds: dict[PieceStep, _Kinds] = {}
        for piece in range(1, compiled.wall):
            self._add_moves(piece, kinds)
        # By target, form and rank, the squares from which there is such a move.
        places: dict[int, dict[tuple[int, int], int]] = {}
        # Those of several kinds that captures on the last square do not tell apart.
        self._ranked: dict[tuple[int, int, int], list[tuple[MoveKind, int]]] = {}
        for (own, step), forms in kinds.items():
            for form, found in forms.items():
                place = form if form != own else 0
                for rank, origins in enumerate(_origins_by_multiplicity(found)):
                    if rank:
                        self._ranked[own, step, form] = sorted(found.items())
                    _add_squares(places.setdefault(step, {}), (place, rank), origins)
        for own, step, form, origins in self.passes_and_promotion_moves():
            place = form if form != own else 0
            _add_squares(places.setdefault(step, {}), (place, 0), origins)
        self._rows = {step: sorted(places[step].items()) for step in sorted(places)}
        self._counts = {
            step: _SetCountBySquare(origins for _, origins in rows)
            for step, rows in self._rows.items()
        }
        everything = _SetCountBySquare(
            origins for rows in self._rows.values() for _, origins in rows
        )
        each = (everything.count(bit) for bit in compiled.bits)
        self._first = [0, *accumulate(each)]
        self.count = self._first[-1]
        self._starts: dict[int, dict[int, int]] = {}

    def number(self, own: int, origin: int, step: int, form: int, kind: MoveKind) -> int:
        """The number of the move of a piece; ``step`` is the target less the origin."""
        ranked, bit = self._ranked.get((own, step, form), ()), 1 << origin
        before = [other for other, origins in ranked if other.onto == kind.onto and origins & bit]
        return self._number_with_rank(own, origin, step, form, before.index(kind) if before else 0)

    def _number_with_rank(self, own: int, origin: int, step: int, form: int, rank: int = 0) -> int:
        starts = self._starts.get(origin)
        if starts is None:
            starts = self._starts[origin] = self._first_numbers_by_step(origin)
        place, bit = (form if form != own else 0, rank), 1 << origin
        if place == (0, 0):
            return starts[step]
        return starts[step] + sum(
            bool(origins & bit) for other, origins in self._rows[step] if other < place
        )

    def _first_numbers_by_step(self, origin: int) -> dict[int, int]:
        """The first number of the moves from a square to each other one."""
        result, number, bit = {}, self._first[origin], 1 << origin
        for step, counter in self._counts.items():
            result[step] = number
            number += counter.count(bit)
        return result

    def kinds_at_end(
        self, section: SquareSection, end: MoveEnd, emit: int, square: int = 0
    ) -> Iterator[MoveKind]:
        """The ways in which a move from a square may end: those that capture on a line last."""
        kinds = [*_move_kinds_at_end(section, end, emit, square)]
        yield from kinds
        line = self._capturing_automaton_number(section.automaton) if section.automaton else 0
        if line and end.target != square:
            yield from (kind._replace(line=line) for kind in kinds)

    def _capturing_automaton_number(self, automaton: Automaton) -> int:
        """The number of an automaton whose moves capture on their way, 0 for another one."""
        if automaton not in self._lines:
            count = sum(map(bool, self._lines.values()))
            self._lines[automaton] = 1 + count if captures_on_way(automaton) else 0
        return self._lines[automaton]

    def numbered_moves_without_nodes(self) -> Iterator[tuple[int, int, int, int]]:
        """The moves that no node makes: origin, target, form and number."""
        for own, step, form, origins in self.passes_and_promotion_moves():
            for origin in bits_to_squares(origins):
                yield origin, origin + step, form, self._number_with_rank(own, origin, step, form)

    def _add_moves(self, piece: int, kinds: dict[PieceStep, _Kinds]) -> None:
        """Add all moves of a piece."""
        second, arrivals = piece % 2 == 0, FormsOnArrival(self._compiled, piece)
        for (step, kind), origins in self._origins_by_kind(piece).items():
            for form, there in arrivals.origins_by_form(step, kind, origins).items():
                if second:
                    turned = _rotated_square_set(there, self._compiled.size)
                    known = kinds.setdefault(PieceStep(piece - 1, -step), {}).setdefault(
                        form - 1, {}
                    )
                    _add_squares(known, kind.rotated(), turned)
                else:
                    known = kinds.setdefault(PieceStep(piece, step), {}).setdefault(form, {})
                    _add_squares(known, kind, there)

    def _origins_by_kind(self, piece: int) -> dict[tuple[int, MoveKind], int]:
        """The squares from which a piece makes moves, by step and kind."""
        compiled = self._compiled
        behind = sum(
            bit
            for square, bit in enumerate(compiled.bits)
            if compiled.had_same_piece_behind_at_start(piece, square)
        )
        result: dict[tuple[int, MoveKind], int] = {}
        for each in compiled.move_origins(piece):
            starts = each.starts
            if any(condition.kind == "third-rank" for condition in each.section.guard):
                starts &= behind
            if starts:
                self._require_numberable(piece, each)
                for kind in self.kinds_at_end(each.section, each.end, each.emit):
                    _add_squares(result, (each.end.target, kind), starts)
        return result

    def _require_numberable(self, piece: int, each: MoveOrigins) -> None:
        why = self._unnumberable_reason(each)
        if why:
            kind = self._compiled.kinds[(piece - 1) >> 1]
            message = f"moves of {kind.code} ({kind.name}) cannot be numbered: {why}"
            source = Source(self._compiled.variant.name, "<game>")
            reject(RuleError, "no-actions", message, source)

    def _unnumberable_reason(self, each: MoveOrigins) -> str:
        """Why moves that start and end on the same squares may be too many to be numbered."""
        automaton, large = each.section.automaton, self._compiled.footprints.any
        on_way = bool(each.end.captures) or (automaton is not None and captures_on_way(automaton))
        if each.end.on_trail:
            return "it captures en passant on its way"
        if large and on_way:
            return "it captures on its way, and a piece is larger than a square"
        if automaton and each.section.leaves_trail:
            return "it roams, and may be captured en passant wherever it went"
        if automaton and not is_capture_known_by_target(automaton):
            return "it roams, and its last square does not tell what it captures on its way"
        return ""

    def passes_and_promotion_moves(self) -> Iterator[tuple[int, int, int, int]]:
        """Moves that no node makes: piece, step, the form that arrives, and the squares from which.

        Those are passes of who is stuck, and promotions that are moves.
        """
        compiled = self._compiled
        everywhere = (1 << compiled.size) - 1
        for piece in range(1, compiled.wall, 2):
            if compiled.rules.passes == "stuck":
                yield piece, 0, piece, everywhere
            for form in (
                compiled.all_promotions(piece) if compiled.promotes_as_separate_move[piece] else ()
            ):
                ends = {0: everywhere}
                for each in compiled.move_origins(form):
                    _add_squares(ends, each.end.target, each.origins)
                yield from ((piece, step, form, origins) for step, origins in ends.items())


class FormsOnArrival:
    """What a piece is when it arrives, found once for all squares that are alike."""

    def __init__(self, compiled: CompiledVariant, piece: int) -> None:
        self._compiled, self._piece = compiled, piece
        self._alike = compiled.square_sets_alike_in_promotion(piece)
        self._region = [0] * compiled.size
        for number, squares in enumerate(self._alike):
            for square in bits_to_squares(squares):
                self._region[square] = number
        self._known: dict[tuple[int, int, bool], tuple[int, ...]] = {}

    def origins_by_form(self, step: int, kind: MoveKind, origins: int) -> dict[int, int]:
        """By what may arrive, those of the squares from which it does."""
        result: dict[int, int] = {}
        for begin in self._alike:
            there = origins & begin
            for end in self._alike if there else ():
                starts = there & shift_squares(end, -step)
                if starts:
                    origin = (starts & -starts).bit_length() - 1
                    for form in self.forms(origin, origin + step, kind):
                        _add_squares(result, form, starts)
        return result

    def forms(self, origin: int, target: int, kind: MoveKind) -> tuple[int, ...]:
        """What may arrive by one move."""
        key = self._region[origin], self._region[target], kind.captures
        result = self._known.get(key)
        if result is None:
            result = self._known[key] = self._forms_of_move(origin, target, captures=kind.captures)
        return result

    def _forms_of_move(self, origin: int, target: int, *, captures: bool) -> tuple[int, ...]:
        compiled, piece = self._compiled, self._piece
        forms = compiled.promotions(piece, origin, target, captures=captures)
        if compiled.burning and not captures:
            # What burns others captures.
            forms += compiled.promotions(piece, origin, target, captures=True)
        if captures:
            forms += compiled.contagion_forms(piece)
        return tuple(dict.fromkeys(forms))


class _SetCountBySquare:
    """How many of some sets each square is in: in binary digits, each a set of squares."""

    def __init__(self, sets: Iterable[int]) -> None:
        self._digits: list[int] = []
        for squares in sets:
            carry = squares
            for place, digit in enumerate(self._digits):
                self._digits[place], carry = digit ^ carry, digit & carry
                if not carry:
                    break
            if carry:
                self._digits.append(carry)

    def count(self, bit: int) -> int:
        """How many of the sets have a square, given as a set."""
        number = 0
        for place, digit in enumerate(self._digits):
            if digit & bit:
                number += 1 << place
        return number


def _add_squares(sets: dict[_Key, int], key: _Key, more: int) -> None:
    """Add squares to the set under a key."""
    sets[key] = sets.get(key, 0) | more


def _origins_by_multiplicity(kinds: dict[MoveKind, int]) -> list[int]:
    """For each number, the squares from which there are more moves than that of one sort.

    Moves that capture on the last square are one, and the others: never are both legal at once.
    """
    result: list[int] = []
    for onto in (False, True):
        ranks: list[int] = []
        for kind, origins in kinds.items():
            more = origins if kind.onto == onto else 0
            for rank, there in enumerate(ranks):
                ranks[rank], more = there | more, there & more
            if more:
                ranks.append(more)
        result = [a | b for a, b in zip_longest(result, ranks, fillvalue=0)]
    return result


def _rotated_square_set(squares: int, size: int) -> int:
    """A set of squares as the other side sees it."""
    return int(f"{squares:0{size}b}"[::-1], 2)
