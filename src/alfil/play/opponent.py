"""A computer opponent for any variant, by search.

A piece is worth the moves it has, on average, on boards that hold some pieces at random, and on a
square a little more where it has more there. What it may become adds part of what that is worth,
more so where it is near the place to promote. The side whose pieces have more moves is ahead.
Where a piece file says what pieces are worth (``value=``), that is taken, in the same units.

The engine (src/alfil/engine/search.c) does the work.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from operator import add, iadd
from random import Random
from typing import NamedTuple

from alfil.errors import require_type
from alfil.game import engine_interface as search
from alfil.game.compiled_variant import CompiledVariant, compile_variant
from alfil.game.engine_position import EnginePosition
from alfil.game.game_position import GamePosition
from alfil.game.moves import Move
from alfil.game.native_engine import engine
from alfil.game.position import Position
from alfil.game.variant import Variant
from alfil.play.evaluation_terms import TermNumbers
from alfil.play.game import Game
from alfil.play.opponent_search import (
    Iteration,
    OpponentSearch,
    ReportIteration,
    SearchTime,
    TermTable,
    ValueTable,
)
from alfil.play.square_values import UNSCALED, PhaseValues, SquareValues, included_square_values
from alfil.play.tablebase import Tablebase

# Boards that a piece is put on, and how many of their squares are taken.
BOARDS, PIECES_PER_BOARD = 6, 0.3
# Boards with more squares are large: the moves of a piece are counted on a few of them.
LARGE_GAME = 15 * 15
# So they are where there are more pieces than this times squares: each is laid out on each.
MAX_VALUED_SQUARES = 20_000
# A move is worth so much, one more or less on a square a tenth of that. So much of what promotion
# brings is counted before it has happened.
MOVE, MOBILITY_WEIGHT = 100, 0.1
# So much more of it is counted on the squares where a piece promotes, and less the farther away.
ADVANCE_WEIGHT = 0.15
# What a move more than the other side is worth in a position, beside what the pieces are worth.
MOBILITY = 10
# What it is worth to take a royal, which ends most games; no piece is worth what that is.
ROYAL, PRICELESS = 2_000, 100_000
# A piece in hand may appear anywhere, so it is worth a little more; so is to be on the move.
IN_HAND, TEMPO_BONUS = 1.1, 20
# Moves that seem as good, up to this, are chosen between by the seed unless told otherwise.
NOISE_RANGE, MAX_NOISE = 60, 10_000
# The same where values were learned, which tell squares apart.
LEARNED_NOISE = 8

# A clock is never to show less than this many times what a move takes besides the search.
RESERVED_OVERHEADS = 10
TIME = re.compile(r"(?:(\d{1,3}):)?(\d{1,5}(?:\.\d+)?)(?:\+(\d{1,4}(?:\.\d+)?))?", re.ASCII)
DEPTH = 8
MAX_DEPTH = 60
# Threads that search at most; a table of positions has two to the power of so many entries, 16
# bytes each, and of the last number where nobody says how large it is to be.
MAX_THREADS = 64
MIN_HASH_BITS, MAX_HASH_BITS, DEFAULT_HASH_BITS = 10, 28, 20
MAX_HASH_MEGABYTES = 16 << (MAX_HASH_BITS - 20)
# A search ends after so many positions where it is not told otherwise.
NODES = 300_000
# On boards of more squares it ends after fewer, so that a move takes two seconds and not a minute;
# on the largest ones after very few, as each position there has a thousand moves.
LARGEST_GAME, FEW_NODES = 20 * 20, 6_000
HUGE_GAME, FEWEST_NODES = 30 * 30, 100
UNLIMITED_NODES = 10**12


def default_nodes(size: int) -> int:
    """How many positions a search looks at on a board of so many squares."""
    if size <= LARGEST_GAME:
        return NODES
    return FEW_NODES if size <= HUGE_GAME else FEWEST_NODES


class BoardAndHandValue(NamedTuple):
    """What a piece is worth on the board and in hand, in any unit that is the same for all.

    None is a share more than on the board.
    """

    board: float
    hand: float | None = None


class PieceValues:
    """Piece values: ``board`` by piece and square, ``hand`` by type.

    A royal is worth `ROYAL`, as it may be taken in some games. The second side's pieces are worth
    what the first side's are, turned half around; up to ``noise`` is added by chance. ``known`` are
    values by type, those of the piece file unless given. Where pieces are ``advancing``, they are
    worth more near their promotion. Learned values of ``squares`` go before all of this.
    """

    def __init__(
        self,
        compiled: CompiledVariant,
        seed: int,
        known: Mapping[int, BoardAndHandValue] | None = None,
        noise: int = NOISE_RANGE,
        *,
        advancing: bool = True,
        squares: PhaseValues | None = None,
    ) -> None:
        if squares:
            self._set_learned_values(compiled, squares, Random(seed), noise)
            return
        size, files, randrange = compiled.size, compiled.files, Random(seed).randrange
        large = not _is_small_enough_for_square_values(compiled)
        moves = compiled.cached_value("mobility", lambda: _mobility_by_square(compiled))
        mean = {p: sum(each) / len(each) for p, each in moves.items()}
        worth = _piece_worths(
            compiled, mean, values_from_piece_file(compiled) if known is None else known
        )
        self.board = array("i", [0]) * size
        self.hand = [
            round(worth[p].hand or 0) if p in worth else 0 for p in _pieces_of_first_side(compiled)
        ]
        chance, rows = array("i"), array("i", [0]) * (2 * size)
        for p in _pieces_of_first_side(compiled):
            if p not in worth:
                self.board.extend([ROYAL] * 2 * size)
                continue
            near = _promotion_bonus_by_rank(compiled, p, worth) if advancing else []
            near = near or [0.0] * compiled.ranks
            board = worth[p].board
            if large:
                rows_of_files = [array("i", [round(board + each)]) * files for each in near]
                whole = reduce(iadd, rows_of_files)
            else:
                whole = array(
                    "i",
                    [
                        round(board + MOVE * (n - mean[p]) / 10 + near[q // files])
                        for q, n in enumerate(moves[p])
                    ],
                )
            if not (large and chance):
                chance = array("i", [randrange(noise) if noise else 0 for _ in range(2 * size)])
            engine().call("fill_value_rows", whole, chance, size, rows)
            self.board.extend(rows)

    def _set_learned_values(
        self, compiled: CompiledVariant, squares: PhaseValues, random: Random, noise: int
    ) -> None:
        size, codes = compiled.size, [kind.code for kind in compiled.kinds]
        self.board = array("i", bytes(4 * size))
        self.hand = [squares.hand.get(code, 0) for code in codes]
        for code in codes:
            row = squares.board[code]
            for side in (0, 1):
                more = (random.randrange(noise) if noise else 0 for _ in row)
                self.board.extend(map(add, row[::-1] if side else row, more))

    def arrays(self, endgame: PieceValues | None = None) -> dict[str, array[int]]:
        """The values as the engine has them; they are the same in the endgame unless given."""
        end = endgame or self
        hands = (array("i", each.hand) for each in (self, end))
        return {
            "worth": interleave_phases(self.board, end.board),
            "in_hand": interleave_phases(*hands),
        }


def interleave_phases(middlegame: array[int], endgame: array[int]) -> array[int]:
    """Values of both phases, as the engine has them."""
    result = array("i", [0]) * (2 * len(middlegame))
    result[::2], result[1::2] = middlegame, endgame
    return result


def term_table(
    compiled: CompiledVariant,
    material: Sequence[int],
    weights: array[int],
    lead_scale: Sequence[int] = (UNSCALED,) * search.LEADS,
) -> TermTable:
    """The terms of a game, from how much material its kinds are; royals are above all."""
    worth = [
        PRICELESS if compiled.royal[1 + 2 * kind] else amount
        for kind, amount in enumerate(material)
    ]
    advancing = promotion_gain_flags(compiled, material)
    return TermTable(weights, array("i", worth), advancing, array("i", lead_scale))


def promotion_gain_flags(compiled: CompiledVariant, material: Sequence[int]) -> array[int]:
    """By kind, 1 where it gains material by promotion farther ahead, else 0."""
    result = array("i")
    for piece in _pieces_of_first_side(compiled):
        forms = [material[(form - 1) >> 1] for form in compiled.own_promotions(piece)]
        gains = max(forms, default=0) > material[piece >> 1]
        result.append(int(gains and _first_promotion_rank(compiled, piece) > 0))
    return result


def default_value_table(compiled: CompiledVariant, values: PieceValues) -> ValueTable:
    """The table of a game whose values nobody has learned."""
    moves_count = compiled.size <= LARGE_GAME and not _wins_by_losing_everything(compiled)
    moves = MOBILITY if moves_count else 0
    return ValueTable(values.arrays(), (TEMPO_BONUS, TEMPO_BONUS), moves)


def learned_value_table(
    compiled: CompiledVariant, squares: SquareValues, seed: int = 0, noise: int = 0
) -> ValueTable:
    """The table of learned values; up to ``noise`` is added by chance."""
    phases = squares.full, squares.few
    material = [squares.material[kind.code] for kind in compiled.kinds]
    full, few = (PieceValues(compiled, seed, noise=noise, squares=each) for each in phases)
    weights = interleave_phases(*(array("i", _term_weights(compiled, each)) for each in phases))
    return ValueTable(
        full.arrays(few),
        (squares.full.tempo, squares.few.tempo),
        whole=max(1, sum(material[(piece - 1) >> 1] for piece in compiled.starting.values())),
        terms=term_table(compiled, material, weights, squares.lead_scale),
    )


def _term_weights(compiled: CompiledVariant, values: PhaseValues) -> list[int]:
    rows = {(compiled.number.get(code), name): row for (code, name), row in values.terms.items()}
    return TermNumbers(len(compiled.kinds)).weights(rows)


def _promotion_bonus_by_rank(
    compiled: CompiledVariant, piece: int, worth: Mapping[int, BoardAndHandValue]
) -> list[float]:
    """What a piece of the first side is worth more on each rank where it may promote; else nothing.

    It grows with the square of the ranks it has behind it, on the way to the first rank on which
    it promotes.
    """
    forms = [worth[form].board for form in compiled.own_promotions(piece) if form in worth]
    gain = max(forms, default=0.0) - worth[piece].board
    first = _first_promotion_rank(compiled, piece) if gain > 0 else 0
    if not first:
        return []
    return [ADVANCE_WEIGHT * gain * min(1.0, rank / first) ** 2 for rank in range(compiled.ranks)]


def _first_promotion_rank(compiled: CompiledVariant, piece: int) -> int:
    """The first rank, from 0, on which a first side's piece promotes; 0 where it never does."""
    promoting = compiled.promoting[piece]
    return promoting.index(True) // compiled.files if True in promoting else 0


