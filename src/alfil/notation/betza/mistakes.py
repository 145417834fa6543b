"""The mistakes people make in the shape of a Betza text, named at the place where they show.

The parser says where a text stopped fitting the grammar; here that place is looked at with a
person's eye: which sign stands there, what surrounds it, where it comes from. Each mistake comes
with the stretch to cut out, so that the rest of the text can be looked at too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from string import ascii_lowercase
from typing import NamedTuple

from alfil.errors import Finding
from alfil.notation.parsing import ShapeError
from alfil.source import Span

BRACKETS = {"(": ")", "[": "]"}
FSF_RANGE = re.compile(r"\[-?[0-9][0-9-]*\]?")
WORD_BEFORE = re.compile(r"[A-Za-z0-9]{1,10}\Z")
VECTOR_ATTEMPT = re.compile(r"[0-9, -]*[0-9][0-9, -]*|[a-z0-9 -]*,[a-z0-9, -]*")
# What follows a group in the lists that have them: a number, then more groups and legs.
AFTER_GROUP = re.compile(r"[0-9]*(?:-(?:\[[^\]]*\]|[a-z]*[A-Z][0-9]*))*")
LONGEST_HINT = 6
# Hints that are nothing but texts to type.
OFFER = re.compile(r"(write|did you mean) (\S+?)(?: or (\S+?))?(\??)")
# Hints that end in an example.
EXAMPLE = re.compile(r"(.+\S): (\S+)")
NOTHING_TO_OFFER = "leave out what is marked"
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
BRACES = re.compile(r"\{[^{}]*\}?")
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

HASINU = "belongs to Ħasínū: read the text with that notation"
FOLLOW = "parts simply follow each other, as in WD"
HINTS = {
    "&": f"& {HASINU}",
    "×": f"× {HASINU}",
    "°": f"° {HASINU}",
    "\\": f"the backslash {HASINU}",
    "^": "^ is a marker of FSF-X, an extension of Fairy-Stockfish; leave it out",
    "@": "@ has no settled meaning; leave it out",
    "+": FOLLOW,
    ",": FOLLOW,
    ";": FOLLOW,
    "/": FOLLOW,
    "|": FOLLOW,
    "{": "curly brackets belong to FSF-X and to Ħasínū; leave them out",
}


class Misplaced(NamedTuple):
    """A pattern of what has no place among the legs of a square bracket, and what is said of it."""

    sign: str
    kind: str
    message: str
    hint: str


INSIDE = (
    Misplaced(r"\[", "nested-bracket", "a bracket inside a bracket", "write the legs in a row"),
    Misplaced(r"\(", "not-supported-yet", "parentheses inside a path are not supported yet", ""),
    Misplaced(
        "t", "misplaced-t", "t joins legs outside brackets", "inside brackets - and ? join the legs"
    ),
    Misplaced("a", "chain-in-path", "a has no place in a path", "in a path - and ? join the legs"),
    Misplaced(
        r"[^\W0-9XY]", "missing-join", "no sign between two legs", "put - or ? between the legs"
    ),
)


class Mistake(NamedTuple):
    """A finding, and the stretch to cut out of the text to go on.

    ``torn`` is true when what stands before the cut has lost a piece, such as its range, and
    should not be judged as it is.
    """

    finding: Finding
    cut: Span
    torn: bool = False


def diagnose(text: str, error: ShapeError) -> Mistake:
    """Name the mistake at the place where the text stopped fitting."""
    at = error.start
    if at >= len(text):
        return _at_end(text)
    for look in LOOKS:
        mistake = look(text, at)
        if mistake is not None:
            return mistake
    hint = f"leave {text[at]} out"
    return _mistake("unexpected", f"{text[at]} does not belong here", at, at + 1, hint)


def _mistake(kind: str, message: str, start: int, end: int, hint: str) -> Mistake:
    span = Span(start, end)
    return Mistake(Finding(kind, message, (span,), hint), span)


def _with_letters(text: str, mistake: Mistake, end: int | None = None) -> Mistake:
    """The same mistake, cutting the letters before it too: they belong to what goes."""
    start, stop = mistake.cut
    return mistake._replace(cut=Span(_letters_start(text, start), stop if end is None else end))


def _letters_start(text: str, at: int) -> int:
    """Where the letters straight before a place begin."""
    return len(text[:at].rstrip(ascii_lowercase))


def _blank(text: str, at: int) -> Mistake | None:
    end = len(text) - len(text[at:].lstrip())
    if end == at:
        return None
    return _mistake("white-space", "no blanks inside", at, end, "remove the blank")


def _foreign(text: str, at: int) -> Mistake | None:
    """Signs that are no letters, digits or brackets of any dialect."""
    sign = foreign(text, at)
    if sign is None:
        return None
    found = _mistake(sign.kind, sign.message, at, sign.end, sign.hint)
    opened = _opened(text[:at])
    if opened:
        return _whole(text, found, opened[-1])
    return found._replace(torn=sign.kind in {"superscript", "full-width"})


# The end of the text


def _at_end(text: str) -> Mistake:
    """The text ends too soon: an open bracket, a leg that is due, letters without an atom."""
    opened = _opened(text)
    if opened:
        return _unclosed(text, opened[0])
    return _no_atom(text, len(text)) or _after_repeat(text)


def _opened(text: str) -> list[int]:
    """The brackets that are never closed, the outermost first."""
    opened: list[int] = []
    for index, sign in enumerate(text):
        if sign in "[(":
            opened.append(index)
        elif sign in "])" and opened and BRACKETS[text[opened[-1]]] == sign:
            opened.pop()
    return opened


def _unclosed(text: str, at: int) -> Mistake:
    sign = text[at]
    message = f"no matching {BRACKETS[sign]}"
    found = _mistake("unclosed", message, at, at + 1, f"close the {sign}")
    return _with_letters(text, found, len(text))


def _no_atom(text: str, at: int) -> Mistake | None:
    """Letters before a place where their atom should stand."""
    start = _letters_start(text, at)
    letters = text[start:at]
    if not letters:
        return None
    if letters == "t" and start:
        hint = "put the next leg after the t, as in FtR"
        return _mistake("no-atom", "nothing follows the t", start, at, hint)
    capital = letters[-1].upper()
    hint = "put an atom after the letters"
    if capital in "WFDNAHCZGKRBQ":
        before = WORD_BEFORE.search(text, 0, at - 1)
        hint = f"did you mean {before.group() if before else ''}{capital}?"
    return _mistake("no-atom", "no atom follows these letters", start, at, hint)


def _after_repeat(text: str) -> Mistake:
    """A repeat with nothing to belong to, with the letters and repeats before it."""
    match = re.search(r"(?:[a-z]|\([a-z]*\)[0-9]*)*\Z", text)
    start = match.start() if match and match.start() < len(text) else len(text) - 1
    hint = "put an atom after it, as in (af)F"
    return _mistake("no-atom", "nothing follows the repeat", start, len(text), hint)


# Square brackets


def _square(text: str, at: int) -> Mistake | None:
    """Square brackets in the wrong place, or with the wrong thing inside."""
    around = _opened(text[:at])
    opened = around[-1] if around else at
    if text[opened] == "[":
        ranged = FSF_RANGE.match(text, opened)
        if ranged:
            return _bracket_digits(text, ranged)
        if around:
            return _inside(text, at, opened)
    if text[at] in "-?":
        return _outside(text, at)
    if text[at] == "]":
        return _unopened(at, at)
    return None


def _bracket_digits(text: str, ranged: re.Match[str]) -> Mistake:
    numbers = [int(number) for number in re.findall(r"[0-9]{1,3}", ranged.group())]
    atom = text[ranged.start() - 1 : ranged.start()]
    hint = "write every step, as in [N-N-N?N?N] for three to five"
    low, high = numbers[0], numbers[-1]
    if atom.isupper() and 1 < high <= LONGEST_HINT and 0 < low <= high:
        signs = "".join(("-" if step < low else "?") + atom for step in range(1, high))
        hint = f"write every step: [{atom}{signs}]"
    message = "a range in brackets is an extension of another program"
    found = _mistake("bracket-digits", message, ranged.start(), ranged.end(), hint)
    return found._replace(torn=True)


def _inside(text: str, at: int, opened: int) -> Mistake | None:
    """Something wrong inside a square bracket."""
    sign = text[at]
    if sign in "-?":
        return _missing_leg(text, at, opened)
    if sign == "]":
        return _closed_early(text, at, opened)
    for signs, kind, message, hint in INSIDE:
        if re.match(signs, sign):
            end = text.find(")", at) + 1 or len(text) if sign == "(" else at + 1
            found = _mistake(kind, message, at, end, hint)
            return found if sign == "t" else _whole(text, found, opened)
    return None


def _missing_leg(text: str, at: int, opened: int) -> Mistake:
    if text[opened - 1 : opened] == "t" and text[at - 1] not in "[-?":
        hint = f"leave out the t, or the {text[at]}"
        return _mistake("misplaced-t", "in t[ ] the legs follow each other", at, at + 1, hint)
    lone = _no_atom(text, at)
    if lone is not None:
        return lone
    return _mistake("missing-leg", f"no leg before {text[at]}", at, at + 1, "put a leg there")


def _closed_early(text: str, at: int, opened: int) -> Mistake:
    """A bracket that is closed where a leg, or an atom for some letters, is due."""
    if at == opened + 1:
        hint = "write two legs or more, as in [F?R]"
        found = _mistake("missing-leg", "an empty bracket", opened, at + 1, hint)
        return _with_letters(text, found)
    if text[at - 1] in "-?":
        hint = "put a leg there"
        return _mistake("missing-leg", f"nothing follows {text[at - 1]}", at - 1, at, hint)
    found = _no_atom(text, at) or _after_repeat(text[:at])
    return _whole(text, found, opened) if text[found.cut.start - 1] == "[" else found


def _whole(text: str, mistake: Mistake, opened: int) -> Mistake:
    """The same mistake, cutting the whole bracket around it with the letters before."""
    cut = mistake._replace(cut=Span(opened, _matching(text, opened)))
    return _with_letters(text, cut)


def _matching(text: str, at: int) -> int:
    """The end of a bracketed stretch, or of the text."""
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] in "([") - (text[index] in ")]")
        if not depth:
            return index + 1
    return len(text)


def _outside(text: str, at: int) -> Mistake:
    """A sign that joins the legs of a bracket, outside one."""
    closing = text.find("]", at)
    if closing >= 0 and "[" not in text[at:closing]:
        return _unopened(closing, at)
    hint = "- and ? stand between the legs of a bracket: [F-R]"
    found = _mistake("unexpected", f"{text[at]} outside brackets", at, at + 1, hint)
    if text[at + 1 : at + 2] == "[":
        return found._replace(cut=Span(at, _matching(text, at + 1)))
    return found


def _unopened(at: int, cut_from: int) -> Mistake:
    hint = "put [ before the first leg, as in [F?R]"
    found = _mistake("unopened", "no matching [", at, at + 1, hint)
    return found._replace(cut=Span(cut_from, at + 1))


# Round brackets, numbers, letters


def _round(text: str, at: int) -> Mistake | None:
    """Round brackets that are neither a vector nor a repeat."""
    if text[at] == ")":
        return _mistake("unopened", "no matching (", at, at + 1, "leave it out")
    if text[at] != "(":
        return None
    if ")" not in text[at:]:
        return _unclosed(text, at)
    end = _matching(text, at)
    inside = text[at + 1 : end - 1]
    if VECTOR_ATTEMPT.fullmatch(inside):
        hint = "two numbers with a comma between, as in (4,1)"
        found = _mistake("vector-form", "this is no pair of numbers", at, end, hint)
        return _with_letters(text, found)
    hint = "write a path in square brackets, as in [R-sR]"
    if re.fullmatch(r"[a-z]*[A-Z][0-9]*(?:-[a-z]*[A-Z][0-9]*)+", inside):
        hint = f"write a path in square brackets: [{inside}]"
    found = _mistake("group", "brackets that group belong to other lists", at, end, hint)
    after = AFTER_GROUP.match(text, end)
    return _with_letters(text, found, after.end() if after else end)


def _numbers(text: str, at: int) -> Mistake | None:
    """Digits and stars that follow nothing they could belong to."""
    if not (text[at].isdigit() or text[at] == "*"):
        return None
    end = len(text) - len(text[at:].lstrip("0123456789*"))
    number, before = text[at:end], text[at - 1 : at] if at else ""
    if before == "]":
        hint = "put the range on a leg"
        return _mistake("bracket-range", "a path has no range", at, end, hint)
    if before.isdigit() or before == "*":
        return _mistake("double-and-range", "two ranges", at, end, "leave one out")
    if before.islower():
        hint = f"put {number[:3]} after the atom"
        return _mistake("no-atom", "a range stands after an atom", at, end, hint)
    return _mistake("no-atom", "a range without an atom", at, end, "put an atom before it")


def _letters(text: str, at: int) -> Mistake | None:
    """Letters that join legs or make atoms longer, where there is nothing to join or lengthen."""
    sign = text[at]
    if sign in "XY":
        hint = "X and Y follow the letter of an atom, as in NX"
        return _mistake("unknown-atom", f"no atom is called {sign}", at, at + 1, hint)
    if sign != "t":
        return None
    hint = "in xboard it means: may not capture a royal; to join legs write FtR"
    if text[at + 1 : at + 2] == "t":
        hint = "one t is enough"
    return _mistake("misplaced-t", "t joins the legs on both sides of it", at, at + 1, hint)


# Signs that stand in no Betza text


class Sign(NamedTuple):
    """What is wrong with a sign that stands at some place and ends at ``end``."""

    kind: str
    message: str
    hint: str
    end: int


def foreign(text: str, at: int) -> Sign | None:
    """What to say of the sign at a place; None for letters, digits and brackets of Betza.

    >>> foreign("W²F", 1)
    Sign(kind='superscript', message='a raised number', hint='write 2', end=2)
    """
    sign = text[at]
    if sign in SUPERSCRIPTS:
        end = len(text) - len(text[at:].lstrip(SUPERSCRIPTS))
        digits = "".join(str(SUPERSCRIPTS.index(each)) for each in text[at:end])
        return Sign("superscript", "a raised number", f"write {digits}", end)
    if sign.isascii() and (sign.isalnum() or sign in "[]()-?*"):
        return None
    if not sign.isprintable() or unicodedata.category(sign) in UNSEEN:
        return Sign("control-character", "a character that cannot be seen", "remove it", at + 1)
    plain = unicodedata.normalize("NFKC", sign)
    if plain != sign and plain.isascii() and len(plain) == 1:
        message = f"{sign} is a wide or styled character"
        return Sign("full-width", message, f"write {plain}", at + 1)
    braces = BRACES.match(text, at)
    end = braces.end() if braces else at + 1
    hint = HINTS.get(sign, f"leave {sign} out")
    return Sign("unknown-symbol", f"{sign} means nothing in Betza", hint, end)


LOOKS: tuple[Callable[[str, int], Mistake | None], ...] = (
    _blank,
    _foreign,
    _square,
    _round,
    _numbers,
    _letters,
)


# Hints that offer a text


def verified(finding: Finding, reads: Callable[[str], bool]) -> Finding:
    """The finding with those texts of its hint that ``reads`` says can be read.

    >>> found = Finding("double-and-range", "", (), "write W* or WW")
    >>> verified(found, lambda text: text == "WW").hint
    'write WW'
    """
    offer = OFFER.fullmatch(finding.hint)
    if not offer:
        example = EXAMPLE.fullmatch(finding.hint)
        if example and not reads(example[2]):
            return replace(finding, hint=example[1])
        return finding
    verb, first, second, question = offer.groups()
    good = [text for text in (first, second) if text and reads(text)]
    hint = f"{verb} {' or '.join(good)}{question}" if good else NOTHING_TO_OFFER
    return replace(finding, hint=hint)
