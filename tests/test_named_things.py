"""What the help, the errors and the pages name exists: commands, options, paths and goals."""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from alfil.cli.app import COMMANDS, alfil  # the command itself
from alfil.cli.documentation import topics  # what `alfil docs` shows

PROJECT = Path(__file__).parents[1]
PAGES = (  # the changelog names what there was
    *(PROJECT / name for name in ("README.md", "CONTRIBUTING.md")),
    *(path for path in sorted((PROJECT / "docs").rglob("*.md")) if path.name != "history.md"),
)
FENCES = re.compile(r"^```(?:console|sh)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FOLDERS = "src|docs|tests|grammars|benchmarks|conformance|glyphs|pieces"
NAMED = re.compile(rf"(?<![\w/.])((?:{FOLDERS})/[\w./*\[\]-]*[\w/*])")
ADDRESS = re.compile(r"\]\([^)]*\)|https?://\S+|<!--[^>]*-->")


def commands(text: str) -> Iterator[list[str]]:
    """The calls of alfil in a page: in code, in blocks, and in lines set in."""
    spans = [" ".join(span.split()) for span in re.findall(r"`(alfil [^`]+)`", text)]
    lines = [
        line.removeprefix("$ ") for block in FENCES.findall(text) for line in block.split("\n")
    ]
    lines += re.findall(r"^    (?:\S.* \| )?(alfil \S.*)$", text, re.MULTILINE)
    for each in (*spans, *lines):
        if each.startswith("alfil "):
            yield each.split(" #")[0].split()[1:]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_commands_and_options_of_the_pages_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name, *words in commands(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)):
        if name.startswith("-"):
            assert name in {"--help", "--version", "-h"}
            continue
        assert name in COMMANDS, name
        options = {option for each in parameters(name) for option in each.opts}
        used = {word.strip("'\",;").split("=")[0] for word in words if word.startswith("--")}
        assert used - {"--", "--help"} <= options, name


def parameters(name: str) -> list[click.Parameter]:
    """The parameters of a command."""
    command = alfil.get_command(click.Context(alfil), name)
    assert command
    return command.params


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_paths_and_goals_of_the_pages_exist(page: Path) -> None:
    text = re.sub(r"^```diff.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    text = ADDRESS.sub(" ", text).replace("\\*", "*")
    for named in NAMED.findall(text):
        assert list(PROJECT.glob(named.rstrip("/"))), named
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    goals = set(re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[0].split())
    assert {goal.split()[0] for goal in re.findall(r"`make ([a-z-]+)", text)} <= goals


def said_to_users() -> dict[str, str]:
    """The texts that whoever installs the package sees, by where they are from."""
    texts = {path.name: path.read_text("utf-8") for path in (PROJECT / "grammars").glob("*.tsv")}
    texts |= {
        f"docs/errors/{path.name}": path.read_text("utf-8")
        for path in (PROJECT / "docs" / "errors").glob("*.md")
    }
    for name in COMMANDS:
        command = alfil.get_command(click.Context(alfil), name)
        assert command
        helps = [getattr(each, "help", None) or "" for each in command.params]
        texts[f"alfil {name}"] = "\n".join([command.help or "", *helps])
    return texts


def test_what_users_are_told_to_look_at_is_on_the_site_or_in_the_package() -> None:
    """Pages of the site are those in docs/; a package has grammars and pieces besides."""
    site = (PROJECT / "mkdocs.yml").read_text(encoding="utf-8")
    for where, text in said_to_users().items():
        for named in NAMED.findall(ADDRESS.sub(" ", text)):
            folder, _, name = named.partition("/")
            assert (PROJECT / named).exists(), f"{where}: {named}"
            assert folder in {"grammars", "pieces"} or f" {name}\n" in site, f"{where}: {named}"
            assert folder != "docs" or name.removesuffix(".md") in topics(), f"{where}: {named}"
