"""Ways through several legs as Betza: chains with a, and brackets with letters before or inside.

A way is the first step of every leg. A bracket without letters stands for all ways that go outward;
turning letters on a later leg, letters before the bracket and letters on the first leg narrow them.
Each is tried in this order; what fits none is divided by its turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from typing import NamedTuple, TypeAlias

from alfil.geometry import Vector, all_images, is_oblique
from alfil.movement.nodes import Bend
from alfil.movement.turn_geometry import (
    end_of_path,
    onward_directions,
    path_prefixes_by_leg_count,
    paths_through_legs,
    turn_in_eighths,
)
from alfil.notation.betza import directions
from alfil.notation.betza.directions import (
    compass_directions,
    fewest_turn_letters,
    first_leg_letters,
    join_tokens,
    shortest_usual_letters,
)
from alfil.notation.betza.letter_spelling import atom_text_of_bases

VectorPath: TypeAlias = tuple[Vector, ...]
VectorPaths: TypeAlias = frozenset[VectorPath]
# The turns of each later leg, in eighths; None is outward, without letters.
LegTurns: TypeAlias = tuple[frozenset[int] | None, ...]

# The turns of a later leg in eighths but straight back.
ALL_BUT_BACK = frozenset(range(8)) - {4}
# So many ways at most are written, and compared with those a bracket stands for.
MAX_PATHS = 600
MAX_BRACKET_PATHS = 400
# Ways in more groups, each a part of its own, make no text that anybody would read.
MAX_GROUPS = 28
# So many later legs may each have letters or none; with more all have letters, or none has.
MAX_OPTIONAL_TURNS = 2


class LegSpec(NamedTuple):
    """One leg to be spelled: at most ``most`` steps (0: any number) along images of ``bases``.

    ``land`` are the letters for how a move may end there, ``go`` those for what may stand there
    when it goes on, ``modes`` its other letters. ``straight`` is true of a leg that only goes on
    the way of the one before, ``repeats`` of one that goes straight on any number of times.
    """

    bases: tuple[Vector, ...]
    most: int
    land: str
    go: str = ""
    modes: str = ""
    straight: bool = False
    repeats: bool = False


# Betza for exactly some ways through legs, if it is one part.
WriteAsOnePart: TypeAlias = Callable[[VectorPaths, Sequence[LegSpec]], list[str] | None]


def is_stop_expressible(landing_letters: str, passage_letters: str) -> bool:
    """Whether one leg may both end a move so and be passed so, as a leg before ? does.

    >>> is_stop_expressible("mc", ""), is_stop_expressible("c", ""), is_stop_expressible("c", "c")
    (True, False, True)
    """
    return (landing_letters in {"m", "mc"} and not passage_letters) or (
        bool(landing_letters) and landing_letters == passage_letters
    )


def letters_of_last_leg(leg: LegSpec) -> str:
    """The letters of a last leg.

    >>> (letters_of_last_leg(LegSpec(((0, 1),), 0, "mc")),
    ...  letters_of_last_leg(LegSpec(((0, 1),), 0, "c", modes="p")))
    ('', 'cp')
    """
    return ("" if leg.land == "mc" else leg.land) + leg.modes


def paths_as_betza(
    ways: VectorPaths, legs: Sequence[LegSpec], *, chains: bool = True
) -> list[str] | None:
    """Betza for exactly these ways through the legs, or None where none is found.

    Without ``chains`` in brackets only, as some dialects have no chains.

    Where letters cannot turn from an oblique leap to a straight line, or to a leap of another
    kind, the leap is written as two legs, the first of them free.

    >>> ferz, rook = LegSpec(((1, 1),), 1, "mc"), LegSpec(((0, 1),), 0, "mc")
    >>> paths_as_betza(frozenset({((1, 1), (0, 1)), ((-1, 1), (0, 1))}), [ferz, rook])
    ['f[F?R]']
    """
    if len(ways) > MAX_PATHS:
        return None
    if len(ways) > MAX_BRACKET_PATHS:
        groups = _groups_with_independent_turns(ways) if chains else []
        return _texts_of_groups(groups, legs, _write_as_chain)
    as_one = _write_as_shortest_part if chains else _write_as_bracket
    result = as_one(ways, legs) or _write_by_turn_groups(ways, legs, as_one)
    if result is None and any(is_oblique(leg.bases[0]) for leg in legs):
        return _write_with_oblique_leaps_split(ways, legs, chains=chains)
    return result


def _write_as_shortest_part(ways: VectorPaths, legs: Sequence[LegSpec]) -> list[str] | None:
    """The ways as chains or as one bracket, whichever takes fewer letters."""
    result = [each for each in (_write_as_chain(ways, legs), _write_as_bracket(ways, legs)) if each]
    return min(result, key=lambda texts: len("".join(texts))) if result else None


def _write_with_oblique_leaps_split(
    ways: VectorPaths, legs: Sequence[LegSpec], *, chains: bool
) -> list[str] | None:
    """The ways with every single oblique leap as a free straight leg and a diagonal one."""
    straight: list[LegSpec] = []
    for leg in legs:
        if not is_oblique(leg.bases[0]):
            straight.append(leg)
        elif leg.most != 1 or leg.modes:
            return None
        else:
            ((a, b),) = leg.bases
            straight += [LegSpec(((0, b - a),), 1, "", "mp"), leg._replace(bases=((a, a),))]
    ways = frozenset([tuple(_split_oblique_steps(way)) for way in ways])
    return paths_as_betza(ways, straight, chains=chains)


def _split_oblique_steps(way: VectorPath) -> Iterator[Vector]:
    for x, y in way:
        if is_oblique((x, y)):
            near = min(abs(x), abs(y))
            diagonal = (near if x > 0 else -near, near if y > 0 else -near)
            yield (x - diagonal[0], y - diagonal[1])
            yield diagonal
        else:
            yield (x, y)


def _write_by_turn_groups(
    ways: VectorPaths, legs: Sequence[LegSpec], as_one: WriteAsOnePart
) -> list[str] | None:
    """The ways in groups that differ in the turns of one leg, or in none, each by itself."""
    found = [_texts_of_groups(_groups_by_turns(ways), legs, as_one)]
    if as_one is _write_as_shortest_part:
        found.append(_texts_of_groups(_groups_with_independent_turns(ways), legs, _write_as_chain))
    return min(filter(None, found), key=lambda texts: len("".join(texts)), default=None)


def _texts_of_groups(
    groups: Sequence[VectorPaths], legs: Sequence[LegSpec], as_one: WriteAsOnePart
) -> list[str] | None:
    """The texts of several groups, each one part, None where one has none."""
    if not 1 < len(groups) <= MAX_GROUPS:
        return None
    texts: list[str] = []
    for group in groups:
        some = as_one(group, legs)
        if some is None:
            return None
        texts += some
    return texts


def _groups_by_turns(ways: VectorPaths) -> list[VectorPaths]:
    """The ways with the same turns together."""
    groups: dict[tuple[int | None, ...], list[VectorPath]] = {}
    for way in sorted(ways):
        groups.setdefault(turns_before_later_legs(way), []).append(way)
    return [frozenset(group) for group in groups.values()]


def _groups_with_independent_turns(ways: VectorPaths) -> list[VectorPaths]:
    """The ways together that can be turned alike: any turn of a group before a leg with any other.

    From the last leg to the first, what differs in one place only is put together.
    """
    groups: dict[tuple[object, ...], list[VectorPath]] = {}
    for way in sorted(ways):
        groups[way[0], *turns_before_later_legs(way)] = [way]
    for at in reversed(range(len(next(iter(groups))))):
        alike: dict[tuple[object, ...], dict[object, list[VectorPath]]] = {}
        for key, some in groups.items():
            alike.setdefault((*key[:at], *key[at + 1 :]), {})[key[at]] = some
        groups = {
            (*key[:at], frozenset(places), *key[at:]): [
                way for some in places.values() for way in some
            ]
            for key, places in alike.items()
        }
    return [frozenset(group) for group in groups.values()]


def turns_before_later_legs(way: VectorPath) -> tuple[int | None, ...]:
    """The turn before each later leg in eighths, None where letters cannot say it."""
    return tuple(turn_in_eighths(*each) for each in pairwise(way))


def _turn_choices(ways: VectorPaths, legs: Sequence[LegSpec]) -> list[LegTurns]:
    """The letters to try on the later legs, fewest first."""
    choices: list[tuple[frozenset[int] | None, ...]] = []
    for at, row in enumerate(zip(*(turns_before_later_legs(way) for way in ways), strict=True), 1):
        turns = frozenset(turn for turn in row if turn is not None)
        plain = legs[at].straight or None in row
        choices.append((None,) if plain else (None, turns))
    if len([each for each in choices if len(each) > 1]) > MAX_OPTIONAL_TURNS:
        return [tuple([each[0] for each in choices]), tuple([each[-1] for each in choices])]
    return sorted(product(*choices), key=lambda turns: len(turns) - turns.count(None))


def _paths_of_bracket(legs: Sequence[LegSpec], turns: LegTurns) -> list[VectorPath] | None:
    """All ways a bracket stands for, None where a letter in it leads nowhere or they are many.

    None as well where a leg repeats, which no bracket says.
    """
    if any(leg.repeats for leg in legs):
        return None
    every = [all_images(leg.bases) for leg in legs]
    bends = [_as_bend(places, chooses=True) for places in turns]
    ways: list[VectorPath] = []
    for at, ways in enumerate(path_prefixes_by_leg_count(every, bends)):
        if len(ways) > MAX_BRACKET_PATHS:
            return None
        places = turns[at] if at < len(turns) else None
        result = [
            compass_directions(token)
            for token in (fewest_turn_letters(places) if places else None) or ()
        ]
        if not all(
            onward_directions(way[-1], every[at + 1], each) for each in result for way in ways
        ):
            return None
    return ways


def _as_bend(places: frozenset[int] | None, *, chooses: bool) -> Bend:
    return Bend(None if places is None else tuple(sorted(places)), chooses=chooses)


def _write_as_bracket(ways: VectorPaths, legs: Sequence[LegSpec]) -> list[str] | None:
    """A bracket that stands for these ways, whole or narrowed by letters in front or inside."""
    wider: list[tuple[LegTurns, list[VectorPath]]] = []
    for turns in _turn_choices(ways, legs):
        stood_for = _paths_of_bracket(legs, turns)
        if stood_for is None or not ways.issubset(stood_for):
            continue
        if len(stood_for) == len(ways):
            return [_bracket_text("", "", legs, turns)]
        wider.append((turns, stood_for))
    for turns, stood_for in sorted(wider, key=lambda each: len(each[1])):
        prefix = _prefix_letters(ways, stood_for)
        if prefix:
            return [_bracket_text(prefix, "", legs, turns)]
    for turns, stood_for in wider:
        first = _first_leg_letters(ways, stood_for, legs)
        if first:
            return [_bracket_text("", first, legs, turns)]
    return None


def _prefix_letters(ways: VectorPaths, bracket_paths: Sequence[VectorPath]) -> str | None:
    """The letters before a bracket that choose these of the ways it stands for."""
    ends = {way: end_of_path(way) for way in bracket_paths}
    ends_wanted = frozenset(ends[way] for way in ways)
    if any(end in ends_wanted and way not in ways for way, end in ends.items()):
        return None
    every = tuple(dict.fromkeys(ends.values()))
    system = directions.system_of(every)
    tokens = shortest_usual_letters(ends_wanted, every, system) if system else None
    return None if tokens is None else join_tokens(tokens, system)


def _first_leg_letters(
    ways: VectorPaths, bracket_paths: Sequence[VectorPath], legs: Sequence[LegSpec]
) -> str | None:
    """The letters on the first leg that choose these of the ways a bracket stands for."""
    ends_wanted = frozenset(way[0] for way in ways)
    if any(way[0] in ends_wanted and way not in ways for way in bracket_paths):
        return None
    return first_leg_letters(ends_wanted, legs[0].bases)


def _bracket_text(prefix: str, first: str, legs: Sequence[LegSpec], turns: LegTurns) -> str:
    texts: list[str] = []
    for at, leg in enumerate(legs):
        places = turns[at - 1] if at else None
        letters = (
            first
            if not at
            else ""
            if places is None
            else join_tokens(fewest_turn_letters(places) or (), "K")
        )
        name = atom_text_of_bases(leg.bases, leg.most)
        if at == len(legs) - 1:
            texts.append(letters + letters_of_last_leg(leg) + name)
        elif is_stop_expressible(leg.land, leg.go):
            mode = "" if leg.land == "mc" and not leg.go else leg.land
            texts.append(f"{letters}{mode}{leg.modes}{name}?")
        else:
            texts.append(f"{letters}{leg.go}{leg.modes}{name}-")
    return f"{prefix}[{''.join(texts)}]"


def _write_as_chain(ways: VectorPaths, legs: Sequence[LegSpec]) -> list[str] | None:
    """A chain, where all legs turn one atom and have no range; with a stop one for each stop."""
    bases, slides = legs[0].bases, legs[0].most == 0
    if legs[0].most > 1 or len({leg.most for leg in legs}) > 1:
        return None
    modes = {leg.modes for leg in legs}
    if not modes <= {"", "n", "j"}:
        return None
    if slides and any(max(base) > 1 for base in bases):
        return None
    rows = list(zip(*(turns_before_later_legs(way) for way in ways), strict=True))
    turns = tuple(frozenset(turn for turn in row if turn is not None) for row in rows)
    starts = frozenset(way[0] for way in ways)
    stops = [at for at, leg in enumerate(legs[:-1]) if is_stop_expressible(leg.land, leg.go)]
    if stops and ALL_BUT_BACK not in turns:
        return None
    if any(None in row for row in rows):
        return None
    bends = [_as_bend(places, chooses=False) for places in turns]
    if ways != frozenset(paths_through_legs([tuple(starts), *[()] * len(turns)], bends, len(ways))):
        return None
    return list(_chain_texts(first_leg_letters(starts, bases), legs, turns, stops))


def _chain_texts(
    first: str, legs: Sequence[LegSpec], turns: Sequence[frozenset[int]], stops: Sequence[int]
) -> Iterator[str]:
    name = atom_text_of_bases(legs[0].bases, legs[0].most)
    for last in (*stops, len(legs) - 1):
        texts: list[str] = []
        for at, leg in enumerate(legs[: last + 1]):
            places = turns[at - 1] if at else ALL_BUT_BACK
            tokens = () if places == ALL_BUT_BACK else fewest_turn_letters(places) or ()
            letters = join_tokens(tokens, "K") if at else first
            repeats = f"(af{leg.go})" if leg.repeats else ""
            letters += letters_of_last_leg(leg) if at == last else leg.go + leg.modes
            texts.append(letters + repeats)
        yield "a".join(texts) + name
