"""`alfil play --opponent COMMAND`: other programs play, and what goes wrong with them is told."""

from __future__ import annotations

import shlex
import sys
from itertools import count
from pathlib import Path

import pytest

import alfil
from alfil.cli.app import run
from alfil.exchange import engine_client  # its clock
from alfil.exchange.engine_client import EngineClient, EngineError
from alfil.records import load_match

# For what is said some time, and for what is never said.
LONG, SHORT = 120.0, 0.2
OURS = f"{shlex.quote(sys.executable)} -m alfil engine"


def script(*lines: str) -> str:
    """A program that says lines, each when it is told one more, and then listens."""
    body = "import sys\n"
    for line in lines:
        body += f"input(); print({line!r}, flush=True)\n"
    return shlex.join([sys.executable, "-u", "-c", body + "sys.stdin.read()"])


@pytest.mark.parametrize("protocol", ["", "usi:", "cecp:"])
def test_an_engine_plays_from_the_start_and_from_a_position(protocol: str) -> None:
    library = alfil.load("minishogi")
    game = library.game()
    engine = EngineClient(f"{protocol}{OURS} minishogi", library.variant, patience=LONG)
    game.push("1e1d")
    game.push(engine.choose(game, 0.05))  # an illegal move raises
    mate = engine.choose(library.game("4k/5/4P/5/K4 b GG 1"), 0.2)
    engine.close()
    assert str(mate) == "G*1b"


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("uci:/no/such/program", "cannot be started"),
        ("uci:", "cannot be started"),
        ("uci:'", "cannot be started"),
        ("uci:" + script("hello"), "does not answer to uci"),
    ],
)
def test_a_program_that_is_no_engine_is_told(command: str, why: str) -> None:
    with pytest.raises(EngineError, match=why) as caught:
        EngineClient(command, alfil.load("minishogi").variant, patience=SHORT)
    assert caught.value.kind == "engine-failed"


def test_a_program_that_never_stops_talking_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The clock here advances whenever somebody looks at it."""
    ticks = count()
    monkeypatch.setattr(engine_client, "monotonic", lambda: next(ticks) / 100)
    talk = "print('uciok'); print('info\\n' * 20_000 + 'bestmove 1e1d')"
    command = "uci:" + shlex.join([sys.executable, "-c", talk])
    library = alfil.load("minishogi")
    engine = EngineClient(command, library.variant, patience=LONG)
    with pytest.raises(EngineError, match="has not moved"):
        engine.choose(library.game(), 1)
    engine.close()


def test_a_program_that_ends_is_told_with_its_code() -> None:
    command = "uci:" + shlex.join([sys.executable, "-c", "raise SystemExit(3)"])
    with pytest.raises(EngineError, match="has ended, with code 3"):
        EngineClient(command, alfil.load("minishogi").variant, patience=LONG)


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["uciok", "", "bestmove a1a5"], "played a1a5, which is no legal move"),
        (["uciok", "", "bestmove"], "which is no legal move"),
        (["uciok"], "has not moved"),
    ],
)
def test_an_engine_that_does_not_play_is_told(lines: list[str], why: str) -> None:
    library = alfil.load("minishogi")
    engine = EngineClient("uci:" + script(*lines), library.variant, patience=LONG)
    engine._patience = SHORT if "not moved" in why else LONG
    with pytest.raises(EngineError, match=why):
        engine.choose(library.game(), 0.1)
    engine.close()


def test_the_record_is_kept_when_an_engine_dies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = ["uciok", "", "bestmove a5a4", "", "bestmove xx"]
    call = ["play", "minishogi", "--opponent", "uci:" + script(*lines), "--save", "match.alfil"]
    typed = tmp_path / "typed"
    typed.write_text("1e1d\n2e3d\n")
    with typed.open() as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert run([*call, "--no-board"]) == 1
    assert "engine-failed" in capsys.readouterr().out
    session = load_match("match.alfil")
    assert [str(move) for move in session.game.moves] == ["1e1d", "5a5b", "2e3d"]


def test_a_word_that_is_no_program_is_no_opponent(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["play", "minishogi", "--no-save", "--opponent", "simpel"]) == 2
    assert "simpel is not human, simple" in capsys.readouterr().err
