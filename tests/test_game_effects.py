"""What moves change beside the piece that moves: explosions, stone, walls, pieces turned over."""

from __future__ import annotations

from random import Random

import pytest

import alfil
from agreeing import check, walk
from alfil import Game
from games import KING, game, kind
from strategies import NIGHTLY

ROOK, PAWN = kind("R", "R"), kind("P", "fmWfcF", blast="capturing")
QUEEN = kind("Q", "mQ")


def after(played: Game, move: str) -> str:
    """The board after a move, which is taken back."""
    before = played.position_text()
    played.push(move)
    board = played.position_text().partition(" ")[0]
    assert Game(played.variant, played.position_text()).legal_moves == played.legal_moves
    played.pop()
    assert played.position_text() == before
    return board


def test_a_capture_explodes() -> None:
    atomic = game("K R P .", [KING, ROOK, PAWN], explosion="captures", first="white")
    played = Game(atomic, "r3/rp2/PR1k/K3 w")
    # The rook and its captor go, the pawn beside stays, a rook beside goes.
    assert after(played, "b2b3") == "4/4/P2k/K3"
    # A pawn dies by its own capture.
    assert after(Game(atomic, "3k/1r2/P3/3K w"), "a2b3") == "3k/4/4/3K"
    assert [*Game(atomic, "3k/1r2/P3/3K w").read_move("a2b3").captures] == [(1, 2)]


def test_a_capture_that_explodes_its_own_king_is_illegal() -> None:
    atomic = game("K R P .", [KING, ROOK, PAWN], explosion="captures", first="white")
    played = Game(atomic, "3k/4/1r1P/K3 w")
    assert str(played.why_illegal("a1b2")).startswith("self-check")
    # Kings that touch are in no check: whoever takes one loses the other.
    assert not Game(atomic, "4/4/rk2/K3 w").is_check()
    assert Game(atomic, "3k/4/r3/K3 w").is_check()


def test_what_an_explosion_could_take_is_not_attacked_with_several_kings_either() -> None:
    rules = {"explosion": "captures", "duple_check": "yes", "royal_lost": "all", "first": "white"}
    atomic = game("K K R . .", [KING, ROOK, kind("N", "N")], **rules)
    # Rooks that take their like could blow up both kings, and attack neither.
    assert Game(atomic, "rnkkr/5/5/5/RNKKR w").why_illegal("c1b2") is None
    # The rooks attack both; a king that touches them may not be taken by the last one.
    assert Game(atomic, "r1r1k/5/5/5/K1K2 w").is_check()
    assert not Game(atomic, "5/5/5/1k3/K1K2 w").is_check()


def test_an_explosion_wins() -> None:
    atomic = game("K R P .", [KING, ROOK, PAWN], explosion="captures", first="white")
    played = Game(atomic, "3k/R1r1/4/K3 w")
    assert not played.is_check()
    played.push("a3c3")
    assert played.outcome() == alfil.Outcome("w", "king-capture")


def test_a_piece_turns_to_stone() -> None:
    stone = game("K R . .", [KING, f"{ROOK} petrifies"], first="white")
    played = Game(stone, "3k/r3/R3/K3 w")
    assert after(played, "a2a3") == "3k/*3/4/K3"
    played.push("a2a3")
    assert "#" in str(played)
    assert "data-wall" in played.picture().svg()


def test_nobody_passes_a_hole() -> None:
    text = 'board 3x3\nrule first = white\npiece R "rook" betza=R\nsetup mirrored\n| R * . |'
    played = alfil.loads(text).game()
    assert played.position_text() == "r*1/3/R*1 w - 1"
    assert {str(move) for move in played.legal_moves} == {"a1a2", "a1a3"}
    with pytest.raises(alfil.PositionError):
        Game(played.variant, "r2/3/R*1 w")


def test_immune_pieces() -> None:
    safe = game("K R . .", [f"{KING} immune-to=R", ROOK], first="white")
    assert not Game(safe, "r2k/4/4/K3 w").is_check()


