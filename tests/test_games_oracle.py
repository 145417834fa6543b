"""Random games of many kinds: at every move the engine says what the naive oracle says.

ALFIL_HYPOTHESIS=nightly plays many more games.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

import alfil
from alfil import Game
from engine_games import bundled, variant_of
from inside import Variant
from oracle.games import definition
from oracle.games.known import RECONSTRUCTED, hand_shogi, minishogi, rays, shogi
from oracle.games.made_up import (
    CHECKS,
    CROWDED,
    MADE_UP,
    MOVES_ONLY,
    OPEN_KINGS,
    PAIR,
    PRINCES,
    SWALLOWS,
    TURNING,
)
from oracle.games.play import Hand
from oracle.games.position import Move, Position, after, fault, in_check, legal_moves
from oracle.games.published import KYOTO_SHOGI, TORI_SHOGI
from oracle.games.random_games import random_game
from oracle.games.text import flags, read, read_usi, square_name, usi, write
from strategies import NIGHTLY

GAMES_EACH = 40 if NIGHTLY else 2
STREWN_EACH = 400 if NIGHTLY else 10
OF_LONG_GAMES = 1 if NIGHTLY else 0.5  # plies
NAMES = ("b", "w")
WRONG_TEXTS = 4

OTHER_MOVES = hand_shogi(
    {
        "T": (
            "WFD",
            rays(*((dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy))
            + rays((0, 2), (0, -2), (2, 0), (-2, 0)),
        ),
        "SH": ("R2", rays((0, 1), (0, -1), (1, 0), (-1, 0), reach=2)),
        "O": ("H", rays((0, 3), (0, -3), (3, 0), (-3, 0))),
        "H": ("fA", rays((2, 2), (-2, 2))),
    }
)
# Positions where the rules bite: soldiers beside a king, pins, discovered files (K05 to K09).
TIGHT = (
    "9/4l4/5k2p/4G4/9/9/9/9/4K4 w - 1",
    "9/9/8p/3Pk4/9/9/4P4/9/K8 w 2N2L 1",
    "9/9/9/9/3Pk4/5n3/9/4P4/K8 w PPppGg 1",
    "3lkl3/9/4G4/9/9/9/9/9/4K4 b PSoh 1",
    "4k4/p1p1p1p1p/9/3P1P3/9/9/1P1P3P1/9/4K4 b OHoh 1",
)
# Few pieces, so that games come to an end.
ENDGAMES = (
    (PRINCES, "k1c3/6/6/6/4RR/K1C3 b - 1"),
    (PRINCES, "k1c2r/4p1/6/6/P3RR/K1C3 b - 1"),
    (PAIR, "k1c3/6/4r1/6/4RR/K1C3 b - 1"),
    (PAIR, "kc4/5p/1P2P1/6/6/K4C b - 1"),
    (CHECKS, "2k2/5/5/5/R1K1R b - 1"),
    (CHECKS, "r1k1r/5/2p2/5/R1K1B b - 1"),
    (MOVES_ONLY, "k4/p4/P4/3R1/4K b - 1"),
    (OPEN_KINGS, "k2/3/1r1/K1R b Pp 1"),
    (SWALLOWS, "k3g/4p/4P/1S3/K3G b PPsp 1"),
)
PLAYED = [
    pytest.param(hand_shogi(), "hand_shogi", None, 35, id="hand shogi"),
    *(pytest.param(hand_shogi(), "hand_shogi", text, 25, id=text) for text in TIGHT),
    pytest.param(OTHER_MOVES, "overridden", None, 25, id="hand shogi with other moves"),
    pytest.param(shogi(), "shogi", None, 100, id="shogi"),
    pytest.param(minishogi(), "minishogi", None, 100, id="minishogi"),
    *(
        pytest.param(game, None, None, 60, id=game.name)
        for game in (KYOTO_SHOGI, TORI_SHOGI, *MADE_UP)
    ),
    *(pytest.param(game, None, text, 60, id=f"{game.name} {text}") for game, text in ENDGAMES),
]
STREWN = [
    (hand_shogi(), "hand_shogi"),
    (shogi(), "shogi"),
    (minishogi(), "minishogi"),
    *((game, None) for game in (CROWDED, TURNING, TORI_SHOGI, PRINCES)),
]


@cache
def variant_for(game: definition.Game, name: str | None) -> Variant:
    """The bundled game of that name, or the oracle's own, or Hand shogi under OTHER_MOVES."""
    if name == "overridden":
        moves = {kind.code: kind.betza for kind in game.kinds if kind.code in RECONSTRUCTED}
        return alfil.load("hand_shogi", pieces=moves).variant
    return bundled(name) if name else variant_of(game)


def check_moves(mine: Game, hand: Hand) -> None:
    """Moves, check, position, and the end of the game."""
    position = hand.position
    wanted = [] if hand.end else legal_moves(position)
    texts = [str(each) for each in mine.legal_moves]
    assert sorted(texts) == sorted(usi(position.game, move) for move in wanted)
    assert read(position.game, mine.position_text()).key == position.key
    assert mine.is_check() == in_check(position.game, position.board, position.side)
    outcome = mine.outcome()
    if hand.end is None:
        assert outcome is None
    else:
        winner = None if hand.end.winner is None else NAMES[hand.end.winner]
        assert (outcome.winner, outcome.reason) == (winner, hand.end.reason)


