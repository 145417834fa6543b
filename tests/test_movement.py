"""The common tree: movements print, go to plain data and back, and are documented."""

import contextlib
import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

import alfil
from alfil.meaning.compile_movement import meaning_of  # of movements that no notation can write
from alfil.movement.nodes import Bend, Join, Leg, Option, Repeat, Rifle, Then, Within
from alfil.notation.hasinu.resolve import as_leg_not_ending_at_start
from gathering import every_row
from inside import moves_in_context
from trees import classes_in

ROOT = Path(__file__).parents[1]
CASES = ROOT / "tests" / "cases"
NODES = classes_in(alfil.Movement)
HEAD = {"format": "alfil-movement", "version": 1, "node": "Movement"}


def texts() -> list[tuple[str, str]]:
    rows = (CASES / "descriptions.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return [(row.split("\t")[0], row.split("\t")[1]) for row in rows]


def pieces() -> list[alfil.Piece]:
    return [alfil.read(text, notation) for notation, text in texts()]


def test_movements_go_to_data_and_back() -> None:
    for piece in pieces():
        data = json.loads(json.dumps(piece.movement.to_json()))
        assert alfil.Movement.from_json(data) == piece.movement


# What only special texts have.
SPECIAL = [
    (
        "hasinu",
        "\\ifmnD & nj((1,2)) & atmove(2, rpg(n4dO,G)) & ataction(3,i(n8d)) & spin(n8d, x, 3)",
    ),
    (
        "hasinu",
        "royal() & promote(//x,n8d) & fe(inclusive,n8d) & sz(2,1) & im(n8d,2) & nj(n((1,2)))",
    ),
    ("hasinu", "function(spin, [p]) & INF(2,2) & //words"),
    *(("betza", text) for text in ("isO2", "iifmnD", "(az)F", "mfafscK")),
]


def test_every_node_is_reached_by_some_text() -> None:
    tried = [*texts(), *SPECIAL, ("chessvar", "(Rw,Bb)")]
    held = [alfil.read(text, notation).movement for notation, text in tried]
    seen = set(re.findall(r"'node': '(\w+)'", str([each.to_json() for each in held])))
    assert seen == set(NODES)


# A part before a text, so that no span of what follows is the one of a node that has none; what
# follows has no such leap that could be told together with it.
BEFORE = {"betza": "(7,9)", "hasinu": "(7,9) & ", "parlett": "~7/9, "}
FIRST = alfil.read("(7,9)").movement.options
# Nothing is written where ways join, and a parameter stands in its function.
PLACELESS = {"Join", "Parameter"}


def misplaced(node: Any, around: alfil.Span) -> Iterator[object]:  # noqa: ANN401 - of many kinds
    """The nodes in a tree that were not read from inside the text of the node around them."""
    kind, span = type(node).__name__, node.span
    if kind in PLACELESS:
        span = around
    elif not around.start <= span.start <= span.end <= around.end:
        yield kind, span, around
    waiting = [getattr(node, each.name) for each in fields(node)]
    while waiting:
        inside = waiting.pop()
        if is_dataclass(inside):
            # A function nobody knows is at its name; what it is given comes after that.
            yield from misplaced(inside, around if kind == "Foreign" else span)
        elif isinstance(inside, tuple) and not isinstance(inside, alfil.Span):
            waiting += inside


def told() -> list[tuple[str, str]]:
    """The texts that something may stand before."""
    rows = (CASES / "parlett.tsv").read_text(encoding="utf-8").splitlines()[1:]
    more = [("parlett", row.split("\t")[0]) for row in rows]
    return [each for each in [*texts(), *SPECIAL, *more] if each[1] not in {"", "W0"}]


@every_row("notation, text", told())
def test_every_node_has_its_place_in_the_text(notation: str, text: str) -> None:
    piece = alfil.read(BEFORE[notation] + text, notation)
    whole = alfil.Span(len(BEFORE[notation]), len(piece.text))
    movement = piece.movement
    assert isinstance(piece.tree.terms, tuple)
    options = [each for each in movement.options if each not in FIRST]
    assert len(options) == len(movement.options) - 1
    for each in (*piece.tree.terms[1:], *options, *movement.facts):
        assert not [*misplaced(each, whole)]


def test_the_schema_has_every_node_field_and_value() -> None:
    text = (ROOT / "docs" / "movement.md").read_text(encoding="utf-8")
    quoted = set(re.findall(r"`\"?([\w-]+)\"?`", text))
    assert set(NODES) <= quoted
    for each in NODES.values():
        named = {field.name for field in fields(each) if field.compare}
        assert named <= quoted, each
        assert words_in(list(get_type_hints(each).values())) <= quoted, each


def words_in(kinds: list[Any]) -> set[object]:
    """The words that types list as values."""
    found = set()
    for kind in kinds:
        found |= {*get_args(kind)} if get_origin(kind) is Literal else words_in([*get_args(kind)])
    return found


def option(way: object) -> dict[str, object]:
    return HEAD | {"options": [{"node": "Option", "way": way}]}


STEP = {"node": "Leg", "steps": [[0, 1]]}
NEVER = [{"node": "OnMove", "number": 0}, {"node": "EveryMove", "number": 0}]
LEAPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]]
AWAY = {"ends": ["away", "enemy", "royal"]}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "a movement is a dictionary"),
        ({"format": "alfil-movement", "version": 2}, "this is version 1"),
        (HEAD | {"node": "Leg"}, "one of Movement"),
        (HEAD | {"option": []}, "Movement has no such field"),
        (HEAD | {"options": {}}, "here stands a list"),
        (HEAD | {"options": [{"node": "Option"}]}, "Option needs way"),
        (option({"node": "Wazir"}), "here stands a node"),
        (option(STEP | {"steps": [[0, 0]]}), "no step stays"),
        (option(STEP | {"steps": [[0, 1, 2]]}), "here stand 2 numbers"),
        (option(STEP | {"steps": [[0, 10**9]]}), "numbers are at most 999"),
        (option(STEP | {"lengths": [2, 1]}), "in order"),
        (option(STEP | {"lengths": "none"}), "one of any, own-half"),
        (option(STEP | {"ends": ["nowhere"]}), "one of empty"),
        (option(STEP | {"as_far": 1}), "true or false"),
        (option({"node": "Then", "ways": [STEP, STEP], "joins": []}), "one join fewer"),
        (option({"node": "Repeat", "way": STEP, "times": [0]}), "from 1 on"),
        (
            option({"node": "Then", "ways": [STEP], "joins": [], "only": [[[0, 1], [1, 0]]]}),
            "a step for every leg",
        ),
        *(
            (HEAD | {"options": [{"node": "Option", "way": STEP, "when": [each]}]}, "count from 1")
            for each in NEVER
        ),
    ],
)
def test_data_that_is_no_movement_is_refused(data: object, message: str) -> None:
    with pytest.raises(alfil.NotationError) as caught:
        alfil.Movement.from_json(data)
    assert caught.value.kind == "movement-data"
    assert message in caught.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("degrees", "is_right"),
    [
        *((each, True) for each in ("33.5", "0", "180", "90.0", "180.0")),
        *((each, False) for each in ("180.5", "181", ".5", "33.x", "-1", "1e1", "\u0663")),
    ],
)
def test_degrees_of_a_turn_are_a_number_up_to_half_a_circle(degrees: str, is_right: bool) -> None:  # noqa: FBT001
    turn = {"node": "Angle", "sixteenths": None, "degrees": degrees}
    join = {"node": "Join", "may_stop": False, "turn": turn}
    data = option({"node": "Then", "ways": [STEP, STEP], "joins": [join]})
    if is_right:
        assert f'"degrees": "{degrees}"' in json.dumps(alfil.Movement.from_json(data).to_json())
    else:
        with pytest.raises(alfil.NotationError, match="degrees stand alone"):
            alfil.Movement.from_json(data)


