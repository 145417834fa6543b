"""Effects of moves: all captures of a large piece, and burning.

A piece of several squares captures with each of them. What is in the range of an effect is what the
piece could capture there; `pieces_in_range` tells it for whatever the effect is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from alfil.meaning.automaton import ENEMY, FRIEND, ROYAL, VACANT
from alfil.meaning.piece_meaning import (
    Fact,
    Footprint,
    Meaning,
    footprint_of,
    split_conditions_and_words,
)
from alfil.tables.board_context import BoardContext, Offset
from alfil.tables.large_pieces import (
    context_seen_by_large_piece,
    occupied_squares_under_large_piece,
)
from alfil.tables.move_generation import PieceMove, moves_in_context

# The classes of the pieces that an effect on a side is about.
EFFECT_TARGETS = {
    "enemies": frozenset({ENEMY, ROYAL}),
    "friends": frozenset({FRIEND}),
    "all": frozenset({ENEMY, ROYAL, FRIEND}),
}
SINGLE_SQUARE: Footprint = ((0, 0),)


def all_moves_with_effects(meaning: Meaning, context: BoardContext) -> frozenset[PieceMove]:
    """All moves of a piece, with its size and burning taken into account.

    Raises `BoardError` where it does not fit there.
    """
    return moves_with_effects(meaning.facts, context, lambda seen: moves_in_context(meaning, seen))


def moves_with_effects(
    facts: Iterable[Fact],
    context: BoardContext,
    find: Callable[[BoardContext], Iterable[PieceMove]],
) -> frozenset[PieceMove]:
    """The moves of a piece with facts: size and burning taken into account.

    ``find`` tells those of a piece of one square. Raises `BoardError` where it does not fit there.
    """
    facts = tuple(facts)
    footprint = footprint_of(facts)
    burns = [fact for fact in facts if _burns_after_move(fact, context)]
    result = find(context_seen_by_large_piece(context, footprint))
    if len(footprint) > 1:
        result = (_expand_to_pieces_under_footprint(move, context, footprint) for move in result)
    if burns:
        result = (_add_burnt_captures(move, context, footprint, burns) for move in result)
    return frozenset(result)


def _expand_to_pieces_under_footprint(
    move: PieceMove, context: BoardContext, footprint: Footprint
) -> PieceMove:
    """A move with all captured and passed pieces of a large piece."""
    captures = occupied_squares_under_large_piece(move.captures, context, footprint)
    hurdles = occupied_squares_under_large_piece(move.hurdles, context, footprint)
    return replace(
        move, captures=captures, own_captures=_captured_friends(captures, context), hurdles=hurdles
    )


def _captured_friends(captures: Iterable[Offset], context: BoardContext) -> tuple[Offset, ...]:
    return tuple(
        at for at in captures if context.contents.get(_absolute_square(context, at)) == FRIEND
    )


def pieces_in_range(
    reach: Meaning, context: BoardContext, side: str, footprint: Footprint = SINGLE_SQUARE
) -> frozenset[Offset]:
    """The pieces of a side in the range of an effect.

    >>> from alfil.api import read
    >>> context = BoardContext(5, 5, (2, 2), {(2, 3): ENEMY, (3, 2): FRIEND})
    >>> (pieces_in_range(read("K").meaning, context, "enemies"),
    ...  pieces_in_range(read("K").meaning, context, "friends"))
    (frozenset({(0, 1)}), frozenset({(1, 0)}))
    """
    affected = EFFECT_TARGETS[side]
    contents = {
        at: (ROYAL if standing == ROYAL else ENEMY) if standing in affected else FRIEND
        for at, standing in context.contents.items()
        if standing != VACANT
    }
    if set(contents.values()) <= {FRIEND}:
        return frozenset()
    turned = replace(context, contents=contents, ep_squares={})
    result = moves_in_context(
        reach, context_seen_by_large_piece(turned, footprint), include_quiet=False
    )
    taken = {at for move in result for at in move.captures}
    return frozenset(occupied_squares_under_large_piece(taken, turned, footprint))


def _burns_after_move(fact: Fact, context: BoardContext) -> bool:
    """Whether a fact is burning that applies after this move."""
    if fact.name != "burns" or fact.values[2] == "passive":
        return False
    guard, _ = split_conditions_and_words(fact.values[4:])
    return context.conditions_hold(guard)


def _add_burnt_captures(
    move: PieceMove, context: BoardContext, footprint: Footprint, burns: Iterable[Fact]
) -> PieceMove:
    """A move with all that is burnt on the squares around its end."""
    result: set[Offset] = set()
    for fact in burns:
        reach, side, *_ = fact.values
        assert isinstance(reach, Meaning)
        result |= pieces_in_range(reach, _context_after_move(move, context), str(side), footprint)
    if not result:
        return move
    burnt = tuple(sorted((move.to[0] + x, move.to[1] + y) for x, y in result))
    own = (*move.own_captures, *_captured_friends(burnt, context))
    return replace(move, captures=(*move.captures, *burnt), own_captures=own)


def _context_after_move(move: PieceMove, context: BoardContext) -> BoardContext:
    """The position once a move has been made."""
    contents = dict(context.contents)
    gone = [context.at, *(_absolute_square(context, at) for at in move.captures)]
    for square in gone:
        contents.pop(square, None)
    if move.partner:
        came, went = (_absolute_square(context, at) for at in move.partner)
        contents[went] = contents.pop(came, FRIEND)
    return replace(context, at=_absolute_square(context, move.to), contents=contents, ep_squares={})


def _absolute_square(context: BoardContext, offset: Offset) -> tuple[int, int]:
    return context.at[0] + offset[0], context.at[1] + offset[1]
