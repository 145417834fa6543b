"""The compiled core: the same moves in the same order as pure Python, and the same counts."""

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
import trying
from alfil import Game
from alfil.game import arrays, counting, fast, legal, native, perft  # engines compared
from alfil.game.plan import plan_of  # engines compared
from alfil.game.structs import WIDTH
from boards import rows
from engine_games import bundled
from games import KING, LION, SHOGI_RULES, game, kind
from inside import Variant
from strategies import NIGHTLY
from test_game_paths import ODD, SLOW

INTERRUPTED_COUNT = """
import alfil
game = alfil.load("shogi").game()
game.perft(2, core="fast")
try:
    print("counting", flush=True)
    game.perft(14, core="fast", jobs=2, memory=1)
except KeyboardInterrupt:
    print("interrupted")
"""
needs_core = pytest.mark.skipif(bool(fast.missing()), reason=fast.missing())
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
# Sequences of two moves are counted where there are no more first ones.
MOST_FIRST = 500


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


def refused(name: str) -> str:
    return arrays.unsuited(plan_of(variant(name)))


# What burns only by some of its moves is left to Python.
LEFT_TO_PYTHON = game(
    "P P P P/. K B .",
    [KING, kind("P", "fW"), kind("B", "hasinu:n(1×8d) & burn(atmove(1, 1×8d),PA)")],
    files=4,
    ranks=6,
)


def test_what_is_left_to_python() -> None:
    assert {name: refused(name) for name in COMPILED if refused(name)} == {}
    left = "a range depends on more than the board"
    assert arrays.unsuited(plan_of(LEFT_TO_PYTHON)) == left
    assert all(arrays.needs_care(plan_of(made)) for made in JUDGED.values())


def check(game: Game, depth: int = 1) -> None:
    """Lists and counts are those of pure Python, and the position is as it was."""
    position = game._position
    acts = legal.legal_acts(position)
    run = counting.Counter(position, 2)
    kept = ("board", "hands", "made", "on_file", "shift", "occupied")
    before = [bytes(run.state.struct.arrays[each]) for each in kept]
    assert run.legal_acts() == acts, game.sfen()
    # For two moves in a row there are four lists, and none is written beyond its end.
    assert 4 * WIDTH * run.ask("generate", 0) <= len(run.state.moves), game.sfen()
    assert run.perft(1) == len(acts), game.sfen()
    if len(acts) < MOST_FIRST:
        assert run.perft(2) == run.perft(2, plain=True), game.sfen()
    if depth > 1:
        assert run.perft(2) == perft.perft(position, 2), game.sfen()
    assert [bytes(run.state.struct.arrays[each]) for each in kept] == before, game.sfen()


def counts_known() -> list[tuple[str, str, list[int]]]:
    return [
        (name, row[0], [int(n) for n in row[1:] if n.isdigit()])
        for name in ("shogi", "minishogi", "chess")
        for _, row in rows(f"{name}_perft.tsv")
    ]


@needs_core
@pytest.mark.parametrize(("name", "position", "counts"), counts_known())
def test_known_counts_of_sequences(name: str, position: str, counts: list[int]) -> None:
    game = Game(variant(name), position)
    for depth, known in enumerate(counts, 1):
        if known <= MOST:
            assert game.perft(depth, core="fast" if depth > 1 else "auto") == known


@needs_core
def test_counts_of_midgames_are_those_of_python() -> None:
    for name in ("shogi", "chess", "lions and hoppers"):
        position = played(name, 5, 41)[-1]._position
        assert counting.perft(position, 2) == trying.perft(position, 2)


@needs_core
def test_a_trail_may_change_what_hopping_pieces_attack() -> None:
    shako = alfil.load(Path(__file__).parent / "variants" / "shako.pieces").variant
    board = "5n1cc1/er1bqkb1re/pp1pp1ppp1/10/2C2p3p/2n1P1P3/1N6P1/PPPP1P1P1P/ER1B1KBNRE/4Q4C b - 16"
    run = counting.Counter(Game(shako, board)._position, 2)
    # Counted twice: nothing of the first count is left behind.
    assert [run.perft(2), run.perft(2, plain=True), run.perft(2)] == [3343] * 3


@needs_core
@pytest.mark.parametrize("name", ["chess", "minishogi", "hand_shogi"])
def test_threads_and_tables_of_positions_count_alike(name: str) -> None:
    position = played(name, 5, 21)[-1]._position
    depth = {"chess": 4, "minishogi": 5, "hand_shogi": 3}[name]
    acts = legal.legal_acts(position)
    known = counting.divide(position, acts, depth)
    assert sum(known) == counting.Counter(position, depth).perft(depth, plain=True)
    told: list[tuple[int, int]] = []
    found = counting.divide(position, acts, depth, 3, 6, lambda *done: told.append(done))
    assert found == known
    assert told == [(done, len(told)) for done in range(1, len(told) + 1)]
    assert counting.divide(position, acts[3:1:-1], depth, memory=1) == known[3:1:-1]


@needs_core
def test_a_count_that_is_stopped_ends_and_what_it_found_is_not_kept() -> None:
    position = Game(bundled("shogi"))._position

    def stop(_done: int, _of: int) -> None:
        raise KeyboardInterrupt

    counter = counting.Counter(position, 9, memory=1)
    acts = counter.list_moves()
    with pytest.raises(KeyboardInterrupt):
        counting.divide(position, acts, 5, jobs=2, told=stop)
    counter.stop()
    assert counter.after(0, -1, 9) == 0
    counter._notes["stop"] = 0
    assert counter.after(0, -1, 3) == counting.divide(position, acts[:1], 3)[0]


