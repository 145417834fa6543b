"""Endings of few men solved backwards by the engine, on every square of the board.

src/alfil/engine/tablebase.c says what positions and their values are numbered by.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple, NoReturn, TypeAlias

from alfil.errors import RuleError, reject
from alfil.game import engine_interface
from alfil.game.compiled_variant import SIDES, CompiledVariant
from alfil.game.engine_interface import ENDINGS, MOST_MEN, Struct
from alfil.game.engine_memory import IntArray, reserve_array
from alfil.game.engine_position import EnginePosition, engine_tables
from alfil.game.native_engine import engine
from alfil.game.position import Position
from alfil.graphs import reachable
from alfil.source import Source
from alfil.work_limit import charge, work_left

# The men of a table by their numbers in the engine, in its order.
Material: TypeAlias = tuple[int, ...]
Progress: TypeAlias = Callable[[int, int], None]

# The bytes that a position and a move between two of them take while they are solved, and one more
# value; there is this room for positions with a capture en passant, a part of all others and more.
_POSITION_BYTES, _EDGE_BYTES, _VALUE_BYTES = 12, 4, 2
_EXTRA_PART, _EXTRA_ROOM = 16, 4096
# So many positions are looked at in one call, so that a key that stops the program is heard.
_POSITIONS_PER_CALL = 1 << 17
# The work on a position (1 is about a microsecond), on a node of a table that is passed in it, and
# on a square that a record of an automaton leads to.
_POSITION_WORK, _NODE_WORK, _RECORD_WORK = 0.4, 0.003, 0.06
# Moves that are followed within each other have lists of their own.
_MOVE_LIST_COUNT = 10
# A square board is brought to itself in so many ways, the most there are.
_MOST_MAPS = 8
# Room for the moves of a position while they are counted, and for all of them at most.
_INITIAL_MOVE_ROOM, _MAX_REMEMBERED_MOVES = 32, 1 << 25
DEFAULT_MEGABYTES = 2000
_FAILURE_WORDS = {
    engine_interface.UNLISTED: "a move leads to men that no table has",
    engine_interface.ILLEGAL: "a legal move leads to a position that is none",
}


class PositionTally(NamedTuple):
    """The positions of a material with one side to move.

    ``won`` and ``lost``, by the mover, are by the plies to the end; ``stalemates`` are among those
    ``drawn``.
    """

    won: dict[int, int]
    drawn: int
    lost: dict[int, int]
    stalemates: int

    @property
    def positions(self) -> int:
        """All of them."""
        return sum(self.won.values()) + self.drawn + sum(self.lost.values())


def unsupported_reason(compiled: CompiledVariant) -> str:
    """The reason why no endings of a game are solved; empty where they are."""
    rules = compiled.rules
    by_count = [limit > 1 for limit in compiled.piece_move_count_caps]
    reasons = {
        "pieces come from hands": compiled.variant.has_hands or rules.drops != "no",
        "pieces take up several squares": compiled.footprints.any,
        "pieces hold others": compiled.holding,
        "moves build walls, petrify pieces or turn them over": rules.wall != "none"
        or rules.flip != "none"
        or any(compiled.petrifies),
        "pieces are left behind from the hand": any(compiled.gates),
        "checks are counted": compiled.checks_to_win > 0,
        "moves depend on how many were made": any(by_count) or compiled.turn_condition_period > 1,
        "it matters by which pieces checks were given": any(
            k.mates != "yes" for k in compiled.kinds
        ),
        "a pass may draw": rules.facing == "bikjang",
        "draws are won": rules.draw_odds.how != "none",
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def symmetries(files: int, ranks: int) -> list[list[int]]:
    """The symmetries of a board: by map, where each square is brought to.

    Nothing moves in the first one. The next ones mirror the files, the ranks, both; on a square
    board four more exchange files and ranks after that.
    """
    squares = [(square % files, square // files) for square in range(files * ranks)]
    mirrored = [
        [(files - 1 - x if turn & 1 else x, ranks - 1 - y if turn & 2 else y) for x, y in squares]
        for turn in range(4)
    ]
    if files == ranks:
        mirrored += [[(y, x) for x, y in row] for row in mirrored]
    return [[y * files + x for x, y in row] for row in mirrored]


class SquareOrbits(NamedTuple):
    """Of the first man of a material: what the engine asks by square, and by slot."""

    slots: list[int]
    turns: list[int]
    corners: list[int]
    weights: list[int]


def square_orbits(maps: Sequence[Sequence[int]], symmetry_numbers: Sequence[int]) -> SquareOrbits:
    """The slots where these maps leave moves as they are; a slot is the least of its squares."""
    size = len(maps[0])
    least = [min((maps[turn][square], turn) for turn in symmetry_numbers) for square in range(size)]
    corners = sorted({square for square, _ in least})
    number = {square: slot for slot, square in enumerate(corners)}
    slots = [number[square] for square, _ in least]
    weights = [slots.count(slot) for slot in range(len(corners))]
    return SquareOrbits(slots, [turn for _, turn in least], corners, weights)


class EndingTables:
    """The values of all positions of some materials, each with all that it leads to.

    ``turns`` are for each material the maps of `symmetries` that leave its men's moves as they
    are; what they do not tell apart has one value. ``values`` are those of positions in the
    engine's order, without those in which a capture en passant is legal.
    """

    def __init__(
        self,
        compiled: CompiledVariant,
        materials: Sequence[Material],
        turns: Sequence[Sequence[int]],
        values: IntArray | None = None,
        room: int = 0,
    ) -> None:
        self.compiled, self.materials, self.turns = compiled, tuple(materials), tuple(turns)
        self.maps = symmetries(compiled.files, compiled.ranks)
        rows = [square_orbits(self.maps, each) for each in self.turns]
        self.starts = [0]
        for men, row in zip(self.materials, rows, strict=True):
            self.starts.append(self.starts[-1] + _position_count(men, row, compiled.size))
        self.positions = self.starts[-1]
        self.values: IntArray = (
            reserve_array("B", _VALUE_BYTES * (self.positions + room)) if values is None else values
        )
        arrays: dict[str, IntArray] = {"values": self.values, "starts": array("q", self.starts)}
        flat = {
            "pieces": [
                each for men in self.materials for each in (*men, *[0] * MOST_MEN)[:MOST_MEN]
            ],
            "widths": [len(row.corners) for row in rows],
            "slots": [each for row in rows for each in row.slots],
            "turns": [each for row in rows for each in row.turns],
            "corners": [each for row in rows for each in _padded(row.corners, compiled.size)],
            "weights": [each for row in rows for each in _padded(row.weights, compiled.size)],
            "maps": [each for row in self.maps for each in row],
        }
        arrays |= {name: array("i", numbers) for name, numbers in flat.items()}
        arrays["unmet"] = array("i", bytes(4 * compiled.wall * compiled.size))
        scalars = {"materials": len(self.materials), "first_own": self.positions}
        self.struct = Struct(ENDINGS, scalars, arrays)
        self.tallies: dict[Material, tuple[PositionTally, PositionTally]] = {}

    def value_at(self, position: EnginePosition) -> int:
        """The value of a position, `NO_POSITION` for one of other men.

        A capture en passant in it is not looked at.
        """
        number = position.call_engine("ending_number_of_board", self.struct)
        if number < 0:
            return engine_interface.NO_POSITION
        return self.values[2 * number] | self.values[2 * number + 1] << 8

    def find(self, material: Material, side: int, value: int) -> Position | None:
        """The first position of a material with a side to move that has a value, if any has."""
        first = self.starts[self.materials.index(material)]
        half = (self.starts[self.materials.index(material) + 1] - first) // 2
        start, wanted = 2 * (first + side * half), value.to_bytes(2, "little")
        part = bytes(self.values[start : start + 2 * half])
        at = part.find(wanted)
        while at > 0 and at % 2:
            at = part.find(wanted, at + 1)
        return None if at < 0 else self.position_by_number(material, side * half + at // 2)

    def position_by_number(self, material: Material, within: int) -> Position:
        """The position with a number among those of a material."""
        out = array("i", [0] * (1 + MOST_MEN))
        place = self.materials.index(material)
        tables = engine_tables(self.compiled).struct
        engine().call("decode_ending_position", tables, tables, self.struct, place, within, out)
        position = Position(self.compiled)
        position.turn = out[0]
        for piece, square in zip(material, out[1:], strict=False):
            position.place_piece(square, piece)
        return position


def _padded(numbers: list[int], length: int) -> list[int]:
    return numbers + [0] * (length - len(numbers))


def _position_count(men: Material, orbits: SquareOrbits, size: int) -> int:
    return len(SIDES) * (len(orbits.corners) * size ** (len(men) - 1) if men else 1)


def solve_endings(
    compiled: CompiledVariant,
    target_materials: Iterable[Material],
    progress: Progress = lambda _done, _of: None,
    memory: int = DEFAULT_MEGABYTES,
) -> EndingTables:
    """Solve these materials and all that they lead to.

    ``progress`` hears how many positions of how many are done; ``memory`` is the most megabytes.
    Raises `RuleError` where the rules forbid that, or where it needs more memory.
    """
    return _Solver(compiled, target_materials, progress, memory).tables


class _Solver:
    """Solves groups of materials, each after all that it leads to."""

    def __init__(
        self,
        compiled: CompiledVariant,
        target_materials: Iterable[Material],
        progress: Progress,
        memory: int,
    ) -> None:
        self.compiled, self.progress, self.memory = compiled, progress, memory
        reason = unsupported_reason(compiled)
        if reason:
            self._fail("no-tablebase", f"no endings are solved: {reason}")
        self.groups = _material_groups(compiled, target_materials)
        materials = [each for group in self.groups for each in group]
        # To know the maps every piece is laid out on every square: in vain for what takes too much
        # work with all of them.
        fewest = [len(SIDES) * compiled.size ** len(men) // _MOST_MAPS for men in materials]
        if (least := sum(map(self._work_of_listing_moves, materials, fewest))) > work_left():
            charge(least)
        keeping = self._symmetries_by_piece(sorted({piece for men in materials for piece in men}))
        turns = [_common_symmetries(keeping, men) for men in materials]
        extras = compiled.variant.en_passant
        counts = [
            _position_count(
                men, square_orbits(symmetries(compiled.files, compiled.ranks), row), compiled.size
            )
            for men, row in zip(materials, turns, strict=True)
        ]
        charge(sum(map(self._work_of_listing_moves, materials, counts)))
        room = max(counts) // _EXTRA_PART + _EXTRA_ROOM if extras else 0
        self._require_memory(_VALUE_BYTES * (sum(counts) + room))
        self.tables = EndingTables(compiled, materials, turns, room=room)
        self._mark_unreachable_squares({piece for men in materials for piece in men})
        self.done, self.room, first = 0, room, 0
        for group in self.groups:
            self._solve_group(first, first + len(group))
            first += len(group)

    def _work_of_listing_moves(self, men: Material, count: int) -> float:
        """The work on so many positions: the men's moves are looked for in each."""
        sections = [each for piece in men for each in self.compiled.table_sections(piece)]
        nodes = sum(len(each.trie.nodes) for each in sections if each.trie)
        records = sum(
            len(state) for each in sections if not each.trie for state in each.automaton.states
        )
        met = records * self.compiled.size
        return count * (_POSITION_WORK + nodes * _NODE_WORK + met * _RECORD_WORK)

    def _symmetries_by_piece(self, pieces: list[int]) -> dict[int, frozenset[int]]:
        """By piece, the maps that leave its moves as they are."""
        maps = symmetries(self.compiled.files, self.compiled.ranks)
        flat = array("i", [square for row in maps for square in row])
        struct = Struct(ENDINGS, {}, {"maps": flat})
        tables = engine_tables(self.compiled)
        # Royals that may not face each other do so on files.
        turns = range(1, 2 if self.compiled.rules.facing != "allowed" else len(maps))
        call = engine().call
        return {
            piece: frozenset(
                turn
                for turn in turns
                if call("moves_alike_under_map", tables.struct, tables.struct, struct, piece, turn)
            )
            for piece in pieces
        }

    def _mark_unreachable_squares(self, pieces: Iterable[int]) -> None:
        """Tell the engine where pieces never stand that move otherwise at first."""
        size, unmet = self.compiled.size, self.tables.struct.arrays["unmet"]
        position = EnginePosition(Position(self.compiled))
        for piece in pieces:
            out = array("i", bytes(4 * size))
            if position.call_engine("mark_unreachable_squares", piece, out):
                words = "a piece that may come back to where it begins moves otherwise at first"
                self._fail("no-tablebase", f"no endings are solved: {words}")
            unmet[piece * size : (piece + 1) * size] = out

    def _solve_group(self, first: int, end: int) -> None:
        """Solve the materials between two places, which lead to each other or are one."""
        tables = self.tables
        own = tables.starts[end] - tables.starts[first]
        position = self._working_position(tables.materials[first:end])
        working = self._working_struct(first, end, own)
        self._list_moves_of_positions(position, working, own, 0)
        working = self._extend_struct_for_edges(working)
        self._raise_on_failure(position.call_engine("divide_edge_room", working))
        if not working["most_remembered"]:
            self._list_moves_of_positions(position, working, own, own)
        self._raise_on_failure(position.call_engine("solve_endings", working, 0))
        for place in range(first, end):
            tables.tallies[tables.materials[place]] = _read_tallies(position, working, place)
        self.done += 2 * own

    def _working_struct(self, first: int, end: int, position_count: int) -> Struct:
        """What the engine works with, but for the edges."""
        tables, room = self.tables, position_count + self.room
        remembered = min(position_count * _INITIAL_MOVE_ROOM, _MAX_REMEMBERED_MOVES)
        bytes_needed = len(tables.values) + _POSITION_BYTES * room + _EDGE_BYTES * remembered
        self._require_memory(bytes_needed)
        # Only the materials up to these are there as yet.
        numbers = {"materials": end, "first_material": first, "first_own": tables.starts[first]}
        numbers |= {"own": position_count, "room": room, "most_remembered": remembered}
        numbers["careful"] = engine_tables(self.compiled).careful
        arrays = dict(tables.struct.arrays)
        halves = dict.fromkeys(("wins", "losses", "left"), _VALUE_BYTES)
        for name, width in (halves | {"begins": _EDGE_BYTES}).items():
            arrays[name] = reserve_array("B", width * (room + 1))
        arrays["edges_met"] = reserve_array("B", _EDGE_BYTES * remembered)
        return Struct(ENDINGS, numbers, arrays)

    def _extend_struct_for_edges(self, working: Struct) -> Struct:
        """The same with room for the edges that were counted."""
        edges, arrays = working["edges_counted"], dict(working.arrays)
        if not working["most_remembered"]:
            del arrays["edges_met"]
        size = sum(len(memoryview(each)) * each.itemsize for each in arrays.values())
        self._require_memory(size + _EDGE_BYTES * edges)
        arrays["edges"] = reserve_array("B", _EDGE_BYTES * edges + 1)
        numbers = {name: working[name] for name in ENDINGS.longs + ENDINGS.ints}
        return Struct(ENDINGS, numbers | {"most_edges": edges}, arrays)

    def _raise_on_failure(self, failed: int) -> None:
        if failed == engine_interface.NO_ROOM:
            self._fail("no-tablebase", "no endings are solved: there are too many moves")
        if failed:
            self._fail("no-tablebase", f"no endings are solved: {_FAILURE_WORDS[failed]}")

    def _list_moves_of_positions(
        self, position: EnginePosition, working: Struct, position_count: int, progress_before: int
    ) -> None:
        for start in range(0, position_count, _POSITIONS_PER_CALL):
            until = min(position_count, start + _POSITIONS_PER_CALL)
            self._raise_on_failure(position.call_engine("expand_endings", working, start, until))
            self.progress(self.done + progress_before + until, 2 * self.tables.positions)

    def _working_position(self, materials: Sequence[Material]) -> EnginePosition:
        """A position with room for the moves of any of these."""
        positions = []
        for men in materials:
            position = Position(self.compiled)
            free = [s for s in range(self.compiled.size) if not self.compiled.holes >> s & 1]
            for square, piece in zip(free, men, strict=False):
                position.place_piece(square, piece)
            positions.append(EnginePosition(position, _MOVE_LIST_COUNT))
        return max(positions, key=lambda each: each.state.list_room)

    def _require_memory(self, size: int) -> None:
        if size > self.memory * 10**6:
            megabytes = size // 10**6 + 1
            message = f"the table needs {megabytes} megabytes, more than the {self.memory} allowed"
            self._fail("no-memory", message, "allow more memory, or ask for fewer men")

    def _fail(self, kind: str, message: str, hint: str = "") -> NoReturn:
        reject(RuleError, kind, message, Source(self.compiled.variant.name, "<game>"), hint=hint)


