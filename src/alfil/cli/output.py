"""Pictures in the formats that were asked for: which these are, and where they go."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from alfil.cli.inputs import say
from alfil.cli.options import Settings
from alfil.diagrams.formats import BY_SUFFIX, FORMATS, Format, format_called, format_of, suffix_of
from alfil.errors import AlfilError
from alfil.saving import save


def formats_option(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[Format, ...] | None:
    """The formats of a list with commas, each once."""
    if value is None:
        return None
    names = [name.strip().lower() for name in value.split(",")]
    if "" in names:
        raise click.BadParameter("a format is missing; write svg,png", ctx, param)
    try:
        return tuple(dict.fromkeys(format_called(name) for name in names))
    except AlfilError as error:
        raise refusal(error) from None


def refusal(error: AlfilError) -> click.ClickException:
    """An error that is about the call and not about a notation, on one line."""
    finding = error.findings[0]
    return click.ClickException(f"{finding.message}; {finding.hint}")


def chosen_formats(
    formats: tuple[Format, ...] | None, output: str | None, settings: Settings
) -> tuple[Format, ...]:
    """The formats asked for; where none is, that of the file, else text.

    Raises what click shows where formats and output do not fit together.
    """
    chosen = formats or _by_suffix(output, settings)
    if output is None:
        if len(chosen) > 1:
            raise click.UsageError("several formats need a name for their files: -o OUT")
        if chosen[0].binary and sys.stdout.isatty():
            raise click.ClickException(f"{chosen[0].name} is not for a terminal; add -o FILE")
        return chosen
    named = BY_SUFFIX.get(suffix_of(output).lower())
    if named and named not in chosen:
        asked = ",".join(each.name for each in chosen)
        raise click.UsageError(f"{output} is the name of a {named.name} file, and -f says {asked}")
    return chosen


def _by_suffix(output: str | None, settings: Settings) -> tuple[Format, ...]:
    if output is None:
        return (FORMATS["json" if settings.json else "text"],)
    try:
        return (format_of(output),)
    except AlfilError as error:
        raise refusal(error) from None


def given_out(
    made: Sequence[dict[str, bytes]],
    formats: Sequence[Format],
    output: str | None,
    *,
    numbered: bool,
) -> int:
    """Print what was drawn, or write it to files."""
    if output is None:
        for each in made:
            _print(each[formats[0].suffix], formats[0])
    else:
        _write(made, output, numbered=numbered)
    return 0


def _print(content: bytes, form: Format) -> None:
    if form.binary:
        stream = sys.stdout.buffer
        stream.write(content)
        stream.flush()
    else:
        say(content.decode("utf-8").removesuffix("\n"))


def _write(made: Sequence[dict[str, bytes]], output: str, *, numbered: bool) -> None:
    """All files at once; pictures of several lines are numbered from 1."""
    given = suffix_of(output)
    stem = output.removesuffix(given) if given.lower() in BY_SUFFIX else output
    files: dict[str, bytes] = {}
    for number, rendered in enumerate(made, 1):
        for suffix, content in rendered.items():
            files[f"{stem}-{number}{suffix}" if numbered else f"{stem}{suffix}"] = content
    try:
        save(files)
    except AlfilError as error:
        raise refusal(error) from None
