"""Reading Betza: text to tree, every character understood or reported."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from alfil.errors import Finding, NotationError
from alfil.notation.betza.builder import Builder, RawLeg, RawPart, RawPath, in_text
from alfil.notation.betza.chains import is_chain, read_chain
from alfil.notation.betza.dialects import CASTLING, UNIVERSAL, Dialect, dialect_called
from alfil.notation.betza.legs import (
    first_directions,
    read_atom,
    read_letters,
    read_range,
)
from alfil.notation.betza.moving import moved
from alfil.notation.betza.nodes import BetzaTerm, Leg
from alfil.notation.betza.paths import read_path
from alfil.notation.betza.report import Report
from alfil.notation.betza.room import (
    check_castling,
    check_forward,
    check_only_leg,
    check_universal,
)
from alfil.notation.nodes import Description
from alfil.notation.parsing import Draft, Parser, ShapeError, recovered
from alfil.source import Source, Span

LONGEST = 10_000
# A letter that no dialect reads, of the kind that the grammar takes for a modifier.
STAND_IN = "w"
LONE_T = re.compile(r"t(?!\[)")
MOST_FINDINGS = 20
# Parts without findings, by their text and dialect; longer ones are not worth keeping.
PARTS_KEPT = 4096
PART_LENGTH = 64
_parts: dict[tuple[str, str], BetzaTerm] = {}


def read_betza(
    source: Source, dialect: str = "betza", within: Span | None = None
) -> tuple[Description, tuple[Finding, ...]]:
    """The tree of a Betza text, and the warnings.

    ``within`` reads only that part of the text; spans count in the whole text all the same. White
    space around the text means nothing. Raises `NotationError` with everything found wrong, in the
    order of the text, and `AlfilError` for a dialect nobody knows.

    >>> read_betza(Source("fW"))[0].terms[0].vectors
    ((0, 1),)
    """
    spoken = dialect_called(dialect)
    whole = within or Span(0, len(source.text))
    text = source.text[whole.start : whole.end]
    if len(text) > LONGEST:
        message = f"longer than {LONGEST} characters"
        span = Span(whole.start + LONGEST, whole.end)
        finding = Finding("too-long", message, (span,), "read it piece by piece")
        raise NotationError([finding], source)
    offset = whole.start + len(text) - len(text.lstrip())
    report = Report(spoken, offset)
    terms = _terms(text.strip(), report)
    findings = _in_order(report.findings)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        from alfil.notation.betza.hints import verified  # what good texts never need

        told = [
            verified(each, lambda hint: _reads(hint, spoken)) for each in errors[:MOST_FINDINGS]
        ]
        raise NotationError(told, source)
    return Description(terms, "betza", dialect, span=whole), tuple(findings)


def _reads(text: str, dialect: Dialect) -> bool:
    """Whether a text is free of errors."""
    report = Report(dialect)
    try:
        raw = _parser().parse(text)
    except ShapeError:
        return False
    for index, part in enumerate(raw):
        _part(part, raw[index - 1] if index else None, text, report)
    return all(finding.severity != "error" for finding in report.findings)


def _in_order(findings: Sequence[Finding]) -> list[Finding]:
    """Each finding once, in the order of the text."""
    if len(findings) > 1:
        once = {(finding.kind, finding.spans): finding for finding in findings}
        return sorted(once.values(), key=lambda finding: finding.spans)
    return list(findings)


@cache
def _parser() -> Parser[tuple[RawPart, ...]]:
    return Parser("betza", Builder(), "piece")


def _terms(text: str, report: Report) -> tuple[BetzaTerm, ...]:
    """The parts of a text; where its shape is wrong, of what is left without the mistakes."""
    if not text:
        return ()
    try:
        raw = _parsed(text, report.dialect)
    except ShapeError as wrong:
        _repaired(text, wrong, report)
        return ()
    terms: list[BetzaTerm] = []
    for index, part in enumerate(raw):
        term = _part(part, raw[index - 1] if index else None, text, report)
        if term is not None:
            terms.append(term)
    if report.dialect.program and all(each.severity != "error" for each in report.findings):
        from alfil.notation.betza.limits import check_together

        check_together(terms, report)
    return tuple(terms)


def _parsed(text: str, dialect: Dialect) -> tuple[RawPart, ...]:
    """The raw parts of a text. Where t is a letter like others, another one stands in for it."""
    if "t" not in text or "t" not in dialect.modes:
        return _parser().parse(text)
    return tuple(in_text(part, text) for part in _parser().parse(LONE_T.sub(STAND_IN, text)))


def _repaired(text: str, wrong: ShapeError, report: Report) -> None:
    """Report a mistake in the shape, cut it out, and look for more in what is left."""
    from alfil.notation.betza.mistakes import diagnose  # what good texts never need

    def told(draft: Draft, error: ShapeError) -> tuple[Finding, Draft]:
        mistake = diagnose(draft.text, error)
        return mistake.finding, draft.without(mistake.cut, torn=mistake.torn)

    whole = Draft(text, range(report.offset, report.offset + len(text) + 1))
    raw, draft, findings = recovered(
        lambda rest: _parsed(rest, report.dialect), whole, wrong, told, MOST_FINDINGS
    )
    report.findings += findings
    inner = Report(report.dialect)
    for before, part in zip((None, *(raw or ())), raw or (), strict=False):
        if not draft.damaged(Span(part.start, part.end)):
            _part(part, before, draft.text, inner)
    report.findings += map(draft.located, inner.findings)


def _part(raw: RawPart, before: RawPart | None, text: str, report: Report) -> BetzaTerm | None:
    """One part with its sense. Pieces share most of their parts, so the latest ones are kept."""
    _check_neighbour(raw, before, report)
    key = (text[raw.start : raw.end], report.dialect.name)
    place = raw.start + report.offset
    known = _parts.get(key)
    if known is not None:
        return known if known.span.start == place else moved(known, place - known.span.start)
    count = len(report.findings)
    report.part = key[0]
    term = read_path(raw, report) if isinstance(raw, RawPath) else _single(raw, report)
    if term is not None and len(report.findings) == count and len(key[0]) <= PART_LENGTH:
        if len(_parts) >= PARTS_KEPT:
            _parts.clear()
        _parts[key] = term
    return term


def _check_neighbour(raw: RawPart, before: RawPart | None, report: Report) -> None:
    """Note what is wrong with a part only because of the one before it."""
    if before is None:
        return
    if isinstance(raw, RawPath):
        after_atom = isinstance(before, RawLeg) or before.form == "t"
        if raw.form == "t[]" and not raw.prefix and after_atom:
            opening = report.span(raw.opening.start, raw.opening.start + 1)
            hint = "write t[RB]F to join them, or put t[RB] first"
            report.add("misplaced-t", "t joins the atom before it or the bracket", opening, hint)
    elif _doubles(raw, before):
        span = report.span(raw.atom.start, raw.atom.end)
        hint = f"a rider is {raw.atom.text}0"
        report.add("doubled-vector", "numbers are not doubled", span, hint)


def _single(raw: RawLeg, report: Report) -> BetzaTerm | None:
    """A part with one atom."""
    atom = read_atom(raw, report)
    if atom is None:
        _letters_alone(raw, report)
        return None
    reach = read_range(raw, atom, report)
    span = report.span(raw.start, raw.end)
    if is_chain(raw):
        return read_chain(raw, atom, reach, report, span)
    text = raw.modifiers[0].text if raw.modifiers else ""
    letters = read_letters(text, raw.start, report)
    tokens, vectors = first_directions(letters, atom, report)
    if atom.written == CASTLING:
        check_castling(letters, reach, report, atom.span)
        vectors = vectors or ((-1, 0), (1, 0))
    elif atom.written == UNIVERSAL:
        check_universal(letters, reach, report)
    else:
        check_only_leg(letters, atom, reach, report)
        if report.dialect.program:
            from alfil.notation.betza.limits import check_leg

            check_leg(letters, atom, reach, report)
        check_forward(vectors, reach, report)
    modifiers = letters._replace(tokens=tokens).node()
    return Leg(modifiers, atom, reach, vectors, None, span=span)


def _doubles(raw: RawLeg, before: RawPart | None) -> bool:
    """Whether a vector is written twice, as riders are not."""
    if raw.atom.text[0] != "(" or raw.modifiers or not isinstance(before, RawLeg):
        return False
    return before.atom.text == raw.atom.text and before.range is None


def _letters_alone(raw: RawLeg, report: Report) -> None:
    """What can be said of a leg's letters when its atom is unknown."""
    for piece in raw.modifiers:
        if piece.text[0] != "(" and "a" not in piece.text:
            read_letters(piece.text, piece.start, report)
