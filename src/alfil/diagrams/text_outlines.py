"""Text as outlines, so that a picture looks the same everywhere and needs no font.

The outlines come from freely licensed fonts (see glyphs/OFL.txt) and are read when the first text
of a face is drawn. A character without an outline is a frame around the number of its code point.

A text names what it is made of: ``#s.e`` is the e of the face sans, ``#m-2b`` the plus sign of
mono, by its code point, ``#s.moves`` a word. `glyph_definitions_and_drawing` defines each of them
once for a drawing. Names are the same in all pictures, so that many of them may stand in one
document.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias, get_args

from alfil.data_files import read_data
from alfil.source import printable

Face: TypeAlias = Literal["sans", "bold", "mono", "kanji"]
Anchor: TypeAlias = Literal["start", "middle", "end"]

# Outlines are in units of which an em has so many; y grows downwards from the baseline.
UNITS_PER_EM = 500
# A kanji fills its em from here above the baseline to here below it.
KANJI_TOP, KANJI_BOTTOM = 440, -60
# A line of text is cut here, so that a picture stays one that can be opened.
MAX_TEXT_LENGTH = 2000

_PATH_START = re.compile(r"M(-?[\d.]+) ?(-?[\d.]+)")
_PATH_COMMAND = re.compile(r"([a-zM])([-\d. ]*)")
_PATH_NUMBER = re.compile(r"-?[\d.]+")
_PATH_CONTOUR = re.compile(r"M(-?[\d.]+) ?(-?[\d.]+)([^M]*)")
_LEADING_ZERO = re.compile(r"(?<!\d)0\.")
# Characters described by two others, side by side and one above the other: the part of the em that
# each gets, as left, top, width, height.
_PLACEMENTS_BY_OPERATOR = {
    "⿰": ((0.0, 0.0, 0.46, 1.0), (0.46, 0.0, 0.54, 1.0)),
    "⿱": ((0.0, 0.0, 1.0, 0.5), (0.0, 0.5, 1.0, 0.5)),
}
_OPERATORS = "".join(_PLACEMENTS_BY_OPERATOR)
_CHARACTER_UNIT = re.compile(f"[{_OPERATORS}]..|.", re.DOTALL)
# Rare characters that the fonts lack, as two that they have.
_DESCRIPTION_BY_RARE_CHARACTER = {"𩹄": "⿰魚曷"}
# Words that are worth a name of their own, even where a drawing has them only once: so a line is
# put together from what is remembered, and shorter ones would make drawings longer.
MIN_NAMED_WORD_LENGTH = 5
_WORDS = re.compile(f"([A-Za-z]{{{MIN_NAMED_WORD_LENGTH},}})")
# The same where two characters may stand after what puts them together, which are no word.
_WORDS_ELSEWHERE = re.compile(f"(?<![{_OPERATORS}])(?<![{_OPERATORS}].){_WORDS.pattern}", re.DOTALL)
# Stands around a text, after the initial of its face, until it is typeset; no text has it there.
_UNTYPESET_TEXT_MARK = "\1"
# How a letter or a word is used by its name, with a gap for how far from the beginning.
_USE_ELEMENT = '<use href="#{}" x="%d"/>'
_BLANK = "%.0s"
_NO_PLACE = ' x="0"/>'
# The faces of sentences; in the others hardly a word comes again.
_PROSE_FACES = {"s", "b"}
# Of so many characters and words a face remembers how they are written, then it begins anew; words
# that are not longer than this.
MAX_CACHED_SPELLINGS = 4096
MAX_CACHED_WORD_LENGTH = 60
_FRAME = "M{x} -400h{w}v440h-{w}zm20 20v400h{i}v-400z"
_FRAME_DIGITS = 0.36


class Outline(NamedTuple):
    """A text as one path that begins at the left end of its baseline, and its width, in units."""

    path: str
    width: int


class _Glyph(NamedTuple):
    """A character's outline, of which only the M are absolute, and its advance."""

    path: str
    advance: int

    def at(self, x: int) -> str:
        def placed(start: re.Match[str]) -> str:
            return f"M{round(float(start[1])) + x} {round(float(start[2]))}".replace(" -", "-")

        return _PATH_START.sub(placed, self.path)


