"""Conditions on the moves of pieces that a piece file may name, each a predicate."""

from __future__ import annotations

from collections.abc import Collection

from alfil.errors import Finding
from alfil.library.model import PieceFile

PREDICATES: dict[str, object] = {}


def broken(file: PieceFile, codes: Collection[str]) -> list[Finding]:
    del file, codes
    return []
