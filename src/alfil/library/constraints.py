"""Whether a piece file tells the truth: its constraints, its notations and its namesakes.

Constraints are conditions on the moves of pieces that a file may name, each a predicate.
Distance is the larger of files and ranks gone. Unless a predicate says otherwise it looks at an
empty board that reaches as far each way as the board of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, pairwise, product
from typing import TypeAlias

from alfil.api import Piece, destinations, difference, moves, same, write
from alfil.errors import AlfilError, Finding, PieceFileError, nearest
from alfil.frozen import NamedTuple
from alfil.library.model import Constraint, Entry, PieceFile
from alfil.notation.registry import NOTATIONS

Offset: TypeAlias = tuple[int, int]

USUAL = 9


class Extent(NamedTuple):
    """Files and ranks; constraints of a file without a board are of the usual one."""

    files: int
    ranks: int

    @property
    def radius(self) -> int:
        """How far a piece can go at most."""
        return max(self.files, self.ranks) - 1


class Verdict(NamedTuple):
    """Whether a constraint holds, the codes it fails for, and figures that show it."""

    constraint: Constraint
    failing: tuple[str, ...]
    figures: tuple[float, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether it holds for all pieces it is on."""
        return not self.failing


def outcome(constraint: Constraint, file: PieceFile) -> Verdict:
    """Whether a constraint holds with the moves in use; raises what their meaning raises."""
    board = Extent(file.files or USUAL, file.ranks or USUAL)
    by_code = {entry.code: entry for entry in file.pieces}
    entries = [by_code[code] for code in constraint.codes]
    if constraint.predicate in EACH:
        holds_for = EACH[constraint.predicate]
        failing = tuple(entry.code for entry in entries if not holds_for(entry, board))
        return Verdict(constraint, failing)
    holds, figures = TOGETHER[constraint.predicate](entries, board)
    return Verdict(constraint, () if holds else constraint.codes, figures)


def broken(file: PieceFile, codes: Collection[str]) -> list[Finding]:
    """A warning for every constraint that one of these pieces breaks: its code and the number."""
    found: list[Finding] = []
    for constraint in file.constraints:
        if not set(constraint.codes) & set(codes):
            continue
        for code in outcome(constraint, file).failing:
            if code in codes:
                message = f"{code}: {constraint.number}: it does not hold that {constraint.words}"
                hint = "the move is used all the same"
                spans = (constraint.span,)
                found.append(Finding("constraint-broken", message, spans, hint, "warning"))
    return found


def mean_destinations(piece: Piece, board: Extent) -> float:
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


def _straight(offset: Offset) -> bool:
    x, y = offset
    return x == 0 or y == 0 or abs(x) == abs(y)


def _reached(entry: Entry, board: Extent) -> frozenset[Offset]:
    return destinations(entry.piece, board.radius)


