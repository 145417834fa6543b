"""The words that docs/glossary.md rules out occur in no documentation and in no help."""

import re
from pathlib import Path

import click
import pytest

from alfil.cli.app import alfil  # the command itself
from inside import COMMANDS

PROJECT = Path(__file__).parents[1]
ROW = re.compile(r"^\| (?!word |---)[^|]+\|[^|]*\| ([^|]*)\|$", re.MULTILINE)
# What was written before there was a glossary, and pages that programs make of their messages.
KEPT = {"history.md", "hand_shogi.md", "scoreboard.md", "cheat_sheet.md"}
DOCS = (
    *(PROJECT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *(path for path in sorted((PROJECT / "docs").rglob("*.md")) if path.name not in KEPT),
)


def unused() -> set[str]:
    """The words in code in the last column of the tables."""
    text = (PROJECT / "docs" / "glossary.md").read_text(encoding="utf-8")
    return {word for cell in ROW.findall(text) for word in re.findall(r"`([^`]+)`", cell)}


def ruled_out(text: str) -> list[str]:
    """The words of a text that are ruled out, with what is around them."""
    words = "|".join(re.escape(word) for word in sorted(unused(), key=len, reverse=True))
    return re.findall(rf"(?i)\b.{{0,30}}\b(?:{words})\b(?! for).{{0,20}}", " ".join(text.split()))


def prose(path: Path) -> str:
    """A page without its code, comments, addresses and generated tables."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"<!-- (losses|figures): .*?<!-- end of \1 -->", "", text, flags=re.DOTALL)
    code = r"^    .*$|^(?:#|:::).*$|`[^`]*`|<!--.*?-->|<a .*?>|\]\([^)]*\)"
    return re.sub(code, "", text, flags=re.MULTILINE)


def test_the_glossary_rules_out_words() -> None:
    assert {"finding", "set-up", "goes on", "compiled core", "first side"} <= unused()


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_pages_use_the_words_of_the_glossary(path: Path) -> None:
    assert not ruled_out(prose(path))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_uses_the_words_of_the_glossary(name: str) -> None:
    command = alfil.get_command(click.Context(alfil), name)
    assert command
    helps = [getattr(each, "help", None) or "" for each in command.params]
    assert not ruled_out("\n".join([command.help or "", *helps]))
