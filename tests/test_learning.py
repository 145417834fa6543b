"""Positions and moves as numpy arrays: a mask is the list of legal moves, and nothing is lost."""

from __future__ import annotations

import hashlib
import random
from contextlib import suppress
from functools import partial

import pytest

import alfil
from alfil import Game
from effort import calls
from games import KING, game, kind
from gathering import every_row
from inside import Variant
from strategies import NIGHTLY
from test_compiled import PLAYED, variant
from test_game_paths import ODD, SLOW, drawn
from test_roaming import made_up

np = pytest.importorskip("numpy")


def walk(made: Variant, draw: random.Random, plies: int) -> None:
    """A mask has the numbers of the legal moves, each its own; each number is that of its move."""
    game = Game(made)
    planes, mask = game.planes(), game.mask()
    for _ in range(plies):
        moves = game.legal_moves
        numbers = [game.action(move) for move in moves]
        assert sorted(set(numbers)) == np.flatnonzero(game.mask(out=mask)).tolist()
        assert len(set(numbers)) == len(moves), game.position_text()
        check(game, game.planes(out=planes))
        if not moves:
            break
        move = draw.choice(moves)
        assert game.move(game.action(move)) == move
        game.push(move)


def check(game: Game, planes: object) -> None:
    """The planes hold the pieces and hands that the game has."""
    names, size = game.plane_names, (game.variant.files, game.variant.ranks)
    found = {}
    for name, plane in zip(names, planes, strict=True):  # type: ignore[call-overload]
        whose, _, code = name.partition(" ")
        if code in {kind.code for kind in game.variant.kinds}:
            side = game.side_to_move if whose == "own" else 1 - game.side_to_move
            for rank, file in np.argwhere(plane).tolist():
                at = (size[0] - 1 - file, size[1] - 1 - rank) if game.side_to_move else (file, rank)
                found[at] = (code, side)
        elif "hand" in name:
            side = game.side_to_move if whose == "own" else 1 - game.side_to_move
            count = game.hands[side].get(name.rpartition(" ")[2], 0)
            assert plane.min() == plane.max() == count
    assert found == game.pieces


@pytest.mark.parametrize("name", [*PLAYED, *ODD, *(SLOW if NIGHTLY else [*SLOW][:1])])
def test_a_mask_is_the_list_of_legal_moves(name: str) -> None:
    for seed in range(20 if NIGHTLY else 1):
        walk(variant(name), random.Random(seed), 100 if NIGHTLY else 12)


def test_drops_that_are_free_have_numbers() -> None:
    text = 'board 3x5\npiece K "king" betza=K royal\npiece P "pawn" betza=fW\nrule drops = free\n'
    game = alfil.loads(f'game "free"\n{text}setup\n| P K . |').game()
    assert [each.text for each in game.legal_moves if each.is_drop]
    assert game.mask().sum() == len(game.legal_moves)


def test_moves_of_games_drawn_by_lot_have_numbers() -> None:
    for seed in range(1000 if NIGHTLY else 2):
        walk(drawn(seed), random.Random(seed), 20)


def has_numbers(made: Variant) -> bool:
    """Whether the moves of a game can be numbered."""
    try:
        Game(made).plane_names  # noqa: B018 - it is the numbering that may be refused
    except alfil.RuleError as error:
        return error.kind != "no-actions"
    return True


def test_moves_of_what_roams_have_numbers() -> None:
    numbered = 0
    for seed in range(300 if NIGHTLY else 12):
        draw = random.Random(seed)
        made = made_up(draw)
        if made is None or not has_numbers(made):
            continue
        numbered += 1
        # The moves may be too many to be listed.
        with suppress(alfil.BoardError):
            walk(made, draw, 12)
    assert numbered > 3


