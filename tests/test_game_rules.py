"""One rule field at a time: a bundled game with that field changed, and what it changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import alfil
from alfil import Game, Opponent
from boards import rows
from engine_games import bundled, variant_of
from games import KING, SHOGI_RULES, kind, with_rules
from games import game as board
from inside import Variant
from oracle.games.known import HAND_SHOGI_START
from oracle.games.made_up import PRINCES

ENDS = {row[0]: row for _, row in rows("hand_shogi_ends.tsv")}
POSITIONS = {row[0]: row[1] for _, row in rows("hand_shogi_moves.tsv")}


def changed(game: str = "hand_shogi", **rules: Any) -> Variant:  # noqa: ANN401 - any field
    return with_rules(bundled(game), **rules)


def changed_kind(code: str, game: str = "hand_shogi", **fields: Any) -> Variant:  # noqa: ANN401
    variant = bundled(game)
    kinds = tuple(replace(kind, **fields) if kind.code == code else kind for kind in variant.kinds)
    return replace(variant, kinds=kinds)


def result(variant: Variant, position: str, moves: str) -> tuple[str | None, str] | None:
    """The outcome after the moves, as winner and reason."""
    game = Game(variant, position)
    for move in moves.replace("-", "").split():
        assert game.outcome() is None
        game.push(move)
    outcome = game.outcome()
    return outcome and (outcome.winner, outcome.reason)


def ending(name: str, **rules: Any) -> tuple[str | None, str] | None:  # noqa: ANN401 - any field
    return result(changed(**rules), ENDS[name][1], ENDS[name][2])


def moves(variant: Variant, position: str) -> set[str]:
    return {str(move) for move in Game(variant, position).legal_moves}


def reason(variant: Variant, position: str, move: str) -> str:
    with pytest.raises(alfil.IllegalMove) as caught:
        Game(variant, position).push(move)
    return caught.value.kind


@pytest.mark.parametrize(("value", "winner"), [("draw", None), ("loss", "b"), ("win", "w")])
def test_stalemate(value: str, winner: str | None) -> None:
    assert ending("E03", stalemate=value) == (winner, "stalemate")


@pytest.mark.parametrize(
    ("value", "end"),
    [
        (None, None),
        ("5 draw", None),
        ("4 draw", (None, "repetition")),
        ("4 loss-first", ("w", "repetition")),
        ("4 loss-repeater", ("b", "repetition")),
    ],
)
def test_repetition(value: str | None, end: tuple[str | None, str] | None) -> None:
    assert ending("E06", repetition=value) == end


@pytest.mark.parametrize(
    ("value", "end"),
    [
        ("allowed", (None, "repetition")),
        ("loss", ("w", "perpetual-check")),
        ("draw", (None, "perpetual-check")),
    ],
)
def test_perpetual_check(value: str, end: tuple[str | None, str]) -> None:
    assert ending("E07", perpetual_check=value) == end


@pytest.mark.parametrize(
    ("name", "span", "end"),
    [
        ("E09", "first", (None, "repetition")),
        ("E09", "last", ("w", "perpetual-check")),
        ("E10", "first", (None, "repetition")),
        ("E10", "last", (None, "repetition")),
    ],
)
def test_perpetual_span(name: str, span: str, end: tuple[str | None, str]) -> None:
    assert ending(name, perpetual_span=span) == end


SILVER = "4k4/9/4S4/9/9/9/9/9/4K4 b - 1"
SILVER_ON_ENEMY = "4k4/9/9/9/9/4p4/4S4/9/4K4 b - 1"


@pytest.mark.parametrize(
    ("when", "promoting"),
    [
        ("touches", {"5c5b+", "5c4b+", "5c6b+", "5c4d+", "5c6d+"}),
        ("ends", {"5c5b+", "5c4b+", "5c6b+"}),
        ("captures", set()),
        ("always", {"5c5b+", "5c4b+", "5c6b+", "5c4d+", "5c6d+"}),
    ],
)
def test_promotion_when(when: str, promoting: set[str]) -> None:
    found = moves(changed("shogi", promotion_when=when), SILVER)
    assert {move for move in found if move.startswith("5c") and move[-1] == "+"} == promoting
    assert "5c5b" in found


@pytest.mark.parametrize(
    ("when", "promotes"),
    [("touches", False), ("ends", False), ("captures", True), ("always", True)],
)
def test_promotion_by_a_capture_outside_the_zone(when: str, *, promotes: bool) -> None:
    found = moves(changed("shogi", promotion_when=when), SILVER_ON_ENEMY)
    assert ("5g5f+" in found) == promotes


@pytest.mark.parametrize(
    ("force", "last_rank", "before"),
    [
        ("optional", {"9b9a", "9b9a+"}, {"8c8b", "8c8b+"}),
        ("stuck", {"9b9a+"}, {"8c8b", "8c8b+"}),
        ("forced", {"9b9a+"}, {"8c8b+"}),
    ],
)
def test_force_of_promotion(force: str, last_rank: set[str], before: set[str]) -> None:
    variant = changed_kind("P", "shogi", promotion=force)
    found = moves(variant, "8k/P8/1P7/9/9/9/9/9/K8 b - 1")
    assert {move for move in found if move.startswith("9b")} == last_rank
    assert {move for move in found if move.startswith("8c")} == before


@pytest.mark.parametrize(
    ("captured", "form", "after"),
    [
        ("to-hand", "base", "4k4/9/9/4G4/9/9/9/9/4K4 w N 2"),
        ("to-hand", "as-is", "4k4/9/9/4G4/9/9/9/9/4K4 w +N 2"),
        ("removed", "base", "4k4/9/9/4G4/9/9/9/9/4K4 w - 2"),
    ],
)
def test_captured_pieces(captured: str, form: str, after: str) -> None:
    variant = changed(captured=captured, captured_form=form)
    game = Game(variant, POSITIONS["C02"])
    game.push("5e5d")
    assert game.position_text() == after
    assert Game(variant, after).key == game.key


def test_drops_of_either_form() -> None:
    position = "8k/9/9/9/9/9/9/9/K8 b N 1"
    found = moves(changed(drop_form="either"), position)
    assert {"N*5d", "+N*5d", "+N*5a"} <= found
    assert "N*5a" not in found
    assert not any(move.startswith("+") for move in moves(changed(), position))


def test_no_drops() -> None:
    assert not any("*" in move for move in moves(changed(drops="no"), HAND_SHOGI_START))


@pytest.mark.parametrize(
    ("ranks", "first", "last"),
    [((1, 9), "i", "a"), ((1, 1), "i", "i"), ((4, 6), "f", "d"), ((9, 9), "a", "a")],
)
def test_drop_ranks(ranks: tuple[int, int], first: str, last: str) -> None:
    variant = changed_kind("S", drop_ranks=ranks)
    wanted = {rank for rank in "abcdefghi" if last <= rank <= first}
    black = moves(variant, "8k/9/9/9/9/9/9/9/K8 b Ss 1")
    assert {move[3] for move in black if "*" in move} == wanted
    turned = {"abcdefghi"[8 - "abcdefghi".index(rank)] for rank in wanted}
    white = moves(variant, "8k/9/9/9/9/9/9/9/K8 w Ss 1")
    assert {move[3] for move in white if "*" in move} == turned


def test_no_drop_ranks_at_all() -> None:
    variant = changed_kind("S", drop_ranks=None)
    assert not any("*" in move for move in moves(variant, "8k/9/9/9/9/9/9/9/K8 b S 1"))
    assert reason(variant, "8k/9/9/9/9/9/9/9/K8 b S 1", "S*5e") == "drop-rank"


@pytest.mark.parametrize(
    ("value", "answers"),
    [
        ("free", {"G*5b": "", "G*5e": ""}),
        ("required", {"G*5b": "", "G*5e": "drop-check"}),
        ("barred", {"G*5b": "drop-check", "G*5e": ""}),
    ],
)
def test_drop_check(value: str, answers: dict[str, str]) -> None:
    variant, position = changed_kind("G", drop_check=value), "4k4/9/9/9/9/9/9/9/4K4 b G 1"
    legal = moves(variant, position)
    for move, code in answers.items():
        assert (move in legal) == (not code)
        if code:
            assert reason(variant, position, move) == code


def test_drop_mate() -> None:
    variant = changed_kind("SO", drop_mate="barred")
    assert reason(variant, ENDS["E01"][1], "P*5b") == "drop-mate"
    assert "S*5b" in moves(variant, ENDS["E02"][1])


def test_a_drop_that_wins_by_its_check_is_no_mate() -> None:
    variant = changed_kind("SO", drop_mate="barred")
    for win, legal in (("mate,checks:1", True), ("mate,checks:3", False)):
        game = Game(with_rules(variant, win=win), ENDS["E01"][1])
        assert ("P*5b" in {str(move) for move in game.legal_moves}) == legal
        assert (game.why_illegal("P*5b") is None) == legal


@pytest.mark.parametrize(
    ("number", "acts", "drop", "move"),
    [
        (0, {"drop", "move"}, True, True),
        (1, {"drop"}, False, True),
        (1, {"move"}, True, False),
        (1, {"drop", "move"}, False, False),
        (2, {"drop", "move"}, True, True),
    ],
)
def test_per_file(number: int, acts: set[str], *, drop: bool, move: bool) -> None:
    variant = changed_kind("SO", per_file=number, per_file_on=frozenset(acts))
    found = moves(variant, "k8/9/9/9/3P5/9/4P4/9/K8 b P 1")
    assert ("P*5c" in found) == drop
    assert ("6e5e" in found) == move


def test_self_check_allowed() -> None:
    variant, position = changed(self_check="allowed"), POSITIONS["K02"]
    assert "5h4h" in moves(variant, position)
    assert "5h4h" not in moves(changed(), position)
    assert result(variant, position, "5h4h 5b5i") == ("w", "king-capture")


def test_royal_lost() -> None:
    both = variant_of(PRINCES)
    position = "5k/6/6/2c3/6/K1R2C b - 1"
    assert result(both, position, "4f4d") is None
    either = replace(both, rules=replace(both.rules, royal_lost="any"))
    assert result(either, position, "4f4d") == ("b", "king-capture")
    # The last royal piece is in check as any king is.
    assert "6a6b" not in moves(both, "k5/2R3/6/6/6/K4C w - 1")
    assert "6a6b" in moves(both, "k4c/2R3/6/6/6/K4C w - 1")


def test_goal() -> None:
    hill = changed(win="mate,goal", goal="K 5-5")
    assert result(hill, "k8/9/9/9/9/4K4/9/9/9 b - 1", "5f5e") == ("b", "goal")
    assert result(hill, "k8/9/9/9/9/4K4/9/9/9 b - 1", "5f5g") is None
    other = changed(win="mate,goal", goal="K 9-9")
    assert result(other, "9/4K4/9/9/9/9/4k4/9/9 w - 1", "5g5h 5b6b 5h5i") == ("w", "goal")


def test_checks() -> None:
    variant = changed(win="mate,checks:3", repetition=None)
    cycle = "4d5d 5e4e 5d4d 4e5e"
    position = ENDS["E07"][1]
    assert result(variant, position, f"{cycle} 4d5d") == ("b", "checks")
    assert result(variant, position, cycle) is None


def test_bare() -> None:
    variant = changed(win="mate,bare", captured="removed")
    assert result(variant, "8k/9/9/4p4/4G4/9/9/9/K8 b - 1", "5e5d") == ("b", "bare")
    assert result(variant, "8k/9/9/4p4/4G4/9/9/9/K8 b s 1", "5e5d") is None
    assert result(variant, "8k/9/9/4p4/4G4/9/9/9/K7p b - 1", "5e5d") is None


@pytest.mark.parametrize(
    ("impasse", "needs", "name", "allowed"),
    [
        ("agreement", "royals-in-zone", "E14", True),
        ("agreement", "royals-in-zone", "E15", False),
        ("agreement", "nothing", "E15", True),
        ("none", "nothing", "E14", False),
    ],
)
def test_impasse(impasse: str, needs: str, name: str, *, allowed: bool) -> None:
    variant = changed(impasse=impasse, impasse_needs=needs)  # type: ignore[arg-type]
    game = Game(variant, ENDS[name][1])
    if allowed:
        game.agree_impasse()
        assert (game.outcome().winner, game.outcome().reason) == (None, "impasse")
    else:
        with pytest.raises(alfil.RuleError):
            game.agree_impasse()


def test_an_agreed_count_is_of_all_pieces_wherever_they_stand() -> None:
    """White has 24 points, Black 18 and one for each pawn, with a rook outside the zone."""
    for pawns, winner in ((5, "w"), (6, None)):
        held = f"B4N4L{pawns}Pb4g4s6p"
        game = alfil.load("shogi").game(f"9/1K7/9/4r4/4R4/9/9/1k7/9 b {held} 1")
        assert game.agree_impasse().winner == winner


def test_an_illegal_move_loses_only_where_the_rules_say_so() -> None:
    for rule, ends in (("loss", True), ("rejected", False)):
        game = Game(changed(illegal_move=rule), adjudicate=True)
        if ends:
            game.push("5i5h")
            assert game.outcome().reason == "illegal-move"
        else:
            with pytest.raises(alfil.IllegalMove):
                game.push("5i5h")


def test_mate_that_is_no_win_is_stalemate() -> None:
    assert ending("E01", win="bare") == ("b", "stalemate")
    assert ending("E01", win="bare", stalemate="draw") == (None, "stalemate")


def test_mate_wins_where_the_capture_of_a_royal_does_and_check_is_barred() -> None:
    captures = "royal-capture"
    assert ending("E01", win=captures, stalemate="draw") == ("b", "mate")
    assert ending("E03", win=captures, stalemate="draw") == (None, "stalemate")
    position = "k8/1G7/2G6/9/9/9/9/9/8K w - 1"
    assert Game(changed(win=captures, stalemate="draw"), position).outcome() == alfil.Outcome(
        "b", "mate"
    )


@pytest.mark.parametrize("repeated", ["draw", "loss-first", "loss-repeater"])
@pytest.mark.parametrize("perpetual", ["loss", "draw"])
def test_a_draw_where_both_sides_gave_check_throughout(repeated: Any, perpetual: str) -> None:  # noqa: ANN401
    # Queens that are royal face each other along one line after another, so every move is a check.
    queens = board_of_queens(
        repetition=f"3 {repeated}", perpetual_check=perpetual, self_check="allowed"
    )
    game = Game(queens, "2k/3/K2 b - 1")
    for move in ("3c1c", "1a3a", "1c3c", "3a1a") * 2:
        assert game.outcome() is None
        game.push(move)
        assert game.is_check()
    assert game.outcome() == alfil.Outcome(None, "repetition")


def board_of_queens(**rules: Any) -> Variant:  # noqa: ANN401 - any field
    return board("K . .", [kind("K", "Q", royal=True)], **rules)


@pytest.mark.parametrize("side", [-1, 2, 7])
def test_only_one_of_the_two_sides_resigns(side: int) -> None:
    game = alfil.load("chess").game()
    with pytest.raises(alfil.RuleError) as caught:
        game.resign(side)
    assert caught.value.kind == "unknown-side"
    assert game.outcome() is None


@pytest.mark.parametrize("text", ["e7e8", "e7e8+", "P-e8"])
def test_why_illegal_reads_a_text_as_push_does(text: str) -> None:
    game = alfil.load("chess").game("8/4P3/8/k7/8/8/8/K7 w - 1")
    for read in (game.push, game.why_illegal):
        with pytest.raises(alfil.NotationError) as caught:
            read(text)
        assert caught.value.kind == "ambiguous"
    assert game.why_illegal("e7e8n") is None


def test_a_piece_in_hand_put_down_as_its_other_form_is_gone_from_the_hand() -> None:
    one = kind("T", "WfF", promotes=("+T",))
    other = kind("+T", "fR", promotes=("T",), letter="+T")
    rules = {**SHOGI_RULES, "captured_form": "as-is", "drop_form": "either", "zone": 5}
    variant = board(". . K . .", [KING, one, other], promotion_when="always", **rules)
    game = Game(variant, "2k2/5/5/5/2K2 b +T 1")
    game.push("T*5c")
    assert (game.position_text(), game.hands) == ("2k2/5/T4/5/2K2 w - 2", ({}, {}))
    game = Game(variant, "2k2/5/5/5/2K2 b T+T 1")
    drops = sorted(str(move) for move in game.legal_moves if move.is_drop)
    assert drops == sorted(
        f"{form}*{file}{rank}"
        for form in ("T", "+T")
        for rank in "abcde"
        for file in range(1, 6)
        if (file, rank) not in {(3, "a"), (3, "e")}
    )
    assert game.perft(1) == len(drops) + 5


def test_a_move_that_takes_the_movers_own_last_royal_loses() -> None:
    cannibal = kind("U", "dcmK")
    variant = board("U K . . .", [KING, cannibal], self_check="allowed", win="royal-capture")
    game = Game(variant)
    game.push("5e4e")
    assert game.outcome() == alfil.Outcome("w", "king-capture")
    assert game.legal_moves == ()
    game.pop()
    assert Game(variant).divide(2)["5e4e"] == 0
    assert [Game(variant).perft(depth) for depth in (1, 2, 3)] == [7, 42, 342]
    assert Opponent(variant).choose(game).usi != "5e4e"


def test_a_move_that_takes_the_royals_of_both_sides_wins() -> None:
    cannon = kind("C", "hasinu:rpg(n4dO,FE)")
    game = Game(board("C . K . .", [KING, cannon]), "5/5/5/5/C1K1k b - 1")
    assert [str(move) for move in game.legal_moves if len(move.captures) == 2] == ["5e1e"]
    game.push("5e1e")
    assert game.outcome() == alfil.Outcome("b", "king-capture")


def test_a_ply_that_is_not_legal_here_is_not_read_as_its_text() -> None:
    chess, shogi = alfil.load("chess").game(), alfil.load("shogi").game()
    move = chess.read_move("b1a3")
    for other in (replace(move, target=(8, 8)), replace(move, captures=((0, 2),))):
        with pytest.raises(alfil.IllegalMove) as caught:
            chess.push(other)
        assert caught.value.kind == "pattern"
    with pytest.raises(alfil.IllegalMove):
        shogi.push(move)
    for form in ("hodges", "usi", "cell", "pan", "pmn"):
        with pytest.raises(alfil.IllegalMove):
            alfil.records.write_move(shogi, move, form)
    assert chess.push(replace(move, text="")) == move


@pytest.mark.parametrize("move", [None, 5, b"e2e4"])
def test_a_move_is_a_text_or_a_ply(move: Any) -> None:  # noqa: ANN401
    game = alfil.load("chess").game()
    for read in (game.push, game.why_illegal, game.read_move):
        with pytest.raises(TypeError, match="a move is a text or a Move"):
            read(move)


def test_from_a_hole_nothing_moves() -> None:
    game = alfil.load("tests/variants/troitzky.pieces").game()
    why = game.why_illegal("a1b7")
    assert why is not None
    assert why.code == "no-piece"