def _read_tallies(
    position: EnginePosition, working: Struct, place: int
) -> tuple[PositionTally, PositionTally]:
    out = array("q", bytes(8 * (2 * engine_interface.VALUES + 2)))
    position.call_engine("count_ending_values", working, place, out)
    longest = working["pending"] + 1
    first, second = (
        PositionTally(
            _counts_by_plies(out, side * engine_interface.VALUES + engine_interface.WON, longest),
            out[side * engine_interface.VALUES + engine_interface.DRAWN],
            _counts_by_plies(out, side * engine_interface.VALUES + engine_interface.LOST, longest),
            out[2 * engine_interface.VALUES + side],
        )
        for side in SIDES
    )
    return first, second


def _counts_by_plies(out: array[int], first: int, longest: int) -> dict[int, int]:
    counts = out[first : first + 2 * longest : 2]
    return {plies: count for plies, count in enumerate(counts) if count}


def _common_symmetries(
    symmetries_by_piece: dict[int, frozenset[int]], men: Material
) -> tuple[int, ...]:
    """The maps that leave the moves of all men as they are: a group, the first map in it."""
    common = (
        frozenset.intersection(*[symmetries_by_piece[piece] for piece in men])
        if men
        else frozenset()
    )
    return (0, *sorted(common))


def sort_material(compiled: CompiledVariant, men: Iterable[int]) -> Material:
    """The men of a material in the order of tables: royal ones first, then by number."""
    return tuple(sorted(men, key=lambda piece: (not compiled.royal[piece], piece)))


