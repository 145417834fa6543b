"""Tenjiku, dai dai, maka dai dai and tai shogi: their rules, and movements against two tables."""

from __future__ import annotations

import pytest

import alfil
from agreeing import check
from alfil import Outcome
from alfil.game.engine_position import EnginePosition  # reasons ask it about changed boards
from boards import rows
from strategies import NIGHTLY

GAMES = ["tenjiku", "dai_dai", "maka_dai_dai", "tai"]
# The columns of the table, as Black sees them: forward, backward, left, right, then the diagonals.
DIRECTIONS = [(0, 1), (0, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (-1, -1), (1, -1)]
RADIUS = 7
# Games on more files are played for a few moves in the gate.
GATE = 20
# Of the movements that Games::Shogi has, how many are other ones there.
DIFFERING = {"tenjiku": 0, "dai_dai": 7, "maka_dai_dai": 2, "tai": 9}


def reached(ranges: str) -> set[tuple[int, int]]:
    """The squares reached on an empty board: so many steps, n for any, j for a jump."""
    found = set()
    for (x, y), far in zip(DIRECTIONS, ranges.split(), strict=True):
        steps = RADIUS if "n" in far else int("".join(filter(str.isdigit, far)) or 0)
        found |= {(x * step, y * step) for step in (*range(1, steps + 1), *(2,) * ("j" in far))}
    return found


@pytest.mark.parametrize("name", GAMES)
def test_movements_are_those_of_the_table(name: str) -> None:
    library, differing = alfil.load(name), 0
    for _, (game, code, piece, ranges, others) in rows("large_shogi.tsv"):
        if game == name:
            found = alfil.moves(library[code].piece, radius=RADIUS)
            assert {move.to for move in found} == reached(ranges), piece
            differing += others not in {"-", ranges}
    assert differing == DIFFERING[name]


def targets(name: str, position: str, start: str) -> set[str]:
    moves = alfil.load(name).game(position).legal_moves
    return {str(move).removeprefix(start) for move in moves if str(move).startswith(start)}


EMPTY = "/16" * 6


def test_generals_jump_over_lower_ranks_only() -> None:
    def captures(row: str) -> set[str]:
        position = f"15k/{row}{EMPTY * 2}/16/K15 b - 1"
        moves = [m for m in alfil.load("tenjiku").game(position).legal_moves if m.captures]
        own = [str(m) for m in moves if m.code in {"RG", "GG"} and not m.promotes]
        return {move.removeprefix("16b") for move in own}

    # A rook general: over a pawn and a rook of either side, but not over another general.
    assert captures("[RG]2pRp[BG]2p5p") == {"13b", "11b"}
    assert captures("[RG]2p2r2[VG]2p3") == {"13b", "10b"}
    # It captures a general that comes first, and none behind another piece.
    assert captures("[RG]2[gg]9p2") == {"13b"}
    assert captures("[RG]2p2[rg]6p2") == {"13b"}
    # A great general jumps over all others, but not over kings.
    assert captures("[GG]2p[VG][rg]5p1k2") == {"13b", "11b", "5b"}


def test_a_vice_general_walks_around_what_it_may_not_jump_over() -> None:
    position = f"15k/16/16/2p13/1[gg]14/[VG]15{EMPTY}/16/16/16/K15 b - 1"
    # c3 is beyond a great general, and three steps away around it; what is farther it cannot reach.
    assert {"15e", "14d"} <= targets("tenjiku", position, "16f")
    farther = position.replace("/16/16/2p13/", "/16/3p12/16/")
    assert "13c" not in targets("tenjiku", farther, "16f")
    lower = farther.replace("[gg]", "g")
    assert "13c" in targets("tenjiku", lower, "16f")


def test_a_general_sees_a_board_that_is_changed_after_it_was_asked() -> None:
    game = alfil.load("tenjiku").game()
    position = EnginePosition(game._position)
    # A bishop general on 11m, and on the next square of its diagonal a dragon king of its own.
    general, dragon = position.plan.square((5, 3)), position.plan.square((4, 2))
    assert position.possible_move_flags(general, dragon, {}) == 0
    assert position.possible_move_flags(general, dragon, {dragon: 0}) != 0


def test_fire_demons_burn() -> None:
    def after(position: str, move: str) -> str:
        game = alfil.load("tenjiku").game(position)
        game.push(move)
        return game.position_text().split(" ")[0]

    board = f"k15/16/5pgp8/16/16/6[FI]9{EMPTY}/16/16/16/K15 b - 1"
    # It goes up its file and burns both pawns and the general's square it captures on.
    assert after(board, "10f10d").split("/")[2:4] == ["16", "6[FI]9"]
    # What comes next to one burns; what it captured there is gone.
    coming = f"k15/16/5[fi]10/16/5P10/5R10{EMPTY}/16/16/16/K15 b - 1"
    assert after(coming, "11e11d").split("/")[2:6] == ["5[fi]10", "16", "16", "5R10"]
    # A fire demon that comes next to another one burns alone.
    both = f"k15/16/5[fi]p9/16/16/6[FI]9{EMPTY}/16/16/16/K15 b - 1"
    assert after(both, "10f10d").split("/")[2:6] == ["5[fi]p9", "16", "16", "16"]


def test_emperors_capture_what_nothing_protects() -> None:
    position = "18k/16p2/15p3/19/19" + "/19" * 12 + "/19/[+K]18 b - 1"
    position = position.replace("[+K]", "+K")
    found = targets("maka_dai_dai", position, "19s")
    assert {"3b", "10j", "1b"} <= found
    # The pawn that is next to no king is captured, others are where the king protects them.
    beside = position.replace("16p2", "17p1")
    assert "2b" not in targets("maka_dai_dai", beside, "19s")
    game = alfil.load("maka_dai_dai").game(beside)
    assert game.why_illegal("19s2b").code == "protected"


def test_contagion() -> None:
    def becomes(row: str, move: str) -> str:
        game = alfil.load("maka_dai_dai").game(f"18k/19/{row}" + "/19" * 15 + "/K18 b - 1")
        return next(m.promotes for m in game.legal_moves if str(m).startswith(move))

    assert becomes("R3[de]14", "19c15c") == "+DE"
    assert becomes("R3[+ds]14", "19c15c") == "+DS"
    assert becomes("Q3[ds]14", "19c15c") == "+DS"
    assert becomes("R3p14", "19c15c") == "+R"
    assert becomes("Q3p14", "19c15c") == ""


@pytest.mark.parametrize("name", GAMES)
def test_random_games_end(name: str) -> None:
    library = alfil.load(name)
    games, longest = (200, 20_000) if NIGHTLY else (1, 150 if library.files <= GATE else 20)
    found = alfil.simulate(library.game(), games, seed=1, longest=longest)
    assert sum(found.ends.values()) + found.unfinished == games
    assert {each.reason for each in found.ends if isinstance(each, Outcome)} <= {
        *("king-capture", "bare", "repetition", "perpetual-attack", "stalemate"),
    }


@pytest.mark.parametrize("name", GAMES if NIGHTLY else ["tenjiku"])
def test_they_agree_with_the_slow_rules(name: str) -> None:
    check(alfil.load(name).game())


def taikyoku(position: str) -> alfil.Game:
    """Taikyoku shogi on a board with few pieces: rows by their ranks from below."""
    return alfil.load("taikyoku").game(position)


def sparse(rows_of: dict[int, str]) -> str:
    """A position of taikyoku: some ranks by number from below, the others empty."""
    ranks = [rows_of.get(rank, "36") for rank in range(36, 0, -1)]
    return f"{'/'.join(ranks)} b - 1"


def test_a_flying_general_captures_all_in_its_way_up_to_its_own_rank() -> None:
    # Pawns of both sides, then a flying general: the great general flies over all of them.
    row = "[GG]1p1P[flg]1[vg]1[gg]26"
    game = taikyoku(sparse({36: "35k", 18: row, 1: "K35"}))
    assert [str(move) for move in game.legal_moves if move.code == "GG" and move.captures]
    captured = {
        move.target: set(move.captures)
        for move in game.legal_moves
        if move.code == "GG" and move.target[1] == 17
    }
    assert captured[1, 17] == set()
    assert captured[7, 17] == {(2, 17), (4, 17), (5, 17), (7, 17)}
    assert captured[8, 17] == captured[7, 17]
    # It neither captures another great general nor passes it.
    assert max(file for file, _ in captured) == 8
    lower = taikyoku(sparse({36: "35k", 18: row.replace("[GG]", "[FLG]"), 1: "K35"}))
    reached = {move.target[0] for move in lower.legal_moves if move.code == "FLG"}
    assert max(reached) == 4


def test_taikyoku_promotes_in_the_zone_once_and_plays_on_while_a_prince_lives() -> None:
    ranks = {36: "35k", 30: "5[cp]30", 25: "P5[DE]28[GLG]", 1: "K35"}
    game = taikyoku(sparse(ranks))
    # The zone is eleven ranks, k the first of them, and promotion there is no choice.
    forms = {str(move): move.promotes for move in game.legal_moves}
    assert forms["36l36k+"] == "+P"
    assert forms["1l1k+"] == "+GLG"
    assert "36l36k" not in forms
    game.push("30l30k+")
    assert game.outcome() is None
    library = alfil.load("taikyoku")
    assert (library["+DE"].kanji, library["+DE"].is_royal) == ("太子", True)
    assert library["+GLG"].promotes == ()


def test_taikyoku_begins_and_its_positions_are_read_back() -> None:
    game = alfil.load("taikyoku").game()
    assert game.perft(1) == len(game.legal_moves) == 488
    text = game.position_text()
    assert taikyoku(text).key == game.key
    games, longest = (3, 20_000) if NIGHTLY else (1, 10)
    found = alfil.simulate(game, games, seed=1, longest=longest)
    assert found.unfinished == (0 if NIGHTLY else 1)
