"""Ħasínū in, a tree out: `read_hasinu`.

The tree keeps the order and the structure of the text. What is only layout gets the writer's form:
directions, octants and the numbers of an oblique in their usual order, angles in degrees, short
flags, no defaults, ``i`` for ``rifle``, no difference between ``&`` and a blank between obliques.
So what is written and read again is the same tree; the spans still show the user's own text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache, partial

from alfil.errors import Diagnostic, NotationError
from alfil.geometry import Vector
from alfil.notation.betza.reader import read_betza
from alfil.notation.description import Description
from alfil.notation.hasinu import lexicon, nodes
from alfil.notation.hasinu.function_calls import shorten_term
from alfil.notation.hasinu.lexicon import make_diagnostic, parse_number
from alfil.notation.hasinu.preprocess import PreparedText, prepare_text
from alfil.notation.hasinu.semantic_checks import (
    misplacement_errors,
    term_errors,
    warnings_and_notes,
)
from alfil.notation.parsing import (
    MOST_DIAGNOSTICS,
    GrammarError,
    Parser,
    TextUnderRepair,
    Token,
    parse_with_recovery,
    unique_sorted_diagnostics,
)
from alfil.source import Source, Span

_OBLIQUE_PATTERN = re.compile(r"\(\s*([0-9]+)\s*,\s*([0-9]+)\s*\)([a-h]*)")
_ANGLE_PATTERN = re.compile(r"&t\s*+([+-]?)\s*+([0-9]*(?:π|pi)(?:/[0-9]+)?|[0-9.]+)\s*+(\D*)")
_PUNCTUATION = ".;:!?"


def read_hasinu(
    source: Source, dialect: str = "betza", *, lenient: bool = False
) -> tuple[Description, tuple[Diagnostic, ...]]:
    """The piece that a text in Ħasínū describes, and warnings about the text.

    ``dialect`` is that of embedded Betza. With ``lenient`` one asterisk at the very end is dropped
    with a warning. Raises NotationError with every error found, in text order, at most 20.
    Function names are not looked up here; see `alfil.notation.hasinu.resolve`.
    """
    embedded: list[Diagnostic] = []
    terms, diagnostics = _tree_and_diagnostics(source, dialect, embedded, lenient=lenient)
    if _unique_errors([*diagnostics, *embedded]):
        raise NotationError(_with_verified_hints(diagnostics, embedded, source, dialect), source)
    diagnostics += [*embedded, *warnings_and_notes(terms)]
    if "(" in source.text:
        terms = nodes.map_terms(terms, shorten_term)
    span = Span(0, len(source.text))
    return Description(terms, "hasinu", span=span), tuple(
        unique_sorted_diagnostics(diagnostics)[:MOST_DIAGNOSTICS]
    )


def _tree_and_diagnostics(
    source: Source, dialect: str, embedded: list[Diagnostic] | None, *, lenient: bool = False
) -> tuple[tuple[nodes.HasinuTerm, ...], list[Diagnostic]]:
    """The tree of a text, and its errors; for those of its Betza see `_read_embedded_betza`."""
    scanned = prepare_text(source.text, lenient=lenient)
    if scanned.fatal:
        return (), scanned.diagnostics
    terms, mistakes = _parse_prepared(scanned, source.text, dialect)
    diagnostics = [*scanned.diagnostics, *mistakes]
    if scanned.runs:
        terms = _read_embedded_betza(terms, source, dialect, diagnostics, embedded)
    # What is said of a whole with a mistake inside it was judged without what is missing there.
    diagnostics += [
        each
        for each in (*term_errors(terms, source.text), *misplacement_errors(terms))
        if not any(
            each.spans[0].start < wrong.spans[0].start and wrong.spans[0].end < each.spans[0].end
            for wrong in mistakes
        )
    ]
    return terms, diagnostics


def _unique_errors(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The errors, each once and in the order of the text, as many as are told."""
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]
    return unique_sorted_diagnostics(errors)[:MOST_DIAGNOSTICS] if errors else errors


