"""What is found wrong in one piece file, collected."""

from __future__ import annotations

from alfil.errors import Finding, PieceFileError, Severity
from alfil.source import Source, Span

# More than this nobody reads; a file of noise has one for every line.
FINDING_LIMIT = 100


class Findings:
    """The findings of one file, in the order they were made.

    ``lost`` are the codes of pieces whose lines cannot be read: that is no reason to call every
    mention of them unknown.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Finding] = []
        self.lost: list[str] = []

    def add(
        self,
        kind: str,
        message: str,
        span: Span,
        hint: str = "",
        *,
        severity: Severity = "error",
    ) -> None:
        """Note one finding."""
        self.found.append(Finding(kind, message, (span,), hint, severity))

    @property
    def ordered(self) -> tuple[Finding, ...]:
        """Each finding once, in text order, not more than people read."""
        once = {(each.kind, each.spans, each.message): each for each in self.found}
        return tuple(sorted(once.values(), key=lambda each: each.spans[:1]))[:FINDING_LIMIT]

    def warnings(self) -> tuple[Finding, ...]:
        """The findings where none is an error; raises `PieceFileError` with all otherwise."""
        if any(each.severity == "error" for each in self.found):
            raise PieceFileError(self.ordered, self.source)
        return self.ordered


class Wrong(Exception):
    """Something in a piece file means nothing."""

    def __init__(self, kind: str, message: str, span: Span, hint: str = "") -> None:
        self.finding = Finding(kind, message, (span,), hint)
        super().__init__(message)
