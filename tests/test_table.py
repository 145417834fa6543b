"""The move table: laid out as the design says, the same moves as the walk, plain data."""

from __future__ import annotations

import json
import pickle
import random

import pytest

import alfil
from alfil.meaning import itinerary
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, VACANT, Automaton
from alfil.meaning.compile import terms_of
from alfil.meaning.itinerary import together
from alfil.tables.scene import OUTSIDE, Scene
from alfil.tables.table import CLASS_BITS, CLASS_MASK, STEP_SHIFT, moves_from

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


def scenes(seed: int, count: int) -> list[Scene]:
    """Boards with random pieces."""
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        files, ranks = chance.randint(1, 10), chance.randint(1, 10)
        at = (chance.randrange(files), chance.randrange(ranks))
        squares = [(x, y) for x in range(files) for y in range(ranks) if (x, y) != at]
        share = chance.choice([0, 0.1, 0.3])
        contents = {
            square: chance.choice([ENEMY, FRIEND, FRIEND, ROYAL])
            for square in squares
            if chance.random() < share
        }
        free = [square for square in squares if square not in contents]
        trail = {square: square for square in free if chance.random() < 0.05}
        friends = [square for square, kind in contents.items() if kind == FRIEND]
        made.append(
            Scene(
                files,
                ranks,
                at,
                contents,
                frozenset(friends),
                trail,
                chance.choice([None, 0, 1]),
                chance.random() < 0.5,
            )
        )
    return made


@pytest.mark.parametrize("text", PIECES)
@pytest.mark.parametrize("second", [False, True], ids=["first", "second"])
def test_table_gives_the_moves_of_the_walk(text: str, second: bool) -> None:  # noqa: FBT001
    piece = read(text)
    for scene in scenes(7, 30):
        table = alfil.compile(piece, files=scene.files, ranks=scene.ranks, second=second)
        walked = alfil.moves(
            piece,
            files=scene.files,
            ranks=scene.ranks,
            at=scene.at,
            enemies=_offsets(scene, ENEMY),
            enemy_royals=_offsets(scene, ROYAL),
            unmoved_friends=_offsets(scene, FRIEND),
            en_passant=[(x - scene.at[0], y - scene.at[1]) for x, y in scene.trail],
            moves_made=scene.moves_made,
            third_rank=scene.third_rank,
        )
        assert moves_from(table, scene) == walked


def _offsets(scene: Scene, kind: int) -> list[tuple[int, int]]:
    x, y = scene.at
    return [(f - x, r - y) for (f, r), held in scene.contents.items() if held == kind]


def test_queen_is_a_preorder_trie() -> None:
    """On 9×9 a queen has eight rays of eight nodes; every skip leads past the rest of its ray."""
    table = alfil.compile("Q", files=9, ranks=9)
    (section,) = table.sections
    trie = section.trie
    assert trie is not None
    assert (len(trie.nodes), len(trie.steps)) == (64, 64)
    assert list(trie.skips) == [8 * (node // 8 + 1) for node in range(64)]
    for node, word in enumerate(trie.nodes):
        ray = [trie.steps[trie.nodes[8 * (node // 8) + step] >> STEP_SHIFT] for step in range(8)]
        dx, dy = ray[0]
        assert ray == [(dx * step, dy * step) for step in range(1, 9)]
        assert word & CLASS_MASK == VACANT | TRAIL | ENEMY | ROYAL
        onward = 0 if node % 8 == 7 else VACANT | TRAIL
        assert word >> CLASS_BITS & CLASS_MASK == onward
        assert not word & OUTSIDE


@pytest.mark.parametrize(
    "text", ["fmWfcF", "FyafsF", "mRcpR", "KisO2", "fmW*", "oR", "rpg(n4dO,G)"]
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
    first = alfil.compile("fW", files=9, ranks=9).sections[0].trie
    second = alfil.compile("fW", files=9, ranks=9, second=True).sections[0].trie
    assert first is not None
    assert second is not None
    assert (first.steps, second.steps) == (((0, 1),), ((0, -1),))


@pytest.mark.parametrize("text", PIECES)
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
    scene = Scene(36, 36, (0, 0))
    walked = alfil.moves(text, files=36, ranks=36, at=(0, 0))
    assert moves_from(table, scene) == walked
    assert max(abs(dx) for dx, _ in {move.to for move in walked}) <= 35


def test_area_moves_are_not_laid_out() -> None:
    for text in ("H:n(1×8d)", "H:n((1,2))", "H:rpg(n8d)"):
        assert alfil.compile(read(text), files=36, ranks=36).sections[0].trie is None


@pytest.mark.parametrize("text", ["W", "Q", "R3", "NN", "fmW", "B5R4", "WmRfcR3", "H:{1,3}×4dO"])
def test_straight_pieces_are_built_as_the_general_way_builds_them(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The shortcut for pieces that only run straight gives the automaton of the general way."""
    options = read(text).movement.options
    rays = [term for option in options for _, term in terms_of(option)]
    assert rays
    assert not any(isinstance(term, Automaton) for term in rays)
    monkeypatch.setattr(itinerary, "straight", lambda _: None)
    general = [term for option in options for _, term in terms_of.__wrapped__(option)]
    assert all(isinstance(term, Automaton) for term in general)
    assert together(rays, joining=True) == together(general, joining=True)
