"""The engine counts: known numbers, those of the slow rules, with threads and without."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import alfil
import slow_engine
from agreeing import position_of, refused
from alfil import Game
from alfil.game import (  # what the engine is asked for
    engine_position,
    engine_structs,
    move_layout,  # how much room there is
    native_engine,
    perft,
)
from alfil.game.compiled_variant import compile_variant
from boards import rows
from engine_games import bundled
from games import KING, LION, SHOGI_RULES, game, kind
from inside import Variant
from strategies import NIGHTLY
from test_game_paths import ODD, SLOW

INTERRUPTED_COUNT = """
import alfil
game = alfil.load("shogi").game()
game.perft(2)
try:
    print("counting", flush=True)
    game.perft(14, jobs=2, memory=1)
except KeyboardInterrupt:
    print("interrupted")
"""
PLAYED = (
    *("capablanca", "chess", "crazyhouse", "gorogoro", "hand_shogi", "judkins", "los_alamos"),
    *("makruk", "minishogi", "shogi", "three_check"),
)
# Games whose moves are judged one by one.
JUDGED = {
    "iron": game(
        "S P I P C P S/. . . . . . ./R B G K G B R",
        [
            *(KING, kind("R", "R"), kind("B", "B"), kind("G", "W"), kind("P", "fW")),
            *(kind("S", "fsW"), kind("I", "hasinu:fe(inclusive, n4dD) & 1×4dO"), kind("C", LION)),
        ],
        **SHOGI_RULES,
    ),
    "queens castle and kings leave a trail": game(
        "P P P T P P P P/R . . D K . . R",
        [
            *(kind("K", "KisO2ifmnD", royal=True), kind("D", "KisO2ifmnD"), kind("R", "R")),
            *(kind("P", "fmWfceFifmnD"), kind("T", "hasinu:atmove(2, ataction(2, n4dO)) & 1×4dO")),
        ],
        files=8,
    ),
}
COMPILED = [*alfil.games(), *ODD, *SLOW, *JUDGED]
MOST = 200_000_000 if NIGHTLY else 500_000


def variant(name: str) -> Variant:
    return ODD.get(name) or SLOW.get(name) or JUDGED.get(name) or bundled(name)


def played(name: str, seed: int, plies: int) -> list[Game]:
    """The positions of a random game."""
    draw, current, found = random.Random(f"{name} {seed}"), Game(variant(name)), []
    for _ in range(plies):
        found.append(current.copy())
        if not current.legal_moves:
            break
        current.push(draw.choice(current.legal_moves))
    return found


# A piece that roams: no table tells its moves.
ROAMING = game(
    "P P P P/. K B .",
    [KING, kind("P", "fW"), kind("B", "hasinu:n(1×8d)")],
    files=4,
    ranks=6,
)


def test_the_engine_holds_these_games() -> None:
    assert {name: refused(variant(name)) for name in COMPILED if refused(variant(name))} == {}
    assert all(
        engine_structs.slow_legality_reason(compile_variant(made)) for made in JUDGED.values()
    )


def counts_known() -> list[tuple[str, str, list[int]]]:
    return [
        (name, row[0], [int(n) for n in row[1:] if n.isdigit()])
        for name in ("shogi", "minishogi", "chess")
        for _, row in rows(f"{name}_perft.tsv")
    ]


@pytest.mark.parametrize(("name", "position", "counts"), counts_known())
def test_known_counts_of_sequences(name: str, position: str, counts: list[int]) -> None:
    game = Game(variant(name), position)
    for depth, known in enumerate(counts, 1):
        if known <= MOST:
            assert game.perft(depth) == known


def test_counts_of_midgames_are_those_of_the_slow_rules() -> None:
    for name in ("minishogi", "chess", "lions and hoppers"):
        game = played(name, 5, 41)[-1]
        position = position_of(game)
        acts = game._game_position.engine_moves()
        every = acts if NIGHTLY else acts[::5]
        assert perft.divide(game._position, every, 2) == slow_engine.divide(position, every, 2)


def test_a_trail_may_change_what_hopping_pieces_attack() -> None:
    shako = alfil.load(Path(__file__).parent / "variants" / "shako.pieces").variant
    board = "5n1cc1/er1bqkb1re/pp1pp1ppp1/10/2C2p3p/2n1P1P3/1N6P1/PPPP1P1P1P/ER1B1KBNRE/4Q4C b - 16"
    run = perft.PerftPosition(Game(shako, board)._position, 2)
    assert run.perft(2) == 3343


@pytest.mark.parametrize("name", ["chess", "minishogi", "hand_shogi"])
def test_threads_and_tables_of_positions_count_alike(name: str) -> None:
    position = played(name, 5, 21)[-1]._position
    depth = {"chess": 4, "minishogi": 5, "hand_shogi": 3}[name]
    acts = engine_position.EnginePosition(position).legal_moves()
    known = perft.divide(position, acts, depth)
    assert sum(known) == perft.PerftPosition(position, depth).perft(depth)
    told: list[tuple[int, int]] = []
    found = perft.divide(position, acts, depth, 3, 6, lambda *done: told.append(done))
    assert found == known
    assert told == [(done, len(told)) for done in range(1, len(told) + 1)]
    assert perft.divide(position, acts[3:1:-1], depth, memory=1) == known[3:1:-1]


def test_threads_go_on_after_no_move_that_ends_the_game() -> None:
    # Black's queen may explode White's king by the second move.
    board = "rnb1kbnr/pppp1ppp/8/4p3/7q/8/PPPPPPPP/RNBQKBNR w KQkq - 0 3"
    position = Game(bundled("atomic"), board)._position
    assert perft.perft(position, 4, jobs=2) == perft.perft(position, 4)


def test_a_count_that_is_stopped_ends_and_what_it_found_is_not_kept() -> None:
    position = Game(bundled("shogi"))._position

    def stop(_done: int, _of: int) -> None:
        raise KeyboardInterrupt

    counter = perft.PerftPosition(position, 9, memory=1)
    acts = counter.list_moves()
    with pytest.raises(KeyboardInterrupt):
        perft.divide(position, acts, 5, jobs=2, progress=stop)
    counter.stop()
    assert counter.perft_after(0, -1, 9) == 0
    counter._counting["stop"] = 0
    assert counter.perft_after(0, -1, 3) == perft.divide(position, acts[:1], 3)[0]


@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_an_interrupt_ends_a_count_that_would_take_years() -> None:
    asked = [sys.executable, "-c", INTERRUPTED_COUNT]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        assert running.stdout.readline() == "counting\n"
        running.send_signal(signal.SIGINT)
        assert running.stdout.read() == "interrupted\n"


def test_a_simulation_is_as_many_games_and_tells_apart_how_they_end() -> None:
    game = Game(bundled("los_alamos"))
    found = alfil.simulate(game, 40, seed=3, longest=200)
    assert found.games == 40
    assert {end.reason for end in found.ends} > {"mate"}
    assert found.unfinished > 0
    assert found == alfil.simulate(game, 40, seed=3, longest=200)
    assert found != alfil.simulate(game, 40, seed=4, longest=200)
    assert game.moves == ()
    mated = Game(bundled("minishogi"), "4k/4G/4P/5/K4 w - 1")
    assert alfil.simulate(mated, 3).ends == {alfil.Outcome("b", "mate"): 3}
    with pytest.raises(ValueError, match="1 to"):
        alfil.simulate(game, 0)


ENDS = {
    "antichess": "extinction",
    "atomic": "king-capture",
    "extinction": "extinction",
    "amazons": "stalemate",
    "dobutsu": "goal",
    "chess": "insufficient-material",
    "makruk": "countdown",
    "three_check": "checks",
    "shogi": "mate",
}


@pytest.mark.parametrize("name", ENDS)
def test_a_simulation_tells_the_ends_that_a_game_tells(name: str) -> None:
    game = Game(bundled(name))
    for seed in range(8):
        found = alfil.simulate(game, 1, seed=seed, longest=60)
        assert found == alfil.simulate(game, 1, seed=seed, longest=60)
        # The same games again, cut short one move before they end, do not end.
        ended = not found.unfinished
        if ended and found.moves > 1:
            assert alfil.simulate(game, 1, seed=seed, longest=found.moves - 1).unfinished == 1
    many = alfil.simulate(game, 30, seed=1)
    assert many.games == 30
    assert ENDS[name] in {end.reason for end in many.ends}


def test_a_simulation_knows_the_moves_before() -> None:
    game = Game(bundled("chess"))
    for move in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"]:
        game.push(move)
    found = alfil.simulate(game, 400, seed=1, longest=1)
    assert {end.reason for end in found.ends} == {"repetition"}
    assert 5 < found.games - found.unfinished < 60


@pytest.mark.parametrize("name", ["shogi", "chess", "lions and hoppers"])
def test_a_random_move_is_one_of_the_legal_moves(name: str) -> None:
    game, again = Game(variant(name)), Game(variant(name))
    chance, same = random.Random(1), random.Random(1)
    for _ in range(60):
        move = game.random_move(chance)
        assert move == again.legal_moves[same.randrange(len(again.legal_moves))]
        assert str(move) in {str(each) for each in again.legal_moves}
        game.push(move)
        again.push(str(move))
        assert game.position_text() == again.position_text()
        if game.outcome():
            with pytest.raises(ValueError, match="ended"):
                game.random_move()
            break


def test_divide_and_processes_count_alike() -> None:
    asked = [sys.executable, "-m", "alfil", "perft", "minishogi", "-d", "3", "--divide"]
    texts = {
        subprocess.run([*asked, *jobs], capture_output=True, text=True, check=True).stdout
        for jobs in ([], ["-j", "2"])
    }
    assert {text.splitlines()[-1] for text in texts} == {"2512"}
    assert len(texts) == 1


COUNT = "import alfil; print(alfil.load('minishogi').game().perft(3))"


# What modules read besides, whether or not there is an engine.
TABLES = ("engine/rules.tsv", "engine/engine.h")


def in_archive(tmp_path: Path, code: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Run some code with the package read from an archive: its modules, and these other files."""
    archive, package = tmp_path / "alfil.zip", Path(alfil.__file__).parent
    places = {"grammars", "pieces"}
    with zipfile.ZipFile(archive, "w") as packed:
        for path in [
            *package.rglob("*.py"),
            package / "__init__.pyi",
            *(package / each for each in (*TABLES, *more)),
        ]:
            packed.write(path, Path("alfil") / path.relative_to(package))
        for folder in places:
            for path in (package.parents[1] / folder).iterdir():
                packed.write(path, Path("alfil") / folder / path.name)
    return subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(archive)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_engine_is_loaded_from_an_archive(tmp_path: Path) -> None:
    found = in_archive(tmp_path, COUNT, f"engine/{native_engine.LIBRARY_FILE}")
    assert (found.stdout, found.stderr) == ("2512\n", "")


