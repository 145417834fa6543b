"""Facts of pieces: figures as they are published, and as a second count finds them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random

import pytest

import alfil
from alfil.library.gallery import gallery  # the command writes many files
from alfil.library.piece_file import Entry
from alfil.work_limit import work_done  # what is counted
from alfil.workbench.fact_table import (
    FILE,
    boards_with_facts,
    fact_table_text,
    look_up_or_compute_facts,
)  # the gallery's table
from alfil.workbench.fact_texts import card_facts_html, labelled_facts
from alfil.workbench.mobility import ConditionalPath  # counted
from alfil.workbench.piece_facts import LIMIT  # counted, not timed
from effort import calls
from inside import bundled_set_names, run
from strategies import NIGHTLY

# Squares to go to on an empty board of 8x8; the parts of all placements of piece and king that are
# checks, and safe checks (H. M. Taylor, "On the relative values of the pieces in chess", 1876).
TAYLOR = [
    ("N", 5.25, Fraction(1, 12), Fraction(1, 12)),
    ("B", 8.75, Fraction(5, 36), Fraction(13, 144)),
    ("R", 14.0, Fraction(2, 9), Fraction(1, 6)),
    ("Q", 22.75, Fraction(13, 36), Fraction(37, 144)),
]


@pytest.mark.parametrize(("text", "moves", "checks", "safe"), TAYLOR)
def test_mobility_and_checks_are_as_published(
    text: str, moves: float, checks: Fraction, safe: Fraction
) -> None:
    found = alfil.facts(text, mating=False)
    assert found.mobility[0] == alfil.Mobility(0.0, moves)
    assert found.checks == round(float(checks), 6)
    assert found.safe_checks == round(float(safe), 6)


def counted_mobility(text: str, filled: float) -> float:
    """The mean over all ways to fill a board of 2x3, each with its probability."""
    table = alfil.compile(alfil.read(text), files=2, ranks=3)
    names = [f"{file}{rank}" for file in "ab" for rank in "123"]
    total = 0.0
    for at in names:
        others = [name for name in names if name != at]
        for standing in product(" ef", repeat=len(others)):
            on = dict(zip(others, standing, strict=True))
            moves = table.moves(
                at,
                enemies=[name for name in others if on[name] == "e"],
                friends=[name for name in others if on[name] == "f"],
            )
            empty = standing.count(" ")
            weight = (1 - filled) ** empty * (filled / 2) ** (len(others) - empty)
            total += weight * len({move.to for move in moves})
    return total / len(names)


# Runs, a hopper, two ways to one square, a capture on the way.
@pytest.mark.parametrize("text", ["R", "gQ", "[W?F]"])
def test_mobility_is_the_mean_over_all_boards(text: str) -> None:
    found = alfil.facts(text, (2, 3), mating=False)
    for each in found.mobility[1::2]:
        assert each.squares == pytest.approx(counted_mobility(text, each.filled), abs=1e-4)


# What each is, seen by hand: classes of squares, whether by colour, forward only, hurdles.
SEEN = [
    ("B", 2, True, False, False),
    ("D", 4, True, False, False),
    ("A", 8, True, False, False),
    ("N", 1, False, False, False),
    ("fR", 8, False, True, False),
    ("mRcpR", 1, False, False, True),
    ("gQ", 1, False, False, True),
    # Captures count as well where more than the squares of a path matters.
    ("fR*", 8, False, True, False),
    ("fR*cbW", 8, False, False, False),
    ("oF", 2, True, False, False),
    ("oFcW", 1, False, False, False),
]


@pytest.mark.parametrize("row", SEEN, ids=lambda row: row[0])
def test_what_can_be_seen(row: tuple[str, int, bool, bool, bool]) -> None:
    found = alfil.facts(row[0], mating=False)
    seen = (found.square_classes, found.colour_bound, found.forward_only, found.needs_hurdles)
    assert seen == row[1:]


@pytest.mark.parametrize(
    ("text", "moves"), [("R", 1), ("N", 4), ("K", 7), ("A", None), ("bW", None)]
)
def test_fewest_moves_across_the_board(text: str, moves: int | None) -> None:
    assert alfil.facts(text, mating=False).across == moves


def test_squares_reached_symmetries_blocks_and_forks() -> None:
    knight, lame = alfil.facts("N", mating=False), alfil.facts("nN", mating=False)
    assert knight.reached == (1, 9, 35, 59, 64)
    assert (knight.blocked, lame.blocked) == (0.0, 1.0)
    # An enemy on the way is captured, but a friend blocks.
    assert alfil.facts("mcafF", mating=False).blocked == 1
    assert alfil.facts("FfW", mating=False).symmetries == ("left-right",)
    assert alfil.facts("W", (3, 3), mating=False).forks == round((4 * 1 + 4 * 3 + 6) / 9, 4)


def test_conditions_on_the_square_keep_their_symmetries() -> None:
    found = {
        text: alfil.facts(alfil.read(text, "chessvar"), (4, 4), mating=False).symmetries
        for text in ("R", "(Rw,Nb)", "(Ri,Bo)", "(Rl,Br)")
    }
    assert found["(Rw,Nb)"] == found["(Ri,Bo)"] == found["R"]
    assert found["(Rl,Br)"] == ("front-back",)


def test_a_large_piece_moves_where_all_of_it_has_room() -> None:
    found = alfil.facts(alfil.read("sz(2) & 1×4dO", "hasinu"), (4, 4), mating=False)
    assert found.mobility == (alfil.Mobility(0.0, 2.6667),)
    assert (found.reached, found.across) == ((1, 5, 9), 2)
    assert (found.attacked, found.checks, found.blocked) == (None, None, None)
    assert "quarter-turn" in found.symmetries
    wide = alfil.read("sz(3,1) & 1×4dO", "hasinu")
    assert alfil.facts(wide, mating=False).symmetries == ("left-right", "front-back", "half-turn")
    assert alfil.facts(wide, (2, 8), mating=False).mobility == ()


def test_mating_power() -> None:
    powers = {text: alfil.facts(text).mating for text in ("Q", "B", "FfrlW")}
    assert all(powers.values())
    assert [each.power for each in powers.values() if each] == ["always", "never", "mostly"]
    elephant = powers["FfrlW"]
    assert elephant
    assert (elephant.longest, elephant.mates) == (37, 68)


def test_a_share_is_none_or_all_only_where_it_is() -> None:
    found = alfil.facts("pR", (2, 2), mating=True)
    assert found.mating
    assert found.blocked is None  # it has no moves on an empty board
    told = dict(
        labelled_facts(
            replace(
                found,
                blocked=0.99999,
                mating=replace(
                    found.mating, power="mostly", won=184222, positions=184226, longest=1
                ),
            )
        )
    )
    assert told["moves that one piece can block"] == "99.99%"
    assert told["mates with its king"] == "mostly: 184222 of 184226, 99.99%"
    assert told["longest mate"] == "1 move"
    rare = replace(found, mating=replace(found.mating, power="sometimes", won=2, positions=195760))
    assert dict(labelled_facts(rare))["mates with its king"] == "sometimes: 2 of 195760, 0.01%"


def test_promotion_royalty_and_first_moves_are_left_aside() -> None:
    king = alfil.facts(alfil.load("chess")["K"])
    assert king.mating == alfil.facts("K").mating
    pawn = alfil.facts(alfil.load("chess")["P"])
    assert pawn.mobility[0].squares == 7 / 8
    assert pawn.mating == alfil.facts("fmWfcF").mating
    assert alfil.facts("RifmnD", (5, 5)).mating == alfil.facts("R", (5, 5)).mating


def test_pieces_that_are_not_solved_say_why() -> None:
    found = alfil.facts(alfil.read("sz(2,2) & 1×4dO", notation="hasinu"))
    assert found.mating is None
    assert any("several squares" in each for each in found.remarks)


def test_the_command_tells_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["facts", "R"]) == 0
    text = capsys.readouterr().out
    assert "16 moves\nfrom " in text
    assert run(["facts", "R", "--html"]) == 0
    page = capsys.readouterr().out
    assert page.startswith("<!doctype html>")
    assert "<svg" in page
    assert run(["facts", "R", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["mating"]["longest"] == 16


def test_all_pieces_go_on_where_a_run_was_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[object]()
    monkeypatch.setattr(
        "alfil.library.library.bundled_set_names_by_preference", lambda: ["chess", "xiangqi"]
    )

    def quick(piece: object, board: tuple[int, int]) -> dict[str, object]:
        asked.append(piece)
        return {"files": board[0], "ranks": board[1]}

    monkeypatch.setattr("alfil.cli.facts._facts_data", quick)
    path = tmp_path / "facts.jsonl"
    assert run(["facts", "--all", "-o", str(path), "--board", "8x8"]) == 0
    whole, number = path.read_bytes(), len(asked)
    assert number == 14
    lines = whole.splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-2]) + lines[-2][:9])
    assert run(["facts", "--all", "-o", str(path), "--board", "8x8"]) == 0
    assert path.read_bytes() == whole
    assert len(asked) == number + 2


def test_all_pieces_are_looked_at_on_the_boards_of_their_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "alfil.library.library.bundled_set_names_by_preference", lambda: ["dobutsu"]
    )
    monkeypatch.setattr(
        "alfil.cli.facts.is_mating_power_solved_on", lambda _board: False
    )  # seconds
    path = tmp_path / "facts.jsonl"
    assert run(["facts", "--all", "-o", str(path)]) == 0
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    boards = {(row["files"], row["ranks"]) for row in rows}
    assert boards == {(3, 4), (8, 8), (9, 9), (10, 8), (10, 10)}
    assert len(rows) == 5 * len(alfil.load("dobutsu").pieces)
    # The table of the gallery has those of the usual board and that of the game.
    head, *lines = [line.split("\t") for line in fact_table_text(rows).splitlines()]
    assert {(line[2], line[3]) for line in lines} == {("3", "4"), ("8", "8")}
    assert head[:4] == ["notation", "piece", "files", "ranks"]


def library_pieces() -> list[tuple[Entry, tuple[int, int]]]:
    """All included pieces, with each board on which the gallery has their facts."""
    libraries = [alfil.load(name) for name in bundled_set_names()]
    return [
        (entry, board)
        for each in libraries
        for entry in each.pieces
        for board in boards_with_facts(each)
    ]


def table_rows() -> list[list[str]]:
    path = Path(__file__).parents[1] / "pieces" / FILE
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]


def test_the_table_has_all_included_pieces() -> None:
    known = {(row[0], row[1], int(row[2]), int(row[3])) for row in table_rows()}
    asked = {(entry.piece.notation, entry.piece.text, *board) for entry, board in library_pieces()}
    assert known == asked


def test_rows_of_the_table_are_what_is_worked_out_now() -> None:
    pieces = [each for each in library_pieces() if NIGHTLY or each[1][0] * each[1][1] <= 64]
    for entry, board in Random(11).sample(pieces, 400 if NIGHTLY else 6):
        fresh = alfil.facts(entry, board, mating=board[0] * board[1] <= 100, limited=False)
        if fresh.mating:
            fresh = replace(fresh, mating=replace(fresh.mating, line=()))
        assert look_up_or_compute_facts(entry, board) == fresh, (entry.name, board)


def test_cards_of_the_gallery_have_facts() -> None:
    page = gallery([alfil.load("hand_shogi")], facts=card_facts_html)["index.html"].decode()
    cards = dict(re.findall(r'id="hand-shogi/([^"]+)"(.*?)</article>', page, re.DOTALL))
    assert "<th scope=col>8×8<th scope=col>9×9" in cards["king"]
    for name, entry in (("tycoon", "T"), ("knight", "N")):
        mating = [alfil.facts(alfil.load("hand_shogi")[entry], (n, n)).mating for n in (8, 9)]
        words = [f"{each.power}: {each.won} of {each.positions}, " for each in mating if each]
        assert f"<td>{words[0]}" in cards[name]
        assert f"<td>{words[1]}" in cards[name]


def test_a_card_leads_to_the_trainer_where_there_is_a_mate() -> None:
    fairy = alfil.load("fairy")
    griffon, knight = (card_facts_html(fairy, fairy[code], "../games.html") for code in ("GF", "N"))
    assert 'href="../games.html#mate=%5BF%3FR%5D&amp;notation=betza"' in griffon
    assert "Facts" in knight
    assert "href" not in knight


# Pieces that roam, with many positions, with paths that share squares, and on the largest board.
@pytest.mark.parametrize(
    ("text", "notation", "board", "missing"),
    [
        ("n(n8d)", "hasinu", (8, 8), {"mating"}),
        ("oQ", "betza", (8, 8), {"mating"}),
        ("N", "betza", (36, 36), {"mating"}),
        ("mQcaibQ", "betza", (8, 8), {"mobility"}),
        ("aaaK", "betza", (8, 8), {"mobility", "blocked"}),
        ("Q", "betza", (36, 36), {"mobility", "blocked", "mating"}),
    ],
)
def test_the_work_on_facts_is_limited(
    text: str, notation: str, board: tuple[int, int], missing: set[str]
) -> None:
    piece = alfil.read(text, notation)
    before = work_done()
    found = alfil.facts(piece, board)
    assert work_done() - before < 1.2 * LIMIT
    assert (found.mating is None) == ("mating" in missing)
    assert (len(found.mobility) < 4) == ("mobility" in missing or not found.attacked)
    assert found.attacked is None or (found.blocked is None) == ("blocked" in missing)
    assert any("too many" in each or "more work" in each for each in found.remarks)


def test_an_ending_that_is_too_large_is_refused_before_pieces_are_laid_out() -> None:
    """They took 20 MB for each piece, and most of the time."""
    alone = calls(lambda: alfil.facts("N", (24, 25), mating=False))
    assert calls(lambda: alfil.facts("N", (24, 25))) < 1.2 * alone


def test_moves_that_are_no_paths_are_work(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def path(target: int, needs: dict[int, int], captures: frozenset[int]) -> ConditionalPath:
        made.append(target)
        return ConditionalPath(target, needs, captures)

    monkeypatch.setattr("alfil.workbench.mobility.ConditionalPath", path)
    found = alfil.facts("[R?sR?sR]", (36, 36))
    assert found.remarks[0] == "there are too many paths to look at"
    # Each takes about eight microseconds.
    assert len(made) < 100_000


def test_facts_without_a_limit_are_those_of_a_table() -> None:
    known = alfil.facts("[R?sR]", (10, 10), mating=False, limited=False)
    assert (len(known.mobility), len(alfil.facts("[R?sR]", (10, 10)).mobility)) == (1, 1)
    assert alfil.facts("oN", (4, 4), limited=False) == alfil.facts("oN", (4, 4))


def test_facts_are_not_put_behind_something_else(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for text in ("a list\n", "[1, 2]\n", "3\n"):
        (tmp_path / "list.txt").write_text(text)
        assert run(["facts", "--all", "-o", str(tmp_path / "list.txt")]) == 1
        assert "[record-line]" in capsys.readouterr().err
        assert (tmp_path / "list.txt").read_text() == text


def test_where_every_square_is_attacked_no_ending_is_said_to_be_won_or_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["facts", "U", "--board", "4x4"]) == 0
    (line,) = (each for each in capsys.readouterr().out.splitlines() if "with its king" in each)
    assert line.split(maxsplit=4)[-1] == "no position has its side to move"
