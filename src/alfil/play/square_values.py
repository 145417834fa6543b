"""What the pieces of a game are worth on each square, as `alfil values --squares` learns it.

The included games that are played better by such values have a file of them,
pieces/NAME.squares.tsv. A row has a piece, the phase, a rank, and a number for each file; where
these are half of the files, the others mirror them. The phase is ``full`` or ``few``, as there is
much or little material. In place of a rank, ``hand`` is what a piece in hand is worth, and
``material`` how much of it a piece is. The rows of the piece ``*`` have what it is worth to be on
the move, what a lead counts in percent (``lead``), by how many pieces that promote the side has
that leads, and terms of the game as a whole. Rows of terms, of a piece or of the game, have in
place of a rank the name that src/alfil/play/evaluation_terms.py gives them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NoReturn

from alfil.data_files import data_path, read_data
from alfil.errors import AlfilError, reject
from alfil.frozen_dataclasses import dataclass
from alfil.game.engine_interface import LEADS
from alfil.game.variant import Variant
from alfil.play.evaluation_terms import TermNumbers
from alfil.play.records.own_format import game_digest
from alfil.source import Source

FOLDER, SUFFIX = "pieces", ".squares.tsv"
# Much and little material; the row of the game as a whole; rows that are no ranks.
PHASES = ("full", "few")
GAME, MOVE, HAND, MATERIAL, LEAD = "*", "move", "hand", "material", "lead"
# What a lead counts where nothing is said of it.
UNSCALED = 100
# No value is more.
MOST = 100_000
# What a comment begins with, and the line that says for which game the values are.
COMMENT, RULES = "# ", "# rules "


@dataclass(frozen=True, slots=True)
class PhaseValues:
    """The values of one phase: by code, those on all squares of the first side, and in hand.

    In hundredths of a move; so are ``tempo``, what it is worth to be on the move, and the weights
    of ``terms``, by a code or ``*`` and their name.
    """

    board: Mapping[str, Sequence[int]]
    hand: Mapping[str, int]
    tempo: int
    terms: Mapping[tuple[str, str], Sequence[int]]


@dataclass(frozen=True, slots=True)
class SquareValues:
    """What pieces are worth while there is much material, and when there is little.

    ``material`` tells by code how much of it a piece is, ``rules`` is the digest of the game.
    ``lead_scale`` is what a lead counts, in percent, by how many pieces that promote the side has
    that leads, the last one for as many or more.
    """

    rules: str
    material: Mapping[str, int]
    full: PhaseValues
    few: PhaseValues
    lead_scale: Sequence[int]

    def text(self, files: int, *, folded: bool, comments: Iterable[str] = ()) -> str:
        """The values as a file; ``folded`` writes half of the files."""
        lines = [*(COMMENT + each for each in comments), RULES + self.rules]
        wide = (files + 1) // 2 if folded else files
        lines += ["\t".join(map(str, cells)) for cells in _value_rows(self, files, wide)]
        return "\n".join(lines) + "\n"


def _game_wide_rows(values: SquareValues) -> Iterator[tuple[object, ...]]:
    for name, phase in zip(PHASES, (values.full, values.few), strict=True):
        yield GAME, name, MOVE, phase.tempo
    if set(values.lead_scale) != {UNSCALED}:
        yield GAME, "", LEAD, *values.lead_scale


def _value_rows(values: SquareValues, files: int, wide: int) -> Iterator[tuple[object, ...]]:
    phases = [*zip(PHASES, (values.full, values.few), strict=True)]
    yield from _game_wide_rows(values)
    for code, amount in values.material.items():
        yield code, "", MATERIAL, amount
        for name, phase in phases:
            board = phase.board[code]
            for start in range(len(board) - files, -1, -files):
                yield code, name, start // files + 1, *board[start : start + wide]
            if code in phase.hand:
                yield code, name, HAND, phase.hand[code]
    for code, term in values.full.terms:
        rows = [phase.terms[code, term] for _, phase in phases]
        for name, row in zip(PHASES, rows, strict=True) if any(map(any, rows)) else ():
            yield code, name, term, *row


def read_square_values(source: Source, variant: Variant) -> SquareValues:
    """The values of a file for a game. Raises `AlfilError` where it is none for this game."""
    lines = source.text.splitlines()
    rules = game_digest(variant)
    if RULES + rules not in lines:
        _reject(source, "these values are for other rules or pieces")
    try:
        return _values_from_rows(
            rules, [line.split("\t") for line in lines if line[:2] != COMMENT], variant
        )
    except (KeyError, ValueError, IndexError):
        _reject(source, "this is no file of values by square, or a part of it is missing")


def _values_from_rows(rules: str, rows: Iterable[Sequence[str]], variant: Variant) -> SquareValues:
    """Raises KeyError, ValueError or IndexError where rows are missing or wrong."""
    numbers = {
        (code, phase, what): [*map(_parse_value, cells)] for code, phase, what, *cells in rows
    }

    def phase_values(name: str) -> PhaseValues:
        (tempo,) = numbers[GAME, name, MOVE]
        return PhaseValues(
            {
                kind.code: [
                    number
                    for rank in range(1, variant.ranks + 1)
                    for number in _unfold_rank(numbers[kind.code, name, str(rank)], variant.files)
                ]
                for kind in variant.kinds
            },
            {
                kind.code: numbers[kind.code, name, HAND][0]
                for kind in variant.kinds
                if (kind.code, name, HAND) in numbers
            },
            tempo,
            {
                (code, run.name): _require_length(
                    numbers.get((code, name, run.name), [0] * len(run.numbers)), len(run.numbers)
                )
                for run in TermNumbers(len(variant.kinds)).term_ranges()
                for code in [GAME if run.kind is None else variant.kinds[run.kind].code]
            },
        )

    material = {kind.code: numbers[kind.code, "", MATERIAL][0] for kind in variant.kinds}
    lead_scale = _require_length(numbers.get((GAME, "", LEAD), [UNSCALED] * LEADS), LEADS)
    full, few = map(phase_values, PHASES)
    return SquareValues(rules, material, full, few, lead_scale)


def mean_square_values(learned: Sequence[SquareValues]) -> SquareValues:
    """The mean of values of one game that were learned apart, at least of one.

    What each has learned by chance counts for less in it.
    """
    codes = learned[0].material
    return SquareValues(
        learned[0].rules,
        {code: _mean(each.material[code] for each in learned) for code in codes},
        _mean_of_phase([each.full for each in learned]),
        _mean_of_phase([each.few for each in learned]),
        _mean_row(each.lead_scale for each in learned),
    )


def _mean_of_phase(phases: Sequence[PhaseValues]) -> PhaseValues:
    first = phases[0]
    return PhaseValues(
        {code: _mean_row(each.board[code] for each in phases) for code in first.board},
        {code: _mean(each.hand[code] for each in phases) for code in first.hand},
        _mean(each.tempo for each in phases),
        {term: _mean_row(each.terms[term] for each in phases) for term in first.terms},
    )


def _mean_row(rows: Iterable[Sequence[int]]) -> Sequence[int]:
    return [*map(_mean, zip(*rows, strict=True))]


def _mean(values: Iterable[int]) -> int:
    several = [*values]
    return round(sum(several) / len(several))


def _unfold_rank(cells: Sequence[int], files: int) -> Sequence[int]:
    """The numbers of a rank, from all of them or from half of them."""
    if len(cells) != files:
        cells = [*cells, *cells[: files // 2][::-1]]
    if len(cells) != files:
        raise ValueError(len(cells))
    return cells


def _parse_value(cell: str) -> int:
    """A value, which is no more than the engine can add up for all that there is on a board."""
    value = int(cell)
    if abs(value) > MOST:
        raise ValueError(value)
    return value


def _require_length(cells: Sequence[int], count: int) -> Sequence[int]:
    """So many numbers."""
    if len(cells) != count:
        raise ValueError(len(cells))
    return cells


def _reject(source: Source, message: str) -> NoReturn:
    hint = "make one with `alfil values GAME --squares FILE`"
    reject(AlfilError, "wrong-squares", message, source, hint=hint)


def included_square_values(variant: Variant) -> SquareValues | None:
    """The values that come with alfil for a game, None where it has none, or has other rules.

    Values of its piece file go before them.
    """
    if not variant.name.isidentifier() or any(kind.value is not None for kind in variant.kinds):
        return None
    name = variant.name + SUFFIX
    if not data_path(FOLDER, name):
        return None
    source = Source(read_data(FOLDER, name), name)
    if RULES + game_digest(variant) not in source.text.splitlines():
        return None
    return read_square_values(source, variant)