def test_an_arrow() -> None:
    amazons = game("Q . .", [QUEEN], wall="arrow", stalemate="loss", first="white")
    played = Game(amazons, "2q/3/Q2 w")
    assert after(played, "a1a2/a1") == "2q/Q2/*2"
    assert played.why_illegal("a1a2/c1") == ("wall", "no wall can be built on c1")
    with pytest.raises(alfil.NotationError):
        played.push("a1a2")
    played.push("a1b2/a1")
    assert played.moves[0].wall == (0, 0)
    # The other one cannot move any more once all around it is walled up.
    assert Game(amazons, "*q*/***/Q2 b").outcome() == alfil.Outcome("w", "stalemate")


def test_the_square_that_is_left() -> None:
    trail = game("Q . .", [kind("Q", "mK")], wall="left", stalemate="loss", first="white")
    assert after(Game(trail, "2q/3/Q2 w"), "a1b1") == "2q/3/*Q1"


def test_walls_in_their_region_and_the_duck() -> None:
    text = (
        "board 3x3\nrule first = white\nrule wall = {}\n"
        'region walls squares=c1\npiece K "king" betza=mK\nsetup\n| K . . |'
    )
    played = alfil.loads(text.format("anywhere")).game()
    assert {str(move) for move in played.legal_moves} == {"a1a2/c1", "a1b1/c1", "a1b2/c1"}
    duck = alfil.loads(text.format("duck").replace("squares=c1", "files=c-c ranks=1-2")).game()
    duck.push("a1b1/c1")
    # The second side has its own region, seen from its side.
    places = {f"c3{to}/{wall}" for to in ("b3", "b2", "c2") for wall in ("a2", "a3")}
    assert {str(move) for move in duck.legal_moves} == places
    duck.push("c3b3/a2")
    assert duck.position_text() == "1k1/*2/1K1 w - 3"


def test_a_square_of_the_trail_can_be_walled_up() -> None:
    duck = alfil.load("duck").game()
    for move, wall in (("g2g4/e4", "e4"), ("h7h5/h6", "h6"), ("h2h4/d3", "d3"), ("h8h7/e4", "e4")):
        duck.push(move)
        assert [duck.square_name(square) for square in duck.walls] == [wall]
        assert duck.perft(1) == alfil.load("duck").game(duck.position_text()).perft(1)


def test_enemies_change_sides() -> None:
    beside = game("P . . .", [kind("P", "mD")], flip="adjacent", first="white")
    played = Game(beside, "4/1pp1/p3/P3 w")
    assert after(played, "a1c1") == "4/1pp1/p3/2P1"
    assert after(Game(beside, "4/1pp1/1p2/P3 w"), "a1c1") == "4/1pp1/1P2/2P1"
    enclosed = game("P . . .", [kind("P", "mD")], flip="enclosed", first="white")
    played = Game(enclosed, "2P1/1pp1/1pp1/P3 w")
    assert after(played, "a1c1") == "2P1/1pP1/1pP1/2P1"
    assert played.read_move("a1c1").turned == ((2, 1), (2, 2))


def test_drops_that_never_end_and_touch_others() -> None:
    reversi = (
        "board 4x4\nrule first = white\nrule drops = free\nrule flip = enclosed\n"
        'rule stalemate = more\nregion opening files=b-c ranks=2-3\npiece P "stone" betza=""\n'
    )
    played = alfil.loads(reversi).game()
    assert {str(move) for move in played.legal_moves} == {"P*b2", "P*b3", "P*c2", "P*c3"}
    assert played.why_illegal("P*a1").code == "drop-place"
    for move in ("P*b2", "P*b3", "P*c3", "P*c2"):
        played.push(move)
    assert {str(move) for move in played.legal_moves} == {"P*a3", "P*b4", "P*c1", "P*d2"}
    assert after(played, "P*a3") == "4/PPP1/1Pp1/4"
    beside = alfil.loads(
        "board 4x4\nrule first = white\nrule drops = free\nrule drop-beside = own\n"
        'piece P "stone" betza=mA\n'
    ).variant
    drops = {str(move) for move in Game(beside, "3p/4/4/P3 w").legal_moves}
    assert drops == {"a1c3", "P*a2", "P*b1", "P*b2"}


