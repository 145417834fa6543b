"""What is remembered between questions is bounded: entries are counted, not bytes."""

import pickle
import random
from collections.abc import Iterator
from dataclasses import replace

import pytest

import alfil

# No answer tells how much is remembered.
from alfil.effort import remembered, spend
from alfil.game import arrays, moves, plan
from alfil.game.variant import Kind, Variant

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


def entries(known: plan.Plan) -> Iterator[int]:
    """How many moves each part of what a game remembers holds."""
    parts = [known, *known.kept.values(), *known.kept["texts"]]
    for part in parts:
        for each in vars(part).values() if hasattr(part, "__dict__") else ():
            listed = [*each, *each.values()] if isinstance(each, dict) else []
            if any(isinstance(one, (plan.Act, alfil.Move)) for one in listed):
                yield len(each)


@pytest.mark.parametrize("text", [BUILDERS, GUNNERS])
def test_a_game_remembers_so_much_and_plays_on_when_it_forgets(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    variant = alfil.loads(text).variant
    free = played(variant)
    assert max(entries(plan.plan_of(variant))) > FEW
    for module in (arrays, moves, plan):
        monkeypatch.setattr(module, "MOVES_KEPT", FEW)
    variant = alfil.loads(text, name="again").variant
    assert played(variant) == free
    assert max(entries(plan.plan_of(variant))) <= FEW


def test_games_that_say_the_same_share_one_plan() -> None:
    first = alfil.loads(GUNNERS).variant
    again = alfil.loads(GUNNERS.replace("betza=K ", "betza=WF ")).variant
    for same in (first, again, pickle.loads(pickle.dumps(first))):
        assert plan.plan_of(same) is plan.plan_of(first)
    for code in ("K", "C", "R"):
        changed = replace(first, kinds=tuple(leaping(kind, code) for kind in first.kinds))
        assert plan.plan_of(changed) is not plan.plan_of(first)


def leaping(kind: Kind, code: str) -> Kind:
    """A kind that leaps as a dabbaba where it has this code."""
    return replace(kind, piece=alfil.read("D")) if kind.code == code else kind


def test_answers_are_remembered_by_the_work_they_were() -> None:
    asked = []

    @remembered(maxsize=100)
    def answer(question: int) -> int:
        asked.append(question)
        spend(400_000)
        return question

    for question in (1, 2, 1, 2, 3, 1):
        assert answer(question) == question
    assert asked == [1, 2, 3, 1]
