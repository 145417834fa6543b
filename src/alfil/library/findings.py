"""What is found wrong in one piece file, collected."""

from __future__ import annotations

from alfil.errors import Finding, PieceFileError, Severity
from alfil.source import Source, Span

# More than this nobody reads; a file of noise has one for every line.
FINDING_LIMIT = 100


class Enough(Exception):
    """There are more errors than anybody reads; the rest of the file is not looked at."""


class Findings:
    """The findings of one file, in the order they were made.

    ``lost`` are the codes of pieces whose lines cannot be read: that is no reason to call every
    mention of them unknown. ``lost_rows`` tells that a row of a set-up was among these lines.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.found: list[Finding] = []
        self.lost: list[str] = []
        self.lost_rows = False
        self._errors = 0

    def add(
        self,
        kind: str,
        message: str,
        span: Span,
        hint: str = "",
        *,
        severity: Severity = "error",
    ) -> None:
        """Note one finding; `Enough` when that makes too many errors."""
        self.take(Finding(kind, message, (span,), hint, severity))

    def take(self, finding: Finding) -> None:
        """Note a finding that was made elsewhere."""
        self.found.append(finding)
        self._errors += finding.severity == "error"
        if self._errors >= FINDING_LIMIT:
            raise Enough

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
    """Something in a piece file means nothing; it never leaves the reader."""

    def __init__(self, finding: Finding) -> None:
        self.finding = finding
        super().__init__(finding.message)


def wrong(kind: str, message: str, span: Span, hint: str = "") -> Wrong:
    """What is to be raised for one finding."""
    return Wrong(Finding(kind, message, (span,), hint))
