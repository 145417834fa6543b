"""Moves read from a compiled table: the loop over the trie, and the walk where there is none."""

from __future__ import annotations

from collections.abc import Iterator

from alfil.meaning.piece import Guard, Meaning, Part
from alfil.tables.reach import PieceMove, moves_in
from alfil.tables.scene import FRIEND, OUTSIDE, TRAIL, VACANT, Offset, Scene
from alfil.tables.trie import (
    CLASS_BITS,
    NO_TRACE,
    STEP_SHIFT,
    Section,
    Table,
    Trie,
)


def moves_from(table: Table, scene: Scene) -> frozenset[PieceMove]:
    """All moves the table holds for a scene seen by its mover; guards that fail are left out.

    The scene has the mover's view of the board, so a table of the second side is read with its
    offsets turned back.
    """
    found: dict[tuple[object, ...], PieceMove] = {}
    for section in table.sections:
        if not scene.holds(section.guard):
            continue
        for move in _section_moves(section, scene, second=table.second):
            same = (move.to, frozenset(move.captures), frozenset(move.hurdles), move.trail)
            key = (*same, move.partner, move.guard)
            if key not in found or move < found[key]:
                found[key] = move
    return frozenset(found.values())


def _section_moves(section: Section, scene: Scene, *, second: bool) -> Iterator[PieceMove]:
    if section.trie is None:
        yield from moves_in(Meaning((Part(section.guard, section.automaton),)), scene)
    else:
        yield from _trie_moves(section.trie, section.guard, scene, -1 if second else 1)


def _trie_moves(trie: Trie, guard: Guard, scene: Scene, sign: int) -> Iterator[PieceMove]:
    squares = [(sign * x, sign * y) for x, y in trie.steps]
    classes = [_class(offset, scene) for offset in squares]
    nodes, skips = trie.nodes, trie.skips
    node = 0
    while node < len(nodes):
        word = nodes[node]
        step = word >> STEP_SHIFT
        standing = classes[step]
        if word & standing:
            move = _move(trie, node, squares[step], standing, guard, scene, sign)
            # A piece taken en passant stands elsewhere, where it cannot be taken once more.
            if len(set(move.captures)) == len(move.captures):
                yield move
        node = node + 1 if word >> CLASS_BITS & standing else skips[node]


def _class(offset: Offset, scene: Scene) -> int:
    square = (scene.at[0] + offset[0], scene.at[1] + offset[1])
    if not (0 <= square[0] < scene.files and 0 <= square[1] < scene.ranks):
        return OUTSIDE
    standing = scene.contents.get(square, VACANT)
    return TRAIL if standing == VACANT and square in scene.trail else standing


def _move(
    trie: Trie, node: int, to: Offset, standing: int, guard: Guard, scene: Scene, sign: int
) -> PieceMove:
    trace = trie.traces.get(node, NO_TRACE)
    on_trail = _signed(trace.trail_captures, sign)
    captures = tuple(
        _victim(offset, scene) if offset in on_trail else offset
        for offset in _signed(trace.captures, sign)
    )
    if to != (0, 0):
        if trace.takes_trail:
            captures = (*captures, _victim(to, scene))
        elif standing not in {VACANT, TRAIL}:
            captures = (*captures, to)
    own = tuple(
        (x, y)
        for x, y in captures
        if scene.contents.get((scene.at[0] + x, scene.at[1] + y)) == FRIEND
    )
    passed = _signed(trace.passed, sign)
    return PieceMove(to, captures, _signed(trace.hurdles, sign), own, passed, None, guard)


def _signed(offsets: tuple[Offset, ...], sign: int) -> tuple[Offset, ...]:
    return offsets if sign > 0 else tuple((-x, -y) for x, y in offsets)


def _victim(offset: Offset, scene: Scene) -> Offset:
    """The piece that is taken when this square is captured on en passant."""
    x, y = scene.at
    victim = scene.trail[(x + offset[0], y + offset[1])]
    return (victim[0] - x, victim[1] - y)
