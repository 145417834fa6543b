"""The opponent: it finds mates, beats chance, plays the same move again, and ends in time."""

import os
import pickle
from dataclasses import replace
from random import Random

import pytest

import alfil
from alfil import Analysis, Game, Opponent
from alfil.play.opponent import Clock  # as docs/play.md says
from alfil.play.opponent_search import SearchTime, share_of_time  # when a search ends
from boards import rows
from engine_games import bundled
from test_compiled import PLAYED

NIGHTLY = os.environ.get("ALFIL_HYPOTHESIS") == "nightly"
MATES = [row for _, row in rows("mates.tsv")]
IN_THREE = [row for row in MATES if row[1] == "3"]
IN_FIVE = [row for row in MATES if row[1] == "5"]


def mates_in(game: Game, plies: int) -> bool:
    """Whether the side to move mates in so many plies whatever the replies; all are tried."""
    return any(leads_to_mate(game, str(ply), plies) for ply in game.legal_moves)


def leads_to_mate(game: Game, move: str, plies: int) -> bool:
    """Whether a move mates in so many plies, counted with itself."""
    game.push(move)
    outcome = game.outcome()
    if outcome:
        found = outcome.reason == "mate"
    else:
        found = plies > 1 and all(
            answered(game, str(reply), plies - 2) for reply in game.legal_moves
        )
    game.pop()
    return found


def answered(game: Game, reply: str, plies: int) -> bool:
    game.push(reply)
    found = game.outcome() is None and mates_in(game, plies)
    game.pop()
    return found


@pytest.mark.parametrize("name", ["minishogi", "seirawan", "xiangqi"])
def test_what_it_has_looked_at_before_changes_nothing(name: str) -> None:
    game = alfil.load(name).game()
    same = Opponent(game.variant, nodes=300, seed=2)
    for _ in range(8):
        analysis = same.analyse(game)
        assert analysis == Opponent(game.variant, nodes=300, seed=2).analyse(game)
        game.push(analysis.move)


@pytest.mark.parametrize("name", ["chess", "makruk"])
def test_it_may_keep_what_it_has_searched(name: str) -> None:
    """It looks farther with the same work."""
    game, depths = alfil.load(name).game(), {True: 0, False: 0}
    players = {
        keep: Opponent(game.variant, depth=60, nodes=3000, keep_hash=keep) for keep in depths
    }
    for number in range(30):
        found = {keep: player.analyse(game) for keep, player in players.items()}
        for keep, analysis in found.items():
            depths[keep] += analysis.depth
        game.push(found[number % 2 == 0].move)
    assert depths[True] > depths[False]


@pytest.mark.parametrize(("name", "plies", "kind", "moves", "position"), IN_THREE)
def test_it_mates_in_three(name: str, plies: str, kind: str, moves: str, position: str) -> None:
    game = Game(bundled(name), position)
    chosen = str(Opponent(game.variant).choose(game))
    assert chosen in moves.split()
    assert leads_to_mate(game, chosen, int(plies))
    assert game.position_text() == Game(game.variant, position).position_text()
    game.push(chosen)
    if len(moves.split()) == 1:
        assert game.is_check() == (kind == "check")


def test_there_are_enough_mates_of_each_kind() -> None:
    assert len(IN_THREE) >= 10
    assert {(row[0], row[2]) for row in IN_THREE} >= {
        ("hand_shogi", "check"),
        ("chess", "quiet"),
        ("minishogi", "quiet"),
    }


@pytest.mark.parametrize(
    ("name", "plies", "kind", "moves", "position"), IN_FIVE if NIGHTLY else IN_FIVE[-2:]
)
def test_it_mates_in_five_with_checks(
    name: str, plies: str, kind: str, moves: str, position: str
) -> None:
    del kind, moves
    game = Game(bundled(name), position)
    found = Opponent(game.variant, depth=int(plies) + 1).analyse(game)
    assert found.mate == int(plies)
    assert leads_to_mate(game, str(found.move), int(plies))


