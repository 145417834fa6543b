"""Findings as a reader makes them, in the places and words of the text that is read."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from alfil.errors import Finding, Severity
from alfil.notation.betza.dialects import Dialect, elsewhere
from alfil.source import Span

# Constructs that begin with a sign, not a letter; XBoard gives up there.
GIVEN_UP = frozenset({"bracket", "vector", "repeat"})
DIGITS = re.compile(r"(?<![A-Z])[0-9]+")


@dataclass(slots=True)
class Report:
    """Findings as they are made; offsets count in the text that was parsed, plus ``offset``.

    ``part`` is the text of the part that is being read.
    """

    dialect: Dialect
    offset: int = 0
    findings: list[Finding] = field(default_factory=list)
    part: str = ""

    def span(self, start: int, end: int) -> Span:
        """A span in the whole text."""
        return Span(start + self.offset, end + self.offset)

    def add(
        self, kind: str, message: str, span: Span, hint: str = "", severity: Severity = "error"
    ) -> None:
        """Note a finding."""
        self.findings.append(Finding(kind, message, (span,), hint, severity))

    def has(self, span: Span) -> bool:
        """Whether something has been found at this very place."""
        return any(finding.spans == (span,) for finding in self.findings)

    def drop(self, span: Span) -> None:
        """Forget what was found inside a stretch that is to be reported as a whole."""
        self.findings = [
            each
            for each in self.findings
            if not (span.start <= each.spans[0].start and each.spans[0].end <= span.end)
        ]

    def missing(self, what: str, construct: str, span: Span, hint: str = "") -> None:
        """Note that the dialect does not have something another one has."""
        where = elsewhere(construct, self.dialect)
        told = [hint] if hint else []
        if self.dialect.program:
            told.append(f"{self.dialect.program} {self.skipping(construct)}")
        if where:
            told.append(f"the dialect {where} reads it")
        message = f"{self.dialect.name} has no {what}"
        self.findings.append(Finding("not-in-dialect", message, (span,), "; ".join(told)))

    def skipping(self, sign: str) -> str:
        """What the dialect's program does with a part that has a sign it does not know."""
        dialect = self.dialect
        passes = "skips" in dialect.habits or (sign.islower() and sign not in GIVEN_UP)
        known = {*dialect.atoms, *dialect.modes, *"fblrvsh0123456789"}
        left = "".join(letter for letter in self.part if letter in known) if passes else ""
        left = DIGITS.sub("", left)
        return f"would read {left}" if left else "makes no moves of it"
