"""The dialect `chessvar`: the strings of its program, halflings and squares to start from."""

from __future__ import annotations

import json
import re
from itertools import product
from pathlib import Path
from random import Random

import pytest

import alfil
from agreeing import check
from alfil.diagrams.board_atlas import BoardAtlas  # documented in docs/diagrams.md
from boards import rows
from gathering import every_row
from inside import run
from oracle.betza_walker import Board
from oracle.chessvar_walker import Seat, chessvar_moves
from strategies import NIGHTLY

PROJECT = Path(__file__).parent.parent
STRINGS = [row[0] for _, row in rows("chessvar_corpus.tsv")]
REFUSED = {row[0]: row[1] for _, row in rows("chessvar_corpus_refused.tsv")}
# The strings that say more than Betza does, and others with the same signs.
FURTHER = [
    text
    for text in STRINGS
    if ("hh" in text or text[0] == "(") and text not in REFUSED and "(afz" not in text
]
OTHERS = [
    "mhhR",
    "chhBmhhR",
    "hhfRhhbB",
    "hhNN",
    "hhDD",
    "hhCC",
    "hhsR",
    "(hhRw,hhNNb)",
    "(Ri)",
    "(hh[F-R]o,Wi)",
    "(hhQl,fNcWr)",
]
SIZES = [(5, 5), (7, 6), (8, 8), (4, 9)]


def read(text: str) -> alfil.Piece:
    return alfil.read(text, "chessvar")


def refusal(text: str) -> str | None:
    try:
        read(text)
    except alfil.NotationError as error:
        return error.kind
    return None


def test_every_string_is_read_or_refused_for_the_reason_on_record() -> None:
    assert len(STRINGS) == len(set(STRINGS)) == 185
    assert {text: kind for text in STRINGS if (kind := refusal(text))} == REFUSED
    records = [row for _, row in rows("chessvar_corpus_refused.tsv")]
    assert records == sorted(records, key=lambda row: (row[1], row[2], row[0]))


def test_the_docs_state_how_many_are_read() -> None:
    stated = re.findall(r"(\d+) of its 185", (PROJECT / "docs/notations.md").read_text("utf-8"))
    assert stated == [str(len(STRINGS) - len(REFUSED))]


@every_row("text", [text for text in STRINGS if text not in REFUSED] + OTHERS)
def test_what_is_read_comes_back_the_same(text: str) -> None:
    piece = read(text)
    written = alfil.write(piece)
    assert alfil.same(read(written), piece)
    assert alfil.write(read(written)) == written


def scenes(text: str) -> list[tuple[Seat, Random]]:
    """A seat on every square of boards of all sizes, for both sides, with pieces around it."""
    found = []
    for size in SIZES:
        for at in product(range(size[0]), range(size[1])):
            lot = Random(f"{text} {size} {at}")
            if not NIGHTLY and lot.random() < 0.5:
                continue
            away = [
                (x - at[0], y - at[1])
                for x, y in product(range(size[0]), range(size[1]))
                if (x, y) != at and lot.random() < 0.15
            ]
            cut = lot.randint(0, len(away))
            pieces = frozenset(away[:cut]), frozenset(away[cut:])
            board = Board(
                width=size[0], height=size[1], at=at, enemies=pieces[0], friends=pieces[1]
            )
            found.append((Seat(board, lot.random() < 0.5, lot.random() < 0.5), lot))
    return found


@pytest.mark.parametrize("text", FURTHER + OTHERS)
def test_moves_are_those_of_a_naive_walk(text: str) -> None:
    piece = read(text)
    tables = {}
    for seat, _ in scenes(text):
        board = seat.board
        files, ranks, (x, y) = board.width, board.height, board.at
        expected = {(move.to, move.captures) for move in chessvar_moves(text, seat)}
        if not seat.second:
            around = {"enemies": board.enemies, "friends": board.friends}
            found = alfil.moves(
                piece, files=files, ranks=ranks, at=board.at, own_colour=seat.own, **around
            )
            assert {(move.to, frozenset(move.captures)) for move in found} == expected, board
        key = files, ranks, seat.second
        if key not in tables:
            tables[key] = alfil.compile(piece, files=files, ranks=ranks, second=seat.second)
        way = -1 if seat.second else 1
        at = (files - 1 - x, ranks - 1 - y) if seat.second else (x, y)
        turned = [
            {(way * a, way * b) for a, b in squares} for squares in (board.enemies, board.friends)
        ]
        found = tables[key].moves(at, enemies=turned[0], friends=turned[1], own_colour=seat.own)
        assert {
            (
                (way * move.to[0], way * move.to[1]),
                frozenset((way * a, way * b) for a, b in move.captures),
            )
            for move in found
        } == expected, board


