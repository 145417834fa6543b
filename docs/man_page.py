"""Writes docs/alfil.1, the manual page, from the help of the commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import click

from alfil.cli.app import alfil

PAGE = Path(__file__).parent / "alfil.1"
ENVIRONMENT = {
    "ALFIL_CACHE": "The folder for what is kept between calls.",
    "NO_COLOR, FORCE_COLOR": "Never use colours, or always.",
    "ALFIL_TRACEBACK": "Print a traceback after an internal error.",
}
EXIT_CODES = {
    "0": "Success.",
    "1": "Something is wrong in a notation, file, position or record; pieces differ.",
    "2": "Wrong usage; an unknown set, piece or file.",
    "130": "Interrupted.",
}


def escaped(text: str) -> str:
    r"""A text that means nothing to roff.

    >>> escaped("-o a\\b"), escaped(".pieces")
    ('\\-o a\\eb', '\\&.pieces')
    """
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text[:1] in {".", "'"} else text


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a help text, those set in as they are."""
    for each in re.split(r"\n\s*\n", cleandoc(text)):
        lines = each.split("\n")
        if all(line.startswith("    ") for line in lines):
            yield from ("", ".PP", ".nf", *map(escaped, lines), ".fi")
        else:
            yield from (".PP", escaped(" ".join(" ".join(lines).split())))


def definitions(rows: dict[str, str]) -> Iterator[str]:
    """Terms with what they mean."""
    for term, words in rows.items():
        yield from (".TP", f".B {escaped(term)}", escaped(words))


def command_section(parent: click.Context, name: str, command: click.Command) -> Iterator[str]:
    """One command: how it is called, what it does, its options."""
    context = click.Context(command, info_name=name, parent=parent)
    yield f'.SS "{name}"'
    usage = " ".join(["alfil", name, *command.collect_usage_pieces(context)])
    yield from (".PP", f".B {escaped(usage)}")
    yield from paragraphs(command.help or "")
    options = (each for each in command.get_params(context) if isinstance(each, click.Option))
    rows = [each.get_help_record(context) for each in options]
    yield from definitions(dict(row for row in rows if row))


def manual() -> str:
    """The whole page."""
    context = alfil.make_context("alfil", [], resilient_parsing=True)
    lines = [
        ".TH ALFIL 1",
        ".SH NAME",
        "alfil \\- read, draw, translate and play chess and shogi pieces",
        ".SH SYNOPSIS",
        ".B alfil",
        "COMMAND [OPTIONS] [ARGUMENTS]",
        ".SH DESCRIPTION",
        *paragraphs(alfil.help or ""),
        ".SH COMMANDS",
    ]
    for name in alfil.list_commands(context):
        command = alfil.get_command(context, name)
        assert command
        lines += command_section(context, name, command)
    lines += [".SH ENVIRONMENT", *definitions(ENVIRONMENT)]
    lines += [".SH EXIT STATUS", *definitions(EXIT_CODES)]
    return "\n".join(line for line in lines if line) + "\n"


if __name__ == "__main__":
    PAGE.write_text(manual(), encoding="utf-8")
