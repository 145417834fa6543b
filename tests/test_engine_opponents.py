"""`alfil play --opponent COMMAND`: other programs play, and what goes wrong with them is told."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import alfil
from alfil.cli.app import run
from alfil.exchange.engines import Engine, EngineError
from alfil.records import load_match

OURS = f"{shlex.quote(sys.executable)} -m alfil engine"


def script(*lines: str) -> str:
    """A program that says lines, each when it is told one more, and then listens."""
    body = "import sys\n"
    for line in lines:
        body += f"input(); print({line!r}, flush=True)\n"
    return shlex.join([sys.executable, "-u", "-c", body + "sys.stdin.read()"])


@pytest.mark.parametrize("protocol", ["", "uci:", "usi:", "cecp:"])
def test_an_engine_is_played_in_every_protocol(protocol: str) -> None:
    library = alfil.load("minishogi")
    game = library.game()
    engine = Engine(f"{protocol}{OURS} minishogi", library.variant)
    for _ in range(2):
        game.push(engine.choose(game, 0.1))
        game.push(game.legal_moves[0])
    engine.close()
    assert len(game.moves) == 4


def test_an_engine_is_told_the_position_that_a_game_began_with() -> None:
    library = alfil.load("minishogi")
    for protocol in ("uci", "usi", "cecp"):
        game = library.game("4k/5/4P/5/K4 b GG 1")
        engine = Engine(f"{protocol}:{OURS} minishogi", library.variant)
        move = engine.choose(game, 1.0)
        engine.close()
        assert str(move) == "G*1b"


def test_castling_rights_are_no_hindrance() -> None:
    library = alfil.load("chess")
    engine = Engine(f"{OURS} chess", library.variant)
    game = library.game("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1")
    assert engine.choose(game, 0.1) in game.legal_moves
    engine.close()


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("uci:/no/such/program", "cannot be started"),
        ("uci:", "cannot be started"),
        ("uci:'", "cannot be started"),
        ("uci:" + shlex.join([sys.executable, "-c", "raise SystemExit(3)"]), "with code 3"),
        ("uci:" + script("hello"), "does not answer to uci"),
    ],
)
def test_a_program_that_is_no_engine_is_told(command: str, why: str) -> None:
    with pytest.raises(EngineError, match=why) as caught:
        Engine(command, alfil.load("minishogi").variant, patience=3.0)
    assert caught.value.kind == "engine-failed"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (["uciok", "", "bestmove a1a5"], "played a1a5, which is no legal move"),
        (["uciok", "", "bestmove"], "which is no legal move"),
        (["uciok"], "has said nothing"),
    ],
)
def test_an_engine_that_does_not_play_is_told(lines: list[str], why: str) -> None:
    library = alfil.load("minishogi")
    engine = Engine("uci:" + script(*lines), library.variant, patience=3.0)
    engine._patience = 0.2  # silence is a matter of this only
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