def test_kinds_of_one_side_share_a_letter() -> None:
    text = (
        "board 3x3\nrule first = white\nrule promotion-when = ends\nzone promotion ranks=1\n"
        'piece RP "rook" betza=R letter=R side=first\n'
        'piece BP "bishop" betza=B letter=R side=second\n'
        'piece P "pawn" betza=fmW promotes=RP forced side=first\n'
        'piece Q "other pawn" betza=fmW promotes=BP,P2 forced letter=P side=second\n'
        'piece P2 "third" betza=F letter=X\n'
        "setup first\n| RP P . |\n\nsetup second\n| . Q BP |\n"
    )
    played = alfil.loads(text).game()
    assert played.position_text() == "rp1/3/RP1 w - 1"
    assert "b1b2" in {str(move) for move in played.legal_moves}
    played = Game(played.variant, "r2/3/1p1 b".replace("1p1", "3").replace("r2/3", "r2/1p1"))
    assert {str(move) for move in played.legal_moves} == {"b2b1r", "b2b1x", "a3c1"} - {"a3c1"}
    played.push("b2b1r")
    assert played.pieces[1, 0] == ("BP", 1)


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ("rule captured = to-hand\n", "wrong-side"),
        ('piece X "x" betza=W letter=K side=first\n', "duplicate-letter"),
        ("setup second\n| K . . |\n", "wrong-side"),
    ],
)
def test_what_cannot_be_of_one_side(change: str, kind: str) -> None:
    text = 'board 3x3\npiece K "king" betza=K royal side=first\n'
    with pytest.raises(alfil.PieceFileError) as caught:
        alfil.loads(text + change)
    assert [each.kind for each in caught.value.diagnostics] == [kind]


def test_what_is_of_one_side_is_not_turned_over() -> None:
    text = 'board 3x3\nrule flip = adjacent\npiece W "wazir" betza=W side=first\n'
    with pytest.raises(alfil.PieceFileError, match="pieces change sides") as caught:
        alfil.loads(f"{text}setup first\n| . W . |\n")
    assert [each.kind for each in caught.value.diagnostics] == ["wrong-side"]


@pytest.mark.parametrize(
    ("rule", "told"), [("D:T", True), ("D:R", False), ("R:D,D:T", True), ("T:T", True)]
)
def test_what_is_of_one_side_does_not_come_to_the_other_by_contagion(
    rule: str, *, told: bool
) -> None:
    text = (
        f'board 4x5\nrule contagion = {rule}\npiece K "king" betza=K royal\n'
        'piece D "deva" betza=W\npiece T "teacher" betza=Q side=first\npiece R "rook" betza=R\n'
        "setup first\n| D R K T |\nsetup second\n| R R K . |\n"
    )
    if told:
        with pytest.raises(alfil.PieceFileError, match="becomes it by contagion") as caught:
            alfil.loads(text)
        assert [each.kind for each in caught.value.diagnostics] == ["wrong-side"]
    else:
        assert alfil.loads(text).rules.contagion


def test_what_captures_its_own_side_stays_of_it_with_contagion() -> None:
    text = (
        'board 4x4\nrule contagion = D:T\nrule first = white\npiece K "king" betza=K royal\n'
        'piece R "robber" betza=cdR\npiece D "deva" betza=W\npiece T "teacher" betza=W\n'
        "setup mirrored\n| R D . K |\n"
    )
    game = alfil.loads(text).game()
    game.push("a1b1+")
    assert game.position_text() == "rd1k/4/4/1T1K b - 2"


def test_a_goal_of_what_comes_up_by_contagion_may_be_reached() -> None:
    text = (
        "board 4x5\nrule contagion = D:T\nrule win = mate,goal\nrule goal = T 5\n"
        'piece K "king" betza=K royal\npiece D "deva" betza=W\npiece T "teacher" betza=Q\n'
        "setup\n| D . K D |\n"
    )
    assert not alfil.loads(text).diagnostics


SIDED_QUEEN = (
    "board 3x3\nrule extinction = all loss\nzone promotion ranks=1\n"
    'piece P "pawn" betza=fmW promotes=R\npiece S "serf" betza=fmW promotes=R\n'
    'piece R "rook" betza=R promotes=Q\npiece Q "queen" betza=Q side=first\n'
)


