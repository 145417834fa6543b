"""One game used by several threads: each call is done before the next begins."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

import alfil
from alfil import Opponent

THREADS, TIMES = 8, 16
PATIENCE = 300


def at_once(work: Callable[[int], object]) -> list[object]:
    """What a function answers in several threads; what one raises is raised."""
    with ThreadPoolExecutor(THREADS) as pool:
        return [*pool.map(work, range(THREADS))]


def test_threads_that_look_at_one_game_see_what_one_would_see() -> None:
    game = alfil.load("chess").game()

    def look(_: int) -> set[object]:
        seen: set[object] = set()
        for _ in range(TIMES):
            seen.add((len(game.legal_moves), game.perft(2), game.position_text(), game.is_check()))
            seen.add(game.why_illegal("e2e5").code)  # type: ignore[union-attr]
            seen.add(len(game.copy().legal_moves))
        return seen

    start = alfil.load("chess").game().position_text()
    assert at_once(look) == [{(20, 400, start, False), "pattern", 20}] * THREADS


def test_threads_that_play_one_game_play_legal_moves_in_one_order() -> None:
    for name in ("chess", "hand_shogi"):
        game = alfil.load(name).game()

        def play(seed: int, game: alfil.Game = game) -> int:
            chance, made = random.Random(seed), 0
            for _ in range(TIMES):
                moves = game.legal_moves
                try:
                    game.push(chance.choice(moves))
                    made += 1
                except (alfil.AlfilError, IndexError):
                    continue  # another thread has moved since, or the game has ended
                if chance.random() < 0.3:
                    try:
                        game.pop()
                        made -= 1
                    except alfil.RuleError:
                        continue
            return made

        made = sum(map(int, at_once(play)))  # type: ignore[call-overload]
        assert len(game.moves) == made
        again = alfil.load(name).game()
        for move in game.moves:
            again.push(str(move))
        assert (again.position_text(), again.key) == (game.position_text(), game.key)
        assert set(map(str, again.legal_moves)) == set(map(str, game.legal_moves))


def test_games_of_one_variant_in_several_threads_share_what_is_kept() -> None:
    """Even while that is full and forgotten all at once."""
    variant = alfil.load("minishogi").variant
    records: list[object] = at_once(lambda seed: played(alfil.Game(variant), seed))
    assert records == [played(alfil.Game(variant), seed) for seed in range(THREADS)]


def played(game: alfil.Game, seed: int) -> list[str]:
    chance = random.Random(seed)
    while not game.outcome() and len(game.moves) < 60:
        game.push(chance.choice(game.legal_moves))
    return [*map(str, game.moves)]


def test_threads_that_step_the_same_games_play_legal_moves() -> None:
    """In a process of its own: what two threads do at once to one position may end it."""
    text = """
import concurrent.futures
env = alfil.learning.VectorEnv(chess, 16, seed=1)

def play(seed):
    for turn in range(60):
        try:
            env.step(env.sample())
        except alfil.IllegalMove:
            pass  # another thread has moved since
        env.take_back([turn % 3] * 16)
        env.observe(), env.mask(), env.is_legal(env.sample()), env.outcomes()
        env.game(seed).legal_moves

with concurrent.futures.ThreadPoolExecutor(8) as pool:
    print(len([*pool.map(play, range(8))]))
"""
    assert run_program(text) == "8\n"


# What a program does in a thread, without an end, or with one far off.
ENDLESS = {
    "a search": "Opponent(chess.variant, depth=60, nodes=10**12).choose(chess.game())",
    "a count": "chess.game().perft(20, jobs=2)",
    "a count of a short name": "chess.game().divide(20)",
    "a problem": 'alfil.solve(chess.game(), "#40", positions=10**12)',
}
BEGINNING = """
import threading, time, alfil
from alfil import Opponent
chess = alfil.load("chess")
"""


def run_program(text: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", BEGINNING + text],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("work", ENDLESS)
def test_python_ends_while_a_daemon_thread_works(work: str) -> None:
    text = f"""
threading.Thread(target=lambda: {ENDLESS[work]}, daemon=True).start()
time.sleep(0.3)
print("end")
"""
    assert run_program(text) == "end\n"


def test_a_thread_that_outlives_the_main_one_may_begin_a_search() -> None:
    text = """
def play():
    threading.main_thread().join()
    print(Opponent(chess.variant, depth=1).choose(chess.game()), chess.game().perft(3, jobs=2))

threading.Thread(target=play).start()
"""
    assert run_program(text).endswith(" 8902\n")


def test_searches_in_turn_use_one_thread_and_others_at_once_more() -> None:
    opponent = Opponent(alfil.load("chess").variant, depth=1)
    game = alfil.load("chess").game()
    opponent.choose(game)
    before = threading.active_count()
    for _ in range(20):
        opponent.choose(game)
    assert threading.active_count() == before
    moves = at_once(lambda _: str(opponent.choose(alfil.load("chess").game())))
    assert len({*moves}) == 1
