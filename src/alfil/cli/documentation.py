"""`alfil docs`: the documentation that is part of the package."""

from __future__ import annotations

import re

import click

import alfil
from alfil.cli.input_output import as_json, print_answer, print_line
from alfil.cli.options import completion_function, is_json_asked, json_option
from alfil.data_files import data_file_names, read_data
from alfil.errors import did_you_mean
from alfil.frozen_dataclasses import NamedTuple
from alfil.source import align_columns

FOLDERS = ("data", "data/howto", "data/errors")
# Files that a page names and a program uses as they are: schemas and example readers.
SUFFIXES = (".md", ".json", ".js", ".c", ".rs", ".go")
# Of a checkout, what makes pages and what no package has.
EXCLUDED_PAGES = frozenset({"history.md"})


class Topic(NamedTuple):
    """A file of the documentation; the name of a page has no ending."""

    name: str
    folder: str
    file: str

    @property
    def text(self) -> str:
        """What is in it: of a page without comments, and with what the site puts in for a name."""
        text = read_data(self.folder, self.file)
        if not self.file.endswith(".md"):
            return text
        text = re.sub(r"<!--.*?-->\n*", "", text, flags=re.DOTALL)
        return re.sub(
            r"^::: alfil\.(\w+)\n(?: .*\n)?", _docstring_summary_item, text, flags=re.MULTILINE
        )

    @property
    def title(self) -> str:
        """The heading of a page, the name of any other file."""
        first = self.text.partition("\n")[0]
        return first.removeprefix("# ") if self.file.endswith(".md") else self.file


def _docstring_summary_item(match: re.Match[str]) -> str:
    """A public name with the first sentence of its docstring, as an item of a list."""
    sentence, _, _ = str(getattr(alfil, match[1]).__doc__).partition("\n\n")
    return f"- `alfil.{match[1]}`: {sentence}\n"


def topics() -> dict[str, Topic]:
    """All topics by name; pages of a folder in it have its name before theirs."""
    result = {}
    for folder in FOLDERS:
        inside = folder.removeprefix("data").removeprefix("/")
        for file in sorted(data_file_names(folder)):
            if file.endswith(SUFFIXES) and file not in EXCLUDED_PAGES:
                name = f"{inside}/{file}".removeprefix("/").removesuffix(".md")
                result[name] = Topic(name, folder, file)
    return result


@click.command("docs")
@click.argument("topic", required=False, shell_complete=completion_function("topics"))
@json_option()
def docs_command(*, topic: str | None) -> int:
    """Print a page of the documentation, or list all pages.

    Pages are Markdown; schemas and example readers are printed as they are. TOPIC may also be the
    path by which another page links to it.
    """
    known = topics()
    if topic is None:
        found = known.values()
        print_answer(
            lambda: [{"topic": each.name, "title": each.title} for each in found],
            align_columns([(each.name, each.title) for each in found]),
        )
        return 0
    name = topic.removeprefix("docs/").removesuffix(".md")
    page = known.get(name) or known.get(f"howto/{name}") or known.get(f"errors/{name}")
    if page is None:
        hint = did_you_mean(name, known, 0.4) or "alfil docs lists all pages"
        raise click.UsageError(f"no page is called {topic}; {hint}")
    data = {"topic": page.name, "title": page.title, "text": page.text}
    print_line(as_json(data) if is_json_asked() else page.text.removesuffix("\n"))
    return 0
