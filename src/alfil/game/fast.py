"""The compiled body of the rules: the same moves in the same order, and the same counts, faster.

A game must be suited to it (`unsuited` says why it is not), and each side must have one royal in
the position, the other side's not open to capture.
"""

from __future__ import annotations

import ctypes
from array import array
from copy import copy
from functools import cache, partial
from typing import TYPE_CHECKING, Literal, Self, TypeAlias

from alfil.errors import RuleError, refuse
from alfil.game import core
from alfil.game.plan import Act, Plan
from alfil.game.position import Position, Undo
from alfil.game.rules import in_check
from alfil.source import Source

if TYPE_CHECKING:
    from alfil.game.arrays import Arrays, State
    from alfil.game.playing import InPython, Played

CoreName: TypeAlias = Literal["auto", "fast", "pure"]
# Work of less sequences is done before the tables of a game are laid out.
WORTH = 5_000_000
# So many sequences, as far as can be told before, are counted in one go.
PORTION = 10**9


def why_not(position: Position) -> str:
    """Why the compiled body cannot be asked about a position; empty if it can."""
    from alfil.game.arrays import unsuited

    kept = position.plan.kept
    if "unsuited" not in kept:
        kept["unsuited"] = unsuited(position.plan)
    reason: str = kept["unsuited"]
    if reason:
        return reason
    if [*map(len, position.royals)] != [1, 1] or in_check(position, 1 - position.turn):
        return "a royal piece is missing, too many, or open to capture"
    return _missing()


@cache
def _missing() -> str:
    """Why nothing compiled can be loaded, asked once; empty if it can."""
    from alfil.game.building import CoreMissing, library

    try:
        library()
    except CoreMissing as missing:
        return str(missing)
    return ""


def serves(position: Position, work: int, wanted: CoreName) -> bool:
    """Whether the compiled body is to do so much work; `RuleError` where it must but cannot."""
    if wanted == "pure" or (wanted == "auto" and work < WORTH):
        return False
    reason = why_not(position)
    if reason and wanted == "fast":
        name = position.plan.variant.name
        message = f"the compiled core does not serve here: {reason}"
        refuse(RuleError, "no-core", message, Source(name, "<game>"))
    return not reason


def arrays_of(plan: Plan) -> Arrays:
    """The arrays of a game, made once."""
    from alfil.game.arrays import Arrays

    if "arrays" not in plan.kept:
        plan.kept["arrays"] = Arrays(plan)
    found: Arrays = plan.kept["arrays"]
    return found


class Run:
    """A position in the compiled body, with room for so many lists of moves, one in the other.

    There is room to make so many moves; those of the lists unless more are asked for.
    """

    def __init__(self, position: Position, depth: int, longest: int = 0) -> None:
        from alfil.game.arrays import State
        from alfil.game.building import library

        self._library = library()
        self._settle(State(arrays_of(position.plan), position, depth, longest))

    def _settle(self, state: State) -> None:
        """Work on these arrays from now on."""
        self._state, arrays = state, state.arrays
        tables = (arrays.words, arrays.index, arrays.aims, arrays.near)
        # The core is given places in memory, so the arrays must live as long as this.
        self._arrays = (*tables, *state.changing())
        self._given = [_at(each) for each in self._arrays]

    def ask(self, function: str, *numbers: int) -> int:
        """What a function of the core answers that has all arrays."""
        given = [ctypes.c_int64(number) for number in numbers]
        answer: int = getattr(self._library, function)(*self._given, *given)
        return answer

    def legal_acts(self) -> list[Act]:
        """All legal moves, in the order of `alfil.game.legal.legal_acts`."""
        return self._state.acts(0, self.ask("generate", 0))

    def perft(self, depth: int) -> int:
        """The number of sequences of ``depth`` legal moves, 1 at least."""
        return self.ask("perft", 0, depth)

    def simulate(self, games: int, limit: int, seed: int) -> tuple[int, list[int]]:
        """Random games: the moves made, and how games ended as `core.simulate` counts it."""
        out = array("q", [0] * 6)
        moves = self.ask("simulate", games, limit, seed, _at(out).value or 0)
        return moves, list(out[:5])


# The moves of a game for which there is room at first, and whenever that is full.
ROOM = 256


