"""Where later legs may turn to, in words."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Literal, TypeAlias

from alfil.english import words
from alfil.english.leg_phrases import leap_size
from alfil.frozen_dataclasses import NamedTuple
from alfil.geometry import Vector, base_vector, direction_in_sixteenths, images_of_base, is_oblique
from alfil.movement.nodes import Angle, Bend, Turn
from alfil.movement.turn_geometry import (
    ALL_BUT_BACK,
    RIGHT_ANGLE,
    latest_bend_after,
    onward_directions,
    signed_turn,
    steps_after_angle,
    steps_after_bend,
    turn_in_eighths,
    turn_in_sixteenths,
)

# Whether a way has bent before: surely not, perhaps, surely.
HasBent: TypeAlias = Literal["no", "perhaps", "yes"]

STRAIGHT_TURNS = frozenset({0, 4})
FIRST_BENDS_BY_SENSE = {"same": (1, 7), "other": (2, 6)}
SIDE_PHRASES = {
    "same": "the side of its latest bend",
    "other": "the side opposite to its latest bend",
}
REPEATED_BEND_PHRASES = {
    "same": ", repeating its latest bend",
    "other": ", mirroring its latest bend",
}
EACH_TIME = " each time"
SAME_SIDE = "to the same side"
SAME_TURN_PHRASES = {
    "same": f", turning 45° {SAME_SIDE}{EACH_TIME}",
    "other": ", turning 90° alternately to one side and the other",
}
LEAST_BEND_PHRASE = ", bending as little as it can"
ABOUT_WORD = "about "

HALF_CIRCLE = 8
SIGN_BY_HAND = {"right": 1, "left": -1, "either": 0}
HAND_WORDS = {1: "to the right", -1: "to the left", 0: "to either side"}
OUTWARD_PHRASE = "by at most about 90°"
MOST_ANGLES_NAMED = 2
BEYOND_PHRASE = " or the next possible angle beyond"
# The turns that are none, where the steps may lie on one wind without being quite in line.
NO_TURN_PHRASES = {
    0: ", in about the same direction",
    HALF_CIRCLE: ", in about the opposite direction",
}


class PossibleHeadings(NamedTuple):
    """How a way may have gone so far.

    ``steps_and_bends`` are its latest steps, each with the latest bend, none where that is not
    known; ``fallback_steps`` are steps of the kind it ends with.
    """

    steps_and_bends: frozenset[tuple[Vector, int]] = frozenset()
    fallback_steps: tuple[Vector, ...] = ()

    @property
    def vectors(self) -> tuple[Vector, ...]:
        """The latest steps."""
        return tuple(sorted({vector for vector, _ in self.steps_and_bends}))

    @property
    def has_bent(self) -> HasBent:
        """Whether the way has bent."""
        bends = {bool(bend) for _, bend in self.steps_and_bends}
        if len(bends) != 1:
            return "perhaps"
        return "yes" if True in bends else "no"

    def after_turn(self, turn: Turn, vectors: tuple[Vector, ...]) -> PossibleHeadings:
        """How it may go on by a turn in a leg that has these steps of its own."""
        if isinstance(turn, Bend):
            ways = {
                way
                for vector, bend in self.steps_and_bends
                for way in steps_after_bend(turn, vector, bend, vectors)
            }
        else:
            ways = {
                (v, latest_bend_after(bend, turn_in_sixteenths(vector, v)))
                for vector, bend in self.steps_and_bends
                for v in next_directions(vector, turn, vectors)
            }
        return PossibleHeadings(frozenset(ways), tuple(sorted({v for v, _ in ways})) or vectors)


def headings_after_first_leg(
    steps: tuple[Vector, ...], fallback_steps: tuple[Vector, ...] = ()
) -> PossibleHeadings:
    """The first leg of a way, by its steps, or else by some of the kind it ends with."""
    return PossibleHeadings(frozenset((step, 0) for step in steps), steps or fallback_steps)


def bend_phrase(turn: Bend, bent: HasBent, about: str = "") -> str:
    """How a leg may turn by a bend, if its own steps do not matter.

    Before any bend there is nothing for a sense to go by. ``about`` where turns are not exact.
    """
    places, sense = turn.places, turn.sense
    if sense == "any":
        return turns_phrase_to_append(ALL_BUT_BACK if places is None else places, about)
    if bent == "no":
        return turns_phrase_to_append(
            FIRST_BENDS_BY_SENSE[sense] if places is None else places, about
        )
    if places is None:
        degrees = f"{about}45°" if sense == "same" else "90°"
        other = f", or turning {degrees} to either side if it has not bent yet"
        return REPEATED_BEND_PHRASES[sense] + (other if bent == "perhaps" else "")
    if bent == "yes":
        bends = turns_phrase_to_append(frozenset(places) - STRAIGHT_TURNS, about)
        return f"{bends}, but only to {SIDE_PHRASES[sense]}"
    turns = turns_phrase_to_append(places, about)
    return f"{turns}, but once it has bent only bending to {SIDE_PHRASES[sense]}"


def repeated_bend_phrase(turn: Bend, about: str) -> str:
    """The bend between the rounds of a repeated step."""
    if turn.places is None and turn.sense != "any":
        return SAME_TURN_PHRASES[turn.sense]
    if turn.places is None and turn.chooses:
        return LEAST_BEND_PHRASE + EACH_TIME
    return each_time_phrase(bend_phrase(turn, "perhaps", about))


def each_time_phrase(phrase: str) -> str:
    """A turn as that between the rounds of a repeat."""
    phrase = phrase if phrase.startswith(",") else f", going{phrase}"
    return phrase if phrase.endswith(EACH_TIME) else f"{phrase}{EACH_TIME}"


def turns_phrase_to_append(places: Collection[int], about: str = "") -> str:
    """The words for a set of turns, with what joins them to the words before."""
    text = words.turn_words(frozenset(places), about)
    return f"{',' if text.startswith('turning') else ''} {text}"


def with_leading_comma(turn: str) -> str:
    """A turn after words for directions, which without a comma could be taken together with it."""
    return turn if turn.startswith(",") else f",{turn}"


def signed_turns_of_angle(
    turn: Angle, before: Iterable[Vector], after: Sequence[Vector]
) -> frozenset[int]:
    """The turns in sixteenths, signed, by which an angle leads from some steps to others."""
    return frozenset(
        signed_turn((direction_in_sixteenths(step) - direction_in_sixteenths(way)) % 16)
        for way in before
        for step in steps_after_angle(turn, way, tuple(after))
    )


def angle_phrase(
    turn: Angle, before: Sequence[Vector], after: Sequence[Vector], *, looped: bool
) -> str:
    """An angle in words; in a loop one to either hand is always to the same side.

    ``before`` and ``after`` are steps it turns from and to, none if that is not known. The turns
    told are those from some of these to others: between a straight line and a leap off it the turn
    meant is half a step of the compass rose further.
    """
    size, hand = turn.sixteenths, SIGN_BY_HAND[turn.hand]
    if turn.degrees:
        side = _side_phrase(hand, keeps=looped and float(turn.degrees) not in {0, 180})
        return f", turning by the angle of {turn.degrees}° {side}"
    turns = signed_turns_of_angle(turn, before, after)
    sizes, beyond = sorted({abs(each) for each in turns}), ""
    if size is None and not 1 <= len(sizes) <= MOST_ANGLES_NAMED:
        return f", turning {OUTWARD_PHRASE}"
    if len(sizes) > 1 and size in NO_TURN_PHRASES:
        return NO_TURN_PHRASES[size]
    if size is not None and (not sizes or {0, HALF_CIRCLE} & {*sizes[1:]}):
        sizes, beyond = [size], BEYOND_PHRASE
    elif hand and all(hand * each < 0 for each in turns):
        hand = -hand
    if sizes[0] in NO_TURN_PHRASES and not beyond:
        exact = not is_oblique(after[0]) or leap_size(before[0]) == leap_size(after[0])
        return turns_phrase_to_append({sizes[0] // 2}) if exact else NO_TURN_PHRASES[sizes[0]]
    alike = before and after and len({base_vector(each) for each in (*before, *after)}) == 1
    straight = before and after and not any(map(is_oblique, (*before, *after)))
    degrees = " or ".join(
        f"{'' if straight or (alike and not each % RIGHT_ANGLE) else ABOUT_WORD}{each * 22.5:g}°"
        for each in sizes
    )
    side = _side_phrase(hand, keeps=looped and size not in {None, 0, HALF_CIRCLE})
    return f", turning {degrees}{beyond} {side}"


def _side_phrase(hand: int, *, keeps: bool) -> str:
    return f"{SAME_SIDE}{EACH_TIME}" if keeps and not hand else HAND_WORDS[hand]


def next_directions(before: Vector, turn: Turn, vectors: tuple[Vector, ...]) -> Collection[Vector]:
    """The listed directions that a turn leads to, whatever the sense of a bend."""
    if isinstance(turn, Bend):
        return onward_directions(before, vectors, turn.places)
    return steps_after_angle(turn, before, vectors)


def common_turns_in_eighths(
    travelled: Iterable[Vector], turn: Turn, vectors: tuple[Vector, ...]
) -> frozenset[int] | None:
    """The turns a leg makes in eighths, if they are the same from every way of travelling."""
    result = {
        frozenset(turn_in_eighths(way, v) for v in next_directions(way, turn, vectors))
        for way in travelled
    }
    if len(result) != 1:
        return None
    (turns,) = result
    known = frozenset(each for each in turns if each is not None)
    return known if known and len(known) == len(turns) else None


@lru_cache(maxsize=1024)
def all_rotations_and_mirrors(vectors: tuple[Vector, ...]) -> tuple[Vector, ...]:
    """The vectors with all that are turned or mirrored like them.

    >>> all_rotations_and_mirrors(((0, 1),))
    ((-1, 0), (0, -1), (0, 1), (1, 0))
    """
    return tuple(sorted({image for x, y in vectors for image in images_of_base(abs(x), abs(y))}))


def line_or_leap_words(vectors: Collection[Vector]) -> str:
    """The kind of line or leap of a later leg, whose directions its turn says."""
    first = next(iter(vectors), (0, 1))
    if is_oblique(first):
        p, q = sorted(map(abs, first))
        name = words.LEAPER_NAMES.get((p, q))
        return f"as a {name}" if name else words.leap_words(p, q, images_of_base(p, q))
    return words.direction_kind_word(words.compass_headings(vectors))
