"""Positions and moves of a game in numbers, for programs that learn; see docs/learning.md.

Everything is as the side to move sees it: the board is turned so that it moves up, its own pieces
come first, and a move has the same number for both sides. The moves are numbered here, once for a
game; src/alfil/engine/environment.c reads the numbers off the nodes of its tables.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from alfil.errors import AlfilError, RuleError, reject
from alfil.game.attack_lines import EMPTY_CLASSES, PIECE_CLASSES
from alfil.game.compiled_variant import SIDES, CompiledVariant
from alfil.game.engine_interface import ENCODING, Struct
from alfil.game.engine_position import engine_tables
from alfil.game.engine_structs import EngineTables
from alfil.game.game_position import GamePosition
from alfil.game.move_layout import possible_square_sections
from alfil.game.square_sections import MoveEnd, SquareSection
from alfil.source import Source
from alfil.tables.board_context import OFF_BOARD_CLASS
from alfil.tables.move_table import CLASS_MASK

if TYPE_CHECKING:
    from numpy.typing import NDArray

INSTALL_HINT = "pip install 'alfil[numpy]'"
# Planes after those of pieces and hands; in games with walls there is one more.
OTHER_PLANES = ("unmoved", "en passant", "repeated", "second side")
# How a move may be odd: by castling, or by a capture en passant.
CASTLING_MOVE, EN_PASSANT_CAPTURE = 1, 2
# The numbers of moves have 31 bits.
MOST_ACTIONS = (1 << 31) - 1


class MoveKind(NamedTuple):
    """What distinguishes moves with the same piece, origin, target and promotion.

    ``onto`` is whether something is captured on the last square, ``others`` what is captured
    elsewhere, ``trail`` the squares on which the piece may then be captured. ``odd`` is 1 for
    castling, and 2 for a capture en passant, of which only the square of the piece taken is not
    told.
    """

    onto: bool
    others: tuple[int, ...] = ()
    trail: tuple[int, ...] = ()
    odd: int = 0


# What nearly all nodes make: the move captures on its last square, or nothing.
_CAPTURE, _QUIET = MoveKind(onto=True), MoveKind(onto=False)


class _NodeAction(NamedTuple):
    """What a node makes: its variants, the way as the mover sees it, and the forms that arrive."""

    node: int
    way: tuple[int, int]
    variants: tuple[MoveKind, ...]
    forms: tuple[tuple[int, ...], ...]


class Encoding:
    """The encoding of positions and moves of one variant.

    ``names`` are the planes, ``actions`` is how many numbers of moves there are.
    """

    def __init__(self, compiled: CompiledVariant) -> None:
        self._compiled, self._tables = compiled, engine_tables(compiled)
        codes = [kind.code for kind in compiled.kinds]
        self._held = _kinds_in_hand(compiled)
        self.names = (
            *(f"{whose} {code}" for whose in ("own", "enemy") for code in codes),
            *(f"{whose} hand {codes[kind]}" for whose in ("own", "enemy") for kind in self._held),
            *OTHER_PLANES,
            *(("walls",) if compiled.walled else ()),
        )
        self.shape = (len(self.names), compiled.ranks, compiled.files)
        ways = {piece: [*self._node_actions(piece)] for piece in range(1, compiled.wall)}
        self._places = self._number_actions(ways)
        droppable = compiled.droppable if compiled.rules.drops != "no" else ((), ())
        put_down = dict.fromkeys(piece - side for side in SIDES for _, piece in droppable[side])
        self._drops = {piece: at * compiled.size for at, piece in enumerate(put_down)}
        castling = self._castling_move_keys()
        self._extras = self._count_wall_and_gate_choices()
        drops = len(self._places) + len(castling)
        self.actions = (drops + len(put_down) * compiled.size) * self._extras
        if self.actions > MOST_ACTIONS:
            _reject(compiled, "there are more moves than can be numbered")
        special = sorted(self._special_move_keys() | castling.items())
        self.struct = Struct(
            ENCODING,
            {
                "planes": len(self.names),
                "hands": len(self._held),
                "drops": drops,
                "extras": self._extras,
                "specials": len(special),
            },
            self._lay_out(ways, self._tables)
            | {
                "keys": array("q", [key for key, _ in special]),
                "named": array("i", [number for _, number in special]),
            },
        )

    def _square_from_side(self, square: int, piece: int) -> int:
        """A square as the side of a piece sees it."""
        return square if piece % 2 else self._compiled.size - 1 - square

    def _node_actions(self, piece: int) -> Iterator[_NodeAction]:
        """All that the nodes of a piece make, on every square."""
        compiled, cells = self._compiled, self._tables.cells
        size, odd = compiled.size, piece % 2 == 0
        for square in range(size):
            node = cells.lay_out(piece * size + square)
            for patch in possible_square_sections(compiled, piece, square):
                self._check_unsupported(piece, patch)
                for number, (word, end) in enumerate(zip(patch.nodes, patch.ends, strict=True)):
                    variants = tuple(_move_kinds_at_end(patch, end, word & CLASS_MASK, square))
                    if variants:
                        yield _NodeAction(
                            node + number,
                            (
                                self._square_from_side(square, piece),
                                self._square_from_side(end.target, piece),
                            ),
                            tuple(map(self._move_kind_from_side, variants)) if odd else variants,
                            tuple(
                                [
                                    self._arriving_pieces(piece, square, end, each)
                                    for each in variants
                                ]
                            ),
                        )
                node += len(patch.nodes)

    def _move_kind_from_side(self, variant: MoveKind) -> MoveKind:
        """A variant of the second side's as that sees it."""
        if not (variant.others or variant.trail):
            return variant
        last = self._compiled.size - 1
        others = tuple(sorted(last - square for square in variant.others))
        return variant._replace(others=others, trail=tuple(last - each for each in variant.trail))

    def _arriving_pieces(
        self, piece: int, square: int, end: MoveEnd, variant: MoveKind
    ) -> tuple[int, ...]:
        """The pieces that may arrive, as pieces of the first side."""
        compiled = self._compiled
        captures = variant.onto or bool(variant.others) or variant.odd == EN_PASSANT_CAPTURE
        forms = compiled.promotions(piece, square, end.target, captures=captures)
        if compiled.burning and not captures:
            # What burns others captures.
            more = compiled.promotions(piece, square, end.target, captures=True)
            forms = tuple(dict.fromkeys((*forms, *more)))
        if captures:
            forms = tuple(dict.fromkeys((*forms, *compiled.contagion_forms(piece))))
        return forms if piece % 2 else tuple(form - 1 for form in forms)

    def _check_unsupported(self, piece: int, patch: SquareSection) -> None:
        # What stands on several squares makes the squares of captures on the way uncertain.
        bodies = self._compiled.footprints.any and any(end.captures for end in patch.ends)
        if bodies or patch.automaton is not None or any(end.on_trail for end in patch.ends):
            kind = self._compiled.kinds[(piece - 1) >> 1]
            message = f"{kind.code} ({kind.name}) may go in more ways than can be numbered"
            _reject(self._compiled, message)

    def _number_actions(
        self, ways: dict[int, list[_NodeAction]]
    ) -> dict[tuple[int, int, int, int], int]:
        """The numbers of moves with a start: by that, target, form, and the rank of a variant.

        Variants of which one captures on the last square and one does not are never legal at once.
        """
        self._variants: dict[tuple[int, int, int, int], list[MoveKind]] = {}
        for piece, found in ways.items():
            own = piece - (piece % 2 == 0)
            for each in found:
                for variant, forms in zip(each.variants, each.forms, strict=True):
                    for form in forms:
                        known = self._variants.setdefault((own, *each.way, form), [])
                        if variant not in known:
                            known.append(variant)
        places = {
            self._action_key(own, way, form, 0) for own, way, form in self._moves_without_nodes()
        }
        for (own, origin, target, form), known in self._variants.items():
            known.sort()
            for variant in known:
                places.add(
                    self._action_key(
                        own, (origin, target), form, _index_among_like_captures(known, variant)
                    )
                )
        return {place: number for number, place in enumerate(sorted(places))}

    @staticmethod
    def _action_key(
        own: int, way: tuple[int, int], form: int, rank: int
    ) -> tuple[int, int, int, int]:
        return (*way, form if form != own else 0, rank)

    def _moves_without_nodes(self) -> Iterator[tuple[int, tuple[int, int], int]]:
        """Moves that no node makes: passes of who is stuck, and promotions that are moves."""
        compiled = self._compiled
        for piece in range(1, compiled.wall, 2):
            for square in range(compiled.size):
                if compiled.rules.passes == "stuck":
                    yield piece, (square, square), piece
                for form in (
                    compiled.all_promotions(piece) if compiled.promotes_by_own_moves[piece] else ()
                ):
                    ends = {square} | {
                        end.target
                        for patch in compiled.square_moves(form, square)
                        for end in patch.ends
                    }
                    yield from ((piece, (square, end), form) for end in sorted(ends))

    def _special_move_keys(self) -> set[tuple[int, int]]:
        """The moves that no node makes by their keys, with their numbers."""
        return {
            (self._special_move_key(way, form), self._places[self._action_key(own, way, form, 0)])
            for own, way, form in self._moves_without_nodes()
        }

    def _castling_move_keys(self) -> dict[int, int]:
        """The numbers of castling to files, by keys: where the piece and its partner stand."""
        compiled = self._compiled
        files = compiled.files
        if not any(compiled.castling_partners):
            return {}
        keys = [
            self._special_move_key((square, square - square % files + file), compiled.wall)
            for square in range(compiled.size)
            for file in range(files)
            if file != square % files
        ]
        return {key: len(self._places) + number for number, key in enumerate(keys)}

    def _special_move_key(self, way: tuple[int, int], form: int) -> int:
        compiled = self._compiled
        return (way[0] * compiled.size + way[1]) * (compiled.wall + 1) + form

    def _count_wall_and_gate_choices(self) -> int:
        """How many numbers each move has, by the walls that it may build, or what it may leave."""
        compiled = self._compiled
        if any(compiled.gates):
            return 1 + 2 * len(self._held)
        return compiled.size if compiled.rules.wall not in ("none", "left") else 1

    def _lay_out(
        self, ways: dict[int, list[_NodeAction]], tables: EngineTables
    ) -> dict[str, array[int]]:
        """The numbers as the engine reads them; see `Encoding` in engine.h."""
        compiled = self._compiled
        numbers, forms = array("i", [0]) * tables.cells.behind, array("i", [0])
        listed: dict[tuple[int, ...], int] = {}
        for piece, found in ways.items():
            for each in found:
                numbers[each.node] = self._node_number(piece, each, forms, listed)
        dropped = [
            self._drops.get(piece - (piece % 2 == 0), 0) for piece in range(compiled.wall + 1)
        ]
        held_at = [
            self._held.index(kind) if kind in self._held else 0
            for kind in range(len(compiled.kinds))
        ]
        return {
            "numbers": numbers,
            "forms": forms,
            "dropped": array("i", dropped),
            "held": array("i", self._held),
            "held_at": array("i", held_at),
        }

    def _node_number(
        self, piece: int, way: _NodeAction, forms: array[int], listed: dict[tuple[int, ...], int]
    ) -> int:
        """The number of all moves of a node, or less than 0 the place of them among the forms."""
        second = piece % 2 == 0
        own = piece - second
        parts: tuple[list[int], list[int]] = ([], [])
        for variant, arriving in zip(way.variants, way.forms, strict=True):
            for form in arriving:
                rank = _index_among_like_captures(self._variants[own, *way.way, form], variant)
                number = self._places[self._action_key(own, way.way, form, rank)]
                parts[variant.onto].extend((form + second, number))
        every = {number for part in parts for number in part[1::2]}
        if len(every) == 1:
            return every.pop()
        key = (len(parts[0]) // 2, *parts[0], len(parts[1]) // 2, *parts[1])
        if key not in listed:
            listed[key] = len(forms)
            forms.extend(key)
        return -listed[key]

    def action_numbers(self, played: GamePosition) -> array[int]:
        """The numbers of the legal moves, in their order."""
        count = played.count_legal_moves()
        result = array("i", bytes(4 * count))
        played.call_engine("number_moves", self.struct, 1, 1 + count, result)
        return result

    def mask(self, numbers: array[int], out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The mask of some numbers; written to ``out`` if given."""
        out = _require_shape((self.actions,), "bool", out)
        out[...] = 0
        out[numbers] = 1
        return out

    def planes(self, played: GamePosition, out: NDArray[Any] | None = None) -> NDArray[Any]:
        """A position in numbers; ``out`` is written to."""
        numpy = import_numpy()
        planes, ranks, files = self.shape
        # Floats of 32 bits, though it is called numbers.
        cells = array("i", bytes(4 * planes * ranks * files))
        played.count_legal_moves()
        played.call_engine("write_planes", self.struct, 1, cells)
        result: NDArray[Any] = numpy.frombuffer(cells, numpy.float32).reshape(self.shape)
        if out is None:
            return result
        out = _require_shape(self.shape, "float32", out)
        out[...] = result
        return out


def _require_shape(shape: tuple[int, ...], numbers: str, out: NDArray[Any] | None) -> NDArray[Any]:
    """An array of a shape, ``out`` if given."""
    if out is None:
        result: NDArray[Any] = import_numpy().empty(shape, dtype=numbers)
        return result
    if getattr(out, "shape", None) != shape:
        raise TypeError(f"what is written to must be an array of shape {shape}")
    return out


def _kinds_in_hand(compiled: CompiledVariant) -> list[int]:
    """The types of pieces that can be in hand."""
    held = {kind for kind in compiled.held if kind >= 0} if compiled.has_hands else set()
    held |= {compiled.number[code] for hand in compiled.variant.hands for code, _ in hand}
    return sorted(held)


def _index_among_like_captures(known: list[MoveKind], variant: MoveKind) -> int:
    """The how manieth a variant is of those that capture on the last square, or do not."""
    return sum(each.onto == variant.onto for each in known[: known.index(variant)])


def _move_kinds_at_end(
    patch: SquareSection, end: MoveEnd, emit: int, square: int
) -> Iterator[MoveKind]:
    """The ways in which a move may end by a node, whatever stands on its last square."""
    others = tuple(sorted({*end.captures} - {end.target})) if end.captures else ()
    if emit & PIECE_CLASSES and end.target != square:
        yield MoveKind(onto=True, others=others) if others else _CAPTURE
    if emit & EMPTY_CLASSES and end.takes_trail:
        yield MoveKind(onto=False, others=others, odd=EN_PASSANT_CAPTURE)
    elif emit & (EMPTY_CLASSES | OFF_BOARD_CLASS) or (emit and end.target == square):
        trail = end.passed if patch.leaves_trail else ()
        odd = CASTLING_MOVE * bool(patch.castle)
        plain = not (others or trail or odd)
        yield _QUIET if plain else MoveKind(onto=False, others=others, trail=trail, odd=odd)


def encoding_of(compiled: CompiledVariant) -> Encoding:
    """How a game is laid out, found once; `RuleError` where its moves cannot be numbered."""
    return compiled.cached_value("encoding", lambda: Encoding(compiled))


def import_numpy() -> Any:  # noqa: ANN401 - a module
    """The package; `AlfilError` of kind "missing-extra" where it is not installed."""
    try:
        import numpy as found  # noqa: PLC0415 - an extra, loaded only when it is needed
    except ImportError:
        message, hint = "arrays need the package numpy", f"run: {INSTALL_HINT}"
        reject(AlfilError, "missing-extra", message, Source("numpy", "<arrays>"), hint=hint)
    return found


def _reject(compiled: CompiledVariant, message: str) -> None:
    reject(RuleError, "no-actions", message, Source(compiled.variant.name, "<game>"))