# On so large a board, what captures all on a line has no move table. It may take the last square
# quietly, with a capture there, and with captures before that.
LINES = game(
    "P P P P P P P P P P P P P P/. G . F . . K . . F . G . .",
    [
        KING,
        kind("G", "hasinu:rpg(n8d,FE)", promotes=("F",)),
        kind("F", "hasinu:rpg(n4dD,FE) & {1,2}×4dO"),
        kind("P", "fmWfceFifmnD", promotes=("G", "F")),
    ],
    files=14,
    ranks=14,
    zone=5,
    first="white",
)


def test_moves_that_capture_all_on_a_line_have_numbers() -> None:
    for seed in range(20 if NIGHTLY else 1):
        walk(LINES, random.Random(seed), 40)
    game = Game(LINES, "k13/14/14/14/14/14/14/14/14/1p12/1p12/14/1G12/6K7 w - 1")
    moves = [str(move) for move in game.legal_moves if str(move)[:2] == "b2"]
    quiet, onto, passed = (game.action(move) for move in ("b2b3", "b2b4", "b2b5"))
    assert "b2b5" in moves
    empty = Game(LINES, "k13/14/14/14/14/14/14/14/14/14/14/14/1G12/6K7 w - 1")
    same = [empty.action(move) for move in ("b2b3", "b2b4", "b2b5")]
    assert (quiet, onto) == (same[0], same[1])
    assert passed != same[2]


LARGE = kind("B", "hasinu:1×8d & sz(2)")
REFUSED = """
(ad)F    it roams, and its last square does not tell what it captures on its way
mnoRcoeF it roams, and may be captured en passant wherever it went
[ceW-W]  it captures en passant on its way
cvaK     it captures on its way, and a piece is larger than a square
"""


@every_row("text, why", [row.split(maxsplit=1) for row in REFUSED.strip().splitlines()])
def test_it_is_said_why_moves_cannot_be_numbered(text: str, why: str) -> None:
    more = [LARGE] if "larger" in why else []
    row = "K A . . . ." if more else "K A . P . ."
    made = game(row, [KING, kind("A", text), kind("P", "fmWfceF"), *more], files=6)
    with pytest.raises(alfil.RuleError) as caught:
        Game(made).mask()
    words = f"moves of A (piece A) cannot be numbered: {why}"
    assert (caught.value.kind, caught.value.diagnostics[0].message) == ("no-actions", words)


def test_a_move_is_found_by_its_number_without_a_list_of_all() -> None:
    for name in ("duck", "tenjiku"):
        game = alfil.load(name).game()
        game.push(game.random_move(random.Random(1)))
        number = int(np.flatnonzero(game.mask())[7])
        assert calls(partial(game.move, number)) < 5 * game.perft(1)
        assert game.action(game.move(number)) == number


def test_both_sides_have_the_same_numbers() -> None:
    game = alfil.load("shogi").game()
    first = game.action("7g7f")
    game.push("7g7f")
    assert game.action("3c3d") == first
    assert game.move(first).text == "3c3d"


def test_what_is_not_on_the_board_has_planes_too() -> None:
    game = alfil.load("chess").game("r3k2r/8/8/8/3p4/8/4P3/R3K2R w KQk - 0 1")
    plane = dict(zip(game.plane_names, game.planes(), strict=True))
    assert np.argwhere(plane["unmoved"]).tolist() == [
        [0, 0],
        [0, 4],
        [0, 7],
        [1, 4],
        [7, 4],
        [7, 7],
    ]
    game.push("e2e4")
    plane = dict(zip(game.plane_names, game.planes(), strict=True))
    assert np.argwhere(plane["en passant"]).tolist() == [[5, 3]]
    assert plane["second side"].min() == 1
    for move in ("h8g8", "h1g1", "g8h8", "g1h1"):
        game.push(move)
    assert dict(zip(game.plane_names, game.planes(), strict=True))["repeated"].max() == 1


