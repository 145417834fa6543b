"""The moves of pieces of several squares, as the tables of one piece and one position have them."""

from __future__ import annotations

from collections.abc import Iterator

from alfil.game.compiled_variant import FLYING_GENERALS, PASS, EngineMove
from alfil.game.variant import Area
from alfil.meaning.piece_meaning import Meaning
from alfil.tables.move_generation import moves_in_context
from alfil.tables.moves_with_effects import moves_with_effects
from slow_engine.position import Position
from slow_engine.sight import View


def large_acts(position: Position, square: int, *, checked: bool = False) -> list[EngineMove]:
    """The moves of a piece of several squares; ways that come to the same are one move."""
    found: dict[tuple[object, ...], EngineMove] = {}
    for meaning, ends in _manners(position, square, checked=checked):
        for act in _of_meaning(position, square, meaning):
            cells = position.cells(act.piece, act.target)
            if ends is None or ends.issuperset(cells):
                key = (act.target, frozenset(act.captures), act.ep_squares)
                found.setdefault(key, act)
    return [*found.values()]


def _manners(
    position: Position, square: int, *, checked: bool
) -> Iterator[tuple[Meaning, frozenset[int] | None]]:
    """How it moves from where it stands, and the squares among which it must end."""
    compiled, piece = position.plan, position.board[square]
    kind, side = compiled.kinds[(piece - 1) >> 1], (piece - 1) % 2

    def squares(area: Area) -> frozenset[int]:
        return frozenset(map(compiled.square, compiled.variant.squares(area, side)))

    room = squares(kind.within) if kind.within else frozenset(range(compiled.size))
    room -= squares(kind.outside) if kind.outside else frozenset()
    yield kind.meaning, room
    for each in kind.further:
        starts = each.start is None or squares(each.start).issuperset(position.cells(piece, square))
        if starts and not (checked and each.unchecked):
            yield each.piece.meaning, room & squares(each.end) if each.end else room
    if compiled.royal[piece] and compiled.rules.facing == "barred":
        yield FLYING_GENERALS, None
    if compiled.royal[piece] and compiled.rules.passes == "allowed":
        yield PASS, None


def _of_meaning(position: Position, square: int, meaning: Meaning) -> Iterator[EngineMove]:
    compiled, piece = position.plan, position.board[square]
    sizes = [each for each in compiled.kinds[(piece - 1) >> 1].meaning.facts if each.name == "size"]
    moves, owners = meaning.without_facts(), position.owners
    view = View(compiled, (piece - 1) % 2)
    scene = view.scene(position, square)
    for move in moves_with_effects(sizes, scene, lambda seen: moves_in_context(moves, seen)):
        act = view.act(piece, square, move)
        yield act._replace(captures=tuple(dict.fromkeys(owners[each] for each in act.captures)))
