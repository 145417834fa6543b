"""Functions of Ħasínū in games: burning, immobilising, shooting at what comes near."""

from __future__ import annotations

import random

import pytest

import alfil
from alfil import Game
from games import KING, game, kind

ROOK = kind("R", "R")


def played(move: str, position: str, code: str = "D") -> Game:
    return Game(
        game(f"K R {code} .", [KING, ROOK, kind(code, f"hasinu:{move}")], first="white"), position
    )


def board_after(a_game: Game, move: str) -> str:
    """The board after a move, which is taken back."""
    before = a_game.position_text()
    a_game.push(move)
    board = a_game.position_text().partition(" ")[0]
    a_game.pop()
    assert a_game.position_text() == before
    return board


@pytest.mark.parametrize(
    ("move", "after"),
    [
        ("burn(1×8d) & n4dO", "3k/1D2/R3/3K"),  # enemies beside its end, its own side's not
        ("burn(1×8d,F) & n4dO", "r2k/rD2/4/3K"),
        ("burn(1×8d,FE) & n4dO", "3k/1D2/4/3K"),
        ("burn(1×4dO) & n4dO", "r2k/1D2/R3/3K"),
        ("burn(1×8d,P) & n4dO", "r2k/rD2/R3/3K"),  # on the enemy's action only
    ],
)
def test_what_burns_when_a_piece_ends_its_move(move: str, after: str) -> None:
    burning = played(move, "r2k/r3/R3/1D1K w")
    assert board_after(burning, "b1b3") == after
    moves = alfil.moves(
        alfil.read(move, "hasinu"),
        files=4,
        ranks=4,
        at="b1",
        enemies={"a4", "a3"},
        friends={"a2", "d1"},
        enemy_royals={"d4"},
    )
    (there,) = [each for each in moves if each.to == (0, 2)]
    assert len(there.captures) == "r2k/r3/R3/1D1K".lower().count("r") - after.lower().count("r")


@pytest.mark.parametrize(
    "move", ["burn(1×8d,P) & 1×4dO", "burn(1×8d,PA) & 1×4dO", "i(1×8d,P) & 1×4dO"]
)
def test_what_comes_near_is_burnt_or_shot(move: str) -> None:
    waiting = played(move, "3k/1D2/4/K2r b")
    assert board_after(waiting, "d1d3") == "3k/1D1r/4/K3"
    assert board_after(waiting, "d1d2") == "3k/1D2/3r/K3"
    near = played(move, "3k/1D2/4/K1r1 b")
    assert board_after(near, "c1c2") == "3k/1D2/4/K3"
    # A king that would be burnt may not go there.
    beside = played(move, "4/1D1k/4/K3 b")
    assert "d3c3" not in {str(each) for each in beside.legal_moves}


def test_what_is_burnt_first_burns_nothing() -> None:
    both = game(
        "K R D .",
        [KING, ROOK, kind("D", "hasinu:burn(1×8d,PA) & n4dO")],
        first="white",
    )
    assert board_after(Game(both, "k3/2d1/4/K1D1 w"), "c1c2") == "k3/4/2D1/K3"


def test_pieces_in_range_are_frozen() -> None:
    ice = played("im(1×8d,PA) & 1×8d", "3k/1I2/1r2/K2r b", "I")
    froms = {str(each)[:2] for each in ice.legal_moves}
    assert "d1" in froms
    assert "b2" not in froms
    # A frozen piece gives no check.
    assert not played("im(1×8d,PA) & 1×8d", "3k/1I2/r3/K3 w", "I").is_check()
    assert played("1×8d", "3k/1I2/r3/K3 w", "I").is_check()
    # With F it freezes its own side.
    own = played("im(1×8d,F,PA) & 1×8d", "3k/1I2/1R2/K2r w", "I")
    assert "b2" not in {str(each)[:2] for each in own.legal_moves}


def pieces_of(text: str, size: int) -> dict[tuple[int, int], str]:
    """What stands where in the text of a position."""
    rows = text.partition(" ")[0].split("/")
    found = {}
    for y, row in enumerate(reversed(rows)):
        x = 0
        for sign in row:
            if sign.isdigit():
                x += int(sign)
            else:
                found[x, y] = sign
                x += 1
        assert x == size
    return found


