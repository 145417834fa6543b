"""Learning what pieces are worth by square, from games of the opponent against itself.

docs/values.md says what is done. What the opponent knows without learning is where it begins; few
games change little of that, many change more.
"""

from __future__ import annotations

import pickle
from array import array
from collections.abc import Callable
from time import process_time
from typing import Any, NamedTuple, TypeAlias

from alfil.errors import AlfilError, reject, require_type
from alfil.game.compiled_variant import CompiledVariant, compile_variant
from alfil.game.variant import Variant
from alfil.library.library import Library
from alfil.play.evaluation_terms import MOVES, TermNumbers
from alfil.play.game import unpickled_variant
from alfil.play.opponent import (
    LARGE_GAME,
    PieceValues,
    default_value_table,
    learned_value_table,
    promotion_gain_flags,
    term_table,
)
from alfil.play.records.own_format import game_digest
from alfil.play.self_play import (
    PlayedGames,
    SelfPlaySettings,
    Spread,
    map_in_this_process,
    play_games,
)
from alfil.play.square_values import GAME, PhaseValues, SquareValues
from alfil.source import Source
from alfil.workbench.logistic_regression import (
    MOVER,
    LogitFit,
    PositionRows,
    PriorCoefficients,
    RegressionColumns,
    RowSelection,
    fit_logistic_regression,
)
from alfil.workbench.regression_columns import PieceColumns

# Games are played in bundles of so many.
BUNDLE, GAMES = 25, 8_000
# The first games, one part of so many, are played by what is known without learning, at so few
# positions a move; so many of them by what these taught; all others by what those taught.
FIRST_PART, SECOND_PART = 8, 2
FIRST_NODES, NODES, DEPTH = 250, 800, 12
# Log odds of a hundredth of a move: the best one of these is taken.
SCALES = tuple(0.0004 * 1.25**n for n in range(16))
# How far values may be from those known before, in hundredths of a move, as if by chance with this
# standard deviation: of a piece, of a piece on a square, of being on the move, of a term.
PIECE, SQUARE, TEMPO, TERM = 120.0, 40.0, 30.0, 120.0
# What makes games held out no better explained is tried so many times as strictly.
STRICTER = (10, 100, 1000)
# The log odds of the first side may be as far from none, and what a lead counts from 1.
ADVANTAGE, LEAD = 0.5, 0.5
# What a position is to be worth is in part what the search said, there and later in the game: with
# each move so much less than all behind it.
DECAY = 0.95
# The positions of a game tell as much as so many that are independent.
INDEPENDENT = 20
# One game of so many is no part of what is learned, and tells how good it is.
HELD_OUT = 10
# Each value is two, for much and for little material, and there are at most so many.
PHASES, MAX_COLUMNS = 2, 20_000

# The variant, pickled, how its games are played, and by which learned values, if any.
Task: TypeAlias = tuple[bytes, SelfPlaySettings, SquareValues | None]


class LearnedValues(NamedTuple):
    """Values by square, and what they were learned from.

    ``left`` is the mean square of what they leave unexplained of the results of games that were
    held out, ``left_before`` that of the values without learning.
    """

    values: SquareValues
    games: int
    positions: int
    left_before: float
    left: float
    seed: int
    cpu_seconds: float

    def to_json(self) -> dict[str, Any]:
        """The figures as plain data, as docs/commands.schema.json has them."""
        figures = self._asdict()
        del figures["values"]
        return figures


