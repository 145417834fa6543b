"""Whether two meanings are the same piece.

Equal automata are the same piece. Different ones may be too: a lame leap beside the free one adds
nothing, and a path may ask for what no board can hold. So the paths that only one of them has are
looked at one by one, where they are finitely many: each is a condition on some squares, and if on
every board that meets it the other piece has a move to the same end with the same captures and
hurdles, it tells the two apart nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from alfil.meaning.automaton import (
    HOME,
    ON_AWAY,
    ON_EMPTY,
    ON_ENEMY,
    ON_FRIEND,
    ON_ROYAL,
    ON_TRAIL,
    OVER_ENEMY,
    OVER_FRIEND,
    OVER_ROYAL,
    PAST_AWAY,
    PAST_EMPTY,
    TAKE_ENEMY,
    TAKE_FRIEND,
    TAKE_ROYAL,
    TAKE_TRAIL,
    THRU_ENEMY,
    THRU_FRIEND,
    THRU_ROYAL,
    Automaton,
    Record,
)
from alfil.meaning.piece import EFFECTS, Guard, Meaning, difference

Offset: TypeAlias = tuple[int, int]

# What a square may hold: vacant, enemy, enemy royal, friend, a trail square, or no square at all.
VACANT, ENEMY, ROYAL, FRIEND, TRAIL, OUTSIDE = 1, 2, 4, 8, 16, 32
ON_BOARD = VACANT | ENEMY | ROYAL | FRIEND | TRAIL

WORD_LIMIT = 5_000
COVER_LIMIT = 50_000

_ENDS = (
    (ON_EMPTY | ON_AWAY, VACANT | TRAIL, False),
    (ON_ENEMY, ENEMY, True),
    (ON_ROYAL, ROYAL, True),
    (ON_FRIEND, FRIEND, True),
    (ON_TRAIL, TRAIL, True),
)
_TAKES = (
    (TAKE_ENEMY, ENEMY),
    (TAKE_ROYAL, ROYAL),
    (TAKE_FRIEND, FRIEND),
    (TAKE_TRAIL, TRAIL),
)
_OVERS = ((OVER_ENEMY, ENEMY), (OVER_ROYAL, ROYAL), (OVER_FRIEND, FRIEND))
_THRUS = ((THRU_ENEMY, ENEMY), (THRU_ROYAL, ROYAL), (THRU_FRIEND, FRIEND))

Cube: TypeAlias = dict[Offset, int]


class Effect(NamedTuple):
    """What a move does: where it ends, what it captures (and how), which hurdles it needs."""

    to: Offset
    captures: frozenset[Offset]
    hurdles: frozenset[Offset]
    en_passant: frozenset[Offset]


class Word(NamedTuple):
    """One path: its effect, and what it asks of which squares."""

    effect: Effect
    cube: Cube


class TooMany(Exception):
    """There are too many paths to look at one by one."""


def same_meaning(left: Meaning, right: Meaning) -> bool:
    """Whether two meanings are the same piece on every board up to the largest.

    Where infinitely many paths are had by only one of them the answer is no; so for pieces that
    roam freely two descriptions of one area may be called different. It is never yes by mistake.
    """
    if left == right:
        return True
    if left.facts != right.facts:
        return False
    return _adds_nothing(left, right) and _adds_nothing(right, left)


def _adds_nothing(meaning: Meaning, other: Meaning) -> bool:
    """Whether every path of a meaning that the other lacks is covered by paths of the other."""
    return all(
        _covered_part(automaton, _allowing(other, guard)) for guard, automaton in meaning.parts
    )


def _allowing(meaning: Meaning, guard: Guard) -> list[Automaton]:
    """The parts that may be used whenever the guard holds, with the same effects."""
    effects = {condition for condition in guard if condition.kind in EFFECTS}
    return [
        automaton
        for other, automaton in meaning.parts
        if set(other) <= set(guard)
        and {condition for condition in other if condition.kind in EFFECTS} == effects
    ]


def _covered_part(automaton: Automaton, others: list[Automaton]) -> bool:
    rest = automaton
    for other in others:
        rest = difference(rest, other)
    if not rest:
        return True
    if has_loop(rest):
        return False
    try:
        return all(_covered(word, others) for word in words(rest))
    except TooMany:
        return False


def has_loop(automaton: Automaton) -> bool:
    """Whether an automaton has infinitely many paths."""
    before = [0] * len(automaton.states)
    for state in automaton.states:
        for record in state:
            for _, target in record[4]:
                before[target] += 1
    queue = [index for index, count in enumerate(before) if not count]
    for index in queue:
        for record in automaton.states[index]:
            for _, target in record[4]:
                before[target] -= 1
                if not before[target]:
                    queue.append(target)
    return len(queue) < len(automaton.states)


class _Path(NamedTuple):
    """A path on its way."""

    state: int
    at: Offset
    effect: Effect
    cube: Cube


def words(automaton: Automaton, within: frozenset[Offset] | None = None) -> Iterator[Word]:
    """The paths of an automaton, each with its effect and its conditions.

    Paths that no board can hold are left out. ``within`` keeps to paths over these squares, each
    entered at most once, so that there are finitely many of them. Raises `TooMany`.
    """
    nothing: frozenset[Offset] = frozenset()
    stack = [_Path(0, (0, 0), Effect((0, 0), nothing, nothing, nothing), {})]
    count = 0
    while stack:
        path = stack.pop()
        for record in automaton.states[path.state]:
            count += 1
            if record[2] or count > WORD_LIMIT:
                raise TooMany
            if record[:3] == HOME:
                yield Word(path.effect._replace(to=(0, 0)), path.cube)
                continue
            where = (path.at[0] + record[0], path.at[1] + record[1])
            if within is None or where in within:
                yield from _ended(where, record[3], path.effect, path.cube)
                if within is None or where not in path.cube:
                    stack += _onward(where, record, path)


def _onward(where: Offset, record: Record, path: _Path) -> Iterator[_Path]:
    for mask, target in record[4]:
        for effect, cube in _passed(where, mask, path.effect, path.cube):
            yield _Path(target, where, effect, cube)


def _ended(where: Offset, emit: int, effect: Effect, cube: Cube) -> Iterator[Word]:
    if where == (0, 0):
        if emit & ON_EMPTY:
            yield Word(effect._replace(to=where), cube)
        return
    for letters, kind, captures in _ENDS:
        if emit & letters and where not in effect.captures:
            narrowed = _narrowed(cube, where, kind)
            if narrowed is not None:
                after = _taking(effect, where, kind) if captures else effect
                yield Word(after._replace(to=where), narrowed)


def _passed(where: Offset, mask: int, effect: Effect, cube: Cube) -> Iterator[tuple[Effect, Cube]]:
    if where == (0, 0):
        if mask & PAST_EMPTY:
            yield effect, cube
        return
    vacant = VACANT | TRAIL if mask & (PAST_EMPTY | PAST_AWAY) else 0
    thru = sum(kind for letter, kind in _THRUS if mask & letter)
    over = sum(kind for letter, kind in _OVERS if mask & letter)
    taken = where in effect.captures
    hopping = effect._replace(hurdles=effect.hurdles | {where})
    ways = [(thru if taken else vacant | thru, effect), (over, hopping)]
    if not taken:
        ways += [(kind, _taking(effect, where, kind)) for letter, kind in _TAKES if mask & letter]
    for kinds, after in ways:
        narrowed = _narrowed(cube, where, kinds)
        if narrowed is not None:
            yield after, narrowed


def _taking(effect: Effect, where: Offset, kind: int) -> Effect:
    en_passant = effect.en_passant | {where} if kind == TRAIL else effect.en_passant
    return effect._replace(captures=effect.captures | {where}, en_passant=en_passant)


def _narrowed(cube: Cube, where: Offset, kinds: int) -> Cube | None:
    kinds &= cube.get(where, ON_BOARD)
    return {**cube, where: kinds} if kinds else None


def _covered(word: Word, others: list[Automaton]) -> bool:
    """Whether on every board that meets the word's conditions the others have the same move."""
    squares = frozenset(word.cube) | {word.effect.to, (0, 0)}
    cubes = [
        other.cube
        for automaton in others
        for other in words(automaton, squares)
        if other.effect == word.effect
    ]
    return _covers(word.cube, cubes, [0])


def _covers(cube: Cube, cubes: list[Cube], spent: list[int]) -> bool:
    """Whether the union of the cubes holds every board of the one cube."""
    spent[0] += 1
    if spent[0] > COVER_LIMIT:
        raise TooMany
    for index, other in enumerate(cubes):
        pieces: list[Cube] = []
        rest = dict(cube)
        for square, kinds in other.items():
            here = rest.get(square, ON_BOARD)
            if here & ~kinds:
                pieces.append({**rest, square: here & ~kinds})
            rest[square] = here & kinds
            if not rest[square]:
                break
        else:
            return all(_covers(piece, cubes[index + 1 :], spent) for piece in pieces)
    return False
