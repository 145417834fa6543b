"""Reading Betza: text to tree, every character understood or reported.

The grammar gives the tree its shape; then one pass of checks notes what means nothing
(`alfil.notation.betza.semantic_checks`), and in the dialect of a program another one what it gets
wrong (`alfil.notation.betza.program_quirks`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, lru_cache, partial

from alfil.errors import Diagnostic, NotationError, reject
from alfil.node_trees import shift_spans
from alfil.notation.betza.letters import DIALECTS, Dialect, dialect_by_name
from alfil.notation.betza.nodes import BetzaTerm
from alfil.notation.betza.semantic_checks import PartReport, check_part, is_atom_with_directions
from alfil.notation.betza.tree_builder import Builder
from alfil.notation.description import Description
from alfil.notation.parsing import (
    MOST_DIAGNOSTICS,
    GrammarError,
    Parser,
    TextUnderRepair,
    parse_with_recovery,
    unique_sorted_diagnostics,
)
from alfil.source import Source, Span

MAX_TEXT_LENGTH = 10_000
# Pieces share most of their parts: those in which nothing was found, by their text and dialect.
# Longer ones are not worth keeping.
MAX_CACHED_PARTS = 4096
MAX_CACHED_PART_LENGTH = 64
_valid_parts: set[tuple[str, str]] = set()
# Whole texts like that, as they were read.
_parsed_parts: dict[tuple[str, str], tuple[BetzaTerm, ...]] = {}

Terms = tuple[BetzaTerm, ...]


def read_betza(
    source: Source, dialect: str = "betza", within: Span | None = None, *, try_hints: bool = True
) -> tuple[Description, tuple[Diagnostic, ...]]:
    """The tree of a Betza text, and the warnings.

    ``within`` reads only that part of the text; spans count in the whole text all the same. White
    space around the text means nothing. Without ``try_hints`` no hint is tried. Raises
    `NotationError` with everything found wrong, in the order of the text, and `AlfilError` for a
    dialect nobody knows.

    >>> read_betza(Source("fW"))[0].terms[0].vectors
    ((0, 1),)
    """
    spoken = dialect_by_name(dialect)
    whole = within or Span(0, len(source.text))
    text = source.text[whole.start : whole.end]
    if len(text) > MAX_TEXT_LENGTH:
        span = Span(whole.start + MAX_TEXT_LENGTH, whole.end)
        message = f"longer than {MAX_TEXT_LENGTH} characters"
        reject(NotationError, "too-long", message, source, span, "read it piece by piece")
    inner = text.strip()
    offset = whole.start
    if len(inner) < len(text):
        offset += len(text) - len(text.lstrip())
    terms, diagnostics = _parts_and_diagnostics(inner, spoken)
    errors = [each for each in diagnostics if each.severity == "error"][:MOST_DIAGNOSTICS]
    if errors:
        errors_told = _with_verified_hints(errors, inner, spoken) if try_hints else errors
        raise NotationError([each.shift(offset) for each in errors_told], source)
    if offset:
        terms = tuple(shift_spans(term, offset) for term in terms)
        diagnostics = [each.shift(offset) for each in diagnostics]
    if any(each.offers for each in diagnostics):
        diagnostics = [_without_unreadable_hint(each, dialect) for each in diagnostics]
    return Description(terms, "betza", dialect, span=whole), tuple(diagnostics)


def _with_verified_hints(errors: list[Diagnostic], text: str, dialect: Dialect) -> list[Diagnostic]:
    """The errors of a text with hints that were tried."""
    from alfil.notation.betza.syntax_mistakes import (
        with_verified_hint,  # what good texts never need
    )

    def result(changed: str) -> list[Diagnostic]:
        return _find_errors(changed.strip(), dialect.name)

    return [with_verified_hint(each, text, result) for each in errors]


def _without_unreadable_hint(warning: Diagnostic, dialect: str) -> Diagnostic:
    """A warning, without a hint that offers what the dialect cannot read."""
    letters = all(offer.isalpha() and offer.islower() for offer in warning.offered)
    if letters or not any(_find_errors(offer, dialect) for offer in warning.offered):
        return warning
    return replace(warning, hint="", offers=())


@lru_cache(maxsize=MAX_CACHED_PARTS)
def _find_errors(text: str, dialect: str) -> list[Diagnostic]:
    """The errors of a text; hints offer the same few texts again and again."""
    _, diagnostics = _parts_and_diagnostics(text, DIALECTS[dialect])
    return [each for each in diagnostics if each.severity == "error"][:MOST_DIAGNOSTICS]


def _parts_and_diagnostics(text: str, dialect: Dialect) -> tuple[Terms, list[Diagnostic]]:
    """The parts of a text, and what was found in them, each once and in the order of the text."""
    if "styled" in dialect.constructs:
        from alfil.notation.betza.dialect_extensions import PLAIN_CHARACTERS  # few dialects need it

        text = text.translate(PLAIN_CHARACTERS)
    known = _parsed_parts.get((text, dialect.name))
    if known is not None or not text:
        return known or (), []
    try:
        terms = _parse(text, dialect)
    except GrammarError as wrong:
        terms, diagnostics = (), _diagnostics_after_recovery(text, wrong, dialect)
    else:
        alone = len(terms) == 1 and not dialect.program
        simple = alone and is_atom_with_directions(terms[0], dialect)
        diagnostics = (
            []
            if simple
            else _part_diagnostics(terms, text, dialect, None, partial(_is_valid, text))
        )
    if len(diagnostics) > 1:
        diagnostics = unique_sorted_diagnostics(diagnostics)
    if not diagnostics and len(text) <= MAX_CACHED_PART_LENGTH:
        if len(_parsed_parts) >= MAX_CACHED_PARTS:
            _parsed_parts.clear()
        _parsed_parts[text, dialect.name] = terms
    return terms, diagnostics


@lru_cache(maxsize=MAX_CACHED_PARTS)
def _is_valid(text: str, dialect: str) -> bool:
    """Whether a text is free of errors; hints offer the same few again and again."""
    spoken = DIALECTS[dialect]
    try:
        terms = _parse(text, spoken)
    except GrammarError:
        return False
    return all(
        diagnostic.severity != "error"
        for diagnostic in _part_diagnostics(terms, text, spoken, most_errors=1)
    )


def _part_diagnostics(
    terms: Terms,
    text: str,
    dialect: Dialect,
    draft: TextUnderRepair | None = None,
    dialect_reads_text: Callable[[str], bool] = lambda _: False,
    most_errors: int = MOST_DIAGNOSTICS,
) -> list[Diagnostic]:
    """What is found in the parts of a text; of a draft only in those that were written so.

    Hints name another dialect where ``dialect_reads_text`` says that it reads the text. Parts
    behind the last error that is asked for are not looked at: what is wrong there comes behind it.
    """
    report = PartReport(dialect, text, dialect_reads_text)
    fresh: list[tuple[tuple[str, str], BetzaTerm]] = []
    before = None
    for term in _terms_until_errors(terms, report, most_errors):
        if draft is None or not draft.is_damaged(term.span):
            start, end = term.span
            key = text[start:end], dialect.name
            known = key in _valid_parts
            check_part(term, before, report, known_good=known)
            if not known:
                fresh.append((key, term))
        before = term
    if dialect.program:
        from alfil.notation.betza.program_quirks import check_interacting_parts, check_quirks

        check_quirks([term for _, term in fresh], report)
        if draft is None and not report.error_count():
            check_interacting_parts(terms, report)
    if not report.diagnostics:
        if len(_valid_parts) >= MAX_CACHED_PARTS:
            _valid_parts.clear()
        _valid_parts.update([key for key, _ in fresh if len(key[0]) <= MAX_CACHED_PART_LENGTH])
    return report.diagnostics


def _terms_until_errors(terms: Terms, report: PartReport, most: int) -> Iterator[BetzaTerm]:
    """The terms as long as the report has fewer errors; its reader adds those of each term."""
    errors: set[tuple[str, tuple[Span, ...]]] = set()
    for term in terms:
        if len(errors) >= most:
            break
        before = len(report.diagnostics)
        yield term
        new = report.diagnostics[before:]
        errors.update((each.kind, each.spans) for each in new if each.severity == "error")


def _diagnostics_after_recovery(
    text: str, wrong: GrammarError, dialect: Dialect
) -> list[Diagnostic]:
    """A mistake in the shape, and what is found in a text without it."""
    from alfil.notation.betza.syntax_mistakes import (
        diagnose_syntax_mistake,  # what good texts never need
    )

    def errors_told(
        draft: TextUnderRepair, error: GrammarError
    ) -> tuple[Diagnostic, TextUnderRepair]:
        mistake = diagnose_syntax_mistake(draft.text, error, groups=dialect.start == "taikyoku")
        return mistake.diagnostic, draft.without_part(mistake.cut, torn=mistake.torn)

    whole = TextUnderRepair(text, range(len(text) + 1))
    terms, draft, diagnostics = parse_with_recovery(
        lambda rest: _parse(rest, dialect), whole, wrong, errors_told
    )
    inner = _part_diagnostics(terms or (), draft.text, dialect, draft, partial(_is_valid, text))
    return [*diagnostics, *map(draft.diagnostic_in_original, inner)]


def _parse(text: str, dialect: Dialect) -> Terms:
    return _parser(dialect.name).parse(text)


@cache
def _parser(dialect: str) -> Parser[Terms]:
    spoken = DIALECTS[dialect]
    if spoken.start in {"piece", "lettered"}:
        return Parser("betza", Builder(spoken), spoken.start)
    from alfil.notation.betza.dialect_extensions import DialectTreeBuilder

    return Parser("betza", DialectTreeBuilder(spoken), spoken.start)
