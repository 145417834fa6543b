"""The words that docs/glossary.md rules out occur in no documentation, help, message or hint."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from alfil.cli.app import alfil  # the command itself
from inside import COMMANDS

PROJECT = Path(__file__).parents[1]
SOURCE = PROJECT / "src" / "alfil"
ROW = re.compile(r"^\| (?!word |---)[^|]+\|[^|]*\| ([^|]*)\|$", re.MULTILINE)
# What was written before there was a glossary, and a page that is made of descriptions of moves.
KEPT = {"history.md", "cheat_sheet.md"}
DOCS = (
    *(PROJECT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *(path for path in sorted((PROJECT / "docs").rglob("*.md")) if path.name not in KEPT),
)
TABLES = (*sorted((PROJECT / "grammars").glob("*.tsv")), SOURCE / "engine" / "rules.tsv")
# Texts in these calls, or bound to these names, are read by people.
CALLS = re.compile(
    r"reject|warn|error|Error|Diagnostic|BadParameter|Exception|Spelled|loss|lost|ignored"
)
NAMES = {"message", "hint", "words", "what", "why"}


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


def messages(path: Path) -> Iterator[str]:
    """The texts of a module that are messages, hints and losses."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if CALLS.search(name):
                yield from texts(node)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in NAMES:
                yield from texts(value)
            case ast.Raise(exc=ast.expr() as raised):
                yield from texts(raised)
            case ast.keyword(arg=str(name), value=value) if name in NAMES:
                yield from texts(value)


def texts(node: ast.AST) -> Iterator[str]:
    """The literals in an expression that have a blank; other ones are kinds and names."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str) and " " in each.value:
            yield each.value


def test_messages_of_the_source_use_the_words_of_the_glossary() -> None:
    found = {
        f"{path.relative_to(SOURCE)}: {each}"
        for path in sorted(SOURCE.rglob("*.py"))
        for text in messages(path)
        for each in ruled_out(text)
    }
    assert not found


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.name)
def test_messages_of_the_tables_use_the_words_of_the_glossary(path: Path) -> None:
    lines = re.sub(r"rule \S+ =", "", path.read_text(encoding="utf-8")).splitlines()
    # Behind key and kind; the sentences of rules pages are in lines with a heading.
    rows = [line.split("\t")[2:] for line in lines if not line.startswith("##")]
    cells = [cell for row in rows for cell in row]
    assert not [each for cell in cells for each in ruled_out(cell)]