def _with_verified_hints(
    diagnostics: Sequence[Diagnostic], embedded: Sequence[Diagnostic], source: Source, dialect: str
) -> list[Diagnostic]:
    """The errors of a text with hints that were tried; those of its Betza have been."""
    from alfil.notation.verified_hints import with_verified_offers  # what good texts never need

    @cache
    def errors(text: str) -> list[Diagnostic]:
        return _unique_errors(_tree_and_diagnostics(Source(text), dialect, None)[1])

    return [
        each
        if each in embedded
        else with_verified_offers(
            each,
            source.text,
            errors,
            make_diagnostic("instead", letter=each.kind),
            max_nested_offers=2,
        )
        for each in _unique_errors([*diagnostics, *embedded])
    ]


def _is_valid(text: str, dialect: str) -> bool:
    """Whether a text has no errors, without a look for what is meant."""
    scanned = prepare_text(text)
    if scanned.diagnostics:
        return False
    try:
        terms = _parser().parse(scanned.prepared)
    except GrammarError:
        return False
    wrong: list[Diagnostic] = []
    if scanned.runs:
        terms = _read_embedded_betza(terms, Source(text), dialect, wrong)
    return not _unique_errors([*wrong, *term_errors(terms, text), *misplacement_errors(terms)])


@cache
def _parser() -> Parser[tuple[nodes.HasinuTerm, ...]]:
    return Parser("hasinu", Builder(), "description")


def _parse_prepared(
    scanned: PreparedText, text: str, dialect: str
) -> tuple[tuple[nodes.HasinuTerm, ...], list[Diagnostic]]:
    """The tree of a scanned text, with holes where the mistakes were."""
    parse = _parser().parse
    try:
        return parse(scanned.prepared), []
    except GrammarError as error:
        from alfil.notation.hasinu.syntax_mistakes import (  # what good texts never need
            TextWithSyntaxError,
            diagnose_syntax_mistake,
        )

        def degrees_text(
            draft: TextUnderRepair, wrong: GrammarError
        ) -> tuple[Diagnostic | None, TextUnderRepair]:
            shown = scanned.restore_betza(draft.text, text)
            broken = TextWithSyntaxError(
                draft.text, shown, wrong.start, partial(_is_valid, dialect=dialect)
            )
            diagnostic, following = diagnose_syntax_mistake(broken)
            return diagnostic, draft._replace(text=following)

        whole = TextUnderRepair(scanned.prepared, range(len(text) + 1))
        terms, _, diagnostics = parse_with_recovery(parse, whole, error, degrees_text)
        return terms or (), diagnostics


def _read_embedded_betza(
    terms: Sequence[nodes.HasinuTerm],
    source: Source,
    dialect: str,
    diagnostics: list[Diagnostic],
    embedded: list[Diagnostic] | None = None,
) -> tuple[nodes.HasinuTerm, ...]:
    """The terms with embedded Betza read; what is wrong with them joins the diagnostics.

    What is found inside the Betza joins ``embedded``, its hints tried; without that list all are
    diagnostics, and the hints are of no use.
    """
    inside = diagnostics if embedded is None else embedded

    def fill(term: nodes.HasinuTerm) -> nodes.HasinuTerm:
        if not isinstance(term, nodes.Embedded):
            return term
        run = Span(term.span.start + 1, term.span.end)
        try:
            betza, warnings = read_betza(source, dialect, run, try_hints=embedded is not None)
        except NotationError as error:
            for diagnostic in error.diagnostics:
                between = _touching_runs_error(diagnostic, source.text, run)
                (diagnostics if between else inside).append(between or diagnostic)
            return term
        inside.extend(warnings)
        return nodes.Embedded(betza, span=term.span)

    return nodes.map_terms(terms, fill)


def _touching_runs_error(diagnostic: Diagnostic, text: str, run: Span) -> Diagnostic | None:
    """What is wrong where embedded Betza goes on with a backslash: two runs that touch."""
    span, *_ = diagnostic.spans
    if diagnostic.kind != "unknown-symbol" or text[span.start : span.end] != "\\":
        return None
    first, second = text[run.start - 1 : span.start], text[span.start : run.end]
    if "\\" in (first, second):
        return make_diagnostic("unopened", span, sign="\\")
    return make_diagnostic("missing-ampersand", span, together=f"{first} & {second}")


