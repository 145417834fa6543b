"""Hostile input of every shape: the work grows with its length, or stays below a limit.

What is counted is calls of functions and what `alfil.work_limit` counts, never seconds. Regular
expressions are the matter of tests/test_expressions.py, the engine of tests/test_engine_bounds.py.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import partial

import pytest

import alfil
from alfil import Opponent
from alfil.work_limit import FILE_LIMIT, LIMIT, work_done  # what no answer tells: the work it was
from effort import calls, peak_memory
from inside import predict_reading
from strategies import NIGHTLY

SIZES = (3, 6, 12, 24, 48)
# Twice as much input is so much more work at most: as much again, and what sorting adds.
TWICE = 2.6
# Here it is the square, of at most 10,000 characters: chained legs, and hints that are tried.
SQUARE = 4.4
OF_SQUARES = frozenset({"a chain", "repeats", "letters of Fairy-Stockfish", "commas", "ands"})
OF_SQUARES |= {"capitals nobody knows", "again to be translated", "turns to be translated"}
# The same letters of Fairy-Stockfish, in a file.
OF_SQUARES |= {"Betza in a setting"}
# This is known to be worse than it need be.
OF_SQUARES |= {"brackets in brackets"}

Make = Callable[[int], str]
Ask = Callable[[str], object]


def repeated(part: str, before: str = "", behind: str = "") -> Make:
    return lambda size: before + part * size + behind


def numbered(part: str, before: str = "", behind: str = "", joint: str = "") -> Make:
    return lambda size: before + joint.join(part.format(n) for n in range(size)) + behind


def nested(opened: str, inner: str, closed: str) -> Make:
    return lambda size: opened * size + inner + closed * size


def translated(text: str) -> object:
    return alfil.translate(text, write="hasinu")


def to_betza(text: str) -> object:
    return alfil.translate(text, read="hasinu", write="betza")


def in_table(text: str) -> object:
    return alfil.compile(text, files=9, ranks=9).to_json()


def in_game(text: str) -> object:
    return alfil.loads(text, name="t").game()


def exported(text: str, to: str) -> object:
    return alfil.export(alfil.loads(text), to, on_loss="lossy")


def hasinu(text: str) -> object:
    return alfil.read(text, "hasinu", name="t")


def parlett(text: str) -> object:
    return alfil.read(text, "parlett", name="t")


def betza(text: str) -> object:
    return alfil.read(text, name="t")


def stockfish(text: str) -> object:
    return alfil.read(text, "fairy-stockfish", name="t")


def xboard(text: str) -> object:
    return alfil.read(text, "xboard", name="t")


def chess(text: str) -> object:
    return alfil.load("chess").game().push(text)


def shogi(text: str) -> object:
    return alfil.load("shogi").game().push(text)


def placed(text: str) -> object:
    return alfil.load("chess").game(text)


def pgn(text: str) -> object:
    return alfil.records.read_games(text, form="pgn")


def kif(text: str) -> object:
    return alfil.records.read_games(text, form="kif")


def csa(text: str) -> object:
    return alfil.records.read_games(text, form="csa")


def own(text: str) -> object:
    return alfil.records.read_match(f"alfil record 1\ngame: chess\n\n{text}")


def functions(text: str) -> object:
    return alfil.read("f(n8d)", "hasinu", functions={text: "n8d"})


def stranger(text: str) -> object:
    return predict_reading(text, "fairy-stockfish")


def letter(number: int) -> str:
    """The letter of a piece in positions, where there are more pieces than letters."""
    signs = [chr(ord("A") + number // 26**place % 26) for place in (2, 1, 0)]
    return f"letter=[{''.join(signs)}]"


def pieces_of_game(count: int, values: str = "betza=W") -> str:
    pieces = (f'piece P{n} "p{n}" {letter(n)} {values}\n' for n in range(count))
    return f"{BOARD}{KING}setup\n| K{' .' * 8} |\n{''.join(pieces)}"


def circle_of_promotions(count: int, betza: str = "N") -> str:
    pieces = (
        f'piece P{n} "p{n}" {letter(n)} betza={betza} promotes=P{(n + 1) % count}\n'
        for n in range(count)
    )
    return f"{BOARD}setup\n| P0{' .' * 8} |\n{''.join(pieces)}"


BOARD = "board 9x9\n"
IN_ALL_RANKS = "rule promotion-when = touches\nzone promotion ranks=9\n"
KING = 'piece K "king" betza=K royal\n'
INI = "[mine:chess]\n"
ROUND = "round 1\n\n"
MOVES = "1. Nf3 Nf6 2. Ng1 Ng8 "

SHAPES: dict[str, tuple[Ask, Make]] = {
    "atoms": (betza, repeated("W")),
    "small letters": (betza, repeated("f", behind="K")),
    "small letters alone": (betza, repeated("a")),
    "again": (betza, repeated("a", behind="K")),
    "capitals nobody knows": (betza, repeated("U")),
    "digits": (betza, repeated("1", "W")),
    "ranges": (betza, repeated("W3")),
    "stars": (betza, repeated("*", "W")),
    "opened round": (betza, repeated("(")),
    "closed round": (betza, repeated(")")),
    "opened square": (betza, repeated("[")),
    "closed square": (betza, repeated("]")),
    "pairs of brackets": (betza, repeated("()")),
    "brackets in brackets": (betza, nested("[", "R", "]")),
    "a chain": (betza, repeated("-K", "[K", "]")),
    "a chain that turns": (betza, repeated("?sR", "[R", "]")),
    "vectors": (betza, repeated("(1,2)")),
    "a vector of digits": (betza, repeated("1", "(", ",2)")),
    "a vector of commas": (betza, repeated(",", "(", ")")),
    "repeats": (betza, repeated("(af)1b", "m", "F")),
    "braces": (betza, repeated("{1}", "W")),
    "opened braces": (betza, repeated("{", "W")),
    "hyphens in brackets": (betza, repeated("-", "(", ")")),
    "blanks": (betza, repeated(" ", "W", "F")),
    "signs nobody knows": (betza, repeated("é")),
    "raised figures": (betza, repeated("²", "W")),
    "signs that look like others": (betza, repeated("Ｗ")),
    "letters of Fairy-Stockfish": (stockfish, repeated("fsRbnF")),
    "letters of every dialect": (alfil.readings, repeated("QNRB")),
    "letters of XBoard": (xboard, repeated("mcfsK")),
    "letters for a program": (stranger, repeated("fmWc")),
    "joined legs": (hasinu, repeated(" & n8d", "n8d")),
    "turned legs": (hasinu, repeated(" &t 1×8d", "n8d")),
    "blanks behind a turn": (hasinu, repeated(" ", "n8d &t", "x")),
    "turns alone": (hasinu, repeated("&t")),
    "ands": (hasinu, repeated("&", "n8d", "n8d")),
    "brackets of a call": (hasinu, nested("j(", "n8d", ")")),
    "brackets alone": (hasinu, nested("(", "n8d", ")")),
    "distances": (hasinu, numbered("{}", "{", "}×8d", ",")),
    "blanks in a set": (hasinu, repeated(" ", "{1", "2}×8d")),
    "obliques": (hasinu, repeated("(1,2)ab ")),
    "digits before a d": (hasinu, repeated("1", behind="d")),
    "remarks": (hasinu, repeated("// a ")),
    "slashes": (hasinu, repeated("/", "n8d")),
    "words": (hasinu, repeated("word ")),
    "embedded Betza": (hasinu, repeated("\\W & ", behind="n8d")),
    "commas": (hasinu, repeated(",", "group(n8d", ")")),
    "calls nobody knows": (hasinu, repeated("f(", "", "n8d")),
    "a signature of blanks": (functions, repeated(" ", "f", "!")),
    "a signature of parameters": (functions, numbered("a{}", "f(", ")", ",")),
    "runs": (parlett, repeated("1X.")),
    "commas of Parlett": (parlett, repeated(",", "1X", "n+")),
    "figures of Parlett": (parlett, repeated("1", "", "/2")),
    "signs of directions": (parlett, repeated("+")),
    "brackets of Parlett": (parlett, nested("(", "1X", ")")),
    "blanks of Parlett": (parlett, repeated(" ", "1", "2")),
    "parts to be translated as far as can be": (
        lambda text: alfil.translate(text, write="fairy-stockfish", on_loss="lossy"),
        lambda size: "".join("WFDNA"[n % 5] + "123"[n % 3] for n in range(10 * size)),
    ),
    "sliders to be translated": (translated, numbered("W{}")),
    "turns to be translated": (translated, repeated("afs", "", "K")),
    "again to be translated": (translated, repeated("a", "", "K")),
    "legs to be translated": (to_betza, repeated(" &t 1×8d", "1×8d")),
    "atoms in words": (alfil.describe, repeated("FWDAN")),
    "a chain in words": (alfil.describe, repeated("-K", "[K", "]")),
    "atoms in a table": (in_table, repeated("RBN")),
    "a chain in a table": (in_table, repeated("sK", "a", "K")),
    "atoms drawn": (lambda text: alfil.draw(text).render("svg"), repeated("WFDN")),
    "a label": (lambda text: alfil.draw("W", label=text).render("svg"), repeated("é<&")),
    "vectors of a piece to be found": (
        lambda text: alfil.infer([(len(text), n) for n in range(1, len(text) + 1)]),
        lambda size: "x" * min(size, 35),
    ),
    "a name to be found": (alfil.find, repeated("griffon ")),
    "a text to be compared": (lambda text: alfil.same(text, "K"), repeated("WF")),
    "the difference of two": (lambda text: alfil.difference(text, "Q"), repeated("RN")),
    "empty lines": (alfil.loads, repeated("\n")),
    "remarks in a file": (alfil.loads, repeated("# a\n")),
    "lines nobody knows": (alfil.loads, repeated("x y\n")),
    "pieces": (alfil.loads, numbered('piece P{0} "p{0}" betza=W{0}\n')),
    "slow pieces": (alfil.loads, numbered('piece P{0} "p{0}" betza=afsafsR{0}afsK\n')),
    "a piece again": (alfil.loads, repeated(KING)),
    "keys given twice": (alfil.loads, repeated("betza=K ", 'piece K "k" ')),
    "flags given twice": (alfil.loads, repeated("royal ", 'piece K "k" betza=K ')),
    "names of one piece": (
        alfil.loads,
        numbered("n{}", 'piece K "k" betza=K also="', '"', ","),
    ),
    "quotes in a value": (alfil.loads, repeated('""', 'piece K "k" betza=K note="', '"')),
    "promotions": (alfil.loads, numbered("P{}", 'piece K "k" betza=K promotes=', "", ",")),
    "signs nobody knows in Parlett": (parlett, lambda size: "@" * (4 * size)),
    "promotions in a circle": (in_game, lambda size: circle_of_promotions(8 * size)),
    "pieces of a game": (in_game, lambda size: pieces_of_game(30 * size)),
    "pieces put into Fairy-Stockfish": (
        partial(exported, to="fairy-stockfish"),
        lambda size: pieces_of_game(30 * size),
    ),
    "pieces of one side put into Fairy-Stockfish": (
        partial(exported, to="fairy-stockfish"),
        lambda size: pieces_of_game(30 * size, "betza=W side=first"),
    ),
    "promotions put into Fairy-Stockfish": (
        partial(exported, to="fairy-stockfish"),
        lambda size: IN_ALL_RANKS + circle_of_promotions(4 * size, "W"),
    ),
    "pieces put into GGN": (partial(exported, to="ggn"), lambda size: pieces_of_game(30 * size)),
    "a row of a set-up": (alfil.loads, repeated("K ", f"{BOARD}{KING}setup\n| ", "|")),
    "a row of many pieces": (alfil.loads, numbered("K{} ", f"{BOARD}setup\n| ", "|")),
    "rows of a set-up": (alfil.loads, repeated("| K |\n", f"{BOARD}{KING}setup\n")),
    "regions": (alfil.loads, numbered("region r{} files=a-i\n", BOARD)),
    "squares of a region": (alfil.loads, repeated("a1,", f"{BOARD}region r squares=", "a1")),
    "functions of a file": (alfil.loads, numbered("define f{}(x) = x & x\n")),
    "functions of functions": (
        alfil.loads,
        lambda size: (
            "".join(f"define f{n + 1}(x) = f{n}(f{n}(x))\n" for n in range(size))
            + f'define f0(x) = x & x\npiece K "k" hasinu="f{size}(n8d)"\n'
        ),
    ),
    "blanks behind define": (alfil.loads, repeated(" ", "define f", "!")),
    "pieces in hand": (alfil.loads, repeated("K ", f"{BOARD}{KING}hand ")),
    "rules": (alfil.loads, repeated("rule stalemate = draw\n")),
    "words of a rule": (alfil.loads, repeated("mate,", "rule win = ")),
    "constraints": (alfil.loads, numbered("constraint H{} limited on=K\n", KING)),
    "an include again": (alfil.loads, repeated("include chess\n")),
    "sections": (alfil.check_ini, numbered("[v{}:chess]\n")),
    "sections of sections": (
        alfil.check_ini,
        lambda size: "[v0:chess]\n" + "".join(f"[v{n + 1}:v{n}]\n" for n in range(size)),
    ),
    "settings given twice": (alfil.check_ini, repeated("pawn = p\n", INI)),
    "settings nobody knows": (alfil.check_ini, numbered("s{} = 1\n", INI)),
    "a setting of blanks": (alfil.check_ini, repeated(" ", f"{INI}a", "b\n")),
    "letters of a setting": (alfil.check_ini, repeated("p:q ", f"{INI}promotedPieceType = ")),
    "a start of slashes": (alfil.check_ini, repeated("/", f"{INI}startFen = ")),
    "Betza in a setting": (alfil.check_ini, repeated("W", f"{INI}customPiece1 = a:")),
    "a move of signs": (chess, repeated("+", "e4", "x")),
    "a move of squares": (chess, repeated("e4")),
    "a move of captures": (shogi, repeated("x5e", "5e5d")),
    "a move of blanks": (chess, repeated(" ", "e4", "e.p.")),
    "a position of slashes": (placed, repeated("/")),
    "a position of kings": (placed, repeated("k", "", "/8/8/8/8/8/8/8 w - 1")),
    "a hand": (placed, repeated("P", "8/8/8/8/8/8/8/8 w ", " 1")),
    "opened variations": (pgn, repeated("(", "1. e4 ")),
    "closed variations": (pgn, repeated(")", "1. e4 ")),
    "opened comments": (pgn, repeated("{", "1. e4 ")),
    "comments": (pgn, repeated("{a} ", "1. e4 ")),
    "tags": (pgn, numbered('[T{} "a"]\n', "", "\n1. e4 *")),
    "marks": (pgn, repeated(" $1", "1. e4")),
    "results": (pgn, repeated("* ")),
    "games of nothing": (pgn, repeated('[White "a"]\n\n*\n\n')),
    "numbers of moves": (pgn, repeated("1. ")),
    "variations of variations": (pgn, repeated("(1. d4 (1. c4)) ", "1. e4 ")),
    "wrong variations": (pgn, repeated("(1. e5) ", "1. e4 ")),
    "variations": (pgn, repeated("(1. d4) ", "1. e4 ")),
    "moves to and fro": (pgn, repeated(MOVES)),
    "lines of KIF": (kif, repeated("手数----\n")),
    "blanks of KIF": (kif, repeated(" ", "1 ７六歩(77)", "x")),
    "variations of KIF": (kif, repeated("変化：1手\n")),
    "rows of CSA": (csa, repeated("* ", "P1", "x")),
    "pieces of CSA": (csa, repeated("00FU", "P+")),
    "moves of CSA": (csa, repeated("+7776FU\n-3334FU\n")),
    "numbers of a record": (own, repeated("1.", ROUND)),
    "comments of a record": (own, repeated("{a} ", ROUND)),
    "variations of a record": (own, repeated("( ", ROUND)),
    "rounds": (own, numbered("round {}\n\n")),
    "headers": (own, numbered("h{}: x\n")),
    "a location": (alfil.locations.is_location, repeated("a1")),
    "a location of figures": (alfil.locations.is_location, repeated("1", "a")),
    "arrows": (alfil.locations.is_location, repeated("→")),
}


def work(ask: Ask, text: str) -> tuple[int, float]:
    """How many functions were called, and the work that was counted."""
    before = work_done()

    def job() -> None:
        with contextlib.suppress(alfil.AlfilError):
            ask(text)

    return calls(job), work_done() - before


@pytest.fixture(scope="module", autouse=True)
def _warm() -> None:
    """What is made once is not counted."""
    for ask, make in SHAPES.values():
        with contextlib.suppress(alfil.AlfilError):
            ask(make(3))


# Every shape in a nightly run, else every third.
@pytest.mark.parametrize("name", [*SHAPES][:: 1 if NIGHTLY else 3])
def test_work_grows_with_the_input_or_is_limited(name: str) -> None:
    ask, make = SHAPES[name]
    counts = [work(ask, make(size)) for size in SIZES]
    assert max(number for _, number in counts) <= FILE_LIMIT + LIMIT
    (before, _), (last, counted) = counts[-2:]
    # What a limit ends has met it.
    most = SQUARE if name in OF_SQUARES else TWICE
    assert last < most * before + 2000 or counted > LIMIT / 2


def test_the_memory_of_a_game_grows_with_its_pieces() -> None:
    for values in ("betza=W", "betza=W blocked-by=K"):
        half, whole = (
            peak_memory(partial(in_game, pieces_of_game(count, values))) for count in (600, 1200)
        )
        assert whole < TWICE * half


def test_pieces_that_move_alike_are_worked_out_once() -> None:
    wazirs, queens = (
        calls(partial(in_game, pieces_of_game(200, f"betza={text}"))) for text in ("WF", "Q")
    )
    assert queens < 1.5 * wazirs


def test_pieces_without_a_name_in_ggn_are_not_laid_out() -> None:
    few, many = (calls(partial(exported, pieces_of_game(count), "ggn")) for count in (300, 600))
    loading = calls(partial(in_game, pieces_of_game(600))) / 600
    assert many - few < 300 * 2 * loading


def test_pieces_that_promote_are_followed_once_each_to_where_they_can_get() -> None:
    few, many = (
        calls(partial(exported, IN_ALL_RANKS + circle_of_promotions(count, "W"), "fairy-stockfish"))
        for count in (30, 60)
    )
    assert many < TWICE * few


def test_an_opponent_lays_out_many_pieces_on_few_squares() -> None:
    few, many = (
        calls(partial(Opponent, alfil.loads(pieces_of_game(count)).variant))
        for count in (200, 1200)
    )
    assert many < few


# To parse a letter is so many calls; of classic hints name one of four other dialects.
@pytest.mark.parametrize(
    ("dialect", "most"), [("betza", 15), ("classic", 80), ("xboard", 15), ("fairy-stockfish", 15)]
)
def test_errors_that_are_not_told_are_not_looked_for(dialect: str, most: int) -> None:
    def job(size: int) -> int:
        return work(lambda text: alfil.read(text, dialect), "U" * size)[0]

    job(800)
    assert job(900) - job(600) < 300 * most


@pytest.mark.parametrize("behind", ["W-", "{", "1a"])
def test_a_long_text_is_not_read_again_for_each_mistake(behind: str) -> None:
    def job(mistakes: int) -> int:
        return work(alfil.readings, "R" * 6000 + behind * mistakes)[0]

    job(10)
    assert job(20) < 1.5 * job(8)


def test_a_part_that_is_told_as_steps_is_converted_once() -> None:
    # Each leap is a chain of many letters in this dialect, and is tried beside those before it.
    leaps = "".join(f"({far},{aside})" for far in range(1, 20) for aside in range(far + 1))
    counted, _ = work(lambda text: alfil.translate(text, write="xboard", on_loss="lossy"), leaps)
    assert counted < 8_000_000


def test_there_are_a_hundred_shapes() -> None:
    assert len(SHAPES) >= 100
