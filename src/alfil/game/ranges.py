"""Which pieces stand in whose range, and which ones hold others so that they cannot move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from alfil.game.plan import Act, holds
from alfil.game.views import Holds, Standing, View
from alfil.meaning.piece import Fact, Meaning
from alfil.tables.effects import struck


def is_frozen(position: Standing, square: int) -> bool:
    """Whether a piece cannot move: one holds it, or immobilises whatever is in its range."""
    return any(held == square for _, held in position.holds) or any(
        square in in_range(position, at, fact)
        for at, fact in having(position, {"immobilises"})
        if at != square and not holds(fact)
    )


def holds_after(position: Standing, act: Act) -> Holds:
    """Which pieces hold which others after a move that has just been made.

    A piece is held until it is out of range, or the one that holds it moves or is gone. By its own
    move a piece may take hold of what is then in its range, by theirs of what comes there; of more
    than it can hold at once it holds the nearest, and of these the ones farthest forward, then
    left.
    """
    came = {act.target, *act.partner[1:]}
    touched = came | {act.origin, *act.partner, *act.captures, *(at for at, _ in act.changes)}
    found: list[tuple[int, int]] = []
    for at, fact in having(position, {"immobilises"}):
        if not holds(fact):
            continue
        when, most = fact.values[2], int(str(fact.values[3]))
        reach = in_range(position, at, fact)
        held = [square for square in reach if (at, square) in position.holds]
        held = [] if at in touched else [square for square in held if square not in touched]
        if at in came and when != "passive":
            held = _nearest(position, at, reach)
        elif at not in came and when != "active":
            held += [square for square in reach if square in came]
        found += ((at, square) for square in (held[:most] if most else held))
    return tuple(sorted(set(found)))


def holdable(position: Standing, square: int) -> Iterator[tuple[frozenset[int], int]]:
    """What a piece may hold by each of its effects: squares in range, and how many (0 for all)."""
    for at, fact in having(position, {"immobilises"}):
        if at == square and holds(fact):
            yield frozenset(in_range(position, at, fact)), int(str(fact.values[3]))


def _nearest(position: Standing, square: int, others: Iterable[int]) -> list[int]:
    """Squares from the nearest to one on, as the piece there sees them: forward, then left."""
    view = View(position.plan, (position.board[square] - 1) % 2)
    x, y = view.turned(square)

    def order(other: int) -> tuple[int, int, int]:
        dx, dy = view.turned(other)[0] - x, view.turned(other)[1] - y
        return (max(abs(dx), abs(dy)), -dy, dx)

    return sorted(others, key=order)


def having(position: Standing, names: set[str]) -> Iterator[tuple[int, Fact]]:
    """The pieces on the board with effects of these names."""
    for square, piece in enumerate(position.board):
        if 0 < piece < position.plan.mark:
            for fact in position.plan.effects[piece]:
                if fact.name in names:
                    yield square, fact


def in_range(position: Standing, square: int, fact: Fact) -> list[int]:
    """The squares of the pieces that an effect of the piece on a square reaches."""
    reach, side, *_ = fact.values
    assert isinstance(reach, Meaning)
    view = View(position.plan, (position.board[square] - 1) % 2)
    scene = view.scene(position, square)
    found = sorted(view.number(scene.at, at) for at in struck(reach, scene, str(side)))
    return [at for at in found if position.board[at] < position.plan.mark]
