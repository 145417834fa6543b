"""The mistakes people make in the shape of a text, named at the place where they show.

A first look finds what no text can hold: strange signs, blanks inside a number, brackets without
their fellow. What is left is parsed; where it does not fit, the option around that place is looked
at with a table of mistakes and taken out, so that the rest can be looked at too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeAlias

from alfil.errors import Diagnostic
from alfil.notation.parlett.letters import (
    BLANK_CHARACTERS,
    CONDITIONS,
    DIRECTIONS,
    KNOWN_CHARACTERS,
    SIDEWAYS_SIGNS,
    make_diagnostic,
)
from alfil.notation.parlett.nodes import Option
from alfil.notation.parlett.semantic_checks import all_errors
from alfil.notation.parsing import (
    MOST_DIAGNOSTICS,
    GrammarError,
    TextUnderRepair,
    load_mistake_patterns,
    parse_with_recovery,
)
from alfil.notation.verified_hints import FindErrors, with_verified_offers
from alfil.source import Span

# What takes the place of an option with a mistake; nothing is ever said about it.
PLACEHOLDER_OPTION = "1/2"
# Of an option without end only so much is looked at to each side of a mistake.
MISTAKE_WINDOW = 80
# Signs that are meant for others, and these.
INTENDED_SIGNS = dict(zip("×✕–—−‐∼∗", "XX----~*", strict=True))
EQUATION_PREFIX = re.compile(r"\s*m\s*=")
WORD_PATTERN = re.compile(r"[A-Za-z]+")
# So many letters that are no signs make a word of the letters around them.
MIN_FOREIGN_LETTERS = 2
BLANK_INSIDE_MOVE = re.compile(r"(?<=[0-9])\s+(?=[0-9])|(?<=[*+<>=÷X])\s+(?=[*+<>=÷X])")
PATTERN_PARTS = {
    "DIRECTION": r"(?:\*(?:<>|[<>][=÷]?)?|X[<>]?|<>|[<>][=÷]|[+<>=÷])",
    "DISTANCE": r"(?:n|[0-9]+(?:-[0-9]+)?)",
    "CONDITIONS": "".join(CONDITIONS),
}
MISTAKES = load_mistake_patterns("parlett_mistakes.tsv", PATTERN_PARTS)
# What makes options of a text; `GrammarError` where it does not fit the grammar.
ParseFunction: TypeAlias = Callable[[str], tuple[Option, ...]]


def mistakes_in(text: str, parse: ParseFunction) -> list[Diagnostic]:
    """Everything wrong with a text that does not fit the grammar, in no order."""
    draft, diagnostics = _without_foreign_signs(text)
    if len(diagnostics) >= MOST_DIAGNOSTICS:
        return diagnostics

    def hint_text(
        rest: TextUnderRepair, error: GrammarError
    ) -> tuple[Diagnostic | None, TextUnderRepair]:
        return diagnose_syntax_mistake(rest, error.start)

    options: tuple[Option, ...] | None
    try:
        options = parse(draft.text)
    except GrammarError as error:
        options, draft, more = parse_with_recovery(parse, draft, error, hint_text)
        diagnostics += more
    for diagnostic in all_errors(options or (), draft.text):
        if not any(map(draft.is_damaged, diagnostic.spans)):
            diagnostics.append(draft.diagnostic_in_original(diagnostic))
    return diagnostics


def with_verified_hints(
    diagnostics: list[Diagnostic], text: str, errors: FindErrors
) -> list[Diagnostic]:
    """The diagnostics with what their hints offer tried."""
    general = {each.kind: make_diagnostic("instead", letter=each.kind) for each in diagnostics}
    return [
        with_verified_offers(each, text, errors, general[each.kind], max_nested_offers=2)
        for each in diagnostics
    ]


def _without_foreign_signs(text: str) -> tuple[TextUnderRepair, list[Diagnostic]]:
    """A text without what no text can hold, and what that is."""
    diagnostics: list[Diagnostic] = []
    cuts: dict[Span, bool] = {}  # whether what stands before has lost a piece
    signs = list(text)
    expression = EQUATION_PREFIX.match(text)
    if expression:
        if not text[expression.end() :].strip():
            diagnostics.append(make_diagnostic("expression", Span(*expression.span())))
        cuts[Span(*expression.span())] = False
    for wrong, plain in _foreign_signs(text, expression.end() if expression else 0):
        (span,) = wrong.spans
        diagnostics.append(wrong)
        signs[span.start : span.end] = plain or " " * (span.end - span.start)
        if not plain:
            cuts[span] = True
    blanks = (
        make_diagnostic("blank", Span(*match.span())) for match in BLANK_INSIDE_MOVE.finditer(text)
    )
    for wrong in (*blanks, *_unpaired_bracket_errors("".join(signs))):
        diagnostics.append(wrong)
        cuts[wrong.spans[0]] = False
    draft = TextUnderRepair("".join(signs), range(len(text) + 1))
    if len(diagnostics) >= MOST_DIAGNOSTICS:
        return draft, diagnostics
    for cut in sorted(cuts, reverse=True):
        draft = draft.without_part(cut, torn=cuts[cut])
    return draft, diagnostics


def _foreign_signs(text: str, start: int) -> Iterator[tuple[Diagnostic, str]]:
    """What is wrong with signs and words of no text, and the sign that is meant if it is known."""
    words = [
        match.span()
        for match in WORD_PATTERN.finditer(text, start)
        if sum(letter not in KNOWN_CHARACTERS for letter in match[0]) >= MIN_FOREIGN_LETTERS
    ]
    for first, end in words:
        yield make_diagnostic("word", Span(first, end), word=text[first:end]), ""
    inside = {at for span in words for at in range(*span)}
    for at in range(start, len(text)):
        if text[at] not in KNOWN_CHARACTERS and at not in inside:
            yield _foreign_sign(text[at], Span(at, at + 1))


def _foreign_sign(sign: str, span: Span) -> tuple[Diagnostic, str]:
    """What is wrong with a sign, and the one that it stands for if that is known."""
    if not sign.isprintable():
        return make_diagnostic("unseen", span), ""
    for meant in (sign.upper(), sign.lower()):
        if sign.isascii() and meant in KNOWN_CHARACTERS:
            return make_diagnostic("case", span, sign=sign, meant=meant), meant
    meant = INTENDED_SIGNS.get(sign) or unicodedata.normalize("NFKC", sign)
    if meant != sign and meant in KNOWN_CHARACTERS:
        return make_diagnostic("look-alike", span, letter=sign, meant=meant), meant
    if sign.islower():
        return make_diagnostic("small", span, sign=sign, conditions=", ".join(CONDITIONS)), ""
    return make_diagnostic(
        "capital" if sign.isalpha() else "symbol", span, letter=sign, sign=sign
    ), ""


def _unpaired_bracket_errors(text: str) -> Iterator[Diagnostic]:
    """Brackets without their fellow."""
    opened: list[int] = []
    for at, sign in enumerate(text):
        if sign == "(":
            opened.append(at)
        elif sign == ")" and opened:
            opened.pop()
        elif sign == ")":
            yield make_diagnostic("unopened", Span(at, at + 1))
    yield from (make_diagnostic("unclosed", Span(at, at + 1)) for at in opened)


def diagnose_syntax_mistake(
    draft: TextUnderRepair, at: int
) -> tuple[Diagnostic | None, TextUnderRepair]:
    """The mistake at a place where a text stopped fitting, and the text without that option."""
    start, end = _option_around(draft.text, at)
    seen = range(max(start, at - MISTAKE_WINDOW), min(end, at + MISTAKE_WINDOW))
    places = [i for i in seen if draft.text[i] not in BLANK_CHARACTERS]
    text = "".join(draft.text[i] for i in places)
    places.append(max(places, default=start - 1) + 1)
    inside = sum(place < at for place in places[:-1])
    diagnostic = None
    if text != PLACEHOLDER_OPTION and not draft.is_damaged(Span(start, end)):
        diagnostic = _mistake_in_option(text, inside, places) or _missing_option_error(
            draft.text, start, end
        )
    filled = TextUnderRepair(
        draft.text[:start] + PLACEHOLDER_OPTION + draft.text[end:],
        (
            *draft.places[:start],
            *[draft.places[start]] * len(PLACEHOLDER_OPTION),
            *draft.places[end:],
        ),
        tuple(
            place
            if place <= start
            else max(start + len(PLACEHOLDER_OPTION), place - end + start + len(PLACEHOLDER_OPTION))
            for place in (*draft.cuts, start + 1)
            if not start < place < end or place == start + 1
        ),
        draft.torn_positions,
    )
    return diagnostic, draft if text == PLACEHOLDER_OPTION else filled


def _option_around(text: str, at: int) -> tuple[int, int]:
    """Where the option begins and ends that a place is in: at commas, and at its brackets."""
    start = _find_option_edge(text, range(at - 1, -1, -1), "(", ")") + 1
    end = _find_option_edge(text, range(at, len(text)), ")", "(")
    return start, end


def _find_option_edge(text: str, places: range, stop: str, other: str) -> int:
    depth = 0
    for at in places:
        if not depth and text[at] in {",", stop}:
            return at
        depth += (text[at] == other) - (text[at] == stop)
    return places.stop


def _mistake_in_option(text: str, offset: int, places: list[int]) -> Diagnostic | None:
    """The first mistake of the table that touches a place, or what can be said of its sign."""
    looks = (_unknown_direction_errors, _mistakes_from_table, _unexpected_sign)
    diagnostic = next(chain.from_iterable(look(text, offset) for look in looks), None)
    return diagnostic and TextUnderRepair(text, places).diagnostic_in_original(diagnostic)


def _unknown_direction_errors(text: str, offset: int) -> Iterator[Diagnostic]:
    """Direction signs that are no direction together."""
    for match in re.finditer(r"[*+<>=÷X]{2,}", text):
        known = match[0].replace(*SIDEWAYS_SIGNS) in DIRECTIONS
        if match.start() < offset <= match.end() and not known:
            signs = " ".join(DIRECTIONS)
            yield make_diagnostic(
                "no-such-direction", Span(*match.span()), letter=match[0], known=signs
            )


def _mistakes_from_table(text: str, offset: int) -> Iterator[Diagnostic]:
    for mistake in MISTAKES:
        for match in mistake.pattern.finditer(text):
            span = Span(*match.span("at"))
            if span.start <= offset <= span.end:
                yield mistake.template.diagnostic_at(span, **match.groupdict())


def _unexpected_sign(text: str, offset: int) -> Iterator[Diagnostic]:
    at = min(offset, len(text) - 1)
    if text:
        yield make_diagnostic("unexpected", Span(at, at + 1), sign=text[at])


def _missing_option_error(text: str, start: int, end: int) -> Diagnostic:
    """Nothing where an option is due: brackets that are empty, or a comma too many."""
    if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
        return make_diagnostic("empty-brackets", Span(start - 1, end + 1))
    comma = start - 1 if text[start - 1 : start] == "," else end
    return make_diagnostic("dangling-comma", Span(comma, comma + 1))