def test_what_cannot_be_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    game = alfil.load("chess").game()
    with pytest.raises(TypeError, match=r"an array of shape \(16, 8, 8\)"):
        game.planes(out=np.zeros((8, 8)))
    with pytest.raises(alfil.IllegalMove, match="no legal move has the number 100000"):
        game.move(100000)
    with pytest.raises(alfil.IllegalMove):
        game.action("e2e5")
    game.resign()
    assert not game.mask().any()
    with pytest.raises(alfil.IllegalMove, match="number") as caught:
        game.move(1)
    assert caught.value.kind == "game-over"
    monkeypatch.setitem(__import__("sys").modules, "numpy", None)
    with pytest.raises(alfil.AlfilError, match="arrays need the package numpy") as missing:
        game.planes()
    assert missing.value.kind == "missing-extra"


# Pieces of several legs, from many squares.
OPEN_BOARD = "k3n5+h1/12/2n3p3+d1/12/4N1p5/3p3+D4/5N6/2+H2p4n1/12/7+D2p1/1+H3p2P3/K3N7 b - 1"
# The digests of `walked_numbers`, with those of games that have all kinds of numbers.
NUMBERS = """
99bebcf23b9cf302 chess
5114bb05f09e2183 crazyhouse
bf53d78b84ce8db6 shogi
146a14a2d4ae30ae xiangqi
6a44828bdaa88397 hand_shogi
603d9681064613c0 capablanca
28a28c44fefad102 seirawan
deb85483a5eed5c5 chess960
24507d847d6df277 sittuyin
29c46a9cd6dbed6c lions and hoppers
595fe22cae4320b7 iron
b3a445d93548445e odd pieces
0d953952fa2ed147 odd pieces, always
f3bc60c3f3dd6746 queens castle and kings leave a trail
dce9078d67068b08 cannons and elephants
5248d4fb4b75860a chu
"""
OPEN_BOARD_NUMBERS = "ebb5ef4bd4133e6d"


def walked_numbers(game: Game) -> str:
    """The digest of how many numbers there are, and of those of all moves on a way through it."""
    found = hashlib.sha256(str(len(game.mask())).encode())
    for ply in range(40):
        moves = sorted(game.legal_moves, key=str)
        for move in moves:
            found.update(f"{move} {game.action(move)}\n".encode())
        if not moves:
            break
        game.push(moves[7919 * (ply + 1) % len(moves)])
    return found.hexdigest()[:16]


@every_row("digest, name", [row.split(maxsplit=1) for row in NUMBERS.strip().splitlines()])
def test_moves_keep_their_numbers(digest: str, name: str) -> None:
    """What programs have learned goes by these numbers."""
    assert walked_numbers(Game(variant(name))) == digest


def test_moves_of_several_legs_keep_their_numbers() -> None:
    assert walked_numbers(alfil.load("chu").game(OPEN_BOARD)) == OPEN_BOARD_NUMBERS


def test_what_may_arrive_is_asked_once_for_squares_that_are_alike() -> None:
    """On a full board of 36×36 the first number of a move took more than a second."""
    pieces = 'piece K "king" betza=K royal\npiece Q "queen" betza=Q\n'
    rows = f"| K{' Q' * 11} |\n" * 6
    full = alfil.loads(f"board 12x12\n{pieces}setup\n{rows}").game()
    move = min(full.legal_moves, key=str)
    assert calls(partial(full.action, move)) < 190_000


def numbering(size: int) -> tuple[int, int]:
    """The calls that number the moves of riders on a board of so many files, and the numbers."""
    pieces = 'piece K "king" betza=K royal\npiece Q "queen" betza=Q\npiece N "rider" betza=NN\n'
    row = " ".join("K" + "." * (size - 1))
    riders = alfil.loads(f"board {size}x{size}\n{pieces}setup mirrored\n| {row} |\n").game()
    # What is laid out for that is none of the numbering.
    assert riders.legal_moves
    assert riders.outcome() is None
    return calls(riders.mask), len(riders.mask())


def test_the_numbers_of_a_large_game_are_not_made_one_by_one() -> None:
    (few, numbers), (many, more_numbers) = numbering(9), numbering(36)
    assert more_numbers > 50 * numbers
    assert many < 10 * few