def test_without_the_engine_no_game_is_played(tmp_path: Path) -> None:
    refused = in_archive(tmp_path, COUNT)
    assert refused.stdout == ""
    assert "was installed without its engine" in refused.stderr
    # Pieces are read, moved and drawn all the same.
    code = "import alfil; print(len(alfil.moves('N')))"
    assert in_archive(tmp_path, code).stdout == "8\n"


def test_a_board_that_is_too_large_is_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    # The room of a browser for tables, and less: no game of the usual kinds needs all there is.
    monkeypatch.setattr(move_layout, "MAX_BYTES", 1 << 20)
    library = alfil.loads('board 20x20\npiece K "king" betza=K royal\npiece Q "queen" betza=Q\n')
    with pytest.raises(alfil.RuleError) as caught:
        library.game(f"k19/{'20/' * 18}K19 b - 1")
    assert caught.value.kind == "no-core"
    assert "the board is large" in str(caught.value)


def test_numbers_that_cannot_be_used_are_refused_in_words() -> None:
    chess = Game(bundled("chess"))
    with pytest.raises(alfil.AlfilError, match="no 1000000000000000 megabytes") as caught:
        chess.perft(3, memory=10**15)
    assert caught.value.kind == "no-memory"
    for asked in (
        lambda: chess.perft(2, jobs=-3),
        lambda: alfil.simulate(chess, 1, longest=10**12),
        lambda: alfil.simulate(chess, 2**64),
        lambda: alfil.identify("WfA", nearest=-1),
    ):
        with pytest.raises(ValueError, match=r"one|0 pieces|1 to"):
            asked()
    with pytest.raises(TypeError, match="a radius is a number"):
        alfil.moves("W", radius=2.5)  # type: ignore[arg-type]
    with pytest.raises(alfil.IllegalMove, match="zz"):
        chess.divide(2, moves=["zz"])
