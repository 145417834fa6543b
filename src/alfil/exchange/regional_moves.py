"""Regional moves of a piece, as settings of a `variants.ini`.

Fairy-Stockfish knows farther first moves from a region, soldiers that cross a river, the lines of a
palace and castling from one square; whatever else a line `moves` says is lost there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import product

from alfil.api import Piece, as_piece, destinations, moves, read, same
from alfil.exchange.import_pieces import CAMBODIAN_FIRST_MOVES, PALACE_LINE_MOVES
from alfil.game.variant import Area, PieceType, RegionMoves, Variant
from alfil.meaning.compare_meanings import same_meaning
from alfil.meaning.compile_movement import meaning_of
from alfil.meaning.piece_meaning import Meaning
from alfil.movement.nodes import Castling, Leg, Option
from alfil.programs import without_game_rule_moves
from alfil.squares import Square

PROGRAM = "fairy-stockfish"
# Farther moves, each with the first move that it is there, and whether it leaves a trail.
FIRST_MOVE_BY_DOUBLE_STEP = {
    "fmnR2": ("ifmnD", True),
    "fmR2": ("ifmnD", False),
    "fmnD": ("ifmnD", False),
    "fmnB2": ("ifmnA", True),
    "fmB2": ("ifmnA", False),
    "fmnA": ("ifmnA", False),
}
SquaresBySide = tuple[frozenset[Square], frozenset[Square]]
NO_SQUARES: SquaresBySide = (frozenset(), frozenset())


@dataclass
class RegionalMoves:
    """A piece with its regional moves.

    ``piece`` has its farther moves as first moves, without castling. ``double_step_squares`` are
    the squares they are made from, None where that is wherever such pieces begin;
    ``ep_silent_squares`` those of them from which they leave no trail. ``lines`` are the squares of
    a palace, ``soldier_sideways_rank`` is the rank from which a soldier goes sideways, 0 for none;
    ``king_squares`` are the squares from which it castles. ``is_inexpressible`` is whether there
    are moves that no setting says.
    """

    piece: Piece
    castlings: tuple[Castling, ...] = ()
    double_step_squares: SquaresBySide | None = None
    ep_silent_squares: SquaresBySide = NO_SQUARES
    lines: frozenset[Square] = frozenset()
    soldier_sideways_rank: int = 0
    cambodian: bool = False
    king_squares: list[SquaresBySide] = field(default_factory=list)
    is_inexpressible: bool = False


def has_reversible_move(piece: Piece | str) -> bool:
    """Whether some move without a capture can be taken back by another one.

    There it is no progress then, whatever pieces a rule about progress names.
    """
    goes = set(destinations(piece, unmoved=False))
    # What hops goes nowhere on an empty board.
    for hurdle in {*product(range(-2, 3), range(-2, 3))} - {(0, 0)}:
        with_hurdle = moves(piece, friends={hurdle}, unmoved=False)
        goes |= {each.to for each in with_hurdle if not each.captures}
    return any((-x, -y) in goes for x, y in goes)


def regional_moves(kind: PieceType, piece: Piece, variant: Variant) -> RegionalMoves:
    """What a kind does, on all squares and on some; ``piece`` is how it moves everywhere."""
    options = piece.movement.options
    castlings = tuple(each.way for each in options if isinstance(each.way, Castling))
    other_options = [each for each in options if not isinstance(each.way, Castling)]
    everywhere = [each for each in other_options if _is_repeatable_double_step(each)]
    other_options = [each for each in other_options if each not in everywhere]
    moves = RegionalMoves(piece, castlings)
    whole = variant.squares((1, variant.ranks), 0)
    for _ in everywhere:
        moves.double_step_squares = (whole, whole)
        other_options += read("ifmnD").movement.options
    moves.piece = _replace_options(piece, other_options)
    for further in kind.further:
        moves.is_inexpressible |= not _add_moves_with_setting(moves, further, variant)
    return moves


def _replace_options(piece: Piece, options: list[Option]) -> Piece:
    """The piece with other moves, without facts; the same one where they are its own."""
    movement = piece.movement
    if list(movement.options) == options and not movement.facts:
        return piece
    return as_piece(replace(movement, options=tuple(options), facts=()))


def _is_repeatable_double_step(option: Option) -> bool:
    """Whether it is a double step that is made again and again, and leaves a trail."""
    way = option.way
    return isinstance(way, Leg) and way.lengths == (1, 2) and option.passer and not option.when


def _add_moves_with_setting(
    moves: RegionalMoves, region_moves: RegionMoves, variant: Variant
) -> bool:
    """Take in moves that a setting says; whether there is one."""
    assert isinstance(region_moves.piece, Piece)
    start, end, piece = region_moves.start, region_moves.end, region_moves.piece
    if region_moves.unchecked:
        leap = next((key for key, text in CAMBODIAN_FIRST_MOVES.items() if same(piece, text)), "")
        moves.cambodian |= bool(leap)
        return bool(leap) and start is None and end is None
    if start is None:
        return False
    squares = _squares_by_side(variant, start)
    if start == end:
        return _add_palace_line_moves(moves, piece, squares)
    if end is not None:
        return False
    if same(piece, "sW"):
        last = variant.ranks
        ranks = (
            rank
            for rank in range(2, last + 1)
            if _squares_by_side(variant, (rank, last)) == squares
        )
        moves.soldier_sideways_rank = next(ranks, 0) if moves_like(moves.piece, "fW") else 0
        return bool(moves.soldier_sideways_rank)
    ways = [each.way for each in piece.movement.options]
    if ways and all(isinstance(way, Castling) for way in ways):
        moves.castlings = tuple(way for way in ways if isinstance(way, Castling))
        moves.king_squares.append(squares)
        return True
    return _add_start_square_moves(moves, piece, squares)


def _squares_by_side(variant: Variant, area: Area) -> SquaresBySide:
    return variant.squares(area, 0), variant.squares(area, 1)


def _add_palace_line_moves(moves: RegionalMoves, piece: Piece, squares: SquaresBySide) -> bool:
    known = {"R": "rook", "pR": "janggiCannon", "fsW": "soldier", "W": "wazir"}
    key = next((key for text, key in known.items() if moves_like(moves.piece, text)), "")
    fits = (
        bool(key) and same(piece, PALACE_LINE_MOVES[key], facts=False) and squares[0] == squares[1]
    )
    moves.lines |= squares[0] if fits else frozenset()
    return fits


def _add_start_square_moves(moves: RegionalMoves, piece: Piece, squares: SquaresBySide) -> bool:
    like = next((text for text in FIRST_MOVE_BY_DOUBLE_STEP if same(piece, text)), "")
    has_first_move = any(each.when for each in moves.piece.movement.options)
    # One region says whence a piece goes farther: that of a first move of its own, or this one.
    if not like or (has_first_move and moves.double_step_squares is None):
        return False
    text, trail = FIRST_MOVE_BY_DOUBLE_STEP[like]
    if not has_first_move:
        moves.piece = _replace_options(
            moves.piece, [*moves.piece.movement.options, *read(text).movement.options]
        )
    before, silent = moves.double_step_squares or NO_SQUARES, moves.ep_silent_squares
    moves.double_step_squares = (before[0] | squares[0], before[1] | squares[1])
    if not trail:
        moves.ep_silent_squares = (silent[0] | squares[0], silent[1] | squares[1])
    return True


@lru_cache(maxsize=4096)  # pieces of the usual games are met in one variant after another
def moves_like(piece: Piece, betza: str) -> bool:
    """Whether it moves as a text says, captures en passant and castling aside."""
    return same_meaning(
        _meaning_without_special_moves(piece), _meaning_without_special_moves(read(betza))
    )


@lru_cache(maxsize=512)  # every piece of a game is compared with all that the program knows
def _meaning_without_special_moves(piece: Piece) -> Meaning:
    return meaning_of(
        without_game_rule_moves(piece.movement, PROGRAM), piece.source
    ).without_facts()


def en_passant_legs(piece: Piece) -> Iterator[Leg]:
    """Its captures en passant."""
    for option in piece.movement.options:
        if isinstance(option.way, Leg) and "passer" in option.way.ends:
            yield option.way
