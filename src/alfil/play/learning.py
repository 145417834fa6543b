"""Positions and moves of a game as numpy arrays, for programs that learn; see docs/learning.md.

Everything is as the side to move sees it: the board is turned so that it moves up, its own pieces
come first, and a move has the same number for both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from alfil.errors import AlfilError, RuleError, refuse
from alfil.game.lines import FREE, PIECES
from alfil.game.patches import End, Patch
from alfil.game.plan import DROPPED, MOVES_KEPT, Act, Bounded, Plan
from alfil.game.position import Position
from alfil.game.text import partners
from alfil.game.variant import Region
from alfil.source import Source
from alfil.tables.scene import OUTSIDE
from alfil.tables.table import CLASS_MASK

if TYPE_CHECKING:
    from numpy.typing import NDArray

INSTALL = "pip install 'alfil[numpy]'"
# Planes after those of pieces and hands.
OTHERS = ("unmoved", "en passant", "repeated", "second side")
# How a way may be odd.
CASTLING, PASSANT = 1, 2


class Way(NamedTuple):
    """What tells apart moves of one piece from a square to another that arrive as the same.

    ``onto`` is whether a piece stands on the last square, ``others`` what is captured elsewhere,
    ``trail`` the squares on which the piece may then be captured. ``odd`` is 1 for castling, and 2
    for a capture en passant, of which only the square of the piece taken is not told.
    """

    onto: bool
    others: tuple[int, ...]
    trail: tuple[int, ...]
    odd: int


class Encoding:
    """How positions and moves of one game are laid out.

    ``names`` are the planes, ``actions`` is how many numbers of moves there are.
    """

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        if (
            plan.special
            or any(plan.partners)
            or any(_is_lopsided(plan, each) for each in plan.variant.regions)
        ):
            message = "moves that change other squares, or differ by side, cannot be numbered"
            refuse(RuleError, "no-actions", message, Source(plan.variant.name, "<game>"))
        codes = [kind.code for kind in plan.kinds]
        held = {kind for kind in plan.held if kind >= 0} if plan.has_hands else set()
        held |= {plan.number[code] for hand in plan.variant.hands for code, _ in hand}
        self._held = sorted(held)
        self.names = (
            *(f"{whose} {code}" for whose in ("own", "enemy") for code in codes),
            *(f"{whose} hand {codes[kind]}" for whose in ("own", "enemy") for kind in self._held),
            *OTHERS,
        )
        self.shape = (len(self.names), plan.ranks, plan.files)
        # By piece, square and form: the ways, in their order.
        self._ways: dict[tuple[int, int, int, int], list[Way]] = {}
        for kind in range(len(codes)):
            self._note(1 + 2 * kind)
        places = {
            (origin, target, form if form != piece else 0, rank)
            for (piece, origin, target, form), ways in self._ways.items()
            for onto in (False, True)
            for rank in range(sum(way.onto == onto for way in ways))
        }
        self._places = {place: number for number, place in enumerate(sorted(places))}
        droppable = plan.droppable[0] if plan.rules.drops != "no" else []
        put_down = dict.fromkeys(piece for _, piece in droppable)
        self._drops = {piece: at * plan.size for at, piece in enumerate(put_down)}
        self.actions = len(places) + len(put_down) * plan.size
        self._known: Bounded[Act, int] = Bounded(MOVES_KEPT)

    def _note(self, piece: int) -> None:
        """Note all ways in which a piece of the first side may ever go."""
        plan, ways = self._plan, self._ways
        for square in range(plan.size):
            for patch in plan.patches(piece, square):
                self._check(piece, patch)
                for word, end in zip(patch.nodes, patch.ends, strict=True):
                    for way in _ways(patch, end, word & CLASS_MASK, square):
                        captures = way.onto or bool(way.others) or way.odd == PASSANT
                        for form in plan.becomes(piece, square, end.target, captures=captures):
                            ways.setdefault((piece, square, end.target, form), []).append(way)
        for key, found in ways.items():
            if key[0] == piece:
                ways[key] = sorted(set(found))

    def _check(self, piece: int, patch: Patch) -> None:
        # What stands on several squares makes the squares of captures on the way uncertain.
        bodies = self._plan.bodies.any and any(end.captures for end in patch.ends)
        if bodies or patch.automaton is not None or any(end.on_trail for end in patch.ends):
            kind = self._plan.kinds[(piece - 1) >> 1]
            message = f"{kind.code} ({kind.name}) may go in more ways than can be numbered"
            refuse(RuleError, "no-actions", message, Source(self._plan.variant.name, "<game>"))

    def action(self, act: Act) -> int:
        """The number of a move that may be legal somewhere."""
        found = self._known.get(act)
        if found is None:
            found = self._known[act] = self._number(act)
        return found

    def _number(self, act: Act) -> int:
        second = act.piece % 2 == 0
        turned = self._plan.size - 1 if second else 0
        piece, form = act.piece - second, act.becomes - second
        origin, target = abs(turned - act.origin), abs(turned - act.target)
        if act.origin < 0:
            return len(self._places) + self._drops[piece] + target
        ways = self._ways[piece, origin, target, form]
        captures = tuple(sorted({abs(turned - at) for at in act.captures} - {target}))
        trail = tuple(abs(turned - at) for at in act.trail)
        onto = act.target in act.captures
        if self._plan.bodies.any:
            # All is captured on the last square, by whatever squares it is named.
            onto, captures = bool(act.captures), ()
        way = Way(onto, captures, trail, CASTLING * bool(act.partner))
        if way not in ways:
            # What is taken en passant may stand on several squares; the rest is told.
            way = next(
                each for each in ways if each.odd == PASSANT and set(each.others) < set(captures)
            )
        rank = sum(each.onto == way.onto for each in ways[: ways.index(way)])
        return self._places[origin, target, form if form != piece else 0, rank]

    def mask(self, acts: Iterable[Act], out: NDArray[Any] | None = None) -> NDArray[Any]:
        """Which numbers of moves are those of some moves; ``out`` is written to if given."""
        out = _room((self.actions,), "bool", out)
        out[[self.action(act) for act in acts]] = 1
        return out

    def planes(
        self, position: Position, repeated: int, out: NDArray[Any] | None = None
    ) -> NDArray[Any]:
        """A position that stood on the board so many times before; ``out`` is written to."""
        out = _room(self.shape, "float32", out)
        plan, side = position.plan, position.turn
        kinds, files = len(plan.kinds), plan.files
        turned = plan.size - 1 if side else 0
        marked = [
            (((piece - 1) >> 1) + kinds * ((piece - 1 - side) & 1), cell)
            for square, piece in position.standing
            for cell in plan.bodies.cells(piece, square)
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


def _room(shape: tuple[int, ...], numbers: str, out: NDArray[Any] | None) -> NDArray[Any]:
    """An array of zeros, the one given if there is one."""
    if out is None:
        found: NDArray[Any] = numpy().zeros(shape, dtype=numbers)
        return found
    if getattr(out, "shape", None) != shape:
        raise TypeError(f"what is written to must be an array of shape {shape}")
    out[...] = 0
    return out


def _ways(patch: Patch, end: End, emit: int, square: int) -> Iterator[Way]:
    """The ways in which a move may end by a node, whatever stands on its last square."""
    others = tuple(sorted(set(end.captures) - {end.target}))
    if emit & PIECES and end.target != square:
        yield Way(onto=True, others=others, trail=(), odd=0)
    if emit & FREE and end.takes_trail:
        yield Way(onto=False, others=others, trail=(), odd=PASSANT)
    elif emit & (FREE | OUTSIDE) or (emit and end.target == square):
        trail = end.passed if patch.leaves_trail else ()
        yield Way(onto=False, others=others, trail=trail, odd=CASTLING * bool(patch.castle))


def _unmoved(position: Position) -> Iterator[int]:
    """The squares of pieces that may do what only unmoved ones may, or castle."""
    plan, made = position.plan, position.made
    for square, piece in position.standing if plan.remembers else ():
        if made[square] in {0, DROPPED}:
            if plan.count_limits[piece]:
                yield square
            if plan.castle_insets[piece] and made[square] == 0:
                ready = [each for each in partners(position, square) if made[each] == 0]
                yield from [square, *ready] if ready else ()


def encoding_of(plan: Plan) -> Encoding:
    """How a game is laid out, found once; `RuleError` where its moves cannot be numbered."""
    if "encoding" not in plan.kept:
        plan.kept["encoding"] = Encoding(plan)
    found: Encoding = plan.kept["encoding"]
    return found


def numpy() -> Any:  # noqa: ANN401 - a module
    """The package; `AlfilError` of kind "missing-extra" where it is not installed."""
    try:
        import numpy as found  # noqa: PLC0415 - an extra, loaded only when it is needed
    except ImportError:
        message, hint = "arrays need the package numpy", f"run: {INSTALL}"
        refuse(AlfilError, "missing-extra", message, Source("numpy", "<arrays>"), hint=hint)
    return found


def _is_lopsided(plan: Plan, region: Region) -> bool:
    """Whether a region is not the same for the second side, turned by half."""
    last = plan.files - 1, plan.ranks - 1
    first, second = region.squares
    return second != {(last[0] - x, last[1] - y) for x, y in first}
