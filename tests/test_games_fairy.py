"""Fairy-Stockfish's own variants as piece files: the same counts, moves and ends of games.

The files are the bundled ones and those of tests/variants. What a variant does otherwise for a
reason stands in `DIFFERS`; a row there that is no longer true fails. The program has no king that
is captured, so that where a royal is open to capture it is a game of its own.
"""

from __future__ import annotations

import random
import sys
from functools import cache
from pathlib import Path

import pyffish
import pytest

import alfil
from inside import bundled_set_names
from lockstep import Spelling, Theirs, played_out
from strategies import NIGHTLY

FOLDER = Path(__file__).parent / "variants"
# Read before a test of another file gives the program variants of its own.
BUILT_IN = pyffish.variants()
# The bundled game that a variant is.
BUNDLED = {
    "3check": "three_check",
    "amazons": "amazons",
    "antichess": "antichess",
    "ataxx": "ataxx",
    "atomic": "atomic",
    "cambodian": "cambodian",
    "capablanca": "capablanca",
    "chess": "chess",
    "clobber": "clobber",
    "crazyhouse": "crazyhouse",
    "duck": "duck",
    "extinction": "extinction",
    "fairy": "chess",  # chess, and pieces that are nowhere
    "dobutsu": "dobutsu",
    "fischerandom": "chess960",
    "flipello": "othello",
    "gorogoro": "gorogoro",
    "grand": "grand",
    "horde": "horde",
    "janggitraditional": "janggi",
    "judkins": "judkins",
    "kingofthehill": "king_of_the_hill",
    "losalamos": "los_alamos",
    "makruk": "makruk",
    "mini": "minishogi",
    "minishogi": "minishogi",
    "normal": "chess",
    "placement": "placement",
    "racingkings": "racing_kings",
    "seirawan": "seirawan",
    "shogi": "shogi",
    "sittuyin": "sittuyin",
    "xiangqi": "xiangqi",
}
OTHERS = {"fairy", "hand_shogi", "hasinu_page", "taikyoku"} | {"chu", "dai", "tori", "wa", "yari"}
OTHERS |= {"tenjiku", "dai_dai", "maka_dai_dai", "tai", "shatranj"}
WRITTEN = sorted({*BUNDLED, *(path.stem for path in FOLDER.glob("*.pieces"))})
TWO_PASSES = ("perft", "the program counts no moves after two passes, which come at depth 3")
JANGGI = ("janggi", "janggicasual", "janggimodern", "janggitraditional")
# What of a variant differs, and why: "perft", or "games" where counts are
# the same.
DIFFERS: dict[str, tuple[str, str]] = {
    "cambodian": ("games", "a rook on the king's rank or file takes its leap away there"),
    **dict.fromkeys(JANGGI, TWO_PASSES),
}
# The gate does not count as far as these differ.
FARTHER = () if NIGHTLY else JANGGI

# The gate walks little and plays a short game of every third; all of it takes minutes.
MOST, GAMES, PLIES, EACH = (3_000_000, 3, 200, 1) if NIGHTLY else (500, 1, 24, 3)


@cache
def variant_of(name: str) -> alfil.Library:
    """The game in alfil."""
    return alfil.load(BUNDLED.get(name, FOLDER / f"{name}.pieces"))


def counted(name: str, played: list[str], depth: int, library: alfil.Library) -> int:
    """The program's perft."""
    theirs = Theirs(name, whole=True)
    theirs.played += played
    barred = Spelling(library).barred
    moves = [move for move in theirs.moves() if not theirs.is_barred(move, barred)]
    if depth == 1:
        return len(moves)
    return sum(counted(name, [*played, move], depth - 1, library) for move in moves)


def test_how_many_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert {*DIFFERS} <= {*WRITTEN} <= {*BUILT_IN}
    perft = [name for name in WRITTEN if DIFFERS.get(name, ("",))[0] != "perft"]
    equal = [name for name in WRITTEN if DIFFERS.get(name, ("",))[0] != "games"]
    missing = ", ".join(sorted({*BUILT_IN} - {*WRITTEN}))
    with capsys.disabled():
        sys.stdout.write(
            f"\n{len(WRITTEN)} of {len(BUILT_IN)} variants written, {len(perft)} with equal perft, "
            f"{len(equal)} equal games; missing: {missing}\n"
        )
    told = (
        f"Of the {len(BUILT_IN)} variants built into Fairy-Stockfish {len(WRITTEN)} are written",
        f"{len(perft)} have equal counts",
        f"{len(equal)} equal games",
    )
    text = " ".join((FOLDER.parents[1] / "docs/coverage.md").read_text(encoding="utf-8").split())
    assert [each for each in told if each not in text] == []


def test_every_other_set_is_no_game_of_the_program() -> None:
    assert {*bundled_set_names()} - {*BUNDLED.values()} == OTHERS


@pytest.mark.parametrize("name", BUNDLED)
def test_a_bundled_game_starts_as_the_program_starts(name: str) -> None:
    board, side, *_ = variant_of(name).game().position_text().split()
    assert board == pyffish.start_fen(name).split()[0].partition("[")[0]
    assert side == ("w" if variant_of(name).rules.first == "white" else "b")


@pytest.mark.parametrize("name", WRITTEN)
def test_as_many_sequences_of_moves(name: str) -> None:
    assert [each for each in variant_of(name).diagnostics if each.severity != "note"] == []
    library = variant_of(name)
    game = library.game()
    counts = [game.perft(1)]
    while len(counts) < 3 and counts[-1] * counts[0] <= MOST:
        counts.append(game.perft(len(counts) + 1))
    same = counts == [counted(name, [], depth + 1, library) for depth in range(len(counts))]
    assert same != (DIFFERS.get(name, ("",))[0] == "perft" and name not in FARTHER)


# Few pieces, so that somebody is alone soon.
ENDGAMES = (
    "2k5/8/1n3r2/8/3P4/8/1R6/3K4",
    "7k/5r2/8/8/8/8/8/K1RN4",
    "3k4/8/2n5/8/8/3R4/1P6/4K3",
)


@pytest.mark.parametrize("name", ["makruk", "cambodian", "asean"])
def test_a_countdown_is_that_of_the_program(name: str) -> None:
    counted = set()
    for board in ENDGAMES:
        game, played = variant_of(name).game(f"{board} w - 1"), list[str]()
        draw, spelling = random.Random(board), Spelling(variant_of(name))
        while not game.outcome() and len(played) < PLIES:
            moves = spelling.ours(game)
            takes = sorted(text for text, move in moves.items() if move.captures)
            played.append(draw.choice(takes or sorted(moves)))
            game.push(moves[played[-1]])
            limit, made = pyffish.get_fen(name, f"{board} w - - 0 1", played).split()[3:5]
            theirs = "" if limit == "-" else f"countdown={limit}:{made}"
            ours = [
                field for field in game.position_text().split() if field.startswith("countdown")
            ]
            assert ours == [theirs] * bool(theirs)
            counted.add(limit)
    assert len(counted) > 1


@pytest.mark.parametrize("name", WRITTEN[::EACH])
def test_random_games_go_as_the_program_says(name: str) -> None:
    differs = DIFFERS.get(name, ("",))[0] == "games"
    library = variant_of(name)
    for seed in range(GAMES):
        draw = random.Random(f"{name} {seed}")
        for ours, theirs, same_end in played_out(
            Theirs(name), Spelling(library), library, draw, PLIES
        ):
            assert differs or ours == theirs
            assert differs or same_end