@pytest.mark.parametrize("begin", ["setup\n| . P . |\n", "hand second P\nsetup first\n| . S . |\n"])
def test_what_is_of_one_side_does_not_come_to_the_other_by_promotion(begin: str) -> None:
    with pytest.raises(alfil.PieceFileError, match="promotes to it") as caught:
        alfil.loads(SIDED_QUEEN + begin)
    assert {each.kind for each in caught.value.diagnostics} == {"wrong-side"}


def test_a_piece_that_only_one_side_has_promotes_to_what_is_of_that_side() -> None:
    """As in Spartan chess, where only one side begins with pawns."""
    library = alfil.loads(
        f"{SIDED_QUEEN}setup first\n| . P . |\n\nsetup second\n| . N . |\n"
        'piece N "knight" betza=N\n'
    )
    assert library["R"].promotes == ("Q",)


HOPPERS = ("hasinu:j(n4dO,F)", "hasinu:j(n8d,E)", "mRcpR", "pB", "gQ", "R", "B")


@pytest.mark.parametrize("wall", ["anywhere", "arrow", "left", "duck"])
def test_walls_shield_royals_and_open_ways_over_them(wall: str) -> None:
    for seed in range(40 if NIGHTLY else 3):
        draw = Random(f"walls {wall} {seed}")
        kinds = [KING, *(kind(code, draw.choice(HOPPERS)) for code in "ABC")]
        back = ["K", *draw.choices("ABC.", k=4)]
        draw.shuffle(back)
        rows = " ".join(draw.choices("ABC...", k=5)) + "/" + " ".join(back)
        check_rule = draw.choice(({}, {}, {"giving_check": "barred"}, {"contagion": "A:B,B:C"}))
        walk(Game(game(rows, kinds, wall=wall, **check_rule)), draw, 12)


@pytest.mark.parametrize("wall", ["duck", "anywhere", "left"])
def test_a_trail_is_read_where_a_wall_stands_on_its_beginning(wall: str) -> None:
    library = alfil.loads(
        f"board 5x7\nrule first = white\nrule wall = {wall}\n"
        'piece K "king" betza=K royal\npiece Q "queen" betza=fmWfceFifmnD\n'
        "setup\n| . Q K . . |\n"
    )
    game = library.game()
    (move,) = (str(each) for each in game.legal_moves if str(each) in {"b1b3", "b1b3/b1"})
    game.push(move)
    assert "ep=b2:b3" in game.position_text()
    assert library.game(game.position_text()).position_text() == game.position_text()


def test_a_drop_that_turns_over_what_gives_check_ends_it() -> None:
    rules = {"captured": "to-hand", "drops": "yes", "flip": "adjacent"}
    made = game("K . . . .", [KING, kind("R", "R")], files=5, **rules)
    drops = {str(each) for each in Game(made, "2k2/5/2r2/5/2K2 b R 1").legal_moves}
    # On the way of the check, or beside the rook; elsewhere it would stay.
    assert {each for each in drops if "*" in each} == {
        *("R*3d", "R*2b", "R*3b", "R*4b", "R*2c", "R*4c", "R*2d", "R*4d")
    }


@pytest.mark.parametrize(
    ("rules", "king", "position", "move"),
    [
        ("rule flip = adjacent", "", "2k2/5/1R3/5/2K2 w - 1", "b3b5"),
        ("zone promotion ranks=1", "promotes=R", "1K3/5/5/5/4k w - 1", "b5a5+"),
        ("zone promotion ranks=1", "promotes=R", "4K/5/1k3/5/5 b - 2", "b3a2"),
    ],
)
def test_positions_are_read_in_which_a_royal_became_another(
    rules: str, king: str, position: str, move: str
) -> None:
    lines = f'board 5x5\nrule first = white\n{rules}\npiece K "king" betza=K royal {king}\n'
    library = alfil.loads(lines + 'piece R "rook" betza=R\nsetup mirrored\n| R . K . . |\n')
    played = library.game(position)
    played.push(move)
    again = library.game(played.position_text())
    assert (again.position_text(), again.legal_moves) == (
        played.position_text(),
        played.legal_moves,
    )