@lru_cache(maxsize=1024)
def _distance_steps(*numbers: str) -> tuple[int, ...]:
    """The distances written, or `INVALID_STEPS` when one is 0, too large, padded or repeated.

    >>> _distance_steps("1", "3"), _distance_steps("01"), _distance_steps("2", "2")
    ((1, 3), (0,), (0,))
    """
    wrong = any(number[0] == "0" or len(number) > lexicon.MAX_NUMBER_DIGITS for number in numbers)
    if wrong or len(set(numbers)) < len(numbers):
        return nodes.INVALID_STEPS
    return tuple(map(int, numbers))


@lru_cache(maxsize=1024)
def _oblique_vectors(text: str) -> tuple[Vector, ...]:
    """The leaps of a bracket with its letters; none when it is wrong."""
    match = _OBLIQUE_PATTERN.fullmatch(text)
    assert match is not None
    first, second, letters = match.groups()
    p, q = sorted((parse_number(first), parse_number(second)))
    wrong = first[0] == "0" or second[0] == "0" or p == q or q > lexicon.LARGEST_NUMBER
    twice = len(set(letters)) < len(letters)
    return () if wrong or twice else lexicon.oblique_leaps(p, q, letters)


def _make_turn(token: Token) -> nodes.Turn:
    span = token.span
    match = _ANGLE_PATTERN.fullmatch(token)
    if match is None:
        return nodes.Turn(None, span=span)
    sign, number, unit = match.groups()
    degrees = lexicon.turn_degrees(number, unit)
    size = lexicon.turn_sixteenths(degrees)
    degrees_text = (
        f"{round(degrees, 2):g}"
        if size in {None, nodes.INVALID_TURN}
        else lexicon.degrees_text(size)
    )
    return nodes.Turn(
        size, "+" if sign == "+" else "-" if sign == "-" else "", degrees_text, span=span
    )


