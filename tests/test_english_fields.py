"""Every field of every node of a movement is said: another value, other words.

A table has examples for each class of node, and values for those fields whose types do not list
them; a class or a field without any fails here.
"""

from __future__ import annotations

import dataclasses
import itertools
import types
import typing
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from alfil import Movement
from alfil.english import describe_movement  # a movement need not be one that a notation can write
from gathering import every_row
from trees import classes_in

CLASSES = classes_in(Movement)
(
    (Angle, Anywhere, Bend, Castling, Declared, Effect, Either, EveryMove, Fact, Foreign),
    (Iron, Join, Jumping, Leg, NotJumping, Only, OnMove, OnSquare, Option, Parameter, Promotion),
    (Rampage, Repeat, Rifle, Royal, Size, Then, ThirdRank, Within, Words),
) = (
    map(CLASSES.get, names.split())
    for names in (
        "Angle Anywhere Bend Castling Declared Effect Either EveryMove Fact Foreign",
        "Iron Join Jumping Leg NotJumping Only OnMove OnSquare Option Parameter Promotion",
        "Rampage Repeat Rifle Royal Size Then ThirdRank Within Words",
    )
)
MOVE_OR_CAPTURE = ("empty", "enemy", "royal")
ORTHOGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0))
DIAGONAL = ((1, 1), (1, -1), (-1, -1), (-1, 1))
NARROW = ((1, 2), (-1, 2))
ROOK = Leg(ORTHOGONAL, "any")
WAZIR = Leg(ORTHOGONAL)
FERZ = Leg(DIAGONAL)
LEAP = Leg(NARROW)
SIDEWAYS = Bend((2, 6))


def piece(*ways: object) -> Movement:
    return Movement(tuple(Option(way) for way in ways))


def stating(truth: object) -> Movement:
    return Movement((Option(WAZIR),), (Fact(truth),))


def first(leg: object) -> Movement:
    return piece(Then((leg, FERZ), (Join(Bend(chooses=True), may_stop=False),)))


def later(leg: object) -> Movement:
    return piece(Then((ROOK, leg), (Join(Bend(None), may_stop=False),)))


def chosen(leg: object) -> Movement:
    return piece(Then((ROOK, leg), (Join(Bend(chooses=True), may_stop=False),)))


def repeated(leg: object) -> Movement:
    return piece(Repeat(leg))


def in_rounds(leg: object) -> Movement:
    rounds = Repeat(Then((leg,), (), onward=SIDEWAYS), optional=True)
    return piece(Then((ROOK, rounds), (Join(SIDEWAYS, may_stop=False),)))


def bent(turn: object, *, may_stop: bool = True) -> Movement:
    return piece(Then((FERZ, Leg(DIAGONAL[:2])), (Join(turn, may_stop=may_stop),)))


def out_of_line(turn: object) -> Movement:
    return piece(Then((LEAP, ROOK), (Join(turn, may_stop=True),)))


def bent_again(turn: object) -> Movement:
    joins = (Join(SIDEWAYS, may_stop=False), Join(turn, may_stop=False))
    return piece(Then((ROOK, WAZIR, WAZIR), joins))


def onward(turn: object) -> Movement:
    return piece(Repeat(Then((FERZ,), (), onward=turn)))


def joined(join: object) -> Movement:
    return piece(Then((FERZ, Leg(ORTHOGONAL[:2], "any")), (join,)))


def ruled(rule: object) -> Movement:
    return Movement((Option(Within(rule, ROOK)),), (Fact(Royal(), (rule,)),))


def timed(when: object) -> Movement:
    return Movement((Option(ROOK, (when,)),), (Fact(Royal(), (when,)),))


def declared(parameter: object) -> Movement:
    return stating(Declared("spin", (parameter,)))


class Example(NamedTuple):
    """A node, and a movement around it; ``fields`` are those to be tried, all if none are named."""

    node: object
    whole: Callable[[Any], Movement]
    fields: frozenset[str] = frozenset()


