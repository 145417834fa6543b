"""The move table: laid out as the design says, the same moves as the walk, plain data."""

from __future__ import annotations

import json
import pickle
import random

import pytest

import alfil
from alfil.tables.board_context import BoardContext
from alfil.tables.move_generation import moves_in_context
from alfil.tables.moves_with_effects import pieces_in_range  # a range by itself, which no text is
from gathering import every_row
from turning import turned

# What may stand on a square, as the numbers of a table have it.
VACANT, ENEMY, ROYAL, TRAIL, OUTSIDE = 1, 2, 4, 16, 32
CLASS_BITS, STEP_SHIFT = 6, 12
CLASS_MASK = 63
HASINU = "H:"
PIECES = [
    "W",
    "fmWfcF",
    "Q",
    "R3",
    "NN",
    "nN",
    "jD",
    "gQ",
    "mRcpR",
    "FyafsF",
    "KNADcaKmcabK",
    "cafR",
    "caibQ",
    "RasR",
    "zB",
    "qN",
    "dW",
    "kQ",
    "ifmnDfmWfceF",
    "isO2K",
    "oR",
    "ooB",
    "U",
    "caisR",
    "feR",
    "jR",
    "H:n(1×8d)",
    "H:j(n4dO,2)",
    "H:rpg(n4dO,FE,G)",
    "H:rpg(n8d)",
    "H:i(n(1×4dO))",
    "H:INF(3,2)",
]


def read(text: str) -> alfil.Piece:
    """Betza, or Ħasínū after its mark."""
    if text.startswith(HASINU):
        return alfil.read(text[len(HASINU) :], notation="hasinu")
    return alfil.read(text)


