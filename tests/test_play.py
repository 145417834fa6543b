"""`alfil play`: a match in a real terminal, killed and gone on with, and games read from a pipe."""

import io
import sys
from pathlib import Path

import pytest

import alfil
from alfil.cli.app import run
from terminal import Terminal

needs_terminal = pytest.mark.skipif(sys.platform == "win32", reason="no such terminals")
Capture = pytest.CaptureFixture[str]
Patch = pytest.MonkeyPatch

# A game that ends in mate: the tycoon's drop, guarded by the pard.
MATE = ("PD-5f", "SH*1e", "G-8h", "S*1a", "L*3g", "PD-3d", "PDx3d", "N*2c", "T*5b")
BLACK, WHITE = "black> ", "white> "


def typed(
    lines: str, *arguments: str, patch: Patch, folder: Path, capsys: Capture
) -> tuple[int, str, str]:
    """The exit code and both outputs of `alfil play` with lines that come from a pipe."""
    patch.chdir(folder)
    patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    code = run(["play", *arguments])
    out, err = capsys.readouterr()
    return code, out, err


@needs_terminal
def test_a_match_is_played_killed_gone_on_with_and_replayed(tmp_path: Path) -> None:
    record = tmp_path / "match.alfil"
    people = ("--player", "Ada", "--player", "Grace", "--save", "match.alfil")
    with Terminal("play", "hand_shogi", *people, folder=tmp_path) as terminal:
        welcome = terminal.until(f"1. {BLACK}")
        assert "T tycoon: reconstruction: the original move is lost; see docs" in welcome
        assert "game 1: black is Ada, white is Grace" in welcome
        for number, move in enumerate(MATE[:5]):
            side, other = ("black", WHITE) if number % 2 == 0 else ("white", BLACK)
            shown = terminal.say(move, other)
            assert f"{side}: {move}" in shown
            assert alfil.load_match(record, recover=True).round.texts == list(MATE[: number + 1])
        terminal.kill()
    with pytest.raises(alfil.RecordError, match="record-breaks-off"):
        alfil.load_match(record)
    with record.open("ab") as torn:
        torn.write(b" PD-")  # as far as the disk got
    with Terminal("play", "--resume", "match.alfil", folder=tmp_path) as terminal:
        assert "left out at the end of the record" in terminal.until(f"3. {WHITE}")
        for number, move in enumerate(MATE[5:-1]):
            terminal.say(move, BLACK if number % 2 == 0 else WHITE)
        shown = terminal.say(MATE[-1], f"1. {BLACK}")
        assert "game 1: black wins by mate (Ada)" in shown
        assert "wins in a row: Ada 1, Grace 0" in shown
        assert "game 2: black is Grace, white is Ada" in shown
        terminal.say("SO-6f", WHITE)
        terminal.say("SO-4d", BLACK)
        os_end = terminal.say("resign", "Ada wins the match")
        assert "game 2: white wins by resignation (Ada)" in os_end
        assert terminal.end()[0] == 0
    session = alfil.load_match(record)
    assert [each.texts for each in session.rounds] == [list(MATE), ["SO-6f", "SO-4d"]]
    assert session.match.winner == 1
    replay = alfil.load("hand_shogi").game()
    for move in session.rounds[0].texts:
        replay.push(move)
    outcome = replay.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == ("b", "mate")


@needs_terminal
def test_ctrl_c_leaves_a_saved_game(tmp_path: Path) -> None:
    with Terminal("play", "minishogi", "--save", "kept.alfil", folder=tmp_path) as terminal:
        terminal.until(BLACK)
        terminal.say("P-5c", WHITE)
        terminal.press(b"\x03")
        code, shown = terminal.end()
    assert code == 130
    assert "to go on: alfil play --resume kept.alfil" in shown
    assert "alfil: interrupted" in shown
    assert alfil.load_match(tmp_path / "kept.alfil").round.texts == ["P-5c"]


@needs_terminal
def test_colours_are_for_terminals_that_have_them(tmp_path: Path) -> None:
    with Terminal("play", "chess", "--no-save", folder=tmp_path, TERM="xterm") as terminal:
        shown = terminal.until("white> ")
        assert "\x1b[36m r \x1b[0m" in shown
        assert "<" not in shown
        shown = terminal.say("e2", "white> ")
        assert "\x1b[32m<.>\x1b[0m" in shown
    with Terminal("play", "chess", "--no-save", folder=tmp_path, NO_COLOR="1") as terminal:
        assert "\x1b[3" not in terminal.until("white> ")
    assert list(tmp_path.iterdir()) == []


def test_piped_play_is_the_same_each_time(
    tmp_path: Path, monkeypatch: Patch, capsys: Capture
) -> None:
    lines = "1d1c\nundo\n5d5c\nquit\n"
    known = {"patch": monkeypatch, "folder": tmp_path, "capsys": capsys}
    code, out, err = typed(lines, "minishogi", "--save", "a.alfil", "--ascii", **known)
    assert (code, err) == (0, "")
    assert out == GOLDEN
    assert typed(lines, "minishogi", "--save", "b.alfil", "--ascii", **known)[1] == out.replace(
        "a.alfil", "b.alfil"
    )


GOLDEN = """
"""
