"""Rules of check, goals, passing, set-up phases, gating and castling from anywhere."""

import random

import chess
import pytest

import alfil
from strategies import NIGHTLY

LIMIT = """
board 8x8
rule first = white
rule move-limit = 2 P
piece K "king" betza=K royal
piece P "pawn" betza=fW
setup mirrored
| P . . . . . . . |
| . . . . K . . . |
"""
BLOCKED = """
board 5x5
rule first = white
piece C "cannon" betza=pR blocked-by=C
piece W "wazir" betza=W
"""


def codes(name: str, position: str, *moves: str) -> list[str]:
    """Why each move is illegal, "" for a legal one."""
    game = alfil.load(name).game(position)
    reasons = map(game.why_illegal, moves)
    return [reason.code if reason else "" for reason in reasons]


def test_a_lion_that_stood_in_its_goal_for_a_turn_has_won() -> None:
    game = alfil.load("dobutsu").game("Lle/G2/1cG/1+c1 b E 22")
    assert game.outcome() is None
    game.push("b4c3")
    assert game.outcome() == alfil.Outcome("w", "goal")


def test_racing_kings_gives_the_second_side_a_last_move() -> None:
    game = alfil.load("racing_kings").game("8/K6k/8/8/8/8/8/8 w - - 0 1")
    game.push("a7a8")
    assert game.outcome() is None
    game.push("h7h8")
    assert game.outcome() == alfil.Outcome(None, "goal")
    game = alfil.load("racing_kings").game("8/K7/7k/8/8/8/8/8 w - - 0 1")
    game.push("a7a8")
    assert game.outcome() == alfil.Outcome("w", "goal")


def test_generals_may_not_face_each_other_where_that_is_barred() -> None:
    board = "4k4/9/9/9/9/9/9/9/4R4/4K4 w - 1"
    assert codes("xiangqi", board, "e2d2", "e2e3") == ["self-check", ""]


def test_bikjang_must_end_or_be_passed() -> None:
    facing = "4k4/9/9/9/9/9/9/9/4K4/R8 w - 1"
    assert codes("janggi", facing, "a1a2", "e2d2", "e2e2") == ["facing", "", ""]
    game = alfil.load("janggi").game(facing)
    game.push("e2e2")
    assert game.outcome() == alfil.Outcome(None, "facing")


def test_two_passes_draw() -> None:
    game = alfil.load("janggi").game()
    game.push("e2e2")
    assert game.outcome() is None
    game.push("e9e9")
    assert game.outcome() == alfil.Outcome(None, "pass")


def test_moves_without_progress_are_counted() -> None:
    game = alfil.loads(LIMIT).game()
    for move in ("a2a3", "e8e7", "e1e2", "e7e8"):
        game.push(move)
        assert game.outcome() is None
    assert game.position_text().endswith("idle=3")
    again = alfil.loads(LIMIT).game(game.position_text())
    for each in (game, again):
        each.push("e2e1")
        assert each.outcome() == alfil.Outcome(None, "move-limit")
    fen = alfil.loads(LIMIT).game("4k3/8/8/8/8/8/8/4K3 w - - 3 9")
    fen.push("e1e2")
    assert fen.outcome() == alfil.Outcome(None, "move-limit")


@pytest.mark.parametrize("field", ["idle=x", "idle=-1", "idle=", "idle=1,2"])
def test_a_count_of_moves_is_a_number(field: str) -> None:
    with pytest.raises(alfil.PositionError):
        alfil.loads(LIMIT).game(f"4k3/8/8/8/8/8/8/4K3 w - 1 {field}")


def test_a_piece_is_blocked_by_what_others_hop_over() -> None:
    game = alfil.loads(BLOCKED).game("5/2w2/2W2/5/2C2 w - 1")
    assert "c1c4" in {str(move) for move in game.legal_moves}
    for board in ("5/2w2/2c2/5/2C2 w - 1", "5/2c2/2W2/5/2C2 w - 1"):
        game = alfil.loads(BLOCKED).game(board)
        assert "c1c4" not in {str(move) for move in game.legal_moves}


def test_a_first_move_may_leave_a_piece_from_the_hand() -> None:
    game = alfil.load("seirawan").game()
    move = game.push("b1c3/H")
    assert move.gated == ("H", (1, 0))
    assert game.pieces[1, 0] == ("H", 0)
    assert game.hands[0] == {"E": 1}
    assert game.pop() == move
    assert game.hands[0] == {"E": 1, "H": 1}
    for text in ("b1c3", "a7a6", "c3b1", "a6a5"):
        game.push(text)
    assert game.why_illegal("b1c3/H") is not None
    assert game.why_illegal("g1f3/E") is None


