"""Descriptions in English: golden texts, and the meaning as referee.

The texts of tests/cases/descriptions.tsv have been read line by line against the notations' rules.
The rest needs no reading: `english_reader` finds the moves a text names on boards with other
pieces, which must be those of the meaning, and two texts that are alike must be of one piece.
"""

from __future__ import annotations

import csv
import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Literal

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

import alfil
from boards import cases
from english_reader import Board, Move, Unread, moves_told
from gathering import every_row
from pools import TEXTS, pool
from strategies import NIGHTLY, betza, examples, hasinu, texts

CASES = Path(__file__).parent / "cases"
BACK = ", never ending on the square it started from"
POOL_BOARDS = 4
FROM = re.compile(r"from ((?:a|an|any) .*?square.*?)(?:, (?:slide|step|turning)|\))")
# What the reader of these tests has no rule for, so that reading was all they got: timing, a
# declaration, words of the author, what a piece does to others, a large piece.
READ_BY_PEOPLE_ONLY = {
    "function(inchworm,range,[auto],[vuln])",
    "atmove(2, 1×4dO)",
    "ataction(2, n4dO) & 1×8d",
    "1×4dO & //odd on Tuesdays",
    "burn(1×8d) & n8d",
    "sz(2, 3) & 1×4dO",
}


