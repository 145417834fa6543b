"""`alfil translate`: a notation in the other one, or in another dialect."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import click

from alfil.cli.batch import Answer, in_batch
from alfil.cli.inputs import FOUND, Line, as_json, described, given, read_line, told
from alfil.cli.options import Settings, known_dialect, reading
from alfil.errors import AlfilError, Finding
from alfil.source import Source
from alfil.translation.translate import OnLoss
from alfil.writing import Translation, translate

POLICIES = click.Choice(["strict", "lossy", "escape"])


@click.command("translate")
@click.argument("text", metavar="NOTATION")
@reading
@click.option("--to", type=click.Choice(["betza", "hasinu"]), required=True, help="What to write.")
@click.option(
    "--from-dialect",
    metavar="NAME",
    callback=known_dialect,
    help="The dialect of Betza to read, where --dialect is the one to write.",
)
@click.option(
    "--on-loss",
    "policy",
    type=POLICIES,
    default="strict",
    show_default=True,
    help="What cannot be said is an error, left out, or embedded as Betza.",
)
@click.option("-j", "jobs", type=click.IntRange(1, 64), default=1, help="Processes for a batch.")
def command(
    *, text: str, settings: Settings, to: str, from_dialect: str | None, policy: OnLoss, jobs: int
) -> int:
    """Write how a piece moves in the other notation, or in another dialect.

    The result is the same piece on every board, or an error that lists what cannot be said.
    --dialect is the dialect of Betza that is written, or read where Ħasínū is written. One line
    of standard input is answered with one line, empty or null where there is no translation.
    """
    if policy == "escape" and to == "betza":
        raise click.UsageError("--on-loss escape embeds Betza, so it is for --to hasinu only")
    written = settings.dialect if to == "betza" else None
    if to == "betza" or from_dialect:
        settings = settings._replace(dialect=from_dialect)
    work = partial(answered, settings=settings, to=to, dialect=written, policy=policy)
    return in_batch(given(text, settings), work, jobs)


def answered(
    line: Line, *, settings: Settings, to: str, dialect: str | None, policy: OnLoss
) -> Answer:
    """The translation of one line as it is printed, what was found, and the exit code."""
    try:
        piece = read_line(line, settings)
        found = translate(piece, write=to, to_dialect=dialect, on_loss=policy)
    except AlfilError as error:
        blank = ("null\n" if settings.json else "\n") if line.number else ""
        return Answer(blank, _told(error.findings, error.source, line, settings), FOUND)
    except Exception as error:  # noqa: BLE001 - one line must not end a batch
        blank = ("null\n" if settings.json else "\n") if line.number else ""
        return Answer(blank, f"alfil: internal error: {error!r} on {line.text!r}\n", FOUND)
    left_out = (replace(loss, severity="warning") for loss in found.losses)
    findings = (*piece.findings, *left_out)
    told = _told(findings, piece.source, line, settings) if findings else ""
    return Answer(_written(found, piece.source, settings), told)


def _written(found: Translation, source: Source, settings: Settings) -> str:
    if not settings.json:
        return f"{found.text}\n"
    losses = [described(loss, source) for loss in found.losses]
    data = {"text": found.text, "notation": found.notation, "dialect": found.dialect}
    return as_json({**data, "losses": losses}) + "\n"


def _told(findings: tuple[Finding, ...], source: Source, line: Line, settings: Settings) -> str:
    return "".join(f"{text}\n" for text in told(findings, source, line, settings))