def test_castling_may_leave_it_where_the_rook_stood() -> None:
    game = alfil.load("seirawan").game("r3k2r/8/8/8/8/8/8/R3K2R w H 1")
    game.push("e1g1/Hh1")
    assert game.position_text().split()[0] == "r3k2r/8/8/8/8/8/8/R4RKH"


def test_a_set_up_phase_comes_first() -> None:
    game = alfil.load("placement").game()
    assert {move.is_drop for move in game.legal_moves} == {True}
    assert codes("placement", game.position_text(), "e2e4", "K*e2", "K*e1") == [
        "drops-first",
        "occupied",
        "",
    ]
    board = "8/pppppppp/8/8/8/8/PPPPPPPP/B7 w KQ2RB2Nkq2r2b2n 3"
    assert codes("placement", board, "B*c1", "B*b1") == ["drop-colour", ""]
    assert str(alfil.load("placement").game(board).why_illegal("B*c1")) == (
        "drop-colour: a side drops no more than 1 bishop on squares of one colour, and a1 and c1 "
        "are of one"
    )
    full = "2nqnk2/pppppppp/8/8/8/8/PPPPPPPP/QN1R3N w KR2Br2b 5"
    assert "too few for what is in hand: bishop" in str(
        alfil.load("placement").game(full).why_illegal("R*f1")
    )


def test_nothing_is_promoted_to_beyond_what_a_side_has() -> None:
    board = "k9/3P6/10/10/10/10/10/10/10/K2Q6 w - 1"
    texts = {str(move) for move in alfil.load("grand").game(board).legal_moves}
    assert {text[-1] for text in texts if text.startswith("d9d10")} >= {"c", "a", "r", "b", "n"}
    assert "d9d10q" not in texts


def test_chess_from_any_array_has_the_moves_of_python_chess() -> None:
    library = alfil.load("chess960")
    draw = random.Random(960)
    castled = 0
    for _ in range(40 if NIGHTLY else 4):
        board = chess.Board.from_chess960_pos(draw.randrange(960))
        game = library.game(board.fen())
        for _ in range(40):
            if game.outcome() or board.is_game_over():
                break
            ours = {as_uci(move): move for move in game.legal_moves}
            theirs = {board.uci(move, chess960=True): move for move in board.legal_moves}
            assert set(ours) == set(theirs)
            ways = [text for text, move in ours.items() if move.partner]
            text = draw.choice(ways or sorted(ours))
            castled += text in ways
            game.push(ours[text])
            board.push(theirs[text])
    assert castled


def as_uci(move: alfil.Move) -> str:
    assert move.origin is not None
    target = move.partner[0] if move.partner else move.target
    names = [f"{'abcdefgh'[file]}{rank + 1}" for file, rank in (move.origin, target)]
    return "".join(names) + move.promotes.lower()


@pytest.mark.parametrize(
    ("board", "square", "targets"),
    [
        # In its zone it stays or goes as a general, where it attacks nothing.
        ("7k/8/8/4P3/2P5/8/8/K7", "e5", {"e5", "d4", "f4", "d6", "f6"}),
        ("7k/6P1/8/8/2P5/8/8/K7", "g7", {"f6", "h6", "f8"}),
        ("7k/3P4/8/8/2P5/8/8/K7", "d7", set()),
        # The only one may from everywhere, and captures nothing with it.
        ("7k/8/8/8/3P4/8/8/K7", "d4", {"d4", "c3", "e3", "c5", "e5"}),
        ("6k1/8/8/8/2n1n3/3P4/8/K7", "d3", {"c2", "e2"}),
        # It lets no other piece give check either.
        ("4k3/8/8/4P3/2P5/8/4R3/K7", "e5", {"e5"}),
        # There is a general already.
        ("6k1/8/8/3P4/8/8/4F3/K7", "d5", set()),
    ],
)
def test_promotion_may_be_a_move_of_its_own(board: str, square: str, targets: set[str]) -> None:
    game = alfil.load("sittuyin").game(f"{board} w - 11")
    moves = {move.text: move for move in game.legal_moves if move.promotes}
    assert set(moves) == {f"{square}{target}+" for target in targets}
    for text in moves:
        game.push(text)
        assert game.pieces[moves[text].target] == ("F", 0)
        game.pop()
        assert game.position_text().split()[0] == board


def test_castling_gained_by_drops_tells_positions_apart() -> None:
    library = alfil.load("placement")
    game = library.game()
    for code, file in zip("KRRBBQNN", "eahcfdbg", strict=True):
        for rank in "18":
            game.push(f"{code}@{file}{rank}")
            assert game.key == library.game(game.position_text()).key
    first, wander = game.key, ["g1f3", "g8f6", "h1g1", "h8g8", "g1h1", "g8h8", "f3g1", "f6g8"]
    for text in wander:
        game.push(text)
    # The same squares, and nobody castles on the king's side any more.
    assert game.key != first
    for text in wander[:2]:
        game.push(text)
    assert game.outcome() is None
