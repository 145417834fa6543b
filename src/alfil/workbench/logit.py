"""Logistic regression of results on few whole numbers, with errors that are those of games.

Positions of one game have one result, so that a game, and not a position, is one observation: its
part of the gradient is what the errors are made of (K.-Y. Liang and S. L. Zeger, 1986).
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import exp
from typing import NamedTuple, TypeAlias

Matrix: TypeAlias = list[list[float]]
# By position: the columns that are not 0, with their numbers.
Position: TypeAlias = tuple[tuple[int, int], ...]

# Newton's method ends when no coefficient moves more, or after so many steps.
SMALLEST_STEP, MOST_STEPS = 1e-7, 40
# A coefficient is drawn to 0 as by so much of a position, so that there always is a solution.
PRIOR = 0.05
# Log odds beyond this are as good as certain.
FARTHEST = 30.0
# Numbers of a row: the game, and the result for the first side as 1, 0 or -1.
GAME, RESULT = 0, 1


class Fit(NamedTuple):
    """Coefficients by their columns, in log odds, with covariances by two columns."""

    coefficients: dict[int, float]
    covariances: dict[tuple[int, int], float]
    positions: int


def fit_results(
    bundles: Iterable[array[int]],
    width: int,
    columns: Sequence[int],
    first_game: int,
    fewest_games: int,
) -> Fit:
    """Explain results by some columns of rows that have so many numbers each.

    Drawn games and those before ``first_game`` are left out, and columns that are not 0 in at least
    ``fewest_games``. What it is worth to be the first side is found besides, as column -1.
    """
    games = _positions_by_game(bundles, width, columns, first_game)
    used = _common_columns(games, fewest_games)
    places = {column: place for place, column in enumerate([-1, *used])}
    # Each position once, with how many there are and how many of them the first side won.
    totals: dict[Position, list[float]] = {}
    scored: list[list[tuple[Position, float]]] = []
    for positions in games.values():
        scored.append([])
        for numbers, points in positions:
            key = ((0, 1), *[(places[c], n) for c, n in numbers if c in places])
            entry = totals.setdefault(key, [0, 0.0])
            entry[0] += 1
            entry[1] += points
            scored[-1].append((key, points))
    coefficients, inverse = _newton(totals, len(places))
    covariances = _covariances(scored, totals, coefficients, inverse)
    return Fit(
        {column: coefficients[place] for column, place in places.items()},
        {(a, b): covariances[x][y] for a, x in places.items() for b, y in places.items()},
        sum(map(len, scored)),
    )


def _positions_by_game(
    bundles: Iterable[array[int]], width: int, columns: Sequence[int], first_game: int
) -> dict[int, list[tuple[Position, float]]]:
    """The positions of each game that somebody won, and 1 where that was the first side, or 0."""
    games: dict[int, list[tuple[Position, float]]] = defaultdict(list)
    for rows in bundles:
        for at in range(0, len(rows), width):
            row = rows[at : at + width]
            if row[GAME] >= first_game and row[RESULT]:
                numbers = tuple([(column, row[column]) for column in columns if row[column]])
                games[row[GAME]].append((numbers, float(row[RESULT] > 0)))
    return games


def _common_columns(
    games: Mapping[int, Sequence[tuple[Position, float]]], fewest_games: int
) -> list[int]:
    """The columns that are not 0 in so many games."""
    counts: dict[int, int] = defaultdict(int)
    for positions in games.values():
        for column in {column for numbers, _ in positions for column, _ in numbers}:
            counts[column] += 1
    return sorted(column for column, count in counts.items() if count >= fewest_games)


def _newton(totals: Mapping[Position, Sequence[float]], width: int) -> tuple[list[float], Matrix]:
    """The most likely coefficients, and the inverse of the information."""
    coefficients = [0.0] * width
    inverse: Matrix = []
    for _ in range(MOST_STEPS):
        gradient = [-PRIOR * each for each in coefficients]
        information = [[PRIOR * (x == y) for y in range(width)] for x in range(width)]
        for numbers, (count, points) in totals.items():
            likely = _probability(coefficients, numbers)
            left, weight = points - count * likely, count * likely * (1 - likely)
            for x, n in numbers:
                gradient[x] += left * n
                row, heavy = information[x], weight * n
                for y, other in numbers:
                    row[y] += heavy * other
        inverse = _inverse(information)
        step = _product(inverse, gradient)
        coefficients = [each + more for each, more in zip(coefficients, step, strict=True)]
        if max(map(abs, step)) < SMALLEST_STEP:
            break
    return coefficients, inverse


def _covariances(
    games: Iterable[Sequence[tuple[Position, float]]],
    totals: Iterable[Position],
    coefficients: Sequence[float],
    inverse: Matrix,
) -> Matrix:
    """The covariances of the coefficients, were as many other games played."""
    likely = {each: _probability(coefficients, each) for each in totals}
    width = len(coefficients)
    spread: Matrix = [[0.0] * width for _ in range(width)]
    for positions in games:
        score: dict[int, float] = defaultdict(float)
        for numbers, points in positions:
            left = points - likely[numbers]
            for x, n in numbers:
                score[x] += left * n
        for x, one in score.items():
            row = spread[x]
            for y, other in score.items():
                row[y] += one * other
    # The inverse is symmetric: inverse × spread × inverse.
    half = [_product(inverse, row) for row in spread]
    return [
        [sum(map(_times, row, column)) for column in zip(*half, strict=True)] for row in inverse
    ]


def _probability(coefficients: Sequence[float], numbers: Position) -> float:
    """How likely the first side wins."""
    odds = sum([coefficients[x] * n for x, n in numbers])
    return 1 / (1 + exp(-max(-FARTHEST, min(FARTHEST, odds))))


def _times(one: float, other: float) -> float:
    return one * other


def _product(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(map(_times, row, vector)) for row in matrix]


def _inverse(matrix: Matrix) -> Matrix:
    """The inverse of a symmetric matrix that is positive definite, by Gauss and Jordan."""
    width = len(matrix)
    rows = [[*row, *[float(x == y) for y in range(width)]] for x, row in enumerate(matrix)]
    for x in range(width):
        pivot = rows[x][x]
        rows[x] = [each / pivot for each in rows[x]]
        for y in range(width):
            factor = rows[y][x]
            if y != x and factor:
                rows[y] = [a - factor * b for a, b in zip(rows[y], rows[x], strict=True)]
    return [row[width:] for row in rows]
