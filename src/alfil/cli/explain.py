"""`alfil explain`: what a kind of error means and what to do about it."""

from __future__ import annotations

import difflib

import click

from alfil.cli.inputs import as_json, say
from alfil.cli.kinds import Entry, entries


@click.command("explain")
@click.argument("kind", required=False)
@click.option("--json", "json", is_flag=True, help="Answer as JSON.")
def command(*, kind: str | None, json: bool) -> int:
    """Explain a kind of error, or list all kinds.

    The kind is the word in square brackets at the end of a report's first line.
    """
    known = entries()
    if kind is None:
        if json:
            say(as_json([_data(entry) for entry in known.values()]))
        else:
            say(_listed(known))
        return 0
    entry = known.get(kind.strip("[]"))
    if entry is None:
        near = difflib.get_close_matches(kind, known, 1, 0.4)
        hint = f"did you mean {near[0]}?" if near else "alfil explain lists all kinds"
        raise click.UsageError(f"no kind of error is called {kind}; {hint}")
    say(as_json(_data(entry)) if json else f"{entry.kind}\n\n{entry.text}")
    return 0


def _listed(known: dict[str, Entry]) -> str:
    wide = max(map(len, known))
    return "\n".join(f"{entry.kind:<{wide}}  {entry.first_sentence}" for entry in known.values())


def _data(entry: Entry) -> dict[str, str]:
    return {"kind": entry.kind, "text": entry.text}