@pytest.mark.parametrize(
    ("made", "place"),
    [
        (alfil.Movement((1, 2)), "options[0]"),  # type: ignore[arg-type] # what Python lets through
        (alfil.Movement(5), "options"),  # type: ignore[arg-type]
        (alfil.Movement(facts=("royal",)), "facts[0]"),  # type: ignore[arg-type]
    ],
)
def test_a_movement_of_other_things_is_refused_wherever_it_is_given(
    made: alfil.Movement, place: str
) -> None:
    for use in (alfil.moves, alfil.write, alfil.describe, alfil.draw, alfil.compile):
        with pytest.raises(alfil.NotationError) as caught:
            use(made)
        assert caught.value.kind == "movement-data"
        assert caught.value.source.text == place


def test_a_movement_nested_too_deep_is_refused() -> None:
    way = alfil.read("W").movement.options[0].way
    for _ in range(5_000):
        way = Repeat(way)
    with pytest.raises(alfil.NotationError, match="nested too deep"):
        alfil.moves(alfil.Movement((Option(way),)))


ROOK = {"node": "Leg", "steps": [[0, 1], [1, 0], [0, -1], [-1, 0]], "lengths": "any"}
BARE: dict[str, dict[str, object]] = {
    **{
        f"{name}(n4dO)": option({"node": "Within", "rule": {"node": node}, "way": ROOK})
        for name, node in (
            ("j", "Jumping"),
            ("rpg", "Rampage"),
            ("i", "Rifle"),
        )
    },
    "INF(1,1)": option({"node": "Anywhere", "files": 1, "ranks": 1}),
    "n((1,2))": option({"node": "Repeat", "way": {"node": "Leg", "steps": LEAPS} | AWAY}),
    "spin()": option({"node": "Foreign", "name": "spin"}),
    "royal()": HEAD | {"facts": [{"node": "Fact", "truth": {"node": "Royal"}}]},
    "fe()": HEAD | {"facts": [{"node": "Fact", "truth": {"node": "Iron"}}]},
}


