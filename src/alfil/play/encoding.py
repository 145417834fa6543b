"""Positions and moves of a game as numpy arrays, for programs that learn; see docs/learning.md.

Everything is as the side to move sees it: the board is turned so that it moves up, its own pieces
come first, and a move has the same number for both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from alfil.errors import AlfilError, RuleError, reject
from alfil.game.attack_lines import EMPTY_CLASSES, PIECE_CLASSES
from alfil.game.compiled_variant import (
    CACHED_MOVES,
    DROPPED,
    BoundedCache,
    CompiledVariant,
    EngineMove,
)
from alfil.game.patches import End, Patch
from alfil.game.position import Position
from alfil.game.sfen import castling_partners
from alfil.game.variant import Region
from alfil.source import Source
from alfil.tables.board_context import OUTSIDE
from alfil.tables.table import CLASS_MASK

if TYPE_CHECKING:
    from numpy.typing import NDArray

INSTALL_HINT = "pip install 'alfil[numpy]'"
# Planes after those of pieces and hands.
OTHER_CAPTURES = ("unmoved", "en passant", "repeated", "second side")
# How a way may be odd.
CASTLING, PASSANT = 1, 2


class MoveVariant(NamedTuple):
    """What distinguishes moves with the same piece, origin, target and promotion.

    ``onto`` is whether a piece stands on the last square, ``others`` what is captured elsewhere,
    ``trail`` the squares on which the piece may then be captured. ``odd`` is 1 for castling, and 2
    for a capture en passant, of which only the square of the piece taken is not told.
    """

    onto: bool
    others: tuple[int, ...]
    trail: tuple[int, ...]
    odd: int


class Encoding:
    """The encoding of positions and moves of one variant.

    ``names`` are the planes, ``actions`` is how many numbers of moves there are.
    """

    def __init__(self, compiled: CompiledVariant) -> None:
        self._compiled = compiled
        if (
            compiled.special
            or any(compiled.castling_partners)
            or any(_is_lopsided(compiled, each) for each in compiled.variant.regions)
        ):
            message = "moves that change other squares, or differ by side, cannot be numbered"
            reject(RuleError, "no-actions", message, Source(compiled.variant.name, "<game>"))
        codes = [kind.code for kind in compiled.kinds]
        held = {kind for kind in compiled.held if kind >= 0} if compiled.has_hands else set()
        held |= {compiled.number[code] for hand in compiled.variant.hands for code, _ in hand}
        self._held = sorted(held)
        self.names = (
            *(f"{whose} {code}" for whose in ("own", "enemy") for code in codes),
            *(f"{whose} hand {codes[kind]}" for whose in ("own", "enemy") for kind in self._held),
            *OTHER_CAPTURES,
        )
        self.shape = (len(self.names), compiled.ranks, compiled.files)
        # By piece, square and form: the ways, in their order.
        self._ways: dict[tuple[int, int, int, int], list[MoveVariant]] = {}
        for kind in range(len(codes)):
            self._add_moves(1 + 2 * kind)
        places = {
            (origin, target, form if form != piece else 0, rank)
            for (piece, origin, target, form), ways in self._ways.items()
            for onto in (False, True)
            for rank in range(sum(way.onto == onto for way in ways))
        }
        self._places = {place: number for number, place in enumerate(sorted(places))}
        droppable = compiled.droppable[0] if compiled.rules.drops != "no" else []
        put_down = dict.fromkeys(piece for _, piece in droppable)
        self._drops = {piece: at * compiled.size for at, piece in enumerate(put_down)}
        self.actions = len(places) + len(put_down) * compiled.size
        self._known: BoundedCache[EngineMove, int] = BoundedCache(CACHED_MOVES)

    def _add_moves(self, piece: int) -> None:
        """Note all ways in which a piece of the first player may ever go."""
        compiled, ways = self._compiled, self._ways
        for square in range(compiled.size):
            for patch in compiled.square_moves(piece, square):
                self._check_unsupported(piece, patch)
                for word, end in zip(patch.nodes, patch.ends, strict=True):
                    for way in _move_variants(patch, end, word & CLASS_MASK, square):
                        captures = way.onto or bool(way.others) or way.odd == PASSANT
                        for form in compiled.promotions(
                            piece, square, end.target, captures=captures
                        ):
                            ways.setdefault((piece, square, end.target, form), []).append(way)
        for key, result in ways.items():
            if key[0] == piece:
                ways[key] = sorted(set(result))

    def _check_unsupported(self, piece: int, patch: Patch) -> None:
        # What stands on several squares makes the squares of captures on the way uncertain.
        bodies = self._compiled.has_large_pieces.any and any(end.captures for end in patch.ends)
        if bodies or patch.automaton is not None or any(end.on_trail for end in patch.ends):
            kind = self._compiled.kinds[(piece - 1) >> 1]
            message = f"{kind.code} ({kind.name}) may go in more ways than can be numbered"
            reject(RuleError, "no-actions", message, Source(self._compiled.variant.name, "<game>"))

    def action(self, act: EngineMove) -> int:
        """The number of a move that may be legal somewhere."""
        result = self._known.get(act)
        if result is None:
            result = self._known[act] = self._action_of(act)
        return result

    def _action_of(self, act: EngineMove) -> int:
        second = act.piece % 2 == 0
        turned = self._compiled.size - 1 if second else 0
        piece, form = act.piece - second, act.becomes - second
        origin, target = abs(turned - act.origin), abs(turned - act.target)
        if act.origin < 0:
            return len(self._places) + self._drops[piece] + target
        ways = self._ways[piece, origin, target, form]
        captures = tuple(sorted({abs(turned - at) for at in act.captures} - {target}))
        trail = tuple(abs(turned - at) for at in act.ep_squares)
        onto = act.target in act.captures
        if self._compiled.has_large_pieces.any:
            # All is captured on the last square, by whatever squares it is named.
            onto, captures = bool(act.captures), ()
        way = MoveVariant(onto, captures, trail, CASTLING * bool(act.partner))
        if way not in ways:
            # What is taken en passant may stand on several squares; the rest is told.
            way = next(
                each for each in ways if each.odd == PASSANT and set(each.others) < set(captures)
            )
        rank = sum(each.onto == way.onto for each in ways[: ways.index(way)])
        return self._places[origin, target, form if form != piece else 0, rank]

    def mask(self, acts: Iterable[EngineMove], out: NDArray[Any] | None = None) -> NDArray[Any]:
        """The mask of the action numbers of some moves; written to ``out`` if given."""
        out = _zeros((self.actions,), "bool", out)
        out[[self.action(act) for act in acts]] = 1
        return out

    def planes(
        self, position: Position, repeated: int, out: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """A position that stood on the board so many times before; ``out`` is written to."""
        out = _zeros(self.shape, "float32", out)
        compiled, side = position.compiled, position.turn
        kinds, files = len(compiled.kinds), compiled.files
        turned = compiled.size - 1 if side else 0
        marked = [
            (((piece - 1) >> 1) + kinds * ((piece - 1 - side) & 1), cell)
            for square, piece in position.pieces
            for cell in compiled.has_large_pieces.cells(piece, square)
        ]
        first = 2 * kinds + 2 * len(self._held)
        marked += [(first, square) for square in _unmoved(position)]
        marked += [(first + 1, square) for square in position.trail]
        planes, squares = zip(*marked, strict=True) if marked else ((), ())
        seen = [abs(turned - square) for square in squares]
        out[list(planes), [at // files for at in seen], [at % files for at in seen]] = 1
        hands = (position.hands[side], position.hands[1 - side])
        counts = [hand[kind] for hand in hands for kind in self._held]
        for plane, count in enumerate([*counts, 0, 0, repeated, side], 2 * kinds):
            if count:
                out[plane] = count
        return out


def _zeros(shape: tuple[int, ...], numbers: str, out: NDArray[Any] | None) -> NDArray[Any]:
    """An array of zeros, ``out`` if given."""
    if out is None:
        result: NDArray[Any] = import_numpy().zeros(shape, dtype=numbers)
        return result
    if getattr(out, "shape", None) != shape:
        raise TypeError(f"what is written to must be an array of shape {shape}")
    out[...] = 0
    return out


def _move_variants(patch: Patch, end: End, emit: int, square: int) -> Iterator[MoveVariant]:
    """The ways in which a move may end by a node, whatever stands on its last square."""
    others = tuple(sorted(set(end.captures) - {end.target}))
    if emit & PIECE_CLASSES and end.target != square:
        yield MoveVariant(onto=True, others=others, trail=(), odd=0)
    if emit & EMPTY_CLASSES and end.takes_trail:
        yield MoveVariant(onto=False, others=others, trail=(), odd=PASSANT)
    elif emit & (EMPTY_CLASSES | OUTSIDE) or (emit and end.target == square):
        trail = end.passed if patch.leaves_trail else ()
        yield MoveVariant(onto=False, others=others, trail=trail, odd=CASTLING * bool(patch.castle))


def _unmoved(position: Position) -> Iterator[int]:
    """The squares of pieces that may do what only unmoved ones may, or castle."""
    compiled, made = position.compiled, position.made
    for square, piece in position.pieces if compiled.needs_move_counts else ():
        if made[square] in {0, DROPPED}:
            if compiled.move_count_limits[piece]:
                yield square
            if compiled.castle_insets[piece] and made[square] == 0:
                ready = [each for each in castling_partners(position, square) if made[each] == 0]
                yield from [square, *ready] if ready else ()


def encoding_of(compiled: CompiledVariant) -> Encoding:
    """How a game is laid out, found once; `RuleError` where its moves cannot be numbered."""
    if "encoding" not in compiled.cache:
        compiled.cache["encoding"] = Encoding(compiled)
    result: Encoding = compiled.cache["encoding"]
    return result


def import_numpy() -> Any:  # noqa: ANN401 - a module
    """The package; `AlfilError` of kind "missing-extra" where it is not installed."""
    try:
        import numpy as found  # noqa: PLC0415 - an extra, loaded only when it is needed
    except ImportError:
        message, hint = "arrays need the package numpy", f"run: {INSTALL_HINT}"
        reject(AlfilError, "missing-extra", message, Source("numpy", "<arrays>"), hint=hint)
    return found


def _is_lopsided(compiled: CompiledVariant, region: Region) -> bool:
    """Whether a region is not the same for the second side, turned by half."""
    last = compiled.files - 1, compiled.ranks - 1
    first, second = region.squares
    return second != {(last[0] - x, last[1] - y) for x, y in first}
