"""A cache of bundled piece files as plain data, because parsing one is slow.

What is kept has passed the reader without an error, so the notations in it need not be read again
before somebody asks what was written. Of the pieces of games it is kept what their moves amount to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from typing import Any

from alfil.api import Piece
from alfil.data_files import folder_modification_stamp, load_or_make, program_modification_stamp
from alfil.errors import Diagnostic, MeaningError
from alfil.game.variant import (
    Contagion,
    Countdown,
    DrawOdds,
    Extinction,
    Goal,
    Impasse,
    MatchLength,
    MoveLimit,
    PieceRestrictions,
    Region,
    RegionMoves,
    Repetition,
    Rules,
    StartingPiece,
    Win,
)
from alfil.library.catalogue import file_from_index
from alfil.library.file_locations import FOLDER, FileLocation
from alfil.library.piece_file import Constraint, Entry, GameReading, PieceFile
from alfil.meaning.automaton import Automaton
from alfil.meaning.piece_meaning import Condition, Fact, GuardedAutomaton, Meaning
from alfil.source import Source, Span

CACHED_CLASSES: dict[str, Any] = {
    each.__name__: each
    for each in (
        *(PieceFile, Entry, PieceRestrictions, Constraint, GameReading, Diagnostic, Source, Span),
        *(Rules, Win, Goal, Extinction, Repetition, Impasse, MatchLength),
        *(StartingPiece, Region, RegionMoves, MoveLimit, DrawOdds, Contagion, Countdown),
        *(Meaning, GuardedAutomaton, Condition, Automaton, Fact),
    )
}


class NotCacheable(Exception):
    """The cached file would be read differently."""


def read_bundled_file(location: FileLocation) -> PieceFile:
    """A bundled piece file, from an earlier run where there was one."""

    def read() -> PieceFile:
        from alfil.library.piece_file_reader import read_piece_file

        return read_piece_file(location)

    indexed = None if location.reading else file_from_index(location)
    if indexed:
        return indexed
    made_from = (
        program_modification_stamp(),
        folder_modification_stamp(FOLDER),
    )  # one may include all
    result = load_or_make(
        f"set-{location.name.replace('/', '-')}", made_from, lambda: _file_as_plain_data(read())
    )
    file: PieceFile = _unpack_object(result) if result else read()
    return file


def _file_as_plain_data(file: PieceFile) -> Any:  # noqa: ANN401 - plain data
    try:
        return _pack_object(file, with_meanings=bool(file.setup))
    except NotCacheable:
        return None


def _pack_object(value: Any, *, with_meanings: bool) -> Any:  # noqa: ANN401 - anything in a file, as plain data
    """Lists are objects, their class first; so are tuples with objects in them.

    Everything else stands for itself: most of it is the numbers of automata. What pieces amount to
    is among it where it is ``with_meanings`` to be asked for.
    """
    if value is None or isinstance(value, str | int | float | frozenset):
        return value
    if isinstance(value, Piece):
        if value.diagnostics or value.functions:
            raise NotCacheable
        meaning = (
            _pack_object(_meaning_or_none(value), with_meanings=with_meanings)
            if with_meanings
            else None
        )
        return ["Piece", value.text, value.notation, value.source.name, meaning]
    if isinstance(value, Mapping):
        return {key: _pack_object(each, with_meanings=with_meanings) for key, each in value.items()}
    if isinstance(value, Entry) and "dialect" in value.name_spans:
        raise NotCacheable  # Betza embedded in another dialect would be read in the usual one
    dataclass_fields = fields(value) if is_dataclass(value) else ()
    parts = [getattr(value, each.name) for each in dataclass_fields] if dataclass_fields else value
    packed = [_pack_object(each, with_meanings=with_meanings) for each in parts]
    if type(value) is tuple and not any(isinstance(each, list | dict) for each in packed):
        return value
    return [type(value).__name__, *packed]


def _meaning_or_none(piece: Piece) -> Meaning | None:
    try:
        return piece.meaning
    except MeaningError:
        return None


def _unpack_object(packed: Any) -> Any:  # noqa: ANN401 - the same backwards
    if isinstance(packed, dict):
        return {key: _unpack_object(each) for key, each in packed.items()}
    if not isinstance(packed, list):
        return packed
    name, *parts = packed
    if name == "Piece":
        text, notation, source, meaning = parts
        return Piece.deferred(text, notation, source, meaning and partial(_unpack_object, meaning))
    unpacked = [_unpack_object(each) for each in parts]
    return tuple(unpacked) if name == "tuple" else CACHED_CLASSES[name](*unpacked)
