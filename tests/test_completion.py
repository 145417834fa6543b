"""Completion in a real shell, and the manual page."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import man_page
import pytest
from click.shell_completion import get_completion_class

import alfil.cli.completion
from alfil.cli.app import alfil  # the command itself

PROJECT = Path(__file__).parents[1]
# A line that is typed, and what bash makes of its last word.
TYPED = {
    "alfil transl": "translate",
    "alfil show griff": "griffon",
    "alfil show xiangqi : G": "G",
    "alfil diagram N -f svg,p": "svg,png",
    "alfil diagram N --theme wi": "wikipedia",
    "alfil explain unknown-at": "unknown-atom",
    "alfil position minish": "minishogi",
    "alfil show N --dialect class": "classic",
    "alfil diagram N -f svg,sv": "",
    "alfil check minis": "minishogi minister minister.pieces",
}
# As bash calls the function of a command: with the words, of which a colon is one.
ASK = """
eval "$(alfil completion bash)"
while read -r -a COMP_WORDS; do
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    _alfil_completion alfil
    echo "${COMPREPLY[*]}"
done
"""


@pytest.mark.skipif(not shutil.which("bash"), reason="there is no bash")
def test_bash_completes_commands_pieces_formats_and_kinds(tmp_path: Path) -> None:
    command = tmp_path / "alfil"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m alfil "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    path = os.pathsep.join([str(tmp_path), os.environ["PATH"]])
    env = {**os.environ, "PATH": path, "PYTHONPATH": str(PROJECT / "src")}
    (tmp_path / "minister.pieces").touch()
    lines = "".join(f"{line}\n" for line in TYPED)
    done = subprocess.run(
        ["bash", "-c", ASK],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
        env=env,
        cwd=tmp_path,
    )
    assert done.stdout.splitlines() == [*TYPED.values()]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
@pytest.mark.parametrize("words", ["record s", "play ./o", "fmt x", "diagram N -o x", "show s.pi"])
def test_shells_complete_files_where_nothing_else_fits(shell: str, words: str) -> None:
    *typed, last = words.split()
    completion = get_completion_class(shell)
    assert completion
    found = completion(alfil, {}, "alfil", "_ALFIL_COMPLETE").get_completions(typed, last)
    assert [(each.type, each.value) for each in found] == [("file", last)]


def test_the_manual_page_is_made_of_the_help() -> None:
    assert man_page.PAGE.read_text(encoding="utf-8") == man_page.manual()
