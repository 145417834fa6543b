"""What a name, a key, a rule or a movement is, where the pointer rests on it."""

from __future__ import annotations

import base64

from lsprotocol import types

from alfil.api import Piece, describe, draw, read
from alfil.errors import AlfilError
from alfil.keyword_help import key_meanings, rule_values
from alfil.library.outline import Definition, field_at, find_definition
from alfil.library.piece_file import Entry
from alfil.library.statements import FORM_BY_KEYWORD, Field, Line, Statement
from alfil.lsp.documents import Document
from alfil.notation.registry import NOTATIONS
from alfil.source import Span

# Editors cut what is much higher than wide.
PICTURE_WIDTH = 160


def hover_at(document: Document, position: types.Position, *, pictures: bool) -> types.Hover | None:
    """The explanation of what is at a place; ``pictures`` puts diagrams in as images."""
    offset = document.offset(position)
    line = document.outline.line_at(offset)
    if line is None or line.statement is None:
        return None
    name = document.outline.name_at(offset)
    if name and name.kind == "piece":
        definition = find_definition(document.location, "piece", name.text)
        text = _piece_hover_text(document, definition, pictures=pictures) if definition else ""
        return _make_hover(document, text, name.span)
    if name and name.kind == "definition":
        signature, body = next(
            (key, body)
            for key, body in document.outline.functions.items()
            if key.partition("(")[0].strip() == name.text
        )
        return _make_hover(document, f"```\ndefine {signature} = {body}\n```", name.span)
    if offset > line.span.end - len(line.comment):
        return None
    return _hover_of_statement(document, line, line.statement, offset, pictures=pictures)


def _hover_of_statement(
    document: Document, line: Line, statement: Statement, offset: int, *, pictures: bool
) -> types.Hover | None:
    """What the key, the movement, the rule or the word of a line is."""
    field = field_at(statement, offset)
    if field and field.key.value in NOTATIONS and offset >= field.value.span.start:
        piece = _piece_in_field(field, statement, document)
        text = _movement_hover_text(piece, pictures=pictures) if piece else ""
        return _make_hover(document, text, field.value.span)
    if field:
        meaning = key_meanings().get(field.key.value, "")
        return _make_hover(document, f"`{field.key.value}=` {meaning}".rstrip(), field.key.span)
    if statement.keyword == "rule":
        return _make_hover(document, rule_hover_text(statement.head.value), statement.head.span)
    for word in (*statement.flags.values(), *statement.words):
        if word.span.start <= offset <= word.span.end and word.value in key_meanings():
            text = f"`{word.value}`: {key_meanings()[word.value]}"
            return _make_hover(document, text, word.span)
    return _make_hover(document, f"`{FORM_BY_KEYWORD[statement.keyword].example}`", line.span)


def rule_hover_text(name: str) -> str:
    """The values of a rule, empty for one that there is not."""
    values = rule_values().get(name)
    return f"`rule {name} =` {values}" if values else ""


def _piece_hover_text(document: Document, definition: Definition, *, pictures: bool) -> str:
    """A piece with its name, its moves in words and its diagram."""
    statement = definition.name.statement
    entry = _valid_entry_of(document, definition)
    subject: Piece | Entry | None = entry or next(
        (
            piece
            for field in statement.fields.values()
            if field.key.value in NOTATIONS
            and (
                piece := _piece_in_field(
                    field, statement, document.document_at(definition.location)
                )
            )
        ),
        None,
    )
    names = " ".join(each.value for each in statement.texts)
    origin = "" if definition.location.key == document.location.key else definition.location.name
    head = f"**{statement.head.value}** {names}{f' ({origin})' if origin else ''}"
    return (
        f"{head}\n\n{_movement_hover_text(subject, pictures=pictures) if subject else ''}".strip()
    )


def _valid_entry_of(document: Document, definition: Definition) -> Entry | None:
    """The piece with what areas and rules of its file mean for it, where the file has no errors."""
    library = document.report().library
    entry = library.get(definition.name.text) if library else None
    return entry if entry and entry.source.text == definition.location.source.text else None


def _piece_in_field(field: Field, statement: Statement, document: Document) -> Piece | None:
    """The movement in a field, None where it cannot be read."""
    notation = field.key.value
    dialect = statement.fields.get("dialect")
    embeds = NOTATIONS[notation].embeds
    try:
        piece = read(
            field.value.value,
            notation,
            dialect=dialect.value.value if dialect and embeds else None,
            functions=document.outline.functions if notation == "hasinu" else None,
        )
        bool(piece.meaning)
    except AlfilError:
        return None
    return piece


def _movement_hover_text(subject: Piece | Entry, *, pictures: bool) -> str:
    """Moves in words and as a diagram: an image, or signs of equal width."""
    try:
        words, picture = describe(subject), draw(subject)
        if not pictures:
            board = picture.render("text", sentence=False).decode().strip("\n")
            return f"{words}\n\n```text\n{board}\n```"
        svg = picture.render("svg", size=PICTURE_WIDTH, sentence=False, legend=False)
        image = base64.b64encode(svg).decode()
    except AlfilError:
        return ""
    return f"{words}\n\n![diagram](data:image/svg+xml;base64,{image})"


def _make_hover(document: Document, text: str, span: Span) -> types.Hover | None:
    if not text:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.Hover(content, document.positions.range(span))