# What is equal, and what is not.


@every_row(
    "one, other, equal",
    [
        ("(Rw,Rb)", "R", True),
        ("(Rl,Rr)", "R", True),
        ("(Ri,Ro)", "R", True),
        ("(hhRw,hhRb)", "hhR", True),
        ("RhhR", "R", True),
        ("hhQ", "hhRhhB", True),
        ("(Rw)", "R", False),
        ("(Rw,NNb)", "(NNw,Rb)", False),
        ("(Qi,NNKo)", "(Qo,NNKi)", False),
        ("(lBrhNl,rBlhNr)", "lBrhNrBlhN", False),
        ("(Rw,R7b)", "R", False),
        ("(Rl,R5r)", "R", False),
        ("hhR", "R", False),
        ("hhR", "R3", False),
        ("hh[F-R]", "[F-R]", False),
        ("hhNN", "N4", False),
    ],
)
def test_what_tells_two_pieces_apart(one: str, other: str, equal: bool) -> None:  # noqa: FBT001
    pair = read(one), read(other)
    assert alfil.same(*pair) is equal
    found = alfil.difference(*pair)
    assert (found is None) is equal
    if found:
        moves = [{move.to for move in alfil.moves(each, **found.arguments())} for each in pair]
        having = moves if found.only == "first" else moves[::-1]
        assert found.move is not None
        assert found.move.to in having[0] - having[1]


def test_half_the_way_is_part_of_the_way() -> None:
    assert alfil.contains("R", read("hhR"))
    assert not alfil.contains(read("hhR"), "R")
    assert alfil.contains(read("hhR"), "W")


# Games.

RULES = "rule first = white\nrule stalemate = draw\nrule self-check = allowed\n"
GAME = f"""game "Halves"
board 7x6
{RULES}
piece K "king" betza=K royal
piece H "half queen" chessvar=hhQ
piece D "drake" chessvar="Fhh[F-R]"
piece E "elk" chessvar="(NNw,Rb)"
piece N "nanqueen" chessvar="(Qi,NNKo)"
piece L "knish" chessvar="(lBrhNl,rBlhNr)"
piece P "pawn" betza=fmWfcF promotes=H,E forced
zone promotion ranks=1
setup mirrored
| . P . P . P P |
| H D E K N L . |
"""
TEXTS = {
    "K": "K",
    "H": "hhQ",
    "D": "Fhh[F-R]",
    "E": "(NNw,Rb)",
    "N": "(Qi,NNKo)",
    "L": "(lBrhNl,rBlhNr)",
}


def walked(board: list[list[str]], turn: int) -> set[str]:
    """The moves of all pieces but pawns of the side to move, by the naive walk."""
    ranks, files = len(board), len(board[0])
    found = set()
    for y, x in product(range(ranks), range(files)):
        code = board[y][x]
        if not code or code.islower() != turn or code.upper() == "P":
            continue
        way = -1 if turn else 1
        places = {
            (way * (a - x), way * (b - y)): board[b][a]
            for b, a in product(range(ranks), range(files))
            if board[b][a] and (a, b) != (x, y)
        }
        enemies = frozenset(at for at, other in places.items() if other.islower() != turn)
        at = (files - 1 - x, ranks - 1 - y) if turn else (x, y)
        scene = Board(
            width=files, height=ranks, at=at, enemies=enemies, friends=places.keys() - enemies
        )
        began = (4 + (ranks - 1 if turn else 0)) % 2
        seat = Seat(scene, second=bool(turn), own=(x + y) % 2 == began)
        for move in chessvar_moves(TEXTS[code.upper()], seat):
            a, b = x + way * move.to[0], y + way * move.to[1]
            found.add(f"{chr(97 + x)}{y + 1}{chr(97 + a)}{b + 1}")
    return found


