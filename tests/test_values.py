"""`alfil.values`: what pieces are worth, from games of the engine against itself."""

from __future__ import annotations

import json
from array import array
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import log
from pathlib import Path
from random import Random
from statistics import fmean, stdev

import pytest

import alfil
from alfil import Opponent
from alfil.cli.app import run
from alfil.game.compiled_variant import compile_variant  # a fit cannot be seen from outside
from alfil.game.variant import Variant
from alfil.play.records.own_format import game_digest  # records tell games apart by it
from alfil.workbench.logistic_regression import (
    PositionRows,
    RegressionColumns,
    fit_logistic_regression,
)  # nor can its errors be seen
from alfil.workbench.regression_columns import PieceColumns  # nor its columns
from strategies import NIGHTLY

# Two names of one movement, as many of each; by turns they are on either side of the king.
TWINS = """game  "Twins"
board 5x5

rule  first = white
rule  stalemate = draw
rule  move-limit = 30

piece K "king" betza=K royal
piece A "ant"  betza=R
piece B "bee"  betza=R
piece C "cat"  betza=W

setup mirrored
| C C C C C |
| A B K B A |
"""
CHESS_ORDER = "PNBRQ"


def found(game: alfil.Library, games: int, seed: int = 0) -> alfil.GameValues:
    return alfil.values(game, games=games, seconds=None, seed=seed)


def value(values: alfil.GameValues, code: str) -> tuple[float, float]:
    (piece,) = (each for each in values.pieces if each.code == code)
    assert piece.value is not None
    assert piece.error is not None
    return piece.value, piece.error


def test_two_names_of_a_movement_are_worth_the_same() -> None:
    values = found(alfil.loads(TWINS), 600)
    (ant, ant_error), (bee, bee_error) = value(values, "A"), value(values, "B")
    assert value(values, "C") == (1, 0)
    assert 0 < ant_error < 0.6
    assert 0 < bee_error < 0.6
    # As if the two errors were independent.
    assert abs(ant - bee) <= 2 * (ant_error**2 + bee_error**2) ** 0.5
    assert ant > 2 * ant_error


def test_a_seed_and_a_number_of_games_give_the_same_values() -> None:
    game = alfil.loads(TWINS)
    first, again, other = found(game, 60), found(game, 60), found(game, 60, seed=1)
    assert (first.pieces, first.plies, first.decided) == (again.pieces, again.plies, again.decided)
    assert (first.plies, first.decided) != (other.plies, other.decided)


def test_results_are_explained_as_by_the_closed_form() -> None:
    """One piece more wins 30 games of 40: log odds of ln 3, with an error of (80 · ¾ · ¼)^-½."""
    compiled = compile_variant(alfil.loads(TWINS).variant)
    men = PieceColumns(compiled)
    rook, second = (compiled.piece_number("A", side) * compiled.size for side in (0, 1))
    of_men = men.ridge_penalties(0.01, 1e9)
    columns = RegressionColumns(
        men.kind_column_by_man(), men.square_column_by_man(), len(of_men), [0.01] * 2 + of_men
    )
    asked = men.kind_column(compiled.number["A"])

    def fit(positions: int) -> tuple[float, float]:
        rows = array("i")
        for game in range(80):
            first = game % 2 == 0
            result = 1 if (game < 60) == first else -1
            # Length, game, result, whether it has ended, the mover, score, ply; one man.
            row = [9, game, result, 1, 0, 0, 0, 1, rook if first else second]
            rows.extend(row * positions)
        found = fit_logistic_regression(
            compiled, PositionRows.of(rows), columns, covariance_count=asked + 1
        )
        assert found.coefficients[0] == pytest.approx(0, abs=0.01)
        return found.coefficients[asked], found.covariances[asked, asked] ** 0.5

    for positions in (1, 4):  # Four positions of each game are no more than one.
        assert fit(positions) == pytest.approx((log(3), 15**-0.5), abs=0.01)


def test_an_error_above_that_asked_for_is_not_converged() -> None:
    game = alfil.loads(TWINS)
    assert not found(game, 40).converged
    values = alfil.values(game, games=1000, seconds=None, error=60)
    assert values.converged
    assert values.games < 1000


@pytest.mark.skipif(not NIGHTLY, reason="minutes of games")
def test_chess_has_its_order_from_a_flat_start() -> None:
    values = found(alfil.load("chess"), 6000)
    known = [value(values, code) for code in CHESS_ORDER]
    for (less, error), (more, more_error) in pairwise(known):
        assert more - less > -2 * (error**2 + more_error**2) ** 0.5
    assert known[0][0] < known[1][0] < known[3][0] < known[4][0]


def valued(variant: Variant, values: dict[str, float] | None) -> Variant:
    """A variant whose pieces have these values, or none."""
    kinds = (
        replace(kind, value=values.get(kind.code) if values else None, hand_value=None)
        for kind in variant.kinds
    )
    return replace(variant, kinds=tuple(kinds))