def held_in(text: str) -> set[tuple[str, str]]:
    """Who holds whom by the text of a position."""
    fields = [each[len("holds=") :] for each in text.split() if each.startswith("holds=")]
    pairs = [pair.split(":") for field in fields for pair in field.split(",")]
    return {(one, other) for one, other in pairs}


def held_after(
    before: set[tuple[str, str]], text: str, move: str, when: str, most: int
) -> set[tuple[str, str]]:
    """Who holds whom after a move, for I that holds enemies on the eight squares around it."""
    here = pieces_of(text, 5)
    start, end = move[:2], move[2:4]
    found = set()
    for (x, y), sign in here.items():
        if sign.upper() != "I":
            continue
        name, ahead = "abcde"[x] + str(y + 1), 1 if sign == "I" else -1
        around = [(-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1)]
        squares = [(x + dx * ahead, y + dy * ahead) for dx, dy in around]
        enemies = [
            "abcde"[at[0]] + str(at[1] + 1)
            for at in squares
            if at in here and here[at].isupper() != sign.isupper()
        ]
        if name == end:
            held = enemies if "A" in when else []
        else:
            held = [at for at in enemies if (name, at) in before and at not in {start, end}]
            held += [at for at in enemies if at == end and "P" in when]
        found |= {(name, at) for at in (held[:most] if most else held)}
    return found


@pytest.mark.parametrize(
    ("move", "when", "most"),
    [
        ("im(1×8d,A) & 1×8d", "A", 0),
        ("im(1×8d,P) & 1×8d", "P", 0),
        ("im(1×8d,PA,1) & 1×8d", "PA", 1),
        ("im(1×8d,A,2) & 1×8d", "A", 2),
    ],
)
def test_who_came_near_whom_is_remembered(move: str, when: str, most: int) -> None:
    """Random games; the rule is told again above, in squares."""
    made = game("K R I . .", [KING, ROOK, kind("I", f"hasinu:{move}")], first="white")
    chance = random.Random(move)
    held_ever = 0
    for _ in range(2):
        a_game = Game(made, "k2r1/rii2/5/2IIR/1K1R1 b")
        for _ in range(16):
            before, text = a_game.position_text(), str(chance.choice(list(a_game.legal_moves)))
            a_game.push(text)
            after = a_game.position_text()
            held = held_in(after)
            assert held == held_after(held_in(before), after, text, when, most), (before, text)
            held_ever += len(held)
            if a_game.outcome():
                break
            assert not {str(each)[:2] for each in a_game.legal_moves} & {at for _, at in held}
            again = Game(made, after)
            assert (again.position_text(), again.key) == (after, a_game.key)
            assert again.legal_moves == a_game.legal_moves
            a_game.pop()
            assert a_game.position_text() == before
            a_game.push(text)
    assert held_ever > 9


@pytest.mark.parametrize(
    ("memory", "words"),
    [
        ("holds=b2:a4", "nothing on b2 can hold a piece on a4"),
        ("holds=b2:a3,b2:b3", "cannot hold so many"),
        ("holds=b2:a3,b2:a3", "b2:a3 is given twice"),
        ("holds=b2", "a square is missing"),
    ],
)
def test_who_holds_whom_must_be_able_to(memory: str, words: str) -> None:
    with pytest.raises(alfil.PositionError, match=words):
        played("im(1×8d,PA,1) & n8d", f"r2k/rr2/1I2/K3 b - 1 {memory}", "I")


def test_why_a_held_piece_does_not_move() -> None:
    made = played("im(1×8d,A) & n8d", "r2k/r3/4/K1I1 w", "I")
    made.push("c1b2")
    assert made.why_illegal("a3a2") == ("frozen", "the piece R on a3 is immobilised")


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("atmove(1,burn(1×8d)) & n8d", "under a condition"),
        ("promote(c(n8d),n4dO) & promote(m(n8d),1×8d) & n8d", "promotes in several ways"),
        ("royal() & royal(O) & n8d", "is royal in two"),
    ],
)
def test_what_no_position_can_tell_is_refused(move: str, words: str) -> None:
    with pytest.raises(alfil.RuleError, match=words):
        played(move, "3k/1D2/4/K3 w")


def test_burning_is_in_tables_of_both_sides() -> None:
    demon = alfil.read("burn(1×1dN) & 1×4dO", "hasinu")
    for second, north in ((False, 1), (True, -1)):
        table = alfil.compile(demon, files=5, ranks=5, second=second)
        burnt = {
            move.to: move.captures
            for move in table.moves("c3", enemies={(1, north)})
            if move.captures
        }
        assert burnt == {(1, 0): ((1, north),)}


