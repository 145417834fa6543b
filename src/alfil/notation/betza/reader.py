"""Reading Betza: text to tree, every character understood or reported.

The grammar gives the tree its shape; then one pass of checks notes what means nothing
(`alfil.notation.betza.checks`), and in the dialect of a program another one what it gets wrong
(`alfil.notation.betza.habits`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache, partial

from alfil.errors import Finding, NotationError, refuse
from alfil.notation.betza.builder import Builder
from alfil.notation.betza.checks import Report, check_part, is_simple
from alfil.notation.betza.letters import DIALECTS, Dialect, dialect_called
from alfil.notation.betza.nodes import BetzaTerm
from alfil.notation.nodes import Description
from alfil.notation.parsing import (
    MOST_FINDINGS,
    Draft,
    Parser,
    ShapeError,
    ordered,
    recovered,
)
from alfil.source import Source, Span
from alfil.trees import moved

LONGEST = 10_000
# Pieces share most of their parts: those in which nothing was found, by their text and dialect.
# Longer ones are not worth keeping.
PARTS_KEPT = 4096
PART_LENGTH = 64
_good: set[tuple[str, str]] = set()
# Whole texts like that, as they were read.
_texts: dict[tuple[str, str], tuple[BetzaTerm, ...]] = {}

Terms = tuple[BetzaTerm, ...]


def read_betza(
    source: Source, dialect: str = "betza", within: Span | None = None, *, advise: bool = True
) -> tuple[Description, tuple[Finding, ...]]:
    """The tree of a Betza text, and the warnings.

    ``within`` reads only that part of the text; spans count in the whole text all the same. White
    space around the text means nothing. Without ``advise`` no hint is tried. Raises `NotationError`
    with everything found wrong, in the order of the text, and `AlfilError` for a dialect nobody
    knows.

    >>> read_betza(Source("fW"))[0].terms[0].vectors
    ((0, 1),)
    """
    spoken = dialect_called(dialect)
    whole = within or Span(0, len(source.text))
    text = source.text[whole.start : whole.end]
    if len(text) > LONGEST:
        span = Span(whole.start + LONGEST, whole.end)
        message = f"longer than {LONGEST} characters"
        refuse(NotationError, "too-long", message, source, span, "read it piece by piece")
    inner = text.strip()
    offset = whole.start
    if len(inner) < len(text):
        offset += len(text) - len(text.lstrip())
    terms, findings = _understood(inner, spoken)
    errors = [each for each in findings if each.severity == "error"][:MOST_FINDINGS]
    if errors:
        told = _advised(errors, inner, spoken) if advise else errors
        raise NotationError([each.shift(offset) for each in told], source)
    if offset:
        terms = tuple(moved(term, offset) for term in terms)
        findings = [each.shift(offset) for each in findings]
    return Description(terms, "betza", dialect, span=whole), tuple(findings)


def _advised(errors: list[Finding], text: str, dialect: Dialect) -> list[Finding]:
    """The errors of a text with hints that were tried."""
    from alfil.notation.betza.mistakes import advised  # what good texts never need

    def found(changed: str) -> list[Finding]:
        return _errors(changed.strip(), dialect.name)

    return [advised(each, text, found) for each in errors]


@lru_cache(maxsize=PARTS_KEPT)
def _errors(text: str, dialect: str) -> list[Finding]:
    """The errors of a text; hints offer the same few texts again and again."""
    _, findings = _understood(text, DIALECTS[dialect])
    return [each for each in findings if each.severity == "error"]


def _understood(text: str, dialect: Dialect) -> tuple[Terms, list[Finding]]:
    """The parts of a text, and what was found in them, each once and in the order of the text."""
    if "styled" in dialect.constructs:
        from alfil.notation.betza.lists import UNSTYLED  # few dialects need it

        text = text.translate(UNSTYLED)
    known = _texts.get((text, dialect.name))
    if known is not None or not text:
        return known or (), []
    try:
        terms = _parsed(text, dialect)
    except ShapeError as wrong:
        terms, findings = (), _repaired(text, wrong, dialect)
    else:
        alone = len(terms) == 1 and not dialect.program
        simple = alone and is_simple(terms[0], dialect)
        findings = [] if simple else _judged(terms, text, dialect, None, partial(_reads, text))
    if len(findings) > 1:
        findings = ordered(findings)
    if not findings and len(text) <= PART_LENGTH:
        if len(_texts) >= PARTS_KEPT:
            _texts.clear()
        _texts[text, dialect.name] = terms
    return terms, findings


@lru_cache(maxsize=PARTS_KEPT)
def _reads(text: str, dialect: str) -> bool:
    """Whether a text is free of errors; hints offer the same few again and again."""
    spoken = DIALECTS[dialect]
    try:
        terms = _parsed(text, spoken)
    except ShapeError:
        return False
    return all(finding.severity != "error" for finding in _judged(terms, text, spoken))


def _judged(
    terms: Terms,
    text: str,
    dialect: Dialect,
    draft: Draft | None = None,
    reads: Callable[[str], bool] = lambda _: False,
) -> list[Finding]:
    """What is found in the parts of a text; of a draft only in those that were written so.

    Hints name another dialect where ``reads`` says that it reads the text.
    """
    report = Report(dialect, text, reads)
    fresh: list[tuple[tuple[str, str], BetzaTerm]] = []
    before = None
    for term in terms:
        if draft is None or not draft.damaged(term.span):
            start, end = term.span
            key = text[start:end], dialect.name
            known = key in _good
            check_part(term, before, report, known=known)
            if not known:
                fresh.append((key, term))
        before = term
    if dialect.program:
        from alfil.notation.betza.habits import check_habits, check_together

        check_habits([term for _, term in fresh], report)
        if draft is None and not report.errors():
            check_together(terms, report)
    if not report.findings:
        if len(_good) >= PARTS_KEPT:
            _good.clear()
        _good.update([key for key, _ in fresh if len(key[0]) <= PART_LENGTH])
    return report.findings


def _repaired(text: str, wrong: ShapeError, dialect: Dialect) -> list[Finding]:
    """A mistake in the shape, and what is found in a text without it."""
    from alfil.notation.betza.mistakes import diagnose  # what good texts never need

    def told(draft: Draft, error: ShapeError) -> tuple[Finding, Draft]:
        mistake = diagnose(draft.text, error, groups=dialect.start == "listed")
        return mistake.finding, draft.without(mistake.cut, torn=mistake.torn)

    whole = Draft(text, range(len(text) + 1))
    terms, draft, findings = recovered(lambda rest: _parsed(rest, dialect), whole, wrong, told)
    inner = _judged(terms or (), draft.text, dialect, draft, partial(_reads, text))
    return [*findings, *map(draft.located, inner)]


def _parsed(text: str, dialect: Dialect) -> Terms:
    return _parser(dialect.name).parse(text)


@cache
def _parser(dialect: str) -> Parser[Terms]:
    spoken = DIALECTS[dialect]
    if spoken.start in {"piece", "lettered"}:
        return Parser("betza", Builder(spoken), spoken.start)
    from alfil.notation.betza.lists import FurtherBuilder

    return Parser("betza", FurtherBuilder(spoken), spoken.start)
