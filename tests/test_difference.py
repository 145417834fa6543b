"""The smallest position that tells two pieces apart, and whether one has all moves of another.

Positions are checked with the oracles, which read and walk the notations on their own, and by going
through all smaller positions one by one.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from functools import lru_cache

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

import alfil
from alfil.meaning.piece import Fact
from alfil.tables.reach import moves_in
from alfil.tables.scene import Scene
from boards import cases
from oracle import betza_walker, hasinu_walker
from strategies import betza, hasinu, texts, unwrapped
from test_oracle_agreement import Case, Position, betza_oracle, examples, hasinu_oracle
from test_oracle_agreement import cases as tried

Square = tuple[int, int]
KINDS = ("enemies", "friends", "enemy_royals", "unmoved_friends", "en_passant")


@lru_cache(maxsize=4096)
def piece(text: str) -> alfil.Piece:
    """A Betza text, or Ħasínū after "H:"."""
    if text.startswith("H:"):
        return alfil.read(text[2:], notation="hasinu")
    return alfil.read(text)


def effects(moves: frozenset[alfil.Move]) -> frozenset[object]:
    """Moves by all that makes them different moves."""
    return frozenset(
        (m.to, frozenset(m.captures), frozenset(m.hurdles), frozenset(m.trail), m.partner)
        for m in moves
    )


# Both pieces; which has the move; files and ranks; the other pieces; where the move ends.
SMALLEST = [
    ("W", "F", "first", (1, 2), {}, (0, 1)),
    ("N", "Z", "first", (2, 3), {}, (1, 2)),
    ("R", "R20", "first", (1, 22), {}, (0, 21)),
    ("afsK", "N", "second", (2, 3), {"enemies": ((0, 1), (1, 1))}, (1, 2)),
    ("nN", "N", "second", (2, 3), {"enemies": ((0, 1),)}, (1, 2)),
    ("mW", "W", "second", (1, 2), {"enemies": ((0, 1),)}, (0, 1)),
    ("cabW", "", "first", (1, 2), {"enemies": ((0, 1),)}, (0, 0)),
    ("cabW", "caW", "first", (1, 2), {"enemies": ((0, 1),)}, (0, 0)),
    ("kQ", "cQ", "second", (1, 2), {"enemies": ((0, 1),)}, (0, 1)),
    ("kW", "mkW", "second", (1, 2), {}, (0, 1)),
    ("dW", "mdW", "second", (1, 2), {}, (0, 1)),
    ("gQ", "pQ", "second", (1, 4), {"enemies": ((0, 1),)}, (0, 3)),
    ("ceF", "cF", "first", (2, 2), {"en_passant": ((1, 1),)}, (1, 1)),
    ("O2", "", "first", (4, 1), {"unmoved_friends": ((3, 0),)}, (2, 0)),
    ("O2", "O3", "first", (4, 1), {"unmoved_friends": ((3, 0),)}, (2, 0)),
    ("oR", "R", "first", (3, 1), {"enemies": ((1, 0),)}, (2, 0)),
    ("ooR", "oR", "first", (1, 3), {"enemies": ((0, 1),)}, (0, 2)),
    ("fmR*", "fmR", "second", (1, 3), {}, (0, 2)),
    ("H:rpg(n4dO)", "R", "first", (1, 3), {"enemies": ((0, 1),)}, (0, 2)),
    ("H:n(1×8d)", "Q", "first", (2, 3), {}, (1, 2)),
    ("H:n(1×4dO)", "RasR", "first", (2, 3), {"enemies": ((0, 1),)}, (0, 2)),
]


@pytest.mark.parametrize(("left", "right", "only", "size", "others", "to"), SMALLEST)
def test_smallest(
    left: str,
    right: str,
    only: str,
    size: Square,
    others: dict[str, tuple[Square, ...]],
    to: Square,
) -> None:
    found = alfil.difference(piece(left), piece(right))
    assert found
    assert found.position
    assert found.move
    shown = {kind: getattr(found.position, kind) for kind in KINDS if getattr(found.position, kind)}
    assert (found.only, (found.position.files, found.position.ranks)) == (only, size)
    assert (shown, found.move.to) == (others, to)


TIMED = [
    ("iW", "W", None),
    ("KiD", "K", 0),
    ("H:atmove(2,n4dO)", "H:atmove(1,n4dO)", 0),
    ("H:1×8d & ataction(2,n4dO)", "K", 1),
    ("H:ataction(2,n4dO)", "H:ataction(3,n4dO)", 1),
    ("H:ataction(2,n4dO)", "H:ataction(2,n4dO) & atmove(2,n8d)", 1),
    ("H:ataction(2,n4dO)", "H:ataction(2,n4dO) & ataction(6,n8d)", 5),
]


@pytest.mark.parametrize(("left", "right", "moves_made"), TIMED)
def test_what_the_piece_has_done_before_is_part_of_the_position(
    left: str, right: str, moves_made: int | None
) -> None:
    found = alfil.difference(piece(left), piece(right))
    assert found
    assert found.position
    assert found.position.moves_made == moves_made
    check(found, piece(left), piece(right))


def check(found: alfil.Difference, left: alfil.Piece, right: alfil.Piece) -> None:
    """One has the move, the other has not, asked by way of `alfil.moves`."""
    assert found.position
    assert found.move
    asked: dict[str, object] = found.position.arguments()
    having, lacking = (left, right) if found.only == "first" else (right, left)
    move = effects(frozenset([found.move]))
    assert move <= effects(alfil.moves(having, **asked))  # type: ignore[arg-type]
    assert not move & effects(alfil.moves(lacking, **asked))  # type: ignore[arg-type]


def test_facts_differ_where_the_moves_do_not() -> None:
    king = piece("H:royal() & 1×8d")
    expected = alfil.Difference("first", fact=Fact("royal", ("A",)))
    assert alfil.difference(king, "K") == expected
    assert alfil.difference("K", king) == alfil.Difference("second", fact=Fact("royal", ("A",)))
    assert alfil.difference(king, "K", facts=False) is None
    found = alfil.difference(king, "W")
    assert found
    assert found.move


def oracle_position(found: alfil.Difference) -> Position:
    """The position as the oracles see it."""
    at = found.position
    assert at
    return Position(
        at.files,
        at.ranks,
        at.at,
        frozenset(at.enemies),
        frozenset(at.friends),
        frozenset(at.enemy_royals),
        frozenset(at.unmoved_friends),
        {square: square for square in at.en_passant},
        at.moves_made,
    )


def confirmed(found: alfil.Difference, left: str, right: str) -> bool:
    """Whether the oracles can judge the position; fails where they judge otherwise.

    They know no trails, and the one for Ħasínū no hurdles, no royals and nothing that wraps.
    """
    assert found.move
    assert found.position
    move, position = found.move, oracle_position(found)
    having, lacking = (left, right) if found.only == "first" else (right, left)
    kinds = {"move", "third-rank"} if "H:" not in left + right else {"move", "every"}
    if move.trail or found.position.third_rank or not guards_within(left, right, kinds):
        return False
    if "H:" in left + right and (position.royals or position.unmoved_friends or position.trail):
        return False
    bare = "H:" in left + right
    wanted = seen(move, bare=bare)
    if wanted in {seen(m, bare=bare) for m in moves_in(piece(lacking).meaning, scene_of(found))}:
        return False
    assert wanted in {reach[: len(wanted)] for reach in ends(having, position)}, (
        left,
        right,
        found,
    )
    assert wanted not in {reach[: len(wanted)] for reach in ends(lacking, position)}, (left, right)
    return True


def scene_of(found: alfil.Difference) -> Scene:
    assert found.position
    return found.position.scene()


def seen(move: alfil.Move, *, bare: bool) -> tuple[object, ...]:
    """What an oracle sees of a move; a bare one no hurdles."""
    reach = (move.to, frozenset(move.captures), frozenset(move.hurdles))
    return reach[:2] if bare else reach


def guards_within(left: str, right: str, kinds: set[str]) -> bool:
    known = kinds | {"trail", "greedy", "middle", "castle"}
    parts = piece(left).meaning.parts + piece(right).meaning.parts
    return all(condition.kind in known for guard, _ in parts for condition in guard)


def ends(text: str, position: Position) -> set[tuple[Square, frozenset[Square], frozenset[Square]]]:
    found = (
        hasinu_oracle(text[2:], position) if text.startswith("H:") else betza_oracle(text, position)
    )
    return {(reach.to, reach.captures, reach.hurdles) for reach in found}


def readable(text: str) -> bool:
    """Whether alfil and the oracle both take a text."""
    try:
        bool(piece(text).meaning)
        ends(text, Position(3, 3, (1, 1)))
    except (
        alfil.AlfilError,
        betza_walker.Unreadable,
        hasinu_walker.Unreadable,
        hasinu_walker.Refused,
    ):
        return False
    return True


CASE_TEXTS = [
    *dict.fromkeys(case.text for case in cases("betza.tsv")),
    *dict.fromkeys(f"H:{case.text}" for case in cases("hasinu.tsv")),
]


def test_pairs_of_cases_agree_with_the_oracles() -> None:
    """Both sides of 1,500 pairs, and the same position whichever comes first."""
    known = [text for text in CASE_TEXTS if readable(text)]
    pairs = random.Random(7).sample(list(itertools.combinations(known, 2)), 1500)
    judged = 0
    for left, right in pairs:
        found, back = (
            alfil.difference(piece(left), piece(right)),
            alfil.difference(piece(right), piece(left)),
        )
        if found is None or back is None:
            assert found is back
            assert alfil.same(piece(left), piece(right))
            continue
        assert (found.position, found.move, found.fact) == (back.position, back.move, back.fact)
        assert found.only != back.only
        if found.move:
            check(found, piece(left), piece(right))
            judged += confirmed(found, left, right)
    assert judged > 1300


def scenes(files: int, ranks: int, most: int, kinds: str) -> Iterator[Scene]:
    """All positions on boards of one size with at most so many other pieces of some kinds.

    The kinds are e, o, k, r as in the case files, and p for a square of en passant.
    """
    squares = [(x, y) for x in range(files) for y in range(ranks)]
    for at in squares:
        others = [square for square in squares if square != at]
        for number in range(min(most, len(others)) + 1):
            for places in itertools.combinations(others, number):
                for standing in itertools.product(kinds, repeat=number):
                    by = dict(zip(places, standing, strict=True))
                    for made, third in ((None, False), (0, False), (0, True), (1, False)):
                        yield scene(files, ranks, at, by, made, third=third)


CLASSES = {"e": 2, "k": 4, "o": 8, "r": 8}


def scene(
    files: int, ranks: int, at: Square, by: dict[Square, str], made: int | None, *, third: bool
) -> Scene:
    return Scene(
        files,
        ranks,
        at,
        {square: CLASSES[kind] for square, kind in by.items() if kind != "p"},
        [square for square, kind in by.items() if kind == "r"],
        {square: square for square, kind in by.items() if kind == "p"},
        made,
        third,
    )


def smaller_positions(found: alfil.Difference, kinds: str) -> Iterator[Scene]:
    """Every position with fewer squares, or as many squares and fewer pieces."""
    assert found.position
    area = found.position.files * found.position.ranks
    pieces = sum(len(getattr(found.position, kind)) for kind in KINDS)
    for size in range(1, area + 1):
        for files in range(1, size + 1):
            if size % files == 0:
                yield from scenes(files, size // files, pieces - 1 if size == area else size, kinds)


EXHAUSTIVE = [pair for pair in SMALLEST if pair[3][0] * pair[3][1] <= 6] + [
    ("fmWfcFifmnD", "fmWfcFifmR2", "", (1, 3), {}, (0, 2)),
    ("fmWfceF", "fmWfcF", "", (2, 2), {}, (0, 2)),
    ("isO2", "O2", "", (4, 1), {}, (0, 2)),
    ("iisW", "sW", "", (4, 1), {}, (0, 2)),
    ("mcabF", "mF", "", (4, 1), {}, (0, 2)),
    ("D", "nD", "", (1, 3), {}, (0, 2)),
    ("D", "pafW", "", (1, 3), {}, (0, 2)),
    ("gafW", "pafW", "", (1, 3), {}, (0, 2)),
    ("H:j(n4dO,1)", "H:j(n4dO,2)", "", (1, 4), {}, (0, 2)),
    ("H:rpg(n4dO,G)", "H:rpg(n4dO)", "", (1, 3), {}, (0, 2)),
    ("H:rpg(n4dO,G)", "R", "", (1, 3), {}, (0, 2)),
    ("fmR*", "fmW", "", (1, 3), {}, (0, 2)),
]


@pytest.mark.parametrize(("left", "right"), [pair[:2] for pair in EXHAUSTIVE])
def test_no_smaller_position_tells_them_apart(left: str, right: str) -> None:
    found = alfil.difference(piece(left), piece(right))
    assert found
    assert found.position
    area = found.position.files * found.position.ranks
    kinds = "eokrp" if area <= 4 else "eo"
    meanings = piece(left).meaning, piece(right).meaning
    for smaller in smaller_positions(found, kinds):
        one, other = (effects(moves_in(meaning, smaller)) for meaning in meanings)
        assert one == other, smaller


def test_no_smaller_position_tells_pairs_of_cases_apart() -> None:
    """Pairs of pieces that reach at most three squares, all smaller positions of some kinds."""
    small = [
        text
        for text in CASE_TEXTS
        if readable(text)
        and max((max(map(abs, to)) for to in alfil.destinations(piece(text), 5)), default=0) <= 3
    ]
    pairs = random.Random(5).sample(list(itertools.combinations(small, 2)), 600)
    tried = 0
    for left, right in pairs:
        found = alfil.difference(piece(left), piece(right))
        if found is None or found.position is None:
            continue
        if found.position.files * found.position.ranks <= 6:
            tried += 1
            meanings = piece(left).meaning, piece(right).meaning
            for smaller in smaller_positions(found, "eo"):
                one, other = (effects(moves_in(meaning, smaller)) for meaning in meanings)
                assert one == other, (left, right, smaller)
    assert tried > 500


LETTERS = "WFDANHCZGKQRBmcfbsrlvanptgjizqdkeu"


def mutants(text: str, chance: random.Random) -> Iterator[str]:
    """The text with one letter dropped, and with one changed or added at each place."""
    for index in range(len(text)):
        yield text[:index] + text[index + 1 :]
        yield text[:index] + chance.choice(LETTERS) + text[index + 1 :]
        yield text[:index] + chance.choice(LETTERS) + text[index:]


def test_mutants_are_told_apart_or_the_same() -> None:
    """Every mutant of a case: the oracles confirm the position, or tell no difference at all."""
    chance = random.Random(3)
    judged, equal = 0, 0
    for text in dict.fromkeys(case.text for case in cases("betza.tsv")):
        for mutant in dict.fromkeys(mutants(text, chance)):
            if not readable(text) or not readable(mutant):
                continue
            found = alfil.difference(piece(text), piece(mutant))
            assert (found is None) == alfil.same(piece(text), piece(mutant))
            if found is None:
                equal += 1
                alike(text, mutant)
            elif found.move:
                judged += confirmed(found, text, mutant)
    assert judged > 900
    assert equal > 50


def alike(left: str, right: str) -> None:
    """No board of a few that are drawn by lot tells the two apart, by the oracle."""
    chance = random.Random(left)
    for _ in range(6):
        files, ranks = chance.randint(3, 7), chance.randint(3, 7)
        at = (chance.randrange(files), chance.randrange(ranks))
        squares = [(x - at[0], y - at[1]) for x in range(files) for y in range(ranks)]
        taken = [square for square in squares if square != (0, 0) and chance.random() < 0.3]
        enemies = frozenset(square for square in taken if chance.random() < 0.5)
        position = Position(files, ranks, at, enemies, frozenset(taken) - enemies)
        assert ends(left, position) == ends(right, position), (left, right, position)


CONTAINED = [
    ("Q", "R"),
    ("Q", "K"),
    ("R", "nD"),
    ("R", "R5"),
    ("N", "nN"),
    ("N", "afsK"),
    ("afsK", "afsW"),
    ("K", "cK"),
    ("cK", "kK"),
    ("cK", "cF"),
    ("W", "iW"),
    ("H:rpg(n4dO)", "H:rpg({1,2,3}×4dO)"),
    ("W", ""),
    ("RB", "Q"),
    ("D", "mpafW"),
    ("oR", "R"),
    ("ooR", "R"),
    ("H:n(1×8d)", "Q"),
    ("H:n(1×8d)", "H:n(1×4dO)"),
    ("H:n8d & ataction(2,n(1,2))", "H:n8d & ataction(6,n(1,2))"),
    ("H:n8d & ataction(2,(1,2))", "H:n8d & atmove(4,(1,2))"),
    ("H:1×8d", "H:royal() & 1×4dO"),
    ("KNADcaKmcabK", "KNAD"),
]


@pytest.mark.parametrize(("larger", "smaller"), CONTAINED)
def test_contains(larger: str, smaller: str) -> None:
    assert alfil.contains(piece(larger), piece(smaller))
    equal = alfil.same(piece(larger), piece(smaller), facts=False)
    assert alfil.contains(piece(smaller), piece(larger)) == equal


NOT_CONTAINED = [
    ("afsW", "afsK"),
    ("nN", "N"),
    ("R", "oR"),
    ("R", "O2"),
    ("R", "Q"),
    ("W", "mpafW"),
    ("H:n8d & ataction(2,(1,2))", "H:n8d & atmove(3,(1,2))"),
    ("H:n8d & ataction(4,(1,2))", "H:n8d & ataction(2,(1,2))"),
    # The run that may go farther does not stop where the shorter one has to.
    ("H:rpg(n4dO,G)", "H:rpg({1,2,3}×4dO,G)"),
    ("fmW", "ifmnD"),
    # The pawn that leaves a trail makes another move than the one that does not.
    ("fmR2", "ifmnD"),
    ("ifmnD", "ifmR2"),
    ("fR", "fR*"),
    ("cK", "mkK"),
    ("K", "dK"),
    ("caF", "cabF"),
]


@pytest.mark.parametrize(("larger", "smaller"), NOT_CONTAINED)
def test_contains_not(larger: str, smaller: str) -> None:
    assert not alfil.contains(piece(larger), piece(smaller))


def test_a_planted_superset_is_found_out() -> None:
    """A piece that has gained a move is not contained in what it was."""
    for text in dict.fromkeys(case.text for case in cases("betza.tsv")):
        if readable(text) and piece(text).meaning.parts:
            more = piece(f"{text}(5,6)")
            assert alfil.contains(more, text), text
            assert not alfil.contains(text, more), text


@examples(60)
@given(texts(unwrapped) | texts(betza), tried(unwrapped, 4))
def test_a_proof_of_inclusion_holds_on_boards(larger: str, case: Case) -> None:
    smaller, positions = case.text, case.positions
    assume(readable(larger) and readable(smaller))
    union = f"{larger}{smaller}"
    for big, small in ((larger, smaller), (union, smaller), (smaller, union)):
        if not readable(big) or not readable(small):
            continue
        proved = alfil.contains(piece(big), piece(small))
        event("contained" if proved else "not contained")
        if proved:
            for position in positions:
                assert ends(small, position) <= ends(big, position), (big, small, position)


@examples(100)
@given(texts(unwrapped), texts(unwrapped))
def test_generated_pieces_are_told_apart(left: str, right: str) -> None:
    assume(readable(left) and readable(right))
    found = alfil.difference(piece(left), piece(right))
    assert (found is None) == alfil.same(piece(left), piece(right))
    event("same" if found is None else "different")
    if found and found.move:
        check(found, piece(left), piece(right))
        event("judged" if confirmed(found, left, right) else "not judged")


@examples(80)
@given(texts(hasinu), texts(hasinu))
def test_generated_hasinu_is_told_apart(left: str, right: str) -> None:
    one, other = f"H:{left}", f"H:{right}"
    assume(readable(one) and readable(other))
    found = alfil.difference(piece(one), piece(other))
    assert (found is None) == alfil.same(piece(one), piece(other))
    if found and found.move:
        check(found, piece(one), piece(other))
        event("judged" if confirmed(found, one, other) else "not judged")


@given(st.sampled_from(CASE_TEXTS))
def test_no_piece_differs_from_itself(text: str) -> None:
    assume(readable(text))
    again = alfil.read(piece(text).text, notation=piece(text).notation)
    assert alfil.difference(piece(text), again) is None


def test_what_cannot_be_decided_is_an_error() -> None:
    with pytest.raises(alfil.MeaningError) as caught:
        alfil.difference("cabW", "caobW")
    assert caught.value.kind == "undecided"
