"""Consistency of a piece file: constraints, notations, namesakes.

Constraints are conditions on the moves of pieces that a file may name, each a predicate.
Distance is the larger of files and ranks gone. Unless a predicate says otherwise it looks at an
empty board that reaches as far each way as the board of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING, TypeAlias

from alfil.api import Piece, captures_of_lone_enemies, destinations, difference, moves, same, write
from alfil.errors import AlfilError, Diagnostic, PieceFileError, did_you_mean_or_list
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import is_oblique
from alfil.library.piece_file import Constraint, Entry, PieceFile
from alfil.notation.registry import NOTATIONS

if TYPE_CHECKING:
    from alfil.tables.smallest_difference import Witness

Offset: TypeAlias = tuple[int, int]

DEFAULT_BOARD = 9


class BoardSize(NamedTuple):
    """Files and ranks; constraints of a file without a board are of the usual one."""

    files: int
    ranks: int

    @property
    def radius(self) -> int:
        """The greatest distance on the board."""
        return max(self.files, self.ranks) - 1


class ConstraintVerdict(NamedTuple):
    """The result of a constraint: the codes it fails for, and figures."""

    constraint: Constraint
    failing: tuple[str, ...]
    figures: tuple[float, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether it holds for all pieces it is on."""
        return not self.failing


def verdict_of(constraint: Constraint, file: PieceFile) -> ConstraintVerdict:
    """Whether a constraint holds with the moves in use; raises what their meaning raises."""
    board = BoardSize(file.files or DEFAULT_BOARD, file.ranks or DEFAULT_BOARD)
    by_code = {entry.code: entry for entry in file.pieces}
    entries = [by_code[code] for code in constraint.codes]
    if constraint.predicate in PIECE_PREDICATES:
        holds_for = PIECE_PREDICATES[constraint.predicate]
        failing = tuple(entry.code for entry in entries if not holds_for(entry, board))
        return ConstraintVerdict(constraint, failing)
    holds, figures = SET_PREDICATES[constraint.predicate](entries, board)
    return ConstraintVerdict(constraint, () if holds else constraint.codes, figures)


def violations(file: PieceFile, piece_codes: Collection[str]) -> list[Diagnostic]:
    """A warning for every constraint that one of these pieces breaks: its code and the number."""
    result: list[Diagnostic] = []
    for constraint in file.constraints:
        if not set(constraint.codes) & set(piece_codes):
            continue
        for code in verdict_of(constraint, file).failing:
            if code in piece_codes:
                message = f"{code}: {constraint.number}: it does not hold that {constraint.words}"
                hint = "the move is used all the same"
                spans = (constraint.span,)
                result.append(Diagnostic("constraint-broken", message, spans, hint, "warning"))
    return result


def mean_destination_count(piece: Piece, board: BoardSize) -> float:
    """The mean number of destinations over all squares of an empty board."""
    files, ranks = board
    counts = [
        len({move.to for move in moves(piece, files=files, ranks=ranks, at=(file, rank))})
        for file in range(files)
        for rank in range(ranks)
    ]
    return sum(counts) / len(counts)


def _distance(offset: Offset) -> int:
    return max(map(abs, offset))


def _destinations(entry: Entry, board: BoardSize) -> frozenset[Offset]:
    return destinations(entry.piece, board.radius)


