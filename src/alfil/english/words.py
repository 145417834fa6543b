"""Words for numbers, verbs, directions and turns, each way of saying one thing."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from alfil.errors import join_words, plural
from alfil.geometry import Vector, compass_direction, images_of_base

NUMBER_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)
ORDINAL_WORDS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")

# Every verb a sentence part may begin with: what the piece does, and doing it.
VERB_FORMS = {
    "step": ("steps", "stepping"),
    "slide": ("slides", "sliding"),
    "leap": ("leaps", "leaping"),
    "go": ("goes", "going"),
    "move": ("moves", "moving"),
    "repeat": ("repeats", "repeating"),
    "castle": ("castles", "castling"),
    "capture": ("captures", "capturing"),
}
# From which squares a move may be made.
FROM_SQUARE_PHRASES: dict[str, str] = {
    "light": "from a light square",
    "dark": "from a dark square",
    "own-colour": "from a square of the colour it began on",
    "other-colour": "from a square of the colour it did not begin on",
    "left-half": "from the left half of the board",
    "right-half": "from the right half of the board",
}
LEAPER_NAMES = {(1, 2): "knight", (1, 3): "camel", (2, 3): "zebra"}

STRAIGHT_DIRECTION_WORDS = {
    frozenset({0}): "straight forward",
    frozenset({4}): "straight backward",
    frozenset({0, 4}): "straight forward or backward",
}
SIDE_DIRECTION_WORDS = {
    frozenset({2}): "to the right",
    frozenset({6}): "to the left",
    frozenset({2, 6}): "sideways",
}
DIAGONAL_DIRECTION_WORDS = {
    frozenset({1, 7}): "diagonally forward",
    frozenset({3, 5}): "diagonally backward",
    frozenset({5, 7}): "diagonally to the left",
    frozenset({1, 3}): "diagonally to the right",
    frozenset({1}): "diagonally forward-right",
    frozenset({3}): "diagonally backward-right",
    frozenset({5}): "diagonally backward-left",
    frozenset({7}): "diagonally forward-left",
}
# In eighths of a circle from the way of travel.
AHEAD, BACK = 0, 4
ORTHOGONAL = frozenset({0, 2, 4, 6})
DIAGONAL = frozenset({1, 3, 5, 7})
ALL_DIRECTIONS = ORTHOGONAL | DIAGONAL


def number_word(value: int) -> str:
    """A number in words up to twelve, in digits beyond.

    >>> number_word(3), number_word(15)
    ('three', '15')
    """
    return NUMBER_WORDS[value] if value < len(NUMBER_WORDS) else str(value)


def ordinal_word(value: int) -> str:
    """First, second, ... in words up to eighth, in digits beyond.

    >>> ordinal_word(2), ordinal_word(12), ordinal_word(21), ordinal_word(33)
    ('second', '12th', '21st', '33rd')
    """
    if 0 < value < len(ORDINAL_WORDS):
        return ORDINAL_WORDS[value]
    teens = value % 100 in {11, 12, 13}
    return f"{value}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(value % 10, 'th')}"


def squares_words(count: int) -> str:
    """So many squares.

    >>> squares_words(1), squares_words(4)
    ('one square', 'four squares')
    """
    return f"{number_word(count)} {plural('square', count)}"


def third_person(phrase: str) -> str:
    """A phrase that begins with a verb, said of the piece.

    >>> third_person("go on")
    'goes on'
    """
    verb, blank, rest = phrase.partition(" ")
    return VERB_FORMS[verb][0] + blank + rest


def gerund(phrase: str) -> str:
    """A phrase that begins with a verb, as the manner of something else.

    >>> gerund("step one square")
    'stepping one square'
    """
    verb, blank, rest = phrase.partition(" ")
    return VERB_FORMS[verb][1] + blank + rest


def as_sentence(text: str) -> str:
    """A text as a sentence."""
    return f"{text[0].upper()}{text[1:]}."


def compass_headings(vectors: Iterable[Vector]) -> frozenset[int]:
    """The compass directions of straight vectors."""
    return frozenset(map(compass_direction, vectors))


@lru_cache(maxsize=1024)
def direction_words(chosen: frozenset[int], everywhere: str = "in any direction") -> str:
    """A set of compass directions; ``everywhere`` is what all eight are called.

    >>> (direction_words(frozenset({0, 1, 7})), direction_words(ALL_DIRECTIONS - {4}),
    ...  direction_words(frozenset({0, 1, 3, 5, 7})))
    ('straight forward or diagonally forward', 'in any direction except straight backward', \
'straight forward or diagonally')
    """
    if chosen == ALL_DIRECTIONS:
        return everywhere
    phrases, left_out = _direction_phrases(chosen), _direction_phrases(ALL_DIRECTIONS - chosen)
    if len(left_out) < len(phrases):
        return f"{everywhere} except {join_words(left_out)}"
    if any(" or " in phrase for phrase in phrases):
        return ", or ".join(phrases)
    return join_words(phrases) if phrases else "in no direction"


def _direction_phrases(chosen: frozenset[int]) -> list[str]:
    """The phrases of a set; those for all four of a kind come last, where nothing can limit them.

    "Diagonally or straight forward" could be taken for two kinds of forward.
    """
    straight, sides = chosen & {0, 4}, chosen & {2, 6}
    phrases = [STRAIGHT_DIRECTION_WORDS.get(straight, ""), SIDE_DIRECTION_WORDS.get(sides, "")]
    ends = []
    if chosen >= ORTHOGONAL:
        phrases, ends = [], ["orthogonally"]
    diagonal = chosen & DIAGONAL
    if diagonal == DIAGONAL:
        ends.append("diagonally")
    else:
        phrases += _diagonal_phrases(diagonal)
    return [phrase for phrase in phrases if phrase] + ends


def _diagonal_phrases(chosen: frozenset[int]) -> list[str]:
    if not chosen:
        return []
    if chosen in DIAGONAL_DIRECTION_WORDS:
        return [DIAGONAL_DIRECTION_WORDS[chosen]]
    for pair, phrase in DIAGONAL_DIRECTION_WORDS.items():
        if pair < chosen:
            return [phrase, *_diagonal_phrases(chosen - pair)]
    raise AssertionError(chosen)


def leap_words(p: int, q: int, vectors: Collection[Vector]) -> str:
    """Where oblique leaps go, with a name where there is a common one.

    >>> leap_words(1, 2, images_of_base(1, 2))
    'as a knight (two squares one way and one the other)'
    >>> leap_words(1, 4, [(1, 4), (-1, 4)])
    'four squares forward and one to either side'
    """
    if len(vectors) == len(images_of_base(p, q)):
        where = f"{squares_words(q)} one way and {number_word(p)} the other"
    else:
        along = [v for v in vectors if abs(v[1]) == q]
        across = [v for v in vectors if abs(v[0]) == q]
        result = [*_leap_quadrant_phrases(along, p, q), *_leap_quadrant_phrases(across, p, q)]
        where = ", or ".join(result) or "in no direction"
    name = LEAPER_NAMES.get((p, q))
    return f"as a {name} ({where})" if name else where


def _leap_quadrant_phrases(vectors: Collection[Vector], p: int, q: int) -> list[str]:
    """Leaps with the same long side: pairs that mirror each other are named together."""
    left = {(x > 0, y > 0) for x, y in vectors}
    tall = any(abs(y) == q for _, y in vectors)
    result = []
    for sides, ends in _CORNER_SETS:
        block = {(side, end) for side in sides for end in ends}
        if block <= left:
            left -= block
            along, across = (q, p) if tall else (p, q)
            ahead = f"{squares_words(along)} {_FORWARD_WORDS[ends]}"
            result.append(f"{ahead} and {number_word(across)} {_SIDE_WORDS[sides]}")
    return result


_BOTH_SIGNS, _RIGHT, _LEFT = (True, False), (True,), (False,)
_SIDE_WORDS = {_BOTH_SIGNS: "to either side", _RIGHT: "to the right", _LEFT: "to the left"}
_FORWARD_WORDS = {_BOTH_SIGNS: "forward or backward", _RIGHT: "forward", _LEFT: "backward"}
# Sides and ends of a set of corners, larger sets first.
_CORNER_SETS = sorted(
    ((sides, ends) for sides in _SIDE_WORDS for ends in _FORWARD_WORDS),
    key=lambda product: -len(product[0]) * len(product[1]),
)


@lru_cache(maxsize=1024)
def turn_words(places: frozenset[int], about: str = "") -> str:
    """Turns in eighths of a circle from the way of travel; ``about`` where they are not exact.

    >>> turn_words(frozenset({1, 7})), turn_words(frozenset({0, 2}))
    ('turning 45° to either side', 'straight on or turning 90° to the right')
    >>> turn_words(ALL_DIRECTIONS - {4}), turn_words(frozenset({0, 4}))
    ('in any direction except straight back', 'straight on or straight back')
    """
    if places == ALL_DIRECTIONS:
        return "in any direction"
    others = ALL_DIRECTIONS - places
    phrases, left_out = _turn_angle_phrases(places, about), _turn_angle_phrases(others, about)
    if len(others) < len(places) and len(left_out) < len(phrases):
        return f"in any direction except {join_words(left_out)}"
    return join_words(phrases) if phrases else "in no direction"


def _turn_angle_phrases(places: frozenset[int], about: str) -> list[str]:
    result = ["straight on"] if AHEAD in places else []
    both = [k for k in (1, 2, 3) if {k, 8 - k} <= places]
    if both:
        sizes = join_words([_degrees_words(k, about) for k in both])
        result.append(f"turning {sizes} to either side")
    for side, signs in (("right", (1, 2, 3)), ("left", (7, 6, 5))):
        alone = [k for k in signs if k in places and 8 - k not in places]
        if alone:
            sizes = join_words([_degrees_words(min(k, 8 - k), about) for k in alone])
            result.append(f"turning {sizes} to the {side}")
    return [*result, "straight back"] if BACK in places else result


def _degrees_words(eighths: int, about: str) -> str:
    return f"{about if eighths % 2 else ''}{eighths * 45}°"


def direction_kind_word(chosen: Collection[int]) -> str:
    """The word for a set of compass directions that are all of one kind, or nothing."""
    if chosen and ORTHOGONAL.issuperset(chosen):
        return "orthogonally"
    return "diagonally" if chosen and DIAGONAL.issuperset(chosen) else ""


def step_words(vector: Vector) -> str:
    """One step of a way that is spelled out.

    >>> step_words((-1, 1)), step_words((2, 1))
    ('diagonally forward-left', 'as a knight (one square forward and two to the right)')
    """
    p, q = sorted(map(abs, vector))
    if p == q or not p:
        return direction_words(compass_headings([vector]))
    return leap_words(p, q, [vector])
