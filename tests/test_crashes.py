"""`alfil play` killed at everything it does to files: no move that was answered is lost."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest

import alfil
from alfil import Session
from crashing import Counter, in_child
from inside import run
from strategies import NIGHTLY

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")

RUNS = 1_000 if NIGHTLY else 15
LENGTH = 6
PROMPT = re.compile(r"^[0-9]+\. \w+> ", re.MULTILINE)
GAMES = ("minishogi", "los_alamos", "dobutsu")


def script(name: str, chance: random.Random) -> tuple[list[str], list[list[str]]]:
    """What is typed, and the moves that are made after each line of it; some are taken back."""
    session = Session(alfil.load(name).variant)
    lines: list[str] = []
    after: list[list[str]] = [[]]
    while len(lines) < LENGTH and not session.game.outcome():
        if session.round.texts and chance.random() < 0.2:
            session.pop()
            lines.append("undo")
        else:
            session.push(chance.choice(session.game.legal_moves))
            lines.append(session.round.texts[-1])
        after.append(list(session.round.texts))
    return lines, after


def play(folder: Path, lines: list[str], *arguments: str, fatal: int) -> tuple[int, int]:
    """Type lines into `alfil play`; how it ended, and how many of them were answered.

    A line is answered when the next prompt is shown.
    """
    shown = folder / "shown"

    def job() -> None:
        counter = Counter(fatal)
        counter.arm()
        try:
            run(["play", *arguments, "--no-board", "--single"])
        finally:
            print(f"\nsteps {counter.done}", flush=True)  # noqa: T201

    code = in_child(job, shown, "".join(f"{line}\n" for line in lines))
    said = shown.read_text(encoding="utf-8")
    if code == 0:
        return int(said.rpartition("steps ")[2]), len(lines)
    assert code == -9, said
    return code, max(len(PROMPT.findall(said)) - 1, 0)


def test_no_answered_move_is_lost(tmp_path: Path) -> None:
    """Killed once in each of many matches, at all kinds of places, and gone on with after."""
    chance, died, tried = random.Random("crashes"), 0, dict[str, int]()
    for number in range(RUNS):
        folder = tmp_path / str(number)
        folder.mkdir()
        name = GAMES[number % len(GAMES)]
        if name not in tried:
            (folder / "whole").mkdir()
            whole = ["--save", str(folder / "whole" / "m.alfil")]
            lines, _ = script(name, random.Random(name))
            tried[name], _ = play(folder / "whole", lines, name, *whole, fatal=0)
        lines, after = script(name, chance)
        path = folder / "m.alfil"
        fatal = 1 + chance.randrange(tried[name])
        code, answered = play(folder, lines, name, "--save", str(path), fatal=fatal)
        if code > 0:
            continue
        died += 1
        begun = path.exists()
        assert begun or not answered
        kept = alfil.records.load_match(path, recover=True).round.texts if begun else []
        # The line that it was killed in may be on the disk before it is answered.
        assert kept in after[answered : answered + 2], (number, fatal)
        if begun:
            gone_on(folder, path, lines[after[answered:].index(kept) + answered :], after[-1])
    assert died > RUNS * 0.7


def gone_on(folder: Path, path: Path, lines: list[str], moves: list[str]) -> None:
    """The match is resumed and played to the end; then its record is whole."""
    (folder / "shown").unlink()
    play(folder, lines, "--resume", str(path), fatal=0)
    assert alfil.records.load_match(path).round.texts == moves


def test_every_place_of_one_match(tmp_path: Path) -> None:
    """As above, at one place after the other."""
    lines, after = script("dobutsu", random.Random("one"))
    (tmp_path / "0").mkdir()
    places, _ = play(tmp_path / "0", lines, "dobutsu", "--save", str(tmp_path / "0.alfil"), fatal=0)
    assert places > 8 * LENGTH
    for fatal in range(1, places + 1) if NIGHTLY else range(1, places + 1, 7):
        folder = tmp_path / str(fatal)
        folder.mkdir()
        path = folder / "m.alfil"
        code, answered = play(folder, lines, "dobutsu", "--save", str(path), fatal=fatal)
        assert code == -9
        kept = alfil.records.load_match(path, recover=True).round.texts if path.exists() else []
        assert kept in after[answered : answered + 2], fatal
