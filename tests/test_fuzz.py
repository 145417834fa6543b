"""A little of `make fuzz`, what it found before, and that it would find a mistake."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(1, str(Path(__file__).parent / "fuzz"))

import hunt
import laws

import alfil
from gathering import every_row
from strategies import NIGHTLY

# As many as take a second or less, so that each kind is tried.
NUMBERS = {
    "read": 900,
    "told": 100,
    "whole": 25,
    "game": 300,
    "label": 50,
    "pieces": 40,
    "record": 25,
}
NUMBERS |= {"position": 50, "move": 800, "ini": 120, "location": 2_000}


@pytest.mark.parametrize("kind", laws.LAWS)
def test_every_input_is_answered_or_refused(kind: str) -> None:
    count = hunt.hunt(kind, "gate", iter(range(NUMBERS[kind] * (100 if NIGHTLY else 1))))
    assert count.finds == ()
    assert count.inputs > count.answered * 0.99
    assert count.answered > NUMBERS[kind] // 30


@every_row("kind, given", hunt.kept())
def test_what_was_found_once(kind: str, given: tuple[str, ...]) -> None:
    assert hunt.broken(kind, given) is None


def test_a_mistake_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    read: Callable[..., alfil.Piece] = alfil.read

    def wrong(text: str, notation: str = "betza") -> alfil.Piece:
        if "NN" in text:
            raise KeyError(text)
        return read(text, notation)

    monkeypatch.setattr(alfil, "read", wrong)
    found = hunt.hunt("read", "gate", iter(range(900))).finds
    assert found
    assert {(each.given[1], each.broken) for each in found} == {("NN", "KeyError in read: 'NN'")}
