"""Games of the engine against itself, and quiet positions of them (src/alfil/engine/selfplay.c)."""

from __future__ import annotations

import sys
from array import array
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator
from random import Random
from time import process_time
from typing import Any, NamedTuple, TypeAlias, TypeVar
from zlib import compress, decompress

from alfil.game.compiled_variant import UNKNOWN_MOVE_COUNT, CompiledVariant, compile_variant
from alfil.game.engine_interface import LONGEST, SELF_PLAY, Struct
from alfil.game.engine_memory import IntArray, reserve_array
from alfil.game.game_position import GamePosition
from alfil.game.position import Position
from alfil.game.sfen import starting_position
from alfil.game.variant import Variant
from alfil.play.opponent_search import (
    ValueTable,
    reserve_for_search,
    reserve_hash,
    search_struct,
)

# Where a row has the game, the result, how many men follow, and these; its length stands first
# (src/alfil/engine/selfplay.c).
ROW_GAME, ROW_RESULT, ROW_MEN, ROW_HEADER_LENGTH = 1, 2, 7, 8
# There is room for men and terms: for so many numbers of each man, and so many more.
NUMBERS_OF_MAN, MORE_NUMBERS = 8, 128
# What the engine is told of how games are played.
TOLD = ("depth", "opening", "chance", "longest", "kept_of", "with_terms", "seed")
# The table of positions of a search holds two to the power of this.
HASH_BITS = 12
# Room for so many positions of a game; more are not kept.
MAX_POSITIONS_PER_GAME = 100
# At most this part of the pieces is missing in the beginning; of these, this part is promoted
# instead where it can be, and of the others this part is in hand where captured pieces go there.
MAX_MISSING_SHARE, PROMOTED_SHARE, HAND_SHARE = 0.8, 0.1, 0.6
# So many positions to begin with are tried.
MAX_START_TRIES = 5

Task = TypeVar("Task")
Played = TypeVar("Played")
# Has bundles of games, by their numbers, played somewhere.
Spread: TypeAlias = Callable[
    [Callable[[Task, range], Played], Task, Iterable[range]], Iterable[Played]
]


class SelfPlaySettings(NamedTuple):
    """How games are played: so many plies by chance at first, then some of a hundred.

    The others are searched so many plies deep, at so many positions; a game is broken off after the
    ``longest`` number. Of so many positions one is kept, if it is quiet. Of so many games one
    begins with the starting position as it is. ``playing_on``: the search counts the moves of the
    position and follows checks, as that of the opponent does. Rows may be ``with_terms``.
    """

    depth: int = 2
    nodes: int = 50_000
    opening: int = 6
    chance: int = 3
    longest: int = 200
    kept_of: int = 4
    usual_of: int = 0
    playing_on: bool = False
    with_terms: bool = False
    seed: int = 0


def default_self_play_settings(variant: Variant, seed: int) -> SelfPlaySettings:
    """How the games of a variant are played.

    Where pieces are dropped, a search two plies deep takes so long, and quiet positions are so few,
    that more games one ply deep tell more in the same time.
    """
    if variant.rules.drops == "no":
        return SelfPlaySettings(seed=seed)
    return SelfPlaySettings(seed=seed, depth=1, kept_of=2)


class PlayedGames(NamedTuple):
    """Games that were played, and positions of them: src/alfil/engine/selfplay.c has their rows.

    ``decided`` are games that somebody won; ``cpu_seconds`` is the time that all of them took.
    """

    rows: array[int]
    games: int
    plies: int
    decided: int
    cpu_seconds: float

    def to_plain(self) -> list[Any]:
        """The same as data that JSON can have; the rows are packed, for there are many."""
        rows = array("i", self.rows)
        if sys.byteorder == "big":
            rows.byteswap()
        return [b64encode(compress(rows.tobytes())).decode(), *self[1:]]

    @classmethod
    def from_plain(cls, plain: list[Any]) -> PlayedGames:
        """What `to_plain` has made; raises ValueError or TypeError for something else."""
        rows = array("i", decompress(b64decode(plain[0])))
        if sys.byteorder == "big":
            rows.byteswap()
        for at in row_starts(rows):
            room = min(rows[at], len(rows) - at) - ROW_HEADER_LENGTH
            if not 0 <= rows[at + ROW_MEN] <= room:
                raise ValueError("a row is longer than it says")
        return cls(rows, *plain[1:])