def standing(game: alfil.Game) -> list[list[str]]:
    """The board of a game, the first side's back rank first."""
    rows_ = []
    for row in reversed(game.position_text().split()[0].split("/")):
        plain = re.sub(r"\d+", lambda digits: "." * int(digits[0]), row)
        rows_.append(["" if each == "." else each for each in plain])
    return rows_


@pytest.mark.parametrize("seed", range(6))
def test_games_have_the_moves_of_the_naive_walk(seed: int) -> None:
    game = alfil.loads(GAME).game()
    lot = Random(seed)
    for ply in range(40):
        listed = sorted(map(str, game.legal_moves))
        if not listed:
            break
        board = standing(game)
        mine = {
            move for move in listed if board[int(move[1]) - 1][ord(move[0]) - 97].upper() != "P"
        }
        assert mine == walked(board, ply % 2)
        game.push(lot.choice(listed))


def test_the_engine_counts_them_as_the_slow_rules_do() -> None:
    for rules in (RULES, RULES.replace("rule self-check = allowed\n", "")):
        check(alfil.loads(GAME.replace(RULES, rules)).game(), 2)


def test_a_game_knows_the_colour_on_which_its_pieces_began() -> None:
    both = GAME.replace("| H D E K N L . |", "| H D E K N N L |")
    with pytest.raises(alfil.RuleError) as caught:
        alfil.loads(both).game()
    assert caught.value.kind == "no-own-colour"


# Diagrams, words, tables, translations.


@every_row("text", [text for text in FURTHER if "i," not in text])
def test_a_picture_on_a_board_shows_the_moves_there(text: str) -> None:
    piece = read(text)
    for files, ranks, at in ((8, 8, (3, 3)), (8, 8, (6, 1)), (9, 7, (4, 3)), (7, 6, (0, 5))):
        board = {"files": files, "ranks": ranks, "at": at}
        shown = {
            tuple(each["at"])
            for each in json.loads(alfil.draw(piece, **board).render("json"))["squares"]
            if each["ways"]
        }
        assert shown == {move.to for move in alfil.moves(piece, **board)}


def test_what_depends_on_the_square_is_said() -> None:
    assert "at most half the way to the edge" in alfil.describe(read("hhR"))
    assert "From a light square" in alfil.describe(read("(Rw,Nb)"))
    for text in ("hhR", "hh[F-R]", "(Rw,Nb)"):
        with pytest.raises(alfil.BoardError) as caught:
            alfil.moves(read(text))
        assert caught.value.kind == "needs-board"
    for options in ({}, {"enemies": {(3, 0)}}, {"radius": 12, "enemies": {(3, 0)}}):
        picture = alfil.draw(read("hhR"), **options)
        said = " ".join(picture.render("text").decode().split())
        assert "On a board some runs go at most about half the way to the edge." in said
        squares = json.loads(picture.render("json"))["squares"]
        far = options.get("radius", 4)
        assert [0, far] in [each["at"] for each in squares]
    picture = alfil.draw(read("(Rw,Nb)")).render("text").decode()
    assert "some from a dark square, some from a light square" in " ".join(picture.split())


def test_a_sheet_says_that_a_halfling_goes_half_the_way(tmp_path: Path) -> None:
    pieces, sheet = tmp_path / "hearts.pieces", tmp_path / "sheet.svg"
    pieces.write_text('piece H "heart" chessvar=hhRA\n', "utf-8")
    assert run(["diagram", str(pieces), "-o", str(sheet)]) == 0
    assert "half the way to the edge" in sheet.read_text("utf-8")


def test_tables_have_the_squares_a_part_starts_from(tmp_path: Path) -> None:
    path = tmp_path / "tables.json"
    options = ("--from", "chessvar", "--board", "2x3", "-o", str(path))
    assert run(["compile", "(Rw,Nb)", *options]) == 0
    (piece,) = json.loads(path.read_text("utf-8"))["pieces"]
    knight, rook = piece["parts"]
    assert knight["from"] == [[[0, 0], [0, 2], [1, 1]]] * 2
    assert rook["from"] == [[[0, 1], [1, 0], [1, 2]]] * 2
    assert knight["when"] == rook["when"] == {}