def text_path(
    text: str,
    size: float,
    anchor: Anchor = "start",
    *,
    x: float = 0,
    y: float = 0,
    face: Face = "sans",
) -> str:
    """An SVG element that draws a text as filled outlines, once `glyph_definitions_and_drawing` has
    defined them.

    ``size`` is the height of an em; ``x`` and ``y`` are where the baseline starts, has its middle
    or ends, as ``anchor`` says.

    >>> glyph_definitions_and_drawing(text_path("l", 20, x=3))[1]
    '<g transform="translate(3 0) scale(.04)"><use href="#s.l"/></g>'
    """
    scale = size / UNITS_PER_EM
    marked = face[0] + text.replace(_UNTYPESET_TEXT_MARK, printable(_UNTYPESET_TEXT_MARK))
    if anchor != "start":
        width = round(_text_width_in_units(text, face) * scale, 2)
        x -= width if anchor == "end" else width / 2
    place = f"translate({short(x)} {short(y)}) scale({short(scale, 4)})"
    return f'<g transform="{place}">{_UNTYPESET_TEXT_MARK}{marked}{_UNTYPESET_TEXT_MARK}</g>'


class _GlyphCache(dict[str, tuple[str, int, str]]):
    """What a face writes for a character, how far that leads on, and the outline it is used from.

    What is written has a gap for the place, also for a blank, of which nothing is seen.
    """

    def __init__(self, face: Face) -> None:
        super().__init__()
        self._face = face

    def __missing__(self, unit: str) -> tuple[str, int, str]:
        if len(self) >= MAX_CACHED_SPELLINGS:
            self.clear()
        self[unit] = made = self._typeset(unit)
        return made

    def _typeset(self, unit: str) -> tuple[str, int, str]:
        face = self._face
        glyph, name = _glyph(unit, face), _glyph_id(face, unit)
        if unit.isspace():
            return _BLANK, glyph.advance, ""
        return _USE_ELEMENT.format(name), glyph.advance, f'<path id="{name}" d="{glyph.at(0)}"/>'


# What stands between two blanks: how it is written with gaps for places, those places, its width,
# and what it is made of, to be defined once.
_TypesetWord: TypeAlias = tuple[str, tuple[int, ...], int, tuple[str, ...]]


class _WordCache(dict[str, _TypesetWord]):
    """How a face writes what stands between two blanks: words by their names, else by letters."""

    def __init__(self, face: Face) -> None:
        super().__init__()
        self._initial, self.letters = face[0], _GlyphCache(face)

    def __missing__(self, text: str) -> _TypesetWord:
        made = self._typeset(text)
        if len(text) <= MAX_CACHED_WORD_LENGTH:
            if len(self) >= MAX_CACHED_SPELLINGS:
                self.clear()
            self[text] = made
        return made

    def _typeset(self, text: str) -> _TypesetWord:
        if self._initial not in _PROSE_FACES or len(text) < MIN_NAMED_WORD_LENGTH:
            return self._typeset_by_letters(text)
        if text.isascii() and text.isalpha():
            return self._typeset_as_shared_word(text)
        words = _WORDS if text.isascii() else _WORDS_ELSEWHERE
        parts = enumerate(words.split(text))
        written, places, width, used = _join_words(
            self._typeset_as_shared_word(part) if at % 2 else self._typeset_by_letters(part)
            for at, part in parts
        )
        return written, places, width, tuple(dict.fromkeys(chain.from_iterable(used)))

    def _typeset_by_letters(self, text: str) -> _TypesetWord:
        places: list[int] = []
        used: list[str] = []
        whole, end = "", 0
        for unit in characters_and_composed_kanji(text):
            written, advance, name = self.letters[unit]
            whole += written
            places.append(end)
            used.append(name)
            end += advance
        return whole, tuple(places), end, tuple(dict.fromkeys(used))

    def _typeset_as_shared_word(self, word: str) -> _TypesetWord:
        """A word that is used by its name."""
        written, places, width, used = self._typeset_by_letters(word)
        name = f"{self._initial}.{word}"
        definition = f'<g id="{name}">{_use_elements(written, places)}</g>'
        return _USE_ELEMENT.format(name), (0,), width, (*used, definition)