ODD_LEAVERS = (
    ("betza=K royal", "betza=caibRmK gates", "| S . . K . |", "5"),
    ("betza=KisO1 royal gates", "betza=R gates", "| S . . K . S |", "6"),
    (
        "betza=K royal gates castles-with=S castles-to=c,g",
        "betza=R gates",
        "| . S K . . . S . |",
        "8",
    ),
    ("betza=K royal gates castles-with=S castles-to=c,g", "betza=R", "| . . S K . . . . |", "8"),
)


@pytest.mark.parametrize("rule", ["wall = left", "captured = to-hand"])
@pytest.mark.parametrize(("king", "other", "row", "files"), ODD_LEAVERS)
def test_nothing_is_built_or_left_where_a_piece_has_come(
    king: str, other: str, row: str, files: str, rule: str
) -> None:
    """Some capture from where they stay, some castle to where the other piece stood."""
    text = (
        f"board {files}x5\nrule first = white\nrule {rule}\nrule self-check = allowed\n"
        f'rule win = royal-capture\npiece K "king" {king}\npiece S "rook" {other}\n'
        f'piece N "knight" betza=N\nsetup mirrored\n{row}\n'
    )
    text += "" if "wall" in rule else "hand N\n"
    if "wall" in rule:
        text = text.replace(" gates", "")
    variant = alfil.loads(text).variant
    for seed in range(6):
        chance, played = Random(seed), Game(variant)
        for ply in range(10):
            if (ply + seed) % 4 == 0:
                check(played)
            for move in played.legal_moves:
                left = len(played.pieces) - len(move.captures) + bool(move.gated)
                played.push(move)
                assert len(played.pieces) == left, move
                played.pop()
            if played.outcome():
                break
            played.push(played.random_move(chance))


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        ("4k3/8/8/8/8/8/8/4K1Nr w Hh 1", ""),
        ("4k3/8/8/8/8/8/8/1r1QK3 w Hh 1", "d1b1 d1b1/H d1c1 d1c1/H"),
    ],
)
def test_what_is_left_behind_shields_no_pin(position: str, moves: str) -> None:
    game = Game(alfil.load("seirawan").variant, position)
    check(game)
    assert sorted(m for m in map(str, game.legal_moves) if m[0] != "e") == sorted(moves.split())
    assert game.why_illegal("g1f3/H" if not moves else "d1d2/H").code == "self-check"


@pytest.mark.parametrize("flip", ["", "rule flip = adjacent\n"])
def test_a_drop_ends_that_royals_face_each_other(flip: str) -> None:
    text = (
        "board 5x5\nrule first = white\nrule facing = bikjang\nrule captured = to-hand\n"
        f'rule drops = yes\n{flip}piece K "king" betza=K royal\npiece R "rook" betza=R\n'
        "setup mirrored\n| R . K . . |\n"
    )
    game = Game(alfil.loads(text).variant, "2k2/5/5/5/2K2 w R 1")
    drops = [str(move) for move in game.legal_moves if move.origin is None]
    # One that turns a royal over ends it, too.
    beside = ["R*b4", "R*d4", "R*b5", "R*d5"] if flip else []
    assert sorted(drops) == sorted(["R*c2", "R*c3", "R*c4", *beside])
    assert game.why_illegal("R*a1").code == "facing"


def test_the_wall_that_is_left_is_in_its_region() -> None:
    variant = alfil.loads(
        "board 5x4\nrule first = white\nrule wall = left\nregion walls ranks=1-2\n"
        'piece K "king" betza=K royal\npiece L "rook" betza=R\nsetup mirrored\n| K . . . L |\n'
    ).variant
    beyond = Game(variant, "4k/L4/5/4K w")
    assert {move.origin for move in beyond.legal_moves} == {(4, 0)}
    assert beyond.why_illegal("a3a2") == ("wall", "no wall can be built on a3")


def test_a_board_may_have_one_file() -> None:
    narrow = 'board 1x4\nrule wall = duck\npiece K "king" betza=K royal\nsetup\n| K |\n'
    game = alfil.loads(narrow).game()
    assert [str(each) for each in game.legal_moves] == ["1d1c/1d", "1d1c/1b"]
