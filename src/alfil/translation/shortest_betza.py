"""The shortest Betza for a meaning within a grammar, with its proof: see docs/shortest.md.

The moves of a piece are what has to be covered, the parts that allow no other moves are the
columns, and their letters the costs. What comes out is still to be read, compiled and compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from alfil.meaning.piece_meaning import Meaning
from alfil.movement.run_sequences import NotExpressible
from alfil.notation.betza.parts_from_runs import parse_part, unique_sorted_parts
from alfil.notation.betza.writer import write_betza
from alfil.notation.description import Description
from alfil.translation.betza_candidates import CandidatePart, candidate_parts_of, is_same_in_dialect
from alfil.translation.move_paths import PathsToCover, path_depth_limit, paths_of
from alfil.translation.set_cover import CoverColumn, cheapest_cover
from alfil.work_limit import attempt_refunded_on_failure, cached_with_work

# So much work is done for one piece.
COVER_WORK = 20_000


class ShortestParts(NamedTuple):
    """Parts that have all moves of a piece between them, in the fewest letters found.

    ``proved_min_letters`` is how many letters any text of the grammar has at least, 0 where that is
    not proved.
    """

    parts: tuple[str, ...]
    proved_min_letters: int


@cached_with_work(maxsize=256)
def shortest_parts(
    meaning: Meaning, dialect: str, others: tuple[str, ...] = ()
) -> ShortestParts | None:
    """Parts of the grammar, and of others, with the moves of a meaning; None where none are found.

    >>> from alfil.translation.betza_candidates import meaning_of_text
    >>> shortest_parts(meaning_of_text("flfrNblN"), "betza")
    ShortestParts(parts=('frlN',), proved_min_letters=4)
    """
    try:
        with attempt_refunded_on_failure(COVER_WORK, NotExpressible):
            depth = path_depth_limit(meaning)
            target = PathsToCover(paths_of(meaning, depth))
            readable = None if dialect == "betza" else partial(is_same_in_dialect, dialect=dialect)
            columns = candidate_parts_of(target, depth, others, readable)
            return _solve_cover(columns, target.all_bits)
    except NotExpressible:
        return None


def _solve_cover(columns: Sequence[CandidatePart], all_bits: int) -> ShortestParts | None:
    found = cheapest_cover([CoverColumn(each.letters, each.mask) for each in columns], all_bits)
    if found is None:
        return None
    chosen = [columns[at] for at in found.chosen]
    letters = sum(each.letters for each in chosen)
    fewest = letters if found.proved else 0
    if not all(each.is_from_grammar for each in chosen):
        own = [each for each in columns if each.is_from_grammar]
        alone = cheapest_cover([CoverColumn(each.letters, each.mask) for each in own], all_bits)
        fewest = (
            sum(own[at].letters for at in alone.chosen) if alone is not None and alone.proved else 0
        )
    return ShortestParts(tuple(each.text for each in chosen), fewest)


def text_of_parts(parts: Iterable[str], dialect: str) -> str:
    """Parts of the default dialect as one text of a dialect, in the order that people use.

    >>> text_of_parts(["fB2", "bB"], "betza")
    'bBfB2'
    """
    terms = unique_sorted_parts(map(parse_part, parts))
    return write_betza(Description(terms, "betza", "betza"), dialect)