def _join_words(
    parts: Iterable[_TypesetWord], gap: int = 0
) -> tuple[str, tuple[int, ...], int, list[tuple[str, ...]]]:
    """What is written side by side, with so much room between, and what each part is made of."""
    whole: list[str] = []
    places: list[int] = []
    used: list[tuple[str, ...]] = []
    x = 0
    for written, begins, width, own in parts:
        whole.append(written)
        used.append(own)
        for begin in begins:
            places.append(x + begin)
        x += width + gap
    return "".join(whole), tuple(places), x - gap, used


@lru_cache(maxsize=4096)
def _typeset_line(face_initial_and_text: str) -> tuple[str, list[tuple[str, ...]]]:
    """A text that stands after the initial of its face, and what each of its words is made of."""
    spellings = _WORD_CACHE_BY_FACE[face_initial_and_text[0]]
    words = map(spellings.__getitem__, text_as_drawn(face_initial_and_text[1:]).split(" "))
    written, places, _, used = _join_words(words, spellings.letters[" "][1])
    return _use_elements(written, places), used


def _use_elements(written: str, places: Iterable[int]) -> str:
    """Letters and words in their places, the first of them at the beginning."""
    return (written % tuple(places)).replace(_NO_PLACE, "/>", 1)


def _glyph_id(face: Face, unit: str) -> str:
    if unit.isascii() and unit.isalnum():
        return f"{face[0]}.{unit}"
    return "-".join([face[0], *(f"{ord(each):x}" for each in unit)])


def glyph_definitions_and_drawing(drawing: str) -> tuple[str, str, str]:
    """What the texts of a drawing are made of, to be defined beside it, and the drawing.

    Besides, all of the drawing but its texts, where there is less to look through.

    >>> glyph_definitions_and_drawing(text_path("l", 20, x=3))[0]
    '<path id="s.l" d="M86 0h-44v-380h44z"/>'
    """
    made = drawing.split(_UNTYPESET_TEXT_MARK)
    around = "".join(made[::2])
    lines = [*map(_typeset_line, made[1::2])]
    made[1::2] = [written for written, _ in lines]
    words = dict.fromkeys(chain.from_iterable([own for _, own in lines]))
    used = dict.fromkeys(chain.from_iterable(words))
    return "".join(used), "".join(made), around


def text_width(text: str, size: float, face: Face = "sans") -> float:
    """How wide a text is, in the unit of ``size``.

    >>> text_width("0000", 10, "mono")
    24.0
    """
    return _text_width_in_units(text, face) * size / UNITS_PER_EM


@lru_cache(maxsize=4096)
def _text_width_in_units(text: str, face: Face) -> int:
    """How wide a text is, in units; to know that takes no outlines."""
    letters = _WORD_CACHE_BY_FACE[face[0]].letters
    return sum([letters[unit][1] for unit in characters_and_composed_kanji(text_as_drawn(text))])


def truncated(text: str, size: float, width: float, face: Face = "sans") -> str:
    """The text, or as much of it as goes into a width with an ellipsis after it.

    >>> truncated("onager", 10, 40), truncated("onager", 10, 25)
    ('onager', 'on…')
    """
    text = printable(text[: MAX_TEXT_LENGTH + 1])
    if text_width(text, size, face) <= width:
        return text
    lengths = range(1, len(text) + 1)
    fitting_length = bisect(
        lengths, width, key=lambda each: text_width(text[:each] + "…", size, face)
    )
    return text[:fitting_length] + "…"


@lru_cache(maxsize=4096)
def wrapped(text: str, size: float, width: float, face: Face = "sans") -> tuple[str, ...]:
    """A text as lines that are at most so wide; a word that is too wide is broken.

    >>> wrapped("the original move is lost", 10, 60)
    ('the original', 'move is lost')
    """
    return tuple(_wrapped_lines(text, size, width, face))


