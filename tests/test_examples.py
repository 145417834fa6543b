"""The scripts in examples/ run, with tiny numbers."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


def test_the_example_that_learns_plays_trains_and_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch", reason="the example needs PyTorch, which is not installed")
    monkeypatch.syspath_prepend(str(EXAMPLES / "learning"))
    example = __import__("alphazero")
    for name, number in {"GAMES": 8, "SEARCHED": 4, "MOVES": 40, "CHANNELS": 4, "BATCH": 8}.items():
        monkeypatch.setattr(example, name, number)
    log = tmp_path / "log.tsv"
    tiny = "--minutes 0.001 --every 0.001 --games 2 --last 2 --batches 2 --log"
    monkeypatch.setattr(sys, "argv", ["alphazero.py", *tiny.split(), str(log)])
    example.main()
    with log.open(encoding="utf-8", newline="") as file:
        first, *_, last = csv.DictReader(file, delimiter="\t")
    assert (first["games"], float(first["loss"])) == ("0", 0)
    assert int(last["games"]) > 0
    assert float(last["loss"]) > 0
    assert 0 <= float(last["points"]) <= 100


def test_the_curve_has_a_dot_for_each_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES / "learning"))
    rows = [{"minutes": str(m), "points": str(20 * m)} for m in range(5)]
    assert __import__("curve").curve(rows).count("<circle") == 5
