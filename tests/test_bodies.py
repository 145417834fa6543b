"""Pieces of several squares, sz(x, y) of Ħasínū: their moves against boards looked at in full."""

from __future__ import annotations

import random

import pytest

import alfil

Offset = tuple[int, int]
SIZE = 7
KING = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


def by_squares(
    body: Offset, at: Offset, enemies: set[Offset], friends: set[Offset], *, slides: bool
) -> set[tuple[Offset, frozenset[Offset]]]:
    """What a king or a queen of several squares can do, each step looked at square by square."""
    found = set()
    for dx, dy in KING:
        for far in range(1, SIZE if slides else 2):
            cells = {
                (at[0] + dx * far + x, at[1] + dy * far + y)
                for x in range(body[0])
                for y in range(body[1])
            }
            inside = all(0 <= x < SIZE and 0 <= y < SIZE for x, y in cells)
            if not inside or cells & friends:
                break
            taken = frozenset((x - at[0], y - at[1]) for x, y in cells & enemies)
            found.add(((dx * far, dy * far), taken))
            if taken:
                break
    return found


@pytest.mark.parametrize("slides", [False, True])
def test_a_large_piece_moves_as_one(slides: bool) -> None:  # noqa: FBT001 - a parameter
    chance = random.Random(14)
    captured = 0
    for _ in range(60):
        body = (chance.randint(1, 3), chance.randint(1, 3))
        at = (chance.randint(0, SIZE - body[0]), chance.randint(0, SIZE - body[1]))
        own = {(at[0] + x, at[1] + y) for x in range(body[0]) for y in range(body[1])}
        free = [(x, y) for x in range(SIZE) for y in range(SIZE) if (x, y) not in own]
        enemies = set(chance.sample(free, 5))
        friends = set(chance.sample([each for each in free if each not in enemies], 4))
        text = f"sz({body[0]},{body[1]}) & {'n' if slides else '1×'}8d"
        around = [{(x - at[0], y - at[1]) for x, y in squares} for squares in (enemies, friends)]
        piece = alfil.read(text, "hasinu")
        wanted = by_squares(body, at, enemies, friends, slides=slides)
        placed = {"enemies": around[0], "friends": around[1]}
        moves = alfil.moves(piece, files=SIZE, ranks=SIZE, at=at, **placed)
        assert {(move.to, frozenset(move.captures)) for move in moves} == wanted, (text, at)
        captured += sum(len(move.captures) > 1 for move in moves)
        for second in (False, True):
            table = alfil.compile(piece, files=SIZE, ranks=SIZE, second=second)
            turn = -1 if second else 1
            there = (SIZE - 1 - at[0], SIZE - 1 - at[1]) if second else at
            others = {
                name: {(x * turn, y * turn) for x, y in squares} for name, squares in placed.items()
            }
            told = table.moves(there, **others)
            assert {
                ((x * turn, y * turn), frozenset((a * turn, b * turn) for a, b in move.captures))
                for move in told
                for x, y in [move.to]
            } == wanted
    assert captured > 5


def test_a_large_piece_captures_in_the_order_of_squares() -> None:
    there = [(x, y) for x in (1, 2, 3) for y in (3, 4, 5)]
    moves = alfil.moves(
        alfil.read("sz(3) & (1,3)", "hasinu"), files=9, ranks=9, at=(2, 2), enemies=there
    )
    assert tuple(there) in {move.captures for move in moves}


def test_a_large_piece_captures_nothing_en_passant() -> None:
    piece = alfil.read(r"sz(2) & \fmceF", "hasinu")
    passed = {"en_passant": {(1, 1): (1, 4)}, "enemies": {(1, 4)}}
    moves = alfil.moves(piece, files=9, ranks=9, at=(2, 2), **passed)
    assert {move.to for move in moves} == {(-1, 1), (1, 1)}
    assert not any(move.captures for move in moves)


def test_where_a_large_piece_cannot_stand() -> None:
    piece = alfil.read("sz(2) & 1×8d", "hasinu")
    with pytest.raises(alfil.BoardError, match="does not fit on h8"):
        alfil.moves(piece, files=8, ranks=8, at="h8")
    with pytest.raises(alfil.BoardError, match="does not fit on h8"):
        alfil.draw(piece, files=8, ranks=8, at="h8")
    with pytest.raises(alfil.BoardError, match="itself takes up e5"):
        alfil.moves(piece, files=8, ranks=8, at="d4", enemies={"e5"})


def test_what_else_a_large_piece_does() -> None:
    def captures(text: str, **around: set[Offset]) -> list[tuple[Offset, frozenset[Offset]]]:
        found = alfil.moves(alfil.read(text, "hasinu"), radius=4, **around)  # type: ignore[arg-type]
        return sorted((move.to, frozenset(move.captures)) for move in found if move.captures)

    assert captures("sz(2) & i(1×1dN)", enemies={(0, 2), (1, 2)}) == [
        ((0, 0), frozenset({(0, 2), (1, 2)}))
    ]
    assert captures("sz(2,1) & rpg({1,2}×1dN)", enemies={(1, 1), (0, 2)}) == [
        ((0, 1), frozenset({(1, 1)})),
        ((0, 2), frozenset({(1, 1), (0, 2)})),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("sz(2) & 1×8d", "sz(2) & n8d"),
        ("sz(3,2) & n4dO", "sz(3,2) & j(n4dO)"),
        ("sz(2) & j(2×4dO)", "sz(2) & 2×4dO"),
        ("sz(1,2) & m(1×8d)", "sz(1,2) & 1×8d"),
        ("sz(2,1) & rpg({1,2}×1dN)", "sz(2,1) & {1,2}×1dN"),
    ],
)
def test_where_large_pieces_differ(one: str, other: str) -> None:
    pieces = alfil.read(one, "hasinu"), alfil.read(other, "hasinu")
    found = alfil.difference(*pieces)
    assert found is not None
    moves = [alfil.moves(each, **found.arguments()) for each in pieces]  # type: ignore[arg-type]
    assert [found.move in each for each in moves] == [
        found.only == "first",
        found.only == "second",
    ]
    assert "<svg" in (found._repr_svg_() or "")


def test_pieces_of_other_sizes_differ_in_them() -> None:
    found = alfil.difference(alfil.read("1×8d", "hasinu"), alfil.read("sz(2) & 1×8d", "hasinu"))
    assert found is not None
    assert (found.move, found.only) == (None, "second")
    assert found.fact is not None
    assert found.fact.name == "size"
