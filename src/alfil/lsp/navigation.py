"""Where names are defined and mentioned, what a file has in it, and other names for pieces."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types
from pygls.exceptions import JsonRpcInvalidParams

from alfil.library.field_parsers import check_code
from alfil.library.file_locations import FileLocation
from alfil.library.outline import Definition, NameOccurrence, find_definition, included_file
from alfil.library.piece_file import unpromoted_code
from alfil.library.statements import BLANK_CHARACTERS, Diagnostics, Text
from alfil.lsp.documents import Document
from alfil.source import Source, Span

SYMBOL_KINDS = {
    "game": types.SymbolKind.Module,
    "board": types.SymbolKind.Array,
    "region": types.SymbolKind.Namespace,
    "define": types.SymbolKind.Function,
    "piece": types.SymbolKind.Class,
    "setup": types.SymbolKind.Object,
}
# These would end a word of a piece file, or begin something else.
CHARACTERS_NOT_IN_NAMES = frozenset('"#=|' + BLANK_CHARACTERS)


def document_symbols(document: Document) -> list[types.DocumentSymbol]:
    """The game, board, regions, functions, pieces and starting positions of a file."""
    result = []
    for line in document.outline.lines:
        statement = line.statement
        if statement and statement.keyword in SYMBOL_KINDS:
            word = statement.words[0] if statement.words else Text(statement.keyword, line.span)
            detail = " ".join(each.value for each in statement.texts)
            whole, place = map(document.positions.range, (line.span, word.span))
            kind = SYMBOL_KINDS[statement.keyword]
            name = word.value.strip() or statement.keyword
            result.append(types.DocumentSymbol(name, kind, whole, place, detail or None))
    return result


def definition_at(document: Document, position: types.Position) -> types.Location | None:
    """Where the name at a place is defined; of an included file its beginning."""
    name = document.outline.name_at(document.offset(position))
    if name is None:
        return None
    if name.kind == "file":
        location = included_file(name.statement, document.location)
        if location is None:
            return None
        start = types.Position(0, 0)
        return types.Location(document.document_at(location).uri, types.Range(start, start))
    definition = _definition_of(name, document.location)
    return (
        _location_of_span(document, definition.location, definition.name.span)
        if definition
        else None
    )


def _definition_of(name: NameOccurrence, location: FileLocation) -> Definition | None:
    """The definition of a name; what an include selects is defined in the file it names."""
    if name.statement.keyword == "include":
        included = included_file(name.statement, location)
        return find_definition(included, name.kind, name.text) if included else None
    return find_definition(location, name.kind, name.text)


def _location_of_span(document: Document, location: FileLocation, span: Span) -> types.Location:
    other = document.document_at(location)
    return types.Location(other.uri, other.positions.range(span))


def references_at(
    document: Document, position: types.Position, *, with_definition: bool
) -> list[types.Location]:
    """All mentions of the name at a place, in the files of the open folder."""
    name = document.outline.name_at(document.offset(position))
    definition = _definition_of(name, document.location) if name and name.kind != "file" else None
    if definition is None:
        return []
    return [
        types.Location(other.uri, other.positions.range(each.span))
        for other, each in _all_occurrences(document, definition)
        if with_definition or not each.is_definition
    ]


def _all_occurrences(
    document: Document, definition: Definition
) -> Iterator[tuple[Document, NameOccurrence]]:
    """The definition and all mentions; those of a promoted form without a line are its piece's."""
    wanted = definition.name
    for other in (document, *_documents_to_search(document, definition)):
        for name in other.outline.names:
            if name.kind == wanted.kind and wanted.text in {name.text, unpromoted_code(name.text)}:
                found = _definition_of(name, other.location)
                is_same = found and found.location.key == definition.location.key
                if found and is_same and found.name.span == wanted.span:
                    yield other, name


def _documents_to_search(document: Document, definition: Definition) -> Iterator[Document]:
    """The file of a definition and those of the open folder; functions and regions stay in one."""
    here = {document.location.key}
    if definition.location.key not in here:
        here.add(definition.location.key)
        yield document.document_at(definition.location)
    if definition.name.kind == "piece":
        yield from (each for each in document.other_piece_files() if each.location.key not in here)


def renamable_range(document: Document, position: types.Position) -> types.Range | None:
    """The name at a place, None where it cannot have another one."""
    name = document.outline.name_at(document.offset(position))
    if name is None or name.kind == "file":
        return None
    definition = _definition_of(name, document.location)
    if definition is None or definition.location.source_kind == "set":
        return None
    return document.positions.range(_renamable_span(name, definition))


def _renamable_span(name: NameOccurrence, definition: Definition) -> Span:
    """Of +Q only the Q is changed where Q has the line."""
    return Span(name.span.end - len(definition.name.text), name.span.end)


def rename(document: Document, position: types.Position, new: str) -> types.WorkspaceEdit:
    """Give the piece, function or region at a place another name, in all files that mention it.

    Raises `JsonRpcInvalidParams`, with words for the user, where that cannot be done.
    """
    name = document.outline.name_at(document.offset(position))
    definition = _definition_of(name, document.location) if name else None
    if name is None or definition is None:
        raise JsonRpcInvalidParams("there is no name here that a file defines")
    if definition.location.source_kind == "set":
        raise JsonRpcInvalidParams(f"{name.text} belongs to a set that is part of alfil")
    kind = definition.name.kind
    _check_new_name(new, kind)
    changes: dict[str, list[types.TextEdit]] = {}
    for other, each in _all_occurrences(document, definition):
        if each.text != new and find_definition(other.location, kind, new):
            raise JsonRpcInvalidParams(f"{other.location.name} has a {kind} {new} already")
        place = other.positions.range(_renamable_span(each, definition))
        changes.setdefault(other.uri, []).append(types.TextEdit(place, new))
    return types.WorkspaceEdit(changes)


def _check_new_name(new: str, kind: str) -> None:
    """Refuse what cannot be a name."""
    if kind == "definition":
        is_name = new.isidentifier()
    else:
        diagnostics = Diagnostics(Source(new))
        is_name = bool(new) and not CHARACTERS_NOT_IN_NAMES & {*new} and new.isprintable()
        is_name = is_name and check_code(Text(new), diagnostics)
        is_name = is_name and not (kind == "region" and new[0].isdigit())
    if not is_name:
        raise JsonRpcInvalidParams(f"{new} cannot be the name of a {kind}")
