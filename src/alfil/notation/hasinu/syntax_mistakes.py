"""The mistakes people make in Ħasínū: how each looks, what it is called, what to do about it.

They stand in a table, grammars/hasinu_mistakes.tsv. A row of it has a picture, a pattern that marks
with ``at`` what the error points at; the names in it in angle brackets are `_PATTERN_PARTS`.
Messages and hints may quote ``{at}``, its other cases ``{upper}`` and ``{lower}``, its name
``{name}``, and the other groups of the picture. The repair replaces the part pointed at, so that
reading can go on; where there is none, the smallest part of the text around the place is cut out
and a hole put in.
The grammar reads a hole as a move or an argument, and no check complains about one, so that the
rest can be judged without errors that only follow from the first. The first row that fits is taken,
so the order matters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import NamedTuple

from alfil.errors import Diagnostic, NotationError
from alfil.notation.betza.reader import read_betza
from alfil.notation.hasinu import lexicon
from alfil.notation.hasinu.lexicon import make_diagnostic
from alfil.notation.hasinu.preprocess import AMPERSAND_PATTERN, ERROR_PLACEHOLDER, TEXT_ENDS
from alfil.notation.parsing import MistakePattern, load_mistake_patterns
from alfil.source import Source, Span

# How far around the place a mistake may reach.
MISTAKE_WINDOW = 200

FOREIGN_DIGITS = "０-９⁰¹²³⁴-⁹₀-₉"
# Full-width forms of ASCII and the blanks of typesetting.
FULL_WIDTH_SIGNS = "\uff01-\uff0f\uff1a-\uff5e\u00a0\u2000-\u200a\u202f\u3000"
LEG_START_PATTERN = r"(?:n\s*[\d(]|[\d{(\[\\]|//|[A-Za-z_]\w*\s*\(|\(\s*\d+\s*,\s*\d+\s*\))"


def _alternation_pattern(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


# What pictures are made of, by the names they have there.
_PATTERN_PARTS = {
    "ANGLE": r"[+-]?\s*(?:\d*(?:π|pi)(?:/\d+)?|\d+(?:\.\d+)?)",
    "DASHES": "‐‑‒–—―−﹘﹣－~_+/,.",
    "DIGITS": FOREIGN_DIGITS,
    "DIR": "(?>NE|NW|SE|SW|[NESWOD])",
    "DIRS": r"<DIR>(?:\s*-\s*<DIR>)*",
    "END": r"(?=\Z|[&,)\]])",
    # How far, before the × or the n of a rider.
    "FAR": r"(?:(?:\{[\d\s,]*\}|\d+)\s*)?",
    "JOIN": AMPERSAND_PATTERN,
    "LEG": LEG_START_PATTERN,
    "MEMBERS": _alternation_pattern(lexicon.GROUPABLE_FUNCTIONS),
    # A name, and not the n of a distance.
    "NAME": r"(?!n\s*[0-9(])[A-Za-z_]\w*+",
    "NAMES": _alternation_pattern(lexicon.RESERVED_NAMES),
    "NUMBERS": r"[\d\s,]*",
    "OBLIQUE": r"\(\s*\d+\s*,\s*\d+\s*\)",
    "PART": r"(?>[+-]?\s*\d*(?:π|pi)(?:/\d+)?)",
    "START": r"(?:\A|[(\[,&])\s*",
    "TEXT_ENDS": TEXT_ENDS,
    "UNIT": r"(?:°|(?:deg(?:rees?)?|rad(?:ians?)?|gons?|grads?)(?![A-Za-z0-9_]))",
    "WIDE": FULL_WIDTH_SIGNS,
    "WORD": "(?<![A-Za-z0-9_])",
}

MISTAKES = load_mistake_patterns("hasinu_mistakes.tsv", _PATTERN_PARTS)
# Signs of these kinds come in swarms: all are put right at once.
_SIGNS_REPLACED_EVERYWHERE = {"digit": f"[{FOREIGN_DIGITS}]", "look-alike": f"[{FULL_WIDTH_SIGNS}]"}
_LEG_START = re.compile(LEG_START_PATTERN, re.ASCII)
_ANGLE_START = re.compile(rf"\s*+{_PATTERN_PARTS['ANGLE']}\s*{_PATTERN_PARTS['UNIT']}")
_WORD_PATTERN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_LEG_END = re.compile(r"[A-Za-z0-9)\]}\x1a]\s*\Z", re.ASCII)
# Words and signs that people put where & belongs.
_WORDS_FOR_AMPERSAND = frozenset(
    {"and", "AND", "And", "or", "plus", "und", "et", ";", "+", "|", ":", "!", ","}
)


class TextWithSyntaxError(NamedTuple):
    """A text made ready for the grammar, and the place where the grammar could not go on.

    ``original`` is the same text with its Betza visible; hints quote from it. ``offset`` is the
    length of the text when more was due at its end. ``is_valid`` tells whether a text has no
    errors.
    """

    prepared: str
    original: str
    offset: int
    is_valid: Callable[[str], bool]

    def is_valid_correction(self, text: str) -> bool:
        """Whether a correction can be offered."""
        return (
            ERROR_PLACEHOLDER not in text
            and len(text) <= 2 * MISTAKE_WINDOW
            and self.is_valid(text)
        )

    def join_if_valid(self, start: int, joint: str, end: int) -> str:
        """The parts before and after a place with a joint between them, or "" when that is wrong.

        When more is wrong further on, the correction ends there.
        """
        first, _ = _part_around(self.prepared, max(0, start - 1))
        _, last = _part_around(self.prepared, end)
        before = self.original[first:start].strip()
        after = self.original[end:last].strip()
        if len(after) > MISTAKE_WINDOW:
            after = after[:MISTAKE_WINDOW].rpartition(" ")[0].rstrip()
        while not self.is_valid_correction(together := f"{before}{joint}{after}"):
            after = after.rpartition(" ")[0].rstrip()
            if not after:
                return ""
        return together


def diagnose_syntax_mistake(broken: TextWithSyntaxError) -> tuple[Diagnostic | None, str]:
    """What is wrong where the grammar could not go on, and a text of equal length to go on with.

    Nothing is said of what only follows from a mistake that is cut out already. The text comes back
    unchanged when nothing is left to cut.
    """
    diagnostic, repaired = _find_and_repair_mistake(broken)
    rest, fresh = _without_part_at(broken.prepared, broken.offset)
    return diagnostic if fresh else None, rest if repaired == broken.prepared else repaired


def _find_and_repair_mistake(broken: TextWithSyntaxError) -> tuple[Diagnostic, str]:
    """A mistake, and the text with it put right; unchanged when it has no repair of its own."""
    offset, text = broken.offset, broken.prepared
    for mistake in MISTAKES:
        for match in mistake.pattern.finditer(
            text, max(0, offset - MISTAKE_WINDOW), offset + MISTAKE_WINDOW
        ):
            if match.start() <= offset <= match.end():
                return _diagnose_and_repair_match(mistake, match, broken)
    return _diagnose_without_pattern(broken), text


def _diagnose_and_repair_match(
    mistake: MistakePattern, match: re.Match[str], broken: TextWithSyntaxError
) -> tuple[Diagnostic, str]:
    text = broken.prepared
    words = _template_values(match, broken.original)
    span = Span(*match.span("at"))
    diagnostic = mistake.template.diagnostic_at(span, **words)
    if diagnostic.kind in _SIGNS_REPLACED_EVERYWHERE:
        look_alike = _SIGNS_REPLACED_EVERYWHERE[diagnostic.kind]
        return diagnostic, re.sub(
            look_alike, lambda sign: unicodedata.normalize("NFKC", sign[0]), text
        )
    width = span.end - span.start
    repair = mistake.replacement.format(**words)
    if repair and width >= len(repair):
        text = text[: span.start] + repair.ljust(width) + text[span.end :]
    return diagnostic, text


def _diagnose_without_pattern(broken: TextWithSyntaxError) -> Diagnostic:
    """What can be said about a place that no picture covers."""
    text, offset = broken.prepared, broken.offset
    if offset >= len(text):
        return make_diagnostic("breaks-off", Span(offset, offset))
    follows = _LEG_END.search(text[max(0, offset - MISTAKE_WINDOW) : offset])
    if follows and _LEG_START.match(text, offset):
        return _missing_ampersand(broken)
    word = _WORD_PATTERN.match(text, offset)
    if word:
        return _misplaced_word(word, broken)
    return _foreign_sign(broken)


def _missing_ampersand(broken: TextWithSyntaxError) -> Diagnostic:
    offset = broken.offset
    together = broken.join_if_valid(offset, " & ", offset)
    name = "missing-ampersand" if together else "missing-joint"
    return make_diagnostic(name, Span(offset, offset + 1), together=together)


def _misplaced_word(match: re.Match[str], broken: TextWithSyntaxError) -> Diagnostic:
    """A word that stands where a move belongs, and what may have been meant by it."""
    word, span = match[0], Span(*match.span())
    joint = " & " if word in _WORDS_FOR_AMPERSAND else ""
    if word in {"t", "T"}:
        joint = " &t" if _ANGLE_START.match(broken.prepared, match.end()) else " &t "
    if together := joint and broken.join_if_valid(match.start(), joint, match.end()):
        return make_diagnostic("word-between", span, word=word, together=together)
    with suppress(NotationError):
        read_betza(Source(word), "betza")
        return make_diagnostic("word-of-betza", span, word=word)
    near = (
        lexicon.nearest_name(word, tuple(lexicon.USAGE_BY_FUNCTION))
        if len(word) > len("fe")
        else ""
    )
    if near:
        return make_diagnostic("word-like", span, word=word, usage=lexicon.USAGE_BY_FUNCTION[near])
    return make_diagnostic("bare-word", span, word=word)


def _foreign_sign(broken: TextWithSyntaxError) -> Diagnostic:
    """A sign that stands where none of the notation can."""
    offset = broken.offset
    span, sign = Span(offset, offset + 1), broken.prepared[offset]
    name = _character_name(sign)
    together = (
        broken.join_if_valid(offset, " & ", offset + 1) if sign in _WORDS_FOR_AMPERSAND else ""
    )
    if together:
        return make_diagnostic("sign-between", span, name=name, together=together)
    comma = f"{broken.original[:offset]},{broken.original[offset + 1 :]}"
    return make_diagnostic(
        "sign-for-comma" if broken.is_valid_correction(comma) else "strange", span, name=name
    )


_SIGN_PATTERN = re.compile(
    rf"//[^{TEXT_ENDS}]*|\{{[0-9 \t\r\n,]*\}}?|[()\[\],]|{AMPERSAND_PATTERN}"
)


def _without_part_at(text: str, offset: int) -> tuple[str, bool]:
    """The text without the part around the offset, and whether that part is a new one.

    Where the smallest part is a hole already, the mistake follows from that one, and a larger part
    goes. The text comes back unchanged when nothing is left to cut.
    """
    fresh = True
    for start, end in _parts_around(text, offset):
        content = text[start:end].strip()
        if content == ERROR_PLACEHOLDER:
            fresh = False
        elif content:
            return text[:start] + ERROR_PLACEHOLDER.ljust(end - start) + text[end:], fresh
        else:
            for at in (start - 1, end):
                if at >= 0 and text[at : at + 1] in ("&", ","):
                    return text[:at] + " " + text[at + 1 :], fresh
    return text, fresh


def _part_around(text: str, offset: int) -> tuple[int, int]:
    """Where the smallest part between signs that holds the offset starts and ends.

    Commas of sets and joints count as signs, brackets around other parts do not.
    """
    return min(_parts_around(text, offset), key=lambda part: part[1] - part[0])


def _parts_around(text: str, offset: int) -> list[tuple[int, int]]:
    """The parts between signs that hold the offset, the smallest first."""
    around: list[tuple[int, int]] = []
    starts = [0]
    for match in _SIGN_PATTERN.finditer(text):
        sign = match[0][0]
        if sign in "([":
            starts.append(match.end())
        elif sign in ")],&":
            start = starts.pop()
            if start <= offset <= match.start():
                around.append((start, match.start()))
            if sign in ",&" or not starts:
                starts.append(match.end())
    around += [(start, len(text)) for start in reversed(starts) if start <= offset]
    return around


# Boards end there, so distances beyond say nothing.
_MAX_DISTANCE = 36


def _template_values(match: re.Match[str], original_text: str) -> dict[str, str]:
    """The groups of a picture as the user wrote them, and what can be made of them."""
    words = {name: original_text[slice(*match.span(name))] for name in match.groupdict()}
    if "rest" in words:
        words["rest"] = _balanced_prefix(words["rest"], match["at"].count("("))
    at = match["at"]
    words |= {"upper": at.upper(), "lower": at.lower(), "name": _character_name(at[:1])}
    words |= {"plain": unicodedata.normalize("NFKC", at).strip() or "a blank", "blank": " "}
    words |= {"digit": str(unicodedata.digit(at[:1] or "0", ""))}
    words |= {"usage": lexicon.USAGE_BY_FUNCTION.get(at, "")}
    numbers = re.findall(r"[0-9]+", words.get("set", at))
    words |= {"listed": f"{{{','.join(dict.fromkeys(numbers))}}}"}
    words |= {"pair": ",".join(numbers[:2]) if len(numbers) > 1 else "1,2"}
    words |= {"commas": ",".join(re.findall(r"\w+", words.get("names", "")))}
    if words.get("low"):
        low, high = sorted((int(words["low"]), int(words["high"])))
        steps = range(low, min(high, low + _MAX_DISTANCE - 1) + 1)
        words["range"] = f"{{{','.join(map(str, steps))}}}"
    if "count" in words:
        words["count"] = "".join(words["count"].split())
        words["counted"] = _directions_with_count(words["count"], words.get("rest", ""))
    return words


def _balanced_prefix(text: str, depth: int) -> str:
    """A text that starts in so many brackets, as far as it belongs to them."""
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0 or (sign == "," and not depth):
            return text[:at].rstrip()
    return text.rstrip()


def _directions_with_count(before: str, names: str) -> str:
    """A count with its d and as many directions, those given when they are as many."""
    count = before.rstrip()[-1:]
    direction_names = tuple(names.split("-")) if names else ()
    if lexicon.radial_steps(count, direction_names):
        return f"{before}d{names}"
    return f"{before}d{lexicon.example_directions(int(count))}" if count.isdigit() else "1×8d"


def _character_name(character: str) -> str:
    """The character as a message shows it."""
    if not character or character.isascii():
        return character.strip() or "a blank"
    code = f"U+{ord(character):04X}"
    visible = character.isprintable() and not unicodedata.combining(character)
    return f"{character} ({code})" if visible else code