def _is_always_blockable(entry: Entry, board: BoardSize) -> bool:
    """Whether a piece on any square passed keeps it from every destination beyond."""
    for to in _destinations(entry, board):
        far = _distance(to)
        if far > 1 and is_oblique(to):
            return False
        step = (to[0] // far, to[1] // far) if far else to
        for steps in range(1, far):
            square = {(step[0] * steps, step[1] * steps)}
            if _can_move_to(entry, to, board, enemies=square) or _can_move_to(
                entry, to, board, friends=square
            ):
                return False
    return True


def _can_move_to(
    entry: Entry,
    to: Offset,
    board: BoardSize,
    enemies: Collection[Offset] = (),
    friends: Collection[Offset] = (),
) -> bool:
    radius = board.radius
    result = moves(entry.piece, radius=radius, enemies=enemies, friends=friends, unmoved=True)
    return any(move.to == to for move in result)


def _has_limited_range(entry: Entry, board: BoardSize) -> bool:
    distances = set(map(_distance, _destinations(entry, board)))
    return any(distance > 1 for distance in distances) and board.radius not in distances


def _always_leaps(entry: Entry, board: BoardSize) -> bool:
    """Whether it goes two squares or more, whatever stands nearer."""
    reached = _destinations(entry, board)
    for to in reached:
        far = range(1 - _distance(to), _distance(to))
        nearer = {(x, y) for x in far for y in far} - {(0, 0)}
        if nearer and not (
            _can_move_to(entry, to, board, friends=nearer)
            and _can_move_to(entry, to, board, enemies=nearer)
        ):
            return False
    return any(_distance(to) > 1 for to in reached)


@lru_cache(maxsize=64)  # whoever tries other moves for a piece asks again for all the others
def _displacement_capture_squares(piece: Piece, radius: int) -> frozenset[Offset]:
    """Where it captures a lone enemy by going there, and nothing else."""
    return frozenset(
        at
        for at, captures in captures_of_lone_enemies(piece, radius).items()
        if any(move.captures == (at,) and move.to == at for move in captures)
    )


def _is_left_right_symmetric(entry: Entry, board: BoardSize) -> bool:
    from alfil.diagrams.diagram_model import open_window
    from alfil.diagrams.square_marks import marks_of

    squares = marks_of(entry.piece.meaning, open_window(board.radius)).squares
    picture = {at: (mark.ways, mark.passed) for at, mark in squares.items()}
    return all(picture.get((-x, y)) == shown for (x, y), shown in picture.items())


def _can_move_on_last_rank(entry: Entry, board: BoardSize) -> bool:
    files, ranks = board
    last = ranks - 1
    return all(
        moves(entry.piece, files=files, ranks=ranks, at=(file, last)) for file in range(files)
    )


def _lacks_a_direction(entry: Entry, board: BoardSize) -> bool:
    """Whether it has no destination in one or more of the eight directions of a queen."""
    reached = _destinations(entry, board)
    return any(
        reached.isdisjoint((x * far, y * far) for far in range(1, board.radius + 1))
        for x, y in product((-1, 0, 1), repeat=2)
        if x or y
    )


def _can_be_written_in_betza(entry: Entry) -> bool:
    try:
        write(entry.piece, "betza")
    except AlfilError:
        return False
    return True


def _mobility_order_and_means(
    entries: Sequence[Entry], board: BoardSize
) -> tuple[bool, tuple[float, ...]]:
    means = tuple(mean_destination_count(entry.piece, board) for entry in entries)
    return all(a >= b for a, b in pairwise(means)), means


# The predicates of one piece, and those of several in a row, which may have figures to show.
PIECE_PREDICATES: dict[str, Callable[[Entry, BoardSize], bool]] = {
    "on-lines": lambda entry, board: not any(map(is_oblique, _destinations(entry, board))),
    "blockable": _is_always_blockable,
    "limited": _has_limited_range,
    "some-directions": _lacks_a_direction,
    "leaping": _always_leaps,
    "same-captures": lambda entry, board: (
        _displacement_capture_squares(entry.piece, board.radius) == _destinations(entry, board)
    ),
    "no-promotion": lambda entry, _: (
        not entry.promotes and all(fact.name != "promotion" for fact in entry.piece.meaning.facts)
    ),
    "mirrored": _is_left_right_symmetric,
    "never-stuck": _can_move_on_last_rank,
    "no-steps": lambda entry, board: 1 not in map(_distance, _destinations(entry, board)),
    "in-betza": lambda entry, _: _can_be_written_in_betza(entry),
}
SET_PREDICATES: dict[
    str, Callable[[Sequence[Entry], BoardSize], tuple[bool, tuple[float, ...]]]
] = {
    "in-order": _mobility_order_and_means,
    "different": lambda entries, _: (
        not any(same(a.piece, b.piece, facts=False) for a, b in combinations(entries, 2)),
        (),
    ),
}
PREDICATES = (*PIECE_PREDICATES, *SET_PREDICATES)


def require_notations_agree(file: PieceFile) -> None:
    """Raise `PieceFileError` where the notations of a piece disagree, or a namesake is none."""
    result = tuple(notation_disagreements(file))
    if result:
        raise PieceFileError(result, file.source)


def notation_disagreements(file: PieceFile) -> Iterator[Diagnostic]:
    """What is not the same though the file says so.

    Whether it is royal and what it promotes to may stand on the line instead of in a notation; of
    namesakes only the moves are compared.
    """
    index = _entries_by_code_and_name(file)
    for entry in file.pieces:
        if entry.source != file.source:
            continue  # the included file answers for it
        try:
            yield from _entry_disagreements(entry, index)
        except AlfilError as error:
            for each in error.diagnostics:
                message = f"{entry.code}: {each.message}"
                yield replace(each, message=message, spans=(entry.span,))


def _entries_by_code_and_name(file: PieceFile) -> dict[str, list[Entry]]:
    """The pieces by their codes and names."""
    result: dict[str, list[Entry]] = {}
    for entry in file.pieces:
        for name in dict.fromkeys((entry.code, *entry.names)):
            result.setdefault(name, []).append(entry)
    return result


def _entry_disagreements(entry: Entry, index: dict[str, list[Entry]]) -> Iterator[Diagnostic]:
    first, *others = entry.movements
    for second in others:
        explanation = difference_in_words(first, second) or _fact_difference(entry, first, second)
        if explanation:
            message = f"{entry.code}: {first.text} and {second.text} are not the same piece"
            both = {first.notation, second.notation}
            spans = tuple(
                entry.name_spans[name]
                for name in NOTATIONS
                if name in both & entry.name_spans.keys()
            )
            yield Diagnostic("notations-differ", message, spans or (entry.span,), explanation)
    if entry.same_as:
        yield from _same_as_disagreements(entry, index)


def _same_as_disagreements(entry: Entry, index: dict[str, list[Entry]]) -> Iterator[Diagnostic]:
    span = entry.name_spans.get("same-as", entry.span)
    others = [each for each in index.get(entry.same_as, ()) if each is not entry]
    if not others:
        names = [name for name in index if name not in (entry.code, *entry.names)]
        message = f"{entry.code}: no other piece is called {entry.same_as}"
        yield Diagnostic(
            "unknown-piece", message, (span,), did_you_mean_or_list(entry.same_as, names)
        )
        return
    explanation = difference_in_words(entry.piece, others[0].piece)
    if explanation:
        message = f"{entry.code} is not the same piece as {entry.same_as}"
        yield Diagnostic("not-a-namesake", message, (span,), explanation)


def _fact_difference(entry: Entry, first: Piece, second: Piece) -> str:
    """A fact that only one of two notations states; empty if there is none."""
    on_line = {"royal": entry.royal, "promotion": bool(entry.promotes)}
    for piece, other in ((first, second), (second, first)):
        for fact in piece.meaning.facts:
            if fact not in other.meaning.facts and not on_line.get(fact.name):
                return f"only {piece.text} has {fact.name}()"
    return ""


def difference_in_words(first: Piece, second: Piece) -> str:
    """The smallest difference between two pieces in words; empty where there is none."""
    if same(first, second, facts=False):
        return ""
    result = difference(first, second, facts=False)
    if result is None or result.move is None:
        return ""
    piece = (first, second)[result.only == "second"]
    x, y = result.move.to
    return f"only {piece.text} goes to {x},{y}{witness_pieces_in_words(result)}"


def witness_pieces_in_words(witness: Witness) -> str:
    """What stands on the board of a difference, to be added to words; empty where nothing does."""
    around = [
        f"{what} on {' '.join(f'{x},{y}' for x, y in squares)}"
        for what, squares in (("enemies", witness.enemies), ("friends", witness.friends))
        if squares
    ]
    return f", with {' and '.join(around)}" if around else ""
