"""How a piece gets about on a board, from its table: squares reached, attacked, and blocked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, reduce
from itertools import accumulate, chain, islice
from math import prod
from operator import and_
from typing import NamedTuple

from alfil.meaning.automaton import (
    ENEMY,
    FRIEND,
    HOME,
    PIECE_CLASSES,
    ROYAL,
    VACANT,
    WRAP_BOTH,
    StepRecord,
)
from alfil.meaning.piece_meaning import is_castling
from alfil.squares import Square
from alfil.tables.board_context import OFF_BOARD_CLASS, BoardContext, Offset
from alfil.tables.move_table import (
    CLASS_BITS,
    CLASS_MASK,
    NO_TRACE,
    STEP_SHIFT,
    Table,
    TableSection,
    Trie,
    moves_from,
)
from alfil.work_limit import charge

# Conditions that a path alone does not tell of.
_BEYOND_PATHS = frozenset({"castle", "middle", "greedy"})
_ANYTHING = VACANT | PIECE_CLASSES
# More paths are not looked at.
MOST_PATHS = 200_000
# So many nodes of a table are passed with the work of one path.
_NODES_PER_WORK = 4
# What must stand on each square of a path is looked at for most facts.
_WORK_PER_NEED = 2


# To walk to a move, and to tell it from the others, takes longer than it is counted there.
_WORK_PER_MOVE = 10


class TooManyPaths(Exception):
    """There are more paths than are looked at."""


class ConditionalPath(NamedTuple):
    """A way to a target: what squares must hold, as sets of classes, and what it captures."""

    target: int
    needs: Mapping[int, int]
    captures: frozenset[int]


class PathsBySquare(NamedTuple):
    """By square of the board, all paths of a piece from there, seen by the first side.

    ``exact``: the paths are all there is to the moves; else only moves on an empty board are there,
    as paths that nothing blocks.
    """

    files: int
    ranks: int
    paths: tuple[tuple[ConditionalPath, ...], ...]
    exact: bool
    # By square, those it goes to on an empty board.
    empty_board_targets: tuple[frozenset[int], ...]
    # By square, those it goes to in any position; and maybe some more where it is not ``exact``.
    possible_targets: tuple[frozenset[int], ...]

    def king_capture_squares(self, square: int) -> set[int]:
        """The squares on which it could capture a king that stands alone on the board."""
        return {
            king
            for path in self.paths[square]
            for king in path.captures
            if path.needs[king] & ROYAL
            and all(needs & VACANT for at, needs in path.needs.items() if at != king)
        }


def paths_by_square(table: Table, *, large: bool = False) -> PathsBySquare:
    """All paths of a piece that has moved, from each square of its board.

    Castling and moves that only unmoved pieces have are left out. For a ``large`` piece, the board
    is that of its own square, on which one man stands in several places. Raises `TooManyPaths`.
    """
    files, ranks = table.files, table.ranks
    contexts = [BoardContext(files, ranks, (s % files, s // files)) for s in range(files * ranks)]
    exact = not large and all(
        section.trie is not None and not _has_conditions_beyond_paths(section)
        for section in table.sections
        if not is_castling(section.guard)
    )
    paths = list[tuple[ConditionalPath, ...]]()
    count = 0
    for context in contexts:
        found = tuple(_paths_from(table, context) if exact else _empty_board_paths(table, context))
        paths.append(found)
        charge(_WORK_PER_NEED * sum(len(path.needs) for path in found))
        count += len(found)
        if count > MOST_PATHS:
            raise TooManyPaths
    empty_board_targets = [
        frozenset(path.target for path in each if reduce(and_, path.needs.values(), VACANT))
        for each in paths
    ]
    possible_targets = (
        frozenset(path.target for path in each) if exact else _possible_targets(table, context)
        for each, context in zip(paths, contexts, strict=True)
    )
    return PathsBySquare(
        files, ranks, tuple(paths), exact, tuple(empty_board_targets), tuple(possible_targets)
    )


def _has_conditions_beyond_paths(section: TableSection) -> bool:
    return any(each.kind in _BEYOND_PATHS for each in section.guard)


def _empty_board_paths(table: Table, context: BoardContext) -> Iterator[ConditionalPath]:
    for move in moves_from(table, context):
        charge(_WORK_PER_MOVE)
        x, y = context.at[0] + move.to[0], context.at[1] + move.to[1]
        yield ConditionalPath(y * context.files + x, {}, frozenset())


def _possible_targets(table: Table, context: BoardContext) -> frozenset[int]:
    """The squares at the ends of all walks through the automata, whatever stands on their way."""
    targets = set[int]()
    for section in table.sections:
        if is_castling(section.guard) or not context.conditions_hold(section.guard):
            continue
        queue = [(0, context.at)]
        met = {*queue}
        for index, at in queue:
            charge(1)
            for record in section.automaton.states[index]:
                if square := _square_after(record, at, context):
                    if record[3]:
                        targets.add(square[1] * context.files + square[0])
                    after = {(state, square) for _, state in record[4]} - met
                    met |= after
                    queue += after
    return frozenset(targets)


def _square_after(record: StepRecord, at: Square, context: BoardContext) -> Square | None:
    """Where a step from a square goes; None for off the board."""
    if record[:3] == HOME:
        return context.at
    x, y, wrap = at[0] + record[0], at[1] + record[1], record[2]
    if wrap:
        x, y = x % context.files, y % context.ranks if wrap & WRAP_BOTH else y
    return (x, y) if 0 <= x < context.files and 0 <= y < context.ranks else None


def _paths_from(table: Table, context: BoardContext) -> Iterator[ConditionalPath]:
    for section in table.sections:
        if (
            section.trie
            and not _has_conditions_beyond_paths(section)
            and context.conditions_hold(section.guard)
        ):
            charge(len(section.trie.nodes) / _NODES_PER_WORK)
            yield from _paths_of_trie(section.trie, context)


def _paths_of_trie(trie: Trie, context: BoardContext) -> Iterator[ConditionalPath]:
    """The paths of a trie from a square, each square once with all that it must be."""
    nodes, skips = trie.nodes, trie.skips
    (home,), squares = _square_numbers([(0, 0)], context), _square_numbers(trie.steps, context)
    # What the nodes around ask of their squares, and where each of these ends.
    around: list[tuple[int, dict[int, int]]] = [(len(nodes), {home: VACANT})]
    node = 0
    while node < len(nodes):
        while around[-1][0] <= node:
            around.pop()
        word, needs = nodes[node], around[-1][1]
        square, on = squares[word >> STEP_SHIFT], word >> CLASS_BITS & CLASS_MASK
        if square < 0:
            passes, inside = on & OFF_BOARD_CLASS, needs
        else:
            standing = needs.get(square, _ANYTHING) & _ANYTHING
            ends, passes = word & standing, on & standing
            if ends and (path := _path_ending_at_node(trie, node, context, needs, square, ends)):
                yield path
            inside = {**needs, square: passes} if passes else needs
        if passes:
            around.append((skips[node], inside))
        node = node + 1 if passes else skips[node]


def _path_ending_at_node(
    trie: Trie, node: int, context: BoardContext, needs: dict[int, int], square: int, ends: int
) -> ConditionalPath | None:
    """The path that ends at a node; one that captures en passant needs what no board here has."""
    trace = trie.traces.get(node, NO_TRACE)
    if trace.takes_trail or trace.trail_captures:
        return None
    (home, *before) = _square_numbers([(0, 0), *trace.captures], context)
    taken = _one_square(square) if square != home and ends & PIECE_CLASSES else frozenset[int]()
    if before:
        taken = taken.union(before) - {home}
    return ConditionalPath(square, {**needs, square: ends}, taken)


def _square_numbers(offsets: Iterable[Offset], context: BoardContext) -> list[int]:
    """The numbers of squares so far away, below 0 for those off the board."""
    (x, y), files, ranks = context.at, context.files, context.ranks
    return [
        (y + dy) * files + x + dx if 0 <= x + dx < files and 0 <= y + dy < ranks else -1
        for dx, dy in offsets
    ]


@cache
def _one_square(square: int) -> frozenset[int]:
    """A set of one square; there are as many as squares."""
    return frozenset({square})


def mean_mobility(ways: PathsBySquare, filled: float) -> float:
    """The mean number of squares that a piece on a random square can move to or capture on.

    Each other square is occupied with the probability ``filled``, by either side as likely, and
    independently of all others. The work is counted: it may double with each shared square.
    """
    chances = _OccupancyProbabilities({VACANT: 1 - filled, ENEMY: filled / 2, FRIEND: filled / 2})
    total = 0.0
    for square, paths in enumerate(ways.paths):
        by_target: dict[int, list[Mapping[int, int]]] = {}
        for path in paths:
            by_target.setdefault(path.target, []).append(path.needs)
        # The piece itself leaves its square.
        total += sum(
            # The first square that a path asks for is its own.
            chances.probability_all_hold(islice(each[0].values(), 1, None))
            if len(each) == 1
            else chances.probability_any_holds(
                [_needs_without_square(needs, square) for needs in each]
            )
            for each in by_target.values()
        )
    return total / len(ways.paths)


def _needs_without_square(needs: Mapping[int, int], square: int) -> dict[int, int]:
    return {at: each for at, each in needs.items() if at != square}


class _OccupancyProbabilities(dict[int, float]):
    """The probabilities that a square holds something of a set of classes."""

    def __init__(self, by_class: Mapping[int, float]) -> None:
        super().__init__()
        self.by_class = {each: chance for each, chance in by_class.items() if chance}

    def __missing__(self, classes: int) -> float:
        chance = sum(chance for each, chance in self.by_class.items() if each & classes)
        self[classes] = chance
        return chance

    def probability_all_hold(self, needs: Iterable[int]) -> float:
        """The probability that some squares hold what they must."""
        return prod(map(self.__getitem__, needs), start=1.0)

    def probability_any_holds(self, paths: Sequence[Mapping[int, int]]) -> float:
        """The probability that the needs of at least one path are met."""
        if not paths:
            return 0.0
        if len(paths) == 1:
            return self.probability_all_hold(paths[0].values())
        if not all(paths):
            return 1.0
        charge(sum(map(len, paths)))
        # What stands on one square decides about some paths, and the others go on without it.
        square = next(iter(paths[0]))
        return sum(
            chance
            * self.probability_any_holds(
                [
                    _needs_without_square(path, square)
                    for path in paths
                    if path.get(square, each) & each
                ]
            )
            for each, chance in self.by_class.items()
        )


def blockable_move_share(ways: PathsBySquare) -> float | None:
    """The share of moves on the empty board that a single piece on another square can prevent.

    None for a piece without moves there.
    """
    moves = blocked = 0
    for square, paths in enumerate(ways.paths):
        # Pieces, by square and side, that close all free paths to a target, and that open another.
        closed, opened = dict[int, set[tuple[int, int]]](), dict[int, set[tuple[int, int]]]()
        for path in paths:
            full = [at for at, needs in path.needs.items() if not needs & VACANT]
            if len(full) > 1:
                continue
            pieces = {(at, side) for at in full or path.needs for side in (ENEMY, FRIEND)}
            fitting = {(at, side) for at, side in pieces if path.needs[at] & side}
            if full:
                opened.setdefault(path.target, set()).update(fitting)
            else:
                shut = {each for each in pieces - fitting if each[0] not in {square, path.target}}
                closed[path.target] = closed.get(path.target, shut) & shut
        moves += len(closed)
        blocked += sum(bool(each - opened.get(to, set())) for to, each in closed.items())
    return blocked / moves if moves else None


def needs_hurdles(ways: PathsBySquare) -> bool:
    """Whether some move needs a piece on a square other than its target and what it captures."""
    return any(
        at not in path.captures and at != path.target and not needs & VACANT
        for path in chain.from_iterable(ways.paths)
        for at, needs in path.needs.items()
    )


def reached_square_counts(ways: PathsBySquare, start: int) -> list[int]:
    """How many squares of the empty board it can be on after at most 0, 1, 2 and so on moves."""
    return [*accumulate(map(len, _squares_by_move_count(ways, {start})))]


def fewest_moves_across(ways: PathsBySquare) -> int | None:
    """The fewest moves from the first rank to the last over the empty board; None for no way."""
    last = range(len(ways.paths) - ways.files, len(ways.paths))
    newest = enumerate(_squares_by_move_count(ways, {*range(ways.files)}))
    return next((moves for moves, squares in newest if not squares.isdisjoint(last)), None)


def _squares_by_move_count(ways: PathsBySquare, starts: set[int]) -> Iterator[set[int]]:
    """The squares that it first comes to after 0, 1, 2 and so on moves over the empty board."""
    found = newest = starts
    while newest:
        yield newest
        newest = {to for square in newest for to in ways.empty_board_targets[square]} - found
        found = found | newest


def count_connected_parts(ways: PathsBySquare) -> int:
    """Into how many parts the squares fall that no moves lead between, whatever is on the board."""
    part = [*range(len(ways.paths))]

    def root(square: int) -> int:
        while part[square] != square:
            part[square] = part[part[square]]
            square = part[square]
        return square

    for square, targets in enumerate(ways.possible_targets):
        for target in targets:
            part[root(square)] = root(target)
    return sum(part[square] == square for square in range(len(part)))