def _pieces_of_first_side(compiled: CompiledVariant) -> range:
    """The pieces of the first side, in the order of the types."""
    return range(1, compiled.wall, 2)


def values_from_piece_file(compiled: CompiledVariant) -> dict[int, BoardAndHandValue]:
    """The values that the piece file gives, by type."""
    return {
        number: BoardAndHandValue(kind.value, kind.hand_value)
        for number, kind in enumerate(compiled.kinds)
        if kind.value is not None
    }


def _piece_worths(
    compiled: CompiledVariant, mean: Mapping[int, float], known: Mapping[int, BoardAndHandValue]
) -> dict[int, BoardAndHandValue]:
    """What each piece of the first side is worth that is not royal, in hundredths of moves.

    Known values are brought to this unit by what their pieces are worth by their moves, in all.
    """
    sign = -1 if _wins_by_losing_everything(compiled) else 1
    worth: dict[int, float] = {}
    for p, moves in mean.items():
        best = max((mean.get(form, 0.0) for form in compiled.own_promotions(p)), default=moves)
        worth[p] = sign * MOVE * (moves + MOBILITY_WEIGHT * max(0.0, best - moves))
    valued = {p: known[p >> 1] for p in worth if p >> 1 in known}
    whole = sum(abs(each.board) for each in valued.values())
    unit = sum(abs(worth[p]) for p in valued) / whole if whole else 0.0
    result = {p: BoardAndHandValue(each, IN_HAND * each) for p, each in worth.items()}
    for p, (board, hand) in valued.items():
        result[p] = BoardAndHandValue(
            unit * board, unit * (IN_HAND * board if hand is None else hand)
        )
    return result


