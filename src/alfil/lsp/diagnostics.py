"""What `alfil check` finds, as an editor shows it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata

from lsprotocol import types
from pygls.uris import from_fs_path

from alfil.data_files import data_path
from alfil.error_catalogue import explanations_by_kind
from alfil.errors import Diagnostic
from alfil.exchange.ini_diagnostics import check_ini
from alfil.lsp.documents import Document
from alfil.source import NOWHERE

SEVERITIES = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "note": types.DiagnosticSeverity.Information,
}


def document_diagnostics(document: Document) -> tuple[Diagnostic, ...]:
    """The diagnostics of a piece file, or of a file of variants of Fairy-Stockfish."""
    if document.is_variants_ini:
        return check_ini(document.text)
    return document.report().diagnostics


def protocol_diagnostics(document: Document) -> list[types.Diagnostic]:
    """The diagnostics as the protocol has them."""
    return [protocol_diagnostic(each, document) for each in document_diagnostics(document)]


def protocol_diagnostic(diagnostic: Diagnostic, document: Document) -> types.Diagnostic:
    """One diagnostic; its kind is the code, and leads to its page."""
    first, *others = diagnostic.spans or (NOWHERE,)
    hint = f"\nhint: {diagnostic.hint}" if diagnostic.hint else ""
    address = error_page_url(diagnostic.kind)
    return types.Diagnostic(
        range=document.positions.range(first),
        message=f"{diagnostic.message}{hint}",
        severity=SEVERITIES[diagnostic.severity],
        code=diagnostic.kind,
        code_description=types.CodeDescription(href=address) if address else None,
        source="alfil",
        related_information=[
            types.DiagnosticRelatedInformation(
                types.Location(document.uri, document.positions.range(span)), "here too"
            )
            for span in others
        ],
    )


@cache
def error_page_url(kind: str) -> str:
    """Where a kind of error is explained: on the site, or while it has no address in the package.

    Empty for a kind without an entry.
    """
    entry = explanations_by_kind().get(kind)
    if entry is None:
        return ""
    site = _documentation_url()
    if site:
        return f"{site}errors/{entry.group}/#{kind}"
    path = from_fs_path(data_path("data/errors", f"{entry.group}.md"))
    return f"{path}#{kind}" if path else ""


def _documentation_url() -> str:
    """The address of the site, empty while the project has none (CONTRIBUTING.md)."""
    try:
        addresses: Iterable[str] = metadata("alfil").get_all("Project-URL") or ()
    except PackageNotFoundError:
        return ""
    for each in addresses:
        name, _, address = each.partition(", ")
        if name == "Documentation" and ".example/" not in address:
            return f"{address.rstrip('/')}/"
    return ""