def learn_square_values(
    game: Library,
    *,
    games: int = GAMES,
    seed: int = 0,
    progress: Callable[[int], None] = lambda _games: None,
    spread: Spread[Task, PlayedGames] = map_in_this_process,
) -> LearnedValues:
    """Learn what the pieces of a game are worth by square, from so many games.

    The same ``seed`` and ``games`` give the same values for any ``spread``. Raises `AlfilError` for
    a file without a starting position, a board of more than 225 squares or too many values,
    `RuleError` where the engine does not support the game, ValueError for less than one game.
    """
    for number, what in ((games, "games"), (seed, "a seed")):
        require_type(number, int, f"{what}: a whole number")
    if games < 1:
        raise ValueError("at least one game is played")
    game.require_starting_position()
    variant = game.variant
    _reject_large_game(variant)
    learning = _SelfPlayForSquareValues(variant, seed, progress, spread)
    first = games // FIRST_PART
    learned: LearnedValues | None = None
    for end in dict.fromkeys((first, games // SECOND_PART, games)):
        if end:
            learning.play(end, learned.values if learned else None)
            learned = learning.result()
    assert learned
    return learned


class _SelfPlayForSquareValues:
    """Games that are played to learn from, by what earlier ones taught."""

    def __init__(
        self,
        variant: Variant,
        seed: int,
        progress: Callable[[int], None],
        spread: Spread[Task, PlayedGames],
    ) -> None:
        self._variant, self._seed = variant, seed
        self._progress, self._spread = progress, spread
        self._rows = array("i")
        self._cpu_seconds, self._done, self._first = 0.0, 0, 0

    def play(self, until_game: int, values: SquareValues | None) -> None:
        """Play the games before a number that were not played yet.

        Once something was learned, games of those who knew nothing teach no more.
        """
        rules = SelfPlaySettings(
            depth=DEPTH,
            nodes=NODES if values else FIRST_NODES,
            kept_of=1,
            usual_of=2,
            playing_on=True,
            with_terms=True,
            seed=self._seed,
        )
        if values and not self._first:
            self._first, self._rows = self._done, array("i")
        numbers = [
            range(n, min(n + BUNDLE, until_game)) for n in range(self._done, until_game, BUNDLE)
        ]
        task = (pickle.dumps(self._variant), rules, values)
        for played in self._spread(_play_bundle, task, numbers):
            self._rows.extend(played.rows)
            self._cpu_seconds += played.cpu_seconds
            self._done += played.games
            self._progress(self._done)

    def result(self) -> LearnedValues:
        """What these games teach."""
        begun = process_time()
        rows = PositionRows.of(self._rows)
        learner = _SquareValueFit(self._variant, rows, self._done - self._first)
        found = learner.fit()
        values = learner.square_values(found)
        self._cpu_seconds += process_time() - begun
        return LearnedValues(
            values=values,
            games=self._done,
            positions=len(rows.starts),
            left_before=found.before.left,
            left=found.after.left,
            seed=self._seed,
            cpu_seconds=round(self._cpu_seconds, 2),
        )


def _reject_large_game(variant: Variant) -> None:
    """Reject a game that has too many values for the memory, and for the time to find them."""
    compiled = compile_variant(variant)
    terms = TermNumbers(len(compiled.kinds)).count
    if compiled.size > LARGE_GAME:
        message = f"values by square are learned on boards of at most {LARGE_GAME} squares"
    elif PHASES * (PieceColumns(compiled).columns + terms) > MAX_COLUMNS:
        message = f"this game has more than {MAX_COLUMNS:,} values by square"
    else:
        return
    reject(AlfilError, "no-squares", message, Source(variant.name, "<game>"))


def _play_bundle(task: Task, numbers: range) -> PlayedGames:
    """Play the games of a bundle."""
    pickled, rules, learned = task
    variant = unpickled_variant(pickled)
    compiled = compile_variant(variant)
    if learned:
        return play_games(variant, learned_value_table(compiled, learned), rules, numbers)
    known = PieceValues(compiled, 0, noise=0)
    terms = term_table(compiled, material_by_kind(compiled, known), array("i"))
    values = default_value_table(compiled, known)._replace(terms=terms)
    return play_games(variant, values, rules, numbers)


def material_by_kind(compiled: CompiledVariant, known: PieceValues) -> list[int]:
    """How much material pieces are; royals are none."""
    return [
        0 if compiled.royal[1 + 2 * kind] else abs(known.hand[kind])
        for kind in range(len(compiled.kinds))
    ]


class FitsBeforeAndAfter(NamedTuple):
    """What explains results: with the values known before, and with those learned.

    ``scale`` are the log odds of a hundredth of a move.
    """

    before: LogitFit
    after: LogitFit
    scale: float


class _SquareValueFit:
    """What rows tell, beside what is known before."""

    def __init__(self, variant: Variant, rows: PositionRows, games: int) -> None:
        self._variant, self._rows, self._games = variant, rows, games
        self._compiled = compile_variant(variant)
        self._men = PieceColumns(self._compiled)
        self._terms = TermNumbers(len(self._compiled.kinds))
        self._before = PieceValues(self._compiled, 0, noise=0)
        self._plain = default_value_table(self._compiled, self._before)
        self._known_terms = self._known_term_weights()
        self._material = material_by_kind(self._compiled, self._before)
        self._advancing = promotion_gain_flags(self._compiled, self._material)
        self._size = self._compiled.size

    def fit(self) -> FitsBeforeAndAfter:
        """What explains the results best."""
        count = len(self._rows.starts)
        tries = {
            scale: self._fit_regression(scale, 0, steps=0, hold_out_one_in=2).left
            for scale in SCALES
        }
        scale = min(SCALES, key=lambda each: tries[each])
        strictness = max(1.0, count / (INDEPENDENT * self._games))
        before = self._fit_regression(scale, strictness, steps=0)
        after = self._fit_regression(scale, strictness)
        for times in STRICTER:
            # From few games less can be learned.
            if after.left >= before.left:
                after = self._fit_regression(scale, times * strictness)
        return FitsBeforeAndAfter(before, after, scale)

    def square_values(self, fit: FitsBeforeAndAfter) -> SquareValues:
        """The values of coefficients."""
        return SquareValues(
            game_digest(self._variant),
            {kind.code: self._material[n] for n, kind in enumerate(self._compiled.kinds)},
            self._phase_values(fit, 0),
            self._phase_values(fit, 1),
            [round(100 * each) for each in fit.after.lead_scale],
        )

    def _known_term_weights(self) -> array[int]:
        """What a move more is worth to each piece that has moves."""
        rows: dict[tuple[int | None, str], list[int]] = {
            (run.kind, run.name): [
                self._plain.mobility * moves for moves, _ in enumerate(run.numbers)
            ]
            for run in self._terms.term_ranges()
            if run.name == MOVES and run.kind is not None
            if not self._compiled.royal[1 + 2 * run.kind]
        }
        return array("i", self._terms.weights(rows))

    def _known_square_value(self, kind: int, square: int) -> int:
        return self._before.board[(1 + 2 * kind) * self._size + square]

    def _fit_regression(
        self, scale: float, strictness: float, hold_out_one_in: int = HELD_OUT, **steps: int
    ) -> LogitFit:
        men = self._men

        def ridge(deviation: float) -> float:
            return strictness / (scale * deviation) ** 2

        of_men = men.ridge_penalties(ridge(PIECE), ridge(SQUARE))
        of_terms = [ridge(TERM)] * self._terms.count
        first = [strictness / ADVANTAGE**2, ridge(TEMPO)]
        material = men.expand_to_all_men(
            lambda kind, _square: self._material[kind], lambda _kind: 0
        )
        columns = RegressionColumns(
            men.kind_column_by_man(),
            men.square_column_by_man(),
            len(of_men),
            [each for each in (*first, *of_men, *of_terms) for _ in range(PHASES)],
            array("i", map(abs, material)),
            sum(self._material[(p - 1) >> 1] for p in self._compiled.starting.values()),
            men.expand_to_all_men(lambda kind, _square: self._advancing[kind], lambda _kind: 0),
            strictness / LEAD**2,
        )
        known = PriorCoefficients(
            men.expand_to_all_men(self._known_square_value, lambda kind: self._before.hand[kind]),
            self._plain.on_move[0],
            self._known_terms,
            scale,
        )
        chosen = RowSelection(drawn=True, hold_out=hold_out_one_in, decay=DECAY)
        return fit_logistic_regression(
            self._compiled, self._rows, columns, chosen, known=known, **steps
        )

    def _phase_values(self, fit: FitsBeforeAndAfter, phase: int) -> PhaseValues:
        men, kinds = self._men, [*enumerate(self._compiled.kinds)]

        def more(column: int) -> float:
            return fit.after.coefficients[PHASES * column + phase] / fit.scale

        def on_square(kind: int, square: int) -> int:
            learned = more(men.kind_column(kind)) + more(men.square_column(kind, square))
            return round(self._known_square_value(kind, square) + learned)

        def term(number: int) -> int:
            return round(self._known_terms[number] + more(men.columns + number))

        codes = {n: kind.code for n, kind in kinds}
        terms = {
            (GAME if run.kind is None else codes[run.kind], run.name): [*map(term, run.numbers)]
            for run in self._terms.term_ranges()
        }
        return PhaseValues(
            {kind.code: [on_square(n, s) for s in range(self._size)] for n, kind in kinds},
            {
                kind.code: round(self._before.hand[n] + more(men.kind_column(n, in_hand=True)))
                for n, kind in kinds
                if n in self._compiled.held
            },
            round(self._plain.on_move[phase] + more(MOVER)),
            terms,
        )
