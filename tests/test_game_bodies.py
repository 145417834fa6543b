"""Games as the engine plays them are those of the slow rules: the same moves, checks and losers,
the same positions after them, and nothing is lost when moves are taken back.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

import alfil
from agreeing import check, check_reasons, refused, seen, walk
from alfil import Game
from alfil.game import (  # an engine that is missing, and its room
    engine_position,
    game_position,
    native_engine,
)
from games import LION, as_key, kind, with_rules
from games import game as made_of
from gathering import every_row
from inside import Variant
from strategies import NIGHTLY
from test_compiled import COMPILED, ROAMING, variant
from test_game_paths import drawn

VARIANTS = sorted((Path(__file__).parent / "variants").glob("*.pieces"))
GAMES = 30 if NIGHTLY else 1
PLIES = 200 if NIGHTLY else 14
# Every so many plies all is compared, and sequences of two moves where there are few first ones.
EVERY = 1 if NIGHTLY else 6
FEW = 150 if NIGHTLY else 12


@pytest.mark.parametrize("name", COMPILED)
def test_the_engine_plays_by_the_rules(name: str) -> None:
    for seed in range(GAMES):
        draw = random.Random(f"{name} {seed}")
        walk(Game(variant(name)), draw, PLIES, EVERY, FEW)


@pytest.mark.skipif(bool(refused(ROAMING)), reason=refused(ROAMING))
def test_the_engine_plays_pieces_that_roam() -> None:
    for seed in range(GAMES):
        walk(Game(ROAMING), random.Random(seed), PLIES, EVERY, FEW)


def test_the_engine_plays_games_drawn_by_lot() -> None:
    for seed in range(2000 if NIGHTLY else 4):
        walk(Game(drawn(seed, one_royal=seed % 2 == 0)), random.Random(seed), 25, EVERY, FEW)


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
    royal, fields = draw.choice(ROYALS), draw.choice(ROYAL_FIELDS)
    if "castles-to" in fields:
        # It castles in one way or the other.
        royal = royal.partition("is")[0]
    kinds = [f"{kind('K', royal)} royal {fields}", kind("R", "R")]
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


def test_the_engine_plays_by_rules_drawn_by_lot() -> None:
    told: Counter[str] = Counter()
    for seed in range(3000 if NIGHTLY else 8):
        try:
            made = ruled(seed)
            game = Game(made)
        except alfil.AlfilError as error:
            told[error.kind] += 1
            continue
        told[""] += 1
        walk(game, random.Random(seed), 17, EVERY, FEW)
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
    free, found = Game(with_rules(game.variant, self_check="allowed"), game.position_text()), []
    moves, legal = free.legal_moves, {*map(str, game.legal_moves)}
    for move in moves if NIGHTLY else draw.sample(moves, min(20, len(moves))):
        free.push(move)
        is_open = "OPPONENT_IN_CHECK" in Game(game.variant, free.position_text()).flags
        if is_open == (str(move) in legal):
            found.append(str(move))
        free.pop()
    return found


@pytest.mark.parametrize("wall", WALLS)
def test_a_move_is_judged_by_all_that_it_changes(wall: str) -> None:
    # Where engine and slow rules err alike it is told by what they make of the position afterwards.
    library = alfil.loads(CROWDED.format(wall))
    for seed in range(40 if NIGHTLY else 2):
        draw, game = random.Random(seed), library.game()
        for ply in range(12):
            if ply % EVERY == 3:
                check(game)
            assert misjudged(game, draw) == [], game.position_text()
            if game.outcome():
                break
            game.push(draw.choice(game.legal_moves))


@pytest.mark.parametrize("path", VARIANTS if NIGHTLY else VARIANTS[::8], ids=lambda path: path.stem)
def test_the_engine_plays_the_variants_of_the_program(path: Path) -> None:
    made = alfil.load(path).variant
    for seed in range(GAMES):
        walk(Game(made), random.Random(seed), 60 if NIGHTLY else 13, EVERY, FEW)


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


def test_captures_of_one_move_aim_at_several_royals() -> None:
    made = alfil.loads(COUNTED).variant
    for seed in range(3):
        walk(Game(made), random.Random(seed), 20, EVERY)


@pytest.mark.parametrize("name", ["janggi", "xiangqi"])
def test_generals_that_meet_are_in_check_or_must_part(name: str) -> None:
    for ranks in ("4k4/9/9/9/9/9/9/9/4K4/R8", "4k4/9/9/9/4R4/9/9/9/4K4/9"):
        game = Game(variant(name), f"{ranks} w - 1")
        check(game)
        check_reasons(game)


@pytest.mark.parametrize(
    ("position", "castling"),
    [
        ("4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", ["e1g1"]),
        ("1r2k1nr/8/8/8/8/8/8/1R1BK1R1 b KQkq - 0 1", ["e8c8"]),
        ("4k3/8/8/8/8/8/8/R2NK1NR w KQ - 0 1", []),
        ("4k3/8/8/8/8/5r2/8/R3K2R w KQ - 0 1", ["e1c1"]),
    ],
)
def test_nothing_stands_between_king_and_rook(position: str, castling: list[str]) -> None:
    game = Game(variant("chess960"), position)
    check(game)
    assert [str(move) for move in game.legal_moves if move.partner] == castling


def test_repetitions_are_told_by_whole_positions() -> None:
    kinds = [kind("K", "K", royal=True), kind("R", "R")]
    ways = "mate,checks:5,bare"
    for perpetual in ("allowed", "loss"):
        rules = {"repetition": "3 draw", "perpetual_check": perpetual, "win": ways}
        small = made_of("K . ./R . .", kinds, files=3, ranks=5, **rules)
        for seed in range(2):
            draw, game = random.Random(seed), Game(small)
            times: Counter[str] = Counter([whole(game)])
            while not game.outcome() and len(game.moves) < 80:
                game.push(game.random_move(draw))
                times[whole(game)] += 1
                assert (times[whole(game)] == 3) == ended_by_repetition(game), game.position_text()
            walk(Game(small), draw, 20, EVERY)


def whole(game: Game) -> str:
    """A position in text without the number of its move and what has led there."""
    return " ".join(game.position_text().split()[:3])


def ended_by_repetition(game: Game) -> bool:
    outcome = game.outcome()
    return outcome is not None and outcome.reason in {"repetition", "perpetual-check"}


def test_castling_rights_tell_positions_apart() -> None:
    there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"]
    king = ["e1e2", "e8e7", "e2e1", "e7e8"]
    for moves in (there_and_back * 2, [*there_and_back, "e2e4", "e7e5", *king, *king, *king[:2]]):
        game = Game(variant("chess"))
        for move in moves:
            assert game.outcome() is None
            game.push(move)
        assert game.outcome() == alfil.Outcome(None, "repetition")


def test_positions_are_counted_again_when_moves_were_taken_back() -> None:
    game = Game(alfil.load("xiangqi").variant)
    for _ in range(2):
        for move in ("b1c3", "b10c8", "c3b1", "c8b10") * 2:
            assert game.outcome() is None
            game.push(move)
        assert game.outcome() == alfil.Outcome(None, "repetition")
        while game.moves:
            game.pop()


def test_a_copy_goes_its_own_way() -> None:
    draw, game = random.Random(4), Game(variant("minishogi"))
    states = []
    for _ in range(20):
        states.append(seen(game))
        game.push(draw.choice(game.legal_moves))
    apart, last = game.copy(), seen(game)
    while states:
        game.pop()
        assert seen(game) == states.pop()
    assert seen(apart) == last


def test_there_is_room_for_long_games() -> None:
    rules = {"repetition": None}
    bare = made_of("K . . .", [kind("K", "K", royal=True)], files=4, ranks=6, **rules)
    game, draw, before = Game(bare), random.Random(2), []
    for _ in range(3 * game_position.INITIAL_MOVE_ROOM):
        before.append(game.position_text())
        game.push(game.random_move(draw))
    check(game)
    while game.moves:
        game.pop()
        assert game.position_text() == before.pop()
    check(game)


def test_without_the_engine_no_game_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise native_engine.EngineMissing("installed without it")

    library = alfil.loads(alfil.load("minishogi").source.text + "\n", name="minishogi, once more")
    monkeypatch.setattr(engine_position, "engine", none)
    monkeypatch.setattr(
        engine_position, "missing_engine_reason", engine_position.missing_engine_reason.__wrapped__
    )
    with pytest.raises(alfil.RuleError, match="installed without it") as caught:
        library.game()
    assert caught.value.kind == "no-core"


GUARDED = (
    'rule first = white\npiece K "king" betza=K royal\npiece A "a" {0}\nsetup\n| . A K . . |\n'
)


def listed(lines: str, position: str | None = None) -> list[str]:
    """The legal moves of a game, which the slow rules find as well."""
    game = alfil.loads(lines).game(position)
    check(game)
    check_reasons(game)
    return [*map(str, game.legal_moves)]


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
        (
            "board 5x8\n" + GUARDED.format("betza=fmnR3fceF"),
            "2k2/a4/5/5/5/5/5/2K2 b - 2",
            "a7a6 a7a5",
        ),
        # No capture en passant crowds a file.
        (
            "board 5x7\n" + GUARDED.format("betza=ifmnDfmWfceF per-file=1 per-file-on=drop,move"),
            "2k2/aa1a1/5/1A1Aa/5/A3A/2K2 b - 4 ep=d3:d4",
            "e4e3",
        ),
    ],
)
def test_the_engine_lists_what_the_rules_allow(lines: str, position: str | None, some: str) -> None:
    moves = listed(lines, position)
    assert [each for each in moves if each in some.split()] == some.split()
    assert "e4d3" not in moves


def test_two_kings_that_castle_move_in_one_order() -> None:
    assert listed(
        'board 5x5\nrule first = white\npiece K "king" betza=KisO2 royal\npiece R "rook" betza=R\n'
        "setup\n| R K . K R |\n"
    )


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
    assert barred not in listed(lines, position)


def test_a_royal_that_never_moves_first_is_borne() -> None:
    assert listed(
        'board 4x5\nrule first = white\npiece K "king" betza=KAD\n'
        'piece A "abbot" betza=iimW royal\nsetup\n| . A K A |\n'
    )


PASSING = 'rule first = white\nrule passes = allowed\npiece K "king" betza={} royal {}\n'
CASTLES = "KisO2"


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
    game = library.game()
    for move in moves.split():
        game.push(move)
    found = [*map(str, game.legal_moves)]
    assert [text for text in found if text.startswith("d1d1")] == ["d1d1"]
    assert [text for text in found if text.startswith(then)]
    before = game.position_text().split()
    game.push("d1d1")
    assert (game.position_text().split()[0], game.position_text().split()[4:]) == (
        before[0],
        before[4:],
    )


def test_who_must_pass_has_not_moved() -> None:
    library = alfil.loads(
        'board 4x4\nrule first = white\nrule passes = stuck\npiece K "king" betza=KimfD royal\n'
        'piece P "pawn" betza=fmW\nsetup first\n| P P . . |\n| K P . . |\n'
        "setup second\n| . . P P |\n| . . . K |\n"
    )
    game = library.game()
    check(game)
    assert [*map(str, game.legal_moves)] == ["a1a1"]
    game.push("a1a1")
    assert game.position_text() == "k3/pp2/PP2/KP2 b - 2"


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
    found = listed(lines, position)
    assert legal in found
    assert barred not in found
    game = alfil.loads(lines).game(position)
    assert game.why_illegal(barred) is not None
    assert game.why_illegal(legal) is None


def test_a_king_castles_with_its_partners_only() -> None:
    lines = 'board 8x5\nrule first = white\npiece K "king" betza=KisO2 royal{}\n'
    lines += (
        'piece R "rook" betza=R\npiece N "knight" betza=N\nsetup mirrored\n| N . . . K . . R |\n'
    )
    for only, found in (("", {"e1c1", "e1g1"}), (" castles-with=R", {"e1g1"})):
        assert {"e1c1", "e1g1"} & {*listed(lines.format(only))} == found
    position = "4k3/8/8/8/N3K2R w KQ - 0 1"
    assert "e1c1" not in listed(lines.format(" castles-with=R"), position)
    with pytest.raises(alfil.PieceFileError, match="where to unless its movement says so"):
        alfil.loads(lines.format(" castles-with=R").replace("isO2", ""))
