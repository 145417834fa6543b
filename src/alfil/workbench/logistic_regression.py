"""Logistic regression of results on what is on the board, with errors that are those of games.

The engine does the work (src/alfil/engine/fitting.c).
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from alfil.frozen_dataclasses import dataclass
from alfil.game.compiled_variant import CompiledVariant
from alfil.game.engine_interface import FITTING, LEADS, Struct
from alfil.game.engine_memory import IntArray
from alfil.game.game_position import GamePosition
from alfil.game.sfen import starting_position
from alfil.play.self_play import row_starts

# The first columns: the first side, the side to move.
FIRST_SIDE, MOVER, MEN_COLUMNS = range(3)
# Newton's method ends when no coefficient moves more than a little, or after so many steps.
MOST_STEPS = 30
# A coefficient is drawn to 0 as by so much of a position, so that there always is a solution.
PRIOR = 0.05


class PositionRows(NamedTuple):
    """Positions of games: rows (src/alfil/engine/selfplay.c) in a row, and where they start."""

    numbers: IntArray
    starts: array[int]

    @classmethod
    def of(cls, numbers: IntArray) -> PositionRows:
        """The rows, each of which begins with its length."""
        return cls(numbers, array("q", row_starts(numbers)))


@dataclass(frozen=True, slots=True)
class PriorCoefficients:
    """What is known before, in any unit: by man as in a row, of the move, and by term.

    ``scale`` is the log odds of one unit.
    """

    men: array[int]
    tempo: int
    terms: array[int]
    scale: float


@dataclass(frozen=True, slots=True)
class RegressionColumns:
    """What a man counts for, by its number in a row: 0, or one more than a column of the men.

    Below 0 it is one of the second side. ``men`` is how many columns these are; those of terms
    follow. ``ridge`` says by column how strongly a coefficient is drawn to 0, the first columns
    too. With a ``material`` each column is two, one for much and one for little of it, and
    ``whole`` is all of it; ``ridge`` is of those. ``advancing`` men, 1 of the first side and -1 of
    the second, are counted for what a lead counts, which ``lead_strictness`` draws to 1.
    """

    kinds: array[int]
    squares: array[int]
    men: int
    ridge: Sequence[float]
    material: array[int] | None = None
    whole: int = 0
    advancing: array[int] | None = None
    lead_strictness: float = 1.0


class LogitFit(NamedTuple):
    """Coefficients by column, in log odds, and covariances by two of the columns asked for.

    ``left`` is the mean square of what is not explained of the games that were held out. A lead
    counts for ``lead_scale`` times as much, by how many advancing men the side has that leads.
    """

    coefficients: Sequence[float]
    covariances: Mapping[tuple[int, int], float]
    positions: int
    left: float
    lead_scale: Sequence[float]


@dataclass(frozen=True, slots=True)
class RowSelection:
    """Which rows are explained: not the games before a number, and drawn ones if that is asked.

    One game of so many is held out. With a ``decay`` below 1 what later searches said counts for
    part of the result, so much less with each move.
    """

    first_game: int = 0
    drawn: bool = False
    hold_out: int = 0
    decay: float = 1.0


def fit_logistic_regression(
    compiled: CompiledVariant,
    rows: PositionRows,
    columns: RegressionColumns,
    selection: RowSelection = RowSelection(),  # noqa: B008 - frozen
    *,
    known: PriorCoefficients | None = None,
    covariance_count: int = 0,
    steps: int = MOST_STEPS,
) -> LogitFit:
    """Explain results by columns; with the covariances of the first ``covariance_count``.

    With no ``steps`` all coefficients are 0: what is known before is all there is.
    """
    count, kept = len(columns.ridge), len(rows.starts)
    none = array("i", bytes(4 * len(columns.kinds)))
    numbers = {
        "rows_kept": kept,
        "columns": count,
        "phases": 1 if columns.material is None else 2,
        "terms": columns.men,
        "whole": columns.whole,
        "asked": covariance_count,
        "most_steps": steps,
        "first_game": selection.first_game,
        "drawn": int(selection.drawn),
        "hold_out": selection.hold_out,
        "tempo": known.tempo if known else 0,
        "scaling": int(columns.advancing is not None),
    }
    vectors = ("coefficients", "gradient", "diagonal", "step", "direction", "image", "rest")
    lengths = dict.fromkeys(vectors, count) | dict.fromkeys(("targets", "weights"), kept)
    lengths |= {
        "inverse": count * covariance_count,
        "covariances": covariance_count * covariance_count,
    }
    arrays = {name: array("d", bytes(8 * length)) for name, length in lengths.items()}
    scale = (known.scale if known else 0.0, selection.decay, 0.0, columns.lead_strictness)
    arrays |= {"scale": array("d", scale), "lead_scale": array("d", [1.0] * (3 * LEADS))}
    arrays["ridge"] = array("d", columns.ridge)
    whole: dict[str, IntArray] = {
        "rows": rows.numbers,
        "starts": rows.starts,
        "kind_columns": columns.kinds,
        "square_columns": columns.squares,
        "known": known.men if known else none,
        "material": none if columns.material is None else columns.material,
        "advancing": none if columns.advancing is None else columns.advancing,
        "known_terms": known.terms if known else array("i", bytes(4 * count)),
        "used": array("i", bytes(8 * max((rows.numbers[at] for at in rows.starts), default=1))),
    }
    struct = Struct(FITTING, numbers, whole | arrays)  # type: ignore[arg-type]
    GamePosition(starting_position(compiled)).call_engine("fit_results", struct)
    return LogitFit(
        arrays["coefficients"],
        {
            (x, y): arrays["covariances"][x * covariance_count + y]
            for x in range(covariance_count)
            for y in range(covariance_count)
        },
        struct["positions"],
        arrays["scale"][2],
        arrays["lead_scale"][:LEADS],
    )
