"""Endings solved backwards: published numbers, a second solver, and what files keep."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

import alfil
from alfil import Opponent
from alfil.workbench.piece_facts import (
    king_and_piece_game,  # the game in which the ending is played
)
from inside import run
from slow_endings import Solved, solve
from strategies import NIGHTLY

CHESS = alfil.load("chess")
# Moves to mate, mates, and legal positions with White to move that are won, as they are published.
PUBLISHED = [("KQK", 10, 364, 144508), ("KRK", 16, 216, 175168), ("KPK", 28, 0, 124960)]


@pytest.fixture(scope="module")
def three_men() -> alfil.Tablebase:
    return alfil.Tablebase.make(CHESS.variant, ["KQK", "KRK", "KPK"])


@pytest.mark.parametrize(("name", "moves", "mates", "won"), PUBLISHED)
def test_chess_is_as_published(
    three_men: alfil.Tablebase, name: str, moves: int, mates: int, won: int
) -> None:
    white, black = three_men.tally(name)
    assert (max(white.won) + 1) // 2 == moves
    assert black.lost.get(0, 0) == mates
    assert sum(white.won.values()) == won


def test_king_and_pawn_have_the_published_positions(three_men: alfil.Tablebase) -> None:
    white, black = three_men.tally("KPK")
    assert (white.positions, black.positions) == (163328, 168024)
    assert sum(black.lost.values()) == 97604


@pytest.mark.skipif(not NIGHTLY, reason="half a minute")
@pytest.mark.parametrize(("name", "moves"), [("KBNK", 33), ("KQKR", 35)])
def test_four_men_are_as_published(name: str, moves: int) -> None:
    white, _ = alfil.Tablebase.make(CHESS.variant, [name]).tally(name)
    assert max(white.won) == 2 * moves - 1


# A slider with a limit, a lame leaper, a hopper, bent paths.
SAMPLE = ["R4", "nNW", "mRcpRK", "FyafsF"]
BOARDS = [(4, 4), (3, 5)]


def solved_by_the_engine(piece: alfil.Piece, files: int, ranks: int) -> Solved:
    table = alfil.Tablebase.make(king_and_piece_game(piece.meaning, files, ranks), ["KXK"])
    white, black = table.tally("KXK")
    return Solved(white.positions, white.won, black.lost, black.stalemates)


@pytest.mark.parametrize("text", SAMPLE)
def test_a_second_solver_agrees(text: str) -> None:
    piece = alfil.read(text)
    assert solved_by_the_engine(piece, 4, 4) == solve(piece, 4, 4)


@pytest.mark.skipif(not NIGHTLY, reason="minutes")
@pytest.mark.parametrize("board", BOARDS)
def test_a_second_solver_agrees_on_pieces_of_the_library(board: tuple[int, int]) -> None:
    entries = [entry for entry in alfil.load("fairy").pieces if entry.piece]
    tried = 0
    for entry in Random(7).sample(entries, 80):
        meaning = entry.piece.meaning
        if tried < 40 and not any(fact.name != "royal" for fact in meaning.facts):
            assert solved_by_the_engine(entry.piece, *board) == solve(entry.piece, *board), (
                entry.name
            )
            tried += 1
    assert tried == 40


GAME = """game "Small"
board 4x5
rule first = white
rule win = mate
{rules}
piece K "king" betza=K royal
piece R "rook" betza=R
piece P "pawn" betza=fmWfceFifmnD promotes=R forced
zone promotion ranks=1
setup mirrored
| P P P P |
| R . K . |
"""


def check_every_position(table: alfil.Tablebase, library: alfil.Library, men: list[str]) -> int:
    """Compare positions drawn by lot with what their moves lead to; how many were known."""
    random, known = Random(3), 0
    squares = [(x, y) for x in range(4) for y in range(5)]
    for _ in range(300):
        board = dict(zip(random.sample(squares, len(men)), men, strict=True))
        rows = ["".join(board.get((x, y), "1") for x in range(4)) for y in reversed(range(5))]
        try:
            game = library.game(f"{'/'.join(rows)} {random.choice('wb')} - - 0 1")
        except alfil.PositionError:
            continue
        if game.flags or game.outcome() or (probe := table.probe(game)) is None:
            continue
        known += 1
        after = []
        for move in game.legal_moves:
            game.push(move)
            outcome = game.outcome()
            if outcome:
                after.append((outcome.winner and "loss", 0) if outcome.winner else ("draw", 0))
            else:
                found = table.probe(game)
                assert found
                after.append((found.result, found.plies))
            game.pop()
        assert probe == expected(after), (rows, game.turn)
    return known


def expected(after: list[tuple[str, int]]) -> alfil.Probe:
    """What a position is after whose moves the other side is so."""
    losses = [plies for result, plies in after if result == "loss"]
    wins = [plies for result, plies in after if result == "win"]
    if losses:
        return alfil.Probe("win", min(losses) + 1)
    return alfil.Probe("loss", max(wins) + 1) if len(wins) == len(after) else alfil.Probe("draw", 0)


@pytest.mark.parametrize("rules", ["", "rule stalemate = loss", "rule must-capture = yes"])
def test_every_position_follows_from_its_moves(rules: str) -> None:
    library = alfil.loads(GAME.format(rules=rules))
    table = alfil.Tablebase.make(library.variant, ["KPKP"])
    assert check_every_position(table, library, [*"KPkp"]) > 60
    assert {"KRKP", "KPKR", "KPK", "KKP", "KK"} <= {*table.names}


def test_captures_en_passant_are_looked_at() -> None:
    library = alfil.loads(GAME.format(rules="").replace("4x5", "4x6"))
    table = alfil.Tablebase.make(library.variant, ["KPKP"])
    game = library.game("3k/4/1p2/4/P3/K3 w - - 0 1")
    assert table.probe(game) is not None
    game.push("a2a4")
    assert "b4a3" in map(str, game.legal_moves)
    after = [after_move(table, game, str(move)) for move in game.legal_moves]
    known = [(each.result, each.plies) for each in after if each]
    assert len(known) == len(after)
    assert table.probe(game) == expected(known)


def after_move(table: alfil.Tablebase, game: alfil.Game, move: str) -> alfil.Probe | None:
    game.push(move)
    try:
        return table.probe(game)
    finally:
        game.pop()


def test_best_play_takes_as_long_as_is_told(three_men: alfil.Tablebase) -> None:
    text = three_men.longest_win_position("KRK")
    assert text
    game = CHESS.game(text)
    line = three_men.line(game)
    assert len(line) == 31
    for move in line:
        game.push(str(move))
    outcome = game.outcome()
    assert outcome
    assert (outcome.reason, outcome.winner) == ("mate", "w")


def test_a_file_has_the_same(three_men: alfil.Tablebase, tmp_path: Path) -> None:
    path = tmp_path / "three.tablebase"
    three_men.save(path)
    read = alfil.Tablebase.open(path, CHESS.variant)
    assert read.names == three_men.names
    for name in read.names:
        assert read.tally(name) == three_men.tally(name)
    game = CHESS.game("8/8/8/8/8/2k5/8/KQ6 w - - 0 1")
    assert read.probe(game) == three_men.probe(game) == alfil.Probe("win", 11)


def test_damaged_files_and_those_of_other_games_are_rejected(
    three_men: alfil.Tablebase, tmp_path: Path
) -> None:
    path = tmp_path / "three.tablebase"
    three_men.save(path)
    with pytest.raises(alfil.RuleError, match="another game"):
        alfil.Tablebase.open(path, alfil.load("xiangqi").variant)
    data = path.read_bytes()
    first = data.partition(b"\n")[0]
    cut = (b"", data[:200], data[:-9], data[:-1] + bytes([data[-1] ^ 1]), data[1:])
    for wrong in (*cut, first + b"\n" + b"[" * 9999):
        path.write_bytes(wrong)
        with pytest.raises(alfil.RuleError) as caught:
            alfil.Tablebase.open(path, CHESS.variant)
        assert caught.value.kind == "tablebase-file"


@pytest.mark.parametrize("won", [[["x", 1]], [[40000, 1]], [[-1, 1]], [[1, 1.5]], "x", None])
def test_counts_that_cannot_be_are_damage(
    three_men: alfil.Tablebase, tmp_path: Path, won: object
) -> None:
    path = tmp_path / "three.tablebase"
    three_men.save(path)
    first, head, rest = path.read_bytes().split(b"\n", 2)
    header = json.loads(head)
    header["endings"][-1]["tally"][0]["won"] = won
    path.write_bytes(b"\n".join((first, json.dumps(header).encode(), rest)))
    with pytest.raises(alfil.RuleError, match="damaged"):
        alfil.Tablebase.open(path, CHESS.variant)


@pytest.mark.parametrize("name", ["KQKR", "vK", "Kv", "KKN"])
def test_an_ending_that_a_table_does_not_have_is_told(
    three_men: alfil.Tablebase, name: str
) -> None:
    for ask in (three_men.tally, three_men.longest_win_position):
        with pytest.raises(alfil.RuleError, match=f"no ending {name}") as caught:
            ask(name)
        assert caught.value.kind == "ending-name"
    with pytest.raises(ValueError, match="0 or 1"):
        three_men.longest_win_position("KQK", 2)
    with pytest.raises(alfil.RuleError, match="no ending is named"):
        alfil.Tablebase.make(CHESS.variant, [])


@pytest.mark.parametrize(
    "men",
    [
        [["K", 1], ["K", 0], ["Q", 0]],
        [["Q", 0], ["K", 0], ["K", 1]],
        [["K", 0], ["K", 7], ["Q", 0]],
        [["K", 0], ["K", 1]],
    ],
)
def test_men_in_another_order_and_endings_twice_are_damage(
    three_men: alfil.Tablebase, tmp_path: Path, men: list[object]
) -> None:
    path = tmp_path / "three.tablebase"
    three_men.save(path)
    first, head, rest = path.read_bytes().split(b"\n", 2)
    header = json.loads(head)
    header["endings"][-1]["men"] = men
    path.write_bytes(b"\n".join((first, json.dumps(header).encode(), rest)))
    with pytest.raises(alfil.RuleError, match="damaged"):
        alfil.Tablebase.open(path, CHESS.variant)


def test_a_longest_win_that_no_position_has_is_not_found(
    three_men: alfil.Tablebase, tmp_path: Path
) -> None:
    """A file may count what its positions do not have; looking for that ends."""
    path = tmp_path / "three.tablebase"
    three_men.save(path)
    first, head, rest = path.read_bytes().split(b"\n", 2)
    header = json.loads(head)
    for ending in header["endings"]:
        ending["tally"][0]["won"] = [[32001, 1]]
    path.write_bytes(b"\n".join((first, json.dumps(header).encode(), rest)))
    read = alfil.Tablebase.open(path, CHESS.variant)
    assert [read.longest_win_position(name) for name in read.names] == [None] * len(read.names)


@pytest.mark.parametrize(
    ("game", "name", "kind"),
    [
        ("chess", "", "ending-name"),
        ("chess", "KQ", "ending-name"),
        ("chess", "KZK", "ending-name"),
        ("chess", "KQQKQ", "ending-name"),
        ("shogi", "KRK", "no-tablebase"),
        ("duck", "KvK", "no-tablebase"),
    ],
)
def test_what_cannot_be_solved_is_told(game: str, name: str, kind: str) -> None:
    with pytest.raises(alfil.RuleError) as caught:
        alfil.Tablebase.make(alfil.load(game).variant, [name])
    assert caught.value.kind == kind


def test_memory_is_limited() -> None:
    with pytest.raises(alfil.RuleError) as caught:
        alfil.Tablebase.make(CHESS.variant, ["KQKR"], memory=1)
    assert caught.value.kind == "no-memory"


def test_positions_with_castling_are_not_known(three_men: alfil.Tablebase) -> None:
    assert three_men.probe(CHESS.game("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) is None
    assert three_men.probe(CHESS.game("4k3/8/8/8/8/8/8/4K2R w - - 0 1"))


def test_the_opponent_follows_a_tablebase(three_men: alfil.Tablebase) -> None:
    game = CHESS.game("8/8/8/8/8/2k5/8/KQ6 w - - 0 1")
    opponent = Opponent(CHESS.variant, depth=1, tablebase=three_men)
    plies = 0
    while not game.outcome():
        game.push(opponent.choose(game))
        plies += 1
    assert plies == 11


def test_the_command_saves_and_looks_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "kqk.tablebase"
    assert run(["tablebase", "chess", "KQK", "-o", str(path)]) == 0
    assert "KQK     first    144508" in capsys.readouterr().out
    fen = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"
    assert run(["tablebase", "chess", str(path), "--position", fen]) == 0
    assert capsys.readouterr().out.startswith("win in 11 plies\n")