def test_a_move_of_a_kind_promotes() -> None:
    soldier = kind("S", "hasinu:1×8d & promote(c(1×4dO), n4dO)")
    made = game("K R S .", [KING, ROOK, soldier], first="white")
    moves = {str(each) for each in Game(made, "3k/r3/rS2/3K w").legal_moves}
    assert {"b2a2+", "b2a3", "b2b3"} <= moves
    assert not {"b2a2", "b2a3+", "b2b3+"} & moves
    # For the other side a step forward goes down the board.
    down = kind("S", "hasinu:1×8d & promote(1×1dN, n4dO)")
    made = game("K R S .", [KING, ROOK, down], first="white")
    moves = {str(each) for each in Game(made, "3k/1s2/4/3K b").legal_moves}
    assert "b3b2+" in moves
    assert "b3b4" in moves
    told = alfil.describe(alfil.read("1×8d & promote(c(1×8d),n8d)", "hasinu"))
    assert "promotes after a move of this kind" in told
    with pytest.raises(alfil.NotationError):
        alfil.read("promote(n8d)", "hasinu")


TURNS = {"M": "atmove(3,n4dO,turn) & 1×4dD", "N": "atmove(2,(1,2),turn)", "K": "1×8d"}


def on_turn(here: dict[tuple[int, int], str], side: int, turn: int) -> set[tuple[str, str, bool]]:
    """What a side may do on a turn, whatever becomes of its king; and whether it takes one."""
    found = set()
    for (x, y), sign in here.items():
        if sign.isupper() != (side == 0):
            continue
        ahead = -1 if side else 1
        seen = {((a - x) * ahead, (b - y) * ahead): other for (a, b), other in here.items()}
        del seen[0, 0]
        mine = {at for at, other in seen.items() if other.isupper() == sign.isupper()}
        square = (4 - x, 4 - y) if side else (x, y)
        moves = alfil.moves(
            alfil.read(TURNS[sign.upper()], "hasinu"),
            files=5,
            ranks=5,
            at=square,
            friends=mine,
            enemies=seen.keys() - mine,
            turn=turn,
        )
        for move in moves:
            to = (x + move.to[0] * ahead, y + move.to[1] * ahead)
            names = ["abcde"[file] + str(rank + 1) for file, rank in ((x, y), to)]
            found.add((*names, here.get(to, "").upper() == "K"))
    return found


def test_moves_on_set_turns() -> None:
    """By the rule looked at in full: what each side may do on its own turn, and then the other."""
    kinds = [kind("K", "K", royal=True)]
    kinds += [kind(code, f"hasinu:{TURNS[code]}") for code in "MN"]
    variant = game("K M N M .", kinds, first="white")
    chance = random.Random(7)
    differing = 0
    for _ in range(3):
        current = Game(variant)
        for number in range(1, 31):
            side, here = current.side_to_move, pieces_of(current.position_text(), 5)
            wanted = set()
            for start, end, takes in on_turn(here, side, (number + 1) // 2):
                assert not takes
                squares = [("abcde".index(name[0]), int(name[1]) - 1) for name in (start, end)]
                after = {at: sign for at, sign in here.items() if at != squares[0]}
                after[squares[1]] = here[squares[0]]
                if not any(each[2] for each in on_turn(after, 1 - side, (number + 2) // 2)):
                    wanted.add(start + end)
            assert {str(move) for move in current.legal_moves} == wanted, current.position_text()
            assert Game(variant, current.position_text()).legal_moves == current.legal_moves
            if not wanted or current.outcome():
                break
            current.push(chance.choice(sorted(wanted)))
            differing += number % 6 in {1, 2}
    assert differing > 10


def test_positions_repeat_where_the_same_moves_are_due() -> None:
    kinds = [kind("K", "K", royal=True), kind("M", "hasinu:atmove(3,n4dO,turn) & 1×4dD")]
    current = Game(game("K . . M .", kinds, first="white", repetition="2 draw"))
    for _ in range(2):
        for move in ("a1a2", "a5a4", "a2a1", "a4a5"):
            assert current.outcome() is None
            current.push(move)
    assert current.outcome() is None
    for move in ("a1a2", "a5a4", "a2a1", "a4a5"):
        current.push(move)
    outcome = current.outcome()
    assert outcome is not None
    assert outcome.reason == "repetition"
