"""Positions and moves of a game in numbers, for programs that learn; see docs/learning.md.

Everything is as the side to move sees it: the board is turned so that it moves up, its own pieces
come first, and a move has the same number for both sides. The moves are numbered here, once for a
game; src/alfil/engine/environment.c reads the numbers off the nodes of its tables.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from alfil.errors import AlfilError, RuleError, reject
from alfil.game.compiled_variant import SIDES, CompiledVariant
from alfil.game.engine_interface import ENCODING, Struct
from alfil.game.engine_memory import reserve_array
from alfil.game.engine_position import engine_tables
from alfil.game.game_position import GamePosition
from alfil.game.move_bounds import move_bounds
from alfil.game.move_layout import MAX_ITEMS, possible_square_sections
from alfil.game.move_origins import all_move_ends
from alfil.game.square_sections import MoveEnd, SquareSection, square_number
from alfil.play.board_action_numbers import BoardActionNumbers, FormsOnArrival, MoveKind
from alfil.source import Source
from alfil.tables.move_table import CLASS_MASK

if TYPE_CHECKING:
    from numpy.typing import NDArray

INSTALL_HINT = "pip install 'alfil[numpy]'"
# Planes after those of pieces and hands; in games with walls there is one more.
OTHER_PLANES = ("unmoved", "en passant", "repeated", "second side")
# The numbers of moves have 31 bits.
MOST_ACTIONS = (1 << 31) - 1


class PositionAndMoveEncoding:
    """The encoding of positions and moves of one variant.

    ``names`` are the planes, ``actions`` is how many numbers of moves there are.
    """

    def __init__(self, compiled: CompiledVariant) -> None:
        self._compiled = compiled
        codes = [kind.code for kind in compiled.kinds]
        self._held = _kinds_in_hand(compiled)
        self.names = (
            *(f"{whose} {code}" for whose in ("own", "enemy") for code in codes),
            *(f"{whose} hand {codes[kind]}" for whose in ("own", "enemy") for kind in self._held),
            *OTHER_PLANES,
            *(("walls",) if compiled.walled else ()),
        )
        self.shape = (len(self.names), compiled.ranks, compiled.files)
        self._moves = BoardActionNumbers(compiled)
        droppable = (
            compiled.kind_and_dropped_piece_pairs if compiled.rules.drops != "no" else ((), ())
        )
        put_down = dict.fromkeys(piece - side for side in SIDES for _, piece in droppable[side])
        self._drops = {piece: at * compiled.size for at, piece in enumerate(put_down)}
        castling = self._castling_numbers_by_key()
        self._extras = self._wall_or_gate_choices_per_move()
        self._first_drop = self._moves.count + len(castling)
        self.actions = (self._first_drop + len(put_down) * compiled.size) * self._extras
        if self.actions > MOST_ACTIONS:
            message = "there are more moves than can be numbered"
            reject(RuleError, "no-actions", message, Source(compiled.variant.name, "<game>"))
        special = {
            self._special_move_key((origin, target), form): number
            for origin, target, form, number in self._moves.numbered_moves_without_nodes()
        }
        cells = engine_tables(compiled).cells
        # The numbers of the moves of a cell are found when that is laid out.
        self._numbers = reserve_array("i", len(cells.arrays["nodes"]))
        self._forms, self._last_form = reserve_array("i", self._max_forms_array_length()), 1
        self._listed: dict[tuple[int, ...], int] = {}
        self.struct = self._make_struct(sorted((special | castling).items()))
        self._arrivals: dict[int, FormsOnArrival] = {}
        cells.set_layout_callback(self._number_moves_from_square)

    def _max_forms_array_length(self) -> int:
        """Room for the numbers of all nodes by what arrives, for four sorts of captures."""
        bounds = move_bounds(self._compiled)
        forms = [1 + len(self._compiled.all_promotions(p)) for p in range(1, self._compiled.wall)]
        lists = (
            each.all_nodes * (4 + 8 * most) for each, most in zip(bounds[1:], forms, strict=True)
        )
        return min(1 + sum(lists), MAX_ITEMS)

    def _make_struct(self, special: list[tuple[int, int]]) -> Struct:
        """What the engine reads; see `Encoding` in engine.h. ``special`` are keys with numbers."""
        compiled = self._compiled
        dropped = [
            self._drops.get(piece - (piece % 2 == 0), 0) for piece in range(compiled.wall + 1)
        ]
        held_at = [
            self._held.index(kind) if kind in self._held else 0
            for kind in range(len(compiled.kinds))
        ]
        return Struct(
            ENCODING,
            {
                "planes": len(self.names),
                "hands": len(self._held),
                "drops": self._first_drop,
                "extras": self._extras,
                "specials": len(special),
            },
            {
                "numbers": self._numbers,
                "forms": self._forms,
                "dropped": array("i", dropped),
                "held": array("i", self._held),
                "held_at": array("i", held_at),
                "keys": array("q", [key for key, _ in special]),
                "named": array("i", [number for _, number in special]),
            },
        )

    def _castling_numbers_by_key(self) -> dict[int, int]:
        """The numbers of castling to files, by keys: where the piece and its partner stand."""
        compiled = self._compiled
        files = compiled.files
        if not any(compiled.partners_if_castling_to_files):
            return {}
        keys = [
            self._special_move_key((square, square - square % files + file), compiled.wall)
            for square in range(compiled.size)
            for file in range(files)
            if file != square % files
        ]
        return {key: self._moves.count + number for number, key in enumerate(keys)}

    def _special_move_key(self, origin_and_target: tuple[int, int], form: int) -> int:
        compiled = self._compiled
        return (origin_and_target[0] * compiled.size + origin_and_target[1]) * (
            compiled.wall + 1
        ) + form

    def _wall_or_gate_choices_per_move(self) -> int:
        """How many numbers each move has, by the walls that it may build, or what it may leave."""
        compiled = self._compiled
        if any(compiled.gates):
            return 1 + 2 * len(self._held)
        return compiled.size if compiled.rules.wall not in ("none", "left") else 1

    def _number_moves_from_square(self, piece: int, square: int, first_node: int) -> None:
        """Number the moves of a piece on a square, of which this is the first node."""
        compiled = self._compiled
        if piece not in self._arrivals:
            self._arrivals[piece] = FormsOnArrival(compiled, piece)
        arrivals = self._arrivals[piece]
        for section in possible_square_sections(compiled, piece, square):
            for place, end, emit in self._ends_and_contents_by_node(section, piece, square):
                kinds = [*self._moves.kinds_at_end(section, end, emit, square)]
                if kinds:
                    ways = [(kind, arrivals.forms(square, end.target, kind)) for kind in kinds]
                    self._numbers[first_node + place] = self._action_number_or_list_place(
                        piece, square, end.target, ways
                    )
            first_node += 2 * compiled.size if section.automaton else len(section.nodes)

    def _ends_and_contents_by_node(
        self, section: SquareSection, piece: int, square: int
    ) -> Iterator[tuple[int, MoveEnd, int]]:
        """The ends of a part's moves from a square: place of the node, end, what may stand there.

        The nodes of what roams are those of `add_end_nodes`.
        """
        if section.automaton is None:
            for place, (word, end) in enumerate(zip(section.nodes, section.ends, strict=True)):
                yield place, end, word & CLASS_MASK
            return
        compiled = self._compiled
        number = partial(
            square_number, compiled.file_and_rank(square), compiled.piece_geometry(piece).field
        )
        for offset, emit, takes_trail in all_move_ends(
            section.automaton, compiled.piece_geometry(piece)
        ):
            target = number(offset)
            if target >= 0 and section.room >> target & 1:
                end = MoveEnd(target, (), (), (), takes_trail)
                yield target + compiled.size * takes_trail, end, emit

    def _action_number_or_list_place(
        self,
        piece: int,
        square: int,
        target: int,
        forms_by_kind: list[tuple[MoveKind, tuple[int, ...]]],
    ) -> int:
        """The number of all moves of a node, or less than 0 the place of them among the forms."""
        second, last = piece % 2 == 0, self._compiled.size - 1
        origin, step = (last - square, square - target) if second else (square, target - square)
        parts: tuple[list[int], ...] = ([], [], [], [])
        for kind, forms in forms_by_kind:
            seen = kind.rotated() if second else kind
            for form in forms:
                number = self._moves.number(piece - second, origin, step, form - second, seen)
                parts[kind.onto + 2 * bool(kind.line)].extend((form, number))
        every = {number for part in parts for number in part[1::2]}
        if len(every) == 1:
            return every.pop()
        # Those of moves that captured on their way come last, where there are any.
        needed = parts if parts[2] or parts[3] else parts[:2]
        key = tuple(chain.from_iterable((len(part) // 2, *part) for part in needed))
        if key not in self._listed:
            place = self._listed[key] = self._last_form
            self._last_form += len(key)
            self._forms[place : self._last_form] = array("i", key)
        return -self._listed[key]

    def action_numbers(self, game_position: GamePosition) -> array[int]:
        """The numbers of the legal moves, in their order."""
        count = game_position.count_legal_moves()
        result = array("i", bytes(4 * count))
        game_position.call_engine("write_action_numbers", self.struct, 1, 1 + count, result)
        return result

    def mask(self, numbers: array[int], out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The mask of some numbers; written to ``out`` if given."""
        out = _output_array((self.actions,), "bool", out)
        out[...] = 0
        out[numbers] = 1
        return out

    def planes(self, game_position: GamePosition, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """A position in numbers; ``out`` is written to."""
        numpy = import_numpy()
        planes, ranks, files = self.shape
        # Floats of 32 bits, though it is called numbers.
        cells = array("i", bytes(4 * planes * ranks * files))
        game_position.count_legal_moves()
        game_position.call_engine("write_planes", self.struct, 1, cells)
        result: NDArray[Any] = numpy.frombuffer(cells, numpy.float32).reshape(self.shape)
        if out is None:
            return result
        out = _output_array(self.shape, "float32", out)
        out[...] = result
        return out


def _output_array(shape: tuple[int, ...], dtype: str, out: NDArray[Any] | None) -> NDArray[Any]:
    """An array of a shape, ``out`` if given."""
    if out is None:
        result: NDArray[Any] = import_numpy().empty(shape, dtype=dtype)
        return result
    if getattr(out, "shape", None) != shape:
        raise TypeError(f"what is written to must be an array of shape {shape}")
    return out


def _kinds_in_hand(compiled: CompiledVariant) -> list[int]:
    """The types of pieces that can be in hand."""
    held = {kind for kind in compiled.held if kind >= 0} if compiled.variant.has_hands else set()
    held |= {compiled.number[code] for hand in compiled.variant.hands for code, _ in hand}
    return sorted(held)


def encoding_of(compiled: CompiledVariant) -> PositionAndMoveEncoding:
    """How a game is laid out, found once; `RuleError` where its moves cannot be numbered."""
    return compiled.cached_value("encoding", lambda: PositionAndMoveEncoding(compiled))


def import_numpy() -> Any:  # noqa: ANN401 - a module
    """The package; `AlfilError` of kind "missing-extra" where it is not installed."""
    try:
        import numpy as found  # noqa: PLC0415 - an extra, loaded only when it is needed
    except ImportError:
        message, hint = "arrays need the package numpy", f"run: {INSTALL_HINT}"
        reject(AlfilError, "missing-extra", message, Source("numpy", "<arrays>"), hint=hint)
    return found
