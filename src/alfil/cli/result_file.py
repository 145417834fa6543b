"""Answers to bundles of work, kept in a file so that an interrupted command can be continued."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, TypeAlias

from alfil.atomic_files import ResumableLineFile
from alfil.cli.input_output import as_json
from alfil.cli.workers import Answer, Bundle, Shared, WorkerOptions, map_bundles
from alfil.errors import RecordError, reject
from alfil.game.variant import Variant
from alfil.play.records.own_format import game_digest
from alfil.source import Source

# What a bundle is called in the file.
Name: TypeAlias = int | str


def game_name_and_digests(variant: Variant) -> dict[str, str]:
    """What tells a game from all others whose results differ: rules, movements and values."""
    kinds = [(kind.code, kind.value, kind.hand_value) for kind in variant.kinds]
    told = repr((sorted(variant.moves), sorted(kinds, key=repr)))
    pieces = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return {"game": variant.name, "rules": game_digest(variant), "pieces": pieces}


def read_results(
    path: Path, lines: Iterable[str], read: Callable[[Any], Answer], first: int = 1
) -> Iterator[Answer]:
    """What lines of JSON tell; ``first`` is the number of the first one in its file.

    Raises `RecordError` of kind "record-line" for a line of something else.
    """
    for number, line in enumerate(lines, first):
        try:
            result = read(json.loads(line))
        except (ValueError, TypeError, LookupError, RecursionError, zlib.error):
            message = f"line {number} of {path} is no result"
            hint = "delete the line, and its part of the work is done again; or name another file"
            reject(RecordError, "record-line", message, Source(str(path), "<file>"), hint=hint)
        yield result


class ResultFile(Generic[Answer]):
    """A file of answers: what is asked in the first line, then a line for each bundle.

    ``pack`` makes plain data of an answer, ``unpack`` an answer of that. Raises what
    `ResumableLineFile` does: "record-exists" where the file is of something else.
    """

    def __init__(
        self,
        path: Path,
        asked: Mapping[str, Any],
        pack: Callable[[Answer], Any] = lambda answer: answer,
        unpack: Callable[[Any], Answer] = lambda packed: packed,
    ) -> None:
        self._file, self._pack = ResumableLineFile(path, as_json(asked)), pack
        self._answers: dict[Name, Answer] = dict(
            read_results(path, self._file.lines, lambda line: (line[0], unpack(line[1])), first=2)
        )

    def map_bundles(
        self,
        work: Callable[[Shared, Bundle], Answer],
        shared: Shared,
        bundles: Mapping[Name, Bundle],
        workers: WorkerOptions,
    ) -> Iterator[Answer]:
        """As `alfil.cli.workers.map_bundles`; what the file has is not worked on again."""
        left = [bundle for name, bundle in bundles.items() if name not in self._answers]
        found = map_bundles(work, shared, left, workers)
        for name in bundles:
            if name not in self._answers:
                answer = self._answers[name] = next(found)
                self._file.append([as_json([name, self._pack(answer)])])
            yield self._answers[name]
