"""Examples of moves for rules pages, found by the engine.

A position has both royal pieces where they begin and at most two pieces more. The positions are
tried in one fixed order, pieces whose moves are known before those whose moves are not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from string import ascii_uppercase
from typing import NamedTuple, TypeAlias

from alfil.game.compiled_variant import compile_variant
from alfil.game.moves import Move
from alfil.game.piece_traits import PieceTraits, Promotion
from alfil.game.sfen import COVER, WALL, board_rows
from alfil.game.variant import PieceType, Variant
from alfil.meaning.piece_meaning import footprint_of
from alfil.play.game import Game
from alfil.play.records.move_notations import write_move
from alfil.squares import Square, square_name_pattern

NEARBY_DISTANCE = 2  # files and ranks

_NAME = f"(?:{square_name_pattern('chess')}|{square_name_pattern('shogi')})"
_TWO_SQUARES = re.compile(f"{_NAME}({_NAME})")

PlacedPieces: TypeAlias = dict[Square, tuple[PieceType, int]]


class NotatedMoveExample(NamedTuple):
    """A move, the position before it (empty for the start), and the move in each form."""

    what: str
    position: str
    usual: str
    usi: str
    cell: str


def _has_start_square(example: NotatedMoveExample) -> bool:
    """Whether anything stands between the piece and the target but the sign of the move."""
    target = _TWO_SQUARES.match(example.usi)
    before = example.usual.partition(target[1])[0] if target else ""
    return bool(before.lstrip(f"+{ascii_uppercase}").rstrip("-x"))


class ExampleKind(NamedTuple):
    """A kind of example: its pieces, the positions to try, and the moves that show it.

    ``is_informative`` is whether an example shows anything of it in the texts of the game.
    """

    what: str
    applies_to: Callable[[PieceType, Promotion], bool]
    positions: Callable[[Variant, PieceType], Iterator[PlacedPieces]]
    matching_moves: Callable[[Game], list[Move]]
    is_informative: Callable[[NotatedMoveExample], bool] = lambda _: True


def move_examples(game: Variant) -> Iterator[NotatedMoveExample]:
    """One example for each form of move that the game has."""
    opening = Game(game)
    moves = opening.legal_moves
    ranking = {kind.code: at for at, kind in enumerate(_nonroyal_example_pieces(game))}
    yield from _plainest_example("move", opening, filter(_is_quiet, moves), ranking=ranking)
    yield from _plainest_example("drop", opening, (move for move in moves if move.is_drop))
    for form in EXAMPLE_KINDS:
        first = islice(_examples_of(form, game), 1)
        yield from filter(form.is_informative, first)


# A form is given up after so many positions, or so many squares and moves of them.
MAX_POSITIONS, MAX_SQUARES_AND_MOVES = 1_200, 100_000


def _traits_by_code(game: Variant) -> dict[str, PieceTraits]:
    return compile_variant(game).traits_by_code


def _examples_of(form: ExampleKind, game: Variant) -> Iterator[NotatedMoveExample]:
    """Examples of a form, from one scene after another."""
    # Where moves build walls or pieces come from nowhere, a position has thousands of moves; how
    # they go on the board is seen without.
    plain = replace(game, rules=replace(game.rules, wall="none", drops="no"))
    moving = (kind for kind in _nonroyal_example_pieces(game) if kind.meaning.parts or kind.further)
    whose = (k for k in moving if form.applies_to(k, _traits_by_code(game)[k.code].promotion))
    standings = (each for kind in whose for each in form.positions(game, kind))
    standings = (each for each in standings if _are_on_allowed_squares(game, each))
    seen = 0
    for standing in islice(standings, MAX_POSITIONS):
        seen += game.files * game.ranks
        if seen > MAX_SQUARES_AND_MOVES:
            return
        text = _position_text(game, standing)
        scene = Game(plain, text) if text else None
        if scene is None or scene.flags:
            continue
        seen += len(scene.legal_moves)
        if form.matching_moves(scene):
            scene = Game(game, text)
            yield from _plainest_example(form.what, scene, form.matching_moves(scene), text)


def _plainest_example(
    what: str,
    game: Game,
    moves: Iterable[Move],
    position: str = "",
    ranking: dict[str, int] | None = None,
) -> Iterator[NotatedMoveExample]:
    """The plainest of these moves as an example, nothing where there is none."""
    centre = _distance_from_centre(game.variant)
    ranks = ranking or {}

    def plainness(move: Move) -> tuple[int, float, int]:
        return ranks.get(move.code, len(ranks)), centre(move.target), -move.target[1]

    for move in sorted(moves, key=plainness)[:1]:
        texts = (write_move(game, move, form) for form in (None, "usi", "cell"))
        yield NotatedMoveExample(what, position, *texts)


def _nonroyal_example_pieces(game: Variant) -> list[PieceType]:
    """The pieces that are not royal, those with a given move first."""
    kinds = [kind for kind in game.kinds if not _traits_by_code(game)[kind.code].survive]
    return sorted(kinds, key=lambda kind: kind.status != "given")


def _distance_from_centre(game: Variant) -> Callable[[Square], float]:
    x, y = (game.files - 1) / 2, (game.ranks - 1) / 2
    return lambda square: (square[0] - x) ** 2 + (square[1] - y) ** 2


def _single_piece_positions(game: Variant, kind: PieceType) -> Iterator[PlacedPieces]:
    """The piece on each square, from the centre on, and the royal pieces where they begin."""
    kings = {
        each.square: (game.kind(each.code), each.side)
        for each in game.setup
        if _traits_by_code(game)[each.code].survive
    }
    for square in sorted(_squares_without_holes(game), key=_distance_from_centre(game)):
        if square not in kings:
            yield kings | {square: (kind, 0)}


def _squares_without_holes(game: Variant) -> Iterator[Square]:
    """The squares of the board without its holes."""
    squares = ((file, rank) for rank in range(game.ranks) for file in range(game.files))
    return (square for square in squares if square not in game.walls)


def _positions_with_enemy(game: Variant, kind: PieceType) -> Iterator[PlacedPieces]:
    """The same with an enemy near it, in front first."""
    whose = (each for each in _nonroyal_example_pieces(game)[::-1] if 1 in each.sides)
    enemies = [each for each in whose if each.base == each.code][:1]
    for standing in _single_piece_positions(game, kind):
        for square in _empty_squares_near_last_piece(game, standing):
            yield from (standing | {square: (enemy, 1)} for enemy in enemies)


def _positions_with_two_of_kind(game: Variant, kind: PieceType) -> Iterator[PlacedPieces]:
    """The same with another of its kind near it."""
    for standing in _single_piece_positions(game, kind):
        for square in _empty_squares_near_last_piece(game, standing):
            yield standing | {square: (kind, 0)}


def _are_on_allowed_squares(game: Variant, standing: PlacedPieces) -> bool:
    """Whether all pieces stand where they may ever be, each of a side that may have it."""
    return all(
        side in kind.sides
        and (kind.within is None or square in game.squares(kind.within, side))
        and (kind.outside is None or square not in game.squares(kind.outside, side))
        for square, (kind, side) in standing.items()
    )


def _empty_squares_near_last_piece(game: Variant, standing: PlacedPieces) -> list[Square]:
    """The empty squares around the piece that stands there last, the nearest first."""
    x, y = [*standing][-1]
    away = {
        at: (abs(at[0] - x), abs(at[1] - y))
        for at in _squares_without_holes(game)
        if at not in standing
    }
    around = [at for at, distance in away.items() if max(distance) <= NEARBY_DISTANCE]
    return sorted(around, key=lambda at: (sum(d * d for d in away[at]), -at[1], at))


def _position_text(game: Variant, standing: PlacedPieces) -> str:
    """A position with the first side to move and nothing in hand; empty without room for all."""
    symbols = dict.fromkeys(_squares_without_holes(game), "")
    for (file, rank), (kind, side) in standing.items():
        own, *others = (
            (file - x, rank - y) if side else (file + x, rank + y)
            for x, y in footprint_of(kind.meaning.facts)
        )
        if any(symbols.get(at, WALL) for at in (own, *others)):
            return ""
        symbols[own] = kind.text_symbol.lower() if side else kind.text_symbol
        symbols |= dict.fromkeys(others, COVER)
    board = ((file, rank) for rank in range(game.ranks) for file in range(game.files))
    rows = board_rows([symbols.get(at, WALL) for at in board], game.files)
    return f"{rows} {game.rules.first[0]} - 1"


def _is_quiet(move: Move) -> bool:
    return not move.is_drop and not move.captures and not move.promotes


def _moves_that(*, capture: bool, promote: bool) -> Callable[[Game], list[Move]]:
    """What lists the moves that do just that."""
    wanted = capture, promote
    return lambda game: [
        move for move in game.legal_moves if (bool(move.captures), bool(move.promotes)) == wanted
    ]


def _moves_needing_origin(game: Game) -> list[Move]:
    """The moves that another piece of the same kind could make."""
    quiet = list(filter(_is_quiet, game.legal_moves))
    starts: dict[tuple[str, Square], set[Square | None]] = {}
    for move in quiet:
        starts.setdefault((move.code, move.target), set()).add(move.origin)
    return [move for move in quiet if len(starts[move.code, move.target]) > 1]


def _declined_promotions(game: Game) -> list[Move]:
    """The moves that could have promoted and do not."""
    promoting = {(move.origin, move.target) for move in game.legal_moves if move.promotes}
    quiet = filter(_is_quiet, game.legal_moves)
    return [move for move in quiet if (move.origin, move.target) in promoting]


def _moves_of_promoted_pieces(game: Game) -> list[Move]:
    kinds = {kind.code for kind in game.variant.kinds if kind.base != kind.code}
    return [move for move in game.legal_moves if _is_quiet(move) and move.code in kinds]


EXAMPLE_KINDS = (
    ExampleKind(
        "capture",
        lambda kind, _: kind.base == kind.code,
        _positions_with_enemy,
        _moves_that(capture=True, promote=False),
    ),
    ExampleKind(
        "promotion",
        lambda _, promotion: bool(promotion.codes),
        _single_piece_positions,
        _moves_that(capture=False, promote=True),
    ),
    ExampleKind(
        "capture with promotion",
        lambda _, promotion: bool(promotion.codes),
        _positions_with_enemy,
        _moves_that(capture=True, promote=True),
    ),
    ExampleKind(
        "promotion declined",
        lambda _, promotion: bool(promotion.codes) and promotion.mode != "forced",
        _single_piece_positions,
        _declined_promotions,
    ),
    ExampleKind(
        "move of a promoted piece",
        lambda kind, _: kind.base != kind.code,
        _single_piece_positions,
        _moves_of_promoted_pieces,
    ),
    ExampleKind(
        "start square needed",
        lambda kind, _: kind.base == kind.code,
        _positions_with_two_of_kind,
        _moves_needing_origin,
        # A text that is like USI has it always.
        lambda example: example.usual != example.usi and _has_start_square(example),
    ),
)