EXAMPLES = [
    Example(ROOK, piece),
    Example(LEAP, piece),
    Example(FERZ, first),
    Example(ROOK, later),
    Example(ROOK, chosen),
    Example(WAZIR, repeated),
    Example(WAZIR, in_rounds),
    Example(Leg(ORTHOGONAL, "any", ("away",), ("away",), ("away",)), in_rounds),
    Example(Anywhere(2, 2), piece),
    Example(Castling(((1, 0),), 2), piece),
    Example(Bend((1, 7)), bent),
    Example(Bend((1, 7)), bent_again),
    Example(Bend((1, 7)), onward),
    Example(Bend(None), onward),
    Example(Bend(None, "same"), onward),
    Example(Angle(4), bent),
    Example(Angle(4), onward),
    Example(Angle(None), bent, frozenset({"degrees"})),
    Example(Angle(4), out_of_line),
    Example(Join(Bend((1,)), may_stop=False), joined),
    Example(Then((FERZ, ROOK), (Join(SIDEWAYS, may_stop=False),)), piece),
    Example(Then((FERZ,), ()), repeated, frozenset({"onward"})),
    Example(Either((FERZ, Repeat(WAZIR))), first),
    Example(Repeat(WAZIR), piece),
    Example(Repeat(FERZ), first),
    Example(Only("moving"), ruled),
    Example(Jumping(), ruled),
    Example(Rampage(), ruled),
    Example(NotJumping(), lambda rule: piece(Within(rule, LEAP))),
    Example(Rifle(), ruled),
    Example(Within(Only("moving"), LEAP), piece),
    Example(Words("odd"), piece),
    Example(Foreign("spin"), piece),
    Example(OnMove(1), timed),
    Example(EveryMove(2), timed),
    Example(OnSquare("light"), timed),
    Example(Option(LEAP), lambda option: Movement((option,))),
    Example(Royal(), stating),
    Example(Promotion("soon", ("gold",)), stating),
    Example(Iron("these", ("pawns",)), stating),
    Example(Size(1, 2), stating),
    Example(Effect("burns", piece(FERZ)), stating),
    Example(Parameter("far"), declared),
    Example(Declared("spin"), stating),
    Example(Fact(Royal()), lambda fact: Movement((Option(WAZIR),), (fact,))),
    Example(piece(ROOK), lambda movement: movement),
]

# Values of fields whose types do not list them all.
VALUES: dict[tuple[type, str], list[Any]] = {
    (Angle, "degrees"): ["26.57", "53.13"],
    (Leg, "steps"): [DIAGONAL, ORTHOGONAL[:1], NARROW[:1], ((0, 2),)],
    (Leg, "lengths"): [(1,), (1, 2), (2,), (1, 3)],
    (Anywhere, "files"): [None, 0, 1, 3],
    (Anywhere, "ranks"): [None, 0, 1, 3],
    (Castling, "steps"): [((-1, 0),), ((1, 0), (-1, 0))],
    (Castling, "squares"): [1, 3],
    (Castling, "inset"): [1, 2],
    (Bend, "places"): [None, (0,), (4,), (1,), (1, 3), (0, 1, 7)],
    (Angle, "sixteenths"): [None, 2, 3, 8],
    (Join, "turn"): [Bend(None), Bend((7,)), Angle(2), Bend((1,), chooses=True)],
    (Then, "ways"): [(ROOK, FERZ), (WAZIR, ROOK)],
    (Then, "joins"): [(Join(Bend((1,)), may_stop=False),)],
    (Then, "onward"): [Bend((1,)), Angle(2)],
    (Then, "only"): [(), (((1, 1), (0, 1)),), (((1, 1), (0, 1)), ((-1, 1), (-1, 0)))],
    (Either, "ways"): [(FERZ,), (FERZ, Repeat(LEAP)), (LEAP, FERZ)],
    (Repeat, "way"): [FERZ, LEAP, Then((FERZ,), (), onward=SIDEWAYS)],
    (Repeat, "times"): [(1, 2), (2,), (1, 3)],
    (Jumping, "most"): [1, 2],
    (Within, "rule"): [Only("capturing"), Rifle(), NotJumping(), Jumping("friends"), Rampage()],
    (Within, "way"): [ROOK, Anywhere()],
    (Words, "text"): ["even"],
    (Foreign, "name"): ["turn"],
    (Foreign, "arguments"): [(1,), ("one",), (piece(FERZ),), (1, 2)],
    (OnMove, "number"): [2, 12],
    (EveryMove, "number"): [1, 3],
    (Option, "way"): [
        Anywhere(),
        Castling(((1, 0),), 2),
        Then((FERZ, ROOK), (Join(SIDEWAYS, may_stop=True),)),
        Either((FERZ, ROOK)),
        Repeat(FERZ),
        Within(Only("moving"), FERZ),
        Words("odd"),
        Foreign("spin"),
    ],
    (Option, "when"): [
        (OnMove(1),),
        (EveryMove(2),),
        (ThirdRank(),),
        (OnSquare("light"),),
        (OnMove(1), ThirdRank()),
    ],
    (Promotion, "condition"): ["late"],
    (Promotion, "into"): [("silver",), (piece(FERZ),), ("gold", "silver")],
    (Iron, "exceptions"): [("kings",), (piece(FERZ),), ("kings", "pawns")],
    (Size, "files"): [2],
    (Size, "ranks"): [1],
    (Effect, "reach"): [piece(ROOK), piece(FERZ, ROOK)],
    (Effect, "most"): [1, 2],
    (Parameter, "name"): ["near"],
    (Declared, "name"): ["turn"],
    (Declared, "parameters"): [(Parameter("far"),), (Parameter("near"),)],
    (Fact, "truth"): [
        Size(1, 2),
        Iron(),
        Declared("spin"),
        Promotion("soon", ("gold",)),
        Effect("burns", Movement()),
    ],
    (Fact, "within"): [
        (OnMove(1),),
        (EveryMove(2),),
        (ThirdRank(),),
        (OnSquare("dark"),),
        (Only("moving"),),
        (Jumping(),),
        (NotJumping(),),
        (Rampage(),),
        (Rifle(),),
    ],
    (Movement, "options"): [(), (Option(FERZ),), (Option(ROOK), Option(FERZ))],
    (Movement, "facts"): [(Fact(Royal()),), (Fact(Size(1, 2)),)],
}