def _wins_by_losing_everything(compiled: CompiledVariant) -> bool:
    """Whether a side wins that has lost all, so that every piece is a burden."""
    rule = compiled.rules.extinction
    return bool(rule and rule.what == ("all",) and rule.result == "win")


def _is_small_enough_for_square_values(compiled: CompiledVariant) -> bool:
    """Whether the moves of a piece are counted on all squares."""
    size = compiled.size
    return size <= LARGE_GAME and size * len(compiled.kinds) <= MAX_VALUED_SQUARES


def _mobility_by_square(compiled: CompiledVariant) -> dict[int, list[float]]:
    """The average numbers of moves of the first side's pieces, by square; of royals none.

    On large boards, and where there are very many kinds, pieces are laid out on two squares or
    three, far apart on the middle file, and worth the same on all others.
    """
    boards = [_random_board(compiled, Random(number)) for number in range(BOARDS)]
    size = compiled.size
    squares = range(size)
    if not _is_small_enough_for_square_values(compiled):
        files, ranks = compiled.files, compiled.ranks
        squares = range(ranks // 4 * files + files // 2, size, max(1, ranks // 2) * files)
    common = [p for p in range(1, compiled.wall, 2) if not compiled.royal[p]]
    counts = array("i", bytes(4 * len(common) * len(squares)))
    for board in boards:
        board.call_engine("add_mobility", squares.start, squares.step, counts)
    means = [count / BOARDS for count in counts]
    return {p: means[n * len(squares) :][: len(squares)] for n, p in enumerate(common)}


def _random_board(compiled: CompiledVariant, random: Random) -> EnginePosition:
    """A board with some pieces of both sides; none of them is royal."""
    position = Position(compiled)
    common = [p for p in range(1, compiled.wall) if not compiled.royal[p]]
    for square in range(compiled.size):
        if common and random.random() < PIECES_PER_BOARD:
            piece = random.choice(common)
            cells = (
                compiled.footprints.occupied_squares(piece, square)
                if compiled.footprints.is_on_board(piece, square)
                else ()
            )
            if cells and not any(position.board[cell] for cell in cells):
                position.place_piece(square, piece)
    return EnginePosition(position, 0)


class Clock:
    """The time of one player: a number of seconds for each move, or as in chess.

    "5" is five seconds a move; "300+5" is 300 seconds for the game and five more after each move,
    and may be written "5:00+5"; "5:00" has none more. Raises ValueError for anything else.

    >>> clock = Clock("5:00+3")
    >>> clock.time_for_next_move()
    SearchTime(optimum=13.0, maximum=52.0)
    >>> clock.spend(10.5)
    >>> str(clock)
    '4:52.5'
    """

    def __init__(self, text: str) -> None:
        result = TIME.fullmatch(text)
        if not result:
            raise ValueError(f"{text} is no time: write 5 for seconds a move, or 300+5 for a game")
        minutes, seconds, more = result.groups()
        a_move = minutes is None and more is None
        self._more = float(seconds if a_move else more or 0)
        # What is left for the game, None where only moves have their time.
        self.left = None if a_move else 60 * int(minutes or 0) + float(seconds)

    def time_for_next_move(self, overhead: float = 0.0) -> SearchTime:
        """The time for the next move: as if thirty were to come, never more than half.

        Each move takes ``overhead`` besides, in seconds, and now and then several times that.
        """
        if self.left is None:
            return SearchTime.exactly(self._more).less(overhead)
        usable = max(0.0, self.left - RESERVED_OVERHEADS * overhead)
        optimum = usable / 30 + self._more
        return SearchTime(min(usable / 2, optimum), min(usable / 2, 4 * optimum)).less(overhead)

    def spend(self, seconds: float) -> None:
        """Subtract the time of a move."""
        if self.left is not None:
            self.left = max(0.0, self.left - seconds) + self._more

    def __str__(self) -> str:
        minutes, seconds = divmod(self.left or 0.0, 60)
        return f"{int(minutes)}:{seconds:04.1f}"


class Analysis(NamedTuple):
    """The result of a search: the best move and its score for the side to move.

    ``score`` is in hundredths of a move that a piece has. ``mate`` is the number of moves of both
    sides to the end, below zero where it is the mover that loses, 0 where none was found. ``depth``
    is how far all was looked at, ``nodes`` at how many positions. ``line`` is how both sides would
    play, the move first (the principal variation), as far as the search remembers it.
    """

    move: Move
    score: int
    mate: int
    depth: int
    nodes: int
    line: tuple[Move, ...] = ()


class Opponent:
    """An opponent that searches ``depth`` plies, with captures and checks beyond.

    It ends after ``nodes`` positions, or after some seconds where it is given time; None is
    300,000, or 6,000 on boards of more than 400 squares, and 100 on boards of more than 900.
    Without time the same ``seed``, game and position give the same move on every machine;
    `MAX_DEPTH` is as deep as it looks at all. What a ``tablebase`` knows is played without a
    search. Pieces are worth what ``squares`` says; None is what comes with alfil for this game, or
    nothing where the piece file has values. With ``keep_hash`` it remembers from one move to the
    next what it has searched, as engines do: it is stronger then, and the move also depends on
    what it was asked before. With ``threads``, up to 64, it searches farther in the same time; the
    move may be another one each time then. ``hash_megabytes``, from 1 to 4,096, is how much memory
    it has for what it has searched, rounded down to a power of two; None is up to 16. Up to
    ``variety`` hundredths of a move, which the seed chooses, are added to what a piece is worth on
    a square, so that games differ; 0 adds nothing, 200 plays other openings and errs more.

    >>> import alfil
    >>> library = alfil.load("hand_shogi")
    >>> game = library.game("3lkl3/9/4G4/9/9/9/9/9/4K4 b P 1")
    >>> str(Opponent(library.variant).choose(game))
    'P*5b'
    """

    def __init__(  # noqa: PLR0913 - settings, each by its name
        self,
        variant: Variant,
        *,
        depth: int = DEPTH,
        nodes: int | None = None,
        seed: int = 0,
        tablebase: Tablebase | None = None,
        squares: SquareValues | None = None,
        keep_hash: bool = False,
        threads: int = 1,
        hash_megabytes: int | None = None,
        variety: int | None = None,
    ) -> None:
        require_type(variant, Variant, "an opponent plays a Variant, as of alfil.load('chess')")
        require_type(squares, (SquareValues, type(None)), "squares are values by square")
        require_type(tablebase, (Tablebase, type(None)), "a tablebase is a Tablebase")
        if nodes is None:
            nodes = default_nodes(variant.files * variant.ranks)
        chosen = [each for each in (hash_megabytes, variety) if each is not None]
        for number in (depth, nodes, seed, threads, *chosen):
            require_type(number, int, "settings of an opponent are numbers")
        self.variant = variant
        self.depth = max(1, min(depth, MAX_DEPTH))
        self.nodes = max(0, min(nodes, UNLIMITED_NODES))
        self.seed = seed
        self.tablebase = tablebase
        self.keep_hash = keep_hash
        self.threads = threads
        self.hash_megabytes = hash_megabytes
        self.variety = variety
        self._squares = squares
        learned = squares or included_square_values(variant)
        compiled = compile_variant(variant)
        noise = LEARNED_NOISE if learned else NOISE_RANGE
        if variety is not None:
            noise = max(0, min(variety, MAX_NOISE))
        self._values = (
            learned_value_table(compiled, learned, seed, noise)
            if learned
            else default_value_table(compiled, PieceValues(compiled, seed, noise=noise))
        )
        # Those that have ended, for the next ones to go on with; threads take one each.
        self._searches: list[OpponentSearch] = []

    def __copy__(self) -> Opponent:
        """Another one like it, which has searched nothing yet."""
        other = object.__new__(Opponent)
        other.__dict__.update(self.__dict__)
        other._searches = []
        return other

    def __deepcopy__(self, memo: object) -> Opponent:
        del memo
        return self.__copy__()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle what it was made with; what it has searched stays here."""
        made_again = partial(
            Opponent,
            depth=self.depth,
            nodes=self.nodes,
            seed=self.seed,
            tablebase=self.tablebase,
            squares=self._squares,
            keep_hash=self.keep_hash,
            threads=self.threads,
            hash_megabytes=self.hash_megabytes,
            variety=self.variety,
        )
        return made_again, (self.variant,)

    def choose(self, game: Game, seconds: float | SearchTime | None = None) -> Move:
        """The move to make in a game that goes on; the game is left as it is.

        ``seconds`` is the time it takes, or as a rule and at most. Raises ValueError where there is
        no legal move, and for a game of another variant.
        """
        return self._analyse(game, seconds).move

    def analyse(
        self,
        game: Game,
        seconds: float | SearchTime | None = None,
        stopped: Callable[[], bool] | None = None,
        moves: Sequence[Move | str] = (),
        on_depth: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """The move to make, and what is known of it; otherwise as `choose`.

        It has soon to be made when ``stopped``, which is asked now and then, answers yes. It is one
        of ``moves``, where legal moves of the game are given. ``on_depth`` is called, in this
        thread, with what is known each time the search has looked one move farther.
        """
        return self._analyse(game, seconds, stopped, moves, on_depth, with_line=True)

    def _analyse(
        self,
        game: Game,
        seconds: float | SearchTime | None,
        stopped: Callable[[], bool] | None = None,
        moves: Sequence[Move | str] = (),
        on_depth: Callable[[Analysis], None] | None = None,
        *,
        with_line: bool = False,
    ) -> Analysis:
        require_type(game, Game, "an opponent looks for moves of a Game")
        if not self._plays(game.variant):
            raise ValueError(f"the opponent plays {self.variant!r}, not {game.variant!r}")
        # In a browser no clock runs beside the search.
        time = seconds
        if not isinstance(time, (SearchTime, type(None))):
            require_type(time, (int, float), "seconds are a number")
            time = SearchTime.exactly(time)
        timed = time is not None and sys.platform != "emscripten"
        nodes = UNLIMITED_NODES if timed else self.nodes
        known = self._tablebase_analysis(game)
        if known and (not moves or known.move in moves):
            return known
        with game._lock:
            if game.outcome():
                raise ValueError("the game has ended")
            count = game._game_position.count_legal_moves()
            allowed = [game._legal_move(move) for move in moves]
            roots = [_root_move_code(game, move) for move in allowed]
            result = self._reuse_or_create_search(game._game_position, nodes, roots)
            # Others may make moves in the game meanwhile.
            game = game.copy() if with_line else game
        told = _make_iteration_reporter(result, game, on_depth, allowed) if on_depth else None
        result.think(1 if count == 1 else self.depth, time, stopped, told)
        move = result.move(game._move_builder)
        if allowed and move not in allowed:
            # A move that begins and ends alike, such as castling for a king that may go there too.
            move = allowed[0]
        score, depth, visited = result.score_depth_and_nodes()
        line = result.line(game, move, depth) if with_line else ()
        if not roots:
            self._searches.append(result)
        return Analysis(move, score, _mate_distance(score), depth, visited, line)

    def _plays(self, variant: Variant) -> bool:
        """Whether its values are those of a variant, whatever that is called."""
        name, title = self.variant.name, self.variant.title
        return variant is self.variant or replace(variant, name=name, title=title) == self.variant

    def _reuse_or_create_search(
        self, position: GamePosition, nodes: int, roots: Sequence[int]
    ) -> OpponentSearch:
        """A search of a position: one that has ended goes on with it, if it can."""
        size = nodes, max(1, min(self.threads, MAX_THREADS)), self._hash_bits(nodes)
        result = self._searches.pop() if self._searches and not roots else None
        if result and result.try_restart(position, *size, keep=self.keep_hash):
            return result
        # It gives back its memory before the next one takes as much.
        del result
        return OpponentSearch(position, self._values, *size, roots)

    def _hash_bits(self, nodes: int) -> int:
        """The table of positions has two to the power of so many entries."""
        if self.hash_megabytes is None:
            return max(MIN_HASH_BITS, min(DEFAULT_HASH_BITS, nodes.bit_length() + 1))
        megabytes = max(1, min(self.hash_megabytes, MAX_HASH_MEGABYTES))
        return MAX_HASH_BITS - (MAX_HASH_MEGABYTES // megabytes - 1).bit_length()

    def _tablebase_analysis(self, game: Game) -> Analysis | None:
        """What the tablebase knows of a position, if it does."""
        probe = self.tablebase.probe(game) if self.tablebase else None
        move = self.tablebase.best_move(game) if self.tablebase and probe else None
        if move is None or probe is None:
            return None
        sign = {"win": 1, "draw": 0, "loss": -1}[probe.result]
        mate = sign * probe.plies
        return Analysis(move, sign * (search.MATE - probe.plies), mate, 0, 0, (move,))


def _root_move_code(game: Game, move: Move) -> int:
    """A move as the number that the search has for it."""
    found, size = game._engine_move(move), game._game_position.plan.size
    origin = size if found.origin < 0 else found.origin
    return (found.becomes * 2048 + origin) * 2048 + found.target


def _make_iteration_reporter(
    running_search: OpponentSearch,
    game: Game,
    on_depth: Callable[[Analysis], None],
    moves: Sequence[Move],
) -> ReportIteration:
    """What tells of a search of a game."""

    def report(depth: int, found: Iteration) -> None:
        move, mate = running_search.first_move(game, depth), _mate_distance(found.score)
        if moves and move not in moves:
            move = moves[0]
        line = running_search.line(game, move, depth)
        on_depth(Analysis(move, found.score, mate, depth, found.nodes, line))

    return report


def _mate_distance(score: int) -> int:
    """The number of moves to the end that a score tells of, as `Analysis` has it."""
    left = search.MATE - abs(score)
    if abs(score) <= search.SURE:
        return 0
    return left if score > 0 else -left
