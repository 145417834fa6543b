"""What a piece may do from one square of a board, where that depends on the square.

Conditions on the square hold there or not. A run half the way to the edge looks ahead: before it
ends it goes on over squares that may hold anything, to one that is on the board only where there is
room enough, and comes back. On one square that is settled, and the run is a plain one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import product
from typing import TypeAlias

from alfil.frozen_dataclasses import NamedTuple
from alfil.meaning.automaton import (
    PASS_ANYTHING,
    PAST_EMPTY,
    Automaton,
    PassTransition,
    StepRecord,
    canonical_automaton,
)
from alfil.meaning.normal_form import normalise, union_automaton
from alfil.meaning.partial_position import START_SQUARE, BoardMargins, Offset
from alfil.meaning.piece_meaning import (
    START_SQUARE_CONDITIONS,
    Condition,
    ConditionKind,
    Guard,
    GuardedAutomaton,
    Meaning,
    meaning_of_parts,
    with_condition,
)
from alfil.squares import Square

# What is settled once the square is known: conditions on it, and half the way to the edge.
SQUARE_DEPENDENT_CONDITIONS: frozenset[ConditionKind] = START_SQUARE_CONDITIONS | {"halfway"}
# Those of them that a board does not show.
STARTING_COLOUR_CONDITIONS: frozenset[ConditionKind] = frozenset({"own-colour", "other-colour"})


class PieceSquare(NamedTuple):
    """Where a piece stands: its square as the mover counts, and the files and ranks of the board.

    ``second``: the mover is the second side. ``own_colour`` is whether the square has the colour
    that the piece began on, None for not known.
    """

    square: Square
    files: int
    ranks: int
    second: bool = False
    own_colour: bool | None = None

    @property
    def board(self) -> BoardMargins:
        """The board around it."""
        file, rank = self.square
        return BoardMargins(file, self.files - 1 - file, rank, self.ranks - 1 - rank, wraps=True)

    def holds(self, kind: ConditionKind) -> bool:
        """Whether a condition holds for this square; what is not known counts as yes.

        On a board with an odd number of files the one in the middle belongs to both halves.

        >>> (PieceSquare((0, 0), 8, 8).holds("dark"),
        ...  PieceSquare((0, 0), 8, 9, second=True).holds("dark"))
        (True, False)
        >>> middle = PieceSquare((4, 0), 9, 9)
        >>> middle.holds("left-half"), middle.holds("right-half")
        (True, True)
        """
        file, rank = self.square
        turned = self.files + self.ranks if self.second else 0
        match kind:
            case "light" | "dark":
                return (file + rank + turned) % 2 == (kind == "light")
            case "own-colour" | "other-colour":
                return self.own_colour is not (kind == "other-colour")
            case "left-half":
                return 2 * file < self.files
            case "right-half":
                return 2 * file + 1 >= self.files
            case _:
                return True


def decidable_conditions(piece_square: PieceSquare) -> frozenset[ConditionKind]:
    """The conditions of which it is known whether they hold."""
    return (
        SQUARE_DEPENDENT_CONDITIONS
        if piece_square.own_colour is not None
        else SQUARE_DEPENDENT_CONDITIONS - STARTING_COLOUR_CONDITIONS
    )


# Of the conditions on a square, those of which one set or another holds.
_ALTERNATIVE_GROUNDS: tuple[tuple[frozenset[ConditionKind], ...], ...] = (
    (frozenset({"light"}), frozenset({"dark"})),
    (frozenset({"own-colour"}), frozenset({"other-colour"})),
    (frozenset({"left-half"}), frozenset({"right-half"}), frozenset({"left-half", "right-half"})),
)


def compatible_square_conditions(
    kinds_asked: Collection[ConditionKind],
) -> list[frozenset[ConditionKind]]:
    """The sets of conditions on a square that may hold together, as far as it matters.

    Of conditions that nobody ``kinds_asked`` for all are in every set.

    >>> [sorted(each & {"light", "dark"}) for each in compatible_square_conditions({"light"})]
    [['light'], ['dark']]
    """
    if START_SQUARE_CONDITIONS.isdisjoint(kinds_asked):
        return [START_SQUARE_CONDITIONS]
    matter = [
        (every,) if (every := frozenset().union(*sets)).isdisjoint(kinds_asked) else sets
        for sets in _ALTERNATIVE_GROUNDS
    ]
    return [frozenset().union(*sets) for sets in product(*matter)]


def meaning_on_square(meaning: Meaning, piece_square: PieceSquare | None) -> Meaning:
    """The moves of a piece from one square: conditions on it are settled, runs have their length.

    Conditions on the square that nobody knows of are left. On no square of a board there are no
    edges, so that half the way to them is any way.

    >>> from alfil import read
    >>> piece = read("(hhRw,N3b)", notation="chessvar").meaning
    >>> from_a2 = meaning_on_square(piece, PieceSquare((0, 1), 8, 8))
    >>> from_a2 == read("bWrR4fR3").meaning
    True
    """
    kinds = {condition.kind for guard, _ in meaning.parts for condition in guard}
    if kinds.isdisjoint(SQUARE_DEPENDENT_CONDITIONS):
        return meaning
    settles = {"halfway"} if piece_square is None else decidable_conditions(piece_square)
    held: dict[Guard, list[Automaton]] = {}
    for guard, automaton in meaning.parts:
        kinds = {condition.kind for condition in guard}
        if piece_square is None or all(map(piece_square.holds, kinds)):
            left = tuple(each for each in guard if each.kind not in settles)
            moves = (
                _automaton_on_board(automaton, piece_square and piece_square.board)
                if "halfway" in kinds
                else automaton
            )
            held.setdefault(left, []).append(moves)
    parts = (
        GuardedAutomaton(
            guard,
            union_automaton(
                automata, contract_transparent=all(each.kind != "trail" for each in guard)
            ),
        )
        for guard, automata in held.items()
    )
    return meaning_of_parts(parts, meaning.facts)


def moves_ending_on(
    meaning: Meaning, piece_square: PieceSquare, ends: Collection[Square]
) -> Meaning:
    """The moves from one square of a board that end on some of its squares.

    >>> from alfil import read
    >>> corner = moves_ending_on(read("W").meaning, PieceSquare((0, 0), 8, 8), {(0, 0), (0, 1)})
    >>> corner == read("fW").meaning
    True
    """
    meaning = meaning_on_square(meaning, piece_square)
    parts = [
        GuardedAutomaton(
            guard,
            normalise(
                canonical_automaton(
                    _AutomatonEndingOnSquares(automaton, piece_square, ends).rows(), (0,)
                )
            ),
        )
        for guard, automaton in meaning.parts
    ]
    return meaning_of_parts(parts, meaning.facts)


def meaning_under_condition(meaning: Meaning, condition: Condition) -> Meaning:
    """The moves under one more condition.

    >>> from alfil import read
    >>> meaning_under_condition(read("W").meaning, Condition("move", 1)) == read("iW").meaning
    True
    """
    guarded = ((with_condition(guard, condition), automaton) for guard, automaton in meaning.parts)
    return meaning_of_parts(
        (GuardedAutomaton(guard, each) for guard, each in guarded if guard), meaning.facts
    )


def _automaton_on_board(automaton: Automaton, board: BoardMargins | None) -> Automaton:
    return normalise(canonical_automaton(_SquareAutomaton(automaton, board).rows(), (0,)))


# A state, and where a path is by then.
Node: TypeAlias = tuple[int, Offset]


class _SquareAutomaton:
    """The paths of an automaton without the looks ahead, from one square of a board or without."""

    def __init__(self, automaton: Automaton, board: BoardMargins | None) -> None:
        self._states = automaton.states
        self._board = board
        self._places: dict[Node, int] = {(0, START_SQUARE): 0}

    def rows(self) -> list[list[StepRecord]]:
        """The states, each with the square it is met on."""
        result: list[list[StepRecord]] = []
        for piece_square in (queue := [(0, START_SQUARE)]):
            row: list[StepRecord] = []
            for record in self._states[piece_square[0]]:
                row += self._records_on_square(piece_square, record, queue)
            result.append(row)
        return result

    def _records_on_square(
        self, node: Node, record: StepRecord, queue: list[Node]
    ) -> Iterator[StepRecord]:
        """What a record is once it is known which squares are on the board."""
        index, at = node
        dx, dy, wrap, emit, passes = record
        where = self._board.step(at, record) if self._board else START_SQUARE
        if where is None:
            return
        looks = [each for each in passes if self._is_look_ahead(record, each)]
        others = tuple(each for each in passes if each not in looks)
        if emit or others:
            yield dx, dy, wrap, emit, self._queue_pass_targets(others, where, queue)
        for _, target in looks:
            for back in self._states[target]:
                step = dx + back[0], dy + back[1]
                comes_to = self._board.step(where, back) if self._board else START_SQUARE
                if comes_to is not None:
                    led = self._queue_pass_targets(back[4], comes_to, queue)
                    if not self._board and not any(
                        each[:2] == step for each in self._states[index]
                    ):
                        # The last step that any board has room for goes on without one.
                        led = (
                            *led,
                            *self._queue_pass_targets(((PAST_EMPTY, index),), START_SQUARE, queue),
                        )
                    yield *step, 0, back[3], led

    def _is_look_ahead(self, record: StepRecord, way: PassTransition) -> bool:
        """Whether a way on looks at a square beyond where it goes."""
        dx, dy = record[:2]
        mask, target = way
        return mask & PASS_ANYTHING == PASS_ANYTHING and all(
            dx * back[0] <= 0 and dy * back[1] <= 0 and any(back[:2])
            for back in self._states[target]
        )

    def _queue_pass_targets(
        self, passes: Iterable[PassTransition], at: Offset, queue: list[Node]
    ) -> tuple[PassTransition, ...]:
        """The ways on, by the numbers of the states with their squares."""
        led = []
        for mask, target in passes:
            piece_square = target, at
            if piece_square not in self._places:
                self._places[piece_square] = len(self._places)
                queue.append(piece_square)
            led.append((mask, self._places[piece_square]))
        return tuple(led)


class _AutomatonEndingOnSquares(_SquareAutomaton):
    """The paths of an automaton from one square, those that end on some squares of the board."""

    def __init__(
        self, automaton: Automaton, piece_square: PieceSquare, ends: Collection[Square]
    ) -> None:
        super().__init__(automaton, piece_square.board)
        self._file, self._rank = piece_square.square
        self._ends = ends

    def _records_on_square(
        self, node: Node, record: StepRecord, queue: list[Node]
    ) -> Iterator[StepRecord]:
        dx, dy, wrap, emit, passes = record
        at = self._board.step(node[1], record) if self._board else None
        if at is None:
            return
        if (self._file + at[0], self._rank + at[1]) not in self._ends:
            emit = 0
        if emit or passes:
            yield dx, dy, wrap, emit, self._queue_pass_targets(passes, at, queue)
