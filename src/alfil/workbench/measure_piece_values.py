"""What the pieces of a game are worth, from games of the engine against itself.

docs/values.md says what is done. No value goes in: in the first games all pieces are worth the
same, and later ones are played by the values that the earlier ones gave.
"""

from __future__ import annotations

import pickle
from array import array
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import asdict
from math import inf, isnan, sqrt
from time import perf_counter, process_time
from typing import Any, NamedTuple, TypeAlias

from alfil.errors import require_type
from alfil.frozen_dataclasses import dataclass
from alfil.game.compiled_variant import compile_variant
from alfil.game.variant import Variant
from alfil.library.library import Library
from alfil.play.game import unpickled_variant
from alfil.play.opponent import TEMPO_BONUS, BoardAndHandValue, PieceValues
from alfil.play.opponent_search import ValueTable
from alfil.play.self_play import (
    PlayedGames,
    SelfPlaySettings,
    Spread,
    default_self_play_settings,
    map_in_this_process,
    play_games,
)
from alfil.workbench.logistic_regression import (
    MEN_COLUMNS,
    PRIOR,
    PositionRows,
    RegressionColumns,
    RowSelection,
    fit_logistic_regression,
)
from alfil.workbench.regression_columns import PieceColumns

# Games are played in bundles of so many. Pieces are worth the same in the first round; each later
# round has half as many games as all before it.
BUNDLE, FIRST_ROUND = 20, 200
# The first ones of all games, one part of so many, only serve to find values to play by.
LEARNING = 4
# A piece has a value where one side had more of it in at least so many games.
FEWEST_GAMES = 20
# A unit is at least so many times its error.
CERTAIN_UNIT = 4.0
GAMES, SECONDS, ERROR = 1_000_000, 300.0, 5.0

# How games are played: the variant, pickled, what its pieces are worth, and the rest.
Task: TypeAlias = tuple[bytes, Mapping[int, BoardAndHandValue], SelfPlaySettings]


@dataclass(frozen=True, slots=True)
class PieceValue:
    """What a piece is worth on the board and in hand, and the standard errors of that.

    None where it is never held, or too few games had it. The error of the unit is 0.
    """

    code: str
    name: str
    value: float | None
    error: float | None
    hand_value: float | None
    hand_error: float | None


@dataclass(frozen=True, slots=True)
class GameValues:
    """The values of a game's pieces that are not royal; the piece ``unit`` is worth 1.

    Without a ``unit`` nothing is certain enough to have a value.

    Of the ``games``, ``plies`` long in all, ``decided`` had a winner; ``positions`` of them were
    compared. ``converged``: each piece of the starting position has an error of at most ``limit``
    per cent. ``cpu_seconds`` is the time that all of it took.
    """

    pieces: tuple[PieceValue, ...]
    unit: str
    games: int
    decided: int
    plies: int
    positions: int
    seed: int
    limit: float
    converged: bool
    cpu_seconds: float

    def to_json(self) -> dict[str, Any]:
        """The same as plain data, as docs/commands.schema.json has it."""
        return asdict(self)


class GameBundle(NamedTuple):
    """Some games, and in how many of them one side had more of a kind, by column."""

    played: PlayedGames
    uneven: Counter[int]

    def to_plain(self) -> list[Any]:
        """The same as data that JSON can have."""
        return [self.played.to_plain(), sorted(self.uneven.items())]

    @classmethod
    def from_plain(cls, plain: list[Any]) -> GameBundle:
        """What `to_plain` has made."""
        played, uneven = plain
        return cls(PlayedGames.from_plain(played), Counter(dict(uneven)))


class FittedLogOdds(NamedTuple):
    """Log odds by the columns of kinds that enough games had, and their covariances."""

    coefficients: dict[int, float]
    covariances: Mapping[tuple[int, int], float]
    positions: int