class Compiled(Run):
    """A `alfil.game.playing.Played` in the compiled body, above the position it began with.

    That position, in pure Python, is left behind while moves are made, and catches up when somebody
    asks for it.
    """

    def __init__(self, below: InPython) -> None:
        super().__init__(below.position, 1, ROOM)
        self._below, self._base = below, len(below.undos)
        # The moves made since, and how they stood in the core's list.
        self._made: list[Act] = []
        self._stood: list[array[int]] = []
        self._room = ROOM

    def _settle(self, state: State) -> None:
        super()._settle(state)
        library, given, start = self._library, self._given, ctypes.c_int64(core.WIDTH)
        self._known, self._numbers = state.arrays.known, state.arrays.numbers
        self._every = state.arrays.plan.acts
        self._out = out = array("q", bytes(8 * (len(state.mv) // core.WIDTH + 2)))
        self._survey = partial(library.survey, *given, start, _at(out))
        self._go_on = partial(library.go_on, *given, start, _at(out))
        changing = (given[1], *given[4:7], given[8])
        self._unmake = partial(library.unmake, *changing, ctypes.c_int64(0))
        # The numbers of the legal moves, and the moves, when they are known.
        self._listed: list[int] | None = None
        self._acts: list[Act] | None = None

    @property
    def turn(self) -> int:
        """The side to move."""
        return self._state.st[core.SIDE]

    @property
    def undos(self) -> list[Undo]:
        """What takes back all moves made, in `position`."""
        below = self._below
        for act in self._made[len(below.undos) - self._base :]:
            below.undos.append(below.position.make(act))
        return below.undos

    @property
    def position(self) -> Position:
        """The position in pure Python."""
        _ = self.undos
        return self._below.position

    def key(self) -> int:
        """A number that is the same for the same board, hands and side to move."""
        self._list()
        return self._out[1]

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        self._list()
        return bool(self._out[0])

    def count(self) -> int:
        """How many legal moves there are."""
        return len(self._list())

    def acts(self) -> list[Act]:
        """All legal moves, in the order of `alfil.game.legal.legal_acts`."""
        if self._acts is None:
            known, listed = self._known, self._list()
            try:
                self._acts = [known[number] for number in listed]
            except KeyError:
                self._acts = [self.act(index) for index in range(len(listed))]
        return self._acts

    def act(self, index: int) -> Act:
        """One of the legal moves."""
        number = self._list()[index]
        act = self._known.get(number)
        if act is None:
            at = core.WIDTH * (index + 1)
            (act,) = self._state.acts(at, at + core.WIDTH)
            act = self._every.setdefault(act, act)
            self._known[number], self._numbers[act] = act, number
        return act

    def allows(self, act: Act) -> bool:
        """Whether a move is legal."""
        return self._numbers.get(act) in self._list() or act in self.acts()

    def loser(self, act: Act) -> None:
        """None: where the core serves, no royal can be captured."""

    def make(self, act: Act) -> Played:
        """Make a legal move; what the game goes on with."""
        listed = self._list()
        try:
            index = listed.index(self._numbers[act])
        except (KeyError, ValueError):
            # A move that two ways lead to has several numbers.
            index = self.acts().index(act)
        at = core.WIDTH * (index + 1)
        if len(self._made) == self._room:
            self._state.make_room(ROOM)
            self._room += ROOM
            self._settle(self._state)
        self._made.append(act)
        self._stood.append(self._state.mv[at : at + core.WIDTH])
        number = self._go_on(ctypes.c_int64(at))
        self._listed, self._acts = self._out[2 : number + 2].tolist(), None
        return self

    def unmake(self) -> Played:
        """Take the last move back; what the game goes on with."""
        if not self._made:
            return self._below.unmake()
        if len(self._below.undos) - self._base == len(self._made):
            self._below.unmake()
        self._made.pop()
        self._state.mv[: core.WIDTH] = self._stood.pop()
        self._unmake()
        self._listed = self._acts = None
        return self

    def copy(self) -> Self:
        """The same with a position of its own."""
        other = copy(self)
        other._below, other._made, other._stood = self._below.copy(), self._made[:], self._stood[:]
        other._settle(self._state.copy())
        return other

    def _list(self) -> list[int]:
        """The numbers of the legal moves; they stand in the core's list then."""
        if self._listed is None:
            self._listed = self._out[2 : self._survey() + 2].tolist()
        return self._listed


def _at(numbers: array[int]) -> ctypes.c_void_p:
    return ctypes.c_void_p(numbers.buffer_info()[0])


def perft(position: Position, depth: int) -> int:
    """The number of sequences of ``depth`` legal moves, 1 at least.

    Nothing reaches Python while the core works, a key that stops it neither, so long work is given
    out in portions.
    """
    run = Run(position, depth)
    acts = run.legal_acts() if depth > 1 else []
    if len(acts) ** depth <= PORTION:
        return run.perft(depth)
    return sum(divide(position, acts, depth))


def divide(position: Position, acts: list[Act], depth: int) -> list[int]:
    """`perft`, for each of these moves."""
    counts = []
    for act in acts:
        undo = position.make(act)
        counts.append(perft(position, depth - 1) if depth > 1 else 1)
        position.unmake(undo)
    return counts
