"""What test_toy_rules.py asks of a copy of alfil that has two rules more."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from pathlib import Path

import alfil
from alfil import Game, Opponent
from alfil.library.rules_page import rules_page  # the command `rules`

CHESS = alfil.load("chess").source.text


def game_of(line: str) -> alfil.Library:
    """Chess with another rule."""
    return alfil.loads(f"{CHESS}\n{line}\n", name="toy")


def goes_back(game: Game, move: alfil.Move) -> bool:
    """Whether a move is one that the rule bars, by what can be seen of it."""
    back = -1 if game.side_to_move == 0 else 1
    return move.code != "K" and (move.target[1] - move.origin[1]) * back > 0


def retreat() -> None:
    """Pieces do not go back, wherever moves are asked for."""
    plain, library = game_of("").variant, game_of("rule retreat = barred")
    assert "Only royal pieces go back" in rules_page(library)
    draw, asked = random.Random(1), 0
    for _ in range(4):
        game = library.game()
        while game.outcome() is None and len(game.moves) < 60:
            free = Game(plain, game.position_text())
            kept = [each for each in free.legal_moves if not goes_back(free, each)]
            # The outcome of the other game may be one that it has for want of moves or by counts.
            assert free.outcome() or listed(game.legal_moves) == listed(kept), game.position_text()
            for each in free.legal_moves:
                why = game.why_illegal(str(each))
                assert (why is not None) == goes_back(free, each)
                assert why is None or why.code == "retreat"
                asked += why is not None
            assert library.game(game.position_text()).legal_moves == game.legal_moves
            assert game.perft(1) == len(game.legal_moves)
            if len(game.moves) % 20 == 0:
                assert game.perft(2) == sum(counts(game))
                assert game.perft(3) == sum(game.divide(3).values())
                assert Opponent(library.variant, nodes=300).choose(game) in game.legal_moves
            game.push(draw.choice(game.legal_moves))
    assert asked > 300
    mated_for_want_of_retreats(library)


def listed(moves: Iterable[alfil.Move]) -> list[str]:
    """Moves in text, in one order."""
    return sorted(map(str, moves))


def mated_for_want_of_retreats(library: alfil.Library) -> None:
    """A rook could come back to end the check; without that it is mate, which all see."""
    before = "6k1/5ppp/8/8/8/8/r7/1R4K1 w - - 0 1"
    free = Game(game_of("").variant, before)
    free.push("b1b8")
    assert free.outcome() is None or free.outcome().reason == "mate"
    board = "6k1/5ppp/8/8/3r4/8/8/1R4K1 w - - 0 1"
    free, game = Game(game_of("").variant, board), library.game(board)
    for each in (free, game):
        each.push("b1b8")
    assert free.outcome() is None
    assert [*map(str, free.legal_moves)] == ["d4d8"]
    assert game.outcome() == alfil.Outcome("w", "mate")
    assert str(game.why_illegal("d4d8")).startswith("game-over")
    game.pop()
    found = Opponent(library.variant).analyse(game)
    assert (str(found.move), found.mate) == ("b1b8", 1)
    ends = alfil.simulate(game, 400, longest=1).ends
    assert {*ends} == {alfil.Outcome("w", "mate")}


def counts(game: Game) -> list[int]:
    """How many moves there are after each move."""
    found = []
    for move in game.legal_moves:
        game.push(move)
        found.append(len(game._game_position.engine_moves()))
        game.pop()
    return found


def both_bare() -> None:
    """Kings alone draw, for whoever asks."""
    text = CHESS.replace("rule  insufficient = draw", "")
    assert text != CHESS
    library = alfil.loads(f"{text}\nrule both-bare = draw\n", name="toy")
    assert "neither side has other pieces" in rules_page(library)
    draw = alfil.Outcome(None, "both-bare")
    board = "8/8/8/8/3P4/2k5/8/7K b - - 0 1"
    game = library.game(board)
    assert library.game(game.position_text()).outcome() is None
    assert alfil.loads(text, name="plain").game("8/8/8/8/8/3k4/8/3K4 w - - 0 1").outcome() is None
    assert library.game("8/8/8/8/8/3k4/8/3K4 w - - 0 1").outcome() == draw
    game.push("c3d4")
    assert (game.outcome(), game.legal_moves) == (draw, ())
    game.pop()
    assert game.outcome() is None
    # What leads there is worth nothing to the search, and ends random games.
    assert Opponent(library.variant).analyse(game).score == 0
    found = alfil.simulate(game, 300, seed=1, longest=1)
    assert {*found.ends} == {draw}
    assert 0 < found.ends[draw] < 300


if __name__ == "__main__":
    globals()[sys.argv[1]]()
    sys.stdout.write(f"{Path(alfil.__file__).parents[2]}\n")
