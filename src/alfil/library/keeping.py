"""Bundled piece files as plain data, kept between runs: to read one takes as long as many commands.

What is kept has passed the reader without an error, so the notations in it need not be read again
before somebody asks how a piece moves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from alfil.api import Piece
from alfil.errors import Finding
from alfil.game.variant import (
    Countdown,
    DrawOdds,
    Extinction,
    Further,
    Goal,
    Impasse,
    MatchLength,
    MoveLimit,
    Placed,
    Region,
    Repetition,
    Rules,
    Win,
)
from alfil.grammars import kept, program
from alfil.library.areas import Ground
from alfil.library.files import Place, bundled, bundled_names
from alfil.library.model import Constraint, Entry, PieceFile
from alfil.library.reader import read_place
from alfil.source import Source, Span

KINDS: dict[str, Any] = {
    each.__name__: each
    for each in (
        *(PieceFile, Entry, Ground, Constraint, Finding, Source, Span),
        *(Rules, Win, Goal, Extinction, Repetition, Impasse, MatchLength),
        *(Placed, Region, Further, MoveLimit, DrawOdds, Countdown),
    )
}


class Unfit(Exception):
    """Something would be read in another way."""


def read_bundled(place: Place) -> PieceFile:
    """A bundled piece file, from an earlier run where there was one."""
    texts = [bundled(name).source.text.encode() for name in bundled_names()]  # one may include all
    found = kept(f"set-{place.name}", (program(), *texts), lambda: _plain(read_place(place)))
    file: PieceFile = _made(found) if found else read_place(place)
    return file


def _plain(file: PieceFile) -> Any:  # noqa: ANN401 - plain data
    try:
        return _packed(file)
    except Unfit:
        return None


def _packed(value: Any) -> Any:  # noqa: ANN401 - anything in a piece file, as plain data
    """Lists are objects, their class first; everything else stands for itself."""
    if value is None or isinstance(value, str | int | float | frozenset):
        return value
    if isinstance(value, Piece):
        if value.findings or value.functions:
            raise Unfit
        return ["Piece", value.text, value.notation, value.source.name]
    if isinstance(value, Mapping):
        return {key: _packed(each) for key, each in value.items()}
    if isinstance(value, Entry) and "dialect" in value.places:
        raise Unfit  # Betza embedded in another dialect would be read in the usual one
    named = fields(value) if is_dataclass(value) else ()
    parts = [getattr(value, each.name) for each in named] if named else value
    packed = [_packed(each) for each in parts]
    return tuple(packed) if type(value) is tuple else [type(value).__name__, *packed]


def _made(packed: Any) -> Any:  # noqa: ANN401 - the same backwards
    if isinstance(packed, tuple):
        return tuple([_made(each) for each in packed])
    if isinstance(packed, dict):
        return {key: _made(each) for key, each in packed.items()}
    if not isinstance(packed, list):
        return packed
    name, *parts = packed
    if name == "Piece":
        return Piece.deferred(*parts)
    return KINDS[name](*[_made(each) for each in parts])
