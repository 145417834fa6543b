"""What is remembered between questions is bounded: entries are counted, not bytes."""

import gc
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import alfil
from alfil.cli.app import run
from alfil.game import compiled_variant, engine_structs, moves
from alfil.game.engine_memory import reserve_array  # no game that loads asks for more than there is
from alfil.game.variant import PieceType, Variant

# No answer tells how much is remembered.
from alfil.library.outline import outline_of
from alfil.source import Source
from alfil.work_limit import cached_with_work, charge, work_done
from effort import peak_memory

FEW = 40

# Walls, so that the same step is hundreds of moves; and a runner that captures otherwise.
BUILDERS = """game "Builders"
board 6x6
rule wall = arrow
rule stalemate = loss
piece A "builder" betza=mQ
piece C "cannon" betza=mRcpR
setup mirrored
| . A . . C . |
"""
GUNNERS = """game "Gunners"
board 7x7
piece K "king" betza=K royal
piece C "cannon" betza=mRcpR
piece R "rook" betza=R
setup mirrored
| R C . K . C R |
"""


def played(variant: Variant) -> list[list[str]]:
    """The moves to choose from in a game by chance."""
    game = alfil.Game(variant)
    draw = random.Random(3)
    seen: list[list[str]] = []
    while game.outcome() is None and len(seen) < 12:
        seen.append([str(move) for move in game.legal_moves])
        game.push(draw.choice(game.legal_moves))
    return seen


def entries(known: compiled_variant.CompiledVariant) -> Iterator[int]:
    """How many moves each part of what a game remembers holds."""
    parts = [known, *known.cache.values(), *known.cache["texts"]]
    for part in parts:
        for each in vars(part).values() if hasattr(part, "__dict__") else ():
            listed = [*each, *each.values()] if isinstance(each, dict) else []
            if any(isinstance(one, (compiled_variant.EngineMove, alfil.Move)) for one in listed):
                yield len(each)


@pytest.mark.parametrize("text", [BUILDERS, GUNNERS])
def test_a_game_remembers_so_much_and_plays_on_when_it_forgets(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variant = alfil.loads(text).variant
    free = played(variant)
    assert max(entries(compiled_variant.compile_variant(variant))) > FEW
    for module in (engine_structs, moves, compiled_variant):
        monkeypatch.setattr(module, "MAX_CACHED_MOVES", FEW)
    variant = alfil.loads(text, name="again").variant
    assert played(variant) == free
    assert max(entries(compiled_variant.compile_variant(variant))) <= FEW


def test_games_that_say_the_same_share_one_plan() -> None:
    first = alfil.loads(GUNNERS).variant
    again = alfil.loads(GUNNERS.replace("betza=K ", "betza=WF ")).variant
    for same in (first, again, pickle.loads(pickle.dumps(first))):
        assert compiled_variant.compile_variant(same) is compiled_variant.compile_variant(first)
    for code in ("K", "C", "R"):
        changed = replace(first, kinds=tuple(leaping(kind, code) for kind in first.kinds))
        assert compiled_variant.compile_variant(changed) is not compiled_variant.compile_variant(
            first
        )


def leaping(kind: PieceType, code: str) -> PieceType:
    """A kind that leaps as a dabbaba where it has this code."""
    return replace(kind, piece=alfil.read("D")) if kind.code == code else kind


def test_the_collector_waits_while_trees_and_automata_are_built() -> None:
    """They have no cycles, and to look through all of them again and again is half of the time."""
    pieces = "".join(f'piece P{n} "p" betza=R{n % 30 + 1}F{n % 29 + 1}\n' for n in range(500))
    asked = [partial(alfil.loads, pieces), partial(alfil.readings, "QNRB" * 500)]
    for ask in asked:
        collections = 0

        def count(phase: str, info: dict[str, int]) -> None:
            nonlocal collections
            collections += phase == "start" and info["generation"] > 0

        gc.callbacks.append(count)
        try:
            ask()
        finally:
            gc.callbacks.remove(count)
        assert collections <= 1
        assert gc.isenabled()


def test_an_editor_holds_as_much_text_as_there_is_in_a_few_large_files() -> None:
    """However often a text is changed; small ones are all held."""

    def forgotten(lines: int) -> int:
        sources = [Source(f"# {n}\n" + 'piece W "wazir" betza=W\n' * lines) for n in range(12)]
        made = [outline_of(each) for each in sources]
        # From the last on, so that none goes before it is looked for.
        pairs = zip(reversed(made), reversed(sources), strict=True)
        return sum(outline_of(source) is not outline for outline, source in pairs)

    assert forgotten(4000) >= 8
    assert forgotten(4) == 0


def test_states_of_runs_are_work() -> None:
    """So a file of many of them is refused before they fill the memory."""
    before = work_done()
    parts = alfil.read("mR29cB17").meaning.parts
    assert work_done() - before > sum(len(part.automaton.states) for part in parts)


def test_answers_are_remembered_by_the_work_they_were() -> None:
    asked = []

    @cached_with_work(maxsize=100)
    def answer(question: int) -> int:
        asked.append(question)
        charge(400_000)
        return question

    for question in (1, 2, 1, 2, 3, 1):
        assert answer(question) == question
    assert asked == [1, 2, 3, 1]


def test_memory_that_there_is_not_is_told() -> None:
    for numbers, size in ((1 << 50, "9007199254740992"), (1 << 70, "9444732965739290427392")):
        with pytest.raises(alfil.RuleError, match=f"there is no memory of {size} bytes") as caught:
            reserve_array("q", numbers)
        assert caught.value.kind == "no-memory"


LIMITED = """
import resource, alfil
library = alfil.load("tai")
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (20 << 20),) * 2)
try:
    library.game()
except alfil.RuleError as error:
    print(error.kind)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much memory is in use")
def test_a_game_that_does_not_fit_into_memory_is_refused() -> None:
    made = subprocess.run(
        [sys.executable, "-c", LIMITED], capture_output=True, text=True, check=False
    )
    assert (made.stdout, made.stderr) == ("no-memory\n", "")


def test_games_that_were_read_keep_no_memory_of_the_engine(tmp_path: Path) -> None:
    """Of a file of many games few are in the engine at once, while they are read or listed."""
    peaks = []
    for count in (100, 400):
        (tmp_path / "games.csa").write_text("V2.2\nPI\n+\n/\n" * count, encoding="utf-8")
        peaks.append(peak_memory(lambda: run(["record", str(tmp_path / "games.csa")])))
    assert peaks[1] - peaks[0] < 300 * 30_000