# Pairs of values that say the same, and why.
ALIKE: dict[tuple[type, str], list[tuple[Any, Any, str]]] = {
    (Anywhere, "ends"): [
        (MOVE_OR_CAPTURE, (*MOVE_OR_CAPTURE, "away"), "a leap never ends where it began"),
    ],
}


def listed(kind: object) -> Iterator[Any]:
    """The values of a type that lists them, in a tuple those of its items."""
    if typing.get_origin(kind) is typing.Literal:
        yield from typing.get_args(kind)
    elif typing.get_origin(kind) in {typing.Union, types.UnionType, tuple}:
        for each in typing.get_args(kind):
            yield from listed(each)
    elif kind is bool:
        yield from (False, True)


def values(node: object, field: str) -> Iterator[Any]:
    """The values of a field to be tried, the node's own among them."""
    now = getattr(node, field)
    yield now
    kind = typing.get_type_hints(type(node))[field]
    for value in listed(kind):
        if typing.get_origin(kind) is not tuple:
            yield value
        elif value in now:
            yield tuple(each for each in now if each != value)
        else:
            yield (*now, value)
    yield from VALUES.get((type(node), field), [])


def said(example: Example, field: str) -> dict[Any, str]:
    """The words of an example for each value of a field."""
    return {
        value: describe_movement(example.whole(dataclasses.replace(example.node, **{field: value})))
        for value in values(example.node, field)
    }


FIELDS = [
    (each, field.name)
    for each in CLASSES.values()
    for field in dataclasses.fields(each)
    if field.compare  # the others, spans and hints, are no part of what a piece does
]


@every_row("kind, field", FIELDS)
def test_every_value_of_a_field_is_said(kind: type, field: str) -> None:
    told = [
        said(example, field)
        for example in EXAMPLES
        if type(example.node) is kind and field in (example.fields or {field})
    ]
    pairs = {pair for words in told for pair in itertools.combinations(words, 2)}
    assert pairs
    alike = [
        (one, other)
        for one, other in pairs
        if all(words[one] == words[other] for words in told if {one, other} <= words.keys())
    ]
    assert alike == [(one, other) for one, other, _ in ALIKE.get((kind, field), [])]


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (Option, "way"),
        (Option, "when"),
        (Within, "rule"),
        (Fact, "within"),
        (Fact, "truth"),
        (Join, "turn"),
    ],
)
def test_every_kind_of_node_is_tried(kind: type, field: str) -> None:
    tried = [
        value
        for example in EXAMPLES
        if type(example.node) is kind
        for value in values(example.node, field)
    ]
    flat = [each for value in tried for each in (value if isinstance(value, tuple) else (value,))]
    allowed = leaves(typing.get_type_hints(kind)[field])
    assert len(allowed) > 1
    assert {type(each) for each in flat} >= allowed


def leaves(kind: Any) -> set[type]:  # noqa: ANN401 - a type of any form
    """The classes of nodes in a type."""
    if kind in CLASSES.values():
        return {kind}
    return {leaf for each in typing.get_args(kind) for leaf in leaves(each)}
