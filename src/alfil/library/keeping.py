"""Bundled piece files as plain data, kept between runs: to read one takes as long as many commands.

What is kept has passed the reader without an error, so the notations in it need not be read again
before somebody asks what was written. Of the pieces of games it is kept what their moves amount to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

from alfil.api import Piece
from alfil.errors import Finding, MeaningError
from alfil.game.variant import (
    Countdown,
    DrawOdds,
    Extinction,
    Further,
    Goal,
    Ground,
    Impasse,
    MatchLength,
    MoveLimit,
    Placed,
    Region,
    Repetition,
    Rules,
    Win,
)
from alfil.grammars import kept, program, state_of
from alfil.library.files import FOLDER, Place
from alfil.library.model import Constraint, Entry, PieceFile
from alfil.meaning.automaton import Automaton
from alfil.meaning.piece import Condition, Fact, Meaning, Part
from alfil.source import Source, Span

KINDS: dict[str, Any] = {
    each.__name__: each
    for each in (
        *(PieceFile, Entry, Ground, Constraint, Finding, Source, Span),
        *(Rules, Win, Goal, Extinction, Repetition, Impasse, MatchLength),
        *(Placed, Region, Further, MoveLimit, DrawOdds, Countdown),
        *(Meaning, Part, Condition, Automaton, Fact),
    )
}


class Unfit(Exception):
    """Something would be read in another way."""


def read_bundled(place: Place) -> PieceFile:
    """A bundled piece file, from an earlier run where there was one."""

    def read() -> PieceFile:
        from alfil.library.reader import read_place

        return read_place(place)

    made_from = program(), state_of(FOLDER)  # one may include all
    found = kept(f"set-{place.name}", made_from, lambda: _plain(read()))
    file: PieceFile = _made(found) if found else read()
    return file


def _plain(file: PieceFile) -> Any:  # noqa: ANN401 - plain data
    try:
        return _packed(file, meant=bool(file.setup))
    except Unfit:
        return None


def _packed(value: Any, *, meant: bool) -> Any:  # noqa: ANN401 - anything in a file, as plain data
    """Lists are objects, their class first; everything else stands for itself.

    What pieces amount to is among it where it is ``meant`` to be asked for.
    """
    if value is None or isinstance(value, str | int | float | frozenset):
        return value
    if isinstance(value, Piece):
        if value.findings or value.functions:
            raise Unfit
        meaning = _packed(_meaning(value), meant=meant) if meant else None
        return ["Piece", value.text, value.notation, value.source.name, meaning]
    if isinstance(value, Mapping):
        return {key: _packed(each, meant=meant) for key, each in value.items()}
    if isinstance(value, Entry) and "dialect" in value.places:
        raise Unfit  # Betza embedded in another dialect would be read in the usual one
    named = fields(value) if is_dataclass(value) else ()
    parts = [getattr(value, each.name) for each in named] if named else value
    packed = [_packed(each, meant=meant) for each in parts]
    return tuple(packed) if type(value) is tuple else [type(value).__name__, *packed]


def _meaning(piece: Piece) -> Meaning | None:
    try:
        return piece.meaning
    except MeaningError:
        return None


def _made(packed: Any) -> Any:  # noqa: ANN401 - the same backwards
    if isinstance(packed, tuple):
        return tuple([_made(each) for each in packed])
    if isinstance(packed, dict):
        return {key: _made(each) for key, each in packed.items()}
    if not isinstance(packed, list):
        return packed
    name, *parts = packed
    if name == "Piece":
        text, notation, source, meaning = parts
        return Piece.deferred(text, notation, source, meaning and partial(_made, meaning))
    return KINDS[name](*[_made(each) for each in parts])