@pytest.mark.parametrize("text", BARE)
def test_what_data_leaves_out_is_what_texts_leave_out(text: str) -> None:
    assert alfil.Movement.from_json(BARE[text]) == alfil.read(text, "hasinu").movement


HOPPER = STEP | {"lengths": "any", "hop": "beyond"}
DABBABA = STEP | {"steps": [[0, 2]]}


def jumping(most: int) -> dict[str, object]:
    return {"node": "Within", "rule": {"node": "Jumping", "most": most}, "way": HOPPER}


def then(*ways: object, only: object) -> dict[str, object]:
    turn = {"node": "Bend", "places": [0]}
    join = {"node": "Join", "turn": turn, "may_stop": False}
    return {"node": "Then", "ways": [*ways], "joins": [join], "only": only}


@every_row(
    "way,enemies,ranks",
    [
        (HOPPER, {2, 5}, {3, 4, 5}),
        (HOPPER | {"hop": "behind"}, {2, 5}, {3}),
        (HOPPER | {"lengths": [4]}, {2}, {4}),
        (HOPPER | {"lengths": [4], "hop": "behind"}, {3}, {4}),
        (HOPPER | {"lengths": [4], "hop": "behind"}, {2}, set()),
        (HOPPER | {"skips_first": True}, {1}, set()),
        (HOPPER | {"skips_first": True}, {1, 3, 5}, {4, 5}),
        (jumping(1), {2, 4, 6}, {3, 4, 5, 6}),
        (jumping(2), {2, 4, 6, 8}, {3, 4, 5, 6, 7, 8}),
        # The piece hops where its move ends; where it goes on it has not moved over anything.
        ({"node": "Repeat", "way": HOPPER, "times": [1, 2]}, {3, 6}, {4, 5, 6}),
        # The steps that are listed are those that are taken, whatever the turn makes of them.
        (then(STEP, DABBABA, only=[[[0, 1], [0, 2]]]), set(), {3}),
    ],
)
def test_legs_keep_what_else_they_and_rules_say(
    way: object, enemies: set[int], ranks: set[int]
) -> None:
    """What no notation says: hops of exact lengths or in a row, a skipped square, more jumps."""
    movement = alfil.Movement.from_json(option(way))
    around = tuple((0, rank) for rank in sorted(enemies))
    on_board = alfil.Witness("first", files=1, ranks=10, enemies=around).scene()
    found = moves_in_context(meaning_of(movement, alfil.read("").source), on_board)
    assert {move.to for move in found} == {(0, rank) for rank in ranks}


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([*NODES, "any", "empty"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["node", "options", "way", "steps", "ways"]), inner)
    ),
)


