"""Completion in a real shell, and the manual page."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import man_page
import pytest

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
    lines = "".join(f"{line}\n" for line in TYPED)
    done = subprocess.run(
        ["bash", "-c", ASK], input=lines, capture_output=True, text=True, check=True, env=env
    )
    assert done.stdout.splitlines() == [*TYPED.values()]


def test_the_manual_page_is_made_of_the_help() -> None:
    assert man_page.PAGE.read_text(encoding="utf-8") == man_page.manual()