def values(
    game: Library,
    *,
    games: int = GAMES,
    seconds: float | None = SECONDS,
    error: float = ERROR,
    seed: int = 0,
    progress: Callable[[int], None] = lambda _games: None,
    spread: Spread[Task, GameBundle] = map_in_this_process,
) -> GameValues:
    """Measure what the pieces of a game are worth, by games of the engine against itself.

    It ends after so many ``games`` or ``seconds``, or when the standard error of each piece of the
    starting position is at most ``error`` per cent. With ``seconds=None`` the same ``seed`` and
    ``games`` give the same values on every machine. ``progress`` hears how many games were played;
    ``spread`` has the bundles played, here or elsewhere. Raises `AlfilError` for a file without a
    starting position, `RuleError` where the engine does not support the game, ValueError for less
    than one game.

    >>> import alfil
    >>> found = alfil.values(alfil.load("dobutsu"), games=20, seconds=None)
    >>> found.games, found.converged
    (20, False)
    """
    require_type(game, Library, "a game is a library, from alfil.load")
    for number, what in ((games, "games"), (seed, "a seed")):
        require_type(number, int, f"{what}: a whole number")
    if games < 1:
        raise ValueError("at least one game is played")
    if any(map(isnan, (error, seconds or 0.0))):
        raise ValueError("seconds and error are numbers, not NaN")
    game.require_starting_position()
    measurement = _ValueMeasurement(
        game.variant, default_self_play_settings(game.variant, seed), error
    )
    end = inf if seconds is None else perf_counter() + seconds
    measurement.play(games, end, progress, spread)
    return measurement.result()


