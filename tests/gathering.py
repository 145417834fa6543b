"""Tests over a table: one test for all its rows, which names every row that fails.

What pytest spends on a parametrised test is more than a small row takes, and there are thousands.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import TypeAlias

import pytest

Test: TypeAlias = Callable[..., None]
SHOWN = 200  # characters of a row


def every_row(names: str, rows: Iterable[object]) -> Callable[[Test], Test]:
    """As ``pytest.mark.parametrize``, for tests that change nothing: every row is tried.

    A name alone takes each row as it is, several names separated by commas take its parts.
    """
    arguments = [name.strip() for name in names.split(",")]
    table = list(rows)

    def gathered(test: Test) -> Test:
        @functools.wraps(test)
        def every(**fixtures: object) -> None:
            assert table, "the table has no row"
            failed = []
            for row in table:
                parts = row if len(arguments) > 1 else (row,)
                try:
                    test(**dict(zip(arguments, parts, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - told below
                    error.add_note(f"in the row {row!r}")
                    failed.append((row, error))
            if failed:
                told = "; ".join(repr(row)[:SHOWN] for row, _ in failed[:5])
                message = f"{len(failed)} of {len(table)} rows: {told}"
                raise BaseExceptionGroup(message, [error for _, error in failed[:5]])

        signature = inspect.signature(test)
        others = [p for name, p in signature.parameters.items() if name not in arguments]
        every.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return every

    return gathered