def played_to_the_end(name: str, depth: int, seed: int) -> tuple[Game, str]:
    """A game of the opponent against chance, and the opponent's side."""
    game = Game(bundled(name))
    opponent = Opponent(game.variant, depth=depth, seed=seed)
    chance = Random(seed)
    own = seed % 2
    while game.outcome() is None and len(game.moves) < 400:
        if game.side_to_move == own:
            game.push(opponent.choose(game))
        else:
            game.push(chance.choice(game.legal_moves))
    sides = ("b", "w") if game.variant.rules.first == "black" else ("w", "b")
    return game, sides[own]


@pytest.mark.skipif(not NIGHTLY, reason="takes a quarter of an hour")
def test_it_beats_chance_in_95_games_of_100() -> None:
    games = [played_to_the_end("hand_shogi", 2, seed) for seed in range(100)]
    ends = [(game.outcome(), side) for game, side in games]
    assert sum(1 for end, side in ends if end and end.winner == side) >= 95


@pytest.mark.parametrize(("name", "seed"), [("hand_shogi", 4), ("minishogi", 2), ("chess", 3)])
def test_it_beats_chance(name: str, seed: int) -> None:
    game, side = played_to_the_end(name, 1, seed)
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (side, "mate")


@pytest.mark.parametrize("name", PLAYED)
def test_it_plays_any_game(name: str) -> None:
    game = Game(bundled(name))
    opponent = Opponent(game.variant, nodes=200, seed=5)
    for _ in range(4):
        before = game.position_text()
        move = opponent.choose(game)
        assert opponent.choose(game) == move
        assert game.position_text() == before
        assert move in game.legal_moves
        game.push(move)


def test_it_ends_when_its_time_is_over() -> None:
    game = Game(bundled("minishogi"))
    opponent = Opponent(game.variant, depth=60)
    assert opponent.choose(game, 0) in game.legal_moves
    found = opponent.analyse(game, 0.05)
    assert found.move in game.legal_moves
    assert found.depth < 60


@pytest.mark.parametrize("name", ["chess", "hand_shogi", "duck", "xiangqi"])
def test_threads_share_the_work(name: str) -> None:
    game = Game(bundled(name))
    opponent = Opponent(game.variant, nodes=4000, depth=60, threads=4, keep_hash=True)
    alone = pickle.loads(pickle.dumps(opponent))
    assert (alone.threads, alone.hash_megabytes) == (4, None)
    for _ in range(4):
        found = opponent.analyse(game)
        assert found.nodes < 4000 + 4 * 1100
        assert found.line[0] == found.move
        ahead = game.copy()
        for move in found.line:
            ahead.push(move)  # or raises
        game.push(found.move)


def test_many_threads_find_a_mate_each_time() -> None:
    """What they write at once in a place of their table is not taken for anything else."""
    library = alfil.load("hand_shogi")
    text = "2p4kg/L7P/4g4/Nn1g2U2/sn5N1/u2P3D1/2PSP4/s4PD2/4KTG2 b 3Pts2o2h3lp 89"
    game = library.game(text)
    for seed in range(20):
        opponent = Opponent(library.variant, depth=6, threads=8, seed=seed, hash_megabytes=1)
        assert opponent.analyse(game).mate == 3


def test_a_search_with_threads_ends_when_it_is_stopped() -> None:
    game = Game(bundled("chess"))
    opponent = Opponent(game.variant, depth=60, threads=3)
    depths: list[int] = []
    found = opponent.analyse(
        game, 3600, lambda: bool(depths), on_depth=lambda told: depths.append(told.depth)
    )
    assert found.move in game.legal_moves
    assert opponent.choose(game, 0) in game.legal_moves


def test_each_depth_is_told_as_it_is_found() -> None:
    game = Game(bundled("minishogi"))
    told: list[Analysis] = []
    found = Opponent(game.variant, depth=6).analyse(game, on_depth=told.append)
    assert [each.depth for each in told] == [1, 2, 3, 4, 5, 6]
    assert told[-1] == found
    assert [each.nodes for each in told] == sorted(each.nodes for each in told)
    # Each is what a search of that depth finds.
    assert told[3] == Opponent(game.variant, depth=4).analyse(game)