def _blockable(entry: Entry, board: Extent) -> bool:
    """Whether a piece on any square passed keeps it from every destination beyond."""
    for to in _reached(entry, board):
        far = _distance(to)
        if far > 1 and not _straight(to):
            return False
        step = (to[0] // far, to[1] // far) if far else to
        for steps in range(1, far):
            square = {(step[0] * steps, step[1] * steps)}
            if _goes(entry, to, board, enemies=square) or _goes(entry, to, board, friends=square):
                return False
    return True


def _goes(
    entry: Entry,
    to: Offset,
    board: Extent,
    enemies: Collection[Offset] = (),
    friends: Collection[Offset] = (),
) -> bool:
    radius = board.radius
    found = moves(entry.piece, radius=radius, enemies=enemies, friends=friends, unmoved=True)
    return any(move.to == to for move in found)


def _limited(entry: Entry, board: Extent) -> bool:
    distances = set(map(_distance, _reached(entry, board)))
    return any(distance > 1 for distance in distances) and board.radius not in distances


def _leaping(entry: Entry, board: Extent) -> bool:
    """Whether it goes two squares or more, whatever stands nearer."""
    reached = _reached(entry, board)
    for to in reached:
        far = range(1 - _distance(to), _distance(to))
        nearer = {(x, y) for x in far for y in far} - {(0, 0)}
        if nearer and not (
            _goes(entry, to, board, friends=nearer) and _goes(entry, to, board, enemies=nearer)
        ):
            return False
    return any(_distance(to) > 1 for to in reached)


@lru_cache(maxsize=64)  # whoever tries other moves for a piece asks again for all the others
def _captured(piece: Piece, radius: int) -> frozenset[Offset]:
    around = range(-radius, radius + 1)
    return frozenset(
        (x, y)
        for x in around
        for y in around
        if (x, y) != (0, 0)
        and any(
            move.captures == ((x, y),) and move.to == (x, y)
            for move in moves(piece, radius=radius, enemies={(x, y)}, unmoved=True)
        )
    )


def _mirrored(entry: Entry, board: Extent) -> bool:
    from alfil.diagrams.subjects import around
    from alfil.diagrams.walk import marks_of

    squares = marks_of(entry.piece.meaning, around(board.radius)).squares
    picture = {at: (mark.ways, mark.passed) for at, mark in squares.items()}
    return all(picture.get((-x, y)) == shown for (x, y), shown in picture.items())


def _never_stuck(entry: Entry, board: Extent) -> bool:
    files, ranks = board
    last = ranks - 1
    return all(
        moves(entry.piece, files=files, ranks=ranks, at=(file, last)) for file in range(files)
    )


def _leaves_a_direction(entry: Entry, board: Extent) -> bool:
    """Whether it has no destination in one or more of the eight directions of a queen."""
    reached = _reached(entry, board)
    return any(
        reached.isdisjoint((x * far, y * far) for far in range(1, board.radius + 1))
        for x, y in product((-1, 0, 1), repeat=2)
        if x or y
    )


def _in_betza(entry: Entry) -> bool:
    try:
        write(entry.piece, "betza")
    except AlfilError:
        return False
    return True


def _in_order(entries: Sequence[Entry], board: Extent) -> tuple[bool, tuple[float, ...]]:
    means = tuple(mean_destinations(entry.piece, board) for entry in entries)
    return all(a >= b for a, b in pairwise(means)), means


# The predicates of one piece, and those of several in a row, which may have figures to show.
EACH: dict[str, Callable[[Entry, Extent], bool]] = {
    "on-lines": lambda entry, board: all(map(_straight, _reached(entry, board))),
    "blockable": _blockable,
    "limited": _limited,
    "some-directions": _leaves_a_direction,
    "leaping": _leaping,
    "same-captures": lambda entry, board: (
        _captured(entry.piece, board.radius) == _reached(entry, board)
    ),
    "no-promotion": lambda entry, _: (
        not entry.promotes and all(fact.name != "promotion" for fact in entry.piece.meaning.facts)
    ),
    "mirrored": _mirrored,
    "never-stuck": _never_stuck,
    "no-steps": lambda entry, board: 1 not in map(_distance, _reached(entry, board)),
    "in-betza": lambda entry, _: _in_betza(entry),
}
TOGETHER: dict[str, Callable[[Sequence[Entry], Extent], tuple[bool, tuple[float, ...]]]] = {
    "in-order": _in_order,
    "different": lambda entries, _: (
        not any(same(a.piece, b.piece, facts=False) for a, b in combinations(entries, 2)),
        (),
    ),
}
PREDICATES = (*EACH, *TOGETHER)


def require_agreement(file: PieceFile) -> None:
    """Raise `PieceFileError` where the notations of a piece disagree, or a namesake is none."""
    found = tuple(disagreements(file))
    if found:
        raise PieceFileError(found, file.source)


def disagreements(file: PieceFile) -> Iterator[Finding]:
    """What is not the same though the file says so.

    Whether it is royal and what it promotes to may stand on the line instead of in a notation; of
    namesakes only the moves are compared.
    """
    index = _index(file)
    for entry in file.pieces:
        if entry.source != file.source:
            continue  # the included file answers for it
        try:
            yield from _of_entry(entry, index)
        except AlfilError as error:
            yield from (_placed(each, entry) for each in error.findings)


def _placed(finding: Finding, entry: Entry) -> Finding:
    return replace(finding, message=f"{entry.code}: {finding.message}", spans=(entry.span,))


def _index(file: PieceFile) -> dict[str, list[Entry]]:
    """The pieces by their codes and names."""
    found: dict[str, list[Entry]] = {}
    for entry in file.pieces:
        for name in dict.fromkeys((entry.code, *entry.names)):
            found.setdefault(name, []).append(entry)
    return found


def _of_entry(entry: Entry, index: dict[str, list[Entry]]) -> Iterator[Finding]:
    first, *others = entry.movements
    for second in others:
        told = told_difference(first, second) or _told_facts(entry, first, second)
        if told:
            message = f"{entry.code}: {first.text} and {second.text} are not the same piece"
            both = {first.notation, second.notation}
            spans = tuple(
                entry.places[name] for name in NOTATIONS if name in both & entry.places.keys()
            )
            yield Finding("notations-differ", message, spans or (entry.span,), told)
    if entry.same_as:
        yield from _namesake(entry, index)


def _namesake(entry: Entry, index: dict[str, list[Entry]]) -> Iterator[Finding]:
    span = entry.places.get("same-as", entry.span)
    others = [each for each in index.get(entry.same_as, ()) if each is not entry]
    if not others:
        names = [name for name in index if name not in (entry.code, *entry.names)]
        message = f"{entry.code}: no other piece is called {entry.same_as}"
        yield Finding("unknown-piece", message, (span,), nearest(entry.same_as, names))
        return
    told = told_difference(entry.piece, others[0].piece)
    if told:
        message = f"{entry.code} is not the same piece as {entry.same_as}"
        yield Finding("not-a-namesake", message, (span,), told)


def _told_facts(entry: Entry, first: Piece, second: Piece) -> str:
    """A fact that one notation has and neither the other nor the line; empty if there is none."""
    on_line = {"royal": entry.royal, "promotion": bool(entry.promotes)}
    for piece, other in ((first, second), (second, first)):
        for fact in piece.meaning.facts:
            if fact not in other.meaning.facts and not on_line.get(fact.name):
                return f"only {piece.text} has {fact.name}()"
    return ""


def told_difference(first: Piece, second: Piece) -> str:
    """The smallest difference between two pieces in words; empty where there is none."""
    if same(first, second, facts=False):
        return ""
    found = difference(first, second, facts=False)
    if found is None or found.move is None:
        return ""
    piece = (first, second)[found.only == "second"]
    words = f"only {piece.text} goes to {found.move.to[0]},{found.move.to[1]}"
    around = [
        f"{what} on {' '.join(f'{x},{y}' for x, y in squares)}"
        for what, squares in (("enemies", found.enemies), ("friends", found.friends))
        if squares
    ]
    return f"{words}{', with ' + ' and '.join(around) if around else ''}"
