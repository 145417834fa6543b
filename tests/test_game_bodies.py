"""A game played in the compiled core is the game played in Python: the same moves in the same
order, the same counts and ends, and nothing is lost when moves are taken back.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Literal

import pytest

import alfil
from alfil import Game
from alfil.game import arrays, fast, native, playing  # engines compared
from alfil.game.plan import plan_of
from games import LION, as_key, kind, with_rules
from games import game as made_of
from gathering import every_row
from inside import Variant
from strategies import NIGHTLY
from test_compiled import COMPILED, LEFT_TO_PYTHON, check, needs_core, variant
from test_game_paths import drawn

CORES: tuple[Literal["pure", "fast"], ...] = ("pure", "fast")
VARIANTS = sorted((Path(__file__).parent / "variants").glob("*.pieces"))
GAMES = 30 if NIGHTLY else 1
PLIES = 200 if NIGHTLY else 14
# Sequences of two moves are counted in Python where there are no more first ones.
FEW = 150


def seen(game: Game) -> tuple[object, ...]:
    """What a game shows of itself; keys and texts are asked for seldom, as by programs."""
    moves = game.legal_moves
    return (*moves, *map(str, moves), game.turn, game.is_check(), game.outcome())


def shown(game: Game) -> tuple[object, ...]:
    return (game.key, game.sfen(), game.pieces, game.hands, game.moves, game.flags, repr(game))


def walk(pure: Game, fast: Game, draw: random.Random, plies: int) -> None:
    """The same moves in both, some of them taken back; what is seen must be the same each time."""
    before = []
    for number in range(plies):
        assert seen(fast) == seen(pure), pure.sfen()
        if number % 15 == 7:
            assert shown(fast) == shown(pure)
        if number % 30 == 15:
            check(pure, 2 if len(pure.legal_moves) < FEW else 1)
        moves = pure.legal_moves
        back = draw.randrange(8) == 0 or not moves
        if back and before:
            for _ in range(draw.randint(1, min(len(before), 5))):
                assert fast.pop() == pure.pop()
                assert (seen(fast), pure.key) == before.pop()
        elif moves:
            before.append((seen(fast), pure.key))
            move = draw.choice(moves)
            assert fast.push(draw.choice((move, str(move)))) == pure.push(move)
    assert shown(fast) == shown(pure)


@needs_core
@pytest.mark.parametrize("name", COMPILED)
def test_both_bodies_play_the_same_game(name: str) -> None:
    for seed in range(GAMES):
        draw = random.Random(f"{name} {seed}")
        bodies = (Game(variant(name), core="pure"), Game(variant(name), core="fast"))
        assert isinstance(bodies[1]._played, playing.Compiled)
        walk(*bodies, draw, PLIES)


@needs_core
def test_both_bodies_play_games_drawn_by_lot() -> None:
    for seed in range(2000 if NIGHTLY else 4):
        made = drawn(seed, one_royal=seed % 2 == 0)
        assert arrays.unsuited(plan_of(made)) == ""
        games = Game(made, core="pure"), Game(made, core="fast")
        walk(*games, random.Random(seed), 25)


# Rules of few games, and what pieces of theirs have besides; some of them are drawn for each game.
RULES: tuple[dict[str, object], ...] = (
    *({"explosion": "captures"}, {"wall": "arrow"}, {"wall": "left"}, {"wall": "duck"}),
    *({"wall": "anywhere"}, {"flip": "adjacent"}, {"flip": "enclosed"}, {"must_capture": "yes"}),
    *({"giving_check": "barred"}, {"flight": "barred"}, {"facing": "bikjang", "passes": "allowed"}),
    *({"facing": "barred"}, {"duple_check": "yes"}, {"drops_first": "yes"}, {"drops": "free"}),
    *({"drop_beside": "own", "drops": "yes"}, {"self_check": "allowed"}, {"royal_lost": "all"}),
    *({"passes": "allowed"}, {"passes": "stuck"}),
)
FIELDS = (
    *("", "", "", "petrifies", "gates", "blast=never", "blast=capturing", "per-side=1"),
    *(
        "promotes=R,Q promotes-in=far apart",
        "immune-to=R",
        "blocked-by=B",
        "promotes=R,Q promotes-in=far",
        "within=near",
    ),
    *(
        "drop-check=required",
        "drop-check=barred",
        "drop-mate=barred",
        "per-file=1",
        "per-file=1 per-file-on=drop,move",
    ),
)
MOVES = (
    "R",
    "B",
    "N",
    "fmWfceFifmnD",
    "mRcpR",
    "KisO2",
    LION,
    "mQ",
    "WfF",
    "WiQ",
    "fmnR3",
    "mdW",
    "KdN",
    "mKcaibR",
    "mcabK",
    "hasinu:atmove(3,n4dO,turn) & 1×4dD",
    "hasinu:im(1×8d,PA,1) & 1×8d",
    "hasinu:im(n4dO,A,2) & n4dD",
    "hasinu:im(2×8d,FE,P) & 1×8d",
    "KNADeacKeabK",
    "WeacaeF",
    "hasinu:burn(1×8d,PA) & n4dO",
    "hasinu:burn(1×8d,FE) & n4dO",
    "hasinu:burn(1×4dO,F,P) & 1×8d",
    "hasinu:i(2×4dO,P) & 1×8d",
    "hasinu:im(1×8d,PA) & n4dD",
    "hasinu:im(1×4dO,F,PA) & n8d",
    "hasinu:atmove(2,(1,2),turn)",
)


ROYALS = "K", "KisO2", "K", "KisO1"
ROYAL_FIELDS = "", "", "", "gates", "castles-with=R castles-to=b,d", "gates castles-with=R"


def ruled(seed: int) -> Variant:
    """A game of rules that few games have, drawn by lot."""
    draw = random.Random(seed)
    codes = ["K", "R", "B", "D", "P", "Q"]
    kinds = [f"{kind('K', draw.choice(ROYALS))} royal {draw.choice(ROYAL_FIELDS)}", kind("R", "R")]
    kinds += [f"{kind(code, draw.choice(MOVES))} {draw.choice(FIELDS)}" for code in codes[2:5]]
    second = draw.random() < 0.3
    kinds.append(f"{kind('Q', draw.choice(MOVES))} {'royal' if second else ''}")
    rules = {name: to for each in draw.sample(RULES, 3) for name, to in each.items()}
    if draw.random() < 0.5:
        rules |= {"captured": "to-hand", "drops": "yes"} if "drops" not in rules else {}
    lines = [f"rule {as_key(name)} = {value}" for name, value in rules.items()]
    row = [*draw.sample(codes[1:], 4), "K"]
    draw.shuffle(row)
    text = [
        *('game "ruled"', "board 5x7", "region far ranks=6-7", "region near ranks=1-5", *lines),
        *(*kinds, "moves B unchecked betza=A" if draw.random() < 0.2 else "", "setup mirrored"),
        *(f"| {' '.join(draw.choices(['.', 'P', 'B'], k=5))} |", f"| {' '.join(row)} |"),
    ]
    if draw.random() < 0.5:
        text += ["hand R*1 P*1"]
    return alfil.loads("\n".join(text)).variant


@needs_core
def test_both_bodies_play_by_rules_drawn_by_lot() -> None:
    told: Counter[str] = Counter()
    for seed in range(3000 if NIGHTLY else 8):
        try:
            made = ruled(seed)
        except alfil.AlfilError as error:
            told[error.kind] += 1
            continue
        reason = arrays.unsuited(plan_of(made))
        told[reason] += 1
        if not reason:
            bodies = Game(made, core="pure"), Game(made, core="fast")
            walk(*bodies, random.Random(seed), 17)
    assert told[""] > sum(told.values()) / 2, told


WALLS = ("anywhere", "duck", "arrow")
CROWDED = """board 4x5
rule first = white
rule captured = to-hand
rule drops = yes
rule wall = {}
piece K "king" betza=W royal
piece R "rook" betza=R
piece C "cannon" betza=mRcpR
setup first
| C . K R |
setup second
| R K . . |
| . . C . |
hand C*1 R*1
"""


def misjudged(game: Game, draw: random.Random) -> list[str]:
    """Moves that are legal though somebody could take the king afterwards, or the other way round.

    They are those of the same game with no bar on check, whose positions are read again.
    """
    free, found = Game(with_rules(game.variant, self_check="allowed"), game.sfen()), []
    moves, legal = free.legal_moves, {*map(str, game.legal_moves)}
    for move in moves if NIGHTLY else draw.sample(moves, min(20, len(moves))):
        free.push(move)
        is_open = "OPPONENT_IN_CHECK" in Game(game.variant, free.sfen()).flags
        if is_open == (str(move) in legal):
            found.append(str(move))
        free.pop()
    return found


@needs_core
@pytest.mark.parametrize("wall", WALLS)
def test_a_move_is_judged_by_all_that_it_changes(wall: str) -> None:
    # Bodies that err alike are told by what they make of the position afterwards.
    text = CROWDED.format(wall)
    for seed in range(40 if NIGHTLY else 2):
        draw, games = random.Random(seed), [alfil.loads(text).game(core=core) for core in CORES]
        for _ in range(12):
            assert seen(games[0]) == seen(games[1])
            assert misjudged(games[0], draw) == [], games[0].sfen()
            if games[0].outcome():
                break
            move = draw.choice(games[0].legal_moves)
            for game in games:
                game.push(move)


@needs_core
@pytest.mark.parametrize("path", VARIANTS if NIGHTLY else VARIANTS[::8], ids=lambda path: path.stem)
def test_both_bodies_play_the_variants_of_the_program(path: Path) -> None:
    made = alfil.load(path).variant
    assert arrays.unsuited(plan_of(made)) == ""
    for seed in range(GAMES):
        bodies = Game(made, core="pure"), Game(made, core="fast")
        walk(*bodies, random.Random(seed), 60 if NIGHTLY else 13)


COUNTED = """
game  "counted"
board 5x5
rule  duple-check = yes
piece K "king" betza=K royal
piece Q "prince" betza=WfF royal
piece C "counter" hasinu="1×4dO & atmove(1,c(n4dD)) & atmove(2,c((1,2))) & atmove(3,c(n4dO))"
setup mirrored
| C . C . C |
| . K . Q . |
"""


@needs_core
def test_captures_of_one_move_aim_at_several_royals_in_both_bodies() -> None:
    made = alfil.loads(COUNTED).variant
    assert arrays.unsuited(plan_of(made)) == ""
    for seed in range(3):
        walk(Game(made, core="pure"), Game(made, core="fast"), random.Random(seed), 20)


@needs_core
@pytest.mark.parametrize("name", ["janggi", "xiangqi"])
def test_generals_that_meet_meet_in_both_bodies(name: str) -> None:
    for ranks in ("4k4/9/9/9/9/9/9/9/4K4/R8", "4k4/9/9/9/4R4/9/9/9/4K4/9"):
        position = f"{ranks} w - 1"
        pure, fast = (Game(variant(name), position, core=core) for core in ("pure", "fast"))
        assert seen(fast) == seen(pure), position


@needs_core
@pytest.mark.parametrize(
    ("position", "castling"),
    [
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", ["e1g1"]),
        ("1r2k1nr/8/8/8/8/8/8/1R1BK1R1 b KQkq - 0 1", ["e8c8"]),
        ("4k3/8/8/8/8/8/8/R2NK1NR w KQ - 0 1", []),
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", ["e1c1"]),
    ],
)
def test_nothing_stands_between_king_and_rook_in_both_bodies(
    position: str, castling: list[str]
) -> None:
    pure, fast = (Game(variant("chess960"), position, core=core) for core in ("pure", "fast"))
    assert seen(fast) == seen(pure)
    assert [str(move) for move in fast.legal_moves if move.partner] == castling


@needs_core
def test_repetitions_are_told_by_whole_positions() -> None:
    kinds = [kind("K", "K", royal=True), kind("R", "R")]
    ways = "mate,checks:5,bare"
    for perpetual in ("allowed", "loss"):
        rules = {"repetition": "3 draw", "perpetual_check": perpetual, "win": ways}
        small = made_of("K . ./R . .", kinds, files=3, ranks=5, **rules)
        for seed in range(2):
            pure, other = Game(small, core="pure"), Game(small, core="fast")
            walk(pure, other, random.Random(seed), 80)


@needs_core
def test_castling_rights_tell_positions_apart() -> None:
    there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"]
    king = ["e1e2", "e8e7", "e2e1", "e7e8"]
    for moves in (there_and_back * 2, [*there_and_back, "e2e4", "e7e5", *king, *king, *king[:2]]):
        games = [Game(variant("chess"), core=core) for core in ("pure", "fast")]
        for move in moves:
            for each in games:
                assert each.outcome() is None
                each.push(move)
            assert seen(games[0]) == seen(games[1])
        ended = [each.outcome() for each in games]
        assert ended[0] == ended[1]
        assert ended[0]
        assert ended[0].reason == "repetition"


@needs_core
def test_a_game_goes_over_into_the_core_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    shogi = alfil.load("minishogi").variant
    monkeypatch.setattr(playing, "WORTH", 12)
    draw, moved, pure = random.Random(4), Game(shogi), Game(shogi, core="pure")
    states = []
    for _ in range(20):
        states.append((seen(pure), shown(pure)))
        move = draw.choice(pure.legal_moves)
        moved.push(str(move))
        pure.push(move)
    assert isinstance(moved._played, playing.Compiled)
    apart = moved.copy()
    while states:
        moved.pop()
        assert (seen(moved), shown(moved)) == states.pop()
    assert not isinstance(moved._played, playing.Compiled)
    assert (seen(apart), shown(apart)) == (seen(pure), shown(pure))


@needs_core
@pytest.mark.parametrize("over", range(1, 9))
def test_positions_are_counted_from_one_body_into_the_other(
    over: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "WORTH", over)
    game = Game(alfil.load("xiangqi").variant)
    game._position.plan.plies = 0
    for move in ("b1c3", "b10c8", "c3b1", "c8b10") * 2:
        assert game.outcome() is None
        game.push(move)
    assert isinstance(game._played, playing.Compiled)
    assert game.outcome() == alfil.Outcome(None, "repetition")
    for _ in range(8):
        game.pop()
    for move in ("b1c3", "b10c8", "c3b1", "c8b10") * 2:
        assert game.outcome() is None
        game.push(move)
    assert game.outcome() == alfil.Outcome(None, "repetition")


@needs_core
def test_there_is_room_for_long_games() -> None:
    rules = {"repetition": None}
    bare = made_of("K . . .", [kind("K", "K", royal=True)], files=4, ranks=6, **rules)
    games = [Game(bare, core="pure"), Game(bare, core="fast")]
    draw = random.Random(2)
    for _ in range(3 * playing.ROOM):
        move = games[0].random_move(draw)
        for each in games:
            each.push(move)
    assert seen(games[0]) == seen(games[1])
    while games[0].moves:
        assert games[1].pop() == games[0].pop()
    assert shown(games[0]) == shown(games[1])


def test_where_the_core_does_not_serve_python_plays() -> None:
    game = Game(LEFT_TO_PYTHON)
    game._position.plan.plies = playing.WORTH
    assert game.push(game.legal_moves[0])
    with pytest.raises(alfil.RuleError, match="a range depends on more than the board"):
        Game(LEFT_TO_PYTHON, core="fast")


def test_without_the_core_python_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise native.CoreMissing("installed without it")

    monkeypatch.setattr(native, "engine", none)
    monkeypatch.setattr(playing, "WORTH", 0)
    monkeypatch.setattr(fast, "missing", fast.missing.__wrapped__)
    game = Game(variant("minishogi"))
    assert game.push("1e1c") in game.moves
    with pytest.raises(alfil.RuleError, match="installed without it"):
        Game(variant("minishogi"), core="fast")


GUARDED = (
    'rule first = white\npiece K "king" betza=K royal\npiece A "a" {0}\nsetup\n| . A K . . |\n'
)


def listed_by_both(lines: str, position: str | None = None) -> list[str]:
    """The legal moves of a game, which both bodies list alike."""
    library = alfil.loads(lines)
    pure, fast = (library.game(position, core=core).legal_moves for core in CORES)
    assert pure == fast
    return [*map(str, pure)]


@needs_core
@every_row(
    "lines, position, some",
    [
        # A piece that has made no move does not attack by what only its second one may do.
        *(
            ("board 5x5\n" + GUARDED.format(f'hasinu="{moves}"'), None, "c1d1 c1d2")
            for moves in ("atmove(2,n4dO) & 1×4dO", "ataction(2,n8d) & 1×4dO")
        ),
        # And one that has made its first move not by what only that may do.
        ("board 5x5\n" + GUARDED.format("betza=WiR"), "4k/5/5/3A1/1AK2 b - 4", "e5d4 e5d5"),
        # Runs that leave a trail come nearest first on both sides.
        ("board 5x8\n" + GUARDED.format("betza=fmnR3"), "2k2/a4/5/5/5/5/5/2K2 b - 2", "a7a6 a7a5"),
        # No capture en passant crowds a file.
        (
            "board 5x7\n" + GUARDED.format("betza=ifmnDfmWfceF per-file=1 per-file-on=drop,move"),
            "2k2/aa1a1/5/1A1Aa/5/A3A/2K2 b - 4 ep=d3:d4",
            "e4e3",
        ),
    ],
)
def test_both_bodies_list_what_the_rules_allow(lines: str, position: str | None, some: str) -> None:
    moves = listed_by_both(lines, position)
    assert [each for each in moves if each in some.split()] == some.split()
    assert "e4d3" not in moves


@needs_core
def test_two_kings_that_castle_move_in_one_order() -> None:
    assert listed_by_both(
        'board 5x5\nrule first = white\npiece K "king" betza=KisO2 royal\npiece R "rook" betza=R\n'
        "setup\n| R K . K R |\n"
    )


@needs_core
@every_row(
    "pieces, position, barred",
    [
        # A king that leaves a trail may be taken on it.
        (
            'piece K "king" betza=mnR3fceFW royal\npiece Q "queen" betza=fmnR3fceF',
            "2k2/qq1qq/5/1Q3/5/Q2QQ/2K2 b - 2",
            "c7c4",
        ),
        # What blocks a piece is not taken by it in passing either.
        (
            'piece K "king" betza=K royal\npiece Q "queen" betza=ifmnDfmWfceF blocked-by=Q',
            "2k2/5/5/1Qq2/5/5/2K2 w - 4 ep=c5:c4",
            "b4c5",
        ),
    ],
)
def test_en_passant_takes_kings_and_nothing_that_blocks(
    pieces: str, position: str, barred: str
) -> None:
    lines = f"board 5x7\nrule first = white\n{pieces}\nsetup\n| . . K . . |\n"
    assert barred not in listed_by_both(lines, position)


@needs_core
def test_a_royal_that_never_moves_first_is_borne() -> None:
    assert listed_by_both(
        'board 4x5\nrule first = white\npiece K "king" betza=KAD\n'
        'piece A "abbot" betza=iimW royal\nsetup\n| . A K A |\n'
    )


PASSING = 'rule first = white\nrule passes = allowed\npiece K "king" betza={} royal {}\n'
CASTLES = "KisO2"


@needs_core
@every_row(
    "betza, more, moves, then",
    [
        # Who has passed has not moved, nor does a pass promote, leave, build or turn over anything.
        (CASTLES, "", "d1d1 c5c4", "d1b1"),
        (CASTLES, "promotes=R\nrule promotion-when = always", "", "d1b1"),
        (CASTLES, "gates\nhand R*1", "", "d1b1/R"),
        (CASTLES, "\nrule flip = adjacent", "", "d1b1"),
        *(
            ("K", f"\nrule wall = {wall}", "", f"d1d2{built}")
            for wall, built in (
                ("left", ""),
                ("arrow", "/d1"),
                ("duck", "/f4"),
                ("anywhere", "/f4"),
            )
        ),
    ],
)
def test_a_pass_changes_nothing(betza: str, more: str, moves: str, then: str) -> None:
    setup = 'piece R "rook" betza=R\nsetup\n| R . . K . . |\n'
    library = alfil.loads(f"board 6x5\n{PASSING.format(betza, more)}{setup}")
    for core in CORES:
        game = library.game(core=core)
        for move in moves.split():
            game.push(move)
        found = [*map(str, game.legal_moves)]
        assert [text for text in found if text.startswith("d1d1")] == ["d1d1"]
        assert [text for text in found if text.startswith(then)]
        before = game.sfen().split()
        game.push("d1d1")
        assert (game.sfen().split()[0], game.sfen().split()[4:]) == (before[0], before[4:])


@needs_core
def test_who_must_pass_has_not_moved() -> None:
    library = alfil.loads(
        'board 4x4\nrule first = white\nrule passes = stuck\npiece K "king" betza=KimfD royal\n'
        'piece P "pawn" betza=fmW\nsetup first\n| P P . . |\n| K P . . |\n'
        "setup second\n| . . P P |\n| . . . K |\n"
    )
    for core in CORES:
        game = library.game(core=core)
        assert [*map(str, game.legal_moves)] == ["a1a1"]
        game.push("a1a1")
        assert game.sfen() == "k3/pp2/PP2/KP2 b - 2"


@needs_core
@every_row(
    "field, position, legal, barred",
    [
        # A wall between takes the check away.
        ("drop-check=required", "3k/4/4/4/K3 w R 1", "R*d1/a5", "R*d1/d3"),
        ("drop-check=barred", "3k/4/4/4/K3 w R 1", "R*d1/d3", "R*d1/a5"),
        # A wall may take the last square from a king in check, or leave it one.
        ("drop-mate=barred", "k3/1R2/4/4/K3 w R 1", "R*d5/c5", "R*d5/a4"),
        # A wall ends a check, and gives one to a cannon.
        ("", "3k/r3/4/4/K3 w R 1", "R*d1/a2", "R*d1/b2"),
        ("", "3k/c3/4/4/K3 w R 1", "R*d1/b2", "R*d1/a2"),
    ],
)
def test_drops_are_judged_with_the_walls_they_build(
    field: str, position: str, legal: str, barred: str
) -> None:
    lines = CROWDED.format("anywhere").replace('"rook" betza=R', f'"rook" betza=R {field}')
    found = listed_by_both(lines, position)
    assert legal in found
    assert barred not in found
    game = alfil.loads(lines).game(position)
    assert game.why_illegal(barred) is not None
    assert game.why_illegal(legal) is None


@needs_core
def test_a_king_castles_with_its_partners_only() -> None:
    lines = 'board 8x5\nrule first = white\npiece K "king" betza=KisO2 royal{}\n'
    lines += (
        'piece R "rook" betza=R\npiece N "knight" betza=N\nsetup mirrored\n| N . . . K . . R |\n'
    )
    for only, found in (("", {"e1c1", "e1g1"}), (" castles-with=R", {"e1g1"})):
        assert {"e1c1", "e1g1"} & {*listed_by_both(lines.format(only))} == found
    position = "4k3/8/8/8/N3K2R w KQ - 0 1"
    assert "e1c1" not in listed_by_both(lines.format(" castles-with=R"), position)
    with pytest.raises(alfil.PieceFileError, match="where to unless its movement says so"):
        alfil.loads(lines.format(" castles-with=R").replace("isO2", ""))
