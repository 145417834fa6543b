"""`alfil explain`: what a kind of error means and what to do about it."""

from __future__ import annotations

import difflib
import re
import sys
from typing import NamedTuple

import click

from alfil.cli.inputs import STANDARD_INPUT, USAGE, as_json, lines, say
from alfil.grammars import read_data
from alfil.source import columns, printable

HEADING = re.compile(r"^## (\S+)$", re.MULTILINE)
GROUP = re.compile(r"^# .*$", re.MULTILINE)
SENTENCE = re.compile(r"((?:A warning\.\s+)?.+?\.)(?:\s|$)", re.DOTALL)


class Explanation(NamedTuple):
    """One kind and what the catalogue says of it."""

    kind: str
    text: str

    @property
    def first_sentence(self) -> str:
        """The first sentence, on one line; with the next where it says only that it warns."""
        match = SENTENCE.match(self.text)
        return " ".join((match[1] if match else self.text).split())


def entries() -> dict[str, Explanation]:
    """All entries by kind, in the order of the file."""
    parts = HEADING.split(read_data("data", "errors.md", "docs"))
    pairs = zip(parts[1::2], parts[2::2], strict=True)
    return {kind: Explanation(kind, GROUP.split(text)[0].strip()) for kind, text in pairs}


@click.command("explain")
@click.argument("kind", required=False)
@click.option("--json", "json", is_flag=True, help="Answer as JSON.")
def command(*, kind: str | None, json: bool) -> int:
    """Explain a kind of error, or list all kinds.

    The kind is the word in square brackets at the end of a report's first line. A kind of - stands
    for standard input, one kind a line.
    """
    known = entries()
    if kind is None:
        if json:
            say(as_json([entry._asdict() for entry in known.values()]))
        else:
            say("\n".join(columns([(each.kind, each.first_sentence) for each in known.values()])))
        return 0
    if kind == STANDARD_INPUT:
        return max(
            (_answered(line.text, known, json=json) for line in lines(sys.stdin.buffer, "<stdin>")),
            default=0,
        )
    entry = _found(kind, known)
    if entry is None:
        raise click.UsageError(_unknown(kind, known))
    say(as_json(entry._asdict()) if json else f"{entry.kind}\n\n{entry.text}")
    return 0


def _answered(name: str, known: dict[str, Explanation], *, json: bool) -> int:
    """Explain a kind from standard input; the work goes on after one that nobody knows."""
    entry = _found(name, known)
    if entry is None:
        say(f"alfil: {printable(_unknown(name, known))}", err=True)
        if json:
            say("null")
        return USAGE
    say(as_json(entry._asdict()) if json else f"{entry.kind}\n\n{entry.text}\n")
    return 0


def _found(name: str, known: dict[str, Explanation]) -> Explanation | None:
    return known.get(name.strip().strip("[]"))


def _unknown(name: str, known: dict[str, Explanation]) -> str:
    near = difflib.get_close_matches(name, known, 1, 0.4)
    hint = f"did you mean {near[0]}?" if near else "alfil explain lists all kinds"
    return f"no kind of error is called {name}; {hint}"
