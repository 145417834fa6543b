"""The smallest position that distinguishes two pieces, confirmed on its board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice, product
from typing import Literal, TypeAlias

from alfil.geometry import BOARD_LIMIT
from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, TRAIL, TooManyStates, has_wrapping
from alfil.meaning.compare_meanings import (
    Counterexample,
    CounterexampleSearch,
    OutOfBudget,
    PathComparison,
    TooManyPieceHistories,
    display_sort_key,
    ignore_board_dependent_others,
    path_comparisons,
    same_meaning,
)
from alfil.meaning.partial_position import CLASSES_BY_PREFERENCE, UNMOVED, BoardMargins, MoveEffect
from alfil.meaning.piece_meaning import (
    START_SQUARE_CONDITIONS,
    ConditionKind,
    Fact,
    Footprint,
    Meaning,
    footprint_of,
)
from alfil.meaning.square_conditions import PieceSquare
from alfil.squares import Square
from alfil.tables.board_context import BoardContext, Offset, PositionArguments
from alfil.tables.move_generation import PieceMove, moves_in_context
from alfil.tables.moves_with_effects import moves_with_effects
from alfil.work_limit import limited_task

# A position is looked for with so much work.
MAX_SEARCH_WORK = 60_000
# Where a move depends on the size of the board, boards of up to so many squares are all tried;
# none of them is too long to be a board.
AREA_LIMIT = 24
# These are few enough to be tried before anything is known.
SMALL_BOARD_AREA = 12
# Ways to place what stands around a piece of several squares that are tried at most.
MAX_PLACEMENTS = 256


@dataclass(frozen=True, slots=True)
class Witness:
    """The difference of two pieces: a position with a move that only one has, or a fact.

    ``only`` says which of the two has it. ``at`` is (file, rank) from 0; the other pieces stand at
    offsets (dx, dy) from the piece, as in `alfil.moves`, which takes `arguments` as they are.
    ``moves_made`` is None for many, ``turn`` for any, ``own_colour`` where it is no matter. Where
    the moves are the same and only a ``fact`` differs (royal, promotion, size …), ``move`` is None
    and there is no board: 0 files and ranks.
    ``drawn`` makes a picture of it as SVG, of both pieces in the position.
    """

    only: Literal["first", "second"]
    files: int = 0
    ranks: int = 0
    at: Square = (0, 0)
    enemies: tuple[Offset, ...] = ()
    friends: tuple[Offset, ...] = ()
    enemy_royals: tuple[Offset, ...] = ()
    unmoved_friends: tuple[Offset, ...] = ()
    en_passant: tuple[Offset, ...] = ()
    moves_made: int | None = None
    third_rank: bool = False
    turn: int | None = None
    own_colour: bool | None = None
    move: PieceMove | None = None
    fact: Fact | None = None
    drawn: Callable[[Witness], str] | None = field(default=None, compare=False, repr=False)

    def _repr_svg_(self) -> str | None:
        return self.drawn(self) if self.drawn and self.move else None

    def arguments(self) -> dict[str, object]:
        """The position as keyword arguments of `alfil.moves`."""
        return {name: getattr(self, name) for name in self.__slots__ if name not in _NO_ARGUMENT}

    def scene(self) -> BoardContext:
        """The position as the piece sees it."""
        others = (self.enemies, self.friends, self.enemy_royals, self.unmoved_friends)
        board = BoardContext(self.files, self.ranks, self.at)
        past = (False, self.moves_made, self.third_rank, self.turn)
        around = PositionArguments(
            board, *others, self.en_passant, *past, own_colour=self.own_colour
        )
        return around.context()


_NO_ARGUMENT = frozenset({"only", "move", "fact", "drawn"})


class UndecidedComparison(Exception):
    """Neither a position nor a proof of equality was found."""


def witness_of(left: Meaning, right: Meaning) -> Witness | None:
    """The smallest difference of two meanings, None if they are the same piece.

    Smallest is: on the board with the fewest squares (files times ranks), then with the fewest
    pieces, squares for en passant counted as pieces; ties are broken in one fixed way. For pieces
    of several squares it is small. Raises `UndecidedComparison`.
    """
    if left == right:
        return None
    if footprint_of(left.facts) != footprint_of(right.facts):
        return _size_fact_witness(left, right)
    # Which of the two comes first must not change what is found.
    turned = repr(left) > repr(right)
    pair = (right, left) if turned else (left, right)
    result = _move_witness(*pair)
    facts = sorted(set(left.facts) ^ set(right.facts), key=repr)
    if result is None and facts:
        result = Witness("first" if facts[0] in pair[0].facts else "second", fact=facts[0])
    if result is None or not turned:
        return result
    return replace(result, only="second" if result.only == "first" else "first")


def _size_fact_witness(left: Meaning, right: Meaning) -> Witness:
    """The first thing said of the size of only one of two pieces that are not equally large."""
    facts = sorted(set(left.facts) ^ set(right.facts), key=repr)
    size = next(fact for fact in facts if fact.name == "size")
    return Witness("first" if size in left.facts else "second", fact=size)


def moves_for_comparison(meaning: Meaning, context: BoardContext) -> frozenset[PieceMove]:
    """The moves of a piece as they are compared: with its size, and without what it burns."""
    sizes = [fact for fact in meaning.facts if fact.name == "size"]
    return moves_with_effects(sizes, context, lambda seen: moves_in_context(meaning, seen))


def _move_witness(left: Meaning, right: Meaning) -> Witness | None:
    """The smallest position, None when the moves are proved to be the same."""
    try:
        with limited_task(MAX_SEARCH_WORK, OutOfBudget):
            result = _smallest_counterexample(left, right)
    except (OutOfBudget, TooManyStates, TooManyPieceHistories):
        raise UndecidedComparison from None
    return result[1] if result else None


def _smallest_counterexample(left: Meaning, right: Meaning) -> ConfirmedExample | None:
    pairs = path_comparisons(left, right)
    free = [each for pair in pairs if not _depends_on_edges(pair) for each in pair]
    bound = [each for pair in pairs if _depends_on_edges(pair) for each in pair]
    search = CounterexampleSearch(free)
    result = _first_confirmed_example(search, left, right)
    if any(any(each.paths) for each in bound):
        result = _smaller_example(
            result, _smallest_edge_dependent_example(bound, result, left, right)
        )
    elif not search.yielded:
        return None
    if result is None and not same_meaning(left.without_facts(), right.without_facts()):
        raise UndecidedComparison
    return result


ConfirmedExample: TypeAlias = tuple[Counterexample, Witness]


def _smallest_edge_dependent_example(
    edge_comparisons: list[PathComparison],
    result: ConfirmedExample | None,
    left: Meaning,
    right: Meaning,
) -> ConfirmedExample | None:
    """The smallest position on small boards, and on larger ones up to those where one is known."""
    limit = _board_area(result[0].board) if result else BOARD_LIMIT**2
    small = _search_boards(
        edge_comparisons, range(1, min(limit, SMALL_BOARD_AREA) + 1), left, right
    )
    if small or limit <= SMALL_BOARD_AREA:
        return small
    if result is None and same_meaning(left.without_facts(), right.without_facts()):
        return None
    # Here steps that wrap count as plain ones; the board has the last word.
    large = _first_confirmed_example(
        CounterexampleSearch(ignore_board_dependent_others(edge_comparisons)), left, right
    )
    limit = min(limit, AREA_LIMIT, _board_area(large[0].board) if large else AREA_LIMIT)
    return _smaller_example(
        large, _search_boards(edge_comparisons, range(SMALL_BOARD_AREA + 1, limit + 1), left, right)
    )


def _search_boards(
    edge_comparisons: list[PathComparison], areas: range, left: Meaning, right: Meaning
) -> ConfirmedExample | None:
    """The smallest position on boards of some numbers of squares, each searched on its own."""
    for area in areas:
        best = None
        for board in _boards_of_area(area):
            best = _smaller_example(
                best,
                _first_confirmed_example(
                    CounterexampleSearch(edge_comparisons, board), left, right
                ),
            )
        if best:
            return best
    return None


def _depends_on_edges(pair: tuple[PathComparison, PathComparison]) -> bool:
    """Whether moves depend on where the board ends, so that no board stands for larger ones.

    So they do where they ask for the square of the piece.
    """
    return any(
        each.history.grounds != START_SQUARE_CONDITIONS
        or any(
            not mode.depends_on_path_only or has_wrapping(automaton.states)
            for mode, automaton in each.parts
        )
        for each in pair
    )


def _boards_of_area(area: int) -> Iterator[BoardMargins]:
    """All boards with so many squares, with the piece on each of them."""
    for files in range(1, area + 1):
        ranks, rest = divmod(area, files)
        if not rest:
            for west in range(files):
                for south in range(ranks):
                    yield BoardMargins(west, files - 1 - west, south, ranks - 1 - south, wraps=True)


def _smaller_example(
    one: ConfirmedExample | None, other: ConfirmedExample | None
) -> ConfirmedExample | None:
    return min((each for each in (one, other) if each), key=_witness_size_key, default=None)


def _witness_size_key(result: ConfirmedExample) -> tuple[object, ...]:
    example = result[0]
    return (_board_area(example.board), len(example.contents), display_sort_key(example))


def _board_area(board: BoardMargins) -> int:
    return board.files * board.ranks


def _first_confirmed_example(
    search: CounterexampleSearch, left: Meaning, right: Meaning
) -> ConfirmedExample | None:
    """The first position of a search in which the board confirms what it says."""
    for example in search.counterexamples():
        confirmed = _confirm_on_board(example, left, right)
        if confirmed:
            return example, confirmed
    return None


def _confirm_on_board(example: Counterexample, left: Meaning, right: Meaning) -> Witness | None:
    sides = (left, right) if example.side == 0 else (right, left)
    example = example._replace(board=_board_with_allowed_start(example))
    footprint = footprint_of(left.facts)
    if len(footprint) == 1:
        witness = _witness_of_position(example)
        moves, others = (_moves_by_effect(side, witness.scene()) for side in sides)
        if example.effect not in moves or example.effect in others:
            return None
        return replace(witness, move=moves[example.effect])
    for larger in islice(_counterexamples_for_large_piece(example, footprint), MAX_PLACEMENTS):
        witness = _witness_of_position(larger)
        moves, others = (_moves_by_effect(side, witness.scene()) for side in sides)
        alone = sorted(move for effect, move in moves.items() if effect not in others)
        if alone:
            return replace(witness, move=alone[0])
    return None


def _board_with_allowed_start(example: Counterexample) -> BoardMargins:
    """The board, or where the piece stands on a square of another sort a larger one."""
    grounds, board = example.history.grounds, example.board
    # What holds of both sorts is not asked for, or holds in the middle only.
    pairs: tuple[frozenset[ConditionKind], ...] = (
        frozenset({"light", "dark"}),
        frozenset({"left-half", "right-half"}),
    )
    conditions = [kind for pair in pairs if not pair <= grounds for kind in pair & grounds]
    room = range(BOARD_LIMIT - board.files + 1)
    for west, south, east in product(room, (0, 1), room) if conditions else ():
        larger = board._replace(
            west=board.west + west, east=board.east + east, south=board.south + south
        )
        place = PieceSquare((larger.west, larger.south), larger.files, larger.ranks)
        if larger.files <= BOARD_LIMIT >= larger.ranks and all(map(place.holds, conditions)):
            return larger
    return board


def _counterexamples_for_large_piece(
    example: Counterexample, footprint: Footprint
) -> Iterator[Counterexample]:
    """Positions in which a piece of several squares may see what one of a single square sees.

    Whatever stands on a square for it may stand on any that it would take up there.
    """
    board, (wide, high) = example.board, footprint[-1]
    larger = board._replace(east=board.east + wide, north=board.north + high)
    places = [[(x + dx, y + dy) for dx, dy in footprint] for x, y in example.contents]
    for chosen in product(*places):
        contents = dict(zip(chosen, example.contents.values(), strict=True))
        if len(contents) == len(chosen) and not contents.keys() & set(footprint):
            yield example._replace(board=larger, contents=contents)


def _moves_by_effect(meaning: Meaning, context: BoardContext) -> dict[MoveEffect, PieceMove]:
    """The moves in a position by what they do, one for each effect."""
    result: dict[MoveEffect, PieceMove] = {}
    for move in moves_for_comparison(meaning, context):
        effect = _effect_of_move(move)
        if effect not in result or move < result[effect]:
            result[effect] = move
    return result


def _effect_of_move(move: PieceMove) -> MoveEffect:
    """The effect of a move, without its conditions."""
    return MoveEffect(
        move.to,
        frozenset(move.captures),
        frozenset(move.hurdles),
        frozenset(move.trail),
        move.partner,
    )


def _witness_of_position(example: Counterexample) -> Witness:
    """The position of a counterexample, without the move."""
    board, contents = example.board, example.contents
    arguments = {
        kind: tuple(sorted(at for at, stands in contents.items() if stands == kind))
        for kind in CLASSES_BY_PREFERENCE
    }
    return Witness(
        "second" if example.side else "first",
        board.files,
        board.ranks,
        (board.west, board.south),
        arguments[ENEMY],
        arguments[FRIEND],
        arguments[ROYAL],
        arguments[UNMOVED],
        arguments[TRAIL],
        example.history.moves_made,
        example.history.third_rank,
        example.history.turn,
        _starts_on_own_colour(example.history.grounds),
    )


def _starts_on_own_colour(grounds: frozenset[ConditionKind]) -> bool | None:
    """Whether the piece stands on the colour it began on, None where nothing asks for it."""
    return None if {"own-colour", "other-colour"} <= grounds else "own-colour" in grounds
