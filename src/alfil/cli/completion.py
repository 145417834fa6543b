"""`alfil completion`, and what shells complete: sets, pieces, formats and kinds of errors.

Choices, such as themes and dialects, click completes by itself. What is loaded to complete a word
is loaded here only: no other command waits for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
)

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def completion_command(*, shell: str) -> int:
    """Print the completion script of a shell.

    For bash, add this line to ~/.bashrc; for zsh, add it to ~/.zshrc with zsh instead of bash:

        eval "$(alfil completion bash)"

    For fish, save the script as ~/.config/fish/completions/alfil.fish.
    """
    from alfil.cli.app import COMPLETION_VARIABLE, alfil  # it is what has loaded this

    script_class = get_completion_class(shell)
    assert script_class
    script = script_class(alfil, {}, "alfil", COMPLETION_VARIABLE)
    click.echo(script.source_template % script.source_vars())
    return 0


class _CompletionWithFiles(ShellComplete):
    """Names of files where nothing else fits."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem]:
        """What fits; names of files where that is nothing, but no options."""
        found = super().get_completions(args, incomplete)
        return found if found or incomplete.startswith("-") else _file_items(incomplete)


class _Zsh(_CompletionWithFiles, ZshComplete):
    """Zsh."""


class _Fish(_CompletionWithFiles, FishComplete):
    """Fish."""


class _Bash(_CompletionWithFiles, BashComplete):
    """Bash, which takes the colon of SET:PIECE for a word, and completes what is behind it."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one that is completed, and that one."""
        words, incomplete = super().get_completion_args()
        words = [*words, incomplete]
        while ":" in words:
            at = words.index(":")
            words[max(at - 1, 0) : at + 2] = ["".join(words[max(at - 1, 0) : at + 2])]
        return words[:-1], words[-1]

    def format_completion(self, item: CompletionItem) -> str:
        """The kind of an item, and what is behind its last colon."""
        return f"{item.type},{item.value.rpartition(':')[2]}"


for each in (_Bash, _Zsh, _Fish):
    add_completion_class(each)


def _items_starting_with(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _file_items(incomplete: str) -> list[CompletionItem]:
    """Has the shell complete the names of files."""
    return [CompletionItem(incomplete, type="file")]


def _name_and_file_items(names: Iterable[str], incomplete: str) -> list[CompletionItem]:
    """Names, and files that begin like that; alone, files are completed by the shell."""
    items = _items_starting_with(names, incomplete)
    if not items or not incomplete:
        return items or _file_items(incomplete)
    here = Path(incomplete)
    return items + _items_starting_with(sorted(map(str, here.parent.glob("*.*"))), incomplete)


def sets(incomplete: str) -> list[CompletionItem]:
    """Bundled sets, or files."""
    from alfil.library.file_locations import bundled_set_names

    return _name_and_file_items(bundled_set_names(), incomplete)


def games(incomplete: str) -> list[CompletionItem]:
    """Bundled sets that are games, or files."""
    from alfil.library.library import games as names

    return _name_and_file_items(names(), incomplete)


def pieces(incomplete: str) -> list[CompletionItem]:
    """Sets and names of pieces, pieces as SET:CODE, or files."""
    from alfil.library.file_locations import PIECE_FILE_SUFFIX, bundled_set_names
    from alfil.library.library import load

    place, colon, _ = incomplete.rpartition(":")
    if not colon:
        names = [*bundled_set_names(), *(_one_word_piece_names() if incomplete else ())]
        return _name_and_file_items(names, incomplete)
    if place not in bundled_set_names() and not place.endswith(PIECE_FILE_SUFFIX):
        return []
    items = [
        CompletionItem(f"{place}:{entry.code}", help=entry.name) for entry in load(place).pieces
    ]
    return [each for each in items if each.value.startswith(incomplete)]


def _one_word_piece_names() -> list[str]:
    """The names of bundled pieces that are one word."""
    from alfil.library.library import bundled_set_names_by_preference, library_by_name

    names = {
        entry.name
        for each in bundled_set_names_by_preference()
        for entry in library_by_name(each).pieces
    }
    return sorted(each for each in names if " " not in each)


def formats(incomplete: str) -> list[CompletionItem]:
    """The formats of diagrams, in a list with commas."""
    from alfil.diagrams.picture import PICTURE_FORMATS

    before, comma, _ = incomplete.rpartition(",")
    left = [name for name in PICTURE_FORMATS if name not in before.split(",")]
    return _items_starting_with((f"{before}{comma}{name}" for name in left), incomplete)


def error_kinds(incomplete: str) -> list[CompletionItem]:
    """The kinds of errors, with what they are."""
    from alfil.error_catalogue import explanations_by_kind

    items = (
        CompletionItem(each.kind, help=each.first_sentence)
        for each in explanations_by_kind().values()
    )
    return [each for each in items if each.value.startswith(incomplete)]


def topics(incomplete: str) -> list[CompletionItem]:
    """The pages of the documentation."""
    from alfil.cli.documentation import topics as pages

    return _items_starting_with(pages(), incomplete)
