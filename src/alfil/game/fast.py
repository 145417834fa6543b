"""The compiled body of the rules: the same moves in the same order, and the same counts, faster.

A game must be suited to it (`unserved` says why it is not). Where each side has one plain royal
that is not open to capture, it marks what that depends on; elsewhere it judges moves one by one.
"""

from __future__ import annotations

from array import array
from functools import cache
from typing import TYPE_CHECKING, Literal, NoReturn, TypeAlias, get_args

from alfil.errors import RuleError, refuse
from alfil.game.plan import Act, Plan
from alfil.game.position import Position
from alfil.source import Source

if TYPE_CHECKING:
    from alfil.game.arrays import Arrays, State
    from alfil.game.structs import Given

CoreName: TypeAlias = Literal["auto", "fast", "pure"]
# Work of less sequences is done before the tables of a game are laid out.
WORTH = 50_000


def unserved(position: Position) -> str:
    """Why the compiled body cannot be asked for moves in a game; empty if it can."""
    return unsuited_to(position.plan) or missing()


def unsuited_to(plan: Plan) -> str:
    """Why the arrays of the core cannot hold a game; empty if they can."""
    from alfil.game.arrays import unsuited

    if "unsuited" not in plan.kept:
        plan.kept["unsuited"] = unsuited(plan)
    reason: str = plan.kept["unsuited"]
    return reason


@cache
def missing() -> str:
    """Why nothing compiled can be loaded, asked once; empty if it can."""
    from alfil.game.native import CoreMissing, engine

    try:
        engine()
    except CoreMissing as missing:
        return str(missing)
    return ""


def serves(position: Position, work: int, wanted: CoreName) -> bool:
    """Whether the compiled body is to do so much work; `RuleError` where it must but cannot."""
    require_core(wanted)
    if wanted == "pure" or (wanted == "auto" and work < WORTH):
        return False
    reason = unserved(position)
    if reason and wanted == "fast":
        refuse_core(position, reason)
    return not reason


def require_core(wanted: CoreName) -> None:
    """`ValueError` for what is not the name of a body."""
    known = get_args(CoreName)
    if wanted not in known:
        raise ValueError(f"what finds moves is one of {', '.join(known)}, not {wanted!r:.60}")


def refuse_core(position: Position, reason: str) -> NoReturn:
    """Raise the `RuleError` that says why the compiled body cannot be asked."""
    name = position.plan.variant.name
    message = f"the compiled core does not serve here: {reason}"
    refuse(RuleError, "no-core", message, Source(name, "<game>"))


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
        from alfil.game.native import engine

        self.engine = engine()
        self.settle(State(arrays_of(position.plan), position, depth, longest))

    def settle(self, state: State) -> None:
        """Work on these structs from now on."""
        self.state = state

    def ask(self, function: str, *given: Given) -> int:
        """What a function of the engine answers for this position."""
        return self.engine.call(function, self.state.tables, self.state.struct, *given)

    def legal_acts(self) -> list[Act]:
        """All legal moves, in the order of `alfil.game.legal.legal_acts`."""
        return self.state.acts(0, self.ask("generate", 0))

    def simulate(self, games: int, limit: int, seed: int) -> tuple[int, list[int]]:
        """Random games: the moves made, and how games ended as the engine counts it."""
        out = array("q", [0] * 10)
        moves = self.ask("simulate", games, limit, seed, out)
        return moves, list(out[:9])
