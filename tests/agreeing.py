"""The engine and the slow rules of `slow_engine` asked about the same game.

Moves are compared as sorted lists: the order is the engine's own.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

import slow_engine
from alfil import Game
from alfil.game.compiled_variant import EngineMove, compile_variant
from alfil.game.engine_interface import WIDTH
from alfil.game.engine_position import MoveVerdict
from alfil.game.engine_structs import (  # the numbers that the engine works on
    PositionStruct,
    unsupported_reason,
)
from alfil.game.moves import reason_code  # what the engine's reasons are called
from alfil.game.perft import PerftPosition
from inside import Variant
from slow_engine import Position

# What moves change in the engine and must give back; its lists of squares are in no order.
KEPT = ("board", "anchor", "hands", "made", "on_file", "shift", "occupied")
NUMBERS = ("side", "number", "first_count", "second_count", "careful", "trail", "victim")


def refused(variant: Variant) -> str:
    """Why the engine cannot hold a game; empty if it can. Such games are left out."""
    return unsupported_reason(compile_variant(variant))


def position_of(game: Game) -> Position:
    """The position of a game for the slow rules."""
    return slow_engine.same_as(game._position)


def check(game: Game, depth: int = 1) -> None:
    """Lists, check and counts are those of the slow rules, and the position is as it was."""
    position, acts = position_of(game), game._game_position.engine_moves()
    assert sorted(acts) == sorted(slow_engine.legal_acts(position)), game.position_text()
    assert game.is_check() == slow_engine.in_check(position, position.turn), game.position_text()
    counter = PerftPosition(game._position, 2)
    before = bits(counter.state)
    assert counter.legal_moves() == acts, game.position_text()
    # For two moves in a row there are four lists, and none is written beyond its end.
    assert 4 * WIDTH * counter.call_engine("generate_legal_moves", 0) <= len(counter.state.moves), (
        game.position_text()
    )
    assert counter.perft(1) == len(acts), game.position_text()
    if depth > 1:
        assert counter.perft(2) == slow_engine.perft(position, 2), game.position_text()
    assert bits(counter.state) == before, game.position_text()


def check_reasons(game: Game) -> None:
    """All that pieces could do, and that may be put down, is illegal for the same reasons."""
    played, position = game._game_position, position_of(game)
    for square in position.squares_of(position.turn):
        found = by_act(played.pseudo_legal_moves(square))
        assert found == without_walls(slow_engine.moves_from(position, square)), (
            game.position_text()
        )
    for piece in slow_engine.in_hand(position):
        for square in position.plan.drop_squares(piece):
            if not any(position.board[cell] for cell in position.cells(piece, square)):
                found = by_act(played.pseudo_legal_drops(piece, square))
                wanted = without_walls(slow_engine.drops_onto(position, piece, square))
                assert found == wanted, game.position_text()


def by_act(proposals: Iterable[MoveVerdict]) -> dict[EngineMove, str | None]:
    """Why moves are illegal by the engine, in words of a game."""
    return without_walls((each.engine_move, reason_code(each.reason)) for each in proposals)


def without_walls(judged: Iterable[tuple[EngineMove, str | None]]) -> dict[EngineMove, str | None]:
    """Moves with why they are illegal; of one that must build a wall and cannot, not which."""
    return {act._replace(changes=()) if code == "wall" else act: code for act, code in judged}


def bits(state: PositionStruct) -> tuple[object, ...]:
    """A position as the engine holds it."""
    arrays, holds = state.struct.arrays, state.struct.arrays["holds"]
    kept = (bytes(arrays[each]) for each in KEPT if each in arrays)
    return (*kept, *(state.struct[each] for each in NUMBERS), *holds[: holds[0] + 1])


def told(position: Position) -> tuple[object, ...]:
    """All that a position says."""
    compiled = position.plan
    standing = zip(position.made, position.board, strict=True)
    made = [count if 0 < piece < compiled.wall else 0 for count, piece in standing]
    holds = sorted(position.holds)
    remembered = (position.trail, holds, made if compiled.needs_move_counts else [])
    return (position.board, position.hands, position.turn, position.number, *remembered)


def push(game: Game, text: str) -> None:
    """Make a move; who loses by it, and what stands then, is as the slow rules have it."""
    move = game.read_move(text)
    act = game._engine_move(move)
    before = position_of(game)
    loser = slow_engine.lost_by(before, act)
    game.push(move)
    assert lost(game) == loser, game.position_text()
    assert told(position_of(game)) == told(before.after(act)), game.position_text()


def lost(game: Game) -> int | None:
    """The side that has lost its royals."""
    end = game.outcome()
    sides = ("b", "w") if game.variant.rules.first == "black" else ("w", "b")
    taken = end is not None and end.reason == "king-capture"
    return 1 - sides.index(end.winner) if taken else None


def walk(game: Game, draw: random.Random, plies: int, every: int = 1, deep: int = 0) -> None:
    """Moves by lot, some of them taken back; what the engine says must be what the rules say.

    ``every`` so many plies all is compared, and once sequences of two moves where there are fewer
    than ``deep`` first ones.
    """
    before: list[tuple[object, ...]] = []
    for ply in range(plies):
        if ply % every == 0:
            check(game, 2 if ply == every and len(game.legal_moves) < deep else 1)
            check_reasons(game)
        moves = game.legal_moves
        if draw.randrange(8) == 0 or not moves:
            for _ in range(min(len(before), draw.randint(1, 5))):
                game.pop()
                assert seen(game) == before.pop()
        else:
            before.append(seen(game))
            push(game, str(draw.choice(moves)))


def seen(game: Game) -> tuple[object, ...]:
    """What must be as it was when moves are taken back."""
    return (
        bits(game._game_position.state),
        game.key,
        game.position_text(),
        game.legal_moves,
        game.outcome(),
    )