@every_row(
    "text, notation, kinds",
    [
        ("hhR", "hasinu", ["halfway"]),
        ("hhR", "parlett", ["halfway"]),
        ("hhR", "betza", ["no-translation"]),
        ("hhR", "xboard", ["no-translation"]),
        ("(Rw,Nb)", "hasinu", ["square-condition", "square-condition"]),
        ("(Rw,Nb)", "parlett", ["square-condition", "square-condition"]),
        ("(Rw,Nb)", "betza", ["no-translation", "no-translation"]),
        ("mccW", "betza", ["no-translation"]),
    ],
)
def test_what_a_notation_cannot_say_is_named(text: str, notation: str, kinds: list[str]) -> None:
    with pytest.raises(alfil.AlfilError) as caught:
        alfil.write(read(text), notation)
    assert [found.kind for found in caught.value.diagnostics] == kinds


def test_what_burns_is_written_in_hasinu() -> None:
    for piece in (read("mccWmccfD"), alfil.read("WxK", "taikyoku")):
        written = alfil.write(piece, "hasinu")
        assert alfil.same(alfil.read(written, "hasinu"), piece)
        with pytest.raises(alfil.AlfilError):
            alfil.write(piece, "betza")


@every_row(
    "text, kind, start, end",
    [
        ("hhW", "half-way", 0, 2),
        ("hhR4", "half-way", 0, 2),
        ("hh[F-W]", "half-way", 0, 2),
        ("hhFyafsF", "half-way", 0, 2),
        ("[hhF-R]", "half-way", 1, 3),
        ("hhpR", "modifier-clash", 0, 3),
        ("ccW", "half-said", 0, 2),
        ("mcc[F-R]", "prefix-modality", 0, 1),
        ("(Rx,Nb)", "square-letter", 2, 3),
        ("(Rs,Nd)", "square-letter", 2, 3),
        ("{R,KAD}", "not-in-dialect", 0, 7),
        ("WssR", "not-in-dialect", 1, 3),
    ],
)
def test_a_mistake_is_named(text: str, kind: str, start: int, end: int) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        read(text)
    found = caught.value.diagnostics[0]
    assert (found.kind, *found.spans[0]) == (kind, start, end)
    assert "unknown-symbol" not in {each.kind for each in caught.value.diagnostics}
    assert found.hint


def test_what_burns_on_some_squares_only_is_no_rule_of_a_game() -> None:
    piece = read("(mccWw,Nb)")
    assert "From a light square" in alfil.describe(piece).split(". ")[-1]
    assert not alfil.same(piece, read("(mWw,Nb)mccW"))
    with pytest.raises(alfil.AlfilError):
        alfil.write(piece, "hasinu")
    line = 'piece X "snail" chessvar="(mccWw,Nb)"\nsetup mirrored\n| . X K |\n'
    with pytest.raises(alfil.RuleError) as caught:
        alfil.loads('game "x"\nboard 3x3\npiece K "king" betza=K royal\n' + line).game()
    assert caught.value.kind == "unplayable-function"


def test_movements_hold_both() -> None:
    for text in ("hhR", "(Rw,hh[F-R]b)"):
        movement = read(text).movement
        assert alfil.Movement.from_json(movement.to_json()) == movement
    data = read("hhR").movement.to_json()
    data["options"][0]["way"]["edges"] = "files"
    with pytest.raises(alfil.NotationError):
        alfil.Movement.from_json(data)


def test_stages_show_where_a_halfling_looks(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stages", "hhfR", "--from", "chessvar"]) == 0
    assert "1  by 0,2; empty/pass enemy/pass royal/pass own to 3" in capsys.readouterr().out


def test_stamps_of_the_second_side_have_its_colours() -> None:
    piece = read("(Rw,Wb)")
    for files, second in product((7, 8), (False, True)):
        table = alfil.compile(piece, files=files, ranks=6, second=second)
        stamps = BoardAtlas(table, notation="(Rw,Wb)")
        for x, y in ((0, 0), (1, 0), (3, 2)):
            at = (files - 1 - x, 5 - y) if second else (x, y)
            assert stamps.svg((x, y)).count("data-sign") == len(table.moves(at))
