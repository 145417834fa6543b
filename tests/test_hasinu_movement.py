"""From Ħasínū to the movement: options, rules, conditions and facts, and where they were read."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import alfil
from alfil import Span
from alfil.notation.hasinu.resolve import resolve_hasinu  # before the movement is folded
from gathering import every_row
from trees import node

CASES = Path(__file__).parent / "cases" / "hasinu.tsv"

# The nodes of docs/movement.md, as data; each has its first fields in this order.
Data = dict[str, object]
Leg, Anywhere = node("Leg", "steps", "lengths", "ends"), node("Anywhere", "files", "ranks")
Then, Join = node("Then", "ways", "joins", "onward"), node("Join", "turn")
Angle, Either = node("Angle", "sixteenths", "hand"), node("Either", "ways")
Repeat, Within = node("Repeat", "way", "times"), node("Within", "rule", "way")
Only, Jumping, NotJumping = (
    node("Only", "what"),
    node("Jumping", "side", "most"),
    node("NotJumping", "side"),
)
Rampage, Rifle, Words = node("Rampage", "side"), node("Rifle", "side"), node("Words", "text")
Foreign, Parameter = node("Foreign", "name", "arguments"), node("Parameter", "name")
OnMove, EveryMove, Option = (
    node("OnMove", "number"),
    node("EveryMove", "number"),
    node("Option", "way"),
)
Royal, Promotion = node("Royal", "survive"), node("Promotion", "condition", "into")
Iron, Size, Effect = (
    node("Iron", "by", "exceptions"),
    node("Size", "files", "ranks"),
    node("Effect", "what", "reach", "side", "when", "most"),
)
Declared, Fact = node("Declared", "name", "parameters"), node("Fact", "truth", "within")
Movement = node("Movement", "options", "facts")


def _read(options: object = (), facts: object = ()) -> alfil.Movement:
    """A movement from data."""
    head = {"format": "alfil-movement", "version": 1}
    return alfil.Movement.from_json(json.loads(json.dumps(head | Movement(options, facts))))


def _movement(text: str) -> alfil.Movement:
    return resolve_hasinu(alfil.read(text, notation="hasinu").tree)


def _texts() -> list[str]:
    with CASES.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return sorted({row["hasinu"] for row in rows})


@every_row("text", _texts())
def test_every_case_has_a_movement(text: str) -> None:
    found = _movement(text)
    assert found == _movement(f" {text} ")
    assert found.span == Span(0, len(text))
    # Only a text that is empty, or blank, says nothing.
    assert bool(found.options or found.facts) == bool(text.strip())


N, E, S, W = (0, 1), (1, 0), (0, -1), (-1, 0)
DIAGONALS = ((1, 1), (1, -1), (-1, -1), (-1, 1))
ROUND = (N, (1, 1), E, (1, -1), S, (-1, -1), W, (-1, 1))
LEAPS = ((-1, 2), (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1))
WAZIR = Leg((N, E, S, W))
FERZ = Leg(DIAGONALS)
KING = Leg(ROUND)
ROOK = Leg((N, E, S, W), "any")
BISHOP = Leg(DIAGONALS, "any")
QUEEN = Leg(ROUND, "any")
KNIGHT = Leg(LEAPS)


def _away(leg: Data) -> Data:
    return leg | {"ends": ("away", "enemy", "royal")}


def _within(way: Data, *rules: Data) -> Data:
    for rule in reversed(rules):
        way = Within(rule, way)
    return way


MOVING, CAPTURING = Only("moving"), Only("capturing")
OUTWARD = Join(Angle(None), may_stop=True)

WAYS: dict[str, tuple[Data, ...]] = {
    "": (),
    "n4dO": (ROOK,),
    "{3,1}×1dN": (Leg((N,), (1, 3)),),
    "(1,2)": (KNIGHT,),
    "n(1,2)ab": (Leg(LEAPS[:2], "any"),),
    "(1,2) (1,2)ab & n8d": (KNIGHT, Leg(LEAPS[:2]), QUEEN),
    "(n4dO & (n4dD))": (ROOK, BISHOP),
    "1×4dD &t n4dO": (Then((_away(FERZ), _away(ROOK)), (OUTWARD,)),),
    "(1×4dO & 1×4dD) &t0° 1×8d": (
        Then(
            (Either((_away(WAZIR), _away(FERZ))), _away(KING)),
            (Join(Angle(0), may_stop=True),),
        ),
    ),
    "n((1,2) &t+22.5°)": (Repeat(Then((_away(KNIGHT),), (), Angle(1, "right"))),),
    "{2,1}(1×8d)": (Repeat(_away(KING), (1, 2)),),
    "3(1×4dO &t-45° 1×4dD & (1,2))": (
        Repeat(
            Either(
                (
                    Then((_away(WAZIR), _away(FERZ)), (Join(Angle(2, "left"), may_stop=True),)),
                    _away(KNIGHT),
                )
            ),
            (3,),
        ),
    ),
    "m(n4dO)": (_within(ROOK, MOVING),),
    "c(n4dO & (1,2))": (_within(ROOK, CAPTURING), _within(KNIGHT, CAPTURING)),
    "group(m,j)(2×4dO)": (_within(Leg((N, E, S, W), (2,)), MOVING, Jumping()),),
    "[m,j(2×4dO)]": (_within(Leg((N, E, S, W), (2,)), MOVING, Jumping()),),
    "j(n4dO, F, 2)": (_within(ROOK, Jumping("friends", 2)),),
    "j(n4dO, friendly) & j(n4dO, E) & j(2×8d, 2, both)": (
        _within(ROOK, Jumping("friends")),
        _within(ROOK, Jumping("enemies")),
        _within(Leg(ROUND, (2,)), Jumping("all", 2)),
    ),
    "nj((1,2))": (_within(KNIGHT, NotJumping()),),
    "nj(n4dO, E)": (_within(ROOK, NotJumping("enemies")),),
    "1×4dD &t m(n4dO)": (Then((_away(FERZ), _within(_away(ROOK), MOVING)), (OUTWARD,)),),
    "1×4dD &t [m,j(n4dO)]": (
        Then((_away(FERZ), _within(_away(ROOK), MOVING, Jumping())), (OUTWARD,)),
    ),
    "n(j(2×4dO) &t0°)": (
        Repeat(Then((_within(_away(Leg((N, E, S, W), (2,))), Jumping()),), (), Angle(0))),
    ),
    "rpg(n4dO & n4dD, FE)": (_within(ROOK, Rampage("all")), _within(BISHOP, Rampage("all"))),
    "rpg(n4dO, greedy, enemy)": (_within(ROOK, Rampage("enemies", farthest=True)),),
    "rpg(n4dO & n4dD, G)": (Within(Rampage(farthest=True), Either((ROOK, BISHOP))),),
    "m(rpg(n4dO & n4dD, G))": (_within(Either((ROOK, BISHOP)), MOVING, Rampage(farthest=True)),),
    "i(n4dO & n4dD)": (Within(Rifle(), Either((ROOK, BISHOP))),),
    "rifle(1×8d, PA, F)": (_within(KING, Rifle("friends")),),
    "rifle(n8d, F)": (_within(QUEEN, Rifle("friends")),),
    "i(n8d, PA)": (_within(QUEEN, Rifle()),),
    "i(n8d, P)": (),
    "burn(1×8d) & im(1×8d) & royal()": (),
    "INF(2, 0)": (Anywhere(2, 0),),
    "m(INF(2, 2))": (_within(Anywhere(2, 2), MOVING),),
    "//as the  wind blows. & n8d": (Words("as the wind blows"), QUEEN),
    "\\R & c(\\B)": (ROOK, _within(BISHOP, CAPTURING)),
    "spin(n8d, 2, E)": (Foreign("spin", (Movement((Option(QUEEN),)), 2, "E")),),
    "n(spin(n8d)) & function(spin)": (
        Repeat(Foreign("spin", (Movement((Option(QUEEN),)),), known=True)),
    ),
}


@pytest.mark.parametrize("text", WAYS)
def test_ways(text: str) -> None:
    assert _movement(text).options == _read([Option(way) for way in WAYS[text]]).options


@pytest.mark.parametrize(
    ("text", "whens"),
    [
        ("atmove(1, m(2×1dN) & n8d)", [(OnMove(1),), (OnMove(1),)]),
        ("ataction(3, n8d) & ataction(1, n8d)", [(EveryMove(3),), ()]),
        ("atmove(2, ataction(2, n8d))", [(OnMove(2), EveryMove(2))]),
        ("atmove(2, \\iQ)", [(OnMove(2), OnMove(1))]),
        # A rifle is as many options as it has conditions.
        ("i(atmove(1, n4dO) & n4dD & (1,2))", [(OnMove(1),), ()]),
    ],
)
def test_conditions(text: str, whens: list[tuple[Data, ...]]) -> None:
    expected = _read([Option(ROOK, when=when) for when in whens]).options
    assert [each.when for each in _movement(text).options] == [each.when for each in expected]


def test_a_piece_that_stays_at_home_passes_no_square() -> None:
    assert [option.passer for option in _movement("\\ifmnD & i(\\ifcnD)").options] == [True, False]


ROOKS = Movement((Option(ROOK),))
KINGS = Movement((Option(KING),))

FACTS: dict[str, tuple[Data, ...]] = {
    "n8d": (),
    "royal() & royal(O)": (Fact(Royal()), Fact(Royal("one"))),
    "promote(//reach  rank eight, //gold, n4dO, n4dO & royal())": (
        Fact(
            Promotion(
                "reach rank eight",
                ("gold", ROOKS, Movement((Option(ROOK),), (Fact(Royal()),))),
            )
        ),
    ),
    "promote(soon, //gold, 1×8d)": (Fact(Promotion("soon", ("gold", KINGS))),),
    "royal(A)": (Fact(Royal()),),
    "fe() & fe(exclusive)": (Fact(Iron()), Fact(Iron())),
    "fe(inclusive, n4dO, //a pawn)": (Fact(Iron("these", (ROOKS, "a pawn"))),),
    "fe(exclusive, n4dO)": (Fact(Iron("others", (ROOKS,))),),
    "sz(2) & sz(2, 3)": (Fact(Size(2, 2)), Fact(Size(2, 3))),
    "function(spin, range, [PA])": (
        Fact(Declared("spin", (Parameter("range"), Parameter("PA", optional=True)))),
    ),
    "burn(1×8d)": (Fact(Effect("burns", KINGS)),),
    "burn(1×8d, passive)": (Fact(Effect("burns", KINGS, when="passive")),),
    "im(1×8d, 3)": (Fact(Effect("immobilises", KINGS, most=3)),),
    "burn(//near it, PA, both)": (
        Fact(Effect("burns", Movement((Option(Words("near it")),)), "all", "always")),
    ),
    "im(1×8d, F, passive, 2)": (Fact(Effect("immobilises", KINGS, "friends", "passive", 2)),),
    "i(n4dO, PA)": (Fact(Effect("shoots", ROOKS, when="passive")),),
    "m(atmove(2, burn(1×8d)) & n8d)": (Fact(Effect("burns", KINGS), (MOVING, OnMove(2))),),
    "group(m,burn)(1×8d)": (Fact(Effect("burns", KINGS), (MOVING,)),),
    "ataction(1, burn(1×8d))": (Fact(Effect("burns", KINGS)),),
    "i(burn(1×8d))": (Fact(Effect("burns", KINGS), (Rifle(),)),),
}


@pytest.mark.parametrize("text", FACTS)
def test_facts(text: str) -> None:
    assert _movement(text).facts == _read(facts=FACTS[text]).facts


def test_nodes_know_their_places() -> None:
    text = "n8d & m(j(1×4dO) & atmove(2, nj((1,2))))"
    queen, step, leap = _movement(text).options
    spans = (
        queen.span,
        step.span,
        step.way.rule.span,
        step.way.way.span,
        leap.way.way.span,
        leap.way.way.rule.span,
        leap.when[0].span,
    )
    quoted = [text[start:end] for start, end in spans]
    assert quoted == ["n8d", text[6:], "m", "j(1×4dO)", "nj((1,2))", "nj", "atmove(2, nj((1,2)))"]


def test_an_effect_on_one_move_only_is_not_lost() -> None:
    def same(one: str, other: str) -> bool:
        return alfil.same(alfil.read(one, "hasinu"), alfil.read(other, "hasinu"))

    assert not same("1×8d & atmove(2, burn(n8d))", "1×8d")
    assert not same("1×8d & atmove(2, burn(n8d))", "1×8d & burn(n8d)")
    assert not same("1×8d & atmove(2, burn(n8d))", "1×8d & atmove(3, burn(n8d))")


@pytest.mark.parametrize(
    ("text", "captures"),
    [
        (r"i(\cabK)", {((0, 1),)}),  # it would come home from there
        (r"i(\cafK)", {((0, 1),)}),  # it would end on an empty square behind
        ("i(rpg(2×4dO))", {((0, 1),)}),
        ("i(1×8d)", {((0, 1),)}),
        ("i(2×8d)", set()),
        (r"i(\mafK)", set()),
    ],
)
def test_a_shot_captures_what_its_move_would_capture_on_its_way(
    text: str, captures: set[tuple[tuple[int, int], ...]]
) -> None:
    moves = alfil.moves(alfil.read(text, "hasinu"), enemies={(0, 1)})
    assert {move.to for move in moves} <= {(0, 0)}
    assert {tuple(move.captures) for move in moves} == captures
