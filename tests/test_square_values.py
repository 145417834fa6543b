"""What pieces are worth by square: learned from games, saved, and used by the opponent."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import alfil
from alfil.cli.app import run
from alfil.game.compiled_variant import compile_variant  # what self-play goes by
from alfil.game.variant import Variant
from alfil.play.opponent import Opponent, PieceValues, default_value_table  # as docs/play.md says
from alfil.play.self_play import SelfPlaySettings, play_games  # whose positions are quiet
from alfil.play.square_values import (  # what the opponent is given
    SquareValues,
    included_square_values,
    read_square_values,
)
from alfil.source import Source
from gathering import every_row
from strategies import NIGHTLY
from test_values import match

PIECES = Path(__file__).parents[1] / "pieces"
SUFFIX = ".squares.tsv"
INCLUDED = sorted(path.name.removesuffix(SUFFIX) for path in PIECES.glob(f"*{SUFFIX}"))
MADE = (
    r"# made by alfil [\d.]+: alfil values (\w+) --squares (\S+)"
    r"(?: --games \d+ --seed \d+|(?: --mean \S+)+)"
)


def learn(path: Path, game: str, games: int = 20) -> str:
    """The file that the command makes for a game."""
    assert run(["values", game, "--squares", str(path), "--games", str(games), "--seed", "1"]) == 0
    return path.read_text(encoding="utf-8")


def values_in(text: str, variant: Variant) -> SquareValues:
    return read_square_values(Source(text, "x.tsv"), variant)


@pytest.fixture(scope="module")
def dobutsu(tmp_path_factory: pytest.TempPathFactory) -> str:
    return learn(tmp_path_factory.mktemp("learned") / "dobutsu.squares.tsv", "dobutsu", 200)


def test_what_is_learned_is_read_again(dobutsu: str) -> None:
    variant = alfil.load("dobutsu").variant
    values = values_in(dobutsu, variant)
    assert set(values.material) == {kind.code for kind in variant.kinds}
    for phase in (values.full, values.few):
        assert {len(row) for row in phase.board.values()} == {variant.files * variant.ranks}
    # Who has more is more likely to win: the lion apart, all pieces are worth something.
    assert all(min(row) > 0 for row in values.full.board.values())
    comments = [line[2:] for line in dobutsu.splitlines()[:2]]
    assert values.text(variant.files, folded=True, comments=comments) == dobutsu


def test_a_seed_and_a_number_of_games_give_the_same_file(tmp_path: Path) -> None:
    texts = [learn(tmp_path / "a.tsv", "dobutsu") for _ in range(2)]
    assert texts[0] == texts[1]
    other = ["values", "dobutsu", "--squares", str(tmp_path / "a.tsv"), "--games", "300"]
    assert run(other) == 0
    assert (tmp_path / "a.tsv").read_text(encoding="utf-8").splitlines()[2:] != (
        texts[0].splitlines()[2:]
    )


def test_positions_are_quiet_however_few_a_search_may_look_at() -> None:
    # One ply is looked at in full in any case, so that the games are the same.
    variant = alfil.load("chess").variant
    values = default_value_table(
        compiled := compile_variant(variant), PieceValues(compiled, 0, noise=0)
    )
    one, many = (
        play_games(variant, values, SelfPlaySettings(depth=1, nodes=nodes, seed=5), range(10))
        for nodes in (1, 50_000)
    )
    assert one.plies == many.plies
    assert one.rows == many.rows


def test_the_mean_of_values_that_were_learned_apart(
    dobutsu: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    variant = alfil.load("dobutsu").variant
    paths = [str(tmp_path / name) for name in ("a.tsv", "b.tsv", "mean.tsv")]
    Path(paths[0]).write_text(dobutsu, encoding="utf-8")
    learn(Path(paths[1]), "dobutsu")
    means = [f"--mean={path}" for path in paths[:2]]
    assert run(["values", "dobutsu", "--squares", paths[2], *means]) == 0
    one, other, mean = (values_in(Path(path).read_text("utf-8"), variant) for path in paths)
    assert mean.full.tempo == round((one.full.tempo + other.full.tempo) / 2)
    for code, row in mean.few.board.items():
        both = zip(one.few.board[code], other.few.board[code], strict=True)
        assert row == [round(sum(each) / 2) for each in both]
    assert one.full.board != mean.full.board != other.full.board
    capsys.readouterr()
    assert run(["values", "chess", "--squares", paths[2], *means]) == 1
    assert "these values are for other rules or pieces" in capsys.readouterr().err
    assert run(["values", "dobutsu", *means]) == 2
    assert "--mean goes with --squares" in capsys.readouterr().err
    assert run(["values", "dobutsu", "--squares", paths[2], *means, "--games", "9"]) == 2
    assert "plays no games" in capsys.readouterr().err


def score_of(values: SquareValues, position: str) -> int:
    """What a search of one ply says of a position of chess."""
    game = alfil.load("chess").game(position)
    return Opponent(game.variant, depth=1, squares=values).analyse(game).score


def test_values_are_tapered_by_what_is_left_of_the_material() -> None:
    values = included_square_values(alfil.load("chess").variant)
    assert values
    more = replace(
        values.few, board={code: [5000] * 64 if code == "R" else [0] * 64 for code in "KQRBNP"}
    )
    without_few = replace(values, few=more, lead_scale=[100] * 9)
    whole = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert score_of(without_few, whole) == score_of(replace(values, lead_scale=[100] * 9), whole)
    assert score_of(without_few, "4k3/p7/8/8/8/8/P7/R3K3 w - - 0 1") > 4000


def test_a_lead_counts_by_how_many_pieces_that_promote_are_left() -> None:
    values = included_square_values(alfil.load("chess").variant)
    assert values
    drawn_without_pawns = replace(values, lead_scale=[0] + [100] * 8)
    rook_and_knight = "8/8/4k3/8/8/2n1K3/8/7R w - - 0 1"
    with_a_pawn = "8/8/4k3/8/8/2n1K3/7P/7R w - - 0 1"
    assert score_of(drawn_without_pawns, rook_and_knight) == 0
    assert score_of(drawn_without_pawns, with_a_pawn) > 300
    # It is the side that leads whose pawns count.
    assert score_of(drawn_without_pawns, "8/8/4k3/p7/8/2n1K3/8/7R w - - 0 1") == 0


@every_row("name", INCLUDED)
def test_included_values_are_what_the_command_writes(name: str) -> None:
    library = alfil.load(name)
    text = (PIECES / (name + SUFFIX)).read_text(encoding="utf-8")
    values = values_in(text, library.variant)
    comments = [line[2:] for line in text.splitlines()[:2]]
    made = re.fullmatch(MADE, text.splitlines()[1])
    assert made
    assert made.groups() == (name, name + SUFFIX)
    assert values.text(library.files, folded=True, comments=comments) == text
    assert included_square_values(library.variant) == values
    assert len(text) < 25_000


@pytest.mark.skipif(not NIGHTLY, reason="minutes of games")
@pytest.mark.parametrize("name", INCLUDED)
def test_an_opponent_with_included_values_beats_one_without(name: str) -> None:
    library = alfil.load(name)
    # A game of another name has no included values.
    share, error = match(library, (library.variant, replace(library.variant, name="")), 200)
    assert share - error > 0.5


def test_they_are_for_their_own_rules_and_give_way_to_the_values_of_a_file() -> None:
    chess = alfil.load("chess").variant
    assert included_square_values(chess)
    assert not included_square_values(replace(chess, rules=alfil.load("three_check").variant.rules))
    valued = tuple(replace(kind, value=1.0) for kind in chess.kinds)
    assert not included_square_values(replace(chess, kinds=valued))
    assert not included_square_values(replace(chess, name="mine"))


def test_the_opponent_goes_by_them(dobutsu: str) -> None:
    """A chick is worth much more on the squares beside the middle of the third rank."""
    library = alfil.load("dobutsu")
    variant = library.variant
    lines = [re.sub(r"^(C\t\w+\t3\t)\S+", r"\g<1>9000", line) for line in dobutsu.splitlines()]
    assert lines != dobutsu.splitlines()
    rich = values_in("\n".join(lines), variant)
    game = library.game("l2/3/2C/1L1 w - 1")
    plain = Opponent(variant, depth=1).analyse(game)
    found = Opponent(variant, depth=1, squares=rich).analyse(game)
    assert str(found.move) == "c2c3"
    assert found.score > plain.score + 5000


def test_the_opponent_goes_by_terms(dobutsu: str) -> None:
    """Where a chick in hand weighs more than a whole army, it stays there."""
    library = alfil.load("dobutsu")
    variant = library.variant
    rows = "\n".join(f"C\t{phase}\theld" + "\t9000" * 8 for phase in ("full", "few"))
    lines = [line for line in dobutsu.splitlines() if not re.match(r"C\t\w+\theld\t", line)]
    rich = values_in("\n".join([*lines, rows]), variant)
    assert rich.full.terms["C", "held"] == [9000] * 8
    game = library.game("l2/3/3/1L1 w C 1")
    learned = Opponent(variant, depth=1, squares=values_in(dobutsu, variant)).analyse(game)
    found = Opponent(variant, depth=1, squares=rich).analyse(game)
    assert not str(found.move).startswith("C")
    assert found.score > learned.score + 8000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("# rules ", "# rules 0"), "these values are for other rules or pieces"),
        (("C\tfew\t1", "C\tfew\t7"), "this is no file of values by square"),
        (("\tmaterial\t", "\tmaterial\tx"), "this is no file of values by square"),
        (("\tmove\t", "\tmove\t100001"), "this is no file of values by square"),
    ],
)
def test_a_file_for_another_game_or_a_damaged_one_is_an_error(
    change: tuple[str, str], words: str, dobutsu: str
) -> None:
    with pytest.raises(alfil.AlfilError) as error:
        values_in(dobutsu.replace(*change), alfil.load("dobutsu").variant)
    assert words in str(error.value)


@pytest.mark.parametrize("extra", [["--write", "a.pieces"], ["--seconds", "1"]])
def test_options_that_mean_nothing_here_are_refused(
    extra: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["values", "dobutsu", "--squares", "a.tsv", *extra]) == 2
    assert "--squares goes with --games" in capsys.readouterr().err


def test_large_boards_are_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    assert run(["values", "tai", "--squares", str(path), "--games", "1"]) == 1
    assert "at most 225 squares" in capsys.readouterr().err