def _material_groups(
    compiled: CompiledVariant, target_materials: Iterable[Material]
) -> list[list[Material]]:
    """All materials that these lead to: those that lead to each other together, ends first."""
    after: dict[Material, set[Material]] = {}
    waiting = [sort_material(compiled, men) for men in target_materials]
    while waiting:
        men = waiting.pop()
        if men not in after:
            after[men] = {sort_material(compiled, each) for each in _next_materials(compiled, men)}
            waiting.extend(after[men])
    reached = {men: set(reachable([men], after.__getitem__)) for men in after}
    order = sorted(after, key=lambda men: (len(reached[men]), men))
    groups: list[list[Material]] = []
    for men in order:
        if groups and men in reached[groups[-1][0]] and groups[-1][0] in reached[men]:
            groups[-1].append(men)
        else:
            groups.append([men])
    return groups


def _next_materials(compiled: CompiledVariant, men: Material) -> Iterator[Material]:
    """The materials after captures of any men, or after one has become another piece."""
    royals = [sum(compiled.royal[p] and p % 2 == side for p in men) for side in SIDES]
    for count in range(len(men)):
        for rest in combinations(men, count):
            left = [sum(compiled.royal[p] and p % 2 == side for p in rest) for side in SIDES]
            # Who loses the last royal has lost.
            if all(now or not before for now, before in zip(left, royals, strict=True)):
                yield rest
    for place, piece in enumerate(men):
        for form in compiled.all_promotions(piece):
            yield (*men[:place], form, *men[place + 1 :])