def row_starts(rows: IntArray) -> Iterator[int]:
    """Where rows begin, one behind the other."""
    at = 0
    while at < len(rows):
        yield at
        at += max(1, rows[at])


def map_in_this_process(
    play: Callable[[Task, range], Played], task: Task, numbers: Iterable[range]
) -> Iterable[Played]:
    """The work done here."""
    return (play(task, each) for each in numbers)


def play_games(
    variant: Variant, values: ValueTable, settings: SelfPlaySettings, game_numbers: range
) -> PlayedGames:
    """Play the games with these numbers, by these values.

    What becomes of a game depends on its number alone. Raises `RuleError` where the engine does not
    support the variant.
    """
    begun, compiled = process_time(), compile_variant(variant)
    start = starting_position(compiled)
    run = GamePosition(start)
    reserve_for_search(run, settings.longest)
    search = search_struct(run, values, settings.nodes, reserve_hash(HASH_BITS))
    if not settings.playing_on:
        # Where pieces are dropped, checks are so many that two thirds of the time went into
        # answers. What pieces are worth is to come from games in which nothing else was known.
        search["extending"] = search["mobility"] = 0
    men = sum(map(sum, start.hands)) + len(list(start.pieces))
    longest = ROW_HEADER_LENGTH + men + (NUMBERS_OF_MAN * men + MORE_NUMBERS) * settings.with_terms
    rows = reserve_array("i", MAX_POSITIONS_PER_GAME * len(game_numbers) * longest)
    told = {name: int(getattr(settings, name)) for name in TOLD}
    play = Struct(SELF_PLAY, {**told, "bare": 1, "rows_room": len(rows)}, {"rows": rows})
    for number in game_numbers:
        usual = settings.usual_of and number % settings.usual_of == 0
        first = (
            GamePosition(start)
            if usual
            else _random_start(compiled, Random(f"{settings.seed} {number}"))
        )
        run.copy_from(first, settings.longest + LONGEST + 4)
        run.call_engine("play_against_itself", search, play, number)
    kept = array("i", rows[: play["rows_end"]])
    taken = process_time() - begun
    return PlayedGames(kept, len(game_numbers), play["plies"], play["decided"], taken)


def _random_start(compiled: CompiledVariant, random: Random) -> GamePosition:
    """The starting position without some pieces, others in hand or promoted.

    As it is where a rule counts pieces, or where that would be check at once.
    """
    start = starting_position(compiled)
    if compiled.rules.extinction is None:
        for _ in range(MAX_START_TRIES):
            begun = GamePosition(_remove_or_promote_random_pieces(start, random))
            if not begun.is_in_check(1 - begun.turn) and begun.count_legal_moves():
                return begun
    return GamePosition(start)


def _remove_or_promote_random_pieces(start: Position, random: Random) -> Position:
    """A position without some of its pieces, others in hand or promoted."""
    compiled, missing = start.compiled, random.random() * MAX_MISSING_SHARE
    position = Position(compiled)
    position.board, position.made = start.board[:], start.made[:]
    position.hands = [hand[:] for hand in start.hands]
    large = compiled.footprints
    for square, piece in start.pieces:
        if compiled.royal[piece] or random.random() > missing:
            continue
        promoted = compiled.all_promotions(piece)
        if promoted and random.random() < PROMOTED_SHARE:
            form = random.choice(promoted)
            if not (compiled.royal[form] or large.any):
                position.board[square] = form
            continue
        for cell in large.occupied_squares(piece, square):
            position.board[cell] = 0
        position.board[square] = 0
        position.made[square] = UNKNOWN_MOVE_COUNT
        held = compiled.held[piece]
        if held >= 0 and random.random() < HAND_SHARE:
            position.hands[random.randrange(2)][held] += 1
    return position
