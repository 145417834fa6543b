"""What is wrong in a `variants.ini`: settings, letters, start positions, and what pieces become.

Pieces are read in the program's dialect, and what it makes of each is said beside what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from alfil.api import read, same
from alfil.errors import Finding, NotationError, expect
from alfil.exchange.ini import (
    COMMENTS,
    LETTERED,
    PIECES,
    VALUES,
    Reader,
    Section,
    Setting,
    found,
    ordered,
    sorts,
)
from alfil.exchange.meant import Meant, meant
from alfil.notation.nodes import DEFAULT_NOTATION
from alfil.programs import predicted
from alfil.source import MARK, Source, Span, plain

DIALECT = "fairy-stockfish"
COMMENT = "a comment has a line of its own, which begins with #"
OF_LETTERS = frozenset({"piece", "pieces", "counts", "pairs"})
ON_BOARD = re.compile(r"\+?(?P<letter>[A-Za-z])~?|(?P<gap>[0-9]+)|\*|(?P<other>.)")


def check_ini(text: str) -> tuple[Finding, ...]:
    """Everything that Fairy-Stockfish would pass over or misread in a `variants.ini`.

    Spans are those of the text without a mark of byte order, where all lines end in one sign;
    nothing is raised.

    >>> text = "[mine:chess]\\nmustCapture = yes\\ncustomPiece1 = o:nC\\n"
    >>> [each.message for each in check_ini(text)]
    ['mustCapture takes true or false, not yes', 'Fairy-Stockfish makes no moves of nC']
    """
    expect(text, str, "variants are a text")
    reader = Reader(plain(text, "<variants>"))
    findings = [*_marked(text, reader.source), *reader.findings]
    for section in reader.sections.values():
        if section.left_out:
            continue
        means = meant(section)
        findings += _values(section, means.alphabet)
        findings += _pieces(section)
        findings += _start(section, means)
    return tuple(ordered(findings))


def _marked(text: str, source: Source) -> Iterator[Finding]:
    """A first line that says something behind a mark of byte order."""
    line = source.text.partition("\n")[0]
    if text.startswith(MARK) and line.strip() and line[0] not in COMMENTS:
        yield found("byte-order-mark", Span(0, len(line)))


def _values(section: Section, letters: frozenset[str]) -> Iterator[Finding]:
    """What is no value for its setting, and letters that no piece has."""
    for setting in section.settings.values():
        sort = sorts()[setting.key]
        if sort.instead:
            yield found("old", setting.span, instead=sort.instead)
        what, pattern = VALUES.get(sort.value, ("", ".*"))
        if not re.fullmatch(pattern, setting.value):
            hint = COMMENT if re.search("[#;]", setting.value) else f"write {what}"
            value = setting.value or "nothing"
            yield found("value", setting.place, name=sort.name, what=what, value=value, hint=hint)
        elif sort.value in OF_LETTERS:
            yield from _letters(setting, letters)


def _letters(setting: Setting, letters: frozenset[str]) -> Iterator[Finding]:
    for match in re.finditer("[A-Za-z]", setting.value):
        if match[0].lower() not in letters:
            place = setting.at(match.start())
            yield found("unknown-letter", place, letter=match[0], letters=_listed(letters))


def _listed(letters: frozenset[str]) -> str:
    return " ".join(sorted(letters)) or "none"


# Pieces


def _pieces(section: Section) -> Iterator[Finding]:
    """Lines of pieces that say nothing, letters that two have, and what pieces become."""
    holders: dict[str, str] = {}
    for key, setting in section.settings.items():
        sort = sorts()[key].value
        match = LETTERED.match(setting.value)
        if sort not in PIECES or not match or not re.fullmatch(VALUES[sort][1], setting.value):
            continue
        letter = match[1].lower()
        if letter in holders:
            yield found("letter-twice", setting.at(0), other=holders[letter], letter=letter)
        holders[letter] = key
        if match[2] is not None:
            yield from _betza(section, setting, match.start(2))


def _betza(section: Section, setting: Setting, start: int) -> Iterator[Finding]:
    """What the program makes of a piece, where that is not what was written."""
    text, place = setting.value[start:], setting.at(start, len(setting.value))
    means = predicted(text, DIALECT).betza
    hint = f"write {setting.key} = -"
    try:
        findings = read(text, DIALECT).findings
    except NotationError as error:
        findings, hint = error.findings, error.hint
    if not means:
        yield found("no-moves", place, betza=text or "nothing", hint=hint)
        return
    for each in findings:
        moved = each.shift(place.start)
        if each.severity == "error":
            told = f"Fairy-Stockfish would read {means}"
            known = means in each.hint
            yield (
                moved if known else replace(moved, hint="; ".join(filter(None, (each.hint, told))))
            )
        elif not _captures_en_passant(section, setting.value[0]):
            yield found("en-passant", *moved.spans, letter=setting.value[0])
    if not findings and _is_other_elsewhere(text):
        yield found("reading", place, betza=text, means=means)


def _captures_en_passant(section: Section, letter: str) -> bool:
    """Whether the settings say which pieces capture en passant, and that this one does."""
    chosen = section.setting("enPassantTypes") or section.setting("pawnTypes")
    return chosen is not None and letter.lower() in chosen.value.lower()


def _is_other_elsewhere(text: str) -> bool:
    """Whether programs that read Betza as it is mostly read have another piece."""
    try:
        return not same(read(text, DEFAULT_NOTATION), read(text, DIALECT))
    except NotationError:
        return False


# The start


def _start(section: Section, means: Meant) -> Iterator[Finding]:
    """Whether the start position is one of this board and these pieces."""
    setting = section.settings.get("startFen")
    resized = [section.settings[key] for key in ("maxFile", "maxRank") if key in section.settings]
    size = (means.files, means.ranks)
    if setting:
        yield from _ranks(setting, *size, means.alphabet)
    elif resized and size != _size(means.values["startFen"]):
        of = section.template or "chess"
        yield found("resized", resized[0].span, of=of, files=size[0], ranks=size[1])


def _size(start: str) -> tuple[int, int]:
    """The files and ranks of a start position."""
    rows = re.split(r"[ \[]", start)[0].split("/")
    found = (int(each["gap"] or 1) for each in ON_BOARD.finditer(rows[0]))
    return sum(found), len(rows)


def _ranks(setting: Setting, files: int, ranks: int, letters: frozenset[str]) -> Iterator[Finding]:
    """What is wrong with the board of a start position; what is wrong alike is one finding."""
    board = re.match(r"[^ \[]*", setting.value)
    rows = board[0].split("/") if board else []
    if len(rows) != ranks:
        end = setting.at(0, len("/".join(rows)))
        hint = f"write maxRank = {len(rows)}, or {ranks} ranks"
        yield found("ranks", end, count=len(rows), wanted=ranks, hint=hint)
    at, wrong = 0, dict[tuple[int, int], list[Span]]()
    signs = dict[str, list[Span]]()
    for row in rows:
        count = 0
        for match in ON_BOARD.finditer(row):
            count += int(match["gap"] or 1)
            sign = match["other"] or match["letter"]
            if match["other"] or (sign and sign.lower() not in letters):
                signs.setdefault(sign, []).append(
                    setting.at(at + match.start(match.lastgroup or 0))
                )
        if count != files:
            wrong.setdefault((count, files), []).append(setting.at(at, at + max(len(row), 1)))
        at += len(row) + 1
    for sign, places in signs.items():
        name = "fen-letter" if sign.isascii() and sign.isalpha() else "fen-sign"
        yield found(name, *places, letter=sign, sign=sign, letters=_listed(letters))
    for (count, wanted), places in wrong.items():
        hint = f"write maxFile = {count}, or {files} files"
        yield found("files", *places, count=count, wanted=wanted, hint=hint)