@given(PLAIN)
def test_no_data_raises_anything_else(data: object) -> None:
    wrapped = HEAD | data if isinstance(data, dict) else HEAD | {"options": data}
    with contextlib.suppress(alfil.AlfilError):
        alfil.Movement.from_json(wrapped)


def test_two_texts_of_one_piece_may_have_different_movements() -> None:
    assert alfil.read("afsW").movement != alfil.read("nN").movement
    assert alfil.same("afsW", "nN")
    assert alfil.read("fWfW").movement == alfil.read("fW").movement
    assert alfil.read("fK").movement == alfil.read("f K".replace(" ", "")).movement


@pytest.mark.parametrize(
    ("text", "notation"),
    [("FyafsF", "betza"), ("j(n4dO,2) & \\qN", "hasinu"), ("1X.n+", "parlett"), ("", "betza")],
)
def test_a_movement_from_data_is_a_piece(text: str, notation: str) -> None:
    piece = alfil.read(text, notation)
    movement = alfil.Movement.from_json(piece.movement.to_json())
    assert alfil.same(movement, piece)
    assert alfil.destinations(movement) == alfil.destinations(piece)


@pytest.mark.parametrize("text", ["ataction(3,n4dO)", "atmove(2,(1,2))", "atmove(3,1×8d,turn)"])
def test_a_movement_is_written_where_no_text_stands(text: str) -> None:
    movement = alfil.Movement.from_json(alfil.read(text, "hasinu").movement.to_json())
    assert alfil.write(movement, "hasinu") == text


@pytest.mark.parametrize(
    ("text", "written"),
    [("[ooK?cnN]", "[ooK?cnN]"), ("cpabC", "cabCpabC"), ("KisO2", "KilrO2"), ("KilO3", "KilO3")],
)
def test_a_movement_is_written_in_betza_as_it_would_be_read(text: str, written: str) -> None:
    movement = alfil.read(text).movement
    assert alfil.write(movement, "betza") == written
    assert alfil.same(movement, text)


def test_rounds_of_rounds_that_may_be_left_out_have_no_letters() -> None:
    leg = Leg(((0, 1),))
    inner = Repeat(Then((leg,), (), onward=Bend((0,))), (1, 2), optional=True)
    outer = Repeat(Then((inner,), (), onward=Bend((2,))), "any", optional=True)
    movement = alfil.Movement((Option(Then((leg, outer), (Join(Bend((0,)), may_stop=False),))),))
    with pytest.raises(alfil.TranslationLoss):
        alfil.write(movement, "betza")


def test_what_no_notation_is_written_with_is_named() -> None:
    royal = alfil.read("royal() & 1×8d", "hasinu").movement
    with pytest.raises(alfil.TranslationLoss) as caught:
        alfil.draw(royal)
    assert [loss.kind for loss in caught.value.diagnostics] == ["royal"]


def test_a_leg_among_others_ends_away_from_home_in_loops_and_rules_too() -> None:
    leg = Leg(((0, 1),))
    for way in (Repeat(leg), Within(Rifle(), leg)):
        inner = as_leg_not_ending_at_start(way)
        assert isinstance(inner, Repeat | Within)
        assert inner.way == Leg(leg.steps, ends=("away", "enemy", "royal"))