@pytest.mark.parametrize("name", ["duck", "amazons", "seirawan"])
def test_the_move_that_is_told_is_the_one_that_was_found(name: str) -> None:
    """Moves that differ in nothing but their wall, or what stands behind them, are told apart."""
    game = Game(bundled(name))
    told: list[Analysis] = []
    found = Opponent(game.variant, depth=1).analyse(game, on_depth=told.append)
    assert told[-1].move == found.move


def test_what_is_told_and_found_is_of_the_game_as_it_was() -> None:
    game = Game(bundled("minishogi"))
    found = Opponent(game.variant, depth=5).analyse(
        game, on_depth=lambda _: game.push(game.legal_moves[0])
    )
    ahead = Game(game.variant)
    for move in found.line:
        ahead.push(move)


def test_moves_to_choose_from_may_be_texts() -> None:
    game = Game(bundled("minishogi"))
    told: list[Analysis] = []
    opponent = Opponent(game.variant, depth=2)
    found = opponent.analyse(game, moves=["1e1d"], on_depth=told.append)
    assert found.move == told[0].move
    assert found.move in game.legal_moves


@pytest.mark.parametrize("wrong", ["", [], False, True, 1.0])
@pytest.mark.parametrize("setting", ["hash_megabytes", "variety", "threads"])
def test_settings_that_are_no_numbers_are_named(setting: str, wrong: object) -> None:
    with pytest.raises(TypeError, match="settings of an opponent are numbers"):
        Opponent(bundled("minishogi"), **{setting: wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize("megabytes", [1, 3, 64, 10**9, 0, -5])
def test_memory_for_what_was_searched_is_given_in_megabytes(megabytes: int) -> None:
    game = Game(bundled("gorogoro"))
    found = Opponent(game.variant, depth=3, hash_megabytes=megabytes).analyse(game)
    assert found == Opponent(game.variant, depth=3).analyse(game)


@pytest.mark.parametrize(("most", "looked_at"), [(10, 1030), (1100, 1110), (3000, 3010)])
def test_it_looks_at_no_more_positions_than_it_may(most: int, looked_at: int) -> None:
    # Captures that answer captures are positions, too.
    text = "qqqqkqqq/qqqqqqqq/qqqqqqqq/8/8/QQQQQQQQ/QQQQQQQQ/QQQQKQQQ w - - 0 1"
    game = Game(bundled("chess"), text)
    found = Opponent(game.variant, nodes=most).analyse(game)
    assert found.move in game.legal_moves
    assert most < found.nodes < looked_at


@pytest.mark.parametrize(
    ("text", "share", "left"),
    [("5", 5, None), ("0.5", 0.5, None), ("300+5", 15, 303), ("5:00+5", 15, 303), ("1:00", 2, 58)],
)
def test_a_clock_is_written_as_people_write_it(text: str, share: float, left: float | None) -> None:
    clock = Clock(text)
    assert clock.time_for_next_move().optimum == share
    clock.spend(2)
    assert clock.left == left


def test_a_clock_keeps_what_moves_take_besides() -> None:
    assert Clock("31+1").time_for_next_move(0.1) == pytest.approx((1.9, 7.9))
    assert Clock("13+10").time_for_next_move(1.0) == pytest.approx((0.5, 0.5))
    assert Clock("5").time_for_next_move(0.1) == pytest.approx((4.9, 4.9))
    assert Clock("0:01").time_for_next_move(1.0) == pytest.approx((0.001, 0.001))


def test_a_search_ends_after_a_depth_where_it_has_had_its_usual_time() -> None:
    game = alfil.load("chess").game()
    found = Opponent(game.variant, depth=60).analyse(game, SearchTime(0.001, 1000))
    assert 0 < found.depth < 60


@pytest.mark.parametrize(
    ("moves", "scores", "share"),
    [
        ("", [], 1.2),
        ("a", [5], 1.2),
        ("ab", [5, 5], 1.2),
        ("aa", [5, 5], 0.9),
        ("baaaaaaa", [5] * 8, 0.5),
        ("aaaab", [5] * 5, 1.2),
        ("aaaaa", [5, 5, 5, 5, 80], 0.5),
        ("aaaaa", [5, 5, 5, 5, -70], 0.625),
        ("aaaaa", [5, 5, 5, 5, -9000], 0.75),
    ],
)
def test_a_search_takes_longer_where_its_move_changes_or_turns_out_worse(
    moves: str, scores: list[int], share: float
) -> None:
    assert share_of_time(moves, scores) == pytest.approx(share)


@pytest.mark.parametrize("text", ["", "-1", "five", "5+", "1:2:3", "5 "])
def test_other_times_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is no time"):
        Clock(text)


def test_it_takes_what_hangs_and_leaves_what_is_guarded() -> None:
    variant = bundled("chess")
    free = Game(variant, "4k3/8/8/3q4/8/8/3R4/4K3 w - - 0 1")
    assert str(Opponent(variant).choose(free)) == "d2d5"
    guarded = Game(variant, "4k3/8/2p1p3/3p4/8/8/3Q4/4K3 w - - 0 1")
    assert str(Opponent(variant).choose(guarded)) != "d2d5"


def test_pieces_behind_others_count_in_an_exchange() -> None:
    variant = bundled("chess")
    doubled = Game(variant, "3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1")
    assert str(Opponent(variant, depth=1).choose(doubled)) == "d2d5"
    alone = Game(variant, "3rk3/8/8/3p4/8/8/3R4/4K3 w - - 0 1")
    assert str(Opponent(variant, depth=1).choose(alone)) != "d2d5"


@pytest.mark.parametrize("name", ["chess", "shogi", "xiangqi", "crazyhouse"])
def test_it_looks_eight_moves_ahead_at_few_positions(name: str) -> None:
    # Without exchanges, history and reductions it would be hundreds of thousands.
    game = Game(bundled(name))
    assert Opponent(game.variant).analyse(game).nodes < 40_000


@pytest.mark.parametrize("seed", range(3))
def test_it_sees_that_a_bishop_would_be_shut_in(seed: int) -> None:
    # After Bxa2 b3 the king goes to b2 and takes the bishop: six moves in all, none of them forced.
    game = Game(bundled("chess"), "6k1/5ppp/4b3/8/8/8/PPP2PPP/2K5 b - - 0 1")
    unlearned = replace(game.variant, name="")
    assert str(Opponent(unlearned, depth=3, seed=seed).choose(game)) == "e6a2"
    assert str(Opponent(game.variant, seed=seed).choose(game)) != "e6a2"


def test_a_third_check_wins_three_check_chess() -> None:
    game = Game(bundled("three_check"), "4k3/8/8/8/8/8/R7/4K3 w - - 0 1")
    for move in ("a2a8", "e8e7", "a8a7", "e7e6"):
        game.push(move)
    game.push(Opponent(game.variant).choose(game))
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("w", "checks")


def test_it_does_not_repeat_what_it_is_winning() -> None:
    game = Game(bundled("chess"), "7k/8/8/8/8/8/8/KR6 b - - 0 1")
    for move in ["h8g8", "b1b2", "g8h8", "b2b1", "h8g8", "b1b2", "g8h8"]:
        game.push(move)
    chosen = Opponent(game.variant).choose(game)
    game.push("b2b1")
    outcome = game.outcome()
    assert outcome is not None
    assert outcome.reason == "repetition"
    assert str(chosen) != "b2b1"


def test_it_takes_a_piece_only_where_it_may_still_win_then() -> None:
    # Black leaves the knight and wins the pawn: king and knight cannot mate. White sees that,
    # too, and that no move of its own wins.
    library = alfil.load("chess")
    game = library.game("8/8/8/4N3/2k5/8/1P6/2Kn4 b - - 0 1")
    opponent = Opponent(library.variant)
    assert str(game.push(opponent.choose(game))) == "c4b3"
    assert opponent.analyse(game).score < 100
    game.push("c1d1")
    game.push(opponent.choose(game))
    assert game.outcome() == alfil.Outcome(None, "insufficient-material")


def test_a_dead_position_is_won_where_draws_are() -> None:
    text = alfil.load("chess").source.text
    library = alfil.loads(f"{text}\nrule draw-odds = second\n", name="odds")
    game = library.game("7k/8/8/8/2n5/8/1P6/K7 b - - 0 1")
    found = Opponent(library.variant).analyse(game)
    # Half of what a mate counts.
    assert (str(found.move), found.score > 490_000) == ("c4b2", True)


def test_only_a_game_has_moves_to_choose() -> None:
    with pytest.raises(TypeError, match="not 'e4'"):
        Opponent(bundled("chess")).choose("e4")  # type: ignore[arg-type]


def test_a_game_of_another_variant_is_refused() -> None:
    opponent = Opponent(alfil.load("minishogi").variant, depth=1)
    for other in (alfil.load("tori"), alfil.load("minishogi", pieces={"R": "Q"})):
        with pytest.raises(ValueError, match="plays <Variant minishogi"):
            opponent.choose(other.game())
    # One that was read again is the same.
    library = alfil.load("minishogi")
    again = pickle.loads(pickle.dumps(library.variant))
    assert again is not library.variant
    assert opponent.choose(Game(again)) == opponent.choose(library.game())


def test_a_game_that_has_ended_has_no_move_to_choose() -> None:
    game = Game(bundled("hand_shogi"))
    game.resign()
    with pytest.raises(ValueError, match="ended"):
        Opponent(game.variant).choose(game)


def test_the_seed_chooses_among_moves_as_good() -> None:
    game = Game(bundled("chess"))
    chosen = {str(Opponent(game.variant, depth=4, seed=seed).choose(game)) for seed in range(8)}
    assert len(chosen) > 1


@pytest.mark.parametrize("name", ["chess", "minishogi"])
def test_variety_is_as_wide_as_it_is_asked_for(name: str) -> None:
    game = Game(bundled(name))
    chosen = {
        variety: {
            str(Opponent(game.variant, depth=3, seed=seed, variety=variety).choose(game))
            for seed in range(10)
        }
        for variety in (0, 300)
    }
    assert len(chosen[0]) == 1 < len(chosen[300])
    again = pickle.loads(pickle.dumps(Opponent(game.variant, seed=3, variety=300)))
    assert again.variety == 300
    assert str(again.choose(game)) == str(Opponent(game.variant, seed=3, variety=300).choose(game))


ODD_GAME = """
game "Odd"
board 5x5
rule first = white
rule self-check = allowed
rule win = royal-capture,goal
rule goal = P 5
rule captured = removed
piece K "king"    betza=K royal
piece P "pawn"    betza=fW
piece C "cannon"  betza=mRcpR
piece L "lion"    betza=KNADcabK
setup
| P P P P P |
| C L K L C |
"""


def odd(position: str) -> Game:
    return alfil.loads(ODD_GAME).game(position)


def test_it_plays_with_hoppers_lions_and_kings_that_are_taken() -> None:
    variant = alfil.loads(ODD_GAME).variant
    game = Game(variant)
    players = [Opponent(variant, depth=1, seed=seed) for seed in (1, 2)]
    while game.outcome() is None and len(game.moves) < 6:
        move = players[game.side_to_move].choose(game)
        assert move in game.legal_moves
        game.push(move)
    assert len(game.moves) > 2


@pytest.mark.parametrize(
    ("position", "moves", "reason"),
    [
        ("4k/5/1p3/4P/K3C w", {"e1e5"}, "king-capture"),
        ("k4/4P/5/5/K4 w", {"e4e5"}, "goal"),
        ("4k/3L1/5/5/K4 w", {"d4e5", "d4d4xe5"}, "king-capture"),
    ],
)
def test_it_wins_at_once_where_it_can(position: str, moves: set[str], reason: str) -> None:
    game = odd(position)
    chosen = Opponent(game.variant).choose(game)
    assert str(chosen) in moves
    game.push(chosen)
    outcome = game.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("w", reason)
