"""Ħasínū in, a tree out: `read_hasinu`.

The tree keeps the order and the structure of the text. What is only layout gets the writer's form:
directions, octants and the numbers of an oblique in their usual order, angles in degrees, short
flags, no defaults, ``i`` for ``rifle``, no difference between ``&`` and a blank between obliques.
So what is written and read again is the same tree; the spans still show the user's own text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from alfil.errors import Finding, NotationError
from alfil.notation.betza.reader import read_betza
from alfil.notation.hasinu.builder import Builder
from alfil.notation.hasinu.checks import check
from alfil.notation.hasinu.diagnosis import Broken, diagnose, shown
from alfil.notation.hasinu.legs import misplaced
from alfil.notation.hasinu.lints import lint
from alfil.notation.hasinu.nodes import Embedded
from alfil.notation.hasinu.repair import cut
from alfil.notation.hasinu.scan import FINDING_LIMIT, Scan, scan
from alfil.notation.hasinu.signatures import short
from alfil.notation.hasinu.walk import changed
from alfil.notation.nodes import Description, Term
from alfil.notation.parsing import Draft, Parser, ShapeError, recovered
from alfil.source import Source, Span


def read_hasinu(
    source: Source, dialect: str = "betza", *, lenient: bool = False
) -> tuple[Description, tuple[Finding, ...]]:
    """The piece that a text in Ħasínū describes, and warnings about the text.

    ``dialect`` is that of embedded Betza. With ``lenient`` one asterisk at the very end is dropped
    with a warning. Raises NotationError with every error found, in text order, at most 20.
    Function names are not looked up here; see `alfil.notation.hasinu.resolve`.
    """
    scanned = scan(source.text, lenient=lenient)
    findings = scanned.findings
    if scanned.fatal:
        raise NotationError(_sorted(findings), source)
    tree, mistakes = _tree(scanned, source.text)
    findings += mistakes
    terms = tree.terms
    if scanned.runs:
        terms = _filled(terms, source, dialect, findings)
    findings += check(terms, source.text)
    findings += misplaced(terms, source.text)
    if any(finding.severity == "error" for finding in findings):
        errors = [finding for finding in findings if finding.severity == "error"]
        raise NotationError(_sorted(errors), source)
    findings += lint(terms)
    if "(" in source.text:
        terms = changed(terms, short)
    span = Span(0, len(source.text))
    return Description(terms, "hasinu", span=span), _sorted(findings)


@cache
def _parser() -> Parser[Description]:
    return Parser("hasinu", Builder(), "description")


def _tree(scanned: Scan, text: str) -> tuple[Description, list[Finding]]:
    """The tree of a scanned text, with holes where the mistakes were."""

    def told(draft: Draft, error: ShapeError) -> tuple[Finding | None, Draft]:
        plain = shown(draft.text, text, scanned.runs)
        finding, repaired = diagnose(Broken(draft.text, plain, error.start, _parser()))
        rest, fresh = cut(draft.text, error.start)
        following = rest if repaired == draft.text else repaired
        return finding if fresh else None, draft._replace(text=following)

    try:
        return _parser().parse(scanned.ready), []
    except ShapeError as wrong:
        whole = Draft(scanned.ready, range(len(text) + 1))
        tree, _, findings = recovered(_parser().parse, whole, wrong, told, FINDING_LIMIT)
        return tree or Description((), "hasinu"), findings


def _filled(
    terms: Sequence[Term], source: Source, dialect: str, findings: list[Finding]
) -> tuple[Term, ...]:
    """The terms with embedded Betza read; what is wrong with it joins the findings."""

    def fill(term: Term) -> Term:
        if not isinstance(term, Embedded):
            return term
        run = Span(term.span.start + 1, term.span.end)
        try:
            betza, warnings = read_betza(source, dialect, within=run)
        except NotationError as error:
            findings.extend(_embedded(finding, source.text, run) for finding in error.findings)
            return term
        findings.extend(warnings)
        return Embedded(betza, span=term.span)

    return changed(terms, fill)


def _embedded(finding: Finding, text: str, run: Span) -> Finding:
    """What is wrong with embedded Betza; two runs that touch are two terms."""
    (start, end), *_ = finding.spans
    if finding.kind != "unknown-symbol" or text[start:end] != "\\":
        return finding
    hint = f"put & between: {text[run.start - 1 : start]} & {text[start : run.end]}"
    return Finding("missing-ampersand", "& is missing between two moves", finding.spans, hint)


def _sorted(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Each finding once, in text order, not more than people read."""
    once = {(finding.kind, finding.spans): finding for finding in findings}
    ordered = sorted(once.values(), key=lambda finding: finding.spans[:1])
    return tuple(ordered[:FINDING_LIMIT])
