"""The mistakes people make in the shape of a Betza text, named at the place where they show.

The parser says where a text stopped fitting the grammar; here that place is looked at with a
person's eye: which sign stands there, what surrounds it, where it comes from. Each mistake comes
with the stretch to cut out, so that the rest of the text can be looked at too. What is said of them
stands in grammars/betza_diagnostics.tsv.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import replace

from alfil.data_files import HintMarkup
from alfil.errors import Diagnostic
from alfil.frozen_dataclasses import NamedTuple
from alfil.notation.betza.letters import make_diagnostic
from alfil.notation.parsing import GrammarError
from alfil.notation.verified_hints import (
    FindErrors,
    is_error_fixed_by_deletion,
    with_verified_offers,
)
from alfil.source import Span

BRACKETS = {"(": ")", "[": "]"}
LOWERCASE_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Expressions are compiled when they are first asked: one mistake needs few of them.
FSF_RANGE = r"\[-?[0-9][0-9,-]*+(?![A-Za-z(])\]?"
WORD_BEFORE = r"[A-Za-z0-9]{1,10}\Z"
VECTOR_ATTEMPT = r"(?=[^0-9]*+[0-9])[0-9, ;.:/-]*+|(?=[^,]*+,)[a-z0-9, -]*+"
# What follows a group in the lists that have them: a number, then more groups and legs.
AFTER_GROUP = r"[0-9]*(?:-(?:\[[^\]]*\]|[a-z]*[A-Z][0-9]*))*"
# A group of legs in a row that ends a text.
TRAILING_LEG_GROUP = r"\((?=[^()-]*+-)[^()]*+\)[0-9]*+\Z"
SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
BRACES = r"\{[^{}]*\}?"
INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})

# What is wrong with the letter that says which squares parts of a list start from.
START_SQUARE_MISTAKES = {"side-colour", "no-square"}


class MistakeAndSpanToCut(NamedTuple):
    """A diagnostic, and the stretch to cut out of the text to go on.

    ``torn`` is true when what stands before the cut has lost a piece, such as its range, and
    should not be judged as it is.
    """

    diagnostic: Diagnostic
    cut: Span
    torn: bool = False


def diagnose_syntax_mistake(
    text: str, error: GrammarError, *, groups: bool = False
) -> MistakeAndSpanToCut:
    """Name the mistake at the place where the text stopped fitting.

    ``groups`` is true in a dialect that has parts in round brackets.
    """
    at = error.start
    if error.what:
        named = _make_mistake(error.what, at, error.end)
        if error.what in START_SQUARE_MISTAKES:
            return named._replace(cut=_list_item_ending_with(text, named.cut))
        return named
    unknown = _unsupported_group_mistake(text, at) if groups else None
    if unknown:
        return unknown
    if at >= len(text):
        opened = _unclosed_bracket_positions(text)
        ended = _unclosed_bracket(text, opened[0]) if opened else _missing_atom(text, at)
        return ended or _repeat_without_leg(text)
    for look in MISTAKE_CHECKS:
        mistake = look(text, at)
        if mistake is not None:
            return mistake
    return _make_mistake("unexpected", at, at + 1, letter=text[at])


def _list_item_ending_with(text: str, letter: Span) -> Span:
    """The parts of a list before the letter of their squares, with a comma or the brackets."""
    opened = _unclosed_bracket_positions(text[: letter.start])[-1]
    comma = text.rfind(",", opened, letter.start)
    if comma >= 0:
        return Span(comma, letter.end)
    return Span(opened + (text[letter.end] == ","), letter.end + 1)


def _make_mistake(name: str, start: int, end: int, **put: object) -> MistakeAndSpanToCut:
    span = Span(start, end)
    return MistakeAndSpanToCut(make_diagnostic(name, span, **put), span)


def _extend_cut_over_letters(
    text: str, mistake: MistakeAndSpanToCut, end: int | None = None
) -> MistakeAndSpanToCut:
    """The same mistake, cutting the letters before it too: they belong to what goes."""
    start, stop = mistake.cut
    return mistake._replace(cut=Span(_letters_start(text, start), stop if end is None else end))


def _letters_start(text: str, at: int) -> int:
    """Where the letters straight before a place begin."""
    return len(text[:at].rstrip(LOWERCASE_LETTERS))


def _misplaced_blank(text: str, at: int) -> MistakeAndSpanToCut | None:
    end = len(text) - len(text[at:].lstrip())
    if end == at:
        return None
    return _make_mistake("blank", at, end)


def _foreign_characters(text: str, at: int) -> MistakeAndSpanToCut | None:
    """Signs that are no letters, digits or brackets of any dialect."""
    sign = text[at]
    if sign.isascii() and (sign.isalnum() or sign in "[]()-?*"):
        return None
    mistake = _foreign_sign(text, at)
    opened = _unclosed_bracket_positions(text[:at])
    return _cut_whole_bracket(text, mistake, opened[-1]) if opened else mistake


def _foreign_sign(text: str, at: int) -> MistakeAndSpanToCut:
    """What to say of a sign that stands in no Betza text."""
    sign = text[at]
    if sign in SUPERSCRIPTS:
        end = len(text) - len(text[at:].lstrip(SUPERSCRIPTS))
        digits = "".join(str(SUPERSCRIPTS.index(each)) for each in text[at:end])
        return _make_mistake("raised", at, end, digits=digits)._replace(torn=True)
    if not sign.isprintable() or unicodedata.category(sign) in INVISIBLE_CATEGORIES:
        return _make_mistake("unseen", at, at + 1)
    plain = unicodedata.normalize("NFKC", sign)
    if plain != sign and plain.isascii() and len(plain) == 1:
        return _make_mistake("styled", at, at + 1, letter=sign, plain=plain)._replace(torn=True)
    braces = re.compile(BRACES).match(text, at)
    return _make_mistake("symbol", at, braces.end() if braces else at + 1, letter=sign)


# The end of the text


def _unclosed_bracket_positions(text: str) -> list[int]:
    """The brackets that are never closed, the outermost first."""
    opened: list[int] = []
    for index, sign in enumerate(text):
        if sign in "[(":
            opened.append(index)
        elif sign in "])" and opened and BRACKETS[text[opened[-1]]] == sign:
            opened.pop()
    return opened


def _unclosed_bracket(text: str, at: int) -> MistakeAndSpanToCut:
    sign = text[at]
    mistake = _make_mistake("unclosed", at, at + 1, letter=sign, closing=BRACKETS[sign])
    return _extend_cut_over_letters(text, mistake, len(text))


def _missing_atom(text: str, at: int) -> MistakeAndSpanToCut | None:
    """Letters before a place where their atom should stand."""
    start = _letters_start(text, at)
    letters = text[start:at]
    if not letters:
        return None
    if letters == "t" and start:
        return _make_mistake("nothing-after-t", start, at)
    capital = letters[-1].upper()
    if capital not in "WFDNAHCZGKRBQ":
        return _make_mistake("no-atom", start, at)
    before = re.compile(WORD_BEFORE).search(text, 0, at - 1)
    return _make_mistake(
        "small-atom", start, at, meant=(before.group() if before else "") + capital
    )


def _repeat_without_leg(text: str) -> MistakeAndSpanToCut:
    """A repeat with nothing to belong to, with the letters and repeats before it."""
    runs = [match.span() for match in re.finditer(r"(?:[a-z]|\([a-z]*+\)[0-9]*+)++", text)]
    start = next((start for start, end in runs[-1:] if end == len(text)), len(text))
    return _make_mistake("nothing-after-repeat", start, len(text))


# Square brackets


def _square_bracket_mistake(text: str, at: int) -> MistakeAndSpanToCut | None:
    """Square brackets in the wrong place, or with the wrong thing inside."""
    around = _unclosed_bracket_positions(text[:at])
    opened = around[-1] if around else at
    if text[opened] == "[":
        ranged = re.compile(FSF_RANGE).match(text, opened)
        if ranged:
            return _make_mistake("bracket-digits", *ranged.span())._replace(torn=True)
        if around:
            return _mistake_in_bracket(text, at, opened)
    if text[at] in "-?":
        return _join_sign_outside_bracket(text, at)
    if text[at] == "]":
        return _unopened_bracket(at, at)
    return None


def _mistake_in_bracket(text: str, at: int, opened: int) -> MistakeAndSpanToCut | None:
    """Something wrong inside a square bracket."""
    sign = text[at]
    if sign in "-?":
        return _missing_leg(text, at, opened)
    if sign == "]":
        return _bracket_closed_early(text, at, opened)
    if sign not in "[(" and (sign in "XY" or not sign.isalpha()):
        return None
    end = text.find(")", at) + 1 or len(text) if sign == "(" else at + 1
    mistake = _make_mistake("inside", at, end, letter=sign)
    return mistake if sign == "t" else _cut_whole_bracket(text, mistake, opened)


def _missing_leg(text: str, at: int, opened: int) -> MistakeAndSpanToCut:
    if text[opened - 1 : opened] == "t" and text[at - 1] not in "[-?":
        return _make_mistake("listed-legs", at, at + 1, letter=text[at])
    return _missing_atom(text, at) or _make_mistake("no-leg-before", at, at + 1, letter=text[at])


def _bracket_closed_early(text: str, at: int, opened: int) -> MistakeAndSpanToCut:
    """A bracket that is closed where a leg, or an atom for some letters, is due."""
    if at == opened + 1:
        return _extend_cut_over_letters(text, _make_mistake("empty-bracket", opened, at + 1))
    if text[at - 1] in "-?":
        return _make_mistake("no-leg-after", at - 1, at, letter=text[at - 1])
    mistake = _missing_atom(text, at) or _repeat_without_leg(text[:at])
    return (
        _cut_whole_bracket(text, mistake, opened) if text[mistake.cut.start - 1] == "[" else mistake
    )


def _cut_whole_bracket(text: str, mistake: MistakeAndSpanToCut, opened: int) -> MistakeAndSpanToCut:
    """The same mistake, cutting the whole bracket around it with the letters before."""
    cut = mistake._replace(cut=Span(opened, _end_of_bracket(text, opened)))
    return _extend_cut_over_letters(text, cut)


def _end_of_bracket(text: str, at: int) -> int:
    """The end of a bracketed stretch, or of the text."""
    depth = 0
    for index in range(at, len(text)):
        depth += (text[index] in "([") - (text[index] in ")]")
        if not depth:
            return index + 1
    return len(text)


def _join_sign_outside_bracket(text: str, at: int) -> MistakeAndSpanToCut:
    """A sign that joins the legs of a bracket, outside one."""
    closing = text.find("]", at)
    if closing >= 0 and "[" not in text[at:closing]:
        return _unopened_bracket(closing, at)
    mistake = _make_mistake("outside", at, at + 1, letter=text[at])
    if text[at + 1 : at + 2] == "[":
        return mistake._replace(cut=Span(at, _end_of_bracket(text, at + 1)))
    return mistake


def _unopened_bracket(at: int, cut_from: int) -> MistakeAndSpanToCut:
    return _make_mistake("unopened-path", at, at + 1)._replace(cut=Span(cut_from, at + 1))


# Round brackets, numbers, letters


def _round_bracket_mistake(text: str, at: int) -> MistakeAndSpanToCut | None:
    """Round brackets that are neither a vector nor a repeat."""
    if text[at] == ")":
        return _make_mistake("unopened-round", at, at + 1)
    if text[at] != "(":
        return None
    if ")" not in text[at:]:
        return _unclosed_bracket(text, at)
    end = _end_of_bracket(text, at)
    inside = text[at + 1 : end - 1]
    if re.compile(VECTOR_ATTEMPT).fullmatch(inside):
        return _extend_cut_over_letters(text, _make_mistake("vector-form", at, end))
    legs = re.fullmatch(r"[a-z]*[A-Z][0-9]*(?:-[a-z]*[A-Z][0-9]*)+", inside)
    example = HintMarkup(f": ‹[{inside}]›" if legs else ", as in ‹[R-sR]›")
    after = re.compile(AFTER_GROUP).match(text, end)
    mistake = _make_mistake("group", at, end, example=example)
    return _extend_cut_over_letters(text, mistake, after.end() if after else end)


def _unsupported_group_mistake(text: str, at: int) -> MistakeAndSpanToCut | None:
    """A place inside round brackets with atoms in them, or where legs follow: all of them."""
    closed = re.compile(r"\)[0-9]*\Z").search(text, 0, at)
    if closed and (
        text[at : at + 1] == "-" or not re.compile(TRAILING_LEG_GROUP).search(text, 0, at)
    ):
        # A single leg is no group, which shows only behind it.
        at = closed.start()
    opened = [each for each in _unclosed_bracket_positions(text[:at]) if text[each] == "("]
    end = _end_of_bracket(text, opened[0]) if opened else 0
    if at >= end or not any(sign.isupper() for sign in text[opened[0] : end]):
        return None
    after = re.compile(AFTER_GROUP).match(text, end)
    mistake = _make_mistake("no-group", opened[0], end)
    return _extend_cut_over_letters(text, mistake, after.end() if after else end)


def _stray_number(text: str, at: int) -> MistakeAndSpanToCut | None:
    """Digits and stars that follow nothing they could belong to."""
    if not (text[at].isdigit() or text[at] == "*"):
        return None
    end = len(text) - len(text[at:].lstrip("0123456789*"))
    number, before = text[at:end], text[at - 1 : at] if at else ""
    if before == "]":
        return _make_mistake("bracket-range", at, end)
    if before.isdigit() or before == "*":
        return _make_mistake("two-ranges", at, end)
    if before.islower():
        return _make_mistake("range-after-letters", at, end, number=number[:3])
    return _make_mistake("range-alone", at, end)


def _stray_letters(text: str, at: int) -> MistakeAndSpanToCut | None:
    """Letters that join legs or make atoms longer, where there is nothing to join or lengthen."""
    sign = text[at]
    if sign in "XY":
        return _make_mistake("unknown-atom", at, at + 1, letter=sign)
    if sign != "t":
        return None
    before, after = text[:at].rstrip("t"), text[at:].lstrip("t")
    # One of them joins what stands before them, or the legs of a bracket.
    doubled = len(before) + 1 + len(after) < len(text) and (before or after.startswith("["))
    return _make_mistake("second-t" if doubled else "joining-t", at, at + 1)


MISTAKE_CHECKS: tuple[Callable[[str, int], MistakeAndSpanToCut | None], ...] = (
    _misplaced_blank,
    _foreign_characters,
    _square_bracket_mistake,
    _round_bracket_mistake,
    _stray_number,
    _stray_letters,
)


# Hints that offer a text


def with_verified_hint(diagnostic: Diagnostic, text: str, errors: FindErrors) -> Diagnostic:
    """The diagnostic with what its hint offers tried in a dialect."""
    general = make_diagnostic(
        "instead" if is_error_fixed_by_deletion(diagnostic, text, errors) else "instead-part"
    )
    if _needs_brackets(diagnostic.hint) and errors("[W-W]"):
        return replace(diagnostic, hint=general.hint, offers=general.offers)
    return with_verified_offers(diagnostic, text, errors, general)


def _needs_brackets(hint: str) -> bool:
    """Whether a hint means nothing where there are no brackets."""
    is_about_brackets = "bracket" in hint.replace("curly bracket", "") and not hint.startswith(
        "drop"
    )
    return is_about_brackets or "- and ?" in hint or "- or ?" in hint
