"""The pieces of a file as a data frame of pandas or polars."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any, Literal, TypeAlias

from alfil.api import describe
from alfil.errors import AlfilError, reject, reject_unknown_name
from alfil.library.piece_file import Entry
from alfil.source import Source

DataFramePackage: TypeAlias = Literal["pandas", "polars"]
PACKAGES = ("pandas", "polars")
COLUMNS: dict[str, Callable[[Entry], object]] = {
    "code": lambda entry: entry.code,
    "name": lambda entry: entry.name,
    "kanji": lambda entry: entry.kanji,
    "notation": lambda entry: entry.piece.notation,
    "text": lambda entry: entry.piece.text.strip(),
    "moves": describe,
    "royal": lambda entry: entry.is_royal,
    "promotes": lambda entry: " ".join(entry.promotes),
    "status": lambda entry: entry.status,
}


def data_frame(entries: Iterable[Entry], package: DataFramePackage | None) -> Any:  # noqa: ANN401 - of either
    """A row for each piece; see `Library.to_dataframe`."""
    if package is not None and package not in PACKAGES:
        reject_unknown_name("unknown-format", package, PACKAGES)
    frames = _import_first((package,) if package else PACKAGES)
    rows = list(entries)
    return frames.DataFrame({name: list(map(value, rows)) for name, value in COLUMNS.items()})


def _import_first(names: tuple[str, ...]) -> Any:  # noqa: ANN401 - a module
    found = next(filter(None, map(_import_if_installed, names)), None)
    if found is None:
        wanted = " or ".join(names)
        source = Source(wanted, "<package>")
        hint = f"run: pip install {names[0]}"
        reject(AlfilError, "missing-extra", f"a data frame needs {wanted}", source, hint=hint)
    return found


def _import_if_installed(name: str) -> Any:  # noqa: ANN401 - a module
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
