"""The mistakes people make in the shape of a Betza text, named at the place where they show.

The parser says where a text stopped fitting the grammar; here that place is looked at by a person's
eye: which sign stands there, what surrounds it, where it comes from.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import NamedTuple

from alfil.errors import Finding
from alfil.notation.betza.dialects import Dialect
from alfil.notation.parsing import ShapeError
from alfil.source import Span


class Mistake(NamedTuple):
    """A finding, what to cut out of the text to go on, and whether to stop looking."""

    finding: Finding
    cut: tuple[int, int]
    final: bool = False


SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
BRACKETS = {"(": ")", "[": "]", "{": "}"}
_FSF_RANGE = re.compile(r"\[-?[0-9][0-9-]*\]?")
_HAN = {
    "&": "& belongs to Ħasínū: read the text with that notation",
    "×": "× belongs to Ħasínū: read the text with that notation",
    "°": "° belongs to Ħasínū: read the text with that notation",
    "\\": "the backslash belongs to Ħasínū: leave it out, or read with that notation",
    "^": "^ is a marker of another program; leave it out",
    "@": "@ has no settled meaning; leave it out",
    "+": "parts simply follow each other: DW",
    "|": "write two pieces",
    ",": "parts simply follow each other",
    ";": "parts simply follow each other",
    "/": "parts simply follow each other",
    "{": "curly brackets belong to other programs and to Ħasínū",
    "}": "curly brackets belong to other programs and to Ħasínū",
}


def diagnose(text: str, error: ShapeError, dialect: Dialect) -> Mistake:
    """Name the mistake at the place where the text stopped fitting."""
    at = min(error.start, len(text))
    for look in LOOKS:
        mistake = look(text, at, dialect)
        if mistake is not None:
            return mistake
    return _mistake("unexpected", "this does not belong here", at, max(error.end, at + 1), text)


def _mistake(
    kind: str, message: str, start: int, end: int, text: str, hint: str = ""
) -> Mistake:
    end = min(end, len(text))
    if end <= start:
        start, end = max(0, len(text) - 1), len(text)
    return Mistake(Finding(kind, message, (Span(start, end),), hint), (start, end))


def _blank(text: str, at: int, dialect: Dialect) -> Mistake | None:
    del dialect
    if at >= len(text) or not (text[at].isspace() or text[at] in "\u200b\ufeff"):
        return None
    end = at
    while end < len(text) and text[end].isspace():
        end += 1
    return _mistake("white-space", "no blanks inside", at, max(end, at + 1), text,
                    "remove the blank")


def _foreign(text: str, at: int, dialect: Dialect) -> Mistake | None:
    """Signs that are no letters, digits or brackets of any dialect."""
    del dialect
    if at >= len(text):
        return None
    sign = text[at]
    if sign in SUPERSCRIPTS:
        end = at
        while end < len(text) and text[end] in SUPERSCRIPTS:
            end += 1
        digits = "".join(str(SUPERSCRIPTS.index(each)) for each in text[at:end])
        return _mistake("superscript", "a raised number", at, end, text, f"write {digits}")
    if not sign.isascii():
        return _not_ascii(text, at, sign)
    if sign in "^{" and (braces := re.compile(r"\{[^}]*\}?").match(text, at)):
        return _mistake("unknown-symbol", "curly brackets mean nothing in Betza", at,
                        braces.end(), text, _HAN["{"])
    if sign.isalnum() or sign in "[]()-?*":
        return None
    if not sign.isprintable():
        message = "a character that cannot be seen"
        return _mistake("control-character", message, at, at + 1, text, "remove it")
    hint = _HAN.get(sign, f"leave {sign} out")
    return _mistake("unknown-symbol", f"{sign} means nothing in Betza", at, at + 1, text, hint)


def _not_ascii(text: str, at: int, sign: str) -> Mistake:
    plain = unicodedata.normalize("NFKC", sign)
    if sign in _HAN:
        return _mistake("unknown-symbol", f"{sign} means nothing in Betza", at, at + 1, text,
                        _HAN[sign])
    if unicodedata.category(sign) in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
        message = "a character that cannot be seen"
        return _mistake("control-character", message, at, at + 1, text, "remove it")
    if plain.isascii() and plain.isalnum() and plain != sign:
        message = "letters and digits are plain ones"
        return _mistake("full-width", message, at, at + 1, text, f"write {plain}")
    hint = "the letters are those of the English alphabet"
    return _mistake("unknown-symbol", f"{sign} means nothing in Betza", at, at + 1, text, hint)


def _at_end(text: str, at: int, dialect: Dialect) -> Mistake | None:
    """The text ends too soon: an open bracket, a leg that is due, letters without an atom."""
    del dialect
    if at < len(text):
        return None
    opened = _open_bracket(text)
    if opened is not None:
        sign = text[opened]
        found = _mistake("unclosed", f"no matching {BRACKETS[sign]}", opened, opened + 1, text,
                         f"close the {sign}")
        return found._replace(final=True)
    return _letters_without_atom(text, at)


def _open_bracket(text: str) -> int | None:
    """The innermost bracket that is never closed."""
    opened: list[int] = []
    for index, sign in enumerate(text):
        if sign in "[(":
            opened.append(index)
        elif sign in "])" and opened and BRACKETS[text[opened[-1]]] == sign:
            opened.pop()
    return opened[0] if opened else None


def _letters_without_atom(text: str, at: int) -> Mistake | None:
    start = at
    while start > 0 and (text[start - 1].islower() and text[start - 1].isascii()):
        start -= 1
    if start == at:
        return None
    letters = text[start:at]
    joined = letters.startswith("t") and start > 0
    capital = letters[-1].upper()
    hint = f"did you mean {text[:at - 1]}{capital}?" if capital in "WFDNAHCZGKRBQ" else ""
    message = "nothing follows the t" if joined and len(letters) == 1 else "no atom follows"
    return _mistake("no-atom", message, start, at, text, hint)


def _brackets(text: str, at: int, dialect: Dialect) -> Mistake | None:
    """Square brackets in the wrong place, or with the wrong thing inside."""
    sign = text[at]
    opened = at if sign == "[" else _opened_before(text, at)
    ranged = _FSF_RANGE.match(text, opened) if opened is not None else None
    if opened is not None and ranged:
        hint = f"write every step: {_steps_hint(text, opened, ranged.group())}"
        return _mistake("bracket-digits", "a range in brackets is another program's", opened,
                        ranged.end(), text, hint)
    opened = _opened_before(text, at)
    if opened is not None and text[opened] == "[":
        return _inside(text, at, opened)
    if sign == "]":
        return _mistake("unexpected", "one ] too many", at, at + 1, text, "leave it out")
    del dialect
    return None


def _steps_hint(text: str, at: int, ranged: str) -> str:
    """[3-5] after an atom, as a path that may stop from the third step on."""
    numbers = re.findall(r"[0-9]+", ranged)
    atom = text[at - 1] if at and text[at - 1].isupper() else "W"
    if not numbers:
        return "[N-N]"
    low, high = int(numbers[0]), int(numbers[-1])
    if not 0 < low <= high <= 6:
        return "[N-N-N?N]"
    steps = atom
    for step in range(2, high + 1):
        steps += ("?" if step > low else "-") + atom
    return f"[{steps}]"


def _opened_before(text: str, at: int) -> int | None:
    """The innermost bracket still open at a place."""
    opened: list[int] = []
    for index, sign in enumerate(text[:at]):
        if sign in "[(":
            opened.append(index)
        elif sign in "])" and opened:
            opened.pop()
    return opened[-1] if opened else None


def _inside(text: str, at: int, opened: int) -> Mistake | None:
    """Something wrong inside a square bracket."""
    sign = text[at]
    if sign == "[":
        found = _mistake("nested-bracket", "a bracket inside a bracket", at, at + 1, text,
                         "write the legs in a row")
        return found._replace(final=True)
    if sign in "-?" or (sign == "]" and text[at - 1] in "-?"):
        before = at - 1 if sign == "]" else at
        return _mistake("missing-leg", f"nothing stands beside {text[before]}", before,
                        before + 1, text, "a leg is due there")
    if sign == "]":
        if at == opened + 1:
            return _mistake("missing-leg", "an empty bracket", opened, at + 1, text,
                            "write at least two legs")
        return _letters_without_atom(text, at)
    if sign == "(":
        end = text.find(")", at) + 1 or len(text)
        message = "parentheses inside a path are not supported yet"
        return _mistake("not-supported-yet", message, at, end, text)
    if sign == "t":
        hint = "in a bracket - and ? join the legs"
        return _mistake("misplaced-t", "t joins legs outside brackets", at, at + 1, text, hint)
    if sign.isupper() and sign not in "XY":
        hint = "put - or ? between the legs"
        found = _mistake("missing-join", "no sign between two legs", at, at + 1, text, hint)
        return found._replace(final=True)
    return None


def _parentheses(text: str, at: int, dialect: Dialect) -> Mistake | None:
    """Round brackets that are neither a vector nor a repeat."""
    del dialect
    sign = text[at]
    if sign == ")":
        return _mistake("unexpected", "one ) too many", at, at + 1, text, "leave it out")
    if sign != "(":
        return None
    end = text.find(")", at) + 1
    if not end:
        found = _mistake("unclosed", "no matching )", at, at + 1, text, "close the (")
        return found._replace(final=True)
    inside = text[at + 1 : end - 1]
    if "(" in inside:
        end = _matching(text, at)
        found = _mistake("group", "grouping belongs to other lists", at, end, text,
                         "write a path in square brackets: [R-sR]")
        return found
    if re.fullmatch(r"[0-9, -]*[0-9][0-9, -]*", inside):
        hint = "two numbers with a comma between, as in (4,1)"
        return _mistake("vector-form", "this is no pair of numbers", at, end, text, hint)
    hint = f"write a path in square brackets: [{inside}]" if inside else "leave it out"
    return _mistake("group", "grouping belongs to other lists", at, end, text, hint)


def _matching(text: str, at: int) -> int:
    """The end of a bracketed stretch, or of the text."""
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] in "([") - (text[index] in ")]")
        if not depth:
            return index + 1
    return len(text)


def _numbers(text: str, at: int, dialect: Dialect) -> Mistake | None:
    """Digits and stars that follow nothing they could belong to."""
    del dialect
    sign = text[at]
    if not (sign.isdigit() or sign == "*"):
        return None
    end = at + 1
    while end < len(text) and text[end].isdigit():
        end += 1
    before = text[at - 1 : at]
    if before == "]":
        return _mistake("bracket-range", "a path has no range", at, end, text,
                        "put the range on a leg")
    if before.islower():
        return _mistake("no-atom", "a number stands after an atom", at, end, text,
                        f"put {text[at:end]} after the atom")
    if before.isdigit() or before == "*":
        return _mistake("double-and-range", "two ranges", at, end, text, "leave one out")
    return _mistake("no-atom", "a range without an atom", at, end, text, "put an atom before it")


def _joins(text: str, at: int, dialect: Dialect) -> Mistake | None:
    """Signs and letters that join legs, where there is nothing to join."""
    sign = text[at]
    if sign in "-?":
        hint = "- and ? stand between the legs of a bracket: [F-R]"
        return _mistake("unexpected", f"{sign} outside brackets", at, at + 1, text, hint)
    if sign in "XY":
        hint = "X and Y follow the letter of an atom, as in NX"
        return _mistake("unknown-atom", f"no atom is called {sign}", at, at + 1, text, hint)
    if sign == "t":
        return _misplaced_t(text, at)
    del dialect
    return _letters_before_bracket(text, at)


def _misplaced_t(text: str, at: int) -> Mistake:
    if text[at : at + 2] == "tt":
        return _mistake("misplaced-t", "one t is enough", at, at + 1, text, "leave one out")
    hint = "in `xboard`: may not capture a royal; to join legs write FtR"
    return _mistake("misplaced-t", "t joins the legs on both sides of it", at, at + 1, text, hint)


def _letters_before_bracket(text: str, at: int) -> Mistake | None:
    if text[at] in ")]" or (text[at].isupper() and text[at - 1 : at] == "("):
        return _mistake("unexpected", f"{text[at]} does not belong here", at, at + 1, text)
    return None


Look = Callable[[str, int, Dialect], Mistake | None]
LOOKS: tuple[Look, ...] = (
    _at_end,
    _blank,
    _foreign,
    _brackets,
    _parentheses,
    _numbers,
    _joins,
)