def match(library: alfil.Library, variants: Sequence[Variant], games: int) -> tuple[float, float]:
    """The share won by an opponent with the values of the first variant against the second's.

    Two games each have one opening, with the sides exchanged; a game that has not ended after 120
    plies is drawn. With the standard error of the share.
    """
    points = []
    for number in range(games):
        chance = Random(number // 2)
        players = [Opponent(each, depth=3, nodes=2000, seed=number) for each in variants]
        game = library.game()
        for _ in range(6):
            game.push(game.random_move(chance))
        for ply in range(120):
            if game.outcome():
                break
            game.push(players[(ply + number) % 2].choose(game))
        outcome = game.outcome()
        first = game.variant.rules.side_names[number % 2][0]
        won = outcome.winner if outcome else None
        points.append(0.5 if won is None else float(won == first))
    share = fmean(points)
    return share, stdev(points) / games**0.5


@pytest.mark.skipif(not NIGHTLY, reason="minutes of games")
def test_an_opponent_with_values_beats_one_without() -> None:
    values = {"Q": 6.3, "R": 3.4, "B": 2.3, "N": 2.2, "P": 1.0}  # docs/values.md
    chess = alfil.load("chess")
    known, flat, none = (
        valued(chess.variant, each) for each in (values, dict.fromkeys(values, 1.0), None)
    )
    share, error = match(chess, (known, flat), 200)
    assert share - 2 * error > 0.5
    # Values that are made of the moves of pieces are hardly worse.
    share, error = match(chess, (known, none), 200)
    assert share + 2 * error > 0.5


@pytest.mark.skipif(not NIGHTLY, reason="minutes of games")
@pytest.mark.parametrize("name", alfil.games())
def test_every_game_can_be_measured(name: str) -> None:
    assert found(alfil.load(name), 2).games == 2


@pytest.mark.parametrize(("values", "captures"), [((1, 1), "a1a3"), ((1, 9), "a1e1")])
def test_the_opponent_goes_by_the_values_of_a_file(values: tuple[int, int], captures: str) -> None:
    bee, cat = values
    text = TWINS.replace('"bee"  betza=R', f'"bee" betza=R value={bee}')
    text = text if cat == 1 else text.replace("betza=W", f"betza=W value={cat}")
    game = alfil.loads(text).game("2k1K/5/b4/5/A3c w - 1")
    assert str(Opponent(game.variant, depth=1).choose(game)) == captures


def test_values_are_no_rules_of_the_game() -> None:
    plain, valued = (alfil.loads(text).variant for text in (TWINS, valued_text()))
    assert game_digest(plain) == game_digest(valued)


def valued_text() -> str:
    return TWINS.replace("betza=W", "betza=W value=1 hand-value=2.5")


def test_facts_have_the_values_of_a_file() -> None:
    game = alfil.loads(valued_text())
    cat, bee = (alfil.facts(game[code], board=(3, 3), mating=False) for code in "CB")
    assert (cat.value, cat.hand_value) == (1, 2.5)
    assert (bee.value, bee.hand_value) == (None, None)


@pytest.mark.parametrize("program", ["fairy-stockfish", "fairy-max", "interactive-diagram", "ggn"])
def test_values_are_no_loss_for_other_programs(program: str) -> None:
    plain, valued = (
        alfil.export(alfil.loads(text), program, on_loss="lossy") for text in (TWINS, valued_text())
    )
    assert plain == valued


@pytest.mark.parametrize("value", ["", "x", "1.2345", "12345", "1e3", "--1"])
def test_a_value_is_a_number(value: str) -> None:
    with pytest.raises(alfil.PieceFileError) as error:
        alfil.loads(f'piece W "w" betza=W value="{value}"')
    assert [each.kind for each in error.value.diagnostics] == ["wrong-number"]


def written(path: Path, game: Path) -> dict[str, tuple[float | None, float | None]]:
    """The values by code that the command writes into a file."""
    assert run(["values", str(game), "--games", "600", "--write", str(path)]) == 0
    return {each.code: (each.value, each.hand_value) for each in alfil.load(path).pieces}


def test_values_are_written_into_a_file_and_nothing_else_is(tmp_path: Path) -> None:
    path = tmp_path / "twins.pieces"
    # A layout of its own, comments, and a value that is replaced.
    text = "# mine\n\n" + TWINS.replace("betza=W", "betza=W   value=7.5 # old")
    path.write_text(text, encoding="utf-8")
    values = written(path, path)
    assert values["K"] == (None, None)
    assert values["C"] == (1, None)
    after = path.read_text(encoding="utf-8")
    for code, earlier in {"A": "", "B": "", "C": " value=7.5"}.items():
        after = after.replace(f" value={values[code][0]:g}", earlier, 1)
    assert after == text


def test_a_new_file_is_a_copy_and_keeps_the_layout(tmp_path: Path) -> None:
    game, copy = tmp_path / "twins.pieces", tmp_path / "copy.pieces"
    game.write_text(TWINS, encoding="utf-8")
    assert run(["fmt", "--check", str(game)]) == 0
    assert written(copy, game)["C"] == (1, None)
    assert run(["fmt", "--check", str(copy)]) == 0
    assert game.read_text(encoding="utf-8") == TWINS


def test_pieces_without_a_line_are_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = TWINS.splitlines(keepends=True)
    pieces = [line for line in lines if line.startswith("piece")]
    rest = "".join(line for line in lines if line not in pieces)
    (tmp_path / "pieces.pieces").write_text("".join(pieces), encoding="utf-8")
    path = tmp_path / "mine.pieces"
    text = f'{rest}include "pieces.pieces"\n'
    path.write_text(text, encoding="utf-8")
    assert run(["values", str(path), "--games", "1", "--write", str(path)]) == 1
    assert f"{path} has no line for A, B, C" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(("games", "words"), [(1, "1 game is too few"), (200, "200 games are too")])
def test_too_few_games_are_an_error(
    games: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.pieces"
    assert run(["values", "dobutsu", "--games", str(games), "--write", str(path)]) == 1
    assert words in capsys.readouterr().err
    assert not path.exists()


def test_jobs_change_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    answers = []
    for jobs in ("1", "2"):
        assert run(["values", "dobutsu", "--games", "240", "-j", jobs, "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out))
        del answers[-1]["cpu_seconds"]
    assert answers[0] == answers[1]


def answered(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """What a command answers, without the time that it took."""
    assert run([*arguments, "--json"]) == 0
    answer: dict[str, object] = json.loads(capsys.readouterr().out)
    return {key: value for key, value in answer.items() if key != "cpu_seconds"}


def test_games_are_kept_in_a_file_and_not_played_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, game = tmp_path / "games", tmp_path / "twins.pieces"
    game.write_text(TWINS)
    measuring = ("values", str(game), "--games")
    whole = answered(capsys, *measuring, "250")
    resumed = ("--resume", str(kept))
    assert answered(capsys, *measuring, "230", *resumed) == answered(capsys, *measuring, "230")
    assert answered(capsys, *measuring, "250", *resumed) == whole
    lines = kept.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + 10 + 2 + 2  # the last bundle of 230 games was not whole
    # One was broken off, two are missing: they alone are played.
    kept.write_text("".join(lines[:-3]) + lines[-3][:50])
    played = []
    play = alfil.workbench.measure_piece_values.play_games
    monkeypatch.setattr(
        "alfil.workbench.measure_piece_values.play_games",
        lambda *rest: (played.append(rest[-1]), play(*rest))[1],
    )
    assert answered(capsys, *measuring, "250", *resumed) == whole
    assert played == [range(220, 240), range(240, 250)]

    game.write_text(TWINS.replace("betza=W", "betza=F"))
    assert run([*measuring, "20", *resumed]) == 2
    assert "[record-exists]" in capsys.readouterr().err


def test_games_to_learn_squares_from_are_kept_as_well(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept, table = str(tmp_path / "games"), tmp_path / "t.squares.tsv"
    learning = ("values", "dobutsu", "--games", "30", "--squares", str(table))
    first = answered(capsys, *learning, "--resume", kept), table.read_text()
    table.unlink()
    assert (answered(capsys, *learning, "--resume", kept), table.read_text()) == first
    assert run(["values", "dobutsu", "--games", "30", "--resume", kept]) == 2
    assert "[record-exists]" in capsys.readouterr().err


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "[1]",
        '["0-20", 3]',
        '["0-20", [["x", 1, 2, 3, 4], [], 0]]',
        '["0-20", [["eJw=", 1, 2, 3, 4], [], 0]]',
        "[[], []]",
        "[" * 9000,
    ],
)
def test_a_file_of_games_that_somebody_has_changed_is_refused(
    line: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    kept = tmp_path / "games"
    asked = ["values", "dobutsu", "--games", "3", "--resume", str(kept)]
    assert run(asked) == 0
    head = kept.read_text().partition("\n")[0]
    kept.write_text(f"{head}\n{line}\n")
    capsys.readouterr()
    assert run(asked) == 1
    assert "[record-line]" in capsys.readouterr().err


def test_nan_is_no_time_and_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    for limit in ("seconds", "error"):
        with pytest.raises(ValueError, match="not NaN"):
            alfil.values(alfil.load("dobutsu"), games=1, **{limit: float("nan")})
        assert run(["values", "dobutsu", "--games", "1", f"--{limit}", "nan"]) == 2
        assert "is no number" in capsys.readouterr().err