def rows(name: str) -> list[dict[str, str]]:
    with (CASES / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


GOLDEN = [(row["notation"], row["text"], row["description"]) for row in rows("descriptions.tsv")]


@cache
def described(text: str, notation: str) -> tuple[alfil.Piece, str] | None:
    try:
        piece = alfil.read(text, notation=notation)
    except alfil.NotationError:
        return None
    return piece, alfil.describe(piece)


def every_text() -> Iterator[tuple[str, str]]:
    """The texts of all case files, each with its notation."""
    for notation in ("betza", "hasinu"):
        yield from ((case.text, notation) for case in cases(f"{notation}.tsv"))
    yield from ((row["notation"], "betza") for row in rows("betza_corpus.tsv"))
    yield from ((row["betza"], "betza") for row in rows("betza_directions.tsv"))
    yield from ((row["notation"], "betza") for row in rows("taikyoku_independent.tsv"))


@cache
def every_piece() -> Mapping[tuple[str, str], tuple[alfil.Piece, str]]:
    """The pieces of those texts that have a description, with it, by text and notation."""
    found = {text: described(*text) for text in every_text()}
    return {text: known for text, known in found.items() if known}


@every_row("notation, text, description", GOLDEN)
def test_golden(notation: str, text: str, description: str) -> None:
    assert alfil.describe(alfil.read(text, notation=notation)) == description


def test_every_case_has_its_golden_text() -> None:
    read = {(n, t) for n in ("betza", "hasinu") for t in {case.text for case in cases(f"{n}.tsv")}}
    assert {(n, t) for n, t in read if described(t, n)} == {(n, t) for n, t, _ in GOLDEN}


def test_a_large_piece_counts_squares_of_its_way_not_pieces() -> None:
    one, two = (f"sz({size}) & j(n4dO, 1)" for size in (1, 2))
    small = "over at most one piece of either side in its way"
    assert small in alfil.describe(alfil.read(one, "hasinu"))
    large = "over pieces of either side on at most one square in its way"
    assert large in alfil.describe(alfil.read(two, "hasinu"))
    # One piece two squares away is in the way on two squares.
    for number, ends in ((1, False), (2, True)):
        piece = alfil.read(f"sz(2) & j(n4dO, {number})", "hasinu")
        assert ((3, 0) in {move.to for move in alfil.moves(piece, friends=[(2, 0)])}) == ends


def random_board(random: Random) -> Board:
    """A board with a piece of some kind on up to every second square."""
    files, ranks = random.randint(5, 9), random.randint(5, 9)
    at = random.randrange(files), random.randrange(ranks)
    density = random.choice((0.1, 0.25, 0.5))
    kinds = ("enemies", "friends", "royals", "unmoved_friends")
    standing: dict[str, set[tuple[int, int]]] = {kind: set() for kind in kinds}
    empty: set[tuple[int, int]] = set()
    for square in product(range(files), range(ranks)):
        kind = random.choices(kinds, (8, 7, 2, 1))[0]
        offset = square[0] - at[0], square[1] - at[1]
        taken = square != at and random.random() < density
        (standing[kind] if taken else empty).add(offset)
    stepped = {(x, y + 1): (x, y) for x, y in sorted(standing["enemies"])}
    trail = {k: v for k, v in stepped.items() if k in empty - {(0, 0)} and random.random() < 0.4}
    sets = {kind: frozenset(squares) for kind, squares in standing.items()}
    unmoved, third_rank = random.random() < 0.5, random.random() < 0.5
    return Board(files, ranks, at, unmoved=unmoved, trail=trail, third_rank=third_rank, **sets)


def random_boards(seed: object, count: int) -> list[Board]:
    random = Random(str(seed))
    return [random_board(random) for _ in range(count)]


EMPTY_BOARD = Board()
BOARDS = (EMPTY_BOARD, *random_boards("descriptions", 40 if NIGHTLY else 8))


def first_false_board(piece: alfil.Piece, boards: Iterable[Board] = BOARDS) -> Board | None:
    """A board on which the words name other moves than the piece has, if there is one.

    Raises Unread where the reader has no rule, and AlfilError where the piece has no such moves.
    """
    description = alfil.describe(piece)
    return next(
        (each for each in boards if moves_told(description, each) != moves(piece, each)), None
    )


def moves(piece: alfil.Piece, board: Board) -> set[Move]:
    found = alfil.moves(
        piece,
        files=board.files,
        ranks=board.ranks,
        at=board.at,
        enemies=board.enemies,
        friends=board.friends,
        enemy_royals=board.royals,
        unmoved_friends=board.unmoved_friends,
        en_passant=board.trail,
        unmoved=board.unmoved,
        third_rank=board.third_rank,
    )
    return {Move(move.to, frozenset(move.captures)) for move in found}


def reading(
    piece: alfil.Piece, boards: Iterable[Board] = BOARDS
) -> Literal["true", "false", "unread"]:
    """What becomes of a description that is read back."""
    try:
        return "true" if first_false_board(piece, boards) is None else "false"
    except (Unread, alfil.AlfilError):
        return "unread"


def test_the_words_name_the_moves_of_the_meaning() -> None:
    told = {text: reading(piece) for text, (piece, _) in every_piece().items()}
    assert [text for text, result in told.items() if result == "false"] == []
    unread = {text for text, result in told.items() if result == "unread"}
    compiled = {text for text, notation in unread if has_moves(text, notation)}
    assert {text for _, text, _ in GOLDEN} & compiled == READ_BY_PEOPLE_ONLY
    assert len(compiled) < len(told) / 80


@pytest.mark.parametrize("notation", TEXTS)
def test_the_words_of_small_expressions_name_their_moves(notation: str) -> None:
    told = {piece.text: reading(piece, BOARDS[:POOL_BOARDS]) for piece in pool(notation)}
    assert [text for text, result in told.items() if result == "false"] == []
    assert [*told.values()].count("unread") <= len(told) / 200


# Texts of which words were false before they were read back on boards with other pieces.
ONCE_FALSE = (
    ("rpg(2×4dO)", "Goes exactly two squares orthogonally, capturing every enemy it runs over."),
    ("c(rpg(2×1dN,FE))", "straight forward, capturing every piece of either side"),
    ("j(2×4dD,F)", "Goes exactly two squares diagonally, able to jump over any friends"),
    ("(1×4dO &t n4dD) &t90° 1×4dD", "and may then, having gone all of that way, from an empty"),
    ("2(c({1,3}×2dN-S) & n4dD &t0°)", "(slide any distance diagonally, any next round going"),
    ("2(1×4dO & (1,2) &t90°)", "any next round turning about 90° or about 112.5° to the same side"),
    ("{1,2}×(1,3) &t45° m(n(1,2)) &t180° n8d", "about 157.5° to either side, never ending on"),
    ("1×4dO &t45° c(rpg(3×2dNE-NW))", "go as follows: (go exactly three squares diagonally"),
    ("c(rpg(2×1dN)) &t n4dO", "runs over, stopping there only if it captures something that way)"),
    ("rpg(j(3×4dO))", "Goes exactly three squares orthogonally, able to jump over any pieces in"),
    ("j(rpg(n4dO),1)", "capturing every enemy it runs over, unless it jumps over it."),
    ("2(1×4dO &t45° 1×8d &t45°)", "in any direction, turning 45° to the same side each time)."),
    ("j(n(2×(1,2) &t-135°))", "each time going on from any square, empty or occupied"),
    (
        "n((3×4dD &t90° 3×4dO & m(n4dO)) &t45°)",
        "diagonally without jumping, ending the move there)",
    ),
    ("{1,2}((1×4dD &t90° 1×4dO & 1×4dO) &t45°)", "(step one square diagonally, ending the move"),
    (
        "({1,3}×4dD &t45° 1×8d &t45° 3×1dN) &t90° n4dO",
        "step one square orthogonally, turning 45° to either side.",
    ),
    (
        "n4dO &t180° 4×4dO",
        "straight back without jumping, never ending on the square it started from.",
    ),
)
ONCE_FALSE_IN_BETZA = (
    ("p(af)R", "and may otherwise, instead of jumping, passing over a piece there, repeat"),
    ("pm(af)R", "and may otherwise, instead of jumping, from any square, empty or occupied"),
    ("(afp)R", "landing anywhere beyond it; to go on, instead of jumping, passing over a piece"),
    ("o(alm)2Q", "once or twice, never over the square it started from:"),
)


@every_row(
    "notation, text, phrase",
    [("hasinu", *row) for row in ONCE_FALSE] + [("betza", *row) for row in ONCE_FALSE_IN_BETZA],
)
def test_what_was_told_falsely_is_told_truly(notation: str, text: str, phrase: str) -> None:
    piece = alfil.read(text, notation)
    assert phrase in alfil.describe(piece)
    assert reading(piece) == "true"


@pytest.mark.parametrize("text", ["p(af)R", "mp(af)R", "pfs(av)R", "fmp(afsp)B", "d(afrmp)2R"])
def test_a_way_that_goes_on_instead_of_jumping_says_so(text: str) -> None:
    piece = alfil.read(text)
    assert "instead of jumping, " in alfil.describe(piece)
    assert reading(piece, random_boards(text, 8)) == "true"


@pytest.mark.parametrize("text", ["ekF", "[cF-edW]", "mdeF"])
def test_en_passant_takes_others_than_those_that_other_captures_take(text: str) -> None:
    piece = alfil.read(text)
    assert "any enemy en passant" in alfil.describe(piece)
    assert reading(piece) == "true"


def has_moves(text: str, notation: str) -> bool:
    try:
        alfil.destinations(alfil.read(text, notation=notation))
    except alfil.AlfilError:
        return False
    return True


def one_piece(left: alfil.Piece, right: alfil.Piece) -> bool:
    """Whether two pieces are the same, those without a meaning when their trees are."""
    try:
        return alfil.same(left, right)
    except alfil.AlfilError:
        return unfolded(left) == unfolded(right)


def unfolded(piece: alfil.Piece) -> str:
    """The three ways to write functions inside functions as one."""
    text = str(piece).replace("group(", "[").replace("[", "").replace("(", ",")
    return text.replace(")", "").replace("]", "")


def test_different_pieces_have_different_descriptions() -> None:
    first: dict[str, alfil.Piece] = {}
    shared: list[tuple[str, str]] = []
    for piece, description in every_piece().values():
        other = first.setdefault(description, piece)
        if not one_piece(other, piece):
            shared.append((other.text, piece.text))
    assert shared == []


GENERATED = st.one_of(
    texts(betza).map(lambda text: (text, "betza")), texts(hasinu).map(lambda text: (text, "hasinu"))
)


@examples(60)
@given(GENERATED, st.integers(0, 200))
@example(("rpg(1×8d,G) & rpg(1×6dW-SW,,G)", "hasinu"), 14)
@example(("n(1,2) &t+45° (3×4dW-S-NE-NW)", "hasinu"), 0)
@example(("n(1×2dNE-NW &t45°)", "hasinu"), 0)
@example(("2((3,3) & (1,2)dfb &t0°)", "hasinu"), 0)
@example(("fqF", "betza"), 0)
@example(("v[r(2,1)-jWX]", "betza"), 0)
@example(("m(af)cF", "betza"), 6)
def test_generated_texts(written: tuple[str, str], place: int) -> None:
    """Every text that is read is described, truly, and otherwise than its neighbour."""
    text, notation = written
    found = described(text, notation)
    if found is None:
        return
    result = reading(found[0], (EMPTY_BOARD, *random_boards(text, 4)))
    event(f"{notation}: {result}")
    assert result != "false", found[1]
    at = place % len(text) if text else 0
    neighbour = described(text[:at] + text[at + 1 :], notation)
    if neighbour is not None and neighbour[1] == found[1]:
        event("the same words without one character")
        assert one_piece(neighbour[0], found[0]), found[1]


@pytest.mark.parametrize(
    ("text", "squares"),
    [
        ("Steps one square straight forward or diagonally backward.", {(0, 1), (1, -1), (-1, -1)}),
        ("Leaps three squares forward and one to the left.", {(-1, 3)}),
        (
            "Steps one square to the right to an empty square, then steps one square diagonally,"
            " turning 45° to the left.",
            {(2, 1)},
        ),
        ("Captures by stepping one square orthogonally.", set()),
    ],
)
def test_the_reader_itself(text: str, squares: set[tuple[int, int]]) -> None:
    assert {move.to for move in moves_told(text, EMPTY_BOARD)} == squares


@pytest.mark.parametrize("wrong", ["Steps one square diagonal.", "Moves about.", "Leaps as a cow."])
def test_the_reader_refuses_what_it_does_not_know(wrong: str) -> None:
    with pytest.raises((Unread, KeyError)):
        moves_told(wrong, EMPTY_BOARD)


def test_same_words_from_run_to_run() -> None:
    code = (
        "import csv, hashlib, alfil, sys\n"
        "rows = csv.DictReader(open(sys.argv[1], encoding='utf-8'), delimiter='\\t', quoting=3)\n"
        "told = [alfil.describe(alfil.read(r['text'], r['notation'])) for r in rows]\n"
        "print(hashlib.sha256('\\n'.join(told).encode()).hexdigest())\n"
    )
    path = str(CASES / "descriptions.tsv")
    runs = {
        subprocess.run(
            [sys.executable, "-c", code, path],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    told = "\n".join(description for _, _, description in GOLDEN)
    assert runs == {hashlib.sha256(told.encode()).hexdigest()}


def test_words_of_the_author_are_quoted() -> None:
    piece = alfil.read("1×4dO & //odd  on Tuesdays.", notation="hasinu")
    assert alfil.describe(piece) == (
        "Steps one square orthogonally; moves as these words say: “odd on Tuesdays”."
    )


def test_a_text_that_cannot_be_read_says_so() -> None:
    with pytest.raises(alfil.NotationError):
        alfil.describe("P")


@pytest.mark.parametrize(
    ("text", "dialect", "description"),
    [
        (
            "tN",
            "xboard",
            "Leaps as a knight (two squares one way and one the other), able to capture only an"
            " enemy that is not royal.",
        ),
        (
            "ctW",
            "xboard",
            "Captures an enemy that is not royal by stepping one square orthogonally.",
        ),
        (
            "tpafR",
            "xboard",
            "Slides any distance orthogonally, passing over a friend there, then slides any"
            " distance straight on.",
        ),
    ],
)
def test_letters_of_one_dialect(text: str, dialect: str, description: str) -> None:
    assert alfil.describe(alfil.read(text, dialect)) == description


@pytest.mark.parametrize(
    ("text", "description"),
    [
        (
            "m(1×4dO & burn(1×4dD))",
            "Steps one square orthogonally without capturing. When it ends a move, all enemies on a"
            " square it could reach or capture on by stepping one square diagonally are removed"
            " (said of a move that never captures).",
        ),
        (
            "royal() & 1×8d & royal()",
            "Steps one square in any direction. It is royal, and all royal pieces of its side must"
            " survive.",
        ),
        (
            "i(atmove(1, 1×4dD) & 1×4dO)",
            "Captures without moving an enemy that it could capture by stepping one square"
            " orthogonally. On its first move it may capture without moving an enemy that it could"
            " capture by stepping one square diagonally.",
        ),
        (
            "i(rpg(n4dO))",  # two in a row are captured at once
            "Captures without moving all enemies that it could capture in one move by sliding any"
            " distance orthogonally, capturing every enemy it runs over.",
        ),
        (
            "i(m(n4dO) & (1,2))",
            "Captures without moving an enemy that it could capture by leaping as a knight (two"
            " squares one way and one the other).",
        ),
    ],
)
def test_facts_and_conditions_inside_functions(text: str, description: str) -> None:
    assert alfil.describe(alfil.read(text, notation="hasinu")) == description


# What rules around several legs let a move pass on the squares between these, and where one ends.
WHOLE_WAYS = (
    ("j(1×4dD &t n4dO)", "any square, empty or occupied"),
    ("j(1×4dD &t n4dO, F)", "a square that is empty or holds a friend"),
    ("j(1×4dD &t n4dO, 2)", "any square, empty or occupied"),
    ("j(3×4dD &t n4dO, 1)", "any square, empty or occupied"),
    ("j(2(1×8d))", "any square, empty or occupied"),
    ("j((1×4dO &t 1×4dD) &t n4dO)", "any square, empty or occupied"),
    ("rpg(1×4dD &t n4dO)", "an empty square or having captured an enemy there"),
    ("rpg(3×4dD &t n4dO, FE)", "an empty square or having captured a friend or an enemy there"),
    ("j(1×4dD) &t n4dO", "an empty square"),
)


@every_row("text, place", WHOLE_WAYS)
def test_rules_around_a_whole_way_hold_between_its_legs(text: str, place: str) -> None:
    told = alfil.describe(alfil.read(text, notation="hasinu")).replace(BACK, "")
    assert {each.group(1) for each in FROM.finditer(told)} == {place}
    assert "able to jump" not in told or "without jumping" not in told


# Functions inside functions of the same name: what each allows adds up, and is told so.
NESTED = (
    ("j(j(n1dN,1),2)", "able to jump over at most three pieces of either side in its way."),
    ("j(j(n4dO,2) &t n4dD,1)", "at most one piece of either side", "at most two more pieces"),
    ("j(j(n1dN,1),F)", "able to jump over any friends and at most one enemy in its way."),
    ("j(j(n1dN,F),1)", "able to jump over any friends and at most one enemy in its way."),
    ("j(j(n1dN,F),E)", "able to jump over any pieces in its way."),
    ("j(j(n1dN,1,F),2,E)", "over at most two enemies and at most one friend in its way."),
    ("j(j(n1dN,1,F),1)", "at most one friend and at most one more piece of either side in its"),
    ("j(j(n4dO,E) &t n4dD,2)", "able to jump over any enemies in its way besides"),
    ("rpg(j(n1dN))", "capturing every enemy it runs over, unless it jumps over it."),
    ("j(rpg(n1dN),2)", "capturing every enemy it runs over, unless it jumps over it."),
    ("j(rpg(n1dN),F)", "in its way, capturing every enemy it runs over."),
    ("rpg(n4dO &t j(n4dD,1))", "capturing every enemy it runs over, unless it jumps over it: ("),
    ("rpg(j(3×4dO))", "Goes exactly three squares orthogonally, able to jump", "unless it jumps"),
    ("j(j(n1dN),2)", "forward, able to jump over any pieces in its way."),
    ("rpg(rpg(n1dN),FE)", "forward, capturing every piece of either side it runs over or ends on."),
    ("rpg(rpg(n1dN,G),F)", "every piece of either side it runs over or ends on, and stopping only"),
    (
        "i(rpg(n1dN,G))",
        "by sliding any distance straight forward, capturing every enemy it runs over.",
    ),
    (
        "rpg(i(n1dN),G)",
        "by sliding any distance straight forward, capturing every enemy it runs over.",
    ),
    ("i(i(n1dN,F),E)", "an enemy that it could capture by sliding any distance"),
)


def test_functions_inside_functions_are_told_as_what_they_are_together() -> None:
    for text, *phrases in NESTED:
        told = alfil.describe(alfil.read(text, notation="hasinu"))
        assert [phrase for phrase in phrases if phrase not in told] == [], (text, told)


# Only turns that lead from a step before to one after are told, in loops and groups too.
TURNS = (
    ("n(n4dO &t)", "turning 90° to either side each time"),
    ("n(1×8d &t)", "turning 45° or 90° to either side each time"),
    ("1×3dN-E-W &t135° 2(n5dO-NE)", "turning 135° to either side, repeat"),
    ("1×4dO &t 2(1×4dO)", "turning 90° to either side, step"),
    ("2(n4dD) &t67.5° 1×7dS", "turning 90° to either side."),
    ("(1,2) &t67.5° (1,3)", "turning about 90° to either side."),
    ("(1,2) &t (1,2)", "turning about 45° or 90° to either side."),
    ("1×4dO &t+180° (1,2)", "turning about 157.5° to the left."),
    ("1×4dO &t180° 2(n4dO)", "from an empty square, straight back, repeat"),
    ("1×4dO &t180° ((1,2) & 1×4dO)", "in about the opposite direction, go"),
    ("(1×4dO & (1,2)) &t n4dO", "turning by at most about 90°."),
)


@every_row("text, turn", TURNS)
def test_turns_are_those_that_the_steps_make(text: str, turn: str) -> None:
    assert turn in alfil.describe(alfil.read(text, notation="hasinu"))


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("n2dN-S &t180° 1×4dD", "n2dN-S"),
        ("1×2dN-S &t135° 2(n1dN) &t n4dO", "1×2dN-S"),
        ("n(2×2dN-S &t90°)", "2×2dN-S"),
        ("n4dO & 3(1×1dN &t90°)", "n4dO"),
        ("n4dO & 3(3×4dD &t+45°) &t180° n4dO", "n4dO"),
        ("c(n4dO &t180° 2×2dNE-NW) &t180° (1,2)", "c(n4dO)"),
        ("(n4dO &t180° 2×2dNE-NW) &t180° (1,2) &t n8d", "n4dO"),
        ("n(n8d &t 2×2dNE-NW &t0° n1dN &t45°)", "n8d &t 2×2dNE-NW"),
        ("n4dO & 2(1×8d &t90° n1dN &t0° n4dD &t45°)", "n4dO"),
        ("j(1×1dN &t90° 2×3dS-E-W &t180° 1×4dD,2,E)", "j(1×1dN &t90° 2×3dS-E-W,2,E)"),
        ("1×8d &t+45° 2(n4dO &t45°) &t45° n8d", "1×8d"),
        ("c(1×1dS & 1×1dN &t180° 2×1dN) &t90° n4dO", "c(1×1dN) & c(1×1dS) &t90° n4dO"),
    ],
)
def test_legs_to_which_no_turn_leads_are_not_told(text: str, rest: str) -> None:
    pieces = [alfil.read(each, notation="hasinu") for each in (text, rest)]
    assert alfil.same(*pieces)
    assert alfil.describe(pieces[0]) == alfil.describe(pieces[1])


@every_row(
    "text, phrase",
    (
        ("2(c(1×8d)) &t n4dO", "anew each time, stopping there only to capture, and may otherwise"),
        ("n(c(1×8d)) &t n4dO", "anew each time, stopping there only to capture, and may otherwise"),
        (
            "(c(1×4dO) & m(1×4dD)) &t n4dO",
            "(step one square orthogonally, stopping there only to capture) or",
        ),
        (
            "2(c(1×8d) & m(1×4dO))",
            "(step one square in any direction, stopping there only to capture) or",
        ),
        ("1×4dO &t (c(1×4dO) & m(1×4dD))", "(capture by stepping one square orthogonally) or"),
        ("j(n4dO &t j(n4dD,2))", "slide any distance diagonally, turning 45° to either side)."),
    ),
)
def test_what_only_captures_where_it_ends_is_passed_without_a_capture(
    text: str, phrase: str
) -> None:
    assert phrase in alfil.describe(alfil.read(text, notation="hasinu"))


def test_half_the_way_is_counted_otherwise_after_another_leg() -> None:
    first, later = (
        alfil.describe(alfil.read(text, notation="chessvar")) for text in ("hhR", "hh[F-R]")
    )
    assert "half the way to the edge of the board, rounded up." in first
    assert "half the way to the edge of the board, the last square not counted, rounded up" in later


def test_as_far_as_it_can_is_told_of_all_squares_on_a_line() -> None:
    piece, runs = (
        alfil.read(each, "hasinu") for each in ("rpg((3×4dD & 2×4dD),FE,G)", "rpg({2,3}×4dD,FE,G)")
    )
    assert alfil.same(piece, runs)
    assert alfil.describe(piece) == alfil.describe(runs)


@pytest.mark.parametrize(
    ("text", "same"),
    [("rpg(rpg(n4dO),FE)", "rpg(n4dO,FE)"), ("rpg(rpg(n4dO,F))", "rpg(n4dO,FE)")],
)
def test_a_rampage_inside_a_rampage_captures_what_either_does(text: str, same: str) -> None:
    assert alfil.same(*(alfil.read(each, notation="hasinu") for each in (text, same)))


@pytest.mark.parametrize(
    ("text", "back"),
    [
        ("1×4dO &t180° 1×4dO", True),
        ("m(n4dO) &t180° m(n4dO)", True),
        ("1×4dO &t90° 1×4dO &t90° 1×4dO &t90° 1×4dO", True),
        ("n(n4dO &t90°)", True),
        ("{1,2}(1×8d)", True),
        ("1×4dO &t90° 1×4dO &t90° 1×4dO", False),
        ("1×4dD &t n4dO", False),
        ("n4dO &t180° c(n4dO)", False),
        ("3(1×1dN)", False),
        ("3(1×4dO)", False),
        ("4(1×4dO)", True),
        ("2(1×4dO & m(1×4dD))", True),
        ("2(c(1×4dO & 1×4dD))", False),
        ("n(1×4dO &t180° 1×4dO)", True),
        ("1×1dN &t 2(1×4dO)", False),
        ("1×1dN &t 3(1×4dO)", True),
        ("1×4dO &t180° (1×4dO & (1,2))", True),
        ("n4dO &t180° 4×4dO", True),
        ("(n4dO &t135° (2,3)dh) &t67.5° (2,1)abcd", True),
        ("2(INF(1,1))", True),
        ("INF(2,1) &t180° 1×4dO", True),
        ("INF(1,1) &t INF(1,1)", False),
    ],
)
def test_what_may_not_end_where_it_began_is_told_where_it_could(text: str, *, back: bool) -> None:
    piece = alfil.read(text, notation="hasinu")
    assert (BACK in alfil.describe(piece)) == back
    assert (0, 0) not in {move.to for move in alfil.moves(piece)}


def test_a_pass_is_told_apart_from_none() -> None:
    for passing, staying in (
        ("[mR?bmR]", "m(n4dO) &t180° m(n4dO)"),
        ("[W?bW]", "1×4dO &t180° 1×4dO"),
    ):
        other = alfil.read(staying, notation="hasinu")
        assert alfil.describe(other).replace(BACK, "") == alfil.describe(passing)
        assert not alfil.same(passing, other)


@pytest.mark.parametrize(
    ("text", "over"),
    [("(af)F", False), ("cppR", False), ("(afs)F", True), ("(ab)W", True), ("W3(ab)W", True)],
)
def test_rounds_keep_off_the_start_where_they_could_come_there(text: str, *, over: bool) -> None:
    assert (", never over the square it started from" in alfil.describe(text)) == over


def test_letters_after_a_repeat() -> None:
    assert alfil.describe("K(af)fcK") == (
        "Steps one square in any direction; captures by stepping one square straight forward."
        " Steps one square in any direction to an empty square, then repeats any number of times or"
        " not at all: (step one square straight on to an empty square), then steps one square"
        " straight on, only to capture."
    )


EARLY = ", stopping early in the last round only"


@pytest.mark.parametrize(
    ("text", "early"),
    [
        ("2(1×1dN &t 1×1dE)", 1),
        ("n(1×4dD &t+90° 1×4dD &t-90°)", 1),
        ("{1,2}(m(1×1dN &t 1×1dE))", 1),
        ("1×1dN &t+45° 2(1×4dD &t+45° 1×4dO &t+45°)", 1),
        ("2(2(1×1dN &t 1×1dE) &t 1×1dN)", 2),
        ("1(1×1dN &t 1×1dE)", 0),
        ("2(1×1dN & 1×1dE)", 0),
    ],
)
def test_only_the_last_round_of_several_may_stop_early(text: str, early: int) -> None:
    assert alfil.describe(alfil.read(text, notation="hasinu")).count(EARLY) == early


def test_rounds_before_the_last_are_gone_through_to_their_end() -> None:
    piece = alfil.read("2(1×1dN &t 1×1dE)", notation="hasinu")
    assert alfil.destinations(piece) == {(1, 2), (2, 2)}


def test_a_first_bend_that_its_leg_cannot_make_is_not_told() -> None:
    assert alfil.describe("[F-fhzF]") == alfil.describe("[F-fhF]")
    assert alfil.same("[F-fhzF]", "[F-fhF]")
    # A turn to the other side than before is none straight on.
    assert "but once it has bent only bending" in alfil.describe("[Q?bhG3?ffzK]")


# What a piece removes, and where.
REMOVED = {
    "burn(atmove(2, n4dO))": "by sliding any distance orthogonally on its second move are removed",
    "burn(1×8d &t n4dO)": "by a move of this kind: (step one square in any direction, and may then",
}


@every_row("text, words", REMOVED.items())
def test_what_a_piece_removes_is_where_it_could_go_by_some_move(text: str, words: str) -> None:
    said = alfil.describe(alfil.read(f"{text} & n8d", notation="hasinu"))
    assert f"on a square it could reach or capture on {words}" in said
