"""The moves that a page works out by itself, compared with those of alfil.moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

import alfil
from alfil.diagrams.html_page import script_body  # as a page has it
from boards import rows
from browser.browsing import Tabs
from strategies import NIGHTLY

pytestmark = pytest.mark.browser

SCRIPT = script_body("moves.js")
ANSWER = """
(cases) => {
  SCRIPT
  return cases.map(({table, scene}) => {
    const {files, at} = scene;
    const offset = (square) =>
      [square % files - at % files, Math.floor(square / files) - Math.floor(at / files)];
    try {
      return movesOf(table, scene).map((move) => ({
        to: offset(move.square),
        captures: move.captures.map(offset),
        hurdles: move.hurdles.map(offset),
        trail: move.trail.map(offset),
        partner: move.partner && move.partner.map(offset),
        guard: move.guard,
      }));
    } catch (error) {
      if (error instanceof TooManyMoves) return null;
      throw error;
    }
  });
}
""".replace("SCRIPT", SCRIPT)
VACANT, ENEMY, ROYAL, FRIEND = 1, 2, 4, 8
# What depends on more than the contents of squares, so that its table is walked as a graph.
SPECIAL = (
    *(("betza", text) for text in ("KO2", "KisO2", "K0O3", "KO2isO3", "oR", "ooB", "ooNN", "oN")),
    *(("betza", text) for text in ("fR*", "fW*fceF", "KaK", "K3aK", "iifmnD", "mQcpQ")),
    *(("hasinu", text) for text in ("rpg(n4dO,G)", "rpg(n8d)", "{1,2}(1×8d)", "rpg(n4dD,FE,G)")),
    *(("hasinu", text) for text in ("m(rpg(n4dO,G))", "c(rpg(n4dO,FE,G))", "c(rpg(n4dD))")),
)

Case = dict[str, Any]


def corpus() -> Iterator[tuple[str, str]]:
    """Every text of the case files that has moves, with its notation."""
    for file, notation in (
        ("betza_corpus.tsv", "betza"),
        ("betza.tsv", "betza"),
        ("hasinu.tsv", "hasinu"),
        ("translation_betza.tsv", "hasinu"),
    ):
        yield from ((notation, row[0]) for _, row in rows(file))


def pieces() -> list[alfil.Piece]:
    """Some of the corpus (all in a nightly run), and all pieces of special kinds, several times."""
    texts = [
        *list(dict.fromkeys(corpus()))[:: 1 if NIGHTLY else 6],
        *(SPECIAL * (12 if NIGHTLY else 6)),
    ]
    found = []
    for notation, text in texts:
        try:
            piece = alfil.read(text, notation)
            found += [piece] if piece.meaning else []
        except alfil.AlfilError:
            pass
    return found


def position(random: Random, *, castling: bool) -> Case:
    """A random board as a page sees it: some are diagrams without edges.

    Where a piece is ``castling``, nothing keeps it from that.
    """
    wraps_round = random.random() < 0.7
    files, ranks = (random.randint(3, 9), random.randint(3, 9)) if wraps_round else (7, 7)
    at = random.randrange(files * ranks) if wraps_round else 24
    contents = [VACANT] * (files * ranks)
    share = random.choice((0, 0.1, 0.3, 0.6))
    for square in range(files * ranks):
        if random.random() < share:
            contents[square] = random.choice((ENEMY, ENEMY, ROYAL, FRIEND, FRIEND))
    row = at - at % files
    if castling or random.random() < 0.4:
        contents[row : row + files] = [FRIEND, *[VACANT] * (files - 2), FRIEND]
    contents[at] = VACANT
    made = 0 if castling else random.choice((0, 0, 1, 2, None))
    return {
        "files": files,
        "ranks": ranks,
        "at": at,
        "wraps": wraps_round,
        "contents": contents,
        "freshFriends": castling or random.random() < 0.7,
        "movesMade": made,
        "thirdRank": made == 0,
    }


def expected(piece: alfil.Piece, scene: Case) -> set[object] | None:
    """What alfil.moves says; None where there are too many moves to list."""
    at = divmod(scene["at"], scene["files"])[::-1]
    standing: dict[int, list[tuple[int, int]]] = {ENEMY: [], ROYAL: [], FRIEND: []}
    for number, (y, x) in enumerate(product(range(scene["ranks"]), range(scene["files"]))):
        if scene["contents"][number] != VACANT:
            standing[scene["contents"][number]].append((x - at[0], y - at[1]))
    board = {"files": scene["files"], "ranks": scene["ranks"], "at": at}
    friends = "unmoved_friends" if scene["freshFriends"] else "friends"
    try:
        found = alfil.moves(
            piece,
            **(board if scene["wraps"] else {"radius": 3}),
            enemies=standing[ENEMY],
            enemy_royals=standing[ROYAL],
            **{friends: standing[FRIEND]},
            moves_made=scene["movesMade"],
            unmoved=scene["movesMade"] == 0,
        )
    except alfil.BoardError as error:
        if error.kind != "too-many-moves":
            raise
        return None
    return {
        (
            move.to,
            frozenset(move.captures),
            frozenset(move.hurdles),
            move.trail,
            move.partner,
            move.guard,
        )
        for move in found
    }


def answered(moves: list[Case] | None) -> set[object] | None:
    if moves is None:
        return None
    found = {
        (
            tuple(move["to"]),
            frozenset(map(tuple, move["captures"])),
            frozenset(map(tuple, move["hurdles"])),
            tuple(map(tuple, move["trail"])),
            move["partner"] and tuple(map(tuple, move["partner"])),
            tuple(map(tuple, move["guard"])),
        )
        for move in moves
    }
    assert len(found) == len(moves), "a move is listed twice"
    return found


def table_of(piece: alfil.Piece, scene: Case, *, walked: bool) -> Case:
    """The table as JSON; ``walked`` leaves nothing laid out as a tree."""
    table = alfil.compile(piece, files=scene["files"], ranks=scene["ranks"])
    if walked:
        table = replace(table, sections=tuple(each._replace(trie=None) for each in table.sections))
    return table.to_json()


def cases() -> Iterator[tuple[alfil.Piece, Case, Case]]:
    random = Random(20_261_121)
    for number, piece in enumerate(pieces()):
        castling = "O" in piece.text and number % 3 == 0
        scene = position(random, castling=castling)
        middle = any(c.kind == "middle" for guard, _ in piece.meaning.parts for c in guard)
        while middle and not scene["wraps"]:
            scene = position(random, castling=castling)
        yield piece, scene, table_of(piece, scene, walked=number % 2 == 1)


def test_a_page_finds_the_same_moves(tab: Tabs) -> None:
    asked = list(cases())
    found = tab().evaluate(
        ANSWER,
        [{"table": table, "scene": scene} for _, scene, table in asked],
    )
    kinds = set[str]()
    for (piece, scene, table), moves in zip(asked, found, strict=True):
        right = expected(piece, scene)
        assert answered(moves) == right, (piece.text, scene)
        kinds |= features(table, right or set())
    assert kinds >= {"trie", "graph", "wraps", "castle", "greedy", "middle", "trail", "third-rank"}
    assert kinds >= {"captures", "locust", "hurdles", "partner"}


def features(table: Case, moves: set[Any]) -> set[str]:
    """What a case has tried: kinds of tables, of conditions and of moves."""
    kinds = set[str]()
    for section in table["sections"]:
        kinds.add(section["kind"])
        kinds.update(condition[0] for condition in section["guard"] if moves)
        kinds.update(
            {"wraps"}
            if any(wrap for state in section.get("states", ()) for _, _, wrap, *_ in state)
            else ()
        )
    for _, captures, hurdles, _, partner, _ in moves:
        kinds.update({"captures"} if captures else ())
        kinds.update({"locust"} if len(captures) > 1 else ())
        kinds.update({"hurdles"} if hurdles else ())
        kinds.update({"partner"} if partner else ())
    return kinds


def test_more_moves_than_can_be_listed_are_no_answer(tab: Tabs) -> None:
    scene = {
        "files": 9,
        "ranks": 9,
        "at": 40,
        "wraps": True,
        "contents": [ENEMY if n % 9 + 2 * (n // 9) & 3 == 1 else VACANT for n in range(81)],
        "freshFriends": True,
        "movesMade": None,
        "thirdRank": False,
    }
    assert scene["contents"][40] == VACANT
    piece = alfil.read("(acp)Q")
    assert expected(piece, scene) is None
    table = table_of(piece, scene, walked=True)
    assert tab().evaluate(ANSWER, [{"table": table, "scene": scene}]) == [None]