def _wrapped_lines(text: str, size: float, width: float, face: Face) -> Iterator[str]:
    spellings = _WORD_CACHE_BY_FACE[face[0]]
    blank, most = spellings.letters[" "][1], _units_in_width(size, width)
    words = unicodedata.normalize("NFC", printable(text)).split()
    begin, used = 0, -blank
    for at, word in enumerate(words):
        length = spellings[word][2]
        used += blank + length
        if used <= most:
            continue
        if begin < at:
            yield " ".join(words[begin:at])
        begin, used = at, length
        if length > most:
            *full, words[at] = _split_word(word, size, width, face)
            yield from full
            used = _text_width_in_units(words[at], face)
    if words:
        yield " ".join(words[begin:])


@lru_cache(maxsize=1024)
def _units_in_width(size: float, width: float) -> int:
    """How many units go into a width."""
    most = int(width * UNITS_PER_EM / size) + 1
    while most * size / UNITS_PER_EM > width:
        most -= 1
    return most


def _split_word(word: str, size: float, width: float, face: Face) -> Iterator[str]:
    """A word in pieces of at most a width, each at least one character."""
    piece, used = "", 0.0
    for character in word:
        more = text_width(character, size, face)
        if piece and used + more > width:
            yield piece
            piece, used = "", 0.0
        piece += character
        used += more
    yield piece


@lru_cache(maxsize=4096)
def text_outline(text: str, face: Face = "sans") -> Outline:
    """A text as one path in units of 1/500 em, without line breaks.

    Controls and marks of direction are written as their numbers. What one face has no outline for
    is taken from the others; ``⿰`` and ``⿱`` put the next two characters into one em.

    >>> text_outline("l"), text_outline("豹", "kanji").width
    (Outline(path='M86 0h-44v-380h44z', width=129), 500)
    """
    parts, x = [], 0
    for unit in characters_and_composed_kanji(text_as_drawn(text)):
        glyph = _glyph(unit, face)
        parts.append(glyph.at(x))
        x += glyph.advance
    return Outline("".join(parts), x)


def text_as_drawn(text: str) -> str:
    """The characters that a text is drawn with, not too many of them."""
    characters = unicodedata.normalize("NFC", printable(text))
    return characters if len(characters) <= MAX_TEXT_LENGTH else characters[:MAX_TEXT_LENGTH] + "…"


def has_outline(character: str) -> bool:
    """Whether a character, or a description of one, is drawn as itself and not as a frame.

    >>> has_outline("豹"), has_outline("⿱而鷦"), has_outline("\\U0001f98a")
    (True, True, False)
    """
    parts = _DESCRIPTION_BY_RARE_CHARACTER.get(character, character)
    return all(
        _find_outline(each, "kanji") is not None
        for each in parts
        if each not in _PLACEMENTS_BY_OPERATOR
    )


def characters_without_outline(text: str) -> tuple[str, ...]:
    """The characters of a text that are drawn as frames, each once.

    >>> characters_without_outline("kaйca 龍й")
    ('й',)
    """
    characters = dict.fromkeys(characters_and_composed_kanji(text_as_drawn(text)))
    return tuple(each for each in characters if not each.isspace() and not has_outline(each))


def characters_and_composed_kanji(text: str) -> Sequence[str]:
    """The characters of a text; two described as one by an operator stay together.

    >>> list(characters_and_composed_kanji("仙⿱而鷦"))
    ['仙', '⿱而鷦']
    """
    return text if text.isascii() else _CHARACTER_UNIT.findall(text)


@cache
def _load_outlines(name: str) -> dict[str, _Glyph]:
    """The outlines of one face by character."""
    result = {}
    for line in read_data("glyphs", f"{name}.txt").splitlines():
        advance, _, path = line[2:].partition(" ")
        result[line[0]] = _Glyph(path, int(advance))
    return result


def _find_outline(character: str, face: Face) -> _Glyph | None:
    """The outline of a character in a face, or else in another; or None.

    A character that only looks different, such as a fullwidth letter, is drawn as its plain form.
    """
    for form in dict.fromkeys((character, unicodedata.normalize("NFKC", character))):
        for name in (face, "sans", "signs", "kanji"):
            if form in _load_outlines(name):
                return _load_outlines(name)[form]
    return None


