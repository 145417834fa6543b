"""Lines for Fairy-Max: read by what its fmax.ini explains, and played by the program itself."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest

import alfil

# Rays of pieces are asked for one by one, which needs no game.
from alfil.exchange.fairy_max_rays import rays_of_sequences
from alfil.translation.automaton_to_runs import NotExpressible, sequences_of_automaton
from boards import rows
from fairy_max import Judge, candidates, moves_of, spelled
from gathering import every_row
from strategies import NIGHTLY

SIZE = (8, 8)
PLIES = 24 if NIGHTLY else 10
# What the program's own file has for pieces that people know, one direction or all of them.
OWN_LINES = {
    "N": "14,7 31,7 33,7 18,7 -14,7 -31,7 -33,7 -18,7",
    "D": "2,7 32,7 -2,7 -32,7",
    "Q": "1,3 16,3 15,3 17,3 -1,3 -16,3 -15,3 -17,3",
    "NN": "14,3 31,3 33,3 18,3 -14,3 -31,3 -33,3 -18,3",
    "mWcF": "1,6 -1,6 16,6 -16,6 15,5 -15,5 17,5 -17,5",
    "gQ": "1,F8 16,F8 15,F8 17,F8 -1,F8 -16,F8 -15,F8 -17,F8",
    "mRcpR": "1,BA 16,BA -1,BA -16,BA",
    "nA": "15,70 17,70 -15,70 -17,70",
    "R3": "1,443 16,443 -1,443 -16,443",
    "R4": "1,843 16,843 -1,843 -16,843",
    "B4": "15,843 17,843 -15,843 -17,843",
    "FyafsF": "17,3,16 15,3,16 -15,3,-16 -17,3,-16 17,3,1 -15,3,1 -17,3,-1 15,3,-1",
}
# What no ray says.
MISSING = {
    "R6": "runs that begin or end after more than five squares",
    "dR": "captures of its own side",
    "mKcamK": "captures on the way",
    "[W-F-W]": "moves that change more than once",
    "nZ": "runs that end after some squares behind a turn or a hop",
}


def rays(text: str, size: tuple[int, int] = SIZE) -> tuple[list[str], list[str]]:
    """The rays that a piece has at any time, and what none says."""
    found: list[str] = []
    missing: list[str] = []
    for part in alfil.read(text).meaning.parts:
        if not part.guard:
            some, lost = rays_of_sequences(
                sequences_of_automaton(part.automaton, exact_ends=True), size
            )
            found += map(str, some)
            missing += lost
    return found, missing


@every_row("text, line", OWN_LINES.items())
def test_pieces_of_its_own_file_are_written_as_there(text: str, line: str) -> None:
    assert set(rays(text)[0]) == set(line.split())


@every_row("text, lost", MISSING.items())
def test_what_no_ray_says_is_missing(text: str, lost: str) -> None:
    assert rays(text)[1] == [lost]


def readable(texts: Iterator[str]) -> Iterator[alfil.Piece]:
    """Those texts that are pieces of one square whose moves depend on the board alone."""
    for text in texts:
        try:
            piece = alfil.read(text)
            if not any(part.guard for part in piece.meaning.parts) and not piece.meaning.facts:
                yield piece
        except alfil.AlfilError:
            continue


def near(squares: set[tuple[int, int]], at: tuple[int, int]) -> set[tuple[int, int]]:
    """Squares as they are counted from a piece."""
    return {(x - at[0], y - at[1]) for x, y in squares}


def test_written_pieces_move_as_they_do() -> None:
    texts = [row[0] for _, row in rows("betza_corpus.tsv")]
    chance = random.Random("rays")
    written = asked = 0
    for piece in readable(iter(texts if NIGHTLY else texts[::6])):
        asked += 1
        try:
            found, missing = rays(piece.text)
        except NotExpressible:
            continue
        if missing:
            continue
        written += 1
        for _ in range(6):
            squares = chance.sample([*product(range(8), range(8))], chance.randrange(2, 30))
            at, *others = squares
            half = len(others) // 2
            own, enemies = {*others[:half]}, {*others[half:]}
            theirs = {*moves_of(" ".join(found), at, own, enemies, SIZE)}
            ours = {
                ((at[0] + move.to[0], at[1] + move.to[1]), bool(move.captures))
                for move in alfil.moves(
                    piece, files=8, ranks=8, at=at, friends=near(own, at), enemies=near(enemies, at)
                )
            }
            assert ours == theirs, (piece.text, found, at, own, enemies)
    sys.stdout.write(f"{written} of {asked} pieces of the corpus are written\n")
    assert written > asked * 0.9


HEAD = "board 6x6\nrule first = white\nrule repetition = 3 draw\nrule move-limit = 50 P\n"
HEAD += "rule promotion-when = ends\nzone promotion ranks=1\n"
KING = 'piece K "king" betza=K royal\n'
PAWN = 'piece P "pawn" betza=fmWfceFifmnD promotes=A,B forced\n'
ROW = "| P P P P P P |\n"
GAMES = {
    "bent riders and hoppers": HEAD
    + 'piece A "griffin" betza=FyafsF\npiece B "cannon" betza=mRcpR\n'
    + 'piece G "grasshopper" betza=gQ\n'
    + KING
    + PAWN
    + f"setup mirrored\n{ROW}| A B K G B A |\n",
    "lame, limited and one-sided": HEAD
    + 'piece A "mao" betza=nN\npiece B "short rook" betza=R3\n'
    + 'piece G "gold" betza=WfF\npiece L "lance" betza=fRbW\n'
    + KING
    + PAWN
    + f"setup\n{ROW}| A B K G L G |\n",
    "other pawns, castling and first leaps": HEAD.replace("6x6", "8x6")
    + 'piece A "knight" betza=N\npiece B "rook" betza=R\npiece G "fers" betza=FimD\n'
    + 'piece K "king" betza=KisO2 royal\n'
    + 'piece P "soldier" betza=fmFfcW promotes=A,B forced\n'
    + "setup mirrored\n| P P P P P P P P |\n| B A A G K A A B |\n",
    "the third rank": HEAD.replace("6x6", "6x8").replace("ranks=1", "ranks=3")
    + 'piece A "fers" betza=F\npiece B "horse" betza=N\n'
    + KING
    + PAWN.replace("fmWfceFifmnD promotes=A,B", "fmWfcF promotes=A")
    + f"setup mirrored\n{ROW}| . . . . . . |\n| A B K A B A |\n",
    "gold for both sides": HEAD
    + 'piece A "gold" betza=WfF\npiece B "silver" betza=FfW\n'
    + KING
    + PAWN.replace("promotes=A,B", "promotes=B")
    + f"setup\n{ROW}| A B K A B A |\n",
    "two kings of which one may be lost": HEAD
    + "rule royal-lost = all\n"
    + 'piece A "knight" betza=N\npiece B "rook" betza=R\n'
    + KING
    + PAWN
    + f"setup mirrored\n{ROW}| A K B B K A |\n",
}
BUNDLED = ("chess", "capablanca", "los_alamos", "makruk")


# Lines of play, after which castling, captures en passant and promotions are legal.
LINES = {
    "chess": (
        "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5",
        "d2d4 a7a6 d4d5 e7e5",
        "d2d3 d7d5 c1f4 c8f5 b1c3 b8c6 d1d2 d8d7",
        "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6",
    ),
    "capablanca": (
        "f2f3 f7f6 g1e3 g8e6 i1h3 i8h6 h1i3 h8i6",
        "f2f3 f7f6 g1e3 g8e6 i1h3 i8h6 h1i3 h8i6 a2a3",
    ),
}


def judged(judge: Judge, game: alfil.Game, found: alfil.Export) -> dict[str, alfil.Move]:
    """The legal moves of a game, which are those of the program."""
    ours = spelled(game, found)
    plain = {text[:-1] for text, move in ours.items() if move.promotes}
    asked = {*ours} | (candidates(game) - plain)
    assert {each for each in asked if judge.takes(each)} == {*ours}, game.position_text()
    return ours


def played_alike(library: alfil.Library, folder: Path, seed: str) -> None:
    """A random game in which both have the same moves."""
    found = alfil.export(library, "fairy-max", on_loss="lossy")
    judge, chance, game = Judge(found, folder), random.Random(seed), library.game()
    try:
        for _ in range(PLIES):
            ours = judged(judge, game, found)
            if not ours or game.outcome():
                return
            chosen = chance.choice(sorted(ours))
            assert judge.makes(chosen)
            game.push(ours[chosen])
    finally:
        judge.close()


@pytest.mark.parametrize("name", LINES)
def test_castling_and_pawns_are_played_alike(name: str, tmp_path: Path) -> None:
    library = alfil.load(name)
    found = alfil.export(library, "fairy-max")
    for line in LINES[name]:
        judge, game = Judge(found, tmp_path), library.game()
        try:
            for text in line.split():
                assert judge.makes(text)
                game.push(spelled(game, found)[text])
            judged(judge, game, found)
        finally:
            judge.close()


def test_no_pawn_captures_en_passant_that_did_not(tmp_path: Path) -> None:
    plain = PAWN.replace("ceF", "cF")
    setup = f"setup mirrored\n{ROW}| A B K A B A |\n"
    men = 'piece A "fers" betza=F\npiece B "horse" betza=N\n'
    library = alfil.loads((HEAD + men + KING + plain + setup).replace("6x6", "6x8"), name="plain")
    found, game = alfil.export(library, "fairy-max"), library.game()
    assert not found.losses
    judge = Judge(found, tmp_path)
    try:
        for text in ("c2c4", "f7f6", "c4c5", "d7d5"):
            assert judge.makes(text)
            game.push(spelled(game, found)[text])
        assert "c5d6" not in judged(judge, game, found)
    finally:
        judge.close()


@pytest.mark.parametrize(
    ("pawn", "lost"),
    [
        (PAWN.replace("promotes=A,B", "promotes=K"), "there no pawn becomes a royal piece"),
        (PAWN + PAWN.replace("P ", "O ").replace("ceF", "cF"), "there all pawns capture en"),
    ],
)
def test_what_pawns_lose_is_named(pawn: str, lost: str) -> None:
    rules = "rule royal-lost = all\nrule self-check = allowed\n"
    text = HEAD + rules + 'piece A "fers" betza=F\npiece B "horse" betza=N\n' + KING + pawn
    rows = f"{ROW}| A B K A B A |\n"
    others = rows.replace("P", "O") if "O " in pawn else rows
    setup = f"setup first\n{rows}setup second\n{others}"
    library = alfil.loads(text + setup, name="pawns")
    losses = alfil.export(library, "fairy-max", on_loss="lossy").losses
    assert any(lost in each.message for each in losses)


@every_row("game, lost", [("cambodian", "K"), ("shogi", "+S")])
def test_what_is_lost_is_named_once_and_as_the_file_has_it(game: str, lost: str) -> None:
    library = alfil.load(game)
    losses = [loss.message for loss in alfil.export(library, "fairy-max", on_loss="lossy").losses]
    said = {
        "K": "Fairy-Max has nothing like its lines `moves`",
        "+S": "it is left out: Fairy-Max has 15 lines of pieces",
    }
    assert losses.count(f"{lost}: {said[lost]}") == 1
    assert len({*losses}) == len(losses)


@every_row(
    "pawn, size, lost",
    [
        ("fmWfcF", "6x6", True),
        ("fmWfcF", "6x7", False),
        ("fmWfceFifmnD", "6x7", True),
        ("fmWfceFifmnD", "6x8", False),
        ("fmRfcF", "6x12", True),
        ("fW2fcF", "6x7", True),
    ],
)
def test_no_pawn_promotes_with_its_first_move_there(pawn: str, size: str, *, lost: bool) -> None:
    text = HEAD.replace("6x6", size).replace("ranks=1", "ranks=3") + KING
    text += f'piece A "fers" betza=F\npiece P "pawn" betza={pawn} promotes=A forced\n'
    rows = f"{ROW}| . . . . . . |\n| A A K A A A |\n"
    library = alfil.loads(f"{text}setup mirrored\n{rows}", name="near")
    losses = alfil.export(library, "fairy-max", on_loss="lossy").losses
    told = {each.message for each in losses}
    assert ("P: there it promotes with no first move" in told) == lost
    leaps = pawn in {"fmRfcF", "fW2fcF"}
    assert ("P: there it promotes on the nearest rank of the zone only" in told) == leaps


def test_promotion_that_is_not_there_is_a_loss() -> None:
    text = HEAD.replace("zone promotion ranks=1\n", "") + KING + PAWN
    text += 'piece A "fers" betza=F\npiece B "horse" betza=N\n'
    library = alfil.loads(f"{text}setup mirrored\n{ROW}| A B K A B A |\n", name="no zone")
    losses = alfil.export(library, "fairy-max", on_loss="lossy").losses
    told = ["P: there it must promote, on the last rank or in the zone"]
    assert [each.message for each in losses] == told


@every_row("game", ["shogi", "chu", "los_alamos"])
def test_every_loss_is_a_comment(game: str) -> None:
    found = alfil.export(alfil.load(game), "fairy-max", on_loss="lossy")
    comments = [line for line in found.text.splitlines() if line.startswith("// lost: ")]
    assert comments == [f"// lost: {each.message}" for each in found.losses]


@pytest.mark.parametrize("name", GAMES)
def test_small_games_are_played_alike(name: str, tmp_path: Path) -> None:
    library = alfil.loads(GAMES[name], name=name)
    assert not alfil.export(library, "fairy-max").losses
    for seed in range(4 if NIGHTLY else 1):
        played_alike(library, tmp_path, f"{name} {seed}")


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_games_are_played_alike(name: str, tmp_path: Path) -> None:
    for seed in range(2 if NIGHTLY else 1):
        played_alike(alfil.load(name), tmp_path, f"{name} {seed}")


@pytest.mark.parametrize("letters", ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", ""])
def test_more_pieces_than_letters(letters: str) -> None:
    codes = letters or [f"P{number}" for number in range(40)]
    given = [
        "" if letters else f"letter=[A{chr(65 + n // 26)}{chr(65 + n % 26)}]" for n in range(40)
    ]
    pieces = (f'piece {code} "p{code}" {given[n]} betza=N\n' for n, code in enumerate(codes))
    text = f"board 8x8\nsetup\n| {codes[0]}{' .' * 7} |\n{''.join(pieces)}"
    with suppress(alfil.AlfilError):
        assert alfil.export(alfil.loads(text, name="t"), "fairy-max")