def wrong_text(draw: random.Random, hand: Hand) -> str:
    """A readable move, most likely illegal."""
    game = hand.position.game
    squares = [(file, rank) for file in range(game.files) for rank in range(game.ranks)]
    target = square_name(game, draw.choice(squares))
    held = [code for code, count in hand.position.hands[hand.position.side].items() if count]
    if draw.random() < 0.4:
        codes = held if held and draw.random() < 0.8 else [k.code for k in game.kinds if not k.base]
        return f"{game.kind(draw.choice(codes)).symbol}*{target}"
    own = [at for at, piece in hand.position.board.items() if piece[0] == hand.position.side]
    origin = square_name(game, draw.choice(own if draw.random() < 0.9 else squares))
    return origin + target + ("+" if draw.random() < 0.2 else "")


def check_reasons(mine: Game, hand: Hand, draw: random.Random) -> None:
    """The engine refuses what the oracle refuses, for the same reason."""
    for _ in range(WRONG_TEXTS):
        text = wrong_text(draw, hand)
        code = fault(hand.position, read_usi(hand.position, text))
        if not code:
            assert mine.why_illegal(text) is None, text
            continue
        before = mine.position_text()
        with pytest.raises(alfil.IllegalMove) as caught:
            mine.push(text)
        assert caught.value.kind == code, text
        assert mine.position_text() == before


@pytest.mark.parametrize("seed", range(GAMES_EACH // 2))
@pytest.mark.parametrize(("game", "name", "start", "plies"), PLAYED)
def test_a_random_game_goes_as_the_oracle_says(
    game: definition.Game, name: str | None, start: str | None, plies: int, seed: int
) -> None:
    draw = random.Random(f"{game.name} {start} {seed}")
    mine = Game(variant_for(game, name), start)
    hand = Hand(read(game, start or game.start))
    several = any(len(kind.promotes) > 1 for kind in game.kinds)
    before = [seen(mine)]
    keys: dict[object, int] = {}
    for _ in range(int(plies * OF_LONG_GAMES) if plies > 40 else plies):
        check_moves(mine, hand)
        assert keys.setdefault(hand.key, mine.key) == mine.key
        if hand.end:
            break
        if not several:
            check_reasons(mine, hand, draw)
        move = pick(draw, hand)
        mine.push(usi(game, move))
        hand.push(move)
        before.append(seen(mine))
    check_moves(mine, hand)
    assert len(set(keys.values())) == len(keys)
    while mine.moves:
        assert seen(mine) == before.pop()
        mine.pop()
    assert [seen(mine)] == before


def seen(mine: Game) -> object:
    """All that taking a move back must restore."""
    return mine.position_text(), mine.key, mine.legal_moves, mine.outcome(), mine.is_check()


def pick(draw: random.Random, hand: Hand) -> Move:
    """A legal move; captures, board moves, and moves back to where a piece was come up often."""
    moves = legal_moves(hand.position)
    on_board = [move for move in moves if move.origin]
    captures = [move for move in on_board if move.target in hand.position.board]
    crowd = len(hand.position.board)
    last = hand.moves[-2] if len(hand.moves) > 1 else None
    back = [m for m in on_board if last and (m.origin, m.target) == (last.target, last.origin)]
    checks = [move for move in on_board if gives_check(hand, move)] if crowd < 12 else []
    for some, chance in ((captures, 0.3), (checks, 0.3), (back, 0.3), (on_board, 0.4)):
        if some and draw.random() < chance:
            return draw.choice(some)
    return draw.choice(moves)


def strewn(draw: random.Random, game: definition.Game) -> Position:
    """A position that no play leads to: kings and pieces anywhere, attacks on either king."""
    squares = [(file, rank) for file in range(game.files) for rank in range(game.ranks)]
    draw.shuffle(squares)
    codes = [kind.code for kind in game.kinds if not kind.royal]
    kings = [kind.code for kind in game.kinds if kind.royal]
    board = {squares.pop(): (side, code) for side in (0, 1) for code in kings}
    for _ in range(draw.randrange(len(squares) * 2 // 3)):
        board[squares.pop()] = (draw.randrange(2), draw.choice(codes))
    hands: tuple[dict[str, int], dict[str, int]] = ({}, {})
    if game.rules.drops == "yes":
        for _ in range(draw.randrange(4)):
            hand, code = draw.choice(hands), game.kind(draw.choice(codes)).unpromoted
            hand[code] = hand.get(code, 0) + 1
    return Position(game, board, hands, draw.randrange(2))


@pytest.mark.parametrize(("game", "name"), STREWN, ids=lambda value: getattr(value, "name", ""))
def test_strewn_positions_go_as_the_oracle_says(game: definition.Game, name: str | None) -> None:
    for seed in range(STREWN_EACH):
        check_strewn(game, name, seed, 3)


@pytest.mark.parametrize("number", range(GAMES_EACH * 20))
def test_a_random_set_of_rules_goes_as_the_oracle_says(number: int) -> None:
    check_strewn(random_game(number), None, number, 20)


def check_strewn(game: definition.Game, name: str | None, seed: int, plies: int) -> None:
    draw = random.Random(f"{game.name} strewn {seed}")
    hand = Hand(strewn(draw, game))
    mine = Game(variant_for(game, name), write(hand.position))
    if name == "hand_shogi":
        assert mine.flags == flags(hand.position)
    for _ in range(plies):
        check_moves(mine, hand)
        if hand.end:
            break
        check_reasons(mine, hand, draw)
        move = pick(draw, hand)
        mine.push(usi(game, move))
        hand.push(move)


def gives_check(hand: Hand, move: Move) -> bool:
    following = after(hand.position, move)
    return in_check(following.game, following.board, following.side)


def test_positions_are_written_alike() -> None:
    for game in (hand_shogi(), shogi(), minishogi()):
        position = read(game, game.start)
        for move in (None, *legal_moves(position)[:3]):
            mine = Game(bundled(game.name))
            hand = Hand(position)
            if move:
                mine.push(usi(game, move))
                hand.push(move)
            assert mine.position_text() == write(hand.position)
