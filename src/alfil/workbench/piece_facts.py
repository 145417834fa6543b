"""What is known of a piece by itself: mobility, colours, symmetries, forks, mating power."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cache, lru_cache
from math import inf
from typing import Any, Literal

from alfil.api import AnyPiece, as_piece
from alfil.errors import AlfilError, RuleError
from alfil.frozen_dataclasses import dataclass
from alfil.game.variant import Variant
from alfil.geometry import (
    DIAGONAL_MIRROR,
    FRONT_BACK_MIRROR,
    HALF_TURN,
    LEFT_RIGHT_MIRROR,
    QUARTER_TURN,
    Symmetry,
)
from alfil.library.library import loads
from alfil.library.piece_file import Entry
from alfil.meaning.normal_form import invariance_test
from alfil.meaning.piece_meaning import Meaning, footprint_of
from alfil.play.game import Game
from alfil.play.tablebase import Tablebase
from alfil.tables.board_context import check_board_size
from alfil.tables.move_table import compile_table
from alfil.work_limit import attempt_refunded_on_failure, limited_task, work_done
from alfil.workbench.mobility import (
    PathsBySquare,
    TooManyPaths,
    blockable_move_share,
    count_connected_parts,
    fewest_moves_across,
    mean_mobility,
    needs_hurdles,
    paths_by_square,
    reached_square_counts,
)

# How full boards are on which mobility is told.
FILLED = (0.0, 0.1, 0.3, 0.5)
TURNS: Mapping[str, Symmetry] = {
    "left-right": LEFT_RIGHT_MIRROR,
    "front-back": FRONT_BACK_MIRROR,
    "half-turn": HALF_TURN,
    "quarter-turn": QUARTER_TURN,
    "diagonal": DIAGONAL_MIRROR,
}
# The work on all facts of a piece, and on its mobility where the others have no limit: it may
# double with each square that paths share.
LIMIT, MOBILITY_LIMIT = 1_100_000, 1_000_000
# Facts that are part of how a piece moves, where kings are alone on the board.
_MOVING_FACTS = frozenset({"burns", "shoots", "immobilises", "iron", "size"})
# Conditions of moves that a piece has only as long as it has hardly moved.
_EARLY = frozenset({"move", "castle"})
_ENDING, _LONGEST_LINE = "KXK", 400
_GAME = """game "King and piece against king"
board {files}x{ranks}
rule first = white
rule win = mate
rule stalemate = draw
piece K "king" betza=K royal
piece X "piece" betza=W
"""


class EndingTooLarge(Exception):
    """The ending takes more work than `LIMIT`."""


@dataclass(frozen=True, slots=True)
class Mobility:
    """The mean number of ``squares`` to go to where a part of the others is ``filled``."""

    filled: float
    squares: float


@dataclass(frozen=True, slots=True)
class MatingPower:
    """King and piece against a lone king, solved; the piece's side is White.

    ``positions`` are those with White to move, and ``won`` those of them that White wins. ``mates``
    and ``stalemates`` are positions with Black to move. ``longest`` is the most moves of White that
    a mate takes; ``start`` is such a position, and ``line`` best play from it.
    """

    power: Literal["always", "mostly", "sometimes", "never"]
    positions: int
    won: int
    mates: int
    stalemates: int
    longest: int
    start: str | None
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """What docs/facts.md defines, for a piece on a board of some files and ranks.

    What is None is not known: there would be too much to look at, or ``remarks`` say why. ``value``
    and ``hand_value`` are those of its piece file, if that gives any.
    """

    piece: str
    notation: str
    files: int
    ranks: int
    mobility: tuple[Mobility, ...]
    reached: tuple[int, ...]
    across: int | None
    square_classes: int
    colour_bound: bool
    forward_only: bool
    symmetries: tuple[str, ...]
    needs_hurdles: bool
    blocked: float | None
    attacked: float | None
    forks: float | None
    checks: float | None
    safe_checks: float | None
    mating: MatingPower | None
    value: float | None
    hand_value: float | None
    remarks: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """The same as plain data, as docs/commands.schema.json has it."""
        return asdict(self)


def facts(
    piece: AnyPiece, board: tuple[int, int] = (8, 8), *, mating: bool = True, limited: bool = True
) -> Facts:
    """The facts of a piece on a board of so many files and ranks.

    Promotion, castling, royalty and first moves are left aside: docs/facts.md defines everything.
    Without ``mating`` the ending is not solved. What takes too much work is left out, and
    ``remarks`` say so; without the bound (``limited=False``) it may take minutes. Raises what
    reading and compiling raise.

    >>> import alfil
    >>> knight = alfil.facts("N")
    >>> knight.mobility[0].squares, knight.colour_bound, knight.mating.power
    (5.25, False, 'never')
    >>> alfil.facts("R").mating.longest
    16
    """
    entry = piece if isinstance(piece, Entry) else None
    piece = as_piece(piece)
    check_board_size(*board)
    found = _facts_of_meaning(_without_first_moves(piece.meaning), *board, mating, limited)
    return replace(
        found,
        piece=piece.text,
        notation=piece.notation,
        value=entry.value if entry else None,
        hand_value=entry.hand_value if entry else None,
    )


# Many pieces of the library move alike, which nobody has to find out twice.
@lru_cache(maxsize=512)
def _facts_of_meaning(
    meaning: Meaning,
    files: int,
    ranks: int,
    mating: bool,  # noqa: FBT001 - a key
    limited: bool,  # noqa: FBT001 - a key
) -> Facts:
    """The facts of a piece that has neither text nor values."""
    on_paths, on_ending = list[str](), list[str]()
    limit = LIMIT if limited else inf
    before = work_done()
    power = _mating_power(meaning, files, ranks, on_ending, limit) if mating else None
    # What is solved leaves less for the paths.
    ways = _paths_or_add_remark(meaning, files, ranks, on_paths, limit - (work_done() - before))
    mobility = _mobility_by_filling(ways, on_paths, limit - (work_done() - before)) if ways else ()
    return Facts(
        "",
        "",
        files,
        ranks,
        mobility=mobility,
        **_reach_facts(ways),
        symmetries=symmetries(meaning),
        mating=power,
        value=None,
        hand_value=None,
        remarks=(*on_paths, *on_ending),
        **_fork_and_check_facts(ways),
    )


def _without_first_moves(meaning: Meaning) -> Meaning:
    """A piece that is nothing but how it moves once it has moved before."""
    later = (part for part in meaning.parts if not any(c.kind in _EARLY for c in part.guard))
    kept = (fact for fact in meaning.facts if fact.name in _MOVING_FACTS)
    return replace(meaning, parts=tuple(later), facts=tuple(kept))


def _paths_or_add_remark(
    meaning: Meaning, files: int, ranks: int, remarks: list[str], limit: float
) -> PathsBySquare | None:
    wide, high = footprint_of(meaning.facts)[-1]
    if wide >= files or high >= ranks:
        remarks.append("the piece is larger than the board")
        return None
    moves = replace(meaning, facts=tuple(f for f in meaning.facts if f.name != "size"))
    table = compile_table(moves, files - wide, ranks - high)
    try:
        with limited_task(limit, TooManyPaths):
            ways = paths_by_square(table, large=bool(wide or high))
    except (TooManyPaths, AlfilError):
        remarks.append("there are too many paths to look at")
        return None
    if not ways.exact:
        remarks.append("some moves depend on more than paths: mobility is that on empty boards")
    return ways


def _mobility_by_filling(
    ways: PathsBySquare, remarks: list[str], limit: float
) -> tuple[Mobility, ...]:
    filled = FILLED if ways.exact else FILLED[:1]
    try:
        with limited_task(min(limit, MOBILITY_LIMIT), TooManyPaths):
            return tuple(Mobility(each, round(mean_mobility(ways, each), 4)) for each in filled)
    except TooManyPaths:
        remarks.append("too many paths share squares: mobility is that on empty boards")
        empty = sum(map(len, ways.empty_board_targets))
        return (Mobility(0.0, round(empty / len(ways.paths), 4)),)


def _reach_facts(ways: PathsBySquare | None) -> dict[str, Any]:
    """What the squares tell that it goes to."""
    if ways is None:
        return {
            "reached": (),
            "across": None,
            "square_classes": 0,
            "colour_bound": False,
            "forward_only": False,
            "needs_hurdles": False,
            "blocked": None,
        }
    files, middle = ways.files, (ways.ranks - 1) // 2 * ways.files + (ways.files - 1) // 2
    steps = [
        (target % files - square % files, target // files - square // files)
        for square, targets in enumerate(ways.possible_targets)
        for target in targets - {square}
    ]
    blocked = blockable_move_share(ways) if ways.exact else None
    return {
        "reached": tuple(reached_square_counts(ways, middle)),
        "across": fewest_moves_across(ways),
        "square_classes": count_connected_parts(ways),
        "colour_bound": bool(steps) and all((x + y) % 2 == 0 for x, y in steps),
        "forward_only": bool(steps) and all(y > 0 for _, y in steps),
        "needs_hurdles": needs_hurdles(ways),
        "blocked": blocked if blocked is None else round(blocked, 4),
    }


def _fork_and_check_facts(ways: PathsBySquare | None) -> dict[str, Any]:
    """Forks and checks, on boards with nothing but the piece and what it attacks."""
    if ways is None or not ways.exact:
        return dict.fromkeys(("attacked", "forks", "checks", "safe_checks"))
    size, files = len(ways.paths), ways.files
    attacked = [ways.king_capture_squares(square) for square in range(size)]
    counts = [len(each) for each in attacked]
    near = sum(
        max(abs(square % files - king % files), abs(square // files - king // files)) == 1
        for square, kings in enumerate(attacked)
        for king in kings
    )
    pairs = size * (size - 1)
    return {
        "attacked": round(sum(counts) / size, 4),
        "forks": round(sum(n * (n - 1) // 2 for n in counts) / size, 4),
        "checks": round(sum(counts) / pairs, 6) if pairs else None,
        "safe_checks": round((sum(counts) - near) / pairs, 6) if pairs else None,
    }


def symmetries(meaning: Meaning) -> tuple[str, ...]:
    """The turns that leave the moves of a piece as they are, apart from its first ones."""
    is_invariant = invariance_test(replace(meaning, parts=_without_first_moves(meaning).parts))
    return tuple(name for name, turn in TURNS.items() if is_invariant(turn))


@dataclass(frozen=True, slots=True)
class _PieceWithoutNotation:
    """A piece of a game that has no text."""

    meaning: Meaning


@cache
def _king_and_wazir_game(files: int, ranks: int) -> Variant:
    return loads(_GAME.format(files=files, ranks=ranks)).variant


def king_and_piece_game(meaning: Meaning, files: int, ranks: int) -> Variant:
    """A game of kings and of pieces X with these moves, which begins nowhere."""
    base = _king_and_wazir_game(files, ranks)
    king, other = base.kinds
    piece = _PieceWithoutNotation(_without_first_moves(meaning))
    return replace(base, kinds=(king, replace(other, piece=piece)), moves=())


def _mating_power(
    meaning: Meaning, files: int, ranks: int, remarks: list[str], limit: float
) -> MatingPower | None:
    variant = king_and_piece_game(meaning, files, ranks)
    try:
        with attempt_refunded_on_failure(limit, EndingTooLarge):
            table = Tablebase.make(variant, [_ENDING])
    except EndingTooLarge:
        remarks.append("the ending takes more work than is done here")
        return None
    except RuleError as error:
        remarks.append(error.first_error.message)
        return None
    white, black = table.tally(_ENDING)
    won = sum(white.won.values())
    longest = (max(white.won, default=0) + 1) // 2
    start = table.longest_win_position(_ENDING)
    line: tuple[str, ...] = ()
    if start:
        line = tuple(map(str, table.line(Game(variant, start), _LONGEST_LINE)))
    power = _mating_power_word(won, white.positions)
    return MatingPower(
        power, white.positions, won, black.lost.get(0, 0), black.stalemates, longest, start, line
    )


def _mating_power_word(
    won: int, positions: int
) -> Literal["always", "mostly", "sometimes", "never"]:
    """How often the ending is won: all positions, most of them, some, none."""
    if won == positions:
        return "always" if won else "never"
    return "mostly" if 2 * won > positions else "sometimes" if won else "never"
