"""Colours of piece files and notations, in editors and on web pages."""

import json
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, String, Token

from alfil.highlighting import rules_by_context  # what patterns there are, no lexer tells

PROJECT = Path(__file__).parents[1]
EXTENSION = PROJECT / "editors" / "vscode"


def test_the_grammar_for_editors_is_up_to_date() -> None:
    script = runpy.run_path(str(PROJECT / "editors" / "textmate.py"))
    assert script["KEPT"].read_text("utf-8") == script["made"](), "run: make docs"


def test_patterns_have_a_name_for_each_group() -> None:
    for rules in rules_by_context().values():
        for rule in rules:
            groups = re.compile(rule.pattern).groups
            assert groups == (0 if len(rule.groups) == 1 else len(rule.groups)), rule


def coloured(text: str, lexer: str = "pieces") -> list[tuple[object, str]]:
    tokens = get_lexer_by_name(lexer).get_tokens(text)
    return [(kind, sign) for kind, sign in tokens if sign.strip()]


def test_a_line_is_coloured_by_what_its_words_are() -> None:
    line = 'piece N "piece # 1" betza=ffN hasinu="j(1×4dO)" kanji=桂馬 forced  # betza=N'
    kinds = {sign: kind for kind, sign in coloured(line)}
    assert kinds["piece"] is Keyword
    assert kinds['"piece # 1"'] is String
    assert kinds["betza"] is kinds["kanji"] is Name.Attribute
    assert kinds["ff"] is Name.Variable
    assert kinds["N"] is Name.Class
    assert kinds["j"] is Name.Function
    assert kinds["桂馬"] is String.Other
    assert kinds["forced"] is Keyword.Pseudo
    assert kinds["# betza=N"] is Comment.Single


def test_all_of_the_bundled_pieces_has_a_colour() -> None:
    """No character is an error, and no quote or comment runs on to the next line."""
    for path in sorted((PROJECT / "pieces").glob("*.pieces")):
        text = path.read_text("utf-8")
        tokens = [*get_lexer_by_name("pieces").get_tokens(text, unfiltered=True)]
        assert "".join(sign for _, sign in tokens).strip() == text.strip()
        assert not [sign for kind, sign in tokens if kind in Token.Error]
        for kind, sign in tokens:
            assert "\n" not in sign or not sign.strip(), (path.name, kind, sign)


@pytest.mark.parametrize(
    ("lexer", "text", "functions"),
    [
        ("betza", "FyafsF", []),
        ("hasinu", "j(2×4dO) & royal()", ["j", "royal"]),
        ("parlett", "n+", []),
    ],
)
def test_notations_have_lexers(lexer: str, text: str, functions: list[str]) -> None:
    tokens = coloured(text, lexer)
    assert "".join(sign for _, sign in tokens) == text.replace(" ", "")
    assert [sign for kind, sign in tokens if kind is Name.Function] == functions


@pytest.mark.skipif(
    not (shutil.which("node") and (EXTENSION / "node_modules" / "vscode-textmate").is_dir()),
    reason="needs Node.js, and npm install in editors/vscode",
)
def test_the_library_of_the_editor_reads_the_grammar() -> None:
    made = subprocess.run(
        ["node", "--test", "test/"], cwd=EXTENSION, capture_output=True, text=True, check=False
    )
    assert made.returncode == 0, made.stdout


def test_the_extension_has_the_files_that_it_names() -> None:
    package = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    parts = package["contributes"]
    names = [package["main"], parts["languages"][0]["configuration"], parts["grammars"][0]["path"]]
    assert [name for name in names if not (EXTENSION / name).is_file()] == []
    configuration = (EXTENSION / "language-configuration.json").read_text("utf-8")
    word = re.compile(json.loads(configuration)["wordPattern"])
    assert word.findall("promotes=+N,G") == ["promotes", "+N", "G"]
