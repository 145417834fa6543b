"""Requests of pages with arguments of every kind: an answer, or diagnostics, and no exception."""

from __future__ import annotations

import inspect
import json
import random
import time

import pytest

from alfil.site import game_requests, piece_requests  # no page is needed to ask
from strategies import NIGHTLY

CALLS = {**piece_requests.CALLS, **game_requests.CALLS}
KINGS = 'board 3x3\npiece K "k" betza=K royal\nsetup\n| K . K |\n'
SOURCES: list[object] = [
    *({"name": name} for name in ("minishogi", "", "nosuch", "/etc/passwd", "\0", "taikyoku")),
    *({"text": text} for text in ("", KINGS, "board 3x3\n", "é" * 500)),
    *({"mate": text} for text in ("R", "N", "", "\n", "U", '"', "griffon", "K")),
    *({"mate": "R", "notation": "x"}, {"x": "y"}, {}),
]
OFFSETS: list[object] = [
    *([], [[]], [[1, 2]], [[1, 2, 3]], [[0, 0, 3]], [[1, 2, 99]], [[10**8, 1, 3]], [["a"] * 3]),
    *({}, {"enemies": [[1, 1]]}, {"enemies": [[1]]}, {"friends": [[99_999, 1]]}, {"z": [[1, 1]]}),
]
NUMBERS: list[object] = [0, 1, 3, -1, 99, 1 << 40, 10**400, 1.5, float("nan"), True, None]
TEXTS: list[object] = [
    *("", "N", "fK", "griffon", "betza", "hasinu", "chess", "é", "\ud800", "\0", "W" * 300),
    *("e2e4", "svg", "png", "table", "pgn", "hodges", "8/8/8/8/8/8/8/KXk5 w - 1"),
]
LISTS: list[object] = [["e2e4"], ["1e1c"], [""], ["x"], ["\ud800"], [5]]
KINDS = {
    "dict[str, str]": SOURCES,
    "Source": SOURCES,
    "Standing": OFFSETS,
    "list[tuple[int, int, int]]": OFFSETS,
    "int": NUMBERS,
    "str": TEXTS,
    "Sequence[str]": LISTS,
}


def drawn_arguments(call: str, chance: random.Random) -> list[object]:
    """Arguments of the kinds that a call takes, mostly, and of others."""
    kinds = [each.annotation for each in inspect.signature(CALLS[call]).parameters.values()]
    everything = [each for kind in KINDS.values() for each in kind]
    given = [chance.choice(KINDS[kind] if chance.random() < 0.8 else everything) for kind in kinds]
    return given[: -1 if chance.random() < 0.05 else None]


@pytest.mark.parametrize("call", CALLS)
def test_every_request_is_answered(call: str) -> None:
    chance = random.Random(call)
    for _ in range(400 if NIGHTLY else 12):
        given = drawn_arguments(call, chance)
        made = json.loads(piece_requests.answer(call, json.dumps(given)))
        assert isinstance(made, dict)


def test_notes_are_in_the_rules_as_written_and_in_linear_time() -> None:
    """What looks like a comment in HTML is none in what an author wrote."""
    piece = 'board 3x3\npiece K "k" betza=K royal note="{}"\nsetup\n| . K . |\n'
    for note, told in (
        ("a <!-- b --> c", "a &lt;!-- b --&gt; c"),
        ("<!--" * 20_000, "&lt;!--" * 9),
    ):
        arguments = json.dumps([{"text": piece.format(note)}])
        begun = time.process_time()
        assert told in json.loads(piece_requests.answer("rules", arguments))["html"]
        assert time.process_time() - begun < 5


@pytest.mark.parametrize(
    ("call", "given", "words"),
    [
        ("read", '["fW", 5]', "read does not take 5 as its notation"),
        ("read", "{", "the arguments of read are no JSON in UTF-8"),
        ("read", '"ab"', "the arguments of read are not in a list"),
        ("read", '["\\ud800", "betza"]', "the arguments of read are no JSON in UTF-8"),
        ("read", "[]", "read: missing a required argument: 'text'"),
        ("nothing", "[]", "no request is called 'nothing'"),
        ("fit", "[[[1, 2]]]", "fit does not take [[1, 2]] as its marks"),
        ("names", '["N", "betza", true]', "names does not take True as its nearest"),
        (
            "download",
            '["N", "betza", "png", {}]',
            "the format png is no text, as an answer is",
        ),
        ("reply", '[{"name": "chess"}, "", [], 0]', "the opponent has levels from 1 to 6, not 0"),
        ("rules", '[{"name": "nosuch"}]', ""),
        ("state", '[{"text": ""}, "", []]', ""),
    ],
)
def test_requests_that_no_page_makes_are_refused(call: str, given: str, words: str) -> None:
    (found, *_) = json.loads(piece_requests.answer(call, given))["diagnostics"]
    assert found["severity"] == "error"
    assert found["message"] == words or not words
