"""Judge what alfil says about two pieces by the oracles, which read and walk on their own."""

from __future__ import annotations

from functools import lru_cache

import alfil
from boards import cases
from inside import moves_in_context
from oracle import betza_walker, hasinu_walker
from test_oracle_agreement import Position, betza_oracle, hasinu_oracle

Square = tuple[int, int]
KINDS = ("enemies", "friends", "enemy_royals", "unmoved_friends", "en_passant")


@lru_cache(maxsize=4096)
def piece(text: str) -> alfil.Piece:
    """A Betza text, or Ħasínū after "H:"."""
    if text.startswith("H:"):
        return alfil.read(text[2:], notation="hasinu")
    return alfil.read(text)


def effects(moves: frozenset[alfil.PieceMove]) -> frozenset[object]:
    """Moves by all that makes them different moves."""
    return frozenset(
        (m.to, frozenset(m.captures), frozenset(m.hurdles), frozenset(m.trail), m.partner)
        for m in moves
    )


def check(found: alfil.Witness, left: alfil.Piece, right: alfil.Piece) -> None:
    """One has the move, the other has not, asked by way of `alfil.moves`."""
    assert found.move
    asked: dict[str, object] = found.arguments()
    having, lacking = (left, right) if found.only == "first" else (right, left)
    move = effects(frozenset([found.move]))
    assert move <= effects(alfil.moves(having, **asked))  # type: ignore[arg-type]
    assert not move & effects(alfil.moves(lacking, **asked))  # type: ignore[arg-type]


def oracle_position(found: alfil.Witness) -> Position:
    """The position as the oracles see it."""
    return Position(
        found.files,
        found.ranks,
        found.at,
        frozenset(found.enemies),
        frozenset(found.friends),
        frozenset(found.enemy_royals),
        frozenset(found.unmoved_friends),
        {square: square for square in found.en_passant},
        found.moves_made,
    )


def confirmed(found: alfil.Witness, left: str, right: str) -> bool:
    """Whether the oracles can judge the position; fails where they judge otherwise.

    They know no trails, and the one for Ħasínū no hurdles, no royals and nothing that wraps.
    """
    assert found.move
    assert found.move
    move, position = found.move, oracle_position(found)
    having, lacking = (left, right) if found.only == "first" else (right, left)
    kinds = {"move", "third-rank"} if "H:" not in left + right else {"move", "every"}
    if move.trail or found.third_rank or not guards_within(left, right, kinds):
        return False
    if "H:" in left + right and (position.royals or position.unmoved_friends or position.trail):
        return False
    bare = "H:" in left + right
    wanted = seen(move, bare=bare)
    if wanted in {
        seen(m, bare=bare) for m in moves_in_context(piece(lacking).meaning, found.scene())
    }:
        return False
    assert wanted in {reach[: len(wanted)] for reach in ends(having, position)}, (
        left,
        right,
        found,
    )
    assert wanted not in {reach[: len(wanted)] for reach in ends(lacking, position)}, (left, right)
    return True


def seen(move: alfil.PieceMove, *, bare: bool) -> tuple[object, ...]:
    """What an oracle sees of a move; a bare one no hurdles."""
    reach = (move.to, frozenset(move.captures), frozenset(move.hurdles))
    return reach[:2] if bare else reach


def guards_within(left: str, right: str, kinds: set[str]) -> bool:
    known = kinds | {"trail", "greedy", "middle", "castle"}
    parts = piece(left).meaning.parts + piece(right).meaning.parts
    return all(condition.kind in known for guard, _ in parts for condition in guard)


def ends(text: str, position: Position) -> set[tuple[Square, frozenset[Square], frozenset[Square]]]:
    found = (
        hasinu_oracle(text[2:], position) if text.startswith("H:") else betza_oracle(text, position)
    )
    return {(reach.to, reach.captures, reach.hurdles) for reach in found}


def readable(text: str) -> bool:
    """Whether alfil and the oracle both take a text."""
    try:
        bool(piece(text).meaning)
        ends(text, Position(3, 3, (1, 1)))
    except (
        alfil.AlfilError,
        betza_walker.Unreadable,
        hasinu_walker.Unreadable,
        hasinu_walker.Refused,
    ):
        return False
    return True


CASE_TEXTS = [
    *dict.fromkeys(case.text for case in cases("betza.tsv")),
    *dict.fromkeys(f"H:{case.text}" for case in cases("hasinu.tsv")),
]