@needs_core
@pytest.mark.skipif(sys.platform == "win32", reason="signals differ")
def test_an_interrupt_ends_a_count_that_would_take_years() -> None:
    asked = [sys.executable, "-c", INTERRUPTED_COUNT]
    with subprocess.Popen(asked, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        assert running.stdout.readline() == "counting\n"
        running.send_signal(signal.SIGINT)
        assert running.stdout.read() == "interrupted\n"


@needs_core
def test_random_games_end_as_they_end_in_python() -> None:
    position = Game(variant("los_alamos"))._position
    moves, ends = fast.Run(position, 1, 300).simulate(50, 300, 1)
    assert sum(ends) == 50
    assert fast.Run(position, 1, 300).simulate(50, 300, 1) == (moves, ends)
    assert fast.Run(position, 1, 300).simulate(50, 300, 2) != (moves, ends)


@needs_core
def test_a_simulation_is_as_many_games_and_tells_apart_how_they_end() -> None:
    game = Game(bundled("los_alamos"))
    found = alfil.simulate(game, 40, seed=3, longest=200)
    assert found.games == 40
    assert sum(found.mates) > 0
    assert found.unfinished > 0
    assert found == alfil.simulate(game, 40, seed=3, longest=200)
    assert found != alfil.simulate(game, 40, seed=4, longest=200)
    assert game.moves == ()
    mated = Game(bundled("minishogi"), "4k/4G/4P/5/K4 w - 1")
    assert alfil.simulate(mated, 3).mates == (0, 3)
    with pytest.raises(ValueError, match="1 to"):
        alfil.simulate(game, 0)


@needs_core
@pytest.mark.parametrize("name", ["antichess", "atomic", "extinction", "amazons", "dobutsu"])
def test_a_simulation_tells_the_ends_that_a_game_tells(name: str) -> None:
    game = Game(bundled(name))
    for seed in range(8):
        found = alfil.simulate(game, 1, seed=seed, longest=60)
        assert found == alfil.simulate(game, 1, seed=seed, longest=60)
        # The same games again, cut short one move before they end, do not end.
        ended = not found.unfinished
        if ended and found.moves > 1:
            assert alfil.simulate(game, 1, seed=seed, longest=found.moves - 1).unfinished == 1
    ways = {"antichess": "extinct", "extinction": "extinct", "amazons": "stuck"}
    many = alfil.simulate(game, 30, seed=1)
    assert many.games == 30
    assert sum(getattr(many, ways.get(name, "captured"))) > 0


def test_where_nothing_is_compiled_nothing_is_simulated() -> None:
    with pytest.raises(alfil.RuleError, match="a range depends on more than the board"):
        alfil.simulate(Game(LEFT_TO_PYTHON), 1)


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
        assert game.sfen() == again.sfen()
        if game.outcome():
            with pytest.raises(ValueError, match="ended"):
                game.random_move()
            break


@needs_core
def test_divide_and_processes_count_alike() -> None:
    asked = [sys.executable, "-m", "alfil", "perft", "minishogi", "-d", "3", "--divide", "--core"]
    texts = {
        subprocess.run([*asked, *core], capture_output=True, text=True, check=True).stdout
        for core in (["pure"], ["fast"], ["fast", "-j", "2"])
    }
    assert {text.splitlines()[-1] for text in texts} == {"2512"}
    assert len(texts) == 1


def test_where_the_core_does_not_serve_it_says_so() -> None:
    game = Game(LEFT_TO_PYTHON)
    with pytest.raises(alfil.RuleError, match="a range depends on more than the board") as caught:
        game.perft(2, core="fast")
    assert caught.value.kind == "no-core"
    assert game.perft(2) == game.perft(2, core="pure")


COUNT = "import alfil; print(alfil.load('minishogi').game().perft(3{}))"


def in_archive(tmp_path: Path, code: str, *more: str) -> subprocess.CompletedProcess[str]:
    """Run some code with the package read from an archive: its modules, and these other files."""
    archive, package = tmp_path / "alfil.zip", Path(alfil.__file__).parent
    places = {"grammars", "pieces"}
    with zipfile.ZipFile(archive, "w") as packed:
        for path in [*package.rglob("*.py"), *(package / each for each in more)]:
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


@needs_core
def test_the_core_is_loaded_from_an_archive(tmp_path: Path) -> None:
    found = in_archive(tmp_path, COUNT.format(", core='fast'"), f"engine/{native.FILE}")
    assert (found.stdout, found.stderr) == ("2512\n", "")


def test_without_the_core_python_counts(tmp_path: Path) -> None:
    assert in_archive(tmp_path, COUNT.format("")).stdout == "2512\n"
    refused = in_archive(tmp_path, COUNT.format(", core='fast'"))
    assert "was installed without its compiled core" in refused.stderr


@needs_core
def test_a_number_that_cannot_be_used_is_refused_in_words() -> None:
    chess = Game(bundled("chess"))
    with pytest.raises(alfil.AlfilError, match="no 1000000000000000 megabytes") as caught:
        chess.perft(3, core="fast", memory=10**15)
    assert caught.value.kind == "no-memory"
    for asked in (
        lambda: chess.perft(2, jobs=-3),
        lambda: chess.perft(2, core="nope"),  # type: ignore[arg-type]
        lambda: alfil.load("chess").game(core="nope"),  # type: ignore[arg-type]
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