class Builder:
    """Makes nodes: one method for every rule of grammars/hasinu.lark, by the same name.

    It keeps no state and reports nothing. Where numbers, directions or angles do not fit together
    it leaves the mark that `alfil.notation.hasinu.semantic_checks` looks for: a radial or oblique
    without vectors, a distance with a step of 0, a turn of -1 sixteenths.
    """

    def description(self, terms: Sequence[nodes.HasinuTerm] = ()) -> tuple[nodes.HasinuTerm, ...]:
        """A whole piece."""
        return tuple(terms)

    def compound(self, *terms: nodes.HasinuTerm) -> tuple[nodes.HasinuTerm, ...]:
        """The terms, whether & stands between them or not."""
        return terms

    def bent(self, *parts: nodes.HasinuTerm | Token) -> nodes.Bent:
        """Legs and turns by turns."""
        legs: list[nodes.HasinuTerm] = []
        turns: list[nodes.Turn] = []
        for part in parts:
            if isinstance(part, str):
                turns.append(_make_turn(part))
            else:
                legs.append(part)
        last = turns[-1] if len(turns) == len(legs) else legs[-1]
        return nodes.Bent(tuple(legs), tuple(turns), span=legs[0].span.to(last.span))

    def radial(
        self, factor: Token | nodes.Distance, count: Token, letter: Token, *names: Token
    ) -> nodes.Radial:
        """A distance (or n), the count, d, and directions."""
        distance = _as_distance(factor)
        good = distance.steps != nodes.INVALID_STEPS
        vectors = lexicon.radial_steps(str(count), tuple(map(str, names))) if good else ()
        return nodes.Radial(distance, vectors, span=distance.span.to((letter, *names)[-1].span))

    def single_distance(self, number: Token) -> nodes.Distance:
        """One number."""
        return nodes.Distance(_distance_steps(str(number)), span=number.span)

    def distance_set(self, opening: Token, *rest: Token) -> nodes.Distance:
        """Numbers between curly brackets."""
        *numbers, closing = rest
        return nodes.Distance(
            _distance_steps(*map(str, numbers)), braced=True, span=opening.span.to(closing.span)
        )

    def oblique(self, *parts: Token | nodes.Distance) -> nodes.Oblique:
        """A bracket of two numbers with its octant letters, perhaps after a distance or n."""
        *factor, bracket = parts
        assert isinstance(bracket, str)
        vectors = _oblique_vectors(str(bracket))
        if not factor:
            return nodes.Oblique(vectors, span=bracket.span)
        distance = _as_distance(factor[0])
        good = distance.steps != nodes.INVALID_STEPS
        span = distance.span.to(bracket.span)
        return nodes.Oblique(vectors if good else (), distance, span=span)

    def loop(
        self, factor: Token | nodes.Distance, terms: Sequence[nodes.HasinuTerm], closing: Token
    ) -> nodes.Loop:
        """A distance (or n) and a bracket."""
        times = _as_distance(factor)
        return nodes.Loop(times, _terms_as_one_node(terms), span=times.span.to(closing.span))

    def bracketed_terms(
        self, opening: Token, terms: Sequence[nodes.HasinuTerm], closing: Token
    ) -> nodes.Union:
        """Terms in round brackets."""
        return nodes.Union(tuple(terms), span=opening.span.to(closing.span))

    def call(self, name: Token, *rest: nodes.Argument | Token) -> nodes.Call:
        """A name and its arguments; empty slots have left nothing."""
        *arguments, closing = rest
        assert isinstance(closing, str)
        return nodes.Call(
            str(name),
            tuple(argument for argument in arguments if not isinstance(argument, str)),
            name_span=name.span,
            span=name.span.to(closing.span),
        )

    def move_argument(self, terms: Sequence[nodes.HasinuTerm]) -> nodes.HasinuTerm:
        """Terms as an argument."""
        return _terms_as_one_node(terms)

    def number_argument(self, token: Token) -> nodes.Number:
        """A number as an argument."""
        return nodes.Number(parse_number(token), span=token.span)

    def word_argument(self, token: Token) -> nodes.Name:
        """A bare word as an argument."""
        return nodes.Name(str(token), span=token.span)

    def optional_parameter(self, opening: Token, token: Token, closing: Token) -> nodes.Name:
        """An optional parameter of a declaration."""
        return nodes.Name(str(token), optional=True, span=opening.span.to(closing.span))

    def group(self, first: Token, *rest: Token | Sequence[nodes.HasinuTerm]) -> nodes.Group:
        """``group(f,g)(move)``."""
        return _make_group(first, rest, short=False)

    def short_group(self, first: Token, *rest: Token | Sequence[nodes.HasinuTerm]) -> nodes.Group:
        """``[f,g(move)]``."""
        return _make_group(first, rest, short=True)

    def embedded(self, token: Token) -> nodes.Embedded:
        """A run of Betza, which the reader fills in: here it is hidden."""
        return nodes.Embedded(Description((), "betza"), span=token.span)

    def text(self, token: Token) -> nodes.Text:
        """Plain words, without the mark that ended them and without outer blanks."""
        words = token[2:-1] if token[-1] in _PUNCTUATION else token[2:]
        start = token.span.start
        return nodes.Text(words.strip(" \t"), span=Span(start, start + len(token.rstrip())))

    def reported_mistake(self, token: Token) -> nodes.Union:
        """A mistake that has been reported: checks take it for anything."""
        return nodes.Union((), bracketed=False, span=token.span)


def _as_distance(factor: Token | nodes.Distance) -> nodes.Distance:
    """A distance, or n, which is a token."""
    if isinstance(factor, str):
        return nodes.Distance((), span=factor.span)
    return factor


def _terms_as_one_node(terms: Sequence[nodes.HasinuTerm]) -> nodes.HasinuTerm:
    """The terms of a bracket that belongs to a loop or a function, as one node."""
    if len(terms) == 1:
        return terms[0]
    return nodes.Union(tuple(terms), bracketed=False, span=terms[0].span.to(terms[-1].span))


def _make_group(
    first: Token, rest: tuple[Token | Sequence[nodes.HasinuTerm], ...], *, short: bool
) -> nodes.Group:
    *names, terms, closing = rest
    assert isinstance(closing, str)
    assert not isinstance(terms, str)
    words = tuple(nodes.Name(str(name), span=name.span) for name in names if isinstance(name, str))
    return nodes.Group(
        words, _terms_as_one_node(terms), short=short, span=first.span.to(closing.span)
    )
