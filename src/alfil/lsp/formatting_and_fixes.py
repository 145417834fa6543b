"""Changes that the server offers: the layout of `alfil fmt`, and what hints say to write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from lsprotocol import types

from alfil.errors import Diagnostic, PieceFileError
from alfil.library.file_report import check_file
from alfil.library.formatter import format_file
from alfil.lsp import diagnostics
from alfil.lsp.documents import Document
from alfil.notation.verified_hints import texts_with_offer
from alfil.source import Span

# So many ways to follow one hint are tried, and so many hints for one request.
MAX_EDITS_PER_HINT = 4
MAX_HINTS = 10
# Each try checks the whole file: so many characters are read for one request.
MAX_CHARACTERS_CHECKED = 250_000


def format_document(document: Document) -> list[types.TextEdit]:
    """The layout of `alfil fmt`, which compares what it says; nothing for a file with errors."""
    try:
        text = format_file(document.location)
    except PieceFileError:
        return []
    return _edit_replacing_document(document, text)


def _edit_replacing_document(document: Document, text: str) -> list[types.TextEdit]:
    """The edit that makes another text of this one, with its own line breaks."""
    if "\r\n" in document.text:
        text = text.replace("\n", "\r\n")
    if document.text == text:
        return []
    whole = types.Range(types.Position(0, 0), document.positions.end())
    return [types.TextEdit(whole, text)]


def code_actions(document: Document, selected_range: types.Range) -> list[types.CodeAction]:
    """What the hints at a place say to write, where that makes an error fewer."""
    if document.is_variants_ini:
        return []
    start, end = document.offset(selected_range.start), document.offset(selected_range.end)
    found = document.report().diagnostics
    errors = _count_errors(found)
    at_place = (
        each
        for each in found
        if each.spans and each.spans[0].start <= end and start <= each.spans[0].end
    )
    result = []
    tries = iter(range(1 + MAX_CHARACTERS_CHECKED // (len(document.text) + 1)))
    for each in islice(at_place, MAX_HINTS):
        for offer in dict.fromkeys(each.offered):
            edit = _verified_edit(document, each, offer, errors, tries)
            if edit:
                result.append(_code_action(document, each, offer, edit))
    if len(result) == 1:
        result[0].is_preferred = True
    return result


def _code_action(
    document: Document, diagnostic: Diagnostic, offer: str, edit: types.TextEdit
) -> types.CodeAction:
    return types.CodeAction(
        f"Write {offer}",
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostics.protocol_diagnostic(diagnostic, document)],
        edit=types.WorkspaceEdit({document.uri: [edit]}),
    )


def _verified_edit(
    document: Document, diagnostic: Diagnostic, offer: str, errors: int, tries: Iterator[int]
) -> types.TextEdit | None:
    """The edit that follows a hint, None where no way to do so makes fewer errors.

    Each way that is tried takes one of ``tries``, which all hints of a request have together.
    """
    source = document.location.source
    ways = islice(_candidate_edits(document, diagnostic, offer), MAX_EDITS_PER_HINT)
    for (span, written), _ in zip(ways, tries, strict=False):
        text = source.text[: span.start] + written + source.text[span.end :]
        changed = replace(document.location, source=replace(source, text=text))
        rest = check_file(changed).diagnostics
        gone = (diagnostic.kind, diagnostic.spans) not in {(each.kind, each.spans) for each in rest}
        if gone and _count_errors(rest) < errors + (diagnostic.severity != "error"):
            return types.TextEdit(document.positions.range(span), written)
    return None


def _count_errors(diagnostics: Iterable[Diagnostic]) -> int:
    return sum(each.severity == "error" for each in diagnostics)


def _candidate_edits(
    document: Document, diagnostic: Diagnostic, offer: str
) -> Iterator[tuple[Span, str]]:
    """The places of a line where an offer may stand, with the text there, the likeliest first."""
    span = diagnostic.spans[0]
    yield span, offer
    line, start = document.location.source.line_at(span.start)
    inner = span.shift(-start)
    for changed in texts_with_offer(line, Span(inner.start, min(inner.end, len(line))), offer):
        yield _minimal_replacement(line, changed, start)


def _minimal_replacement(line: str, changed: str, start: int) -> tuple[Span, str]:
    """The part of a line that changes, and what it becomes."""
    most = min(len(line), len(changed))
    before = next((at for at in range(most) if line[at] != changed[at]), most)
    most -= before
    after = next((at for at in range(most) if line[-1 - at] != changed[-1 - at]), most)
    return (Span(start + before, start + len(line) - after), changed[before : len(changed) - after])