def positions(seed: int, count: int) -> list[tuple[tuple[int, int], dict[str, object]]]:
    """Boards with random pieces: their sizes, and the rest as arguments of `alfil.moves`."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        files, ranks = chance.randint(1, 10), chance.randint(1, 10)
        at = (chance.randrange(files), chance.randrange(ranks))
        squares = [(x, y) for x in range(files) for y in range(ranks) if (x, y) != at]
        share = chance.choice([0, 0.1, 0.3])
        kinds = ["enemies", "unmoved_friends", "unmoved_friends", "enemy_royals"]
        held = {square: chance.choice(kinds) for square in squares if chance.random() < share}
        for square in squares:
            if square not in held and chance.random() < 0.05:
                held[square] = "en_passant"
        around: dict[str, object] = {
            kind: [(x - at[0], y - at[1]) for (x, y), each in held.items() if each == kind]
            for kind in {*kinds, "en_passant"}
        }
        past = {"moves_made": chance.choice([None, 0, 1]), "third_rank": chance.random() < 0.5}
        made.append(((files, ranks), {"at": at, **around, **past}))
    return made


@every_row("text, second", [(text, second) for text in PIECES for second in (False, True)])
def test_table_gives_the_moves_of_the_walk(text: str, second: bool) -> None:  # noqa: FBT001
    """A table of the second side has them too, on the board turned by half."""
    piece = read(text)
    for (files, ranks), asked in positions(7, 20):
        table = alfil.compile(piece, files=files, ranks=ranks, second=second)
        walked = alfil.moves(piece, files=files, ranks=ranks, **asked)  # type: ignore[arg-type]
        if not second:
            assert table.moves(**asked) == walked  # type: ignore[arg-type]
            continue
        (x, y) = asked["at"]  # type: ignore[misc]
        there = {**turned(asked), "at": (files - 1 - x, ranks - 1 - y)}  # type: ignore[dict-item]
        assert sorted(turned(table.moves(**there))) == [*walked]  # type: ignore[arg-type]


def test_queen_is_a_preorder_trie() -> None:
    """On 9×9 a queen has eight rays of eight nodes; every skip leads past the rest of its ray."""
    table = alfil.compile("Q", files=9, ranks=9)
    (section,) = table.to_json()["sections"]  # type: ignore[misc]
    nodes, steps = section["nodes"], section["steps"]
    assert (len(nodes), len(steps)) == (64, 64)
    assert section["skips"] == [8 * (node // 8 + 1) for node in range(64)]
    for node, word in enumerate(nodes):
        ray = [steps[nodes[8 * (node // 8) + step] >> STEP_SHIFT] for step in range(8)]
        dx, dy = ray[0]
        assert ray == [[dx * step, dy * step] for step in range(1, 9)]
        assert word & CLASS_MASK == VACANT | TRAIL | ENEMY | ROYAL
        onward = 0 if node % 8 == 7 else VACANT | TRAIL
        assert word >> CLASS_BITS & CLASS_MASK == onward
        assert not word & OUTSIDE


@pytest.mark.parametrize(
    "text", ["fmWfcF", "FyafsF", "mRcpR", "KisO2", "fmW*", "oR", "rpg(n4dO,G)", "fmWifmnD"]
)
def test_a_table_answers_as_moves_does(text: str) -> None:
    """Both sides: squares are those of the board, and the second side moves down it."""
    piece = alfil.read(text, "hasinu" if "(" in text else "betza")
    files, ranks = 8, 7
    first, second = (
        alfil.compile(piece, files=files, ranks=ranks, second=side) for side in (False, True)
    )
    chance = random.Random(text)
    for _ in range(20):
        squares = [(x, y) for x in range(files) for y in range(ranks)]
        at, *others = chance.sample(squares, 7)
        offsets = [(x - at[0], y - at[1]) for x, y in others]
        enemies, friends, unmoved = offsets[:3], offsets[3:5], offsets[5:]
        expected = alfil.moves(
            piece,
            files=files,
            ranks=ranks,
            at=at,
            enemies=enemies,
            friends=friends,
            unmoved_friends=unmoved,
            unmoved=True,
        )
        assert first.moves(at) == alfil.moves(piece, files=files, ranks=ranks, at=at)
        ours = {"enemies": enemies, "friends": friends, "unmoved_friends": unmoved}
        assert first.moves(at, unmoved=True, **ours) == expected
        theirs = {kind: [(-x, -y) for x, y in places] for kind, places in ours.items()}
        there = (files - 1 - at[0], ranks - 1 - at[1])
        found = second.moves(there, unmoved=True, **theirs)
        assert {(-x, -y) for x, y in (move.to for move in found)} == {m.to for m in expected}
        assert {frozenset((-x, -y) for x, y in move.captures) for move in found} == {
            frozenset(m.captures) for m in expected
        }


def test_second_side_is_turned_half_round() -> None:
    tables = (alfil.compile("fW", files=9, ranks=9, second=second) for second in (False, True))
    first, second = (table.to_json()["sections"][0]["steps"] for table in tables)  # type: ignore[index]
    assert (first, second) == ([[0, 1]], [[0, -1]])


@every_row("text", PIECES)
def test_plain_data(text: str) -> None:
    table = alfil.compile(read(text), files=8, ranks=8)
    assert pickle.loads(pickle.dumps(table)) == table
    assert json.loads(json.dumps(table.to_json())) == table.to_json()


def test_plain_data_tells_captures_en_passant_on_the_way() -> None:
    (section,) = alfil.compile("eabK", files=3, ranks=3).to_json()["sections"]  # type: ignore[misc]
    told = [
        (trace["captures"], trace["trail_captures"], trace["takes_trail"])
        for trace in section["traces"].values()
    ]
    assert sorted(told) == [
        ([[dx, dy]], [[dx, dy]], False)
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
        if (dx, dy) != (0, 0)
    ]


@pytest.mark.parametrize("text", ["Q", "KNADcaKmcabK", "RasR", "FyafsF"])
def test_largest_board(text: str) -> None:
    """On 36×36 from a corner every square the walk finds is in the table."""
    table = alfil.compile(text, files=36, ranks=36)
    walked = alfil.moves(text, files=36, ranks=36, at=(0, 0))
    assert table.moves((0, 0)) == walked
    assert max(abs(dx) for dx, _ in {move.to for move in walked}) <= 35


def test_area_moves_are_not_laid_out() -> None:
    """Nor are they on small boards, where there are few paths."""
    for text in ("H:n(1×8d)", "H:n((1,2))", "H:rpg(n8d)", "H:n(1×2dNW-NE)"):
        for size in (3, 36):
            (section,) = alfil.compile(read(text), files=size, ranks=size).to_json()["sections"]  # type: ignore[misc]
            assert section["kind"] == "graph"


@pytest.mark.parametrize(
    ("straight", "bent"),
    [
        ("W", "{1}(1×4dO &t0°)"),
        ("fmW", "m({1}(1×1dN))"),
        ("R", "1×4dO &t0° n4dO"),
        ("Q", "1×8d &t0° n8d"),
        ("R3", "1×4dO &t0° {1,2}×4dO"),
        ("NN", "(1,2) &t0° n(1,2)"),
        ("WB", "1×4dO & 1×4dD &t0° n4dD"),
        ("B5R4", "1×4dD &t0° {1,2,3,4}×4dD & 1×4dO &t0° {1,2,3}×4dO"),
        ("WmRfcR3", "1×4dO & m(1×4dO &t0° n4dO) & c(1×1dN &t0° {1,2}×1dN)"),
        ("H:{1,3}×4dO", "{1,3}(1×4dO &t0°)"),
    ],
)
def test_straight_pieces_are_built_as_the_general_way_builds_them(straight: str, bent: str) -> None:
    """The shortcut for pieces that only run straight gives the automaton that turns would give."""
    assert read(straight).meaning == alfil.read(bent, "hasinu").meaning


def test_a_piece_on_a_table_has_moved_unless_it_is_said() -> None:
    table = alfil.compile("fmWifmnD", files=8, ranks=8)
    assert {move.to for move in table.moves("e2")} == {(0, 1)}
    assert {move.to for move in table.moves("e2", unmoved=True)} == {(0, 1), (0, 2)}


def test_a_piece_has_moved_unless_it_is_said() -> None:
    pawn = alfil.compile("fmWfcFifmnD")
    assert {move.to for move in pawn.moves("a2")} == {(0, 1)}
    assert {move.to for move in pawn.moves("a2", unmoved=True)} == {(0, 1), (0, 2)}


def test_who_has_passed_a_square_is_not_struck_there() -> None:
    scene = BoardContext(5, 5, (2, 2), {(1, 4): ENEMY}, ep_squares={(1, 3): (1, 4)})
    found = {move.captures for move in moves_in_context(alfil.read("eF").meaning, scene)}
    assert ((-1, 2),) in found
    assert pieces_in_range(alfil.read("eF").meaning, scene, "enemies") == frozenset()
