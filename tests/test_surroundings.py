"""The same answers of every Python here, optimised or not, in any locale, without extras."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
import lark
import pytest

import alfil
from inside import run

SOURCE = Path(alfil.__file__).parents[1]
# Answers of every part, with what a surrounding could change: the order of sets, signs beyond
# ASCII, docstrings, asserts, files in text.
SCRIPT = """
import hashlib, io, json, os, sys
for name in {missing}:
    sys.modules[name] = None
import alfil
from alfil.cli.app import run
class Out(io.TextIOWrapper):
    def __init__(self):
        super().__init__(io.BytesIO(), "utf-8", newline="")
    def told(self):
        self.flush()
        return self.buffer.getvalue().decode()
def said(*arguments):
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = out = Out()
    try:
        code = run(list(arguments))
    finally:
        sys.stdout, sys.stderr = before
    return code, out.told()
game = alfil.load("los_alamos").game()
for text in ("P-e3", "P-a4", "N-c3"):
    game.push(text)
shown = [
    said("show", "[F?R]fmWfceFifmnD"),
    said("show", "--from", "hasinu", "1×4dD &t45° n4dO & rpg(n8d)"),
    said("check", "--from", "hasinu", "1×4dD &t45 n4dX"),
    said("check", "fE", "lame"),
    said("translate", "--to", "hasinu", "gQN"),
    said("diagram", "KNAD", "-f", "svg"),
    said("explain", "y"),
    said("--help"),
    [str(move) for move in game.legal_moves],
    game.position_text(),
    game.perft(2),
    alfil.difference("afsK", "N").arguments(),
    alfil.compile("KNADcaKmcabK", files=5, ranks=5).to_json(),
    sorted(each.name for each in alfil.search("FyafsF")),
    alfil.records.write_games(
        alfil.Session(alfil.load("shogi").variant, ("Ādā", "竜"), date="2026"), "kif"
    ),
]
print(hashlib.sha256(json.dumps(shown, default=sorted).encode()).hexdigest())
"""


@cache
def answers(
    python: str, switch: str, environment: tuple[tuple[str, str], ...], missing: str
) -> str:
    """What the script says in a surrounding."""
    libraries = [str(Path(module.__file__ or "").parents[1]) for module in (lark, click)]
    path = os.pathsep.join([str(SOURCE), *libraries])
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    settings = {**kept, "PYTHONPATH": path, **dict(environment)}
    script = SCRIPT.replace("{missing}", missing).encode()
    command = [python, *switch.split(), "-"]
    done = subprocess.run(command, input=script, env=settings, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    assert done.stderr == b""
    return done.stdout.decode("ascii")


SURROUNDINGS = {
    "asserts left out": ("-O", (), "[]"),
    "another order of hashes": ("", (("PYTHONHASHSEED", "77"),), "[]"),
    "plain C": ("", (("LC_ALL", "C"), ("PYTHONUTF8", "0"), ("PYTHONCOERCECLOCALE", "0")), "[]"),
    "nothing but Python": ("", (), "['fcntl', 'resvg_py', 'numpy', 'curses', 'pty']"),
}


@pytest.mark.parametrize("name", SURROUNDINGS)
def test_the_same_answers(name: str) -> None:
    switch, environment, missing = SURROUNDINGS[name]
    usual = answers(sys.executable, "", (("PYTHONHASHSEED", "0"),), "[]")
    assert answers(sys.executable, switch, environment, missing) == usual


PYTHONS = {"3.11", "3.12", "3.13", "3.14"} - {".".join(map(str, sys.version_info[:2]))}


@pytest.mark.parametrize("version", sorted(PYTHONS))
def test_the_same_answers_of_another_python(version: str) -> None:
    python = python_of(version)
    if python is None:
        pytest.skip(f"there is no Python {version} here")
    usual = answers(sys.executable, "", (("PYTHONHASHSEED", "0"),), "[]")
    assert answers(python, "", (), "[]") == usual


def python_of(version: str) -> str | None:
    """A Python of that version that works, of the system or of pyenv; None if there is none."""
    versions = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser() / "versions"
    found = [shutil.which(f"python{version}"), *versions.glob(f"{version}.*/bin/python{version}")]
    for each in filter(None, found):
        if not subprocess.run([each, "-c", ""], capture_output=True, check=False).returncode:
            return str(each)
    return None


CRLF = str.maketrans({"\n": "\r\n"})
FILES = {
    "piece file": ("pieces/dobutsu.pieces", lambda text: alfil.loads(text).variant),
    "record": ("tests/cases/records/match.alfil", alfil.records.read_match),
    "variants": ("tests/cases/hand_shogi_like.ini", alfil.check_ini),
}


@pytest.mark.parametrize("kind", FILES)
def test_windows_ends_of_lines(kind: str) -> None:
    name, read = FILES[kind]
    text = (SOURCE.parent / name).read_text(encoding="utf-8")
    assert repr(read(text.translate(CRLF))) == repr(read(text))


def test_a_path_of_windows_before_the_code_of_a_piece(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Elsewhere the name of a file may look like a drive and a folder."""
    monkeypatch.chdir(tmp_path)
    Path("C:\\x.pieces").write_bytes(b'board 3x3\r\npiece U "unit" betza=fW\r\n')
    assert run(["moves", "C:\\x.pieces:U"]) == 0
    assert capsys.readouterr().out == "0,1\n"
    assert run(["show", "C:\\y.pieces:U"]) == 2
    assert "there is no such file" in capsys.readouterr().err
