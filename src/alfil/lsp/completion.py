"""What can be written at a place of a piece file, with its meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from lsprotocol import types

from alfil.game.rule_table import RULES
from alfil.keyword_help import Letter, key_meanings, letters
from alfil.library.constraints import PREDICATES
from alfil.library.field_parsers import (
    CODE_FIELDS,
    FIELD_TYPE_BY_KEY,
    FIELD_TYPES,
    FLAG_NAMES,
    MOVEMENT_KEYS,
    MOVES_AREA_FIELDS,
    MOVES_FLAGS,
)
from alfil.library.file_locations import bundled_set_names
from alfil.library.outline import REGION_KEYS, NameOccurrence, included_files, outline_of
from alfil.library.regions import REGION_FIELDS, SIDES
from alfil.library.statements import BLANK_CHARACTERS, FORM_BY_KEYWORD
from alfil.lsp.documents import Document
from alfil.lsp.hover import rule_hover_text
from alfil.notation.registry import NOTATIONS
from alfil.notation.vocabulary import FUNCTIONS
from alfil.source import Span

# A blank that is in no quotes.
_LINE_PART_PATTERN = re.compile(rf'(?:[^{BLANK_CHARACTERS}"]|"[^"]*(?:"|$))+')
# A zone has a line of its own.
_RULE_VALUES = {rule.name: rule.values for rule in RULES if rule.name != "zone"}
_ITEM_KIND = types.CompletionItemKind


@dataclass(frozen=True)
class CompletionCursor:
    """Where one writes: the parts of the line before, the last of them unfinished.

    ``key`` is the key before the unfinished value. ``start`` is where in the line the word begins
    that a completion replaces.
    """

    document: Document
    line: int
    parts: tuple[str, ...]
    start: int
    end: int
    key: str = ""

    @cached_property
    def word(self) -> tuple[types.Range, str]:
        """Where the unfinished word is, and that word."""
        positions = self.document.positions
        begin = sum(len(line) + 1 for line in positions.lines[: self.line])
        span = Span(begin + self.start, begin + self.end)
        return positions.range(span), positions.source.text[span.start : span.end]

    @property
    def keyword(self) -> str:
        """The keyword of the line, empty while it is being written."""
        return self.parts[0] if len(self.parts) > 1 else ""


def completions(document: Document, position: types.Position) -> list[types.CompletionItem]:
    """All that can be written at a place; the editor selects by what is written already."""
    cursor = None if document.is_variants_ini else _cursor_at(document, position)
    return list(_completion_items_at(cursor)) if cursor else []


def _cursor_at(document: Document, position: types.Position) -> CompletionCursor | None:
    """Where one writes; None in comments, names and other words for people."""
    offset = document.offset(position)
    before, start = document.location.source.line_at(offset)
    before = before[: offset - start]
    number = document.location.source.position(offset).line - 1
    if "#" in re.sub('"[^"]*(?:"|$)', "", before):
        return None
    matches = [*_LINE_PART_PATTERN.finditer(before)]
    parts = [match[0] for match in matches]
    at = matches[-1].start() if matches else len(before)
    if not parts or (before[-1] in BLANK_CHARACTERS and matches[-1].end() < len(before)):
        parts, at = [*parts, ""], len(before)
    if parts[0][:1] == "|":
        parts, at = ["|", parts[-1].removeprefix("|")], len(before) - len(parts[-1].lstrip("|"))
    key, sign, value = parts[-1].partition("=")
    if not sign and parts[-1].startswith('"') and parts[0] != "include":
        return None
    if not sign or len(parts) == 1 or parts[0] == "rule":
        return CompletionCursor(document, number, tuple(parts), at, len(before))
    # Of a list the last item is completed, of a movement nothing is replaced.
    cut = max(value.rfind(","), value.rfind('"'), -1) + 1
    is_movement = key in NOTATIONS
    begin = len(before) if is_movement else at + len(key) + 1 + cut
    return CompletionCursor(document, number, tuple(parts), begin, len(before), key)


def _completion_items_at(cursor: CompletionCursor) -> Iterator[types.CompletionItem]:
    if cursor.key:
        yield from _value_items(cursor)
    elif cursor.keyword in ITEMS_BY_KEYWORD:
        yield from ITEMS_BY_KEYWORD[cursor.keyword](cursor)
    elif not cursor.keyword:
        for word, form in FORM_BY_KEYWORD.items():
            yield _completion_item(cursor, word, _ITEM_KIND.Keyword, f"`{form.example}`")


def _piece_line_items(cursor: CompletionCursor) -> Iterator[types.CompletionItem]:
    """The keys behind the code of a piece, which is new."""
    if len(cursor.parts) > 2:  # noqa: PLR2004 - keyword and code
        yield from _key_items(cursor, (*MOVEMENT_KEYS, *FIELD_TYPE_BY_KEY), FLAG_NAMES)


def _moves_line_items(cursor: CompletionCursor) -> Iterator[types.CompletionItem]:
    """A code, then keys."""
    if len(cursor.parts) > 2:  # noqa: PLR2004 - keyword and code
        yield from _key_items(cursor, (*MOVEMENT_KEYS, *MOVES_AREA_FIELDS), MOVES_FLAGS)
    else:
        yield from _piece_code_items(cursor)


def _value_items(cursor: CompletionCursor) -> Iterator[types.CompletionItem]:
    """The values of a key."""
    key = cursor.key
    if key in NOTATIONS:
        yield from _notation_letter_items(cursor, key)
    elif key == "dialect":
        yield from _enum_word_items(
            cursor, [each.name for each in NOTATIONS.values() if each.dialect]
        )
    elif key in {*CODE_FIELDS, "same-as", "on", "only"}:
        yield from _piece_code_items(cursor)
    elif key in REGION_KEYS:
        for name in cursor.document.outline.definitions_of_kind("region"):
            yield _completion_item(cursor, name, _ITEM_KIND.Module, "a region of this file")
    elif field := FIELD_TYPES.get(key):
        yield from _enum_word_items(cursor, field.values, key_meanings().get(key, ""))


def _rule_items(cursor: CompletionCursor) -> Iterator[types.CompletionItem]:
    """The names of rules, or behind the sign the values of one."""
    words = " ".join(cursor.parts[1:])
    if "=" not in words:
        for name in _RULE_VALUES:
            yield _completion_item(
                cursor, name, _ITEM_KIND.Property, rule_hover_text(name), f"{name} = "
            )
        return
    name = words.partition("=")[0].strip()
    part = cursor.parts[-1]
    start = cursor.start + max(part.rfind(","), part.rfind("=")) + 1
    behind = CompletionCursor(cursor.document, cursor.line, cursor.parts, start, cursor.end)
    yield from _enum_word_items(behind, _RULE_VALUES.get(name, ()), rule_hover_text(name))
    yield from _piece_code_items(behind) if name in {"goal", "extinction", "move-limit"} else ()


def _key_items(
    cursor: CompletionCursor, keys: Iterable[str], flags: Iterable[str]
) -> Iterator[types.CompletionItem]:
    """Keys and words that are not on the line yet."""
    written = {part.partition("=")[0] for part in cursor.parts[1:-1]}
    meanings = key_meanings()
    for key in keys:
        if key not in written:
            yield _completion_item(
                cursor, key, _ITEM_KIND.Property, meanings.get(key, ""), f"{key}="
            )
    for flag in flags:
        if flag not in written:
            yield _completion_item(cursor, flag, _ITEM_KIND.EnumMember, meanings.get(flag, ""))


def _enum_word_items(
    cursor: CompletionCursor, words: Iterable[str], meaning: str = ""
) -> Iterator[types.CompletionItem]:
    for word in words:
        yield _completion_item(cursor, word, _ITEM_KIND.EnumMember, meaning)


def _piece_code_items(cursor: CompletionCursor) -> Iterator[types.CompletionItem]:
    """The codes of the pieces of the file, and of those that it includes."""
    document = cursor.document
    included = (outline_of(each.source) for each in included_files(document.location))
    outlines = [document.outline, *included]
    names: dict[str, NameOccurrence] = {}
    for outline in reversed(outlines):
        names |= outline.definitions_of_kind("piece")
    for code, name in names.items():
        words = " ".join(each.value for each in name.statement.texts)
        yield _completion_item(cursor, code, _ITEM_KIND.Class, words)


def _notation_letter_items(
    cursor: CompletionCursor, notation: str
) -> Iterator[types.CompletionItem]:
    """The letters and functions of a notation, and the functions of the file."""
    known = letters(notation)
    if notation == "hasinu":
        for signature, body in cursor.document.outline.functions.items():
            name = signature.partition("(")[0]
            yield _completion_item(
                cursor, name, _ITEM_KIND.Function, f"`{signature} = {body}`", f"{name}("
            )
    for number, letter in enumerate(known):
        is_function = notation == "hasinu" and letter.text in FUNCTIONS
        item = _completion_item(
            cursor,
            letter.text,
            _ITEM_KIND.Function if is_function else _ITEM_KIND.Value,
            _letter_meaning(letter),
            f"{letter.text}(" if is_function else letter.text.replace(" ", ""),
        )
        item.sort_text = f"{number:03}"
        yield item


def _letter_meaning(letter: Letter) -> str:
    example = "" if letter.example == letter.text else f"`{letter.example}`: "
    return f"{example}{letter.meaning}"


def _includable_file_items(cursor: CompletionCursor) -> Iterator[types.CompletionItem]:
    """Sets that are part of alfil and files beside this one, then what can be selected."""
    if len(cursor.parts) > 2:  # noqa: PLR2004 - behind the name
        yield _completion_item(cursor, "only", _ITEM_KIND.Property, "some of its pieces", "only=")
        return
    for name in bundled_set_names():
        yield _completion_item(cursor, name, _ITEM_KIND.Module, "a set that is part of alfil")
    for other in cursor.document.other_piece_files():
        folder = f"{cursor.document.location.root}/"
        if cursor.document.location.root and other.location.path.startswith(folder):
            path = other.location.path.removeprefix(folder)
            yield _completion_item(
                cursor, path, _ITEM_KIND.File, "a file beside this one", f'"{path}"'
            )


def _completion_item(
    cursor: CompletionCursor,
    label: str,
    kind: types.CompletionItemKind,
    meaning: str,
    text: str = "",
) -> types.CompletionItem:
    """A completion that replaces the word that is being written."""
    place, written = cursor.word
    return types.CompletionItem(
        label,
        kind=kind,
        documentation=types.MarkupContent(types.MarkupKind.Markdown, meaning) if meaning else None,
        filter_text=f'"{label}' if written.startswith('"') else label,
        text_edit=types.TextEdit(place, text or label),
    )


# What can be written behind each keyword.
ITEMS_BY_KEYWORD: dict[str, Callable[[CompletionCursor], Iterator[types.CompletionItem]]] = {
    "piece": _piece_line_items,
    "moves": _moves_line_items,
    "hand": _piece_code_items,
    "|": _piece_code_items,
    "rule": _rule_items,
    "setup": lambda cursor: _enum_word_items(cursor, (*SIDES, "mirrored")),
    "region": lambda cursor: _key_items(cursor, REGION_FIELDS, (*SIDES, "mirrored")),
    "zone": lambda cursor: _key_items(cursor, ("ranks",), ("promotion",)),
    "include": _includable_file_items,
    "reading": lambda cursor: _key_items(cursor, ("source",), ("default",)),
    "constraint": lambda cursor: _key_items(cursor, ("on", "from"), ("required", *PREDICATES)),
}