_WORD_CACHE_BY_FACE = {face[0]: _WordCache(face) for face in get_args(Face)}


@lru_cache(maxsize=4096)
def _glyph(unit: str, face: Face) -> _Glyph:
    unit = _DESCRIPTION_BY_RARE_CHARACTER.get(unit, unit)
    if len(unit) > 1:
        return _composed_glyph(unit, face)
    return _find_outline(unit, face) or _code_point_frame(unit)


def _composed_glyph(unit: str, face: Face) -> _Glyph:
    """Two characters in one em."""
    path = ""
    for character, (left, top, wide, high) in zip(
        unit[1:], _PLACEMENTS_BY_OPERATOR[unit[0]], strict=True
    ):
        part = _glyph(character, face)
        across = wide * UNITS_PER_EM / (part.advance or UNITS_PER_EM)
        down = KANJI_TOP * high - KANJI_TOP + top * UNITS_PER_EM
        path += scale_path(part.at(0), across, high, left * UNITS_PER_EM, down)
    return _Glyph(path, UNITS_PER_EM)


def _code_point_frame(character: str) -> _Glyph:
    """The number of a code point in a frame, two rows of digits."""
    number = f"{ord(character):04X}"
    half = (len(number) + 1) // 2
    rows = number[:half], number[half:]
    digit = _load_outlines("mono")["0"].advance * _FRAME_DIGITS
    wide = round(half * digit) + 90
    path = _FRAME.format(x=30, w=wide, i=wide - 40)
    for row, y in zip(rows, (-210, -40), strict=True):
        for at, each in enumerate(row):
            part = _load_outlines("mono")[each].at(0)
            path += scale_path(part, _FRAME_DIGITS, _FRAME_DIGITS, 75 + at * digit, y)
    return _Glyph(path, wide + 60)


@lru_cache(maxsize=64)  # the pieces of both sides have the same outlines, one after the other
def scale_path(path: str, across: float, down: float, x: float = 0, y: float = 0) -> str:
    """Path data made wider and higher by factors and then moved; only its M are absolute.

    >>> scale_path("M10 20h5v-5z", 2, 3, 1, 0)
    'M21 60h10v-15z'
    """
    factors, result = (across, down), ""
    for start_x, start_y, rest in _PATH_CONTOUR.findall(path):
        template, numbers = _contour_template(rest)
        start = float(start_x) * across + x, float(start_y) * down + y
        result += template % (*start, *[value * factors[axis] for value, axis in numbers])
    # Each number has one decimal, which is left out where it is 0, as a 0 before it is.
    return _LEADING_ZERO.sub(".", result.replace("-0.0", "0.0").replace(".0", ""))


@lru_cache(maxsize=1024)  # the letters of a face have few contours
def _contour_template(path: str) -> tuple[str, list[tuple[float, int]]]:
    """A contour behind its start, with gaps for numbers; and the numbers, each with its axis."""
    template, numbers = "M%.1f %.1f", list[tuple[float, int]]()
    for command, told in _PATH_COMMAND.findall(path):
        values = [*map(float, _PATH_NUMBER.findall(told))]
        first, step = int(command == "v"), int(command not in "hv")
        numbers += [(value, (first + step * at) % 2) for at, value in enumerate(values)]
        template += command + " ".join(["%.1f"] * len(values))
    return template, numbers


def number(value: float, places: int = 2) -> str:
    """A number with at most so many places, the same on every machine.

    >>> number(3.0), number(-0.001), number(2.345)
    ('3', '0', '2.35')
    """
    if value == (whole := int(value)):  # as most are
        return str(whole)
    text = f"{value:.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


@lru_cache(maxsize=16384)
def short(value: float, places: int = 2) -> str:
    """A `number` as short as it goes.

    >>> short(3.0), short(-0.25), short(0.04)
    ('3', '-.25', '.04')
    """
    text = number(value, places)
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text
