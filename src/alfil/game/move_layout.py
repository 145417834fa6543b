"""Moves of pieces by square for the engine, laid out on first use (layout.c).

Nodes, lists and cells stand one behind the other in arrays with room for all that there can be, so
that nothing ever moves: the memory is the system's until it is written to.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from threading import RLock

from alfil.frozen_dataclasses import NamedTuple
from alfil.game import engine_interface
from alfil.game.compiled_variant import CompiledVariant, effect_range
from alfil.game.engine_memory import IntArray, TypeCode, reserve_array
from alfil.game.insufficient_material import InsufficientMaterial
from alfil.game.move_bounds import MoveBounds, move_bounds_of_sections
from alfil.game.native_engine import engine
from alfil.game.roaming_pieces import (
    MAX_EP_PATHS,
    add_end_nodes,
    encode_automaton,
    too_many_moves_error,
    too_much_work_error,
)
from alfil.game.square_sections import MoveEnd, SquareSection
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT, Automaton
from alfil.meaning.piece_meaning import BOARD_CONDITIONS, Guard
from alfil.tables.move_table import CLASS_BITS, CLASS_MASK, Trie

_CONDITION_CODES = {
    "move": engine_interface.MOVES_MADE,
    "every": engine_interface.EVERY,
    "turn": engine_interface.TURN,
}
# No game is so long that a number from here on is reached.
NEVER_REACHED_COUNT = 2**30
# What stands on a square that a path jumps over.
_OCCUPIED = ENEMY | FRIEND | ROYAL
# What a side's own tables call what stands on a square, by the shift of the core's class.
CLASS_BY_ENGINE_SHIFT = (
    {
        engine_interface.VACANT: VACANT,
        engine_interface.FIRST: FRIEND,
        engine_interface.FIRST_ROYAL: FRIEND,
        engine_interface.SECOND: ENEMY,
        engine_interface.SECOND_ROYAL: ROYAL,
        engine_interface.PASSED: TRAIL,
        engine_interface.WALLED: FRIEND,
        engine_interface.FIRST_APART: FRIEND,
        engine_interface.SECOND_APART: ENEMY,
    },
    {
        engine_interface.VACANT: VACANT,
        engine_interface.FIRST: ENEMY,
        engine_interface.FIRST_ROYAL: ROYAL,
        engine_interface.SECOND: FRIEND,
        engine_interface.SECOND_ROYAL: FRIEND,
        engine_interface.PASSED: TRAIL,
        engine_interface.WALLED: FRIEND,
        engine_interface.FIRST_APART: ENEMY,
        engine_interface.SECOND_APART: FRIEND,
    },
)
APART_CLASS_SHIFTS = (engine_interface.FIRST_APART, engine_interface.SECOND_APART)
# The numbers of a `Part` and of a `Cell` in engine.h.
PART_LENGTH, CELL_LENGTH = 7, 4
# Numbers of nodes and of places in lists have 31 bits, and so much memory is kept free at most; a
# system that counts it as used has less.
MAX_ITEMS = (1 << 31) - 1
MAX_BYTES = 1 << (28 if sys.platform in {"emscripten", "win32"} else 36)


class ListPool:
    """Interned lists of numbers in one array; index 0 is no list."""

    def __init__(self) -> None:
        self.numbers: IntArray = array("i", [0])
        self.used = 1
        self._lists: dict[tuple[int, ...], int] = {(): 0}
        self._settled = False
        # What is told of all that is written.
        self.tell: Callable[[str, int, int], None] | None = None

    def put(self, numbers: Iterable[int]) -> int:
        """The place of these numbers, just as they are."""
        listed = array("i", numbers)
        place = self.used
        if self._settled:
            self.numbers[place : place + len(listed)] = listed
        else:
            assert isinstance(self.numbers, array)
            self.numbers.extend(listed)
        self.used = place + len(listed)
        if self.tell:
            self.tell("pool", place, self.used)
        return place

    def put_list(self, items: Iterable[int]) -> int:
        """The place of a list with these items, 0 for none."""
        key = tuple(items)
        result = self._lists.get(key)
        if result is None:
            result = self._lists[key] = self.put((len(key), *key))
        return result

    def fix_address(self, spare_length: int) -> None:
        """Freeze the address, with capacity for more numbers."""
        numbers = reserve_array("i", self.used + spare_length)
        numbers[: self.used] = self.numbers
        self.numbers, self._settled = numbers, True

    def items(self, place: int) -> IntArray:
        """The items of a list."""
        return self.numbers[place + 1 : place + 1 + self.numbers[place]]


# The arrays by node, and what each has; in some of them nearly all is 0.
_RARE_COLUMNS = ("taken", "company", "trailing", "passing")
_NODE_COLUMNS: dict[str, TypeCode] = {
    "nodes": "q",
    **dict.fromkeys(("quiet", "taking", *_RARE_COLUMNS), "i"),
}


class LayoutSize(NamedTuple):
    """The capacity in nodes, list numbers and cells."""

    nodes: int
    numbers: int
    cells: int

    @classmethod
    def of(cls, compiled: CompiledVariant, bounds: list[MoveBounds]) -> LayoutSize:
        """That of a game."""
        size = compiled.size
        nodes = 1 + sum(each.all_nodes for each in bounds)
        numbers = 4 * size + sum(each.all_numbers for each in bounds)
        for piece in range(1, compiled.wall):
            numbers += 3 * (len(compiled.all_promotions(piece)) + 2)
            if compiled.drop_rules[piece]:
                numbers += size * (size + 2)
            for fact in compiled.effects[piece]:
                parts = compiled.sections(effect_range(fact), piece)
                reach = move_bounds_of_sections(parts, compiled.files, compiled.ranks)
                nodes += size * reach.nodes
                numbers += size * (5 + reach.numbers)
        return cls(nodes, numbers, (compiled.wall + 1) * size)

    def fits_engine(self, size: int) -> bool:
        """Whether the engine can number all of it, and there may be so much memory."""
        memory = 32 * self.nodes + 4 * self.numbers + 4 * (size + CELL_LENGTH) * self.cells
        return max(self.nodes, self.numbers) < MAX_ITEMS and memory < MAX_BYTES


class MoveLayout:
    """The pieces of one game on squares.

    ``arrays`` are those of the engine, ``behind`` is the number after its last node.
    """

    def __init__(self, compiled: CompiledVariant, pool: ListPool, room: LayoutSize) -> None:
        self._compiled, self._pool = compiled, pool
        self._material = InsufficientMaterial(compiled)
        nodes, numbers, cells = room
        pool.fix_address(numbers)
        size = compiled.size
        self.arrays: dict[str, IntArray] = {
            **{name: reserve_array(code, nodes) for name, code in _NODE_COLUMNS.items()},
            "pool": pool.numbers,
            "cells": reserve_array("i", CELL_LENGTH * cells),
            "sources": reserve_array("i", cells),
            "aims": reserve_array("i", (1 + cells) * size),
            "trails": reserve_array("i", MAX_EP_PATHS),
        }
        if compiled.rules.insufficient == "draw" and self._material.decides:
            self._lay_out_insufficient_material()
        # A node that captures nothing, and a row that aims nowhere, come first.
        self.behind = self._rows = 1
        self._laid: dict[int, int] = {}
        self._dead: dict[int, int] = {}
        self._capture_sets: dict[frozenset[int], int] = {frozenset(): 0}
        self._trails: dict[frozenset[int], int] = {frozenset(): 0}
        self._paths: list[tuple[int, ...]] = [()]
        self._automata: dict[tuple[Automaton, Guard, bool], int] = {}
        self._lock = RLock()
        self._on_cell: Callable[[int, int, int], None] | None = None

    def set_layout_callback(self, tell: Callable[[int, int, int], None]) -> None:
        """Register what is told of every cell before the engine has it, also of those that are laid
        out already: the piece, the square, and the first node.
        """
        with self._lock:
            self._on_cell = tell
            for request, begin in self._laid.items():
                piece, square = divmod(request, self._compiled.size)
                if piece < self._compiled.wall:
                    tell(piece, square, begin)

    def lay_out(self, request: int) -> int:
        """The first node of the cell of piece × size + square, the list of sources, or a trail.

        Below zero it says of such a number that the piece there has too many moves, or that all is
        too much work.
        """
        if request == engine_interface.ENDLESS:
            raise too_much_work_error(self._compiled)
        if request > engine_interface.MATERIAL - len(self._compiled.kinds) ** 2:
            return self._dead_material_table_start(engine_interface.MATERIAL - request)
        if request < 0:
            raise too_many_moves_error(self._compiled, *divmod(-1 - request, self._compiled.size))
        with self._lock:
            result = self._laid.get(request)
            if result is None:
                piece, square = divmod(request, self._compiled.size)
                known = self._compiled.wall + 1
                lay = self._lay_out_piece_on_square if piece < known else self._attack_source_list
                if piece < 2 * known:
                    result = lay(piece % known, square)
                else:
                    result = self._extended_ep_list(piece - 2 * known, square)
                self._laid[request] = result
            return result

    def _lay_out_insufficient_material(self) -> None:
        """Lay out which pieces can be insufficient material."""
        compiled, material = self._compiled, self._material
        pairs = sum(compiled.royal[1::2]) ** 2
        self._material_end = compiled.wall + len(compiled.kinds) ** 2
        self.arrays["dead"] = dead = reserve_array(
            "i", self._material_end + pairs * material.royal_pair_table_length
        )
        for piece in range(1, compiled.wall):
            dead[piece] = material.may_be_insufficient(piece)

    def _dead_material_table_start(self, kinds: int) -> int:
        """Where the table of dead material with two royal kinds begins, 1 for none."""
        with self._lock:
            # In a browser the engine forgets it when another game comes between, and asks again.
            known = self._dead.get(kinds)
            if known is not None:
                return known
            first, second = divmod(kinds, len(self._compiled.kinds))
            table = self._material.dead_material_table((1 + 2 * first, 2 + 2 * second))
            begin = self._dead[kinds] = self._material_end if table else 1
            if table:
                self._material_end += len(table)
                self._write_array("dead", begin, array("i", table))
            return begin

    def set_write_callback(self, tell: Callable[[str, int, int], None] | None) -> None:
        """Register a callback for writes: the array, start and end."""
        self._pool.tell = tell

    def ep_list(self, squares: frozenset[int]) -> int:
        """The list of the squares that a move has passed, 0 for none."""
        with self._lock:
            result = self._trails.get(squares)
            if result is None:
                result = self._trails[squares] = self._pool.put_list(sorted(squares))
            return result

    def _extended_ep_list(self, trail: int, square: int) -> int:
        """The number of the trail that is one more square long than another, 0 for too many."""
        result = len(self._paths)
        if result == MAX_EP_PATHS:
            return 0
        path = (*self._paths[trail], square)
        self._paths.append(path)
        self._write_array("trails", result, array("i", [self._pool.put_list(path)]))
        return result

    def _lay_out_piece_on_square(self, piece: int, square: int) -> int:
        row, begin, size = self._rows, self.behind, self._compiled.size
        at = piece * size + square
        cell = _SquareNodeBuilder(self._compiled, self._pool, (piece, square))
        moves_here = [*possible_square_sections(self._compiled, piece, square)]
        plain = all(map(_is_unconditional, moves_here))
        parts = []
        for square_moves in moves_here:
            first = begin + len(cell.nodes)
            cell.add_section_nodes(square_moves, self._capture_sets, self._trails)
            if not plain:
                behind = begin + len(cell.nodes)
                parts += self._encode_part(
                    square_moves, first, behind, has_unjumpable_pieces=cell.has_unjumpable_pieces
                )
        self.append_nodes(cell.columns())
        aims, lists = cell.lists_of_attacks_on_royal(begin)
        self._pool.put(lists)
        self._write_array("aims", row * size, aims)
        end = begin if parts else self.behind
        listed = self._pool.put([len(parts) // PART_LENGTH, *parts]) if parts else 0
        # The engine publishes where it begins.
        self._write_array("cells", CELL_LENGTH * at + 1, array("i", [end, listed, row]))
        self._rows = row + 1
        if self._on_cell:
            self._on_cell(piece, square, begin)
        return begin

    def append_nodes(self, columns: Mapping[str, array[int]]) -> None:
        """Put nodes behind all that there are; those of missing columns have 0 there."""
        for name, column in columns.items():
            self._write_array(name, self.behind, column)
        self.behind += len(columns["nodes"])

    def _encode_part(
        self, square_moves: SquareSection, first: int, behind: int, *, has_unjumpable_pieces: bool
    ) -> list[int]:
        """A `Part` of engine.h."""
        holds: list[int] = []
        for condition in square_moves.guard:
            if condition.kind in _CONDITION_CODES:
                kind = _CONDITION_CODES[condition.kind]
                value = condition.value - (kind == engine_interface.MOVES_MADE)
                holds += [kind, min(value, NEVER_REACHED_COUNT)]
        castle = square_moves.castle or (0, 0)
        walk = (
            self._encoded_automaton_index(
                square_moves.automaton,
                square_moves.guard,
                has_unjumpable_pieces=has_unjumpable_pieces,
            )
            if square_moves.automaton
            else 0
        )
        return [
            self._pool.put_list(holds),
            *castle,
            first,
            behind,
            int(square_moves.unchecked),
            walk,
        ]

    def _encoded_automaton_index(
        self, automaton: Automaton, guard: Guard, *, has_unjumpable_pieces: bool
    ) -> int:
        """Where an automaton that is walked stands in the pool."""
        result = self._automata.get((automaton, guard, has_unjumpable_pieces))
        if result is None:
            result = self._automata[automaton, guard, has_unjumpable_pieces] = self._pool.put(
                encode_automaton(
                    automaton,
                    guard,
                    self._compiled.ranks,
                    has_unjumpable_pieces=has_unjumpable_pieces,
                )
            )
        return result

    def _attack_source_list(self, piece: int, target: int) -> int:
        """The list of the squares from which a piece aims at one; each is laid out."""
        size = self._compiled.size
        cells, aims, result = self.arrays["cells"], self.arrays["aims"], []
        for at in range(piece * size, (piece + 1) * size):
            self.lay_out(at)
            if aims[cells[CELL_LENGTH * at + 3] * size + target]:
                result.append(at % size)
        return self._pool.put((len(result), *result))

    def _write_array(self, name: str, start: int, numbers: array[int]) -> None:
        end = start + len(numbers)
        self.arrays[name][start:end] = numbers
        if self._pool.tell:
            self._pool.tell(name, start, end)


class _SquareNodeBuilder:
    """One that is being laid out: its nodes, and the branches that aim at a square."""

    def __init__(
        self, compiled: CompiledVariant, pool: ListPool, piece_and_square: tuple[int, int]
    ) -> None:
        self._compiled, self._pool = compiled, pool
        self._piece, self._square = piece_and_square
        self.nodes, self._quiet, self._taking = array("q"), array("i"), array("i")
        # What few nodes have, by column and node; and what nodes capture on their way, in order.
        self._rare: dict[str, dict[int, int]] = {name: {} for name in _RARE_COLUMNS}
        self._captured: list[tuple[int, int]] = []
        # Where parts begin and end that have all their nodes.
        self._parts: list[int] = []
        # Whether some pieces are in its way only where it jumps.
        self.has_unjumpable_pieces = has_jump_only_blockers(compiled, self._piece)
        self._classes = class_by_engine_shift(compiled, self._piece)

    def columns(self) -> dict[str, array[int]]:
        """The arrays by node; those that would have 0 everywhere are not there."""
        result = {"nodes": self.nodes, "quiet": self._quiet, "taking": self._taking}
        for name, numbers in self._rare.items():
            if numbers:
                column = result[name] = array("i", bytes(4 * len(self.nodes)))
                for node, number in numbers.items():
                    column[node] = number
        return result

    def add_section_nodes(
        self,
        square_moves: SquareSection,
        capture_sets: dict[frozenset[int], int],
        trails: dict[frozenset[int], int],
    ) -> None:
        """Add the nodes of one part."""
        before = len(self.nodes)
        if square_moves.automaton:
            square_moves = add_end_nodes(square_moves, self._square, self._compiled.size)
        else:
            self._parts += (before, before + len(square_moves.nodes))
        arriving = self._add_promotion_lists(square_moves)
        self.nodes += engine_nodes(
            square_moves, self._classes, arriving, has_unjumpable_pieces=self.has_unjumpable_pieces
        )
        passes = not self._compiled.footprints.large[self._piece]
        for node, end in square_moves.traced.items():
            if end.captures:
                self._add_captures_of_node(before + node, end, capture_sets)
            if end.takes_trail and passes:
                self._rare["passing"][before + node] = 1
            if square_moves.leaves_trail and end.passed and square_moves.nodes[node] & CLASS_MASK:
                trail = self._rare["trailing"][before + node] = self._pool.put_list(end.passed)
                trails.setdefault(frozenset(end.passed), trail)

    def _add_promotion_lists(self, square_moves: SquareSection) -> array[int]:
        """Add the lists of what the piece may be after moves; how it arrives by each node."""
        count = len(square_moves.nodes)
        if self._compiled.never_promotes(self._piece):
            alone = array("i", [self._pool.put_list((self._piece,))]) * count
            self._quiet += alone
            self._taking += alone
            arriving = array("i", [promotion_counts_code(1, 1)]) * count
        else:
            targets = square_moves.targets
            known = {target: self._promotion_lists_and_counts(target) for target in {*targets}}
            forms = [known[target] for target in targets]
            for node, end in square_moves.traced.items():
                if end.captures:
                    forms[node] = self._promotion_lists_and_counts(end.target, captures=True)
            self._quiet.extend([each[0] for each in forms])
            self._taking.extend([each[1] for each in forms])
            arriving = array("i", [each[2] for each in forms])
        for node, end in square_moves.traced.items():
            arriving[node] |= engine_interface.ARRIVES_PASSANT * end.takes_trail
        if self.has_unjumpable_pieces and not square_moves.automaton:
            for node, jumped in enumerate(_jump_flags_by_node(square_moves)):
                arriving[node] |= engine_interface.ARRIVES_JUMPED * jumped
        return arriving

    def _promotion_lists_and_counts(
        self, target: int, *, captures: bool = False
    ) -> tuple[int, int, int]:
        """The lists of what the piece may be on a square where it captures nothing, and something.

        And how it arrives there. ``captures`` is whether it captures on its way.
        """
        compiled, piece, square = self._compiled, self._piece, self._square
        quiet, taking = (
            compiled.promotions(piece, square, target, captures=each) for each in (False, True)
        )
        if captures:
            quiet = taking
        elif target == square:
            quiet = taking = (piece,) if compiled.passing[piece] else quiet
        listed = self._pool.put_list
        return listed(quiet), listed(taking), promotion_counts_code(len(quiet), len(taking))

    def _add_captures_of_node(
        self, node: int, end: MoveEnd, capture_sets: dict[frozenset[int], int]
    ) -> None:
        """Note what a move captures on its way; what has just passed is on no square."""
        size = self._compiled.size
        captures = end.captures
        if end.on_trail:
            captures = tuple([size if at in end.on_trail else at for at in captures])
        self._rare["taken"][node] = self._pool.put_list(captures)
        company = capture_sets.setdefault(frozenset(captures), len(capture_sets))
        self._rare["company"][node] = company
        # What has just passed is looked for by all that may take it.
        self._captured += [(node, square) for square in captures if square < size]

    def lists_of_attacks_on_royal(self, first: int) -> tuple[array[int], array[int]]:
        """Where the lists of branches stand that may capture a royal, by square, and the lists."""
        royal = (
            engine_interface.FIRST_ROYAL if self._piece % 2 == 0 else engine_interface.SECOND_ROYAL
        )
        most = 1 + len(self.nodes) + len(self._captured)
        row = array("i", bytes(4 * self._compiled.size))
        work, lists = array("i", bytes(16 * most)), array("i", bytes(12 * most))
        length = engine().call(
            "list_royal_attack_branches",
            self.nodes,
            array("i", [*self._parts, -1]),
            array("i", [*chain.from_iterable(self._captured), -1]),
            *(royal, first, self._pool.used),
            *(row, work, lists),
        )
        return row, lists[:length]


def promotion_counts_code(quiet: int, taking: int) -> int:
    """How a piece arrives in so many forms without a capture, and with one; see `write_nodes`."""
    most = engine_interface.FORMS
    return min(quiet, most) | min(taking, most) << engine_interface.ARRIVES_TAKING


def engine_nodes(
    square_moves: SquareSection,
    classes: Mapping[int, int],
    arrival_codes: array[int],
    *,
    has_unjumpable_pieces: bool = False,
) -> array[int]:
    """The nodes of a part as the engine has them; see `SQUARE` in engine.h.

    ``classes`` says by shift what a side's own table calls what stands there, ``arrival_codes``
    by node in how many forms the piece may end on it.
    """
    count = len(square_moves.nodes)
    nodes, seen = (
        array("q", bytes(8 * count)),
        array("i", [*classes.values(), has_unjumpable_pieces]),
    )
    engine().call(
        "write_nodes", square_moves.nodes, square_moves.skips, count, seen, arrival_codes, nodes
    )
    return nodes


def _jump_flags_by_node(square_moves: SquareSection) -> Iterator[int]:
    """Of each node of a part, 1 where the path to it goes over a piece."""
    until = 0
    for node, (word, skip) in enumerate(zip(square_moves.nodes, square_moves.skips, strict=True)):
        yield int(node < until)
        if node >= until and word >> CLASS_BITS & _OCCUPIED:
            until = skip


def has_optional_jumps(trie: Trie) -> bool:
    """Whether one node of a piece's paths goes on both over a piece and over an empty square.

    Where the path has gone over a piece before, that is no matter.
    """
    until = 0
    for node, (word, skip) in enumerate(zip(trie.nodes, trie.skips, strict=True)):
        descend = word >> CLASS_BITS & CLASS_MASK
        if node >= until and descend & _OCCUPIED:
            if descend & VACANT:
                return True
            until = skip
    return False


def has_jump_only_blockers(compiled: CompiledVariant, piece: int) -> bool:
    """Whether some pieces are in the way of a piece only where it jumps."""
    known = 0 < piece < compiled.wall
    return known and bool(compiled.kinds[(piece - 1) >> 1].no_jump_over)


def class_by_engine_shift(compiled: CompiledVariant, piece: int) -> Mapping[int, int]:
    """The square class of a piece by the shift of the engine's class."""
    result = CLASS_BY_ENGINE_SHIFT[(piece - 1) % 2]
    if not 0 < piece < compiled.wall:
        return result
    blocked = compiled.kinds[(piece - 1) >> 1].blocked_by
    result = result | dict.fromkeys(APART_CLASS_SHIFTS, 0) if blocked else result
    # What takes up several squares captures nothing en passant.
    return (
        result | {engine_interface.PASSED: VACANT} if compiled.footprints.large[piece] else result
    )


def possible_square_sections(
    compiled: CompiledVariant, piece: int, square: int
) -> Iterator[SquareSection]:
    """The parts of a piece's moves whose conditions can hold on a square."""
    if not 0 < piece < compiled.wall:
        return
    third = compiled.had_same_piece_behind_at_start(piece, square)
    for square_moves in compiled.square_moves(piece, square):
        if third or all(condition.kind != "third-rank" for condition in square_moves.guard):
            yield square_moves


def _is_unconditional(square_moves: SquareSection) -> bool:
    """Whether all conditions of a part are settled by its square."""
    return not (square_moves.unchecked or square_moves.automaton) and all(
        condition.kind in BOARD_CONDITIONS or condition.kind == "third-rank"
        for condition in square_moves.guard
    )
