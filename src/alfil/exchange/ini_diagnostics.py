"""Diagnostics of a `variants.ini`: settings, letters, starting positions, promotions.

Pieces are read in the program's dialect, and what it makes of each is said beside what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from alfil.api import read, same
from alfil.errors import Diagnostic, NotationError, require_type
from alfil.exchange.resolved_variant import ResolvedVariant, resolve_section
from alfil.exchange.variants_ini import (
    COMMENT_SIGNS,
    LETTER_AND_BETZA,
    PIECE_VALUE_TYPES,
    VALUE_TYPES,
    IniReader,
    Section,
    Setting,
    make_diagnostic,
    setting_types,
    sorted_by_span,
)
from alfil.notation.description import DEFAULT_NOTATION
from alfil.programs import predict_reading
from alfil.source import BYTE_ORDER_MARK, Source, Span, source_of_file_text

DIALECT = "fairy-stockfish"
COMMENT_HINT = "a comment has a line of its own, which begins with #"
LETTER_SETTINGS = frozenset({"piece", "pieces", "counts", "pairs"})
BOARD_CHARACTERS = re.compile(r"\+?(?P<letter>[A-Za-z])~?|(?P<gap>[0-9]{1,4})|\*|(?P<other>.)")


def check_ini(text: str) -> tuple[Diagnostic, ...]:
    """Everything that Fairy-Stockfish would pass over or misread in a `variants.ini`.

    Spans count characters of the text without its byte order mark, with one character for each
    line break; nothing is raised.

    >>> text = "[mine:chess]\\nmustCapture = yes\\ncustomPiece1 = o:nC\\n"
    >>> [each.message for each in check_ini(text)]
    ['mustCapture takes true or false, not yes', 'Fairy-Stockfish makes no moves of nC']
    """
    require_type(text, str, "variants are a text")
    reader = IniReader(source_of_file_text(text, "<variants>"))
    diagnostics = [*_byte_order_mark_diagnostics(text, reader.source), *reader.diagnostics]
    resolved: dict[int, ResolvedVariant] = {}
    for section in reader.sections.values():
        if section.has_unknown_parent:
            continue
        variant = resolve_section(section, resolved)
        diagnostics += _value_diagnostics(section, variant.alphabet)
        diagnostics += _piece_diagnostics(section)
        diagnostics += _starting_position_diagnostics(section, variant)
    return tuple(sorted_by_span(diagnostics))


def _byte_order_mark_diagnostics(text: str, source: Source) -> Iterator[Diagnostic]:
    """A first line that says something behind a mark of byte order."""
    line = source.text.partition("\n")[0]
    if text.startswith(BYTE_ORDER_MARK) and line.strip() and line[0] not in COMMENT_SIGNS:
        yield make_diagnostic("byte-order-mark", Span(0, len(line)))


def _value_diagnostics(section: Section, letters: frozenset[str]) -> Iterator[Diagnostic]:
    """Invalid values of settings, and unknown letters."""
    for setting in section.settings.values():
        sort = setting_types()[setting.key]
        if sort.replaced_by:
            yield make_diagnostic("old", setting.span, instead=sort.replaced_by)
        if not sort.accepts(setting.value):
            what = VALUE_TYPES[sort.value][0]
            hint = COMMENT_HINT if re.search("[#;]", setting.value) else f"write {what}"
            value = setting.value or "nothing"
            yield make_diagnostic(
                "value", setting.key_span, name=sort.name, what=what, value=value, hint=hint
            )
        elif sort.value in LETTER_SETTINGS:
            yield from _letter_diagnostics(setting, letters)


def _letter_diagnostics(setting: Setting, letters: frozenset[str]) -> Iterator[Diagnostic]:
    for match in re.finditer("[A-Za-z]", setting.value):
        if match[0].lower() not in letters:
            place = setting.value_span(match.start())
            yield make_diagnostic(
                "unknown-letter", place, letter=match[0], letters=_letters_in_words(letters)
            )


def _letters_in_words(letters: frozenset[str]) -> str:
    return " ".join(sorted(letters)) or "none"


# Pieces


def _piece_diagnostics(section: Section) -> Iterator[Diagnostic]:
    """Lines of pieces that say nothing, letters that two have, and what pieces become."""
    holders: dict[str, str] = {}
    for key, setting in section.settings.items():
        sort = setting_types()[key].value
        match = LETTER_AND_BETZA.match(setting.value)
        if (
            sort not in PIECE_VALUE_TYPES
            or not match
            or not re.fullmatch(VALUE_TYPES[sort][1], setting.value)
        ):
            continue
        letter = match[1].lower()
        if letter in holders:
            yield make_diagnostic(
                "letter-twice", setting.value_span(0), other=holders[letter], letter=letter
            )
        holders[letter] = key
        if match[2] is not None:
            yield from _betza_diagnostics(section, setting, match.start(2))


def _betza_diagnostics(section: Section, setting: Setting, start: int) -> Iterator[Diagnostic]:
    """Pieces that the program reads differently from what is written."""
    text, place = setting.value[start:], setting.value_span(start, len(setting.value))
    variant = predict_reading(text, DIALECT).betza
    hint = f"write {setting.key} = -"
    try:
        diagnostics = read(text, DIALECT).diagnostics
    except NotationError as error:
        diagnostics, hint = error.diagnostics, error.hint
    if not variant:
        yield make_diagnostic("no-moves", place, betza=text or "nothing", hint=hint)
        return
    for each in diagnostics:
        moved = each.shift(place.start)
        if each.severity == "error":
            message = f"Fairy-Stockfish would read {variant}"
            known = variant in each.hint
            yield (
                moved
                if known
                else replace(moved, hint="; ".join(filter(None, (each.hint, message))))
            )
        elif not _captures_en_passant(section, setting.value[0]):
            yield make_diagnostic("en-passant", *moved.spans, letter=setting.value[0])
    if not diagnostics and _differs_in_standard_betza(text):
        yield make_diagnostic("reading", place, betza=text, means=variant)


def _captures_en_passant(section: Section, letter: str) -> bool:
    """Whether the settings say which pieces capture en passant, and that this one does."""
    chosen = section.setting("enPassantTypes") or section.setting("pawnTypes")
    return chosen is not None and letter.lower() in chosen.value.lower()


def _differs_in_standard_betza(text: str) -> bool:
    """Whether programs that read Betza as it is mostly read have another piece."""
    try:
        return not same(read(text, DEFAULT_NOTATION), read(text, DIALECT))
    except NotationError:
        return False


# The start


def _starting_position_diagnostics(
    section: Section, variant: ResolvedVariant
) -> Iterator[Diagnostic]:
    """Whether the start position is one of this board and these pieces."""
    setting = section.settings.get("startFen")
    resized = [section.settings[key] for key in ("maxFile", "maxRank") if key in section.settings]
    size = (variant.files, variant.ranks)
    if setting:
        yield from _fen_board_diagnostics(setting, *size, variant.alphabet)
    elif resized and size != _board_size(variant.values["startFen"]):
        of = section.template or "chess"
        yield make_diagnostic("resized", resized[0].span, of=of, files=size[0], ranks=size[1])


def _board_size(fen: str) -> tuple[int, int]:
    """The files and ranks of a start position."""
    rows = re.split(r"[ \[]", fen)[0].split("/")
    result = (int(each["gap"] or 1) for each in BOARD_CHARACTERS.finditer(rows[0]))
    return sum(result), len(rows)


def _fen_board_diagnostics(
    setting: Setting, files: int, ranks: int, letters: frozenset[str]
) -> Iterator[Diagnostic]:
    """What is wrong with the board of a start position; what is wrong alike is one diagnostic."""
    board = re.match(r"[^ \[]*", setting.value)
    rows = board[0].split("/") if board else []
    if len(rows) != ranks:
        end = setting.value_span(0, len("/".join(rows)))
        hint = f"write maxRank = {len(rows)}, or {ranks} ranks"
        yield make_diagnostic("ranks", end, count=len(rows), wanted=ranks, hint=hint)
    at, wrong = 0, dict[tuple[int, int], list[Span]]()
    signs = dict[str, list[Span]]()
    for row in rows:
        count = 0
        for match in BOARD_CHARACTERS.finditer(row):
            count += int(match["gap"] or 1)
            sign = match["other"] or match["letter"]
            if match["other"] or (sign and sign.lower() not in letters):
                signs.setdefault(sign, []).append(
                    setting.value_span(at + match.start(match.lastgroup or 0))
                )
        if count != files:
            wrong.setdefault((count, files), []).append(
                setting.value_span(at, at + max(len(row), 1))
            )
        at += len(row) + 1
    for sign, places in signs.items():
        name = "fen-letter" if sign.isascii() and sign.isalpha() else "fen-sign"
        yield make_diagnostic(
            name, *places, letter=sign, sign=sign, letters=_letters_in_words(letters)
        )
    for (count, expected), places in wrong.items():
        hint = f"write maxFile = {count}, or {files} files"
        yield make_diagnostic("files", *places, count=count, wanted=expected, hint=hint)