class _ValueMeasurement:
    """Games that were played, and what they tell."""

    def __init__(self, variant: Variant, rules: SelfPlaySettings, limit: float) -> None:
        self._variant, self._rules, self._limit = variant, rules, limit
        self._kinds = variant.kinds
        self._compiled = compile_variant(variant)
        self._men = PieceColumns(self._compiled)
        self._bundles: list[GameBundle] = []
        self._fitting = 0.0
        self._begins = _starting_piece_counts(variant)
        # Of several that there are as many of, the one that has the fewest moves.
        moves = PieceValues(self._compiled, 0, {}, noise=0).hand
        self._unit = max(self._begins, key=lambda n: (self._begins[n], -moves[n]), default=-1)

    def play(
        self,
        games: int,
        end: float,
        progress: Callable[[int], None],
        spread: Spread[Task, GameBundle],
    ) -> None:
        """Play so many games, or until a time; or until what they tell is certain enough."""
        variant, done = pickle.dumps(self._variant), 0
        known: Mapping[int, BoardAndHandValue] = {
            n: BoardAndHandValue(1, 1) for n, kind in enumerate(self._kinds) if not kind.royal
        }
        while True:
            goal = min(games, max(FIRST_ROUND, done + done // 2))
            numbers = [range(n, min(n + BUNDLE, goal)) for n in range(done, goal, BUNDLE)]
            for each in spread(_play_bundle, (variant, known, self._rules), numbers):
                self._bundles.append(each)
                done += each.played.games
                progress(done)
                if perf_counter() > end:
                    return
            results = self._fit_log_odds()
            if done == games or self._is_certain(self._values_in_units(results)):
                return
            known = self._known_values(results)

    def result(self) -> GameValues:
        """What all games tell."""
        results = self._fit_log_odds()
        pieces, unit = self._values_in_units(results), self._unit_kind(results)
        played = [each.played for each in self._bundles]
        cpu_seconds = self._fitting + sum(each.cpu_seconds for each in played)
        return GameValues(
            pieces=pieces,
            unit="" if unit is None else self._kinds[unit].code,
            games=self._played_game_count(),
            decided=sum(each.decided for each in played),
            plies=sum(each.plies for each in played),
            positions=results.positions,
            seed=self._rules.seed,
            limit=self._limit,
            converged=self._is_certain(pieces),
            cpu_seconds=round(cpu_seconds, 2),
        )

    def _fit_log_odds(self) -> FittedLogOdds:
        """The log odds of the first side by what it has more of, in all games but the first."""
        begun = process_time()
        games, men = self._played_game_count(), self._men
        first = games // LEARNING
        rows = array("i")
        uneven: Counter[int] = Counter()
        for number, each in enumerate(self._bundles):
            rows.extend(each.played.rows)
            if number * BUNDLE >= first:
                uneven += each.uneven
        # Squares are left out, with which a piece would be worth the mean over all of them, as
        # often as it is on each.
        kinds = men.kind_column_by_man()
        ridge = [PRIOR] * (MEN_COLUMNS + 2 * men.kinds)
        columns = RegressionColumns(kinds, array("i", bytes(4 * len(kinds))), 2 * men.kinds, ridge)
        found = fit_logistic_regression(
            self._compiled,
            PositionRows.of(rows),
            columns,
            RowSelection(first_game=first),
            covariance_count=MEN_COLUMNS + 2 * len(self._kinds),
        )
        common = [column for column, number in uneven.items() if number >= FEWEST_GAMES]
        self._fitting += process_time() - begun
        return FittedLogOdds(
            {column: found.coefficients[column] for column in sorted(common)},
            found.covariances,
            found.positions,
        )

    def _played_game_count(self) -> int:
        """How many games were played."""
        return sum(each.played.games for each in self._bundles)

    def _known_values(self, results: FittedLogOdds) -> dict[int, BoardAndHandValue]:
        """What pieces are worth, by type, for the next games to be played by."""
        found = results.coefficients
        return {
            n: BoardAndHandValue(
                found[MEN_COLUMNS + n], found.get(MEN_COLUMNS + len(self._kinds) + n)
            )
            for n in range(len(self._kinds))
            if MEN_COLUMNS + n in found
        }

    def _unit_kind(self, results: FittedLogOdds) -> int | None:
        """The type that is worth 1, None where nothing is certain enough for that.

        It is the usual one, or that of the starting position whose value is the most certain.
        Games that were all played as if all pieces were worth the same tell nothing.
        """
        if self._played_game_count() <= FIRST_ROUND:
            return None

        def certainty(number: int) -> float:
            found = results.coefficients.get(MEN_COLUMNS + number, 0.0)
            if not found:
                return 0.0
            return abs(found) / sqrt(
                results.covariances[MEN_COLUMNS + number, MEN_COLUMNS + number]
            )

        certain = [n for n in self._begins if certainty(n) > CERTAIN_UNIT]
        return self._unit if self._unit in certain else max(certain, key=certainty, default=None)

    def _values_in_units(self, results: FittedLogOdds) -> tuple[PieceValue, ...]:
        """The values in units, with their errors."""
        unit = self._unit_kind(results)

        def ratio(column: int) -> tuple[float | None, float | None]:
            return (
                (None, None)
                if unit is None
                else _coefficient_in_units(results, column, MEN_COLUMNS + unit)
            )

        kinds = len(self._kinds)
        return tuple(
            PieceValue(
                kind.code, kind.name, *ratio(MEN_COLUMNS + n), *ratio(MEN_COLUMNS + kinds + n)
            )
            for n, kind in enumerate(self._kinds)
            if not kind.royal
        )

    def _is_certain(self, pieces: tuple[PieceValue, ...]) -> bool:
        """Whether all pieces of the starting position have errors within the limit."""
        begins = {self._kinds[n].code for n in self._begins}
        asked = [each for each in pieces if each.code in begins]
        return bool(asked) and all(
            self._is_error_within_limit(each.value, each.error)
            and (
                each.hand_value is None
                or self._is_error_within_limit(each.hand_value, each.hand_error)
            )
            for each in asked
        )

    def _is_error_within_limit(self, value: float | None, error: float | None) -> bool:
        if value is None or error is None:
            return False
        return 100 * error <= self._limit * abs(value)


def _starting_piece_counts(variant: Variant) -> dict[int, int]:
    """How many pieces there are in the beginning, in hands too, by type; no royal ones."""
    counts = Counter(each.code for each in variant.setup)
    for hand in variant.hands:
        counts.update(dict(hand))
    return {
        n: counts[kind.code]
        for n, kind in enumerate(variant.kinds)
        if counts[kind.code] and not kind.royal
    }


def _coefficient_in_units(
    results: FittedLogOdds, one: int, unit: int
) -> tuple[float | None, float | None]:
    """A coefficient in units, and the error of that."""
    if one not in results.coefficients:
        return None, None
    whole, covariances = results.coefficients[unit], results.covariances
    value = results.coefficients[one] / whole
    square = (
        covariances[one, one]
        - 2 * value * covariances[one, unit]
        + value * value * covariances[unit, unit]
    )
    return value, sqrt(max(0.0, square)) / abs(whole)


def _play_bundle(task: Task, numbers: range) -> GameBundle:
    """Play the games of a bundle."""
    pickled, known, rules = task
    variant = unpickled_variant(pickled)
    compiled = compile_variant(variant)
    # Nothing is known but the values themselves.
    values = PieceValues(compiled, 0, known, noise=0, advancing=False)
    table = ValueTable(values.arrays(), (TEMPO_BONUS, TEMPO_BONUS))
    played = play_games(variant, table, rules, numbers)
    return GameBundle(played, PieceColumns(compiled).imbalance_game_counts(played))
